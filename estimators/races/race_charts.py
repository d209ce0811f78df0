"""The figures of a race: scores over time, their distribution, and how often each was found."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...csp.files.races.race_table import RaceTable
from ..experiments.report.chart_style import BAD, COLORS, GOOD, NARROW, WIDE
from ..experiments.report.wording import shown
from .race_result import trial_word
from .race_statistics import RaceStatistics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HOUR = 3600
# More trials are drawn as a part of them, drawn at random but always the same.
_MOST_POINTS = 3000

#: The caption of each figure.
CAPTIONS: Mapping[str, str] = {
    "scores": (
        "The score of each {word} over the hours of the race, moved a little at random so that equal ones can be "
        "seen; the line is the best score so far."
    ),
    "distribution": "The number of {word}s with each score, on a logarithmic scale.",
    "rates": (
        "Boards and {word}s an hour at each score, with 95 % intervals (Poisson). Boards of one {word} are not "
        "independent, so the interval for boards is wider."
    ),
}


def scores(table: RaceTable, found: RaceStatistics) -> "Figure | None":
    """The scores of trials over time."""
    known = [(one.at / _HOUR, one.trial.score) for one in table.trials.values() if one.trial.score is not None]
    if not known:
        return None
    known.sort()
    hours, values = (np.array(column, dtype=float) for column in zip(*known, strict=True))
    chance = np.random.default_rng(0)
    shown = np.sort(chance.permutation(len(hours))[:_MOST_POINTS])
    figure, axes = _figure(WIDE)
    moved = values[shown] + chance.uniform(-0.3, 0.3, len(shown))
    axes.plot(hours[shown], moved, ".", color=COLORS[5], markersize=3, alpha=0.6)
    axes.step([*hours, found.seconds / _HOUR], [*np.maximum.accumulate(values), values.max()], color=BAD, where="post")
    axes.set(xlabel="hours of the race", ylabel="score")
    axes.yaxis.get_major_locator().set_params(integer=True)
    return figure


def distribution(table: RaceTable, found: RaceStatistics) -> "Figure | None":
    """The number of trials with each score."""
    numbers = Counter(one.trial.score for one in table.trials.values() if one.trial.score is not None)
    if not numbers:
        return None
    figure, axes = _figure(NARROW)
    axes.bar(list(numbers), list(numbers.values()), color=GOOD, width=0.8)
    axes.set(xlabel="score", ylabel="number")
    _count_of_powers(axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    return figure


def _count_of_powers(axes: Any) -> None:
    """Make the vertical axis logarithmic, with plain numbers."""
    from matplotlib.ticker import FuncFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(float(value)).replace("\u202f", " ")))
    axes.yaxis.set_minor_formatter(lambda value, _: "")


def rates(table: RaceTable, found: RaceStatistics) -> "Figure | None":
    """Boards and trials an hour at each score."""
    rows = [row for row in found.scores if row.trials.number or row.boards is not None]
    if not rows or not found.seconds:
        return None
    figure, axes = _figure(NARROW)
    of_trials = [(row.score, row.trials) for row in rows]
    of_boards = [(row.score, row.boards) for row in rows if row.boards is not None]
    for label, pairs, move, color, mark in (
        (f"{trial_word(table.head.engine)}s", of_trials, -0.1, GOOD, "o"),
        ("boards", of_boards, 0.1, BAD, "s"),
    ):
        pairs = [(score, rate) for score, rate in pairs if rate.number]
        heights = [rate.an_hour for _, rate in pairs]
        ends = [[rate.an_hour - rate.low for _, rate in pairs], [rate.high - rate.an_hour for _, rate in pairs]]
        places = [score + move for score, _ in pairs]
        axes.errorbar(places, heights, yerr=ends, fmt=mark, color=color, capsize=3, label=label)
    axes.set(xlabel="score", ylabel="an hour")
    _count_of_powers(axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend()
    return figure


#: The function that makes each figure; it returns None without data.
CHARTS: "Mapping[str, Callable[[RaceTable, RaceStatistics], Figure | None]]" = {
    "scores": scores,
    "distribution": distribution,
    "rates": rates,
}


def _figure(width: float) -> Any:
    """An empty figure of this width in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 3.4), layout="constrained")
    return figure, figure.subplots()
