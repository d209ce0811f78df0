"""A way to a goal: an engine, its options, and the predicted cost, with uncertainty: a median and a 90 % interval."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import erfc, hypot, inf, log, log10, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.engines.portfolio_members import Member
from ..effort.search_effort import Plan

#: The default solver of engines that offer a choice.
USUAL_SOLVERS = {"sat": "sat:cadical195", "maxsat": "maxsat:rc2"}

#: The coverage of an interval.
CONFIDENCE = 0.9
#: The distance of the interval's ends from the median of a normal distribution, in standard deviations.
ENDS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
# The numbers of quantiles that represent a distribution: alone, in pairs, and in triples.
_QUANTILES, _FEW, _EXPONENTIAL = 200, 40, 20
_ENDS_AND_MEDIAN = ((1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2)
# This many standard deviations beyond the median, probabilities are too small for a float.
_FAR = 30.0
_LEAST_DEVIATION = 1e-6
#: The standard deviation of the decimal logarithm of the time of the same work, due to other load on the machine.
_UNEVEN = 0.1


@dataclass(frozen=True)
class Spread:
    """A positive quantity as decimal logarithms.

    Examples
    --------
    >>> half_a_minute = lognormal(1.5, 0.2)
    >>> round(half_a_minute.at_median), round(half_a_minute.plus(30).at_median)
    (32, 62)
    """

    #: The decimal logarithms of the ends of the 90 % interval and of the median.
    low: float
    median: float
    high: float

    @property
    def at_median(self) -> float:
        """The median as a number, at most 1e300."""
        return _power(self.median)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval as numbers, each at most 1e300."""
        return _power(self.low), _power(self.high)

    @property
    def deviation(self) -> float:
        """The standard deviation of the decimal logarithm, as for a lognormal quantity."""
        return (self.high - self.low) / (2 * ENDS)

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """Equally likely values; each tail is that of a lognormal quantity."""
        normal = _normal(_FEW)
        ends = np.where(normal > 0, self.high - self.median, self.median - self.low)
        return 10.0 ** np.minimum(self.median + normal / ENDS * ends, 300.0)

    @property
    def mean(self) -> float:
        """The mean; wide intervals have a larger mean than narrow ones with the same median."""
        return float(self.quantiles.mean())

    def median_beyond(self, passed: float) -> float:
        """The median if the quantity is known to be greater than a positive number.

        On each side of its median the decimal logarithm is assumed to be normally distributed.

        Examples
        --------
        If the median is 100 and the quantity is known to be greater than 100, the new median is the upper quartile:

        >>> round(Spread(1.0, 2.0, 3.0).median_beyond(100.0))
        257
        """
        distance = log10(passed) - self.median

        def deviation(side: float) -> float:
            return max((self.high - self.median if side > 0 else self.median - self.low) / ENDS, _LEAST_DEVIATION)

        at = distance / deviation(distance)
        # The tail falls off like exp(-at * excess).
        beyond = at + log(2) / at if at > _FAR else -NormalDist().inv_cdf(erfc(at / sqrt(2)) / 4)
        exponent = self.median + beyond * deviation(beyond)
        return 10.0**exponent if exponent < 300 else inf

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Spread":
        """The spread of equally likely values."""
        low, median, high = np.quantile(np.log10(values), _ENDS_AND_MEDIAN).tolist()
        return cls(low, median, high)

    def widened(self, deviation: float) -> "Spread":
        """The product with a quantity of median 1 whose decimal logarithm has the standard deviation `deviation`."""
        more = ENDS * deviation
        low, high = hypot(self.median - self.low, more), hypot(self.high - self.median, more)
        return Spread(self.median - low, self.median, self.median + high)

    def plus(self, known: float) -> "Spread":
        """The sum with a known non-negative number."""
        if not known:
            return self
        return Spread(*(float(np.log10(_power(end) + known)) for end in (self.low, self.median, self.high)))

    def at_least(self, least: float) -> "Spread":
        """The same, with all values raised to at least `least`."""
        bound = float(np.log10(least)) if least else -np.inf
        return Spread(*(max(end, bound) for end in (self.low, self.median, self.high)))

    def times(self, log: float) -> "Spread":
        """The product with a known number, given as its decimal logarithm."""
        return Spread(self.low + log, self.median + log, self.high + log)


def lognormal(median: float, deviation: float) -> Spread:
    """A quantity whose decimal logarithm is normally distributed."""
    return Spread(median - ENDS * deviation, median, median + ENDS * deviation)


