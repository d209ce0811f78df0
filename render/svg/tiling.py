"""Pictures of dissections: one tiling, the set of pieces, and sheets of many tilings."""

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from math import ceil, hypot, inf, sqrt
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree as ET

from ...csp.base.errors import InstanceError, plural
from ...csp.geometry.cells import keys_in
from ...csp.geometry.exact_numbers import Number, format_number
from ...csp.geometry.polygons import Polygon, counterclockwise, edges, first_crossing, first_reflex
from ...csp.geometry.regions import convex_parts
from ...csp.puzzles.check_tiling import TilingChecker
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from .palette import plain_fill
from .svg import (
    CHARACTER,
    DARK,
    DIGIT_HEIGHT,
    MARGIN,
    RED,
    Frame,
    Line,
    add_caption,
    drawing,
    element,
    finished,
    first_problems,
    fitting,
    harmless,
    moved,
    short,
    with_room_for,
)

#: What has the same colour: pieces of a shape, a piece alone, or pieces of a shape that lie the same way.
Color = Literal["shape", "piece", "orientation"]
#: A polygon in a picture: pixels, y downwards.
Flat = tuple[tuple[float, float], ...]
#: The largest font size of numbers on pieces, as a fraction of the target's longer side.
LARGEST_NUMBER = 0.045
#: The problems of tilings that are all valid.
NO_PROBLEMS: Mapping[int, Sequence[str]] = MappingProxyType({})

# Steps per pixel in which pieces are cut into convex parts.
_FINE = 1024
# The largest number of edges of a convex polygon for which the best place of its number is computed.
_MOST_LIMITS = 40
# Pixels: the longer side of a target alone or with its pieces, and on a sheet; texts and gaps.
_LARGE, _MIDDLE, _SMALL = 600, 360, 120
_TEXT, _SMALL_TEXT, _GAP = 15, 11, 16


class Box(NamedTuple):
    """The bounding box of polygons in a picture."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, flats: Iterable[Flat]) -> "Box":
        """The box around all of these polygons."""
        across, down = zip(*(point for flat in flats for point in flat), strict=True)
        return cls(min(across), min(down), max(across), max(down))

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top


class Shape(NamedTuple):
    """A polygon in an SVG."""

    points: str
    fill: str


class SmallTiling(NamedTuple):
    """A tiling with the upper left corner of its target's bounding box at the origin."""

    pieces: tuple[Flat, ...]
    parts: tuple[Flat, ...]
    fills: tuple[str, ...]
    holes: tuple[Flat, ...] = ()
    #: The number of each piece, from 1, if some pieces are left over.
    numbers: tuple[int, ...] = ()
    #: Pixels per unit.
    scale: float = 1.0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the target."""
        box = Box.around(self.parts)
        return box.right, box.bottom

    @property
    def box(self) -> Box:
        """The box around the target and the pieces, which lie outside it in some invalid tilings."""
        return Box.around((*self.parts, *self.pieces))

    @property
    def shapes(self) -> list[Shape]:
        """The pieces in their order."""
        return [Shape(_points(piece), fill) for piece, fill in zip(self.pieces, self.fills, strict=True)]

    @property
    def outlines(self) -> list[Shape]:
        """The outlines of the target's parts and of its holes."""
        return [Shape(_points(outline), "none") for outline in (*self.parts, *self.holes)]


