"""How often a better score is to be expected: an extrapolation of the tail of the scores so far.

Of the trials with at least the score s, let a part p(s) reach s + 1.  The logarithm of p / (1 - p) is taken as linear
in s for the best trials, and continued beyond the best score.  Such a tail includes the geometric one and, in good
approximation, that of the normal distribution.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Fewer trials say nothing about the tail.  It is that of the better half of the trials, but of no more than this number
# (and others with the same score).
_FEWEST_TRIALS, _TAIL = 20, 400
# The mean and standard deviation of the level and the slope before any trial.
_MEAN, _DEVIATION = np.array([0.0, -0.6]), np.array([2.0, 0.6])
_STEPS, _DRAWS = 50, 4000


def tail_draws(scores: Mapping[int, int], trials: int, beyond: int = 1) -> NDArray[Any] | None:
    """Draws of the part of all trials that reach the best score plus `beyond`, given the trials by their scores.

    They are drawn from the approximate posterior distribution, always the same.

    Parameters
    ----------
    scores
        The number of trials with each score.
    trials
        The number of all trials, including those without a score.

    Returns
    -------
    array or None
        None if the trials say nothing about the tail.
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
