"""A job is planned once, and what the plan has built is what runs; progress is measured against the prediction."""

import time
from dataclasses import replace
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat.csp.base.stop import Progress
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.counting import scheduler
from jigsat.csp.search.counting.frames import Frames
from jigsat.csp.search.counting.macros import Macros
from jigsat.estimators.effort import count_methods
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan import job
from jigsat.estimators.plan.job import JobPlan, PredictedProgress
from jigsat.estimators.ways.times import Spread, Way, lognormal

CLUE = js.read_squares("clue1")


@pytest.mark.some_cases(1)
@pytest.mark.parametrize(
    ("name", "asked", "method", "built"),
    [("clue1", {}, "frames", Frames), ("puzzle-a", {"method": "macros"}, "macros", Macros)],
)
def test_the_way_of_the_command_with_tables_built_once(name, asked, method, built, monkeypatch):
    """Python takes the method that the command takes, or the one asked for, and nothing is built a second time.

    For puzzle-a the fastest method depends on the machine.
    """
    tables, make = [], built.__init__

    def noted(self, *arguments):
        tables.append(arguments)
        make(self, *arguments)

    monkeypatch.setattr(built, "__init__", noted)
    result = js.count(js.read(name), **asked)
    assert (result.method, len(tables)) == (method, 1)
    tables.clear()
    plan = js.plan(js.read(name), goal="count", **asked)
    assert (plan.options.method, len(tables)) == (method, 1)
    assert plan.run().count == result.count
    assert len(tables) == 1
    assert count_methods.cut_into_parts is scheduler.cut_into_parts


def test_a_plan_that_is_not_done_in_time_runs_nothing(monkeypatch):
    """And reports it: a result of which nothing is known."""

    def endless(*_, **__):
        while True:
            pass

    monkeypatch.setattr("jigsat.estimators.plan.job.ways_to", endless)
    result = js.count(CLUE, time_limit=0.2)
    assert (result.status, result.complete, result.ended_by, result.count) == ("unknown", False, "time", 0)
    assert "the time limit was reached" in result.summary()


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"node_limit": 1000}, "the node limit was reached"),
        ({"time_limit": 0}, "the time limit was reached"),
        ({"depth_limit": 9}, "the depth limit kept the search from full boards"),
        ({"engine": "most-constrained", "node_limit": 1000}, "the node limit was reached"),
    ],
)
def test_solutions_that_end_at_a_limit_say_so(asked, why):
    with pytest.warns(UserWarning, match=f"^there may be more solutions: {why}$"):
        assert len(list(js.solutions(CLUE, **asked))) < 1000


@pytest.mark.parametrize(
    ("size", "asked"),
    [
        ((3, 3, 1, 2, 1), {"slips": "9x2"}),
        ((3, 3, 2, 2, 4), {"frame_slips": "9x2"}),
        ((4, 3, 3, 4, 2), {"slips": "6x3", "frame_slips": "8x2", "order": "colscan"}),
        ((5, 5, 3, 4, 4), {"slips": "12x2"}),
        ((5, 5, 3, 5, 6), {"slips": "20,22,24", "order": "best"}),
    ],
)
def test_what_slips_allow_is_proved_where_that_takes_seconds(size, asked):
    *made, seed = size
    puzzle = js.make_edge_matching(*made, random=True, seed=seed)
    found, proved = js.best(puzzle, **asked), js.best(puzzle, engine="backtrack", **asked)
    assert (found.status, found.complete, found.best_score) == (proved.status, True, proved.best_score)


def test_other_ways_are_planned_within_the_time_limit(monkeypatch):
    """The board of the first way is kept."""

    def endless(*_arguments, **_options):
        planned.append(True)
        began = time.monotonic()
        while time.monotonic() < began + 30:
            pass
        pytest.fail("not ended")

    # The kernel is loaded before the time counts, however slow the machine is.
    js.solve("eternity2", engine="backtrack", node_limit=1)
    plan, searches, planned = js.plan(js.read("eternity2"), "solve"), [], []
    search = JobPlan._search

    def searched(*asked):
        searches.append(search(*asked))
        return searches[-1]

    monkeypatch.setattr(job, "patience", lambda _way: 0.2)
    monkeypatch.setattr(job, "ways_to", endless)
    monkeypatch.setattr(JobPlan, "_search", searched)
    result = replace(plan, job=replace(plan.job, limits=Limits(plan.spent + 3))).run()
    assert ([replace(found, ended_by="time") for found in searches], planned) == ([result], [True])
    assert (result.ended_by, result.engine) == ("time", plan.engine.name)


def test_a_count_with_far_more_nodes_than_predicted_is_done_in_another_way(monkeypatch):
    """One that has 10^10 nodes, on a board that has less than 10^6 along other orders."""
    puzzle, true_ways = deal_edge_matching(8, 8, 4, 16, seed=1).puzzle, job.ways_to

    def ways_to(*asked, every=False):
        found = true_ways(*asked, every=True)
        slow = next(way for way in found if way.how == "order spiral_in")
        return (replace(slow, nodes=lognormal(2, 0.1)), *(found if every else ()))

    expected = js.count(puzzle, order="zig_zag")
    monkeypatch.setattr(job, "ways_to", ways_to)
    result = js.count(puzzle, time_limit=60)
    assert (result.complete, result.count) == (True, expected.count)
    assert result.options["tried"][0] == "backtrack, order spiral_in"
    assert result.nodes < 10**6


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