def draw_tiling(puzzle: DissectionPuzzle, tiling: Tiling, *, numbers: bool = True, color: Color = "shape") -> str:
    """Draw a tiling, valid or not, as an SVG."""
    drawn = small_tiling(puzzle, tiling, scale_to([(puzzle, tiling)], _LARGE), Fills(color))
    box = drawn.box
    root = drawing(puzzle.name)
    board = polygon_group(root, 1.5, transform=moved(MARGIN - box.left, MARGIN - box.top))
    titles = piece_titles(puzzle)
    for shape, number in zip(drawn.shapes, drawn.numbers, strict=True):
        element(element(board, "polygon", **shape._asdict()), "title", titles[number - 1])
    for outline in drawn.outlines:
        element(board, "polygon", class_="target", stroke_width=3, **outline._asdict())
    _add_labels(board, free_labels(puzzle, tiling, drawn.scale))
    if numbers:
        _add_numbers(board, drawn, LARGEST_NUMBER * max(drawn.size))
    problems = tiling_problems(puzzle, [tiling]).get(0, [])
    lines = [Line(puzzle.name, "name"), Line(pieces_fact(puzzle)), *(Line(text, "problem") for text in problems)]
    return captioned(root, lines, box.width, box.height)


def tiling_problems(puzzle: DissectionPuzzle, tilings: Sequence[Tiling]) -> dict[int, list[str]]:
    """The first few problems of each invalid tiling, by its number from 0."""
    # A picture shows where the pieces lie; the tiling may have been found with other motions than those of the puzzle.
    judge = TilingChecker(puzzle.with_motions(Motions.ANY) if puzzle.is_classic else puzzle)
    faults = {number: judge(tiling).faults for number, tiling in enumerate(tilings)}
    return {number: first_problems(found) for number, found in faults.items() if found}


def draw_dissection_pieces(puzzle: DissectionPuzzle, *, numbers: bool = True, color: Color = "shape") -> str:
    """Draw the target's outline and, next to it, all pieces in their positions in the instance, as an SVG."""
    scale = scale_to([(puzzle, ())], _MIDDLE)
    turn = level_turn(puzzle.hull)
    pieces = [_flat(piece, piece, scale, turn) for piece in puzzle.pieces]
    target = Box.around([_flat(puzzle.hull, puzzle.hull, scale, turn)])
    left = target.width + 2 * _GAP
    boxes = [Box.around([piece]) for piece in pieces]
    # In total about twice as wide as high.
    width = sqrt(3 * sum((box.width + _GAP) * (box.height + _GAP) for box in boxes))
    (rows,) = laid_in_rows([(box.width, box.height) for box in boxes], width)
    root = drawing(puzzle.name)
    sheet = polygon_group(root, 1.5, transform=moved(MARGIN, MARGIN))
    add_target(
        sheet, *([_flat(one, puzzle.hull, scale, turn) for one in some] for some in (puzzle.parts, puzzle.holes))
    )
    laid = tuple(
        tuple((x + left + dx, y + dy) for x, y in piece)
        for piece, (dx, dy) in zip(pieces, rows.corners.values(), strict=True)
    )
    fills = Fills(color)(puzzle, puzzle.pieces)
    for piece, fill, title in zip(laid, fills, piece_titles(puzzle), strict=True):
        element(element(sheet, "polygon", points=_points(piece), fill=fill), "title", title)
    if numbers:
        numbered = SmallTiling(laid, (), (), (), tuple(range(1, len(laid) + 1)))
        _add_numbers(sheet, numbered, LARGEST_NUMBER * max(target.width, target.height))
    lines = [Line(puzzle.name, "name"), Line(f"{pieces_fact(puzzle)}, {target_fact(puzzle)}")]
    return captioned(root, lines, left + rows.width, max(target.height, rows.height))


