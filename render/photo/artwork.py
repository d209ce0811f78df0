"""Pictures that are made to suit each other, and their artwork with the least visible error.

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
from scipy.optimize import fmin_l_bfgs_b
from threadpoolctl import threadpool_limits

from ...csp.files.picture_files import Picture
from ...csp.make.tones import Tones, random_cost, tiles
from ...csp.puzzles.board import Arrangement, Board
from .eye import (
    WORKING_PIXELS,
    Lab,
    Weights,
    found_importance,
    matched,
    resized,
    seen_costs,
    seen_errors,
    to_lab,
    to_picture,
    weights_of,
)
from .pixels import Integers, after_board, back, blend, side_by_side
from .pixels import shown as shown_elsewhere
from .result import Foresight

Layer = NDArray[np.floating]

# The sides of windows, as parts of a piece; the constant of SSIM, and the square of an error of a mean that costs as
# much as all structure.
_WINDOWS, _FLAT, _MEAN = (1 / 4, 2 / 3, 5 / 4), 36.0, 400.0
#: The steps in which artwork is optimised, at most.
STEPS = 25


@dataclass(frozen=True, eq=False)
class WeightedPicture:
    """What an assembly should show: a picture, and the weight of each pixel."""

    picture: Lab
    weights: Weights


def weighted_mean(wanted: Sequence[WeightedPicture], there: Sequence[Integers]) -> Lab:
    """The artwork in the first assembly with the least weighted sum of squared errors.

    `there` has the position of each pixel of the first assembly in each other one.  A piece that is left over there
    gets the mean tone of that picture, so that its colours do not differ from those of all others.
    """
    others, shape = list(zip(wanted[1:], there, strict=True)), wanted[0].weights.shape
    weights = [wanted[0].weights, *(back(each.weights, to, shape, each.weights.mean()) for each, to in others)]
    tones = [wanted[0].picture, *(back(each.picture, to, shape, each.picture.mean((0, 1))) for each, to in others)]
    total = sum(weights)
    mean = sum((weight / total)[..., None] * tone for weight, tone in zip(weights, tones, strict=True))
    return np.asarray(mean, np.float32)


def seen_blend(
    wanted: Sequence[WeightedPicture],
    there: Sequence[Integers],
    pixels: int,
    must_stop: Callable[[], bool] = lambda: False,
) -> Lab:
    """The artwork in the first assembly with the least visible error; its colours are those of the weighted mean.

    `pixels` is the side of a piece; `must_stop` returns whether to take the best artwork so far.
    """
    artwork = weighted_mean(wanted, there)
    windows = sorted({2 * round(part * pixels / 2) + 1 for part in _WINDOWS})

    goals = [
        (to, each.weights.shape, [similarity(each.picture[..., 0], each.weights, window) for window in windows])
        for each, to in zip(wanted, (None, *there), strict=True)
    ]

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        shown = values.reshape(artwork.shape[:2]).astype(np.float32)
        total, slope, own_shape = 0.0, np.zeros_like(shown), shown.shape
        for to, shape, every in goals:
            moved = shown if to is None else shown_elsewhere(shown, to, shape)
            for value, own in (similar(moved) for similar in every):
                total -= value
                slope -= own if to is None else back(own, to, own_shape)
        return total, slope.reshape(-1).astype(np.float64)

    best = artwork[..., 0]

    def note(values: NDArray[np.float64]) -> None:
        nonlocal best
        best = values.reshape(best.shape).astype(np.float32)
        if must_stop():
            raise StopIteration  # which ends the minimisation

    start = artwork[..., 0].reshape(-1).astype(np.float64)
    # Not `minimize`, which takes as long to read the bounds as several steps.
    bounds = [(0, 100)] * len(start)
    # The vectors are short: threads would cost several times as much as they save, and round differently.
    with threadpool_limits(1, "blas"):
        fmin_l_bfgs_b(loss, start, bounds=bounds, m=6, callback=note, maxiter=STEPS)
    artwork[..., 0] = best
    return artwork


def similarity(wanted: Layer, weights: Layer, window: int) -> Callable[[Layer], tuple[float, Layer]]:
    """A function of what is shown: the weighted sum over all windows, and its derivative by each shown tone.

    `window` is an odd number.
    """
    ones = uniform_filter(np.ones_like(wanted), window, mode="constant")

    def mean(layer: Layer) -> Layer:
        return uniform_filter(layer, window, mode="constant") / ones

    def spread(layer: Layer) -> Layer:  # the transpose of `mean`
        return uniform_filter(layer / ones, window, mode="constant")

    n = mean(wanted)
    squares, square = mean(wanted**2), n**2

    def similar(shown: Layer) -> tuple[float, Layer]:
        m = mean(shown)
        top = 2 * (mean(shown * wanted) - m * n) + _FLAT
        bottom = mean(shown**2) - m**2 + squares - square + _FLAT
        off = m - n
        by_top, by_bottom = 2 * weights / bottom, -weights * top / bottom**2
        value = float((weights * (top / bottom - off**2 / _MEAN)).sum(dtype=np.float64))
        slope = wanted * spread(by_top) + 2 * shown * spread(by_bottom)
        slope -= spread(by_top * n + 2 * by_bottom * m + 2 * weights * off / _MEAN)
        return value, slope

    return similar


# A weight of 0 would leave tones undetermined where the other picture does not matter, either.
_LEAST_SHARE = 0.001


@dataclass(frozen=True, eq=False)
class WantedPictures:
    """Two or three pictures with matched tones."""

    boards: tuple[Board, ...]  #: The board of each of them
    pictures: tuple[Lab, ...]  #: The pictures as they should be shown
    importance: tuple[Weights, ...]  #: The importance of their pixels
    shares: tuple[float, ...]  #: The weights of the pictures; the sum is 1
    blend: str  #: The error that the artwork makes least, as for `pictures`

    def targets(self) -> tuple[Picture, ...]:
        """The pictures as they should be shown, in 8 bits."""
        return tuple(map(to_picture, self.pictures))

    def costs(self, one: int = 0, other: int = 1) -> Tones:
        """The visible error of each choice of a square of one picture and of another one for a piece."""
        both = self.shares[one] + self.shares[other]
        weight = self.shares[one] / both if both else 0.5
        importance = self.importance[one], self.importance[other]
        board, another = self.boards[one], self.boards[other]
        another = None if another == board else another
        return seen_costs(self.pictures[one], self.pictures[other], importance, board, weight, another)

    def seen(self, shown: Sequence[Picture], targets: Sequence[Picture]) -> tuple[tuple[float, float], ...]:
        """The error and the similarity of each picture, as an eye sees them."""
        every = zip(shown, targets, self.importance, self.boards, strict=True)
        return tuple(
            seen_errors(one, other, board.rows * WORKING_PIXELS, board.columns * WORKING_PIXELS, importance)
            for one, other, importance, board in every
        )

    def plain(self, there: Sequence[Integers]) -> Picture:
        """The weighted mean as artwork; `there` has the place of each pixel in each assembly but the first.

        For the eye it is that of colours as seen, weighted by importance, too; otherwise that of tones.
        """
        if self.blend == "mean":
            return blend(self.targets(), there, self.shares)
        return to_picture(weighted_mean(self._goals(self.pixels), there))

    @property
    def pixels(self) -> int:
        """The pixels along a side of a piece."""
        return len(self.pictures[0]) // self.boards[0].rows

    def artwork(self, there: Sequence[Integers], few: Sequence[Integers], must_stop: Callable[[], bool]) -> Picture:
        """The artwork with the least visible error.

        It is optimised with at most `WORKING_PIXELS` pixels for the side of a piece, where `few` has the places of
        pixels; finer detail is that of the weighted mean.
        """
        pixels = min(self.pixels, WORKING_PIXELS)
        goals = self._goals(pixels)
        change = seen_blend(goals, few, pixels, must_stop) - weighted_mean(goals, few)
        found = weighted_mean(self._goals(self.pixels), there)
        found += resized(change, *found.shape[:2])
        np.clip(found[..., 0], 0, 100, out=found[..., 0])
        return to_picture(found)

    def _goals(self, pixels: int) -> list[WeightedPicture]:
        """The pictures with that many pixels along a side of a piece."""
        found = []
        for lab, weights, share, board in zip(self.pictures, self.importance, self.shares, self.boards, strict=True):
            size = board.rows * pixels, board.columns * pixels
            part = max(len(self.shares) * share, _LEAST_SHARE)
            found.append(WeightedPicture(resized(lab, *size), resized(weights[..., None], *size)[..., 0] * part))
        return found


def wanted_of(
    pictures: Sequence[Picture],
    masks: Sequence[Picture | None],
    boards: tuple[Board, ...],
    shares: tuple[float, ...],
    strength: float,
    blend: str,
) -> WantedPictures:
    """Match the tones of pictures, and find what matters where no mask says it in white."""
    labs = tuple(map(to_lab, pictures))
    if strength:
        labs = matched(labs, len(pictures[0]) // boards[0].rows, shares, strength)
    importance = tuple(
        found_importance(lab) if mask is None else weights_of(mask[..., 0].astype(np.float32) / 255)
        for lab, mask in zip(labs, masks, strict=True)
    )
    return WantedPictures(boards, labs, importance, shares, blend)


def foreseen_with_picture(pair: WantedPictures, costs: Tones) -> tuple[Foresight, Picture]:
    """The errors, and both assemblies side by side."""
    arrangement, cost = costs.best_assignment
    worst = random_cost(costs)
    return shown_plainly(pair, [_moved(pair, arrangement)], cost / worst if worst else 0.0)


def shown_plainly(pair: WantedPictures, there: Sequence[Integers], ratio: float) -> tuple[Foresight, Picture]:
    """The errors with the weighted mean as artwork on pixels that move so, and the assemblies side by side."""
    plain = pair.plain(there)
    others = zip(there, pair.pictures[1:], strict=True)
    shown = [plain, *(shown_elsewhere(plain, to, picture.shape) for to, picture in others)]
    differences, similarities = zip(*pair.seen(shown, pair.targets()), strict=True)
    return Foresight(differences, similarities, ratio), side_by_side(shown)


def _moved(pair: WantedPictures, arrangement: Arrangement) -> Integers:
    """The position of each pixel of the first assembly in the second one, on plain squares."""
    first, second = (_tiled(board, pair.pixels) for board in pair.boards)
    there = np.full(first.size, -1)
    for square, placed in enumerate(arrangement):
        assert placed is not None
        there[first[placed.piece]] = np.rot90(second[square], placed.rotation)
    return after_board(there, second.size)


def _tiled(board: Board, pixels: int) -> Integers:
    """The positions of the pixels of each square."""
    places = np.arange(len(board) * pixels**2).reshape(board.rows * pixels, board.columns * pixels)
    return tiles(places, board)[..., 0]
