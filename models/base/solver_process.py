"""A SAT solver in a separate process, which a time limit or Ctrl-C can end immediately.

CaDiCaL and others cannot be interrupted from within.  The process is a fresh interpreter that reads commands from its
standard input and answers on its standard output, pickled; it does not share the parent's memory, and it ends with the
parent. `solver_server` has its side.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import EngineError
from ...csp.base.extras import need_posix
from ...csp.base.stopping import never, watched
from ...csp.work.pausing import own_pauses, takes_turns

Integers = NDArray[np.signedinteger]

# How often a waiting caller checks for Ctrl-C and limits.
_WAIT_SECONDS = 0.05
# The number of clauses that are sent at a time; the process reads them in about a tenth of a second.
_PART = 50_000


class SolverProcess:
    """The parent's side: a solver that takes commands and answers.

    Parameters
    ----------
    name
        A solver of PySAT, or the model counter `solver_server.GANAK`.
    proof
        Whether it keeps a proof.

    Attributes
    ----------
    name
        The solver's name.
    statistics
        The solver's statistics up to its last answer: conflicts, propagations and so on.
    """

    def __init__(self, name: str, *, proof: bool = False) -> None:
        need_posix("SAT solvers need")
        self.name, self.statistics = name, dict[str, int]()
        # Only this process handles Ctrl-C and the signals that the system may send to both: the other one blocks them
        # from the beginning, which also prevents PySAT from handling Ctrl-C.
        greets = takes_turns()
        tied = greets or threading.current_thread() is threading.main_thread()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__package__}.solver_server import main; main({tied}, {greets})"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._commands = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._answers = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        self._pauses = own_pauses()
        try:
            if greets:
                # It must not be stopped before it is tied to this process: it would outlive a parent that is killed.
                self._greeting()
            self._pauses.add(self._process)
            self.send("open", name, proof)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "SolverProcess":
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._pauses.remove(self._process)
        self._commands.close()
        self._answers.close()
        self._process.wait()

    def _greeting(self) -> None:
        try:
            self._answers.recv()
        except EOFError:
            raise self._died() from None

    def send(self, command: str, *arguments: Any) -> None:
        """Send a command, without waiting for the answer; arrays are sent as numbers of 32 bits."""
        plain = (a.astype(np.int32).tobytes() if isinstance(a, np.ndarray) else a for a in arguments)
        try:
            self._commands.send((command, *plain))
        except BrokenPipeError:
            raise self._died() from None

    def add(self, clauses: Iterable[Integers], must_stop: Callable[[], bool] = never) -> None:
        """Add clauses, in arrays of clauses of one length each.

        Raises
        ------
        StoppedError
            If `must_stop` asks to stop.
        """
        for block in filter(len, clauses):
            for start in watched(range(0, len(block), _PART), must_stop):
                self.send("add", block[start : start + _PART], block.shape[1])

    def answer(self, must_stop: Callable[[], bool]) -> Any:
        """The next answer; None, after killing the process, if `must_stop` returns true before.

        True variables come as an array, those of several models as one with a row for each model.
        """
        while True:
            if must_stop():
                self._process.kill()
                return None
            if self._answers.poll(_WAIT_SECONDS):
                break
        try:
            answer, self.statistics = self._answers.recv()
        except (EOFError, OSError):
            raise self._died() from None
        match answer:
            case bytes():
                return np.frombuffer(answer, np.int32)
            case models, numbers:
                return np.frombuffer(numbers, np.int32).reshape(models, -1)
        return answer

    def _died(self) -> EngineError:
        return EngineError(f"the solver's process {how_it_ended(self._process)}")


def how_it_ended(process: subprocess.Popen) -> str:
    """How a process ended, in words."""
    code = process.wait()
    return f"ended by signal {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"ended with status {code}"
