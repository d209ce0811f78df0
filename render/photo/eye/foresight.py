"""What can be reached with two pictures, in seconds: the best assignment of pieces to plain squares."""

import numpy as np

from ....csp.files.picture_files import Picture
from ....csp.make.two_pictures.tones import Tones, best_assignment, random_cost
from ....csp.puzzles.board import Arrangement
from ..raster import Integers
from .lab import WORKING_PIXELS, seen_errors
from .pair import Pair
from .verdict import Foresight


def foreseen(pair: Pair, costs: Tones) -> Foresight:
    """The errors with the best assignment to plain squares and the weighted mean as artwork."""
    return foreseen_with_picture(pair, costs)[0]


def foreseen_with_picture(pair: Pair, costs: Tones) -> tuple[Foresight, Picture]:
    """The errors, and both assemblies side by side."""
    arrangement, cost = best_assignment(costs)
    pixels = len(pair.pictures[0]) // pair.board.rows
    there = _moved(pair, arrangement, pixels)
    first = pair.plain(there)
    second = np.empty_like(first)
    second.reshape(len(there), -1)[there] = first.reshape(len(there), -1)
    size = pair.board.rows * WORKING_PIXELS, pair.board.columns * WORKING_PIXELS
    errors = [seen_errors(a, b, *size) for a, b in zip((first, second), pair.targets(), strict=True)]
    (c, a), (d, b) = errors
    worst = random_cost(costs)
    return Foresight((c, d), (a, b), cost / worst if worst else 0.0), np.concatenate([first, second], axis=1)


def _moved(pair: Pair, arrangement: Arrangement, pixels: int) -> Integers:
    """The position of each pixel of the first assembly in the second one, on plain squares."""
    board = pair.board
    width = board.columns * pixels
    tile = np.arange(pixels)[:, None] * width + np.arange(pixels)
    corners = [row * pixels * width + column * pixels for row in range(board.rows) for column in range(board.columns)]
    there = np.empty(len(board) * pixels**2, np.int64)
    for square, placed in enumerate(arrangement):
        assert placed is not None
        there[(corners[placed.piece] + tile)] = np.rot90(corners[square] + tile, placed.rotation)
    return there
