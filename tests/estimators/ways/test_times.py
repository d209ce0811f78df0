"""Rates follow what was noted on this machine; regressions are worked out by hand, and fit the bundled file."""

import json
from dataclasses import asdict, replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jigsat as js
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order, fixed_first
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.beam.engine import BeamSearch
from jigsat.csp.search.counting.methods import OF_WHOLE_BOARDS
from jigsat.csp.search.dive import Dive
from jigsat.csp.search.most_constrained import MostConstrained
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways import times
from jigsat.estimators.ways.times import (
    ScoreFit,
    SolverFit,
    Times,
    dissection_features,
    load_times,
    score_features,
    square_features,
)
from property_tests import examples
from strategies import puzzles, with_any_fixed

PUZZLE = js.read_squares("puzzle-a")
STAIRCASE, ANY_ORDER = "backtrack staircase", "backtrack any order"


@pytest.fixture
def notes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    times.noted.cache_clear()
    yield tmp_path / "jigsat" / "rates.json"
    times.noted.cache_clear()


@pytest.fixture(scope="module")
def made():
    """The result of a search, to be changed into others."""
    return Backtrack().run(PUZZLE, Goal.COUNT, Limits(nodes=1000), Options(order="rowscan"))


def result(made, nodes, seconds, /, **others):
    """A result with given nodes after given seconds, one of which was set-up."""
    # The machine is busy: preparing takes 3 seconds by the clock, and 1 of processor time.
    spent = {"seconds": seconds + 4, "cpu_seconds": seconds + 1, "build_seconds": 3.0, "build_cpu_seconds": 1.0}
    return replace(made, **{"nodes": nodes, "nodes_by_depth": (), **spent, **others})


def write(file, content):
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    times.noted.cache_clear()


def test_what_is_noted_counts(notes, made):
    times.note(result(made, 20_000_000, 2.0))
    assert times.noted() == {STAIRCASE: 1e7}
    assert times.rate(STAIRCASE) == 1e7
    assert times.rate(STAIRCASE, bundled=True) == times.RATES[STAIRCASE]
    # Whatever was not measured here is as much slower or quicker.
    slower = 1e7 / times.RATES[STAIRCASE]
    assert times.machine() == pytest.approx(slower)
    assert times.rate(ANY_ORDER) == pytest.approx(times.RATES[ANY_ORDER] * slower)
    assert (times.machine(bundled=True), times.rate(ANY_ORDER, bundled=True)) == (1.0, times.RATES[ANY_ORDER])
    # The geometric mean of old and new; the machine is the median of its kernels.
    times.note(result(made, 80_000_000, 2.0))
    assert times.rate(STAIRCASE) == pytest.approx(2e7)
    times.note(result(made, 4 * round(times.RATES[ANY_ORDER]), 2.0, method="any order"))
    assert times.machine() == pytest.approx((2e7 / times.RATES[STAIRCASE] + 2) / 2)
    assert times.rate(ANY_ORDER) == pytest.approx(2 * times.RATES[ANY_ORDER])


def test_families_are_faster_than_only_children():
    """Of nodes with a child on average, 1 - 1 / e have one; where one has a hundred, the speed is the greatest."""
    alone, families = [1.0] * 1001, [1.0, 100.0]
    assert times.relative_speed(STAIRCASE, alone) == pytest.approx((0.57 / (1 - exp(-1))) ** 4, rel=0.01)
    assert times.relative_speed(STAIRCASE, families) == 3
    assert times.relative_speed(ANY_ORDER, families) == times.relative_speed(STAIRCASE, []) == 1


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
    times.note(result(made, 20_000_000, 2.0, **others))
    assert not notes.exists()
    assert times.noted() == {}


def test_notes_that_cannot_be_kept_or_read_are_none(notes, made, tmp_path):
    notes.parent.write_text("in the way")
    times.note(result(made, 20_000_000, 2.0))
    assert times.noted() == {}
    notes.parent.unlink()
    notes.mkdir(parents=True)
    times.note(result(made, 20_000_000, 2.0))
    assert times.noted() == {}
    notes.rmdir()
    for content in ("", "[]", "{", '{"machine": 3}', '{"rates": {"backtrack staircase": 5}}', "null", "\x00"):
        write(notes, content)
        assert times.noted() == {}
    times.note(result(made, 20_000_000, 2.0))
    kept = json.loads(notes.read_text())
    assert kept["rates"] == {STAIRCASE: 10_000_000}
    for wrong in ({STAIRCASE: "fast"}, {STAIRCASE: None}, [STAIRCASE], 3):
        write(notes, json.dumps({**kept, "rates": wrong}))
        assert times.noted() == {}
    write(notes, json.dumps({**kept, "rates": {STAIRCASE: 0, ANY_ORDER: 5}}))
    assert times.noted() == {ANY_ORDER: 5}


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
    assert seen == set(times.RATES)


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
    assert times.kernel_of(puzzle, find_order(puzzle, order)[1], slips=slips) == named(found)


