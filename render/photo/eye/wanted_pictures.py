"""Pictures that are made to suit each other, with what matters in them; and their artwork."""

from collections.abc import Callable, Sequence
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
