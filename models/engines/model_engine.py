"""One run of an engine that solves a model: what is prepared for it, what bounds it, what it answers."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...csp.base.errors import EngineError
from ...csp.base.memory import peak_rss_mib
from ...csp.engines.engine import pursue
from ...csp.engines.refusals import refuse_options
from ...csp.engines.request import DEFAULTS, IN_PARTS, NO_LIMITS, Goal, Limits, Options
from ...csp.engines.result import Progress, Report, Result, Status
from ...csp.engines.solutions_found import Harvest, certain, status_of_best
from ...csp.engines.tiling_run import TilingRun
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.check_board import Verdict
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import anywhere, checked_slips, format_slips
from ..base.encodings import Encoding
from ..base.solver_process import children_usage
from ..squares.domains import Domains

_REPORT_SECONDS = 0.1


class ModelRun:
    """What the engines that solve models share, whatever the model.

    Attributes
    ----------
    domains
        What the model is made of.
    harvest
        Takes the full boards that are found.
    exhausted
        Whether all there is to find has been found.
    best, bound
        For the goal best: the best board so far, and the highest score that is not excluded.
    ended_by
        What ended the run early, None so far.
    statistics, proof
        What the solver counted; what became of the proof that was asked for.
    """

    def __init__(
        self,
        engine: "ModelEngine",
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
    ) -> None:
        self._started, self._cpu_started = time.perf_counter(), time.process_time() + children_usage()[0]
        for name, limit in (("node", limits.nodes), ("depth", limits.depth)):
            if limit is not None:
                raise EngineError(
                    f"engine {engine.name} places no pieces one by one, so it has no {name} limit; bound its time"
                )
        limits = limits.towards(goal)
        self.engine, self.puzzle, self.goal, self.limits, self.options = engine, puzzle, goal, limits, options
        self.encoding = encoding = engine.encoding(options.encoding)
        self._order_name, order = find_order(puzzle, options.order)
        slips = checked_slips(puzzle, options.slips)
        if goal is Goal.BEST and options.slips is None:
            slips = anywhere(puzzle)
        self.domains = Domains(puzzle, order, slips, symmetry=options.symmetry, prune=encoding.prune)
        self.harvest = Harvest(
            self.domains.tally(), goal, limits.solutions, symmetry=options.symmetry, checked=self.checked
        )
        self.exhausted = False
        self.best: Arrangement | None = None
        self.bound = puzzle.max_score
        self.ended_by: str | None = None
        self.statistics: Mapping[str, int] = {}
        self.proof: Mapping[str, Any] | None = None
        self._last: Arrangement | None = None
        self._build_seconds = 0.0

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[Arrangement]:
        """What the engine does."""
        for solution in self.engine.steps(self, Watch(self, interrupted, report)):
            self._last = solution
            yield solution

    def built(self) -> None:
        """The model is built; what follows is solving."""
        self._build_seconds = time.perf_counter() - self._started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        if self.limits.seconds is None:
            return None
        return max(self.limits.seconds - (time.perf_counter() - self._started), 0.0)

    def reason_to_stop(self, interrupted: threading.Event) -> str | None:
        """Which limit is reached, if one is."""
        if interrupted.is_set():
            return "interrupt"
        if self.seconds_left == 0:
            return "time"
        if self.harvest.full or (self.limits.solutions == 0 and self.goal not in (Goal.COUNT, Goal.BEST)):
            return "solutions"
        return None

    def must_stop(self, interrupted: threading.Event) -> bool:
        """Whether a limit is reached or Ctrl-C has been pressed."""
        self.ended_by = self.reason_to_stop(interrupted)
        return self.ended_by is not None

    def checked(self, solution: Arrangement) -> Verdict:
        """The checker's verdict on what a solver found, which nobody sees if that is no solution."""
        return certain(self.puzzle, solution, self.domains.slips, self.domains.order)

    @property
    def score(self) -> int | None:
        """The score of the best board so far."""
        return None if self.best is None else self.puzzle.score(self.best)

    def better(self, board: Arrangement) -> None:
        """Keep a full board whose score is higher than that of the best one so far."""
        score = self.checked(board).score
        if self.score is None or score > self.score:
            self.best = board

    def progress(self) -> Progress:
        """How far the run is; nobody knows what part of it lies behind."""
        if self.goal is Goal.BEST:
            scores, found = (self.score, self.bound), int(self.best is not None)
        else:
            scores, found = None, self.harvest.counts()[0]
        return Progress(0, found, 0.0, time.perf_counter() - self._started, scores)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """What the run has found by now."""
        if self.goal is Goal.BEST:
            return self._best_result(kept)
        count, canonical = self.harvest.counts()
        status, complete = self.harvest.conclusion(count, exhausted=self.exhausted)
        # Where the puzzle alone does not tell that all orbits are alike, a complete count does.
        alike = self.exhausted and count == canonical * self.domains.found.product
        result = self._result(kept, status, complete=complete, alike=alike, board=self._last)
        return result if self.goal is Goal.SOLVE else replace(result, count=count, canonical_count=canonical)

    def _best_result(self, kept: tuple[Arrangement, ...]) -> Result:
        status = status_of_best(self.best, complete=self.exhausted)
        bound = self.score if self.exhausted else self.bound
        result = self._result(kept, status, complete=self.exhausted, alike=False, board=self.best)
        return replace(result, best_bound=bound)

    def _result(
        self, kept: tuple[Arrangement, ...], status: Status, *, complete: bool, alike: bool, board: Arrangement | None
    ) -> Result:
        cpu, rss = children_usage()
        slips = format_slips(self.domains.slips)
        board = board or self._fixed_board()
        return Result(
            instance=self.puzzle.name,
            kind=self.puzzle.kind,
            engine=self.engine.name,
            method=str(self.encoding),
            goal=self.goal,
            status=status,
            complete=complete,
            symmetry_factor=self.domains.found.product if alike or self.domains.found.regular else None,
            best_score=self.puzzle.score(board),
            max_score=self.puzzle.max_score,
            best_board=board,
            best_depth=len(board) - board.count(None),
            build_seconds=round(self._build_seconds, 6),
            seconds=round(time.perf_counter() - self._started, 6),
            cpu_seconds=round(time.process_time() + cpu - self._cpu_started, 6),
            peak_rss_mib=round(max(peak_rss_mib(), rss), 1),
            seed=self.options.seed,
            threads=self.options.threads,
            options={
                "order": self._order_name,
                "slips": slips,
                "symmetry": self.options.symmetry,
                "encoding": str(self.encoding),
                **({} if self.options.proof is None else {"proof": self.options.proof}),
            },
            solutions=kept,
            proof=self.proof,
            ended_by=None if complete else self.ended_by,
            statistics=self.statistics,
        )

    def _fixed_board(self) -> Arrangement:
        """What lies on the board in any case."""
        at = {fixed.square: Placement(fixed.piece, fixed.rotation) for fixed in self.puzzle.fixed}
        return tuple(at.get(square) for square in range(len(self.puzzle.board)))


