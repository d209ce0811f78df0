"""The goals `solve`, `all` and `count`: every solution, in the order of the search."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.stop import Report
from ...engines.request import Goal
from ...engines.result import Result
from ...engines.tallies import Harvest, Rows
from ...puzzles.board import Arrangement
from ..shared_tree import Rest
from .run import BaseRun

_MOST_ROWS = 4096


class Enumeration:
    """The trees of a run, what was found in them, and what ended the search."""

    def __init__(self, run: BaseRun[Any]) -> None:
        self._run = run
        self._leaves_needed = run.goal is not Goal.COUNT or not run.found.regular
        self._harvest = Harvest(
            run.tally, run.goal, run.limits.solutions, symmetry=run.options.symmetry, checked=run.checked
        )
        self._exhausted = False
        self._ended_by: str | None = None
        self._rest: Rest | None = None
        earlier = run.options.earlier
        place = None if earlier is None else earlier.continue_from(*run.tree_key)
        if place is not None:
            self._rest = [(tree, at) for tree, at in place["rest"]]
            self._harvest.begin_with(place["found"])
            run.begin_with(place)

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search, and yield solutions if the goal is to see them."""
        run = self._run
        if not run.starts:
            self._exhausted = True
            return
        if run.free > 0:
            yield from self._walk(report)
        elif run.is_full:
            yield from self._take(np.zeros((1, 0), dtype=np.int64))
        if self._ended_by is not None:
            return
        if not run.is_full and (run.depth == 0 or run.nodes[run.depth - 1] > 0):
            self._ended_by = "depth"
        self._exhausted = self._ended_by is None

    def _walk(self, report: Report | None) -> Iterator[Arrangement]:
        run = self._run
        most_rows = max(1, min(_MOST_ROWS, 4_000_000 // max(len(run.puzzle.pieces), len(run.puzzle.board))))
        if not (self._leaves_needed and run.is_full):
            most_rows = 0
        room = 1 if most_rows and run.goal is Goal.SOLVE else most_rows
        trees = run.trees(run.walk, run.options.threads, room, rest=self._rest)
        place = None
        for made in trees.slices(self._must_stop):
            run.note(made)
            # Threads may find more until the last of them stops.
            if len(made.found.rows) and not self._harvest.full:
                yield from self._take(made.found.rows)
            if made.rest is not None and not self._harvest.full:
                place = self._place(made.rest)
            if report is not None and not made.exhausted:
                # One of the next slices says where the search is.
                trees.ask_for_rest()
                report(replace(run.progress(self._counts()[0], trees.done), place=place))
                place = None
        if trees.exhausted and not self._harvest.full:
            self._ended_by = None
        elif trees.spent:
            self._ended_by = "nodes"

    def _place(self, rest: Rest) -> dict[str, Any]:
        """The place that is reached, as JSON data for the next search."""
        return {"of": self._run.tree_key, "rest": rest, "found": self._harvest.state, **self._run.state}

    def _must_stop(self) -> bool:
        if self._ended_by is None:
            self._ended_by = self._run.reason_to_stop()
        return self._ended_by is not None

    def _take(self, rows: Rows) -> Iterator[Arrangement]:
        yield from self._harvest.take(rows)
        if self._harvest.full:
            self._ended_by = "solutions"

    def _counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        if self._leaves_needed:
            return self._harvest.counts()
        return self._run.tally.regular(int(self._run.nodes[self._run.depth - 1]) if self._run.is_full else 0)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the search so far."""
        run = self._run
        count, canonical = self._counts()
        status, complete = self._harvest.conclusion(count, exhausted=self._exhausted)
        # If the puzzle alone does not show that all orbits have one size, a complete count does.
        alike = run.found.regular or (self._exhausted and count == canonical * run.found.product)
        ended_by = None if complete else self._ended_by
        return run.result(kept, status, ended_by, alike=alike, counts=(count, canonical))
