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
    """A line fitted to points: y = intercept + slope x.

    Parameters
    ----------
    intercept, slope
        The line.
    intercept_error, slope_error
        Their standard errors.
    spread
        The standard deviation of the points about the line.
    number, censored
        How many points, and how many of them are lower bounds of their y.
    r_squared
        How much of the variance of y the line explains.
    """

    intercept: float
    slope: float
    intercept_error: float
    slope_error: float
    spread: float
    number: int
    censored: int
    r_squared: float

    def at(self, x: float) -> float:
        """The y of the line."""
        return self.intercept + self.slope * x


def fit_line(x: ArrayLike, y: ArrayLike, censored: ArrayLike | None = None) -> Line:
    """The line through points, some of which are lower bounds.

    Without lower bounds by least squares; with them the line of greatest likelihood in the censored normal model
    (Tobin 1958), found by expectation and maximisation in turns (Schmee and Hahn 1979), its errors from the observed
    information.

    Parameters
    ----------
    x, y
        The points.
    censored
        Whether the true y is known only to be greater.

    Raises
    ------
    ValueError
        If the points that are no lower bounds have fewer than three different x.

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
    # About its mean, x has errors that do not depend on each other.
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
    """The mean with its confidence interval by Student's t: mean, low, high; one value bounds nothing.

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
    """The value below which such a part lies, between two values in proportion; some values may be infinite.

    Examples
    --------
    >>> quantile([1.0, 2.0, float("inf")], 0.5), quantile([1.0, 2.0, float("inf")], 0.75)
    (2.0, inf)
    """
    low, high = (float(np.quantile(values, part, method=side)) for side in ("lower", "higher"))
    # Numpy takes infinity from infinity, or nothing of it, for no number.
    return high if low == high or high == inf else float(np.quantile(values, part))


def _unbiased(number: int) -> float:
    """By what a most likely variance about a line is too small."""
    return number / (number - 2)


def _least_squares(design: Floats, y: Floats) -> tuple[Floats, float]:
    """Coefficients, and the most likely spread."""
    coefficients = _solved(design, y)
    return coefficients, float(np.sqrt(np.mean((y - design @ coefficients) ** 2)))


def _solved(design: Floats, y: Floats) -> Floats:
    return np.asarray(np.linalg.lstsq(design, y, rcond=None)[0], dtype=np.float64)


def _most_likely(design: Floats, y: Floats, bounds: Flags) -> tuple[Floats, float]:
    """The same in the censored model."""
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
    """The covariance of the coefficients: of the inverse of the information, their part.

    The logarithm of the likelihood of each point is a function of z = (y - mean) / spread, less that of the spread for
    one that is no bound; the third parameter is the logarithm of the spread.
    """
    z = (y - design @ coefficients) / spread
    hazard = _hazard(z)
    first = np.where(bounds, -hazard, -z)
    second = np.where(bounds, -hazard * (hazard - z), -1.0)
    slopes = np.column_stack((-design / spread, -z))
    information = -(slopes.T * second) @ slopes
    # Of the second derivatives of z, those by a coefficient add up to 0 where the likelihood is greatest.
    information[2, 2] -= first @ z
    return np.asarray(np.linalg.pinv(information)[:2, :2], dtype=np.float64)


def _hazard(z: Floats) -> Floats:
    """Density over upper tail of the normal distribution."""
    from scipy.special import erfcx

    return np.asarray(sqrt(2 / pi) / erfcx(z / sqrt(2)), dtype=np.float64)
