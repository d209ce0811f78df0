"""Dissections from drawings: polygons and lines of an SVG, and pictures of squared paper in letters."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, pairwise
from math import atan2, degrees, dist, hypot, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import (
    EngineError,
    InstanceError,
    JigsatError,
    PuzzleError,
    UsageError,
    plural,
    refuse_name,
    shortened,
    told_of,
    with_all,
)
from ..base.safe_files import label_of, read_text
from ..files.drawn_paths import MOST_BYTES, DrawnPath, read_paths
from ..files.file_format import is_markup
from ..files.instances import name_of
from ..files.paper_drawings import paper_of_polygons
from ..geometry.arrangement import elementary, faces, inner_point, loose_ends
from ..geometry.cells import outlines
from ..geometry.exact_numbers import format_number, plain, surd
from ..geometry.polygons import Point, Polygon, counterclockwise, double_area, edges, encloses, first_crossing
from ..geometry.regions import Edge, outlines_of, overlap, straightened
from ..geometry.snapping import RATIOS, Snapped, snapped
from ..puzzles.cells import MOST_CELLS, piece_polygon
from ..puzzles.check_tiling import check_tiling
from ..puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..search.tilings.any_angle import similar_searched

#: A point of a drawing.
Place = tuple[float, float]
# Curved shapes that are smaller, as parts of the drawing's longer side, are dots and labels.
_DOT = 1 / 20
_TARGET = re.compile(r"target\W*\d*", re.IGNORECASE)
_NONE = ". "
# In degrees: how far the directions of a drawing may be from multiples of 30 degrees.
_NEAR = 2
# Of a picture in letters: together they take about a second.
_MOST_LETTERS, _MOST_DRAWN_CELLS = 1000, 20_000
# A picture on the command line; small letters are those of files.
_PICTURE = re.compile(r"[A-Z0-9.]+(/[A-Z0-9.]+)+")


@dataclass(frozen=True)
class DrawnDissection:
    """A dissection that was drawn."""

    puzzle: DissectionPuzzle
    #: The pieces as they were drawn; None if that was apart from the target.
    solution: Tiling | None
    #: What was made of the drawing, a sentence each.
    facts: tuple[str, ...] = ()

    def summary(self, *, verbose: bool = False) -> str:
        """The pieces and the target, and what was changed."""
        puzzle = self.puzzle
        kinds = len(puzzle.classes)
        shapes = f" of {plural(kinds, 'shape')}" if kinds < len(puzzle.pieces) else ""
        holes = f" with {plural(len(puzzle.holes), 'hole')}" if puzzle.holes else ""
        parts = f" in {len(puzzle.parts)} parts" if len(puzzle.parts) > 1 else ""
        size = f"a target of area {format_number(puzzle.area)}{parts}{holes}"
        pieces = f"{puzzle.name}: {plural(len(puzzle.pieces), 'piece')}{shapes}"
        head = f"{pieces} tile {size}, as they are drawn."
        if self.solution is None:
            head = f"{pieces} and {size}; the pieces are drawn apart from it, so it is not known whether they tile it."
        return "\n".join([head, *self.facts])


class _Shape(NamedTuple):
    """A shape of a drawing on its lattice, in steps; as a polygon if it is closed."""

    name: str
    is_target: bool
    points: Polygon
    is_closed: bool


def read_drawing(
    drawing: str | Path, *, lattice: float | None, motions: str | None, flip: bool, name: str | None
) -> DrawnDissection:
    """The dissection of `jigsat.make_dissection`; parameters and errors are those of this function."""
    refuse_name(name)
    if lattice is not None and not 0 < lattice < 10**9:
        raise UsageError(f"must be a positive number, not {lattice}", "lattice")
    if motions is not None and motions not in tuple(Motions):
        raise UsageError(f"unknown motions {motions}; choose from {', '.join(Motions)}", "motions")
    label = label_of(drawing)
    is_picture = _PICTURE.fullmatch(label) is not None and not os.path.exists(label)
    if not (is_picture or str(drawing) == "-" or os.path.exists(label)):
        raise InstanceError(f"{shortened(label, 200)}: there is no such file; {_picture_hint(label)}")
    text = label if is_picture else read_text(drawing, MOST_BYTES)
    named = name or (shortened(label) if is_picture else name_of(label))
    if not is_picture and is_markup(text):
        paths: list[DrawnPath] = []
        read_paths(text, label, paths.append)
        return drawn_dissection(paths, label, name=named, step=lattice, motions=motions, flip=flip)
    if lattice is not None:
        raise UsageError("is for an SVG; the cells of a picture are one step wide", "lattice")
    if motions == Motions.ANY:
        raise UsageError("pieces that are made of cells move on their lattice only; omit it", "motions")
    return lettered_dissection(text, "the picture" if is_picture else label, name=named, flip=flip)


def _picture_hint(text: str) -> str:
    """What is wrong with a text that is neither a file nor a picture in letters."""
    rows = "/".join(re.split(r"[\s/,;|]+", text.strip().upper()))
    if not re.fullmatch(r"[A-Z0-9/]+", rows) or ("/" not in rows and text != rows):
        return "a picture in letters is rows of capital letters with / between them, such as AAB/ACB"
    if "/" not in rows:
        return f"as a picture in letters it has a single row; give more, such as AAB/ACB, or {rows}/. for one row"
    if rows.count("/") > text.count("/"):
        return f"as a picture in letters it needs / between its rows: {shortened(rows)}"
    return f"as a picture in letters it needs capital letters: {shortened(rows)}"


def drawn_dissection(
    paths: Sequence[DrawnPath], label: str, *, name: str, step: float | None, motions: str | None, flip: bool
) -> DrawnDissection:
    """The dissection that is drawn as polygons, or as lines between its pieces.

    If a polygon lies outside the target that is named so, the drawing shows what the pieces are, but no tiling.

    - `label`: what errors call the drawing.
    - `step`: the step of the lattice in the units of the drawing; by default the largest one that fits.
    - `motions`: by default those on the lattice if all edges lie along it, otherwise any.

    Raises InstanceError, with all faults that were found, if it is no dissection.
    """
    faults: list[str] = []
    straight, ignored = _straight(paths, faults)
    given = None if step is None or not paths else step / paths[0].unit
    found = (
        snapped([(x, -y) for path in straight for x, y in path.points], given, _ratios(straight)) if straight else None
    )
    if found is None:
        what = "its corners lie on no lattice; draw on a grid, or give the step of the lattice to move them to"
        _refuse([*faults, what if straight else "has no polygon and no line"], label)
    assert found is not None
    drawing = _Drawing(straight, found, faults)
    outlines, pieces = drawing.divided()
    _refuse(faults, label)
    parts, holes = outlines_of(outlines)
    placed = _placing(found.ratio, [*parts, *holes])
    with told_of(label):
        puzzle = DissectionPuzzle(
            tuple(map(placed, parts)),
            tuple(map(placed, pieces)),
            Motions.ANY if motions is None else Motions(motions),
            name=name,
            source=f"drawn in {label}"[:200],
            holes=tuple(map(placed, holes)),
            no_flip=() if flip else tuple(range(len(pieces))),
        )
    warned: list[str] = []
    if not drawing.is_apart:
        _refuse(list(check_tiling(puzzle, puzzle.pieces).problems), label)
        warned = drawing.slits([*parts, *(hole[::-1] for hole in holes)], pieces)
    puzzle, how = _moving(puzzle, motions)
    tiling = None if drawing.is_apart else puzzle.pieces
    return DrawnDissection(puzzle, tiling, (*warned, _moved_fact(found, straight), *how, *ignored))


def outline_drawn(drawing: str, *, flip: bool) -> tuple[int, int]:
    """The numbers of parts and of holes of the target of a drawing; errors are those of `read_drawing`."""
    puzzle = read_drawing(drawing, lattice=None, motions=None, flip=flip, name=None).puzzle
    return len(puzzle.parts), len(puzzle.holes)


def sketched(path: str) -> dict[str, Any] | None:
    """The polygons of an SVG as JSON values of a `PaperDrawing` without a mark, also if they are no dissection.

    None if they cannot be read, their corners lie on no lattice, or they are too large or too many for paper.
    """
    paths: list[DrawnPath] = []
    try:
        read_paths(read_text(path, MOST_BYTES), path, paths.append)
        straight = [each for each in _straight(paths, [])[0] if each.is_closed]
        drawn = [(x, -y) for each in straight for x, y in each.points]
        found = snapped(drawn, None, _ratios(straight)) if straight else None
        if found is None:
            return None
        slanted, places = found.ratio == 3, iter(found.points)
        # A step of triangular paper is two steps to the right if no point lies between.
        odd = sum(found.points[0]) % 2
        wide = 2 if all((x + y) % 2 == odd for x, y in found.points) else 1
        shapes: dict[bool, list[list[list[int]]]] = {True: [], False: []}
        for each in straight:
            points = tuple(dict.fromkeys(islice(places, len(each.points))))
            corners = set(straightened(points))
            steps = [[x, -y] for x, y in points if (x, y) in corners]
            if slanted:
                steps = [[(x - y - odd) // 2, y] if wide == 2 else [x - y, 2 * y] for x, y in steps]
            if len(steps) > 2:
                shapes[any(map(_TARGET.fullmatch, each.labels))].append(steps)
        return paper_of_polygons(path, shapes[False], shapes[True], slanted) if shapes[False] else None
    except JigsatError:
        return None


def _ratios(paths: Sequence[DrawnPath]) -> tuple[int, ...]:
    """The lattices that are tried: those of triangles only if half of the slanted edges are at multiples of 30 degrees.

    A fine lattice of triangles is near the corners of any drawing.
    """
    slanted = triangles = 0.0
    for path in paths:
        for (a, b), (c, d) in pairwise((*path.points, path.points[0]) if path.is_closed else path.points):
            angle, length = degrees(atan2(d - b, c - a)), hypot(c - a, d - b)
            if abs((angle + 45) % 90 - 45) > _NEAR:
                slanted += length
                triangles += length * (abs((angle + 15) % 30 - 15) <= _NEAR)
    return RATIOS if triangles and 2 * triangles >= slanted else (1,)


def _moving(puzzle: DissectionPuzzle, motions: str | None) -> tuple[DissectionPuzzle, list[str]]:
    """The puzzle with motions that a search supports, and what is said of them."""
    if motions == Motions.LATTICE:
        return puzzle, []
    sides = [side for polygon in puzzle.pieces for side in edges(polygon)]
    why = "as all edges lie along it; --motions any turns them by any angle"
    if motions is not None or not puzzle.is_rational or any(a != c and b != d for (a, b), (c, d) in sides):
        try:
            similar_searched(puzzle)
            return puzzle, []
        except EngineError as error:
            if motions is not None:
                raise UsageError(f"{error}; give lattice, or omit it", "motions") from error
        why = "as no search turns pieces with these coordinates by any angle"
    return puzzle.with_motions(Motions.LATTICE), [f"Pieces move on the lattice, {why}."]


def _refuse(faults: Sequence[str], label: str) -> None:
    if faults:
        first, *others = dict.fromkeys(faults)
        raise with_all(InstanceError(f"{label}: {first}"), others)


def _straight(paths: Sequence[DrawnPath], faults: list[str]) -> tuple[list[DrawnPath], list[str]]:
    """The paths that are polygons and lines, and what is ignored; other curves are faults."""
    if not paths:
        return [], []
    size = _size(paths)
    found, dots = [], 0
    for path in paths:
        if not path.is_curved:
            found.append(path)
        elif max(_extent(path.points)) < _DOT * size:
            dots += 1
        else:
            faults.append(f"{path.name}: is curved; pieces have straight sides, so convert it to lines")
    ignored = [f"{plural(dots, 'small curved shape')} ignored, such as dots and labels."] if dots else []
    largest = max(found, key=lambda path: _extent(path.points), default=None)
    if largest is None or any(map(_TARGET.fullmatch, largest.labels)):
        return found, ignored
    others = [path for path in found if path.points != largest.points]
    inner = [point for path in others for point in path.points]
    if inner and all(map(_is_wider, _sides_of(largest.points), _sides_of(inner))):
        # A tiling touches its outline.
        return others, [*ignored, f"{largest.name} is ignored as a background."]
    return found, ignored


def _sides_of(points: Sequence[Place]) -> list[Place]:
    """The least and the largest first coordinate, and second one."""
    return [(min(numbers), max(numbers)) for numbers in zip(*points, strict=True)]


def _is_wider(one: tuple[float, float], other: tuple[float, float]) -> bool:
    margin = (one[1] - one[0]) / 100
    return one[0] + margin < other[0] and other[1] < one[1] - margin


def _extent(points: Sequence[Place]) -> Place:
    (left, right), (top, bottom) = _sides_of(points)
    return right - left, bottom - top


def _size(paths: Sequence[DrawnPath]) -> float:
    """The longer side of a drawing."""
    return max(_extent([point for path in paths for point in path.points]))


def _moved_fact(found: Snapped, paths: Sequence[DrawnPath]) -> str:
    unit = paths[0].unit
    size = _size(paths)
    far = f"{found.moved * unit:.2g} ({100 * found.moved / size:.2g} % of its size)"
    moved = "no corner was moved" if found.moved < 1e-6 * size else f"corners were moved by at most {far}"
    triangles = " across and sqrt(3) times that up" if found.ratio == 3 else ""
    return f"A step of the lattice is {found.step * unit:.6g} in the drawing{triangles}; {moved}."


def _placing(ratio: int, outlines: Iterable[Polygon]) -> Callable[[Polygon], Polygon]:
    """What makes coordinates of steps: from the lower left corner of the target on."""
    points = [point for outline in outlines for point in outline]
    left, bottom = (min(point[axis] for point in points) for axis in (0, 1))
    up = surd({ratio: 1})

    def placed(polygon: Polygon) -> Polygon:
        return counterclockwise(tuple((plain(x - left), plain((y - bottom) * up)) for x, y in polygon))

    return placed


class _Drawing:
    """The shapes of a drawing on its lattice: the target, other polygons and lines; faults are noted."""

    def __init__(self, paths: Sequence[DrawnPath], found: Snapped, faults: list[str]) -> None:
        self._faults, self._found = faults, found
        self._unit = paths[0].unit
        # Lines there and back enclose less, whatever the errors of a drawing are.
        self._least = (_size(paths) / 1000) ** 2
        shapes, start = [], 0
        for path in paths:
            shapes.append(self._shape(path, found.points[start : start + len(path.points)]))
            start += len(path.points)
        # What is filled and has an outline of its own is drawn twice.
        closed = {
            (counterclockwise(shape.points), shape.is_target): shape for shape in reversed(shapes) if shape.is_closed
        }
        polygons = [shape._replace(points=points) for (points, _), shape in reversed(closed.items())]
        self._lines = [shape for shape in shapes if not shape.is_closed]
        polygons = [shape for shape in polygons if not self._refuse_crossing(shape)]
        #: Whether nothing is missing, so that what remains shows where gaps are.
        self._is_whole = not faults
        self._targets = [shape for shape in polygons if shape.is_target] or self._outline(polygons)
        self._polygons = [shape for shape in polygons if shape not in self._targets]
        #: Whether the pieces are drawn apart from the target.
        self.is_apart = False

    def _shape(self, path: DrawnPath, places: Sequence[tuple[int, int]]) -> _Shape:
        points = tuple(place for place, before in zip(places, (None, *places), strict=False) if place != before)
        is_target = any(map(_TARGET.fullmatch, path.labels))
        is_closed = path.is_closed or points[0] == points[-1]
        loop = points[:-1] if points[0] == points[-1] else points
        # A line there and back encloses nothing.
        while is_closed and len(loop) > 2 and (corners := straightened(loop)) != loop:
            loop = corners
        if is_closed and len(loop) > 2:
            return _Shape(path.name, is_target, loop, True)
        if is_closed and abs(double_area(path.points)) > self._least:  # pyright: ignore[reportArgumentType]
            self._faults.append(f"{path.name}: is narrower than a step of the lattice; give a smaller step")
        return _Shape(path.name, is_target, points, False)

    def _refuse_crossing(self, shape: _Shape) -> bool:
        crossing = first_crossing(shape.points)
        if crossing is not None:
            where = self._at(shape.points[crossing[0]])
            self._faults.append(f"{shape.name}: crosses or touches itself near {where}; draw a simple polygon")
        return crossing is not None

    def _outline(self, polygons: Sequence[_Shape]) -> list[_Shape]:
        """The largest polygon, if it overlaps with all others and these are several."""
        if len(polygons) < 3:
            return []
        largest = max(polygons, key=lambda shape: double_area(shape.points))
        others = [shape for shape in polygons if shape is not largest]
        return [largest] if all(overlap(largest.points, shape.points) for shape in others) else []

    def divided(self) -> tuple[list[Edge], list[Polygon]]:
        """The edges of all faces that pieces cover, and the pieces."""
        sides = [edge for shape in (*self._targets, *self._polygons) for edge in edges(shape.points)]
        drawn = elementary([*sides, *(edge for line in self._lines for edge in pairwise(line.points))])
        cut = bool(drawn - elementary(sides)) if self._lines else False
        cells, outer = faces(drawn)
        covers = [self._covers(cell) for cell in cells]
        if cut:
            if self._is_whole:
                self._refuse_loose(drawn, cells, outer)
            wanted = bool(sides)
            cells = [cell for cell, cover in zip(cells, covers, strict=True) if not wanted or any(cover[1:])]
            pieces = sorted(map(straightened, cells), key=lambda cell: min((-y, x) for x, y in cell))
            if not pieces:
                self._faults.append("its lines enclose nothing")
        else:
            on_target = [shape for _, over, inside in covers if inside for shape in over]
            self.is_apart = bool(self._targets) and any(shape not in on_target for shape in self._polygons)
            inner = [cell for cell, (_, _, inside) in zip(cells, covers, strict=True) if inside]
            differ = self.is_apart and self._areas_differ(inner)
            if not self.is_apart or (differ and on_target):
                for one in covers:
                    self._refuse_cover(*one)
            if differ:
                self._faults.append(differ)
            cells = inner if self.is_apart else [c for c, (_, over, _) in zip(cells, covers, strict=True) if over]
            pieces = [shape.points for shape in self._polygons]
        return [edge for cell in cells for edge in edges(cell)], pieces

    def _covers(self, cell: Polygon) -> tuple[Point, list[_Shape], bool]:
        """A point in a face, the polygons over it, and whether it is in a target that is drawn."""
        point = inner_point(cell)
        over = [shape for shape in self._polygons if encloses(shape.points, point)]
        return point, over, sum(encloses(shape.points, point) for shape in self._targets) % 2 == 1

    def _refuse_cover(self, point: Point, over: Sequence[_Shape], inside: bool) -> None:
        if len(over) > 1:
            names = " and ".join(shape.name for shape in over)
            self._faults.append(f"{names}: overlap at {self._at(point)}")
        elif self._targets and inside and not over and self._is_whole:
            self._faults.append(f"{self._targets[0].name}: no piece covers the target at {self._at(point)}")
        elif self._targets and over and not inside and self._is_whole:
            self._faults.append(f"{over[0].name}: lies outside the target at {self._at(point)}")

    def _areas_differ(self, target: Sequence[Polygon]) -> str:
        """A fault with the areas of the pieces and of the parts of the target, in the drawing; empty if they agree."""
        areas = [sum(map(double_area, some)) for some in ([shape.points for shape in self._polygons], target)]
        if areas[0] == areas[1] or not self._is_whole:
            return ""
        unit = (self._found.step * self._unit) ** 2 * sqrt(self._found.ratio) / 2
        pieces, whole = (f"{round(float(area) * unit, 6):.6g}" for area in areas)
        return f"the area of the pieces is {pieces}, but that of the target is {whole}"

    def _refuse_loose(self, drawn: set[Edge], cells: Sequence[Polygon], outer: Sequence[Polygon]) -> None:
        for point in loose_ends(drawn):
            names = [shape.name for shape in self._lines if point in shape.points]
            self._faults.append(f"{names[0] if names else 'a line'}: ends at {self._at(point)}, where no other line is")
        for loop in outer:
            point = loop[0]
            if any(encloses(cell, point) for cell in cells if point not in cell):
                what = "lies inside a piece without touching its rim; a piece has no hole"
                self._faults.append(f"what is drawn at {self._at(point)} {what}")

    def _at(self, point: Point) -> str:
        x, y = self._place(point)
        return f"({round(x, 6) + 0.0:.4g}, {round(-y, 6) + 0.0:.4g})"

    def _place(self, point: Point) -> Place:
        x, y = self._found.place(float(point[0]), float(point[1]))
        return x * self._unit, y * self._unit

    def slits(self, rims: Sequence[Polygon], pieces: Sequence[Polygon]) -> list[str]:
        """Warnings of narrow gaps between pieces."""
        outline, *placed = (
            [Side(*map(self._place, side)) for polygon in some for side in edges(polygon)]
            for some in (rims, *([piece] for piece in pieces))
        )
        return slits(
            outline, placed, [shape.name for shape in self._polygons] if len(self._polygons) == len(pieces) else []
        )


class Side(NamedTuple):
    """An edge in the coordinates of the drawing, y upwards; what is covered is to its left."""

    start: Place
    end: Place

    def off(self, point: Place) -> float:
        """How far a point is to the left of the line through the edge."""
        (a, b), (c, d) = self
        return ((c - a) * (point[1] - b) - (d - b) * (point[0] - a)) / dist(*self)

    def along(self, point: Place) -> float:
        """How far along the edge a point is."""
        (a, b), (c, d) = self
        return ((point[0] - a) * (c - a) + (point[1] - b) * (d - b)) / dist(*self)


def slits(outline: Sequence[Side], pieces: Sequence[Sequence[Side]], names: Sequence[str]) -> list[str]:
    """Warnings of slits between edges of the target's outline, and of short edges of it that no piece has.

    They are narrower than a tenth of any piece.  `names`: those of the pieces, or none.
    """
    narrow = min(map(_width, pieces), default=0.0) / 10
    found = []
    for one, other in combinations(outline, 2):
        wide = _gap(one, other)
        if wide is not None and wide < narrow:
            near = sorted({_nearest(pieces, side) for side in (one, other)})
            two = " and ".join(names[piece] for piece in near) if names else "pieces"
            found.append(f"slit between {two}, about {wide:.2g} wide")
    own = {side for piece in pieces for side in piece}
    for side in outline if not found else ():
        if dist(*side) < narrow and side not in own:
            at = f"({side.start[0]:.4g}, {0.0 - side.start[1]:.4g})"
            found.append(f"step of about {dist(*side):.2g} in the outline at {at}")
    return [f"Warning: {what}: draw them together, or give --lattice STEP." for what in dict.fromkeys(found)]


def _width(sides: Sequence[Side]) -> float:
    """The least width of a polygon across one of its edges."""
    across = ([side.off(point) for point, _ in sides] for side in sides)
    return min(max(offs) - min(offs) for offs in across)


def _gap(one: Side, other: Side) -> float | None:
    """The largest distance of two edges with a gap between them that is longer than wide; None without one."""
    offs = [one.off(point) for point in other]
    wide = -min(offs)
    shared = min(dist(*one), one.along(other.start)) - max(0.0, one.along(other.end))
    return wide if max(offs) < wide / 100 and shared > 2 * wide > 0 else None


def _nearest(pieces: Sequence[Sequence[Side]], side: Side) -> int:
    """The piece that has the middle of an edge of the outline on its rim."""
    middle = (side.start[0] + side.end[0]) / 2, (side.start[1] + side.end[1]) / 2
    away = ([dist(edge.start, middle) + dist(middle, edge.end) - dist(*edge) for edge in piece] for piece in pieces)
    nearest = [min(some) for some in away]
    return nearest.index(min(nearest))


def lettered_dissection(picture: str, label: str, *, name: str, flip: bool) -> DrawnDissection:
    """The dissection in a picture of squared paper: the cells with the same letter are a piece, `.` is no cell.

    Pieces of the same shape lie the same way in the puzzle.  Raises InstanceError, with all faults that were found, if
    the picture is no dissection.
    """
    rows = [row.rstrip() for row in re.split(r"\r?\n|/", picture.strip("\ufeff\r\n"), maxsplit=MOST_CELLS)]
    if len(rows) > MOST_CELLS or max(map(len, rows)) > MOST_CELLS:
        raise InstanceError(f"{label}: at most {MOST_CELLS} rows of {MOST_CELLS} cells are possible")
    cells: dict[str, list[tuple[int, int]]] = {}
    for i, row in enumerate(rows):
        for j, mark in enumerate(row):
            if mark not in _NONE:
                cells.setdefault(mark, []).append((i, j))
    if len(cells) > _MOST_LETTERS or sum(map(len, cells.values())) > _MOST_DRAWN_CELLS:
        raise InstanceError(f"{label}: at most {_MOST_LETTERS} letters and {_MOST_DRAWN_CELLS} cells are possible")
    faults = [] if cells else ["has no letter; each cell of a piece is a letter, and . is no cell"]
    faults += [f"{mark!r} is no letter, digit or ." for mark in cells if not mark.isalnum()]
    pieces = {mark: _rows_around(own) for mark, own in cells.items()}
    for mark, piece in pieces.items():
        try:
            piece_polygon("squares", piece, f"letter {mark}")
        except PuzzleError as error:
            faults.append(str(error).partition(";")[0])
    _refuse(faults, label)
    with told_of(label):
        puzzle = DissectionPuzzle(
            _rows_with(rows, lambda mark: mark not in _NONE),
            tuple(pieces.values()),
            name=name,
            source="drawn on squared paper",
            cells="squares",
            no_flip=() if flip else tuple(range(len(pieces))),
        )
    marks = list(pieces)
    order = [piece for members in puzzle.classes for piece in members]
    puzzle = replace(puzzle, pieces=tuple(puzzle.pieces[members[0]] for members in puzzle.classes for _ in members))
    tiling = tuple(counterclockwise(outlines("squares", cells[marks[piece]], len(rows))[0][0]) for piece in order)
    _refuse(list(check_tiling(puzzle, tiling).problems), label)
    return DrawnDissection(puzzle, tiling)


def _rows_around(cells: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The picture of a piece alone, as small as possible: many pieces of the whole size would take long."""
    top, left = min(i for i, _ in cells), min(j for _, j in cells)
    rows = [["."] * (max(j for _, j in cells) - left + 1) for _ in range(max(i for i, _ in cells) - top + 1)]
    for i, j in cells:
        rows[i - top][j - left] = "#"
    return tuple(map("".join, rows))


def _rows_with(rows: Sequence[str], is_cell: Callable[[str], bool]) -> tuple[str, ...]:
    return tuple("".join("#" if is_cell(mark) else "." for mark in row) for row in rows)
