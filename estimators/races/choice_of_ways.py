"""Which order of squares each trial of a race follows: more often those whose trials were better.

A race must be the same on any number of threads and after any number of interruptions.  So the orders of a block of
trials depend on the results of all blocks before the last one: these are complete when a block begins, unless there are
many threads.
"""

from collections.abc import Sequence
from statistics import fmean

from ...csp.files.races.race_table import RaceTable
from ...csp.files.races.trials import Trial
from ...csp.search.best_score_race import FAILURE, promise

# The first two blocks follow all ways in turn, this number of times each.  A later one has at least as many trials, and
# at least this part of all before it.
_IN_TURN, _PART = 2, 0.25


class ChoiceOfWays:
    """The ways of the trials of a race, by number.

    Parameters
    ----------
    ways
        The names of the ways.
    """

    def __init__(self, ways: Sequence[str]) -> None:
        self._ways, self._block = ways, _IN_TURN * len(ways)
        # The ways of the trials of all blocks so far, and the number of trials before the last one.
        self._chosen: list[int] = []
        self._known = 0

    def way_of(self, number: int, table: RaceTable) -> int | None:
        """The way of a trial; None if the results on which it depends are not all in the table."""
        if len(self._ways) == 1:
            return 0
        while number >= len(self._chosen):
            size = max(self._block, int(_PART * len(self._chosen)))
            if len(self._chosen) < 2 * self._block:
                following = [place % len(self._ways) for place in range(size)]
            elif table.complete < self._known:
                return None
            else:
                following = self._block_of(size, [table.trials[known].trial for known in range(self._known)])
            self._known = len(self._chosen)
            self._chosen += following
        return self._chosen[number]

    def _block_of(self, size: int, known: Sequence[Trial]) -> list[int]:
        """The ways of the next trials, one after the other that of the greatest promise."""
        numbers = [self._chosen[len(known) :].count(way) for way in range(len(self._ways))]
        best = max((trial.score for trial in known if trial.score is not None), default=0)
        scores: list[list[int]] = [[] for _ in self._ways]
        done = set[int]()
        for trial in known:
            if trial.way not in self._ways:
                continue
            way = self._ways.index(trial.way)
            scores[way].append(best - FAILURE if trial.score is None else trial.score)
            numbers[way] += 1
            if trial.exhaustive:
                done.add(way)
        of_all = fmean([score for of_way in scores for score in of_way] or [best])
        means = [fmean(of_way or [of_all]) for of_way in scores]
        left = [way for way in range(len(self._ways)) if way not in done] or range(len(self._ways))
        chosen = []
        for _ in range(size):
            way = max(left, key=lambda one: promise(means[one], numbers[one]))
            numbers[way] += 1
            chosen.append(way)
        return chosen
