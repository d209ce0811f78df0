"""`write`: boards and tilings in files, whose they are, and what is no board."""

import json
from dataclasses import replace

import pytest

from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.files.convert import convert, write
from jigsat.csp.files.instances import fingerprint, read_dissection, read_squares
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.puzzles.edge_matching import board_of
from solved_clue import BOARD, CLUE

JIGSAW, L_SHAPE = read_squares("perfect-5x5"), read_dissection("l-shape")


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
