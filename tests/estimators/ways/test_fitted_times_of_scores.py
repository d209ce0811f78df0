"""Expected scores are the regression, worked out by hand."""

from math import log10

import pytest

import jigsat as js
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.fitted_times import ScoreFit, load_times, score_features

MADE = js.make_edge_matching(10, 10, 4, 10, seed=1)
PLAIN = Complexity(MADE)
NODES, SOLUTIONS = score_features(PLAIN, 1)[1:3]


def test_features_by_hand():
    searched = PLAIN.estimate("rowscan", symmetry=True)
    assert searched.solutions < 1
    wanted = (1, log10(searched.nodes), log10(searched.solutions), 2)
    assert score_features(PLAIN, 100) == pytest.approx(wanted)
    # No time at all counts as a tenth of a second.
    assert score_features(PLAIN, 0) == score_features(PLAIN, 0.1) == (1.0, NODES, SOLUTIONS, -1.0)
    many = Complexity(js.make_edge_matching(10, 10, 2, 5, seed=1))
    searched = many.estimate("rowscan", symmetry=True)
    assert searched.solutions > 1
    assert score_features(many, 1) == pytest.approx((1, log10(searched.nodes / searched.solutions), 0, 0))


def test_a_puzzle_without_solutions_has_no_prediction():
    """A piece of its own colours, which no other one fits."""
    alone = js.EdgeMatchingPuzzle(2, 2, [(0, 0, 1, 1), (0, 0, 1, 1), (0, 0, 1, 1), (0, 0, 2, 3)])
    for fit in load_times().scores:
        assert fit.score(Complexity(alone), 1) is None


def test_the_score_is_the_highest_less_the_invalid_joins():
    fit = ScoreFit("beam", (4.0, 0.5, -0.25, -1.5), -20.0, 0.5, 12)
    assert MADE.max_score == 180
    assert fit.score(PLAIN, 100) == pytest.approx(180 - (4 + NODES / 2 - SOLUTIONS / 4 - 3))
    # There is nothing above the highest score.
    assert fit.score(PLAIN, 1e9) == 180


def test_no_score_is_expected_where_colors_are_rarer_than_in_the_fit():
    fit = ScoreFit("beam", (4.0, 0.5, -0.25, -1.5), -20.0, 0.5, 12)
    rare = Complexity(js.make_edge_matching(10, 10, 4, 40, seed=1))
    assert score_features(rare, 1)[2] < -20
    assert fit.score(rare, 1) is None


def test_more_time_makes_no_lower_score():
    for fit in load_times().scores:
        scores = [fit.score(PLAIN, seconds) for seconds in (0.1, 1, 10, 100, 1000)]
        assert scores == sorted(scores)
        assert scores[-1] <= MADE.max_score


@pytest.mark.parametrize(
    ("name", "seconds", "reached"),
    [
        ("eternity2", 2, 463.3), ("eternity2", 60, 465.3), ("eternity2", 600, 466), ("eternity2-hints", 2, 460.8),
        ("eternity2-hints", 60, 462.8), ("meta10", 60, 175.7), ("meta12", 60, 257.3), ("meta14", 60, 352.3),
        ("meta16", 60, 465),
    ],
)  # fmt: skip
def test_scores_of_beams_on_puzzles_that_are_not_in_the_fit(name, seconds, reached):
    """The scores that were reached, means of several runs, are on the page of records."""
    fit = next(fit for fit in load_times().scores if fit.engine == "beam")
    assert fit.score(Complexity(js.read(name)), seconds) == pytest.approx(reached, abs=2 * fit.deviation)
