"""How long the runs of an experiment will take, before they run: what its plan tells and its progress goes by."""

from dataclasses import replace
from math import inf
from statistics import median

from ...csp.engines.registry import engine_of, follows_order
from ...csp.engines.request import Goal
from ...csp.puzzles.dissection import DissectionPuzzle
from ..plan.advice import load_lessons, nearest, predicted_effort
from ..plan.prediction import predict
from .families import make_puzzle
from .plan import PlannedRun, options_of

# Nodes a second of a native search, about; seconds until a process is ready and gone again.
_RATE, _OVERHEAD = 4e7, 1.5
# Decimal logarithm of what no search ends.
_ENDLESS = 300.0


class Forecast:
    """Foretells seconds; what it has worked out for one run it keeps for others on the same puzzle."""

    def __init__(self) -> None:
        self._efforts: dict[tuple[object, ...], float | None] = {}

    def seconds(self, run: PlannedRun) -> float:
        """About how long a run will take, from the start of its process to its end."""
        limit, effort = run.limits["seconds"], self._effort(run)
        engine = engine_of(run.kind, run.engine)
        if not engine.proves:
            # They go on as long as they may.
            return limit + _OVERHEAD
        if engine.native and run.kind != "dissection" and effort is not None:
            nodes = 10 ** min(effort, _ENDLESS)
            bounds = (run.limits[name] for name in ("nodes", "predicted_nodes"))
            return min(min(nodes, *(inf if bound is None else bound for bound in bounds)) / _RATE, limit) + _OVERHEAD
        near = nearest(load_lessons(), run.kind, run.goal, run.facts["pieces"], effort)
        took = [lesson.seconds[run.engine] for lesson in near if run.engine in lesson.seconds]
        # An engine of which nothing is known may well need all its time.
        usual = median(limit if seconds is None else seconds for seconds in took) if took else limit / 2
        return min(usual, limit) + _OVERHEAD

    def _effort(self, run: PlannedRun) -> float | None:
        """The decimal logarithm of the predicted effort."""
        # The best order is hardly better than the best named one, and takes long to find.
        order = None if run.options["order"] == "best" else run.options["order"]
        follows = follows_order(run.engine) and run.options["order"] != "best"
        key = run.sha256, run.goal, order, follows, run.options["slips"], run.options["symmetry"]
        if key not in self._efforts:
            self._efforts[key] = _effort(run, order, follows=follows)
        return self._efforts[key]


def _effort(run: PlannedRun, order: str | None, *, follows: bool) -> float | None:
    if run.goal == Goal.BEST or run.kind == "dissection":
        return None
    puzzle = make_puzzle(run.recipe, run.folder)
    assert not isinstance(puzzle, DissectionPuzzle)
    prediction = predict(puzzle, replace(options_of(run.options), order=order), follows=follows)
    if prediction is None:
        return None
    return predicted_effort(puzzle, Goal(run.goal), prediction, symmetry=run.options["symmetry"])
