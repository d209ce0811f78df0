"""Rates follow what was noted on this machine, and kernels have the names that records show."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat.api.make import make_edge_matching
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order, fixed_first
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.beam.engine import BeamSearch
from jigsat.csp.search.counting.methods import OF_WHOLE_BOARDS
from jigsat.csp.search.dive.engine import Dive
from jigsat.csp.search.most_constrained import MostConstrained
from jigsat.estimators.ways import rates
from property_tests import examples
from strategies import puzzles, with_any_fixed

PUZZLE = js.read_squares("puzzle-a")
STAIRCASE, ANY_ORDER = "backtrack staircase", "backtrack any order"


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """The file of the notes, in an empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rates.noted.cache_clear()
    yield tmp_path / "jigsat" / "rates.json"
    rates.noted.cache_clear()


@pytest.fixture(scope="module")
def made():
    """The result of a search, to be changed into others."""
    return Backtrack().run(PUZZLE, Goal.COUNT, Limits(nodes=1000), Options(order="rowscan"))


def result(made, nodes, seconds, /, **others):
    """A result with given nodes after given seconds, one of which was set-up."""
    spent = {"seconds": seconds + 1, "cpu_seconds": seconds + 1, "build_seconds": 1.0}
    return replace(made, **{"nodes": nodes, **spent, **others})


def write(file, content):
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    rates.noted.cache_clear()


def test_without_notes_the_bundled_numbers_count(notes):
    assert rates.noted() == {}
    assert rates.machine() == 1.0
    assert {name: rates.rate(name) for name in rates.RATES} == rates.RATES


def test_what_is_noted_counts(notes, made):
    rates.note(result(made, 20_000_000, 2.0))
    assert rates.noted() == {STAIRCASE: 1e7}
    assert rates.rate(STAIRCASE) == 1e7
    assert rates.rate(STAIRCASE, bundled=True) == rates.RATES[STAIRCASE]
    # Whatever was not measured here is as much slower or quicker.
    slower = 1e7 / rates.RATES[STAIRCASE]
    assert rates.machine() == pytest.approx(slower)
    assert rates.rate(ANY_ORDER) == pytest.approx(rates.RATES[ANY_ORDER] * slower)
    assert (rates.machine(bundled=True), rates.rate(ANY_ORDER, bundled=True)) == (1.0, rates.RATES[ANY_ORDER])
    # The geometric mean of old and new; the machine is the median of its kernels.
    rates.note(result(made, 80_000_000, 2.0))
    assert rates.rate(STAIRCASE) == pytest.approx(2e7)
    rates.note(result(made, 4 * round(rates.RATES[ANY_ORDER]), 2.0, method="any order"))
    assert rates.machine() == pytest.approx((2e7 / rates.RATES[STAIRCASE] + 2) / 2)
    assert rates.rate(ANY_ORDER) == pytest.approx(2 * rates.RATES[ANY_ORDER])


@pytest.mark.parametrize(
    "others",
    [
        {"threads": 2},
        {"method": "none"},
        {"engine": "sat:cadical195"},
        {"nodes": 1000},
        {"seconds": 1.1, "cpu_seconds": 1.1},
        {"statistics": {"nodes from the ledger": 16_000_000}},
    ],
)
def test_what_tells_nothing_of_the_speed_is_not_noted(notes, made, others):
    rates.note(result(made, 20_000_000, 2.0, **others))
    assert not notes.exists()
    assert rates.noted() == {}


def test_processor_time_counts_where_the_machine_is_busy(notes, made):
    rates.note(result(made, 20_000_000, 2.0, seconds=101.0))
    assert rates.rate(STAIRCASE) == 1e7


