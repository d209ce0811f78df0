"""`jigsat solve --format dimacs`: the answers of a SAT solver, about the formula that `jigsat export` writes."""

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import jigsat as js
from command_line import run


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("engine", ["backtrack", "most-constrained", "sat:cadical195", "cpsat"])
@pytest.mark.parametrize("name", ["made.json", "clue3", "perfect-6x6"])
def test_the_values_satisfy_the_exported_formula(here, capsys, name, engine):
    """Engines break the turns of the board in ways of their own, so that not each finds the board of the formula."""
    js.save(js.make_edge_matching(5, 5, frame_colors=2, inner_colors=3, seed=1), "made.json")
    js.export(js.read(name), "model.cnf")
    status, out, _ = run(capsys, "solve", name, "--engine", engine, "--format", "dimacs")
    lines = out.splitlines()
    assert (status, lines[1]) == (10, "s SATISFIABLE")
    values = [int(word) for line in lines[2:] for word in line.removeprefix("v ").split()]
    with Solver("cadical195", bootstrap_with=CNF(from_file="model.cnf")) as solver:
        assert values[-1] == 0
        assert solver.solve(assumptions=values[:-1])
