"""Predicted quantities that are not known exactly: a median, and an interval that holds the value with 90 %."""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

#: The part of all cases that an interval is to hold.
CONFIDENCE = 0.9
#: Of a normal distribution, the distance of the interval's ends from the median in standard deviations.
ENDS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
# So many quantiles stand for a distribution; fewer where pairs of two are looked at, or a third one.
_QUANTILES, _FEW, _EXPONENTIAL = 200, 40, 20
_ENDS_AND_MEDIAN = ((1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Spread:
    """A positive quantity as decimal logarithms.

    Parameters
    ----------
    low, median, high
        The decimal logarithms of the ends of the 90 % interval and of the median.

    Examples
    --------
    >>> half_a_minute = lognormal(1.5, 0.2)
    >>> round(half_a_minute.at_median), round(half_a_minute.plus(30).at_median)
    (32, 62)
    """

    low: float
    median: float
    high: float

    @property
    def at_median(self) -> float:
        """The median itself, at most 1e300."""
        return _power(self.median)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval themselves, each at most 1e300."""
        return _power(self.low), _power(self.high)

    @property
    def deviation(self) -> float:
        """The standard deviation of the decimal logarithm, as that of a lognormal quantity."""
        return (self.high - self.low) / (2 * ENDS)

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """So many equally likely values, the tails on both sides as those of lognormal quantities."""
        normal = _normal(_FEW)
        ends = np.where(normal > 0, self.high - self.median, self.median - self.low)
        return 10.0 ** np.minimum(self.median + normal / ENDS * ends, 300.0)

    @property
    def mean(self) -> float:
        """What is to be expected on average: wide intervals cost more than narrow ones."""
        return float(self.quantiles.mean())

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Spread":
        """That of equally likely values."""
        low, median, high = np.quantile(np.log10(values), _ENDS_AND_MEDIAN).tolist()
        return cls(low, median, high)

    def widened(self, deviation: float) -> "Spread":
        """The product with a quantity about 1 whose decimal logarithm has a standard deviation."""
        more = ENDS * deviation
        low, high = hypot(self.median - self.low, more), hypot(self.high - self.median, more)
        return Spread(self.median - low, self.median, self.median + high)

    def plus(self, known: float) -> "Spread":
        """The sum with a known number that is not negative."""
        if not known:
            return self
        return Spread(*(float(np.log10(_power(end) + known)) for end in (self.low, self.median, self.high)))

    def at_least(self, least: float) -> "Spread":
        """The same, if no less is possible."""
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

    The solutions are taken to lie anywhere in the tree: `planted` ones, and a random number of others (Poisson).  Many
    solutions lie in clusters, between which there is nothing for long (heavy tails: Gomes, Selman, Crato and Kautz
    2000).  So the nodes until the first of many are taken to be more by a number of powers of ten that has an
    exponential distribution, whose mean is `clustering` times the square root of `others`.

    Parameters
    ----------
    nodes
        The decimal logarithm of the nodes of the whole tree.
    planted
        How many solutions there are for certain.
    others
        The decimal logarithm of the number of others that is to be expected, which may be beyond any float.
    deviation
        The standard deviation of the decimal logarithm of the true number of nodes about the predicted one.
    clustering
        How much solutions cluster.

    Examples
    --------
    One solution, somewhere in a tree of a million nodes:

    >>> found = until_found(6.0, 1, -float("inf"), 0.0)
    >>> round(found.at_median, -4), round(found.interval[1], -4)
    (500000.0, 950000.0)
    """
    return _until_found(planted, others, deviation, clustering).times(nodes)


# The same solutions are looked for along many orders.
@lru_cache(maxsize=64)
def _until_found(planted: int, others: float, deviation: float, clustering: float) -> Spread:
    """The part of the tree that is searched until its first solution."""
    parts = _parts_searched(planted, others)
    more = clustering * sqrt(max(others, 0.0))
    if more:
        # Not more than the whole tree.
        parts = np.minimum(parts[:, None] - more * np.log(1 - _levels(_EXPONENTIAL))[None, :], 0.0).ravel()
    sums = (parts[:, None] + deviation * _normal(_FEW if more else _QUANTILES)[None, :]).ravel()
    return Spread(*np.quantile(sums, _ENDS_AND_MEDIAN).tolist())


def _parts_searched(planted: int, others: float) -> NDArray[np.float64]:
    """Quantiles of the part of the tree that is searched until the first solution, all of it if there is none.

    They are decimal logarithms.
    """
    chances = _levels(_QUANTILES)
    # No solution lies in the first part x with the chance (1 - x)^planted exp(-expected x).
    low, high = np.full(_QUANTILES, (0.0 if others < 0 else -others) - 10), np.zeros(_QUANTILES)
    for _ in range(60):
        middle = (low + high) / 2
        expected = 10.0 ** np.minimum(middle + others, 300.0)
        none = (1 - 10.0**middle) ** planted * np.exp(-expected)
        low, high = np.where(none > 1 - chances, middle, low), np.where(none > 1 - chances, high, middle)
    return high


@cache
def _levels(number: int) -> NDArray[np.float64]:
    """The middles of so many equal parts of 0 to 1."""
    return (np.arange(number) + 0.5) / number


@cache
def _normal(number: int) -> NDArray[np.float64]:
    """So many quantiles of the normal distribution."""
    return np.array([NormalDist().inv_cdf(level) for level in _levels(number).tolist()])


def _power(exponent: float) -> float:
    return 10.0 ** min(exponent, 300.0)
