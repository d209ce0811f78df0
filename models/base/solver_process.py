"""The SAT solvers of PySAT, and one in a separate process, which a time limit or Ctrl-C can end immediately.

CaDiCaL and others cannot be interrupted from within.  The process is a fresh interpreter that reads commands from its
standard input and answers on its standard output, pickled; it does not share the parent's memory, and it ends with the
parent. `solver_server` has its side.
"""

import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import SolverNames

from ...csp.base.errors import EngineError, misspelt
from ...csp.base.stop import never, watched
from ...csp.work.pools import own_pauses, takes_turns

Integers = NDArray[np.signedinteger]

#: PySAT lists two solvers that need libraries that do not come with it.
SOLVERS = tuple(
    name for name in sorted(vars(SolverNames)) if not name.startswith("_") and name not in ("cryptosat", "minisatgh")
)

# Those without proofs, and maplesat, whose proofs PySAT returns with other variables than the formula's.
_WITHOUT_PROOF = frozenset({"kissat404", "maplesat", "mergesat3", "minicard", "minisat22", "minisatep"})

#: The solvers that write proofs.
PROVERS = tuple(name for name in SOLVERS if name not in _WITHOUT_PROOF)

# How often a waiting caller checks for Ctrl-C and limits.
_WAIT_SECONDS = 0.05
# The number of clauses that are sent at a time; the process reads them in about a tenth of a second.
_PART = 50_000


class SolverProcess:
    """The parent's side: a solver that takes commands and answers.

    - `name`: a solver of PySAT, or the model counter `solver_server.GANAK`.
    - `proof`: whether it keeps a proof.

    Attributes:
    - `statistics`: the solver's statistics up to its last answer: conflicts, propagations and so on.
    """

    def __init__(self, name: str, *, proof: bool = False) -> None:
        self.name, self.statistics = name, dict[str, int]()
        greets = takes_turns()
        tied = greets or threading.current_thread() is threading.main_thread()
        with _signals_blocked():
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__package__}.solver_server import main; main({tied}, {greets})"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # This does on Windows what blocking signals does elsewhere.
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._commands, self._answers = self._process.stdin, self._process.stdout
        # A pipe cannot be waited for on every system; a thread that reads from it can.
        self._reader = ThreadPoolExecutor(1)
        from psutil import Process

        self._pauses, self._paused = own_pauses(), Process(self._process.pid)
        try:
            if greets:
                # It must not be stopped before it is tied to this process: it would outlive a parent that is killed.
                self.answer(never)
            self._pauses.add(self._paused)
            self.send("open", name, proof)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "SolverProcess":
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._pauses.remove(self._paused)
        self._reader.shutdown()
        for pipe in (self._commands, self._answers):
            with suppress(OSError):  # of what was not sent
                pipe.close()
        self._process.wait()

    def send(self, command: str, *arguments: Any) -> None:
        """Send a command, without waiting for the answer; arrays are sent as numbers of 32 bits."""
        plain = (a.astype(np.int32).tobytes() if isinstance(a, np.ndarray) else a for a in arguments)
        try:
            pickle.dump((command, *plain), self._commands)
            self._commands.flush()
        except OSError:
            raise self._died() from None

    def add(self, clauses: Iterable[Integers], must_stop: Callable[[], bool] = never) -> None:
        """Add clauses, in arrays of clauses of one length each.

        Raises StoppedError if `must_stop` asks to stop.
        """
        for block in filter(len, clauses):
            for start in watched(range(0, len(block), _PART), must_stop):
                self.send("add", block[start : start + _PART], block.shape[1])

    def answer(self, must_stop: Callable[[], bool]) -> Any:
        """The next answer; None, after killing the process, if `must_stop` returns true before.

        True variables come as an array, those of several models as one with a row for each model.
        """
        answer = self._reader.submit(pickle.load, self._answers)
        while not answer.done():
            if must_stop():
                self._process.kill()
                return None
            wait([answer], _WAIT_SECONDS)
        try:
            found, self.statistics = answer.result()
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self._died() from None
        match found:
            case bytes():
                return np.frombuffer(found, np.int32)
            case models, numbers:
                return np.frombuffer(numbers, np.int32).reshape(models, -1)
        return found

    def _died(self) -> EngineError:
        code = self._process.wait()
        by_signal = f"by signal {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"with status {code}"
        return EngineError(f"the solver's process ended {by_signal}")


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """A context in which processes are started that signals do not reach.

    Only this process handles Ctrl-C and what the system may send to both.  That the other one blocks signals from the
    beginning also prevents PySAT from handling Ctrl-C.
    """
    block = getattr(signal, "pthread_sigmask", None)
    if block is None:
        yield
        return
    before = block(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        block(signal.SIG_SETMASK, before)


def checked_solver(solver: str) -> str:
    """The name of a solver; raises EngineError if it is unknown."""
    if solver not in SOLVERS:
        similar = misspelt(solver, ["cadical195", *SOLVERS])
        raise EngineError(f"unknown solver {similar}, choose from {', '.join(SOLVERS)}")
    return solver


def check_prover(solver: str) -> None:
    """Raise EngineError for a solver that does not write proofs."""
    if solver not in PROVERS:
        named = misspelt(solver, ["cadical195", *PROVERS])
        raise EngineError(f"the solver {named} writes no proofs; those that do: {', '.join(PROVERS)}")
