"""How long runs are said to take: never beyond their limits, and by what is known of their kind."""

import pytest

from experiment_texts import TINY, part, planned
from jigsat.csp.engines.request import Goal
from jigsat.estimators.effort.prediction import predict
from jigsat.estimators.experiments import forecast
from jigsat.estimators.experiments.forecast import Forecast
from jigsat.estimators.plan.advice import Lesson, predicted_effort

OVERHEAD = forecast._OVERHEAD


@pytest.fixture(autouse=True)
def taught(monkeypatch):
    """Sets what experiments are said to have taught; nothing at first."""

    def use(*those):
        monkeypatch.setattr(forecast, "load_lessons", lambda: those)

    use()
    return use


def seconds(folder, *engines, **changes):
    """What is foretold of each run of a part."""
    foretold = Forecast()
    return [foretold.seconds(run) for run in planned(folder, part(*engines, **changes))]


def test_a_native_search_takes_as_long_as_its_nodes(tmp_path):
    """Those of its order, slips and symmetries; an easy puzzle takes what its process takes."""
    engines = [
        {"engine": "backtrack", "order": "rowscan", "symmetry": [True, False]},
        {"engine": "backtrack", "order": "frame_first"},
        {"engine": "backtrack", "order": "rowscan", "slips": "10x9"},
    ]
    family = {**TINY, "rows": 5, "inner_colors": 3}
    broken, plain, frame, slips = seconds(tmp_path, *engines, instances=[family], limits={"seconds": 1e9})
    assert OVERHEAD < broken < plain
    assert broken < frame
    assert broken < slips
    (easy,) = seconds(tmp_path)
    assert easy == pytest.approx(OVERHEAD, abs=0.01)


def test_the_effort_is_that_of_the_goal(tmp_path):
    """Half a tree for a planted solution alone, and of one order what the model says of it."""
    family = {**TINY, "rows": 6, "frame_colors": 3, "inner_colors": 4}
    (run,) = planned(tmp_path, part({"engine": "backtrack", "order": "rowscan"}, instances=[family], goal="solve"))
    puzzle = forecast.make_puzzle(run.recipe, tmp_path)
    found = predict(puzzle, forecast.options_of(run.options), follows=True)
    nodes = 10 ** predicted_effort(puzzle, Goal.SOLVE, found)
    long = {"seconds": 1e12}
    (told,) = seconds(
        tmp_path, {"engine": "backtrack", "order": "rowscan"}, instances=[family], goal="solve", limits=long
    )
    assert told == pytest.approx(nodes / forecast._RATE + OVERHEAD)


@pytest.mark.parametrize("limits", [{"seconds": 7}, {"seconds": 1e9, "nodes": 7 * 4e7}, {"seconds": 0}])
def test_no_run_takes_longer_than_its_limits(limits, tmp_path):
    """Eternity II takes more seconds than a float holds powers of ten, were it not for them."""
    (told,) = seconds(tmp_path, instances=[{"instance": "eternity2"}], limits=limits)
    assert told == pytest.approx((7 if limits["seconds"] else 0) + OVERHEAD)


def test_predicted_nodes_bound_a_search(tmp_path):
    limits = {"seconds": 1e9, "predicted_nodes": 4e8}
    (told,) = seconds(tmp_path, instances=[{"instance": "eternity2"}], limits=limits)
    assert told == pytest.approx(10 + OVERHEAD)


def test_of_an_engine_that_nothing_is_known_of_half_the_limit_is_foretold(tmp_path):
    tangram = {"instances": [{"instance": "tangram"}], "limits": {"seconds": 30}}
    assert seconds(tmp_path, "cpsat", limits={"seconds": 30}) == [15 + OVERHEAD]
    assert seconds(tmp_path, "backtrack", **tangram) == [15 + OVERHEAD]
    assert seconds(tmp_path, "backtrack", goal="best", limits={"seconds": 30}) == [15 + OVERHEAD]


def test_lessons_tell_of_the_others(taught, tmp_path):
    """The median of what is nearest, the limit where it was not done; and no more than the limit of this run."""

    def lesson(took, limit=100.0, goal="count"):
        return Lesson("edge-matching", goal, 9, 2.0, limit, {"cpsat": took, "sat:cadical195": 1.0})

    taught(lesson(4.0), lesson(6.0), lesson(None), lesson(50.0, goal="solve"))
    assert seconds(tmp_path, "cpsat", "sat:cadical195") == [6 + OVERHEAD, 1 + OVERHEAD]
    for those in ((lesson(None), lesson(None), lesson(6.0)), (lesson(50.0),)):
        taught(*those)
        assert seconds(tmp_path, "cpsat", limits={"seconds": 20}) == [20 + OVERHEAD]


def test_a_puzzle_is_predicted_once(tmp_path, monkeypatch):
    """The plan of an experiment with a thousand runs is to be there in a moment."""
    asked = []
    monkeypatch.setattr(forecast, "predict", lambda *a, **k: asked.append(k) or predict(*a, **k))
    engines = ["cpsat", "sat:cadical195", "most-constrained", {"engine": "cpsat", "encoding": "table"}]
    seconds(tmp_path, *engines, {"engine": "backtrack", "order": ["rowscan", "best"]}, repetitions=3)
    assert len(asked) == 2
