"""Experiment files for tests: puzzles on which every engine is done at once."""

import json
import threading
from pathlib import Path
from time import monotonic

from jigsat.estimators.experiments import page, runner
from jigsat.estimators.experiments.files import load_experiment
from jigsat.estimators.experiments.plan import plan
from jigsat.estimators.experiments.records import NAME, read_records
from records import record

TINY = {"family": "edge-matching", "rows": 3, "frame_colors": 2, "inner_colors": 2}


def part(*engines, instances=(TINY,), goal="count", limits=None, **changes):
    """A part of an experiment; an engine is its name or its whole entry."""
    entries = [{"engine": engine} if isinstance(engine, str) else engine for engine in engines or ("backtrack",)]
    return {
        "goal": goal,
        "instances": list(instances),
        "engines": entries,
        "limits": limits or {"seconds": 60},
        **changes,
    }


def experiment(*parts, **changes):
    """An experiment as text; of one run if no parts are given."""
    return json.dumps({"format": "jigsat-experiment/1", "name": "trial", "parts": list(parts) or [part()], **changes})


def written(folder, *parts, **changes):
    """The path of a file that holds an experiment."""
    path = Path(folder) / "experiment.json"
    path.write_text(experiment(*parts, **changes))
    return path


def planned(folder, *parts, **changes):
    return plan(load_experiment(str(written(folder, *parts, **changes))))


def records_of(folder):
    return read_records(Path(folder) / NAME)


def pretended(replace=setattr):
    """From now on runs are records made at once, without figures; the list gets what would have been run."""
    asked = []

    def execute(run, stopped):
        asked.append(run)
        taken = ("experiment", "part", "family", "sha256", "fingerprint", "repetition", "instance", "kind")
        made = record(engine=run.engine, goal=run.goal, source=dict(run.recipe), facts=dict(run.facts))
        return made | {name: getattr(run, name) for name in taken}

    replace(runner, "execute", execute)
    replace(page, "FIGURES", ())
    return asked


def awaited(look, seconds=120):
    """What a look finds, as soon as it finds something."""
    end = monotonic() + seconds
    while not (found := look()):
        assert monotonic() < end, "nothing came"
        threading.Event().wait(0.01)
    return found
