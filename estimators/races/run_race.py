"""Races for the best score: trials one after the other, for as long as wanted, kept in a folder."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from ...csp.base.enforced import enforced
from ...csp.base.errors import InstanceError, NotFoundError, UsageError, shortened
from ...csp.base.stop import Progress, Report, Stop, StoppedError, stoppable, working_time
from ...csp.base.words import ending
from ...csp.engines.refusals import refuse_other_types
from ...csp.engines.registry import find_engine
from ...csp.engines.request import CLUSTER, Goal, Limits, number_of_threads
from ...csp.files.convert import write
from ...csp.files.instances import fingerprint, readable_instance
from ...csp.files.readings import refuse_misread
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.search.best_score_race import Race
from ...csp.search.trials import Trial, TrialPart
from ...csp.work.pools import Pool, Threads
from ...csp.work.run import Portion, run
from .race_book import RaceBook, RaceHead, head_in, open_race, read_race
from .race_result import RaceResult, result_of, status_line
from .race_trials import RaceWork, engine_options, prepared_race, recorded, trial_maker

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


class RaceOptions(TypedDict, total=False):
    """The options of a race; all are optional.  Those of a race that goes on are those that it began with.

    Parameters
    ----------
    engine
        ``beam``, the default, or ``dive``.
    order, slips, frame_slips, width, device
        As for `best`.  Without an order, ``beam`` follows up to eight orders, more often those whose beams were better.
    seed
        The random seed, 0 by default.
    keep_from
        The least score of the boards that are kept.  By default it is the best score minus 2, and rises with it; it is
        higher if there are more than 10 000 such boards.
    threads
        The number of trials that run at once, each in a thread; ``"all"`` means one for each processor core.
    part
        Which part of the race to run, such as ``"3/16"``: every 16th trial, from the third on, with the orders that its
        own results suggest.  Each part needs a folder of its own.
    cluster, cluster_security, cluster_dashboard
        A Dask cluster on which the trials run, as for `count`; the folder remains with this process.
    """

    engine: str | None
    order: str | tuple[int, ...] | None
    slips: str | tuple[int, ...] | None
    frame_slips: str | tuple[int, ...] | None
    width: int | None
    device: str | None
    seed: int | None
    keep_from: int | None
    threads: int | Literal["all"]
    part: str | None
    cluster: str | None
    cluster_security: str | None
    cluster_dashboard: int | None


def race(
    puzzle: EdgeMatchingPuzzle | None,
    folder: str | Path,
    *,
    target: int | None = None,
    trials: int | None = None,
    time_limit: float | None = None,
    report_only: bool = False,
    report: Report | None = None,
    **options: Unpack[RaceOptions],
) -> RaceResult:
    """Search for the best score for hours or days, and keep every board of at least a score.

    A race consists of trials: beams of the engine ``beam`` or dives of ``dive``, each a function of the puzzle, the
    options, its number and its order of squares.  Every trial and its boards are recorded in ``race.book`` in the
    folder as soon as the trial ends.  If a call ends or is killed, another one with the same folder goes on; it makes
    trials that were cut off again.  In the folder, ``race.html`` has statistics, figures and the best boards, and
    ``best.json`` the boards with the best score.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or None
        The puzzle; None for that of the race in the folder.
    folder : str or Path
        The folder; it is made if it does not exist.
    target : int, optional
        The score that ends the race; by default the highest possible one.
    trials : int, optional
        The number of trials, of all calls together, that ends the race.
    time_limit : float, optional
        Seconds after which this call ends.
    report_only : bool, default False
        Run nothing; write the page about what is recorded.
    report : callable, optional
        Called with a `Progress` about once a second.
    **options
        Further options, see `RaceOptions`.

    Returns
    -------
    RaceResult
        The statistics and the best board.

    Raises
    ------
    InstanceError
        If the folder has a race of another puzzle or with other options, is in use, is damaged or cannot be written.
    NotFoundError
        If it was stopped before it began.
    EngineError, UsageError, OrderError, SlipError
        If the engine cannot race, or an option does not fit the puzzle or the engine.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import jigsat as js
    >>> with TemporaryDirectory() as folder:
    ...     found = js.race(js.read("eternity2"), folder, width=100, trials=2)
    ...     len(found.kept()) == sum(found.boards.values()), found.ended_by
    (True, 'trials')
    """
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
        unknown = options.keys() - RaceOptions.__annotations__.keys()
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
        """What a new race is to be about."""
        if self._puzzle is None:
            raise InstanceError(f"{self._folder}: there is no race in this folder; give a puzzle to begin one")
        engine, seed = self._options.get("engine", _ENGINE), self._options.get("seed", 0)
        found = recorded(self._puzzle, self._options)
        find_engine(engine).check(Goal.BEST, _AS_IN, engine_options(self._puzzle, found, seed, self._threads))
        with enforced(stop, "preparing"):
            # The width is the engine's choice for one thread, on whatever number of threads the race goes on.
            options = engine_options(self._puzzle, found, seed)
            width = prepared_race(self._puzzle, engine, options, _AS_IN).width
        narrowed = found["width"] is None and found["device"] is None
        found["width"] = min(width, _WIDEST) if width is not None and narrowed else width
        return RaceHead(
            instance=self._puzzle.name,
            puzzle=readable_instance(self._puzzle, str(self._folder)),
            engine=engine,
            options=found,
            seed=seed,
            keep_from=self._options.get("keep_from"),
        )

    def _prepared(self, book: RaceBook, stop: Stop) -> Race:
        """The race of the engine."""
        head, device = book.head, self._options.get("device", book.head.options["device"])
        with enforced(stop, "preparing"):
            options = engine_options(book.puzzle, {**head.options, "device": device}, head.seed, self._threads)
            race = prepared_race(book.puzzle, head.engine, options)
        for name, score in (("target", self._target), ("keep_from", head.keep_from)):
            if score is not None and score > race.highest:
                raise UsageError(f"{score}: the highest possible score is {race.highest}", name)
        return race

    def run(self, stop: Stop, trials: int | None, report: Report | None) -> RaceResult:
        """Run trials until something ends the call."""
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

        options = engine_options(book.puzzle, book.head.options, book.head.seed)
        make = partial(trial_maker, book.puzzle, book.head.engine, options)
        given: dict[str, Any] = {name: self._options.get(f"cluster_{name}") for name in ("security", "dashboard")}
        then = "repeat the command to go on with the race"
        # Each thread of a worker has one trial, and some wait, so that no worker waits for this process.
        with dask_pool(self._options["cluster"], make, then=then, ahead=1.5, **given) as pool:
            yield pool, pool.threads


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
    """Write the file of the best boards."""
    best = max(book.boards, default=None)
    if best is not None:
        kept = book.kept(min(book.boards[best], _MOST_BOARDS))
        write(book.puzzle, [board for _, board in kept], folder / BOARDS)
