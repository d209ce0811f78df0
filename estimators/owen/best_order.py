"""The search order of least predicted cost.

Without slips the expected number of partial boards depends on the *set* of filled squares alone (Owen's model), so that
the cheapest order is a shortest path from the empty board to the full one through sets of squares.

`best_order` first looks among **staircases**: the squares are filled from a corner of the board so that, besides the
fixed squares, row lengths never grow away from that corner.  Of these sets it takes those whose outline has up to a
certain number of steps: all of them on boards up to about 10x10, those with up to three on a 16x16 board.  Among the
orders through these sets the one it finds is the best, from whichever corner: the search is exhaustive, its sums are
floats whose relative error stays below 1e-9.  Then it leaves the class: squares change places in the best order so far
where that saves nodes (local search), which is no proof of anything, but may find a better one.  What is returned is
compared in exact numbers, with the named orders, too.

With a slip array the number of partial boards depends on the way as well: on how many inner joins there were before
each slip depth.  The search then distinguishes sets by these numbers; where that makes too many of them it keeps the
cheapest, and is no longer exhaustive.  `BestOrder.exhaustive` tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import OrderError
from ...csp.puzzles.board import Board
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, fixed_first
from ...csp.puzzles.slips import checked_slips
from .complexity import Complexity, Estimate
from .local_search import improved
from .order_costs import FIXED, OrderCosts

#: The most rows and columns together: an outline is a word of 64 bits.
LONGEST = 64
#: How many sets of squares are looked at from each corner.
STATES = 500_000
#: How many changes the local search tries.
MOVES = 100_000


@dataclass(frozen=True)
class BestOrder:
    """The cheapest order that was found.

    Parameters
    ----------
    order
        The squares, fixed ones first.
    estimate
        What it costs, exactly.
    found
        Where it comes from: ``staircase from the bottom left``, ``local search``, or the name of an order.
    steps
        How many steps the outlines of the staircases had at most.
    exhaustive
        Whether no order of that class is better.
    staircase
        The expected number of nodes of the best order of that class.
    """

    order: Order
    estimate: Estimate
    found: str
    steps: int
    exhaustive: bool
    staircase: Estimate


def best_order(
    puzzle: EdgeMatchingPuzzle,
    slips: str | Sequence[int] | None = None,
    *,
    states: int = STATES,
    moves: int = MOVES,
    seed: int = 0,
    model: Complexity | None = None,
) -> BestOrder:
    """Find the order with the fewest nodes to be expected.

    Parameters
    ----------
    puzzle, slips
        What is to be searched.
    states, moves
        How many sets of squares the search among staircases looks at from each corner, and how many changes the local
        search tries; 0 for none.
    seed
        Where the random numbers of the local search start.
    model
        The puzzle's model, if there is one already.

    Raises
    ------
    OrderError
        If rows and columns together are more than 64, which the search cannot represent.
    SlipError
        If the slip array is none for this puzzle.
    """
    if puzzle.rows + puzzle.columns > LONGEST:
        raise OrderError(f"best order: a {puzzle.rows}x{puzzle.columns} board is too large; name an order instead")
    model = model or Complexity(puzzle)
    array = checked_slips(puzzle, slips)
    costs = OrderCosts(model, array)
    steps = _steps(puzzle.board, states)
    exhaustive = True
    found: dict[str, Estimate] = {}
    for corner, flips in _corners(puzzle).items():
        squares, complete = _Staircases(costs, flips, steps, states).best()
        exhaustive = exhaustive and complete
        found[f"staircase from the {corner}"] = model.estimate(fixed_first(puzzle, squares), array)
    staircase = min(found.values(), key=lambda estimate: estimate.nodes)
    found |= {name: model.estimate(name, array) for name in NAMED_ORDERS}
    start = min(found.values(), key=lambda estimate: estimate.nodes)
    if moves:
        found["local search"] = model.estimate(improved(costs, start.order, moves, seed), array)
    name = min(found, key=lambda name: found[name].nodes)
    return BestOrder(found[name].order, found[name], name, steps, exhaustive, staircase)


def _steps(board: Board, states: int) -> int:
    """How many steps an outline may have so that there are no more than so many outlines; at least 2."""
    rows, columns = board.rows, board.columns
    steps, outlines = 0, 1
    while steps < min(rows, columns):
        # Outlines with k steps: the rows and the columns at which they are.
        outlines += comb(rows, steps + 1) * comb(columns, steps + 1)
        if outlines > states and steps >= 2:
            break
        steps += 1
    return steps


def _corners(puzzle: EdgeMatchingPuzzle) -> dict[str, tuple[bool, bool]]:
    """The corners to start from: whether the rows count from the top, and the columns from the right."""
    corners = {
        "bottom left": (False, False),
        "bottom right": (False, True),
        "top left": (True, False),
        "top right": (True, True),
    }
    return corners if puzzle.fixed else {"bottom left": corners["bottom left"]}


class _Staircases:
    """The shortest path through the staircases that grow from a corner.

    An outline is a path from the far end of the first column to the far end of the first row: bit i of a word is 1
    where step i leads along a row and 0 where it leads back to the first row.  To fill a square is to exchange a 0
    and the 1 after it.
    """

    def __init__(self, costs: OrderCosts, flips: tuple[bool, bool], steps: int, states: int) -> None:
        self._costs, self._steps = costs, steps
        self._rows, self._columns = costs.board.rows, costs.board.columns
        self._most = max(2 * states // len(costs.board), 1000) * 4
        self._complete = True
        rows = range(self._rows) if flips[0] else reversed(range(self._rows))
        columns = [*(reversed(range(self._columns)) if flips[1] else range(self._columns))]
        # The square at row y and column x, counted from the corner.
        self._square = np.array([[costs.board.square(row, column) for column in columns] for row in rows])
        self._frame, self._inner = self._joins()

    def _joins(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many frame and inner joins each square makes: with the squares nearer to the corner, and fixed ones."""
        costs = self._costs
        place = {int(square): at for at, square in np.ndenumerate(self._square)}
        numbers = np.zeros((2, len(costs.board)), dtype=np.int64)
        for square, (y, x) in place.items():
            for join in costs.board.joins_of(square):
                there = place[join.second]
                if there < (y, x) or costs.square_class[join.second] == FIXED:
                    numbers[0 if costs.board.is_frame_join(join) else 1, square] += 1
        return numbers[0], numbers[1]

    def best(self) -> tuple[list[int], bool]:
        """The squares of the cheapest order, and whether no other one of the class is cheaper."""
        words = np.array([((1 << self._columns) - 1) << self._rows], dtype=np.uint64)
        boards = self._costs.start()
        total = np.zeros(1)
        levels: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        for _ in range(len(self._costs.board)):
            words, parents, squares = self._grown(words)
            boards, cost = self._costs.placed(boards.of(parents), squares, self._frame[squares], self._inner[squares])
            total = total[parents] + cost
            kept = self._kept(words, boards.history, total)
            words, boards, total = words[kept], boards.of(kept), total[kept]
            levels.append((parents[kept], squares[kept]))
        order = []
        at = int(np.argmin(total))
        for parents, squares in reversed(levels):
            order.append(int(squares[at]))
            at = int(parents[at])
        return order[::-1], self._complete

    def _grown(self, words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """All outlines with one square more; for each the number of the one it comes from, and the square."""
        grown, parents, squares = [], [], []
        for i in range(self._rows + self._columns - 1):
            bit = np.uint64(i)
            at = np.flatnonzero((words >> bit) & np.uint64(3) == 2)
            if not len(at):
                continue
            after = words[at] ^ np.uint64(3 << i)
            allowed = np.bitwise_count(after & ~(after >> np.uint64(1))) <= self._steps + self._ends_in_one(after)
            at, after = at[allowed], after[allowed]
            x = np.bitwise_count(words[at] & np.uint64((1 << i) - 1)).astype(np.int64)
            grown.append(after)
            parents.append(at)
            squares.append(self._square[self._rows - 1 - (i - x), x])
        return np.concatenate(grown), np.concatenate(parents), np.concatenate(squares)

    def _ends_in_one(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """1 where the last step leads along a row, which is no step of the outline."""
        return words >> np.uint64(self._rows + self._columns - 1)

    def _kept(self, words: NDArray[np.uint64], history: NDArray[np.int64], total: NDArray[np.float64]):
        """The cheapest way to each outline and history."""
        by_outline = np.lexsort((total, history, words))
        words, history = words[by_outline], history[by_outline]
        first = np.ones(len(words), dtype=bool)
        first[1:] = (words[1:] != words[:-1]) | (history[1:] != history[:-1])
        kept = by_outline[first]
        if len(kept) > self._most:
            self._complete = False
            kept = np.sort(kept[np.argsort(total[kept], kind="stable")[: self._most]])
        return kept
