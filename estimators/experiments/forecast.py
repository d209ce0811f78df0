"""Predicted times of the runs of an experiment, for its plan and its progress."""

from dataclasses import replace
from math import inf

from ...csp.engines.registry import engine_of
from ...csp.engines.request import Goal, Limits
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.slips import number_to_find
from ..owen.best_slips import first_slips
from ..ways.rates import rate
from ..ways.way import Way
from ..ways.ways import ways_to
from .families import make_puzzle
from .files import DEFAULT
from .plan import PlannedRun, options_of

# Seconds for a process to start, load its kernels, and end.
_OVERHEAD = 1.5
# An engine without a prediction is assumed to need this part of its time limit.
_UNKNOWN = 0.5


class Forecast:
    """Predicts the seconds of runs; equal runs are predicted once."""

    def __init__(self) -> None:
        self._known: dict[str, Way] = {}

    def seconds(self, run: PlannedRun) -> float:
        """The predicted seconds of a run, from the start of its process to its end."""
        limit = run.limits["seconds"]
        if run.engine != DEFAULT and not engine_of(run.kind, run.engine).proves:
            # Engines that prove nothing use all of their time.
            return limit + _OVERHEAD
        key = replace(run, repetition=1).fingerprint
        if key not in self._known:
            self._known[key] = _way(run)
        way = self._known[key]
        if way.races:
            return limit + _OVERHEAD
        bounds = [run.limits[name] for name in ("nodes", "predicted_nodes") if run.limits[name] is not None]
        bound = min(bounds, default=inf) / rate("backtrack any order", bundled=True)
        # The preparation of the search is part of the overhead.
        usual = _UNKNOWN * limit if way.search is None else way.search.at_median
        return min(usual, bound, limit) + _OVERHEAD


def _way(run: PlannedRun) -> Way:
    """The prediction for a run without limits."""
    puzzle, options, goal = make_puzzle(run.recipe, run.folder), options_of(run.options), Goal(run.goal)
    if isinstance(puzzle, DissectionPuzzle):
        puzzle = puzzle.with_motions(run.options["motions"])
    else:
        # To find the best order or the best slips takes too long for hundreds of runs.
        order, number = options.order, number_to_find(options.slips)
        slips = options.slips if number is None else first_slips(puzzle, number)
        options = replace(options, order=None if order == "best" else order, slips=slips)
    return ways_to(puzzle, goal, Limits(), options, None if run.engine == DEFAULT else run.engine)[0]
