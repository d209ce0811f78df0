"""The look of a colour: a background and a motif on it.

A side is drawn as the triangle between the side and the centre of its piece.  The motif is symmetric about the side and
about the line through the side's middle, so two triangles of one colour show the complete motif across their join.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule

# Backgrounds, each with three inks that contrast with it.  Dark ones have even places and light ones odd places, so two
# of the first 24 colours with the same motif differ in lightness, for readers who cannot distinguish red from green.
_BACKGROUNDS = (
    ("#2b62b8", ("#ffffff", "#ffe14d", "#ffb9d6")),  # blue
    ("#f7d23b", ("#a3122a", "#15307c", "#1c1c1c")),  # yellow
    ("#8f1f33", ("#fff3d6", "#9fdcff", "#d9f26e")),  # wine
    ("#8ed9ea", ("#1b2a66", "#8a0f2c", "#1c1c1c")),  # sky
    ("#1e6e4c", ("#ffe14d", "#ffffff", "#ffc8a3")),  # green
    ("#ef8b2c", ("#1c1c1c", "#4a0d5c", "#12246b")),  # orange
    ("#6b3fa0", ("#ffe14d", "#a8f0d0", "#ffffff")),  # violet
    ("#f3a8c8", ("#15307c", "#0b4a34", "#1c1c1c")),  # pink
    ("#1f2b5e", ("#ffb04d", "#8fe3ff", "#ffffff")),  # navy
    ("#b5d64a", ("#4a1466", "#8a0f2c", "#1c1c1c")),  # lime
    ("#7a4a22", ("#9fdcff", "#ffffff", "#ffe14d")),  # brown
    ("#f4e6c8", ("#a3122a", "#0c5e66", "#1c1c1c")),  # cream
)

# The half of a motif in the triangle below a side from (-50, 0) to (50, 0); no path leaves the triangle.  No motif is
# another one rotated by 90 degrees; motifs five places apart, which share a background, look different.
_MOTIFS = (
    "M-26 0a26 26 0 0 0 52 0z",  # disc
    "M-8 0L-26 18L-17 27L0 10L17 27L26 18L8 0z",  # saltire
    "M-28 0V8H-8V28H8V8H28V0z",  # cross
    "M-22 0V22H22V0z",  # square
    "M-31 0L-15 6L-22 22L-6 15L0 31L6 15L22 22L15 6L31 0z",  # sun
    "M-28 0V16H-18V0zM-5 0V28H5V0zM18 0V16H28V0z",  # bars
    "M-28 0a28 28 0 0 0 56 0h-13a15 15 0 0 1-30 0z",  # ring
    "M0 0L-19 28H19z",  # hourglass
    "M-31 0a10 10 0 0 0 20 0zM11 0a10 10 0 0 0 20 0zM-10 20a10 10 0 0 0 20 0a10 10 0 0 0-20 0z",  # dots
    "M-26 0L0 31L26 0z",  # diamond
    "M-32 0L-9 9L0 32L9 9L32 0z",  # star
    "M-40 0Q0 44 40 0H10A10 10 0 0 1-10 0z",  # eye
)

# For each round of plain fills, the grey to which backgrounds are mixed, and the fraction; dark lines must be visible.
_TINTS = ((255, 0.35), (255, 0.72), (0, 0.2), (255, 0.1), (128, 0.55), (0, 0.5))

#: The number of different looks.
DISTINCT = len(_BACKGROUNDS) * len(_MOTIFS) * 3


@dataclass(frozen=True)
class Look:
    """The look of a side."""

    name: str  #: The name of its drawing in an SVG; the same look has the same name in every picture
    #: The colours of the triangle and of the motif.
    background: str
    ink: str = ""
    motif: str = ""  #: Path data of the half motif, empty for the plain border


BORDER_LOOK = Look("border", "#a9abae")


@cache
def look(rank: int, *, negative: bool = False) -> Look:
    """The look of colour number `rank` of a puzzle, from 0.

    Backgrounds repeat after 12 colours with other motifs, motifs after 144 colours with other inks, and looks after
    432 colours.  A negative connector has the two colours of the positive one exchanged; so has the mate of a colour.
    """
    rank %= DISTINCT
    backgrounds, motifs = len(_BACKGROUNDS), len(_MOTIFS)
    # Five and the number of motifs are coprime, so twelve rounds use all motifs.
    lap, number = divmod(rank, backgrounds)
    background, inks = _BACKGROUNDS[number]
    ink = inks[(lap + lap // motifs) % 3]
    motif = _MOTIFS[(number + 5 * lap) % motifs]
    if negative:
        return Look(f"look{rank}n", ink, background, motif)
    return Look(f"look{rank}", background, ink, motif)


def looks(puzzle: EdgeMatchingPuzzle) -> dict[int, Look]:
    """The look of every side that a piece of the puzzle has or could face, in ascending order of the colours."""
    sides = {abs(side) for sides in puzzle.pieces for side in sides}
    if isinstance(puzzle.rim, int):
        sides.add(abs(puzzle.rim))
    if puzzle.rule is Rule.EQUAL:
        sides |= {puzzle.mate(side) for side in sides}
    found = {BORDER: BORDER_LOOK}
    # Colours that fit onto each other share a rank.
    firsts = sorted({min(side, abs(puzzle.mate(side))) for side in sides} - {BORDER})
    for rank, color in enumerate(firsts):
        found[color] = look(rank)
        if puzzle.mate(color) != color:
            found[puzzle.mate(color)] = look(rank, negative=True)
    return dict(sorted(found.items(), key=lambda item: (abs(item[0]), -item[0])))


def plain_fill(rank: int) -> str:
    """The plain colour of a class of polygons; the first 72 differ."""
    lap, number = divmod(rank, len(_BACKGROUNDS))
    grey, part = _TINTS[lap % len(_TINTS)]
    color = _BACKGROUNDS[number][0]
    return hex_color(int(color[i : i + 2], 16) * (1 - part) + grey * part for i in (1, 3, 5))


def hex_color(parts: Iterable[float]) -> str:
    """A colour from its red, green and blue parts, from 0 to 255."""
    return "#" + "".join(f"{round(part):02x}" for part in parts)
