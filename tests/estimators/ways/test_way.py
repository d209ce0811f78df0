"""A way's numbers are those of its search with set-up."""

import json
from math import inf, log10

import pytest

from jigsat.csp.engines.request import DEFAULTS
from jigsat.estimators.effort.search_effort import Plan
from jigsat.estimators.ways.spread import lognormal
from jigsat.estimators.ways.way import Way

PLAN = Plan(None, DEFAULTS)


def test_names():
    assert Way("backtrack", PLAN, "order best").name == "backtrack, order best"
    assert Way("dive", PLAN).name == "dive"


def test_time_has_the_set_up():
    way = Way("backtrack", PLAN, search=lognormal(1.0, 0.2), setup=5.0)
    assert way.time.at_median == pytest.approx(15)
    assert way.time.interval[0] < 5 + way.search.interval[0] < 15 < 5 + way.search.interval[1] < way.time.interval[1]
    assert way.expected == way.time.mean > 15


def test_no_prediction_is_no_time():
    way = Way("sat", PLAN, setup=3.0)
    assert (way.time, way.expected) == (None, inf)
    record = way.record()
    assert (record["seconds"], record["nodes"], record["memory_mib"], record["how"]) == (None,) * 4


def test_a_record_is_for_scripts():
    """What is infinite or too large for JSON has no place in it."""
    way = Way("backtrack", PLAN, "order best", lognormal(3.0, 0.0), lognormal(900.0, 1.0), 0.00004, 99.6)
    record = json.loads(json.dumps(way.record(), allow_nan=False))
    assert record["nodes"] == {"median": 1000, "low": 1000, "high": 1000}
    assert record["seconds"]["median"] == record["seconds"]["high"] == 1e300
    assert (record["setup_seconds"], record["memory_mib"], record["engine"]) == (0.0, 100, "backtrack")
    assert (record["score"], record["refused"]) == (None, None)
    medium = Way("backtrack", PLAN, search=lognormal(log10(2), 0.0)).record()["seconds"]
    assert medium["low"] < medium["median"] == 2 < medium["high"]
