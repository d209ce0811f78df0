"""When two solutions are the same one: for what was found before, by the same engine or another one."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np

from ..files.instances import Puzzle
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle


def identity_of(puzzle: Puzzle, *, every: bool, turns: int = 1) -> Callable[[Any], Any]:
    """A function whose values are equal for the same solutions, and different for others.

    - `every`: whether every arrangement is a solution of its own; otherwise all arrangements of a symmetry class are
      the same.
    - `turns`: for puzzles of squares: the number of ways to turn the board onto itself that make no difference.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return _tilings(puzzle, every=every)
    return _numbered if every else _pictures(puzzle, turns)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def _numbered(board: Arrangement) -> bytes:
    return _digest(np.array([(-1, 0) if placed is None else placed for placed in board], dtype=np.int32).tobytes())


def _pictures(puzzle: EdgeMatchingPuzzle, turns: int) -> Callable[[Arrangement], bytes]:
    """The first of the pictures that a board shows when it is turned: the sides of all squares, not the pieces."""
    board = puzzle.board
    sides = np.array(puzzle.pieces, dtype=np.int64).reshape(-1, 4)
    shown = np.stack([np.roll(sides, rotation, axis=1) for rotation in range(4)], axis=1)
    ways = []
    for quarter_turns in range(0, 4, 4 // turns):
        target = np.argsort([board.turned_square(square, quarter_turns) for square in range(len(board))])
        ways.append((quarter_turns, target))

    def picture(arrangement: Arrangement) -> bytes:
        pieces, rotations = np.array(arrangement, dtype=np.int64).T
        return _digest(
            min(shown[pieces[source], (rotations[source] + turned) % 4].tobytes() for turned, source in ways)
        )

    return picture


def _tilings(puzzle: DissectionPuzzle, *, every: bool) -> Callable[[Tiling], Any]:
    """The polygons of a tiling, or for a class those of all its images; a polygon determines its class of pieces."""
    if every:
        return tuple
    images: dict[Any, list[Any]] = {}

    def all_images(tiling: Tiling) -> frozenset[Any]:
        for polygon in tiling:
            if polygon not in images:
                images[polygon] = [motion(polygon) for motion in puzzle.symmetries]
        return frozenset(
            frozenset(images[polygon][which] for polygon in tiling) for which in range(len(puzzle.symmetries))
        )

    return all_images
