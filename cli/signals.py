"""Signals end the process of a command within half a second: Ctrl-C, SIGTERM and SIGHUP.

A search ends in order and keeps what it has: see `csp.base.stop`.  Where a command does not react, in an import, in
a library or while a kernel is compiled, and has nothing to keep, a thread ends the process.  This module imports next
to nothing, so that signals are handled from the beginning.
"""

import os
import signal
import sys
from _thread import start_new_thread
from collections.abc import Callable
from time import monotonic, sleep
from types import FrameType

#: The exit status that commands return after a signal; that of the process depends on the signal.
INTERRUPTED = 130
_STATUS = {1: 129, 2: INTERRUPTED, 15: 143}
# How long a command may take to end by itself, and how often it is checked after that.
_GRACE, _TICK = 0.3, 0.02


class Signals:
    """The signals that this process has received, and what they do.

    Attributes:
    - `received`: the first signal that asked the process to end; None so far.
    - `raised`: whether KeyboardInterrupt was raised for one.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self.raised = self._guarded = self._hung_up = False
        # When the process is ended after the first signal, and how often Ctrl-C was pressed.
        self._deadline: float | None = None
        self._pressed = 0
        self._terminals: list[int] = []
        self._handled: set[int] = set()
        # Whether the process may be ended at any point, and what is to be done before; None while there is no work.
        self._may_end: Callable[[], bool] | None = None
        self._clean: Callable[[], None] | None = None

    def guard(self) -> None:
        """Have signals end this process.

        A signal that is ignored when the process begins, as SIGHUP under `nohup`, stays ignored.
        """
        if self._guarded:
            return
        self._guarded = True
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]
        read, write = os.pipe()
        if hasattr(os, "set_blocking"):  # Windows has had it since Python 3.12, and does not need it
            os.set_blocking(write, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)
                self._handled.add(int(number))
        start_new_thread(self._watch, (read,))

    def work(self, may_end: Callable[[], bool], clean: Callable[[], None]) -> None:
        """The work of a command begins: from now on the process ends at any point only if `may_end`, after `clean`."""
        self._may_end, self._clean = may_end, clean

    def status(self, status: int) -> int:
        """The exit status of the process of a command that has ended with a status."""
        return _STATUS[self.received] if status == INTERRUPTED and self.received is not None else status

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.received = self.received or number
        if number != signal.SIGINT:
            if self._hung_up:
                # `timeout` and closing a terminal send it twice, but a second one must not end the end.
                return
            self._hung_up = True
            self._leave_terminals()
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler) and handler != self._handle:
                handler(number, frame)
                return
        if self._may_end is None or _imports(frame):
            self._end()
        # What libraries print about it is of no use.
        sys.unraisablehook, self.raised = lambda _: None, True
        raise KeyboardInterrupt

    def _leave_terminals(self) -> None:
        """Print nothing more to a terminal that has been closed: every attempt would be an error."""
        for descriptor in self._terminals:
            if not os.isatty(descriptor):
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)

    def _watch(self, pipe: int) -> None:
        """Note each signal, and have the first one end the process in a while."""
        while True:
            number = os.read(pipe, 1)[0]
            if number not in self._handled:
                continue
            self.received = self.received or number
            self._pressed += number == signal.SIGINT
            if self._deadline is None or self._pressed == 2:
                begins, self._deadline = self._deadline is None, monotonic() + _GRACE
                if begins:
                    start_new_thread(self._wait, ())

    def _wait(self) -> None:
        """End the process if a signal has had no effect for a while, and it may be ended."""
        while True:
            sleep(_TICK)
            is_due = self._deadline is not None and monotonic() >= self._deadline
            # A second Ctrl-C ends it at any point.
            if is_due and (self._pressed > 1 or self._may_end is None or self._may_end()):
                self._end()

    def _end(self) -> None:
        """End the process here."""
        try:
            if self._clean is not None:
                self._clean()
            # A progress bar may stand on the line.
            os.write(2, b"\njigsat: interrupted\n" if 2 in self._terminals else b"jigsat: interrupted\n")
        finally:
            os._exit(self.status(INTERRUPTED))


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported, which would turn KeyboardInterrupt into other errors."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


#: The signals of this process.
SIGNALS = Signals()
