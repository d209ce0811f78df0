"""The lower bound against all orders of small boards."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.owen.best_order import cheapest_order
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.owen.fewest_nodes import fewest_nodes
from jigsat.estimators.owen.order_costs import OrderCosts
from property_tests import examples
from strategies import puzzles


@examples(60)
@given(puzzles([(1, 4), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4)]))
def test_no_order_is_below_it(puzzle):
    model = Complexity(puzzle)
    costs = OrderCosts(model, ())
    assert fewest_nodes(costs) <= model.estimate(cheapest_order(costs)).nodes


@examples(20)
@given(st.data())
def test_no_order_is_below_it_with_slips(data):
    """All orders, one by one."""
    puzzle = data.draw(puzzles([(2, 2), (2, 3), (3, 2), (1, 5)]))
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), min_size=1, max_size=4)))
    model = Complexity(puzzle)
    bound = fewest_nodes(OrderCosts(model, slips))
    fixed = [square for square, _, _ in puzzle.fixed]
    free = [square for square in range(len(puzzle.board)) if square not in fixed]
    assert bound <= min(model.estimate([*fixed, *order], slips).nodes for order in permutations(free))


@examples(20)
@given(st.data())
def test_no_order_is_below_it_with_slips_around_fixed_pieces(data):
    clues = data.draw(st.integers(4, 6))
    puzzle = deal_edge_matching(3, 3, 1, data.draw(st.integers(1, 3)), clues=clues, seed=clues).puzzle
    slips = sorted(data.draw(st.lists(st.integers(clues, 9), min_size=1, max_size=4)))
    model = Complexity(puzzle)
    fixed = [square for square, _, _ in puzzle.fixed]
    free = [square for square in range(9) if square not in fixed]
    fewest = min(model.estimate([*fixed, *order], slips).nodes for order in permutations(free))
    assert fewest_nodes(OrderCosts(model, slips)) <= fewest


@pytest.mark.parametrize("size", [(3, 3), (3, 5), (4, 4)])
def test_without_clues_it_is_near(size):
    for seed in range(3):
        model = Complexity(deal_edge_matching(*size, 2, 3, seed=seed).puzzle)
        costs = OrderCosts(model, ())
        assert fewest_nodes(costs) >= model.estimate(cheapest_order(costs)).nodes / 2


@pytest.mark.slow
def test_eternity_ii():
    """No order has less than 2/5 of the nodes of the best one known, 1.364e47."""
    assert 5.7e46 < fewest_nodes(OrderCosts(Complexity(read("eternity2")), ())) < 1.364e47
