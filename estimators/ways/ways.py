"""All ways to a goal, for any puzzle."""

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import inf

from ...csp.base.errors import EngineError, JigsatError
from ...csp.engines.engine import able_engine
from ...csp.engines.registry import engine_names
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..effort.search_effort import Plan
from . import times
from .times import USUAL_SOLVERS, Way

_USUAL = "backtrack"
#: Seconds of a usual search of tilings below which no other way is considered: models take half of that to make.
_QUICK = 1.0


def ways_to(
    puzzle: Puzzle,
    goal: Goal,
    limits: Limits,
    options: Options,
    engine: str | None = None,
    *,
    every: bool = False,
    loaded: bool = False,
) -> tuple[Way, ...]:
    """The ways to a goal, the best one first, impossible ones last.

    The ways complete the options.  Without an `engine` they are those of all engines; with `every`, all are considered
    even if the first ones are so quick that no other one is worth it; with `loaded`, no time is for loading kernels.
    """
    return _WAYS.get(puzzle.kind, _square_ways)(puzzle, goal, limits, options, engine, every, loaded)


def ways_on_gpu(puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, engine: str | None) -> tuple[Way, ...]:
    """The ways to a goal on the first GPU of this machine, if there is one; it is used only if it is asked for."""
    able = engine in (None, {Goal.BEST: "beam", Goal.COUNT: "backtrack"}.get(goal))
    asked = options.device is not None or options.squares is not None
    if not isinstance(puzzle, EdgeMatchingPuzzle) or asked or not able or not _has_gpu():
        return ()
    from .square_ways import SquareWays

    return tuple(SquareWays(puzzle, goal, limits, options).on_gpu("cuda"))


def _has_gpu() -> bool:
    """Whether there is a GPU; without the extra `gpu`, nothing is loaded to find out."""
    if find_spec("numba_cuda") is None and os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
        return False
    from ...csp.search.gpu import find_gpu

    try:
        find_gpu("cuda")
    except JigsatError:
        return False
    return True


def _square_ways(
    puzzle: EdgeMatchingPuzzle,
    goal: Goal,
    limits: Limits,
    options: Options,
    engine: str | None,
    every: bool,
    loaded: bool,
) -> tuple[Way, ...]:
    # Each has searches of its own, which take time to load.
    if options.squares is not None and goal is Goal.COUNT:
        from .region_ways import RegionWays

        return RegionWays(puzzle, limits, options).ways(engine)
    from .square_ways import SquareWays

    return SquareWays(puzzle, goal, limits, options, loaded=loaded).ways(engine, every=every)


def _dissection_ways(
    puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, engine: str | None, every: bool, *_: bool
) -> tuple[Way, ...]:
    # Portfolios are used on request only.
    names = [name for name in engine_names("dissection") if name != "portfolio"] if engine is None else [engine]
    solvers = [USUAL_SOLVERS.get(name, name) for name in names]

    def place(way: Way) -> tuple[float, ...]:
        # By the median because there are too few dissections to estimate a mean.
        return way.refusal is not None, inf if way.time is None else way.time.median, way.engine != _USUAL

    found = []
    for way in _tiling_ways(puzzle, goal, limits, options, solvers):
        found.append(way)
        if not every and way.engine == _USUAL and way.time is not None and way.time.at_median < _QUICK:
            break
    return tuple(sorted(found, key=place))


def _tiling_ways(
    puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, names: list[str]
) -> Iterator[Way]:
    plan = Plan(None, options)
    for name in names:
        try:
            able_engine(puzzle, name, goal, limits, options)
        except EngineError as error:
            yield Way(name, plan, refusal=str(error))
            continue
        # An engine that the user has chosen raises this error itself.
        if len(names) > 1 and name != _USUAL and puzzle.motions is not Motions.LATTICE:
            why = f"engine {name}: its models need lattice motions; {puzzle.name} allows any"
            yield Way(name, plan, refusal=why)
            continue
        fit = times.load_times().fit(name, puzzle.kind, str(goal))
        if fit is None:
            yield Way(name, plan)
            continue
        seconds = times.on_this_machine(fit.seconds(times.dissection_features(puzzle)))
        yield Way(name, plan, "", None, seconds, 0.0, fit.memory)


#: The ways of kinds of puzzles; all other kinds have those of puzzles of squares.
_WAYS: dict[str, Callable[..., tuple[Way, ...]]] = {"dissection": _dissection_ways}
