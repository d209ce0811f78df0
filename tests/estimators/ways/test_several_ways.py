"""Several ways at once: their times against closed forms, who races and who proves, and who joins a late search."""

from dataclasses import replace

import numpy as np
import pytest

import jigsat as js
from jigsat.api.make import make_edge_matching
from jigsat.csp.base.stop import Progress
from jigsat.csp.engines.portfolio_members import portfolio_of
from jigsat.csp.engines.request import Goal, Options
from jigsat.csp.puzzles.check_board import check
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.job import Job, JobPlan
from jigsat.estimators.ways import ways as all_ways
from jigsat.estimators.ways.several_ways import (
    PATIENCE,
    hedge,
    in_turns,
    patience,
    raced_and_proved,
    side_by_side_or_in_turns,
    two_engines,
    with_others,
)
from jigsat.estimators.ways.times import Spread, Way, lognormal
from simulated_turns import Worker, simulated

PLAN = Plan(None, Options())


def way(engine, median=0.0, deviation=0.1, *, order=None, refusal=None):
    plan = Plan(None, Options(order=order))
    return Way(engine, plan, f"order {order}", search=lognormal(median, deviation), refusal=refusal)


def test_side_by_side_the_quicker_one_counts():
    """Of two equal times that vary, the median of the lesser one is the 29 % quantile of each: (1 - x)^2 = 1/2."""
    pair = way("backtrack", 0, 1), way("cpsat", 0, 1)
    assert side_by_side_or_in_turns(pair, 2, PLAN).search.median == pytest.approx(-0.545, abs=0.02)
    # The other one is always slower.
    pair = way("backtrack", 0, 0.01), way("cpsat", 3, 0.01)
    assert side_by_side_or_in_turns(pair, 2, PLAN).search.at_median == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(("first", "second"), [(0.3, 5.0), (3.0, 0.5), (7.3, 6.1), (20.0, 2.9)])
def test_turns_take_what_the_schedule_makes_of_them(first, second):
    """The formula beside the scheduler that portfolios use."""
    ended = simulated([Worker(first), Worker(second)], 1, 1e6, tick=0.01)
    known = [lognormal(float(np.log10(needed)), 0.0) for needed in (first, second)]
    assert in_turns(*known, 1.0).mean() == pytest.approx(ended, abs=0.05)


def test_a_hedge_is_taken_where_it_pays_only():
    sure, wild = way("backtrack", 1, 0.1), way("sat:cadical195", 1.1, 1.2)
    other_order = Way("backtrack", PLAN, "order rowscan", search=lognormal(1.05, 1.2))
    assert two_engines([sure, other_order, wild]) == (sure, wild)
    assert two_engines([sure, other_order]) is None
    # The wild one is often quick: side by side nearly as good as the whole, and much better than the wild one alone.
    together = hedge(wild, [wild, sure], 1)
    assert together.engine == "portfolio:sat:cadical195,backtrack"
    assert together.how.startswith("in turns, the first of ")
    assert together.time.mean < wild.time.mean
    assert [member.engine for member in together.members] == ["sat:cadical195", "backtrack"]
    assert hedge(wild, [wild, sure], 2).how == "side by side"
    # No overlap, nothing gained.
    assert hedge(sure, [sure, way("cpsat", 3, 0.1)], 1) is None
    # Two threads of one way are better than one of each of two like it.
    assert hedge(way("backtrack", 0.7, 0.1), [sure, way("cpsat", 1, 0.1)], 2) is None


BEAM = Way("beam", PLAN, races=True, score=455.0)
DIVE = Way("dive", PLAN, races=True, score=450.0)


def proof(median, engine="backtrack"):
    return Way(engine, PLAN, search=lognormal(median, 0.3))


def test_the_better_race_before_a_long_proof():
    chosen = raced_and_proved([DIVE, BEAM, proof(3, "cpsat"), proof(2)], None, 1)
    assert chosen.engine == "portfolio:beam,backtrack"
    # In turns it takes twice as long.
    assert chosen.time.at_median == pytest.approx(200, rel=0.05)
    assert raced_and_proved([BEAM, proof(2)], None, 2).time.at_median == pytest.approx(100, rel=0.05)


def test_slips_count_along_one_order_for_race_and_proof():
    """Members with orders of their own would be refused."""
    puzzle = make_edge_matching(3, 3, 1, 2, random=True, seed=1)
    options = Options(slips=(9, 9), order="rowscan")
    beam = Way("beam", Plan(None, options), races=True, score=10.0)
    prover = Way(
        "backtrack", Plan("rowscan", replace(options, order=tuple(range(8, -1, -1)))), search=lognormal(2, 0.3)
    )
    members = raced_and_proved([beam, prover], None, 1).members
    found = portfolio_of("edge-matching", members).run(puzzle, Goal.BEST, options=options)
    alone = js.best(puzzle, engine="backtrack", slips=(9, 9), order="rowscan")
    assert (found.status, found.best_score) == (alone.status, alone.best_score)


def test_who_is_tried_beside_it():
    taken, turned = way("backtrack", order="rowscan"), way("backtrack", 1, order="colscan")
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
