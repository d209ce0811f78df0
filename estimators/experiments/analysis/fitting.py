"""Straight lines, means and quantiles with their errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FEWEST_X = 3
_ROUNDS = 5000
_CLOSE = 1e-10
# Spreads below this part of the values are rounding errors.
_LEAST_SPREAD = 1e-12


@dataclass(frozen=True)
class Line:
    """A line fitted to points: y = intercept + slope x."""

    #: The line.
    intercept: float
    slope: float
    #: Their standard errors.
    intercept_error: float
    slope_error: float
    #: The standard deviation of the points about the line.
    spread: float
    #: The number of points, and of those whose y is a lower bound.
    number: int
    censored: int
    #: The share of the variance of y that the line explains.
    r_squared: float

    def at(self, x: float) -> float:
        """The y of the line at `x`."""
        return self.intercept + self.slope * x


def fit_line(x: ArrayLike, y: ArrayLike, censored: ArrayLike | None = None) -> Line:
    """Fit a line to points, some of which may be lower bounds.

    Without lower bounds, the fit is by least squares.  With them, it is the maximum-likelihood line of the censored
    normal model (Tobin 1958), found by expectation-maximisation (Schmee and Hahn 1979); the errors are from the
    observed information.

    Parameters
    ----------
    x, y
        The points.
    censored
        Which y are only lower bounds.

    Raises ValueError if the points that are not lower bounds have fewer than three different x.

    Examples
    --------
    >>> line = fit_line([0, 1, 2, 3], [1, 3, 5, 7])
    >>> round(line.intercept, 6), round(line.slope, 6)
    (1.0, 2.0)
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    bounds = np.zeros(len(xs), dtype=bool) if censored is None else np.asarray(censored, dtype=bool)
    if len(np.unique(xs[~bounds])) < _FEWEST_X:
        raise ValueError("a line needs points at three different x")
    # With x relative to its mean, the errors of the coefficients are independent.
    middle = float(xs.mean())
    design = np.column_stack((np.ones(len(xs)), xs - middle))
    if bounds.any():
        coefficients, spread = _most_likely(design, ys, bounds)
        covariance = _covariance(design, ys, bounds, coefficients, spread)
    else:
        coefficients, spread = _least_squares(design, ys)
        covariance = np.linalg.inv(design.T @ design) * spread**2 * _unbiased(len(xs))
    to_origin = np.array([1.0, -middle])
    explained = float(np.sum((coefficients[1] * design[:, 1]) ** 2))
    total = explained + len(xs) * spread**2
    return Line(
        intercept=float(to_origin @ coefficients),
        slope=float(coefficients[1]),
        intercept_error=sqrt(max(float(to_origin @ covariance @ to_origin), 0.0)),
        slope_error=sqrt(max(float(covariance[1, 1]), 0.0)),
        spread=spread * sqrt(_unbiased(len(xs))),
        number=len(xs),
        censored=int(bounds.sum()),
        r_squared=explained / total if total > 0 else 0.0,
    )


def mean_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float, float]:
    """The mean with its confidence interval by Student's t: mean, low, high; infinite for a single value.

    Examples
    --------
    >>> [round(number, 3) for number in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.484, 4.484]
    """
    from scipy.special import stdtrit

    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, -inf, inf
    error = float(np.std(values, ddof=1)) / sqrt(len(values))
    half = float(stdtrit(len(values) - 1, (1 + level) / 2)) * error
    return mean, mean - half, mean + half


def quantile(values: Sequence[float] | Floats, part: float) -> float:
    """The quantile by linear interpolation; some values may be infinite.

    Examples
    --------
    >>> quantile([1.0, 2.0, float("inf")], 0.5), quantile([1.0, 2.0, float("inf")], 0.75)
    (2.0, inf)
    """
    low, high = (float(np.quantile(values, part, method=side)) for side in ("lower", "higher"))
    # NumPy returns nan if the interpolation uses infinity.
    return high if low == high or high == inf else float(np.quantile(values, part))


def _unbiased(number: int) -> float:
    """The factor by which the maximum-likelihood variance around a line is too small."""
    return number / (number - 2)


def _least_squares(design: Floats, y: Floats) -> tuple[Floats, float]:
    """The coefficients, and the maximum-likelihood spread."""
    coefficients = _solved(design, y)
    return coefficients, float(np.sqrt(np.mean((y - design @ coefficients) ** 2)))


def _solved(design: Floats, y: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(design, y, rcond=None)[0], dtype=np.float64)


def _most_likely(design: Floats, y: Floats, bounds: Flags) -> tuple[Floats, float]:
    """The coefficients and the spread in the censored model."""
    scale = max(1.0, float(np.abs(y).max()))
    least = _LEAST_SPREAD * scale
    coefficients, spread = _least_squares(design[~bounds], y[~bounds])
    spread = max(spread, least)
    for _ in range(_ROUNDS):
        means = design @ coefficients
        z = (y - means)[bounds] / spread
        hazard = _hazard(z)
        expected, variance = y.copy(), np.zeros(len(y))
        expected[bounds] = means[bounds] + spread * hazard
        variance[bounds] = spread**2 * np.maximum(1 + z * hazard - hazard**2, 0.0)
        after = _solved(design, expected)
        squares = float(np.mean((expected - design @ after) ** 2 + variance))
        change = float(np.abs(after - coefficients).max()) + abs(sqrt(squares) - spread)
        coefficients, spread = after, max(sqrt(squares), least)
        if change < _CLOSE * scale:
            break
    return coefficients, spread


def _covariance(design: Floats, y: Floats, bounds: Flags, coefficients: Floats, spread: float) -> Floats:
    """The covariance of the coefficients: their part of the inverse of the information.

    The log-likelihood of each point is a function of z = (y - mean) / spread, minus the logarithm of the spread unless
    the point is a bound.  The third parameter is the logarithm of the spread.
    """
    z = (y - design @ coefficients) / spread
    hazard = _hazard(z)
    first = np.where(bounds, -hazard, -z)
    second = np.where(bounds, -hazard * (hazard - z), -1.0)
    slopes = np.column_stack((-design / spread, -z))
    information = -(slopes.T * second) @ slopes
    # At the maximum of the likelihood, the terms with second derivatives of z by a coefficient add up to 0.
    information[2, 2] -= first @ z
    return np.asarray(np.linalg.pinv(information)[:2, :2], dtype=np.float64)


def _hazard(z: Floats) -> Floats:
    """The density of the normal distribution over its upper tail."""
    from scipy.special import erfcx

    return np.asarray(sqrt(2 / pi) / erfcx(z / sqrt(2)), dtype=np.float64)
