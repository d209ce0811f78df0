"""Artwork that shows one picture in one assembly and another picture in another, and its errors."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, log10

import numpy as np
from numpy.typing import NDArray

from ...csp.files.picture_files import Picture
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .eye.lab import WORKING_PIXELS
from .raster import Integers, Tabs, transfer

# The fraction of a picture's brightness on cut lines.
_DARKENED = 0.45


@dataclass(frozen=True, eq=False)
class Artwork:
    """The artwork on the pieces.

    Parameters
    ----------
    first, second
        The pictures that the two assemblies show; the first one is the artwork.
    there
        The position of each pixel of the first assembly in the second; pixels are numbered row by row.
    errors
        The mean squared errors of the two, on a scale from 0 to 255.
    """

    first: Picture
    second: Picture
    there: Integers
    errors: tuple[float, float]


def artwork_of(
    puzzle: EdgeMatchingPuzzle,
    first: Picture,
    second: Picture,
    weight: float,
    tabs: Tabs,
    blended: Callable[[Integers, Integers], Picture] | None = None,
) -> Artwork:
    """Return the artwork with which the first two assemblies of a jigsaw show two pictures best.

    Parameters
    ----------
    weight
        The weight of the first picture's errors, 0 to 1; the second picture has the rest.
    tabs
        The curve of each connector; None for plain squares.
    blended
        Makes the artwork from the position of each pixel of the first assembly in the second, and the same for pixels
        of the size for optimising; by default `blend`.
    """
    pixels = len(first) // puzzle.rows
    there = transfer(puzzle, puzzle.assemblies[0], puzzle.assemblies[1], pixels, tabs)
    if blended is None:
        one = blend(first, second, there, weight)
    else:
        few = min(pixels, WORKING_PIXELS)
        one = blended(there, transfer(puzzle, puzzle.assemblies[0], puzzle.assemblies[1], few, tabs))
    other = shown(one, there)
    return Artwork(one, other, there, (mean_squared_error(one, first), mean_squared_error(other, second)))


def best_artwork(
    puzzles: Iterable[EdgeMatchingPuzzle],
    first: Picture,
    second: Picture,
    weight: float,
    tabs: Tabs,
    blended: Callable[[Integers, Integers], Picture] | None = None,
) -> tuple[EdgeMatchingPuzzle, Artwork]:
    """Of jigsaws with different assemblies, return the one that shows two pictures best, and its artwork."""

    def error(found: tuple[EdgeMatchingPuzzle, Artwork]) -> float:
        one, other = found[1].errors
        return weight * one + (1 - weight) * other

    return min(((each, artwork_of(each, first, second, weight, tabs, blended)) for each in puzzles), key=error)


def least_errors(difference: float, weight: float) -> tuple[float, float]:
    """The mean squared errors of a blend, before rounding, of pictures with that mean squared difference."""
    return (1 - weight) ** 2 * difference, weight**2 * difference


def outlined(picture: Picture, owner: NDArray[np.int32]) -> Picture:
    """A picture with thin dark lines between pixels of different owners."""
    line = np.zeros(owner.shape, np.bool_)
    line[1:] |= owner[1:] != owner[:-1]
    line[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    return np.where(line[..., None], np.rint(picture * _DARKENED), picture).astype(np.uint8)


def blend(first: Picture, second: Picture, there: Integers, weight: float = 0.5) -> Picture:
    """The artwork in the first assembly with the least weighted sum of squared errors.

    Parameters
    ----------
    first, second
        The pictures that the two assemblies should show.
    there
        The position of each pixel of the first assembly in the second.
    weight
        The weight of the first picture's errors, 0 to 1; the second picture has the rest.

    Notes
    -----
    Each pixel is the rounded weighted mean of the two tones that it should show.
    """
    one, other = first.reshape(len(there), -1), second.reshape(len(there), -1)[there]
    return np.rint(weight * one + (1 - weight) * other).astype(np.uint8).reshape(first.shape)


def shown(artwork: Picture, there: Integers) -> Picture:
    """The picture that the second assembly shows."""
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
