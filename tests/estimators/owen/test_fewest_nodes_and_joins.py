"""The most joins of any set of squares against all sets of small boards, and against known shapes."""

from collections import Counter
from itertools import chain, combinations
from math import ceil, sqrt

import numpy as np
import pytest
from hypothesis import given

from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import PIECE_CLASSES
from jigsat.estimators.owen import fewest_nodes
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.owen.fewest_nodes import class_numbers, most_frame_joins, most_inner_joins
from jigsat.estimators.owen.order_costs import FIXED, OrderCosts
from property_tests import examples
from strategies import puzzles


def most_of_all_sets(costs):
    """By the numbers of free squares of each class: the most frame joins and the most inner joins of any set."""
    board = costs.board
    fixed = {square for square, _, _ in costs.puzzle.fixed}
    free = [square for square in range(len(board)) if square not in fixed]
    frame, inner = Counter(), Counter()
    for chosen in chain.from_iterable(combinations(free, size) for size in range(len(free) + 1)):
        filled = fixed.union(chosen)
        kinds = [board.is_frame_join(j) for j in board.joins() if j.first in filled and j.second in filled]
        classes = Counter(board.square_class(square) for square in chosen)
        numbers = tuple(classes[name] for name in PIECE_CLASSES)
        frame[numbers] = max(frame[numbers], sum(kinds))
        inner[numbers] = max(inner[numbers], len(kinds) - sum(kinds))
    return frame, inner


def check(costs):
    frame, inner = most_frame_joins(costs), most_inner_joins(costs)
    for numbers, joins in (found := most_of_all_sets(costs))[0].items():
        assert frame[(0, *numbers[1:])] == joins
        assert inner[numbers[1], numbers[0]] >= found[1][numbers]
    return inner, found[1]


@examples(40)
@given(puzzles([(1, 1), (1, 5), (4, 1), (2, 2), (2, 4), (3, 3), (3, 4), (4, 3)]))
def test_no_set_has_more(puzzle):
    check(OrderCosts(Complexity(puzzle), ()))


@pytest.mark.parametrize("clues", [4, 6])
def test_hardly_any_number_is_out_of_reach(clues):
    """On a 4x4 board all joins inside are reached, and nine of ten numbers are exact."""
    inner, found = check(OrderCosts(Complexity(deal_edge_matching(4, 4, 2, 3, clues=clues, seed=clues).puzzle), ()))
    exact = sum(inner[numbers[1], numbers[0]] == joins for numbers, joins in found.items())
    assert exact >= 0.9 * len(found)
    assert inner.max() == max(found.values())


def test_squares_away_from_the_frame_are_polyominoes():
    """Without edge squares i squares have at most 2i - 2 sqrt(i) joins, if the board is large enough for their shape.

    (Harary and Harborth, 1976.)
    """
    costs = OrderCosts(Complexity(read("meta10")), ())
    assert most_inner_joins(costs)[0, :50].tolist() == [2 * i - ceil(2 * sqrt(i)) for i in range(50)]


def test_a_wide_board_has_looser_numbers(monkeypatch):
    """They hold for every shape, and so for this one."""
    for clues in (0, 3):
        puzzle = deal_edge_matching(6, 5, 2, 3, clues=clues, seed=1).puzzle
        costs = OrderCosts(Complexity(puzzle), ())
        tight = most_inner_joins(costs)
        with monkeypatch.context() as patch:
            patch.setattr(fewest_nodes, "WIDEST", 2)
            assert np.all(most_inner_joins(costs) >= tight)


def test_the_classes_of_free_squares():
    costs = OrderCosts(Complexity(deal_edge_matching(4, 5, 2, 3, clues=2, seed=1).puzzle), ())
    assert sum(class_numbers(costs)) == 18
    assert (costs.square_class == FIXED).sum() == 2
