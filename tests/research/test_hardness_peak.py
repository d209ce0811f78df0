"""Peaks of two planted lines."""

from math import log10

import numpy as np
import pytest

from hardness_peak import log_effort, peaks
from jigsat.estimators.owen.complexity import hardest_inner_colors
from records import killed, outcomes, record

COLORS = range(3, 13)


def _effort(colors, peak):
    """The decimal logarithm of the effort: up by 1 a colour to the peak, down by 1.2 after it."""
    return 8 - (peak - colors if colors < peak else 1.2 * (colors - peak))


def _runs(peak, *, spread=0.5, seeds=15, limit=np.inf, engine="backtrack", rng=None, **parts):
    """Runs to the first solution, with scattered efforts; those beyond a limit are killed."""
    rng = np.random.default_rng(4) if rng is None else rng
    for colors in COLORS:
        for seed in range(seeds):
            effort = 10 ** (_effort(colors, peak) + rng.normal(0, spread))
            shared = {
                "goal": "solve", "rows": 8, "columns": 8, "inner_colors": colors, "seed": seed, "engine": engine,
                "predicted_by_depth": (10 ** _effort(colors, 6.8),), "predicted_solutions": 0, "random": True, **parts,
            }  # fmt: skip
            native = engine == "backtrack"
            measured = {"nodes_by_depth": (round(effort),)} if native else {"statistics": {"conflicts": round(effort)}}
            yield killed("time", **shared) if effort > limit else record(**shared, **measured)


@pytest.mark.parametrize("place", [6.2, 6.5, 6.9, 7.0, 7.4])
def test_exact_lines_cross_where_they_were_planted(place):
    """Wherever between two whole numbers, and on one."""
    (peak,) = peaks(outcomes(*_runs(place, spread=0.0, seeds=1)))
    assert peak.at == pytest.approx(place, abs=1e-3)
    assert peak.predicted == pytest.approx(6.8, abs=1e-3)
    assert (peak.family, peak.label, peak.measure) == ("8x8, random", "backtrack", "nodes")
    assert peak.owen == hardest_inner_colors(8, 8)
    assert [point.log_predicted for point in peak.points] == pytest.approx([_effort(c, 6.8) for c in COLORS], abs=1e-6)
    # One run a point gives no error.
    assert (peak.low, peak.high) == (None, None)


@pytest.mark.slow
def test_the_interval_holds_the_planted_peak_as_often_as_it_says(monkeypatch):
    """In 30 experiments nearly always, without being so wide that it says nothing."""
    monkeypatch.setattr("hardness_peak.SAMPLES", 200)
    rng = np.random.default_rng(1)
    found = [peaks(outcomes(*_runs(7.3, rng=rng)))[0] for _ in range(30)]
    intervals = [(peak.low, peak.high) for peak in found if peak.low is not None and peak.high is not None]
    assert len(intervals) == 30
    assert sum(low <= 7.3 <= high for low, high in intervals) >= 26
    assert np.median([high - low for low, high in intervals]) < 1


def test_medians_and_quartiles_with_runs_beyond_the_limit():
    """Killed runs are beyond all others: with less than half of them the median stays what it is."""
    base = list(_runs(7.3, seeds=5, spread=0.0))
    index = COLORS.index(7) * 5
    efforts = [100, 200, 300]
    for place, effort in enumerate(efforts):
        base[index + place] = {**base[index + place], "nodes": effort, "nodes_by_depth": [effort]}
    for place in (3, 4):
        base[index + place] = killed("time", goal="solve", rows=8, columns=8, inner_colors=7, seed=place, random=True)
    (peak,) = peaks(outcomes(*base))
    point = peak.points[COLORS.index(7)]
    assert (point.inner_colors, point.runs, point.unsolved) == (7, 5, 2)
    assert (point.median, point.low, point.high) == (300, 200, None)


def test_a_peak_beyond_the_limit_is_found_from_its_sides():
    """The points there have no median; the lines through the others still cross, and the method says it."""
    (peak,) = peaks(outcomes(*_runs(7.3, limit=10**7.2, spread=0.2)))
    beyond = [point.inner_colors for point in peak.points if point.median is None]
    assert beyond == [7]
    assert "beyond the limit (7 colours)" in peak.method
    assert peak.at == pytest.approx(7.3, abs=0.3)
    assert peak.low is not None
    assert peak.high is not None
    assert peak.low <= 7.3 <= peak.high


