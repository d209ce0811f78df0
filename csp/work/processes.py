"""Processes that call functions one after another, say how far they are, and stop when they are asked to."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass, replace
from pickle import PicklingError
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from ..base.errors import JigsatError
from ..base.stop import Progress, Report, is_delicate, never

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

# How often to look whether a call is to stop, in seconds.
_POLL = 0.05
# The shortest time between two messages on progress; how long a call has to end if the server is gone; how soon to try
# again to interrupt what must not be interrupted.
_PERIOD, _GRACE, _AGAIN = 0.2, 10.0, 0.05
# The most letters of an answer in words, and of its record.
_MOST_WORDS, _MOST_RECORD = 10_000, 100_000


@dataclass(frozen=True)
class Call:
    """A call of a function of this package, which a process does."""

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it takes a `report`.
    reports: bool = False
    #: Whether only the words and the record of the result are wanted, which may be large.
    brief: bool = False


def _brief(result: Any) -> tuple[str, Any]:
    """A result in words, and its record with the first solution only, as JSON data; None if it is too long."""
    # A picture says what it shows; its text is an SVG.
    words, some = str(getattr(result, "about", result)), getattr(result, "solutions", None)
    if is_dataclass(result) and isinstance(some, tuple):
        result = replace(result, solutions=some[:1])  # pyright: ignore
    record = getattr(result, "record", None)
    told = json.dumps(record() if callable(record) else record, default=str)
    return words[:_MOST_WORDS], json.loads(told) if len(told) <= _MOST_RECORD else None


class StoppedCallError(Exception):
    """A call was stopped and has no result."""


class Helper:
    """A process that does one call at a time; it is started for the first one, and again if it died.

    Parameters
    ----------
    folder
        The folder in which it works.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: Any = None
        self._connection: Any = None

    def call(
        self,
        call: Call,
        report: Report | None = None,
        notice: Callable[[str], object] = lambda text: None,
        stopped: Callable[[], bool] = never,
    ) -> Any:
        """Do a call and return its result; one thread at a time.

        `stopped` is asked many times a second: a call that it stops returns what it has.

        Raises StoppedCallError if it has nothing. Raises JigsatError if the call does, or its process died.
        """
        if stopped():
            raise StoppedCallError
        self.start()
        try:
            return self._served(call, report, notice, stopped)
        except (EOFError, OSError):
            self.close()
            raise JigsatError("the process of this work has died; it may have lacked memory") from None

    def start(self) -> None:
        """Start the process unless it runs."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=serve, args=(other, str(self._folder)))
            self._process.start()
            other.close()

    def close(self, seconds: float = 0.01) -> None:
        """End the process, and wait so long for that; what it does is interrupted."""
        if self._process is not None:
            self._connection.close()
            # Those that take longer are collected when the next one starts, or the server ends.
            self._process.join(seconds)
            self._process = None

    def _served(self, call: Call, report: Any, notice: Any, stopped: Callable[[], bool]) -> Any:
        self._connection.send(call)
        is_told = False
        while True:
            if not is_told and stopped():
                is_told = True
                self._connection.send("stop")
            if not self._connection.poll(_POLL):
                continue
            kind, value = self._connection.recv()
            if kind == "progress" and report is not None:
                report(value)
            elif kind == "notice":
                notice(value)
            elif kind == "refused":
                raise JigsatError(value)
            elif kind == "stopped":
                raise StoppedCallError
            elif kind == "done":
                return value


def serve(connection: Connection, folder: str) -> None:
    """Do the calls that arrive, until the other end is closed; they see this folder as the current one.

    Messages out are pairs: ``progress``, ``notice`` (a warning), and at last ``done`` with the result, ``refused`` with
    the error's text, or ``stopped``.
    """
    # Ctrl-C in the terminal is for the server, which says what is to end.
    if hasattr(os, "setsid"):
        with suppress(OSError):
            os.setsid()
    if os.path.isdir(folder):
        os.chdir(folder)
    worker = _Worker(connection)
    threading.Thread(target=worker.listen, daemon=True).start()
    # The server is gone if a message cannot be sent.
    with suppress(OSError):
        while (call := worker.calls.get()) is not None:
            worker.do(call)


class _Worker:
    """The main thread does the calls; another one listens, and interrupts the call once if it is to stop."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.calls: SimpleQueue[Call | None] = SimpleQueue()
        # Whether the call is to stop; whether the main thread may be interrupted; whether it sends a message.
        self._stopped = self._interruptible = self._sending = False
        self._reported, self._best = 0.0, None
        signal.signal(signal.SIGINT, self._interrupted)

    def listen(self) -> None:
        """Pass calls on, and interrupt the running one if it is to stop, or if the server is gone."""
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                self.calls.put(None)
                self._stop()
                time.sleep(_GRACE)
                os._exit(1)
            if isinstance(message, Call):
                self._stopped = False
                self.calls.put(message)
            else:
                self._stop()

    def _stop(self) -> None:
        # A second interrupt would end a search that is keeping what it has found.
        self._stopped, before = True, self._stopped
        if not before:
            self._interrupt()

    @staticmethod
    def _interrupt() -> None:
        """Ctrl-C in the main thread."""
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            import _thread

            _thread.interrupt_main()

    def _interrupted(self, signum: int, frame: Any) -> None:
        """Ctrl-C outside searches, which have a handler of their own."""
        # One that comes late must not end the next call.
        if not (self._interruptible and self._stopped):
            return
        if self._sending or is_delicate(frame):
            threading.Timer(_AGAIN, self._interrupt).start()
        else:
            self._interruptible = False
            raise KeyboardInterrupt

    def do(self, call: Call) -> None:
        """Do a call, and send what becomes of it."""
        self._reported, self._best = 0.0, None
        options = {**call.options, **({"report": self._report} if call.reports else {})}
        noted: list[warnings.WarningMessage] = []
        try:
            with warnings.catch_warnings(record=True) as noted:
                warnings.simplefilter("always", UserWarning)
                answer = "done", self._called(call, options)
        except KeyboardInterrupt:
            answer = "stopped", None
        except MemoryError:
            answer = "refused", "this work needs more memory than there is"
        except Exception as error:
            answer = "refused", error_line(error)
        for warning in noted:
            if issubclass(warning.category, UserWarning):
                self._connection.send(("notice", str(warning.message)))
        try:
            self._connection.send(answer)
        except (AttributeError, TypeError, PicklingError) as error:
            # What cannot be pickled is not sent, also not in part.
            self._connection.send(("refused", error_line(error)))

    def _called(self, call: Call, options: Mapping[str, Any]) -> Any:
        try:
            self._interruptible = True
            if self._stopped:
                raise KeyboardInterrupt
            result = call.function(*call.given, **options)
        finally:
            self._interruptible = False
        return _brief(result) if call.brief else result

    def _report(self, progress: Progress) -> None:
        """Send the progress now and then: without what only files need, and the best board only if it is another."""
        if self._sending or time.monotonic() - self._reported < _PERIOD:
            return
        self._reported, new = time.monotonic(), progress.best is not self._best
        self._best = progress.best
        self._sending = True
        try:
            # If the server is gone, the other thread ends the call.
            with suppress(OSError):
                best = [list(placed) for placed in self._best] if new and isinstance(self._best, tuple) else None
                self._connection.send(("progress", replace(progress, place=None, best=best)))
        finally:
            self._sending = False


def error_line(error: Exception) -> str:
    """An error in a line, and its further faults in others; the terminal shows where a fault of this package is."""
    if isinstance(error, JigsatError):
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    traceback.print_exception(error)
    return f"this is a fault of jigsat, and the terminal shows where: {type(error).__name__}: {error}"
