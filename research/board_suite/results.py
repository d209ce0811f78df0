"""The results of the board suite: what the tables say, for the page and its figures."""

import csv
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import nan
from pathlib import Path
from statistics import fmean, median, stdev

from boards import boards, name_of
from intervals import NOTHING
from prices import SUITE
from relatives import exchanges

HERE = Path(__file__).parent
#: Those of the comparison have the elapsed time of the choice of an order, on a busy machine; it is small beside this.
SHORT = 2.0
#: The counts of the comparison, and those along another order.
FIRST, SECOND = "unfinished boards", "unfinished boards, reflected"


@dataclass(frozen=True)
class Cell:
    """The boards of a size and number of inner colours."""

    size: int
    inner_colors: int
    frame_colors: frozenset[int]
    #: The solutions beyond the planted one of the finished boards, as published.
    more: tuple[int, ...]
    boards: int
    #: What Owen's model expects for a random set (the mean), and how many exchanges on the frame are expected.
    expected: float
    exchanges: float
    #: The median of the predicted seconds of a count.
    seconds: float


@cache
def cells() -> tuple[Cell, ...]:
    """All sizes and numbers of colours."""
    prices = {row["board"]: row for row in table("prices.csv")}
    alike = dict[tuple[int, int], list[dict]]()
    for board in boards(SUITE):
        alike.setdefault((board["size"], board["inner_colors"]), []).append(board)
    return tuple(_cell(kind, those, prices) for kind, those in sorted(alike.items()))


def _cell(kind: tuple[int, int], those: list[dict], prices: dict[str, dict[str, str]]) -> Cell:
    priced = [prices[name_of(board)] for board in those if name_of(board) in prices]
    more = tuple(board["published_solutions"] for board in those if board["done"])
    frame = [_frame_colors(board) for board in those]
    return Cell(
        *kind,
        frozenset(frame),
        more,
        len(those),
        fmean(10 ** float(row["log10_solutions"]) for row in priced) if priced else nan,
        fmean(exchanges(kind[0], colors, kind[1]) for colors in frame),
        median(float(row["seconds"]) for row in priced) if priced else nan,
    )


def _frame_colors(board: dict) -> int:
    """The number of colours beside the border: those before and behind a side on the border."""
    pairs = chain.from_iterable(zip(sides, (*sides[1:], sides[0]), strict=True) for sides in board["pieces"])
    return len({color for pair in pairs if 0 in pair for color in pair} - {0})


@dataclass(frozen=True)
class Mean:
    """A mean, with its standard error, and what is expected."""

    boards: int
    mean: float
    error: float
    exchanges: float
    expected: float


def mean_of(chosen: list[Cell]) -> Mean:
    """The solutions beyond the planted one in cells, by boards."""
    more = [number for cell in chosen for number in cell.more]
    weighted = [(len(cell.more), cell) for cell in chosen]
    return Mean(
        len(more),
        fmean(more),
        stdev(more) / len(more) ** 0.5,
        sum(weight * cell.exchanges for weight, cell in weighted) / len(more),
        sum(weight * cell.expected for weight, cell in weighted) / len(more),
    )


def whole() -> list[Cell]:
    """The cells whose boards are all finished: in others, those with few solutions may be finished first."""
    return [cell for cell in cells() if len(cell.more) == cell.boards]


@dataclass(frozen=True)
class Pair:
    """What was predicted for a count, with its interval, and what was found; and the source of the row."""

    predicted: float
    low: float
    high: float
    actual: float
    source: str
    #: What is below this counts as this.
    least: float

    @property
    def place(self) -> int:
        """-1, 0 or 1: below, within or above the interval."""
        low, high, actual = (max(self.least, value) for value in (self.low, self.high, self.actual))
        return (actual > high) - (actual < low)


def known_pairs(what: str) -> list[Pair]:
    """The predictions of `nodes` or `seconds` that can be judged.

    They are those of the comparison, and those of the boards on which the intervals were judged.
    """
    counted = f"predicted_{what}", f"predicted_{what}_low", f"predicted_{what}_high", what
    judged = ("predicted", "low", "high") if what == "nodes" else ("seconds_predicted", "seconds_low", "seconds_high")
    rows = [(SECOND if row["way"].endswith("reflected") else FIRST, counted, row) for row in table("counts.csv")]
    rows += [("boards of all kinds", (*judged, what), row) for row in table("intervals.csv")]
    found = [
        Pair(*(float(row[column] or nan) for column in columns), source, _least(what, source))
        for source, columns, row in rows
    ]
    return [pair for pair in found if pair.predicted > 0 < pair.actual and max(pair.actual, pair.high) > pair.least]


def _least(what: str, source: str) -> float:
    if what == "nodes":
        return 0.0
    return SHORT if source == FIRST else NOTHING


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table of this folder; none if there is no file."""
    path = HERE / name
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
