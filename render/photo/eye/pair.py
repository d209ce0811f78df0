"""Two pictures that are made to suit each other, with what matters in them; and their artwork."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ....csp.files.picture_files import Picture
from ....csp.make.two_pictures.tones import Tones
from ....csp.puzzles.board import Board
from ..raster import Integers
from .costs import seen_costs
from .importance import Weights, found_importance, weights_of
from .lab import WORKING_PIXELS, Lab, resized, to_lab, to_picture
from .matching import matched
from .optimised_artwork import WeightedPicture, seen_blend, weighted_mean

# A weight of 0 would leave tones undetermined where the other picture does not matter, either.
_LEAST_SHARE = 0.001


@dataclass(frozen=True, eq=False)
class Pair:
    """Two pictures with matched tones.

    Parameters
    ----------
    board
        The board.
    pictures
        The pictures as they should be shown.
    importance
        The importance of their pixels.
    weight
        The weight of the first picture, 0 to 1.
    """

    board: Board
    pictures: tuple[Lab, Lab]
    importance: tuple[Weights, Weights]
    weight: float

    def targets(self) -> tuple[Picture, Picture]:
        """The pictures as they should be shown, in 8 bits."""
        first, second = (to_picture(lab) for lab in self.pictures)
        return first, second

    def costs(self) -> Tones:
        """The visible error of each choice of two squares for a piece."""
        return seen_costs(*self.pictures, self.importance, self.board, self.weight)

    def plain(self, there: Integers) -> Picture:
        """The weighted mean as artwork; `there` is the place of each pixel in the second assembly."""
        return to_picture(weighted_mean(*self._goals(len(self.pictures[0]), self.pictures[0].shape[1]), there))

    def artwork(self, there: Integers, few: Integers, must_stop: Callable[[], bool]) -> Picture:
        """The artwork with the least visible error.

        It is optimised with at most `WORKING_PIXELS` pixels for the side of a piece, where `few` is the place of each
        pixel in the second assembly; finer detail is that of the weighted mean.
        """
        rows, columns = self.pictures[0].shape[:2]
        pixels = min(rows // self.board.rows, WORKING_PIXELS)
        goals = self._goals(self.board.rows * pixels, self.board.columns * pixels)
        change = seen_blend(*goals, few, pixels, must_stop) - weighted_mean(*goals, few)
        found = weighted_mean(*self._goals(rows, columns), there)
        found += resized(change, rows, columns)
        np.clip(found[..., 0], 0, 100, out=found[..., 0])
        return to_picture(found)

    def _goals(self, rows: int, columns: int) -> tuple[WeightedPicture, WeightedPicture]:
        shares = self.weight, 1 - self.weight
        first, second = (
            WeightedPicture(
                resized(lab, rows, columns),
                resized(weights[..., None], rows, columns)[..., 0] * max(2 * share, _LEAST_SHARE),
            )
            for lab, weights, share in zip(self.pictures, self.importance, shares, strict=True)
        )
        return first, second


def pair_of(
    pictures: tuple[Picture, Picture],
    masks: tuple[Picture | None, Picture | None],
    board: Board,
    weight: float,
    strength: float,
) -> Pair:
    """Match the tones of two pictures, and find what matters where there is no mask.

    Parameters
    ----------
    pictures
        The pictures in the size of the board.
    masks
        Grey pictures of the same size, white where it matters; None to find what stands out.
    board
        The board.
    weight
        The weight of the first picture, 0 to 1.
    strength
        How far tones are matched, 0 to 1.
    """
    labs = to_lab(pictures[0]), to_lab(pictures[1])
    if strength:
        labs = matched(*labs, len(pictures[0]) // board.rows, weight, strength)
    first, second = (
        found_importance(lab) if mask is None else weights_of(mask[..., 0].astype(np.float32) / 255)
        for lab, mask in zip(labs, masks, strict=True)
    )
    return Pair(board, labs, (first, second), weight)
