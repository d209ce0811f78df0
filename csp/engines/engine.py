"""What an engine is, how a search is run to its end, and what all runs have in common: the clock, and the result."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

from ..base.memory import peak_rss_mib
from ..base.progress import Report
from ..base.stopping import interrupts_noted
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .request import DEFAULTS, NO_LIMITS, Goal, Limits, Options
from .result import Result, Status

PuzzleT = TypeVar("PuzzleT", EdgeMatchingPuzzle, DissectionPuzzle)
SolutionT = TypeVar("SolutionT", Arrangement, Tiling)
#: Processor seconds and peak MiB of other processes that work for a run.
Usage = Callable[[], tuple[float, float]]


class Search(Protocol[SolutionT]):
    """A search that is ready to run."""

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[SolutionT]:
        """Search until the goal or a limit is reached, or the event is set; yield solutions on the way."""
        ...

    def result(self, kept: tuple[SolutionT, ...]) -> Result:
        """What has been found by now."""
        ...


class SearchEngine(ABC, Generic[PuzzleT, SolutionT]):
    """A way to an answer; engines differ in what they prepare.

    Attributes
    ----------
    goals
        The goals that the engine can pursue.
    lacks
        The options that the engine does not have, besides those of `OF_ONE_ENGINE`.
    """

    name: str
    goals: frozenset[Goal]
    lacks: tuple[str, ...]

    @abstractmethod
    def prepared(self, puzzle: PuzzleT, goal: Goal, limits: Limits, options: Options) -> Search[SolutionT]:
        """The search for a goal; for the goal `solve` the limits are of one solution.

        Raises
        ------
        OrderError, SlipError, EngineError
            If the order, the slips, the limits or the options do not fit the puzzle or the engine.
        """

    def run(
        self,
        puzzle: PuzzleT,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Options = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[SolutionT], None] | None = None,
    ) -> Result:
        """Search until the goal or a limit is reached, or Ctrl-C is pressed.

        With `consume`, each solution is handed over as it is found instead of being kept in the result.  Of a search
        for the best score the one solution is the best full board, handed over at the end.  Raises as `prepared` does.
        """
        search = self.prepared(puzzle, goal, limits.towards(goal), options)
        kept: list[SolutionT] = []
        take = kept.append if consume is None else consume
        with interrupts_noted() as interrupted:
            for solution in search.steps(report, interrupted):
                take(solution)
        return search.result(tuple(kept))

    def solutions(
        self, puzzle: PuzzleT, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[SolutionT]:
        """The solutions one by one; the search goes on only when the next one is asked for.

        Raises as `prepared` does.
        """
        return self.prepared(puzzle, Goal.ALL, limits, options).steps(None, threading.Event())


Engine = SearchEngine[EdgeMatchingPuzzle, Arrangement]
TilingEngine = SearchEngine[DissectionPuzzle, Tiling]


def no_others() -> tuple[float, float]:
    """The usage of a run for which no other processes work."""
    return 0.0, 0.0


class EngineRun(ABC, Generic[PuzzleT]):
    """What all runs share: what is asked of them, their clock, and what of the result does not depend on the search.

    Parameters
    ----------
    engine
        The engine as the result names it.
    usage
        What other processes that work for the run take.

    Attributes
    ----------
    method
        How the engine went about it.
    started, build_seconds
        When the run began, and how much of its time was preparation.
    """

    def __init__(
        self, engine: str, puzzle: PuzzleT, goal: Goal, limits: Limits, options: Options, usage: Usage = no_others
    ) -> None:
        self.engine_name, self.puzzle, self.goal, self.limits, self.options = engine, puzzle, goal, limits, options
        self.method = "none"
        self.started, self._usage = time.perf_counter(), usage
        self._cpu_started = time.process_time() + usage()[0]
        self.build_seconds = 0.0

    @property
    @abstractmethod
    def shown_options(self) -> Mapping[str, object]:
        """The options that the record tells."""

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return None if self.limits.seconds is None else max(self.limits.seconds - self.seconds, 0.0)

    def built(self) -> None:
        """All is prepared; what follows is searching."""
        self.build_seconds = self.seconds

    @contextmanager
    def building(self) -> Iterator[None]:
        """What is done within is preparation, too."""
        before = self.seconds
        yield
        self.build_seconds += self.seconds - before

    def limit_reached(self, interrupted: threading.Event, nodes: int = 0) -> str | None:
        """Which limit is reached after so many nodes, if one is: but for that of solutions, of which runs differ."""
        if interrupted.is_set():
            return "interrupt"
        if self.seconds_left == 0:
            return "time"
        if self.limits.nodes is not None and nodes >= self.limits.nodes:
            return "nodes"
        return None

    def answer(
        self,
        kept: tuple[Any, ...],
        status: Status,
        ended_by: str | None,
        *,
        complete: bool,
        nodes: tuple[int, ...] = (),
        board: Arrangement | None = None,
        counts: tuple[int | None, int | None] = (None, None),
        **others: Any,
    ) -> Result:
        """The result: `nodes` are those by depth, `board` is the best one, `others` are fields of the result.

        `counts` are `count` and `canonical_count`, which the goal `solve` does not ask for.
        """
        if board is not None:
            assert isinstance(self.puzzle, EdgeMatchingPuzzle)
            others |= {
                "best_score": self.puzzle.score(board),
                "max_score": self.puzzle.max_score,
                "best_board": board,
                "best_depth": len(board) - board.count(None),
            }
        count, canonical_count = (None, None) if self.goal is Goal.SOLVE else counts
        cpu, rss = self._usage()
        return Result(
            instance=self.puzzle.name,
            kind=self.puzzle.kind,
            engine=self.engine_name,
            method=self.method,
            goal=self.goal,
            status=status,
            complete=complete,
            count=count,
            canonical_count=canonical_count,
            nodes=sum(nodes),
            nodes_by_depth=nodes,
            build_seconds=round(self.build_seconds, 6),
            seconds=round(self.seconds, 6),
            cpu_seconds=round(time.process_time() + cpu - self._cpu_started, 6),
            peak_rss_mib=round(max(peak_rss_mib(), rss), 1),
            seed=self.options.seed,
            threads=self.options.threads,
            options=self.shown_options,
            solutions=kept,
            ended_by=None if complete else ended_by,
            **others,
        )
