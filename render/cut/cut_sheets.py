"""The sheets of a whole board, true to scale: cut sheets with each line once, their backs, and prints of the picture.

The picture is on no cut sheet: a laser would burn it.

A page holds a block of the board and is cut separately: the line between two blocks is on both pages.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from ...csp.base.errors import JigsatError
from ...csp.puzzles.board import DOWN, LEFT, RIGHT, UP
from .job import CuttingJob
from .loose_pieces import spots_of
from .paper import (
    CUT,
    ENGRAVE,
    MARKS,
    OUTLINES,
    Artwork,
    Item,
    Layer,
    Path,
    Printed,
    Sheet,
    Spot,
    circle,
    foot,
    placed_at,
    rectangle,
)
from .sizes import ACCURACY, Block, Layout, Measures, laid_out
from .tabs import Point, flatness, flattened

if TYPE_CHECKING:
    from shapely.geometry import Polygon


def cut_sheets(job: CuttingJob, kind: Literal["cut", "scissors", "back"] = "cut") -> list[Sheet]:
    """A sheet for each block of the board; where there is artwork for the front, the numbers are left to the back.

    ``scissors`` has the artwork under the lines, to print and cut by hand; ``back`` is for the back of each cut sheet,
    as seen when the sheet is turned over like the page of a book.
    """
    layout = laid_out(job.puzzle.board, job.measures, job.reach)
    return [_sheet(job, layout, index, kind) for index in range(len(layout.blocks))]


def _sheet(job: CuttingJob, layout: Layout, index: int, kind: str) -> Sheet:
    block, number = layout.blocks[index], len(layout.blocks)
    origin, bottom = block_origin(job, layout, block)
    above = _back(job, block, origin, layout.width) if kind == "back" else _front(job, kind, block, origin)
    about = block.squares(job.puzzle.board)
    name = kind if number == 1 else f"{kind}-{index + 1}"
    what = f"sheet {index + 1} of {number}, {about}, sides of {job.measures.size:g} mm"
    what = f"back of {what}" if kind == "back" else what
    margin = job.measures.margin
    below = foot(job.title, what, (margin, bottom), layout.width - 2 * margin)
    marks = registration_marks(layout.width, margin, bottom, job.measures) if job.marked else ()
    marked = (_turned_over(mark, layout.width) for mark in marks) if kind == "back" else marks
    return Sheet(name, f"{kind}, {about}", layout.width, layout.height, (*above, *below, *marked))


def block_origin(job: CuttingJob, layout: Layout, block: Block) -> tuple[Spot, float]:
    """The upper left corner of the whole board, and the bottom of the block, which is centred horizontally."""
    size, margin = job.measures.size, job.measures.margin
    # Tabs reach out on the sides where the board continues.
    left, right = job.reach * (block.column > 0), job.reach * (block.column + block.columns < job.puzzle.columns)
    top, down = job.reach * (block.row > 0), job.reach * (block.row + block.rows < job.puzzle.rows)
    x = (layout.width - left - block.columns * size - right) / 2 + left
    y = margin + top
    return (x - block.column * size, y - block.row * size), y + block.rows * size + down


def _front(job: CuttingJob, kind: str, block: Block, origin: Spot) -> Iterator[Item]:
    if kind == "scissors" and job.artwork is not None:
        # It reaches under the tabs that reach out of the block.
        (x, y), size = origin, job.measures.size
        left, top, right, bottom = _edges(job, block)
        clip = rectangle(x + left, y + top, x + right, y + bottom)
        yield Printed(job.artwork, (job.puzzle.columns * size, 0.0, 0.0, job.puzzle.rows * size, x, y), clip)
    elif job.artwork is None:
        for square, spot in _spots(job, block, origin):
            placement = job.board[square]
            assert placement is not None
            yield from job.label_at(*placement, spot, layer=ENGRAVE)
    yield from _lines(job, block, origin, CUT)


def _back(job: CuttingJob, block: Block, origin: Spot, width: float) -> Iterator[Item]:
    for line in _lines(job, block, origin, OUTLINES):
        yield _turned_over(line, width)
    for square, (x, y) in _spots(job, block, origin):
        placement = job.board[square]
        assert placement is not None
        # From behind, clockwise rotations become anticlockwise.
        yield from job.label_at(placement.piece, -placement.rotation, (width - x, y))


def _turned_over(line: Path, width: float) -> Path:
    return replace(line, points=tuple((width - x, y) for x, y in line.points))


def _spots(job: CuttingJob, block: Block, origin: Spot) -> Iterator[tuple[int, Spot]]:
    """The squares of a block with numbers, and the centres of these."""
    for row in range(block.row, block.row + block.rows):
        for column in range(block.column, block.column + block.columns):
            square = job.puzzle.board.square(row, column)
            spot = job.label_spots[square]
            if spot is not None:
                yield square, (origin[0] + spot[0], origin[1] + spot[1])


def _lines(job: CuttingJob, block: Block, origin: Spot, layer: Layer) -> Iterator[Path]:
    """Every line of a block once, as far as it lies within the board's outline."""
    lines = _whole_lines(job, block, origin, layer)
    if job.rim is None:
        yield from lines
        return
    from shapely.affinity import translate

    yield from trimmed(lines, translate(job.rim, *origin))


