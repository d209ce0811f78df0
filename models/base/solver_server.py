"""The process of a SAT solver or a model counter: commands in, answers out.

Literals and variables come and go as numbers of 32 bits.  This module does not use NumPy, which would take three
quarters of the start time of the process.
"""

import os
import pickle
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from itertools import chain, starmap
from operator import neg
from typing import Any

#: The name of the model counter among the solvers.
GANAK = "ganak"

# How long the process collects solutions before it sends them, in seconds, and how many at most.
_BATCH_SECONDS = 0.1
_BATCH = 4096

# The number of clauses that are passed to the solver at a time.
_PART = 100_000

# The part of the free memory that a model counter may use for what it remembers.
_MEMORY = 0.8


# Passes an answer to the parent.
_Send = Callable[[Any], object]


def main(tied: bool, greets: bool) -> None:
    """The process: commands in, answers out, until its parent closes the pipe (or, if `tied`, ends).

    With `greets`, its first answer reports that it is tied.
    """
    if tied:
        _end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a solver prints must not get between the answers
    server = None

    def send(answer: Any) -> None:
        pickle.dump(answer, answers)
        answers.flush()

    if greets:
        send((None, {}))
    while True:
        try:
            command, *arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):  # the second one if it was closed within a command
            return
        if command == "open":
            name, proof = arguments
            if name == GANAK:
                _bound_memory()
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # it prints even where it should be silent
            server = _Counter(send) if name == GANAK else _Server(name, proof, send)
        else:
            getattr(server, command)(*arguments)


def _end_with_parent() -> None:
    """Have the system kernel end this process with the thread that started it, if possible (Linux)."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _bound_memory() -> None:
    """Bound the memory of a model counter, which remembers counts without a bound of its own (Linux)."""
    if sys.platform == "linux":
        import psutil

        process, most = psutil.Process(), int(_MEMORY * psutil.virtual_memory().available)
        _, hard = process.rlimit(psutil.RLIMIT_AS)
        process.rlimit(psutil.RLIMIT_AS, (most if hard == psutil.RLIM_INFINITY else min(most, hard), hard))


class _Server:
    """The process's side: a method for each command."""

    def __init__(self, name: str, proof: bool, send: _Send) -> None:
        self._name, self._proof, self._send = name, proof, send
        # Kissat takes clauses only before its run, RC2 only after it: they are kept, and passed again for every answer.
        self._kept: list[tuple[array[int], int]] | None = [] if name.startswith("kissat") or name == "rc2" else None
        self._solver: Any = None if self._kept is not None else self._new()

    def _new(self) -> Any:
        from pysat.solvers import Solver

        return Solver(self._name, with_proof=True) if self._proof else Solver(self._name)

    def add(self, numbers: bytes, length: int) -> None:
        """Take clauses of one length, one after the other."""
        self._take(array("i", numbers), length)

    def append(self, clauses: list[list[int]]) -> None:
        """Take clauses of any lengths."""
        for clause in clauses:
            self._take(array("i", clause), len(clause))

    def _take(self, literals: "array[int]", length: int) -> None:
        if self._kept is not None:
            self._kept.append((literals, length))
        else:
            for clauses in _lists(literals, length):
                self._solver.append_formula(clauses, no_return=True)

    def solve(self, wanted: bytes) -> None:
        """Answer whether there is a model: those of the wanted variables that are true, or False."""
        self._tell(self._true(frozenset(array("i", wanted))).tobytes() if self._solve() else False)

    def enumerate(self, wanted: bytes, most: int | None) -> None:
        """Answer with models that differ in the wanted variables: how many, and the true ones; last None."""
        variables = frozenset(array("i", wanted))
        found: list[bytes] = []
        told, batch = 0, 1
        sent = time.monotonic()
        while (most is None or told + len(found) < most) and self._solve():
            true = self._true(variables)
            found.append(true.tobytes())
            if len(found) >= batch or time.monotonic() - sent > _BATCH_SECONDS:
                self._tell((len(found), b"".join(found)))
                told += len(found)
                found, batch, sent = [], min(4 * batch, _BATCH), time.monotonic()
            if not true:  # there are no wanted variables, so this model is the only one
                break
            self._take(array("i", map(neg, true)), len(true))
        if found:
            self._tell((len(found), b"".join(found)))
        self._tell(None)

    def maximise(self, wanted: bytes, soft: list[int]) -> None:
        """Answer with the true ones of the wanted variables in a model with the most true soft literals, or False."""
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        formula = WCNF()
        for clauses in chain.from_iterable(starmap(_lists, self._kept or ())):
            formula.extend(clauses)
        for literal in soft:
            formula.append([literal], weight=1)
        with RC2(formula) as search:
            model = search.compute()
            self._solver = search.oracle
            self._tell(False if model is None else _among(frozenset(array("i", wanted)), model).tobytes())

    def proof(self, path: str) -> None:
        """Write the proof to a file; answer with the number of its lines, or with why it cannot be written."""
        lines = self._solver.get_proof() or []
        if "0" not in lines:  # some solvers omit the empty clause if propagation alone finds it
            lines.append("0")
        try:
            with open(path, "w", encoding="ascii", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
        except OSError as error:
            self._tell(error.strerror)
        else:
            self._tell(len(lines))

    def _solve(self) -> bool:
        if self._kept is not None:
            self._solver = self._new()
            for clauses in chain.from_iterable(starmap(_lists, self._kept)):
                self._solver.append_formula(clauses, no_return=True)
        return bool(self._solver.solve())

    def _true(self, wanted: frozenset[int]) -> "array[int]":
        return _among(wanted, self._solver.get_model() or [])

    def _tell(self, answer: Any) -> None:
        try:
            statistics = self._solver.accum_stats() or {}
        except NotImplementedError:
            statistics = {}
        self._send((answer, statistics))


class _Counter:
    """The process's side of the model counter Ganak, which answers once and has no statistics."""

    def __init__(self, send: _Send) -> None:
        from pyganak import Counter

        self._send, self._counter = send, Counter()

    def add(self, numbers: bytes, length: int) -> None:
        """Take clauses of one length, one after the other."""
        for clauses in _lists(array("i", numbers), length):
            self._counter.add_clauses(clauses)

    def count(self, wanted: bytes) -> None:
        """Answer with the number of models that differ in the wanted variables."""
        from psutil import Process

        self._counter.set_sampling_set(array("i", wanted))
        try:
            number = self._counter.count()
        except (MemoryError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and "bad_alloc" not in str(error):
                raise
            # The parent reports it as it reports the system's own kills for want of memory.
            Process().kill()
        else:
            self._send((number, {}))


def _lists(literals: "array[int]", length: int) -> Iterator[list[list[int]]]:
    """Clauses in PySAT's form, in parts, because lists take ten times the memory of an array."""
    if not length:
        yield [[]]
    else:
        for start in range(0, len(literals), length * _PART):
            part = literals[start : start + length * _PART].tolist()
            yield [part[i : i + length] for i in range(0, len(part), length)]


def _among(wanted: frozenset[int], model: list[int]) -> "array[int]":
    """The wanted variables that are true in a model, in ascending order."""
    return array("i", filter(wanted.__contains__, model))
