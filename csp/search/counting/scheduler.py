"""A count as a piece of work: its parts are cut into tasks, which workers count; the shares are kept and added up."""

import json
import time
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.stop import working_time
from ...engines.request import Options
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...work.pools import Do, Finished, Pool, Threads
from ...work.run import ALL, Portion, run
from .methods import Pause, Piecework, Share, refuse_form, refuse_method

if TYPE_CHECKING:
    from .ledger import Ledger

# The weight of a finished task, relative to the next one, in the prediction of the speed.
_FORGETTING = 0.8
# Parts that were in this number of tasks that killed their workers are not given to another worker.
_MOST_KILLS = 10


@dataclass(frozen=True)
class Pace:
    """The intended duration of tasks, in seconds."""

    #: The tasks that are started before the speed of the workers is known.
    first: float = 1.0
    #: The limits for all others; they are shorter near the end, so that the workers end together.
    least: float = 1.0
    most: float = 30.0
    #: A task that exceeds its intended duration by this factor is ended, and its rest goes back.
    patience: float = 2.0


PACE = Pace()


@dataclass(frozen=True)
class Task:
    """The parts from `first` up to but not including `last`, to be ended after the current part when time is up."""

    first: int
    last: int
    seconds: float


@dataclass(frozen=True)
class Standing:
    """The progress of a count."""

    #: The part of the predicted work (0 to 1) that is done, with estimates for running tasks; and the part that was
    #: found in the ledger at the start.
    done: float
    found: float
    #: Nodes (in proportion to `done`) and arrangements so far, those in the ledger included.
    nodes: int
    count: int
    #: The nodes that were found in the ledger at the start.
    found_nodes: int
    #: The seconds since the start.
    seconds: float
    #: The number of workers; with 0, the count waits.
    workers: int
    #: How often a task was lost with its worker and must be counted again.
    lost: int


@dataclass(frozen=True)
class Totals:
    """The result of a count."""

    #: By the number of pieces on the board; empty if no part was counted.
    nodes: tuple[int, ...]
    #: Arrangements, and their orbits; the latter is None if a share lacks it.
    count: int
    canonical_count: int | None
    #: The number of counted parts, including those found in the ledger.
    parts: int
    #: The parts and nodes that were found in the ledger at the start.
    found_parts: int
    found_nodes: int
    #: The number of tasks that were counted in this run.
    tasks: int
    #: Whether all parts were counted.
    complete: bool
    #: Why not, as given by the caller that stopped the count.
    ended_by: str | None
    #: The processor time of all shares, including those found in the ledger.
    work_seconds: float


def cut_into_parts(puzzle: EdgeMatchingPuzzle, options: Options) -> Piecework:
    """The count of a puzzle by the method of the options, cut into parts; only the method's module is loaded.

    Raises EngineError if there is no such method, or it does not apply to the puzzle or the options.
    """
    name = options.method or "plain"
    refuse_method(name, region=options.squares is not None)
    refuse_form(name, puzzle)
    if name == "frames":
        from .frames import Frames as Method
    elif name == "macros":
        from .macros import Macros as Method
    elif name == "middle":
        from .middle import Middle as Method
    elif name == "blocks":
        from .blocks import Blocks as Method
    elif name == "halves":
        from .halves import HalvesOfRegion as Method
    else:
        from .plain import Prefixes as Method
    return Method(puzzle, options)


def count_together(
    piecework: Piecework,
    threads: int,
    *,
    ledger: "Ledger | None" = None,
    portion: Portion = ALL,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[Standing], None] = lambda standing: None,
    pace: Pace = PACE,
) -> Totals:
    """Count all parts, or those of a portion, on threads of this process; the calling thread counts nothing.

    Each share is recorded in the ledger, and found there if it was counted earlier.  `stop` is called every tenth of a
    second for a reason to stop, `report` as often with the progress.

    Raises EngineError if `threads` is less than 1, or some parts kill their workers.
    """
    if threads < 1:
        raise EngineError(f"threads {threads}: at least 1 is needed")
    pool = Threads(counter_of(piecework), threads)
    return count_in(pool, piecework.work, ledger, stop, report, pace, portion)


