import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.puzzles.board import Board, Join, border_class, letters, opposite


def test_square_names_go_both_ways():
    board = Board(101, 101)
    assert [board.name(square) for square in (0, 1, 101, 101 * 26, 101 * 101 - 1)] == ["A1", "A2", "B1", "AA1", "CW101"]
    assert all(board.parse(board.name(square)) == square for square in range(len(board)))
    assert [letters(row) for row in (25, 26, 51, 52, 701, 702)] == ["Z", "AA", "AZ", "BA", "ZZ", "AAA"]


@pytest.mark.parametrize(
    "name", ["", "A", "1", "a1", "A0", "A01", "A1 ", "Q1", "A17", "Z99", "AA1", "A1\n", "Ä1", "A१"]
)
def test_names_that_are_no_squares_are_refused(name):
    with pytest.raises(PuzzleError, match="square"):
        Board(16, 16).parse(name)


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (-1, 5), (10**9, 1)])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(PuzzleError, match="between 1 and"):
        Board(*size)


def test_neighbours_and_joins():
    board = Board(2, 3)
    assert [board.neighbour(4, side) for side in range(4)] == [1, 5, None, 3]
    joins = list(board.joins())
    assert len(joins) == 2 * 2 + 3 * 1
    assert all(board.neighbour(j.first, j.side) == j.second for j in joins)
    assert all(board.neighbour(j.second, opposite(j.side)) == j.first for j in joins)


def test_frame_joins_run_along_the_border():
    for size, expected in {(16, 16): 60, (2, 5): 10, (1, 4): 3, (3, 3): 8}.items():
        board = Board(*size)
        assert sum(map(board.is_frame_join, board.joins())) == expected
    assert not Board(2, 5).is_frame_join(Join(1, 2, 6))  # between two edge squares, but across the board


def test_every_border_mask_has_a_class():
    assert len({border_class(mask) for mask in range(16)}) == 6


@pytest.mark.parametrize("size", [(3, 3), (2, 5), (4, 4), (1, 3)])
def test_turning_the_board_keeps_neighbours(size):
    board = Board(*size)
    for quarter_turns in range(0, 4, 4 // board.turns()):
        for square in range(len(board)):
            for side in range(4):
                neighbour = board.neighbour(square, side)
                moved = board.neighbour(board.turned_square(square, quarter_turns), (side + quarter_turns) % 4)
                assert moved == (None if neighbour is None else board.turned_square(neighbour, quarter_turns))
