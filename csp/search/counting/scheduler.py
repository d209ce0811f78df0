"""The distribution of a count: its parts are cut into tasks, workers count them, and the results are kept.

Workers are threads here, and processes on other machines in `cluster`; how tasks are cut, recorded and added up is the
same for both.
"""

import threading
import time
from bisect import insort
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.stop import working_time
from ...engines.pausing import own_pauses
from .ledger import Ledger
from .parts import Pause, Piecework, Share

# How often to check whether to stop.
_POLL_SECONDS = 0.1
# The weight of a finished task, relative to the next one, in the prediction of the speed.
_FORGETTING = 0.8
# Parts that were in this number of tasks that killed their workers are not given to another worker.
_MOST_KILLS = 10


@dataclass(frozen=True)
class Pace:
    """The intended duration of tasks, in seconds.

    Parameters
    ----------
    first
        The tasks that are started before the speed of the workers is known.
    least, most
        The limits for all others; they are shorter near the end, so that the workers end together.
    patience
        A task that exceeds its intended duration by this factor is ended, and its rest goes back.
    """

    first: float = 1.0
    least: float = 1.0
    most: float = 30.0
    patience: float = 2.0


PACE = Pace()


@dataclass(frozen=True)
class Task:
    """The parts from `first` up to but not including `last`, to be ended after the current part when time is up."""

    first: int
    last: int
    seconds: float


@dataclass(frozen=True)
class Finished:
    """A finished task.

    Parameters
    ----------
    task
        The task.
    share
        The results; None if they were lost.
    seconds, work_seconds
        Its duration, and the processor time of the worker's thread.
    killed
        Whether the worker died while it counted.
    """

    task: Task
    share: Share | None
    seconds: float = 0.0
    work_seconds: float = 0.0
    killed: bool = False


@dataclass(frozen=True)
class Standing:
    """The progress of a count.

    Parameters
    ----------
    done, found
        The part of the predicted work (0 to 1) that is done, with estimates for running tasks; and the part that was
        found in the ledger at the start.
    nodes, count
        Nodes (in proportion to `done`) and arrangements so far, those in the ledger included.
    found_nodes
        The nodes that were found in the ledger at the start.
    seconds
        The seconds since the start.
    workers
        The number of workers; with 0, the count waits.
    lost
        How often a task was lost with its worker and must be counted again.
    """

    done: float
    found: float
    nodes: int
    count: int
    found_nodes: int
    seconds: float
    workers: int
    lost: int


@dataclass(frozen=True)
class Totals:
    """The result of a count.

    Parameters
    ----------
    nodes
        By the number of pieces on the board; empty if no part was counted.
    count, canonical_count
        Arrangements, and their orbits; the latter is None if a share lacks it.
    parts
        The number of counted parts, including those found in the ledger.
    found_parts, found_nodes
        The parts and nodes that were found in the ledger at the start.
    tasks
        The number of tasks that were counted in this run.
    complete
        Whether all parts were counted.
    ended_by
        Why not, as given by the caller that stopped the count.
    work_seconds
        The processor time of all shares, including those found in the ledger.
    """

    nodes: tuple[int, ...]
    count: int
    canonical_count: int | None
    parts: int
    found_parts: int
    found_nodes: int
    tasks: int
    complete: bool
    ended_by: str | None
    work_seconds: float


class Pool(Protocol):
    """Workers that count tasks.

    Attributes
    ----------
    workers
        The number of tasks that can be counted at a time.
    running
        The number of tasks that are started and not finished.
    """

    @property
    def workers(self) -> int: ...

    @property
    def running(self) -> int: ...

    def start(self, task: Task) -> None:
        """Start a task."""
        ...

    def finished(self, seconds: float) -> Iterable[Finished]:
        """The finished tasks, each once; without one, wait for one at most `seconds`.

        Exceptions of workers are raised.
        """
        ...

    def drop(self) -> None:
        """Drop all running tasks; completed parts are returned as finished."""
        ...


