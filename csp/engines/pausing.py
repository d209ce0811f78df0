"""Pauses: work that takes turns with other work waits, whatever threads and processes it goes on in."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class Pauses:
    """Tells a piece of work when to wait.

    Its threads ask, by `wait`, wherever they ask whether they must stop.  Its processes, made known by `add`, are
    stopped and continued by the system; where that cannot be done they go on.
    """

    def __init__(self) -> None:
        self._going = threading.Event()
        self._going.set()
        self._processes: list[subprocess.Popen] = []
        self._lock = threading.Lock()

    @property
    def paused(self) -> bool:
        """Whether the work is to wait."""
        return not self._going.is_set()

    def wait(self) -> None:
        """Return when the work may go on."""
        self._going.wait()

    def pause(self) -> None:
        """Have the work wait from its next question on, its processes at once."""
        with self._lock:
            self._going.clear()
            self._signal("SIGSTOP")

    def go_on(self) -> None:
        """Have the work go on."""
        with self._lock:
            self._signal("SIGCONT")
            self._going.set()

    def add(self, process: subprocess.Popen) -> None:
        """Have a process wait, too, which works for this work."""
        with self._lock:
            self._processes.append(process)
            if self.paused:
                self._signal("SIGSTOP")

    def remove(self, process: subprocess.Popen) -> None:
        """Leave a process alone from now on, if it was made known."""
        with self._lock, suppress(ValueError):
            self._processes.remove(process)

    def _signal(self, name: str) -> None:
        if os.name == "posix":
            for process in self._processes:
                # Whoever has ended, and was waited for, gets none.
                with suppress(ProcessLookupError):
                    process.send_signal(getattr(signal, name))


_OWN: ContextVar[Pauses | None] = ContextVar("pauses", default=None)


def own_pauses() -> Pauses:
    """The pauses of the work that this thread does; none ever come where nobody makes any."""
    pauses = _OWN.get()
    return Pauses() if pauses is None else pauses


def takes_turns() -> bool:
    """Whether this thread does work that may be made to wait, from its beginning to its end."""
    return _OWN.get() is not None


@contextmanager
def paused_by(pauses: Pauses) -> Iterator[None]:
    """Within, this thread does the work that these pauses are for."""
    token = _OWN.set(pauses)
    try:
        yield
    finally:
        _OWN.reset(token)
