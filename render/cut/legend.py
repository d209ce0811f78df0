"""The sheets beside those to cut: the curves of all connectors with what is certain about them, and the assemblies."""

from collections import Counter
from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from dataclasses import replace
from math import ceil, floor, sqrt
from textwrap import wrap
from typing import NamedTuple

from ...csp.base.errors import JigsatError, plural
from ...csp.puzzles.board import Arrangement, Placement, left_over
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..svg.palette import hex_color
from ..svg.tiling import Laid, laid_in_rows
from .job import CuttingJob
from .paper import (
    CURVES,
    FACT,
    HALO,
    LINE,
    NOTES,
    NUMBERS,
    PICTURE,
    RULE,
    Item,
    Path,
    Printed,
    Sheet,
    Spot,
    Text,
    foot,
    placed_at,
)
from .sizes import LEAST_NECK, Page, orientations, sheet_size, shown
from .tabs import LEAD, SIDE, moved, outline

_GAP = 6.0
# The length of the longest text, in mm: "+1024  2 joins".
_TEXT = 24.0
# The average width of a character in long texts, as a fraction of the font size; it is smaller than in short texts.
_CHARACTER = 0.48


def legend_sheets(job: CuttingJob) -> list[Sheet]:
    """The sheets for all types of connectors, in the order of their numbers."""
    types, measures = sorted(job.cut.tabs), job.measures
    page, lines, pages = _laid(job, len(types))
    uses = Counter(side for square in range(len(job.board)) for side in job.sides(square))
    margin, top = measures.margin, measures.margin + len(lines) * LINE + _GAP / 2
    sheets = []
    for number, laid in enumerate(pages, start=1):
        items: list[Item] = [
            Text(NOTES, (margin, margin + FACT + i * LINE), line, FACT) for i, line in enumerate(lines)
        ]
        shown_here = [types[i] for i in laid.corners]
        for connector, (x, y) in zip(shown_here, laid.corners.values(), strict=True):
            left, ground = margin + x, top + y + job.reach
            points = [(x, -y) for x, y in job.cut.tabs[connector].whole]
            items.append(Path(CURVES, placed_at(points, (left, ground), measures.size)))
            # Below the curve, on the side of the piece with the tab, its number and its number of joins.
            items.append(Text(NOTES, (left, ground - FACT / 3), "–", FACT))
            items.append(Text(NOTES, (left, ground + 1.3 * FACT), f"+{connector}", FACT, bold=True))
            right = left + max(measures.size, _TEXT)
            joins = plural(uses[connector], "join", str)
            items.append(Text(NOTES, (right, ground + 1.3 * FACT), joins, FACT, "end"))
        ends = f"s {shown_here[0]} to {shown_here[-1]}" if len(shown_here) > 1 else "".join(f" {n}" for n in shown_here)
        about = f"connector{ends}" if types else "none"
        facts = f"legend{f' {number} of {len(pages)}' if len(pages) > 1 else ''}, {about}, curves true to scale"
        items += foot(job.title, facts, (margin, top + laid.height), page[0] - 2 * margin)
        name = "legend" if len(pages) == 1 else f"legend-{number}"
        sheets.append(Sheet(name, f"legend, {about}", *page, tuple(items)))
    return sheets


def _laid(job: CuttingJob, number: int) -> tuple[Page, list[str], list[Laid]]:
    """The size of the sheets, the lines of the statement, and the places of the curves below them."""
    # A curve, and a line of text below it.
    cell = max(job.measures.size, _TEXT), job.reach + 1.5 * FACT
    if job.measures.page is None:
        width, height = cell[0] + _GAP, cell[1] + _GAP
        columns = max(ceil(sqrt(number * height / width)), int((RULE + _GAP) / width), 1)
        across = max(columns * width - _GAP, RULE)
        lines, (laid,) = _lines(job, across), laid_in_rows([cell] * number, across, gap=_GAP)
        return sheet_size(across, len(lines) * LINE + _GAP / 2 + laid.height, job.measures), lines, [laid]
    ways = []
    for page, (across, down) in orientations(job.measures):
        lines = _lines(job, across)
        down -= len(lines) * LINE + _GAP / 2
        if number == 0 or (cell[0] <= across and cell[1] <= down):
            ways.append((page, lines, laid_in_rows([cell] * number, across, down, _GAP)))
    if not ways:
        what = "too small for a legend; omit the legend from the sheets"
        raise JigsatError(f"page of {shown(*job.measures.page)}: {what}")
    return min(ways, key=lambda way: len(way[2]))


