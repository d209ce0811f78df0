"""All ways to a goal, for any puzzle."""

import os
from importlib.util import find_spec

from ...csp.base.errors import JigsatError
from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .way import Way


def ways_to(
    puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, engine: str | None = None, *, every: bool = False
) -> tuple[Way, ...]:
    """The ways to a goal, the best one first, impossible ones last.

    - `puzzle`, `goal`, `limits`, `options`: the question; the ways complete the options.
    - `engine`: the engine; by default the ways of all engines.
    - `every`: whether to consider all ways even if the first ones are so quick that no other one is worth it.
    """
    # Each has searches of its own, which take time to load.
    if isinstance(puzzle, DissectionPuzzle):
        from .dissection_ways import dissection_ways

        return dissection_ways(puzzle, goal, limits, options, engine)
    if options.squares is not None and goal is Goal.COUNT:
        from .region_ways import RegionWays

        return RegionWays(puzzle, limits, options).ways(engine)
    from .square_ways import SquareWays

    return SquareWays(puzzle, goal, limits, options).ways(engine, every=every)


def ways_on_gpu(puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, engine: str | None) -> tuple[Way, ...]:
    """The ways to a goal on the first GPU of this machine, if there is one; it is used only if it is asked for."""
    asked = options.device is not None or options.squares is not None
    if isinstance(puzzle, DissectionPuzzle) or asked or not _has_gpu():
        return ()
    from .square_ways import SquareWays

    if engine not in (None, {Goal.BEST: "beam", Goal.COUNT: "backtrack"}.get(goal)):
        return ()
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