def count_on_cluster(
    address: str,
    make: Callable[[], Piecework],
    piecework: Piecework,
    *,
    security: str | None = None,
    dashboard: int | None = None,
    ledger: "Ledger | None" = None,
    portion: Portion = ALL,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[Standing], None] = lambda standing: None,
    pace: Pace = PACE,
) -> Totals:
    """The same on a cluster (see `dask_pool`), each of whose workers calls `make`, which is pickled, once.

    Raises EngineError as `dask_pool`; or if a worker has another version of the program, some parts kill their workers,
    or the scheduler is gone.
    """
    from ...work.cluster import dask_pool

    make_counter = partial(_counter_on_worker, make, _identity(piecework))
    then = "repeat the command with the same ledger"
    with dask_pool(address, make_counter, security=security, dashboard=dashboard, then=then) as pool:
        return count_in(pool, piecework.work, ledger, stop, report, pace, portion)


def counter_of(piecework: Piecework) -> Do[Task, Share]:
    """A function that counts a task."""

    def count(task: Task, dropped: Callable[[], bool]) -> Share:
        return piecework.count(task.first, task.last, pause_after(task.seconds, dropped))

    return count


def _counter_on_worker(make: Callable[[], Piecework], identity: str) -> Do[Task, Share]:
    """On a worker: a function that counts a task, if the parts are those of the client."""
    from ...work.cluster import this_worker

    piecework = make()
    if _identity(piecework) != identity:
        where = f"worker {this_worker()} cuts the count into different parts"
        raise EngineError(f"cluster: {where}; use machines of the same kind")
    return counter_of(piecework)


def _identity(piecework: Piecework) -> str:
    """An identification of the parts and their numbers."""
    return json.dumps([piecework.method, piecework.options, len(piecework.work)], sort_keys=True)


def pause_after(seconds: float, dropped: Callable[[], bool]) -> Callable[[], Pause]:
    """The `pause` of a worker's count: it ends immediately when dropped, and after the current part when time is up.

    The first call ignores the time, so that a task counts at least one part, however slow its start was.
    """
    deadline = time.perf_counter() + seconds
    asked = False

    def pause() -> Pause:
        nonlocal asked
        first, asked = not asked, True
        if dropped():
            return Pause.NOW
        return Pause.AFTER_PART if not first and time.perf_counter() >= deadline else Pause.NO

    return pause


def count_in(
    pool: Pool[Task, Share],
    work: NDArray[np.float64],
    ledger: "Ledger | None",
    stop: Callable[[], str | None],
    report: Callable[[Standing], None],
    pace: Pace,
    portion: Portion = ALL,
) -> Totals:
    """Count all parts with a pool; `work` has the predicted nodes of each part.

    Raises EngineError if some parts kill their workers.
    """
    count = _Count(work, ledger, pace, portion)
    reason = run(count, pool, stop=stop, report=lambda workers: report(count.standing(workers)))
    return count.totals(reason)


