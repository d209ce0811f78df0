"""The search order of least predicted cost.

Without slips, the expected number of partial boards depends only on the *set* of filled squares (Owen's model), so the
cheapest order is a shortest path from the empty board to the full one through sets of squares.  On small boards all
sets are examined; on larger ones a local search exchanges squares (`local_search`), which does not prove optimality.

With a slip array, the number of partial boards also depends on the path: on the number of inner joins before each slip
depth.  The local search takes that into account.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...csp.base.errors import OrderError
from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_slips
from .complexity import Complexity, Estimate
from .local_search import FIXED, LocalSearch, OrderCosts

#: The most free squares for which all sets are examined; n free squares have 2^n sets.
MOST_FREE = 18
#: The largest board, in squares, whose best order is searched for; for larger ones the model itself takes too long.
MOST_SQUARES = 1024
#: The default number of changes that the local search tries; they take a fifth of a second or less.
MOVES = 400_000


@dataclass(frozen=True)
class BestOrder:
    """The cheapest order that was found."""

    #: The squares, fixed ones first.
    order: Order
    #: The exact expected numbers of nodes.
    estimate: Estimate
    #: Whether all sets of squares were examined.
    exhaustive: bool
    #: The costs of filling squares.
    costs: OrderCosts = field(repr=False, compare=False)


def best_order(
    puzzle: EdgeMatchingPuzzle,
    slips: str | Sequence[int] | None = None,
    *,
    moves: int = MOVES,
    model: Complexity | None = None,
) -> BestOrder:
    """Find the order with the fewest expected nodes; it is the same on every machine.

    The local search tries `moves` changes.

    Raises OrderError if the board has more than `MOST_SQUARES` squares, and SlipError if the slip array is invalid.
    """
    if len(puzzle.board) > MOST_SQUARES:
        raise OrderError(f"best order: a {puzzle.rows}x{puzzle.columns} board is too large; choose a named order")
    model = model or Complexity(puzzle)
    costs = OrderCosts(model, checked_slips(puzzle, slips))
    few = len(puzzle.board) - len(puzzle.fixed) <= MOST_FREE and not model.rim
    if exhaustive := few and not costs.slips:
        order = cheapest_order(costs)
    else:
        search = LocalSearch(costs)
        search.advance(moves)
        order = search.order
    return BestOrder(order, model.estimate(order, costs.slips), exhaustive, costs)


def cheapest_order(costs: OrderCosts) -> Order:
    """The order with the fewest expected nodes, up to the rounding of floats."""
    fixed = [square for square, _, _ in costs.puzzle.fixed]
    free = np.flatnonzero(costs.square_class != FIXED).tolist()
    sets = np.arange(1 << len(free))
    boards = _boards(costs, free, sets)
    sizes = np.bitwise_count(sets)
    least = np.zeros(len(sets))
    for size in range(1, len(free) + 1):
        of_size = sets[sizes == size]
        before = np.full(len(of_size), np.inf)
        for bit in range(len(free)):
            with_it = of_size >> bit & 1 > 0
            before[with_it] = np.minimum(before[with_it], least[of_size[with_it] ^ (1 << bit)])
        least[of_size] = boards[of_size] + before
    order: list[int] = []
    left = len(sets) - 1
    while left:
        last = min((bit for bit in range(len(free)) if left >> bit & 1), key=lambda bit: least[left ^ (1 << bit)])
        order.append(free[last])
        left ^= 1 << last
    return (*dict.fromkeys(fixed), *order[::-1])


def _boards(costs: OrderCosts, free: list[int], sets: np.ndarray) -> np.ndarray:
    """The expected number of boards for each set, in units."""
    bits = {square: 1 << bit for bit, square in enumerate(free)}
    logs = np.zeros(len(sets))
    for kind in range(len(PIECE_CLASSES)):
        mask = sum(bit for square, bit in bits.items() if costs.square_class[square] == kind)
        logs += costs.boards[kind, np.bitwise_count(sets & mask)]
    joins = np.zeros((2, len(sets)), dtype=np.int64)
    for join in costs.board.joins():
        # Fixed squares are filled in every set.
        both = bits.get(join.first, 0) | bits.get(join.second, 0)
        joins[int(costs.board.is_frame_join(join))] += (sets & both) == both
    return np.exp(logs + costs.frame[joins[1]] + costs.inner[0, joins[0]])
