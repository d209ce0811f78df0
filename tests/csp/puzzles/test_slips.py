import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import SlipError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import (
    checked_frame_slips,
    checked_slips,
    format_slips,
    frame_joins,
    inner_joins,
    parse_slips,
)


@pytest.mark.parametrize(
    ("text", "slips"),
    [("220,230,240", (220, 230, 240)), ("192x10", (192,) * 10), ("3x2, 9", (3, 3, 9)), ("7x0", ()), ("1", (1,))],
)
def test_slip_arrays_as_people_write_them(text, slips):
    assert parse_slips(text) == slips


@pytest.mark.parametrize(
    "text", ["", ",", "a", "1,", "1x", "x3", "-1", "1.5", "1 2", "1x2x3", "9" * 100, "1x9999999", "1;2", "\u0661"]
)
def test_what_is_no_slip_array_is_refused_in_one_line(text):
    for name in ("slips", "frame slips"):
        with pytest.raises(SlipError, match=rf"^{name}: .*(depth|entries)") as caught:
            parse_slips(text, name)
        assert len(str(caught.value)) < 200


@given(st.lists(st.integers(1, 999)))
def test_what_is_written_is_read_again(slips):
    if slips:
        assert parse_slips(format_slips(slips)) == tuple(sorted(slips))


def test_depths_lie_on_the_board():
    puzzle = read_squares("clue1")
    for slips in ("0", "37", (1, 37), (0, 5)):
        with pytest.raises(SlipError, match="is not between 1 and 36"):
            checked_slips(puzzle, slips)
    assert checked_slips(puzzle, "1,36") == (1, 36)
    assert checked_slips(puzzle, "5x999") == (5,) * 40  # the number of inner joins
    assert checked_slips(puzzle, None) == ()


def test_depths_are_whole_numbers_in_any_list():
    puzzle = read_squares("clue1")
    assert checked_slips(puzzle, np.array([3, 4])) == checked_slips(puzzle, iter([3, 4])) == (3, 4)
    assert checked_slips(puzzle, np.array([], dtype=int)) == ()
    for slips in (5, (3.5,), ("3",)):
        with pytest.raises(SlipError, match=r"^slips: .* is not a list of depths, which are whole numbers$"):
            checked_slips(puzzle, slips)


def test_frame_slips_are_checked_in_the_same_way():
    puzzle = read_squares("clue1")
    assert checked_frame_slips(puzzle, "1,3x2,36") == (1, 3, 3, 36)
    assert checked_frame_slips(puzzle, "5x999") == (5,) * frame_joins(puzzle) == (5,) * 20
    assert checked_frame_slips(puzzle, None) == checked_frame_slips(puzzle, "7x0") == ()
    for slips, problem in (("37", "is not between 1 and 36"), ((7, 5), "5 comes after 7"), ("x", "is not a depth")):
        with pytest.raises(SlipError, match=f"^frame slips: .*{problem}"):
            checked_frame_slips(puzzle, slips)


def test_inner_joins_are_those_that_do_not_run_along_the_frame():
    for rows in range(1, 6):
        for columns in range(1, 6):
            board = Board(rows, columns)
            puzzle = EdgeMatchingPuzzle(rows, columns, ((1, 1, 1, 1),) * (rows * columns))
            assert inner_joins(puzzle) == sum(not board.is_frame_join(join) for join in board.joins())
            assert frame_joins(puzzle) == sum(map(board.is_frame_join, board.joins()))
