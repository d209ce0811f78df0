"""What a run is for: every solution, in the order of the search; or the highest score that a slip array permits."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...base.stop import INTERRUPTS, Report
from ...engines.request import Earlier, Goal
from ...engines.result import Result, Status
from ...engines.tallies import Harvest, Rows, status_of_best
from ...puzzles.board import Arrangement
from ...work.pools import Threads
from ...work.run import in_order
from ..shared_tree import Rest, Slice
from .color_balance import Least, least_invalid
from .run import FIRST_SLICE, BaseRun, LeavesFound, Run
from .walk import Walk

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


class BestScore:
    """A search for the best score.

    Two searches take turns, or run in parallel.  One allows no invalid join, then one, and so on: its first board is
    the best, and it proves bounds.  The other allows as many as the slips do, then fewer than on the best board so far:
    it finds boards much earlier.  If invalid joins may be anywhere, it fills the frame first, which is then no longer
    an obstacle.  When one of them ends, both end.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._above = run.along("spiral_in") if run.anywhere and run.most_invalid and run.is_full else run
        self._best: Arrangement | None = None
        self._score = -1
        self._bound = run.puzzle.max_score
        # Whether one of the searches has ended, the progress of the first one, and that of an earlier search.
        self._concluded, self._done, self._found = False, 0.0, 0.0
        self._ended_by: str | None = None
        # One thread at a time records results.
        self._noting = threading.Lock()
        # What is left of the trees of both searches; of the first one for this number of invalid joins.
        self._least = self._from_colors()
        self._most = run.fixed_invalid.total + self._least.inner + self._least.frame
        self._bound -= self._most
        self._rest_below: Rest | None = None
        self._rest_above: Rest | None = None
        self._key = [*run.tree_key, *self._above.tree_key]
        if run.options.earlier is not None and run.starts and run.is_full:
            self._begin_with(run.options.earlier)

    def _from_colors(self) -> Least:
        """What the colours say about the invalid joins that the fixed pieces do not have."""
        run = self._run
        if not (run.options.bound and run.is_full and run.starts):
            return Least(0, 0, never_one=False)
        return least_invalid(run.puzzle, run.puzzle.fixed_board)

    def _next_after(self, most: int) -> int:
        """The next number of invalid joins that a board may have."""
        return most + 1 + (self._least.never_one and most == self._run.fixed_invalid.total)

    def _begin_with(self, earlier: Earlier) -> None:
        """Continue an earlier search, with its best board."""
        for board in earlier.solutions():
            self._keep_better(board, self._run.checked(board).score)
        place = earlier.continue_from(*self._key)
        if place is not None:
            self._run.begin_with(place)
            self._bound, self._most = place["bound"], place["most"]
            self._done = self._found = self._most / (self._run.most_invalid + 1)
            self._rest_below, self._rest_above = place["below"], place["above"]

    def _place(self) -> dict[str, Any]:
        """The place that is reached, as JSON data for the next search."""
        with self._noting:
            return {
                "of": self._key, "bound": self._bound, "most": self._most, "below": self._rest_below,
                "above": self._rest_above, **self._run.state,
            }  # fmt: skip

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search; yield the best full board at the end."""
        run = self._run
        if run.starts and run.free > 0:
            if run.options.threads == 1:
                self._take_turns(report)
            else:
                self._go_side_by_side(run.options.threads, report)
            if self._is_settled():
                self._ended_by = None
                self._bound = self._bound if self._best is None else self._score
        elif run.starts and run.is_full:
            self._keep(run, np.zeros((1, 0), dtype=np.int64))
            self._bound = self._score
        if run.starts and not run.is_full and self._ended_by is None:
            self._ended_by = "depth"
        if self._best is not None:
            yield self._best

    def _take_turns(self, report: Report | None) -> None:
        searches = (self._from_below(1), self._from_above(1))
        while True:
            for search in searches:
                self._look_at_limits()
                if self._is_over():
                    return
                next(search, None)
                self._tell(report)

    def _go_side_by_side(self, threads: int, report: Report | None) -> None:
        for run in (self._run, self._above):
            run.walk(0)  # Kernels are compiled here, so that this counts as preparation.
        searches = (self._from_below(threads - threads // 2), self._from_above(threads // 2))

        def go_through(search: Generator[None, None, None], dropped: Callable[[], bool]) -> bool:
            with closing(search):
                return any(dropped() for _ in search)

        def must_stop() -> bool:
            self._look_at_limits()
            self._tell(report)
            return self._is_over()

        with Threads(go_through, len(searches)) as pool:
            for _ in in_order(searches, pool, must_stop):
                pass

    def _look_at_limits(self) -> None:
        if not self._is_over():
            self._ended_by = self._run.reason_to_stop()

    def _is_settled(self) -> bool:
        """Whether the best score is known."""
        return self._concluded or self._score == self._bound

    def _is_over(self) -> bool:
        """Whether both searches must end."""
        return self._ended_by is not None or self._is_settled()

    def _tell(self, report: Report | None) -> None:
        if report is not None and not self._is_settled():
            # The place comes first, so that the board is at least as good as the one with which the place was reached.
            place = self._place()
            scores = None if self._best is None else self._score, self._bound
            told = self._run.progress(int(self._best is not None), self._done, scores)
            report(replace(told, found=self._found, best=self._best, place=place))

    def _from_below(self, threads: int) -> Generator[None, None, None]:
        """Allow more and more invalid joins; yield after each slice."""
        run, most = self._run, self._most
        while most <= run.most_invalid:
            trees = run.trees(partial(run.walk, most=most), threads, int(run.is_full), rest=self._rest_below)
            continued, nodes = self._rest_below is not None, 0
            # Also yield after an exhausted walk: thousands of walks may end immediately.
            for made in trees.slices(self._is_over):
                self._concluded |= self._note(run, made)
                if made.rest is not None:
                    self._rest_below = made.rest
                trees.ask_for_rest()
                self._done = (most + trees.done) / (run.most_invalid + 1)
                # What is left of an earlier search is many small parts, which are one turn together.
                nodes += int(made.nodes.sum())
                if not (continued and made.exhausted and nodes < FIRST_SLICE):
                    nodes = 0
                    yield
            if trees.spent:
                self._ended_by = "nodes"
            if self._concluded or not trees.exhausted:
                return
            most = self._next_after(most)
            with self._noting:
                self._most, self._rest_below = most, None
                if run.is_full:
                    self._bound = run.puzzle.max_score - most
        self._concluded = True

    def _from_above(self, threads: int) -> Generator[None, None, None]:
        """Allow fewer invalid joins than the best board so far has; yield after each slice."""
        run = self._above

        def allow_fewer(walk: Walk) -> None:
            if self._best is not None and run.most_invalid:
                walk.allow(max(run.puzzle.max_score - self._score - 1, 0))

        trees = run.trees(run.walk, threads, int(run.is_full), allow_fewer, self._rest_above)
        for made in trees.slices(self._is_over):
            self._note(run, made)
            if made.rest is not None:
                self._rest_above = made.rest
            trees.ask_for_rest()
            yield
        if trees.spent:
            self._ended_by = "nodes"
        self._concluded |= trees.exhausted

    def _note(self, run: Run, made: Slice[LeavesFound]) -> bool:
        """Record the outcome of a slice; return whether it found a full board."""
        with self._noting:
            run.note(made)
            has_board = len(made.found.rows) > 0
            if has_board:
                self._keep(run, made.found.rows)
        return has_board

    def _keep(self, run: Run, rows: Rows) -> None:
        """Keep a full board that a run found if its score is the highest so far."""
        for board in run.tally.arrangements(rows):
            self._keep_better(board, run.checked(board).score)

    def _keep_better(self, board: Arrangement, score: int) -> None:
        if score > self._score:
            self._best, self._score = board, score
            INTERRUPTS.keep()

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the search so far."""
        complete = self._ended_by is None
        status = status_of_best(self._best, complete=complete)
        run = self._run
        board = self._best or max(
            run.fullest_board(), self._above.fullest_board(), key=lambda board: -board.count(None)
        )
        bound = None if status is Status.UNSATISFIABLE else self._bound
        return run.result(kept, status, self._ended_by, alike=run.found.regular, board=board, best_bound=bound)