def count_together(
    piecework: Piecework,
    threads: int,
    *,
    ledger: Ledger | None = None,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[Standing], None] = lambda standing: None,
    pace: Pace = PACE,
) -> Totals:
    """Count all parts on threads of this process.

    Parameters
    ----------
    piecework
        The count.
    threads
        The number of counting threads, without the calling thread.
    ledger
        The ledger in which each share is recorded, and found if it was counted earlier.
    stop
        Is called every tenth of a second; returns a reason to stop, or None.
    report
        Is called as often with the progress.
    pace
        The intended duration of tasks.

    Raises
    ------
    EngineError
        If `threads` is less than 1.
    """
    if threads < 1:
        raise EngineError(f"threads {threads}: at least 1 is needed")
    with ThreadPoolExecutor(threads, thread_name_prefix="count") as executor:
        pool = _Threads(piecework, executor, threads)
        try:
            return count_in(pool, piecework.work, ledger, stop, report, pace)
        finally:
            pool.drop()


def count_in(
    pool: Pool,
    work: NDArray[np.float64],
    ledger: Ledger | None,
    stop: Callable[[], str | None],
    report: Callable[[Standing], None],
    pace: Pace,
) -> Totals:
    """Count all parts with a pool; `work` has the predicted nodes of each part.

    Raises
    ------
    EngineError
        If some parts kill their workers.
    """
    books = _Books(work, ledger, pace)
    reason = None
    try:
        while not books.complete and (reason := stop()) is None:
            while pool.running < pool.workers and (task := books.next_task(pool.workers)) is not None:
                pool.start(task)
            for finished in pool.finished(_POLL_SECONDS):
                books.enter(finished)
            report(books.standing(pool.workers))
    except Exception:
        # The failure of one worker must not discard the results of the others.
        pool.drop()
        while pool.running:
            with suppress(Exception):
                for finished in pool.finished(_POLL_SECONDS):
                    books.enter(finished)
        raise
    pool.drop()
    while pool.running:
        for finished in pool.finished(_POLL_SECONDS):
            books.enter(finished)
    return books.totals(reason)


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


def counted(piecework: Piecework, task: Task, dropped: Callable[[], bool]) -> tuple[Share, float, float]:
    """Count a task in this thread; return its results, duration and processor time."""
    started, work_started = time.perf_counter(), time.thread_time()
    share = piecework.count(task.first, task.last, pause_after(task.seconds, dropped))
    return share, time.perf_counter() - started, time.thread_time() - work_started


class _Threads:
    """A pool of threads."""

    def __init__(self, piecework: Piecework, executor: ThreadPoolExecutor, workers: int) -> None:
        self.workers = workers
        self._piecework, self._executor = piecework, executor
        self._running: dict[Future[tuple[Share, float, float]], Task] = {}
        self._dropped, self._pauses = threading.Event(), own_pauses()

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, task: Task) -> None:
        future = self._executor.submit(counted, self._piecework, task, self._is_dropped)
        self._running[future] = task

    def finished(self, seconds: float) -> Iterable[Finished]:
        done, _ = wait(self._running, seconds, FIRST_COMPLETED)
        for future in done:
            task = self._running.pop(future)
            yield Finished(task, *future.result())

    def drop(self) -> None:
        self._dropped.set()

    def _is_dropped(self) -> bool:
        self._pauses.wait()
        return self._dropped.is_set()


class _Books:
    """The remaining parts, the results so far, and the speed.

    Attributes
    ----------
    complete
        Whether all parts have been counted.
    """

    def __init__(self, work: NDArray[np.float64], ledger: Ledger | None, pace: Pace) -> None:
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
        self._left = [(0, self._parts)] if ledger is None else ledger.remaining(self._parts)
        for share in () if ledger is None else ledger.shares:
            self._add(share)
        self._found = self._shown = self._done()
        self._found_parts, self._found_nodes = self._counted, sum(self._nodes)

    @property
    def complete(self) -> bool:
        return self._counted == self._parts

    def next_task(self, workers: int) -> Task | None:
        """A task of the next waiting parts, if there are any.

        Raises
        ------
        EngineError
            If they have killed too many workers.
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

    def enter(self, finished: Finished) -> None:
        """Record and add up the results of a task; its other parts remain to be counted."""
        task, share = finished.task, finished.share
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
        return at_hand / float(self._effort_before[-1])

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
            ended_by=None if self.complete else reason,
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
        return 1.0 if self.complete else min(self._effort_done / float(self._effort_before[-1]), 1.0)
