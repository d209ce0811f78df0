"""Formulas of puzzles: clauses in bulk, as NumPy arrays, and the interface for exports and proofs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pysat.card import CardEnc, EncType

from ...csp.base.errors import EngineError
from ...csp.base.stop import StoppedError, aside, never
from .puzzle_model import ModelSize, PuzzleModel

Literals = NDArray[np.int64]

# Lists up to this length have few pairs, so that auxiliary variables are not worth it.
_SHORT = 6
# Up to this number of literals, all pairs are cheaper for a solver than auxiliary variables.
_FEW = 64

# Signs of three literals in the clauses that say that the first is true exactly if just one of the others is.
_ODD = np.array([[-1, 1, 1], [-1, -1, -1], [1, -1, 1], [1, 1, -1]])

_MOST_CLAUSES = 60_000_000
_CHUNK = 100_000

_CARDS = {name: getattr(EncType, name) for name in ("bitwise", "ladder", "totalizer", "mtotalizer", "kmtotalizer")}
_CARDS["sequential"] = EncType.seqcounter


class Clauses:
    """Clauses under construction: blocks of clauses of one length each, and the number of variables.

    Methods that add clauses raise EngineError if there would be too many, and StoppedError if `must_stop` returns true.
    """

    def __init__(self, must_stop: Callable[[], bool] = never) -> None:
        self.must_stop = must_stop
        self.top = 0
        self._blocks: list[NDArray[np.int32]] = []
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def new(self, number: int) -> Literals:
        """Make `number` new variables."""
        self.top += number
        return np.arange(self.top - number + 1, self.top + 1, dtype=np.int64)

    def add(self, clauses: Literals) -> None:
        """Clauses of one length, shape (n, length)."""
        if clauses.shape[1] == 0 and len(clauses):  # solvers disagree about an empty clause
            (never,) = self.new(1)
            clauses = np.array([[never], [-never]])
        self._account(len(clauses))
        if len(clauses):
            self._blocks.append(clauses.astype(np.int32))

    def add_lists(self, clauses: Iterable[Sequence[int]]) -> None:
        """Clauses of any lengths."""
        by_length: dict[int, list[Sequence[int]]] = {}
        for clause in clauses:
            by_length.setdefault(len(clause), []).append(clause)
        for length, several in by_length.items():
            self.add(np.array(several, dtype=np.int64).reshape(len(several), length))

    def unit(self, literal: int) -> None:
        """A literal that must be true."""
        self.add(np.array([[literal]]))

    def imply_one_of(self, conditions: Literals, groups: Literals, members: Literals) -> None:
        """If all conditions of a group hold, one of its members does.

        - `conditions`: shape (n, k): literals whose negations are in the clauses.
        - `groups`, `members`: for each member the group (a row of `conditions`) that it belongs to.
        """
        by_group = np.argsort(groups, kind="stable")
        sizes = np.bincount(groups, minlength=len(conditions))
        start = np.cumsum(sizes) - sizes
        members = members[by_group]
        for size in np.unique(sizes):
            rows = np.flatnonzero(sizes == size)
            self.add(np.hstack([-conditions[rows], members[start[rows][:, None] + np.arange(size)]]))

    def at_most_one(self, literals: Literals, how: str | None) -> None:
        """At most one of the literals is true; `how` is one of `encodings.AT_MOST_ONE`."""
        number = len(literals)
        if how is None:
            how = "pairwise" if number <= _FEW else "sequential"
        if number <= _SHORT or how == "pairwise":
            self._account(number * (number - 1) // 2, kept=False)
            first, second = np.triu_indices(number, 1)
            self.add(np.stack([-literals[first], -literals[second]], axis=1))
        elif how == "product":
            self._product(literals)
        else:
            self.at_most(literals, 1, how)

    def _product(self, literals: Literals) -> None:
        """Each literal has its own pair of row and column in a square, and only one of each is used (Chen 2010)."""
        width = int(np.ceil(np.sqrt(len(literals))))
        rows, columns = np.divmod(np.arange(len(literals)), width)
        for coordinate in (rows, columns):
            lines = self.new(int(coordinate[-1]) + 1 if coordinate is rows else width)
            self.add(np.stack([-literals, lines[coordinate]], axis=1))
            self.at_most_one(lines, "product")

    def at_most(self, literals: Literals, bound: int, how: str | None = None) -> None:
        """At most `bound` of the literals are true (a repeated literal counts repeatedly)."""
        if bound <= 0:
            self.add(-literals[:, None] if bound == 0 else np.zeros((1, 0), dtype=np.int64))
        elif bound < len(literals):
            self._card(CardEnc.atmost, literals, bound, how)

    def exactly(self, literals: Literals, bound: int, how: str | None = None) -> None:
        """Exactly `bound` of the literals are true (a repeated literal counts repeatedly)."""
        if not 0 <= bound <= len(literals):
            self.add(np.zeros((1, 0), dtype=np.int64))
        elif bound in (0, len(literals)):
            self.add((literals if bound else -literals)[:, None])
        else:
            self._card(CardEnc.equals, literals, bound, how)

    def _card(self, encode, literals: Literals, bound: int, how: str | None) -> None:
        kind = _CARDS.get(how or "", EncType.seqcounter if bound <= 2 else EncType.totalizer)
        if bound > 1 and kind in (EncType.bitwise, EncType.ladder):
            kind = EncType.seqcounter
        self._account(len(literals), kept=False)
        made = aside(encode, lits=literals.tolist(), bound=bound, top_id=self.top, encoding=kind)
        self.top = max(self.top, made.nv)
        self.add_lists(made.clauses)

    def odd(self, literals: Literals, *, odd: bool) -> None:
        """The number of true literals is odd, or even: a chain of partial sums."""
        if not len(literals):
            if odd:
                self.add(np.zeros((1, 0), dtype=np.int64))
            return
        total = int(literals[0])
        for literal in literals[1:].tolist():
            (sum_,) = self.new(1).tolist()
            self.add(_ODD * [sum_, total, literal])
            total = sum_
        self.unit(total if odd else -total)

    def blocks(self) -> tuple[NDArray[np.int32], ...]:
        """The clauses, in arrays of clauses of one length each."""
        return tuple(self._blocks)

    def __iter__(self) -> Iterator[list[int]]:
        for block in self._blocks:
            yield from block.tolist()

    def _account(self, number: int, *, kept: bool = True) -> None:
        if self.must_stop():
            raise StoppedError
        if self._number + number > _MOST_CLAUSES:
            raise EngineError(
                f"more than {_MOST_CLAUSES // 10**6} million clauses: choose an encoding without pairwise, "
                "for instance seams+sequential"
            )
        if kept:
            self._number += number


class ClauseList(Protocol):
    """A typed interface of PySAT's formulas (`pysat.formula.CNF`), which have no type annotations."""

    clauses: list[list[int]]
    nv: int

    def append(self, clause: Sequence[int], /) -> None:
        """Add a clause: literals, of which one must be true."""
        ...

    def extend(self, clauses: Iterable[Sequence[int]], /) -> None:
        """Add clauses."""
        ...


