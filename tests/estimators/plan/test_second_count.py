"""Counts that are made twice: by what, within which limits, and what is said of the second one."""

import re
from dataclasses import replace

import pytest

import jigsat as js
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.portfolio_members import Member
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Result, Status
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.dissection import Motions
from jigsat.csp.search.counting.methods import METHODS
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan import second_count
from jigsat.estimators.plan.job import Job
from jigsat.estimators.plan.second_count import OF_DISSECTIONS, OF_SQUARES, code_of
from jigsat.estimators.ways.times import Spread, Way
from jigsat.models.engines import ENGINES
from small_puzzles import RECTANGLE

#: Another count than that of the rectangle.
OTHER = deal_edge_matching(3, 4, 2, 2, seed=2).puzzle


def by(engine, method=None):
    """What witnesses to try: a way of an engine and no other."""

    def witnesses(plan, first, left):
        ways = second_count.ways_to(plan.puzzle, Goal.COUNT, plan.job.limits, second_count._options(plan), every=True)
        chosen = (way for way in ways if way.engine == engine and way.plan.options.method == method)
        return [second_count._Witness(next(chosen), False, ("what both use",))]

    return witnesses


def counted(puzzle=RECTANGLE, **asked):
    result = js.count(puzzle, verify=True, **asked)
    return result, result.verified


@pytest.mark.parametrize("asked", [{}, {"method": "frames"}, {"engine": "cpsat"}, {"symmetry": False}, {"slips": "12"}])
def test_the_second_count_is_made_in_another_way(asked):
    result, second = counted(**asked)
    plain = js.count(RECTANGLE, **asked)
    assert (result.count, result.canonical_count, result.engine) == (plain.count, plain.canonical_count, plain.engine)
    assert (second["same"], second["complete"], second["count"]) == (True, True, plain.count)
    assert second["canonical_count"] == plain.canonical_count
    assert (second["engine"], second["method"]) != (plain.engine, plain.method)
    assert plain.verified is None
    assert f"{second['engine']} ({second['method']}), counts the same." in result.summary()
    assert f"  shared code      {', '.join(second['shares'])}" in result.summary(verbose=True)
    assert result.record()["verified"]["same"] is True


def test_dissections_on_the_lattice_have_a_second_way_and_others_have_none():
    _, second = counted(js.read("tangram"))
    assert (second["same"], second["count"], second["shares"]) == (
        True, 32, ["numbers of tilings of a class", "placements on the lattice"],
    )  # fmt: skip
    result, second = counted(js.read("l-shape"), motions="any")
    assert (second["same"], second["engine"]) == (None, None)
    why = "there is no way that shares neither method nor kernel with the first"
    assert f"  NOT verified: {why}" in result.summary()


def test_a_difference_is_an_error_with_both_numbers(monkeypatch):
    made = second_count._job
    monkeypatch.setattr(second_count, "_job", lambda plan, way: replace(made(plan, way), puzzle=OTHER))
    numbers = js.count(RECTANGLE).count, js.count(OTHER).count
    assert numbers[0] != numbers[1]
    with pytest.raises(js.DifferentCountsError, match=r"^DIFFERENT COUNTS: ") as caught:
        js.count(RECTANGLE, verify=True)
    assert all(f" counts {number}, " in str(caught.value) for number in numbers)
    result = caught.value.result
    assert (result.count, result.verified["count"], result.verified["same"]) == (*numbers, False)
    assert "  NOT THE SAME: " in result.summary()


@pytest.mark.parametrize(
    ("first", "second", "complete", "same"),
    [
        ((8, 2), (8, 2), True, True),
        ((8, 2), (8, 3), True, False),
        ((8, 2), (9, None), True, False),
        ((8, None), (8, 2), True, True),
        ((8, 2), (7, 2), False, None),
        ((8, 2), (9, 2), False, False),
    ],
)
def test_a_lower_bound_contradicts_only_a_smaller_count(first, second, complete, same):
    def result(counts, *, complete):
        status = Status.SATISFIABLE
        return Result("p", "jigsaw", "sat:cadical195", "m", Goal.COUNT, status, complete, *counts)

    compared = second_count._compared(result(first, complete=True), result(second, complete=complete), ())
    assert compared["same"] is same


def test_a_second_count_that_does_not_end_is_said_not_to_verify(monkeypatch):
    """The time limit is for both counts together."""
    monkeypatch.setattr(second_count, "_witnesses", by("sat:cadical195"))
    # So much is left of it after the first count.
    hard = Job(js.read("puzzle-c"), Goal.COUNT, "sat:cadical195", Limits(seconds=0))
    monkeypatch.setattr(second_count, "_job", lambda plan, way: hard)
    result, second = counted()
    assert (second["same"], second["complete"], second["ended_by"]) == (None, False, "time")
    # Whether the search has begun depends on the machine.
    said = r"\n  NOT verified: sat:cadical195( \(pairs\))? had counted at least 0, 0 up to symmetry, the time "
    assert re.search(said, result.summary())