def _whole_lines(job: CuttingJob, block: Block, origin: Spot, layer: Layer) -> Iterator[Path]:
    """Every line of a block once: those between rows, those between columns, and finally the outline."""
    for row in range(block.row + 1, block.row + block.rows):
        squares = [job.puzzle.board.square(row, block.column + i) for i in range(block.columns)]
        yield Path(layer, placed_at(_joined(job, squares, UP), origin, job.measures.size))
    for column in range(block.column, block.column + block.columns - 1):
        squares = [job.puzzle.board.square(block.row + i, column) for i in range(block.rows)]
        yield Path(layer, placed_at(_joined(job, squares, RIGHT), origin, job.measures.size))
    yield Path(layer, placed_at(_border(job, block), origin, job.measures.size), closed=True)


def _border(job: CuttingJob, block: Block) -> list[Point]:
    """The outline of a block, clockwise from its upper left corner."""
    board = job.puzzle.board
    rows = range(block.row, block.row + block.rows)
    columns = range(block.column, block.column + block.columns)
    path = _joined(job, [board.square(rows[0], column) for column in columns], UP)
    path += _joined(job, [board.square(row, columns[-1]) for row in rows], RIGHT)[1:]
    path += _joined(job, [board.square(rows[-1], column) for column in reversed(columns)], DOWN)[1:]
    return path + _joined(job, [board.square(row, columns[0]) for row in reversed(rows)], LEFT)[1:]


def _joined(job: CuttingJob, squares: Sequence[int], side: int) -> list[Point]:
    path = job.side(squares[0], side)
    for square in squares[1:]:
        path += job.side(square, side)[1:]
    return path


# The shortest line that is cut, in mm.
_SHORTEST = 0.01


def trimmed(lines: Iterable[Path], rim: "Polygon") -> Iterator[Path]:
    """The parts of these lines within an outline, as polylines; the last line, the border, becomes the outline."""
    from shapely import line_merge
    from shapely.geometry import LineString, Polygon

    for line in lines:
        spots = polyline(line.points)
        if line.closed:
            inside: Any = Polygon(spots).intersection(rim)
            kept = [part.exterior for part in getattr(inside, "geoms", [inside]) if part.geom_type == "Polygon"]
        else:
            inside = line_merge(LineString(spots).intersection(rim))
            kept = [part for part in getattr(inside, "geoms", [inside]) if part.geom_type == "LineString"]
        for part in kept:
            if part.length > _SHORTEST:
                yield replace(line, points=spots_of(part), straight=True)


def polyline(points: tuple[Spot, ...]) -> list[Spot]:
    """A path of Bezier curves as a polyline."""
    steps = max(int((flatness(points, 1) / (ACCURACY / 2)) ** 0.5) + 1, 1)
    return [(x, y) for x, y in flattened(points, steps).tolist()]


# The radius of a mark, of the dot in the first one, and the least distance from the bleed and from the page's edge.
_RADIUS, _DOT, _GAP = 3.0, 1.0, 0.5


