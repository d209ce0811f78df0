"""The days of a calendar, a dissection whose cells have the labels of months and days: a tiling of each of them."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from typing import Any

from ..csp.base.errors import UsageError, grouped
from ..csp.base.stop import Report, stoppable
from ..csp.engines.engine import find_engine
from ..csp.engines.request import Goal, Limits
from ..csp.files.variant import variant
from ..csp.puzzles.dissection import DissectionPuzzle
from ..render.picture import Picture, picture_of_sheet

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: Every day of a leap year: the labels of the month and of the day.
DAYS = tuple(
    (month, str(day)) for number, month in enumerate(_MONTHS, 1) for day in range(1, monthrange(2024, number)[1] + 1)
)


def ways_by_day(puzzle: DissectionPuzzle) -> Iterator[tuple[str, DissectionPuzzle, int, Any]]:
    """For each day its name, its puzzle, the number of tilings by numbered pieces, and a tiling, None without one.

    Raises UsageError if the puzzle has no such cells, or a day's area is not that of the pieces.
    """
    labels = set() if puzzle.cell_board is None else {label for row in puzzle.labels for label in row}
    missing = next((label for day in DAYS for label in day if label not in labels), None)
    if missing is not None:
        what = "needs a dissection with cells that have the labels Jan to Dec and 1 to 31"
        raise UsageError(f"{what}; {puzzle.name} has no label {missing!r}", "all_days")
    search = find_engine("backtrack", kind="dissection")
    for month, day in DAYS:
        there = variant(puzzle, leave=(month, day))
        number = search.run(there, Goal.COUNT, Limits()).count or 0
        found = search.run(there, Goal.SOLVE, Limits()).solutions if number else ()
        yield f"{month} {day}", there, number, found[0] if found else None


def drawn_year(puzzle: DissectionPuzzle, report: Report | None = None) -> Picture:
    """A sheet with a tiling for each day and the number of ways; the errors are those of `ways_by_day`."""
    drawn, captions = [], []
    with stoppable(report=report) as stop:
        for at, (name, there, number, tiling) in enumerate(ways_by_day(puzzle)):
            stop.tell(name, at / len(DAYS))
            if stop():
                raise KeyboardInterrupt
            drawn.append((there, (None,) * len(there.pieces) if tiling is None else tiling))
            captions.append(f"{name}: {grouped(number)}")
    return picture_of_sheet(drawn, f"{puzzle.name}: the ways of all days", "day", captions)