def draw_sheet(
    drawn: Sequence[tuple[DissectionPuzzle, Tiling]],
    name: str,
    word: str,
    *,
    captions: Sequence[str] = (),
    problems: Mapping[int, Sequence[str]] = NO_PROBLEMS,
    numbers: bool = False,
    color: Color = "shape",
) -> str:
    """Draw many tilings in the same scale as an SVG; the pieces of a puzzle have the same colours throughout.

    `word` is the word for a tiling.  Captions are by default numbers from 1; those of tilings with `problems`, which
    are numbered from 0 here, are red.
    """
    texts = [harmless(text) for text in captions] or [str(number) for number in range(1, len(drawn) + 1)]
    scale = scale_to(drawn, _SMALL)
    fills = Fills(color)
    tilings = [small_tiling(puzzle, tiling, scale, fills) for puzzle, tiling in drawn]
    boxes = [tiling.box for tiling in tilings]
    # Tilings are in rows, each in the middle of a cell with room for the largest one and its caption.
    wide, high = max((box.width for box in boxes), default=0), max((box.height for box in boxes), default=0)
    step_x, step_y = wide + _GAP, high + _GAP + 1.6 * _SMALL_TEXT
    columns = max(ceil(sqrt(len(drawn) * step_y / step_x)), 1)
    root = drawing(name)
    stock = Stock(root, tilings)
    sheet = polygon_group(root, 0.6, transform=moved(MARGIN, MARGIN))
    labels = element(root, "g", class_="captions", font_size=_SMALL_TEXT, fill=DARK, text_anchor="middle")
    for number, ((puzzle, placed), tiling, text, box) in enumerate(zip(drawn, tilings, texts, boxes, strict=True)):
        x, y = number % columns * step_x, number // columns * step_y
        left, top = x + (wide - box.width) / 2 - box.left, y + (high - box.height) / 2 - box.top
        cell = element(sheet, "g", class_="tiling", transform=moved(left, top))
        found = problems.get(number, ())
        element(cell, "title", "; ".join((text, *found)))
        stock.add(cell, tiling)
        _add_labels(cell, free_labels(puzzle, placed, scale))
        if numbers:
            _add_numbers(cell, tiling, LARGEST_NUMBER * max(wide, high))
        shown = fitting(text, wide + _GAP, _SMALL_TEXT)
        label = element(labels, "text", shown, x=MARGIN + x + wide / 2, y=MARGIN + y + high + 1.4 * _SMALL_TEXT)
        if found:
            label.set("fill", RED)
    rows = ceil(len(drawn) / columns)
    used = min(columns, len(drawn))
    lines = [Line(name, "name"), Line(plural(len(drawn), word, str))]
    if problems:
        lines.append(Line(plural(len(problems), f"invalid {word}", str), "problem"))
    return captioned(root, lines, used * step_x - _GAP, rows * step_y - _GAP)


def piece_fills(puzzle: DissectionPuzzle) -> tuple[str, ...]:
    """The colour of each piece: congruent pieces have the same colour, others different ones."""
    return tuple(plain_fill(number) for number in puzzle.class_of)


class Fills:
    """The colours of the pieces in a picture: of each shape, of each piece, or of each way in which a shape lies."""

    def __init__(self, color: Color = "shape") -> None:
        self._color: Color = color
        self._ways: dict[tuple[int, Polygon], int] = {}

    def __call__(self, puzzle: DissectionPuzzle, tiling: Tiling) -> tuple[str, ...]:
        """The colour of each piece in a tiling, in which pieces may be left over."""
        if self._color == "shape":
            return piece_fills(puzzle)
        if self._color == "piece":
            return tuple(map(plain_fill, range(len(puzzle.pieces))))
        return tuple(
            plain_fill(0 if one is None else self._way(*one)) for one in zip(puzzle.class_of, tiling, strict=True)
        )

    def _way(self, number: int, polygon: Polygon) -> int:
        """The number of a way in which pieces of a class lie: equal if one only has to be moved along."""
        first, *others = counterclockwise(polygon)
        way = tuple((x - first[0], y - first[1]) for x, y in others)
        return self._ways.setdefault((number, way), len(self._ways))


def scale_to(drawn: Iterable[tuple[DissectionPuzzle, Tiling]], pixels: float, *, whole: bool = True) -> float:
    """Pixels per unit so that the longest side of bounding boxes, of targets with their tilings, has about `pixels`.

    A tiling without polygons stands for the target alone.  With `whole` it is an integer if it can be: integers make
    short files.
    """
    placed = ((puzzle, [one for one in tiling if one is not None]) for puzzle, tiling in drawn)
    boxes = (
        Box.around(_flat(one, puzzle.hull, 1, level_turn(puzzle.hull)) for one in (puzzle.hull, *tiling))
        for puzzle, tiling in placed
    )
    longest = max((max(box.width, box.height) for box in boxes), default=1)
    return round(pixels / longest) if whole and 2 * longest <= pixels else pixels / longest


