import pytest

from jigsat.csp.puzzles.board import Board, border_class, letters


def test_square_names_go_both_ways():
    board = Board(101, 101)
    assert [board.name(square) for square in (0, 1, 101, 101 * 26, 101 * 101 - 1)] == ["A1", "A2", "B1", "AA1", "CW101"]
    assert all(board.parse(board.name(square)) == square for square in range(len(board)))
    assert [letters(row) for row in (25, 26, 51, 52, 701, 702)] == ["Z", "AA", "AZ", "BA", "ZZ", "AAA"]


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
