"""What every engine is checked for, whatever it solves."""

import json
import signal

import pytest

from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Limits, Options

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


def run(name, puzzle, goal=Goal.ALL, limits=NO_LIMITS, **options):
    return find_engine(name, goal, kind=puzzle.kind).run(puzzle, goal, limits, Options(**options))


def notes_an_interrupt(name, puzzle, goal):
    """The first Ctrl-C gives back what there is; afterwards it has its old meaning again."""
    before, seen = signal.getsignal(signal.SIGINT), []

    def interrupt(progress):
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(progress)

    engine = find_engine(name, goal, kind=puzzle.kind)
    result = engine.run(puzzle, goal, Limits(seconds=600), Options(symmetry=False), report=interrupt)
    assert seen
    assert (result.complete, result.ended_by) == (False, "interrupt")
    assert signal.getsignal(signal.SIGINT) is before
    return result


def yields_one_by_one(name, puzzle, number):
    """A search that is given up goes on no longer; the first solutions."""
    solutions = find_engine(name, kind=puzzle.kind).solutions(puzzle, options=Options(symmetry=False))
    first = [next(solutions) for _ in range(number)]
    assert len(set(first)) == number
    solutions.close()
    assert list(solutions) == []
    return first


def lets_errors_of_the_caller_pass(name, puzzle, goal):
    """They end the search."""

    def refuse(solution):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        find_engine(name, goal, kind=puzzle.kind).run(puzzle, goal, consume=refuse)
