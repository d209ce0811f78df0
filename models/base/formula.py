"""What exports and proofs ask of a formula, whatever puzzle it is made of."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...csp.files.instances import Puzzle
from .clauses import Clauses

_CHUNK = 100_000


class ClauseList(Protocol):
    """A formula of PySAT (`pysat.formula.CNF`), which has no types itself: what people need of it, typed."""

    clauses: list[list[int]]
    nv: int

    def append(self, clause: Sequence[int], /) -> None:
        """Add a clause: literals, of which one must be true."""
        ...

    def extend(self, clauses: Iterable[Sequence[int]], /) -> None:
        """Add clauses."""
        ...

    def to_file(self, fname: str, /) -> None:
        """Write the formula in the DIMACS format, without what its variables mean; `export` tells that, too."""
        ...


class NamePool(Protocol):
    """The names of variables in PySAT (`pysat.formula.IDPool`), typed in the same way."""

    top: int
    obj2id: dict[Any, int]
    id2obj: dict[int, Any]

    def id(self, obj: Any = None, /) -> int:
        """The variable of that name, a new one if there is none; without a name always a new one."""
        ...

    def obj(self, vid: int, /) -> Any:
        """The name of a variable, None if it has none."""
        ...


class Formula(Protocol):
    """A puzzle as a formula, to which the negation of a claim may have been added.

    A formula may have a `cnf` and a `pool` for PySAT, which are made when somebody asks for them, to add clauses and
    variables of one's own.
    """

    clauses: Clauses

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        ...

    @property
    def encoding(self) -> object:
        """How it was made; as text, the encoding's name."""
        ...

    @property
    def deciding(self) -> Any:
        """The variables that tell one solution from another, an array."""
        ...

    def assignments(self, solution: Any, /) -> list[list[int]]:
        """The true deciding variables of a solution and, with symmetry broken, of those that are the same."""
        ...

    def exclude(self, solution: Any, /) -> None:
        """Add what excludes a solution and those that are the same."""
        ...

    def meaning(self) -> Iterator[str]:
        """How the formula was built, and what its variables mean."""
        ...


def for_pysat(clauses: Clauses) -> ClauseList:
    """Clauses as a formula of PySAT."""
    # Loaded here: nothing else needs it.
    from pysat.formula import CNF

    cnf: Any = CNF()
    cnf.clauses = list(clauses)
    cnf.nv = clauses.top
    return cnf


def size_of(model: Formula) -> tuple[int, int]:
    """How many variables and clauses a formula has, one's own included."""
    cnf, pool = _own(model, "cnf"), _own(model, "pool")
    variables = max(model.clauses.top, cnf.nv if cnf else 0, pool.top if pool else 0)
    return variables, len(cnf.clauses) if cnf else len(model.clauses)


def clause_blocks(model: Formula) -> Iterator[NDArray[np.signedinteger]]:
    """The clauses, one's own included, in arrays of clauses of one length each that are not too large."""
    cnf = _own(model, "cnf")
    if cnf is None:
        for block in model.clauses.blocks():
            yield from (block[start : start + _CHUNK] for start in range(0, len(block), _CHUNK))
        return
    for length, clauses in groupby(cnf.clauses, key=len):
        while chunk := list(islice(clauses, _CHUNK)):
            yield np.array(chunk, dtype=np.int64).reshape(len(chunk), length)


def _own(model: Formula, name: str) -> Any:
    """The formula or the names for PySAT if anybody asked for them: nothing can have been added to them otherwise."""
    return vars(model).get(name)
