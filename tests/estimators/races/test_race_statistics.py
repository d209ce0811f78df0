"""Rates with exact Poisson intervals, scores, orders of squares; extrapolated scores of known distributions."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from jigsat.csp.search.best_score_race import Trial
from jigsat.estimators.races.race_result import rate, statistics_of, tail_draws

DISTRIBUTIONS = {
    "narrow": stats.norm(460, 1.0),
    "normal": stats.norm(460.3, 1.3),
    "wide": stats.norm(460, 5),
    "Gumbel": stats.gumbel_r(460, 1),
    "exponential": stats.expon(450, 1.5),
}


@pytest.mark.parametrize(
    ("number", "low", "high"), [(0, 0.0, 3.688879), (1, 0.025318, 5.571643), (10, 4.795389, 18.390356)]
)
def test_the_interval_of_single_events_is_the_exact_one(number, low, high):
    """The ends that Garwood (1936) tabulates; in two hours half as many an hour."""
    found = rate([1] * number, 7200.0)
    assert (found.number, found.an_hour) == (number, number / 2)
    assert (2 * found.low, 2 * found.high) == pytest.approx((low, high), abs=1e-6)


def trial(number, way, score):
    return Trial(number, way, score, 100, cpu_seconds=2.0)


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


def coverage(distribution, number, samples, seed):
    """How often the 95 % interval has the true probability to be better than the best."""
    chance, inside = np.random.default_rng(seed), 0
    for _ in range(samples):
        scores = np.floor(distribution.rvs(number, random_state=chance)).astype(int)
        low, high = np.quantile(tail_draws(Counter(scores.tolist()), number), [0.025, 0.975])
        inside += low <= distribution.sf(scores.max() + 1) <= high
    return inside / samples


def test_trials_without_a_score_count():
    """Half of the trials have no full board, so each score is half as frequent."""
    scores = {50: 600, 51: 250, 52: 100, 53: 30}
    all_full, half_full = (np.median(tail_draws(scores, trials)) for trials in (980, 1960))
    assert half_full == pytest.approx(all_full / 2, rel=0.03)


def test_a_geometric_tail_is_continued():
    scores = {50 + k: 2 ** (12 - k) for k in range(10)}
    found = tail_draws(scores, sum(scores.values()))
    assert np.quantile(found, 0.025) < 8 / sum(scores.values()) / 2 < np.quantile(found, 0.975)


def test_the_interval_has_the_truth():
    assert coverage(DISTRIBUTIONS["normal"], 400, 20, 1) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("number", [30, 100, 400, 3000])
def test_the_interval_has_the_truth_for_most_samples(name, number):
    assert coverage(DISTRIBUTIONS[name], number, 150, 5) >= 0.8
