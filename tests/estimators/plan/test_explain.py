"""The tables of ways, on small cases that can be reckoned by hand; the first way is the one that is taken."""

import pytest

import jigsat as js
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.engines.request import Options
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.plan.explain import Explanation
from jigsat.estimators.ways.times import Spread, Way

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
    assert Explanation(CLUE, "count", WAYS, ("that is all",)).summary(verbose=True) == "\n".join([
        "clue1: the goal count by backtrack, order rowscan; no time is predicted.",
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


def test_the_function_is_the_table_of_the_plan_that_would_be_made():
    """The first way is the one that is taken; nothing is searched."""
    for goal, asked in (("solve", {}), ("count", {}), ("count", {"method": "blocks"}), ("solve", {"engine": "cpsat"})):
        explained, plan = js.explain(CLUE, goal, **asked), js.plan(CLUE, goal, **asked)
        assert explained.ways[0].engine == plan.engine.name
        assert explained.ways[0].plan.options.method == plan.options.method
        assert explained._repr_mimebundle_()["text/plain"] == str(explained) == explained.summary()


@pytest.mark.parametrize(("puzzle", "solutions"), [("perfect-5x5", 2), ("clue3", 0)])
def test_the_first_encoding_is_the_one_that_is_taken(puzzle, solutions):
    read = js.read(puzzle)
    explained = js.explain(read, "certify")
    taken = js.certify(read, solutions, time_limit=0.01) if solutions == 0 else js.certify(read, solutions)
    assert explained.ways[0].how == f"encoding {taken.encoding}"
    assert {way.how for way in explained.ways} == {
        f"encoding {name}" for name in ("bits", "direct", "seams", "pairs", "diamond")
    }


def test_why_others_do_not_apply():
    text = js.explain(js.read("puzzle-a"), "certify", solver="glucose4").summary(verbose=True)
    assert "> sat:glucose4, encoding direct   not known\n" in text
    assert "sat:glucose4, encoding bits  it is for jigsaws, not for edge-matching puzzles" in text
    jigsaw = js.explain(js.read("perfect-5x5"), "certify").summary(verbose=True)
    assert "not possible" not in jigsaw
    assert "if bits is inconclusive, direct is used instead" in jigsaw
    # An encoding that is named is the only one.
    (way,) = js.explain(js.read("perfect-5x5"), "certify", encoding="pairs+sequential").ways
    assert (way.how, way.time) == ("encoding pairs+sequential", None)


@pytest.mark.parametrize(
    ("puzzle", "asked", "message"),
    [
        ("ostomachion", {}, "is a dissection, but only puzzles of squares can be certified"),
        ("clue1", {"encoding": "bits"}, "encoding bits: it is for jigsaws"),
        ("clue1", {"encoding": "runes"}, "unknown CNF encoding 'runes'"),
        ("clue1", {"solver": "minisat22"}, "the solver 'minisat22' writes no proofs"),
        ("clue1", {"order": "rowscan"}, "order: a certificate has no such option"),
        ("clue1", {"limit": 2}, "limit: a certificate has no such option"),
    ],
)
def test_what_certify_refuses(puzzle, asked, message):
    """With the words that `certify` has for it."""
    with pytest.raises(JigsatError, match=message) as error:
        js.explain(js.read(puzzle), "certify", **asked)
    if asked.keys() <= {"encoding", "solver"}:
        with pytest.raises(JigsatError) as same:
            js.certify(js.read(puzzle), 1, **asked)
        assert str(same.value) == str(error.value)
