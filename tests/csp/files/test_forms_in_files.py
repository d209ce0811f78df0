"""Boards of every form as text, tables and viewer links: read back, or refused in a line."""

import json
import random

import pytest

import in_c
from form_puzzles import squares_document
from forms_in_c import answer
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.convert import puzzle_text, solutions_text
from jigsat.csp.files.instances import parse_puzzle
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.puzzles.board import Placement, board_text
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler"),
]


def solved(numbers):
    """Puzzles with a solution."""
    for number in numbers:
        document = squares_document(random.Random(number))
        try:
            found = answer(document).orbit_of
        except in_c.TooMuch:
            continue
        if found:
            board = tuple(Placement(*placed) for placed in min(found))
            yield parse_puzzle(json.dumps(document), "drawn.json"), board


def test_boards_are_read_as_they_were_written(tmp_path):
    """A grid with several boards, a table, and links, where they can say it."""
    links = 0
    for puzzle, board in solved(range(60)):
        (tmp_path / "grid.txt").write_text("\n\n".join([board_text(board, puzzle.board)] * 2))
        assert read_solutions(tmp_path / "grid.txt", puzzle) == [board] * 2
        (tmp_path / "table.csv").write_text(solutions_text(puzzle, [board], "csv", "table"))
        assert read_solutions(tmp_path / "table.csv", puzzle) == [board]
        try:
            (tmp_path / "link.url").write_text(solutions_text(puzzle, [board], "url", "link"))
        except InstanceError:
            continue
        shown = [puzzle.shown(placed) for placed in read_solutions(tmp_path / "link.url", puzzle)[0]]
        assert shown == [puzzle.shown(placed) for placed in board]
        links += 1
    assert links > 3


@pytest.mark.parametrize("kind", ["text", "csv", "url"])
@pytest.mark.parametrize(
    "form",
    [{"rim": 1}, {"turn": False}, {"flip": True}, {"wrap": "columns"}, {"mates": {1: 2}}, {"squares": ("###", ".##")}],
)
def test_forms_that_a_format_cannot_hold_are_refused(kind, form):
    puzzle = EdgeMatchingPuzzle(2, 3, ((1, 2, 3, 4),) * (5 if "squares" in form else 6), **form)
    with pytest.raises(InstanceError, match="cannot represent"):
        puzzle_text(puzzle, kind, "puzzle")


def test_a_free_rim_is_kept_by_every_format():
    puzzle = EdgeMatchingPuzzle(2, 3, ((1, 2, 3, 4),) * 6)
    for kind in ("text", "csv", "url"):
        again = parse_puzzle(puzzle_text(puzzle, kind, "puzzle"), "again")
        assert (again.pieces, again.rim, again.board) == (puzzle.pieces, "any", puzzle.board)
