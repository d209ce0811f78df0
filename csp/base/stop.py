"""Long-running work: its clock, what may end it (a time limit, Ctrl-C, callers), and its progress.

Work that does not ask whether it must end is ended by an error raised in the middle of it: see `enforced`.
"""

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import TypeVar

_T = TypeVar("_T")
#: How often progress is reported.
REPORT_SECONDS = 0.1
# What ends work, in the order of its weight if threads end for different reasons.
_REASONS = ("interrupt", "time", "nodes", "restarts")


class CompileClock:
    """The time spent on compiling kernels in this process, which counts neither for limits nor for seconds of a run.

    A kernel is compiled once on a machine and then loaded.  If a time limit ended this, it would never be completed.
    `cpu_seconds` are those so far, without the kernel that is being compiled; `announce` is called once, with the name
    of the first kernel that is compiled.
    """

    def __init__(self) -> None:
        self._depth, self._started, self._seconds = 0, 0.0, 0.0
        self._cpu_started, self.cpu_seconds = 0.0, 0.0
        self._lock = threading.Lock()
        self._watcher: Callable[[], None] | None = None
        self.announce: Callable[[str], None] | None = None

    def start(self, kernel: str = "") -> None:
        """Compiling of a kernel begins, perhaps within that of another kernel that calls it."""
        with self._lock:
            if self._depth == 0:
                self._started, self._cpu_started = time.perf_counter(), time.thread_time()
            self._depth += 1
            announce, self.announce = self.announce, None
        if announce is not None:
            announce(kernel)
        self._tell()

    def end(self) -> None:
        """Compiling of a kernel ends."""
        with self._lock:
            # An end without a start is possible, too.
            self._depth = max(self._depth - 1, 0)
            if self._depth == 0 and self._started:
                # Kernels are compiled one at a time, so the start was in this thread.
                self._seconds += time.perf_counter() - self._started
                self.cpu_seconds += time.thread_time() - self._cpu_started
                self._started = 0.0
        self._tell()

    @contextmanager
    def watched(self, watcher: Callable[[], None]) -> Iterator[None]:
        """A context in which `watcher` is called whenever the compiling of a kernel begins or ends."""
        before, self._watcher = self._watcher, watcher
        try:
            yield
        finally:
            self._watcher = before

    def _tell(self) -> None:
        if (watcher := self._watcher) is not None:
            watcher()

    @property
    def runs(self) -> bool:
        """Whether a kernel is being compiled."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self._seconds + (time.perf_counter() - self._started if self._depth else 0.0)


#: The clock of this process.
COMPILING = CompileClock()


def working_time() -> float:
    """A clock like `time.perf_counter` that stops while kernels are compiled."""
    return time.perf_counter() - COMPILING.seconds


def working_cpu_time() -> float:
    """A clock like `time.process_time` that stops while kernels are compiled."""
    return time.process_time() - COMPILING.cpu_seconds


@dataclass(frozen=True)
class Progress:
    """The progress of work."""

    #: Pieces placed and solutions found so far.
    nodes: int = 0
    solutions: int = 0
    #: The part of the work that is done, from 0 to 1.
    done: float = 0.0
    #: The time since the work began.
    seconds: float = 0.0
    #: For the goal best: the best score so far (None before the first full board), and the highest score that is not
    #: excluded.
    scores: tuple[int | None, int] | None = None
    #: The part that an earlier search had done before this one began, and its nodes.
    found: float = 0.0
    found_nodes: int = 0
    #: A remark; for work other than a search, what is being done.
    note: str | None = None
    #: The expected number of nodes in all; None if unknown.
    expected: float | None = None
    #: For the goal best: the best full board so far; None before the first one.
    best: object = None
    #: The place that the search has reached, as JSON data from which it can be continued; from time to time.  All
    #: solutions before that place have been passed on.
    place: object = None


#: Is called from time to time during long work.
Report = Callable[[Progress], None]


class Interrupts:
    """Whether this process could be ended by Ctrl-C at any point, for those who end it: the command line."""

    def __init__(self) -> None:
        # How often Ctrl-C was noted by work that then ended and showed its results.
        self.noted = self._open = self._discarded = 0
        # Whether Ctrl-C was ignored before it would be noted, as it is for programs in the background of a script; and
        # whether any work has asked if it must end: it is expected to ask again.
        self.ignored = self.asked = self._kept = False

    @contextmanager
    def noting(self, *, ignored: bool) -> Iterator[None]:
        """A context in which Ctrl-C is noted, unless it was ignored before."""
        # Within such a context it is not the signal's setting that shows it.
        self.ignored = ignored or (self.ignored and self._open > 0)
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    @contextmanager
    def discarding(self) -> Iterator[None]:
        """A context of work whose partial results are discarded."""
        self._discarded += 1
        try:
            yield
        finally:
            self._discarded -= 1

    def keep(self) -> None:
        """There is a result to keep."""
        self._kept = True

    @property
    def working(self) -> bool:
        """Whether work that notes Ctrl-C is under way, such as a search."""
        return self._open > 0

    def may_end(self) -> bool:
        """Whether no result is lost if the process ends now, after Ctrl-C."""
        if not (self.noted or self._open):
            return True
        return not self._kept and (COMPILING.runs or self._discarded > 0 or not self.asked)


#: The interrupts of this process.
INTERRUPTS = Interrupts()


@contextmanager
def interrupts_noted() -> Iterator[threading.Event]:
    """A context in which the first Ctrl-C only sets the event, so that a search can finish; the second one raises."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def note(signum: int, frame: object) -> None:
        if signum == signal.SIGINT and INTERRUPTS.ignored:
            return
        if interrupted.is_set():
            raise KeyboardInterrupt
        INTERRUPTS.noted += 1
        interrupted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        with INTERRUPTS.noting(ignored=before is signal.SIG_IGN):
            yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


