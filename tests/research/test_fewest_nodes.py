"""The lower bound on the nodes of all orders, and the most joins of any set of squares, against small boards."""

from collections import Counter
from itertools import chain, combinations, permutations
from math import ceil, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fewest_nodes as module
from fewest_nodes import fewest_nodes, most_frame_joins, most_inner_joins
from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import PIECE_CLASSES
from jigsat.estimators.owen.best_order import OrderCosts, cheapest_order
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from strategies import puzzles


@examples(60)
@given(puzzles([(1, 4), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4)]))
def test_no_order_is_below_it(puzzle):
    model = Complexity(puzzle)
    costs = OrderCosts(model, ())
    assert fewest_nodes(costs) <= model.estimate(cheapest_order(costs)).nodes


def no_order_is_below_it(puzzle, slips):
    """All orders, one by one."""
    model = Complexity(puzzle)
    fixed = [square for square, _, _ in puzzle.fixed]
    free = [square for square in range(len(puzzle.board)) if square not in fixed]
    fewest = min(model.estimate([*fixed, *order], slips).nodes for order in permutations(free))
    assert fewest_nodes(OrderCosts(model, slips)) <= fewest


@examples(20)
@given(st.data())
def test_no_order_is_below_it_with_slips(data):
    puzzle = data.draw(puzzles([(2, 2), (2, 3), (3, 2), (1, 5)]))
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), min_size=1, max_size=4)))
    no_order_is_below_it(puzzle, slips)


@examples(20)
@given(st.data())
def test_no_order_is_below_it_with_slips_around_fixed_pieces(data):
    clues = data.draw(st.integers(4, 6))
    puzzle = deal_edge_matching(3, 3, 1, data.draw(st.integers(1, 3)), clues=clues, seed=clues).puzzle
    slips = sorted(data.draw(st.lists(st.integers(clues, 9), min_size=1, max_size=4)))
    no_order_is_below_it(puzzle, slips)


@pytest.mark.slow
def test_eternity_ii():
    """No order has less than 2/5 of the nodes of the best one known, 1.364e47."""
    assert 5.7e46 < fewest_nodes(OrderCosts(Complexity(read("eternity2")), ())) < 1.364e47


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
            patch.setattr(module, "WIDEST", 2)
            assert np.all(most_inner_joins(costs) >= tight)
