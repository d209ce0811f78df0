"""Predictions that come true by a known factor, and those that do not."""

from math import inf, isnan, log10

import numpy as np
import pytest

from jigsat.estimators.experiments.analysis.calibration import calibrations, depth_ratios, rankings, transfers
from records import killed, outcomes, record


def _runs(predicted, actual, **parts):
    """A run for each seed."""
    return [
        record(seed=seed, predicted_by_depth=(expected,), nodes_by_depth=(round(found),), **parts)
        for seed, (expected, found) in enumerate(zip(predicted, actual, strict=True))
    ]


def test_calibration_of_planted_ratios():
    """Ratios 1/2, 2 and 8: geometric mean 2, spread 2 in powers of two, t of two degrees of freedom."""
    rows = calibrations(outcomes(*_runs([1000, 4000, 2000], [500, 8000, 16000])), "nodes")
    assert [(row.family, row.label, row.number) for row in rows] == [
        ("6x6, 3+5 colours", "backtrack", 3), ("all", "backtrack", 3),
    ]  # fmt: skip
    assert rows[0].geometric_mean == pytest.approx(2)
    assert rows[0].spread == pytest.approx(2 * log10(2))
    half = 4.30265 * 2 * log10(2) / 3**0.5
    assert (log10(rows[0].low), log10(rows[0].high)) == pytest.approx((log10(2) - half, log10(2) + half), abs=1e-4)


def test_a_planted_correction_is_found_within_its_errors():
    """Actual = 10^0.5 predicted^0.9, about."""
    rng = np.random.default_rng(5)
    predicted = 10 ** rng.uniform(3, 8, 40)
    actual = 10**0.5 * predicted**0.9 * 10 ** rng.normal(0, 0.1, 40)
    row, _ = calibrations(outcomes(*_runs(predicted, actual)), "nodes")
    assert row.correction is not None
    assert abs(row.correction.slope - 0.9) < 2.5 * row.correction.slope_error < 0.1
    assert abs(row.correction.intercept - 0.5) < 2.5 * row.correction.intercept_error < 0.5


def test_runs_that_ended_early_are_left_out_and_counted():
    """So are searches without a node, families of which nothing is left, and other goals; repetitions count once."""
    runs = outcomes(
        *_runs([1000], [2000]), *_runs([1000], [2000], repetition=2), record(seed=5, outcome="time"),
        killed(seed=6), record(seed=7, nodes_by_depth=(0, 0)), killed("refused", seed=8),
        record(goal="solve", seed=9), record(rows=8, outcome="time"),
    )  # fmt: skip
    family, everything = calibrations(runs, "nodes")
    assert (family.number, family.left_out, everything.number, everything.left_out) == (1, 3, 1, 4)
    assert family.geometric_mean == pytest.approx(2)
    assert isnan(family.spread)
    assert (family.low, family.high, family.correction) == (0.0, inf, None)


def test_engines_without_nodes_or_an_order_have_no_nodes_to_predict():
    """The prediction is that of an order; a search that chooses its squares as it goes has no prediction."""
    free = record() | {"options": {"symmetry": True}, "engine": "most-constrained"}
    runs = outcomes(record(engine="cpsat"), free)
    assert calibrations(runs, "nodes") == depth_ratios(runs) == []
    assert {row.label for row in calibrations(runs, "solutions")} == {"cpsat", "most-constrained"}


def test_calibration_of_solutions_adds_those_planted():
    """2 expected and 4 arrangements planted: 12 are twice as many, for a random set 6 times."""
    parts = {"predicted_solutions": 2, "count": 12}
    row, _ = calibrations(outcomes(record(**parts)), "solutions")
    assert row.geometric_mean == pytest.approx(2)
    row, _ = calibrations(outcomes(record(**parts, random=True)), "solutions")
    assert row.geometric_mean == pytest.approx(6)


def test_predictions_beyond_any_float():
    run = record(predicted={"nodes": "1.0e+400", "solutions": "1.0e-400"}, random=True)
    nodes, solutions = (calibrations(outcomes(run), quantity)[0] for quantity in ("nodes", "solutions"))
    assert (nodes.geometric_mean, solutions.geometric_mean) == (0.0, inf)


