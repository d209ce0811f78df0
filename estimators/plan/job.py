"""Jobs: a puzzle, a goal and options, planned and then run.  All commands and functions that search use them."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import exp, log
from pathlib import Path
from typing import Any

from ...csp.base.errors import EngineError, UsageError, ending
from ...csp.base.notebook import Brief
from ...csp.base.stop import Progress, Report, StoppedError, enforced, never, stoppable, working_cpu_time, working_time
from ...csp.base.words import about_duration, short_duration
from ...csp.engines.engine import (
    Engine,
    NothingFound,
    TilingEngine,
    default_engine,
    find_engine,
    least_preparation,
    none_before,
)
from ...csp.engines.portfolio_members import portfolio_of
from ...csp.engines.registry import refuse
from ...csp.engines.request import (
    DEFAULTS,
    NO_LIMITS,
    SLIPS,
    Earlier,
    Goal,
    Limits,
    Options,
    about_options,
    given_slips,
    refuse_of_others,
)
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.files.square_files import refuse_misread
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle, tiling_of
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, board_of
from ...csp.puzzles.slips import number_to_find
from ..effort.search_effort import Plan, found_slips, named_order, start_board, started
from ..ways import times
from ..ways.several_ways import LEAST_NODES, TOO_MANY, NodesSeen, other_counts, patience, together, with_others
from ..ways.times import Spread, Way
from ..ways.ways import ways_on_gpu, ways_to
from .explain import Explanation, HasWays

#: The options that dissections lack.
_LACKING = {"dissection": ("order", *SLIPS, "start", "depth_limit", "squares")}
# The number of rejected ways that a summary names.
_SHOWN = 3
# A smaller part of a tree is not used as evidence.
_LEAST_DONE = 1e-9


@dataclass(frozen=True, repr=False)
class Job(Brief):
    """A puzzle, a goal, and the options of a search."""

    #: The puzzle and the goal.
    puzzle: Puzzle
    goal: Goal
    #: The engine's name; None for the engine that is predicted to be the quickest.
    engine: str | None = None
    #: The limits and options of the search.
    limits: Limits = NO_LIMITS
    options: Options = DEFAULTS
    #: Options of an engine of another package.
    own: Mapping[str, Any] = field(default_factory=dict)
    #: A partial board to start from, or the solution file that holds it.
    start: str | Path | Arrangement | None = None
    #: The motions of a dissection's pieces; None for those of its file.
    motions: str | None = None
    #: Whether fixed pieces were left out of the puzzle.
    pieces_only: bool | None = None

    def plan(
        self,
        report: Report | None = None,
        *,
        must_stop: Callable[[], bool] = never,
        started: float | None = None,
    ) -> "JobPlan":
        """Plan how the job will be run, and predict its cost.

        Predictions and the tables of a count stop at the job's time limit, which counts from `started` (a value of
        `time.perf_counter`); the plan then has no engine and a result with nothing found.  `report` is called during
        longer work.

        Raises EngineError, UsageError, OrderError, SlipError or InstanceError if an option does not apply to the puzzle
        or the engine. Raises PuzzleError if there are too few pieces of a class for the squares of the board.
        """
        began, board = working_time(), self._board()
        with stoppable(self.limits.seconds, must_stop, report=report, started=started) as stop:
            plan = None
            with suppress(StoppedError), enforced(stop, "planning", least_preparation(self.goal)):
                plan = self._with_slips()._planned(board)
            # Ctrl-C may have arrived after the last check.
            if plan is not None and not stop.interrupted:
                return replace(plan, spent=stop.used, planning_seconds=working_time() - began)
            puzzle, slips = self._begun(board), self.options.slips
            job = replace(self, options=replace(self.options, slips=None if number_to_find(slips) else slips))
            name = _usual_engine(puzzle, job) if self.engine is None else self.engine
            nothing = NothingFound(name, puzzle, self.goal, self.limits, job.options, stop).result()
            return JobPlan(job, puzzle, None, Plan(None, self.options), ended=nothing)

    def run(
        self,
        report: Report | None = None,
        consume: Callable[[Any], None] | None = None,
        *,
        must_stop: Callable[[], bool] = never,
        started: float | None = None,
    ) -> Result:
        """Plan and search; parameters and errors are those of `plan` and of `SearchEngine.run`."""
        return self.plan(report, must_stop=must_stop, started=started).run(report, consume, must_stop=must_stop)

    def explained(self) -> Explanation:
        """All ways to the goal with their predicted cost; raises the errors of `plan`."""
        puzzle, job, _ = self._with_slips()._narrowed(self._board())
        ways = job._ways(puzzle, every=True)
        if job.options.method is not None and ways[0].time is None:
            # Making the tables of a method raises an error if the method is unknown or does not apply.
            _made_ready(puzzle, ways[0].plan, job.goal)
        offered = ways_on_gpu(puzzle, job.goal, job.limits, job.options, job.engine)
        notes = ("a GPU is used only if you ask for it: --device cuda",) if offered else ()
        return Explanation(puzzle, str(job.goal), (ways[0], *offered, *ways[1:]), notes)

    def _with_slips(self) -> "Job":
        """The job with its slips, if they have to be found, and their order."""
        return replace(self, options=found_slips(self.puzzle, self.options, self.engine))

    def _planned(self, board: Arrangement | None) -> "JobPlan":
        puzzle, job, order_name = self._narrowed(board)
        ways = job._ways(puzzle)
        while True:
            way, *others = ways
            kind = puzzle.kind
            engine = portfolio_of(kind, way.members) if way.members else find_engine(way.engine, kind=kind)
            try:
                plan = _made_ready(puzzle, way.plan, job.goal)
                break
            except EngineError:
                # Some methods of counting turn out not to apply only when their tables are made.
                if job.options.method is not None or not others:
                    raise
                ways = tuple(others)
        job._refuse_what_it_lacks(puzzle, way.engine)
        if order_name is not None:
            plan = replace(plan, order_name=order_name)
        return JobPlan(self, puzzle, engine, plan, ways)

    def _ways(self, puzzle: Puzzle, *, every: bool = False) -> tuple[Way, ...]:
        """The ways to the goal, the chosen one first; raises EngineError or UsageError if no way is possible."""
        if self.engine is not None:
            self._refuse_what_it_lacks(puzzle, self.engine)
        ways = ways_to(puzzle, self.goal, self.limits, self.options, self.engine, every=every)
        if ways[0].refusal is not None:
            # No way is possible.  The error is that of a way whose engine has all options, or of the default engine.
            able = (way for way in ways if not _lacks(puzzle, self, way.engine))
            usual = _usual_engine(puzzle, self)
            told = next(able, next((way for way in ways if way.engine == usual), ways[0]))
            raise EngineError(str(told.refusal))
        return ways

    def _refuse_what_it_lacks(self, puzzle: Puzzle, name: str) -> None:
        """Raise EngineError or UsageError if the engine lacks the goal, a limit or an option."""
        engine = find_engine(name, kind=puzzle.kind)
        if unknown := [option for option in self.own if option not in engine.options]:
            known = ", ".join(about_options(Options))
            raise UsageError(f"the engine {engine.name} has no such option, choose from {known}", unknown[0])
        refuse(engine, self.goal, self.limits, self.options)

    def _board(self) -> Arrangement | None:
        """The board to start from; raises an error if an option does not apply to the kind of puzzle."""
        puzzle = self.puzzle
        asked = {
            "order": self.options.order, "slips": self.options.slips, "frame_slips": self.options.frame_slips,
            "start": self.start, "depth_limit": self.limits.depth, "motions": self.motions,
            "squares": self.options.squares,
        }  # fmt: skip
        refuse_of_others(puzzle, **{name: asked[name] for name in _LACKING.get(puzzle.kind, ("motions",))})
        if isinstance(puzzle, DissectionPuzzle):
            return None
        refuse_misread(puzzle, self.options.squares)
        if self.start is None:
            return None
        if self.options.proof is not None:
            raise UsageError(
                "a proof needs the whole puzzle; fix the pieces in the puzzle's file instead", "proof", "start"
            )
        return start_board(puzzle, self.start)

    def _begun(self, board: Arrangement | None) -> Puzzle:
        """The puzzle with the motions, or with the starting pieces fixed."""
        if isinstance(self.puzzle, DissectionPuzzle):
            return self.puzzle.with_motions(self.motions)
        return self.puzzle if board is None else self.puzzle.with_fixed(board)

    def _narrowed(self, board: Arrangement | None) -> "tuple[Puzzle, Job, str | None]":
        """The puzzle with the motions, or with the starting pieces fixed; the job with the order for it.

        The third value is the name of that order if it is not the name in the job.
        """
        if board is None:
            return self._begun(board), self, None
        assert isinstance(self.puzzle, EdgeMatchingPuzzle)
        given = self.options
        start, name, order = started(self.puzzle, board, given.order, given.slips, given.frame_slips)
        squares = order if order is None or isinstance(order, str) else named_order(start, order)[1]
        return start, replace(self, options=replace(given, order=squares)), name


@dataclass(frozen=True)
class PredictedProgress:
    """The prediction against which the progress of a search is measured."""

    #: The chosen way.
    way: Way | None
    #: The goal and the limits of the search.
    goal: Goal
    limits: Limits
    #: Whether the search counts the nodes that are predicted.
    counted: bool

    @property
    def spread(self) -> Spread | None:
        """The predicted nodes, or the predicted seconds if no nodes are predicted; None without a prediction."""
        return None if self.way is None else self.way.nodes if self._by_nodes else self.way.time

    @property
    def _by_nodes(self) -> bool:
        return self.counted and self.way is not None and self.way.nodes is not None

    @property
    def has_end(self) -> bool:
        """Whether the end of the search is known, from a prediction or a limit."""
        return self.spread is not None or (self.limits.seconds, self.limits.nodes) != (None, None)

    def adjusted(self, progress: Progress) -> Progress:
        """Adjust the progress of a search to its prediction, or to the limit that ends it sooner.

        The prediction is a distribution.  The expected total is the median of the searches that take longer than this
        one has taken so far (a conditional median); so the time left can grow if a search takes longer than predicted.
        The fraction of the tree that is done gives a second estimate of the total.  The result is the weighted mean of
        the logarithms of both estimates; the weight of the second one is that fraction.
        """
        spread, nodes, nodes_now = self.spread, progress.nodes, progress.nodes - progress.found_nodes
        amount, amount_now = (nodes, nodes_now) if self._by_nodes else (progress.seconds, progress.seconds)
        if spread is not None and amount > 0:
            most = spread.median_beyond(amount)
            done_now = progress.done - progress.found
            if done_now > _LEAST_DONE:
                # A solution is equally likely anywhere in the rest of the tree.
                rest = amount_now * (1 - progress.done) / done_now
                by_tree = amount + rest * (0.5 if self.goal is Goal.SOLVE else 1.0)
                most = exp((1 - progress.done) * log(most) + progress.done * log(by_tree))
            done = min(amount / most, 1.0)
            found = min(progress.found_nodes / most, done) if self._by_nodes else progress.found
            notes = [note for note in (progress.note, self._surprise(spread, amount)) if note]
            progress = replace(progress, done=done, found=found, note="; ".join(notes) or None)
        # There is no expected number of nodes for several engines, or for an engine with predicted seconds only.
        tells_nodes = self._by_nodes or spread is None
        expected = nodes / progress.done if tells_nodes and nodes and 0 < progress.done < 1 else None
        limits = self.limits
        parts = [progress.seconds / limits.seconds if limits.seconds else 0.0]
        parts.append(nodes_now / limits.nodes if limits.nodes else 0.0)
        return replace(progress, done=min(max(progress.done, *parts), 1.0), expected=expected)

    def _surprise(self, spread: Spread, amount: float) -> str | None:
        """A note on a search that takes longer than predicted."""
        if amount <= spread.at_median:
            return None
        low_end, high_end = spread.at_median, spread.interval[1]
        if amount <= high_end:
            return f"longer than the {self._in_words(low_end)} predicted"
        return f"longer than 19 of 20 such searches take ({self._in_words(high_end)})"

    def _in_words(self, amount: float) -> str:
        return f"{amount:.2g} nodes" if self._by_nodes else short_duration(Fraction(amount))


@dataclass(frozen=True, repr=False)
class JobPlan(HasWays):
    """How a job will be run."""

    #: The job.
    job: Job
    #: The puzzle to search: with the starting pieces fixed, with the job's motions.
    puzzle: Puzzle
    #: The engine.
    engine: Engine | TilingEngine | None
    #: The options, completed by those chosen, and the prediction.
    plan: Plan
    #: The ways to the goal that were compared, the chosen one first.
    ways: tuple[Way, ...] = ()
    #: The seconds of the time limit that are used up, by planning and before.
    spent: float = 0.0
    #: The seconds of planning, including the tables of a count.
    planning_seconds: float = 0.0
    #: The result, if the time limit was reached before the plan was complete.
    ended: Result | None = None

    @property
    def predicted_progress(self) -> PredictedProgress:
        """The prediction against which the progress of the search is measured."""
        job, method = self.job, self.options.method
        # Other methods of counting measure progress by their parts.
        way = self.ways[0] if self.ways and method in (None, "plain") else None
        counted = self.engine is not None and self.engine.counts_nodes
        return PredictedProgress(way, job.goal, job.limits, counted)

    @property
    def tells_how_far(self) -> bool:
        """Whether the progress of the search shows what fraction is done."""
        engine = self.engine
        return engine is None or (engine.counts_nodes and engine.proves) or self.predicted_progress.has_end

    @property
    def reasons(self) -> list[str]:
        """A line with the predicted times of the ways that were compared; empty if there was no choice."""
        known = [way for way in self.ways if way.time is not None]
        if len(known) < 2 or known[0] is not self.ways[0]:
            return []
        taken, *others = known
        shown = [f"{other.name} {_about(other)}" for other in others[:_SHOWN]]
        return [f"  chosen           {taken.name}, predicted {_about(taken)}; {'; '.join(shown)}"]

    def summary(self, *, verbose: bool = False) -> str:
        """The engine, method and order, and the predictions, as text."""
        if self.engine is None:
            return f"{self.puzzle.name}: no plan, {ending(self.ended.ended_by if self.ended else None)}"
        order = "" if self.plan.order_name is None else f", order {self.plan.order_name}"
        method = "" if self.options.method is None else f", method {self.options.method}"
        lines = [f"{self.puzzle.name}: {self.job.goal} by {self.engine.name}{method}{order}"]
        lines += self.reasons
        for what, number in (self.plan.predicted or {}).items():
            digits, _, exponent = number.partition("e")
            lines.append(f"  {what:<15}  about {digits[:5]}e{exponent} expected")
        return "\n".join(lines)

    @property
    def options(self) -> Options:
        """The options that the engine gets."""
        return self.plan.options

    def run(
        self,
        report: Report | None = None,
        consume: Callable[[Any], None] | None = None,
        *,
        must_stop: Callable[[], bool] = never,
    ) -> Result:
        """Search within the rest of the time limit; parameters are those of `SearchEngine.run`."""
        if self.ended is not None:
            return self._completed(self.ended)
        take = None if consume is None else lambda solution: consume(self.known(solution))
        expected = self.predicted_progress
        tell = None if report is None else lambda progress: report(expected.adjusted(progress))
        # A count that turns out to be much longer than predicted is begun again in another way.
        asked = self.job.options
        free = self._is_free(asked.method, asked.ledger, asked.cluster, asked.device, asked.squares)
        if self.job.goal is Goal.COUNT and free and self.ways[0].nodes is not None and not self.ways[0].members:
            return self._counted(tell, must_stop)
        alone = self._seconds_alone()
        if alone is None:
            return self._search(self.job.limits, tell, take, must_stop)
        began, end, late = time.perf_counter() - self.spent, self._clock() + alone, False

        def must_end() -> bool:
            nonlocal late
            late = late or self._clock() >= end
            return must_stop() or late

        first = self._search(self.job.limits, tell, take, must_end)
        if not late or first.ended_by != "interrupt" or must_stop():
            return first
        with stoppable(self.job.limits.seconds, must_stop, report=report, started=began) as stop:
            beside = None
            with suppress(StoppedError), enforced(stop, "planning"):
                beside = self._with_others(alone)
        # Ctrl-C may have arrived after the last check.
        if stop.ended_by is not None or stop.interrupted:
            return replace(first, ended_by=stop.ended_by)
        # Without others, the chosen way begins again.
        second = replace(beside or self, spent=stop.used)._search(self.job.limits, report, take, must_stop)
        return together(first, second)

    def _clock(self) -> float:
        """Seconds of search; what else the machine does has no influence if the engine works in this process."""
        return working_cpu_time() / self.options.threads if self._engine().native else working_time()

    def _search(
        self,
        limits: Limits,
        report: Report | None,
        consume: Callable[[Any], None] | None,
        must_stop: Callable[[], bool],
    ) -> Result:
        result = self._engine().run(
            self.puzzle,
            self.job.goal,
            limits,
            self._engine().given(self.options, self.job.own),
            report=report,
            consume=consume,
            must_stop=must_stop,
            started=time.perf_counter() - self.spent,
        )
        times.note(result)
        order = {} if self.plan.order_name is None else {"order": self.plan.order_name}
        return self._completed(replace(result, predicted=self.plan.predicted, options={**result.options, **order}))

    def _is_free(self, *asked: object) -> bool:
        """Whether nothing that was asked for, such as these options, keeps the search on the chosen way."""
        job = self.job
        bound = (job.engine, job.options.order, given_slips(job.options), job.limits.nodes, job.limits.depth, *asked)
        return bool(self.ways) and not job.own and all(value is None for value in bound)

    def _counted(self, report: Report | None, must_stop: Callable[[], bool]) -> Result:
        """Count; if there are far more nodes than predicted, by the way that seems to have the fewest in all.

        Each of the other ways may place as many pieces as the first one has.
        """
        began = time.perf_counter() - self.spent
        limits, nodes = self.job.limits, self.ways[0].nodes
        assert nodes is not None
        seen = NodesSeen(max(TOO_MANY * nodes.at_median, LEAST_NODES), report)
        tried: list[tuple[NodesSeen, JobPlan]] = [(seen, self)]
        results = [self._search(limits, seen.note, None, lambda: must_stop() or seen.too_many)]
        for way in self._other_counts() if seen.too_many else []:
            if results[-1].complete or not tried[-1][0].too_many or must_stop():
                break
            other = NodesSeen(seen.most, report)
            plan = replace(self._by(way), spent=time.perf_counter() - began)
            results.append(plan._search(limits, other.note, None, lambda other=other: must_stop() or other.too_many))
            tried.append((other, plan))
        if tried[-1][0].too_many and not results[-1].complete and not must_stop():
            # Without others, the chosen way begins again.
            _, best = min(tried, key=lambda one: one[0].in_all)
            plan = replace(best, spent=time.perf_counter() - began)
            tried.append((seen, plan))
            results.append(plan._search(limits, report, None, must_stop))
        result = reduce(together, results)
        if len(tried) == 1:
            return result
        names = [plan.ways[0].name for _, plan in tried]
        return replace(result, options={**result.options, "tried": names})

    def _other_counts(self) -> list[Way]:
        """The other ways to count; so far, they were left out if the chosen one seemed to be quick."""
        job = self.job
        every = ways_to(self.puzzle, job.goal, job.limits, job.options, self.ways[0].engine, every=True)
        return other_counts([self.ways[0], *(way for way in every if way.name != self.ways[0].name)])

    def _by(self, way: Way) -> "JobPlan":
        """The plan for another way to the same goal."""
        plan = _made_ready(self.puzzle, way.plan, self.job.goal)
        return replace(self, engine=find_engine(way.engine, kind=self.puzzle.kind), plan=plan, ways=(way,))

    def _seconds_alone(self) -> float | None:
        """The seconds after which other ways join the chosen one; None if it runs alone."""
        job = self.job
        if job.goal is not Goal.SOLVE or not self._is_free(job.options.proof) or job.puzzle.kind == "dissection":
            return None
        seconds = patience(self.ways[0])
        if seconds is not None and job.options.seed is not None:
            # A seed excludes engines that draw nothing; they join when they could have been done.
            seconds = min(seconds, patience(self._without_seed(every=False)[0]) or seconds)
        return seconds

    def _with_others(self, head_start: float) -> "JobPlan | None":
        """The plan with which to continue once the chosen way has run for `head_start` seconds; None without one."""
        taken, every = self.ways[0], self._without_seed(every=True)
        way = with_others([taken, *(way for way in every if way.name != taken.name)], head_start)
        if way is None:
            return None
        engine = portfolio_of(self.puzzle.kind, way.members)
        plan = replace(way.plan, options=replace(way.plan.options, earlier=self.options.earlier))
        return replace(self, engine=engine, plan=plan, ways=(way,))

    def _without_seed(self, *, every: bool) -> tuple[Way, ...]:
        """The ways to the goal, also of engines that take no seed."""
        job = self.job
        return ways_to(self.puzzle, job.goal, job.limits, replace(job.options, seed=None), every=every)

    def solutions(self) -> Iterator[Any]:
        """Iterate over the solutions; the search pauses until the next one is requested."""
        if self.ended is not None:
            return none_before(self.ended.ended_by)
        given, started = self._engine().given(self.options, self.job.own), time.perf_counter() - self.spent
        return map(self.known, self._engine().solutions(self.puzzle, self.job.limits, given, started=started))

    def with_earlier(self, earlier: Earlier) -> "JobPlan":
        """The plan of a search that continues an earlier one."""
        options = replace(self.options, earlier=earlier)
        job = replace(self.job, options=replace(self.job.options, earlier=earlier))
        return replace(self, job=job, plan=replace(self.plan, options=options))

    def known(self, solution: Any) -> Any:
        """The solution as a board or tiling of the job's puzzle."""
        puzzle = self.job.puzzle
        return tiling_of(puzzle, solution) if isinstance(puzzle, DissectionPuzzle) else board_of(puzzle, solution)

    def _engine(self) -> Any:
        """The engine, which exists unless the plan has ended."""
        assert self.engine is not None
        return self.engine

    def _completed(self, result: Result) -> Result:
        """The result with the job's restrictions among its options, and with solutions that know their puzzle."""
        job, told = self.job, dict[str, object]()
        known = tuple(map(self.known, result.solutions))
        board = result.best_board if result.best_board is None else self.known(result.best_board)
        if job.start is not None:
            told["from"] = str(job.start) if isinstance(job.start, str | Path) else "a board in memory"
            assert isinstance(self.puzzle, EdgeMatchingPuzzle)
            told["placed"] = len(self.puzzle.fixed)
        if job.pieces_only:
            told["pieces_only"] = True
        if job.limits.depth is not None:
            told["depth_limit"] = job.limits.depth
        # The run's own time includes that of the prepared tables; it is not counted twice.
        made = 0.0 if self.options.prepared is None else self.options.prepared.seconds
        return replace(
            result,
            options={**result.options, **told, **job.own},
            solutions=known,
            best_board=board,
            plan_seconds=round(max(self.planning_seconds - made, 0.0), 6),
        )


def _lacks(puzzle: Puzzle, job: Job, name: str) -> bool:
    """Whether an engine lacks the goal, a limit or an option; portfolios are treated as lacking something."""
    try:
        refuse(find_engine(name, kind=puzzle.kind), job.goal, job.limits, job.options)
    except EngineError:
        return True
    return name.partition(":")[0] == "portfolio"


def _usual_engine(puzzle: Puzzle, job: Job) -> str:
    if isinstance(puzzle, DissectionPuzzle):
        return "backtrack"
    return default_engine(puzzle, job.goal, job.limits, job.options)


def _made_ready(puzzle: Puzzle, plan: Plan, goal: Goal) -> Plan:
    """Add the tables of the counting method to the plan; raises EngineError if the method does not apply."""
    options = plan.options
    if goal is not Goal.COUNT or options.prepared is not None or options.method in (None, "plain"):
        return plan
    from ..effort.count_methods import prepared

    assert isinstance(puzzle, EdgeMatchingPuzzle)
    return replace(plan, options=prepared(puzzle, options))


def _about(way: Way) -> str:
    """The median of a way's predicted time, in words."""
    assert way.time is not None
    return about_duration(Fraction(way.time.at_median))
