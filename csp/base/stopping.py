"""Ctrl-C, and whatever else asks to stop, as something that a search notices in its own time."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")


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
