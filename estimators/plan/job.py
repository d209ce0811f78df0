"""A job: what is asked of a puzzle, planned and then run; all commands and functions that search go this way."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...csp.base.errors import UsageError
from ...csp.base.stopping import Report, StoppedError, never, stoppable
from ...csp.base.words import ending
from ...csp.engines.engine import Engine, NothingFound, TilingEngine
from ...csp.engines.refusals import refuse
from ...csp.engines.registry import default_engine, engine_of
from ...csp.engines.request import DEFAULTS, NO_LIMITS, Goal, Limits, Options, about_options
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle, tiling_of
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, board_of
from ...csp.puzzles.slips import checked_slips
from .advice import Advice, advice
from .asked import named_order, refuse_of_others, started
from .cheapest_method import Cost, planned_count
from .durations import about_duration
from .effort import MOST_PREDICTED, Plan, planned
from .frames_cut import with_cut

#: What is asked of puzzles of squares alone, and of dissections alone.
_OF_SQUARES, _OF_DISSECTIONS = ("order", "slips", "start", "depth_limit"), ("motions",)


@dataclass(frozen=True)
class Job:
    """What is asked of a puzzle.

    Parameters
    ----------
    puzzle, goal
        The puzzle, and what it is searched for.
    engine
        The engine's name; None for the one that suits the puzzle and the goal, ``auto`` for the one that did best on
        the nearest puzzles of the bundled experiments.
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

    def plan(self, *, must_stop: Callable[[], bool] = never, started: float | None = None) -> "JobPlan":
        """How the job will be run, and what is to be expected of it.

        What takes its time, the prediction or the tables of a count, ends with the job's time limit, which counts from
        `started` on (by `time.perf_counter`); then the plan is that nothing is run.

        Raises
        ------
        EngineError, UsageError, OrderError, SlipError, InstanceError
            If what is asked does not fit the puzzle or the engine.
        """
        with stoppable(self.limits.seconds, must_stop, started=started) as stop:
            plan = None
            try:
                with stop.enforced():
                    plan = self._planned()
            except StoppedError:
                pass
            # Ctrl-C may have come in the last moment.
            if plan is not None and not stop.interrupted:
                return replace(plan, spent=stop.used)
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
        return self.plan(must_stop=must_stop, started=started).run(report, consume, must_stop=must_stop)

    def _planned(self) -> "JobPlan":
        puzzle, job, order_name = self._narrowed()
        taken = advice(puzzle, job.goal, job.limits, job.options) if job.engine == "auto" else None
        if taken is not None:
            order = job.options.order if job.options.order is not None else taken.order
            job = replace(job, engine=taken.engine, options=replace(job.options, order=order))
        engine = engine_of(puzzle.kind, job.engine or _usual_engine(puzzle, job))
        own = job.own
        for name in own:
            if name not in engine.options:
                known = ", ".join(about_options(Options))
                raise UsageError(f"the engine {engine.name} has no such option; options of searches: {known}", name)
        refuse(engine, job.goal, job.limits, job.options)
        if isinstance(puzzle, DissectionPuzzle):
            return JobPlan(self, puzzle, engine, Plan(None, job.options), (), taken)
        plan, costs = _plan_of(puzzle, engine, job)
        if order_name is not None:
            plan = replace(plan, order_name=order_name)
        return JobPlan(self, puzzle, engine, plan, costs, taken)

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
    costs
        What the methods that were compared are predicted to cost, the one taken first.
    advice
        Why the engine was taken, if it was to be chosen by experience.
    spent
        The seconds of the time limit that planning has taken.
    ended
        The result, if the time was over before there was a plan.
    """

    job: Job
    puzzle: Puzzle
    engine: Engine | TilingEngine | None
    plan: Plan
    costs: tuple[Cost, ...] = ()
    advice: Advice | None = None
    spent: float = 0.0
    ended: Result | None = None

    @property
    def reasons(self) -> list[str]:
        """What the methods are predicted to take that were compared, in a line; nothing if none were."""
        if not self.costs:
            return []
        taken, *others = self.costs
        along = "" if taken.order_name is None else f" along {taken.order_name}"
        shown = [f"{other.method} {about_duration(other.seconds)}" for other in others]
        than = f"; {', '.join(shown)}" if shown else ""
        return [f"  chosen           {taken.method}{along}, predicted {about_duration(taken.seconds)}{than}"]

    def summary(self) -> str:
        """What will be done, and what is to be expected, as text."""
        if self.engine is None:
            return f"{self.puzzle.name}: no plan, {ending(self.ended.ended_by if self.ended else None)}"
        order = "" if self.plan.order_name is None else f", order {self.plan.order_name}"
        method = "" if self.options.method is None else f", method {self.options.method}"
        lines = [f"{self.puzzle.name}: {self.job.goal} by {self.engine.name}{method}{order}"]
        if self.advice is not None:
            lines.append(f"  because          {self.advice.why}")
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
        job, engine = self.job, self._engine()
        take = None if consume is None else lambda solution: consume(self._known(solution))
        result = engine.run(
            self.puzzle,
            job.goal,
            job.limits,
            self._given(),
            report=report,
            consume=take,
            must_stop=must_stop,
            started=time.perf_counter() - self.spent,
        )
        return self._told(self.plan.told(result))

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
        """The options as the engine takes them: its own dataclass, if that has fields that `Options` lacks."""
        assert self.engine is not None
        taken, known = self.engine.options, about_options(Options)
        if set(taken) <= set(known):
            return self.options
        given = {name: getattr(self.options, name) for name in taken if name in known}
        return self.engine.takes(**given, **self.job.own)

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
        return replace(result, options={**result.options, **told, **job.own}, solutions=known, best_board=board)


def _rounded(number: str) -> str:
    """A decimal string of 20 digits as people read it."""
    digits, _, exponent = number.partition("e")
    return f"{digits[:5]}e{exponent}"


def _usual_engine(puzzle: Puzzle, job: Job) -> str:
    if isinstance(puzzle, DissectionPuzzle):
        return "backtrack"
    return default_engine(puzzle, job.goal, job.limits, job.options)


def _plan_of(puzzle: EdgeMatchingPuzzle, engine: Any, job: Job) -> tuple[Plan, tuple[Cost, ...]]:
    """How to search, and what to expect where that is known in no time; the costs that were compared."""
    options, limits = job.options, job.limits
    checked_slips(puzzle, options.slips)
    if engine.name == "backtrack" and job.goal is Goal.COUNT:
        if options.method not in (None, "plain"):
            return Plan(None, with_cut(puzzle, options)), ()
        bound = (options.method, options.order, options.slips, limits.nodes, limits.depth) != (None,) * 5
        if not bound and options.symmetry:
            return planned_count(puzzle, options)
    # Some engines have no order, some have their own.
    if options.order is None and ("order" not in engine.options or not engine.proves):
        return Plan(None, options), ()
    name, order = named_order(puzzle, options.order, options.slips)
    chosen = replace(options, order=order)
    if job.goal is Goal.BEST or len(puzzle.board) > MOST_PREDICTED:
        return Plan(name, chosen), ()
    return planned(puzzle, name, chosen), ()
