"""Progress by what was predicted: exact where the distribution is, and honest where a search takes longer."""

from dataclasses import replace
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat.csp.base.stop import Progress
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.job import PredictedProgress
from jigsat.estimators.ways.way import Spread, Way, lognormal

PLAN = Plan(None, Options())
NODES = Way("backtrack", PLAN, "order rowscan", lognormal(6.0, 0.4), lognormal(0.0, 0.4))
SECONDS = Way("sat:cadical195", PLAN, "encoding pairs", None, lognormal(1.0, 0.3))


def search(way=NODES, goal=Goal.SOLVE, counted=True, **limits):
    return PredictedProgress(way, goal, Limits(**limits), counted)


@pytest.mark.parametrize("passed", [1e3, 1e6, 2e7])
def test_the_median_of_what_is_left_is_that_of_a_sample(passed):
    sample = 10 ** np.random.default_rng(1).normal(6.0, 0.8, 4_000_000)
    left = sample[sample > passed]
    assert isclose(lognormal(6.0, 0.8).median_beyond(passed), float(np.median(left)), rel_tol=0.01)


@given(st.floats(-20, 200), st.floats(0, 3), st.floats(0, 3), st.floats(-15, 250))
def test_the_median_of_what_is_left_lies_beyond(median, below, above, passed):
    """Wherever the search stands, in however narrow a distribution; and the more has passed, the farther."""
    spread = Spread(median - below, median, median + above)
    found = spread.median_beyond(10.0**passed)
    assert found >= 10.0**passed * (1 - 1e-6)
    assert spread.median_beyond(10.0 ** (passed + 0.5)) >= found * (1 - 1e-6)


def test_at_the_beginning_it_is_the_median():
    shown = search().adjusted(Progress(nodes=1000, seconds=0.1))
    assert isclose(shown.expected, 1e6, rel_tol=0.001)
    assert isclose(shown.done, 0.001, rel_tol=0.001)
    assert shown.note is None


def test_a_search_that_takes_longer_says_so():
    later = search().adjusted(Progress(nodes=2_000_000, seconds=1.0, note="lost a worker"))
    assert later.note == "lost a worker; longer than the 1e+06 nodes predicted"
    assert 2e6 < later.expected < 4e6
    far = search().adjusted(Progress(nodes=10_000_000, seconds=9.0))
    assert far.note == "longer than 19 of 20 such searches take (4.5e+06 nodes)"
    assert 1e7 < far.expected < 1.6e7
    # However far, there is never a search that is predicted to be over.
    assert search().adjusted(Progress(nodes=10**40)).done < 1


def test_the_tree_says_the_more_the_more_of_it_lies_behind():
    """All of a count; for a solution half of what is left, where it may lie anywhere."""
    for goal, total in ((Goal.COUNT, 500_000 / 0.999), (Goal.SOLVE, 500_000 * (1 + 0.5 * (1 / 0.999 - 1)))):
        shown = search(goal=goal).adjusted(Progress(nodes=500_000, done=0.999, seconds=1.0))
        assert isclose(shown.expected, total, rel_tol=0.002)
    shown = search(goal=Goal.COUNT).adjusted(Progress(nodes=500_000, done=1.0, seconds=1.0))
    assert (shown.done, shown.expected) == (1.0, None)
    # At the beginning it is not heard.
    shown = search(goal=Goal.COUNT).adjusted(Progress(nodes=1000, done=0.01, seconds=0.1))
    assert 8e5 < shown.expected < 1e6


def test_without_nodes_it_goes_by_the_seconds():
    shown = search(SECONDS, counted=False).adjusted(Progress(seconds=2.0))
    assert isclose(shown.done, 0.2, rel_tol=0.02)
    assert (shown.expected, shown.note) == (None, None)
    # Its nodes, if it has some, are not predicted.
    assert search(SECONDS, counted=True).adjusted(Progress(nodes=500, seconds=2.0)).expected is None
    assert search(SECONDS, counted=False).adjusted(Progress(seconds=12.0)).note == "longer than the 10 s predicted"


def test_a_limit_that_comes_first_is_the_end():
    shown = search(seconds=10.0).adjusted(Progress(nodes=1000, seconds=5.0))
    assert (shown.done, round(shown.expected, -4)) == (0.5, 1e6)
    assert search(nodes=2000).adjusted(Progress(nodes=1000, seconds=5.0)).done == 0.5
    assert search(None, seconds=10.0).adjusted(Progress(seconds=5.0)).done == 0.5
    assert search(None).adjusted(Progress(nodes=50, done=0.5)) == Progress(nodes=50, done=0.5, expected=100.0)


def test_what_a_ledger_holds_is_no_work_of_this_search():
    shown = search(goal=Goal.COUNT).adjusted(Progress(nodes=300_000, found_nodes=200_000, done=0.3, found=0.2))
    assert isclose(shown.found / shown.done, 2 / 3)


def test_a_resumed_search_goes_by_its_own_nodes():
    """Its tree is what the earlier search has left."""
    resumed = Progress(nodes=500_000, found_nodes=400_000, done=0.999, seconds=1.0)
    assert isclose(search(goal=Goal.COUNT).adjusted(resumed).expected, 500_000 + 100_000 / 999, rel_tol=0.002)
    assert search(None, nodes=200_000).adjusted(replace(resumed, done=0.0)).done == 0.5


def test_nothing_beyond_floats_breaks_it():
    endless = Way("backtrack", PLAN, "", Spread(400.0, 401.0, 402.0), Spread(390.0, 391.0, 392.0))
    shown = search(endless).adjusted(Progress(nodes=10**6, done=1e-300, seconds=1.0))
    assert (shown.done, shown.expected) == (0.0, None)
    assert endless.nodes.median_beyond(1.0) == inf
    assert not search(None).has_end
    assert search(endless).has_end


def test_what_a_plan_goes_by():
    """Nodes along an order, seconds of a solver, its own parts for a count by another method; a race has no end."""
    puzzle = js.read_squares("clue1")
    along = js.plan(puzzle, "solve", engine="backtrack", order="rowscan")
    assert along.predicted_progress.spread is along.ways[0].nodes
    solver = js.plan(puzzle, "solve", engine="sat:cadical195")
    assert solver.predicted_progress.spread == solver.ways[0].time
    method = js.plan(puzzle, "count", method="frames")
    assert (method.predicted_progress.spread, method.tells_how_far) == (None, True)
    race = js.plan(puzzle, "best", engine="beam")
    assert not race.tells_how_far
    assert js.plan(puzzle, "best", engine="beam", time_limit=5).tells_how_far


def test_the_seconds_of_a_plan_are_told():
    """Beside those of the run, which has the tables of a count."""
    result = js.count(js.read("clue1"), method="frames")
    assert result.plan_seconds > 0
    assert result.record()["plan_seconds"] == result.plan_seconds
    assert 0 < result.build_seconds < result.seconds
