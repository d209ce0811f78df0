"""The process of a solver by itself: what it takes and answers, and that it starts without numpy."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from jigsat.models.base.solver_process import SOLVERS, SolverProcess

#: Variable 1 or 2, not both; 3 is free.
CLAUSES = [np.array([[1, 2], [-1, -2]])]


def answers(process):
    """All answers of an enumeration, as lists of true variables."""
    found = []
    while (rows := process.answer(lambda: False)) is not None:
        found += [row.tolist() for row in rows]
    return sorted(found)


def test_it_starts_without_numpy():
    """Catches an import that makes each of many short searches a fifth of a second longer."""
    check = "import sys, jigsat.models.base.solver_server, pysat.solvers; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("solver", ["cadical195", "kissat404"])
def test_models_differ_in_the_wanted_variables(solver):
    """Solvers that take clauses on the way, and those that get all of them again."""
    with SolverProcess(solver) as process:
        process.add(CLAUSES)
        process.send("enumerate", np.array([2, 1]), None)
        assert answers(process) == [[1], [2]]
        process.send("solve", np.array([1, 2, 3]))
        assert process.answer(lambda: False) is False


def test_signals_to_a_group_of_processes_are_for_its_parent():
    """Ctrl-C in a terminal, `timeout`, a batch system and a closed terminal reach both; the parent ends it."""
    with SolverProcess(SOLVERS[0]) as process:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(process._process.pid, number)
        process.add(CLAUSES)
        process.send("enumerate", np.array([2, 1]), None)
        assert answers(process) == [[1], [2]]


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name.startswith(("cadical", "glucose", "kissat"))])
def test_an_empty_clause_has_no_model(solver):
    with SolverProcess(solver) as process:
        process.add([*CLAUSES, np.empty((1, 0), dtype=np.int32)])
        process.send("solve", np.array([1]))
        assert process.answer(lambda: False) is False


def test_a_proof_that_cannot_be_written_is_told(tmp_path):
    """The process ended with a traceback, and what had been searched was lost."""
    with SolverProcess("cadical195", proof=True) as process:
        process.add([np.array([[1]]), np.array([[-1]])])
        process.send("solve", np.array([1]))
        assert process.answer(lambda: False) is False
        process.send("proof", str(tmp_path / "no" / "proof"))
        assert process.answer(lambda: False) == "No such file or directory"
        process.send("proof", str(tmp_path / "proof"))
        assert process.answer(lambda: False) == len((tmp_path / "proof").read_text().splitlines())