class _Count:
    """A count as a work: the remaining parts, the results so far, and the speed.

    Attributes:
    - `complete`: whether all parts have been counted.
    - `over`: whether all parts of the portion have been counted.
    """

    def __init__(self, work: NDArray[np.float64], ledger: "Ledger | None", pace: Pace, portion: Portion) -> None:
        self._started = working_time()
        self._ledger, self._pace = ledger, pace
        self._parts = len(work)
        # A part with a very small prediction takes some time, too.
        telling = self._parts > 0 and 0 < float(work.sum()) < np.inf
        effort = np.maximum(work, 1e-3 * work.mean()) if telling else np.ones(self._parts)
        self._effort_before = np.concatenate(([0.0], np.cumsum(effort)))
        self._nodes: tuple[int, ...] = ()
        self._canonical: int | None = 0
        self._count = self._counted = self._tasks = self._lost = 0
        self._effort_done, self._work_seconds = 0.0, 0.0 if ledger is None else ledger.seconds
        # For each part the number of tasks with it that killed their workers.
        self._kills = np.zeros(self._parts, np.int64)
        # Effort and seconds of finished tasks; older ones have less weight.
        self._recent = np.zeros(2)
        # The start times and efforts of the running tasks, by their first parts.
        self._at_hand: dict[int, tuple[float, float]] = {}
        self._left = portion.ranges(self._parts)
        if ledger is not None:
            self._left = _common(self._left, ledger.remaining(self._parts))
        for share in () if ledger is None else ledger.shares:
            self._add(share)
        self._whole = self._effort_done + sum(self._effort(first, last) for first, last in self._left)
        self._found = self._shown = self._done()
        self._found_parts, self._found_nodes = self._counted, sum(self._nodes)

    @property
    def complete(self) -> bool:
        return self._counted == self._parts

    @property
    def over(self) -> bool:
        return not self._left and not self._at_hand

    def next_part(self, workers: int) -> Task | None:
        """A task of the next waiting parts, if there are any.

        Raises EngineError if they have killed too many workers.
        """
        if not self._left:
            return None
        pace = self._pace
        fair = sum(self._effort(first, last) for first, last in self._left) / (2 * workers)
        effort, seconds = self._recent
        if seconds == 0:
            # The speed is unknown: the worker stops when the time is over.
            limit = pace.first
        else:
            rate = effort / seconds
            aim = min(max(fair / rate, pace.least), pace.most)
            fair, limit = aim * rate, aim * pace.patience
        first, last = self._left.pop(0)
        end = int(np.searchsorted(self._effort_before, self._effort_before[first] + fair, side="right")) - 1
        end = min(max(end, first + 1), last)
        if end < last:
            self._left.insert(0, (end, last))
        deadly = first + np.flatnonzero(self._kills[first:end] >= _MOST_KILLS)
        if len(deadly):
            raise EngineError(
                f"parts {deadly[0]} to {deadly[-1] + 1} have killed their workers {_MOST_KILLS} times"
                " and were not counted; the workers may lack memory"
            )
        self._at_hand[first] = time.perf_counter(), self._effort(first, end)
        return Task(first, end, float(limit))

    def enter(self, finished: Finished[Task, Share]) -> None:
        """Record and add up the results of a task; its other parts remain to be counted."""
        task, share = finished.part, finished.outcome
        self._at_hand.pop(task.first, None)
        if share is None:
            self._lost += 1
            self._kills[task.first : task.last] += finished.killed
            self._give_back(task.first, task.last)
            return
        if share.first != task.first or not task.first <= share.last <= task.last:
            raise RuntimeError(f"{task} returned the parts {share.first} to {share.last}")
        if share.first < share.last:
            if self._ledger is not None:
                self._ledger.record(share, finished.work_seconds)
            self._add(share)
            self._work_seconds += finished.work_seconds
            self._tasks += 1
            self._recent *= _FORGETTING
            self._recent += self._effort(share.first, share.last), max(finished.seconds, 1e-6)
        self._give_back(share.last, task.last)

    def standing(self, workers: int) -> Standing:
        seconds = working_time() - self._started
        done = self._done()
        # A progress bar should stop rather than go back.
        self._shown = max(self._shown, min(done + self._at_hand_done(), 1.0))
        nodes = sum(self._nodes)
        nodes += int(nodes * (self._shown / done - 1)) if done else 0
        return Standing(self._shown, self._found, nodes, self._count, self._found_nodes, seconds, workers, self._lost)

    def _at_hand_done(self) -> float:
        """The estimated done part of the running tasks, if they are as fast as those before."""
        effort, seconds = self._recent
        if seconds == 0:
            return 0.0
        now, rate = time.perf_counter(), effort / seconds
        at_hand = sum(min(rate * (now - begun), whole) for begun, whole in self._at_hand.values())
        return at_hand / self._whole

    def totals(self, reason: str | None) -> Totals:
        """The result so far, with the reason for an early end."""
        return Totals(
            nodes=self._nodes,
            count=self._count,
            canonical_count=self._canonical,
            parts=self._counted,
            found_parts=self._found_parts,
            found_nodes=self._found_nodes,
            tasks=self._tasks,
            complete=self.complete,
            ended_by=None if self.complete else reason or "part",
            work_seconds=self._work_seconds,
        )

    def _add(self, share: Share) -> None:
        self._nodes = tuple(sum(pair) for pair in zip_longest(self._nodes, share.nodes, fillvalue=0))
        self._count += share.count
        if self._canonical is not None:
            self._canonical = None if share.canonical_count is None else self._canonical + share.canonical_count
        self._counted += share.last - share.first
        self._effort_done += self._effort(share.first, share.last)

    def _give_back(self, first: int, last: int) -> None:
        """Return parts to those that wait, merged with adjacent ranges."""
        if first == last:
            return
        insort(self._left, (first, last))
        at = self._left.index((first, last))
        around = self._left[max(at - 1, 0) : at + 2]
        merged: list[tuple[int, int]] = []
        for start, end in around:
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], end)
            else:
                merged.append((start, end))
        self._left[max(at - 1, 0) : at + 2] = merged

    def _effort(self, first: int, last: int) -> float:
        return float(self._effort_before[last] - self._effort_before[first])

    def _done(self) -> float:
        """The done part of what is in the ledger and what this call is to do."""
        return 1.0 if self.over else min(self._effort_done / self._whole, 1.0)


def _common(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What two ascending lists of half-open ranges have in common."""
    both = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return [(first, last) for first, last in both if first < last]
