"""What every engine is checked for, whatever it solves."""

import json

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Options

KEYS = [
    "instance",
    "kind",
    "engine",
    "method",
    "goal",
    "status",
    "complete",
    "count",
    "canonical_count",
    "picture_count",
    "essential_count",
    "symmetry_factor",
    "best_score",
    "max_score",
    "best_board",
    "best_depth",
    "nodes",
    "nodes_by_depth",
    "build_seconds",
    "seconds",
    "cpu_seconds",
    "peak_rss_mib",
    "seed",
    "threads",
    "options",
    "predicted",
    "solutions",
    "proof",
    "ended_by",
    "best_bound",
    "statistics",
    "plan_seconds",
    "verified",
]
#: A value for each option that an engine may lack.
GIVEN = {
    "order": "rowscan", "slips": "3", "encoding": "pairs", "seed": 1, "proof": "p", "method": "frames", "ledger": "x",
    "cluster": "local:1", "cluster_security": "x", "cluster_dashboard": 1, "width": 3,
}  # fmt: skip


def record_is_in_order(result, puzzle):
    """The keys of the record stay where they are, and JSON can hold it."""
    record = result.record_of(puzzle)
    assert list(record) == KEYS
    assert len(json.loads(json.dumps(record))["solutions"]) == len(result.solutions)


def refuses_what_it_lacks(engine, puzzle):
    """No option is ignored in silence: one line says who has it, before anything is started."""
    for option in GIVEN.keys() - engine.options.keys():
        with pytest.raises(EngineError) as caught:
            engine.run(puzzle, min(engine.goals), options=Options(**{option: GIVEN[option]}))
        assert str(caught.value).startswith(f"{option} '{GIVEN[option]}': the engine {engine.name}")
        assert "\n" not in str(caught.value)
