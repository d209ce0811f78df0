"""The ways to count how some squares of a board can be filled, with their predicted cost."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import log10

from ...csp.base.errors import EngineError
from ...csp.engines.registry import able_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, fixed_first
from ...csp.search.counting.methods import refuse_method
from ..effort.asked import named_order
from ..effort.region_cuts import best_cut
from ..effort.search_effort import MOST_PREDICTED, Effort, Plan, plan_by, region_estimates
from ..owen.complexity import Complexity
from ..owen.rounding import log10_fraction
from . import rates
from .fitted_times import load_times
from .spread import Spread, lognormal
from .way import Way

#: Seconds to make the tables of a search.
_TABLES = 0.05


class RegionWays:
    """The ways to count how the squares of a region can be filled.

    - `puzzle`, `limits`, `options`: the question; the ways complete the options.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options) -> None:
        assert options.squares is not None
        self.puzzle, self.limits, self.options = puzzle, limits, options
        self._squares = frozenset(options.squares)
        self._bundled = options.ledger is not None or options.cluster is not None
        self._times = load_times()

    def ways(self, engine: str | None) -> tuple[Way, ...]:
        """The ways, the best one first; other engines than ``backtrack`` fill whole boards only."""
        nothing = Plan(None, self.options)
        try:
            able_engine(self.puzzle.kind, engine or "backtrack", Goal.COUNT, self.limits, self.options)
            refuse_method(self.options.method or "plain", region=True)
        except EngineError as error:
            return (Way(engine or "backtrack", nothing, refusal=str(error)),)
        method = self.options.method
        found = [*(self._plain() if method in (None, "plain") else ())]
        found += self._halves() if method in (None, "halves") else ()
        if not found:
            # Making the tables of the method raises the error.
            return (Way("backtrack", nothing, f"method {method}"),)
        return tuple(sorted(found, key=lambda way: way.expected))

    def best_order(self) -> tuple[str, Order]:
        """The order of fewest expected nodes, or the given one, and its name; the region comes first."""
        best = min(self._plain(), key=lambda way: way.nodes.median if way.nodes is not None else 0.0)
        order = best.plan.options.order
        assert isinstance(order, tuple)
        assert best.plan.order_name is not None
        return best.plan.order_name, order

    def _plain(self) -> Iterator[Way]:
        """The search along the given order, or along the named ones."""
        given, seen = self.options.order, set[Order]()
        for name in NAMED_ORDERS if given is None else [given]:
            shown, order = named_order(self.puzzle, name, model=self.model)
            order = self._first(order)
            if not self.is_predicted:
                yield Way("backtrack", Plan(shown, replace(self.options, order=order)), f"order {shown}")
                return
            # Many orders fill a small region in the same way.
            if order[: self.depth] not in seen:
                seen.add(order[: self.depth])
                yield self._along(shown, order)

    def _halves(self) -> Iterator[Way]:
        """The count by halves, if it applies."""
        if not self._takes_methods:
            return
        with suppress(EngineError):
            cut = best_cut(self.model, tuple(self._squares))
            steps = lognormal(log10(cut.steps), self._times.nodes_deviation)
            seconds = self._seconds(steps, "backtrack halves")
            options = replace(self.options, method="halves", halves=(cut.listed, cut.joined))
            yield Way("backtrack", Plan(None, options), "method halves", None, seconds, _TABLES)

    def _first(self, order: Order) -> Order:
        """The order with the fixed squares first, then those of the region, then all others."""
        return fixed_first(self.puzzle, sorted(order, key=lambda square: square not in self._squares))

    def _along(self, name: str, order: Order) -> Way:
        effort = self.estimates(order)
        spread = lognormal(log10_fraction(effort.searched.nodes + 1), self._times.nodes_deviation)
        how, setup = f"order {name}", _TABLES
        if self.options.device is None:
            seconds = self._seconds(spread, rates.kernel_of(self.puzzle, order[: self.depth], slips=None))
        else:
            how, setup = f"{how}, device {self.options.device}", setup + rates.FOR_GPU
            seconds = spread.times(-log10(rates.on_gpu("backtrack", self.options.device)))
        plan = plan_by(effort, name, replace(self.options, order=order))
        return Way("backtrack", plan, how, spread, seconds, setup)

    def _seconds(self, effort: Spread, kernel: str) -> Spread:
        """The time that a kernel needs."""
        rate = rates.rate(kernel, bundled=self._bundled) * rates.of_threads(self.options.threads)
        return effort.times(-log10(rate))

    @property
    def _takes_methods(self) -> bool:
        """Whether methods other than the plain search apply."""
        asked = (self.options.order, self.limits.nodes, self.limits.depth, self.options.device)
        return self.is_predicted and self.options.symmetry and asked == (None,) * 4

    @property
    def is_predicted(self) -> bool:
        """Whether the board is small enough for predictions."""
        return len(self.puzzle.board) <= MOST_PREDICTED

    @cached_property
    def model(self) -> Complexity:
        """The puzzle's model."""
        return Complexity(self.puzzle)

    @cached_property
    def depth(self) -> int:
        """The number of pieces on the board when the region is filled."""
        return len(self._squares | {fixed.square for fixed in self.puzzle.fixed})

    def estimates(self, order: Order) -> Effort:
        """The expected nodes until the region is filled, along an order that begins with it."""
        return region_estimates(self.model, order, self.depth, symmetry=self.options.symmetry)
