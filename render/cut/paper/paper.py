"""Sheets and what is drawn on them, in millimetres, whatever kind of file they become.

The first coordinate points right and the second one down, from the upper left corner of the sheet.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..curves.tab import SIDE
from .artwork import Artwork

Spot = tuple[float, float]
#: Takes (x, y) to (a x + c y + e, b x + d y + f).
Matrix = tuple[float, float, float, float, float, float]

# How far the handles of a Bezier curve are from its ends that is nearly a quarter of a circle, in radii.
_QUARTER = 0.5523


@dataclass(frozen=True)
class Layer:
    """Things with one purpose and one look.

    Parameters
    ----------
    name
        What it is called in files.
    color
        Of lines and of text.
    width
        Of lines, in mm.
    """

    name: str
    color: str
    width: float


PICTURE = Layer("picture", "#6a6a6a", 0.15)
HALO = Layer("halo", "#ffffff", 0.9)
NUMBERS = Layer("numbers", "#262626", 0.2)
OUTLINES = Layer("outlines", "#b4b4b4", 0.1)
ENGRAVE = Layer("engrave", "#0000ff", 0.1)
CUT = Layer("cut", "#ff0000", 0.1)
CURVES = Layer("curves", "#262626", 0.2)
NOTES = Layer("notes", "#555555", 0.15)
#: From the lowest one to the uppermost one.
LAYERS = (PICTURE, HALO, NUMBERS, OUTLINES, ENGRAVE, CUT, CURVES, NOTES)


@dataclass(frozen=True)
class Path:
    """A line: cubic Bezier curves (3 k + 1 control points), or, if it is straight, lines from corner to corner."""

    layer: Layer
    points: tuple[Spot, ...]
    closed: bool = False
    straight: bool = False
    fill: str | None = None


@dataclass(frozen=True)
class Text:
    """A line of text whose baseline begins, has its middle, or ends in a spot; `size` is that of the font, in mm."""

    layer: Layer
    spot: Spot
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False


@dataclass(frozen=True)
class Printed:
    """Artwork, as far as it lies in a closed path of Bezier curves; the matrix takes the unit square to its place."""

    artwork: Artwork
    matrix: Matrix
    clip: tuple[Spot, ...]
    layer: Layer = PICTURE


Item = Path | Text | Printed


@dataclass(frozen=True)
class Sheet:
    """A page.

    Parameters
    ----------
    name
        What it is called among the sheets of a jigsaw: ``cut-1``, ``legend``.
    about
        What is on it, for people.
    width, height
        In mm.
    items
        What is drawn, for each layer in the order given.
    """

    name: str
    about: str
    width: float
    height: float
    items: tuple[Item, ...]


def placed_at(points: Iterable[Spot], origin: Spot, side: float) -> tuple[Spot, ...]:
    """A path in the units of outlines, whose origin comes to that spot of a sheet and whose sides get that length."""
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
