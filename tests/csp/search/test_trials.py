"""Which boards look the same, and which are wanted."""

import pytest

from jigsat.csp.engines.tallies import picture_keys
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.best_score_race import Wanted


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4)])
def test_turned_boards_have_one_key(rows, columns):
    puzzle = deal_edge_matching(rows, columns, 2, 2, seed=1).puzzle
    key, board = picture_keys(puzzle), tuple(Placement(piece, piece % 4) for piece in range(rows * columns))
    turns = (0, 1, 2, 3) if rows == columns else (0, 2)
    assert len({key(puzzle.board.turned_arrangement(board, turn)) for turn in turns}) == 1
    assert key((board[1], board[0], *board[2:])) != key(board)


def test_equal_pieces_may_be_exchanged_but_not_turned():
    puzzle = EdgeMatchingPuzzle(1, 4, ((0, 5, 0, 0), (0, 5, 0, 5), (0, 5, 0, 5), (0, 5, 0, 0)))
    key = picture_keys(puzzle)
    board = Placement(0, 0), Placement(1, 0), Placement(2, 0), Placement(3, 2)
    assert key(board) == key((board[0], Placement(2, 2), Placement(1, 0), board[3]))
    assert key(board) != key((board[0], Placement(1, 1), *board[2:]))


def test_what_is_wanted_rises_if_there_are_too_many_boards_but_not_above_the_best():
    assert Wanted().raised({453: 5000, 454: 5000, 455: 1}) == Wanted(454)
    assert Wanted().raised({453: 1, 455: 20_000}) == Wanted(455)


def test_boards_that_may_look_the_same_count_once():
    assert Wanted().raised({453: 5000, 454: 5000, 455: 1}, alike=4) == Wanted(453)
    assert Wanted().raised({453: 20_000, 454: 20_000, 455: 1}, alike=4) == Wanted(454)
