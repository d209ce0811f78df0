"""The legend: each type of connector with its curve, true to scale."""

from collections import Counter
from collections.abc import Iterator
from math import ceil, sqrt
from textwrap import wrap

from ....csp.base.errors import JigsatError
from ....csp.base.words import several
from ..paper.paper import CURVES, NOTES, Item, Path, Sheet, Spot, Text, placed_at
from ..paper.sizes import shown
from .certainties import statement
from .cutting_job import CuttingJob
from .footer import FACT, FOOT, LINE, RULE, foot
from .layout import orientations, sheet_size

Page = tuple[float, float]

_GAP = 6.0
# The length of the longest text, in mm: "+1024  2 joins".
_TEXT = 24.0
# The average width of a character in long texts, as a fraction of the font size; it is smaller than in short texts.
_CHARACTER = 0.48


def legend_sheets(job: CuttingJob) -> list[Sheet]:
    """The sheets for all types of connectors, in the order of their numbers.

    Raises JigsatError if a page has no room for a curve.
    """
    types = sorted(job.cut.tabs)
    page, columns, rows = _grid(job, len(types))
    most = max(columns * rows, 1)
    parts = [types[i : i + most] for i in range(0, len(types), most)] or [[]]
    return [_sheet(job, page, columns, part, (number, len(parts))) for number, part in enumerate(parts, start=1)]


def _cell(job: CuttingJob) -> tuple[float, float]:
    """The width and height of a cell, with the gap to the next one: the curve, and a line of text below it."""
    return max(job.measures.size, _TEXT) + _GAP, job.reach + 1.5 * FACT + _GAP


def _grid(job: CuttingJob, number: int) -> tuple[Page, int, int]:
    """The page, and its numbers of columns and rows of cells."""
    margin, (width, height) = job.measures.margin, _cell(job)
    if job.measures.page is None:
        columns = max(ceil(sqrt(number * height / width)), int((RULE + _GAP) / width), 1)
        rows, across = ceil(number / columns), max(columns * width - _GAP, RULE)
        return sheet_size(across, rows * height - _GAP + _head(job, across), job.measures), columns, rows
    grids = []
    for page in orientations(job.measures):
        across = page[0] - 2 * margin
        down = page[1] - 2 * margin - FOOT - _head(job, across)
        grids.append((page, int((across + _GAP) / width), max(int((down + _GAP) / height), 0)))
    best = max(grids, key=lambda grid: grid[1] * grid[2])
    if number and best[1] * best[2] == 0:
        raise JigsatError(f"page of {shown(*best[0])}: too small for a legend; omit the legend from the sheets")
    return best


def _lines(job: CuttingJob, width: float) -> list[str]:
    """The statements about the jigsaw, in lines of that width."""
    return [line for sentence in statement(job) for line in wrap(sentence, int(width / (FACT * _CHARACTER)))]


def _head(job: CuttingJob, width: float) -> float:
    return len(_lines(job, width)) * LINE + _GAP / 2


def _sheet(job: CuttingJob, page: Page, columns: int, types: list[int], place: tuple[int, int]) -> Sheet:
    margin, (across, down) = job.measures.margin, _cell(job)
    width = page[0] - 2 * margin
    lines = _lines(job, width)
    items: list[Item] = [Text(NOTES, (margin, margin + FACT + i * LINE), line, FACT) for i, line in enumerate(lines)]
    top = margin + _head(job, width)
    uses = Counter(side for square in range(len(job.board)) for side in job.sides(square))
    for i, connector in enumerate(types):
        row, column = divmod(i, columns)
        items += _drawn(job, connector, uses[connector], (margin + column * across, top + row * down + job.reach))
    name, number = ("legend", "") if place[1] == 1 else (f"legend-{place[0]}", f" {place[0]} of {place[1]}")
    about = f"connectors {types[0]} to {types[-1]}" if len(types) > 1 else f"connector {types[0]}" if types else "none"
    facts = f"legend{number}, {about}, curves true to scale"
    items += foot(job.title, facts, (margin, top + -(-len(types) // max(columns, 1)) * down - _GAP), width)
    return Sheet(name, f"legend, {about}", *page, tuple(items))


def _drawn(job: CuttingJob, connector: int, uses: int, start: Spot) -> Iterator[Item]:
    """A curve, and below it, on the side of the piece with the tab, the connector's number and its number of joins."""
    points = [(x, -y) for x, y in job.cut.tabs[connector].whole]
    yield Path(CURVES, placed_at(points, start, job.measures.size))
    left, ground = start
    yield Text(NOTES, (left, ground - FACT / 3), "–", FACT)
    yield Text(NOTES, (left, ground + 1.3 * FACT), f"+{connector}", FACT, bold=True)
    right = left + max(job.measures.size, _TEXT)
    yield Text(NOTES, (right, ground + 1.3 * FACT), several(uses, "join", str), FACT, "end")
