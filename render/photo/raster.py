"""The assignment of pixels to pieces in an assembly.

A pixel belongs to the piece on which its centre lies.  By construction, of two sides that mate, one owns exactly the
pixels that the other does not; and quarter turns map pixels to pixels.  So in every assembly each pixel of the board
belongs to exactly one piece, and pieces own the same pixels wherever they lie.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...csp.puzzles.board import BORDER, Arrangement, Board
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..cut.tabs import SIDE, Point, Tab

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]
#: The curve of each connector; None for plain squares.
Tabs = Mapping[int, Tab] | None

# Curves are treated as polylines: the number of points on a curve, and the parts of a unit to which they are rounded
# down.  All numbers are integers, and nothing overflows with sides of up to 512 pixels.
_STEPS, _PARTS = 32, 16


def transfer(puzzle: EdgeMatchingPuzzle, first: Arrangement, second: Arrangement, pixels: int, tabs: Tabs) -> Integers:
    """The position of each pixel of one assembly in another one; pixels are numbered row by row.

    - `first`, `second`: assemblies of all its pieces.
    - `pixels`: the side of a piece in pixels, an even number up to 512.
    - `tabs`: the curve of each connector; None for plain squares.

    Returns a permutation of the pixels.
    """
    places = [dict(_places(puzzle, assembly, pixels, tabs)) for assembly in (first, second)]
    there = np.empty(len(puzzle.board) * pixels**2, np.int64)
    for piece, pixels_of_first in places[0].items():
        there[pixels_of_first] = places[1][piece]
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
        own = np.argwhere(piece_mask(puzzle.pieces[placed.piece], strips))
        yield placed.piece, _lying(own, puzzle.board, square, placed.rotation, pixels)


def _lying(own: Integers, board: Board, square: int, rotation: int, pixels: int) -> Integers:
    """The positions on a board of pixels of a piece's window (see `piece_mask`)."""
    y, x = own.T
    for _ in range(rotation):
        y, x = x, 2 * pixels - 1 - y
    row, column = divmod(square, board.columns)
    return (y + row * pixels - pixels // 2) * (board.columns * pixels) + x + column * pixels - pixels // 2


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
    points = _flattened(path) * (2 * pixels)
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


def _flattened(path: Sequence[Point]) -> Integers:
    """Points on a path of Bezier curves, in parts of a unit."""
    control = np.array(path, np.int64)
    starts = np.arange(0, len(path) - 1, 3)
    t = np.arange(_STEPS)[:, None]
    s = _STEPS - t
    a, b, c, d = (control[starts + i][:, None, :] for i in range(4))
    curve = (s * s * s * a + 3 * t * s * s * b + 3 * t * t * s * c + t * t * t * d) * _PARTS // _STEPS**3
    return np.concatenate([curve.reshape(-1, 2), control[-1:] * _PARTS])
