"""Artwork that shows a picture in each assembly of a jigsaw, and its errors."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.files.picture_files import Picture
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .eye import WORKING_PIXELS
from .raster import Integers, Tabs, transfer

# The fraction of a picture's brightness on cut lines.
_DARKENED = 0.45


@dataclass(frozen=True, eq=False)
class Artwork:
    """The artwork on the pieces."""

    shown: tuple[Picture, ...]  #: The pictures that the assemblies show; the first one is the artwork
    #: The position of each pixel of the first assembly in each other one; pixels are numbered row by row.
    there: tuple[Integers, ...]
    errors: tuple[float, ...]  #: Their mean squared errors, on a scale from 0 to 255


def artwork_of(
    puzzle: EdgeMatchingPuzzle,
    pictures: Sequence[Picture],
    shares: Sequence[float],
    tabs: Tabs,
    blended: Callable[[Sequence[Integers], Sequence[Integers]], Picture] | None = None,
) -> Artwork:
    """Return the artwork with which the first assemblies of a jigsaw, one for each picture, show pictures best.

    - `shares`: the weights of the pictures' errors; the sum is 1.
    - `tabs`: the curve of each connector; None for plain squares.
    - `blended`: makes the artwork from the positions of each pixel of the first assembly in the others, and the same
      for pixels of the size for optimising; by default `blend`.
    """
    pixels = len(pictures[0]) // puzzle.rows
    there = transfers(puzzle, len(pictures), pixels, tabs)
    if blended is None:
        one = blend(pictures, there, shares)
    else:
        one = blended(there, transfers(puzzle, len(pictures), min(pixels, WORKING_PIXELS), tabs))
    every = one, *(shown(one, to) for to in there)
    return Artwork(every, there, tuple(map(mean_squared_error, every, pictures)))


def transfers(puzzle: EdgeMatchingPuzzle, number: int, pixels: int, tabs: Tabs) -> tuple[Integers, ...]:
    """The position of each pixel of the first assembly in each other one of the first `number` assemblies."""
    first, *others = puzzle.assemblies[:number]
    return tuple(transfer(puzzle, first, other, pixels, tabs) for other in others)


def best_artwork(
    puzzles: Iterable[EdgeMatchingPuzzle],
    pictures: Sequence[Picture],
    shares: Sequence[float],
    tabs: Tabs,
    blended: Callable[[Sequence[Integers], Sequence[Integers]], Picture] | None = None,
    error: Callable[[Artwork], float] | None = None,
) -> tuple[EdgeMatchingPuzzle, Artwork]:
    """Of jigsaws with different assemblies, return the one that shows pictures best, and its artwork.

    It has the least error, by default the weighted squared one.
    """

    def squared(artwork: Artwork) -> float:
        return sum(share * each for share, each in zip(shares, artwork.errors, strict=True))

    drawn = ((each, artwork_of(each, pictures, shares, tabs, blended)) for each in puzzles)
    return min(drawn, key=lambda found: (error or squared)(found[1]))


def least_errors(difference: float, weight: float) -> tuple[float, float]:
    """The mean squared errors of a blend, before rounding, of pictures with that mean squared difference."""
    return (1 - weight) ** 2 * difference, weight**2 * difference


def outlined(picture: Picture, owner: NDArray[np.int32]) -> Picture:
    """A picture with thin dark lines between pixels of different owners."""
    line = np.zeros(owner.shape, np.bool_)
    line[1:] |= owner[1:] != owner[:-1]
    line[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    return np.where(line[..., None], np.rint(picture * _DARKENED), picture).astype(np.uint8)


def blend(pictures: Sequence[Picture], there: Sequence[Integers], shares: Sequence[float]) -> Picture:
    """The artwork in the first assembly with the least weighted sum of squared errors.

    - `pictures`: the pictures that the assemblies should show.
    - `there`: the position of each pixel of the first assembly in each other one.
    - `shares`: the weights of the pictures' errors; the sum is 1.

    Each pixel is the rounded weighted mean of the tones that it should show.
    """
    moved = (picture.reshape(len(to), -1)[to] for picture, to in zip(pictures[1:], there, strict=True))
    tones = [pictures[0], *(tone.reshape(pictures[0].shape) for tone in moved)]
    return np.rint(sum(share * tone for share, tone in zip(shares, tones, strict=True))).astype(np.uint8)


def shown(artwork: NDArray[Any], there: Integers) -> NDArray[Any]:
    """The picture that another assembly shows."""
    picture = np.empty_like(artwork)
    picture.reshape(len(there), -1)[there] = artwork.reshape(len(there), -1)
    return picture


def mean_squared_error(one: Picture, other: Picture) -> float:
    """The mean of the squared differences, on a scale from 0 to 255."""
    rows = zip(one.astype(np.int64), other.astype(np.int64), strict=True)
    return sum(int(((a - b) ** 2).sum()) for a, b in rows) / one.size


def signal_to_noise(error: float) -> float:
    """The peak signal-to-noise ratio in decibels of a mean squared error; infinite for error 0.

    Examples
    --------
    >>> round(signal_to_noise(255**2 / 100), 6)
    20.0
    """
    return inf if error == 0 else 10 * log10(255**2 / error)
