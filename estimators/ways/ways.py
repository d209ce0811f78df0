"""All ways to a goal, for any puzzle."""

from ...csp.engines.request import Goal, Limits, Options
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .dissection_ways import dissection_ways
from .square_ways import SquareWays
from .way import Way


def ways_to(
    puzzle: Puzzle, goal: Goal, limits: Limits, options: Options, engine: str | None = None, *, every: bool = False
) -> tuple[Way, ...]:
    """The ways to a goal, the best one first, those that cannot be taken last.

    Parameters
    ----------
    puzzle, goal, limits, options
        What is asked; what the options leave open, the ways fill in.
    engine
        Whose ways they are; all engines' if it is left out.
    every
        Whether to look at all ways also where the first ones are so quick that nothing else can be worth while.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return dissection_ways(puzzle, goal, limits, options, engine)
    return SquareWays(puzzle, goal, limits, options).ways(engine, every=every)
