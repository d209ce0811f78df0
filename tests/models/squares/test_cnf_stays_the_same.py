"""Formulas come out the same, clause by clause and name by name, in every version.

A certificate is verified by building its formula again.  So a certificate of an earlier version is accepted only if its
formula is built as it was.  That the formulas are right is for `test_cnf.py` and `tests/agreement` to say.
"""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.squares.cnf import build_cnf
from jigsat.models.squares.cnf_constraints import half_of
from jigsat.models.squares.cp import build_cp
from small_puzzles import JIGSAW, MADE, RECTANGLE, SMALL_PUZZLES, SYMMETRIC, UNSOLVABLE

ALL = "absent-colors+color-counts+checkerboard+parity"
ENCODINGS = [
    "direct", "seams", "pairs", "diamond", "direct+pieces+checkerboard+parity+product", f"pairs+pieces+{ALL}",
    f"diamond+{ALL}+unpruned+ladder", "seams+parity", "seams+checkerboard", "seams+color-counts+bitwise",
    "seams+unpruned",
]  # fmt: skip
PUZZLES = {
    "symmetric": (SYMMETRIC, (5, 9), None),
    "jigsaw": (JIGSAW, (1,), (4, 0, 1, 2, 3, 5)),
    "rectangle": (RECTANGLE, (), None),
    "4x4": (MADE.puzzle, (10, 10, 12), None),
    "perfect": (read_squares("perfect-5x5"), (), None),
    "unsolvable": (UNSOLVABLE, (), None),
    "identical": (SMALL_PUZZLES["identical"], (), None),
    "anywhere": (RECTANGLE, (1, 1, 1), None),
    "many colours": (EdgeMatchingPuzzle(2, 2, tuple((0, c, c % 9 + 1, 0) for c in range(1, 10))), (), None),
    "no piece fits": (SMALL_PUZZLES["no piece fits"], (), None),
    "one square": (EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),) * 2), (), None),
}
#: Of each, with all boards and with symmetries broken: variables, clauses, and the digest of everything.
FORMULAS = Path(__file__).with_name("formulas.txt").read_text().splitlines()


def described(name, encoding, symmetry):
    puzzle, slips, order = PUZZLES[name]
    model = build_cnf(puzzle, encoding, slips=slips, order=order, symmetry=symmetry)
    names = [[variable, *map(str, what)] for variable, what in model.names()]
    text = json.dumps([names, list(model.clauses), model.deciding.tolist(), list(model.meaning())])
    return f"{model.clauses.top} {len(model.clauses)} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


@pytest.mark.some_cases(40)
@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_formulas_stay_the_same(name, encoding):
    found = " ".join(described(name, encoding, symmetry) for symmetry in (False, True))
    assert f"{encoding.replace(ALL, 'ALL')} {name}: {found}" in FORMULAS


def test_by_default_symmetries_are_kept():
    model = build_cnf(RECTANGLE)
    assert (str(model.encoding), model.domains.symmetry) == ("pairs", False)


def test_a_board_has_its_model_and_is_excluded_by_it():
    """Of SYMMETRIC all eight boards, one after the other."""
    model = build_cnf(SYMMETRIC, "diamond")
    boards = []
    while (board := model.solve()) is not None:
        assert check(SYMMETRIC, board).is_solution
        (true,) = model.assignments(board)
        found = model.model_of(board)
        assert model.solution(found) == board
        assert set(true) <= set(found)
        before = len(model.clauses)
        model.exclude(board)
        assert list(model.clauses)[before:] == [[-variable for variable in true]]
        assert model.cnf.clauses[-1] == [-variable for variable in true]
        boards.append(board)
        with pytest.raises(PuzzleError, match=r"^the board is not a solution of this formula$"):
            model.model_of(board)
    assert len(set(boards)) == 8
    fresh = build_cnf(SYMMETRIC, "diamond")
    fresh.exclude(boards[0])
    assert len(fresh.cnf.clauses) == len(fresh.clauses) == len(build_cnf(SYMMETRIC, "diamond").clauses) + 1
    with pytest.raises(PuzzleError):
        fresh.model_of((Placement(0, 0),) * 9)


def test_equivalent_boards_are_excluded_together():
    model = build_cnf(SYMMETRIC, "seams", symmetry=True)
    board = model.solve(solver="glucose4")
    model.exclude(board)
    assert model.solve() is None
    assert len(model.assignments(board)) == 1