def test_ways_that_do_not_apply_are_passed_over(monkeypatch):
    """Blocks need even sides, as their tables find out."""
    names = iter(["blocks", "plain"])

    def job(plan, way):
        return Job(plan.puzzle, Goal.COUNT, "backtrack", options=replace(plan.options, method=next(names), order=None))

    monkeypatch.setattr(second_count, "_job", job)
    _, second = counted(engine="cpsat")
    assert (second["engine"], second["same"]) == ("backtrack", True)
    with pytest.raises(EngineError, match="even"):
        js.count(RECTANGLE, method="blocks")


def spread(seconds):
    return Spread.of([seconds] * 9)


@pytest.mark.parametrize(
    ("native", "outside", "solutions", "left", "chosen"),
    [
        (5.0, 50.0, 10, None, "outside"),
        (5.0, 70.0, 10, None, "native"),
        (5.0, 50.0, 100_000, None, "native"),
        (5.0, 50.0, 10, 20.0, "native"),
        (30.0, 250.0, 10, None, "outside"),
        (0.3, None, 10, None, "outside"),
        (0.3, None, 20_000, None, "native"),
        (5.0, None, 10, None, "native"),
        (None, None, 10, None, "outside"),
    ],
)
def test_programs_of_others_are_preferred_where_they_are_affordable(
    native, outside, solutions, left, chosen, monkeypatch
):
    plan = Job(RECTANGLE, Goal.COUNT).plan()
    first = replace(plan.run(), canonical_count=solutions)
    ways = [
        second_count._Witness(Way(name, Plan(None, plan.options), search=seconds and spread(seconds)), outside, ())
        for name, seconds, outside in (("native", native, False), ("outside", outside, True))
    ]
    monkeypatch.setattr(second_count, "_apart_from", lambda own, plan: iter(ways))
    assert second_count._witnesses(plan, first, left)[0].way.engine == chosen


def way(engine, *members, **options):
    return Way(engine, Plan(None, Options(**options)), members=members)


def test_every_way_to_a_count_is_in_the_table():
    """A new engine or method can neither verify nor be verified before it is known what it is made of."""
    counting = {name for name in ENGINES["edge-matching"] if Goal.COUNT in find_engine(name).goals}
    assert OF_SQUARES.keys() == counting - {"backtrack", "portfolio"} | set(METHODS)
    tiling = {name for name in ENGINES["dissection"] if Goal.COUNT in find_engine(name, kind="dissection").goals}
    assert OF_DISSECTIONS.keys() == tiling - {"backtrack", "portfolio"} | set(Motions)


@pytest.mark.parametrize(
    ("one", "other", "method"),
    [
        (way("sat:glucose4"), way("ganak"), "formulas"),
        (way("cpsat"), way("balanced"), "CP-SAT"),
        (way("cpsat"), way("sat:cadical195"), "domains of models"),
        (way("backtrack"), way("balanced"), "search along an order"),
        (way("backtrack"), way("backtrack", order="colscan"), "search along an order"),
        (way("backtrack"), way("backtrack", method="frames"), None),
        (way("backtrack", method="macros"), way("backtrack", method="blocks"), None),
        (way("most-constrained"), way("backtrack", method="plain"), None),
        (way("backtrack"), way("ganak"), None),
        (way("portfolio:x", Member("most-constrained"), Member("sat:glucose4")), way("ganak"), "domains of models"),
        (way("portfolio:x", Member("backtrack", {"method": "blocks"})), way("backtrack"), None),
    ],
)
def test_a_witness_has_no_method_in_common(one, other, method):
    puzzle = read_puzzle("puzzle-a")
    common = code_of(puzzle, one).methods & code_of(puzzle, other).methods
    assert (method in common) if method else not common


def test_what_is_not_known_is_no_witness():
    puzzle = read_puzzle("puzzle-a")
    assert code_of(puzzle, way("of another package")) is None
    assert code_of(puzzle, way("portfolio:backtrack,cpsat")) is None
    assert code_of(puzzle, way("portfolio:x", Member("backtrack"), Member("unknown"))) is None
    assert code_of(read_puzzle("tangram"), way("backtrack")) == OF_DISSECTIONS["lattice"]
    assert code_of(read_puzzle("four-triangles"), way("backtrack")) == OF_DISSECTIONS["any"]
