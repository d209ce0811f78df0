"""Intervals and choices by hand."""

import pytest

from records import chosen, killed, outcomes, record, way
from time_intervals import choices, coverages, score_choices


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


def _choices():
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
    found = choices(outcomes(*_choices()))
    assert [(row.solved, row.seconds, row.best, row.good) for row in found] == [
        (True, 2.0, 2.0, True), (True, 8.0, 2.0, False), (True, 0.5, 0.01, True), (False, 10.0, 5.0, False),
        (True, 5.0, 10.0, True),
    ]  # fmt: skip


def test_only_what_was_asked_the_same_is_compared():
    """Another goal, other slips, another limit, a run that was refused, and a puzzle without a default."""
    others = [
        record(goal="solve"), record(options={"slips": "9"}), record(limits={"seconds": 5.0}), killed("refused"),
        record(seed=2),
    ]  # fmt: skip
    assert choices(outcomes(chosen(), *others)) == []
    assert choices(outcomes(*others)) == []


def test_scores_are_compared_not_times():
    parts = {"goal": "best", "outcome": "time", "status": "feasible", "seconds": 10.0}
    runs = [
        chosen(engine="beam", best_score=55, **parts), record(engine="dive", best_score=57, **parts),
        record(engine="cpsat", **{**parts, "best_score": 12, "status": "unknown"}),
        chosen(engine="cpsat", seed=2, best_score=None, **{**parts, "status": "unknown"}),
        record(engine="dive", seed=2, best_score=None, **{**parts, "status": "unknown"}),
    ]  # fmt: skip
    assert score_choices(outcomes(*runs)) == [False, True]
    assert choices(outcomes(*runs)) == []
