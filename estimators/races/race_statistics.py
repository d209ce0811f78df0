"""The statistics of a race: how often each score was found, with intervals, and when a better one is to be expected.

The latter extrapolates the tail of the scores.  Of the trials with at least the score s, let a part p(s) reach s + 1.
The logarithm of p / (1 - p) is taken as linear in s for the best trials, and continued beyond the best score.  Such
a tail includes the geometric one and, in good approximation, that of the normal distribution.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from ...csp.search.best_score_race import Trial

_HOUR = 3600
# The ends of all intervals.
_LOW, _HIGH = 0.025, 0.975
# Fewer trials say nothing about the tail.  It is that of the better half of the trials, but of no more than this number
# (and others with the same score).
_FEWEST_TRIALS, _TAIL = 20, 400
# The mean and standard deviation of the level and the slope before any trial.
_MEAN, _DEVIATION = np.array([0.0, -0.6]), np.array([2.0, 0.6])
_STEPS, _DRAWS = 50, 4000


@dataclass(frozen=True)
class Rate:
    """A number of events, and how many there are an hour, with the ends of the 95 % interval."""

    number: int
    an_hour: float
    low: float
    high: float


@dataclass(frozen=True)
class AtScore:
    """How often a score was found."""

    #: The score.
    score: int
    #: The trials whose best boards have it.
    trials: Rate
    #: The kept boards that have it; None below the score from which boards are kept.
    boards: Rate | None


@dataclass(frozen=True)
class OfWay:
    """The trials along one order of squares: their number, their mean score, and how many have the best score of all.

    ``deviation`` is the standard error of the mean; None with fewer than two trials.
    """

    way: str
    trials: int
    mean: float | None
    deviation: float | None
    best: int | None
    at_best: int


@dataclass(frozen=True)
class BetterScore:
    """The seconds after which a better score is expected, on average, with the ends of the 95 % interval."""

    score: int
    seconds: float
    low: float
    high: float


@dataclass(frozen=True)
class RaceStatistics:
    """The statistics of a race; see `statistics_of`."""

    seconds: float
    trials: Rate
    cpu_seconds: float
    nodes: int
    scores: tuple[AtScore, ...]
    ways: tuple[OfWay, ...]
    better: BetterScore | None

    @property
    def best(self) -> int | None:
        """The best score; None without a full board."""
        return self.scores[0].score if self.scores else None


def statistics_of(
    trials: Sequence[Trial], seconds: float, boards: Mapping[int, Sequence[int]], max_score: int
) -> RaceStatistics:
    """The statistics of a race.

    - `seconds`: the time that the race has taken so far.
    - `boards`: for each score from which boards are kept, how many boards each trial has found that no other one had
      found.
    - `max_score`: the number of joins.
    """
    scores = Counter(trial.score for trial in trials if trial.score is not None)
    rows = tuple(
        AtScore(score, rate([1] * scores[score], seconds), rate(boards[score], seconds) if score in boards else None)
        for score in sorted(scores.keys() | boards.keys(), reverse=True)
    )
    return RaceStatistics(
        seconds,
        rate([1] * len(trials), seconds),
        sum(trial.cpu_seconds for trial in trials),
        sum(trial.nodes for trial in trials),
        rows,
        tuple(_of_ways(trials)),
        _better(scores, len(trials), seconds, max_score),
    )


def rate(sizes: Sequence[int], seconds: float) -> Rate:
    """The rate of things that come in groups of these sizes, with its exact Poisson interval.

    Things of a group are not independent.  The interval is that of as many independent things as have the same relative
    variance (Kish 1965): all of them if each group has one, fewer if groups are larger.
    """
    number, squares, hours = sum(sizes), sum(size * size for size in sizes), seconds / _HOUR
    if not hours:
        return Rate(number, 0.0, 0.0, np.inf)
    independent = number * number / squares if squares else 0.0
    weight = number / independent if independent else 1.0
    low = float(gammaincinv(independent, _LOW)) if independent else 0.0
    high = float(gammaincinv(independent + 1, _HIGH))
    return Rate(number, number / hours, weight * low / hours, weight * high / hours)


def _of_ways(trials: Iterable[Trial]) -> Iterable[OfWay]:
    """The trials by their orders of squares, in the order of their first trials."""
    by_way: dict[str, list[Trial]] = {}
    for trial in sorted(trials, key=lambda trial: trial.number):
        by_way.setdefault(trial.way, []).append(trial)
    best = max((trial.score or 0 for way in by_way.values() for trial in way), default=0)
    for way, those in by_way.items():
        scores = [trial.score for trial in those if trial.score is not None]
        deviation = float(np.std(scores, ddof=1) / len(scores) ** 0.5) if len(scores) > 1 else None
        yield OfWay(
            way, len(those), mean(scores) if scores else None, deviation, max(scores, default=None), scores.count(best)
        )


def _better(scores: Mapping[int, int], trials: int, seconds: float, max_score: int) -> BetterScore | None:
    """When the next better score is to be expected; None if it is too early to say, or no score is better."""
    if not scores or max(scores) >= max_score or not seconds:
        return None
    parts = tail_draws(scores, trials)
    if parts is None:
        return None
    low, middle, high = np.quantile(seconds / trials / parts, [_LOW, 0.5, _HIGH])
    return BetterScore(max(scores) + 1, float(middle), float(low), float(high))


def tail_draws(scores: Mapping[int, int], trials: int, beyond: int = 1) -> NDArray[Any] | None:
    """Draws of the part of all trials that reach the best score plus `beyond`, given the trials by their scores.

    They are drawn from the approximate posterior distribution, always the same.

    - `scores`: the number of trials with each score.
    - `trials`: the number of all trials, including those without a score.

    Returns None if the trials say nothing about the tail.
    """
    best, number = max(scores, default=0), sum(scores.values())
    if number < _FEWEST_TRIALS:
        return None
    wanted, least, above = min(number / 2, _TAIL), best, scores[best]
    while above < wanted:
        least -= 1
        above += scores.get(least, 0)
    levels = np.arange(least, best + 1)
    reached = np.array([sum(number for score, number in scores.items() if score >= level) for level in levels])
    going_on = np.append(reached[1:], 0)
    center = float(best)
    mode, covariance = _posterior(levels - center, reached, going_on)
    chance = np.random.default_rng(0)
    drawn = chance.multivariate_normal(mode, covariance, _DRAWS)
    share = chance.beta(reached[0] + 0.5, trials - reached[0] + 0.5, _DRAWS)
    for level in np.arange(least, best + beyond) - center:
        share = share * _logistic(drawn[:, 0] + drawn[:, 1] * level)
    return share


def _logistic(number: NDArray[Any]) -> NDArray[Any]:
    return 1 / (1 + np.exp(-number))


def _posterior(
    levels: NDArray[Any], reached: NDArray[Any], going_on: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The mode of level and slope, and their covariance there, by Newton's method."""
    design = np.stack([np.ones_like(levels), levels], axis=1)
    mode, precision = _MEAN.copy(), np.diag(_DEVIATION**-2)
    curvature = precision
    for _ in range(_STEPS):
        parts = _logistic(design @ mode)
        slope = design.T @ (going_on - reached * parts) - precision @ (mode - _MEAN)
        curvature = design.T @ (design * (reached * parts * (1 - parts))[:, None]) + precision
        step = np.linalg.solve(curvature, slope)
        # A long step may lead away from the mode.
        mode = mode + step / max(1.0, float(np.abs(step).max()))
    return mode, np.linalg.inv(curvature)
