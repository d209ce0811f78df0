"""What can be reached with two pictures, in seconds: the best assignment of pieces to plain squares."""

from collections.abc import Sequence

import numpy as np

from ....csp.files.picture_files import Picture
from ....csp.make.two_pictures.tones import Tones, best_assignment, random_cost
from ....csp.puzzles.board import Arrangement
from ..raster import Integers
from .lab import WORKING_PIXELS, seen_errors
from .verdict import Foresight
from .wanted_pictures import WantedPictures


def foreseen(pair: WantedPictures, costs: Tones) -> Foresight:
    """The errors with the best assignment to plain squares and the mean of the blend as artwork."""
    return foreseen_with_picture(pair, costs)[0]


def foreseen_with_picture(pair: WantedPictures, costs: Tones) -> tuple[Foresight, Picture]:
    """The errors, and both assemblies side by side."""
    arrangement, cost = best_assignment(costs)
    pixels = len(pair.pictures[0]) // pair.board.rows
    worst = random_cost(costs)
    return shown_plainly(pair, [_moved(pair, arrangement, pixels)], cost / worst if worst else 0.0)


def shown_plainly(pair: WantedPictures, there: Sequence[Integers], ratio: float) -> tuple[Foresight, Picture]:
    """The errors with the weighted mean as artwork on pixels that move so, and the assemblies side by side."""
    shown = [pair.plain(there)]
    for to in there:
        moved = np.empty_like(shown[0])
        moved.reshape(len(to), -1)[to] = shown[0].reshape(len(to), -1)
        shown.append(moved)
    size = pair.board.rows * WORKING_PIXELS, pair.board.columns * WORKING_PIXELS
    every = zip(shown, pair.targets(), pair.importance, strict=True)
    errors = [seen_errors(one, other, *size, weights) for one, other, weights in every]
    differences, similarities = zip(*errors, strict=True)
    return Foresight(differences, similarities, ratio), np.concatenate(shown, axis=1)


def _moved(pair: WantedPictures, arrangement: Arrangement, pixels: int) -> Integers:
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
