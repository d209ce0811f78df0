"""The prediction that a run carries is the model's, for the search that is asked for."""

from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.words import significant
from jigsat.csp.engines.request import Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.estimators.effort.search_effort import predict
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from strategies import puzzles

CLUE = read("clue3")


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("slips", [None, "30x2", "12,20"])
@pytest.mark.parametrize("order", ["rowscan", "spiral_in"])
def test_it_is_what_the_model_says(order, slips, symmetry):
    """Nodes are those of the search as asked; solutions are always those of numbered pieces, as they are counted."""
    model = Complexity(CLUE)
    found = predict(CLUE, Options(order=order, symmetry=symmetry, slips=slips), follows=True)
    searched = model.estimate(order, slips, symmetry=symmetry)
    assert (found.order_name, found.order) == find_order(CLUE, order)
    assert found.nodes_by_depth == [significant(nodes, 8) for nodes in searched.nodes_by_depth]
    plain = model.estimate(order, slips)
    assert found.summary == {"solutions": significant(plain.solutions), "nodes": significant(searched.nodes)}


@examples(25)
@given(puzzles([(1, 3), (2, 3), (3, 3), (4, 3)]), st.data())
def test_a_depth_within_is_the_deepest_that_costs_no_more(puzzle, data):
    """Neither one depth too many, which may cost a hundred times as much, nor one too few."""
    found = predict(puzzle, Options(), follows=True)
    costs = list(accumulate(found.effort.searched.nodes_by_depth))
    assert len(costs) == len(found.order) == len(puzzle.board)
    bounds = [float(cost) * factor for cost in costs for factor in (0.999, 1, 1.001)]
    nodes = data.draw(st.sampled_from([0.0, 0.5, 1.0, 1e300, *bounds]))
    affordable = [depth for depth, cost in enumerate([Fraction(0), *costs]) if cost <= Fraction(nodes)]
    assert found.depth_within(nodes) == affordable[-1]


def test_an_engine_without_an_order_is_measured_by_the_cheapest_named_one():
    """Whichever puzzle it is: no named order may promise fewer nodes."""
    for puzzle in (CLUE, read("puzzle-a"), deal_edge_matching(3, 7, 2, 3, clues=2, seed=2).puzzle):
        for options in (Options(), Options(symmetry=False), Options(slips="9")):
            model = Complexity(puzzle)
            costs = {
                name: model.estimate(name, options.slips, symmetry=options.symmetry).nodes for name in NAMED_ORDERS
            }
            found = predict(puzzle, options, follows=False)
            assert found.order_name == min(costs, key=costs.__getitem__)
            assert found.effort.searched.nodes == min(costs.values())
