"""Pictures of dissections: one tiling, the set of pieces, and sheets of many tilings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil, hypot, sqrt
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ...csp.base.errors import InstanceError
from ...csp.base.words import several
from ...csp.geometry.exact_numbers import format_number, rational
from ...csp.geometry.polygons import Polygon, double_area
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from .page import MARGIN, Frame, Line, add_caption, with_room_for
from .palette import plain_fill
from .piece import DARK
from .svg import CHARACTER, DIGIT_HEIGHT, drawing, element, finished, fitting, harmless, moved, short

#: A polygon in a picture: pixels, y downwards.
Flat = tuple[tuple[float, float], ...]
#: The largest number on a piece, as part of its target's longer side.
LARGEST_NUMBER = 0.045

# Pixels: the longer side of a target that is drawn alone or among its pieces, and on a sheet; texts and gaps.
_LARGE, _MIDDLE, _SMALL = 600, 360, 120
_TEXT, _SMALL_TEXT, _GAP = 15, 11, 16


class Shape(NamedTuple):
    """A polygon as an SVG has it: its points and its colour."""

    points: str
    fill: str


class SmallTiling(NamedTuple):
    """A tiling with the upper left corner of its target's bounding box in the origin."""

    pieces: tuple[Flat, ...]
    target: Flat
    fills: tuple[str, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return max(x for x, _ in self.target), max(y for _, y in self.target)

    @property
    def shapes(self) -> list[Shape]:
        """The pieces, in their order, then the outline."""
        filled = [Shape(_points(piece), fill) for piece, fill in zip(self.pieces, self.fills, strict=True)]
        return [*filled, Shape(_points(self.target), "none")]


def draw_tiling(puzzle: DissectionPuzzle, tiling: Tiling, *, numbers: bool = True) -> str:
    """A picture of a tiling, in which congruent pieces have the same colour; an SVG.

    Parameters
    ----------
    puzzle
        The puzzle whose tiling it is.
    tiling
        The polygon of each piece.
    numbers
        Whether pieces show their numbers.

    Raises
    ------
    InstanceError
        If the tiling has another number of polygons than the puzzle has pieces.
    """
    drawn = small_tiling(puzzle, tiling, scale_to([puzzle], _LARGE))
    root = drawing(puzzle.name)
    board = polygon_group(root, 1.5, transform=moved(MARGIN, MARGIN))
    for shape, title in zip(drawn.shapes, piece_titles(puzzle), strict=False):
        element(element(board, "polygon", **shape._asdict()), "title", title)
    element(board, "polygon", class_="target", points=_points(drawn.target), fill="none", stroke_width=3)
    width, height = drawn.size
    if numbers:
        _add_numbers(board, drawn.pieces, LARGEST_NUMBER * max(width, height))
    return captioned(root, [Line(puzzle.name, "name"), Line(pieces_fact(puzzle))], width, height)


def draw_dissection_pieces(puzzle: DissectionPuzzle, *, numbers: bool = True) -> str:
    """A picture of the target's outline and, beside it, of all pieces as the instance has them; an SVG.

    Parameters
    ----------
    puzzle
        The puzzle.
    numbers
        Whether pieces show their numbers.
    """
    scale = scale_to([puzzle], _MIDDLE)
    target = _flat(puzzle.target, puzzle.target, scale)
    pieces = [_flat(piece, piece, scale) for piece in puzzle.pieces]
    target_width, target_height = _reach(target)
    left = target_width + 2 * _GAP
    places, width, height = _rows([_reach(piece) for piece in pieces])
    root = drawing(puzzle.name)
    sheet = polygon_group(root, 1.5, transform=moved(MARGIN, MARGIN))
    outline = element(sheet, "polygon", class_="target", points=_points(target), fill="#f6f4ee", stroke_width=3)
    element(outline, "title", "target")
    laid = tuple(
        tuple((x + left + dx, y + dy) for x, y in piece) for piece, (dx, dy) in zip(pieces, places, strict=True)
    )
    for piece, fill, title in zip(laid, piece_fills(puzzle), piece_titles(puzzle), strict=True):
        element(element(sheet, "polygon", points=_points(piece), fill=fill), "title", title)
    if numbers:
        _add_numbers(sheet, laid, LARGEST_NUMBER * max(target_width, target_height))
    area = format_number(rational(double_area(puzzle.target)) / 2)
    lines = [Line(puzzle.name, "name"), Line(f"{pieces_fact(puzzle)}, target of area {area}")]
    return captioned(root, lines, left + width, max(target_height, height))


def draw_sheet(
    drawn: Sequence[tuple[DissectionPuzzle, Tiling]],
    name: str,
    word: str,
    *,
    captions: Sequence[str] = (),
    numbers: bool = False,
) -> str:
    """A picture of many tilings, all in one scale; the pieces of a puzzle have the same colours throughout; an SVG.

    Parameters
    ----------
    drawn
        Puzzles, each with one of its tilings.
    name, word
        What the picture is called, and what it calls one of those that it shows.
    captions
        What stands below each tiling; numbers from 1 if left out.
    numbers
        Whether pieces show their numbers.

    Raises
    ------
    InstanceError
        If a tiling has another number of polygons than its puzzle has pieces, or the captions are not one per tiling.
    """
    if len(captions) not in (0, len(drawn)):
        raise InstanceError(f"{len(captions)} captions for {len(drawn)} tilings; each needs one, or none has one")
    texts = [harmless(text) for text in captions] or [str(number) for number in range(1, len(drawn) + 1)]
    scale = scale_to((puzzle for puzzle, _ in drawn), _SMALL)
    tilings = [small_tiling(puzzle, tiling, scale) for puzzle, tiling in drawn]
    sizes = [tiling.size for tiling in tilings]
    # In rows, each in the middle of a cell that has room for the largest one and its caption.
    wide, high = (max((size[axis] for size in sizes), default=0) for axis in (0, 1))
    step_x, step_y = wide + _GAP, high + _GAP + 1.6 * _SMALL_TEXT
    columns = max(ceil(sqrt(len(drawn) * step_y / step_x)), 1)
    root = drawing(name)
    stock = Stock(root, tilings)
    sheet = polygon_group(root, 0.6, transform=moved(MARGIN, MARGIN))
    labels = element(root, "g", class_="captions", font_size=_SMALL_TEXT, fill=DARK, text_anchor="middle")
    for number, (tiling, text, (width, height)) in enumerate(zip(tilings, texts, sizes, strict=True)):
        x, y = number % columns * step_x, number // columns * step_y
        cell = element(sheet, "g", class_="tiling", transform=moved(x + (wide - width) / 2, y + (high - height) / 2))
        element(cell, "title", text)
        stock.add(cell, tiling)
        if numbers:
            _add_numbers(cell, tiling.pieces, LARGEST_NUMBER * max(wide, high))
        shown = fitting(text, wide + _GAP, _SMALL_TEXT)
        element(labels, "text", shown, x=MARGIN + x + wide / 2, y=MARGIN + y + high + 1.4 * _SMALL_TEXT)
    rows = ceil(len(drawn) / columns)
    used = min(columns, len(drawn))
    lines = [Line(name, "name"), Line(several(len(drawn), word, str))]
    return captioned(root, lines, used * step_x - _GAP, rows * step_y - _GAP)


def piece_fills(puzzle: DissectionPuzzle) -> tuple[str, ...]:
    """The colour of each piece: congruent ones look the same, others differ."""
    return tuple(plain_fill(number) for number in puzzle.class_of)


def scale_to(puzzles: Iterable[DissectionPuzzle], pixels: float) -> float:
    """Pixels per unit that make the longest side of the targets' bounding boxes about so long.

    A whole number where possible, since integers make short files.
    """
    longest = max((max(_reach(_flat(puzzle.target, puzzle.target, 1))) for puzzle in puzzles), default=1)
    return round(pixels / longest) if 2 * longest <= pixels else pixels / longest


def small_tiling(puzzle: DissectionPuzzle, tiling: Tiling, scale: float) -> SmallTiling:
    """A tiling in pixels, so many of them per unit.

    Raises
    ------
    InstanceError
        If the tiling has another number of polygons than the puzzle has pieces.
    """
    if len(tiling) != len(puzzle.pieces):
        raise InstanceError(f"{len(tiling)} polygons to draw for {len(puzzle.pieces)} pieces; each needs one")
    pieces = tuple(_flat(polygon, puzzle.target, scale) for polygon in tiling)
    return SmallTiling(pieces, _flat(puzzle.target, puzzle.target, scale), piece_fills(puzzle))


class Stock:
    """Polygons that many small tilings share: those that occur more than once are defined once, and then used."""

    def __init__(self, root: ET.Element, tilings: Iterable[SmallTiling]) -> None:
        found = Counter(shape for tiling in tilings for shape in tiling.shapes)
        self._names: dict[Shape, str] = {}
        definitions = element(root, "defs")
        for shape, count in found.items():
            if count > 1:
                name = self._names[shape] = f"p{len(self._names)}"
                element(definitions, "polygon", id=name, **shape._asdict())

    def add(self, parent: ET.Element, tiling: SmallTiling) -> None:
        """The polygons of a tiling, its outline last."""
        *pieces, outline = tiling.shapes
        for shape in pieces:
            self._add(parent, shape)
        self._add(parent, outline).set("stroke-width", "1.5")

    def _add(self, parent: ET.Element, shape: Shape) -> ET.Element:
        name = self._names.get(shape)
        return (
            element(parent, "polygon", **shape._asdict()) if name is None else element(parent, "use", href=f"#{name}")
        )


def captioned(root: ET.Element, lines: Sequence[Line], width: float, height: float) -> str:
    """The text of a picture of that size, margins left out, with lines below it."""
    width = with_room_for(lines, width, _TEXT)
    bottom = add_caption(root, lines, Frame(MARGIN, MARGIN, width, max(height, 0)), _TEXT, classes=False)
    return finished(root, width + 2 * MARGIN, bottom, 1)


def polygon_group(parent: ET.Element, line: float, **attributes: str) -> ET.Element:
    """A group whose polygons have dark outlines of that width."""
    return element(
        parent, "g", class_="polygons", stroke=DARK, stroke_width=line, stroke_linejoin="round", **attributes
    )  # fmt: skip


def pieces_fact(puzzle: DissectionPuzzle) -> str:
    """How many pieces there are, and of how many shapes if some are congruent."""
    count, shapes = several(len(puzzle.pieces), "piece", str), len(puzzle.classes)
    return count if shapes == len(puzzle.pieces) else f"{count} of {several(shapes, 'shape', str)}"


def piece_titles(puzzle: DissectionPuzzle) -> list[str]:
    """What is shown when the pointer rests on each piece."""
    titles = []
    for piece, number in enumerate(puzzle.class_of):
        others = [str(other + 1) for other in puzzle.classes[number] if other != piece]
        titles.append(f"piece {piece + 1}" + (f", congruent with {', '.join(others)}" if others else ""))
    return titles


def _flat(polygon: Polygon, frame: Polygon, scale: float) -> Flat:
    """A polygon in pixels, the upper left corner of the frame's bounding box in the origin."""
    left, top = float(min(x for x, _ in frame)), float(max(y for _, y in frame))
    return tuple(((float(x) - left) * scale, (top - float(y)) * scale) for x, y in polygon)


def _reach(flat: Flat) -> tuple[float, float]:
    """Width and height of a polygon whose bounding box starts in the origin."""
    return max(x for x, _ in flat), max(y for _, y in flat)


def _points(flat: Flat) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in flat)


