"""Fitted times are read, looked up and applied as their file has them."""

import json
from dataclasses import asdict, replace
from math import log10

import pytest

import jigsat as js
from jigsat.csp.base.errors import InstanceError
from jigsat.estimators.ways.fitted_times import PATH, ScoreFit, SolverFit, Times, features, load_times

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


@pytest.fixture
def file(tmp_path):
    """A times file, written by hand."""
    path = tmp_path / "times.json"
    path.write_text(json.dumps(asdict(TIMES)))
    return path


def test_a_file_is_read_as_it_was_written(file):
    assert load_times(file) == TIMES
    assert load_times(file).record() == asdict(TIMES)


def test_what_is_fitted_for_an_engine_or_its_family():
    assert TIMES.fit("sat:two", "edge-matching", "count") is OTHER
    assert TIMES.fit("sat:one", "edge-matching", "count") is FIT
    # To find all solutions is to count them; a solver without runs of its own uses those of its family.
    assert TIMES.fit("sat:two", "edge-matching", "all") is OTHER
    assert TIMES.fit("sat:three", "edge-matching", "count") is FIT
    assert TIMES.fit("sat", "edge-matching", "count") is FIT
    for asked in (("sat:one", "jigsaw", "count"), ("sat:one", "edge-matching", "solve"), ("s", "edge-matching", "all")):
        assert TIMES.fit(*asked) is None


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
    ["", "[]", "null", "{}", '{"fits": [], "scores": []}', '{"fits": [{"engine": "x"}], "scores": []}', '{"fits": 3}'],
)
def test_wrong_files_are_one_line(content, tmp_path):
    path = tmp_path / "times.json"
    path.write_text(content)
    with pytest.raises(InstanceError, match=r"times\.json: is not a file of fitted times: .*") as caught:
        load_times(path)
    assert "\n" not in str(caught.value)


def test_what_is_not_there_or_has_more_is_refused(tmp_path, file):
    with pytest.raises(InstanceError, match="is not a file of fitted times"):
        load_times(tmp_path / "nowhere.json")
    more = tmp_path / "more.json"
    more.write_text(json.dumps({**asdict(TIMES), "mood": "good"}))
    with pytest.raises(InstanceError, match="mood"):
        load_times(more)


def test_features_by_hand():
    puzzle = js.make_edge_matching(4, 8, 3, 9, clues=2, seed=1)
    found = features(puzzle, {"nodes": 5.0, "effort": 4.0})
    squares = log10(32)
    assert found == pytest.approx((5, 2.5, 4, squares, squares**2, 1.0, 1 / 16, log10(2)))
    assert features(puzzle, None)[:3] == (0, 0, 0)
    tangram = js.read_dissection("tangram")
    assert features(tangram.with_motions("any"), None) == pytest.approx((log10(7), 1))
    assert features(tangram.with_motions("lattice"), None) == pytest.approx((log10(7), 0))


def test_the_bundled_file_fits_the_features():
    """Of each kind as many weights as features, and one more; nothing negative that cannot be."""
    times = load_times()
    assert times.record() == asdict(load_times(PATH))
    puzzles = {"edge-matching": js.read("puzzle-a"), "jigsaw": js.read("perfect-3x3"), "dissection": js.read("tangram")}
    for fit in times.fits:
        given = features(puzzles[fit.kind], {"nodes": 3.0, "effort": 3.0})
        assert len(fit.center) == len(fit.scale) == len(fit.weights) - 1 == len(given)
        assert fit.deviation > 0
        assert 0 < fit.ended <= fit.runs <= times.runs
        assert min(fit.scale) >= 0
    assert times.nodes_deviation > 0
    assert len({(fit.engine, fit.kind, fit.goal) for fit in times.fits}) == len(times.fits)
