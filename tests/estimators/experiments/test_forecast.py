"""How long runs are said to take: never beyond their limits, and by what is known of their kind."""

import pytest

from experiment_texts import TINY, part, planned
from jigsat.csp.engines.request import DEFAULTS
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.experiments import plan
from jigsat.estimators.experiments.plan import Forecast
from jigsat.estimators.ways.rates import RATES
from jigsat.estimators.ways.way import Way

OVERHEAD = plan._OVERHEAD
# Nodes a second, as limits on nodes are turned into seconds.
RATE = RATES["backtrack any order"]


def seconds(folder, *engines, **changes):
    """What is predicted of each run of a part."""
    foretold = Forecast()
    return [foretold.seconds(run) for run in planned(folder, part(*engines, **changes))]


def test_a_native_search_takes_as_long_as_its_nodes(tmp_path):
    """Those of its order, slips and symmetries; an easy puzzle takes what its process takes."""
    engines = [
        {"engine": "backtrack", "order": "rowscan", "symmetry": [True, False]},
        {"engine": "backtrack", "order": "frame_first"},
        {"engine": "backtrack", "order": "rowscan", "slips": "10x9"},
    ]
    family = {**TINY, "rows": 5, "inner_colors": 6}
    broken, plain, frame, slips = seconds(tmp_path, *engines, instances=[family], limits={"seconds": 1e9})
    assert OVERHEAD < broken < plain
    assert broken < frame
    assert broken < slips
    (easy,) = seconds(tmp_path)
    assert easy == pytest.approx(OVERHEAD, abs=0.1)


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("limits", [{"seconds": 7}, {"seconds": 1e9, "nodes": 7 * RATE}, {"seconds": 0}])
def test_no_run_takes_longer_than_its_limits(limits, tmp_path):
    """Eternity II takes more seconds than a float holds powers of ten, were it not for them."""
    (told,) = seconds(tmp_path, instances=[{"instance": "eternity2"}], limits=limits)
    assert told == pytest.approx((7 if limits["seconds"] else 0) + OVERHEAD)


def test_what_the_plan_will_choose_is_foretold(tmp_path, monkeypatch):
    """At once on an easy puzzle; a race goes on as long as it may."""
    (easy,) = seconds(tmp_path, "default")
    assert easy == pytest.approx(OVERHEAD, abs=0.1)
    monkeypatch.setattr(plan, "_way", lambda run: Way("beam", Plan(None, DEFAULTS), races=True))
    (race,) = seconds(tmp_path, "default", goal="best", limits={"seconds": 9})
    assert race == pytest.approx(9 + OVERHEAD)


def test_predicted_nodes_bound_a_search(tmp_path):
    limits = {"seconds": 1e9, "predicted_nodes": 10 * RATE}
    (told,) = seconds(tmp_path, instances=[{"instance": "eternity2"}], limits=limits)
    assert told == pytest.approx(10 + OVERHEAD)