def _lines(job: CuttingJob, width: float) -> list[str]:
    return [line for sentence in statement(job) for line in wrap(sentence, int(width / (FACT * _CHARACTER)))]


def statement(job: CuttingJob) -> list[str]:
    """Sentences on the differences of the curves, the distances between cuts, and omitted pieces and numbers."""
    types = len(job.cut.tabs)
    if types == 0:
        return ["no connectors: there is nothing to cut inside"]
    sentences = [_difference(job, types), _gaps(job)]
    left_out = left_over(job.board, len(job.puzzle.pieces))
    if left_out:
        numbers = ", ".join(str(piece + 1) for piece in left_out)
        sentences.append(f"pieces that are not on this board and are not cut: {numbers}")
    if job.second is not None:
        sentences.append(_of_second(job.second))
    if job.numbered and job.label_height is None:
        sentences.append("numbers: omitted, because there is no room for digits 1 mm high; larger pieces have room")
    elif job.numbered and None in job.label_spots:
        bare = zip(job.board, job.label_spots, strict=True)
        pieces = sorted(lies.piece + 1 for lies, spot in bare if lies is not None and spot is None)
        numbers = ", ".join(map(str, pieces))
        sentences.append(f"numbers: omitted on pieces without room for them within the outline: {numbers}")
    return sentences


def _difference(job: CuttingJob, types: int) -> str:
    measures, distance = job.measures, job.cut.family.distance * job.measures.size
    loose = f"the {'kerf' if measures.fit is None else 'gap'} of {measures.gap:g} mm"
    if types == 1:
        what = f"1 type of connector; its curve differs by at least {_down(distance)} mm from its mirror image"
    else:
        what = f"{types} types of connectors; any two differ by at least {_down(distance)} mm"
    what += ", also when mirrored or rotated" if types > 1 else " and its rotations"
    if distance <= measures.gap:
        least = ceil(10 * measures.gap / job.cut.family.distance + 1e-9) / 10
        wrong = f"wrong pieces may fit together; sides of {least:g} mm or more prevent this"
        return f"{what}: no more than {loose}, so {wrong}"
    return what if measures.gap <= 0 else f"{what}: {_down(distance / measures.gap, 1)} times {loose}"


def _gaps(job: CuttingJob) -> str:
    size, family = job.measures.size, job.cut.family
    lead = f"except along the straight {LEAD * size / SIDE:g} mm at its corners"
    neck = f"the narrowest neck is {_down(family.neck * size)} mm wide"
    said = f"no two cuts of a piece come closer than {_down(family.gap * size)} mm, {lead}; {neck}"
    if job.rim is None:
        return said
    trimmed = f"a neck between parts {LEAST_NECK:g} mm wide or more is at least {LEAST_NECK:g} mm wide"
    return f"away from the outline {said}; along it, cuts may come closer, and {trimmed}"


def _down(number: float, decimals: int = 2) -> str:
    """Format a number, rounded down."""
    return f"{floor(number * 10**decimals) / 10**decimals:.{decimals}f}"


# The longer side of a picture without a given page, in mm.
_LONGEST = 180.0
# Powers of the inverse of the root of x^3 = x + 1: pairs of their multiples, modulo 1, stay far apart.
_HUE, _LIGHT = 0.754878, 0.569840


def assembly_sheets(job: CuttingJob, boards: Sequence[tuple[str, Arrangement]]) -> list[Sheet]:
    """A named picture of each board, as large as a page allows, and at most true to scale; then the second board."""
    shown = [(name, job.puzzle, board) for name, board in boards]
    if job.second is not None:
        shown.append((_of_second(job.second), job.second, job.second.assemblies[0]))
    margin, sheets = job.measures.margin, []
    for name, puzzle, board in shown:
        page, scale = _page(job, puzzle)
        size = scale * job.measures.size
        origin, bottom = ((page[0] - puzzle.columns * size) / 2, margin), margin + puzzle.rows * size
        frame = _Frame(origin, scale, puzzle.columns)
        items = [*_pieces(job, board, frame), *_numbers(job, board, frame)]
        # Rounded down, like all reported lengths.
        facts = f"{name}, {'true to scale' if scale == 1 else f'at {int(1000 * scale) / 10:g} %'}"
        items += foot(job.title, facts, (margin, bottom), page[0] - 2 * margin)
        label = "second-board" if puzzle is job.second else name.replace(" ", "-")
        sheets.append(Sheet(label, facts, *page, tuple(items)))
    return sheets


