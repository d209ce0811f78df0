"""A job: what is asked of a puzzle, planned and then run; all commands and functions that search go this way."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...csp.base.errors import EngineError, UsageError
from ...csp.base.stopping import Report, StoppedError, never, stoppable, working_time
from ...csp.base.words import ending
from ...csp.engines.engine import Engine, NothingFound, TilingEngine
from ...csp.engines.portfolio.engine import portfolio_of
from ...csp.engines.refusals import refuse
from ...csp.engines.registry import default_engine, engine_of
from ...csp.engines.request import DEFAULTS, NO_LIMITS, Goal, Limits, Options, about_options
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle, tiling_of
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, board_of
from ..effort.asked import named_order, refuse_of_others, started
from ..effort.count_methods import prepared
from ..effort.durations import about_duration
from ..effort.search_effort import Plan
from ..ways import rates
from ..ways.several.fallback import patience, together, with_others
from ..ways.way import Way
from ..ways.ways import ways_to
from .explain import Explanation
from .foretold import Foretold

#: What is asked of puzzles of squares alone, and of dissections alone.
_OF_SQUARES, _OF_DISSECTIONS = ("order", "slips", "start", "depth_limit"), ("motions",)

# How many of the ways that were not taken a line names.
_SHOWN = 3


@dataclass(frozen=True)
class Job:
    """What is asked of a puzzle.

    Parameters
    ----------
    puzzle, goal
        The puzzle, and what it is searched for.
    engine
        The engine's name; None for the one that is predicted to be the quickest.
    limits, options
        What bounds the search, and how it goes.
    own
        Options that only the engine of another package has.
    start
        A partial board to start from, or the solution file that holds it.
    motions
        How the pieces of a dissection may be moved; None for what its file says.
    """

    puzzle: Puzzle
    goal: Goal
    engine: str | None = None
    limits: Limits = NO_LIMITS
    options: Options = DEFAULTS
    own: Mapping[str, Any] = field(default_factory=dict)
    start: str | Path | Arrangement | None = None
    motions: str | None = None

    def plan(
        self,
        report: Report | None = None,
        *,
        must_stop: Callable[[], bool] = never,
        started: float | None = None,
    ) -> "JobPlan":
        """How the job will be run, and what is to be expected of it.

        What takes its time, the prediction or the tables of a count, ends with the job's time limit, which counts from
        `started` on (by `time.perf_counter`); then the plan is that nothing is run.  `report` is told of work that is
        not done at once.

        Raises
        ------
        EngineError, UsageError, OrderError, SlipError, InstanceError
            If what is asked does not fit the puzzle or the engine.
        """
        began = working_time()
        with stoppable(self.limits.seconds, must_stop, report=report, started=started) as stop:
            plan = None
            try:
                with stop.enforced("planning"):
                    plan = self._planned()
            except StoppedError:
                pass
            # Ctrl-C may have come in the last moment.
            if plan is not None and not stop.interrupted:
                return replace(plan, spent=stop.used, seconds=working_time() - began)
            name = _usual_engine(self.puzzle, self) if self.engine is None else self.engine
            nothing = NothingFound(name, self.puzzle, self.goal, self.limits, self.options, stop).result()
            return JobPlan(self, self.puzzle, None, Plan(None, self.options), ended=nothing)

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
        """All ways to the goal with what they are predicted to cost; raises as `plan` does."""
        puzzle, job, _ = self._narrowed()
        ways = job._ways(puzzle, every=True)
        if job.options.method is not None and ways[0].time is None:
            # That a method does not apply, or that there is none of that name, is said when its tables are made.
            _made_ready(puzzle, ways[0].plan, job.goal)
        return Explanation(puzzle, str(job.goal), ways)

    def _planned(self) -> "JobPlan":
        puzzle, job, order_name = self._narrowed()
        ways = job._ways(puzzle)
        while True:
            way, *others = ways
            engine = portfolio_of(puzzle.kind, way.members) if way.members else engine_of(puzzle.kind, way.engine)
            try:
                plan = _made_ready(puzzle, way.plan, job.goal)
                break
            except EngineError:
                # That a method of counting does not apply may turn out only when its tables are made.
                if job.options.method is not None or not others:
                    raise
                ways = tuple(others)
        job._refuse_what_it_lacks(puzzle, way.engine)
        if order_name is not None:
            plan = replace(plan, order_name=order_name)
        return JobPlan(self, puzzle, engine, plan, ways)

    def _ways(self, puzzle: Puzzle, *, every: bool = False) -> tuple[Way, ...]:
        """The ways to the goal, the one to be taken first; raises EngineError and UsageError if there is none."""
        if self.engine is not None:
            self._refuse_what_it_lacks(puzzle, self.engine)
        ways = ways_to(puzzle, self.goal, self.limits, self.options, self.engine, every=every)
        if ways[0].refusal is not None:
            # Nobody can do it: what is said is why one cannot that has all that is asked, or what the usual one lacks.
            able = (way for way in ways if not _lacks(puzzle, self, way.engine))
            usual = _usual_engine(puzzle, self)
            told = next(able, next((way for way in ways if way.engine == usual), ways[0]))
            raise EngineError(str(told.refusal))
        return ways

    def _refuse_what_it_lacks(self, puzzle: Puzzle, name: str) -> None:
        """Refuse what an engine does not have; raises EngineError and UsageError."""
        engine = engine_of(puzzle.kind, name)
        for option in self.own:
            if option not in engine.options:
                known = ", ".join(about_options(Options))
                raise UsageError(f"the engine {engine.name} has no such option; options of searches: {known}", option)
        refuse(engine, self.goal, self.limits, self.options)

    def _narrowed(self) -> "tuple[Puzzle, Job, str | None]":
        """The puzzle with the pieces to start from, or with the motions; the job with the order that goes with it.

        And the name of that order, where it is not that of the job.
        """
        puzzle = self.puzzle
        tilings = isinstance(puzzle, DissectionPuzzle)
        asked = {
            "order": self.options.order, "slips": self.options.slips, "start": self.start,
            "depth_limit": self.limits.depth, "motions": self.motions,
        }  # fmt: skip
        refuse_of_others(puzzle, **{name: asked[name] for name in (_OF_SQUARES if tilings else _OF_DISSECTIONS)})
        if isinstance(puzzle, DissectionPuzzle):
            return puzzle.with_motions(self.motions), self, None
        if self.start is None:
            return puzzle, self, None
        if self.options.proof is not None:
            why = "a proof is about the whole puzzle; fix the pieces in its file instead"
            raise UsageError(why, "proof", "start")
        start, name, order = started(puzzle, self.start, self.options.order, self.options.slips)
        squares = order if order is None or isinstance(order, str) else named_order(start, order)[1]
        return start, replace(self, options=replace(self.options, order=squares)), name


@dataclass(frozen=True)
class JobPlan:
    """How a job will be run.

    Parameters
    ----------
    job
        What is asked.
    puzzle
        The puzzle as it is searched: with the pieces to start from fixed, with the motions that are asked for.
    engine
        The engine.
    plan
        The options with all that was chosen and predicted.
    ways
        The ways to the goal that were compared, the one taken first.
    spent
        The seconds of the time limit that are over: those of planning, and those before.
    seconds
        What planning took, tables of a count included.
    ended
        The result, if the time was over before there was a plan.
    """

    job: Job
    puzzle: Puzzle
    engine: Engine | TilingEngine | None
    plan: Plan
    ways: tuple[Way, ...] = ()
    spent: float = 0.0
    seconds: float = 0.0
    ended: Result | None = None

    @property
    def foretold(self) -> Foretold:
        """By what the progress of the search goes."""
        job, method = self.job, self.options.method
        # A count by another method goes by what it knows of its parts.
        way = self.ways[0] if self.ways and method in (None, "plain") else None
        counted = self.engine is not None and self.engine.counts_nodes
        return Foretold(way, job.goal, job.limits, counted)

    @property
    def tells_how_far(self) -> bool:
        """Whether the progress of the search tells how far it is."""
        engine = self.engine
        return engine is None or (engine.counts_nodes and engine.proves) or self.foretold.has_end

    @property
    def reasons(self) -> list[str]:
        """What the ways that were compared are predicted to take, in a line; nothing if there was no choice."""
        known = [way for way in self.ways if way.time is not None]
        if len(known) < 2 or known[0] is not self.ways[0]:
            return []
        taken, *others = known
        shown = [f"{other.name} {_about(other)}" for other in others[:_SHOWN]]
        return [f"  chosen           {taken.name}, predicted {_about(taken)}; {', '.join(shown)}"]

    def summary(self) -> str:
        """What will be done, and what is to be expected, as text."""
        if self.engine is None:
            return f"{self.puzzle.name}: no plan, {ending(self.ended.ended_by if self.ended else None)}"
        order = "" if self.plan.order_name is None else f", order {self.plan.order_name}"
        method = "" if self.options.method is None else f", method {self.options.method}"
        lines = [f"{self.puzzle.name}: {self.job.goal} by {self.engine.name}{method}{order}"]
        lines += self.reasons
        for what, number in (self.plan.predicted or {}).items():
            lines.append(f"  {what:<15}  about {_rounded(number)} expected")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": self.summary()}

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
        """Search, with the time that the plan has left over; parameters are those of `SearchEngine.run`."""
        if self.ended is not None:
            return self._told(self.ended)
        take = None if consume is None else lambda solution: consume(self._known(solution))
        told = None if report is None else self.foretold.report(report)
        alone = self._seconds_alone()
        if alone is None:
            return self._search(self.job.limits, told, take, must_stop)
        limits = replace(self.job.limits, seconds=self.spent + alone)
        first = self._search(limits, told, take, must_stop)
        beside = None if first.ended_by != "time" else self._with_others(alone, first.seconds)
        if beside is None:
            return first
        second = beside._search(self.job.limits, report, take, must_stop)
        return together(first, second)

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
            self._given(),
            report=report,
            consume=consume,
            must_stop=must_stop,
            started=time.perf_counter() - self.spent,
        )
        rates.note(result)
        return self._told(self.plan.told(result))

    def _seconds_alone(self) -> float | None:
        """The seconds after which the way that was chosen gets others beside it; None if it stays alone."""
        job, limits = self.job, self.job.limits
        own = (job.engine, job.options.order, job.options.slips, job.options.proof, limits.nodes, limits.depth)
        if job.goal is not Goal.SOLVE or own != (None,) * 6 or job.own or not self.ways or self.ways[0].members:
            return None
        seconds = None if isinstance(self.puzzle, DissectionPuzzle) else patience(self.ways[0])
        if seconds is None or (limits.seconds is not None and self.spent + seconds >= limits.seconds):
            return None
        return seconds

    def _with_others(self, head_start: float, spent: float) -> "JobPlan | None":
        """The plan to go on with when the way that was chosen has taken so long; None if there is no other."""
        job = self.job
        every = ways_to(self.puzzle, job.goal, job.limits, job.options, every=True)
        taken = self.ways[0]
        way = with_others([taken, *(way for way in every if way.name != taken.name)], head_start)
        if way is None:
            return None
        engine = portfolio_of(self.puzzle.kind, way.members)
        return replace(self, engine=engine, plan=way.plan, ways=(way,), spent=self.spent + spent)

    def solutions(self) -> Iterator[Any]:
        """The solutions one by one; the search goes on only when the next one is asked for."""
        if self.ended is not None:
            return iter(())
        return map(
            self._known,
            self._engine().solutions(
                self.puzzle, self.job.limits, self._given(), started=time.perf_counter() - self.spent
            ),
        )

    def _known(self, solution: Any) -> Any:
        """A solution that knows its puzzle, which is the one that was asked about."""
        puzzle = self.job.puzzle
        if isinstance(puzzle, EdgeMatchingPuzzle):
            return board_of(puzzle, solution)
        return tiling_of(puzzle, solution)

    def _engine(self) -> Any:
        """The engine, which is one for this puzzle."""
        assert self.engine is not None
        return self.engine

    def _given(self) -> Any:
        """The options as the engine takes them."""
        return self._engine().given(self.options, self.job.own)

    def _told(self, result: Result) -> Result:
        """The result with all that narrows the puzzle in its options, and with solutions that know their puzzle."""
        job, told = self.job, dict[str, object]()
        known = tuple(map(self._known, result.solutions))
        board = result.best_board if result.best_board is None else self._known(result.best_board)
        if job.start is not None:
            told["from"] = str(job.start) if isinstance(job.start, str | Path) else "a board in memory"
            assert isinstance(self.puzzle, EdgeMatchingPuzzle)
            told["placed"] = len(self.puzzle.fixed)
        if job.limits.depth is not None:
            told["depth_limit"] = job.limits.depth
        # What the run counts as its own is not told twice.
        made = 0.0 if self.options.prepared is None else self.options.prepared.seconds
        return replace(
            result,
            options={**result.options, **told, **job.own},
            solutions=known,
            best_board=board,
            plan_seconds=round(max(self.seconds - made, 0.0), 6),
        )


def _rounded(number: str) -> str:
    """A decimal string of 20 digits as people read it."""
    digits, _, exponent = number.partition("e")
    return f"{digits[:5]}e{exponent}"


def _lacks(puzzle: Puzzle, job: Job, name: str) -> bool:
    """Whether an engine lacks the goal, a limit or an option; a portfolio has what its members have."""
    if name.partition(":")[0] == "portfolio":
        return True
    try:
        refuse(engine_of(puzzle.kind, name), job.goal, job.limits, job.options)
    except EngineError:
        return True
    return False


def _usual_engine(puzzle: Puzzle, job: Job) -> str:
    if isinstance(puzzle, DissectionPuzzle):
        return "backtrack"
    return default_engine(puzzle, job.goal, job.limits, job.options)


def _made_ready(puzzle: Puzzle, plan: Plan, goal: Goal) -> Plan:
    """The plan with the tables of the count, if a method makes such; raises EngineError if it does not apply."""
    options = plan.options
    if isinstance(puzzle, DissectionPuzzle) or goal is not Goal.COUNT or options.method in (None, "plain"):
        return plan
    return replace(plan, options=prepared(puzzle, options))


def _about(way: Way) -> str:
    """The median of a way's time, in words."""
    assert way.time is not None
    return about_duration(Fraction(way.time.at_median))