def small_tiling(
    puzzle: DissectionPuzzle,
    tiling: Tiling,
    scale: float,
    fills: Callable[..., Sequence[str]] = lambda puzzle, _: piece_fills(puzzle),
) -> SmallTiling:
    """A tiling with `scale` pixels per unit; raises InstanceError if it has another number of pieces."""
    if len(tiling) != len(puzzle.pieces):
        raise InstanceError(f"{len(tiling)} polygons for {len(puzzle.pieces)} pieces; give one for each")
    placed = [(number, polygon) for number, polygon in enumerate(tiling, start=1) if polygon is not None]
    turn = level_turn(puzzle.hull)
    pieces, parts, holes = (
        tuple(_flat(polygon, puzzle.hull, scale, turn) for polygon in polygons)
        for polygons in ((polygon for _, polygon in placed), puzzle.parts, puzzle.holes)
    )
    numbers, colors = tuple(number for number, _ in placed), fills(puzzle, tiling)
    return SmallTiling(pieces, parts, tuple(colors[number - 1] for number in numbers), holes, numbers, scale)


def free_labels(puzzle: DissectionPuzzle, tiling: Tiling, scale: float) -> list[tuple[str, Flat]]:
    """The labels of the cells that no piece covers, with the cells in pixels."""
    board = puzzle.cell_board
    if board is None or not board.labels:
        return []
    lattice = puzzle.lattice
    covered = {key for polygon in tiling if polygon is not None for key in keys_in(board.kind, lattice.units(polygon))}
    free = [cell for cell in board.cells if board.key(cell) not in covered]
    return [
        (label, _flat(board.polygon(cell), puzzle.hull, scale, (1.0, 0.0)))
        for cell in free
        if (label := board.label(cell)) is not None
    ]


def label_place(label: str, cell: Flat, least: int = 2) -> tuple[float, float, float]:
    """The middle of the baseline of a cell's label, and its font size, for that many characters or more."""
    box = Box.around([cell])
    size = 0.9 * box.width / (CHARACTER * max(len(label), least))
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2 + size * DIGIT_HEIGHT / 2, size


class Stock:
    """Polygons that several small tilings share; those that occur more than once are defined once and reused."""

    def __init__(self, root: ET.Element, tilings: Iterable[SmallTiling]) -> None:
        found = Counter(shape for tiling in tilings for shape in (*tiling.shapes, *tiling.outlines))
        self._names: dict[Shape, str] = {}
        definitions = element(root, "defs")
        for shape, count in found.items():
            if count > 1:
                # The same shape has the same name in every picture, as pages may hold several.
                digest = sha256(" ".join(shape).encode()).digest()
                name = self._names[shape] = f"p{urlsafe_b64encode(digest)[:7].decode()}"
                element(definitions, "polygon", id=name, **shape._asdict())

    def add(self, parent: ET.Element, tiling: SmallTiling) -> None:
        """Add the polygons of a tiling, its outlines last."""
        for shape in tiling.shapes:
            self._add(parent, shape)
        for outline in tiling.outlines:
            self._add(parent, outline).set("stroke-width", "1.5")

    def _add(self, parent: ET.Element, shape: Shape) -> ET.Element:
        name = self._names.get(shape)
        if name is None:
            return element(parent, "polygon", **shape._asdict())
        return element(parent, "use", href=f"#{name}")


def captioned(root: ET.Element, lines: Sequence[Line], width: float, height: float) -> str:
    """The text of a picture of that size, without margins, with lines below it."""
    width = with_room_for(lines, width, _TEXT)
    bottom = add_caption(root, lines, Frame(MARGIN, MARGIN, width, max(height, 0)), _TEXT, classes=False)
    return finished(root, width + 2 * MARGIN, bottom, 1)


