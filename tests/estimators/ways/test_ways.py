"""The ways to a goal: the best one first, each leads to the same answer, and those that do not say why."""

from dataclasses import replace
from math import inf

import pytest

import jigsat as js
from brute_force import all_solutions
from jigsat.csp.engines.registry import engine_names
from jigsat.csp.engines.request import DEFAULTS, NO_LIMITS, Goal, Limits, Options
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.estimators.plan.job import Job
from jigsat.estimators.ways.ways import ways_to

SMALL = js.make_edge_matching(3, 3, 3, 3, seed=2)
MADE = js.make_edge_matching(4, 4, 3, 4, seed=1)
CLUES = js.make_edge_matching(4, 4, 3, 4, clues=2, seed=1)
HARD = js.make_edge_matching(12, 12, 5, 17, clues=5, seed=1)
TANGRAM = js.read_dissection("tangram")
LATTICE = TANGRAM.with_motions("lattice")


def ways(puzzle, goal="solve", limits=NO_LIMITS, options=DEFAULTS, engine=None, every=True):
    return ways_to(puzzle, Goal(goal), limits, options, engine, every=every)


def family(way):
    return way.engine.partition(":")[0]


@pytest.mark.parametrize("goal", Goal)
@pytest.mark.parametrize("puzzle", [SMALL, CLUES, HARD, LATTICE], ids=lambda puzzle: puzzle.name)
def test_the_best_is_first_and_the_refused_last(puzzle, goal):
    found = ways(puzzle, goal)
    refused = [way.refusal is not None for way in found]
    assert refused == sorted(refused)
    # Every engine is there, whether or not it can.
    engines = {family(way) for way in found} - {"portfolio"}
    assert engines == set(engine_names(puzzle.kind)) - {"portfolio"}
    able = [way for way in found if way.refusal is None]
    assert bool(able) == (puzzle is not LATTICE or goal is not Goal.BEST)
    if goal is not Goal.BEST and puzzle is not LATTICE:
        # Those that take no time at all, but for loading, are equally good; the first one is not compared with all.
        expected = [max(way.expected - way.setup, 0.05) for way in able]
        assert expected[0] <= min(expected) + 0.05
        assert [round(one, 2) for one in expected[1:]] == sorted(round(one, 2) for one in expected[1:])
    names = [way.name for way in able]
    assert len(set(names)) == len(names)


def test_deep_nodes_and_those_beside_the_solution_widen_the_interval_of_a_count():
    """With few colours, nodes are deep; and if the last squares are filled without regard to their neighbours."""

    def width(puzzle, order):
        (way,) = ways(puzzle, "count", options=Options(order=order), engine="backtrack")
        return way.nodes.high - way.nodes.low

    few, many = (js.make_edge_matching(8, 8, 3, colors, seed=1) for colors in (8, 20))
    assert width(many, "rowscan") < width(few, "rowscan") < 3.29 * 0.35
    order = find_order(many, "zig_zag")[1]
    apart = (*order[:30], *sorted(order[30:], key=lambda square: (square // 8 + square) % 2))
    assert width(many, "zig_zag") < 3.29 * 0.35
    assert width(many, apart) > 3.29 * 0.7


def test_options_narrow_the_ways():
    """What is asked for holds for all of them."""
    every = {way.how for way in ways(HARD) if way.engine == "backtrack"}
    assert every == {f"order {name}" for name in (*NAMED_ORDERS, "best")}
    along = [way for way in ways(HARD, options=Options(order="spiral_in")) if way.engine == "backtrack"]
    assert [way.how for way in along] == ["order spiral_in"]
    assert along[0].plan.options.order == find_order(HARD, "spiral_in")[1]
    with_slips = ways(MADE, options=Options(slips=(10, 12)))
    assert all(way.plan.options.slips == (10, 12) for way in with_slips)
    assert len([way for way in with_slips if way.engine == "backtrack"]) == 1
    counted = ways(js.read("clue1"), "count", options=Options(method="frames"))
    assert [way.how for way in counted if way.refusal is None] == ["method frames"]
    encoded = ways(MADE, options=Options(encoding="pairs"))
    assert {way.how for way in encoded if way.refusal is None and not way.members} == {"encoding pairs"}
    assert [way.refusal is None for way in encoded if way.engine == "backtrack"] == [False]
    limited = ways(MADE, limits=Limits(depth=9))
    assert all(way.refusal for way in limited if way.engine != "backtrack")


def test_a_ledger_goes_by_what_never_changes(monkeypatch, tmp_path):
    """Its parts must be the same whatever was noted of the machine's speed."""
    from jigsat.estimators.ways import times as rates

    options = Options(ledger=str(tmp_path / "ledger"))
    before, before_alone = (ways(HARD, "count", options=given)[0] for given in (options, DEFAULTS))
    monkeypatch.setattr(rates, "noted", lambda: dict.fromkeys(rates.RATES, 1.0))
    after, after_alone = (ways(HARD, "count", options=given)[0] for given in (options, DEFAULTS))
    assert (before.how, before.time) == (after.how, after.time)
    assert before_alone.time.median < after_alone.time.median


def answer(puzzle, goal, way):
    """What a way comes to when it is gone."""
    job = Job(puzzle, goal, way.engine, Limits(nodes=20_000) if way.races else NO_LIMITS, way.plan.options)
    return job.run()


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("puzzle", [SMALL, CLUES], ids=lambda puzzle: puzzle.name)
def test_all_ways_lead_to_the_same_answer(puzzle):
    """That of a brute force, by whatever engine, order, method or encoding."""
    solutions = all_solutions(puzzle)
    for goal in (Goal.SOLVE, Goal.COUNT, Goal.BEST):
        able = [way for way in ways(puzzle, goal) if way.refusal is None]
        assert len(able) > 4
        for way in able:
            found = answer(puzzle, goal, way)
            if goal is Goal.COUNT:
                assert (found.count, found.complete) == (len(solutions), True), way.name
            elif goal is Goal.SOLVE:
                assert found.status == "satisfiable", way.name
            else:
                assert found.best_score == puzzle.max_score, way.name


def test_a_board_too_large_for_predictions_has_ways_all_the_same():
    large = js.make_edge_matching(40, 40, 5, 17, seed=1)
    found = ways(large)
    assert found[0].engine == "backtrack"
    assert {way.expected for way in found if way.refusal is None} == {inf}
    assert replace(found[0], how="").name == "backtrack"
