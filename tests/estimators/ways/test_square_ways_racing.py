"""The best score: who races, who proves, and that both together come to what the prover does alone."""

from dataclasses import replace

import pytest
from hypothesis import given

import jigsat as js
from jigsat.api.make import make_edge_matching
from jigsat.csp.engines.portfolio.engine import portfolio_of
from jigsat.csp.engines.request import Goal, Options
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.ways.spread import lognormal
from jigsat.estimators.ways.square_ways import raced_and_proved
from jigsat.estimators.ways.way import Way
from property_tests import examples
from strategies import puzzles

PLAN = Plan(None, Options())
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


def test_a_proof_that_may_be_quick_goes_first():
    assert raced_and_proved([BEAM, Way("backtrack", PLAN, search=lognormal(-0.5, 1))], None, 1).engine == (
        "portfolio:backtrack,beam"
    )


def test_no_race_before_a_proof_of_a_moment_and_no_proof_that_nobody_waits_for():
    assert raced_and_proved([BEAM, proof(-2)], None, 1) is None
    assert raced_and_proved([BEAM, proof(6)], None, 1) is None
    assert raced_and_proved([BEAM, proof(2)], 60.0, 1) is None
    assert raced_and_proved([proof(2)], None, 1) is None
    assert raced_and_proved([BEAM], None, 1) is None


@examples(20, quick=8)
@given(puzzles([(2, 2), (2, 3), (3, 3)]))
def test_race_and_proof_find_the_best_score(puzzle):
    alone = js.best(puzzle, engine="backtrack")
    for threads in (1, 2):
        found = js.best(puzzle, engine="portfolio:beam,backtrack", threads=threads)
        assert (found.best_score, found.complete, found.status) == (alone.best_score, True, alone.status)


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


def test_a_large_board_is_raced_and_a_small_one_proved():
    large, small = make_edge_matching(16, 16, 5, 17, seed=1), make_edge_matching(4, 4, 3, 4, seed=1)
    assert js.plan(large, goal="best").engine.name == "beam"
    found = js.best(small)
    assert (found.status, found.best_score) == ("optimal", small.max_score)
