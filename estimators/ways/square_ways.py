"""All ways to a goal for puzzles of squares, with their predicted cost."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, hypot, inf, log10, sqrt

from ...csp.base.compiled import any_loaded
from ...csp.base.errors import EngineError, PuzzleError, UsageError
from ...csp.base.words import log10_fraction
from ...csp.engines.engine import Engine, TilingEngine, able_engine, default_engine
from ...csp.engines.registry import engine_names
from ...csp.engines.request import Goal, Limits, Options, given_slips, in_parts
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...csp.puzzles.orders import NAMED_ORDERS, Order
from ...csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips
from ...csp.puzzles.symmetry import symmetries
from ..effort.search_effort import MOST_PREDICTED, Plan, named_order, plan_along, prediction_record
from ..owen.complexity import Complexity, Estimate, model_of
from . import times
from .several_ways import RACE_SECONDS, hedge, raced_and_proved, side_by_side_or_in_turns, two_engines
from .times import USUAL_SOLVERS, SolverFit, Spread, Way, load_times, lognormal, square_features, until_found

#: The default encoding of models, and of the models of an engine that has another one.
_USUAL_ENCODING, _OTHER_ENCODINGS = "pairs", {"ganak": "diamond"}
#: The fraction of the predicted time that the search for a better order may take; the fewest changes that it tries.
_PART_FOR_ORDER, _FEWEST_MOVES = 0.05, 20_000
#: No order is searched for if a method is expected to be this number of times as quick as the named orders: of nineteen
#: framed boards none had an order that is more than six times as quick as these.
_OUT_OF_REACH = 8.0
#: A mean beyond this many medians results from a few very long searches.
_TAIL = 3.0
#: Seconds to search for an order: for each pair of squares, for each change, and for each change and square.
_ORDER_A_PAIR, _ORDER_A_MOVE, _ORDER_A_MOVE_AND_SQUARE = 3e-7, 3.5e-7, 9e-10
#: The best order is used if it saves at least this many powers of ten of nodes.
_BETTER = 0.1
#: Seconds to make the tables of a search: in general, for each square of the board, and of a method; and to compare
#: trees with this many nodes or more, to choose the piece that breaks the symmetry.
_TABLES, _TABLES_A_SQUARE, _METHOD_TABLES, _COMPARING, _WORTH_COMPARING = 0.003, 1.6e-4, 0.05, 0.055, 2e6
#: Tables take this many times as long for orders that do not go row by row or along diagonals.
_ANY_ORDER = 2.0
#: Seconds to list a half-row; without fixed pieces several lists are made, one for each way to break a symmetry.
_A_HALF_ROW, _A_HALF_ROW_FREE = 1.2e-6, 5.5e-6
#: Seconds to load the first kernel of a process, or a solver.
_LOADING = 0.25
#: Seconds of search below which no other order is considered.
_AT_ONCE = 0.01
#: Seconds of search below which no other way is considered, because planning would take longer than searching.
_QUICK = 0.05
#: Ways that take less than this are equally good.
_NOTHING = 0.05
#: Without a time limit, the seconds for which a score is predicted.
_USUAL_RACE = 60.0
#: If at least this many solutions are expected, the puzzle is assumed to be solvable.
_CERTAIN = 10
#: Standard deviations of decimal logarithms: of the nodes of a count, if they are deep and few depend on the solution;
#: and of the nodes a second, from board to board.  With this many pieces nodes are deep.  All three are from
#: `research/board_suite/intervals.py`.
_DEVIATION, _RATE_DEVIATION, _MANY_PIECES = 0.33, 0.12, 20.0
#: The times of solvers were fitted to boards of at most this many squares.  On 13x13 they take at least ten times as
#: long as predicted: the powers of ten, and their standard deviation.  From `tests/benchmarks/encodings.py --sizes 13`.
_MOST_FITTED, _LATER, _LATER_DEVIATION = 144, 1.0, 0.5
#: The decimal logarithm of the nodes at which the sum over numbers of invalid joins stops.
_ENOUGH = 15.0


@dataclass(frozen=True)
class Along:
    """A search order, the model's estimate along it, and the seconds to compute the order and its tables.

    The estimate is for the search as it runs, with symmetries broken.
    """

    name: str
    order: Order
    searched: Estimate
    setup: float
    #: The kernel that searches along the order.
    kernel: str

    @property
    def log_nodes(self) -> float:
        """The decimal logarithm of the nodes of the whole tree, if there is a solution."""
        return self.searched.log_nodes_with_solution

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the decimal logarithm of the nodes of the whole tree.

        The errors of the model add up with the pieces, and so their squares grow with the depth of the nodes.
        """
        by_depth = _DEVIATION * sqrt(1 - exp(-self.searched.mean_depth / _MANY_PIECES))
        return hypot(by_depth, self.searched.log_beside)

    @cached_property
    def relative_speed(self) -> float:
        """The nodes a second along this order, relative to the usual rate of the kernel."""
        logs = self.searched.nodes_with_solution
        return times.relative_speed(self.kernel, [10 ** (one - max(logs)) for one in logs])


