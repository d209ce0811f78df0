"""The best order: no other order is better on small boards, nor what is known of Eternity II.

The local search keeps its books: what it says an order costs is what the exact model says.
"""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stored_orders
from jigsat import read
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import NAMED_ORDERS, checked_order
from jigsat.csp.puzzles.slips import checked_slips
from jigsat.estimators.owen import best_order as home
from jigsat.estimators.owen.best_order import LocalSearch, OrderCosts, best_order, cheapest_order, first_orders
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from strategies import puzzles

PUBLISHED = json.loads(Path(__file__).with_name("published_estimates.json").read_text())


def staircase_orders(puzzle):
    """Every order that fills the board from one of its corners without ever leaving a gap towards that corner."""
    rows, columns = puzzle.rows, puzzle.columns

    def extend(order, lengths):
        if len(order) == rows * columns:
            yield order
        for row, length in enumerate(lengths):
            if length < columns and (row == 0 or lengths[row - 1] > length):
                longer = [*lengths[:row], length + 1, *lengths[row + 1 :]]
                yield from extend([*order, (row, length)], longer)

    for flip_rows, flip_columns in product((False, True), repeat=2):
        for order in extend([], [0] * rows):
            yield [
                (rows - 1 - r if flip_rows else r) * columns + (columns - 1 - c if flip_columns else c)
                for r, c in order
            ]


def cost_of(model, order, slips=()):
    fixed = [fixed.square for fixed in model.puzzle.fixed]
    return model.estimate([*fixed, *(square for square in order if square not in fixed)], slips).nodes


def nodes_of(estimate):
    """The nodes that the local search counts: without slips, those of a puzzle that has a solution."""
    return float(estimate.nodes) if estimate.slips else sum(10**log for log in estimate.nodes_with_solution)


@examples(30)
@given(puzzles([(2, 2), (2, 3), (3, 2), (3, 3), (2, 4)]), st.data())
def test_no_staircase_and_no_named_order_is_better(puzzle, data):
    """All of them, one by one, with and without fixed pieces and slips, from every corner."""
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3)))
    model = Complexity(puzzle)
    found = best_order(puzzle, slips)
    least = min(cost_of(model, order, slips) for order in staircase_orders(puzzle))
    least = min(least, *(model.estimate(name, slips).nodes for name in NAMED_ORDERS))
    assert checked_order(puzzle, found.order) == found.order
    assert found.estimate.nodes == cost_of(model, found.order, slips) <= least * (1 + Fraction(1, 10**9))
    assert found.exhaustive == (not found.estimate.slips)


def test_the_local_search_finds_the_best_order_of_small_boards():
    """Whose cost another method gives: all sets of squares."""
    for clues in (0, 2):
        puzzle = deal_edge_matching(4, 4, 2, 4, clues=clues, seed=3).puzzle
        exact = best_order(puzzle)
        exact.costs.solutions = 0.0
        search = LocalSearch(exact.costs)
        search.advance(100_000)
        units = Fraction(search.cost) * exact.costs.unit
        assert float(exact.costs.fixed_nodes + units) == pytest.approx(float(exact.estimate.nodes), rel=1e-9)


@pytest.mark.slow
def test_eternity_ii_is_as_good_as_by_hand():
    puzzle = read("eternity2")
    by_hand = [puzzle.board.parse(name) for name in PUBLISHED["best_known"].split()]
    found = best_order(puzzle)
    assert found.estimate.nodes < Complexity(puzzle).estimate(by_hand).nodes * (1 + Fraction(1, 10**6))


def test_ten_slips_on_eternity_ii():
    """The best published order has 7.000e57 nodes."""
    found = best_order(read("eternity2"), "192x10")
    assert found.estimate.nodes < 10**56


def fewest_of_all_orders(model):
    """The nodes of the cheapest order, by exact numbers for every set of squares."""
    fixed = [square for square, _, _ in model.puzzle.fixed]
    free = frozenset(range(len(model.puzzle.board))) - set(fixed)

    @cache
    def fewest(filled):
        nodes = model.estimate([*fixed, *filled, *(free - filled)]).nodes_by_depth
        if not filled:
            return sum(nodes[: len(fixed)], Fraction(0))
        return nodes[len(fixed) + len(filled) - 1] + min(fewest(filled - {square}) for square in filled)

    return fewest(free)


@examples(60)
@given(puzzles([(1, 1), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]))
def test_no_order_is_cheaper(puzzle):
    model = Complexity(puzzle)
    order = cheapest_order(OrderCosts(model, ()))
    assert checked_order(puzzle, order) == order
    assert float(model.estimate(order).nodes) == pytest.approx(float(fewest_of_all_orders(model)), rel=1e-9)


def check_costs(puzzle, slips, *portions):
    model = Complexity(puzzle)
    costs = OrderCosts(model, checked_slips(puzzle, slips))
    search = LocalSearch(costs)
    for moves in portions:
        search.advance(moves)
        assert checked_order(puzzle, search.order) == search.order
        exact = nodes_of(model.estimate(search.order, slips))
        found = float(costs.fixed_nodes + Fraction(search.cost) * costs.unit)
        assert found == pytest.approx(exact, rel=1e-9) or (model.rim and found <= exact)
    assert search.moves == sum(portions)


@examples(60)
@given(puzzles(), st.data())
def test_costs_are_those_of_the_order(puzzle, data):
    """Cold and warm, with and without fixed pieces and slips."""
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=4)))
    check_costs(puzzle, slips, 1, 300, 8_000 * len(first_orders(puzzle)), 3_000)


def test_portions_make_no_difference():
    costs = OrderCosts(Complexity(deal_edge_matching(7, 7, 3, 6, clues=2, seed=1).puzzle), ())
    whole, parts = LocalSearch(costs, seed=7), LocalSearch(costs, seed=7)
    whole.advance(300_000)
    for moves in (1, 7_999, 90_001, 201_999):
        parts.advance(moves)
        assert parts.cost >= whole.cost
    assert (whole.order, whole.cost) == (parts.order, parts.cost)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("name", stored_orders.NAMES)
def test_the_stored_orders_are_those_that_the_search_finds(name, monkeypatch):
    stored = home.stored_orders()
    assert len(stored) == len(stored_orders.NAMES)
    monkeypatch.setattr(home, "stored_orders", dict)
    ((puzzle, order),) = stored_orders.searched((name,)).items()
    assert stored[puzzle] == order
