"""Pauses of work that takes turns with other work, in all its threads and processes."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class Pauses:
    """The switch that makes a piece of work wait.

    Its threads call `wait` wherever they check whether they must stop.  Its processes, registered by `add`, are stopped
    and continued by the system; if that is impossible they go on.
    """

    def __init__(self) -> None:
        self._going = threading.Event()
        self._going.set()
        self._processes: list[subprocess.Popen] = []
        self._lock = threading.Lock()

    @property
    def paused(self) -> bool:
        """Whether the work must wait."""
        return not self._going.is_set()

    def wait(self) -> None:
        """Block until the work may go on."""
        self._going.wait()

    def pause(self) -> None:
        """Make the work wait from its next call of `wait`, its processes immediately."""
        with self._lock:
            self._going.clear()
            self._signal("SIGSTOP")

    def go_on(self) -> None:
        """Let the work go on."""
        with self._lock:
            self._signal("SIGCONT")
            self._going.set()

    def add(self, process: subprocess.Popen) -> None:
        """Register a process that belongs to the work; it will wait, too."""
        with self._lock:
            self._processes.append(process)
            if self.paused:
                self._signal("SIGSTOP")

    def remove(self, process: subprocess.Popen) -> None:
        """Forget a process, if it was registered."""
        with self._lock, suppress(ValueError):
            self._processes.remove(process)

    def _signal(self, name: str) -> None:
        if os.name == "posix":
            for process in self._processes:
                # A process that has ended, and was waited for, gets no signal.
                with suppress(ProcessLookupError):
                    process.send_signal(getattr(signal, name))


_OWN: ContextVar[Pauses | None] = ContextVar("pauses", default=None)


def own_pauses() -> Pauses:
    """The pauses of the work of this thread; by default they never make it wait."""
    pauses = _OWN.get()
    return Pauses() if pauses is None else pauses


def takes_turns() -> bool:
    """Whether the work of this thread may be paused."""
    return _OWN.get() is not None


@contextmanager
def paused_by(pauses: Pauses) -> Iterator[None]:
    """A context in which this thread does the work of these pauses."""
    token = _OWN.set(pauses)
    try:
        yield
    finally:
        _OWN.reset(token)
