"""The search order of least predicted cost.

Without slips, the expected number of partial boards depends only on the *set* of filled squares (Owen's model), so the
cheapest order is a shortest path from the empty board to the full one through sets of squares.  On small boards all
sets are examined; on larger ones a local search exchanges squares within a time limit (`local_search`).
The local search does not prove optimality, but a lower bound over all orders (`fewest_nodes`) limits how much cheaper
another order can be.

With a slip array, the number of partial boards also depends on the path: on the number of inner joins before each slip
depth.  The local search and the bound take that into account.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...csp.base.errors import OrderError
from ...csp.base.stop import Stop
from ...csp.puzzles.board import PIECE_CLASSES
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_slips
from .complexity import Complexity, Estimate
from .fewest_nodes import ROUNDING, fewest_nodes
from .local_search import LocalSearch
from .order_costs import FIXED, OrderCosts
from .rounding import log10_fraction

#: The most free squares for which this takes no longer than other searches; n free squares have 2^n sets.
MOST_FREE = 18
#: The largest board, in squares, whose best order is searched for; for larger ones the model itself takes too long.
MOST_SQUARES = 1024
#: The default number of changes that the local search tries; they take a fifth of a second or less.
MOVES = 400_000
# The number of changes, a few milliseconds, between two checks whether to stop.
_SLICE = 4_000


@dataclass(frozen=True)
class BestOrder:
    """The cheapest order that was found."""

    #: The squares, fixed ones first.
    order: Order
    #: The exact expected numbers of nodes.
    estimate: Estimate
    #: The number of changes that the local search has tried.
    moves: int
    #: Whether all sets of squares were examined.
    exhaustive: bool
    #: The costs of filling squares.
    costs: OrderCosts = field(repr=False, compare=False)

    @cached_property
    def bound(self) -> Fraction:
        """A lower bound on the nodes of every order; computing it takes up to two seconds for a 16x16 board."""
        return self.estimate.nodes * (1 - Fraction(ROUNDING)) if self.exhaustive else fewest_nodes(self.costs)

    @property
    def optimal(self) -> bool:
        """Whether no order has fewer nodes, up to a relative rounding error of 2e-9."""
        return self.estimate.nodes * (1 - 2 * Fraction(ROUNDING)) <= self.bound


class OrderSearch:
    """The search for the cheapest order, which can continue for any time.

    - `puzzle`, `slips`: the puzzle and the slip array.
    - `seed`: the random seed.
    - `model`: the puzzle's model, if it has been computed already.

    Raises OrderError if the board has more than `MOST_SQUARES` squares. Raises SlipError if the slip array is invalid
    for this puzzle.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        slips: str | Sequence[int] | None = None,
        *,
        seed: int = 0,
        model: Complexity | None = None,
    ) -> None:
        if len(puzzle.board) > MOST_SQUARES:
            raise OrderError(f"best order: a {puzzle.rows}x{puzzle.columns} board is too large; choose a named order")
        self._model = model or Complexity(puzzle)
        self._costs = OrderCosts(self._model, checked_slips(puzzle, slips))
        self._local = LocalSearch(self._costs, seed)
        few = len(puzzle.board) - len(puzzle.fixed) <= MOST_FREE and not self._model.rim
        self._cheapest = cheapest_order(self._costs) if few and not self._costs.slips else None

    @property
    def exhausted(self) -> bool:
        """Whether the order is known to be the cheapest."""
        return self._cheapest is not None

    @property
    def log10_nodes(self) -> float:
        """The decimal logarithm of the nodes of the cheapest order so far."""
        if self._cheapest is not None:
            return log10_fraction(self.best().estimate.nodes)
        return log10_fraction(self._costs.fixed_nodes + Fraction(self._local.cost) * self._costs.unit)

    def advance(self, moves: int) -> None:
        """Try `moves` changes; several calls have the same effect as one call with the sum."""
        if not self.exhausted:
            self._local.advance(moves)

    def best(self) -> BestOrder:
        """The cheapest order so far."""
        order = self._cheapest or self._local.order
        estimate = self._model.estimate(order, self._costs.slips)
        return BestOrder(order, estimate, self._local.moves, self.exhausted, self._costs)


def best_order(
    puzzle: EdgeMatchingPuzzle,
    slips: str | Sequence[int] | None = None,
    *,
    moves: int = MOVES,
    stop: Stop | None = None,
    seed: int = 0,
    model: Complexity | None = None,
) -> BestOrder:
    """Find the order with the fewest expected nodes.

    - `moves`: the number of changes that the local search tries.  The same number finds the same order on every
      machine.
    - `stop`: ends the search earlier; the order then depends on the time.
    - `puzzle`, `slips`, `seed`, `model`: as for `OrderSearch`, which also lists the errors.
    """
    search = OrderSearch(puzzle, slips, seed=seed, model=model)
    for done in range(0, 0 if search.exhausted else moves, _SLICE):
        if stop is not None and stop():
            break
        search.advance(min(_SLICE, moves - done))
    return search.best()


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
