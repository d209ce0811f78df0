"""The effort of a search: its options as they are given, the prediction of Owen's model, probes, the actual result."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, isfinite, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, told_of
from ...csp.base.notebook import Brief
from ...csp.base.words import log10_of, significant
from ...csp.engines.engine import find_engine
from ...csp.engines.request import Options
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order, fixed_first
from ...csp.puzzles.slips import checked_slips, number_to_find
from ..owen.complexity import Complexity, Estimate, model_of

if TYPE_CHECKING:
    from ..owen.best_slips import BestSlips
    from .probes import Probes

#: A search order: a name, ``best`` among them, a file, or all squares; None for the default.
OrderSpec = str | Path | Iterable[int] | None
#: A slip array: text or depths; None for no slips.
SlipSpec = str | Iterable[int] | None


def named_order(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec = None, model: Complexity | None = None
) -> tuple[str, Order]:
    """Return the name of an order and its squares; ``best`` is computed for these slips, with `model` if it is given.

    It does not depend on slips along the frame.

    Raises OrderError if the order does not exist. Raises SlipError if the order is ``best``, and the slip array is
    invalid.
    """
    if order != "best":
        return find_order(puzzle, str(order) if isinstance(order, Path) else order)
    allowed = slips if slips is None or isinstance(slips, str) else tuple(slips)
    return "best", _best_order(puzzle, checked_slips(puzzle, allowed), model)


# One task after the other asks for the order of the same puzzle.
@lru_cache(maxsize=4)
def _best_order(puzzle: EdgeMatchingPuzzle, slips: tuple[int, ...], model: Complexity | None) -> Order:
    from ..owen.best_order import best_order

    return best_order(puzzle, slips, model=model).order


def with_slips(
    puzzle: EdgeMatchingPuzzle, order: OrderSpec, slips: SlipSpec, names: tuple[str, ...] = tuple(NAMED_ORDERS)
) -> tuple[OrderSpec, SlipSpec]:
    """Return the order and the slips; if these are ``best:N``, find them, and the order unless a certain one is given.

    The order that is found has one of these names.

    Raises OrderError or SlipError if the order does not exist, or there are too many slips.
    """
    number = number_to_find(slips)
    if number is None:
        return order, slips
    if order is None or order == "best":
        found = _best_slips(puzzle, number, names)
        return found.order_name, found.slips
    name, squares = named_order(puzzle, order)
    return name if isinstance(order, str) else squares, _best_slips(puzzle, number, squares).slips


@lru_cache(maxsize=4)
def _best_slips(puzzle: EdgeMatchingPuzzle, number: int, orders: tuple[str, ...] | Order) -> "BestSlips":
    from ..owen.best_slips import best_slips

    return best_slips(puzzle, number, orders)


def found_slips(puzzle: Puzzle, options: Options, engine: str | None = None) -> Options:
    """The options with the slips and the order that `with_slips` finds, for an engine if one is given."""
    if number_to_find(options.slips) is None:
        return options
    assert isinstance(puzzle, EdgeMatchingPuzzle)
    names = None if engine is None else find_engine(engine).orders
    order, slips = with_slips(puzzle, options.order, options.slips, names or tuple(NAMED_ORDERS))
    return replace(options, order=order, slips=slips)


def start_board(puzzle: EdgeMatchingPuzzle, start: Arrangement | str | Path) -> Arrangement:
    """The partial board to start from, which may be in a file.

    Raises InstanceError if the board cannot be read, or does not fit the puzzle. Raises UsageError if it is no board.
    """
    source = start if isinstance(start, str | Path) else "start"
    if not isinstance(start, str | Path | Mapping):
        start = tuple(start)
        if len(start) not in (1, len(puzzle.board)) and all(square is None for square in start):
            raise InstanceError(f"start: a board has {len(puzzle.board)} squares, not {len(start)}")
    from ...csp.files.solutions import none_in, solutions_given

    boards = solutions_given(puzzle, start, "start")
    if not boards:
        raise none_in(source, "board to start from")
    with told_of(source):
        puzzle.with_fixed(boards[0])
    return boards[0]


def started(
    puzzle: EdgeMatchingPuzzle,
    board: Arrangement | None,
    order: OrderSpec,
    slips: SlipSpec,
    frame_slips: SlipSpec = None,
) -> tuple[EdgeMatchingPuzzle, str | None, OrderSpec]:
    """Fix the pieces of a partial board, if one is given; return the puzzle, the order's name, and the order.

    The order starts with the fixed pieces.  The name is None if the order is unchanged.
    """
    if board is None:
        return puzzle, None, order
    if slips is None and frame_slips is None:
        return puzzle.with_fixed(board), None, order
    # Slips count along an order: the one in which the board was filled, not the best one for the rest of it.
    name, squares = named_order(puzzle, order, slips)
    begun = puzzle.with_fixed(board, squares)
    return begun, name, fixed_first(begun, squares)


def planted(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of solutions that a puzzle was made from, which no prediction knows."""
    return int(str(puzzle.known.get("planted") or len(puzzle.assemblies)))