def test_depth_ratios_by_hand():
    """Two seeds, 2000 and 8000 nodes expected, 4000 and 4000 found: geometric mean 1, mean 8000 / 10000."""
    runs = _runs([2000, 8000], [4000, 4000])
    (row,) = depth_ratios(outcomes(*runs))
    assert (row.family, row.label, row.depth, row.runs, row.zeros) == ("6x6, 3+5 colours", "backtrack", 1, 2, 0)
    assert (row.predicted, row.actual, row.ratio) == pytest.approx((4000, 4000, 1))
    assert (row.mean_ratio, row.least, row.most) == pytest.approx((0.8, 0.5, 2))
    half = 12.7062 * log10(4) / 2**0.5 / 2**0.5
    assert (log10(row.low), log10(row.high)) == pytest.approx((-half, half), abs=1e-4)
    assert not row.beyond


def test_depths_without_a_node():
    """A geometric mean cannot hold a 0: it is that of the other seeds, which the row says; the plain mean holds it."""
    (row,) = depth_ratios(outcomes(*_runs([2000, 2000, 2000], [4000, 4000, 0])))
    assert (row.runs, row.zeros, row.least) == (3, 1, 0.0)
    assert (row.ratio, row.most, row.mean_ratio, row.actual) == pytest.approx((2, 2, 4 / 3, 4000))
    assert row.beyond
    (row,) = depth_ratios(outcomes(*_runs([2000, 3000], [0, 0])))
    assert (row.zeros, row.ratio, row.mean_ratio, row.most, row.low, row.high) == (2, 0.0, 0.0, 0.0, 0.0, inf)


def test_depths_where_some_seed_has_few_nodes_are_left_out():
    runs = [
        record(seed=seed, predicted_by_depth=(1, last, 5000), nodes_by_depth=(1, 1500, 5000))
        for seed, last in enumerate((1000, 2000))
    ]
    assert [row.depth for row in depth_ratios(outcomes(*runs))] == [3]
    assert [row.depth for row in depth_ratios(outcomes(*runs), fewest=999)] == [2, 3]


def test_only_depths_that_were_counted_to_the_end():
    """A time-out counts nothing, a depth limit down to it, a search for one solution nothing."""
    nodes = {"predicted_by_depth": (2000, 3000, 4000), "nodes_by_depth": (2000, 3000, 0)}
    limited = [record(seed=seed, outcome="depth", limits={"depth": 2}, **nodes) for seed in (1, 2, 3)]
    ended = [record(seed=4, outcome="time", **nodes), killed(seed=5, predicted_by_depth=(2000, 3000, 4000))]
    rows = depth_ratios(outcomes(*limited, *ended, record(seed=6, goal="solve", **nodes)))
    assert [(row.depth, row.runs, row.missing) for row in rows] == [(1, 3, 3), (2, 3, 3)]
    assert depth_ratios(outcomes(*ended)) == []


def test_depths_that_few_seeds_reach_are_left_out():
    """Two seeds of five that go deeper than the others are no sample."""
    nodes = {"predicted_by_depth": (2000, 3000, 4000), "nodes_by_depth": (2000, 3000, 4000)}
    reached = [1, 2, 2, 3, 3]
    runs = [record(seed=seed, outcome="depth", limits={"depth": depth}, **nodes) for seed, depth in enumerate(reached)]
    assert [(row.depth, row.runs, row.missing) for row in depth_ratios(outcomes(*runs))] == [(1, 5, 0), (2, 4, 1)]


def _orders(seed, **nodes):
    """A run by each order: predicted and actual nodes, and how it ended."""
    return [
        record(
            seed=seed,
            options={"order": order},
            outcome=end,
            predicted_by_depth=(expected,),
            nodes_by_depth=(found,),
        )
        for order, (expected, found, end) in nodes.items()
    ]


def test_the_counter_example_is_found():
    """b is predicted to be 3 times as dear as a, and is cheaper; c and b are too near to say."""
    runs = _orders(1, a=(1000, 900, "solved"), b=(3000, 600, "solved"), c=(5000, 7000, "solved"))
    (row,) = rankings(outcomes(*runs))
    assert (row.family, row.pairs, row.right) == ("6x6, 3+5 colours", 2, 1)
    (wrong,) = row.wrong
    assert (wrong.instance, wrong.cheaper, wrong.dearer) == ("6x6, 3+5 colours, seed 1", "a", "b")
    assert (wrong.predicted_ratio, wrong.actual_ratio) == pytest.approx((3, 2 / 3))
    assert row.kendall == pytest.approx((2 - 1) / 3)


