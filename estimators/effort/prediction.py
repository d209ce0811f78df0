"""What a run of any engine is predicted to find and to cost, by depth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log10

from ...csp.engines.request import Goal, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ..owen.complexity import Complexity
from ..owen.rounding import log_sum, significant
from .asked import named_order
from .search_effort import MOST_PREDICTED, Effort, Plan, estimates, plan_by, predicted

_DIGITS = 8


@dataclass(frozen=True)
class Prediction:
    """What Owen's model says of a search.

    Parameters
    ----------
    order_name, order
        The search order that the prediction is for.
    effort
        The prediction itself.
    """

    order_name: str
    order: Order
    effort: Effort

    @property
    def nodes_by_depth(self) -> list[str]:
        """Expected nodes with 1, 2, ... pieces on the board, as decimal strings."""
        return [significant(nodes, _DIGITS) for nodes in self.effort.searched.nodes_by_depth]

    @property
    def summary(self) -> dict[str, str]:
        """Expected solutions and nodes, as records have them."""
        return predicted(self.effort)

    def plan(self, options: Options) -> Plan:
        """The search along the order, whose progress goes by the prediction."""
        return plan_by(self.effort, self.order_name, replace(options, order=self.order))

    def depth_within(self, nodes: float) -> int:
        """To which depth the search may go so that no more than so many nodes are expected in all."""
        most, total = Fraction(nodes), Fraction(0)
        for depth, number in enumerate(self.effort.searched.nodes_by_depth):
            total += number
            if total > most:
                return depth
        return len(self.order)


def predict(puzzle: EdgeMatchingPuzzle, options: Options, *, follows: bool) -> Prediction | None:
    """The prediction for a search with those options; None for boards of more than `MOST_PREDICTED` squares.

    Parameters
    ----------
    follows
        Whether the engine searches along an order.  If not, and no order is given, the prediction is that for the named
        order with the fewest expected nodes: how hard the puzzle is for whoever does it well.

    Raises
    ------
    OrderError, SlipError
        If the order or the slips are none.
    """
    if len(puzzle.board) > MOST_PREDICTED:
        return None
    model = Complexity(puzzle)
    if options.order is None and not follows:
        return cheapest(model, options)
    name, order = named_order(puzzle, options.order, options.slips, model)
    return Prediction(name, order, estimates(model, order, options.slips, symmetry=options.symmetry))


def cheapest(model: Complexity, options: Options, rates: Mapping[str, int] | None = None) -> Prediction:
    """The prediction for the named order with the fewest expected nodes or, with nodes a second, the least time."""
    orders = {name: find_order(model.puzzle, name)[1] for name in NAMED_ORDERS}
    found = [
        Prediction(name, order, estimates(model, order, options.slips, symmetry=options.symmetry))
        for name, order in orders.items()
    ]
    rate_of = {} if rates is None else rates
    return min(found, key=lambda of: of.effort.searched.nodes / rate_of.get(of.order_name, 1))


def log_effort(goal: str, nodes: float, solutions: float, factor: int = 1, planted: int = 0) -> float | None:
    """The decimal logarithm of the nodes that a search is expected to look at; None for the goal best.

    Of N nodes with S solutions scattered evenly among them, a search for the first solution looks at N / (S + 1) in the
    mean; for the other goals, at all.

    Parameters
    ----------
    goal
        What is asked for.
    nodes, solutions
        The decimal logarithms of the nodes of the whole tree, and of the arrangements that are expected of the pieces.
    factor
        How many arrangements the search takes as one.
    planted
        How many solutions of the search there are beside those expected.

    Examples
    --------
    Among a million nodes nine solutions; as many arrangements in orbits of three, and one planted solution:

    >>> log_effort("solve", 6.0, log10(9)), round(log_effort("solve", 6.0, log10(9), 3, 1), 2)
    (5.0, 5.3)
    """
    if goal in (Goal.ALL, Goal.COUNT):
        return nodes
    return nodes - log_sum(solutions - log10(factor), log10(planted + 1)) if goal == "solve" else None
