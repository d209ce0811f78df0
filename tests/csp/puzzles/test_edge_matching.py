import copy
import json
import pickle
from collections import Counter

import numpy as np
import pytest

from jigsat import count
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule, board_of

PIECES = ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4))


def test_classes_and_colours_of_eternity2():
    puzzle = read_squares("eternity2")
    assert puzzle.class_sizes() == {"inner": (196, 196), "edge": (56, 56), "corner": (4, 4)}
    assert puzzle.frame_sides() == Counter(dict.fromkeys(range(1, 6), 24))
    inner = {color: 48 if color <= 10 else 50 for color in range(6, 23)}
    assert puzzle.inner_sides() == Counter(inner)
    assert puzzle.max_score == 480


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ([(4, 0, 0)], "not on the 2x2 board"),
        ([(0, 0, 4)], "rotation 4"),
        ([(0, 0, 1)], "fixed on A1: side right of piece 1 is a border side, but is not on the border"),
    ],
)
def test_impossible_fixed_pieces_are_refused(fixed, message):
    with pytest.raises(PuzzleError, match=message):
        EdgeMatchingPuzzle(2, 2, PIECES, fixed=tuple(Fixed(*entry) for entry in fixed))


@pytest.mark.parametrize("as_given", [list, np.array, lambda rows: [*map(list, rows)]], ids=["list", "array", "lists"])
def test_pieces_may_be_lists_or_arrays(as_given):
    """Symmetries are remembered by puzzle: one that has no hash could neither be counted nor solved."""
    fixed = ((0, 0, 0),)
    puzzle, same = EdgeMatchingPuzzle(2, 2, as_given(PIECES), fixed=as_given(fixed)), EdgeMatchingPuzzle(2, 2, PIECES)
    assert puzzle == EdgeMatchingPuzzle(2, 2, PIECES, fixed=fixed)
    assert puzzle.fixed[0].square == 0
    assert {type(side) for sides in puzzle.pieces for side in sides} == {int}
    assert count(EdgeMatchingPuzzle(2, 2, as_given(PIECES))).count == count(same).count == 4
    with pytest.raises(TypeError, match="integer"):
        EdgeMatchingPuzzle(1, 1, as_given([(0.5, 0, 0, 0)]))


def test_rules_may_be_given_by_their_values():
    by_value = EdgeMatchingPuzzle(2, 2, PIECES, rule="edge-matching")  # type: ignore[arg-type]
    assert (by_value, by_value.rule) == (EdgeMatchingPuzzle(2, 2, PIECES), Rule.EQUAL)
    with pytest.raises(PuzzleError, match="unknown rule 'jigsaws'; choose edge-matching or jigsaw"):
        EdgeMatchingPuzzle(2, 2, PIECES, rule="jigsaws")  # type: ignore[arg-type]


def test_too_few_pieces_and_wrong_sides_are_refused():
    with pytest.raises(PuzzleError, match="3 are too few for the 4 squares"):
        EdgeMatchingPuzzle(2, 2, PIECES[:3])
    with pytest.raises(PuzzleError, match="piece 2: 3 sides"):
        EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0), (1, 2, 3)))  # type: ignore[arg-type]
    with pytest.raises(PuzzleError, match="piece 1: colour -2 is negative"):
        EdgeMatchingPuzzle(1, 1, ((0, -2, 0, 0),))
    for side in (2**31, -(2**31), 10**5000):
        with pytest.raises(PuzzleError, match="piece 1: a side is not between -2147483647 and 2147483647"):
            EdgeMatchingPuzzle(1, 1, ((0, side, 0, 0),), Rule.OPPOSITE)


def test_a_partial_board_becomes_fixed_pieces():
    puzzle = EdgeMatchingPuzzle(2, 2, PIECES, fixed=(Fixed(0, 0, 0),))
    more = puzzle.with_fixed([Placement(0, 0), None, None, Placement(3, 0)])
    assert more.fixed == (Fixed(0, 0, 0), Fixed(3, 3, 0))
    with pytest.raises(PuzzleError, match="the puzzle's fixed pieces differ on A1"):
        puzzle.with_fixed([Placement(1, 3), None, None, None])
    with pytest.raises(PuzzleError, match="3 squares, but the board has 4"):
        puzzle.with_fixed([None] * 3)


def test_a_board_that_knows_its_puzzle_is_its_tuple():
    """Catches boards that differ from what they are compared with, and puzzles that get lost on the way."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0)))
    squares = (Placement(0, 0), None)
    board = board_of(puzzle, squares)
    assert board == squares
    assert hash(board) == hash(squares)
    assert {squares: 1}[board] == 1
    for copied in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board), copy.copy(board)):
        assert (copied, copied.puzzle) == (squares, puzzle)
    assert board_of(puzzle, board) is board
    assert json.dumps(board) == json.dumps(squares)
