"""The table of ways, on small cases that can be reckoned by hand."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.engines.request import Goal, Options
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.explain import Explanation, ways_section
from jigsat.estimators.ways.way import Spread, Way

CLUE = js.read_squares("clue1")
PLAN = Plan(None, Options())
#: Each kind of way: with nodes and time, without, a race, one that cannot be taken.
WAYS = (
    Way("backtrack", PLAN, "order rowscan", Spread(5.0, 6.0, 7.0), None, memory=12.4),
    Way("cpsat", PLAN, "encoding pairs"),
    Way("beam", PLAN, score=57.6, races=True),
    Way("dive", PLAN, refusal="engine dive has no goal count; it has best; supported by: backtrack"),
)


def test_the_text():
    assert str(Explanation(CLUE, "count", WAYS, ("that is all",))) == "\n".join([
        "clue1: edge-matching puzzle, 36 pieces, goal count",
        "",
        "  way                       nodes       time   90 % interval  memory",
        "> backtrack, order rowscan  1e+06  not known                  12 MiB",
        "  cpsat, encoding pairs            not known",
        "  beam                              score 58  proves nothing",
        "",
        "  not possible",
        "  dive  has no goal count; it has best",
        "",
        "  that is all",
    ])  # fmt: skip


def test_columns_of_which_nothing_is_known_are_left_out():
    """And it is said by what the way is taken then."""
    ways = (Way("backtrack", PLAN), Way("cpsat", PLAN))
    lines = str(Explanation(CLUE, "solve", ways)).splitlines()
    assert lines[2:] == [
        "  way             time",
        "> backtrack  not known",
        "  cpsat      not known",
        "",
        "  no predictions; the default is used",
    ]


def test_times_with_set_up():
    """A thousandth of a second and less is one; what is beyond any float has an order of magnitude."""
    ways = (
        Way("backtrack", PLAN, "a", None, Spread(-9.0, -6.0, 3.0)),
        Way("backtrack", PLAN, "b", None, Spread(300.0, 300.0, 300.0), setup=0.25),
    )
    _, _, _, first, second = str(Explanation(CLUE, "solve", ways)).splitlines()
    assert first == "> backtrack, a    < 0.001 s       < 0.001 s to 16.7 min"
    assert second.startswith("  backtrack, b  3.17e+292 y ")
    assert second.endswith(" to 3.17e+292 y  0.25 s")


def test_the_record():
    record = Explanation(CLUE, "count", WAYS, ("a note",)).record()
    assert {key: record[key] for key in ("instance", "kind", "goal", "notes")} == {
        "instance": "clue1", "kind": "edge-matching", "goal": "count", "notes": ["a note"],
    }  # fmt: skip
    assert [way["chosen"] for way in record["ways"]] == [True, False, False, False]
    assert record["ways"][0] == {
        "chosen": True, "engine": "backtrack", "how": "order rowscan",
        "nodes": {"median": 1e6, "low": 1e5, "high": 1e7}, "seconds": None, "setup_seconds": 0.0, "memory_mib": 12,
        "score": None, "refused": None,
    }  # fmt: skip
    assert record["ways"][3]["refused"].startswith("engine dive has no goal count")


def test_a_section_has_the_first_ways_and_tells_of_the_others():
    ways = [Way("backtrack", PLAN, f"order {number}") for number in range(7)]
    headline, _, first, *_, fifth, more = ways_section([*ways, WAYS[3]], Goal.COUNT)
    assert headline == "\n  ways to count, on this machine"
    assert (first.split()[0], "order 4" in fifth) == (">", True)
    assert more == "  ... and 2 more: `jigsat plan INSTANCE --goal count`"
    assert len(ways_section(ways[:5], Goal.COUNT)) == 7


def test_the_function_is_the_table_of_the_plan_that_would_be_made():
    """The first way is the one that is taken; nothing is searched."""
    for goal, asked in (("solve", {}), ("count", {}), ("count", {"method": "blocks"}), ("solve", {"engine": "cpsat"})):
        explained, plan = js.explain(CLUE, goal, **asked), js.plan(CLUE, goal, **asked)
        assert explained.ways[0].engine == plan.engine.name
        assert explained.ways[0].plan.options.method == plan.options.method
        assert explained._repr_mimebundle_() == {"text/plain": str(explained)}


@pytest.mark.parametrize(
    ("goal", "asked", "message"),
    [
        ("win", {}, "unknown goal 'win'"),
        ("solve", {"solver": "glucose4"}, "solver: it is for certificates"),
    ],
)
def test_what_nobody_can_do_is_an_error_of_one_line(goal, asked, message):
    with pytest.raises(JigsatError, match=message) as error:
        js.explain(CLUE, goal, **asked)
    assert "\n" not in str(error.value)