def registration_marks(width: float, top: float, bottom: float, measures: Measures) -> Iterator[Path]:
    """Crosses in circles beside the corners of a picture without its bleed; the upper left one has a dot."""
    needed = measures.bleed + 2 * (_RADIUS + _GAP)
    if measures.margin < needed:
        what = f"registration marks beside a bleed of {measures.bleed:g} mm"
        raise JigsatError(f"margin {measures.margin:g}: too narrow for {what}; give {needed:g} or more")
    off = measures.bleed + _GAP + _RADIUS
    for y in (top - off, bottom + off):
        for x in (measures.margin - off, width - measures.margin + off):
            yield Path(MARKS, circle((x, y), _RADIUS))
            yield Path(MARKS, ((x - _RADIUS, y), (x + _RADIUS, y)), straight=True)
            yield Path(MARKS, ((x, y - _RADIUS), (x, y + _RADIUS)), straight=True)
    yield Path(MARKS, circle((measures.margin - off, top - off), _DOT), closed=True, fill=MARKS.color)


def print_sheets(job: CuttingJob) -> list[Sheet]:
    """A sheet for each cut sheet, of the same size; beyond the board's edge the picture goes on as its mirror image."""
    layout = laid_out(job.puzzle.board, job.measures, job.reach)
    bled, parts = _with_bleed(job)
    return [_print(job, layout, index, bled, parts) for index in range(len(layout.blocks))]


def _with_bleed(job: CuttingJob) -> tuple[Artwork, tuple[float, float]]:
    """The picture with its mirrored edges, and how wide they are in mm."""
    import numpy as np
    from PIL import Image

    assert job.artwork is not None
    with Image.open(io.BytesIO(job.artwork.data)) as opened:
        picture = np.asarray(opened.convert("RGB"))
    width, height = job.puzzle.columns * job.measures.size, job.puzzle.rows * job.measures.size
    down, across = (
        int(-(-job.measures.bleed * pixels // length))
        for pixels, length in zip(picture.shape, (height, width), strict=False)
    )
    if down > picture.shape[0] or across > picture.shape[1]:
        raise JigsatError(f"bleed {job.measures.bleed:g}: larger than the board; give less")
    file = io.BytesIO()
    padded = np.pad(picture, ((down, down), (across, across), (0, 0)), mode="symmetric")
    Image.fromarray(padded).save(file, "PNG")
    artwork = Artwork(file.getvalue(), "png", padded.shape[1], padded.shape[0])
    return artwork, (across * width / picture.shape[1], down * height / picture.shape[0])


def _print(job: CuttingJob, layout: Layout, index: int, bled: Artwork, edges: Spot) -> Sheet:
    block, size, bleed = layout.blocks[index], job.measures.size, job.measures.bleed
    (x, y), bottom = block_origin(job, layout, block)
    width, height = job.puzzle.columns * size, job.puzzle.rows * size
    matrix = (width + 2 * edges[0], 0.0, 0.0, height + 2 * edges[1], x - edges[0], y - edges[1])
    left, top, right, down = _edges(job, block, bleed)
    clip = rectangle(x + left, y + top, x + right, y + down)
    marks = registration_marks(layout.width, job.measures.margin, bottom, job.measures)
    name = "print" if len(layout.blocks) == 1 else f"print-{index + 1}"
    about = f"print, {block.squares(job.puzzle.board)}, bleed of {bleed:g} mm"
    return Sheet(name, about, layout.width, layout.height, (Printed(bled, matrix, clip), *marks))


def _edges(job: CuttingJob, block: Block, bleed: float = 0.0) -> tuple[float, float, float, float]:
    """The part of the board that a sheet shows: a block with the tabs that reach out of it, and the bleed."""
    size = job.measures.size
    width, height, reach = job.puzzle.columns * size, job.puzzle.rows * size, job.reach + bleed
    left, right = block.column * size - reach, (block.column + block.columns) * size + reach
    top, bottom = block.row * size - reach, (block.row + block.rows) * size + reach
    return max(left, -bleed), max(top, -bleed), min(right, width + bleed), min(bottom, height + bleed)
