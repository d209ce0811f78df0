"""Choices and intervals by hand."""

import pytest

from jigsat.estimators.experiments.analysis.choices import (
    choices,
    coverages,
    score_choices,
    summaries,
    wrong_times,
)
from jigsat.estimators.experiments.analysis.scores import disagreements, engine_scores
from records import chosen, killed, outcomes, record, way


def _runs():
    """Five puzzles with a limit of 10 s: as good as the best, 4 times, hardly longer, failed alone, solved alone."""
    return [
        chosen(seed=1, planning=0.25, seconds=1.75, way=way(1.0, 0.5, 2.0, how="order rowscan")),
        record(seed=1, seconds=2.0),
        record(seed=1, engine="cpsat", seconds=3.0),
        chosen(seed=2, planning=0.5, seconds=7.5),
        record(seed=2, seconds=2.0),
        record(seed=2, engine="cpsat", seconds=10.0, outcome="time"),
        chosen(seed=3, planning=0.25, seconds=0.25),
        record(seed=3, seconds=0.01),
        chosen(seed=4, seconds=9.5, outcome="time"),
        record(seed=4, seconds=5.0),
        chosen(seed=5, seconds=4.5),
        record(seed=5, seconds=10.0, outcome="time"),
        killed("refused", seed=5, engine="most-constrained"),
    ]


def test_choices_by_hand():
    """Seconds with planning; a limit stands for the time of what it ended."""
    found = choices(outcomes(*_runs()))
    assert [(row.seconds, row.best_seconds, row.ratio, row.good) for row in found] == [
        (2.0, 2.0, 1.0, True), (8.0, 2.0, 4.0, False), (0.5, 0.01, 50.0, True), (10.0, 5.0, 2.0, False),
        (5.0, 10.0, 0.5, True),
    ]  # fmt: skip
    assert [(row.solved, row.best) for row in found] == [(True, "backtrack")] * 3 + [(False, "backtrack"), (True, None)]
    assert (found[0].taken, found[0].plan_seconds, found[0].goal) == ("backtrack, order rowscan", 0.25, "count")


def test_summaries_by_hand():
    """1, 4, 50, 2 and 1/2: the geometric mean is the fifth root of 200; of 1, 4, 1, 2 and 1/2 that of 4."""
    part, every = summaries(choices(outcomes(*_runs())))
    assert (part.part, every.part) == ("a part", "all")
    for row in (part, every):
        assert (row.number, row.good, row.failed, row.alone, row.undecided) == (5, 3, 1, 1, 0)
        assert row.geometric_mean == pytest.approx(200 ** (1 / 5))
        assert row.felt_mean == pytest.approx(4 ** (1 / 5))
    assert summaries([]) == []


def test_where_all_fail_nothing_is_decided():
    runs = [chosen(seconds=9.5, outcome="time"), record(seconds=10.0, outcome="time"), killed("time", engine="cpsat")]
    (row,) = choices(outcomes(*runs))
    assert (row.decided, row.good) == (False, False)
    (summary, _) = summaries([row])
    assert (summary.number, summary.undecided, summary.geometric_mean, summary.felt_mean) == (0, 1, None, None)


def test_only_what_was_asked_the_same_is_compared():
    """Another goal, other slips, another limit, a run that was refused, and a puzzle without a default."""
    others = [
        record(goal="solve"), record(options={"slips": "9"}), record(limits={"seconds": 5.0}), killed("refused"),
        record(seed=2),
    ]  # fmt: skip
    assert choices(outcomes(chosen(), *others)) == []
    assert choices(outcomes(*others)) == []


def test_a_count_is_compared_with_its_tables():
    """The engine was done in a second, and its tables took three before."""
    (row,) = choices(outcomes(chosen(seconds=1.5), record(seconds=1.0, answer_seconds=4.0)))
    assert (row.seconds, row.best_seconds) == (2.0, 4.0)


def test_scores_are_compared_not_times():
    parts = {"goal": "best", "outcome": "time", "status": "feasible", "seconds": 10.0}
    runs = [
        chosen(engine="beam", best_score=55, **parts), record(engine="dive", best_score=57, **parts),
        record(engine="cpsat", **{**parts, "best_score": 12, "status": "unknown"}),
        chosen(engine="cpsat", seed=2, best_score=None, **{**parts, "status": "unknown"}),
        record(engine="dive", seed=2, best_score=None, **{**parts, "status": "unknown"}),
    ]  # fmt: skip
    first, second = score_choices(outcomes(*runs))
    assert (first.score, first.best_score, first.joins, first.best) == (55, 57, 60, "dive")
    assert (second.score, second.best_score) == (None, None)
    assert choices(outcomes(*runs)) == []