class Stop:
    """The clock of a piece of work, and what may end it: a time limit, Ctrl-C, and its callers.

    `asked` are functions that return whether the work must end: for Ctrl-C, if it is recorded, and for callers.
    `report` is called with the progress, at most ten times a second.  The work began at `started`, by
    `time.perf_counter`, or now.
    """

    def __init__(
        self,
        seconds: float | None = None,
        *asked: Callable[[], bool],
        report: Report | None = None,
        started: float | None = None,
    ) -> None:
        self.started = time.perf_counter() if started is None else started
        self.limit, self._asked, self._report = seconds, asked, report
        self._compiled_before = COMPILING.seconds
        # "time" or "interrupt"
        self.ended_by: str | None = None
        self._note: str | None = None
        self._done = 0.0
        self._reported = 0.0
        self._timed_from = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self.started

    @property
    def used(self) -> float:
        """Seconds that count for the time limit: without compiling kernels."""
        return self.seconds - (COMPILING.seconds - self._compiled_before)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return None if self.limit is None else max(self.limit - self.used, 0.0)

    @property
    def is_followed(self) -> bool:
        """Whether progress is reported to anyone."""
        return self._report is not None

    @property
    def interrupted(self) -> bool:
        """Whether a caller or Ctrl-C asks to stop, regardless of the time limit."""
        if any(asks() for asks in self._asked):
            self.ended_by = "interrupt"
            return True
        return False

    def __call__(self) -> bool:
        """Whether the work must end now."""
        INTERRUPTS.asked = True
        return self.must_end(report=True)

    def must_end(self, *, report: bool = False) -> bool:
        """Whether the work must end now, for those who check on it; reports progress only if asked to."""
        if report and self._note is not None and self.seconds - self._reported > REPORT_SECONDS:
            self.tell(self._note, self._done)
        if not self.interrupted and self.seconds_left == 0 and time.process_time() >= self._timed_from:
            self.ended_by = self.ended_by or "time"
        return self.ended_by is not None

    @contextmanager
    def preparing(self, note: str | None, least: float) -> Iterator[None]:
        """A context in which `note` is reported, and the time limit waits for `least` seconds of processor time."""
        if note is not None:
            # Reported only after there was time to read the last report.
            self._note, self._reported = note, self.seconds
        if least and self.limit:
            self._timed_from = time.process_time() + least
        try:
            yield
        finally:
            self._timed_from = 0.0
            if note is not None:
                self._note = None

    def tell(self, note: str, done: float = 0.0) -> None:
        """Report what is being done, and the part of it that is done."""
        self._note, self._done, self._reported = note, done, self.seconds
        if self._report is not None:
            self._report(Progress(done=done, seconds=self.seconds, note=note))


@contextmanager
def stoppable(
    seconds: float | None = None, *asked: Callable[[], bool], report: Report | None = None, started: float | None = None
) -> Iterator[Stop]:
    """A context whose work ends at a time limit, at the first Ctrl-C, or when a caller asks; see `Stop`."""
    with interrupts_noted() as interrupted:
        yield Stop(seconds, interrupted.is_set, *asked, report=report, started=started)