def polygon_group(parent: ET.Element, line: float, **attributes: str) -> ET.Element:
    """Add a group whose polygons have dark outlines of width `line`."""
    return element(
        parent, "g", class_="polygons", stroke=DARK, stroke_width=line, stroke_linejoin="round", **attributes
    )  # fmt: skip


def pieces_fact(puzzle: DissectionPuzzle) -> str:
    """The number of pieces, and of shapes if some pieces are congruent."""
    count, shapes = plural(len(puzzle.pieces), "piece", str), len(puzzle.classes)
    return count if shapes == len(puzzle.pieces) else f"{count} of {plural(shapes, 'shape', str)}"


def target_fact(puzzle: DissectionPuzzle) -> str:
    """The area that is to be filled, and the numbers of parts and holes."""
    parts = f" in {len(puzzle.parts)} parts" if len(puzzle.parts) > 1 else ""
    holes = f" around {plural(len(puzzle.holes), 'hole', str)}" if puzzle.holes else ""
    return f"target of area {format_number(puzzle.area)}{parts}{holes}"


def add_target(parent: ET.Element, parts: Sequence[Flat], holes: Sequence[Flat]) -> None:
    """Add the empty target, from the outlines of its parts and holes; a part in a hole comes after it."""
    for outline in sorted((*parts, *holes), key=lambda flat: abs(_centroid(flat)[2]), reverse=True):
        fill, title = ("#fff", "hole") if outline in holes else ("#f6f4ee", "target")
        shape = element(parent, "polygon", class_="target", points=_points(outline), fill=fill, stroke_width=3)
        element(shape, "title", title)


def piece_titles(puzzle: DissectionPuzzle) -> list[str]:
    """The tooltip of each piece."""
    titles = []
    for piece, number in enumerate(puzzle.class_of):
        others = [str(other + 1) for other in puzzle.classes[number] if other != piece]
        titles.append(f"piece {piece + 1}" + (f", congruent with {', '.join(others)}" if others else ""))
    return titles


@lru_cache(maxsize=2**6)
def level_turn(hull: Polygon) -> tuple[float, float]:
    """Cosine and sine of the turn of pictures: a target whose hull is a rectangle lies with its sides level."""
    ways = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges(hull)]
    is_rectangle = len(ways) == 4 and all(a * c + b * d == 0 for (a, b), (c, d) in edges(ways))
    if not is_rectangle or 0 in ways[0]:
        return 1.0, 0.0
    # The edge that is nearly level already.
    x, y = (float(c) for c in max(ways, key=lambda way: float(way[0]) - abs(float(way[1])) / 2))
    return x / hypot(x, y), -y / hypot(x, y)


def turned_point(x: Number | float, y: Number | float, turn: tuple[float, float]) -> tuple[float, float]:
    """A point after a turn by that cosine and sine."""
    (cosine, sine), across, up = turn, float(x), float(y)
    return (across, up) if sine == 0 else (across * cosine - up * sine, across * sine + up * cosine)


def _flat(polygon: Polygon, frame: Polygon, scale: float, turn: tuple[float, float]) -> Flat:
    """A polygon turned and in pixels, with the upper left corner of the frame's bounding box at the origin."""
    inside = [turned_point(x, y, turn) for x, y in frame]
    left, top = min(x for x, _ in inside), max(y for _, y in inside)
    points = (turned_point(x, y, turn) for x, y in polygon)
    return tuple(((x - left) * scale, (top - y) * scale) for x, y in points)


def _points(flat: Flat) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in flat)


class Laid(NamedTuple):
    """The upper left corner of each box on a page, by its number, and the width and height that they take."""

    corners: dict[int, tuple[float, float]]
    width: float
    height: float


