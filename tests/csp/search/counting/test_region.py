"""Regions as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import UsageError
from jigsat.csp.puzzles.board import Board
from jigsat.csp.search.counting.region import find_region

BOARD = Board(3, 4)


@pytest.mark.parametrize(
    ("spec", "squares"),
    [
        ("B2", [5]),
        ("A1:B2", [0, 1, 4, 5]),
        ("B2:A1", [0, 1, 4, 5]),
        ("C1:A1,B4", [0, 4, 7, 8]),
        ("frame", [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]),
        ("inside", [5, 6]),
        ("row:3", [8, 9, 10, 11]),
        ("column:1 inside", [0, 4, 5, 6, 8]),
        (["A1", 11], [0, 11]),
        ((3, 3), [3]),
    ],
)
def test_squares_by_name(spec, squares):
    assert find_region(BOARD, spec) == tuple(squares)


def test_a_file_of_squares(tmp_path):
    path = tmp_path / "squares.txt"
    path.write_text('["A1", "B2:C3"]\nrow:1\n')
    assert find_region(BOARD, str(path)) == (0, 1, 2, 3, 5, 6, 9, 10)


@pytest.mark.parametrize("name", ["frame", "inside", "B2", "A1:B2", "row:1", "A1,B2"])
def test_a_file_does_not_replace_the_region_of_its_name(tmp_path, monkeypatch, name):
    squares = find_region(BOARD, name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("C3")
    assert find_region(BOARD, name) == squares


def test_a_square_beyond_the_board():
    """Wrong texts are in tests/cli/messages.md."""
    with pytest.raises(UsageError, match=r"^squares: square number 12 is not on the 3x4 board"):
        find_region(BOARD, [12])


@given(st.sets(st.integers(0, len(BOARD) - 1), min_size=1))
def test_ranges_are_read_again(squares):
    assert find_region(BOARD, BOARD.ranges(squares)) == tuple(sorted(squares))
