"""How people see pictures: in CIELAB, where equal distances look about equally large.

What they see of an error, what matters in a picture, tones that are matched so that every piece can serve two pictures,
and the visible error of a piece that serves one square of the first picture and one of the second.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import gaussian_filter, uniform_filter

from ...csp.files.picture_files import Picture
from ...csp.make.tones import Tones, tile_differences, tiles
from ...csp.puzzles.board import Board

#: Lightness from 0 to 100, and for colours the two opponent channels; rows, columns, channels.
Lab = NDArray[np.float32]

#: The side of a piece, in pixels, for which errors are measured and artwork is optimised: a board as on a phone.
WORKING_PIXELS = 32
# Half of the side of a window in which pictures are compared, without the pixel in its middle.
_HALF_WINDOW = 5
# Rows of pixels that are converted at a time.
_ROWS = 256


def to_lab(picture: Picture) -> Lab:
    """A picture in CIELAB; one channel, the lightness, for a grey picture."""
    from skimage.color import rgb2lab

    channels = picture.shape[2]
    found = np.empty(picture.shape, np.float32)
    for start in range(0, len(picture), _ROWS):
        part = np.repeat(picture[start : start + _ROWS], 3 // channels, axis=2)
        found[start : start + _ROWS] = rgb2lab(part.astype(np.float32) / 255)[..., :channels]
    return found


def to_picture(lab: Lab) -> Picture:
    """The nearest picture of 8 bits; colours that no screen shows are clipped."""
    from skimage.color import lab2rgb

    channels = lab.shape[2]
    found = np.empty(lab.shape, np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for start in range(0, len(lab), _ROWS):
            part = lab[start : start + _ROWS]
            full = np.concatenate([part, np.zeros((*part.shape[:2], 3 - channels), np.float32)], axis=2)
            rgb = np.clip(lab2rgb(full), 0, 1)[..., :channels]
            found[start : start + _ROWS] = np.rint(255 * rgb)
    return found


def resized(channels: NDArray[np.float32], rows: int, columns: int) -> NDArray[np.float32]:
    """Channels in another size: means of what is made smaller, lines through what is made larger."""
    shape = channels.shape[:2]
    if shape == (rows, columns):
        return channels
    how = Image.Resampling.BOX if rows <= shape[0] else Image.Resampling.BILINEAR
    layers = [Image.fromarray(layer).resize((columns, rows), how) for layer in np.moveaxis(channels, 2, 0)]
    return np.stack([np.asarray(layer) for layer in layers], axis=2)


def seen_errors(
    one: Picture, other: Picture, rows: int, columns: int, weights: NDArray[np.float32] | None = None
) -> tuple[float, float]:
    """The mean colour difference (CIEDE2000) and the structural similarity (SSIM, 1 for equal pictures).

    Both are taken of pictures reduced to `rows` by `columns` pixels, or enlarged to a window if they are smaller.  The
    similarity is weighted by the importance of pixels, if it is given.
    """
    from skimage.color import deltaE_ciede2000
    from skimage.metrics import structural_similarity

    window = 2 * _HALF_WINDOW + 1
    size = (max(min(most, length), window) for most, length in zip((rows, columns), one.shape, strict=False))
    rows, columns = size
    pair = [resized(to_lab(picture), rows, columns) for picture in (one, other)]
    full = [np.concatenate([lab, np.zeros((*lab.shape[:2], 3 - lab.shape[2]), np.float32)], axis=2) for lab in pair]
    difference = float(np.mean(deltaE_ciede2000(full[0], full[1])))
    tones = pair[0][..., 0], pair[1][..., 0]
    local: Any = structural_similarity(*tones, data_range=100, gaussian_weights=True, full=True)[1]
    # Windows at the edges extend beyond the picture.
    edge = _HALF_WINDOW
    shares = None if weights is None else resized(weights[..., None], *local.shape)[edge:-edge, edge:-edge, 0]
    return difference, float(np.average(local[edge:-edge, edge:-edge], weights=shares))


Weights = NDArray[np.float32]

# The importance of what does not stand out at all; what stands out most has one more.
_PLAIN = 0.25
_SIZE = 64


def found_importance(picture: Lab) -> Weights:
    """The importance of each pixel, with mean 1: where a picture differs from what is usual in it.

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
    weights = (mask + _PLAIN).astype(np.float32)
    return weights / weights.mean()


# The lightness of the darkest and the brightest areas, if the contrast is raised, and the most it is raised.
_DARKEST, _BRIGHTEST, _MOST_CONTRAST = 10, 90, 1.3
# The part of the way that lightness goes, and that colours go.
_STRENGTHS = (1.0, 0.8, 0.8)
_QUANTILES = np.linspace(0, 1, 257)


def matched(pictures: Sequence[Lab], pixels: int, shares: Sequence[float], strength: float = 1.0) -> tuple[Lab, ...]:
    """Pictures, each with its tones changed by increasing functions, one for each channel, towards common tones.

    Histograms are those of areas of about a third of a piece, because finer detail is hidden by a blend anyway.  The
    common histogram is the mean of all as quantiles, the Wasserstein mean of the distributions; where it has little
    contrast, the contrast is raised.
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


# The side of a piece in pixels for costs, and the weight of errors that are finer than a quarter of a piece.
_PIECE, _DETAIL = 16, 0.3
# Costs are whole numbers; this many of them are one unit of CIELAB squared.
_PARTS = 100


def seen_costs(
    first: Lab,
    second: Lab,
    importance: tuple[Weights, Weights],
    board: Board,
    weight: float = 0.5,
    other: Board | None = None,
) -> Tones:
    """The costs of all pairs of squares; the second picture may lie on another board.

    A blend with weights v and w of tones that differ by d has the least error v w / (v + w) d^2.  So what matters in
    one picture lies on what matters little in the other.  Fine detail weighs less, and lightness of whole areas depends
    less on what matters, because wrong areas are seen everywhere.
    """
    boards = board, other or board
    pair: list[NDArray[np.floating]] = [
        resized(lab, each.rows * _PIECE, each.columns * _PIECE)
        for lab, each in zip((first, second), boards, strict=True)
    ]
    coarse: list[NDArray[np.floating]] = [
        gaussian_filter(lab, (_PIECE / 4, _PIECE / 4, 0), mode="nearest") for lab in pair
    ]
    fine: list[NDArray[np.floating]] = [lab - blurred for lab, blurred in zip(pair, coarse, strict=True)]
    per_square = [
        resized(weights[..., None], each.rows, each.columns).reshape(-1)
        for weights, each in zip(importance, boards, strict=True)
    ]
    shares = [np.maximum(weights.astype(np.float64), 1e-3) for weights in per_square]
    one, two = max(weight, 0.02) * shares[0][:, None], max(1 - weight, 0.02) * shares[1][None]
    both = one * two / (one + two)
    both /= both.mean()
    costs = np.sqrt(np.sqrt(both))[..., None] * _differences(coarse, boards)
    costs += _DETAIL * both[..., None] * _differences(fine, boards)
    numbers = _PARTS * len(board) * _PIECE**2
    return Tones(board, np.rint(_PARTS * costs).astype(np.int64), numbers, other)


def _differences(pair: list[NDArray[np.floating]], boards: Sequence[Board]) -> NDArray[np.float64]:
    return tile_differences(*(tiles(lab, board) for lab, board in zip(pair, boards, strict=True)))
