"""The face of the package, in three functions: load an instance, solve it, count its solutions."""

from .edge_matching import EdgeMatchingPuzzle
from .engine import Goal, Limits, Options, Result, find_engine
from .instances import load

__all__ = ["count", "load", "solve"]


def solve(
    puzzle: EdgeMatchingPuzzle,
    *,
    engine: str = "backtrack",
    order: str | tuple[int, ...] | None = None,
    symmetry: bool = True,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
) -> Result:
    """Find one solution, or find out that there is none.

    Parameters
    ----------
    puzzle
        What to solve.
    engine
        Name of an engine.
    order
        Search order: a name, a file, or the squares themselves; the default order if left out.
    symmetry
        Whether to break symmetries.
    time_limit, node_limit, depth_limit
        Seconds, and pieces placed, after which to stop; how many squares of the order to fill at most.

    Raises
    ------
    EngineError, OrderError
        If there is no such engine or order.

    Examples
    --------
    >>> solve(load("clue3")).status
    <Status.SATISFIABLE: 'satisfiable'>
    """
    limits, options = Limits(time_limit, node_limit, depth=depth_limit), Options(order, symmetry)
    return find_engine(engine, Goal.SOLVE).run(puzzle, Goal.SOLVE, limits, options)


def count(
    puzzle: EdgeMatchingPuzzle,
    *,
    engine: str = "backtrack",
    order: str | tuple[int, ...] | None = None,
    symmetry: bool = True,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
) -> Result:
    """Count all solutions; the parameters are those of `solve`.

    Examples
    --------
    >>> result = count(load("puzzle-a"))
    >>> result.count, result.canonical_count, result.complete
    (160, 40, True)
    """
    limits, options = Limits(time_limit, node_limit, depth=depth_limit), Options(order, symmetry)
    return find_engine(engine, Goal.COUNT).run(puzzle, Goal.COUNT, limits, options)
