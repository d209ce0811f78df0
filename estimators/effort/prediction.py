"""Predictions for a run of any engine: solutions and nodes, by depth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ...csp.engines.request import Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ..owen.complexity import Complexity
from ..owen.rounding import significant
from .asked import named_order
from .search_effort import MOST_PREDICTED, Effort, Plan, estimates, plan_by, predicted

_DIGITS = 8


@dataclass(frozen=True)
class Prediction:
    """The prediction of Owen's model for a search."""

    #: The search order.
    order_name: str
    order: Order
    #: The predicted numbers.
    effort: Effort

    @property
    def nodes_by_depth(self) -> list[str]:
        """Expected nodes with 1, 2, ... pieces on the board, as decimal strings."""
        return [significant(nodes, _DIGITS) for nodes in self.effort.searched.nodes_by_depth]

    @property
    def summary(self) -> dict[str, str]:
        """Expected solutions and nodes, in the form of records."""
        return predicted(self.effort)

    def plan(self, options: Options) -> Plan:
        """The plan of a search along the order; its progress is measured against the prediction."""
        return plan_by(self.effort, self.order_name, replace(options, order=self.order))

    def depth_within(self, nodes: float) -> int:
        """The greatest depth down to which at most `nodes` nodes are expected."""
        most, total = Fraction(nodes), Fraction(0)
        for depth, number in enumerate(self.effort.searched.nodes_by_depth):
            total += number
            if total > most:
                return depth
        return len(self.order)


def predict(puzzle: EdgeMatchingPuzzle, options: Options, *, follows: bool) -> Prediction | None:
    """Predict a search with these options; None for boards of more than `MOST_PREDICTED` squares.

    - `follows`: whether the engine searches along an order.  If it does not and no order is given, the prediction is
      for the named order with the fewest expected nodes, as a measure of how hard the puzzle is.

    Raises OrderError or SlipError if the order or the slips are invalid.
    """
    if len(puzzle.board) > MOST_PREDICTED:
        return None
    model = Complexity(puzzle)
    if options.order is None and not follows:
        return cheapest(model, options)
    name, order = named_order(puzzle, options.order, options.slips, model)
    return Prediction(
        name, order, estimates(model, order, options.slips, options.frame_slips, symmetry=options.symmetry)
    )


def cheapest(model: Complexity, options: Options, rates: Mapping[str, int] | None = None) -> Prediction:
    """Predict for the named order with the fewest expected nodes or, if `rates` are given, with the least time."""
    orders = {name: find_order(model.puzzle, name)[1] for name in NAMED_ORDERS}
    found = [
        Prediction(name, order, estimates(model, order, options.slips, options.frame_slips, symmetry=options.symmetry))
        for name, order in orders.items()
    ]
    rate_of = {} if rates is None else rates
    return min(found, key=lambda of: of.effort.searched.nodes / rate_of.get(of.order_name, 1))
