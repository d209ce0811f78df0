"""Sheets and the items drawn on them, in millimetres, independent of the kind of file.

The first coordinate points right and the second one down, from the upper left corner of the sheet.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..curves.tab import SIDE
from .artwork import Artwork

Spot = tuple[float, float]
#: Maps (x, y) to (a x + c y + e, b x + d y + f).
Matrix = tuple[float, float, float, float, float, float]

# The distance of the handles from the ends of a Bezier curve that approximates a quarter circle, in radii.
_QUARTER = 0.5523


@dataclass(frozen=True)
class Layer:
    """A layer of items with the same purpose and look."""

    #: The name in files.
    name: str
    #: The colour of lines and text.
    color: str
    #: The width of lines, in mm.
    width: float


PICTURE = Layer("picture", "#6a6a6a", 0.15)
HALO = Layer("halo", "#ffffff", 0.9)
NUMBERS = Layer("numbers", "#262626", 0.2)
OUTLINES = Layer("outlines", "#b4b4b4", 0.1)
ENGRAVE = Layer("engrave", "#0000ff", 0.1)
CUT = Layer("cut", "#ff0000", 0.1)
CURVES = Layer("curves", "#262626", 0.2)
MARKS = Layer("marks", "#000000", 0.2)
NOTES = Layer("notes", "#555555", 0.15)
#: The layers, from the lowest to the highest.
LAYERS = (PICTURE, HALO, NUMBERS, OUTLINES, ENGRAVE, CUT, CURVES, MARKS, NOTES)


@dataclass(frozen=True)
class Path:
    """A line: cubic Bezier curves (3 k + 1 control points) or, if `straight` is set, a polyline."""

    layer: Layer
    points: tuple[Spot, ...]
    closed: bool = False
    straight: bool = False
    fill: str | None = None


@dataclass(frozen=True)
class Text:
    """A line of text whose baseline starts, is centred or ends at a spot; `size` is the font size in mm."""

    layer: Layer
    spot: Spot
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False


@dataclass(frozen=True)
class Printed:
    """Artwork, clipped by a closed path of Bezier curves; the matrix maps the unit square to its place."""

    artwork: Artwork
    matrix: Matrix
    clip: tuple[Spot, ...]
    layer: Layer = PICTURE


Item = Path | Text | Printed


@dataclass(frozen=True)
class Sheet:
    """A page."""

    #: The name among the sheets of a jigsaw: ``cut-1``, ``legend``.
    name: str
    #: A description of the content.
    about: str
    #: In mm.
    width: float
    height: float
    #: The items; those of a layer are drawn in this order.
    items: tuple[Item, ...]


def placed_at(points: Iterable[Spot], origin: Spot, side: float) -> tuple[Spot, ...]:
    """Transform a path in the units of outlines: its origin moves to `origin`, and a side gets the length `side`."""
    unit = side / SIDE
    return tuple((origin[0] + x * unit, origin[1] + y * unit) for x, y in points)


def circle(centre: Spot, radius: float) -> tuple[Spot, ...]:
    """A circle as four Bezier curves."""
    x, y = centre
    quarter = [(1.0, 0.0), (1.0, _QUARTER), (_QUARTER, 1.0)]
    spots = []
    for _ in range(4):
        spots += quarter
        quarter = [(-down, along) for along, down in quarter]
    return tuple((x + radius * along, y + radius * down) for along, down in (*spots, spots[0]))


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Spot, ...]:
    """A rectangle as four Bezier curves."""
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return (corners[0], *(spot for i in range(4) for spot in (corners[i], corners[i + 1], corners[i + 1])))
