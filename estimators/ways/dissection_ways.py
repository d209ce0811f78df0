"""All ways to a goal for dissections, with their predicted cost."""

from collections.abc import Iterator
from math import inf

from ...csp.base.errors import EngineError
from ...csp.engines.installed import engine_names
from ...csp.engines.registry import able_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ..effort.search_effort import Plan
from . import rates
from .fitted_times import features, load_times
from .way import USUAL_SOLVERS, Way

_USUAL = "backtrack"


def dissection_ways(
    puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, engine: str | None = None
) -> tuple[Way, ...]:
    """The ways to the goal, the best one first, impossible ones last; only those of `engine` if it is given."""
    # Portfolios are used on request only.
    names = [name for name in engine_names(tilings=True) if name != "portfolio"] if engine is None else [engine]
    found = _ways(puzzle, goal, limits, options, [USUAL_SOLVERS.get(name, name) for name in names])
    return tuple(sorted(found, key=_place))


def _ways(puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, names: list[str]) -> Iterator[Way]:
    plan = Plan(None, options)
    for name in names:
        try:
            able_engine(puzzle.kind, name, goal, limits, options)
        except EngineError as error:
            yield Way(name, plan, refusal=str(error))
            continue
        # An engine that the user has chosen raises this error itself.
        if len(names) > 1 and name != _USUAL and puzzle.motions is not Motions.LATTICE:
            why = f"engine {name}: its models need lattice motions; {puzzle.name} allows any"
            yield Way(name, plan, refusal=why)
            continue
        fit = load_times().fit(name, puzzle.kind, str(goal))
        if fit is None:
            yield Way(name, plan)
            continue
        seconds = rates.on_this_machine(fit.seconds(features(puzzle, None)))
        yield Way(name, plan, "", None, seconds, 0.0, fit.memory)


def _place(way: Way) -> tuple[float, ...]:
    """The sort key of a way.  It uses the median because there are too few dissections to estimate a mean."""
    return way.refusal is not None, inf if way.time is None else way.time.median, way.engine != _USUAL
