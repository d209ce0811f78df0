"""The extrapolation of scores, on samples of known distributions."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from jigsat.estimators.races.tail import tail_draws

DISTRIBUTIONS = {
    "narrow": stats.norm(460, 1.0),
    "normal": stats.norm(460.3, 1.3),
    "wide": stats.norm(460, 5),
    "Gumbel": stats.gumbel_r(460, 1),
    "exponential": stats.expon(450, 1.5),
}


def coverage(distribution, number, samples, seed):
    """How often the 95 % interval has the true probability to be better than the best."""
    chance, inside = np.random.default_rng(seed), 0
    for _ in range(samples):
        scores = np.floor(distribution.rvs(number, random_state=chance)).astype(int)
        low, high = np.quantile(tail_draws(Counter(scores.tolist()), number), [0.025, 0.975])
        inside += low <= distribution.sf(scores.max() + 1) <= high
    return inside / samples


@pytest.mark.parametrize("scores", [{}, {50: 19}, {50: 10, 52: 9}])
def test_too_few_trials_say_nothing(scores):
    assert tail_draws(scores, sum(scores.values())) is None


def test_trials_of_one_score_only_say_little():
    low, high = np.quantile(tail_draws({50: 30}, 30), [0.025, 0.975])
    assert 0 < low < 0.01
    assert 0.05 < high < 0.3


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
