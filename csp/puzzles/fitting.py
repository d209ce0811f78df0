"""Which pieces still fit on a square of a board that is being filled."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .board import BORDER, Arrangement, Placement, opposite
from .edge_matching import ANY, EdgeMatchingPuzzle


class Fitting:
    """The pieces of a puzzle in all their rotations, to find those that fit.

    Parameters
    ----------
    puzzle
        The puzzle.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self._puzzle = puzzle
        self._all = tuple(
            Placement(piece, rotation)
            for piece in range(len(puzzle.pieces))
            for rotation in puzzle.looks(piece).values()
        )
        self._piece = np.array([placed.piece for placed in self._all])
        self._sides = np.array([puzzle.shown(placed) for placed in self._all])

    @cached_property
    def _on_border(self) -> NDArray[np.bool_]:
        """Which sides of which placements may lie on the border."""
        rim = self._puzzle.rim
        return np.ones(self._sides.shape, bool) if rim == ANY else self._sides == rim

    def on(self, board: Arrangement, square: int) -> tuple[Placement, ...]:
        """The pieces that are not on the board and fit the border and all neighbours of an empty square.

        Of rotations that look the same, only the least one.
        """
        return tuple(self._all[index] for index in np.flatnonzero(self._fits(board, self._loose(board), square)))

    def is_dead_end(self, board: Arrangement) -> bool:
        """Whether some join on the board is invalid, or an empty square has no piece that fits.

        Otherwise it may still be one.
        """
        puzzle, loose = self._puzzle, self._loose(board)
        joins = sum(board[one] is not None and board[other] is not None for one, _, other in puzzle.board.joins())
        if puzzle.score(board) < joins or not self._border_fits(board):
            return True
        return any(placed is None and not self._fits(board, loose, square).any() for square, placed in enumerate(board))

    def _border_fits(self, board: Arrangement) -> bool:
        puzzle = self._puzzle
        return all(
            puzzle.side_fits(side, on_border=puzzle.board.neighbour(square, number) is None)
            for square, placed in enumerate(board)
            if placed is not None
            for number, side in enumerate(puzzle.shown(placed))
        )

    def _loose(self, board: Arrangement) -> NDArray[np.bool_]:
        loose = np.ones(len(self._puzzle.pieces), bool)
        loose[[placed.piece for placed in board if placed is not None]] = False
        return loose[self._piece]

    def _fits(self, board: Arrangement, loose: NDArray[np.bool_], square: int) -> NDArray[np.bool_]:
        puzzle, fits = self._puzzle, loose
        for side in range(4):
            neighbour = puzzle.board.neighbour(square, side)
            if neighbour is None:
                fits = fits & self._on_border[:, side]
                continue
            fits = fits & (self._sides[:, side] != BORDER)
            placed = board[neighbour]
            if placed is not None:
                fits = fits & (self._sides[:, side] == puzzle.mate(puzzle.shown(placed)[opposite(side)]))
        return fits
