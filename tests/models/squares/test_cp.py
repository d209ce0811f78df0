"""A puzzle as a model of CP-SAT: what its variables mean, and custom constraints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from brute_force import all_solutions, as_brute_force
from cp_solutions import cp_solutions
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.slips import anywhere
from jigsat.models.base.encodings import CP_NAMES
from jigsat.models.squares.cp import build_cp
from model_statements import load_4x4, statements
from model_statements import solutions_of as expected_of
from property_tests import examples
from small_puzzles import JIGSAW, SYMMETRIC
from strategies import puzzles

SMALL = [(1, 1), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
ENCODINGS = [*CP_NAMES, "booleans+pieces+absent-colors", "element+unpruned"]


def solutions_of(model, *expressions):
    """All of them, each once, as pairs of a board and the values of the expressions."""
    return cp_solutions(model.model, lambda found: (model.solution(found), [*map(found.value, expressions)]))


def check_statements(puzzle, encoding, slips=(), *, symmetry=False):
    order = tuple(f.square for f in puzzle.fixed)
    order += tuple(square for square in range(len(puzzle.board)) if square not in order)
    expected = expected_of(puzzle, slips, order)
    model = build_cp(puzzle, encoding, order=order, slips=slips, symmetry=symmetry)
    said = list(statements(model))
    boards = []
    for solution, values in solutions_of(model, *(expression for expression, _ in said)):
        boards.append(as_brute_force(solution, puzzle.columns))
        for value, (_, holds) in zip(values, said, strict=True):
            assert value == holds(dict(boards[-1]))
    assert len(set(boards)) == len(boards)
    assert set(boards) <= expected
    assert symmetry or set(boards) == expected
    assert bool(boards) == bool(expected)


@examples(80, quick=17)
@given(puzzles(SMALL), st.sampled_from(ENCODINGS), st.booleans(), st.data())
def test_expressions_mean_what_they_say(puzzle, encoding, symmetry, data):
    """For every solution and everything that can be said; a literal that is free would make two solutions of one."""
    slips = ()
    if data.draw(st.booleans()):
        slips = anywhere(puzzle)[: data.draw(st.integers(1, 2))]
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


@pytest.mark.some_cases(16)
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("puzzle", "slips"),
    [
        *(pytest.param(SYMMETRIC, slips, id=f"symmetric {slips}") for slips in ((), (5, 9))),
        pytest.param(SYMMETRIC, (1,), id="symmetric (1,)", marks=pytest.mark.slow),
        *(pytest.param(JIGSAW, slips, id=f"jigsaw {slips}") for slips in ((), (1,))),
    ],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_expressions_of_symmetric_fixed_and_spare_pieces(encoding, puzzle, slips, symmetry):
    """These are where a variable stands for several placements, or several variables for one."""
    assert expected_of(puzzle, slips, (4, 0, 1, 2, 3, 5) if puzzle is JIGSAW else tuple(range(9)))
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


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
    puzzle, solutions = load_4x4()
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
