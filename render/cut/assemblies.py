"""Pictures of assemblies: a piece has the same colour, or the same part of the artwork, in all of them."""

from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from dataclasses import replace

from ...csp.puzzles.board import Arrangement, Placement
from .job import CuttingJob
from .layout import FOOT, foot, orientations, sheet_size
from .paper import HALO, NUMBERS, PICTURE, Item, Path, Printed, Sheet, Spot, placed_at
from .tabs import moved, outline

# The longer side of a picture without a given page, in mm.
_LONGEST = 180.0
# Powers of the inverse of the root of x^3 = x + 1: pairs of their multiples, modulo 1, stay far apart.
_HUE, _LIGHT = 0.754878, 0.569840


def assembly_sheets(job: CuttingJob, boards: Sequence[tuple[str, Arrangement]]) -> list[Sheet]:
    """A named picture of each board, as large as a page allows, and at most true to scale."""
    return [_sheet(job, name, board) for name, board in boards]


def _sheet(job: CuttingJob, name: str, board: Arrangement) -> Sheet:
    (page, scale), margin = _page(job), job.measures.margin
    size = scale * job.measures.size
    width, height = job.puzzle.columns * size, job.puzzle.rows * size
    origin = (page[0] - width) / 2, margin
    items = [*_pieces(job, board, origin, scale), *_numbers(job, board, origin, scale)]
    # Rounded down, like all reported lengths.
    facts = f"{name}, {'true to scale' if scale == 1 else f'at {int(1000 * scale) / 10:g} %'}"
    items += foot(job.title, facts, (margin, margin + height), page[0] - 2 * margin)
    return Sheet(name.replace(" ", "-"), facts, *page, tuple(items))


def _page(job: CuttingJob) -> tuple[tuple[float, float], float]:
    """The size of the sheet, and the scale."""
    measures = job.measures
    width, height = job.puzzle.columns * measures.size, job.puzzle.rows * measures.size
    if measures.page is None:
        scale = min(1.0, _LONGEST / max(width, height))
        return sheet_size(scale * width, scale * height, measures), scale
    pages = orientations(measures)
    room = [(page[0] - 2 * measures.margin, page[1] - 2 * measures.margin - FOOT) for page in pages]
    scales = [min(1.0, across / width, down / height) for across, down in room]
    best = max(range(len(pages)), key=scales.__getitem__)
    return pages[best], scales[best]


def _pieces(job: CuttingJob, board: Arrangement, origin: Spot, scale: float) -> Iterator[Item]:
    homes = {placed.piece: square for square, placed in enumerate(job.board) if placed is not None}
    for square, placed in enumerate(board):
        assert placed is not None
        shape = moved(outline(job.puzzle.shown(placed), job.cut.tabs), *divmod(square, job.puzzle.columns))
        points = placed_at(shape, origin, scale * job.measures.size)
        if job.artwork is None:
            yield Path(PICTURE, points, closed=True, fill=_pale(placed.piece))
        elif placed.piece in homes:
            yield _carried(job, placed, (homes[placed.piece], square), (origin, scale), points)
    if job.artwork is not None:
        for item in _pieces(replace(job, artwork=None), board, origin, scale):
            yield replace(item, fill=None)


def _carried(
    job: CuttingJob, placed: Placement, squares: tuple[int, int], frame: tuple[Spot, float], clip: tuple[Spot, ...]
) -> Printed:
    """The artwork, transformed so that the part printed on a piece lies at the piece's current place."""
    assert job.artwork is not None
    home = job.board[squares[0]]
    assert home is not None
    (x, y), scale = frame
    size, columns = scale * job.measures.size, job.puzzle.columns
    (row, column), (to_row, to_column) = (divmod(square, columns) for square in squares)
    # A quarter turn clockwise maps (1, 0) to (0, 1).
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[(placed.rotation - home.rotation) % 4]
    across, down = -(column + 0.5) * size, -(row + 0.5) * size
    width, height = columns * size, job.puzzle.rows * size
    left = x + (to_column + 0.5) * size + cosine * across - sine * down
    top = y + (to_row + 0.5) * size + sine * across + cosine * down
    return Printed(job.artwork, (cosine * width, sine * width, -sine * height, cosine * height, left, top), clip)


def _numbers(job: CuttingJob, board: Arrangement, origin: Spot, scale: float) -> Iterator[Path]:
    size = scale * job.measures.size
    for square, placed in enumerate(board):
        assert placed is not None
        row, column = divmod(square, job.puzzle.columns)
        middle = origin[0] + (column + 0.5) * size, origin[1] + (row + 0.5) * size
        for layer in (HALO, NUMBERS) if job.artwork is not None else (NUMBERS,):
            yield from job.label_at(*placed, middle, scale, layer)


def _pale(piece: int) -> str:
    """The colour of a piece."""
    parts = hls_to_rgb(piece * _HUE % 1, 0.77 + 0.15 * (piece * _LIGHT % 1), 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
