"""Lines and intervals against planted truths and known tables."""

from math import erfc, inf, isclose, log, pi, sqrt
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.estimators.experiments.analysis.fitting import fit_line, mean_interval, quantile

floats = st.floats(-100, 100)


def _planted(seed, number=60, spread=0.4):
    """Points about y = 1 + x / 2."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, number)
    return x, 1 + x / 2 + rng.normal(0, spread, number)


@pytest.mark.parametrize(
    ("level", "number", "value"),
    [(0.95, 2, 12.7062), (0.95, 3, 4.3027), (0.95, 10, 2.2622), (0.95, 30, 2.0452), (0.99, 11, 3.1693),
     (0.9, 6, 2.0150), (0.95, 10**6, 1.9600)],
)  # fmt: skip
def test_half_an_interval_is_a_quantile_of_student_by_the_tables(level, number, value):
    values = np.arange(number) / number
    mean, low, high = mean_interval(values.tolist(), level)
    error = values.std(ddof=1) / sqrt(number)
    assert [(mean - low) / error, (high - mean) / error] == pytest.approx([value, value], abs=5e-5)


def test_the_interval_of_a_mean_covers_it_as_often_as_it_says():
    """Of 400 samples of six, the interval misses the true mean in about 20; a normal quantile would miss in 40."""
    rng = np.random.default_rng(8)
    intervals = [mean_interval(rng.normal(3, 2, 6).tolist()) for _ in range(400)]
    covered = sum(low <= 3 <= high for _, low, high in intervals)
    assert 370 <= covered <= 392
    assert all(isclose(mean - low, high - mean) for mean, low, high in intervals)


def test_one_value_bounds_nothing():
    assert mean_interval([2.5]) == (2.5, -inf, inf)


def test_a_line_by_hand():
    """x 0 1 2 3, y 0 2 1 3: slope 0.8, intercept 0.3, residuals' squares 1.8, so spread and errors follow."""
    line = fit_line([0, 1, 2, 3], [0, 2, 1, 3])
    spread = sqrt(1.8 / 2)
    expected = 0.3, 0.8, spread * sqrt(1 / 4 + 1.5**2 / 5), spread / sqrt(5), spread, 1 - 1.8 / 5
    found = line.intercept, line.slope, line.intercept_error, line.slope_error, line.spread, line.r_squared
    assert found == pytest.approx(expected)
    assert (line.number, line.censored, line.at(2)) == (4, 0, pytest.approx(1.9))


@given(st.lists(st.tuples(floats, floats), min_size=3, max_size=20, unique_by=lambda point: round(point[0])))
def test_no_other_line_leaves_smaller_squares(points):
    x, y = np.array(points).T
    line = fit_line(x, y)
    left = np.sum((y - line.intercept - line.slope * x) ** 2)
    for up, steeper in ((0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1)):
        assert left <= np.sum((y - line.intercept - up - (line.slope + steeper) * x) ** 2)


def test_a_planted_line_lies_within_its_errors():
    """Over 200 samples the errors are as large as they say."""
    lines = [fit_line(*_planted(seed)) for seed in range(200)]
    for off in ([(line.slope - 0.5) / line.slope_error for line in lines],
                [(line.intercept - 1) / line.intercept_error for line in lines]):  # fmt: skip
        assert abs(fmean(off)) < 0.25
        assert 0.85 < np.std(off) < 1.2
    assert fmean(line.spread for line in lines) == pytest.approx(0.4, rel=0.05)


def test_a_line_through_lower_bounds_finds_what_the_others_alone_miss():
    """Points cut off at 4.5: least squares on those below is too flat in nearly every sample, the censored line is not.

    Taking the bounds for values would be too flat as well.
    """
    off, alone, taken = [], [], []
    for seed in range(100):
        x, y = _planted(seed)
        bounds = y > 4.5
        cut = np.minimum(y, 4.5)
        line, below, as_values = fit_line(x, cut, bounds), fit_line(x[~bounds], y[~bounds]), fit_line(x, cut)
        off.append((line.slope - 0.5) / line.slope_error)
        alone.append((below.slope - 0.5) / below.slope_error)
        taken.append((as_values.slope - 0.5) / as_values.slope_error)
        assert (line.number, line.censored) == (60, bounds.sum())
    assert abs(fmean(off)) < 0.3
    assert 0.8 < np.std(off) < 1.25
    assert fmean(alone) < -1
    assert fmean(taken) < -3


def test_the_censored_line_is_where_the_likelihood_is_greatest():
    """And its errors are those of the second derivatives, taken by differences."""
    x, y = _planted(3, 40)
    bounds = y > 4
    y = np.minimum(y, 4)
    line = fit_line(x, y, bounds)
    spread = line.spread / sqrt(40 / 38)

    def likelihood(intercept, slope, log_spread):
        z = (y - intercept - slope * x) / np.exp(log_spread)
        tails = [log(erfc(value / sqrt(2)) / 2) for value in z[bounds]]
        return float(np.sum(-(z[~bounds] ** 2) / 2 - log_spread - log(2 * pi) / 2)) + sum(tails)

    at = np.array([line.intercept, line.slope, np.log(spread)])
    step = 1e-4
    units = np.eye(3) * step
    for unit in units:
        assert likelihood(*at) > max(likelihood(*(at + 50 * unit)), likelihood(*(at - 50 * unit)))
    second = np.array([
        [likelihood(*(at + u + v)) - likelihood(*(at + u - v)) - likelihood(*(at - u + v)) + likelihood(*(at - u - v))
         for u in units] for v in units
    ]) / (4 * step**2)  # fmt: skip
    errors = np.sqrt(np.diag(np.linalg.inv(-second)))[:2]
    assert (line.intercept_error, line.slope_error) == pytest.approx(errors, rel=1e-3)


def test_lower_bounds_below_an_exact_line_change_nothing():
    line = fit_line([0, 1, 2, 3, 4], [1, 3, 5, 7, 2], [False] * 4 + [True])
    assert (line.intercept, line.slope) == pytest.approx((1, 2))


@pytest.mark.parametrize("censored", [None, [False, False, True, True]])
def test_two_places_make_no_line(censored):
    x = [1, 1, 2, 2] if censored is None else [1, 2, 3, 4]
    with pytest.raises(ValueError, match="three different x"):
        fit_line(x, [1, 2, 3, 4], censored)


@given(st.lists(floats, min_size=1), st.floats(0, 1))
def test_quantiles_are_those_of_numpy(values, part):
    assert quantile(values, part) == pytest.approx(float(np.quantile(values, part)), abs=1e-9)


def test_quantiles_beyond_the_limit():
    """Where numpy would say that infinity less infinity is not a number."""
    assert quantile([3, inf, inf, inf], 0.75) == inf
    assert quantile([1, 2, inf], 0.5) == 2
    assert quantile([1, inf], 0.5) == inf
