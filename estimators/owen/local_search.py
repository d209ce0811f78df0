"""A local search for a cheaper search order: squares change places if that saves nodes.

Without slips, the expected number of boards depends only on the set of filled squares, so a change affects only the
depths between the first and the last place that it moves.  The search descends from several orders, then repeatedly
anneals the best few (simulated annealing; Kirkpatrick, Gelatt and Vecchi, 1983).  A change is judged by the *factor* by
which it changes the cost of the affected depths, because even depths with a million times fewer nodes than others
should be optimised in the end.
"""

from collections.abc import Iterator
from itertools import cycle, product
from typing import NamedTuple

import numpy as np

from ...csp.puzzles.board import Board
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, fixed_first, named_order
from ...csp.puzzles.slips import allowed
from .local_search_kernel import improve
from .order_costs import OrderCosts

# The number of changes tried from each of the first orders; the number in the first round of annealing; the growth of
# that number with every round; and the fraction of changes that follows at temperature 0.
_FIRST, _WARM, _LONGER, _COLD = 8_000, 20_000, 1.3, 0.25
# The largest number of changes between two evaluations of the order.
_LOOKED_AT = 4_000
# The number of orders that are annealed.
_KEPT = 3
# The first temperatures, as natural logarithms of the factor that a change may cost, and the last one.
_HEATS, _COLDEST = (0.5, 1.0, 2.0), 1e-3


class LocalSearch:
    """A search for a cheap order that can be interrupted and continued.

    The result depends only on the total number of changes tried, not on how the calls divide it.

    - `costs`: the costs of filling squares.
    - `seed`: the random seed.

    Attributes:
    - `moves`: the number of changes tried so far.
    - `order`: the cheapest order so far.
    - `cost`: its cost in units of `costs`, without the fixed pieces.
    """

    def __init__(self, costs: OrderCosts, seed: int = 0) -> None:
        self._costs, self._fixed = costs, len(costs.puzzle.fixed)
        self._numbers = _numbers(costs)
        # Any odd factor works; the state must not be zero.
        self._numbers.random[0] = np.uint64((seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) % 2**64 or 1)
        self.order: Order = named_order(costs.puzzle, "rowscan")
        self._head, self._squares = self.order[: self._fixed], np.array(self.order[self._fixed :], dtype=np.int64)
        self.moves, self.cost = 0, float(improve(self._squares, *self._numbers, 0))
        self._now = self.cost
        self._left = self._until_looked_at = 0
        self._course = self._stretches()

    def advance(self, moves: int) -> None:
        """Try `moves` changes."""
        while moves > 0:
            if not self._left:
                self._left = next(self._course)
            if not self._until_looked_at:
                self._until_looked_at = min(_LOOKED_AT, self._left)
            portion = min(moves, self._until_looked_at)
            self._now = improve(self._squares, *self._numbers, portion)
            self._left -= portion
            self._until_looked_at -= portion
            self.moves += portion
            moves -= portion
            if not self._until_looked_at:
                self._look()

    def _look(self) -> None:
        """Keep the order if it is cheaper, or if the difference may be too small to change the sum."""
        if self._now < self.cost or (self._now == self.cost and not self._numbers.heat[0]):
            self.cost, self.order = self._now, (*self._head, *self._squares.tolist())

    def _stretches(self) -> Iterator[int]:
        """Set the order to continue from, and yield the number of changes to try, in turn."""
        ends = []
        for order in first_orders(self._costs.puzzle):
            self._squares[:] = order[self._fixed :]
            yield _FIRST
            ends.append((self._now, self._squares.copy()))
        ends = sorted(ends, key=lambda end: end[0])[:_KEPT]
        warm = _WARM
        for heat in cycle(_HEATS):
            for i, (cost, squares) in enumerate(ends):
                self._squares[:] = squares
                self._numbers.heat[:] = heat, (_COLDEST / heat) ** (1 / warm)
                yield warm
                self._numbers.heat[:] = 0
                yield int(warm * _COLD)
                if self._now < cost:
                    ends[i] = self._now, self._squares.copy()
            warm = int(warm * _LONGER)
            # Depths that cost almost nothing are optimised last.
            best = min(range(len(ends)), key=lambda i: ends[i][0])
            self._squares[:] = ends[best][1]
            yield _FIRST
            ends[best] = self._now, self._squares.copy()