def until_found(nodes: float, planted: int, others: float, deviation: float, clustering: float = 0.0) -> Spread:
    """The nodes of a search until its first solution.

    The solutions are assumed to be uniform in the tree: `planted` ones, and a random number of others (Poisson).  If
    there are many solutions, they lie in clusters with large gaps (heavy tails: Gomes, Selman, Crato and Kautz 2000).
    So the decimal logarithm of the nodes until the first one gets an exponentially distributed addend, whose mean is
    `clustering` times the square root of `others`.

    `nodes` of the whole tree and `others` are decimal logarithms; `deviation` is the standard deviation of that of the
    true number of nodes around the predicted one.

    Examples
    --------
    One solution, somewhere in a tree of a million nodes:

    >>> found = until_found(6.0, 1, -float("inf"), 0.0)
    >>> round(found.at_median, -4), round(found.interval[1], -4)
    (500000.0, 950000.0)
    """
    return _until_found(planted, others, deviation, clustering).times(nodes)


# Many orders share the same arguments.
@lru_cache(maxsize=64)
def _until_found(planted: int, others: float, deviation: float, clustering: float) -> Spread:
    """The fraction of the tree that is searched until its first solution."""
    parts = _parts_searched(planted, others)
    more = clustering * sqrt(max(others, 0.0))
    if more:
        # At most the whole tree.
        parts = np.minimum(parts[:, None] - more * np.log(1 - _levels(_EXPONENTIAL))[None, :], 0.0).ravel()
    sums = (parts[:, None] + deviation * _normal(_FEW if more else _QUANTILES)[None, :]).ravel()
    return Spread(*np.quantile(sums, _ENDS_AND_MEDIAN).tolist())


def _parts_searched(planted: int, others: float) -> NDArray[np.float64]:
    """Quantiles of the fraction of the tree searched until the first solution, as decimal logarithms.

    Without a solution, that is the whole tree.
    """
    chances = _levels(_QUANTILES)
    # The probability that the first fraction x holds no solution is (1 - x)^planted exp(-expected x).
    low, high = np.full(_QUANTILES, (0.0 if others < 0 else -others) - 10), np.zeros(_QUANTILES)
    for _ in range(60):
        middle = (low + high) / 2
        expected = 10.0 ** np.minimum(middle + others, 300.0)
        none = (1 - 10.0**middle) ** planted * np.exp(-expected)
        low, high = np.where(none > 1 - chances, middle, low), np.where(none > 1 - chances, high, middle)
    return high


@cache
def _levels(number: int) -> NDArray[np.float64]:
    """The midpoints of `number` equal parts of the interval from 0 to 1."""
    return (np.arange(number) + 0.5) / number


@cache
def _normal(number: int) -> NDArray[np.float64]:
    """The quantiles of the normal distribution at `number` levels."""
    return np.array([NormalDist().inv_cdf(level) for level in _levels(number).tolist()])


def _power(exponent: float) -> float:
    return 10.0 ** min(exponent, 300.0)


@dataclass(frozen=True)
class Way:
    """A way to a goal, with its predicted cost."""

    #: The engine's name.
    engine: str
    #: The options of the engine, and the prediction for the record.
    plan: Plan = field(repr=False)
    #: What distinguishes this way from others of the engine, as in ``order best`` or ``encoding pairs``; empty if the
    #: engine has only one.
    how: str = ""
    #: The predicted nodes until the goal is reached; None if not known, or if the engine does not count nodes.
    nodes: Spread | None = None
    #: The predicted seconds of search until the goal is reached; None if not known.
    search: Spread | None = None
    #: The seconds before the search: computing an order, tables or a model, compiling.
    setup: float = 0.0
    #: The predicted memory in MiB; None if not known.
    memory: float | None = None
    #: Why this way cannot reach the goal; None if it can.
    refusal: str | None = None
    #: Whether the engine maximises the score without proving that the result is optimal.
    races: bool = False
    #: The expected score of such an engine; None if not known.
    score: float | None = None
    #: The engines of a portfolio, each with its options.
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """The engine's name and `how`."""
        return f"{self.engine}, {self.how}" if self.how else self.engine

    @property
    def time(self) -> Spread | None:
        """The predicted seconds including set-up; None if not known."""
        return None if self.search is None else self.search.plus(self.setup).widened(_UNEVEN)

    @property
    def expected(self) -> float:
        """The mean of the predicted seconds, by which ways are sorted; infinite without a prediction."""
        return inf if self.time is None else self.time.mean

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts; larger numbers than 1e300 become 1e300."""
        return {
            "engine": self.engine,
            "how": self.how or None,
            "nodes": _record(self.nodes),
            "seconds": _record(self.time),
            "setup_seconds": round(self.setup, 4),
            "memory_mib": None if self.memory is None else round(self.memory),
            "score": self.score,
            "refused": self.refusal,
        }


def _record(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    low, high = spread.interval
    return {name: float(f"{value:.4g}") for name, value in (("median", spread.at_median), ("low", low), ("high", high))}
