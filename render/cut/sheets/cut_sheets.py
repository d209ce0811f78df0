"""Cut sheets: the lines of a jigsaw, each once on a sheet, true to scale; and their backs, for numbers.

A page holds a block of the board and is cut separately: the line between two blocks is on both pages.
"""

from collections.abc import Iterator
from dataclasses import replace

from ....csp.puzzles.board import DOWN, LEFT, RIGHT, UP
from ..curves.tab import Point
from ..paper.paper import CUT, ENGRAVE, OUTLINES, Item, Layer, Path, Printed, Sheet, Spot, placed_at, rectangle
from .cutting_job import CuttingJob
from .footer import foot
from .layout import Block, Layout, laid_out
from .registration import registration_marks
from .trimming import trimmed


def cut_sheets(job: CuttingJob) -> list[Sheet]:
    """A sheet for each block of the board.

    Artwork lies under the lines; sheets with artwork have no numbers.

    Raises JigsatError if there is not enough room.
    """
    return _sheets(job, "cut")


def back_sheets(job: CuttingJob) -> list[Sheet]:
    """A sheet for the back of each cut sheet, as seen when the sheet is turned over like the page of a book."""
    return _sheets(job, "back")


def _sheets(job: CuttingJob, kind: str) -> list[Sheet]:
    layout = laid_out(job.puzzle.board, job.measures, job.reach)
    return [_sheet(job, layout, index, kind) for index in range(len(layout.blocks))]


def _sheet(job: CuttingJob, layout: Layout, index: int, kind: str) -> Sheet:
    block, number = layout.blocks[index], len(layout.blocks)
    origin, bottom = block_origin(job, layout, block)
    above = _front(job, block, origin) if kind == "cut" else _back(job, block, origin, layout.width)
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
    """The position of the upper left corner of the whole board, and the bottom of the block.

    The block is centred horizontally.
    """
    size, margin = job.measures.size, job.measures.margin
    # Tabs reach out on the sides where the board continues.
    left, right = job.reach * (block.column > 0), job.reach * (block.column + block.columns < job.puzzle.columns)
    top, down = job.reach * (block.row > 0), job.reach * (block.row + block.rows < job.puzzle.rows)
    x = (layout.width - left - block.columns * size - right) / 2 + left
    y = margin + top
    return (x - block.column * size, y - block.row * size), y + block.rows * size + down


def _front(job: CuttingJob, block: Block, origin: Spot) -> Iterator[Item]:
    if job.artwork is not None:
        yield _artwork(job, block, origin)
    else:
        yield from _labels(job, block, origin)
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


def _labels(job: CuttingJob, block: Block, origin: Spot) -> Iterator[Path]:
    for square, spot in _spots(job, block, origin):
        placement = job.board[square]
        assert placement is not None
        yield from job.label_at(*placement, spot, layer=ENGRAVE)


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


def _joined(job: CuttingJob, squares: list[int], side: int) -> list[Point]:
    """The same side of several squares as one path."""
    path = job.side(squares[0], side)
    for square in squares[1:]:
        path += job.side(square, side)[1:]
    return path


def _artwork(job: CuttingJob, block: Block, origin: Spot) -> Printed:
    """The artwork under a block and under the tabs that reach out of it, as far as the board."""
    assert job.artwork is not None
    (x, y), size, reach = origin, job.measures.size, job.reach
    width, height = job.puzzle.columns * size, job.puzzle.rows * size
    left, right = block.column * size - reach, (block.column + block.columns) * size + reach
    top, bottom = block.row * size - reach, (block.row + block.rows) * size + reach
    clip = rectangle(x + max(left, 0), y + max(top, 0), x + min(right, width), y + min(bottom, height))
    return Printed(job.artwork, (width, 0.0, 0.0, height, x, y), clip)
