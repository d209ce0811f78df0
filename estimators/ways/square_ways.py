"""All ways to a goal for puzzles of squares, with what each is predicted to cost."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import inf, log10

from ...csp.base.compiled import any_loaded
from ...csp.base.errors import EngineError
from ...csp.engines.installed import engine_names
from ...csp.engines.registry import able_engine, default_engine
from ...csp.engines.request import Goal, Limits, Options, in_parts
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...csp.puzzles.orders import NAMED_ORDERS, Order
from ..effort.asked import named_order
from ..effort.count_methods import method_nodes
from ..effort.search_effort import MOST_PREDICTED, Plan, plan_along, told
from ..owen.best_order import MOST_SQUARES, MOVES, best_order
from ..owen.complexity import Complexity
from ..owen.rounding import log10_fraction
from . import rates
from .along import Along, nodes_of_proof
from .fitted_times import SolverFit, features, load_times
from .several.hedges import hedge, side_by_side_or_in_turns, two_engines
from .several.race_and_proof import RACE_SECONDS, raced_and_proved
from .spread import Spread, lognormal
from .way import Way

#: The encoding that a model has if none is asked for.
_USUAL_ENCODING = "pairs"
#: The solver behind an engine that has a choice of them.
USUAL_SOLVERS = {"sat": "sat:cadical195", "maxsat": "maxsat:rc2"}
#: The part of the time predicted so far that the search for a better order may take; how many changes it tries.
_PART_FOR_ORDER, _FEWEST_MOVES = 0.05, 20_000
#: A mean beyond so many medians comes of few searches that take ages.
_TAIL = 3.0
#: Seconds to look for it, by pairs of squares, and by squares and changes.
_ORDER_A_PAIR, _ORDER_A_MOVE = 6e-7, 2.3e-9
#: By so many powers of ten fewer nodes an order is worth to be taken.
_BETTER = 0.1
#: Seconds to make the tables of a search, by squares of the board.
_TABLES, _TABLES_A_SQUARE, _METHOD_TABLES = 0.003, 9e-5, 0.05
#: Seconds to load the first kernel of a process, or a solver.
_LOADING = 0.25
#: Seconds of search below which no other order is looked at.
_AT_ONCE = 0.01
#: Seconds of search below which nothing else is looked at: to plan would take longer than to search.
_QUICK = 0.05
#: Ways that take less than this are equally good.
_NOTHING = 0.05
#: How much quicker a search is for each of its threads.
_A_THREAD = 0.95
#: The seconds after which its score is foretold if no limit is given.
_USUAL_RACE = 60.0


class SquareWays:
    """The ways to a goal for a puzzle of squares.

    Parameters
    ----------
    puzzle, goal, limits, options
        What is asked; what the options leave open, the ways fill in.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> None:
        self.puzzle, self.goal, self.limits, self.options = puzzle, goal, limits, options
        # What a ledger or a cluster counts must not change with the measured speed of the machine.
        self._bundled = options.ledger is not None or options.cluster is not None
        self._times = load_times()
        self._loading = 0.0 if self._bundled or any_loaded() else _LOADING

    @cached_property
    def model(self) -> Complexity:
        """The puzzle's model."""
        return Complexity(self.puzzle)

    @property
    def is_predicted(self) -> bool:
        """Whether the board is small enough for predictions."""
        return len(self.puzzle.board) <= MOST_PREDICTED

    @cached_property
    def named(self) -> tuple[Along, ...]:
        """The search along the order that is asked for, or along every named one."""
        if not self.is_predicted:
            return ()
        # Slips count along the order, so that another one would be another question.
        chosen = self.options.order is not None or self.options.slips is not None or self.goal is Goal.BEST
        if chosen:
            return (self.usual,)
        usual = self.usual
        return tuple(usual if name == usual.name else self._along(*self._order(name)) for name in NAMED_ORDERS)

    @cached_property
    def usual(self) -> Along:
        """The search along the order that is asked for, or along the usual one."""
        return self._along(*self._order(self.options.order))

    def _order(self, name: str | tuple[int, ...] | None) -> tuple[str, Order]:
        return named_order(self.puzzle, name, self.options.slips, self.model)

    def _along(self, name: str, order: Order, setup: float = 0.0) -> Along:
        searched = self.model.estimate(order, self.options.slips, symmetry=self.options.symmetry)
        return Along(name, order, searched, _TABLES + _TABLES_A_SQUARE * len(self.puzzle.board) + setup + self._loading)

    @cached_property
    def _solutions(self) -> Fraction:
        """The solutions to be expected as they are counted, which are as many along any order."""
        return self.model.estimate(self.usual.order, self.options.slips).solutions

    def _plan_along(self, along: Along) -> Plan:
        return plan_along(along.searched, self._solutions, along.name, replace(self.options, order=along.order))

    @cached_property
    def best(self) -> Along | None:
        """The search along the order of fewest expected nodes, if it is worth while to look for it."""
        if len(self.named) < 2 or self._bundled:
            return None
        squares = len(self.puzzle.board)
        cheapest = min(self._seconds_along(along) for along in self.named)
        spare = _PART_FOR_ORDER * min(cheapest, inf if self.limits.seconds is None else self.limits.seconds)
        begin, a_move = _ORDER_A_PAIR * squares**2, _ORDER_A_MOVE * squares
        if spare < begin + a_move * _FEWEST_MOVES or squares > MOST_SQUARES:
            return None
        moves = int(min((spare - begin) / a_move, MOVES))
        found = best_order(self.puzzle, self.options.slips, moves=moves, model=self.model)
        along = self._along("best", found.order, begin + a_move * moves)
        # An order of one's own brings less deep boards to see than one that goes row by row.
        return along if along.log_nodes < min(named.log_nodes for named in self.named) - _BETTER else None

    def _seconds_along(self, along: Along) -> float:
        nodes = self._until_goal(along)
        if nodes is None:
            return 0.0
        # The bundled rates, so that the same order is found whatever the machine; without the longest tails, for which
        # there are other ways.
        return min(nodes.mean, _TAIL * nodes.at_median) / rates.rate(self.kernel(along), bundled=True)

    def kernel(self, along: Along) -> str:
        """The kernel that searches along an order."""
        return rates.kernel_of(self.puzzle, along.order, slips=self.options.slips)

    def along_orders(self, *, every: bool) -> Iterator[Way]:
        """The ways of the backtracker; the usual one alone if it takes no time, unless `every` one is asked for."""
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
        nodes = self._until_goal(along)
        seconds = None
        if nodes is not None:
            kernel = rates.rate(self.kernel(along), bundled=self._bundled)
            seconds = nodes.times(-log10(kernel * self._threads))
        plan = self._plan_along(along)
        return Way("backtrack", plan, f"order {along.name}", nodes, seconds, along.setup, self._memory)

    @property
    def _memory(self) -> float | None:
        """The memory of native searches, nearly all of which is that of the process."""
        fit = self._times.fit("backtrack", self.puzzle.kind, str(Goal.SOLVE))
        return None if fit is None else fit.memory

    @property
    def _threads(self) -> float:
        threads = self.options.threads
        return 1.0 if threads == 1 else _A_THREAD * threads

    def _until_goal(self, along: Along) -> Spread | None:
        """The nodes until the goal is reached."""
        deviation, clustering = self._times.nodes_deviation, self._times.clustering
        if self.goal is Goal.BEST:
            # Slips of one's own make another question of it.
            if self.options.slips is not None:
                return None
            return nodes_of_proof(self.model, along.order, deviation, clustering, symmetry=self.options.symmetry)
        if self.goal is Goal.SOLVE or (self.goal is Goal.ALL and self.limits.solutions == 1):
            return along.until_found(deviation, clustering)
        expected, most = along.searched.solutions, self.limits.solutions
        part = 1.0 if most is None or expected <= most else float(most / expected)
        return lognormal(along.log_nodes + log10(max(part, 1e-300)), deviation)

    def by_methods(self) -> Iterator[Way]:
        """The ways of the backtracker to count by other methods than piece by piece."""
        options = self.options
        asked = (options.order, options.slips, self.limits.nodes, self.limits.depth)
        if self.goal is not Goal.COUNT or not self.named or asked != (None,) * 4 or not options.symmetry:
            return
        for method, nodes in method_nodes(self.model, options):
            if options.method in (None, method):
                log_nodes = lognormal(log10_fraction(nodes + 1), self._times.nodes_deviation)
                rate = rates.rate(f"backtrack {method}", bundled=self._bundled) * self._threads
                seconds = log_nodes.times(-log10(rate))
                plan = Plan(None, replace(options, method=method), told(self._solutions, nodes))
                setup = _METHOD_TABLES + self._loading
                yield Way("backtrack", plan, f"method {method}", log_nodes, seconds, setup, self._memory)

    def fitted(self, engine: str) -> Way:
        """The way of an engine whose seconds are fitted."""
        options = self.options
        taken = able_engine(self.puzzle.kind, engine, self.goal, self.limits, options)
        how = f"encoding {options.encoding or _USUAL_ENCODING}" if "encoding" in taken.options else ""
        plan = self._plan_beside("order" in taken.options and taken.proves)
        if not taken.proves:
            return Way(engine, plan, how, races=True, score=self._score(engine))
        fit = self._fit(engine)
        # The runs that it was fitted to had no slips.
        if fit is None or (options.slips is not None and self.goal is not Goal.BEST):
            return Way(engine, plan, how)
        seconds = rates.on_this_machine(self._fitted_seconds(fit), bundled=self._bundled)
        return Way(engine, plan, how, None, seconds, self._loading, fit.memory)

    def _fit(self, engine: str) -> SolverFit | None:
        """What is fitted for an engine; None if nothing is, or the model says nothing of the puzzle."""
        return None if self.expected is None else self._times.fit(engine, self.puzzle.kind, str(self.goal))

    def _fitted_seconds(self, fit: SolverFit | None) -> Spread | None:
        """What a fit says, on the machine that it was made on."""
        return None if fit is None else fit.seconds(features(self.puzzle, self.expected))

    def _score(self, engine: str) -> float | None:
        """The score that an engine is expected to reach within the time limit."""
        fit = next((fit for fit in self._times.scores if fit.engine == engine), None)
        if fit is None or self.puzzle.rule is not Rule.EQUAL:
            return None
        seconds = _USUAL_RACE if self.limits.seconds is None else self.limits.seconds
        return fit.score(self.puzzle, seconds * self.options.threads)

    def _plan_beside(self, along_an_order: bool) -> Plan:
        """What an engine is given that does not search along an order, though slips may count along one."""
        if not along_an_order:
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
        """What the regression goes by, along the cheapest named order."""
        if not self.named:
            return None
        along = self._cheapest
        until = self._until_goal(along)
        return {"nodes": along.log_nodes, "effort": along.log_nodes if until is None else until.median}

    def ways(self, engine: str | None = None, *, every: bool = False) -> tuple[Way, ...]:
        """The ways to the goal, the best one first, those that cannot be taken last.

        Parameters
        ----------
        engine
            Whose ways they are; all engines' if it is left out.
        every
            Whether to look at all ways also where the first ones are so quick that nothing else can be worth while.
        """
        if engine == "portfolio" or (engine or "").startswith("portfolio:"):
            return (self._portfolio(engine or ""),)
        if engine is not None and engine != "backtrack":
            return (self.fitted(engine),)
        if every and engine is None:
            # What is taken without a look at all ways stays the first one.
            taken, *_ = self.ways()
            found = self._with_several([*self._native(every=True), *self.others()])
            return taken, *(way for way in found if way.name != taken.name)
        found = list(self._native(every=every))
        if engine is None and not _has_quick(found):
            return tuple(self._with_several([*found, *self.others(min(found, key=self._place))]))
        return tuple(self._sorted(found))

    def _sorted(self, ways: Iterable[Way]) -> list[Way]:
        return sorted(ways, key=self._place)

    def _with_several(self, ways: Iterable[Way]) -> list[Way]:
        """The ways, the best one first, and what several engines can do at once."""
        found = self._sorted(ways)
        return self._sorted([*found, *self._of_several(found)])

    def _of_several(self, ways: Sequence[Way]) -> Iterator[Way]:
        """Several engines at once, where that is expected to be worth while."""
        options, best = self.options, ways[0]
        alone = options.proof is not None or options.slips is not None or options.order is not None
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
        # What was worked out for many threads holds for one, too.
        alone = copy.copy(self)
        alone.options = replace(self.options, threads=1)
        return alone._sorted([*alone._native(every=True), *alone.others()])

    def _portfolio(self, name: str) -> Way:
        """The portfolio of that name, each engine in the best of its ways."""
        engine = able_engine(self.puzzle.kind, name, self.goal, self.limits, self.options)
        _, _, members = name.partition(":")
        ways = self._one_thread_each(self.ways(every=True))
        if members:
            named = [next((way for way in ways if way.engine == one), None) for one in members.split(",")]
            pair = (named[0], named[1]) if len(named) == 2 else (None, None)
        else:
            pair = two_engines(ways) or (None, None)
        first, second = pair
        if first is None or second is None or self.options.slips is not None or self.goal is Goal.BEST:
            return Way(name, self._plan_beside("order" in engine.options and engine.proves))
        if first.time is None or second.time is None:
            return Way(name, self._nothing)
        return side_by_side_or_in_turns((first, second), self.options.threads, first.plan)

    def _native(self, *, every: bool) -> Iterator[Way]:
        """The ways of the backtracker."""
        try:
            able_engine(self.puzzle.kind, "backtrack", self.goal, self.limits, self.options)
        except EngineError as error:
            yield Way("backtrack", self._nothing, refusal=str(error))
            return
        method = self.options.method
        plain = tuple(self.along_orders(every=every)) if method in (None, "plain") else ()
        yield from plain
        others = () if _has_quick(plain) and not every else tuple(self.by_methods())
        yield from others
        if method not in (None, "plain") and not others:
            # It does not apply, or there is none of that name: its tables say so.
            yield Way("backtrack", self._nothing, f"method {method}")

    def _place(self, way: Way) -> tuple[float, ...]:
        """Where a way stands among the others."""
        usual = default_engine(self.puzzle, self.goal, self.limits, self.options)
        seconds = max(way.expected - self._loading, _NOTHING)
        if way.races or (way.members and self.goal is Goal.BEST):
            # What proves sooner needs no race, and a race that a proof follows is better than one alone.
            seconds = RACE_SECONDS + (not way.members)
        return way.refusal is not None, seconds, way.engine != usual, way.expected

    def others(self, beside: Way | None = None) -> Iterator[Way]:
        """The ways of all other engines, and why some cannot be taken.

        To load an engine takes longer than to foretell its time.  So those that cannot be as quick as the way `beside`
        are left out, if one is given.
        """
        for family in engine_names(tilings=False):
            name = USUAL_SOLVERS.get(family, family)
            if family in ("backtrack", "portfolio"):
                continue
            if beside is not None and beside.refusal is None and not self._may_be_quicker(name, beside):
                continue
            try:
                able_engine(self.puzzle.kind, name, self.goal, self.limits, self.options)
                yield self.fitted(name)
            except EngineError as error:
                yield Way(name, self._nothing, refusal=str(error))

    def _may_be_quicker(self, name: str, beside: Way) -> bool:
        """Whether it may be an engine's turn rather than that of the way `beside`, by what is predicted of it."""
        if name == default_engine(self.puzzle, self.goal, self.limits, self.options):
            return True
        if self.goal is Goal.BEST and any(fit.engine == name for fit in self._times.scores):
            return True
        seconds = self._fitted_seconds(self._fit(name))
        return seconds is not None and (beside.time is None or seconds.low < beside.time.high)


def _has_quick(ways: Iterable[Way]) -> bool:
    """Whether one of the ways is so quick that no other one is worth while to look at; should it last, it is then."""
    return any(way.search is not None and way.search.at_median < _QUICK for way in ways)
