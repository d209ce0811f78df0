"""Pictures that are made to suit each other, with what matters in them; and their artwork.

The eye compares local contrast rather than tones, at several scales, and forgives much where there is much to see.  The
structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004) has these properties.  So lightness is found by
maximising the importance-weighted sum, over all assemblies and over windows of several sizes, of the similarity of
structure, minus the squared error of the window's mean.  Windows extend across the borders of pieces.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, uniform_filter
from scipy.optimize import minimize

from ....csp.files.picture_files import Picture
from ....csp.make.two_pictures.tones import Tones, tile_differences, tiles
from ....csp.puzzles.board import Board
from ..raster import Integers
from .importance import Weights, found_importance, weights_of
from .lab import WORKING_PIXELS, Lab, resized, to_lab, to_picture

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


# The side of a piece in pixels for costs, and the weight of errors that are finer than a quarter of a piece.
_PIXELS, _DETAIL = 16, 0.3
# Costs are whole numbers; this many of them are one unit of CIELAB squared.
_PARTS = 100


def seen_costs(
    first: Lab, second: Lab, importance: tuple[Weights, Weights], board: Board, weight: float = 0.5
) -> Tones:
    """The costs of all pairs of squares.

    - `first`, `second`: the pictures.
    - `importance`: the importance of their pixels.
    - `weight`: the weight of the first picture, 0 to 1.

    Notes
    -----
    A blend with weights v and w of tones that differ by d has the least error v w / (v + w) d^2.  So what matters
    in one picture lies on what matters little in the other.  Fine detail weighs less, and lightness of whole areas
    depends less on what matters, because wrong areas are seen everywhere.
    """
    rows, columns = board.rows * _PIXELS, board.columns * _PIXELS
    pair: list[NDArray[np.floating]] = [resized(lab, rows, columns) for lab in (first, second)]
    coarse: list[NDArray[np.floating]] = [
        gaussian_filter(lab, (_PIXELS / 4, _PIXELS / 4, 0), mode="nearest") for lab in pair
    ]
    fine: list[NDArray[np.floating]] = [lab - blurred for lab, blurred in zip(pair, coarse, strict=True)]
    shares = [_per_square(weights, board) for weights in importance]
    one, other = max(weight, 0.02) * shares[0][:, None], max(1 - weight, 0.02) * shares[1][None]
    both = one * other / (one + other)
    both /= both.mean()
    costs = np.sqrt(np.sqrt(both))[..., None] * _differences(coarse, board)
    costs += _DETAIL * both[..., None] * _differences(fine, board)
    return Tones(board, np.rint(_PARTS * costs).astype(np.int64), _PARTS * rows * columns)


def _differences(pair: list[NDArray[np.floating]], board: Board) -> NDArray[np.float64]:
    return tile_differences(*(tiles(lab, board) for lab in pair))


def _per_square(weights: Weights, board: Board) -> NDArray[np.float64]:
    small = resized(weights[..., None], board.rows, board.columns)
    return np.maximum(small.reshape(-1).astype(np.float64), 1e-3)


# A weight of 0 would leave tones undetermined where the other picture does not matter, either.
_LEAST_SHARE = 0.001


@dataclass(frozen=True, eq=False)
class WantedPictures:
    """Two or three pictures with matched tones."""

    #: The board.
    board: Board
    #: The pictures as they should be shown.
    pictures: tuple[Lab, ...]
    #: The importance of their pixels.
    importance: tuple[Weights, ...]
    #: The weights of the pictures; the sum is 1.
    shares: tuple[float, ...]
    #: The error that the artwork makes least, as for `pictures`.
    blend: str

    def targets(self) -> tuple[Picture, ...]:
        """The pictures as they should be shown, in 8 bits."""
        return tuple(map(to_picture, self.pictures))

    def costs(self, one: int = 0, other: int = 1) -> Tones:
        """The visible error of each choice of a square of one picture and of another one for a piece."""
        both = self.shares[one] + self.shares[other]
        weight = self.shares[one] / both if both else 0.5
        importance = self.importance[one], self.importance[other]
        return seen_costs(self.pictures[one], self.pictures[other], importance, self.board, weight)

    def plain(self, there: Sequence[Integers]) -> Picture:
        """The weighted mean as artwork; `there` has the place of each pixel in each assembly but the first.

        For the eye it is that of colours as seen, weighted by importance, too; otherwise that of tones.
        """
        if self.blend == "mean":
            goals = [
                WeightedPicture(tones.astype(np.float32), np.full(tones.shape[:2], share, np.float32))
                for tones, share in zip(self.targets(), self.shares, strict=True)
            ]
            return np.rint(weighted_mean(goals, there)).astype(np.uint8)
        return to_picture(weighted_mean(self._goals(len(self.pictures[0]), self.pictures[0].shape[1]), there))

    def artwork(self, there: Sequence[Integers], few: Sequence[Integers], must_stop: Callable[[], bool]) -> Picture:
        """The artwork with the least visible error.

        It is optimised with at most `WORKING_PIXELS` pixels for the side of a piece, where `few` has the places of
        pixels; finer detail is that of the weighted mean.
        """
        rows, columns = self.pictures[0].shape[:2]
        pixels = min(rows // self.board.rows, WORKING_PIXELS)
        goals = self._goals(self.board.rows * pixels, self.board.columns * pixels)
        change = seen_blend(goals, few, pixels, must_stop) - weighted_mean(goals, few)
        found = weighted_mean(self._goals(rows, columns), there)
        found += resized(change, rows, columns)
        np.clip(found[..., 0], 0, 100, out=found[..., 0])
        return to_picture(found)

    def _goals(self, rows: int, columns: int) -> list[WeightedPicture]:
        return [
            WeightedPicture(
                resized(lab, rows, columns),
                resized(weights[..., None], rows, columns)[..., 0] * max(len(self.shares) * share, _LEAST_SHARE),
            )
            for lab, weights, share in zip(self.pictures, self.importance, self.shares, strict=True)
        ]


def wanted_of(
    pictures: Sequence[Picture],
    masks: Sequence[Picture | None],
    board: Board,
    shares: tuple[float, ...],
    strength: float,
    blend: str,
) -> WantedPictures:
    """Match the tones of pictures, and find what matters where there is no mask.

    - `pictures`: the pictures in the size of the board.
    - `masks`: Grey pictures of the same size, white where it matters; None to find what stands out.
    - `shares`: the weights of the pictures; the sum is 1.
    - `strength`: how far tones are matched, 0 to 1.
    - `blend`: the error that the artwork makes least.
    """
    labs = tuple(map(to_lab, pictures))
    if strength:
        labs = matched(labs, len(pictures[0]) // board.rows, shares, strength)
    importance = tuple(
        found_importance(lab) if mask is None else weights_of(mask[..., 0].astype(np.float32) / 255)
        for lab, mask in zip(labs, masks, strict=True)
    )
    return WantedPictures(board, labs, importance, shares, blend)
