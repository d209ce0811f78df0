"""SAT solvers and Ganak in this process, for thousands of short runs: a process for each takes longer than the run."""

import contextlib
from collections import deque
from unittest.mock import patch

import numpy as np

from jigsat.models.base.solver_process import SolverProcess
from jigsat.models.base.solver_server import GANAK, _Counter, _Server

#: The modules that start solvers.
USERS = ("engines.ganak", "engines.sat", "proofs.certificate", "proofs.certify_exactly")


class SolverHere(SolverProcess):
    """The same commands and answers, without the process between them."""

    def __init__(self, name, *, proof=False):
        self.name, self.statistics, self._told = name, {}, deque()
        self._server = _Counter(self._told.append) if name == GANAK else _Server(name, proof, self._told.append)

    def __exit__(self, *exception):
        if self.name not in ("rc2", GANAK) and self._server._solver is not None:
            self._server._solver.delete()

    def send(self, command, *arguments):
        plain = (a.astype(np.int32).tobytes() if isinstance(a, np.ndarray) else a for a in arguments)
        getattr(self._server, command)(*plain)

    def answer(self, must_stop):
        if must_stop():
            return None
        answer, self.statistics = self._told.popleft()
        match answer:
            case bytes():
                return np.frombuffer(answer, np.int32)
            case models, numbers:
                return np.frombuffer(numbers, np.int32).reshape(models, -1)
        return answer


@contextlib.contextmanager
def solvers_here():
    """A context in which SAT solvers run in this process."""
    with contextlib.ExitStack() as stack:
        for user in USERS:
            stack.enter_context(patch(f"jigsat.models.{user}.SolverProcess", SolverHere))
        yield
