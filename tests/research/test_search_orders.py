"""Orders and depths of runs that never were."""

from math import isnan

import pytest

from records import killed, outcomes, record
from search_orders import depth_ratios, rankings


def orders(seed, **runs):
    """A run for each order, with its predicted and actual nodes and its outcome."""
    return [
        record(
            seed=seed, options={"order": order}, predicted_by_depth=(predicted,), nodes_by_depth=(actual,),
            outcome=outcome,
        )
        for order, (predicted, actual, outcome) in runs.items()
    ]  # fmt: skip


def test_rankings_by_hand():
    """As predicted, the other way round, and too close to be counted; of cut runs only some pairs are decided."""
    solved = "solved"
    first = orders(1, a=(1000, 500, solved), b=(3000, 600, solved), c=(8000, 550, solved), d=(8100, 700, solved))
    (row,) = rankings(outcomes(*first))
    assert (row.right, row.undecided) == (4, 0)
    assert row.wrong == (("6x6, 3+5 colours, seed 1", "b", "c"),)
    assert row.kendall == pytest.approx((5 - 1) / 6)
    cut = orders(2, a=(1000, 500, "time"), b=(3000, 600, solved), c=(9000, 700, "time"))
    (row,) = rankings(outcomes(*cut))
    assert (row.right, row.wrong, row.undecided) == (1, (), 2)
    assert isnan(row.kendall)


def test_rankings_compare_like_with_like():
    """Runs that differ in more than their order, or in the puzzle, make no pair."""
    others = [
        *orders(2, b=(5000, 1, "solved")),
        record(options={"order": "b", "slips": "4x2"}, predicted_by_depth=(5000,), nodes_by_depth=(1,)),
        record(options={"order": "b"}, threads=2, predicted_by_depth=(5000,), nodes_by_depth=(1,)),
    ]
    assert rankings(outcomes(*orders(1, a=(1000, 10, "solved")), *others)) == []


def test_depth_ratios_by_hand():
    """2000 and 8000 nodes expected, 4000 and 4000 found: geometric mean 1; a seed without a node is counted apart."""
    runs = [
        record(seed=seed, predicted_by_depth=(1, expected), nodes_by_depth=(1, found))
        for seed, (expected, found) in enumerate(((2000, 4000), (8000, 4000), (5000, 0)))
    ]
    (row,) = depth_ratios(outcomes(*runs))
    assert (row.depth, row.runs, row.zeros, row.missing) == (2, 3, 1, 0)
    assert row.ratio == pytest.approx(1)


def test_only_depths_that_were_counted_to_the_end():
    """A time-out counts nothing, a depth limit down to it, a search for one solution nothing."""
    nodes = {"predicted_by_depth": (2000, 3000, 4000), "nodes_by_depth": (2000, 3000, 0)}
    limited = [record(seed=seed, outcome="depth", limits={"depth": 2}, **nodes) for seed in (1, 2, 3)]
    ended = [record(seed=4, outcome="time", **nodes), killed(seed=5, predicted_by_depth=(2000, 3000, 4000))]
    rows = depth_ratios(outcomes(*limited, *ended, record(seed=6, goal="solve", **nodes)))
    assert [(row.depth, row.runs, row.missing) for row in rows] == [(1, 3, 3), (2, 3, 3)]
    assert depth_ratios(outcomes(*ended)) == []
