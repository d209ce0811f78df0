"""Races for the best score: trials one after the other, for as long as wanted, kept in a folder.

A race must be the same on any number of threads and after any number of interruptions.  So the orders of a block of
trials depend on the results of all blocks before the last one: these are complete when a block begins, unless there are
many threads.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from ...csp.base.errors import EngineError, InstanceError, NotFoundError, UsageError, ending, shortened
from ...csp.base.stop import INTERRUPTS, Progress, Report, Stop, StoppedError, enforced, stoppable, working_time
from ...csp.engines.engine import find_engine
from ...csp.engines.registry import own_options, refuse
from ...csp.engines.request import (
    CLUSTER,
    NO_LIMITS,
    Goal,
    Limits,
    Options,
    about_options,
    number_of_threads,
    refuse_other_types,
)
from ...csp.files.convert import write
from ...csp.files.instances import fingerprint, readable_instance
from ...csp.files.square_files import refuse_misread
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS
from ...csp.puzzles.slips import checked_frame_slips, checked_slips, format_slips
from ...csp.search.best_score_race import FAILURE, Race, RacingEngine, Trial, TrialPart, promise
from ...csp.work.pools import Do, Finished, Pool, Threads
from ...csp.work.run import ALL, Portion, run
from ..effort.search_effort import named_order, with_slips
from .race_book import OF_ENGINES, RaceBook, RaceHead, head_in, open_race, read_race
from .race_result import RaceResult, result_of, status_line

# The first two blocks follow all ways in turn, this number of times each.  A later one has at least as many trials, and
# at least this part of all before it.
_IN_TURN, _PART = 2, 0.25
# The longest wait for trials when a race ends.
_GRACE = 0.1
# How long after its beginning, and then how often, the page is written while the race goes on.
_FIRST_PAGE, _PAGE_SECONDS = 30.0, 600.0
# How often the time of the race is recorded without a trial, and the status is reported.
_PULSE_SECONDS, _STATUS_SECONDS = 60.0, 1.0
# After the status the race goes on for at least this multiple of the time that it takes.
_STATUS_PART = 20
# The largest number of boards in the file of the best ones.
_MOST_BOARDS = 1000
#: The solution file of the boards with the best score, in the folder of a race.
BOARDS = "best.json"
_ENGINE = "beam"
# The options that are of the race, not of its engine.
_OF_RACES = ("engine", "seed", "keep_from")
# Beams are as wide as in a search with this limit, up to a width at which many threads have memory for a beam each: in
# long races, to double the width is worth about as much as to double the number of beams.
_AS_IN, _WIDEST = Limits(seconds=30.0), 200_000


# The options of races by name; engines of other packages have others.
_OPTIONS = (*OF_ENGINES, *_OF_RACES, "threads", "part", *CLUSTER)


def race(
    puzzle: EdgeMatchingPuzzle | None,
    folder: str | Path,
    *,
    target: int | None = None,
    trials: int | None = None,
    time_limit: float | None = None,
    report_only: bool = False,
    report: Report | None = None,
    **options: Any,
) -> RaceResult:
    """What `jigsat.race` does, which describes the parameters; those that are not named here are in `options`."""
    asked = _AskedRace(puzzle, Path(folder), target, options)
    refuse_other_types(target=(target, "whole"), trials=(trials, "whole"), time_limit=(time_limit, "seconds"))
    for name, value in (("target", target), ("trials", trials)):
        if value is not None and value < 1:
            raise UsageError(f"at least 1 is needed, not {value}", name)
    if report_only:
        book = read_race(folder)
        if asked.head_like(book.head) != book.head:
            raise InstanceError(f"{folder}: has another race; omit the puzzle and the options")
        return _written(book, Path(folder))
    with stoppable(time_limit, report=report) as stop:
        try:
            return asked.run(stop, trials, report)
        except StoppedError:
            why = f"the race had not begun: {ending(stop.ended_by)}"
            raise NotFoundError(why, stop.ended_by) from None


class _AskedRace:
    """What a call asks for."""

    def __init__(
        self, puzzle: EdgeMatchingPuzzle | None, folder: Path, target: int | None, options: Mapping[str, Any]
    ) -> None:
        unknown = options.keys() - {*_OPTIONS, *own_options()}
        if unknown:
            raise UsageError("races have no such option", *sorted(unknown))
        if puzzle is not None and not isinstance(puzzle, EdgeMatchingPuzzle):
            raise UsageError(f"{shortened(repr(puzzle))}: races are for edge-matching puzzles and jigsaws", "puzzle")
        if puzzle is not None:
            refuse_misread(puzzle)
        self._puzzle, self._folder, self._target = puzzle, folder, target
        self._portion = Portion.parsed(options.get("part"))
        self._options = {name: value for name, value in options.items() if value is not None}
        self._threads = number_of_threads(self._options.get("threads", 1))
        if "cluster" in self._options and "threads" in self._options and self._threads != 1:
            raise UsageError("a cluster runs as many trials at once as its workers have threads", "threads", "cluster")
        for name in CLUSTER[1:]:
            if name in self._options and "cluster" not in self._options:
                raise UsageError("needs a cluster", name)
        self._refuse_both(self._options.get("device"))

    def _refuse_both(self, device: str | None) -> None:
        """Refuse a cluster beside a GPU."""
        if device is not None and "cluster" in self._options:
            raise UsageError("the workers of a cluster search on processors; omit one of them", "device", "cluster")

    def head_like(self, there: RaceHead) -> RaceHead:
        """What the race is to be about: without other options about the same as the race in the folder."""
        known = there.puzzle_read()
        puzzle = known if self._puzzle is None else self._puzzle
        options = {name: value for name, value in recorded(puzzle, self._options).items() if value is not None}
        if there.options["device"] is not None and "device" in options:
            # Beams are the same on all GPUs.
            options["device"] = there.options["device"]
        self._refuse_both(there.options["device"])
        changed: dict[str, Any] = {name: self._options[name] for name in _OF_RACES if name in self._options}
        if fingerprint(puzzle) != fingerprint(known):
            changed |= {"instance": puzzle.name, "puzzle": readable_instance(puzzle, str(self._folder))}
        return there.model_copy(update={**changed, "options": {**there.options, **options}})

    def _new_head(self, stop: Stop) -> RaceHead:
        if self._puzzle is None:
            raise InstanceError(f"{self._folder}: there is no race in this folder; give a puzzle to begin one")
        engine, seed = self._options.get("engine", _ENGINE), self._options.get("seed", 0)
        found = recorded(self._puzzle, self._options)
        checked, given = race_engine(self._puzzle, engine, found, seed, self._threads)
        checked.check(Goal.BEST, _AS_IN, given)
        if found["width"] is None:
            with enforced(stop, "preparing"):
                # The width is the engine's choice for one thread, on whatever number of threads the race goes on.
                width = prepared_race(self._puzzle, engine, found, seed, 1, _AS_IN).width
            found["width"] = width if width is None or found["device"] is not None else min(width, _WIDEST)
        return RaceHead(
            instance=self._puzzle.name,
            puzzle=readable_instance(self._puzzle, str(self._folder)),
            engine=engine,
            options=found,
            seed=seed,
            keep_from=self._options.get("keep_from"),
        )

    def _prepared(self, book: RaceBook, stop: Stop) -> Race:
        head, device = book.head, self._options.get("device", book.head.options["device"])
        with enforced(stop, "preparing"):
            options = {**head.options, "device": device}
            race = prepared_race(book.puzzle, head.engine, options, head.seed, self._threads)
        for name, score in (("target", self._target), ("keep_from", head.keep_from)):
            if score is not None and score > race.highest:
                raise UsageError(f"{score}: the highest possible score is {race.highest}", name)
        return race

    def run(self, stop: Stop, trials: int | None, report: Report | None) -> RaceResult:
        there = head_in(self._folder)
        head = self._new_head(stop) if there is None else self.head_like(there)
        with open_race(self._folder, head) as book:
            engine = self._prepared(book, stop)
            work = RaceWork(book, engine.ways, self._target or engine.highest, trials, self._portion)
            with self._pool(book, engine) as (pool, threads):
                book.begin_session(threads)
                tell = _Due(book, engine, stop, report)
                # A trial takes seconds, and Ctrl-C must not wait.
                reason = run(work, pool, stop=lambda: stop.ended_by if stop() else None, report=tell, grace=_GRACE)
            book.pass_time()
            ended_by = work.ended_by or reason
            if ended_by == "interrupt":
                # To draw the figures takes seconds, too.
                _write_best(book, self._folder)
                return result_of(book, self._folder, ended_by=ended_by)
            return _written(book, self._folder, ended_by)

    @contextmanager
    def _pool(self, book: RaceBook, engine: Race) -> "Iterator[tuple[Pool[TrialPart, Trial | None], int]]":
        """What makes the trials, and how many of them at once."""
        if "cluster" not in self._options:
            yield Threads(engine.do, self._threads), self._threads
            return
        from ...csp.work.cluster import dask_pool

        head = book.head
        make = partial(trial_maker, book.puzzle, head.engine, head.options, head.seed)
        given: dict[str, Any] = {name: self._options.get(f"cluster_{name}") for name in ("security", "dashboard")}
        then = "repeat the command to go on with the race"
        # Each thread of a worker has one trial, and some wait, so that no worker waits for this process.
        with dask_pool(self._options["cluster"], make, then=then, ahead=1.5, **given) as pool:
            yield pool, pool.threads


def race_engine(
    puzzle: EdgeMatchingPuzzle, name: str, options: Mapping[str, Any], seed: int, threads: int = 1
) -> tuple[RacingEngine, Any]:
    """The engine of a race, and its options from those that the race has recorded.

    Raises EngineError or UsageError if the engine cannot race or lacks an option.
    """
    found = find_engine(name)
    racing = found if isinstance(found, RacingEngine) else None
    if racing is None:
        raise EngineError(f"engine {name}: races need an engine that searches for high scores: beam or dive")
    known = {key: value for key, value in options.items() if key in about_options(Options)}
    if known["order"] is not None and known["order"].partition(":")[0] not in NAMED_ORDERS:
        known["order"] = tuple(map(puzzle.board.parse, known["order"].split()))
    own = {key: value for key, value in options.items() if key not in known}
    if lacking := own.keys() - found.options.keys():
        raise UsageError(f"the engine {name} has no such option", *sorted(lacking))
    given = Options(**known, seed=seed, threads=threads)
    refuse(found, Goal.BEST, NO_LIMITS, given)
    return racing, found.given(given, own)


def prepared_race(
    puzzle: EdgeMatchingPuzzle,
    name: str,
    options: Mapping[str, Any],
    seed: int,
    threads: int = 1,
    limits: Limits = NO_LIMITS,
) -> Race:
    """The race of an engine, ready for trials; the limits are those for which it chooses the width of its beams.

    Raises EngineError, UsageError, OrderError or SlipError if the engine cannot race, or an option does not fit the
    engine or the puzzle.
    """
    engine, given = race_engine(puzzle, name, options, seed, threads)
    race = engine.race(puzzle, limits, given, Stop())
    if not race.possible:
        raise EngineError(f"engine {name}: the fixed pieces of {puzzle.name} allow no full board that it could find")
    return race


def recorded(puzzle: EdgeMatchingPuzzle, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an engine as a race records them: None where none is given.

    Raises OrderError or SlipError if an option does not fit the puzzle.
    """
    own = {name: value for name, value in options.items() if name not in _OPTIONS}
    found = {name: options.get(name) for name in OF_ENGINES} | own
    found["order"], found["slips"] = with_slips(puzzle, found["order"], found["slips"])
    for name, checked in (("slips", checked_slips), ("frame_slips", checked_frame_slips)):
        if found[name] is not None:
            found[name] = format_slips(checked(puzzle, found[name]))
    if found["order"] is not None:
        name, squares = named_order(puzzle, found["order"], found["slips"])
        known = name.partition(":")[0] in NAMED_ORDERS
        found["order"] = name if known else " ".join(map(puzzle.board.name, squares))
    return found


