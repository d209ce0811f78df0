"""Which ways to a count share code: what makes one a witness of another.

A way is a witness of another if they have no method in common: neither kernel, nor solver, nor model.  Both may use the
same aids, such as the tables of pieces in their rotations; a record names those.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ...csp.engines.request import in_parts
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ..ways.way import Way

_ROTATIONS, _SYMMETRIES, _JOINS = "pieces in their rotations", "symmetries of the board", "which sides match"
_TALLY, _RUN = "numbers of arrangements of a picture", "the run along an order"
_PARTS, _PLACEMENTS, _TILINGS = "the sum of parts", "placements on the lattice", "numbers of tilings of a class"
_ALONG, _DOMAINS, _CNF = "search along an order", "domains of models", "formulas"


@dataclass(frozen=True)
class Code:
    """What a way to a count is made of."""

    #: Its methods, kernels, solvers and models.
    methods: frozenset[str]
    #: What else of jigsat it uses, apart from reading the puzzle.
    aids: frozenset[str]
    #: Whether a program of others does the counting.
    outside: bool = False


def _code(*methods: str, aids: Iterable[str], outside: bool = False) -> Code:
    return Code(frozenset(methods), frozenset(aids), outside)


_NATIVE, _MODEL = (_ROTATIONS, _SYMMETRIES, _PARTS), (_ROTATIONS, _SYMMETRIES)

#: The ways for puzzles of squares, by engine or, for the backtracker, by method.
OF_SQUARES = {
    # Parts are added up only on several threads, with a ledger, or on a cluster.
    "plain": _code(_ALONG, aids=(*_MODEL, _TALLY, _RUN)),
    "frames": _code("frames and insides", aids=_NATIVE),
    "macros": _code("half-rows", aids=(*_NATIVE, _JOINS)),
    "blocks": _code("2x2 blocks", aids=(*_NATIVE, _JOINS)),
    "halves": _code("halves of regions", aids=_NATIVE),
    "most-constrained": _code("search by fewest candidates", aids=(_ROTATIONS, _SYMMETRIES, _TALLY, _RUN)),
    "balanced": _code("CP-SAT", "balanced rotations", _ALONG, aids=(*_MODEL, _TALLY, _RUN)),
    "cpsat": _code("CP-SAT", _DOMAINS, aids=(*_MODEL, _TALLY), outside=True),
    "sat": _code("SAT solvers", _DOMAINS, _CNF, aids=(*_MODEL, _TALLY), outside=True),
    "ganak": _code("Ganak", _DOMAINS, _CNF, aids=_MODEL, outside=True),
}

#: The same for dissections; for the backtracker by motions.
OF_DISSECTIONS = {
    "any": _code("search with any motions", aids=(_TILINGS,)),
    "lattice": _code("search on the lattice", aids=(_PLACEMENTS, _TILINGS)),
    "cpsat": _code("CP-SAT", _DOMAINS, aids=(_PLACEMENTS, _TILINGS), outside=True),
    "sat": _code("SAT solvers", _DOMAINS, _CNF, aids=(_PLACEMENTS, _TILINGS), outside=True),
    "ganak": _code("Ganak", _DOMAINS, _CNF, aids=(_PLACEMENTS,), outside=True),
}


def code_of(puzzle: object, way: Way) -> Code | None:
    """The code of a way to a count; None if it is not known, as for engines of other packages."""
    table = OF_DISSECTIONS if isinstance(puzzle, DissectionPuzzle) else OF_SQUARES
    alone = [(way.engine, way.plan.options.method)]
    several = [(member.engine, member.options.get("method")) for member in way.members]
    if way.engine.partition(":")[0] == "portfolio" and not several:
        return None
    found = [table.get(_key(puzzle, *one)) for one in several or alone]
    known = [code for code in found if code is not None]
    if len(known) < len(found):
        return None
    methods = frozenset[str]().union(*(code.methods for code in known))
    added_up = table is OF_SQUARES and way.engine == "backtrack" and in_parts(way.plan.options)
    aids = frozenset({_PARTS} if added_up else ()).union(*(code.aids for code in known))
    return Code(methods, aids, all(code.outside for code in known))


def _key(puzzle: object, engine: str, method: str | None) -> str:
    family = engine.partition(":")[0]
    if family != "backtrack":
        return family
    if isinstance(puzzle, DissectionPuzzle):
        return "any" if puzzle.motions is Motions.ANY else "lattice"
    return method or "plain"
