"""Counts by method, by threads and with a ledger, through the engine: every way to a count gives the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import number_of_orbits
from jigsat import count, read
from jigsat.csp.base.errors import EngineError, LedgerError
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.search.counting import plain
from jigsat.csp.search.counting.methods import METHODS
from property_tests import examples
from strategies import puzzles, solutions_of

ENGINE = find_engine("backtrack")


@pytest.fixture
def few_parts(monkeypatch):
    """The plain search is cut into hundreds of parts instead of ten thousands."""
    monkeypatch.setattr(plain, "_ENOUGH_PARTS", 300)


@examples(60)
@given(puzzles(), st.sampled_from((1, 2)))
def test_every_method_equals_brute_force(puzzle, threads):
    """Both rules, duplicates, symmetric, fixed and spare pieces, rectangles: wherever a method applies."""
    expected = solutions_of(puzzle)
    orbits = number_of_orbits(puzzle, expected)
    plain = ENGINE.run(puzzle, Goal.COUNT)
    for method in METHODS:
        try:
            result = ENGINE.run(puzzle, Goal.COUNT, options=Options(method=method, threads=threads))
        except EngineError:
            if method == "plain":
                raise
            continue
        assert (result.count, result.canonical_count) == (len(expected), orbits), method
        assert result.complete
        fixed = len(puzzle.fixed)
        assert result.nodes_by_depth[:fixed] == plain.nodes_by_depth[:fixed]
        if method == "plain":
            assert result.nodes_by_depth == plain.nodes_by_depth
        assert result.status == ("satisfiable" if expected else "unsatisfiable")
        if result.symmetry_factor is not None:
            assert result.count == result.canonical_count * result.symmetry_factor


@pytest.mark.parametrize("method", METHODS)
def test_puzzle_a_by_every_method(method):
    assert count(read("puzzle-a"), method=method, order="rowscan" if method == "plain" else None).count == 160


def test_clue_puzzle_1_in_no_time():
    """The number that the plain search takes a minute for."""
    result = count(read("clue1"), method="frames")
    assert (result.count, result.canonical_count, result.symmetry_factor) == (115_071_633_408, 18_729_107, 6144)


@pytest.mark.usefixtures("few_parts")
@pytest.mark.parametrize("method", ["plain", "macros", "blocks", "frames"])
def test_a_count_goes_on_where_it_was_stopped(tmp_path, method):
    """Stopped at once and resumed until it is complete: nothing is lost, nothing counted twice."""
    ledger = str(tmp_path / "ledger")
    options = Options("rowscan" if method == "plain" else None, method=method, ledger=ledger)
    puzzle = read("puzzle-a")
    seconds, before = 0.0, -1
    for _ in range(40):
        result = ENGINE.run(puzzle, Goal.COUNT, Limits(seconds=seconds), options)
        assert result.statistics["parts"] >= before
        assert result.statistics["parts from the ledger"] == max(before, 0)
        before = result.statistics["parts"]
        seconds = 2 * seconds + 0.05
        if result.complete:
            break
        assert (result.ended_by, result.status in ("satisfiable", "unknown")) == ("time", True)
        assert result.count <= 160
    assert (result.count, result.complete) == (160, True)
    again = ENGINE.run(puzzle, Goal.COUNT, options=options)
    assert (again.count, again.nodes_by_depth) == (160, result.nodes_by_depth)
    assert again.statistics["tasks"] == 0


@pytest.mark.usefixtures("few_parts")
def test_nodes_are_those_of_the_plain_search(tmp_path):
    """On threads and with a ledger, too."""
    puzzle = read("puzzle-a")
    plain = count(puzzle, order="rowscan")
    shared = count(puzzle, order="rowscan", threads=2, ledger=str(tmp_path / "ledger"))
    assert (shared.nodes_by_depth, shared.count) == (plain.nodes_by_depth, plain.count)
    assert (shared.method, shared.threads) == (plain.method, 2)


@pytest.mark.usefixtures("few_parts")
@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"puzzle": "clue3"}, "instance"),
        ({"order": "colscan"}, "options"),
        ({"symmetry": False}, "options"),
        ({"method": "blocks", "order": None}, "method"),
    ],
)
def test_a_ledger_of_another_count_is_refused(tmp_path, changed, what):
    ledger = str(tmp_path / "ledger")
    count(read("puzzle-a"), order="rowscan", ledger=ledger)
    given_options = {"puzzle": "puzzle-a", "order": "rowscan", "ledger": ledger} | changed
    with pytest.raises(LedgerError, match=what) as error:
        count(read(given_options.pop("puzzle")), time_limit=1, **given_options)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("few_parts")
def test_a_ledger_of_another_version_is_refused(tmp_path, monkeypatch):
    ledger = str(tmp_path / "ledger")
    count(read("puzzle-a"), order="rowscan", ledger=ledger)
    monkeypatch.setattr("jigsat.csp.search.counting.counting.code_version", lambda: "0.0.1+other")
    with pytest.raises(LedgerError, match=r"0\.0\.1\+other"):
        count(read("puzzle-a"), order="rowscan", ledger=ledger)


@pytest.mark.parametrize(
    ("goal", "limits", "options", "message"),
    [
        (Goal.COUNT, {}, {"method": "magic"}, "unknown method 'magic', choose from plain, frames, macros, blocks"),
        (Goal.COUNT, {}, {"method": "frames", "order": "rowscan"}, "order"),
        (Goal.COUNT, {}, {"method": "frames", "seed": 1}, "seed '1': the engine backtrack makes no random choices"),
        (Goal.COUNT, {}, {"method": "macros", "encoding": "pairs"}, "encoding 'pairs'"),
        (Goal.COUNT, {}, {"method": "macros", "slips": "20"}, "slips"),
        (Goal.COUNT, {}, {"method": "blocks", "slips": "20"}, "slips"),
        (Goal.COUNT, {}, {"threads": 2, "slips": "20"}, "slips"),
        (Goal.COUNT, {}, {"threads": 0}, "threads 0: at least 1 is needed"),
        (Goal.COUNT, {}, {"threads": 2, "cluster": "local:2"}, "threads 2: a cluster has its own"),
        (Goal.COUNT, {"nodes": 5}, {"method": "frames"}, "node limit 5: a count by method"),
        (Goal.COUNT, {"depth": 5}, {"threads": 2}, "depth limit 5: a count by method"),
        (Goal.SOLVE, {}, {"method": "frames"}, "method 'frames': it is for counts, not for the goal solve"),
        (Goal.ALL, {}, {"ledger": "x"}, "ledger 'x': it is for counts, not for the goal all"),
        (Goal.BEST, {}, {"cluster": "local:1"}, "cluster 'local:1': it is for counts"),
        (Goal.SOLVE, {}, {"threads": 2}, "threads 2: the engine backtrack runs on one thread"),
    ],
)
def test_what_cannot_be_asked_for(goal, limits, options, message):
    with pytest.raises(EngineError, match=message) as error:
        ENGINE.run(read("puzzle-a"), goal, Limits(**limits), Options(**options))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("engine", ["most-constrained", "cpsat", "sat:cadical195", "maxsat:rc2", "balanced"])
@pytest.mark.parametrize("option", [{"method": "frames"}, {"ledger": "x"}, {"cluster": "local:1"}])
def test_other_engines_say_that_they_have_no_parts(engine, option):
    """No option is ignored in silence."""
    (name,) = option
    other = find_engine(engine)
    with pytest.raises(EngineError, match=f"{name} .*the engine .*backtrack"):
        other.run(read("puzzle-a"), min(other.goals), options=Options(**option))
