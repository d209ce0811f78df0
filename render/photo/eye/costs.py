"""The visible error of a piece that serves one square of the first picture and one of the second."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from ....csp.make.two_pictures.tones import Tones, tile_differences, tiles
from ....csp.puzzles.board import Board
from .importance import Weights
from .lab import Lab, resized

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