def test_predictions_that_are_far_off():
    """More than ten times as long, or less than a tenth, the worst first; of ended runs only the former is known."""
    runs = [
        record(seed=1, seconds=5.0, way=way(0.4, 0.1, 1.0)),
        record(seed=2, seconds=0.25, way=way(100.0, 10.0, 1000.0)),
        record(seed=3, seconds=10.0, outcome="time", way=way(0.1, 0.05, 0.2)),
        record(seed=4, seconds=10.0, outcome="time", way=way(5000.0, 400.0, 9000.0)),
        record(seed=5, seconds=0.02, way=way(0.4, 0.3, 0.5)),
        record(seed=6, seconds=5.0, way=way(0.5, 0.1, 1.0)),
        record(seed=7, seconds=0.5, outcome="memory", way=way(0.01, 0.01, 0.01)),
        record(seed=8, seconds=5.0),
    ]  # fmt: skip
    found = wrong_times(outcomes(*runs))
    assert [(row.factor, row.ended) for row in found] == [(0.0025, False), (100.0, True), (12.5, False)]
    assert (found[0].predicted, found[0].low, found[0].high, found[0].actual) == (100.0, 10.0, 1000.0, 0.25)


def test_coverage_by_hand():
    """The limit is 10 s.  Both ends within it, the lower one alone, none; each with runs that it ended."""
    both, one, none = way(2.0, 1.0, 4.0), way(8.0, 1.0, 40.0), way(80.0, 20.0, 400.0)
    runs = [
        *(record(seed=seed, seconds=seconds, way=both) for seed, seconds in enumerate((0.5, 2.0, 3.0, 5.0))),
        record(seed=4, seconds=10.0, outcome="time", way=both),
        *(record(seed=seed, seconds=seconds, way=one) for seed, seconds in ((5, 0.9), (6, 9.0))),
        *(record(seed=seed, seconds=10.0, outcome="time", way=one) for seed in (7, 8, 9)),
        record(seed=10, seconds=2.0, way=none),
        record(seed=11, seconds=10.0, outcome="time", way=none),
    ]
    (row,) = coverages(outcomes(*runs))
    assert (row.engine, row.goal, row.runs, row.contradicted) == ("backtrack", "count", 12, 5)
    assert (row.quicker, row.of_low, row.slower, row.of_high) == (2, 10, 2, 5)
    assert row.share == pytest.approx(1 - 2 / 10 - 2 / 5)
    (row,) = coverages(outcomes(*runs[-2:]))
    assert (row.of_low, row.of_high, row.share) == (0, 0, None)


def test_intervals_are_about_processor_time():
    """A run that had half of the processor until its limit shows half of the time only; short times are alike."""
    starved = record(seconds=10.0, cpu_seconds=5.0, outcome="time", way=way(3.0, 1.0, 8.0))
    (row,) = coverages(outcomes(starved))
    assert (row.of_low, row.slower, row.of_high) == (1, 0, 0)
    busy, short = (
        record(seconds=6.0, cpu_seconds=3.0, way=way(3.0, 2.0, 4.0)),
        record(seconds=0.001, way=way(0.03, 0.02, 0.04)),
    )
    rows = [coverages(outcomes(run))[0] for run in (busy, short)]
    assert [(row.share, row.contradicted) for row in rows] == [(1.0, 0), (1.0, 0)]
    (row,) = coverages(outcomes({**killed("time"), "way": way(3.0, 1.0, 8.0)}))
    assert (row.slower, row.of_high) == (1, 1)


def test_the_default_is_an_engine_of_its_own():
    """Whatever it took, with planning; what it says is held against what others say."""
    runs = outcomes(
        chosen(seconds=1.0), chosen(engine="cpsat", seed=2, seconds=3.0, count=5), record(seed=2, seconds=2.0)
    )
    assert [run.label for run in runs] == ["default", "default", "backtrack"]
    assert [score.par2 for score in engine_scores(runs)] == [2.0, 2.5]
    assert disagreements(runs) == ["6x6, 3+5 colours, seed 2: counts differ: 5 by default; 4 by backtrack"]


def test_methods_are_told_apart():
    runs = outcomes(record(options={"order": None}, asked={"method": "frames"}), record())
    assert [run.label for run in runs] == ["backtrack, method frames", "backtrack"]
