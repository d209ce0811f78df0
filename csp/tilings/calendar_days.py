"""The days of a calendar, a dissection whose cells have the labels of months and days: how many tilings each has."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass

from ..base.errors import UsageError
from ..base.stop import Stop
from ..engines.engine import find_engine
from ..engines.request import Goal, Limits
from ..files.variant import variant
from ..puzzles.dissection import DissectionPuzzle, Tiling

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: Every day of a leap year: the labels of the month and of the day.
DAYS = tuple(
    (month, str(day)) for number, month in enumerate(_MONTHS, 1) for day in range(1, monthrange(2024, number)[1] + 1)
)


@dataclass(frozen=True)
class Day:
    """A day of a calendar."""

    name: str
    puzzle: DissectionPuzzle
    count: int
    tiling: Tiling | None


def tilings_by_day(puzzle: DissectionPuzzle, stop: Stop) -> Iterator[Day]:
    """Every day with its puzzle, the number of its tilings by numbered pieces, and the first one.

    Raises UsageError if the puzzle has no such cells, or those of a day leave an area that is not that of the pieces.
    Raises KeyboardInterrupt if it must stop.
    """
    labels = set() if puzzle.cell_board is None else {label for row in puzzle.labels for label in row}
    missing = next((label for day in DAYS for label in day if label not in labels), None)
    if missing is not None:
        what = "needs a dissection with cells that have the labels Jan to Dec and 1 to 31"
        raise UsageError(f"{what}; {puzzle.name} has no label {missing!r}", "all_days")
    search = find_engine("backtrack", kind="dissection")
    for at, (month, day) in enumerate(DAYS):
        stop.tell(f"{month} {day}", at / len(DAYS))
        there = variant(puzzle, leave=(month, day))
        number = search.run(there, Goal.COUNT, Limits()).count or 0
        found = search.run(there, Goal.SOLVE, Limits()).solutions if number else ()
        if stop():
            raise KeyboardInterrupt
        yield Day(f"{month} {day}", there, number, next(iter(found), None))
