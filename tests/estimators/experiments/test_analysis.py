"""Scores, choices and predictions by hand, and contradictions that must not pass unseen."""

from math import inf, log10

import pytest

from jigsat.estimators.experiments.analysis import (
    agreements,
    best_scores,
    calibrations,
    disagreements,
    engine_scores,
    highest,
)
from records import killed, outcomes, record


def _two_engines():
    """On four puzzles: one engine solves three in 1, 2 and 3 seconds, the other all in 4."""
    quick = [record(engine="cpsat", seed=seed, seconds=float(seed)) for seed in (1, 2, 3)]
    ended = record(engine="cpsat", seed=4, seconds=10.2, outcome="time")
    return [*quick, ended, *(record(seed=seed, seconds=4.0) for seed in (1, 2, 3, 4))]


def test_par2_and_medians_by_hand():
    """(1 + 2 + 3 + 2 * 10) / 4 = 6.5; the limit counts twice, not the seconds that went by."""
    native, solver = engine_scores(outcomes(*_two_engines()))
    assert (native.label, native.runs, native.solved, native.par2, native.median) == ("backtrack", 4, 4, 4.0, 4.0)
    assert (solver.label, solver.solved, solver.other, solver.par2, solver.median) == (
        "cpsat",
        3,
        {"time": 1},
        6.5,
        2.5,
    )


def test_what_is_not_judged():
    """Refused and interrupted runs are shown, and change neither PAR-2 nor median."""
    others = [killed("refused", seed=2), record(seed=3, outcome="interrupt", seconds=9.0), killed("crash", seed=4)]
    (score,) = engine_scores(outcomes(record(seconds=2.0), *others))
    assert score.other == {"crash": 1, "interrupt": 1, "refused": 1}
    assert (score.runs, score.solved, score.par2) == (4, 1, (2.0 + 20.0) / 2)
    (refused,) = engine_scores(outcomes(killed("refused")))
    assert (refused.par2, refused.median, refused.solved) == (None, None, 0)


@pytest.mark.parametrize("outcome", ["depth", "nodes"])
def test_the_seconds_of_runs_that_were_cut_say_nothing(outcome):
    """An order that is cut at depth 9 is not quicker than one that is searched to the end."""
    whole, cut = record(), record(outcome=outcome, limits={"depth": 3}, seed=2, seconds=0.1)
    (score,) = engine_scores(outcomes(whole, cut))
    assert (score.solved, score.other, score.par2) == (1, {outcome: 1}, None)


def test_all_agree():
    """Whatever the symmetries, orders and goals; time-outs say nothing."""
    runs = outcomes(
        record(), record(engine="cpsat", options={"symmetry": False}), record(options={"order": "zig_zag"}),
        record(engine="sat:cadical195", goal="solve"), record(engine="cpsat", goal="solve", outcome="time"),
        record(seed=2), record(seed=2, engine="cpsat", outcome="time", count=3),
    )  # fmt: skip
    assert disagreements(runs) == []
    assert agreements(runs) == (1, 4)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"count": 5}, "counts differ: 4 by backtrack; 5 by cpsat"),
        ({"goal": "all", "count": 5}, "counts differ: 4 by backtrack; 5 by cpsat"),
        ({"canonical_count": 2}, "canonical counts differ: 1 by backtrack; 2 by cpsat"),
        ({"outcome": "time", "count": 5}, "cpsat found 5, more than there are: 4 by backtrack"),
        ({"goal": "solve", "status": "unsatisfiable"}, "a solution by backtrack; none by cpsat"),
    ],
)
def test_each_contradiction_is_a_line(wrong, said):
    runs = outcomes(record(canonical_count=1), record(engine="cpsat", **{"canonical_count": 1, **wrong}))
    assert disagreements(runs) == [f"6x6, 3+5 colours, seed 1: {said}"]


def scored(engine, score, status="feasible", **changes):
    """A run for the best score that proved nothing, unless its status is that of a proof."""
    outcome = "solved" if status == "optimal" else "time"
    parts = {"goal": "best", "outcome": outcome, "engine": engine, "best_score": score, "status": status}
    return record(**(parts | changes))


