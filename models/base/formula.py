"""The interface of formulas for exports and proofs, for all kinds of puzzles."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...csp.files.instances import Puzzle
from .clauses import Clauses

_CHUNK = 100_000


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

    def to_file(self, fname: str, /) -> None:
        """Write the formula in the DIMACS format, without the meaning of variables, which `export` also writes."""
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


class Formula(Protocol):
    """A puzzle as a formula, to which the negation of a claim may have been added.

    A formula may have a `cnf` and a `pool` for PySAT, which are made on first access; use them to add your own clauses
    and variables.
    """

    clauses: Clauses

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        ...

    @property
    def encoding(self) -> object:
        """The encoding; as text, its name."""
        ...

    @property
    def deciding(self) -> Any:
        """An array of the variables in which solutions differ."""
        ...

    def assignments(self, solution: Any, /) -> list[list[int]]:
        """The true deciding variables of a solution and, with symmetry broken, of those that are the same."""
        ...

    def exclude(self, solution: Any, /) -> None:
        """Add clauses that exclude a solution and all equivalent ones."""
        ...

    def meaning(self) -> Iterator[str]:
        """How the formula was built, and what its variables mean."""
        ...


class PuzzleFormula:
    """What the formulas of all kinds of puzzles share: the clauses, and a formula for PySAT."""

    clauses: Clauses

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

    def exclude(self, solution: Any, /) -> None:
        """Add clauses that exclude a solution and, with symmetry broken, all equivalent ones.

        Raises as `assignments` does.
        """
        made = len(self.clauses.blocks())
        self.clauses.add_lists([[-variable for variable in true] for true in self.assignments(solution)])
        if "cnf" in vars(self):  # has been asked for already
            for block in self.clauses.blocks()[made:]:
                self.cnf.extend(block.tolist())


def size_of(model: Formula) -> tuple[int, int]:
    """The numbers of variables and clauses of a formula, including your own."""
    cnf, pool = _own(model, "cnf"), _own(model, "pool")
    variables = max(model.clauses.top, cnf.nv if cnf else 0, pool.top if pool else 0)
    return variables, len(cnf.clauses) if cnf else len(model.clauses)


def clause_blocks(model: Formula) -> Iterator[NDArray[np.signedinteger]]:
    """The clauses, including your own, in arrays of moderate size with clauses of one length each."""
    cnf = _own(model, "cnf")
    if cnf is None:
        for block in model.clauses.blocks():
            yield from (block[start : start + _CHUNK] for start in range(0, len(block), _CHUNK))
        return
    for length, clauses in groupby(cnf.clauses, key=len):
        while chunk := list(islice(clauses, _CHUNK)):
            yield np.array(chunk, dtype=np.int64).reshape(len(chunk), length)


def _own(model: Formula, name: str) -> Any:
    """The formula or the names for PySAT if they were accessed: otherwise nothing can have been added."""
    return vars(model).get(name)