def test_notes_that_cannot_be_kept_or_read_are_none(notes, made, tmp_path):
    notes.parent.write_text("in the way")
    rates.note(result(made, 20_000_000, 2.0))
    assert rates.noted() == {}
    notes.parent.unlink()
    notes.mkdir(parents=True)
    rates.note(result(made, 20_000_000, 2.0))
    assert rates.noted() == {}
    notes.rmdir()
    for content in ("", "[]", "{", '{"machine": 3}', '{"rates": {"backtrack staircase": 5}}', "null", "\x00"):
        write(notes, content)
        assert rates.noted() == {}
    rates.note(result(made, 20_000_000, 2.0))
    kept = json.loads(notes.read_text())
    assert kept["rates"] == {STAIRCASE: 10_000_000}
    for wrong in ({STAIRCASE: "fast"}, {STAIRCASE: None}, [STAIRCASE], 3):
        write(notes, json.dumps({**kept, "rates": wrong}))
        assert rates.noted() == {}
    write(notes, json.dumps({**kept, "rates": {STAIRCASE: 0, ANY_ORDER: 5}}))
    assert rates.noted() == {ANY_ORDER: 5}


def test_notes_of_another_machine_are_dropped(notes, made):
    rates.note(result(made, 20_000_000, 2.0))
    kept = json.loads(notes.read_text())
    write(notes, json.dumps({**kept, "machine": "an abacus, Numba 0.1"}))
    assert rates.noted() == {}
    rates.note(result(made, 80_000_000, 2.0))
    assert json.loads(notes.read_text()) == {**kept, "rates": {STAIRCASE: 40_000_000}}


def test_every_name_is_that_of_a_record():
    """Or nothing would ever be noted for it."""
    seen = set()
    for order in ("rowscan", "spiral_in"):
        seen.add(named(Backtrack().run(PUZZLE, Goal.COUNT, Limits(nodes=1000), Options(order=order))))
    seen.add(named(Backtrack().run(PUZZLE, Goal.SOLVE, Limits(nodes=1000), Options(slips=(30,)))))
    for method in OF_WHOLE_BOARDS:
        if method != "plain":
            seen.add(named(Backtrack().run(PUZZLE, Goal.COUNT, Limits(), Options(method=method))))
    seen.add(named(Backtrack().run(PUZZLE, Goal.COUNT, Limits(), Options(method="halves", squares=(0, 1, 2)))))
    small = js.make_edge_matching(4, 4, 3, 4, seed=1)
    seen.add(named(MostConstrained().run(small, Goal.COUNT, Limits(nodes=100), Options())))
    for engine in (BeamSearch(), Dive()):
        seen.add(named(engine.run(small, Goal.BEST, Limits(nodes=100), Options())))
    assert seen == set(rates.RATES)


def named(made):
    return f"{made.engine} {made.method}"


@examples(100)
@given(puzzles(), st.data())
def test_the_kernel_is_the_one_of_the_record(puzzle, data):
    if data.draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, data.draw)
    named_or_not = st.one_of(st.sampled_from(list(NAMED_ORDERS)), st.permutations(range(len(puzzle.board))))
    order = data.draw(named_or_not)
    order = order if isinstance(order, str) else fixed_first(puzzle, order)
    slips = data.draw(st.sampled_from((None, (), (len(puzzle.board),))))
    symmetry = data.draw(st.booleans())
    found = Backtrack().run(puzzle, Goal.COUNT, Limits(nodes=100), Options(order=order, slips=slips, symmetry=symmetry))
    if found.method == "none":
        # There was nothing to be searched.
        return
    assert rates.kernel_of(puzzle, find_order(puzzle, order)[1], slips=slips) == named(found)


@pytest.mark.parametrize("colors", [(5, 17), pytest.param((30, 30), marks=pytest.mark.slow), (40, 60)])
def test_the_kernel_of_many_colors(colors):
    puzzle = make_edge_matching(12, 12, *colors, seed=1)
    for order in ("rowscan", "colscan", "spiral_in"):
        found = Backtrack().run(puzzle, Goal.COUNT, Limits(nodes=100), Options(order=order))
        assert rates.kernel_of(puzzle, find_order(puzzle, order)[1], slips=None) == named(found)


def test_notes_of_what_no_record_tells_are_ignored(notes):
    """Such as an earlier version may have made."""
    kept = {"backtrack frames": 1000, "backtrack nonsense": 5, STAIRCASE: 7e6}
    write(notes, json.dumps({"machine": rates._machine(), "rates": kept}))
    assert rates.noted() == {STAIRCASE: 7e6}
