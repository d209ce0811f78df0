"""Answers about a board that somebody is filling, each within a few seconds: for the studio, and for Python."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..csp.base.errors import PuzzleError
from ..csp.engines.request import Options
from ..csp.puzzles.board import Arrangement, Placement
from ..csp.puzzles.fitting import Fitting
from .public import AnyPuzzle, opened
from .solve import best, count, solve

if TYPE_CHECKING:
    from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle


@dataclass(frozen=True)
class WaysLeft:
    """How many ways there are to complete a board or a tiling; pieces are numbered, so equal ones count apart."""

    #: At least this many; exactly as many if `exact`.
    least: int
    exact: bool
    #: Otherwise an estimate from random boards, with a 95 % interval if there is one.
    sampled: Fraction | None = None
    interval: tuple[Fraction, Fraction] | None = None
    #: How many are expected of random pieces with these colours.
    expected: Fraction | None = None


@dataclass(frozen=True)
class Found:
    """A board (or places on a page) that continues another one; without one, whether it is certain that none does."""

    board: Any = None
    #: The square, or the piece of a dissection, that a hint adds.
    at: int | None = None
    none: bool = False
    score: int | None = None


def ways_left(puzzle: AnyPuzzle, board: Arrangement, seconds: float = 1.0) -> WaysLeft:
    """The number of ways to complete a board: exact if it is counted within some seconds, and otherwise an estimate."""
    squares: Any = opened(puzzle)
    if Fitting(squares).is_dead_end(board):
        return WaysLeft(0, exact=True)
    fixed = squares.with_fixed(board)
    counted = count(fixed, time_limit=seconds)
    if counted.complete:
        return WaysLeft(counted.count, exact=True)
    from ..estimators.plan.square_estimates import estimate_squares

    # The rate is of no interest here, and would be measured.
    estimate = estimate_squares(fixed, Options(), sample_solutions=seconds, rate=1e7)
    sampled = None if estimate.sampled is None else estimate.sampled.sample
    expected = estimate.effort.plain.solutions
    if sampled is None:
        return WaysLeft(counted.count, exact=False, expected=expected)
    if sampled.exact is not None:
        return WaysLeft(sampled.exact, exact=True)
    return WaysLeft(counted.count, False, sampled.estimate, sampled.interval, expected)


def solved_from(puzzle: AnyPuzzle, board: Arrangement, seconds: float = 5.0) -> Found:
    """A solution that has the pieces of a board, if one is found within some seconds."""
    squares: Any = opened(puzzle)
    if Fitting(squares).is_dead_end(board):
        return Found(none=True)
    found = solve(squares.with_fixed(board), time_limit=seconds)
    if found.solutions:
        return Found(tuple(found.solutions[0]))
    return Found(none=found.complete)


def best_from(puzzle: AnyPuzzle, board: Arrangement, seconds: float = 5.0) -> Found:
    """The board with the highest score that is found within some seconds and has the pieces of a board."""
    squares: Any = opened(puzzle)
    try:
        found = best(squares.with_fixed(board), time_limit=seconds)
    except PuzzleError:
        # A piece lies where its border side may not.
        return Found(none=True)
    return Found(None if found.best_board is None else tuple(found.best_board), score=found.best_score)


def hint(puzzle: AnyPuzzle, board: Arrangement, seconds: float = 3.0) -> Found:
    """A board with one more piece of a solution, if one is found within some seconds.

    It lies on the empty square with the most filled neighbours.
    """
    found = solved_from(puzzle, board, seconds)
    empty = [square for square, placed in enumerate(board) if placed is None]
    if found.board is None or not empty:
        return found
    whole: Any = opened(puzzle)
    squares: EdgeMatchingPuzzle = whole

    def filled(square: int) -> int:
        around = (squares.board.neighbour(square, side) for side in range(4))
        return sum(other is not None and board[other] is not None for other in around)

    at = max(empty, key=filled)
    return Found((*board[:at], found.board[at], *board[at + 1 :]), at)


@lru_cache(4)
def _fitting(puzzle: EdgeMatchingPuzzle) -> Fitting:
    return Fitting(puzzle)


def fitting(puzzle: EdgeMatchingPuzzle, board: Arrangement, square: int) -> tuple[Placement, ...]:
    """The loose pieces that fit the border and all neighbours of an empty square, each with its rotation."""
    return _fitting(puzzle).on(board, square)
