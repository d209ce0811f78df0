"""The legend: each type of connector with its curve, true to scale, and what is certain about the pieces."""

from collections import Counter
from collections.abc import Iterator
from math import ceil, floor, sqrt
from textwrap import wrap

from ...csp.base.errors import JigsatError
from ...csp.base.words import several
from .job import CuttingJob
from .layout import FACT, FOOT, LINE, RULE, foot, orientations, sheet_size
from .paper import CURVES, NOTES, Item, Path, Sheet, Spot, Text, placed_at
from .sizes import LEAST_NECK, shown
from .tabs import LEAD, SIDE

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


def statement(job: CuttingJob) -> list[str]:
    """Sentences on the differences of the curves, the distances between cuts, and omitted pieces and numbers."""
    types = len(job.cut.tabs)
    if types == 0:
        return ["no connectors: there is nothing to cut inside"]
    sentences = [_difference(job, types), _gaps(job)]
    left_out = sorted(set(range(len(job.puzzle.pieces))) - {lies.piece for lies in job.board if lies is not None})
    if left_out:
        numbers = ", ".join(str(piece + 1) for piece in left_out)
        sentences.append(f"pieces that are not on this board and are not cut: {numbers}")
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
