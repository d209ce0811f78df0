"""One run of an engine for dissections: its limits, its counts, its result."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from ..base.stop import Progress, Report
from ..geometry.polygons import Polygon
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .engine import EngineRun
from .request import Goal
from .result import Result, status_of_count
from .tallies import Rows, TilingTally


def certain_tiling(checker: TilingChecker, tally: TilingTally, polygon: Callable[[int], Polygon], row: Rows) -> Tiling:
    """The tiling of a row of placements; raises AssertionError if the checker rejects it."""
    tiling = tuple(polygon(placement) for placement in row[tally.slot_of_piece].tolist())
    verdict = checker(tiling)
    if not verdict.is_solution:
        raise AssertionError(f"the search found an invalid tiling: {verdict.faults[0]}")
    return tiling


class TilingRun(EngineRun[DissectionPuzzle]):
    """What all engines for dissections share: limits, counts, and the record.

    Attributes:
    - `exhausted`: whether everything has been found.
    - `ended_by`: what ended the run early, None if nothing did so far.
    - `statistics`, `proof`: statistics of the search; what became of the requested proof.
    """

    exhausted = False
    ended_by: str | None = None
    nodes: tuple[int, ...] = ()
    statistics: Mapping[str, int] | None = None
    proof: Mapping[str, Any] | None = None
    _tally: TilingTally | None = None
    _polygon: Callable[[int], Polygon] | None = None
    _yielded = 0

    @cached_property
    def _checker(self) -> TilingChecker:
        return TilingChecker(self.puzzle)

    @abstractmethod
    def steps(self, report: Report | None) -> Iterator[Tiling]:
        """Search until the goal or a limit is reached; yield solutions on the way."""

    def counts_with(self, tally: TilingTally, polygon: Callable[[int], Polygon]) -> None:
        """Set the tally that counts rows and the polygons of placements; preparation ends here."""
        self._tally, self._polygon = tally, polygon
        self.built()

    @property
    def state(self) -> list[int]:
        """What was counted and yielded, as JSON data for `begin_with`."""
        assert self._tally is not None
        return [self._tally.count, self._tally.canonical_count, self._yielded, self._tally.picture_count]

    def begin_with(self, state: list[int]) -> None:
        """Add what an earlier search has counted and yielded."""
        assert self._tally is not None
        self._tally.count, self._tally.canonical_count, self._yielded, self._tally.picture_count = state

    def must_stop(self) -> bool:
        """Whether a limit other than that of nodes is reached, or Ctrl-C has been pressed."""
        self.ended_by = self.limit_reached()
        if self.ended_by is None and self.has_enough:
            self.ended_by = "solutions"
        return self.ended_by is not None

    @property
    def has_enough(self) -> bool:
        """Whether the wanted number of solutions has been yielded."""
        most = None if self.goal is Goal.COUNT else self.limits.solutions
        return most is not None and self._yielded >= most

    def take(self, rows: Rows) -> Iterator[Tiling]:
        """Count rows of placements, and yield their tilings if the goal is to see them.

        With symmetry breaking, this is one of each orbit.
        """
        assert self._tally is not None
        assert self._polygon is not None
        most = None if self.goal is Goal.COUNT else self.limits.solutions
        # Row by row if only some are wanted, so that the count includes only those that were looked at.
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
        """The progress of the run, given the part of its work that is done."""
        found = 0 if self._tally is None else self._tally.count
        return Progress(sum(self.nodes), found, done, self.seconds, found_nodes=self.earlier_nodes)

    def result(self, kept: tuple[Tiling, ...]) -> Result:
        """The result of the run so far."""
        count, canonical = (0, 0) if self._tally is None else (self._tally.count, self._tally.canonical_count)
        complete = self.exhausted or (self.goal is Goal.SOLVE and self._yielded > 0)
        alike = self._tally is not None and self.exhausted and count == canonical * self._tally.product
        return self.answer(
            kept,
            status_of_count(count, complete=complete),
            self.ended_by,
            complete=complete,
            nodes=self.nodes,
            counts=(count, canonical),
            pictures=None if self._tally is None else self._tally.picture_count,
            symmetry_factor=self._tally.product if alike and self._tally is not None else None,
            proof=self.proof,
            statistics=self.statistics,
        )

    @property
    def shown_options(self) -> Mapping[str, object]:
        given = {name: getattr(self.options, name) for name in ("encoding", "proof")}
        shown = {name: value for name, value in given.items() if value is not None}
        return {"motions": str(self.puzzle.motions), "symmetry": self.options.symmetry, **shown}
