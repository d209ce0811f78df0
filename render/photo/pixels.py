"""Artwork, pixel by pixel: which piece owns which pixel, where it lies in other assemblies, and blends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.files.picture_files import Picture
from ...csp.puzzles.board import BORDER, Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..cut.tabs import SIDE, Point, Tab
from .eye import WORKING_PIXELS

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]
#: The curve of each connector; None for plain squares.
Tabs = Mapping[int, Tab] | None

# Curves are treated as polylines: the number of points on a curve, and the parts of a unit to which they are rounded
# down.  All numbers are integers, and nothing overflows with sides of up to 512 pixels.
_STEPS, _PARTS = 32, 16


def transfer(
    puzzle: EdgeMatchingPuzzle,
    first: Arrangement,
    second: Arrangement,
    pixels: int,
    tabs: Tabs,
    other: EdgeMatchingPuzzle | None = None,
) -> Integers:
    """The position of each pixel of one assembly in another one, a permutation; pixels are numbered row by row.

    `pixels` is the side of a piece, an even number up to 512; `tabs` is None for plain squares.  The second assembly
    may be of the puzzle `other`, which has the same pieces and another board; then pixels of pieces that are left over
    are numbered after those of that board.
    """
    places = dict(_places(puzzle, first, pixels, tabs))
    there = np.full(len(puzzle.board) * pixels**2, -1)
    for piece, pixels_of_second in _places(other or puzzle, second, pixels, tabs):
        there[places[piece]] = pixels_of_second
    return after_board(there, len(second) * pixels**2)


def after_board(there: Integers, number: int) -> Integers:
    """Number the pixels that are not on a board, which has that many, after its own."""
    there[there < 0] = np.arange(number, len(there))
    return there


def owners(puzzle: EdgeMatchingPuzzle, assembly: Arrangement, pixels: int, tabs: Tabs) -> NDArray[np.int32]:
    """The piece that owns each pixel of an assembly; parameters as for `transfer`."""
    owner = np.full((puzzle.rows * pixels, puzzle.columns * pixels), -1, np.int32)
    for piece, places in _places(puzzle, assembly, pixels, tabs):
        owner.ravel()[places] = piece
    return owner


def _places(
    puzzle: EdgeMatchingPuzzle, assembly: Arrangement, pixels: int, tabs: Tabs
) -> Iterator[tuple[int, Integers]]:
    """The pixels of each piece of an assembly, in an order that belongs to the piece."""
    strips = side_strips(puzzle, pixels, tabs)
    for square, placed in enumerate(assembly):
        assert placed is not None
        y, x = np.argwhere(piece_mask(puzzle.pieces[placed.piece], strips)).T
        for _ in range(placed.rotation):
            y, x = x, 2 * pixels - 1 - y
        row, column = divmod(square, puzzle.columns)
        y, x = y + row * pixels - pixels // 2, x + column * pixels - pixels // 2
        yield placed.piece, y * (puzzle.columns * pixels) + x


def side_strips(puzzle: EdgeMatchingPuzzle, pixels: int, tabs: Tabs) -> dict[int, Mask]:
    """For each connector, and 0, the pixels above and below an upper side that belong to the piece with that side.

    Half of the rows are above the side, and half below.
    """
    strips: dict[int, Mask] = {}
    straight = ((0, 0), (0, 0), (SIDE, 0), (SIDE, 0))
    for connector in {abs(side) for sides in puzzle.pieces for side in sides}:
        path = straight if connector == BORDER or tabs is None else tabs[connector].whole
        strips[connector] = tab_strip(path, pixels)
        if connector != BORDER:
            strips[-connector] = ~np.rot90(strips[connector], 2)
    return strips


def piece_mask(sides: Sequence[int], strips: Mapping[int, Mask]) -> Mask:
    """The pixels that a piece owns, in a window that extends half a side beyond its square in all directions."""
    pixels = len(strips[sides[0]])
    half = pixels // 2
    window = np.zeros((2 * pixels, 2 * pixels), np.bool_)
    window[half:-half, half:-half] = True
    for side, connector in enumerate(sides):
        upper = np.rot90(window, side)[:pixels, half:-half]  # a view in which that side is the upper one
        upper[:half] |= strips[connector][:half]
        upper[half:] &= strips[connector][half:]
    return window


def tab_strip(path: Sequence[Point], pixels: int) -> Mask:
    """The pixels above and below its upper side that a piece with a tab owns: all pixels below the curve.

    A pixel is below the curve if the vertical line up from its centre crosses the curve an odd number of times.
    """
    half = SIDE * _PARTS  # of a pixel, in units with 2 * _PARTS * pixels of them to a unit of SIDE
    control, starts = np.array(path, np.int64), np.arange(0, len(path) - 1, 3)
    t = np.arange(_STEPS)[:, None]
    s = _STEPS - t
    a, b, c, d = (control[starts + i][:, None, :] for i in range(4))
    curve = (s * s * s * a + 3 * t * s * s * b + 3 * t * t * s * c + t * t * t * d) * _PARTS // _STEPS**3
    points = np.concatenate([curve.reshape(-1, 2), control[-1:] * _PARTS]) * (2 * pixels)
    centers = (2 * np.arange(pixels) + 1) * half
    ends = np.stack([points[:-1], points[1:]], axis=1)
    ends = np.take_along_axis(ends, ends[..., :1].argsort(axis=1, kind="stable"), axis=1)  # the left one first
    first, last = np.searchsorted(centers, ends[..., 0]).T
    line = np.repeat(np.arange(len(ends)), last - first)
    column = np.arange(len(line)) + np.repeat(last - np.cumsum(last - first), last - first)
    from_x, from_y, to_x, to_y = ends[line].reshape(-1, 4).T
    # A crossing is above all lower centres; this is still true when it is rounded up.
    crossing = from_y - (centers[column] - from_x) * (from_y - to_y) // (to_x - from_x)
    highest = np.searchsorted(centers - pixels * half, -crossing, side="right")
    crossings = np.zeros((pixels + 1, pixels), np.int64)
    np.add.at(crossings, (highest, column), 1)
    return np.cumsum(crossings, axis=0)[:-1] % 2 == 1


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
    other: EdgeMatchingPuzzle | None = None,
) -> Artwork:
    """The artwork with which the first assemblies of a jigsaw, one for each picture, show pictures best.

    `shares` are the weights of the pictures' errors.  `blended` makes the artwork from the positions of each pixel of
    the first assembly in the others, and the same for pixels of the size for optimising; by default it is `blend`.  The
    second assembly is the first one of `other`, if it is given.
    """
    pixels = len(pictures[0]) // puzzle.rows
    there = transfers(puzzle, len(pictures), pixels, tabs, other)
    if blended is None:
        one = blend(pictures, there, shares)
    else:
        one = blended(there, transfers(puzzle, len(pictures), min(pixels, WORKING_PIXELS), tabs, other))
    every = one, *(shown(one, to, like.shape) for to, like in zip(there, pictures[1:], strict=True))
    return Artwork(every, there, tuple(map(mean_squared_error, every, pictures)))


def transfers(
    puzzle: EdgeMatchingPuzzle, number: int, pixels: int, tabs: Tabs, other: EdgeMatchingPuzzle | None = None
) -> tuple[Integers, ...]:
    """The position of each pixel of the first assembly in each other one of the first `number` assemblies.

    With `other` there is one other assembly, its first one.
    """
    first, *others = puzzle.assemblies[:number]
    if other is not None:
        return (transfer(puzzle, first, other.assemblies[0], pixels, tabs, other),)
    return tuple(transfer(puzzle, first, other, pixels, tabs) for other in others)


def outlined(picture: Picture, owner: NDArray[np.int32]) -> Picture:
    """A picture with thin dark lines between pixels of different owners."""
    line = np.zeros(owner.shape, np.bool_)
    line[1:] |= owner[1:] != owner[:-1]
    line[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    return np.where(line[..., None], np.rint(picture * _DARKENED), picture).astype(np.uint8)


def back(layer: NDArray[Any], there: Integers, shape: tuple[int, ...], beyond: Any = 0) -> NDArray[Any]:
    """What another assembly has, where the first one has the same pixels; on pieces left over there it is `beyond`."""
    flat = layer.reshape(-1, *layer.shape[2:])
    more = np.full((len(there) - len(flat), *flat.shape[1:]), beyond, flat.dtype)
    return np.concatenate([flat, more])[there].reshape(*shape, *layer.shape[2:])


def blend(pictures: Sequence[Picture], there: Sequence[Integers], shares: Sequence[float]) -> Picture:
    """The artwork in the first assembly with the least weighted sum of squared errors: a weighted mean."""
    others, shape = zip(pictures[1:], there, strict=True), pictures[0].shape[:2]
    tones = [pictures[0], *(back(picture, to, shape, picture.mean((0, 1))) for picture, to in others)]
    return np.rint(sum(share * tone for share, tone in zip(shares, tones, strict=True))).astype(np.uint8)


def shown(artwork: NDArray[Any], there: Integers, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """The picture that another assembly shows, without pieces that are left over; `shape` is that of the picture."""
    picture = np.empty_like(artwork)
    picture.reshape(len(there), -1)[there] = artwork.reshape(len(there), -1)
    return picture if shape is None else picture.reshape(-1)[: prod(shape)].reshape(shape)


def mean_squared_error(one: Picture, other: Picture) -> float:
    """The mean of the squared differences, on a scale from 0 to 255."""
    rows = zip(one.astype(np.int64), other.astype(np.int64), strict=True)
    return sum(int(((a - b) ** 2).sum()) for a, b in rows) / one.size


def side_by_side(pictures: Sequence[Picture]) -> Picture:
    """Pictures side by side, with white below those that are lower."""
    rows = max(map(len, pictures))
    white = [((0, rows - len(each)), (0, 0), (0, 0)) for each in pictures]
    padded = [np.pad(each, more, constant_values=255) for each, more in zip(pictures, white, strict=True)]
    return np.concatenate(padded, axis=1)
