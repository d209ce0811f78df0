"""Artwork with the least visible error in all assemblies.

The eye compares local contrast rather than tones, at several scales, and forgives much where there is much to see.  The
structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004) has these properties.  So lightness is found by
maximising the importance-weighted sum, over all assemblies and over windows of several sizes, of the similarity of
structure, minus the squared error of the window's mean.  Windows extend across the borders of pieces.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter
from scipy.optimize import minimize

from ..raster import Integers
from .importance import Weights
from .lab import Lab

Layer = NDArray[np.floating]

# The sides of windows, as parts of a piece; the constant of SSIM, and the square of an error of a mean that costs as
# much as all structure.
_WINDOWS, _FLAT, _MEAN = (1 / 4, 2 / 3, 5 / 4), 36.0, 400.0
_STEPS = 25


@dataclass(frozen=True, eq=False)
class WeightedPicture:
    """What an assembly should show: a picture, and the weight of each pixel."""

    picture: Lab
    weights: Weights


def weighted_mean(wanted: Sequence[WeightedPicture], there: Sequence[Integers]) -> Lab:
    """The artwork in the first assembly with the least weighted sum of squared errors.

    - `wanted`: what the assemblies should show; a pixel must have a weight above 0 in one of them.
    - `there`: the position of each pixel of the first assembly in each other one.
    """
    weights = [wanted[0].weights, *(_back(each.weights, to) for each, to in zip(wanted[1:], there, strict=True))]
    tones = [wanted[0].picture, *(_back(each.picture, to) for each, to in zip(wanted[1:], there, strict=True))]
    total = sum(weights)
    mean = sum((weight / total)[..., None] * tone for weight, tone in zip(weights, tones, strict=True))
    return np.asarray(mean, np.float32)


def seen_blend(
    wanted: Sequence[WeightedPicture],
    there: Sequence[Integers],
    pixels: int,
    must_stop: Callable[[], bool] = lambda: False,
) -> Lab:
    """The artwork in the first assembly with the least visible error.

    - `wanted`, `there`: as for `weighted_mean`.
    - `pixels`: the side of a piece.
    - `must_stop`: is called often; returns whether to take the best artwork so far.

    Returns
    -------
    The artwork; its colours are those of the weighted mean.
    """
    artwork = weighted_mean(wanted, there)
    windows = sorted({2 * round(part * pixels / 2) + 1 for part in _WINDOWS})

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        shown = values.reshape(artwork.shape[:2]).astype(np.float32)
        total, slope = 0.0, np.zeros_like(shown)
        for target, to in zip(wanted, (None, *there), strict=True):
            moved = shown
            if to is not None:
                moved = np.empty_like(shown)
                moved.reshape(-1)[to] = shown.reshape(-1)
            for window in windows:
                value, own = similarity(moved, target.picture[..., 0], target.weights, window)
                total -= value
                slope -= own if to is None else _back(own, to)
        return total, slope.reshape(-1).astype(np.float64)

    best = artwork[..., 0]

    def note(values: NDArray[np.float64]) -> None:
        nonlocal best
        best = values.reshape(best.shape).astype(np.float32)
        if must_stop():
            raise StopIteration  # which ends the minimisation

    start = artwork[..., 0].reshape(-1).astype(np.float64)
    limits = {"maxiter": _STEPS, "maxcor": 6}
    bounds = [(0, 100)] * len(start)
    minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, callback=note, options=limits)
    artwork[..., 0] = best
    return artwork


def similarity(shown: Layer, wanted: Layer, weights: Layer, window: int) -> tuple[float, Layer]:
    """The weighted sum over all windows, and its derivative by each shown tone; `window` is an odd number."""
    ones = uniform_filter(np.ones_like(shown), window, mode="constant")

    def mean(layer: Layer) -> Layer:
        return uniform_filter(layer, window, mode="constant") / ones

    def spread(layer: Layer) -> Layer:  # the transpose of `mean`
        return uniform_filter(layer / ones, window, mode="constant")

    m, n = mean(shown), mean(wanted)
    top = 2 * (mean(shown * wanted) - m * n) + _FLAT
    bottom = mean(shown**2) - m**2 + mean(wanted**2) - n**2 + _FLAT
    off = m - n
    by_top, by_bottom = 2 * weights / bottom, -weights * top / bottom**2
    value = float((weights * (top / bottom - off**2 / _MEAN)).sum(dtype=np.float64))
    slope = wanted * spread(by_top) + 2 * shown * spread(by_bottom)
    slope -= spread(by_top * n + 2 * by_bottom * m + 2 * weights * off / _MEAN)
    return value, slope


def _back(layer: NDArray[np.float32], there: Integers) -> NDArray[np.float32]:
    """What another assembly has, where the first one has the same pixels."""
    return layer.reshape(len(there), -1)[there].reshape(layer.shape)