def _rows(sizes: Sequence[tuple[float, float]]) -> tuple[list[tuple[float, float]], float, float]:
    """Places of boxes in rows, about twice as wide together as high, and the width and height of all."""
    most = sqrt(3 * sum((width + _GAP) * (height + _GAP) for width, height in sizes))
    places: list[tuple[float, float]] = []
    x = y = row = widest = 0.0
    for width, height in sizes:
        if x and x + width > most:
            x, y, row = 0.0, y + row + _GAP, 0.0
        places.append((x, y))
        widest, row = max(widest, x + width), max(row, height)
        x += width + _GAP
    return places, widest, y + row


def _add_numbers(parent: ET.Element, pieces: Sequence[Flat], most: float) -> None:
    """The numbers of the pieces, each inside its piece, in fonts of at most that size."""
    layer = element(
        parent, "g", class_="numbers", font_weight="bold", text_anchor="middle", fill="#000", stroke="#fff",
        stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    for number, piece in enumerate(pieces, start=1):
        x, y, size = place_number(piece, len(str(number)), most)
        element(
            layer, "text", str(number), x=x, y=y + size * DIGIT_HEIGHT / 2, font_size=size, stroke_width=size / 6
        )  # fmt: skip


def place_number(piece: Flat, digits: int, most: float) -> tuple[float, float, float]:
    """The middle of a number on a convex piece, and its font size.

    It is the centroid if there is room for the largest font, and otherwise where the number can be largest: a linear
    program in the middle and the size, whose best vertices (three edges touched each) are found by trying all.  A
    polygon without room, as wrong tilings have, gets a number half as large in its middle.
    """
    limits = _limits(piece, digits)
    x, y = _centroid(piece)
    if all(a * x + b * y + c * most >= d for a, b, c, d in limits):
        return x, y, most
    found = [vertex for three in combinations(limits, 3) if (vertex := _common_point(*three))]
    slack = 1e-9 * max(abs(coordinate) + 1 for point in piece for coordinate in point)
    inside = [v for v in found if all(a * v[0] + b * v[1] + c * v[2] >= d - slack for a, b, c, d in limits)]
    size = max((v[2] for v in inside), default=0)
    if size <= 0:
        return x, y, most / 2
    # Between parallel edges there is more than one best place: their middle.
    best = [v for v in inside if v[2] >= size - slack]
    return sum(v[0] for v in best) / len(best), sum(v[1] for v in best) / len(best), min(size, most)


#: (a, b, c, d) stands for a x + b y + c s >= d, where s is the size of a font and (x, y) the middle of the text.
_Limit = tuple[float, float, float, float]


def _limits(piece: Flat, digits: int) -> list[_Limit]:
    """What the edges of a convex piece demand of a number, that it lie inside with some air around."""
    half_width, half_height = (digits * CHARACTER + 0.3) / 2, (DIGIT_HEIGHT + 0.3) / 2
    x, y = _centroid(piece)
    limits: list[_Limit] = []
    for (x0, y0), (x1, y1) in _edges(piece):
        length = hypot(x1 - x0, y1 - y0) or 1
        a, b = (y0 - y1) / length, (x1 - x0) / length
        if a * (x - x0) + b * (y - y0) < 0:
            a, b = -a, -b
        limits.append((a, b, -(abs(a) * half_width + abs(b) * half_height), a * x0 + b * y0))
    return limits


def _common_point(one: _Limit, two: _Limit, three: _Limit) -> tuple[float, float, float] | None:
    """Where three limits hold with equality, by Cramer's rule; None if that is no single point."""
    crosses = [_cross(two, three), _cross(three, one), _cross(one, two)]
    determinant = sum(a * b for a, b in zip(one[:3], crosses[0], strict=True))
    if abs(determinant) < 1e-9:
        return None
    rights = (one[3], two[3], three[3])
    x, y, s = (sum(d * v[i] for d, v in zip(rights, crosses, strict=True)) / determinant for i in range(3))
    return x, y, s


def _cross(u: _Limit, v: _Limit) -> tuple[float, float, float]:
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def _edges(piece: Flat) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return zip(piece, (*piece[1:], piece[0]), strict=True)


def _centroid(piece: Flat) -> tuple[float, float]:
    """The centre of gravity; without an area that of the vertices."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in _edges(piece):
        part = x0 * y1 - x1 * y0
        area, x, y = area + part, x + (x0 + x1) * part, y + (y0 + y1) * part
    if not area:
        return sum(x for x, _ in piece) / len(piece), sum(y for _, y in piece) / len(piece)
    return x / (3 * area), y / (3 * area)
