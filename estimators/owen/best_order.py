"""The search order of least predicted cost.

Without slips the expected number of partial boards depends on the *set* of filled squares alone (Owen's model), so that
the cheapest order is a shortest path from the empty board to the full one through sets of squares.  On small boards all
sets are looked at (`all_sets`); on others squares change places as long as there is time (`local_search`).  That proves
nothing, but a lower bound over all orders (`fewest_nodes`) tells how much cheaper another one might be.

With a slip array the number of partial boards depends on the way as well: on how many inner joins there were before
each slip depth.  The local search and the bound take that into account.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ...csp.base.errors import OrderError
from ...csp.base.stopping import Stop
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_slips
from .all_sets import MOST_FREE, cheapest_order
from .complexity import Complexity, Estimate
from .fewest_nodes import ROUNDING, fewest_nodes
from .local_search import LocalSearch
from .order_costs import OrderCosts
from .rounding import log10_fraction

#: The most squares of a board whose best order is looked for: beyond, the model itself takes long.
MOST_SQUARES = 1024
#: How many changes the local search tries, unless told otherwise: a fifth of a second, or less.
MOVES = 400_000
# After how many of them, a few milliseconds, it is asked whether it must stop.
_SLICE = 4_000


@dataclass(frozen=True)
class BestOrder:
    """The cheapest order that was found.

    Parameters
    ----------
    order
        The squares, fixed ones first.
    estimate
        What it costs, exactly.
    moves
        How many changes the local search had tried.
    exhaustive
        Whether all sets of squares were looked at.
    costs
        What filling squares costs.
    """

    order: Order
    estimate: Estimate
    moves: int
    exhaustive: bool
    costs: OrderCosts = field(repr=False, compare=False)

    @cached_property
    def bound(self) -> Fraction:
        """A number of nodes that is below that of every order; it takes up to a second or two for a 16x16 board."""
        return self.estimate.nodes * (1 - Fraction(ROUNDING)) if self.exhaustive else fewest_nodes(self.costs)

    @property
    def optimal(self) -> bool:
        """Whether no order has fewer nodes, but for rounding errors: two in a thousand million."""
        return self.estimate.nodes * (1 - 2 * Fraction(ROUNDING)) <= self.bound


class OrderSearch:
    """The search for the cheapest order, which can go on as long as one likes.

    Parameters
    ----------
    puzzle, slips
        What is to be searched.
    seed
        Where the random numbers start.
    model
        The puzzle's model, if there is one already.

    Raises
    ------
    OrderError
        If the board has more than `MOST_SQUARES` squares.
    SlipError
        If the slip array is none for this puzzle.
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
            raise OrderError(f"best order: a {puzzle.rows}x{puzzle.columns} board is too large; name an order instead")
        self._model = model or Complexity(puzzle)
        self._costs = OrderCosts(self._model, checked_slips(puzzle, slips))
        self._local = LocalSearch(self._costs, seed)
        few = len(puzzle.board) - len(puzzle.fixed) <= MOST_FREE
        self._cheapest = cheapest_order(self._costs) if few and not self._costs.slips else None

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing more to be found."""
        return self._cheapest is not None

    @property
    def log10_nodes(self) -> float:
        """The decimal logarithm of the nodes of the cheapest order so far."""
        if self._cheapest is not None:
            return log10_fraction(self.best().estimate.nodes)
        return log10_fraction(self._costs.fixed_nodes + Fraction(self._local.cost) * self._costs.unit)

    def advance(self, moves: int) -> None:
        """Try so many changes; how they are portioned makes no difference."""
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
    """Find the order with the fewest nodes to be expected.

    Parameters
    ----------
    moves
        How many changes the local search tries.  The same number finds the same order, whatever the machine.
    stop
        Ends it earlier; then the order depends on the time it had.
    puzzle, slips, seed, model
        As for `OrderSearch`; so are the errors.
    """
    search = OrderSearch(puzzle, slips, seed=seed, model=model)
    for done in range(0, 0 if search.exhausted else moves, _SLICE):
        if stop is not None and stop():
            break
        search.advance(min(_SLICE, moves - done))
    return search.best()
