"""The cheapest order: a shortest path through all sets of squares, for small boards without slips."""

import numpy as np

from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.orders import Order
from .order_costs import FIXED, OrderCosts

#: The most free squares for which this takes no longer than other searches; n free squares have 2^n sets.
MOST_FREE = 18


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
