"""What matters in a picture: given by a mask, or found by what stands out."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import gaussian_filter, uniform_filter

from .lab import Lab

Weights = NDArray[np.float32]

# The importance of what does not stand out at all; what stands out most has one more.
_LEAST = 0.25
_SIZE = 64


def found_importance(picture: Lab) -> Weights:
    """The importance of each pixel, with mean 1: where a picture differs from what is usual in it.

    Notes
    -----
    The spectral residual (Hou and Zhang 2007) of the reduced picture, times its local contrast, times a preference for
    the middle.
    """
    lightness = picture[..., 0]
    small = np.asarray(Image.fromarray(lightness).resize((_SIZE, _SIZE), Image.Resampling.BOX)).astype(np.float64)
    waves = np.fft.fft2(small)
    strengths = np.log(abs(waves) + 1e-9)
    residual = np.exp(strengths - uniform_filter(strengths, 3, mode="wrap") + 1j * np.angle(waves))
    unusual = gaussian_filter(abs(np.fft.ifft2(residual)) ** 2, 3)
    contrast = gaussian_filter(abs(small - gaussian_filter(small, 4)), 3)
    y, x = np.mgrid[-1 : 1 : _SIZE * 1j, -1 : 1 : _SIZE * 1j]
    standing_out = np.sqrt(unusual * contrast) * np.exp(-(x**2) - y**2)
    standing_out = np.clip(standing_out / max(np.quantile(standing_out, 0.97), 1e-9), 0, 1)
    shape = lightness.shape[1], lightness.shape[0]
    large = Image.fromarray(standing_out.astype(np.float32)).resize(shape, Image.Resampling.BILINEAR)
    return weights_of(np.asarray(large))


def weights_of(mask: NDArray[np.floating]) -> Weights:
    """The importance of each pixel, with mean 1, from a mask from 0 to 1."""
    weights = (mask + _LEAST).astype(np.float32)
    return weights / weights.mean()