def _one_each(*logs):
    """A run for each number of colours from 3 on, with the decimal logarithm of its nodes; None for a killed one."""
    parts = {"goal": "solve", "rows": 8, "columns": 8}
    return outcomes(*(
        killed(inner_colors=colors, **parts) if log is None
        else record(inner_colors=colors, nodes_by_depth=(round(10**log),), **parts)
        for colors, log in enumerate(logs, start=3)
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("logs", "place"),
    [((4.8, 4.9, 5, 5.1, 10, 9, 8, 7), 25.3 / 3.5), ((7, 8, 9, 10, 5.1, 5, 4.9, 4.8), 20.2 / 3.5)],
    ids=["before", "after"],
)
def test_lines_that_cross_far_from_the_highest_point_are_no_peak(logs, place):
    """A jump beside the highest point: the straightest lines would cross at 11.4 or 1.6, far from it.

    By hand: 6.7 + 2.5 (k - 6) through 5, 6 and 7 colours meets 17 - k; k + 4 meets 6.7 - 2.5 (k - 7).
    """
    (peak,) = peaks(_one_each(*logs))
    assert peak.at == pytest.approx(place)


def test_what_makes_no_peak():
    """Fewer than five numbers of colours, other goals, puzzles that were not generated, nothing but failures."""
    runs = list(_runs(7.0, seeds=1, spread=0.0))
    assert peaks(outcomes(*runs[:4])) == []
    assert peaks(outcomes(*[{**run, "goal": "count"} for run in runs])) == []
    assert peaks(outcomes(*[{**run, "source": {"instance": "a"}} for run in runs])) == []
    assert peaks(outcomes(*_runs(7.0, seeds=1, limit=0))) == []


def test_what_is_beyond_the_limit_is_at_least_the_limit():
    """A line that runs below a point beyond the limit is not the branch: with 6 colours the effort is at least 1e9."""
    logs = {3: 6.2, 4: 6.6, 5: 7.6, 6: 9.3, 7: 10.4, 8: 8.5, 9: 6.5, 10: 5.5, 11: 4.9, 12: 4.5}
    runs = [
        record(
            goal="solve", rows=8, columns=8, inner_colors=colors, seed=seed,
            outcome="nodes" if log > 9 else "solved", nodes_by_depth=(round(10 ** min(log, 9)),),
        )
        for colors, log in logs.items()
        for seed in range(6)
    ]  # fmt: skip
    (peak,) = peaks(outcomes(*runs))
    assert "with lower bounds for 6" in peak.method
    # The line through 4, 5 and 6 colours against that through 8, 9 and 10; through 3, 4 and 5 it would be 7.4.
    left, right = np.polyfit([4, 5, 6], [6.6, 7.6, 9], 1), np.polyfit([8, 9, 10], [8.5, 6.5, 5.5], 1)
    assert peak.at == pytest.approx((right[1] - left[1]) / (left[0] - right[0]), abs=1e-3)
    assert (peak.points[3].median, peak.points[4].median) == (None, None)


@pytest.mark.parametrize(
    ("parts", "solutions"),
    [
        ({"random": True}, 100 / 4),
        ({}, 100 / 4 + 1),
        ({"clues": 2}, 100 + 1),
        ({"options": {"symmetry": False}}, 100 + 4),
        ({"source": {"instance": "puzzle-a"}}, 100 / 4),
        ({"source": {"family": "jigsaw"}}, 100 / 4 + 1),
        ({"source": {"family": "jigsaw", "solutions": 2}}, 100 / 4 + 2),
    ],
    ids=["random", "planted", "clues", "no symmetry", "bundled", "jigsaw", "jigsaw with two"],
)
def test_effort_to_the_first_of_the_solutions(parts, solutions):
    """The tree by the number of solutions that the search can meet, and one."""
    (run,) = outcomes(record(goal="solve", predicted_by_depth=(10**6,), predicted_solutions=100, **parts))
    assert log_effort(run) == pytest.approx(6 - log10(solutions + 1))
