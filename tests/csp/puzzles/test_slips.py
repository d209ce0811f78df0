import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import SlipError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import (
    checked_slips,
    format_slips,
    frame_joins,
    inner_joins,
    parse_slips,
)


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


def test_depths_are_whole_numbers_in_any_list():
    puzzle = read_squares("clue1")
    assert checked_slips(puzzle, np.array([3, 4])) == checked_slips(puzzle, iter([3, 4])) == (3, 4)
    assert checked_slips(puzzle, np.array([], dtype=int)) == ()
    for slips in (5, (3.5,), ("3",)):
        with pytest.raises(SlipError, match=r"^slips: .* is not a list of depths, which are whole numbers$"):
            checked_slips(puzzle, slips)


def test_inner_joins_are_those_that_do_not_run_along_the_frame():
    for rows in range(1, 6):
        for columns in range(1, 6):
            board = Board(rows, columns)
            puzzle = EdgeMatchingPuzzle(rows, columns, ((1, 1, 1, 1),) * (rows * columns), rim=0)
            assert inner_joins(puzzle) == sum(not board.is_frame_join(join) for join in board.joins())
            assert frame_joins(puzzle) == sum(map(board.is_frame_join, board.joins()))
