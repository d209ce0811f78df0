"""One run of an engine for dissections: what bounds it, what it counts, what it answers."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..base.errors import EngineError
from ..base.memory import peak_rss_mib
from ..geometry.polygons import Polygon
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .request import IN_PARTS, Goal, Limits, Options
from .result import Progress, Result, Status
from .tiling_tally import Rows, TilingTally

#: The options that no engine for dissections has.
LACKS = ("order", "slips", *IN_PARTS)


def certain_tiling(checker: TilingChecker, tally: TilingTally, polygon: Callable[[int], Polygon], row: Rows) -> Tiling:
    """The tiling of a row of placements, which nobody sees if the checker rejects it."""
    tiling = tuple(polygon(placement) for placement in row[tally.slot_of_piece].tolist())
    verdict = checker(tiling)
    if not verdict.is_solution:
        raise AssertionError(f"the search found what is no tiling: {verdict.faults[0]}")
    return tiling


class TilingRun:
    """What all engines for dissections share: limits, counts, and the record.

    Attributes
    ----------
    exhausted
        Whether all there is to find has been found.
    method
        How the engine went about it.
    statistics, proof
        What was counted on the way; what became of the proof that was asked for.
    usage
        Processor seconds and MiB of processes that worked for this run.
    """

    def __init__(self, engine: str, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options) -> None:
        if limits.depth is not None:
            raise EngineError(
                f"depth limit {limits.depth}: tilings have no search order that it could be counted along"
            )
        self._started, self._cpu_started = time.perf_counter(), time.process_time()
        self.engine, self.puzzle, self.goal, self.options = engine, puzzle, goal, options
        self.limits = limits.towards(goal)
        self.exhausted = False
        self.method = "none"
        self.nodes: tuple[int, ...] = ()
        self.statistics: Mapping[str, int] | None = None
        self.proof: Mapping[str, Any] | None = None
        self.usage = 0.0, 0.0
        self._tally: TilingTally | None = None
        self._polygon: Callable[[int], Polygon] | None = None
        self._checker = TilingChecker(puzzle)
        self._yielded = 0
        self._ended_by: str | None = None
        self._build_seconds = 0.0

    def counts_with(self, tally: TilingTally, polygon: Callable[[int], Polygon]) -> None:
        """The tilings will be rows that this tally counts, with these polygons; all is ready."""
        self._tally, self._polygon = tally, polygon
        self._build_seconds = time.perf_counter() - self._started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        if self.limits.seconds is None:
            return None
        return max(self.limits.seconds - (time.perf_counter() - self._started), 0.0)

    @property
    def nodes_left(self) -> int:
        """How many more nodes there may be."""
        return 1 << 62 if self.limits.nodes is None else self.limits.nodes - sum(self.nodes)

    def must_stop(self, interrupted: threading.Event) -> bool:
        """Whether a limit is reached or Ctrl-C has been pressed."""
        if interrupted.is_set():
            self._ended_by = "interrupt"
        elif self.seconds_left == 0:
            self._ended_by = "time"
        elif self.nodes_left <= 0:
            self._ended_by = "nodes"
        elif self.goal is not Goal.COUNT and self.limits.solutions is not None:
            self._ended_by = "solutions" if self._yielded >= self.limits.solutions else None
        return self._ended_by is not None

    def take(self, rows: Rows) -> Iterator[Tiling]:
        """Count rows of placements, and yield the tilings among them if the goal is to see them.

        With symmetries broken, that is one of each orbit.
        """
        assert self._tally is not None
        assert self._polygon is not None
        most = None if self.goal is Goal.COUNT else self.limits.solutions
        # Row by row where only some are wanted, so that the count is of those that were looked at.
        step = max(len(rows), 1) if most is None else 1
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            canonical = self._tally.add(some)
            if self.goal is Goal.COUNT:
                return
            select = self.options.symmetry and self.goal is not Goal.SOLVE
            for row in some[canonical] if select else some:
                yield certain_tiling(self._checker, self._tally, self._polygon, row)
                self._yielded += 1
                if self._yielded == most:
                    return

    def progress(self, done: float = 0.0) -> Progress:
        """How far the run is, of whose work that part lies behind."""
        found = 0 if self._tally is None else self._tally.count
        return Progress(sum(self.nodes), found, done, time.perf_counter() - self._started)

    def result(self, kept: tuple[Tiling, ...]) -> Result:
        """What the run has found by now."""
        count, canonical = (0, 0) if self._tally is None else (self._tally.count, self._tally.canonical_count)
        complete = self.exhausted or (self.goal is Goal.SOLVE and self._yielded > 0)
        alike = self._tally is not None and self.exhausted and count == canonical * self._tally.product
        counted = self.goal is not Goal.SOLVE
        cpu, rss = self.usage
        return Result(
            instance=self.puzzle.name,
            kind=self.puzzle.kind,
            engine=self.engine,
            method=self.method,
            goal=self.goal,
            status=Status.SATISFIABLE if count else Status.UNSATISFIABLE if complete else Status.UNKNOWN,
            complete=complete,
            count=count if counted else None,
            canonical_count=canonical if counted else None,
            symmetry_factor=self._tally.product if alike and self._tally is not None else None,
            nodes=sum(self.nodes),
            nodes_by_depth=self.nodes,
            build_seconds=round(self._build_seconds, 6),
            seconds=round(time.perf_counter() - self._started, 6),
            cpu_seconds=round(time.process_time() + cpu - self._cpu_started, 6),
            peak_rss_mib=round(max(peak_rss_mib(), rss), 1),
            seed=self.options.seed,
            threads=self.options.threads,
            options=self._shown_options,
            solutions=kept,
            proof=self.proof,
            ended_by=None if complete else self._ended_by,
            statistics=self.statistics,
        )

    @property
    def _shown_options(self) -> Mapping[str, object]:
        shown: dict[str, object] = {"motions": str(self.puzzle.motions), "symmetry": self.options.symmetry}
        for name in ("encoding", "proof"):
            if getattr(self.options, name) is not None:
                shown[name] = getattr(self.options, name)
        return shown
