"""Intervals by hand."""

import pytest

from records import killed, outcomes, record, way
from time_intervals import coverages


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
