"""What is said of a board in a model, CNF or CP-SAT, by literals or expressions, holds in exactly its solutions."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from pysat.solvers import Solver

from brute_force import TooMuch, as_brute_force, fits, spin
from cp_solutions import cp_solutions
from jigsat.csp.puzzles.slips import anywhere
from jigsat.models.base.encodings import CNF_NAMES, CP_NAMES
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cp import build_cp
from property_tests import examples
from small_puzzles import JIGSAW, SYMMETRIC, solved
from strategies import puzzles

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
SMALL = [(1, 1), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
CNFS = [*CNF_NAMES, "direct+pieces", "pairs+pieces+absent-colors", "diamond+unpruned", "direct+unpruned"]
CPS = [*CP_NAMES, "booleans+pieces+absent-colors", "element+unpruned"]


def expected_of(puzzle, slips=(), order=None):
    """All solutions; an example that has more than a hundred is left for another one."""
    try:
        return solved(puzzle, order, slips, most=100, scored=False).solutions
    except TooMuch:
        reject()


def statements(model):
    """All there is to say about a board: the literal, and a function of the sides shown that says whether it holds."""
    puzzle = model.puzzle
    pinned = {f.piece for f in puzzle.fixed}
    alike = model.domains.symmetry

    def is_there(piece, at, rotation):
        """The piece itself or, where identical pieces share their variables, one that looks the same there."""
        sides = spin(puzzle.pieces[piece], rotation)
        if not alike or piece in pinned:
            return lambda board: board[at] == (piece, rotation)
        return lambda board: board[at][0] not in pinned and shown(puzzle, board, at) == sides

    for square in range(len(puzzle.board)):
        at = divmod(square, puzzle.columns)
        for piece in range(len(puzzle.pieces)):
            turns = [is_there(piece, at, rotation) for rotation in range(4)]
            for rotation in range(4):
                yield model.place(square, piece, rotation), turns[rotation]
            yield model.on(square, piece), lambda board, turns=turns: any(turn(board) for turn in turns)
        for side in range(4):
            # No square shows a colour that no piece has, or the border's.
            for color in {side for sides in puzzle.pieces for side in sides} | {77, -77, 0}:
                yield (
                    model.color(square, side, color),
                    lambda board, at=at, side=side, color=color: color != 0 and shown(puzzle, board, at)[side] == color,
                )
            yield model.invalid(square, side), lambda board, at=at, side=side: mismatch(puzzle, board, at, side)


def shown(puzzle, board, at):
    piece, rotation = board[at]
    return spin(puzzle.pieces[piece], rotation)


def mismatch(puzzle, board, at, side):
    """Whether the join on that side is invalid; on the border there is no join."""
    there = (at[0] + STEPS[side][0], at[1] + STEPS[side][1])
    if there not in board:
        return False
    return not fits(puzzle, shown(puzzle, board, at)[side], shown(puzzle, board, there)[(side + 2) % 4])


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


def models_of(model, literals):
    """Every model: its board, and whether the literals are true; two differ in a variable that has a name."""
    assert all(0 < abs(literal) <= max(model.cnf.nv, model.pool.top) for literal in literals)
    decided = set(model.pool.id2obj)
    with Solver("glucose4", bootstrap_with=model.cnf) as solver:
        while solver.solve():
            found = solver.get_model()
            true, solution = {literal for literal in found if literal > 0}, model.solution(found)
            check_names(model, true, dict(as_brute_force(solution, model.puzzle.columns)))
            yield solution, [(literal in true) if literal > 0 else (-literal not in true) for literal in literals]
            solver.add_clause([-literal for literal in found if abs(literal) in decided])


def values_of(model, expressions):
    """Every solution of a model for CP-SAT: its board, and the values of the expressions."""
    return cp_solutions(model.model, lambda found: (model.solution(found), [*map(found.value, expressions)]))


def check_statements(build, puzzle, encoding, slips=(), *, symmetry=False):
    order = tuple(f.square for f in puzzle.fixed)
    order += tuple(square for square in range(len(puzzle.board)) if square not in order)
    expected = expected_of(puzzle, slips, order)
    model = build(puzzle, encoding, order=order, slips=slips, symmetry=symmetry)
    said = list(statements(model))
    asked = [literal for literal, _ in said]
    if build is build_cnf:
        assert [literal for literal, _ in statements(model)] == asked
    boards = []
    for solution, values in (models_of if build is build_cnf else values_of)(model, asked):
        boards.append(as_brute_force(solution, puzzle.columns))
        for value, (_, holds) in zip(values, said, strict=True):
            assert value == holds(dict(boards[-1]))
    assert len(set(boards)) == len(boards)
    assert set(boards) <= expected
    assert symmetry or set(boards) == expected
    assert bool(boards) == bool(expected)


@pytest.mark.parametrize(("build", "encodings"), [(build_cnf, CNFS), (build_cp, CPS)])
@examples(150, quick=25)
@given(puzzles(SMALL), st.booleans(), st.data())
def test_statements_mean_what_they_say(build, encodings, puzzle, symmetry, data):
    """For every solution and everything that can be said; a literal that is free would make two solutions of one."""
    slips = ()
    if data.draw(st.booleans()):
        slips = anywhere(puzzle)[: data.draw(st.integers(1, 2))]
    check_statements(build, puzzle, data.draw(st.sampled_from(encodings)), slips, symmetry=symmetry)


@pytest.mark.some_cases(36)
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize(
    ("puzzle", "slips"),
    [
        *(pytest.param(SYMMETRIC, slips, id=f"symmetric {slips}") for slips in ((), (5, 9))),
        pytest.param(SYMMETRIC, (1, 1), id="symmetric (1, 1)", marks=pytest.mark.slow),
        *(pytest.param(JIGSAW, slips, id=f"jigsaw {slips}") for slips in ((), (1,))),
    ],
)
@pytest.mark.parametrize(
    ("build", "encoding"), [*((build_cnf, name) for name in CNFS), *((build_cp, name) for name in CPS)]
)
def test_statements_of_symmetric_fixed_and_spare_pieces(build, encoding, puzzle, slips, symmetry):
    """These are where a variable stands for several placements, or several variables for one."""
    assert expected_of(puzzle, slips, (4, 0, 1, 2, 3, 5) if puzzle is JIGSAW else tuple(range(9)))
    check_statements(build, puzzle, encoding, slips, symmetry=symmetry)
