"""A SAT solver in a process of its own, which a time limit or Ctrl-C can end at once.

CaDiCaL and others cannot be interrupted from within.  The process is a fresh interpreter that reads commands from its
standard input and answers on its standard output, pickled; it has nothing of the parent's memory, and it ends with it.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import EngineError

Integers = NDArray[np.signedinteger]

# How long the process collects solutions before it sends them, in seconds, and how many at most.
_BATCH_SECONDS = 0.1
_BATCH = 4096

# How often a caller who waits looks for Ctrl-C and limits.
_WAIT_SECONDS = 0.05


class SolverProcess:
    """The parent's side: a solver that is asked and answers.

    Parameters
    ----------
    name
        A solver of PySAT.
    proof
        Whether it keeps a proof.

    Attributes
    ----------
    statistics
        What the solver has counted up to its last answer: conflicts, propagations and so on.
    """

    def __init__(self, name: str, *, proof: bool = False) -> None:
        self.statistics: dict[str, int] = {}
        # Ctrl-C is this process's to notice: the other one has it blocked from its first moment on, which also keeps
        # it from what PySAT does about it.
        tied = threading.current_thread() is threading.main_thread()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import main; main({tied})"],
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
        try:
            self.send("open", name, proof)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "SolverProcess":
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._commands.close()
        self._answers.close()
        self._process.wait()

    def send(self, command: str, *arguments: Any) -> None:
        """Give a command, without waiting for what comes of it."""
        try:
            self._commands.send((command, *arguments))
        except BrokenPipeError:
            raise self._died() from None

    def add(self, clauses: Iterable[Integers]) -> None:
        """Add clauses, in arrays of clauses of one length each."""
        for block in clauses:
            self.send("add", block)

    def answer(self, must_stop: Callable[[], bool]) -> Any:
        """The next answer; None, and the process is dead, if `must_stop` says so before."""
        while not self._answers.poll(_WAIT_SECONDS):
            if must_stop():
                self._process.kill()
                return None
        try:
            answer, self.statistics = self._answers.recv()
        except (EOFError, OSError):
            raise self._died() from None
        return answer

    def _died(self) -> EngineError:
        return EngineError(f"the solver's process {how_it_ended(self._process)}")


def how_it_ended(process: subprocess.Popen) -> str:
    """In words, of a process that has ended or is about to."""
    code = process.wait()
    return f"ended by signal {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"ended with status {code}"


def children_usage() -> tuple[float, float]:
    """CPU seconds and the most memory in MiB of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def main(tied: bool) -> None:
    """The process: commands in, answers out, until its parent closes the pipe (or, if `tied`, ends)."""
    if tied:
        end_with_parent()
    commands, answers = Connection(os.dup(0), writable=False), Connection(os.dup(1), readable=False)
    os.dup2(2, 1)  # what a solver prints must not get between the answers
    server = None
    while True:
        try:
            command, *arguments = commands.recv()
        except EOFError:
            return
        if command == "open":
            name, proof = arguments
            server = _Server(name, proof, answers)
        else:
            getattr(server, command)(*arguments)


def end_with_parent() -> None:
    """Have the kernel end this process when the thread that started it does, where it can (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class _Server:
    """The process's side: a method for each command."""

    def __init__(self, name: str, proof: bool, answers: Any) -> None:
        self._name, self._proof, self._answers = name, proof, answers
        # Kissat takes no clauses once it has run, RC2 before it does: they are made anew for every answer.
        self._clauses: list[Integers] | None = [] if name.startswith("kissat") or name == "rc2" else None
        self._solver: Any = None if self._clauses is not None else self._new()

    def _new(self) -> Any:
        from pysat.solvers import Solver

        return Solver(self._name, with_proof=True) if self._proof else Solver(self._name)

    def add(self, clauses: Integers) -> None:
        """Take clauses."""
        if self._clauses is not None:
            self._clauses.append(clauses)
        else:
            # In parts, for a Python list takes ten times the memory of an array.
            for start in range(0, len(clauses), 100_000):
                self._solver.append_formula(clauses[start : start + 100_000].tolist(), no_return=True)

    def append(self, clauses: list[list[int]]) -> None:
        """Take some clauses of any lengths."""
        for clause in clauses:
            self.add(np.array([clause]))

    def solve(self, wanted: Integers) -> None:
        """Answer whether there is a model: those of the wanted variables that are true, or False."""
        self._tell(self._true(wanted) if self._solve() else False)

    def enumerate(self, wanted: Integers, most: int | None) -> None:
        """Answer with models that differ in the wanted variables: arrays of the true ones, and last None."""
        found: list[Integers] = []
        batch = 1
        sent = time.monotonic()
        while (most is None or most > 0) and self._solve():
            true = self._true(wanted)
            found.append(true)
            most = None if most is None else most - 1
            if len(found) >= batch or time.monotonic() - sent > _BATCH_SECONDS:
                self._tell(np.array(found))
                found, batch, sent = [], min(4 * batch, _BATCH), time.monotonic()
            if not len(true):  # nothing is to be decided, so this model is the only one
                break
            self.add(-true[None])
        if found:
            self._tell(np.array(found))
        self._tell(None)

    def maximise(self, wanted: Integers, soft: list[int]) -> None:
        """Answer with the true ones of the wanted variables in a model with the most true soft literals, or False."""
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        formula = WCNF()
        for block in self._clauses or ():
            formula.extend(block.tolist())
        for literal in soft:
            formula.append([literal], weight=1)
        with RC2(formula) as search:
            model = search.compute()
            self._solver = search.oracle
            self._tell(False if model is None else _among(wanted, model))

    def proof(self, path: str) -> None:
        """Write the proof to a file; answer with the number of its lines."""
        lines = self._solver.get_proof() or []
        if "0" not in lines:  # some solvers leave out the empty clause where propagation alone finds it
            lines.append("0")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{line}\n" for line in lines)
        self._tell(len(lines))

    def _solve(self) -> bool:
        if self._clauses is not None:
            self._solver = self._new()
            for block in self._clauses:
                self._solver.append_formula(block.tolist(), no_return=True)
        return bool(self._solver.solve())

    def _true(self, wanted: Integers) -> Integers:
        return _among(wanted, self._solver.get_model() or [])

    def _tell(self, answer: Any) -> None:
        try:
            statistics = self._solver.accum_stats() or {}
        except NotImplementedError:
            statistics = {}
        self._answers.send((answer, statistics))


def _among(wanted: Integers, model: list[int]) -> Integers:
    """The variables among the wanted ones that are true in a model."""
    literals = np.array(model, dtype=np.int64)
    truth = np.zeros(int(max(wanted.max(initial=0), abs(literals).max(initial=0))) + 1, dtype=bool)
    truth[literals[literals > 0]] = True
    return wanted[truth[wanted]]
