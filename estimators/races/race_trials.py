"""The trials of a race: their engine, which is made next along which order of squares, and what they have found.

A race must be the same on any number of threads and after any number of interruptions.  So the orders of a block of
trials depend on the results of all blocks before the last one: these are complete when a block begins, unless there are
many threads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from ...csp.base.errors import EngineError
from ...csp.base.stop import INTERRUPTS, Stop
from ...csp.engines.registry import find_engine, refuse
from ...csp.engines.request import NO_LIMITS, Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS
from ...csp.puzzles.slips import checked_frame_slips, checked_slips, format_slips
from ...csp.search.best_score_race import FAILURE, Race, RacingEngine, promise
from ...csp.search.trials import Trial, TrialPart
from ...csp.work.pools import Do, Finished
from ...csp.work.run import ALL, Portion
from ..effort.asked import named_order, with_slips
from .race_book import OF_ENGINES, RaceBook

# The first two blocks follow all ways in turn, this number of times each.  A later one has at least as many trials, and
# at least this part of all before it.
_IN_TURN, _PART = 2, 0.25


def prepared_race(puzzle: EdgeMatchingPuzzle, engine: str, options: Options, limits: Limits = NO_LIMITS) -> Race:
    """The race of an engine, ready for trials; the limits are those for which it chooses the width of its beams.

    Raises EngineError, OrderError or SlipError if the engine cannot race, or an option does not fit the engine or the
    puzzle.
    """
    found = find_engine(engine)
    racing = found if isinstance(found, RacingEngine) else None
    if racing is None:
        raise EngineError(f"engine {engine}: races need an engine that searches for high scores: beam or dive")
    refuse(found, Goal.BEST, limits, options)
    race = racing.race(puzzle, limits, options, Stop())
    if not race.possible:
        raise EngineError(f"engine {engine}: the fixed pieces of {puzzle.name} allow no full board that it could find")
    return race


def recorded(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an engine as a race records them: None where none is given.

    Raises OrderError or SlipError if an option does not fit the puzzle.
    """
    found = {name: options.get(name) for name in OF_ENGINES}
    found["order"], found["slips"] = with_slips(puzzle, found["order"], found["slips"])
    if found["slips"] is not None:
        found["slips"] = format_slips(checked_slips(puzzle, found["slips"]))
    if found["frame_slips"] is not None:
        found["frame_slips"] = format_slips(checked_frame_slips(puzzle, found["frame_slips"]))
    if found["order"] is not None:
        name, squares = named_order(puzzle, found["order"], found["slips"])
        known = name.partition(":")[0] in NAMED_ORDERS
        found["order"] = name if known else " ".join(map(puzzle.board.name, squares))
    return found


def engine_options(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any], seed: int, threads: int = 1) -> Options:
    """The options of an engine, from those that a race has recorded."""
    order = options["order"]
    if order is not None and order.partition(":")[0] not in NAMED_ORDERS:
        options = {**options, "order": tuple(map(puzzle.board.parse, order.split()))}
    return Options(**options, seed=seed, threads=threads)


def trial_maker(puzzle: EdgeMatchingPuzzle, engine: str, options: Options) -> Do[TrialPart, Trial | None]:
    """On a worker of a cluster: a function that makes a trial."""
    return prepared_race(puzzle, engine, options).do


class RaceWork:
    """The trials of a race, or of a portion of it, as a piece of work.

    - `book`: the book of the race.
    - `ways`: the names of the ways.
    - `target`: the score that ends this call.
    - `trials`: the number of trials, of the whole race, that ends this call; None for no limit.
    - `portion`: which trials to make.
    """

    def __init__(
        self,
        book: RaceBook,
        ways: Sequence[str],
        target: int,
        trials: int | None = None,
        portion: Portion = ALL,
    ) -> None:
        self.book, self._ways, self._target, self._trials = book, ways, target, trials
        self._portion = portion
        self._block = _IN_TURN * len(ways)
        # The ways of the trials of all blocks so far, and the number of trials before the last one.
        self._chosen: list[int] = []
        self._known = 0
        # The numbers of the trials before which all are recorded or running, and recorded.
        self._begun = self._complete = 0
        self._lost: list[TrialPart] = []
        self._count()

    def _number(self, index: int) -> int:
        """The number in the race of a trial of this portion."""
        return self._portion.number - 1 + self._portion.of * index

    def _count(self) -> None:
        while self._number(self._complete) in self.book.trials:
            self._complete += 1

    @property
    def ended_by(self) -> str | None:
        """What ends this call: a score, a number of trials, or that nothing new can be found; None so far."""
        if self.book.best is not None and self.book.best >= self._target:
            return "target"
        if self._trials is not None and self._number(self._complete) >= self._trials:
            return "trials"
        return "exhausted" if self.book.exhausted.issuperset(self._ways) else None

    @property
    def over(self) -> bool:
        return self.ended_by is not None

    def enter(self, finished: Finished[TrialPart, Trial | None]) -> None:
        """Record a trial; one that was lost is made again."""
        if finished.killed:
            number = finished.part[0]
            raise EngineError(f"cluster: trial {number} has killed its workers, which may lack memory")
        if finished.outcome is None:
            self._lost.append(finished.part)
        else:
            self.book.record(replace(finished.outcome, cpu_seconds=round(finished.work_seconds, 3)))
            self._count()
            INTERRUPTS.keep()

    def next_part(self, workers: int) -> TrialPart | None:
        """The next trial; None if no more are wanted, or those that run decide along which way it goes."""
        if self._lost:
            return self._lost.pop()
        while (number := self._number(self._begun)) in self.book.trials:
            self._begun += 1
        if self._trials is not None and number >= self._trials:
            return None
        way = self._way_of(self._begun)
        if way is None:
            return None
        self._begun += 1
        return number, self.book.wanted, way

    def _way_of(self, index: int) -> int | None:
        """The way of a trial of this portion; None if the results on which it depends are not all in the book."""
        if len(self._ways) == 1:
            return 0
        while index >= len(self._chosen):
            size = max(self._block, int(_PART * len(self._chosen)))
            if len(self._chosen) < 2 * self._block:
                # The portions of a race begin with different ones.
                following = [(self._number(0) + place) % len(self._ways) for place in range(size)]
            elif self._complete < self._known:
                return None
            else:
                following = self._following(
                    [self.book.trials[self._number(known)] for known in range(self._known)], size
                )
            self._known = len(self._chosen)
            self._chosen += following
        return self._chosen[index]

    def _following(self, known: Sequence[Trial], size: int) -> list[int]:
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