class SquareWays:
    """The ways to a goal for a puzzle of squares; they complete the options."""

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, *, loaded: bool = False
    ) -> None:
        self.puzzle, self.goal, self.limits, self.options = puzzle, goal, limits, options
        # The parts of a count with a ledger or on a cluster must not depend on the measured speed of the machine.
        self._bundled = options.ledger is not None or options.cluster is not None
        self._times = load_times()
        self._loading = 0.0 if loaded or self._bundled or any_loaded() else _LOADING

    @cached_property
    def model(self) -> Complexity:
        """The puzzle's model."""
        return model_of(self.puzzle) or Complexity(self.puzzle)

    @property
    def is_predicted(self) -> bool:
        """Whether the board is small enough for predictions, and of a form that the model has."""
        return len(self.puzzle.board) <= MOST_PREDICTED and model_of(self.puzzle) is not None

    @cached_property
    def named(self) -> tuple[Along, ...]:
        """The search along the given order, or the searches along all named orders."""
        if not self.is_predicted:
            return ()
        # Slips count along the order, so another order would ask another question.
        chosen = self.options.order is not None or given_slips(self.options) is not None or self.goal is Goal.BEST
        if chosen:
            return (self.usual,)
        usual = self.usual
        return tuple(usual if name == usual.name else self._along(*self._order(name)) for name in NAMED_ORDERS)

    @cached_property
    def usual(self) -> Along:
        """The search along the given order, or along the default order."""
        return self._along(*self._order(self.options.order))

    def _order(self, name: str | tuple[int, ...] | None) -> tuple[str, Order]:
        return named_order(self.puzzle, name, self.options.slips, model_of(self.puzzle))

    def _along(self, name: str, order: Order, setup: float = 0.0) -> Along:
        searched = self._estimate(order, symmetry=self.options.symmetry)
        tables = _TABLES + _TABLES_A_SQUARE * len(self.puzzle.board)
        if searched.log_nodes_with_solution > log10(_WORTH_COMPARING) and self.options.symmetry:
            # The search breaks the symmetry of turning the board, if there is one.
            tables += _COMPARING * (symmetries(self.puzzle).board > 1)
        kernel = times.kernel_of(self.puzzle, order, slips=self.options.slips, frame_slips=self.options.frame_slips)
        tables *= _ANY_ORDER if kernel == "backtrack any order" else 1.0
        return Along(name, order, searched, tables + setup + self._loading, kernel)

    def _estimate(self, order: Order, *, symmetry: bool = False) -> Estimate:
        slips, frame_slips = self.options.slips, self.options.frame_slips
        return self.model.estimate(order, slips, frame_slips=frame_slips, symmetry=symmetry)

    @cached_property
    def _solutions(self) -> Fraction:
        """The expected number of solutions as they are counted; it is the same along any order."""
        return self._estimate(self.usual.order).solutions

    def _plan_along(self, along: Along) -> Plan:
        return plan_along(along.searched, self._solutions, along.name, replace(self.options, order=along.order))

    @cached_property
    def best(self) -> Along | None:
        """The search along the order of fewest expected nodes; None if it is not worth computing or not much better."""
        if len(self.named) < 2 or self._bundled:
            return None
        squares = len(self.puzzle.board)
        cheapest = min(self._seconds_along(along) for along in self.named)
        spare = _PART_FOR_ORDER * min(cheapest, inf if self.limits.seconds is None else self.limits.seconds)
        begin, a_move = _ORDER_A_PAIR * squares**2, _ORDER_A_MOVE + _ORDER_A_MOVE_AND_SQUARE * squares
        if spare < begin + a_move * _FEWEST_MOVES:
            return None
        if any((way.expected - self._loading) * _OUT_OF_REACH < cheapest for way in self.by_methods()):
            return None
        from ..owen.best_order import MOVES, best_order, has_best_order

        slips = checked_slips(self.puzzle, self.options.slips)
        if not has_best_order(self.model, slips):
            return None
        moves = int(min((spare - begin) / a_move, MOVES))
        found = best_order(self.puzzle, slips, moves=moves, model=self.model)
        along = self._along("best", found.order, begin + a_move * moves)
        # Partial boards along a computed order are less deep than row by row, so the order has to save enough nodes.
        return along if along.log_nodes < min(named.log_nodes for named in self.named) - _BETTER else None

    def _seconds_along(self, along: Along) -> float:
        nodes = self._until_goal(along)
        if nodes is None:
            return 0.0
        # The bundled rates, so that every machine finds the same order.  The mean is capped because other ways are
        # better against long tails.
        rate = times.rate(along.kernel, bundled=True) * along.relative_speed
        return min(nodes.mean, _TAIL * nodes.at_median) / rate

    def along_orders(self, *, every: bool) -> Iterator[Way]:
        """The ways of the backtracker along orders; only the default one if it takes no time and `every` is False."""
        if not self.is_predicted:
            name, order = self._order(self.options.order)
            yield Way("backtrack", Plan(name, replace(self.options, order=order)), f"order {name}")
            return
        usual = self._way_along(self.usual)
        if not every and usual.search is not None and usual.search.interval[1] < _AT_ONCE:
            yield usual
            return
        for along in (*self.named, *([self.best] if self.best is not None else [])):
            yield self._way_along(along)

    def _way_along(self, along: Along) -> Way:
        nodes, seconds = self._until_goal(along), None
        how, setup = f"order {along.name}", along.setup
        if self.options.device is not None:
            how, setup = f"{how}, device {self.options.device}", setup + times.FOR_GPU
        if nodes is not None:
            rate = self._rate(along.kernel) * (along.relative_speed if self.options.device is None else 1.0)
            seconds = nodes.times(-log10(rate)).widened(_RATE_DEVIATION)
        return Way("backtrack", self._plan_along(along), how, nodes, seconds, setup, self._memory)

    def _rate(self, kernel: str) -> float:
        """The nodes a second of a kernel, or of the device that is asked for."""
        if self.options.device is not None:
            return times.on_gpu("backtrack", self.options.device)
        return times.rate(kernel, bundled=self._bundled) * times.of_threads(self.options.threads)

    def on_gpu(self, device: str) -> Iterator[Way]:
        """The ways on a GPU that the options do not ask for, as far as one has the goal and the options."""
        there = copy.copy(self)
        there.options = replace(self.options, device=device)
        engine = {Goal.BEST: "beam", Goal.COUNT: "backtrack"}.get(self.goal)
        if engine is None or not self.is_predicted or not self.puzzle.is_classic:
            return
        with suppress(UsageError):
            able_engine(self.puzzle, engine, self.goal, self.limits, there.options)
            if engine == "beam":
                if _fits_gpu(self.puzzle):
                    yield there.fitted(engine)
            elif there.options.method in (None, "plain"):
                yield min(there.along_orders(every=True), key=lambda way: way.expected)

    @property
    def _memory(self) -> float | None:
        """The memory of native searches, nearly all of it that of the process itself."""
        fit = self._times.fit("backtrack", self.puzzle.kind, str(Goal.SOLVE))
        return None if fit is None else fit.memory

    def _until_goal(self, along: Along) -> Spread | None:
        """The nodes until the goal is reached."""
        deviation, clustering = self._times.nodes_deviation, self._times.clustering
        if self.goal is Goal.BEST:
            return self._nodes_of_proof(along.order)
        if self.goal is Goal.SOLVE or (self.goal is Goal.ALL and self.limits.solutions == 1):
            others = log10_fraction(along.searched.solutions)
            return until_found(along.log_nodes, 1, others, deviation, clustering).at_least(len(along.order))
        expected, most = along.searched.solutions, self.limits.solutions
        part = 1.0 if most is None or expected <= most else float(most / expected)
        return lognormal(along.log_nodes + log10(max(part, 1e-300)), along.deviation if part == 1 else deviation)

    def _nodes_of_proof(self, order: Order) -> Spread:
        """The nodes of a search for the best score that allows no invalid join, then one, and so on.

        It is not known whether the puzzle is solvable.  If it is, the first search ends with a solution; if not, the
        searches continue up to the number of invalid joins at which a board is expected.  Unless many solutions are
        expected, the interval covers both cases.
        """
        deviation, symmetry = self._times.nodes_deviation, self.options.symmetry
        first = self.model.estimate(order, None, symmetry=symmetry)
        log_nodes, others = log10_fraction(first.nodes + len(order)), log10_fraction(first.solutions)
        solvable = until_found(log_nodes, 1, others, deviation, self._times.clustering)
        # A second search, from the highest score down, runs in parallel and takes half of the nodes.
        solvable = solvable.times(log10(2)).at_least(len(order))
        if first.solutions >= _CERTAIN:
            return solvable
        given = self.options.slips
        slips = anywhere(self.puzzle) if given is None else checked_slips(self.puzzle, given)
        frame_slips = checked_frame_slips(self.puzzle, self.options.frame_slips)
        nodes = first.nodes
        for invalid in range(1, len(slips) + len(frame_slips) + 1):
            allowing = self.model.estimate(order, slips[:invalid], frame_slips=frame_slips[:invalid], symmetry=symmetry)
            nodes += allowing.nodes / (1 + allowing.solutions)
            if allowing.solutions >= 1 or log10_fraction(nodes + 1) > _ENOUGH:
                break
        unsolvable = lognormal(log10_fraction(2 * nodes + len(order)), deviation)
        return Spread(
            min(solvable.low, unsolvable.low),
            (solvable.median + unsolvable.median) / 2,
            max(solvable.high, unsolvable.high),
        )

    def by_methods(self) -> Iterator[Way]:
        """The ways of the backtracker that count by methods other than piece by piece."""
        options = self.options
        asked = (options.order, given_slips(options), self.limits.nodes, self.limits.depth, options.device)
        if self.goal is not Goal.COUNT or not self.puzzle.is_classic or not self.named:
            return
        if asked != (None,) * 5 or not options.symmetry:
            return
        from ..effort.count_methods import listed_half_rows, method_nodes, middle_plan

        for method, nodes in method_nodes(self.model, options):
            if options.method in (None, method):
                log_nodes = lognormal(log10_fraction(nodes + 1), self._times.nodes_deviation)
                seconds = log_nodes.times(-log10(self._rate(f"backtrack {method}")))
                plan = Plan(None, replace(options, method=method), prediction_record(self._solutions, nodes))
                setup = _METHOD_TABLES + self._loading
                if method in ("macros", "middle"):
                    a_half_row = _A_HALF_ROW if self.puzzle.fixed else _A_HALF_ROW_FREE
                    setup += a_half_row * listed_half_rows(self.puzzle)
                memory = self._memory
                if method == "middle" and memory is not None:
                    # Its tables are made twice.
                    setup, memory = setup + _METHOD_TABLES, memory + middle_plan(self.puzzle).bytes / 2**20
                yield Way("backtrack", plan, f"method {method}", log_nodes, seconds, setup, memory)

    def fitted(self, engine: str) -> Way:
        """The way of an engine whose times are predicted by a fit."""
        options = self.options
        taken = able_engine(self.puzzle, engine, self.goal, self.limits, options)
        encoding = options.encoding or _OTHER_ENCODINGS.get(engine, _USUAL_ENCODING)
        how = f"encoding {encoding}" if "encoding" in taken.options else ""
        plan = self._plan_beside(taken)
        if not taken.proves:
            how = how if self.options.device is None else f"device {self.options.device}"
            return Way(engine, plan, how, races=True, score=self._score(engine))
        if engine == "most-constrained" and self.named and not self.puzzle.is_classic:
            return self._by_least_choice(plan)
        fit = self._fit(engine)
        # The runs of the fit had no slips.
        if fit is None or given_slips(options) is not None:
            return Way(engine, plan, how)
        seconds = times.on_this_machine(self._fitted_seconds(fit), bundled=self._bundled)
        return Way(engine, plan, how, None, seconds, self._loading, fit.memory)

    def _by_least_choice(self, plan: Plan) -> Way:
        """The way of `most-constrained` on a board without a frame, by the nodes expected along the cheapest order."""
        expected = self._until_goal(self._cheapest)
        if expected is None:
            return Way("most-constrained", plan)
        constant, slope, deviation, rate = times.LEAST_CHOICE
        nodes = Spread(*(constant + slope * log for log in (expected.low, expected.median, expected.high)))
        nodes = nodes.widened(deviation).at_least(len(self.puzzle.board))
        seconds = nodes.times(-log10(rate * times.of_threads(self.options.threads)))
        return Way("most-constrained", plan, "", nodes, seconds, self._loading, self._memory)

    def _fit(self, engine: str) -> SolverFit | None:
        """The fit for an engine; None if there is no fit, or the puzzle is too large for predictions."""
        return None if self.expected is None else self._times.fit(engine, self.puzzle.kind, str(self.goal))

    def _fitted_seconds(self, fit: SolverFit | None) -> Spread | None:
        """The prediction of a fit, for the machine on which it was made."""
        seconds = None if fit is None else fit.seconds(square_features(self.puzzle, self.expected))
        squares = len(self.puzzle.board)
        if seconds is None or squares <= _MOST_FITTED or self.puzzle.rule is not Rule.EQUAL:
            return seconds
        beyond = min(log10(squares / _MOST_FITTED) / log10(169 / 144), 1.0)
        return seconds.times(_LATER * beyond).widened(_LATER_DEVIATION * beyond)

    def _score(self, engine: str) -> float | None:
        """The score that an engine is expected to reach within the time limit."""
        fit = next((fit for fit in self._times.scores if fit.engine == engine), None)
        if fit is None or self.puzzle.rule is not Rule.EQUAL or not self.is_predicted:
            return None
        seconds = _USUAL_RACE if self.limits.seconds is None else self.limits.seconds
        threads = float(self.options.threads)
        if self.options.device is not None:
            threads = times.on_gpu(engine, self.options.device) / times.RATES["beam beam search"]
        return fit.score(self.model, seconds * threads)

    def _plan_beside(self, engine: Engine | TilingEngine) -> Plan:
        """The plan of an engine that does not search along an order, although slips may count along one.

        One that cannot prove anything has orders of its own, unless one is given.
        """
        if "order" not in engine.options or not (engine.proves or self.options.order == "best"):
            return self._nothing
        if self.goal is Goal.BEST or not self.named:
            name, order = named_order(self.puzzle, self.options.order, self.options.slips)
            return Plan(name, replace(self.options, order=order))
        return self._plan_along(self._cheapest)

    @property
    def _nothing(self) -> Plan:
        return Plan(None, self.options)

    @cached_property
    def _cheapest(self) -> Along:
        """The named order with the fewest nodes."""
        return min(self.named, key=lambda along: along.log_nodes)

    @cached_property
    def expected(self) -> dict[str, float] | None:
        """The expected numbers for the regression, along the cheapest named order."""
        if not self.named:
            return None
        along = self._cheapest
        until = self._until_goal(along)
        return {"nodes": along.log_nodes, "effort": along.log_nodes if until is None else until.median}

    def ways(self, engine: str | None = None, *, every: bool = False) -> tuple[Way, ...]:
        """The ways of an engine, or of all, as `ways_to` has them."""
        if engine == "portfolio" or (engine or "").startswith("portfolio:"):
            return (self._portfolio(engine or ""),)
        if engine is not None and engine != "backtrack":
            return (self.fitted(engine),)
        if every and engine is None:
            # The way that is chosen without `every` stays the first one.
            taken, *_ = self.ways()
            found = self._with_several([*self._native(every=True), *self.others()])
            return taken, *(way for way in found if way.name != taken.name)
        found = list(self._native(every=every))
        if engine is None and not _has_quick(found):
            return tuple(self._with_several([*found, *self.others(min(found, key=self._place))]))
        return tuple(sorted(found, key=self._place))

    def _with_several(self, ways: Iterable[Way]) -> list[Way]:
        """The ways and combinations of several engines, the best one first."""
        found = sorted(ways, key=self._place)
        return sorted([*found, *self._of_several(found)], key=self._place)

    def _of_several(self, ways: Sequence[Way]) -> Iterator[Way]:
        """A combination of several engines, if it is expected to be worth it."""
        options, best = self.options, ways[0]
        # Slips count along the same order for all engines; they are for the best score in most cases.
        slips = given_slips(options) is not None
        alone = options.proof is not None or (self.goal is not Goal.BEST if slips else options.order is not None)
        if alone or in_parts(replace(options, threads=1)) or best.refusal is not None:
            return
        if self.goal is Goal.BEST:
            several = raced_and_proved(ways, self.limits.seconds, options.threads)
        else:
            several = hedge(best, self._one_thread_each(ways), options.threads)
        if several is not None:
            yield several

    def _one_thread_each(self, ways: Sequence[Way]) -> Sequence[Way]:
        """The ways of one thread."""
        if self.options.threads == 1:
            return ways
        # The estimates computed for many threads are valid for one, too.
        alone = copy.copy(self)
        alone.options = replace(self.options, threads=1)
        return sorted([*alone._native(every=True), *alone.others()], key=alone._place)

    def _portfolio(self, name: str) -> Way:
        """The portfolio of that name, each engine in the best of its ways."""
        engine = able_engine(self.puzzle, name, self.goal, self.limits, self.options)
        _, _, members = name.partition(":")
        ways = self._one_thread_each(self.ways(every=True))
        if members:
            named = [next((way for way in ways if way.engine == one), None) for one in members.split(",")]
            pair = (named[0], named[1]) if len(named) == 2 else (None, None)
        else:
            pair = two_engines(ways) or (None, None)
        first, second = pair
        if first is None or second is None or given_slips(self.options) is not None or self.goal is Goal.BEST:
            return Way(name, self._plan_beside(engine))
        if first.time is None or second.time is None:
            return Way(name, self._plan_beside(engine) if self.options.order == "best" else self._nothing)
        plan = replace(first.plan, options=replace(first.plan.options, threads=self.options.threads))
        return side_by_side_or_in_turns((first, second), self.options.threads, plan)

    def _native(self, *, every: bool) -> Iterator[Way]:
        """The ways of the backtracker."""
        try:
            able_engine(self.puzzle, "backtrack", self.goal, self.limits, self.options)
        except EngineError as error:
            yield Way("backtrack", self._nothing, refusal=str(error))
            return
        method = self.options.method
        plain = tuple(self.along_orders(every=every)) if method in (None, "plain") else ()
        yield from plain
        others = () if _has_quick(plain) and not every else tuple(self.by_methods())
        yield from others
        if method not in (None, "plain") and not others:
            # The method does not apply or does not exist: making its tables raises the error.
            yield Way("backtrack", self._nothing, f"method {method}")

    def _place(self, way: Way) -> tuple[float, ...]:
        """The sort key of a way."""
        usual = default_engine(self.puzzle, self.goal, self.limits, self.options)
        seconds = max(way.expected - self._loading, _NOTHING)
        if way.races or (way.members and self.goal is Goal.BEST):
            # A quicker proof needs no race, and a race with a proof is better than a race alone.
            seconds = RACE_SECONDS + (not way.members)
        return way.refusal is not None, seconds, way.engine != usual, way.expected

    def others(self, beside: Way | None = None) -> Iterator[Way]:
        """The ways of all other engines, including impossible ones with the reason.

        Loading an engine takes longer than predicting its time.  So if a way `beside` is given, engines that cannot be
        as quick are omitted.
        """
        for family in engine_names(self.puzzle.kind):
            name = USUAL_SOLVERS.get(family, family)
            if family in ("backtrack", "portfolio"):
                continue
            if beside is not None and beside.refusal is None and not self._may_be_quicker(name, beside):
                continue
            try:
                able_engine(self.puzzle, name, self.goal, self.limits, self.options)
                yield self.fitted(name)
            except EngineError as error:
                yield Way(name, self._nothing, refusal=str(error))

    def _may_be_quicker(self, name: str, beside: Way) -> bool:
        """Whether an engine may be chosen instead of the way `beside`, according to its prediction."""
        if name == default_engine(self.puzzle, self.goal, self.limits, self.options):
            return True
        if self.goal is Goal.BEST and any(fit.engine == name for fit in self._times.scores):
            return True
        seconds = self._fitted_seconds(self._fit(name))
        return seconds is not None and (beside.time is None or seconds.low < beside.time.high)


def _fits_gpu(puzzle: EdgeMatchingPuzzle) -> bool:
    """Whether beams on a GPU support as many colours."""
    from ...csp.search.beam.gpu_beam import MOST_COLORS
    from ...csp.search.beam.routes import BeamTables

    try:
        return BeamTables(puzzle).colors <= MOST_COLORS
    except PuzzleError:
        return False


def _has_quick(ways: Iterable[Way]) -> bool:
    """Whether one of the ways is so quick that no other one is worth considering."""
    return any(way.search is not None and way.search.at_median < _QUICK for way in ways)
