"""A way's numbers are those of its search with set-up; spreads are what closed forms and random draws say."""

import random
from math import exp, hypot, inf, log, log10

import numpy as np
import pytest

from jigsat.estimators.ways.times import CONFIDENCE, Spread, lognormal, until_found

# Of a normal distribution 95 % lie below this many standard deviations (tables of the normal distribution).
ENDS = 1.644854
LEVELS = ((1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2)


def ends(spread):
    return spread.low, spread.median, spread.high


def test_lognormal():
    assert ends(lognormal(2.0, 0.0)) == (2.0, 2.0, 2.0)
    assert ends(lognormal(2.0, 0.5)) == pytest.approx((2 - 0.5 * ENDS, 2, 2 + 0.5 * ENDS))
    assert lognormal(3.0, 1.0).at_median == pytest.approx(1000)
    assert lognormal(3.0, 1.0).interval == pytest.approx((10 ** (3 - ENDS), 10 ** (3 + ENDS)))
    assert lognormal(400.0, 1.0).interval == (1e300, 1e300)


def test_widened_is_the_product_of_two_lognormal_quantities():
    """Whose deviations add up as the sides of a right-angled triangle do."""
    assert ends(lognormal(1.0, 0.3).widened(0.4)) == pytest.approx(ends(lognormal(1.0, 0.5)))
    low, median, high = ends(Spread(0.0, 1.0, 3.0).widened(0.2))
    assert (median - low, high - median) == pytest.approx((hypot(1, 0.2 * ENDS), hypot(2, 0.2 * ENDS)))
    assert median == 1


@pytest.mark.parametrize("deviation", [0.0, 0.1, 0.3])
def test_quantiles_and_mean_of_lognormal_quantities(deviation):
    """The mean is exp((deviation * ln 10)^2 / 2) times the median (closed form)."""
    spread = lognormal(2.0, deviation)
    assert spread.mean == pytest.approx(100 * exp((deviation * log(10)) ** 2 / 2), rel=0.05)
    # They lie evenly on both sides of the median.
    assert np.log10(spread.quantiles) + np.log10(spread.quantiles[::-1]) == pytest.approx(4.0)
    assert ends(Spread.of(spread.quantiles)) == pytest.approx(ends(spread), abs=0.12 * deviation)


@pytest.mark.parametrize("planted", [1, 2, 5])
def test_the_first_of_some_solutions_anywhere_in_the_tree(planted):
    """It lies in the first part x with the chance 1 - (1 - x)^planted (closed form)."""
    found = until_found(6.0, planted, -inf, 0.0)
    parts = [1e6 * (1 - (1 - level) ** (1 / planted)) for level in LEVELS]
    assert [10**end for end in ends(found)] == pytest.approx(parts, rel=0.05)


@pytest.mark.parametrize(
    ("planted", "expected", "deviation"), [(1, 0.0, 0.35), (1, 3.0, 0.35), (0, 2.0, 0.5), (2, 40.0, 0.2)]
)
def test_until_found_is_what_random_trees_show(planted, expected, deviation):
    """Solutions are dropped into trees of random size, and the first one is looked for."""
    chance, times = random.Random(1), []
    generator = np.random.default_rng(1)
    for _ in range(40_000):
        solutions = planted + int(generator.poisson(expected))
        first = min((chance.random() for _ in range(solutions)), default=1.0)
        times.append(7 + chance.gauss(0, deviation) + log10(first))
    drawn = np.quantile(times, LEVELS)
    assert ends(until_found(7.0, planted, log10(expected) if expected else -inf, deviation)) == pytest.approx(
        drawn, abs=0.04
    )


def test_more_solutions_than_any_float_has():
    """A tree of 10^500 nodes with 10^497 solutions: one in a thousand nodes."""
    (low, median, high), small = ends(until_found(500.0, 1, 497.0, 0.1)), ends(until_found(9.0, 0, 6.0, 0.1))
    assert (low, median, high) == pytest.approx(small, abs=1e-6)


def test_many_solutions_lie_in_clusters():
    """The mean of the powers of ten grows with the root of their number; never is it more than the whole tree."""
    plain, clustered = until_found(30.0, 1, 25.0, 0.0), until_found(30.0, 1, 25.0, 0.0, 0.2)
    # An exponential distribution of mean 0.2 * 5 has its median at log 2, its upper end at log 20.
    assert clustered.median - plain.median == pytest.approx(log(2), abs=0.1)
    assert 2 < clustered.high - plain.high < log(20)
    assert clustered.low < clustered.median - 0.5
    assert until_found(3.0, 1, 2.5, 0.0, 50.0).high <= 3.0 + 1e-9
    assert until_found(9.0, 1, -1.0, 0.3, 0.2) == until_found(9.0, 1, -1.0, 0.3)