def trial_maker(*asked: Any) -> Do[TrialPart, Trial | None]:
    """On a worker of a cluster: a function that makes a trial; the arguments are those of `prepared_race`."""
    return prepared_race(*asked).do


class RaceWork:
    """The trials of a race, or of a portion of it, as a piece of work.

    A score (`target`) or a number of trials of the whole race (`trials`) ends this call.
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


class _Due:
    """What happens from time to time while a race goes on: its status is reported and its page is written."""

    def __init__(self, book: RaceBook, race: Race, stop: Stop, report: Report | None) -> None:
        self._book, self._race, self._stop, self._report = book, race, stop, report
        self._began = self._told_at = working_time()
        self._page_at = self._began + _FIRST_PAGE

    def __call__(self, workers: int) -> None:
        now = working_time()
        self._book.pass_time(_PULSE_SECONDS)
        if self._report is not None and now > self._told_at + _STATUS_SECONDS:
            self._report(Progress(note=status_line(self._book, self._race.under_way), seconds=now - self._began))
            # The statistics of many trials take a while.
            self._told_at = now + _STATUS_PART * (working_time() - now)
        if now > self._page_at:
            # What may end the race also ends the drawing.
            with suppress(StoppedError), enforced(self._stop):
                _written(self._book, self._book.path.parent)
            self._page_at = working_time() + _PAGE_SECONDS


def _written(book: RaceBook, folder: Path, ended_by: str | None = None) -> RaceResult:
    """The result, after the page and the file of the best boards are written."""
    from .race_page import write_page

    page = write_page(book, folder)
    _write_best(book, folder)
    return result_of(book, folder, page=page, ended_by=ended_by)


def _write_best(book: RaceBook, folder: Path) -> None:
    best = max(book.boards, default=None)
    if best is not None:
        kept = book.kept(min(book.boards[best], _MOST_BOARDS))
        write(book.puzzle, [board for _, board in kept], folder / BOARDS)
