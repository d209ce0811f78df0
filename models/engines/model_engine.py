"""The engines that solve models: what they declare, and one run: its preparation, its limits, its result."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...csp.base.errors import EngineError
from ...csp.base.stop import INTERRUPTS, REPORT_SECONDS, Progress, Report, Stop, StoppedError
from ...csp.engines.engine import SQUARES, EngineRun, PuzzleT, Search, SearchEngine, SolutionT, children_usage
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.engines.tallies import Harvest, certain, status_of_best
from ...csp.engines.tiling_run import TilingRun
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.check_board import Verdict
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips, permitted_board, shown_slips
from ..base.encodings import Encoding
from ..squares.domains import Domains

if TYPE_CHECKING:
    from ..tilings.domains import TilingDomains


class ModelRun(EngineRun[EdgeMatchingPuzzle]):
    """The common part of the engines that solve models.

    Attributes:
    - `exhausted`: whether everything has been found.
    - `best`, `bound`: for the goal best: the best board so far, and the highest score that is not excluded.
    - `ended_by`: what ended the run early, None if nothing did so far.
    - `statistics`, `proof`: the solver's statistics; what became of the requested proof.
    """

    def __init__(
        self,
        engine: "BoardModelEngine",
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop,
    ) -> None:
        super().__init__(engine.name, puzzle, goal, limits, options, stop, children_usage)
        self._engine, self.encoding = engine, engine.encoding(options.encoding)
        self.method = str(self.encoding)
        self._order_name, order = find_order(puzzle, options.order)
        slips = checked_slips(puzzle, options.slips)
        if goal is Goal.BEST and options.slips is None:
            slips = anywhere(puzzle)
        arrays = slips, checked_frame_slips(puzzle, options.frame_slips)
        self.domains = Domains(puzzle, order, *arrays, symmetry=options.symmetry, prune=self.encoding.prune)
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

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """The search of the engine."""
        try:
            for solution in self._engine.steps(self, Watch(self, report)):
                self._last = solution
                yield solution
        except StoppedError:  # before there was a model
            self.ended_by = self.stop.ended_by

    def reason_to_stop(self) -> str | None:
        """The limit that is reached, if any."""
        reached = self.limit_reached()
        none_wanted = self.limits.solutions == 0 and self.goal not in (Goal.COUNT, Goal.BEST)
        return "solutions" if reached is None and (self.harvest.full or none_wanted) else reached

    def must_stop(self) -> bool:
        """Whether a limit is reached or Ctrl-C has been pressed."""
        self.ended_by = self.reason_to_stop()
        return self.ended_by is not None

    def checked(self, solution: Arrangement) -> Verdict:
        """The checker's verdict on a solver's board; raises AssertionError if it is not a solution."""
        return certain(self.puzzle, solution, self.domains.slips, self.domains.order, self.domains.frame_slips)

    def exclude_earlier(self, exclude: Callable[[Arrangement], None]) -> None:
        """Count what an earlier search has found, and exclude it from the model, which is not solved yet."""
        earlier, domains = self.options.earlier, self.domains
        if earlier is None or self.goal is Goal.BEST:
            return
        for board in earlier.solutions():
            placed = dict.fromkeys(map(tuple, domains.placements_of_solution(board)))
            there = np.zeros((len(placed), len(domains.square)), dtype=bool)
            for row, placements in zip(there, placed, strict=True):
                row[list(placements)] = True
            if len(there):
                self.harvest.include(domains.rows(there))
                exclude(board)

    def begin_with_earlier(self) -> None:
        """Keep the best board of an earlier search; only better ones are of interest."""
        for board in () if self.options.earlier is None else self.options.earlier.solutions():
            self.better(board)

    @property
    def score(self) -> int | None:
        """The score of the best board so far."""
        return None if self.best is None else self.puzzle.score(self.best)

    def better(self, board: Arrangement) -> None:
        """Keep a full board whose score is higher than that of the best one so far."""
        score = self.checked(board).score
        if self.score is None or score > self.score:
            self.best = board
            INTERRUPTS.keep()

    def progress(self) -> Progress:
        """The progress of the run; the done part is unknown."""
        if self.goal is Goal.BEST:
            scores, found = (self.score, self.bound), int(self.best is not None)
        else:
            scores, found = None, self.harvest.counts()[0]
        return Progress(0, found, 0.0, self.seconds, scores, best=self.best)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the run so far."""
        domains, fixed = self.domains, len(self.puzzle.fixed)
        found, bound, counts, pictures = domains.found, None, (None, None), None
        if self.goal is Goal.BEST:
            complete, alike, board = self.exhausted, False, self.best
            status = status_of_best(self.best, complete=complete)
            bound = self.score if complete else self.bound
        else:
            counts = count, canonical = self.harvest.counts()
            pictures = self.harvest.pictures()
            status, complete = self.harvest.conclusion(count, exhausted=self.exhausted)
            # If the puzzle alone does not show that all orbits have one size, a complete count does.
            alike, board = self.exhausted and count == canonical * found.product, self._last
        return self.answer(
            kept,
            status,
            self.ended_by,
            complete=complete,
            board=board or permitted_board(self.puzzle, domains.order[:fixed], domains.slips, domains.frame_slips),
            symmetry_factor=found.product if alike or found.regular else None,
            proof=self.proof,
            statistics=self.statistics,
            counts=counts,
            pictures=pictures,
            best_bound=bound,
        )

    @property
    def shown_options(self) -> Mapping[str, object]:
        return {
            "order": self._order_name,
            **shown_slips(self.domains.slips, self.domains.frame_slips),
            "symmetry": self.options.symmetry,
            "encoding": self.method,
            **({} if self.options.proof is None else {"proof": self.options.proof}),
        }


