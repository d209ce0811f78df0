"""Sheets and the items drawn on them, in millimetres, independent of the kind of file.

The first coordinate points right and the second one down, from the upper left corner of the sheet.
"""

import io
import pathlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ...csp.base.notebook import Brief
from ...csp.files.picture_files import PLAIN_JPEG, read_image
from ..svg.svg import fitting, harmless
from .tabs import QUARTER, SIDE, Spot, curves_of

if TYPE_CHECKING:
    from ...csp.files.picture_files import Crop


@dataclass(frozen=True)
class Artwork:
    """A picture."""

    data: bytes  #: The bytes of a JPEG or PNG file
    kind: str  #: ``jpeg`` or ``png``
    #: In pixels.
    width: int
    height: int


def load_artwork(source: str, rows: int, columns: int, crop: "Crop | None" = None) -> Artwork:
    """Read the artwork in a file, for a board of that shape; raises the errors of `read_image`."""
    picture = read_image(source, rows, columns, crop=crop)
    if picture.info.get(PLAIN_JPEG) == picture.size:
        # A JPEG file is used as it is, because encoding it again would make it larger or worse.
        return Artwork(pathlib.Path(source).read_bytes(), "jpeg", *picture.size)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return Artwork(file.getvalue(), "png", *picture.size)


#: Maps (x, y) to (a x + c y + e, b x + d y + f).
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Layer:
    """A layer of items with the same purpose and look."""

    name: str  #: The name in files
    color: str  #: The colour of lines and text
    width: float  #: The width of lines, in mm


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

    def moved(self, x: float, y: float) -> "Path":
        """The line in another place."""
        return replace(self, points=tuple((left + x, top + y) for left, top in self.points))


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


@dataclass(frozen=True, repr=False)
class Sheet(Brief):
    """A page."""

    name: str  #: The name among the sheets of a jigsaw: ``cut-1``, ``legend``
    about: str  #: A description of the content
    #: In mm.
    width: float
    height: float
    items: tuple[Item, ...]  #: The items; those of a layer are drawn in this order

    @property
    def is_cut(self) -> bool:
        """Whether a laser cuts it: it has cut lines, and neither a picture nor colours to print."""
        layers = {item.layer for item in self.items}
        return CUT in layers and PICTURE not in layers


def placed_at(points: Iterable[Spot], origin: Spot, side: float) -> tuple[Spot, ...]:
    """Transform a path in the units of outlines: its origin moves to `origin`, and a side gets the length `side`."""
    unit = side / SIDE
    return tuple((origin[0] + x * unit, origin[1] + y * unit) for x, y in points)


def circle(centre: Spot, radius: float) -> tuple[Spot, ...]:
    """A circle as four Bezier curves."""
    x, y = centre
    quarter = [(1.0, 0.0), (1.0, QUARTER), (QUARTER, 1.0)]
    spots = []
    for _ in range(4):
        spots += quarter
        quarter = [(-down, along) for along, down in quarter]
    return tuple((x + radius * along, y + radius * down) for along, down in (*spots, spots[0]))


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Spot, ...]:
    """A rectangle as four Bezier curves."""
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return (corners[0], *(spot for i in range(4) for spot in (corners[i], corners[i + 1], corners[i + 1])))