def test_own_variables_are_listed_last():
    model = build_cnf(EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0),) * 2), "seams")
    lines = list(model.meaning())
    assert lines == [
        "order A1 A2",
        "slips none",
        "symmetry kept",
        f"variables {model.clauses.top}",
        "var NUMBER MEANING; models that differ in other variables only are the same solution",
        "var 1 piece 1 on A1 turned 0",
        "var 2 piece 2 on A1 turned 0",
        "var 3 piece 1 on A2 turned 2",
        "var 4 piece 2 on A2 turned 2",
        "var 5 square A1 right side has colour 1",
    ]
    own = model.pool.id("mine \u2713\n")
    assert list(model.meaning())[-1] == rf"own {own} mine \u2713\n"
    assert list(model.meaning())[3] == f"variables {own}"
    assert len(list(model.meaning())) == len(lines) + 1


@pytest.mark.parametrize(
    ("sides", "half"),
    [({5: 4}, 2), ({5: 3}, -1), ({5: 0}, 0), ({1: 2, 2: 2}, 2), ({1: 3, 2: 1}, -1), ({1: 3, 2: 3}, 3)],
)
def test_half_of_the_sides_of_a_colour_and_its_mate(sides, half):
    """A colour that is its own mate has an even number of sides; a colour and its mate have as many as each other."""
    assert half_of(Counter(sides)) == half


@pytest.mark.parametrize("encoding", ["direct", "seams", "diamond", "diamond+unpruned"])
def test_own_literals_have_names_that_say_what_they_mean(encoding):
    """A variable of the formula's own where one means the same; a new one has the name of what was asked for."""
    model = build_cnf(JIGSAW, encoding, slips=(1,), order=(4, 0, 1, 2, 3, 5))
    for ask, name in (
        (lambda: model.place(0, 0, 0), ("place", 0, 0, 0)),
        (lambda: model.place(3, 2, 2), ("place", 2, 3, 2)),
        (lambda: model.on(3, 2), ("not", "on", 2, 3)),
        (lambda: model.on(0, 5), ("not", "on", 5, 0)),
        (lambda: model.color(1, 2, 2), ("not", "color", 1, 2, 2)),
        (lambda: model.color(1, 2, 1), ("never",)),
        (lambda: model.place(1, 0, 0), ("never",)),
        (lambda: model.invalid(1, 2), None),
        (lambda: model.invalid(0, 1), ("never",)),
    ):
        literal = ask()
        clauses = len(model.cnf.clauses)
        assert ask() == literal
        assert len(model.cnf.clauses) == clauses
        found = model.pool.obj(abs(literal))
        if abs(literal) > model.clauses.top:
            assert found == name
        else:
            assert found == (name[1:] if name and name[0] == "not" else name or ("invalid", 1, 2)) or len(found) == 4
    assert model.invalid(1, 2) == model.variables.invalid[0] > 0
    lines = [line for line in model.meaning() if line.startswith("own ")]
    own = [variable for variable in model.pool.id2obj if variable > model.clauses.top]
    assert lines == [f"own {variable} {model.pool.obj(variable)}" for variable in sorted(own)]
    assert len(own) > 0


def test_a_board_that_cannot_be_placed_has_no_model():
    """A piece off its squares, and a board that a slip would allow but the formula does not."""
    model = build_cnf(SYMMETRIC, "seams")
    board = list(model.solve())
    with pytest.raises(PuzzleError, match="not a solution of this formula"):
        model.model_of((Placement(board[0].piece, (board[0].rotation + 1) % 4), *board[1:]))
    assert set(model.model_of(tuple(board))) >= set(model.assignments(tuple(board))[0])
    assert all(isinstance(literal, int) for literal in model.model_of(tuple(board)))


@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("build", [build_cnf, build_cp])
def test_only_full_boards_are_excluded(build, symmetry):
    """A board with an empty square has no clause; one of another size would have a wrong one."""
    model = build(SYMMETRIC, symmetry=symmetry)
    board = build_cnf(SYMMETRIC).solve()
    for other, message in (
        (board[:8], "the board has 8 squares, but that of the puzzle 9"),
        ((*board, board[0]), "the board has 10 squares, but that of the puzzle 9"),
        ((*board[:4], None, *board[5:]), "the board is not full: B2 is empty"),
    ):
        with pytest.raises(PuzzleError, match=f"^{message}$"):
            model.exclude(other)
        with pytest.raises(PuzzleError, match=f"^{message}$"):
            model.domains.placements_of_solution(other)
