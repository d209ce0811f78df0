"""The choice of a counting method by predicted cost."""

import pytest

from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.plan import cheapest_method
from jigsat.estimators.plan.cheapest_method import costs, planned_count


@pytest.mark.parametrize(
    ("name", "method"), [("clue1", "frames"), ("clue3", "frames"), ("puzzle-c", "macros"), ("eternity2", "plain")]
)
def test_the_quickest_is_taken(name, method):
    """What each costs is measured in `tests/benchmarks/counting.py`; here they differ by ten times and more."""
    plan, found = planned_count(read(name), Options())
    assert found[0].method == method
    assert plan.options.method == (None if method == "plain" else method)
    assert [cost.seconds for cost in found] == sorted(cost.seconds for cost in found)


def test_predictions_are_of_the_right_size():
    """Nodes that are really counted, within a factor of three."""
    puzzle = deal_edge_matching(6, 6, 2, 5, seed=1).puzzle
    found, _ = costs(puzzle, Options())
    assert {cost.method for cost in found} == {"plain", "frames", "macros", "blocks"}
    for cost in found:
        if cost.method in ("plain", "blocks"):
            options = Options(order=cost.order_name, method=cost.method)
            result = find_engine("backtrack").run(puzzle, Goal.COUNT, options=options)
            assert 1 / 3 < result.nodes / cost.nodes < 3, cost.method


@pytest.mark.parametrize(("rows", "colors"), [pytest.param(20, 4, marks=pytest.mark.slow), (16, 2), (20, 40)])
def test_numbers_beyond_any_float(rows, colors):
    """Expected nodes may be more than 1e308."""
    puzzle = deal_edge_matching(rows, rows, 3, colors, seed=3).puzzle
    plan, found = planned_count(puzzle, Options())
    assert found[0].seconds > 0
    assert plan.predicted is not None


def test_of_large_boards_nothing_is_predicted():
    plan, found = planned_count(deal_edge_matching(21, 21, 5, 9, seed=1).puzzle, Options())
    assert (plan.predicted, plan.options, found) == (None, Options(), ())


def test_a_method_that_cannot_make_its_tables_gives_way(monkeypatch):
    """The next one is taken, not an error shown to somebody who named no method."""

    def cut(puzzle, options):
        raise EngineError(f"method {options.method}: too large")

    monkeypatch.setattr(cheapest_method, "cut_into_parts", cut)
    plan, found = planned_count(read("clue1"), Options())
    assert plan.options.method is None
    assert [cost.method for cost in found] == ["plain", "blocks", "macros"]