def aside(call: Callable[..., _T], *arguments: object, **options: object) -> _T:
    """The result of a call that runs in a thread of its own.

    For PySAT, which handles Ctrl-C itself in the main thread: it jumps out of its C code at any point, and may hang.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call, *arguments, **options).result()


def main_reason(reasons: Iterable[str | None]) -> str | None:
    """What ended work whose threads ended for these reasons; None if they had none."""
    given = {*reasons}
    return next((reason for reason in _REASONS if reason in given), None)


class StoppedError(Exception):
    """Work that was asked to stop has stopped."""


def never() -> bool:
    """A `must_stop` that never asks to stop."""
    return False


def watched(items: Iterable[_T], must_stop: Callable[[], bool]) -> Iterator[_T]:
    """Yield the items until `must_stop` asks to stop.

    Raises StoppedError if `must_stop` asks to stop.
    """
    for item in items:
        if must_stop():
            raise StoppedError
        yield item


# How often the work is checked.
_POLL_SECONDS = 0.05
# Pools of threads, and their functions that may be interrupted: those that work, and those that wait for others.
_POOLS = f"futures{os.sep}thread.py", f"work{os.sep}pools.py"
_OF_WORKERS = ("_worker", "run", "_serve", "timed", "finished")


@contextmanager
def enforced(stop: Stop, note: str | None = None, least: float = 0.0) -> Iterator[None]:
    """A context that ends work which does not ask `stop` itself, as soon as it must end, by StoppedError.

    Meanwhile `note` is reported.  A time limit, unless it is zero, does not end the work before it has used `least`
    seconds of processor time.  Work is not ended during an import, while numba is compiling, while a thread starts, or
    while an object is freed.
    """
    in_main = threading.current_thread() is threading.main_thread()
    polled = _polled if in_main and hasattr(signal, "setitimer") else _polled_aside
    try:
        with stop.preparing(note, least), INTERRUPTS.discarding(), polled(stop):
            yield
    except Exception as error:
        # Libraries may replace what is raised within them: numpy does in comparisons.
        if stop.ended_by is not None and not isinstance(error, StoppedError):
            raise StoppedError from error
        raise


@contextmanager
def _polled(stop: Stop) -> Iterator[None]:
    """A context in which a timer checks whether the work must end, and raises StoppedError if so."""
    active = [True]

    def end(signum: int, frame: FrameType | None) -> None:
        if active and not COMPILING.runs and stop.must_end(report=True) and not is_delicate(frame):
            raise StoppedError

    began, before, timer = time.perf_counter(), signal.getsignal(signal.SIGALRM), (0.0, 0.0)
    try:
        signal.signal(signal.SIGALRM, end)
        timer = signal.setitimer(signal.ITIMER_REAL, _POLL_SECONDS, _POLL_SECONDS)
        yield
    finally:
        try:
            active.clear()
        finally:
            left, interval = timer
            # An alarm that was set before comes when it is due, or immediately.
            left = max(left - (time.perf_counter() - began), 1e-6) if left else 0.0
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)
            signal.setitimer(signal.ITIMER_REAL, left, interval)


@contextmanager
def _polled_aside(stop: Stop) -> Iterator[None]:
    """The same in a thread that gets no signals: another thread checks, and raises StoppedError in this one."""
    thread, over, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        while not over.wait(_POLL_SECONDS):
            with lock:
                if over.is_set() or COMPILING.runs or not stop.must_end():
                    continue
                # If one is lost nevertheless, the next one is not.
                if not is_delicate(sys._current_frames().get(thread)):
                    _raise_in(thread)

    watcher = threading.Thread(target=watch, name="watcher", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        try:
            with lock:
                over.set()
        finally:
            over.set()
            watcher.join()
            _take_what_is_raised()


def _raise_in(thread: int) -> None:
    """Have a thread raise StoppedError as soon as it runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(StoppedError))


def _take_what_is_raised() -> None:
    """Have a pending exception of `_raise_in` for this thread raised now, and not after the work.

    Withdrawing it with the function that sets it would leave the interpreter looking for it for ever; Python 3.11 then
    hangs at the next traced call.
    """
    with suppress(StoppedError):
        # The interpreter checks at each backward jump.
        for _ in range(3):
            pass


def is_delicate(frame: FrameType | None) -> bool:
    """Whether work is under way that must not be interrupted by an error: see `enforced`."""
    collecting = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        if file.startswith("<frozen importlib") or f"{os.sep}numba{os.sep}" in file:
            return True
        # A thread that did not finish starting would never be joined.
        pool = file.endswith(_POOLS) and code.co_name not in _OF_WORKERS
        if pool or (code.co_name == "start" and file.endswith("threading.py")):
            return True
        # Exceptions raised there are lost.
        if code.co_name == "__del__" or code in collecting or file.endswith(("weakref.py", "_weakrefset.py")):
            return True
        frame = frame.f_back
    return False
