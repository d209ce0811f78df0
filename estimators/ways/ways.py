"""All ways to a goal, for any puzzle."""

from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .way import Way


def ways_to(
    puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, engine: str | None = None, *, every: bool = False
) -> tuple[Way, ...]:
    """The ways to a goal, the best one first, impossible ones last.

    Parameters
    ----------
    puzzle, goal, limits, options
        The question; the ways complete the options.
    engine
        The engine; by default the ways of all engines.
    every
        Whether to consider all ways even if the first ones are so quick that no other one is worth it.
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
