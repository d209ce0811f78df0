"""Rates with exact Poisson intervals, scores, orders of squares."""

import pytest

from jigsat.csp.search.trials import Trial
from jigsat.estimators.races.race_statistics import rate, statistics_of


@pytest.mark.parametrize(
    ("number", "low", "high"), [(0, 0.0, 3.688879), (1, 0.025318, 5.571643), (10, 4.795389, 18.390356)]
)
def test_the_interval_of_single_events_is_the_exact_one(number, low, high):
    """The ends that Garwood (1936) tabulates; in two hours half as many an hour."""
    found = rate([1] * number, 7200.0)
    assert (found.number, found.an_hour) == (number, number / 2)
    assert (2 * found.low, 2 * found.high) == pytest.approx((low, high), abs=1e-6)


def test_things_in_groups_of_equal_size_are_as_uncertain_as_the_groups():
    groups, single = rate([7] * 10, 3600.0), rate([1] * 10, 3600.0)
    assert (groups.number, groups.an_hour) == (70, 70.0)
    assert (groups.low, groups.high) == pytest.approx((7 * single.low, 7 * single.high))


def test_one_large_group_weighs_more_than_many_small_ones():
    even, uneven = rate([5] * 20, 3600.0), rate([1] * 19 + [81], 3600.0)
    assert even.number == uneven.number
    assert uneven.low < even.low < even.high < uneven.high


def test_without_time_nothing_is_known():
    assert (rate([1], 0.0).low, rate([1], 0.0).high) == (0.0, float("inf"))


def trial(number, way, score):
    return Trial(number, way, 10, "0", score, 100, 2.0, 3.0)


def test_the_statistics_of_a_few_trials():
    trials = [trial(2, "b", 50), trial(0, "a", 48), trial(1, "b", None), trial(3, "a", 50), trial(4, "a", 46)]
    found = statistics_of(trials, 7200.0, {50: [3, 1], 49: [2]}, 60)
    assert (found.best, found.trials.an_hour, found.cpu_seconds, found.nodes) == (50, 2.5, 10.0, 500)
    rows = [(row.score, row.trials.number, row.boards and row.boards.number) for row in found.scores]
    assert rows == [(50, 2, 4), (49, 0, 2), (48, 1, None), (46, 1, None)]
    ways = [(way.way, way.trials, way.mean, way.best, way.at_best) for way in found.ways]
    assert ways == [("a", 3, 48, 50, 1), ("b", 2, 50, 50, 1)]
    assert found.ways[0].deviation == pytest.approx(2 / 3**0.5)
    assert (found.ways[1].deviation, found.better) == (None, None)


def test_a_race_without_trials_has_no_score():
    found = statistics_of([], 0.0, {}, 60)
    assert (found.best, found.scores, found.ways, found.better) == (None, (), (), None)


def test_the_next_score_is_extrapolated_but_not_beyond_the_highest():
    trials = [trial(number, "a", score) for number, score in enumerate([50] * 60 + [51] * 25 + [52] * 10 + [53] * 3)]
    better = statistics_of(trials, 980.0, {}, 60).better
    assert better.score == 54
    # With this tail, one of about a hundred trials is as good; a trial takes ten seconds.
    assert 300 < better.seconds < 5000
    assert 0 < better.low < better.seconds < better.high
    assert statistics_of(trials, 980.0, {}, 53).better is None