FIT = SolverFit(
    engine="sat:one",
    kind="edge-matching",
    goal="count",
    center=(1.0, 5.0),
    scale=(2.0, 0.0),
    weights=(0.5, 0.25, 9.0),
    deviation=0.3,
    runs=20,
    ended=16,
    longest=100.0,
    memory=150.0,
)
OTHER = replace(FIT, engine="sat:two")
TIMES = Times(
    "jigsat compare x", "an abacus", 40, 0.25, 0.2, (FIT, OTHER), (ScoreFit("beam", (1.0,) * 4, -20.0, 0.5, 12),)
)


def test_the_time_is_linear_in_the_scaled_features():
    """By hand: a feature that never changed in the runs counts nothing."""
    middle = FIT.seconds((1.0, 5.0))
    assert (middle.median, middle.high - middle.median) == pytest.approx((0.5, 0.3 * 1.6448536))
    assert FIT.seconds((1.0, 77.0)) == middle
    # One standard deviation away: its square over the 16 runs that ended makes the interval wider.
    away = FIT.seconds((3.0, 5.0))
    assert (away.median, away.high - away.median) == pytest.approx((0.75, 0.3 * (17 / 16) ** 0.5 * 1.6448536))


def test_nothing_is_said_of_what_is_too_unlike():
    assert FIT.seconds((5.0, 5.0)) is not None
    assert FIT.seconds((7.0, 5.0)) is None
    assert FIT.seconds((-5.0, 5.0)) is None
    # A thousand times as long as the longest run is the most that is said, and the farther, the less sure.
    quick = replace(FIT, longest=10**-2.0)
    assert quick.seconds((1.0, 5.0)).high > FIT.seconds((1.0, 5.0)).high
    assert replace(FIT, longest=10**-2.6).seconds((1.0, 5.0)) is None
    with pytest.raises(ValueError, match="zip"):
        FIT.seconds((1.0,))


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({**asdict(TIMES), "mood": "good"}),
        "",
        "[]",
        "null",
        "{}",
        '{"fits": [], "scores": []}',
        '{"fits": [{"engine": "x"}], "scores": []}',
        '{"fits": 3}',
    ],
)
def test_wrong_files_are_one_line(content, tmp_path):
    path = tmp_path / "times.json"
    path.write_text(content)
    with pytest.raises(InstanceError, match=r"times\.json: is not a file of fitted times: .*") as caught:
        load_times(path)
    assert "\n" not in str(caught.value)


def test_the_bundled_file_fits_the_features():
    """Of each kind as many weights as features, and one more; nothing negative that cannot be."""
    bundled = load_times()
    numbers = {"dissection": len(dissection_features(js.read_dissection("tangram")))}
    for fit in bundled.fits:
        given = numbers.get(fit.kind, len(square_features(PUZZLE, None)))
        assert len(fit.center) == len(fit.scale) == len(fit.weights) - 1 == given
        assert fit.deviation > 0
        assert 0 < fit.ended <= fit.runs <= bundled.runs
        assert min(fit.scale) >= 0
    assert bundled.nodes_deviation > 0
    assert len({(fit.engine, fit.kind, fit.goal) for fit in bundled.fits}) == len(bundled.fits)


MADE = js.make_edge_matching(10, 10, 4, 10, seed=1)
PLAIN = Complexity(MADE)
NODES, SOLUTIONS = score_features(PLAIN, 1)[1:3]


@pytest.mark.parametrize(
    ("name", "seconds", "reached"),
    [
        ("eternity2", 2, 463.1), ("eternity2", 60, 465.5), ("eternity2", 600, 466), ("eternity2-hints", 2, 460.6),
        ("eternity2-hints", 60, 462.7), ("meta10", 60, 175.7), ("meta12", 60, 257.3), ("meta14", 60, 352.3),
        ("meta16", 60, 465),
    ],
)  # fmt: skip
def test_scores_of_beams_on_puzzles_that_are_not_in_the_fit(name, seconds, reached):
    """The scores that were reached, means of several runs, are on the page of records."""
    fit = next(fit for fit in load_times().scores if fit.engine == "beam")
    assert fit.score(Complexity(js.read(name)), seconds) == pytest.approx(reached, abs=2 * fit.deviation)