def laid_in_rows(
    sizes: Iterable[tuple[float, float]], width: float, height: float = inf, gap: float = _GAP
) -> list[Laid]:
    """Boxes in rows from left to right, on as many pages as they need."""
    pages: list[Laid] = []
    corners: dict[int, tuple[float, float]] = {}
    x = y = bottom = widest = 0.0
    for number, (across, down) in enumerate(sizes):
        if x and x + across > width + 1e-9:
            x, y = 0.0, bottom + gap
        if corners and y + down > height + 1e-9:
            pages.append(Laid(corners, widest, bottom))
            corners, x, y, bottom, widest = {}, 0.0, 0.0, 0.0, 0.0
        corners[number] = x, y
        x, bottom, widest = x + across + gap, max(bottom, y + down), max(widest, x + across)
    return [*pages, Laid(corners, widest, bottom)]


def _add_labels(parent: ET.Element, labels: Sequence[tuple[str, Flat]]) -> None:
    """Add the labels of free cells, each inside its cell."""
    for label, cell in labels:
        x, y, size = label_place(label, cell)
        element(parent, "text", label, x=x, y=y, font_size=size, text_anchor="middle", fill=DARK, stroke="none")


def _add_numbers(parent: ET.Element, drawn: SmallTiling, most: float) -> None:
    """Add the numbers of the pieces, each inside its piece, in fonts of at most that size."""
    layer = element(
        parent, "g", class_="numbers", font_weight="bold", text_anchor="middle", fill="#000", stroke="#fff",
        stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip
    for number, piece in zip(drawn.numbers, drawn.pieces, strict=True):
        x, y, size = place_number(piece, len(str(number)), most)
        element(
            layer, "text", str(number), x=x, y=y + size * DIGIT_HEIGHT / 2, font_size=size, stroke_width=size / 6
        )  # fmt: skip


def place_number(piece: Flat, digits: int, most: float) -> tuple[float, float, float]:
    """The centre of a number on a piece, on its convex part with the most room, and its font size."""
    parts = [piece]
    corners = counterclockwise(tuple((round(x * _FINE), round(y * _FINE)) for x, y in piece))
    # In invalid tilings a piece may be no simple polygon.
    if first_reflex(corners) is not None and first_crossing(corners) is None:
        parts = [tuple((float(x) / _FINE, float(y) / _FINE) for x, y in part) for part in convex_parts(corners)]
    placed = [(_number_on(part, digits, most), abs(_centroid(part)[2])) for part in parts]
    return max(placed, key=lambda found: (found[0][2], found[1]))[0]


def _number_on(piece: Flat, digits: int, most: float) -> tuple[float, float, float]:
    """The centre and the font size of a number on a convex piece.

    The centre is the centroid if there is room for the largest font, and otherwise the place where the number can be
    largest: a linear program in centre and size, solved by trying all vertices (which touch three edges each).  A
    polygon without room, as in invalid tilings, gets a number of half the size in its middle.
    """
    x, y, _ = _centroid(piece)
    limits = _limits(piece, digits)
    if len(limits) > _MOST_LIMITS:
        # Trying all vertices would take too long; such a polygon is nearly round.
        size = min((a * x + b * y - d) / -c for a, b, c, d in limits)
        return (x, y, min(size, most)) if size > 0 else (x, y, most / 2)
    if all(a * x + b * y + c * most >= d for a, b, c, d in limits):
        return x, y, most
    found = [vertex for three in combinations(limits, 3) if (vertex := _common_point(*three))]
    slack = 1e-9 * max(abs(coordinate) + 1 for point in piece for coordinate in point)
    inside = [v for v in found if all(a * v[0] + b * v[1] + c * v[2] >= d - slack for a, b, c, d in limits)]
    size = max((v[2] for v in inside), default=0)
    if size <= 0:
        return x, y, most / 2
    # Between parallel edges there are several best places; the result is their mean.
    best = [v for v in inside if v[2] >= size - slack]
    return sum(v[0] for v in best) / len(best), sum(v[1] for v in best) / len(best), min(size, most)


#: (a, b, c, d) stands for a x + b y + c s >= d, where s is the font size and (x, y) the centre of the text.
_Limit = tuple[float, float, float, float]


def _limits(piece: Flat, digits: int) -> list[_Limit]:
    """The limits from the edges of a convex piece that keep a number inside with a margin."""
    half_width, half_height = (digits * CHARACTER + 0.3) / 2, (DIGIT_HEIGHT + 0.3) / 2
    x, y, _ = _centroid(piece)
    limits: list[_Limit] = []
    for (x0, y0), (x1, y1) in edges(piece):
        length = hypot(x1 - x0, y1 - y0) or 1
        a, b = (y0 - y1) / length, (x1 - x0) / length
        if a * (x - x0) + b * (y - y0) < 0:
            a, b = -a, -b
        limits.append((a, b, -(abs(a) * half_width + abs(b) * half_height), a * x0 + b * y0))
    return limits


def _common_point(one: _Limit, two: _Limit, three: _Limit) -> tuple[float, float, float] | None:
    """The point where three limits hold with equality, by Cramer's rule; None if it is not unique."""

    def cross(u: _Limit, v: _Limit) -> tuple[float, float, float]:
        return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]

    crosses = [cross(two, three), cross(three, one), cross(one, two)]
    determinant = sum(a * b for a, b in zip(one[:3], crosses[0], strict=True))
    if abs(determinant) < 1e-9:
        return None
    rights = (one[3], two[3], three[3])
    x, y, s = (sum(d * v[i] for d, v in zip(rights, crosses, strict=True)) / determinant for i in range(3))
    return x, y, s