# Digits in a box of 6 by 10 units, as path data of an SVG.
_DIGITS = (
    "M3,0 C 4.66,0 6,2.24 6,5 C 6,7.76 4.66,10 3,10 C 1.34,10 0,7.76 0,5 C 0,2.24 1.34,0 3,0",
    "M1.2,2.2 L 3.8,0 L 3.8,10",
    "M0.2,2.9 C 0.2,1.2 1.4,0 3,0 C 4.7,0 5.8,1.2 5.8,2.9 C 5.8,4.9 3.4,6.4 0,10 L 6,10",
    "M0.3,2.1 C 0.6,0.8 1.6,0 3,0 C 4.6,0 5.6,1 5.6,2.4 C 5.6,3.8 4.5,4.7 2.5,4.7 "
    "C 4.7,4.7 6,5.7 6,7.3 C 6,8.9 4.8,10 3,10 C 1.4,10 0.3,9.1 0,7.7",
    "M4.5,10 L 4.5,0 L 0,7 L 6,7",
    "M5.4,0 L 1,0 L 0.5,4.6 C 1.2,4 2,3.7 3,3.7 C 4.8,3.7 6,4.9 6,6.8 C 6,8.7 4.7,10 2.9,10 C 1.4,10 0.4,9.2 0,8",
    "M4.8,0 C 2,1.4 0,4.2 0,7 C 0,8.7 1.3,10 3,10 C 4.7,10 6,8.7 6,7 C 6,5.3 4.7,4 3,4 C 1.3,4 0,5.3 0,7",
    "M0,0 L 6,0 L 1.9,10",
    "M3,4.6 C 1.5,4.6 0.4,3.6 0.4,2.3 C 0.4,1 1.5,0 3,0 C 4.5,0 5.6,1 5.6,2.3 C 5.6,3.6 4.5,4.6 3,4.6 "
    "C 1.3,4.6 0,5.7 0,7.3 C 0,8.9 1.3,10 3,10 C 4.7,10 6,8.9 6,7.3 C 6,5.7 4.7,4.6 3,4.6",
    "M1.2,10 C 4,8.6 6,5.8 6,3 C 6,1.3 4.7,0 3,0 C 1.3,0 0,1.3 0,3 C 0,4.7 1.3,6 3,6 C 4.7,6 6,4.7 6,3",
)
# In heights of a digit: the distance between digits, the width of a digit, the dot's radius and its gap, and that of
# the line, which keeps it in the box of a number with a dot.
_STEP, _WIDTH, _DOT, _GAP, _BELOW = 0.85, 0.6, 0.14, 0.32, 0.25
_HEIGHT = 1 + _GAP + 2 * _DOT
# What digits look like upside down.
_TURNED = str.maketrans("01689", "01986")


def half_extents(digits: int) -> tuple[float, float]:
    """Half the width and half the height of a number with its dot, in heights of a digit; lines have no width."""
    return ((digits - 1) * _STEP + _WIDTH) / 2, _HEIGHT / 2


def label(number: int, rotation: int = 0, *, dotted: bool = True) -> list[tuple[Spot, ...]]:
    """A number and the dot above it as Bezier curves, centred at (0, 0), after `rotation` clockwise quarter turns.

    The unit is the height of a digit.  The dot can be left out, which underlines 6, 9, 66, 68 and others like these.
    """
    text = str(number)
    turned = text.translate(_TURNED)[::-1]
    across, down = half_extents(len(text))
    down = down if dotted else 0.5
    paths: list[tuple[Spot, ...]] = []
    if dotted:
        paths.append(circle((0.0, _DOT - down), _DOT))
    elif set(text) <= set("01689") and turned != text and turned[0] != "0":  # another one upside down
        ends = (-across, down + _BELOW), (across, down + _BELOW)
        paths.append((ends[0], *ends, ends[1]))
    for place, digit in enumerate(text):
        left, top = place * _STEP - across, down - 1
        paths.append(tuple((left + x / 10, top + y / 10) for x, y in curves_of(_DIGITS[int(digit)])[0]))
    for _ in range(rotation % 4):
        paths = [tuple((-y, x) for x, y in path) for path in paths]
    return paths


#: The length of the ruler, for which each page must have room.
RULE = 100
#: The height of a foot, including the gap above it.
FOOT = 24.0
#: Font sizes, and the distance between lines.
TITLE, FACT, LINE = 4.0, 3.0, 4.5
_ABOVE, _TICKS = 5.0, {10: 4.0, 5: 2.5}


def foot(name: str, facts: str, corner: Spot, width: float) -> Iterator[Item]:
    """The foot of a sheet, with its upper left corner at `corner`."""
    left, top = corner
    top += _ABOVE + TITLE * 0.75
    yield Text(NOTES, (left, top), fitting(harmless(name), width, TITLE), TITLE, bold=True)
    yield Text(NOTES, (left, top + LINE), fitting(harmless(facts), width, FACT), FACT)
    top += LINE + 3.0
    yield Path(NOTES, ((left, top), (left + RULE, top)), straight=True)
    for at in range(0, RULE + 1, 5):
        height = _TICKS[10 if at % 10 == 0 else 5]
        yield Path(NOTES, ((left + at, top), (left + at, top + height)), straight=True)
    bottom = top + _TICKS[10] + FACT
    yield Text(NOTES, (left, bottom), "0", FACT)
    yield Text(NOTES, (left + RULE, bottom), f"{RULE} mm: measure it", FACT, "end")