class ModelTilingRun(TilingRun):
    """A run of an engine that solves a model of a dissection."""

    def __init__(
        self,
        engine: "TilingModelEngine",
        puzzle: DissectionPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop,
    ) -> None:
        super().__init__(engine.name, puzzle, goal, limits, options, stop, children_usage)
        self._engine, self.encoding = engine, engine.encoding(options.encoding)
        self.method = str(self.encoding)

    def steps(self, report: Report | None) -> Iterator[Tiling]:
        watch = Watch(self, report)
        if watch():
            return
        try:
            yield from self._engine.steps(self, watch)
        except StoppedError:  # before there was a model
            self.must_stop()

    def begin(self, domains: "TilingDomains") -> None:
        """Count the rows of a model's placements; preparation ends here."""
        self.counts_with(domains.tally(), domains.placements.polygon)


@dataclass
class Watch:
    """Reports to a working solver whether it must stop, and its progress to the user."""

    run: ModelRun | ModelTilingRun
    report: Report | None = None
    _reported: float = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if self.report is not None and now - self._reported > REPORT_SECONDS:
            self._reported = now
            self.report(self.run.progress())
        return self.run.must_stop()


class ModelEngine(SearchEngine[PuzzleT, SolutionT]):
    """An engine that solves a model of a puzzle.  Symmetries and solutions are those of the engine `backtrack`."""

    @staticmethod
    @abstractmethod
    def encoding(text: str | None, /) -> Encoding:
        """The encoding of that name, or the default one.  Raises EngineError if it is unknown."""

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        self.encoding(options.encoding)

    @abstractmethod
    def steps(self, run: Any, watch: Watch) -> Iterator[SolutionT]:
        """Build the model and solve it until the goal is reached or `watch` asks to stop; yield solutions."""


class BoardModelEngine(ModelEngine[EdgeMatchingPuzzle, Arrangement]):
    """An engine that solves a model of a puzzle of squares."""

    kinds = SQUARES
    every_form = True
    goals = frozenset(Goal)

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        return ModelRun(self, puzzle, goal, limits, options, stop)


class TilingModelEngine(ModelEngine[DissectionPuzzle, Tiling]):
    """An engine that solves a model of a dissection on its lattice."""

    kinds = frozenset({"dissection"})
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})

    def prepared(
        self, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Tiling]:
        if puzzle.motions is not Motions.LATTICE:
            raise EngineError(
                f"engine {self.name} supports the lattice only; use --motions lattice, or the engine backtrack"
            )
        return ModelTilingRun(self, puzzle, goal, limits, options, stop)