def _centroid(piece: Flat) -> tuple[float, float, float]:
    """The centre of gravity, for area 0 that of the vertices, and twice the area with its sign."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in edges(piece):
        part = x0 * y1 - x1 * y0
        area, x, y = area + part, x + (x0 + x1) * part, y + (y0 + y1) * part
    if not area:
        return sum(x for x, _ in piece) / len(piece), sum(y for _, y in piece) / len(piece), 0.0
    return x / (3 * area), y / (3 * area), area


def placements(drawn: Sequence[SmallTiling]) -> dict[str, Any]:
    """Every placement of a piece once, and the tilings as numbers of placements, one for each piece.

    A placement consists of its points, and the place and the size of its number.
    """
    numbers: dict[tuple[int, str], int] = {}
    listed: list[list[str | float]] = []
    solutions: list[list[int]] = []
    for tiling in drawn:
        most = LARGEST_NUMBER * max(tiling.size)
        solution = []
        for piece, (flat, shape) in enumerate(zip(tiling.pieces, tiling.shapes, strict=True)):
            key = piece, shape.points
            if key not in numbers:
                numbers[key] = len(listed)
                x, y, size = place_number(flat, len(str(piece + 1)), most)
                listed.append([shape.points, round(x, 2), round(y + size * DIGIT_HEIGHT / 2, 2), round(size, 2)])
            solution.append(numbers[key])
        solutions.append(solution)
    return {"placements": listed, "solutions": solutions}


def empty_target(puzzle: DissectionPuzzle, drawn: SmallTiling, box: Box) -> str:
    """The empty target, and the layers that the script fills, in that box."""
    root = drawing(puzzle.name)
    root.set("id", "picture")
    board = element(root, "g", transform=moved(MARGIN - box.left, MARGIN - box.top))
    add_target(board, drawn.parts, drawn.holes)
    polygon_group(board, 1.5).set("id", "pieces")
    for outline in drawn.outlines:
        element(board, "polygon", stroke="#1c1c1c", stroke_width=3, **outline._asdict())
    style = {"font_weight": "bold", "text_anchor": "middle", "fill": "#000", "stroke": "#fff"}
    element(board, "g", id="veils")
    element(board, "g", id="numbers", stroke_linejoin="round", paint_order="stroke", **style)
    element(board, "g", id="frames")
    return finished(root, box.width + 2 * MARGIN, box.height + 2 * MARGIN, 1)
