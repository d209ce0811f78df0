"""The goal `best`: the highest score that a slip array permits."""

from collections.abc import Iterator

import numpy as np

from ...base.stopping import Report
from ...engines.result import Result, Status
from ...engines.tallies.board_tally import Rows
from ...engines.tallies.solutions_found import status_of_best
from ...puzzles.board import Arrangement
from ..codes import EXHAUSTED
from .run import Run


class BestScore:
    """A search for the best score.

    Two searches take turns.  One allows no invalid join, then one, and so on: the first board that it finds is the
    best, and what it excludes is excluded.  The other allows all that the slips do, then fewer than on the best board
    so far: it has a board to show long before.  Where invalid joins may lie anywhere it goes along the frame first,
    which then holds it up no more.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._above = run.along("spiral_in") if run.anywhere and run.slips and run.is_full else run
        self._best: Arrangement | None = None
        self._score = -1
        self._bound = run.puzzle.max_score
        self._ended_by: str | None = None

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search; yield the best full board at the end."""
        run = self._run
        if run.starts and run.free > 0:
            self._take_turns(report)
        elif run.starts and run.is_full:
            self._keep(run, np.zeros((1, 0), dtype=np.int64))
            self._bound = self._score
        if run.starts and not run.is_full and self._ended_by is None:
            self._ended_by = "depth"
        if self._best is not None:
            yield self._best

    def _take_turns(self, report: Report | None) -> None:
        searches = (self._from_below(), self._from_above())
        while True:
            for search in searches:
                self._ended_by = self._run.reason_to_stop()
                if self._ended_by is not None:
                    return
                done = next(search, None)
                if done is None or self._score == self._bound:
                    self._bound = self._bound if self._best is None else self._score
                    return
                if report is not None:
                    scores = None if self._best is None else self._score, self._bound
                    report(self._run.progress(int(self._best is not None), done, scores))

    def _from_below(self) -> Iterator[float]:
        """Allow more and more invalid joins; yield the part done after each slice.  At its end the best is known."""
        run = self._run
        for most in range(run.fixed_invalid, len(run.slips) + 1):
            for choice in range(run.walks):
                walk = run.walk(choice, most)
                walk.make_room(int(run.is_full))
                exhausted = False
                while not exhausted:
                    exhausted = run.advance(walk) == EXHAUSTED
                    if len(walk.solutions()):
                        self._keep(run, walk.solutions())
                        return
                    # An exhausted walk gives way, too: there may be thousands that end at once.
                    done = 1.0 if exhausted else walk.done()
                    yield (most + (choice + done) / run.walks) / (len(run.slips) + 1)
            if run.is_full:
                self._bound = run.puzzle.max_score - most - 1

    def _from_above(self) -> Iterator[float]:
        """Allow fewer invalid joins than the best board so far has; yield 0 after each slice."""
        run = self._above
        for choice in range(run.walks):
            walk = run.walk(choice)
            walk.make_room(int(run.is_full))
            while True:
                if self._best is not None:
                    walk.allow(run.puzzle.max_score - self._score - 1)
                if run.advance(walk) == EXHAUSTED:
                    break
                if len(walk.solutions()):
                    self._keep(run, walk.solutions())
                yield 0.0

    def _keep(self, run: Run, rows: Rows) -> None:
        """Keep a full board that a run found if its score is the highest so far."""
        for board in run.tally.arrangements(rows):
            score = run.checked(board).score
            if score > self._score:
                self._best, self._score = board, score

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """What the search has found by now."""
        complete = self._ended_by is None
        status = status_of_best(self._best, complete=complete)
        run = self._run
        board = self._best or max(
            run.fullest_board(), self._above.fullest_board(), key=lambda board: -board.count(None)
        )
        bound = None if status is Status.UNSATISFIABLE else self._bound
        return run.result(kept, status, self._ended_by, alike=run.found.regular, board=board, best_bound=bound)