class NamePool(Protocol):
    """A typed interface of PySAT's names of variables (`pysat.formula.IDPool`)."""

    top: int
    obj2id: dict[Any, int]
    id2obj: dict[int, Any]

    def id(self, obj: Any = None, /) -> int:
        """The variable of that name, a new one if it does not exist; without a name always a new one."""
        ...

    def obj(self, vid: int, /) -> Any:
        """The name of a variable, or None."""
        ...


class PuzzleFormula(PuzzleModel):
    """A puzzle as a formula, to which the negation of a claim may have been added.

    A formula has a `cnf` for PySAT and may have a `pool`, which are made on first access; use them to add your own
    clauses and variables.

    Attributes:
    - `clauses`: the clauses as they were made.
    - `deciding`: an array of the variables in which solutions differ.
    """

    clauses: Clauses
    deciding: Any
    constraints = "clauses"

    @property
    def size(self) -> ModelSize:
        """The numbers of variables and of clauses, including your own."""
        cnf, pool = _own(self, "cnf"), _own(self, "pool")
        variables = max(self.clauses.top, cnf.nv if cnf else 0, pool.top if pool else 0)
        return ModelSize(variables, len(cnf.clauses) if cnf else len(self.clauses))

    @cached_property
    def cnf(self) -> ClauseList:
        # Loaded here: nothing else needs it.
        from pysat.formula import CNF

        cnf: Any = CNF()
        cnf.clauses = list(self.clauses)
        cnf.nv = self.clauses.top
        return cnf

    def assignments(self, solution: Any, /) -> list[list[int]]:
        """The variables in `deciding` that are true for a solution and, with symmetry broken, for equivalent ones.

        Symmetry breaking keeps one of these, or several if no piece can break the symmetries.

        Raises PuzzleError if it does not place every piece that the puzzle needs where it can be.
        """
        raise NotImplementedError

    def meaning(self) -> Iterator[str]:
        """How the formula was built, and what its variables mean."""
        raise NotImplementedError

    def exclude(self, solution: Any, /) -> None:
        """Add clauses that exclude a solution and, with symmetry broken, all equivalent ones.

        Raises as `assignments` does.
        """
        made = len(self.clauses.blocks())
        self.clauses.add_lists([[-variable for variable in true] for true in self.assignments(solution)])
        if "cnf" in vars(self):  # has been asked for already
            for block in self.clauses.blocks()[made:]:
                self.cnf.extend(block.tolist())


def clause_blocks(model: PuzzleFormula) -> Iterator[NDArray[np.signedinteger]]:
    """The clauses, including your own, in arrays of moderate size with clauses of one length each."""
    cnf = _own(model, "cnf")
    if cnf is None:
        for block in model.clauses.blocks():
            yield from (block[start : start + _CHUNK] for start in range(0, len(block), _CHUNK))
        return
    for length, clauses in groupby(cnf.clauses, key=len):
        while chunk := list(islice(clauses, _CHUNK)):
            yield np.array(chunk, dtype=np.int64).reshape(len(chunk), length)


def _own(model: PuzzleFormula, name: str) -> Any:
    """The formula or the names for PySAT if they were accessed: otherwise nothing can have been added."""
    return vars(model).get(name)
