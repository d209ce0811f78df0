"""Two ways at once: their times against closed forms and against the schedule of turns itself."""

import numpy as np
import pytest

import jigsat as js
from jigsat.api.make import make_edge_matching
from jigsat.csp.engines.portfolio.member_at_work import Turns
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.ways.hedges import first_of_two, hedge, in_turns, two_engines
from jigsat.estimators.ways.spread import lognormal
from jigsat.estimators.ways.square_ways import SquareWays
from jigsat.estimators.ways.way import Way

PLAN = Plan(None, Options())


def way(engine, median, deviation):
    return Way(engine, PLAN, search=lognormal(median, deviation))


def test_side_by_side_the_quicker_one_counts():
    """Of two equal times that vary, the median of the lesser one is the 29 % quantile of each: (1 - x)^2 = 1/2."""
    times = first_of_two(lognormal(0, 1), lognormal(0, 1))
    assert np.log10(np.median(times)) == pytest.approx(-0.545, abs=0.02)
    # The other one is always slower.
    assert np.median(first_of_two(lognormal(0, 0.01), lognormal(3, 0.01))) == pytest.approx(1, rel=0.01)


class Worker:
    """Works for a known time, while it may, by a clock that only it moves."""

    def __init__(self, clock, needed, head_start):
        self.clock, self.needed, self.head_start = clock, needed, head_start
        self.over, self.going, self.worked = False, False, 0.0

    def go_on(self):
        self.going = True

    def pause(self):
        self.going = False

    def work(self, seconds):
        self.worked += seconds
        self.over = self.worked >= self.needed - 1e-9


@pytest.mark.parametrize(("first", "second"), [(0.3, 5.0), (3.0, 0.5), (7.3, 6.1), (20.0, 2.9)])
def test_turns_take_what_the_schedule_makes_of_them(first, second):
    """The formula beside the scheduler that portfolios use."""
    now = [0.0]
    workers = [Worker(now, needed, 1.0) for needed in (first, second)]
    turns = Turns(workers, 1, lambda worker: now[0])
    while not any(worker.over for worker in workers):
        turns.look()
        (working,) = (worker for worker in workers if worker.going)
        working.work(0.01)
        now[0] += 0.01
    known = [lognormal(float(np.log10(needed)), 0.0) for needed in (first, second)]
    assert in_turns(*known, 1.0).mean() == pytest.approx(now[0], abs=0.05)


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


def test_a_portfolio_by_name_takes_each_engine_in_its_best_way():
    puzzle = make_edge_matching(8, 8, 4, 9, seed=3)
    (chosen,) = SquareWays(puzzle, Goal.SOLVE, Limits(), Options()).ways("portfolio:backtrack,sat:cadical195")
    alone = SquareWays(puzzle, Goal.SOLVE, Limits(), Options()).ways("backtrack")[0]
    backtrack, sat = chosen.members
    assert backtrack.options["order"] == alone.plan.options.order
    assert backtrack.recorded == {"order": alone.plan.order_name}
    assert sat.engine == "sat:cadical195"
    result = js.solve(puzzle, engine="portfolio:backtrack,sat:cadical195")
    assert (result.status, result.engine) == ("satisfiable", "portfolio:backtrack,sat:cadical195")
    assert result.options["members"][0]["order"] == alone.plan.order_name