def first_orders(puzzle: EdgeMatchingPuzzle) -> list[Order]:
    """The first orders: by rows, by columns and by growing squares, each from several corners, and all named orders."""
    board = puzzle.board
    every = [*product(range(board.rows), range(board.columns))]
    orders = [named_order(puzzle, name) for name in NAMED_ORDERS]
    for squares in (every, sorted(every, key=lambda at: at[::-1]), sorted(every, key=lambda at: (max(at), at))):
        for bottom, right in product((True, False), repeat=2) if puzzle.fixed else ((True, False),):
            turned = (
                board.square(board.rows - 1 - row if bottom else row, board.columns - 1 - column if right else column)
                for row, column in squares
            )
            orders.append(fixed_first(puzzle, turned))
    return [*dict.fromkeys(orders)]


class _LocalTables(NamedTuple):
    """The arguments of the kernel other than the order; see `improve`."""

    place: np.ndarray
    tried: np.ndarray
    row: np.ndarray
    column: np.ndarray
    square_class: np.ndarray
    neighbours: np.ndarray
    on_frame: np.ndarray
    boards: np.ndarray
    frame: np.ndarray
    chances: np.ndarray
    greatest: np.ndarray
    most: np.ndarray
    noted: np.ndarray
    counts: np.ndarray
    ways: np.ndarray
    cost: np.ndarray
    counts_tried: np.ndarray
    ways_tried: np.ndarray
    cost_tried: np.ndarray
    random: np.ndarray
    heat: np.ndarray


def _numbers(costs: OrderCosts) -> _LocalTables:
    """The kernel's tables for a puzzle, in their initial state."""
    board, fixed = costs.board, len(costs.puzzle.fixed)
    n = len(board) - fixed
    # An additional square, which is never filled, represents everything beyond the border.
    place = np.full(len(board) + 1, -1)
    place[len(board)] = n + 1
    row, column = np.divmod(np.arange(len(board)), board.columns)
    neighbours, on_frame = _neighbours(board)
    # Classes without free squares are omitted.
    classes = [*np.unique(costs.square_class[costs.square_class >= 0])]
    square_class = np.array([classes.index(number) if number in classes else -1 for number in costs.square_class])
    greatest = costs.inner.max(axis=0)
    with np.errstate(invalid="ignore"):
        chances = np.nan_to_num(np.exp(costs.inner - greatest))
    most = np.array([allowed(costs.slips, fixed + d) for d in range(1, n + 1)], dtype=np.int64)
    noted = np.zeros(n + 1, dtype=np.bool_)
    noted[[depth - 1 - fixed for depth in costs.slips if depth > fixed]] = True
    counts = np.zeros((n + 1, len(classes) + 2), dtype=np.int64)
    counts[0, -2:] = costs.joins.frame[fixed], costs.joins.inner[fixed]
    ways = np.zeros((n + 1, len(costs.slips) + 1))
    ways[0, costs.joins.fixed_invalid.inner] = 1
    cost = np.zeros(n)
    return _LocalTables(
        place, np.zeros(n, dtype=np.int64), row, column, square_class, neighbours, on_frame,
        costs.boards[classes], costs.frame, chances, greatest, most, noted,
        counts, ways, cost, counts.copy(), ways.copy(), cost.copy(), np.ones(1, dtype=np.uint64), np.zeros(2),
    )  # fmt: skip


def _neighbours(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """The square across each side, or the additional square beyond the border; and whether both share a frame join."""
    neighbours = np.full((len(board), 4), len(board))
    on_frame = np.zeros((len(board), 4), dtype=np.bool_)
    for square in range(len(board)):
        for join in board.joins_of(square):
            neighbours[square, join.side] = join.second
            on_frame[square, join.side] = board.is_frame_join(join)
    return neighbours, on_frame