@dataclass
class Watch:
    """Tells a solver at work whether it must stop, and the user how far it is."""

    run: ModelRun | TilingRun
    interrupted: threading.Event
    report: Report | None = None
    _reported: float = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if self.report is not None and now - self._reported > _REPORT_SECONDS:
            self._reported = now
            self.report(self.run.progress())
        return self.run.must_stop(self.interrupted)


def refuse_threads(engine: str, threads: int, most: int, goal: Goal) -> None:
    """Refuse numbers of threads that an engine does not have; raises EngineError."""
    if not 1 <= threads <= most:
        has = "one thread" if most == 1 else f"1 to {most} threads"
        raise EngineError(f"threads {threads}: the engine {engine} has {has} for the goal {goal}")


class ModelEngine:
    """An engine that makes a model of a puzzle and has it solved; `steps` is what they differ in."""

    name: str
    goals: frozenset[Goal] = frozenset(Goal)
    #: The options that the engine does not have.
    lacks: tuple[str, ...] = IN_PARTS

    def most_threads(self, goal: Goal) -> int:
        """How many threads the engine can use."""
        return 1

    def encoding(self, text: str | None) -> Encoding:
        """The encoding of that name, or the default one."""
        raise NotImplementedError

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        """Build the model and solve it until the goal is reached or `watch` says stop; yield solutions on the way."""
        raise NotImplementedError

    def run(
        self,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Options = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[Arrangement], None] | None = None,
    ) -> Result:
        """Search until the goal or a limit is reached, or Ctrl-C is pressed.

        Symmetries and solutions are those of the engine `backtrack`; of a search for the best score the one solution
        is the best full board, handed over at the end.

        Raises
        ------
        OrderError, SlipError, EngineError
            If the order, the slips, the limits or the options do not fit the puzzle or the engine.
        """
        return pursue(self._prepared(puzzle, goal, limits, options), report, consume)

    def solutions(
        self, puzzle: EdgeMatchingPuzzle, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[Arrangement]:
        """Yield the solutions one by one; the search ends when no more are asked for."""
        yield from self._prepared(puzzle, Goal.ALL, limits, options).steps(None, threading.Event())

    def _prepared(self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> ModelRun:
        refuse_threads(self.name, options.threads, self.most_threads(goal), goal)
        refuse_options(self.name, options, *self.lacks)
        return ModelRun(self, puzzle, goal, limits, options)
