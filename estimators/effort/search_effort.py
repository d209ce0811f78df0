"""The effort of a search: the model's prediction, the speed of this machine, probes, and the actual result."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log
from typing import TYPE_CHECKING

from ...csp.engines.request import Options
from ...csp.engines.result import Result
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ..owen.complexity import Complexity, Estimate
from ..owen.rounding import significant
from .asked import named_order

if TYPE_CHECKING:
    from .probes import Probes

#: Squares of the largest board whose expected nodes are computed before every search, in a tenth of a second.
MOST_PREDICTED = 400


@dataclass(frozen=True)
class Effort:
    """Predictions and measurements of a search."""

    #: The estimate as defined in the literature: numbered pieces in all rotations.
    plain: Estimate
    #: The estimate for the search as it runs, with symmetries broken.
    searched: Estimate
    #: Nodes a second on this machine; None if not measured.
    rate: float | None = None
    #: The results of random probes of the search tree; their depths do not count the fixed pieces.
    probes: "Probes | None" = None
    #: The result of the search.
    actual: Result | None = None
    #: Whether Ctrl-C ended the probes.
    interrupted: bool = False

    @property
    def counted_depths(self) -> int:
        """The greatest depth down to which the search has counted all nodes."""
        if self.actual is None or self.actual.ended_by not in (None, "depth"):
            return 0
        nodes = self.actual.nodes_by_depth
        # If a limit ended the search, the depths beyond it are empty.
        return len(nodes) if self.actual.complete else max(d for d, n in enumerate((1, *nodes)) if n)

    @property
    def seconds(self) -> Fraction | None:
        """The predicted seconds of the search; None if the rate is not known."""
        return None if self.rate is None else self.searched.nodes / Fraction(self.rate)


def estimates(
    model: Complexity,
    order: str | tuple[int, ...] | None,
    slips: str | tuple[int, ...] | None,
    frame_slips: str | tuple[int, ...] | None = None,
    *,
    symmetry: bool,
) -> Effort:
    """The predictions, without measurements."""
    plain = model.estimate(order, slips, frame_slips=frame_slips)
    searched = model.estimate(order, slips, frame_slips=frame_slips, symmetry=True) if symmetry else plain
    return Effort(plain, searched)


def region_estimates(model: Complexity, order: tuple[int, ...], squares: int, *, symmetry: bool) -> Effort:
    """The predictions for a search that fills only the first squares of an order, without measurements."""

    def until_filled(estimate: Estimate) -> Estimate:
        return replace(estimate, order=order[:squares], numerators=estimate.numerators[:squares])

    plain = until_filled(model.estimate(order))
    return Effort(plain, until_filled(model.estimate(order, symmetry=True, whole=False)) if symmetry else plain)


def logarithms(estimate: Estimate) -> tuple[float, ...]:
    """The logarithms of the expected nodes at each depth, which may be too large for a float."""
    return tuple(log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators)


def prediction_record(solutions: Fraction, nodes: Fraction) -> dict[str, str]:
    """The prediction in the form of records: solutions as they are counted, nodes as they are searched."""
    return {"solutions": significant(solutions), "nodes": significant(nodes)}


@dataclass(frozen=True)
class Plan:
    """The options of a search, and its prediction."""

    #: The name of the order; None if the engine does not use one.
    order_name: str | None
    #: The order, and all other options.
    options: Options
    #: The prediction in the form of records, if there is one.
    predicted: dict[str, str] | None = None

    def added_to(self, result: Result) -> Result:
        """A result with the prediction and the order's name."""
        order = {} if self.order_name is None else {"order": self.order_name}
        return replace(result, predicted=self.predicted, options={**result.options, **order})


def plan_along(searched: Estimate, solutions: Fraction, order_name: str, options: Options) -> Plan:
    """The plan of a search, from its own estimate and the expected number of solutions as they are counted."""
    return Plan(
        order_name, replace(options, predicted=logarithms(searched)), prediction_record(solutions, searched.nodes)
    )


@dataclass(frozen=True)
class Prediction:
    """The prediction of Owen's model for a search along an order."""

    #: The search order.
    order_name: str
    order: Order
    #: The predicted numbers.
    effort: Effort

    @property
    def nodes_by_depth(self) -> list[str]:
        """Expected nodes with 1, 2, ... pieces on the board, as decimal strings of eight digits."""
        return [significant(nodes, 8) for nodes in self.effort.searched.nodes_by_depth]

    @property
    def summary(self) -> dict[str, str]:
        """Expected solutions and nodes, in the form of records."""
        return prediction_record(self.effort.plain.solutions, self.effort.searched.nodes)

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

    def along(name: str, order: Order) -> Prediction:
        effort = estimates(model, order, options.slips, options.frame_slips, symmetry=options.symmetry)
        return Prediction(name, order, effort)

    if options.order is None and not follows:
        every = (along(*find_order(puzzle, name)) for name in NAMED_ORDERS)
        return min(every, key=lambda found: found.effort.searched.nodes)
    return along(*named_order(puzzle, options.order, options.slips, model))
