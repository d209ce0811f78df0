"""The encodings of edge-matching puzzles, by name.

An encoding is written as its name, followed by what it has besides: ``pairs``, ``pairs+sequential``,
``seams+pieces+color-counts``.  Which is best depends on the puzzle; `tests/benchmarks/encodings.py` compares them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...csp.base.errors import EngineError, misspelt

#: How a placement and its seams are tied together in a CNF.
CNF_NAMES = {
    "direct": "placements only: each needs a neighbour that matches",
    "seams": "placements and seam colours: a seam's colour needs a piece that has it, on either side",
    "pairs": "seams, and two adjacent colours of a square need a piece that has both",
    "diamond": "pieces on squares and seam colours, no rotations (Heule 2008)",
}

#: The encoding that has a bit for each connector, of jigsaws alone and for certificates alone, see `jigsaw.BitCNF`.
BITS = "bits"

#: How the constraints of a CP-SAT model are written.
CP_NAMES = {
    "booleans": "exactly one placement a square and piece, implied seam colours that need a piece",
    "pairs": "booleans, and two adjacent colours of a square need a piece that has both",
    "table": "a table of the allowed (piece, up, right, down, left) for each square, all pieces different",
    "element": "the placement of a square as an index into arrays of pieces and sides, all pieces different",
}

#: How "at most one of these" is written; all but the first two are those of `pysat.card`.
AT_MOST_ONE = ("pairwise", "product", "sequential", "bitwise", "ladder", "totalizer", "mtotalizer", "kmtotalizer")

#: What a model may have besides, though it follows from the rest.
REDUNDANT = {
    "pieces": "variables for a piece on a square, in whatever rotation",
    "absent-colors": "a piece on a square excludes the colours that it does not have (with pieces)",
    "color-counts": "as many seams have a colour as the pieces have sides for",
    "checkerboard": "the pieces on black squares have half of the sides of each colour",
    "parity": "the same modulo 2",
}


@dataclass(frozen=True)
class Encoding:
    """How a puzzle becomes a model.

    Parameters
    ----------
    name
        A key of `CNF_NAMES` or `CP_NAMES`.
    at_most_one
        How "at most one" is written, see `AT_MOST_ONE` (CNF only); None for pairwise where that is small, else
        sequential.
    redundant
        Keys of `REDUNDANT`.
    prune
        Whether placements are left out that the border, fixed pieces and their consequences exclude (arc
        consistency); only what does not fit the border is left out otherwise.
    """

    name: str
    at_most_one: str | None = None
    redundant: frozenset[str] = field(default_factory=frozenset)
    prune: bool = True

    def __str__(self) -> str:
        parts = [self.name, *([self.at_most_one] if self.at_most_one else [])]
        parts += [option for option in REDUNDANT if option in self.redundant]
        return "+".join([*parts, *([] if self.prune else ["unpruned"])])


def cnf_encoding(text: str | Encoding | None) -> Encoding:
    """The encoding of that name as a CNF; the one that is best on most puzzles if it is left out.

    Raises
    ------
    EngineError
        If there is none.

    Examples
    --------
    >>> cnf_encoding("pairs+sequential+pieces").at_most_one
    'sequential'
    """
    return _parsed(text, "pairs", CNF_NAMES, "CNF", AT_MOST_ONE)


def cp_encoding(text: str | Encoding | None) -> Encoding:
    """The encoding of that name as a CP-SAT model; ``pairs`` if it is left out.

    Raises
    ------
    EngineError
        If there is none.
    """
    return _parsed(text, "pairs", CP_NAMES, "CP-SAT", ())


def _parsed(
    text: str | Encoding | None, default: str, names: dict[str, str], what: str, at_most_one: tuple[str, ...]
) -> Encoding:
    if isinstance(text, Encoding):
        text = str(text)
    name, *options = (default if text is None else text).split("+")
    if name == BITS:
        raise EngineError("encoding bits: is a relaxation, which is for `jigsat certify` alone")
    if name not in names:
        raise EngineError(f"unknown {what} encoding {misspelt(name, names)}, choose from {', '.join(names)}")
    known = [*at_most_one, *(() if name in ("table", "element") else REDUNDANT), "unpruned"]
    chosen = at_most_one_among(name, options, known)
    redundant = frozenset(option for option in options if option in REDUNDANT)
    for option in ("absent-colors", "color-counts"):
        if option in redundant and name == "direct":
            raise EngineError(f"encoding direct: {option} needs seam colours; choose seams, pairs or diamond")
    return Encoding(name, chosen, redundant, "unpruned" not in options)


def at_most_one_among(name: str, options: Sequence[str], known: Sequence[str]) -> str | None:
    """How "at most one" is written, by the options of an encoding, all of which must be known; None if none says it."""
    for option in options:
        if option not in known:
            raise EngineError(
                f"encoding {name}: unknown option {misspelt(option, known)}, choose from {', '.join(known)}"
            )
    chosen = [option for option in options if option in AT_MOST_ONE]
    if len(chosen) > 1:
        raise EngineError(f"encoding {name}: {chosen[0]} and {chosen[1]} exclude each other")
    return chosen[0] if chosen else None
