"""The local search keeps its books: what it says an order costs is what the exact model says."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import NAMED_ORDERS, checked_order, named_order
from jigsat.csp.puzzles.slips import checked_slips
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.owen.local_search import LocalSearch, first_orders
from jigsat.estimators.owen.order_costs import OrderCosts
from property_tests import examples
from strategies import puzzles


def check(puzzle, slips, *portions):
    model = Complexity(puzzle)
    costs = OrderCosts(model, checked_slips(puzzle, slips))
    search = LocalSearch(costs)
    for moves in portions:
        search.advance(moves)
        assert checked_order(puzzle, search.order) == search.order
        exact = model.estimate(search.order, slips).nodes
        found = float(costs.fixed_nodes + Fraction(search.cost) * costs.unit)
        assert found == pytest.approx(float(exact), rel=1e-9) or (model.rim and found <= exact)
    assert search.moves == sum(portions)


@examples(60)
@given(puzzles(), st.data())
def test_costs_are_those_of_the_order(puzzle, data):
    """Cold and warm, with and without fixed pieces and slips."""
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=4)))
    check(puzzle, slips, 1, 300, 8_000 * len(first_orders(puzzle)), 3_000)


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("slips", [None, "30,40x3,60", "192x10"])
def test_costs_on_a_large_board(slips):
    check(read("eternity2-hints"), slips, 1, 40_000, 200_000)


def test_portions_make_no_difference():
    costs = OrderCosts(Complexity(deal_edge_matching(7, 7, 3, 6, clues=2, seed=1).puzzle), ())
    whole, parts = LocalSearch(costs, seed=7), LocalSearch(costs, seed=7)
    whole.advance(300_000)
    for moves in (1, 7_999, 90_001, 201_999):
        parts.advance(moves)
    assert (whole.order, whole.cost) == (parts.order, parts.cost)
    other = LocalSearch(costs, seed=8)
    other.advance(20_000)
    again = LocalSearch(costs, seed=7)
    again.advance(20_000)
    assert other.order != again.order


def test_it_starts_from_every_corner_and_every_named_order():
    puzzle = deal_edge_matching(6, 5, 2, 3, clues=1, seed=1).puzzle
    orders = first_orders(puzzle)
    assert {named_order(puzzle, name) for name in NAMED_ORDERS} <= set(orders)
    assert all(checked_order(puzzle, order) == order for order in orders)
    free = {order[1] for order in orders}
    assert {0, 4, 25, 29} <= free
    assert len(orders) == len(set(orders)) == len(NAMED_ORDERS) + 12 - 2
