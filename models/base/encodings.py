"""The encodings of puzzles as models, by name.

An encoding is written as its name, followed by its options: ``pairs``, ``pairs+sequential``,
``seams+pieces+color-counts``.  Which is best depends on the puzzle; `tests/benchmarks/encodings.py` compares them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...csp.base.errors import EngineError, misspelt

#: How a CNF links a placement and its seams.
CNF_NAMES = {
    "direct": "placements only: each needs a neighbour that matches",
    "seams": "placements and seam colours: a seam's colour needs a piece that has it, on either side",
    "pairs": "seams, and two adjacent colours of a square need a piece that has both",
    "diamond": "pieces on squares and seam colours, no rotations (Heule 2008)",
}

#: The encoding with a bit for each connector, only for jigsaws and certificates, see `bits_cnf.BitCNF`.
BITS = "bits"

#: How the constraints of a CP-SAT model are written.
CP_NAMES = {
    "booleans": "exactly one placement a square and piece, implied seam colours that need a piece",
    "pairs": "booleans, and two adjacent colours of a square need a piece that has both",
    "table": "a table of the allowed (piece, up, right, down, left) for each square, all pieces different",
    "element": "the placement of a square as an index into arrays of pieces and sides, all pieces different",
}

#: How a CNF of a dissection keeps placements from overlapping.
TILING_CNF_NAMES = {
    "colors": "of a few wedges, the kind of piece that covers each: kinds exclude each other; pairs for the rest",
    "telling": "at most one placement covers each of a few wedges; pairs for the rest",
    "wedges": "exactly one placement covers each wedge",
    "pairs": "a clause for each two placements that overlap",
}

#: How a CP-SAT model of a dissection does.
TILING_CP_NAMES = {
    "wedges": "exactly one placement covers each wedge",
    "telling": "at most one placement covers each of a few wedges; pairs for the rest",
}

#: How "at most one of these" is written; all but the first two are those of `pysat.card`.
AT_MOST_ONE = ("pairwise", "product", "sequential", "bitwise", "ladder", "totalizer", "mtotalizer", "kmtotalizer")

#: Redundant constraints that a model may have.
REDUNDANT = {
    "pieces": "variables for a piece on a square, in whatever rotation",
    "absent-colors": "a piece on a square excludes the colours that it does not have (with pieces)",
    "color-counts": "as many seams have a colour as the pieces have sides for",
    "checkerboard": "the pieces on black squares have half of the sides of each colour",
    "parity": "the same modulo 2",
}


@dataclass(frozen=True)
class Encoding:
    """An encoding of a puzzle as a model."""

    #: A key of `CNF_NAMES`, `CP_NAMES`, `TILING_CNF_NAMES` or `TILING_CP_NAMES`.
    name: str
    #: The encoding of "at most one", see `AT_MOST_ONE` (CNF only); None if that is left to each place.
    at_most_one: str | None = None
    #: Keys of `REDUNDANT`.
    redundant: frozenset[str] = field(default_factory=frozenset)
    #: Whether to omit placements that cannot be part of a solution: on boards those that the border, fixed pieces and
    #: their consequences exclude (arc consistency; otherwise only those that do not fit the border), of dissections
    #: those beside which something cannot be covered, see `tilings.domains`.
    prune: bool = True

    def __str__(self) -> str:
        parts = [self.name, *([self.at_most_one] if self.at_most_one else [])]
        parts += [option for option in REDUNDANT if option in self.redundant]
        return "+".join([*parts, *([] if self.prune else ["unpruned"])])


def cnf_encoding(text: str | Encoding | None) -> Encoding:
    """The CNF encoding of that name; by default the one that is best on most puzzles.

    Raises EngineError if there is no such encoding, as the other functions here do.

    Examples
    --------
    >>> cnf_encoding("pairs+sequential+pieces").at_most_one
    'sequential'
    """
    return _parsed(text, "pairs", CNF_NAMES, "CNF encoding", (*AT_MOST_ONE, *REDUNDANT, "unpruned"))


def cp_encoding(text: str | Encoding | None) -> Encoding:
    """The CP-SAT encoding of that name; by default ``pairs``."""
    return _parsed(text, "pairs", CP_NAMES, "CP-SAT encoding", (*REDUNDANT, "unpruned"))


def tiling_encoding(text: str | Encoding | None) -> Encoding:
    """The CNF encoding of dissections of that name; by default ``colors``."""
    return _parsed(text, "colors", TILING_CNF_NAMES, "CNF encoding of dissections", (*AT_MOST_ONE, "unpruned"))


def tiling_cp_encoding(text: str | Encoding | None) -> Encoding:
    """The CP-SAT encoding of dissections of that name; by default ``wedges``."""
    return _parsed(text, "wedges", TILING_CP_NAMES, "CP-SAT encoding of dissections", ())


def _parsed(
    text: str | Encoding | None, default: str, names: Mapping[str, str], what: str, known: Sequence[str]
) -> Encoding:
    text = default if text is None else str(text)
    name, *options = text.split("+") if known else [text]
    if name == BITS:
        raise EngineError("encoding bits: is a relaxation, which only `jigsat certify` can use")
    if name not in names:
        raise EngineError(f"unknown {what} {misspelt(name, names)}, choose from {', '.join(names)}")
    if name in ("table", "element"):
        known = [option for option in known if option not in REDUNDANT]
    for option in options:
        if option not in known:
            raise EngineError(
                f"encoding {name}: unknown option {misspelt(option, known)}, choose from {', '.join(known)}"
            )
        if option in ("absent-colors", "color-counts") and name == "direct":
            raise EngineError(f"encoding direct: {option} needs seam colours; choose seams, pairs or diamond")
    ways = [option for option in options if option in AT_MOST_ONE]
    if len(ways) > 1:
        raise EngineError(f"encoding {name}: {ways[0]} and {ways[1]} exclude each other")
    redundant = frozenset(option for option in options if option in REDUNDANT)
    return Encoding(name, ways[0] if ways else None, redundant, "unpruned" not in options)
