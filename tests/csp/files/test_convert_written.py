"""`write`: boards and tilings in files, whose they are, and what is no board."""

import json
from dataclasses import replace

import numpy as np
import pytest

import jigsat as js
from command_line import run
from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.files.convert import convert, write
from jigsat.csp.files.instances import fingerprint, read_dissection, read_squares
from jigsat.csp.files.solutions import read_solutions, read_with_board, solutions_given
from jigsat.csp.puzzles.dissection import tiling_of
from jigsat.csp.puzzles.edge_matching import board_of
from solved_clue import BOARD, CLUE

JIGSAW, L_SHAPE = read_squares("perfect-5x5"), read_dissection("l-shape")
TILING = tiling_of(L_SHAPE, L_SHAPE.pieces)


def test_boards_may_be_lists_of_pairs(tmp_path):
    write(CLUE, [[(placed.piece, placed.rotation) for placed in BOARD]], tmp_path / "some.json")
    assert read_solutions(tmp_path / "some.json", CLUE) == [BOARD]


@pytest.mark.parametrize(("puzzle", "solution"), [(CLUE, BOARD), (CLUE, tuple(BOARD)), (L_SHAPE, TILING)])
def test_what_is_written_is_read_again(tmp_path, puzzle, solution):
    """Catches boards that come back without their puzzle; plain tuples are those of the puzzle given."""
    write(puzzle, iter([solution, solution]), tmp_path / "some.json")
    found = read_solutions(tmp_path / "some.json", puzzle)
    assert found == [solution] * 2
    assert all(one.puzzle is puzzle for one in found)


def test_the_ending_tells_the_format(tmp_path, capsys):
    """Both write the same, the command and the function."""
    for name in ("board.url", "board.json"):
        by_command = tmp_path / f"command-{name}"
        assert run(capsys, "solve", "clue3", "--engine", "backtrack", "-o", str(by_command))[0] == 0
        found = js.solve(CLUE, engine="backtrack").solutions
        write(CLUE, found, tmp_path / name)
        assert (tmp_path / name).read_text() == by_command.read_text()
    assert read_solutions(tmp_path / "board.url", CLUE) == list(found)
    puzzle, linked = read_with_board((tmp_path / "board.url").read_text().strip())
    assert (len(puzzle.board), len(linked), linked.puzzle) == (36, 36, puzzle)
    write(CLUE, [BOARD], "-")
    assert json.loads(capsys.readouterr().out)["sha256"] == fingerprint(CLUE)
    with pytest.raises(InstanceError, match="url is not a format for dissections"):
        write(L_SHAPE, [TILING], tmp_path / "tiling.url")


def test_boards_of_another_puzzle_are_written_as_what_they_are(tmp_path):
    """Catches a file that claims boards for a puzzle that they are not of."""
    file = tmp_path / "board.json"
    with pytest.warns(
        UserWarning, match="^the solutions are for clue3, not for perfect-5x5; .* as solutions of clue3$"
    ):
        write(JIGSAW, [BOARD], file)
    data = json.loads(file.read_text())
    assert (data["instance"], data["sha256"]) == ("clue3", fingerprint(CLUE))
    assert read_solutions(file, CLUE) == [BOARD]
    write(replace(CLUE, name="the same by another name"), [BOARD], file)  # no warning
    assert json.loads(file.read_text())["instance"] == "the same by another name"


@pytest.mark.parametrize(
    ("puzzle", "solutions", "error", "message"),
    [
        (CLUE, [None], UsageError, "solutions: there is no board to write"),
        (CLUE, [BOARD, None], UsageError, "solutions: there is no board to write"),
        (CLUE, [BOARD, board_of(JIGSAW, JIGSAW.assemblies[0])], UsageError, "are for several puzzles"),
        (CLUE, [BOARD[1:]], InstanceError, "clue3: a board has 36 squares, not 35"),
        (JIGSAW, [tuple(BOARD)[:25]], InstanceError, "perfect-5x5.*there is no piece"),
        (CLUE, [[(-1, 0), *BOARD[1:]]], InstanceError, "clue3, A1: there is no piece 0"),
        (CLUE, [[(0, 4), *BOARD[1:]]], InstanceError, "clue3, A1: rotation 4; rotations are 0 to 3"),
        (CLUE, [[(0.0, 1.0)] * 36], InstanceError, r"clue3: \(0.0, 1.0\) is not the number of a piece and a rotation"),
        (CLUE, [[(0,)] * 36], InstanceError, r"clue3: \(0,\) is not the number of a piece and a rotation"),
        (CLUE, [5], InstanceError, "clue3: 5 is not a board"),
        (L_SHAPE, [5], InstanceError, "l-shape: 5 is not a tiling"),
        (L_SHAPE, [L_SHAPE.pieces[1:]], InstanceError, "l-shape: a tiling must have 4 polygons, not 3"),
        (L_SHAPE, [[[(0.5, 0)]] * 4], InstanceError, "l-shape: piece 1, vertex 1: coordinates must be exact, "),
    ],
)
def test_what_cannot_be_written_leaves_no_file(tmp_path, puzzle, solutions, error, message):
    with pytest.raises(error, match=message):
        write(puzzle, solutions, tmp_path / "board.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("puzzle", "solution"), [(CLUE, BOARD), (CLUE, (None,) * 36), (L_SHAPE, TILING)])
def test_one_solution_or_several(puzzle, solution):
    """Catches a board that is taken for a list of boards, and the other way about."""
    plain = tuple(solution)
    for given in (solution, plain, list(plain), [solution], [plain], iter([solution])):
        assert solutions_given(puzzle, given) == [plain]
    assert solutions_given(puzzle, [solution, plain]) == [plain, plain]
    if puzzle is L_SHAPE:
        lists = [list(map(list, polygon)) for polygon in plain]
        assert solutions_given(puzzle, lists) == solutions_given(puzzle, [lists]) == [plain]
        with pytest.raises(InstanceError, match=r"solution 2: piece 1, vertex 1: .*; 0\.5 is not"):
            solutions_given(puzzle, [plain, [[(0.5, 0)]] * 4])
    if None not in plain:
        arrays = np.array(plain) if puzzle is CLUE else [np.array(polygon) for polygon in plain]
        assert solutions_given(puzzle, arrays) == solutions_given(puzzle, [arrays]) == [plain]
    for none in ([None], None):
        with pytest.raises(UsageError, match="there is no board: the search did not find one"):
            solutions_given(puzzle, none)
    for given in (["a.json"], [[]], [solution, ()], [{}], [5]):
        with pytest.raises(UsageError, match=r"solution: .* is neither a (board|tiling) nor a list of several"):
            solutions_given(puzzle, given)


def test_convert_refuses_unknown_formats(tmp_path):
    with pytest.raises(UsageError, match="to: unknown format xml; choose from json, text, csv, url"):
        convert("clue3", tmp_path / "x", to="xml")
    with pytest.raises(UsageError, match="puzzle: is for a source with boards or tilings"):
        convert(CLUE, tmp_path / "x.json", puzzle=CLUE)


def test_convert_refuses_to_omit_pieces_of_boards(tmp_path):
    write(CLUE, [BOARD], tmp_path / "board.json")
    with pytest.raises(UsageError, match="pieces_only: is for a puzzle, but the source has boards or tilings of one"):
        convert(tmp_path / "board.json", tmp_path / "x.json", puzzle=CLUE, pieces_only=True)
    assert not (tmp_path / "x.json").exists()
