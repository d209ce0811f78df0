"""Ctrl-C, and whatever else asks to stop, as something that a search notices in its own time."""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from .progress import Progress, Report

_T = TypeVar("_T")
_REPORT_SECONDS = 0.1


@contextmanager
def interrupts_noted() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C only sets the event, so that a search ends in good order; the second one raises."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def note(signum: int, frame: object) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


class Stop:
    """The clock of a piece of work, and all that may end it: a time limit, Ctrl-C, and whoever asked for it.

    Parameters
    ----------
    seconds
        The time limit; None for none.
    asked
        Are asked whether the work must end: Ctrl-C, if it is noted, and callers.
    report
        Is told how far the work is, at most ten times a second.

    Attributes
    ----------
    started
        When the work began, by `time.perf_counter`.
    ended_by
        What ended the work, ``"time"`` or ``"interrupt"``; None so far.
    """

    def __init__(self, seconds: float | None = None, *asked: Callable[[], bool], report: Report | None = None) -> None:
        self.started = time.perf_counter()
        self.limit, self._asked, self._report = seconds, asked, report
        self.ended_by: str | None = None
        self._note: str | None = None
        self._reported = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without one."""
        return None if self.limit is None else max(self.limit - self.seconds, 0.0)

    @property
    def interrupted(self) -> bool:
        """Whether someone asks to stop, whatever the time limit says."""
        if any(asks() for asks in self._asked):
            self.ended_by = "interrupt"
            return True
        return False

    def __call__(self) -> bool:
        """Whether the work must end now."""
        if self._report is not None and self._note is not None and self.seconds - self._reported > _REPORT_SECONDS:
            self.tell(self._note)
        if not self.interrupted and self.seconds_left == 0:
            self.ended_by = self.ended_by or "time"
        return self.ended_by is not None

    def tell(self, note: str, done: float = 0.0) -> None:
        """Report what is being done, and the part of it that lies behind."""
        self._note, self._reported = note, self.seconds
        if self._report is not None:
            self._report(Progress(done=done, seconds=self.seconds, note=note))


@contextmanager
def stoppable(seconds: float | None = None, *asked: Callable[[], bool], report: Report | None = None) -> Iterator[Stop]:
    """Within, the work ends at a time limit, at the first Ctrl-C, or when a caller asks; parameters are `Stop`'s."""
    with interrupts_noted() as interrupted:
        yield Stop(seconds, interrupted.is_set, *asked, report=report)


def aside(call: Callable[..., _T], *arguments: object, **options: object) -> _T:
    """What a call returns, made in a thread of its own.

    For PySAT, which in the main thread takes Ctrl-C for itself: it leaves its C code wherever that is, and may hang.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call, *arguments, **options).result()


class StoppedError(Exception):
    """Work that was asked to stop has stopped."""


def never() -> bool:
    """Never asks to stop."""
    return False


def watched(items: Iterable[_T], must_stop: Callable[[], bool]) -> Iterator[_T]:
    """The items, as long as nothing asks to stop.

    Raises
    ------
    StoppedError
        If `must_stop` asks to stop.
    """
    for item in items:
        if must_stop():
            raise StoppedError
        yield item
