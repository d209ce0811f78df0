"""The cheapest order of all against an exact shortest path that shares nothing with it."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from jigsat.csp.puzzles.orders import checked_order
from jigsat.estimators.owen.best_order import cheapest_order
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.owen.order_costs import OrderCosts
from property_tests import examples
from strategies import puzzles


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
