"""The ways to count how some squares of a board can be filled, with their predicted cost."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import log10, prod

from ...csp.base.errors import EngineError
from ...csp.base.words import log10_fraction
from ...csp.engines.engine import able_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, fixed_first
from ...csp.search.counting.halves import MOST_KEYS, TILE, joins_of_cut, make_halves
from ...csp.search.counting.methods import refuse_method
from ..effort.search_effort import Effort, Plan, named_order, plan_along
from ..owen.complexity import Complexity, Estimate
from . import times
from .square_ways import SquareWays
from .times import Way, lognormal

#: Steps of the kernel, of about a nanosecond, that take as long as the preparation of a part, and as a row of the list.
_A_PART, _A_ROW = 30_000, 20
#: Steps for each piece of the joined half, and rows that are compared in a step.
_A_PIECE, _ROWS = 10, 512
#: Pieces placed for each way to fill the joined half.
_PIECES = 1.4
#: The steps from which on the cheapest cuts are compared more closely, and how many of them are.
_WORTH_COMPARING, _COMPARED = 1e9, 8

# Larger numbers count as this one, which a float can hold.
_MOST = 10**300

_Squares = tuple[int, ...]


@dataclass(frozen=True)
class RegionCut:
    """A cut of a region."""

    #: The free squares of both halves.
    listed: _Squares
    joined: _Squares
    #: The predicted cost, in steps of the kernel.
    steps: float


def best_cut(model: Complexity, squares: _Squares) -> RegionCut:
    """The cut of least predicted cost: straight through the region, or with one step.

    Raises EngineError if the region has fewer than two free squares, or every cut has too many choices of colours.
    """
    puzzle = model.puzzle
    free = sorted({*squares} - {fixed.square for fixed in puzzle.fixed})
    by_columns = sorted(free, key=lambda square: (square % puzzle.columns, square))
    cuts = sorted(chain.from_iterable(_cuts(model, order) for order in (free, by_columns)), key=lambda cut: cut.steps)
    if not cuts:
        raise EngineError(
            "method halves: the region has fewer than two free squares, or every cut has too many choices of colours"
        )
    if cuts[0].steps < _WORTH_COMPARING:
        return cuts[0]
    return min((_exact(model, cut) for cut in cuts[:_COMPARED]), key=lambda cut: cut.steps)


def _exact(model: Complexity, cut: RegionCut) -> RegionCut:
    """The cut with the cost for the orders in which its halves are filled, and for the choices of colours they leave.

    Dead ends count here: in some halves there are many more of them than ways to fill the half.
    """
    halves = make_halves(model.puzzle, cut.listed, cut.joined)
    keys = prod(halves.colors) / (1 if halves.mirror is None else 2)
    nodes = [_fillings(model, half.squares, others) for half, others in (
        (halves.listed, cut.joined), (halves.joined, cut.listed)
    )]  # fmt: skip
    (listed_nodes, listed), (joined_nodes, joined) = ((sum(of), of[-1]) for of in nodes)
    tiles = max(listed / TILE, 1.0)
    compared = joined * _PIECES * (min(listed, TILE) / _ROWS + 1)
    steps = _A_PART + _A_ROW * listed_nodes + tiles * (_A_PIECE * joined_nodes + compared)
    return replace(cut, steps=keys * steps)


def _fillings(model: Complexity, order: _Squares, others: _Squares) -> list[float]:
    """The expected fillings of the first square, the first two, and so on, for given colours along the cut."""
    sizes = enumerate(_sizes(model, list(order)), start=1)
    return [size / _keys(model.puzzle, order[:number], others) for number, size in sizes]


def _cuts(model: Complexity, order: list[int]) -> Iterator[RegionCut]:
    """The cuts of the squares in this order into first and last ones."""
    puzzle = model.puzzle
    first, last = _sizes(model, order), _sizes(model, order[::-1])
    for at in range(1, len(order)):
        halves = tuple(order[:at]), tuple(order[at:])
        keys = _keys(puzzle, *halves)
        if keys <= MOST_KEYS:
            sizes = first[at - 1] / keys, last[len(order) - at - 1] / keys
            for listed, joined in ((0, 1), (1, 0)):
                cost = keys * _steps(sizes[listed], sizes[joined])
                yield RegionCut(halves[listed], halves[joined], cost)


def _sizes(model: Complexity, order: list[int]) -> list[float]:
    """The expected number of ways to fill the first square, the first two, and so on."""
    puzzle = model.puzzle
    others = (square for square in named_order(puzzle, "rowscan")[1] if square not in order)
    found: Estimate = model.estimate(fixed_first(puzzle, [*order, *others]))
    fixed = len(puzzle.fixed)
    return [float(min(number, _MOST)) for number in found.nodes_by_depth[fixed : fixed + len(order)]]


def _keys(puzzle: EdgeMatchingPuzzle, first: _Squares, second: _Squares) -> float:
    """The number of choices of colours along the cut."""
    frame, inner = (max(len(sides), 1) for sides in (puzzle.frame_sides(), puzzle.inner_sides()))
    joins = joins_of_cut(puzzle, first, second)
    return float(min(prod(frame if puzzle.is_frame_join(join) else inner for join in joins), _MOST))


def _steps(listed: float, joined: float) -> float:
    """The steps of a part, for these numbers of ways to fill the halves."""
    tiles = max(listed / TILE, 1.0)
    return _A_PART + _A_ROW * listed + tiles * joined * _PIECES * (_A_PIECE + min(listed, TILE) / _ROWS + 1)


#: Seconds to make the tables of a search.
_TABLES = 0.05


class RegionWays(SquareWays):
    """The ways to count how the squares of a region can be filled; they complete the options."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, limits: Limits, options: Options) -> None:
        super().__init__(puzzle, Goal.COUNT, limits, options)
        assert options.squares is not None
        self._squares = frozenset(options.squares)

    def ways(self, engine: str | None = None, *, every: bool = False) -> tuple[Way, ...]:
        """The ways, the best one first; other engines than ``backtrack`` fill whole boards only."""
        try:
            able_engine(self.puzzle, engine or "backtrack", Goal.COUNT, self.limits, self.options)
            refuse_method(self.options.method or "plain", region=True)
        except EngineError as error:
            return (Way(engine or "backtrack", self._nothing, refusal=str(error)),)
        method = self.options.method
        found = [*(self._plain() if method in (None, "plain") else ())]
        found += self._halves() if method in (None, "halves") else ()
        if not found:
            # Making the tables of the method raises the error.
            return (Way("backtrack", self._nothing, f"method {method}"),)
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
            # The fixed squares first, then those of the region, then all others.
            order = fixed_first(self.puzzle, sorted(order, key=lambda square: square not in self._squares))
            if not self.is_predicted:
                yield Way("backtrack", Plan(shown, replace(self.options, order=order)), f"order {shown}")
                return
            # Many orders fill a small region in the same way.
            if order[: self.depth] not in seen:
                seen.add(order[: self.depth])
                yield self._region_way(shown, order)

    def _halves(self) -> Iterator[Way]:
        """The count by halves, if it applies."""
        asked = (self.options.order, self.limits.nodes, self.limits.depth, self.options.device)
        if not self.is_predicted or not self.options.symmetry or asked != (None,) * 4:
            return
        with suppress(EngineError):
            cut = best_cut(self.model, tuple(self._squares))
            steps = lognormal(log10(cut.steps), self._times.nodes_deviation)
            seconds = steps.times(-log10(self._rate("backtrack halves")))
            options = replace(self.options, method="halves", halves=(cut.listed, cut.joined))
            yield Way("backtrack", Plan(None, options), "method halves", None, seconds, _TABLES)

    def _region_way(self, name: str, order: Order) -> Way:
        effort = self.estimates(order)
        spread = lognormal(log10_fraction(effort.searched.nodes + 1), self._times.nodes_deviation)
        how, setup = f"order {name}", _TABLES
        if self.options.device is not None:
            how, setup = f"{how}, device {self.options.device}", setup + times.FOR_GPU
        kernel = times.kernel_of(self.puzzle, order[: self.depth], slips=None)
        plan = plan_along(effort.searched, effort.plain.solutions, name, replace(self.options, order=order))
        return Way("backtrack", plan, how, spread, spread.times(-log10(self._rate(kernel))), setup)

    @cached_property
    def depth(self) -> int:
        """The number of pieces on the board when the region is filled."""
        return len(self._squares | {fixed.square for fixed in self.puzzle.fixed})

    def estimates(self, order: Order) -> Effort:
        """The expected nodes until the region is filled, along an order that begins with it."""

        def until_filled(estimate: Estimate) -> Estimate:
            numerators, chances = estimate.numerators[: self.depth], estimate.chances[: self.depth]
            return replace(estimate, order=order[: self.depth], numerators=numerators, chances=chances)

        plain = until_filled(self.model.estimate(order))
        if not self.options.symmetry:
            return Effort(plain, plain)
        return Effort(plain, until_filled(self.model.estimate(order, symmetry=True, whole=False)))
