"""What filling squares costs in Owen's model, in floats, for the searches that look for a good order.

Floats choose an order here; what it costs is worked out exactly afterwards.
"""

from collections import Counter
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.slips import Slips, allowed
from ...csp.puzzles.symmetry import single_pieces
from .complexity import Complexity, Joins, class_fillings, more_invalid

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

FIXED = -1
_NO_HISTORY = 0


@dataclass(frozen=True)
class Boards:
    """Sets of filled squares, as far as their cost goes: one entry a set.

    Parameters
    ----------
    placed
        Shape (n, classes): how many pieces of each class, fixed ones left out.
    frame, inner
        How many frame and inner joins.
    history
        Which of the histories of `OrderCosts`: the inner joins that there were just before each slip depth so far.
    """

    placed: Integers
    frame: Integers
    inner: Integers
    history: Integers

    def of(self, rows: Integers) -> "Boards":
        """Some of the sets, in the order given."""
        return Boards(self.placed[rows], self.frame[rows], self.inner[rows], self.history[rows])


class OrderCosts:
    """The expected numbers of nodes of a puzzle under a slip array, scaled by a common factor.

    Attributes
    ----------
    square_class
        The class of each square as an index, `FIXED` where a fixed piece lies.
    boards, frame
        The logarithm of the number of configurations with k pieces of a class, shape (classes, k); and of the chance
        that b frame joins are valid.
    inner
        The logarithm of the chance that the first m - i of m inner joins are valid and the last i are not: ``[i, m]``.
    scale
        The logarithm of the common factor.
    """

    def __init__(self, model: Complexity, slips: Slips) -> None:
        puzzle = model.puzzle
        self.puzzle, self.board, self.slips = puzzle, puzzle.board, slips
        fixed = {fixed.square for fixed in puzzle.fixed}
        classes = [puzzle.board.square_class(square) for square in range(len(self.board))]
        free = Counter(name for square, name in enumerate(classes) if square not in fixed)
        self.square_class = np.array(
            [FIXED if square in fixed else PIECE_CLASSES.index(name) for square, name in enumerate(classes)]
        )
        fillings = class_fillings(single_pieces(puzzle), free)
        self.boards = np.zeros((len(PIECE_CLASSES), len(self.board) + 1))
        for name, ways in fillings.items():
            self.boards[PIECE_CLASSES.index(name), : len(ways)] = [_log(number) for number in ways]
        self._exact_inner = model.inner.with_invalid(len(slips))
        self.frame = np.array([_log(number) for number in model.frame.numerators]) - log(model.frame.denominator)
        self._inner_denominator = log(model.inner.denominator)
        self.inner = np.array([[_log(number) for number in row] for row in self._exact_inner]) - self._inner_denominator
        estimate = model.estimate("rowscan", slips)
        self.scale = log(max(estimate.numerators) or 1) - log(estimate.denominator)
        # Those of the fixed pieces, which all orders share.
        self.joins = Joins(puzzle, estimate.order[: len(fixed)], slips)
        self._start_histories(len(puzzle.fixed))
        self._chances: dict[tuple[int, int], float] = {}

    def _start_histories(self, fixed: int) -> None:
        # Up to the first free piece's depth the number of joins is known; later depths make a difference.
        self._depths = sorted({depth for depth in self.slips if depth > fixed + 1})
        self._allowed = [allowed(self.slips, fixed + 1), *(allowed(self.slips, depth) for depth in self._depths)]
        self._histories: list[tuple[int, ...]] = [()]
        self._numbers: dict[tuple[int, ...], int] = {(): _NO_HISTORY}

    def start(self) -> Boards:
        """The board with the fixed pieces alone, as a set of one."""
        fixed = len(self.puzzle.fixed)
        return Boards(
            np.zeros((1, len(PIECE_CLASSES)), dtype=np.int64),
            np.array([self.joins.frame[fixed]]),
            np.array([self.joins.inner[fixed]]),
            np.array([_NO_HISTORY]),
        )

    def placed(self, boards: Boards, squares: Integers, frame: Integers, inner: Integers) -> tuple[Boards, Floats]:
        """The boards with one square more, and their costs.

        `frame` and `inner` are the joins that this makes.  A square with a fixed piece costs nothing, and changes
        nothing.
        """
        of_class = self.square_class[squares]
        free = of_class != FIXED
        placed = boards.placed.copy()
        placed[np.flatnonzero(free), of_class[free]] += 1
        after = Boards(
            placed, boards.frame + np.where(free, frame, 0), boards.inner + np.where(free, inner, 0), boards.history
        )
        logs = self.frame[after.frame] + self._inner_logs(after)
        for index in range(len(PIECE_CLASSES)):
            logs = logs + self.boards[index, placed[:, index]]
        with np.errstate(over="ignore"):
            cost = np.where(free, np.exp(logs - self.scale), 0.0)
        return self._with_histories(after, free), cost

    def _inner_logs(self, boards: Boards) -> Floats:
        """The logarithm of the chance that the inner joins are as the slips allow."""
        if not self.slips:
            return self.inner[0, boards.inner]
        pairs = boards.history << np.int64(32) | boards.inner
        different, which = np.unique(pairs, return_inverse=True)
        return np.array([self._chance(int(pair) >> 32, int(pair) & 0xFFFFFFFF) for pair in different])[which]

    def _chance(self, history: int, joins: int) -> float:
        """The same for one history and number of joins."""
        key = history, joins
        if key not in self._chances:
            before = self._histories[history]
            ways = {self.joins.fixed_invalid: 1}
            # Between two slip depths, joins may be invalid wherever they are, up to the number allowed there.
            bounds = [self.joins.inner[len(self.puzzle.fixed)], *before, joins]
            for most, first, last in zip(self._allowed, bounds[:-1], bounds[1:], strict=False):
                ways = more_invalid(ways, last - first, most)
            total = sum(number * self._exact_inner[i][joins] for i, number in ways.items() if i <= joins)
            self._chances[key] = _log(total) - self._inner_denominator
        return self._chances[key]

    def _with_histories(self, boards: Boards, free: NDArray[np.bool_]) -> Boards:
        """The boards, their joins noted where a slip depth is next."""
        if not self._depths:
            return boards
        pieces = len(self.puzzle.fixed) + boards.placed.sum(axis=1)
        history = boards.history.copy()
        for row in np.flatnonzero(free & np.isin(pieces + 1, self._depths)).tolist():
            noted = (*self._histories[history[row]], int(boards.inner[row]))
            if noted not in self._numbers:
                self._numbers[noted] = len(self._histories)
                self._histories.append(noted)
            history[row] = self._numbers[noted]
        return Boards(boards.placed, boards.frame, boards.inner, history)


def _log(number: int) -> float:
    return log(number) if number > 0 else -inf