def _of_second(puzzle: EdgeMatchingPuzzle) -> str:
    """The size of the second board, and the pieces that are left over on it."""
    numbers = [str(piece + 1) for piece in left_over(puzzle.assemblies[0], len(puzzle.pieces))]
    some = "piece" if len(numbers) == 1 else "pieces"
    return f"second board of {puzzle.rows}x{puzzle.columns}, left over: {some} {', '.join(numbers)}"


class _Frame(NamedTuple):
    """Where a board is drawn: its upper left corner, its scale, and its columns."""

    origin: Spot
    scale: float
    columns: int


def _page(job: CuttingJob, puzzle: EdgeMatchingPuzzle) -> tuple[Page, float]:
    width, height = puzzle.columns * job.measures.size, puzzle.rows * job.measures.size
    if job.measures.page is None:
        scale = min(1.0, _LONGEST / max(width, height))
        return sheet_size(scale * width, scale * height, job.measures), scale
    pages = orientations(job.measures)
    scales = [(page, min(1.0, across / width, down / height)) for page, (across, down) in pages]
    return max(scales, key=lambda found: found[1])


def _pieces(job: CuttingJob, board: Arrangement, frame: _Frame) -> Iterator[Item]:
    homes = {placed.piece: square for square, placed in enumerate(job.board) if placed is not None}
    for square, placed in enumerate(board):
        assert placed is not None
        shape = moved(outline(job.puzzle.shown(placed), job.cut.tabs), *divmod(square, frame.columns))
        points = placed_at(shape, frame.origin, frame.scale * job.measures.size)
        if job.artwork is None:
            yield Path(PICTURE, points, closed=True, fill=_pale(placed.piece))
        elif placed.piece in homes:
            yield _carried(job, placed, (homes[placed.piece], square), frame, points)
    if job.artwork is not None:
        for item in _pieces(replace(job, artwork=None), board, frame):
            yield replace(item, fill=None)


def _carried(
    job: CuttingJob, placed: Placement, squares: tuple[int, int], frame: _Frame, clip: tuple[Spot, ...]
) -> Printed:
    """The artwork, transformed so that the part printed on a piece lies at the piece's current place."""
    assert job.artwork is not None
    home = job.board[squares[0]]
    assert home is not None
    (x, y), scale, _ = frame
    size, columns = scale * job.measures.size, job.puzzle.columns
    (row, column), (to_row, to_column) = divmod(squares[0], columns), divmod(squares[1], frame.columns)
    # A quarter turn clockwise maps (1, 0) to (0, 1).
    cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[(placed.rotation - home.rotation) % 4]
    across, down = -(column + 0.5) * size, -(row + 0.5) * size
    width, height = columns * size, job.puzzle.rows * size
    left = x + (to_column + 0.5) * size + cosine * across - sine * down
    top = y + (to_row + 0.5) * size + sine * across + cosine * down
    return Printed(job.artwork, (cosine * width, sine * width, -sine * height, cosine * height, left, top), clip)


def _numbers(job: CuttingJob, board: Arrangement, frame: _Frame) -> Iterator[Path]:
    origin, scale, columns = frame
    size = scale * job.measures.size
    for square, placed in enumerate(board):
        assert placed is not None
        row, column = divmod(square, columns)
        middle = origin[0] + (column + 0.5) * size, origin[1] + (row + 0.5) * size
        for layer in (HALO, NUMBERS) if job.artwork is not None else (NUMBERS,):
            yield from job.label_at(*placed, middle, scale, layer)


def _pale(piece: int) -> str:
    parts = hls_to_rgb(piece * _HUE % 1, 0.77 + 0.15 * (piece * _LIGHT % 1), 0.6)
    return hex_color(255 * part for part in parts)
