"""Tones and colours of two pictures brought together, so that every piece can serve both."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from .lab import Lab

# The lightness of the darkest and the brightest areas, if the contrast is raised, and the most it is raised.
_DARKEST, _BRIGHTEST, _MOST_CONTRAST = 10, 90, 1.3
# The part of the way that lightness goes, and that colours go.
_STRENGTHS = (1.0, 0.8, 0.8)
_QUANTILES = np.linspace(0, 1, 257)


def matched(pictures: Sequence[Lab], pixels: int, shares: Sequence[float], strength: float = 1.0) -> tuple[Lab, ...]:
    """Pictures, each with its tones changed by increasing functions, one for each channel.

    - `pixels`: the side of a piece.
    - `shares`: the weights of their tones in the common ones; the sum is 1.
    - `strength`: the part of the way to common tones, 0 to 1.

    Notes
    -----
    Histograms are those of areas of about a third of a piece, because finer detail is hidden by a blend anyway.  The
    common histogram is the mean of all as quantiles, the Wasserstein mean of the distributions; where it has
    little contrast, the contrast is raised.
    """
    found = tuple(picture.copy() for picture in pictures)
    for channel in range(found[0].shape[2]):
        ranks = [_quantiles(picture[..., channel], pixels) for picture in pictures]
        common = np.average(ranks, axis=0, weights=shares)
        if channel == 0:
            common = _with_contrast(common)
        part = strength * _STRENGTHS[channel]
        for picture, own in zip(found, ranks, strict=True):
            tones = picture[..., channel]
            tones += part * (_mapped(tones, own, common) - tones)
        if channel == 0:
            for picture in found:
                np.clip(picture[..., 0], 0, 100, out=picture[..., 0])
    return found


def _quantiles(channel: NDArray[np.float32], pixels: int) -> NDArray[np.float64]:
    step = max(pixels // 8, 1)
    blurred = gaussian_filter(channel[::step, ::step], pixels / 3 / step, mode="nearest")
    # Strictly increasing, so that the map is a function.
    return np.quantile(blurred, _QUANTILES) + 1e-4 * np.arange(len(_QUANTILES))


def _with_contrast(common: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = common[2], common[-3]
    factor = min((_BRIGHTEST - _DARKEST) / max(high - low, 1.0), _MOST_CONTRAST)
    if factor <= 1:
        return common
    middle = np.clip((low + high) / 2, 50 - (50 - _DARKEST) * (2 - factor), 50 + (50 - _DARKEST) * (2 - factor))
    return middle + factor * (common - (low + high) / 2)


def _mapped(tones: NDArray[np.float32], own: NDArray[np.float64], common: NDArray[np.float64]) -> NDArray[np.float32]:
    """Own quantiles become common ones; tones beyond the quantiles keep half of their distance."""
    beyond = np.minimum(tones - own[0], 0) + np.maximum(tones - own[-1], 0)
    return (np.interp(tones, own, common) + 0.5 * beyond).astype(np.float32)