def test_tau_is_the_mean_over_puzzles():
    right = _orders(1, a=(1000, 1, "solved"), b=(9000, 2, "solved"))
    wrong = _orders(2, a=(1000, 2, "solved"), b=(9000, 1, "solved"))
    (row,) = rankings(outcomes(*right, *_orders(3, a=(1000, 2, "solved"), b=(9000, 3, "solved")), *wrong))
    assert row.kendall == pytest.approx(1 / 3)
    assert (row.pairs, row.right) == (3, 2)


@pytest.mark.parametrize(
    ("cheaper", "dearer", "told"),
    [
        ((500, "solved"), (600, "time"), "right"),
        ((500, "solved"), (400, "time"), "undecided"),
        ((600, "nodes"), (500, "solved"), "wrong"),
        ((400, "nodes"), (500, "solved"), "undecided"),
        ((500, "time"), (600, "time"), "undecided"),
        ((500, "solved"), (500, "solved"), "undecided"),
    ],
)
def test_runs_that_ended_early_in_rankings(cheaper, dearer, told):
    """Their nodes are lower bounds: they decide if the other needed fewer in all; equal nodes decide nothing."""
    (row,) = rankings(outcomes(*_orders(1, a=(1000, *cheaper), b=(3000, *dearer))))
    numbers = {"right": row.right, "wrong": len(row.wrong), "undecided": row.undecided}
    assert row.pairs == 1
    assert [name for name, number in numbers.items() if number] == [told]


def test_there_is_no_tau_where_runs_were_cut():
    """Of such pairs those that came as predicted are seen, and hardly any others: 1 would mean nothing."""
    whole = _orders(1, a=(1000, 500, "solved"), b=(3000, 600, "solved"))
    assert rankings(outcomes(*whole))[0].kendall == 1
    cut = _orders(2, a=(1000, 500, "solved"), b=(3000, 400, "time"))
    assert isnan(rankings(outcomes(*whole, *cut))[0].kendall)


def test_rankings_compare_like_with_like():
    """Runs that differ in more than their order, or in the puzzle, make no pair."""
    first = _orders(1, a=(1000, 10, "solved"))
    others = [
        *_orders(2, b=(5000, 1, "solved")),
        record(options={"order": "b", "slips": "4x2"}, predicted_by_depth=(5000,), nodes_by_depth=(1,)),
        record(options={"order": "b"}, threads=2, predicted_by_depth=(5000,), nodes_by_depth=(1,)),
    ]
    assert rankings(outcomes(*first, *others)) == []


def _solver_runs(limit, seeds=60):
    """Conflicts about 10 effort^0.8, cut off at a limit; half of the runs that ended early do not say how far."""
    rng = np.random.default_rng(2)
    for seed in range(seeds):
        effort = 10 ** rng.uniform(2, 7)
        conflicts = 10 * effort**0.8 * 10 ** rng.normal(0, 0.2)
        parts = {"engine": "cpsat", "seed": seed, "predicted_by_depth": (effort,)}
        if conflicts < limit:
            yield record(**parts, statistics={"conflicts": round(conflicts)})
        elif seed % 2:
            yield record(**parts, outcome="time", statistics={"conflicts": limit})
        else:
            yield killed("time", **parts)


def test_transfer_to_a_solver_with_time_outs():
    """The planted line is found although the dearest third was cut off; who says nothing is counted."""
    runs = outcomes(*_solver_runs(10**5))
    rows = {row.measure: row for row in transfers(runs)}
    assert set(rows) == {"conflicts", "seconds"}
    row = rows["conflicts"]
    assert (row.engine, row.goal) == ("cpsat", "count")
    assert abs(row.line.slope - 0.8) < 2.5 * row.line.slope_error < 0.15
    assert row.factor == pytest.approx(10**0.2, rel=0.25)
    ended = [run for run in runs if not run.solved]
    assert row.censored == sum(run.measure("conflicts") is not None for run in ended) > 0
    assert row.left_out == len(ended) - row.censored > 0
    assert row.number + row.left_out == len(runs)
    assert rows["seconds"].censored == len(ended)


def test_transfers_need_runs_and_something_to_tell():
    assert transfers(outcomes(*_solver_runs(10**5, seeds=7))) == []
    same = [record(seed=seed, predicted_by_depth=(10.0**seed,), nodes_by_depth=(9,)) for seed in range(9)]
    assert transfers(outcomes(*same)) == []