#: Squares of the largest board whose expected nodes are computed before every search, in a tenth of a second.
MOST_PREDICTED = 400


@dataclass(frozen=True, repr=False)
class Effort(Brief):
    """Predictions and measurements of a search."""

    #: The estimate as defined in the literature: numbered pieces in all rotations.
    plain: Estimate
    #: The estimate for the search as it runs, with symmetries broken.
    searched: Estimate
    #: What measures the nodes a second when they are asked for, unless they are given.
    measure: Callable[[], float | None] | None = field(default=None, repr=False, compare=False)
    #: The results of random probes of the search tree; their depths do not count the fixed pieces.
    probes: "Probes | None" = None
    #: The result of the search.
    actual: Result | None = None
    #: Whether Ctrl-C ended the probes.
    interrupted: bool = False

    @cached_property
    def rate(self) -> float | None:
        """Nodes a second on this machine, given or measured; None if not measured."""
        return None if self.measure is None else self.measure()

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


def logarithms(estimate: Estimate) -> tuple[float, ...]:
    """The logarithms of the expected nodes at each depth, which may be too large for a float."""
    return tuple(log(n) - log(estimate.denominator) if n else -inf for n in estimate.numerators)


def prediction_record(solutions: Fraction, nodes: Fraction) -> dict[str, str]:
    """The prediction in the form of records: solutions as they are counted, nodes as they are searched."""
    return {"solutions": significant(solutions), "nodes": significant(nodes)}


def expected_logs(puzzle: Any, options: Options) -> list[float | None]:
    """The decimal logarithms of the expected nodes at each depth, None for 0; empty if they cannot be predicted."""
    found = predict(puzzle, options, follows=True) if isinstance(puzzle, EdgeMatchingPuzzle) else None
    logs = [] if found is None else map(log10_of, found.nodes_by_depth)
    return [log if isfinite(log) else None for log in logs]


@dataclass(frozen=True, repr=False)
class Plan(Brief):
    """The options of a search, and its prediction."""

    #: The name of the order; None if the engine does not use one.
    order_name: str | None
    #: The order, and all other options.
    options: Options
    #: The prediction in the form of records, if there is one.
    predicted: dict[str, str] | None = None


def plan_along(searched: Estimate, solutions: Fraction, order_name: str, options: Options) -> Plan:
    """The plan of a search, from its own estimate and the expected number of solutions as they are counted."""
    given = replace(options, predicted=logarithms(searched))
    return Plan(order_name, given, prediction_record(solutions, searched.nodes))


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
    """Predict a search with these options; None for boards of more than `MOST_PREDICTED` squares, or without a model.

    - `follows`: whether the engine searches along an order.  If it does not and no order is given, the prediction is
      for the named order with the fewest expected nodes, as a measure of how hard the puzzle is.

    Raises OrderError or SlipError if the order or the slips are invalid.
    """
    if len(puzzle.board) > MOST_PREDICTED:
        return None
    model = model_of(puzzle)
    if model is None:
        return None

    def along(name: str, order: Order) -> Prediction:
        arrays = options.slips, options.frame_slips
        return Prediction(name, order, estimates(model, order, *arrays, symmetry=options.symmetry))

    if options.order is None and not follows:
        every = (along(*find_order(puzzle, name)) for name in NAMED_ORDERS)
        return min(every, key=lambda found: found.effort.searched.nodes)
    return along(*named_order(puzzle, options.order, options.slips, model))