def test_a_score_above_a_proved_best_one():
    """Without a proof the score may be less, and never more; a board that is not full has no score."""
    proved, partial = scored("cpsat", 58, "optimal"), scored("backtrack", 59, "unknown")
    for score in (40, 58):
        assert disagreements(outcomes(proved, partial, scored("beam", score))) == []
    said = "6x6, 3+5 colours, seed 1: a score of 59 by beam, dive, more than the best: 58 by cpsat"
    # The slips that dive uses do not constrain its boards.
    dive = scored("dive", 59, options={"slips": "20,25", "order": "colscan"})
    assert disagreements(outcomes(proved, scored("beam", 59), dive)) == [said]
    assert disagreements(outcomes(proved, scored("beam", 59, options={"slips": "20,25"}))) == []


def test_a_full_board_where_there_is_none():
    runs = [scored("beam", 40), record(goal="best", engine="cpsat", status="unsatisfiable", best_score=0)]
    assert disagreements(outcomes(*runs)) == ["6x6, 3+5 colours, seed 1: a full board by beam; none by cpsat"]
    # That a solution does not exist is no word on boards.
    runs[1]["goal"] = "solve"
    assert disagreements(outcomes(*runs)) == []


def test_best_scores_by_puzzle_and_engine():
    """The best of several runs; a run that was killed has reported its score before."""
    after = {"best_after": {"score": 50, "nodes": 70, "seconds": 0.5}}
    runs = outcomes(
        scored("beam", 49), scored("beam", 50, repetition=2, nodes_by_depth=(1, 99), **after),
        scored("cpsat", 51, "optimal", best_after={"score": 47, "nodes": 0, "seconds": 0.2}),
        scored("dive", 30, "unknown", seed=2), scored("beam", 44, seed=2), record(),
        killed("memory", engine="cpsat", goal="best", seed=2, **after), killed("refused", engine="x", goal="best"),
    )  # fmt: skip
    rows = best_scores(runs)
    assert [(row.instance[-1], row.label, row.score, row.optimal) for row in rows] == [
        ("1", "beam", 50, False), ("1", "cpsat", 51, True),
        ("2", "dive", None, False), ("2", "beam", 44, False), ("2", "cpsat", 50, False),
    ]  # fmt: skip
    assert highest(rows) == [("cpsat", 2)]


def test_slips_make_another_problem_and_orders_only_with_them():
    """Under slips the count depends on the order; without them it may not."""
    slips = {"slips": "4x2"}
    assert not disagreements(outcomes(record(), record(count=5, options=slips)))
    by_order = [record(options={**slips, "order": order}, count=count) for order, count in (("a", 4), ("b", 5))]
    assert not disagreements(outcomes(*by_order))
    (line,) = disagreements(outcomes(by_order[0], record(options={**slips, "order": "a"}, count=5, engine="cpsat")))
    assert line.startswith("6x6, 3+5 colours, seed 1, slips 4x2: counts differ")
    assert len(disagreements(outcomes(record(), record(count=5, options={"order": "b"})))) == 1


def _runs(predicted, actual, **parts):
    return [
        record(seed=seed, predicted_by_depth=(expected,), nodes_by_depth=(round(found),), **parts)
        for seed, (expected, found) in enumerate(zip(predicted, actual, strict=True))
    ]


def test_calibration_of_planted_ratios():
    """Ratios 1/2, 2 and 8: geometric mean 2, spread 2 in powers of two, t of two degrees of freedom."""
    (row,) = calibrations(outcomes(*_runs([1000, 4000, 2000], [500, 8000, 16000])), "nodes")
    assert (row.family, row.label, row.number) == ("6x6, 3+5 colours", "backtrack", 3)
    assert (row.geometric_mean, row.spread) == pytest.approx((2, 4))
    half = 4.30265 * 2 * log10(2) / 3**0.5
    assert (log10(row.low), log10(row.high)) == pytest.approx((log10(2) - half, log10(2) + half), abs=1e-4)


def test_calibration_of_solutions_adds_those_planted():
    """2 expected and 4 arrangements planted: 12 are twice as many, for a random set 6 times."""
    parts = {"predicted_solutions": 2, "count": 12}
    (row,) = calibrations(outcomes(record(**parts)), "solutions")
    assert row.geometric_mean == pytest.approx(2)
    (row,) = calibrations(outcomes(record(**parts, random=True)), "solutions")
    assert row.geometric_mean == pytest.approx(6)


def test_predictions_beyond_any_float():
    run = record(predicted={"nodes": "1.0e+400", "solutions": "1.0e-400"}, random=True)
    nodes, solutions = (calibrations(outcomes(run), quantity)[0] for quantity in ("nodes", "solutions"))
    assert (nodes.geometric_mean, solutions.geometric_mean) == (0.0, inf)
