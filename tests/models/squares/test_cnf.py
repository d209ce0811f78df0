"""A puzzle as a formula: what its variables mean, and custom constraints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from brute_force import as_brute_force, spin
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import anywhere
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES, REDUNDANT
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from model_statements import mismatch, shown, statements
from model_statements import solutions_of as expected_of
from property_tests import examples
from small_puzzles import JIGSAW, SYMMETRIC
from strategies import puzzles

SMALL = [(1, 1), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
ENCODINGS = [*CNF_NAMES, "direct+pieces", "pairs+pieces+absent-colors", "diamond+unpruned", "direct+unpruned"]


def models_of(model):
    """Every model, as the set of true variables, with its board; two differ in a variable that has a name."""
    decided = set(model.pool.id2obj)
    with Solver("glucose4", bootstrap_with=model.cnf) as solver:
        while solver.solve():
            found = solver.get_model()
            yield {literal for literal in found if literal > 0}, model.solution(found)
            solver.add_clause([-literal for literal in found if abs(literal) in decided])


def check_statements(puzzle, encoding, slips=(), *, symmetry=False):
    order = tuple(f.square for f in puzzle.fixed)
    order += tuple(square for square in range(len(puzzle.board)) if square not in order)
    expected = expected_of(puzzle, slips, order)
    model = build_cnf(puzzle, encoding, order=order, slips=slips, symmetry=symmetry)
    said = list(statements(model))
    assert [literal for literal, _ in statements(model)] == [literal for literal, _ in said]
    for literal, _ in said:
        assert literal != 0
        assert abs(literal) <= max(model.cnf.nv, model.pool.top)
    boards = []
    for true, solution in models_of(model):
        boards.append(as_brute_force(solution, puzzle.columns))
        board = dict(boards[-1])
        for literal, holds in said:
            assert ((literal in true) if literal > 0 else (-literal not in true)) == holds(board)
        check_names(model, true, board)
    assert len(set(boards)) == len(boards)
    assert set(boards) <= expected
    assert symmetry or set(boards) == expected
    assert bool(boards) == bool(expected)


def check_names(model, true, board):
    """What the names say of a model is what is on the board; several of one name differ by a number."""
    puzzle, pinned = model.puzzle, {f.piece for f in model.puzzle.fixed}
    several = {}
    for variable, (word, *numbers) in model.names():
        match word, numbers:
            case "place", (piece, square, rotation):
                at = divmod(square, puzzle.columns)
                looks = shown(puzzle, board, at) == spin(puzzle.pieces[piece], rotation)
                alike = model.domains.symmetry and {piece, board[at][0]}.isdisjoint(pinned)
                assert (variable in true) == (looks if alike else board[at] == (piece, rotation))
            case "on", (piece, square, *_):
                several.setdefault((piece, square), []).append(variable in true)
            case "color", (square, side, color):
                assert (variable in true) == (shown(puzzle, board, divmod(square, puzzle.columns))[side] == color)
            case "invalid", (square, side):
                assert (variable in true) == mismatch(puzzle, board, divmod(square, puzzle.columns), side)
            case _:
                raise AssertionError(word)
    for (piece, square), values in several.items():
        own = board[divmod(square, puzzle.columns)][0]
        turns = [spin(puzzle.pieces[piece], rotation) for rotation in range(4)]
        alike = model.domains.symmetry and {piece, own}.isdisjoint(pinned)
        assert sum(values) == (list(puzzle.pieces[own]) in turns if alike else own == piece)


@examples(150, quick=25)
@given(puzzles(SMALL), st.sampled_from(ENCODINGS), st.booleans(), st.data())
def test_literals_mean_what_they_say(puzzle, encoding, symmetry, data):
    """For every solution and everything that can be said; a literal that is free would make two models of one."""
    slips = ()
    if data.draw(st.booleans()):
        slips = anywhere(puzzle)[: data.draw(st.integers(1, 2))]
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


@pytest.mark.some_cases(20)
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("puzzle", "slips"),
    [
        *(pytest.param(SYMMETRIC, slips, id=f"symmetric {slips}") for slips in ((), (5, 9))),
        pytest.param(SYMMETRIC, (1, 1), id="symmetric (1, 1)", marks=pytest.mark.slow),
        *(pytest.param(JIGSAW, slips, id=f"jigsaw {slips}") for slips in ((), (1,))),
    ],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_literals_of_symmetric_fixed_and_spare_pieces(encoding, puzzle, slips, symmetry):
    """These are where a variable stands for several placements, or several variables for one."""
    assert expected_of(puzzle, slips, (4, 0, 1, 2, 3, 5) if puzzle is JIGSAW else tuple(range(9)))
    check_statements(puzzle, encoding, slips, symmetry=symmetry)


@pytest.mark.parametrize("redundant", [(), tuple(REDUNDANT)])
@pytest.mark.parametrize("encoding", CNF_NAMES)
def test_names_are_unique_and_those_of_the_pool(encoding, redundant):
    """A new variable of the pool that took a number of the formula's own would change its meaning."""
    puzzle = deal_edge_matching(5, 6, 3, 4, seed=1).puzzle
    options = [one for one in redundant if encoding != "direct" or one not in ("absent-colors", "color-counts")]
    model = build_cnf(puzzle, "+".join([encoding, *options]), slips="20x2", symmetry=True)
    named = list(model.names())
    assert len({variable for variable, _ in named}) == len({name for _, name in named}) == len(named)
    assert all(0 < variable <= model.clauses.top for variable, _ in named)
    assert all(model.pool.id(name) == variable and model.pool.obj(variable) == name for variable, name in named)
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.pool.id("mine") == model.clauses.top + 1
    assert model.cnf.nv == model.clauses.top == max(abs(literal) for clause in model.clauses for literal in clause)
    every = [*model.variables.unit, *model.variables.witness.ravel(), *model.variables.invalid]
    every += [variable for variable in model.variables.color.ravel() if variable]
    assert {variable for variable, _ in named} == set(every)


