"""The data of a puzzle that all its windows share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.errors import PuzzleError
from ...puzzles.board import BORDER, MET_WAY, Arrangement, Placement, opposite, turned
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import symmetries
from .kernel import UNKNOWN


class WindowTables:
    """The pieces in all rotations, and the squares.

    A side along the frame fits only a side along the same border in the opposite direction; so a colour counts as
    another colour there.

    Attributes:
    - `colors`: the number of colours that are distinguished in this way.
    - `own`, `wanted`: shape (pieces, 4, 4): the colours of a piece's sides in each rotation, and the colours that fit
      onto them; UNKNOWN for the border.
    - `borders`: shape (pieces, 4): the border sides in each rotation, as bits.
    - `mate`: the colour that fits onto each.
    - `looks`, `turns`: of each free piece a number that is the same for pieces that look alike, and the number of its
      rotations that look different.
    - `all_different`: whether no two free pieces look alike.
    - `fixed_pieces`, `fixed_squares`: the pieces that are fixed, and their squares.
    - `neighbour`, `square_borders`, `along_frame`: of each square its neighbours (-1 beyond the border), its sides on
      the border, and its sides that meet another square of the frame along the border, as bits.
    - `joins`: the first square, its side, and the second square of each join, shape (3, joins).
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self.puzzle, board = puzzle, puzzle.board
        sides = np.array([[turned(piece, r) for r in range(4)] for piece in puzzle.pieces], dtype=np.int64)
        mates = sides if puzzle.mate(1) == 1 else -sides
        border = sides == BORDER
        self.borders = (border << np.arange(4)).sum(axis=2)
        # `way_along_border` of all sides.
        way = np.roll(border, -1, axis=2) + 2 * np.roll(border, 1, axis=2)
        span = int(np.abs(sides).max()) + 1
        own, wanted = 2 * span * way + sides, 2 * span * np.array(MET_WAY)[way] + mates
        found, numbers = np.unique(np.concatenate((own[~border], wanted[~border])), return_inverse=True)
        self.colors = len(found)
        if self.colors >= UNKNOWN:
            raise PuzzleError(f"{self.colors} colours; at most {UNKNOWN - 1} are supported")
        half = len(numbers) // 2
        self.own, self.wanted = np.full_like(sides, UNKNOWN), np.full_like(sides, UNKNOWN)
        self.own[~border], self.wanted[~border] = numbers[:half], numbers[half:]
        self.mate = np.zeros(self.colors, dtype=np.int64)
        self.mate[numbers[:half]] = numbers[half:]
        self.mate[numbers[half:]] = numbers[:half]
        types = symmetries(puzzle).types
        self.looks, self.turns = np.zeros((2, len(sides)), dtype=np.int64)
        for number, kind in enumerate(types):
            self.looks[[*kind.pieces]], self.turns[[*kind.pieces]] = number, 4 // kind.order
        self.all_different = all(len(kind.pieces) == 1 for kind in types)
        self.fixed_pieces = np.array([fixed.piece for fixed in puzzle.fixed], dtype=np.int64)
        self.fixed_squares = frozenset(fixed.square for fixed in puzzle.fixed)
        neighbours = [[board.neighbour(square, side) for side in range(4)] for square in range(len(board))]
        self.neighbour = np.array([[-1 if q is None else q for q in row] for row in neighbours], dtype=np.int64)
        self.square_borders = np.array([board.border_mask(square) for square in range(len(board))], dtype=np.int64)
        self.along_frame = np.zeros(len(board), dtype=np.int64)
        joins = list(board.joins())
        self.joins = np.array([(join.first, join.side, join.second) for join in joins], dtype=np.int64).reshape(-1, 3).T
        for join in joins:
            if board.is_frame_join(join):
                self.along_frame[join.first] |= 1 << join.side
                self.along_frame[join.second] |= 1 << opposite(join.side)

    def placed(self, board: Sequence[Placement | None]) -> NDArray[np.int32]:
        """A board as an array of shape (2, squares): pieces, -1 for an empty square, and their rotations."""
        rows = [(-1, 0) if placed is None else (placed.piece, placed.rotation) for placed in board]
        return np.array(rows, dtype=np.int32).reshape(-1, 2).T

    def board(self, placed: NDArray[np.int32]) -> Arrangement:
        """The board that an array of `placed` stands for."""
        return tuple(Placement(piece, turn) if piece >= 0 else None for piece, turn in placed.T.tolist())
