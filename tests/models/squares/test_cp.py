"""A puzzle as a model of CP-SAT: custom constraints and hints."""

import pytest
from ortools.sat.python import cp_model

from brute_force import all_solutions, as_brute_force
from cp_solutions import cp_solutions
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.models.base.encodings import CP_NAMES
from jigsat.models.squares.cp import build_cp
from small_puzzles import SYMMETRIC

ENCODINGS = [*CP_NAMES, "booleans+pieces+absent-colors", "element+unpruned"]


def solutions_of(model, *expressions):
    """All of them, each once, as pairs of a board and the values of the expressions."""
    return cp_solutions(model.model, lambda found: (model.solution(found), [*map(found.value, expressions)]))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_model_that_has_constraints_already(encoding):
    """Two puzzles and a number in one model: all combinations that what is said of them permits."""
    model = cp_model.CpModel()
    number = model.new_int_var(0, 5, "number")
    first = build_cp(SYMMETRIC, encoding, model=model)
    second = build_cp(SYMMETRIC, encoding, model=model)
    assert first.model is model is second.model
    model.add(first.on(0, 1) + number == 5)
    found = solutions_of(first, number, *(second.place(0, 1, rotation) for rotation in range(4)))
    solutions = all_solutions(SYMMETRIC)
    expected = [
        (one, [5 - (dict(one)[0, 0][0] == 1), *(dict(other)[0, 0] == (1, rotation) for rotation in range(4))])
        for one in solutions
        for other in solutions
    ]
    assert len(expected) == 64
    assert sorted((as_brute_force(board, 3), values) for board, values in found) == sorted(expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_hints_are_taken_up_and_a_later_one_replaces_an_earlier_one(encoding):
    """A model with two hints about a variable is invalid.  Hints about other variables stay."""
    puzzle = deal_edge_matching(4, 4, 2, 3, seed=2).puzzle
    solutions = all_solutions(puzzle)
    first, last = (tuple(Placement(*what) for _, what in choose(solutions)) for choose in (min, max))
    model = build_cp(puzzle, encoding)
    own = model.model.new_bool_var("own")
    model.model.add_hint(own, True)
    model.hint(first)
    # What a partial board leaves open is found.
    model.hint((*last[:12], *[None] * 4))
    assert model.model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.fix_variables_to_their_hinted_value = True
    assert solver.solve(model.model) == cp_model.OPTIMAL
    assert model.solution(solver) == last
    assert solver.value(own)
