"""Solve a puzzle, count its solutions, find the best score: the public functions that run an engine."""

from typing import Any, TypedDict, Unpack

from ...csp.base.errors import EngineError
from ...csp.engines.registry import default_engine, find_engine, find_tiling_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .frames_cut import with_cut

__all__ = ["best", "count", "solve"]


class Search(TypedDict, total=False):
    """How to search; everything may be left out.

    Parameters
    ----------
    engine
        Name of an engine; `registry.default_engine` tells which is taken if it is left out, for dissections
        ``backtrack``.
    encoding
        How the puzzle becomes a model, for engines that solve models.
    order
        Search order: a name, a file, or the squares themselves; the default order if left out.  Dissections have none,
        nor slips or a limit of depth.
    slips
        Slip array, as text (``"220,230,240"``, ``"192x10"``) or depths: from each of its depths on, fixed pieces
        counted, a further inner join may be invalid.
    symmetry
        Whether to break symmetries; yes if left out.
    time_limit, node_limit, depth_limit
        Seconds, and pieces placed, after which to stop; how many squares of the order to fill at most.
    threads, seed
        Number of threads and random seed, for engines that have them.
    proof
        File for a proof that there is nothing else, for engines that can prove.
    method, ledger, cluster
        Of counts by the engine ``backtrack``: ``plain``, ``frames``, ``macros`` or ``blocks``; the file that notes what
        has been counted, to go on from there; the address of a Dask scheduler, or ``local:N``.
    width
        How many partial boards the engine ``beam`` keeps at each depth.
    """

    engine: str
    encoding: str | None
    order: str | tuple[int, ...] | None
    slips: str | tuple[int, ...] | None
    symmetry: bool
    time_limit: float | None
    node_limit: int | None
    depth_limit: int | None
    threads: int
    seed: int | None
    proof: str | None
    method: str | None
    ledger: str | None
    cluster: str | None
    width: int | None


def _run(puzzle: Puzzle, goal: Goal, search: Search) -> Result:
    unknown = sorted(search.keys() - Search.__annotations__.keys())
    if unknown:
        raise EngineError(f"{unknown[0]}: there is no such option; there are {', '.join(Search.__annotations__)}")
    given: dict[str, Any] = dict(search)
    engine = given.pop("engine", None)
    seconds, nodes, depth = (given.pop(f"{name}_limit", None) for name in ("time", "node", "depth"))
    limits = Limits(seconds, nodes, depth=depth)
    options = Options(**given)
    if isinstance(puzzle, DissectionPuzzle):
        for name in ("order", "slips", "depth_limit"):
            if search.get(name) is not None:
                raise EngineError(f"{name}: it is for puzzles of squares, not for dissections")
        return find_tiling_engine(engine or "backtrack", goal).run(puzzle, goal, limits, options)
    chosen = find_engine(engine or default_engine(puzzle, goal, limits, options), goal)
    if (chosen.name, goal) == ("backtrack", Goal.COUNT):
        options = with_cut(puzzle, options)
    return chosen.run(puzzle, goal, limits, options)


def solve(puzzle: Puzzle, **search: Unpack[Search]) -> Result:
    """Find one solution, or find out that there is none.

    Parameters
    ----------
    puzzle
        What to solve: an edge-matching puzzle, a jigsaw or a dissection.
    **search
        How, see `Search`.

    Raises
    ------
    EngineError, OrderError, SlipError
        If there is no such engine, order or slip array.

    Examples
    --------
    >>> from jigsat import read
    >>> solve(read("clue3")).status
    <Status.SATISFIABLE: 'satisfiable'>
    """
    return _run(puzzle, Goal.SOLVE, search)


def count(puzzle: Puzzle, **search: Unpack[Search]) -> Result:
    """Count all solutions; parameters and errors are those of `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> result = count(read("puzzle-a"))
    >>> result.count, result.canonical_count, result.complete
    (160, 40, True)
    >>> count(read("ostomachion")).count
    17152
    """
    return _run(puzzle, Goal.COUNT, search)


def best(puzzle: Puzzle, **search: Unpack[Search]) -> Result:
    """Find the highest score; without slips given, every inner join may be invalid.  The rest is as for `solve`.

    A dissection has no scores, and is refused as by an engine that lacks this goal.

    Examples
    --------
    >>> from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
    >>> result = best(EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0))))
    >>> result.status, result.best_score, result.max_score
    (<Status.OPTIMAL: 'optimal'>, 1, 1)
    """
    return _run(puzzle, Goal.BEST, search)
