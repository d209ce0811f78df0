"""The encodings of edge-matching puzzles, by name.

An encoding is written as its name, followed by its options: ``pairs``, ``pairs+sequential``,
``seams+pieces+color-counts``.  Which is best depends on the puzzle; `tests/benchmarks/encodings.py` compares them.
"""

from collections.abc import Sequence
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

    #: A key of `CNF_NAMES` or `CP_NAMES`.
    name: str
    #: The encoding of "at most one", see `AT_MOST_ONE` (CNF only); None for pairwise if that is small, else
    #: sequential.
    at_most_one: str | None = None
    #: Keys of `REDUNDANT`.
    redundant: frozenset[str] = field(default_factory=frozenset)
    #: Whether to omit placements that the border, fixed pieces and their consequences exclude (arc consistency);
    #: otherwise only those that do not fit the border.
    prune: bool = True

    def __str__(self) -> str:
        parts = [self.name, *([self.at_most_one] if self.at_most_one else [])]
        parts += [option for option in REDUNDANT if option in self.redundant]
        return "+".join([*parts, *([] if self.prune else ["unpruned"])])


def cnf_encoding(text: str | Encoding | None) -> Encoding:
    """The CNF encoding of that name; by default the one that is best on most puzzles.

    Raises EngineError if there is no such encoding.

    Examples
    --------
    >>> cnf_encoding("pairs+sequential+pieces").at_most_one
    'sequential'
    """
    return _parsed(text, "pairs", CNF_NAMES, "CNF", AT_MOST_ONE)


def cp_encoding(text: str | Encoding | None) -> Encoding:
    """The CP-SAT encoding of that name; by default ``pairs``.

    Raises EngineError if there is no such encoding.
    """
    return _parsed(text, "pairs", CP_NAMES, "CP-SAT", ())


def _parsed(
    text: str | Encoding | None, default: str, names: dict[str, str], what: str, at_most_one: tuple[str, ...]
) -> Encoding:
    if isinstance(text, Encoding):
        text = str(text)
    name, *options = (default if text is None else text).split("+")
    if name == BITS:
        raise EngineError("encoding bits: is a relaxation, which only `jigsat certify` can use")
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
    """The encoding of "at most one" in the options of an encoding, which must all be known; None if not given."""
    for option in options:
        if option not in known:
            raise EngineError(
                f"encoding {name}: unknown option {misspelt(option, known)}, choose from {', '.join(known)}"
            )
    chosen = [option for option in options if option in AT_MOST_ONE]
    if len(chosen) > 1:
        raise EngineError(f"encoding {name}: {chosen[0]} and {chosen[1]} exclude each other")
    return chosen[0] if chosen else None
