"""Solve a puzzle, count its solutions, find the best score: the public functions that run a search."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Unpack, overload

from ...csp.base.errors import EngineError, UsageError, shortened
from ...csp.base.stopping import Report
from ...csp.engines.request import (
    OTHERS_ASKED,
    About,
    Goal,
    Limits,
    Options,
    SearchOptions,
    about_options,
)
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..effort.asked import refuse_given
from ..plan.explain import Explanation
from ..plan.explain_certificate import CERTIFY, explain_certificate
from ..plan.job import Job, JobPlan

__all__ = ["best", "count", "explain", "plan", "solutions", "solve"]

#: How many solutions are asked for.
LIMIT = About("find up to N solutions", "N", "whole")
_LIMITS = {"time_limit": "seconds", "node_limit": "nodes", "depth_limit": "depth"}


def job_of(puzzle: Puzzle, goal: str, asked: "SearchOptions | dict[str, Any]", solutions: int | None = None) -> Job:
    """What is asked of a puzzle, by the names that Python has for it.

    Parameters
    ----------
    puzzle
        The puzzle.
    goal
        ``solve``, ``all``, ``count`` or ``best``.
    asked
        What is asked, see `SearchOptions`; other names are taken for options of engines of other packages.
    solutions
        How many solutions at most.

    Raises
    ------
    EngineError
        If there is no such goal, or a number makes no sense.
    """
    if not isinstance(puzzle, EdgeMatchingPuzzle | DissectionPuzzle):
        raise UsageError(f"{shortened(repr(puzzle))} is none; jigsat.read reads one", "puzzle")
    if goal not in list(Goal):
        raise EngineError(f"unknown goal {goal!r}, choose from {', '.join(Goal)}")
    about = {**OTHERS_ASKED, **about_options(Options), "limit": LIMIT}
    given = {name: _checked(name, value, about.get(name)) for name, value in asked.items() if value is not None}
    most = None if solutions is None else _checked("limit", solutions, LIMIT)
    bounds = {field: given.pop(name) for name, field in _LIMITS.items() if name in given}
    named = {name: given.pop(name, None) for name in ("engine", "start", "motions")}
    options = {name: given.pop(name) for name in list(given) if name in about_options(Options)}
    limits = Limits(**bounds, solutions=most)
    return Job(puzzle, Goal(goal), limits=limits, options=Options(**options), own=given, **named)


def _checked(name: str, value: Any, about: About | None) -> Any:
    """A value of the type that the option has; a path as text.

    Raises
    ------
    UsageError
        If it is of another type.
    """
    kind = "own" if about is None else about.kind
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "flag" and not isinstance(value, bool):
        raise UsageError(f"{shortened(repr(value))} is neither True nor False", name)
    if kind == "seconds" and not number:
        raise UsageError(f"{shortened(repr(value))} is not a number of seconds", name)
    if kind == "threads" and value == "all":
        return 0
    if kind in ("whole", "threads"):
        whole = hasattr(value, "__index__") and not isinstance(value, bool)
        if not whole and not (isinstance(value, float) and value.is_integer()):
            raise UsageError(f"{shortened(repr(value))} is not a whole number", name)
        return int(value)
    if isinstance(value, Path):
        return str(value)
    if kind == "text" and not isinstance(value, str):
        if name not in ("order", "slips", "start") or not isinstance(value, Iterable):
            raise UsageError(f"{shortened(repr(value))} is no text", name)
        # A board knows its puzzle; an order and slips are numbers.
        return value if name == "start" else tuple(value)  # pyright: ignore[reportUnknownArgumentType]
    return value


def plan(puzzle: Puzzle, goal: str = "solve", *, limit: int | None = None, **asked: Unpack[SearchOptions]) -> JobPlan:
    """What `solve`, `count` or `best` would do: the engine, its options, and what is to be expected.

    Parameters
    ----------
    puzzle
        What it is about.
    goal
        ``solve``, ``all``, ``count`` or ``best``.
    limit
        How many solutions at most.
    **asked
        How, see `SearchOptions`.

    Returns
    -------
    JobPlan
        Printed, it says what will be done; its method `run` does it, with all that was prepared for the plan.

    Examples
    --------
    >>> from jigsat import read
    >>> chosen = plan(read("puzzle-a"), goal="count")
    >>> chosen.engine.name, chosen.options.method
    ('backtrack', 'macros')
    >>> chosen.run().count
    160
    """
    return job_of(puzzle, goal, asked, limit).plan()


def explain(
    puzzle: Puzzle,
    goal: str = "solve",
    *,
    limit: int | None = None,
    solver: str | None = None,
    **asked: Unpack[SearchOptions],
) -> Explanation:
    """All ways to a goal, with what each is predicted to cost on this machine; nothing is searched.

    Parameters
    ----------
    puzzle
        What it is about.
    goal
        ``solve``, ``all``, ``count`` or ``best``; or ``certify``, whose ways are encodings.
    limit
        With ``all``: how many solutions at most.
    solver
        With ``certify``: the solver that writes the proof, as `certify` has it.
    **asked
        How, see `SearchOptions`; with ``certify`` nothing but `encoding`.

    Returns
    -------
    Explanation
        Printed, it is the table of `jigsat plan`: the way that is taken comes first, those that do not lead to the goal
        last, each with the reason.  `record()` has all numbers.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        If what is asked fits nothing, as for `plan`.

    Examples
    --------
    >>> from jigsat import read
    >>> ways = explain(read("puzzle-a"), goal="count").ways
    >>> ways[0].name, ways[-1].refusal is None
    ('backtrack, method macros', False)
    """
    if goal == CERTIFY:
        encoding = asked.pop("encoding", None)
        refuse_given("a certificate has no such option", **asked, limit=limit)
        return explain_certificate(puzzle, encoding, solver)
    if limit is not None and goal != Goal.ALL:
        raise UsageError(f"it is for the goal all, not for {goal}", "limit")
    refuse_given("it is for certificates; searches have the engine sat:NAME", solver=solver)
    return job_of(puzzle, goal, asked, limit).explained()


@overload
def solve(
    puzzle: EdgeMatchingPuzzle,
    *,
    all: bool = False,
    limit: int | None = None,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Arrangement]: ...
@overload
def solve(
    puzzle: DissectionPuzzle,
    *,
    all: bool = False,
    limit: int | None = None,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Tiling]: ...
def solve(
    puzzle: Puzzle,
    *,
    all: bool = False,  # noqa: A002 (the name of the option)
    limit: int | None = None,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Any]:
    """Find one solution, several or all, or find out that there is none.

    Parameters
    ----------
    puzzle
        What to solve: an edge-matching puzzle, a jigsaw or a dissection.
    all
        Whether to find all: one of each set that symmetries make of each other, or every single one if symmetries are
        not broken.
    limit
        How many to find at most; one, if neither is given.
    report
        Is told how far the search is, some times a second.
    **asked
        How, see `SearchOptions`.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        If there is no such engine, order, slip array or file, or they do not fit the puzzle.

    Examples
    --------
    >>> from jigsat import read
    >>> solve(read("clue3")).status
    <Status.SATISFIABLE: 'satisfiable'>
    """
    if all and limit is not None:
        raise UsageError("leave one of them out", "all", "limit")
    goal = Goal.ALL if all or limit is not None else Goal.SOLVE
    return job_of(puzzle, goal, asked, limit).run(report)


@overload
def solutions(
    puzzle: EdgeMatchingPuzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]
) -> Iterator[Arrangement]: ...
@overload
def solutions(
    puzzle: DissectionPuzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]
) -> Iterator[Tiling]: ...
def solutions(puzzle: Puzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]) -> Iterator[Any]:
    """The solutions one by one: one of each set that symmetries make of each other.

    The search goes on only when the next one is asked for.

    Parameters
    ----------
    puzzle
        What to solve.
    limit
        How many at most.
    **asked
        How, see `SearchOptions`; errors are those of `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> len(list(solutions(read("puzzle-a"), limit=3)))
    3
    """
    return job_of(puzzle, Goal.ALL, asked, limit).plan().solutions()


@overload
def count(
    puzzle: EdgeMatchingPuzzle, *, report: Report | None = None, **asked: Unpack[SearchOptions]
) -> Result[Arrangement]: ...
@overload
def count(
    puzzle: DissectionPuzzle, *, report: Report | None = None, **asked: Unpack[SearchOptions]
) -> Result[Tiling]: ...
def count(puzzle: Puzzle, *, report: Report | None = None, **asked: Unpack[SearchOptions]) -> Result[Any]:
    """Count all solutions, by the method of least predicted time; parameters and errors are those of `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> result = count(read("puzzle-a"))
    >>> result.count, result.canonical_count, result.complete
    (160, 40, True)
    >>> count(read("ostomachion")).count
    17152
    """
    return job_of(puzzle, Goal.COUNT, asked).run(report)


def best(puzzle: Puzzle, *, report: Report | None = None, **asked: Unpack[SearchOptions]) -> Result[Arrangement]:
    """Find the highest score; without slips given, every inner join may be invalid.  The rest is as for `solve`.

    A dissection has no scores, and is refused as by an engine that lacks this goal.

    Examples
    --------
    >>> from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
    >>> result = best(EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0))))
    >>> result.status, result.best_score, result.max_score
    (<Status.OPTIMAL: 'optimal'>, 1, 1)
    """
    return job_of(puzzle, Goal.BEST, asked).run(report)
