"""Expected scores are the regression, worked out by hand."""

import pytest

import jigsat as js
from jigsat.estimators.ways.expected_scores import ScoreFit, score_features
from jigsat.estimators.ways.fitted_times import load_times

PLAIN = js.make_edge_matching(10, 10, 4, 10, seed=1)
CLUED = js.make_edge_matching(10, 10, 4, 10, clues=1, seed=1)


def test_features_by_hand():
    assert score_features(PLAIN, 100) == pytest.approx((1, 1, 1, 0, 2))
    assert score_features(CLUED, 1) == pytest.approx((1, 1, 1, 1, 0))
    # No time at all counts as a tenth of a second.
    assert score_features(PLAIN, 0) == score_features(PLAIN, 0.1) == pytest.approx((1, 1, 1, 0, -1))


def test_the_score_is_the_highest_less_the_invalid_joins():
    fit = ScoreFit("beam", (4.0, 1.0, 2.0, 3.0, -1.5), 0.5, 12)
    assert PLAIN.max_score == 180
    assert fit.score(PLAIN, 100) == pytest.approx(180 - (4 + 1 + 2 - 3))
    assert fit.score(CLUED, 100) == pytest.approx(180 - (4 + 1 + 2 + 3 - 3))
    # There is nothing above the highest score.
    assert fit.score(PLAIN, 1e9) == 180


def test_more_time_makes_no_lower_score():
    for fit in load_times().scores:
        scores = [fit.score(PLAIN, seconds) for seconds in (0.1, 1, 10, 100, 1000)]
        assert scores == sorted(scores)
        assert scores[-1] <= PLAIN.max_score
