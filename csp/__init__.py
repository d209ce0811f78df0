"""What a puzzle is, what an answer is, and the native search.

The face of the package: `load` an instance, `solve` it, `count` its solutions.

>>> from jigsat.csp import count, load
>>> count(load("puzzle-a")).count
160
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .edge_matching import EdgeMatchingPuzzle
    from .engine import Goal, Limits, Options, Result

__all__ = ["count", "load", "solve"]


def load(source: str) -> "EdgeMatchingPuzzle":
    """Read a puzzle from a path, standard input (``-``) or by the name of a bundled one."""
    from .instances import load

    return load(source)


def solve(
    puzzle: "EdgeMatchingPuzzle",
    *,
    engine: str = "backtrack",
    limits: "Limits | None" = None,
    options: "Options | None" = None,
) -> "Result":
    """Find one solution, or find out that there is none.

    Parameters
    ----------
    puzzle
        What to solve.
    engine
        Name of an engine.
    limits, options
        What bounds the search, and how it runs; see `jigsat.csp.engine`.
    """
    from .engine import Goal

    return _run(Goal.SOLVE, puzzle, engine, limits, options)


def count(
    puzzle: "EdgeMatchingPuzzle",
    *,
    engine: str = "backtrack",
    limits: "Limits | None" = None,
    options: "Options | None" = None,
) -> "Result":
    """Count the solutions; the parameters are those of `solve`."""
    from .engine import Goal

    return _run(Goal.COUNT, puzzle, engine, limits, options)


def _run(
    goal: "Goal", puzzle: "EdgeMatchingPuzzle", name: str, limits: "Limits | None", options: "Options | None"
) -> "Result":
    from .engine import DEFAULTS, NO_LIMITS, find_engine

    return find_engine(name, goal).run(puzzle, goal, limits or NO_LIMITS, options or DEFAULTS)
