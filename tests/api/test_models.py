"""Models: their solutions, own clauses and constraints, and the words for them."""

import pytest
from ortools.sat.python.cp_model import CpSolver
from pysat.solvers import Solver

from jigsat import check, cnf, cp_model, read_dissection, read_squares
from jigsat.csp.base.errors import UsageError
from jigsat.estimators.owen.best_order import best_order

CLUE, L_SHAPE = read_squares("clue3"), read_dissection("l-shape")


@pytest.mark.parametrize(("puzzle", "motions"), [(CLUE, None), (L_SHAPE, "lattice")], ids=["squares", "dissection"])
def test_solutions_of_models(puzzle, motions):
    """Catches models of another puzzle, answers that are read wrongly, and custom clauses that get lost."""
    model = cnf(puzzle, motions=motions)
    with Solver("cadical195", bootstrap_with=model.cnf) as solver:
        assert solver.solve()
        found = model.solution(solver.get_model())
    assert found.puzzle.pieces == puzzle.pieces
    assert check(puzzle, found).holds
    (true,) = model.assignments(found)
    model.cnf.append([-variable for variable in true])
    with Solver("cadical195", bootstrap_with=model.cnf) as solver:
        assert not solver.solve() or model.solution(solver.get_model()) != found
    built, cp = cp_model(puzzle, motions=motions), CpSolver()
    cp.solve(built.model)
    assert check(puzzle, built.solution(cp)).holds


def test_what_is_excluded_is_excluded_from_the_formula_of_pysat():
    """Catches a formula that was asked for before, and goes without."""
    model = cnf(L_SHAPE, motions="lattice")
    before, number = len(model.cnf.clauses), 0
    with Solver("cadical195", bootstrap_with=model.cnf) as solver:
        assert solver.solve()
        found = model.solution(solver.get_model())
    model.exclude(found)
    assert len(model.cnf.clauses) == len(model.clauses) > before
    while True:
        with Solver("cadical195", bootstrap_with=model.cnf) as solver:
            if not solver.solve():
                break
            number += 1
            model.cnf.append([-literal for literal in model.assignments(model.solution(solver.get_model()))[0]])
    assert number == 23


def test_orders_and_slips():
    """Catches an order that is not the one that is asked for; slips count along it."""
    order = best_order(CLUE, "20").order
    for model in (cnf(CLUE, order="best", slips="20"), cp_model(CLUE, order="best", slips="20")):
        assert tuple(model.domains.order) == order
        assert model.domains.slips == (20,)


@pytest.mark.parametrize("build", [cnf, cp_model])
@pytest.mark.parametrize(
    ("puzzle", "options", "message"),
    [
        (CLUE, {"encoding": 5}, "encoding: 5 is not text"),
        (CLUE, {"symmetry": "no"}, "symmetry: 'no' is neither True nor False"),
        (L_SHAPE, {"encoding": 5, "motions": "lattice"}, "encoding: 5 is not text"),
    ],
)
def test_what_cannot_be_built(build, puzzle, options, message):
    with pytest.raises(UsageError, match=message):
        build(puzzle, **options)