BUILDS = [*((build_cnf, encoding) for encoding in ENCODINGS), *((build_cp, name) for name in CP_NAMES)]


@pytest.mark.parametrize(("build", "encoding"), BUILDS)
def test_numbers_out_of_range(build, encoding):
    """They are refused, not taken from the other end."""
    model = build(JIGSAW, encoding)
    calls = [
        ("place", 0, 8, 0),
        ("place", 0, -1, 0),
        ("place", 6, 0, 0),
        ("place", 0, 0, 4),
        ("on", 0, 8),
        ("on", -1, 0),
    ]
    calls += [("on", "A1", 0), ("on", "A1", 9), ("place", "Z1", 1, 0), ("color", "Z1", 0, 1), ("invalid", "Z1", 0)]
    calls += [("on", 0, -1), ("color", 6, 0, 1), ("color", 0, 4, 1), ("invalid", 0, -1), ("invalid", -1, 0)]
    calls += [("hint", (Placement(8, 0), *[None] * 5))] if build is build_cp else []
    for name, *numbers in calls:
        with pytest.raises(PuzzleError):
            getattr(model, name)(*numbers)
    if build is build_cnf:
        assert len(model.cnf.clauses) == len(model.clauses)


def test_a_formula_without_solutions_is_announced_with_its_own_number_of_clauses():
    """Where no piece fits a clause would be empty, and a checker of proofs compares the numbers."""
    model = build_cnf(EdgeMatchingPuzzle(1, 1, ((0, 1, 0, 0),)))
    assert len(model.clauses) == len(model.cnf.clauses) == len(list(model.clauses))
    assert all(model.cnf.clauses)
    assert not list(models_of(model))


def test_identical_pieces_are_numbered_along_the_board():
    """They share their variables; a board names each of them once."""
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0),) * 4)
    model = build_cnf(puzzle, symmetry=True)
    ((_, board),) = models_of(model)
    assert [placed.piece for placed in board] == [0, 1, 2, 3]
    assert model.on(3, 0) == model.on(3, 3)
