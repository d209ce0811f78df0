"""Ends work that does not ask whether it must end: an error is raised in the middle of it.

Nothing can be said about the state of what such work was doing.  So this is only for work whose results are then
discarded, and no lock or file of others may be in its hands.
"""

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from .stop import COMPILING, INTERRUPTS, Stop, StoppedError

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
        if active and not COMPILING.runs and stop.must_end(report=True) and not _is_delicate(frame):
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
                if not _is_delicate(sys._current_frames().get(thread)):
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


def _is_delicate(frame: FrameType | None) -> bool:
    """Whether work is under way that must not be interrupted: see `enforced`."""
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
