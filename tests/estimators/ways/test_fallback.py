"""A search that takes much longer than predicted gets others beside it."""

from dataclasses import replace

import pytest

import jigsat as js
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.stop import Progress
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.puzzles.check_board import check
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.job import Job, JobPlan
from jigsat.estimators.ways import ways as all_ways
from jigsat.estimators.ways.fallback import PATIENCE, NodesSeen, patience, together, with_others
from jigsat.estimators.ways.hedges import side_by_side_or_in_turns
from jigsat.estimators.ways.spread import Spread, lognormal
from jigsat.estimators.ways.way import Way


def way(engine, order=None, median=0.0, refusal=None):
    return Way(
        engine, Plan(None, Options(order=order)), f"order {order}", search=lognormal(median, 0.1), refusal=refusal
    )


def test_who_is_tried_beside_it():
    taken, turned = way("backtrack", "rowscan"), way("backtrack", "colscan", median=1)
    solver = way("sat:cadical195", median=0.5)
    found = with_others([taken, way("cpsat", refusal="no"), turned, solver], 32.0)
    assert found.engine == "portfolio:sat:cadical195,backtrack,backtrack"
    assert [member.options.get("order") for member in found.members] == [None, "colscan", "rowscan"]
    # The first way has to do again what it has done.
    assert [member.head_start for member in found.members] == [1.0, 1.0, 64.0]
    # An engine without a prediction is tried, too.
    unknown = replace(way("most-constrained"), search=None)
    assert with_others([taken, unknown], 1.0).engine == "portfolio:most-constrained,backtrack"
    assert with_others([taken], 1.0) is None


def test_two_ways_that_took_turns_get_others_before_them():
    ways = [way("backtrack", "rowscan"), way("sat:cadical195")]
    pair = side_by_side_or_in_turns((ways[0], ways[1]), 1, ways[0].plan)
    found = with_others([pair, *ways, way("backtrack", "colscan"), way("cpsat", median=2)], 64.0)
    assert found.engine == "portfolio:cpsat,backtrack,sat:cadical195"
    assert [member.head_start for member in found.members] == [2.0, 128.0, 128.0]


def test_patience_goes_by_the_prediction():
    wide = replace(way("backtrack"), search=lognormal(2, 3.0))
    assert patience(wide) == pytest.approx(PATIENCE * 100, rel=0.01)
    # The deviation of the same work on the same machine is 0.1, too.
    assert patience(way("backtrack", median=2)) == pytest.approx(100 * 10 ** (0.8416 * 0.02**0.5), rel=0.01)
    assert patience(way("backtrack", median=-4)) == 0.2
    assert patience(replace(way("backtrack"), search=None)) is None


@pytest.fixture
def spoiled(monkeypatch):
    """A board that is solved at once along some orders, and predicted to be so along one that takes ages."""
    puzzle = make_edge_matching(9, 9, 5, 3, clues=4, seed=101)
    true_ways = all_ways.ways_to

    def ways_to(*asked, every=False):
        found = sorted(true_ways(*asked, every=True), key=lambda way: way.expected)
        slow = next(way for way in found if way.how == "order rowscan")
        others = [way for way in found if way is not slow and way.engine in ("backtrack", "most-constrained")]
        return (replace(slow, search=Spread(-3.0, -2.9, -2.8)), *(others if every else ()))

    monkeypatch.setattr("jigsat.estimators.plan.job.ways_to", ways_to)
    return puzzle


def test_it_is_solved_by_another_way(spoiled):
    result = js.solve(spoiled, time_limit=60)
    assert result.status == "satisfiable"
    assert result.engine.endswith(",backtrack")
    # The time of both, a fifth of a second alone and then the others.
    assert result.seconds > 0.2
    assert check(spoiled, result.solutions[0]).is_solution


@pytest.mark.parametrize("asked", [{"engine": "backtrack"}, {"order": "rowscan"}, {"node_limit": 10**6}])
def test_what_is_asked_for_stays_alone(spoiled, asked):
    assert js.solve(spoiled, time_limit=0.8, **asked).engine == "backtrack"


def test_without_others_it_begins_again(spoiled, monkeypatch):
    """It was ended after a fifth of a second before, as if the time were over."""
    monkeypatch.setattr("jigsat.estimators.plan.job.with_others", lambda ways, alone: None)
    result = js.solve(spoiled, time_limit=1.0)
    assert (result.engine, result.ended_by) == ("backtrack", "time")
    assert result.plan_seconds + result.seconds > 0.9


def test_engines_that_take_no_seed_join_one_that_does():
    plan = Job(js.read("puzzle-a"), Goal.SOLVE, options=Options(seed=1)).plan()
    beside = plan._with_others(1.0)
    *others, last = [member.engine for member in beside.engine.members]
    assert "backtrack" in others
    assert last == plan.engine.name == "cpsat"


def test_no_more_time_than_there_is(spoiled):
    result = js.solve(spoiled, time_limit=0.15)
    assert (result.engine, result.ended_by) == ("backtrack", "time")


def test_the_fuller_board_is_kept():
    puzzle = js.read("eternity2")
    deep, shallow = (js.solve(puzzle, engine="backtrack", order="rowscan", node_limit=n) for n in (100_000, 50))
    assert deep.best_depth > shallow.best_depth
    told = together(deep, shallow)
    assert (told.best_depth, told.best_board) == (deep.best_depth, deep.best_board)
    assert together(shallow, deep).best_board == deep.best_board
    assert told.seconds == pytest.approx(deep.seconds + shallow.seconds)


def test_a_count_with_far_more_nodes_than_predicted_is_made_in_another_way(monkeypatch):
    """All ways seem to have too many nodes here; one of them ends, with the same count."""
    puzzle = js.read("clue3")
    whole, search = js.count(puzzle), JobPlan._search

    def slow(plan, limits, report, consume, must_stop):
        if report is not None:
            report(Progress(10**11, 0, 0.1, 1.0))
        return search(plan, limits, None, consume, must_stop)

    monkeypatch.setattr(JobPlan, "_search", slow)
    found = js.count(puzzle)
    assert (found.count, found.canonical_count, found.complete) == (whole.count, whole.canonical_count, True)
    first, *others, last = found.options["tried"]
    assert len({first, *others}) == len(others) + 1 >= 2
    assert last in (first, *others)
    assert "tried" not in js.count(puzzle, method="frames").options


def test_a_count_that_is_half_done_goes_on():
    seen = NodesSeen(100.0)
    for nodes, done, too_many in ((50, 0.1, False), (101, 0.4, True), (150, 0.5, False)):
        seen.note(Progress(nodes, 0, done, 1.0))
        assert seen.too_many is too_many
    assert seen.in_all == 300
