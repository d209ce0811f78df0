"""Solve a puzzle, count its solutions, find the best score: the public functions that run a search."""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Unpack, overload

from ...csp.base.errors import DifferentCountsError, EngineError, UsageError, misspelt, shortened
from ...csp.base.stop import Report
from ...csp.engines.refusals import checked_value
from ...csp.engines.request import (
    OTHERS_ASKED,
    About,
    Goal,
    Limits,
    Options,
    SearchOptions,
    about_options,
    is_proof_file,
)
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import Arrangement
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.search.counting.region import find_part
from ..effort.asked import refuse_given, refuse_of_others
from ..plan.explain import Explanation
from ..plan.explain_certificate import CERTIFY, explain_certificate
from ..plan.job import Job, JobPlan
from ..plan.kept_answers import Output, run_kept
from ..plan.second_count import count_twice, difference, refuse_unverifiable

__all__ = ["best", "count", "explain", "plan", "solutions", "solve"]

#: The option `limit`, on the command line as well.
LIMIT = About("find up to N solutions", "N", "whole")
_LIMITS = {"time_limit": "seconds", "node_limit": "nodes", "depth_limit": "depth"}


def job_of(puzzle: Puzzle, goal: str, asked: "SearchOptions | dict[str, Any]", solutions: int | None = None) -> Job:
    """Build a job from options under their Python names.

    - `goal`: what to do.
    - `asked`: the options of `SearchOptions`; other names are passed on to engines of other packages.
    - `solutions`: the largest number of solutions.

    Raises UsageError if `puzzle` is not a puzzle, or an option has a value of the wrong type. Raises EngineError if the
    goal is unknown, or a number is out of range.
    """
    if not isinstance(puzzle, EdgeMatchingPuzzle | DissectionPuzzle):
        raise UsageError(f"{shortened(repr(puzzle))} is not a puzzle; read one with jigsat.read", "puzzle")
    if goal not in list(Goal):
        raise EngineError(f"unknown goal {misspelt(str(goal), Goal)}, choose from {', '.join(Goal)}")
    if solutions is not None and goal != Goal.ALL:
        raise UsageError(f"it is for the goal all, not for {goal}", "limit")
    about = {**OTHERS_ASKED, **about_options(Options), "limit": LIMIT}
    kinds = {name: one.kind for name, one in about.items()}
    given = {
        name: checked_value(name, value, kinds.get(name, "own")) for name, value in asked.items() if value is not None
    }
    most = None if solutions is None else checked_value("limit", solutions, LIMIT.kind)
    bounds = {field: given.pop(name) for name, field in _LIMITS.items() if name in given}
    named = {name: given.pop(name, None) for name in ("engine", "start", "motions", "pieces_only")}
    options = {name: given.pop(name) for name in list(given) if name in about_options(Options)}
    if named["pieces_only"]:
        puzzle = _without_fixed(puzzle, goal)
    if "squares" in options:
        options["squares"] = _region(puzzle, options["squares"])
    limits = Limits(**bounds, solutions=most)
    return Job(puzzle, Goal(goal), limits=limits, options=Options(**options), own=given, **named)


def _region(puzzle: Puzzle, squares: str | Iterable[str | int]) -> tuple[int, ...] | None:
    """The squares of a region; None for the whole board."""
    if isinstance(puzzle, DissectionPuzzle):
        refuse_of_others(puzzle, squares=squares)
        return None
    return find_part(puzzle.board, squares)


def _without_fixed(puzzle: Puzzle, goal: str) -> Puzzle:
    """The puzzle without its fixed pieces."""
    if goal != Goal.COUNT:
        raise UsageError(
            f"it is for counts, not for the goal {goal}; jigsat convert makes such a puzzle", "pieces_only"
        )
    refuse_of_others(puzzle, pieces_only=isinstance(puzzle, DissectionPuzzle))
    return puzzle.pieces_only() if isinstance(puzzle, EdgeMatchingPuzzle) else puzzle


def plan(puzzle: Puzzle, goal: str = "solve", *, limit: int | None = None, **asked: Unpack[SearchOptions]) -> JobPlan:
    """Plan a search without running it: choose the engine and its options, and predict nodes, time and memory.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    goal : {'solve', 'all', 'count', 'best'}, default 'solve'
        What to do.
    limit : int, optional
        The largest number of solutions.
    **asked
        Options of the search, see `SearchOptions`.

    Returns
    -------
    JobPlan
        The plan.  ``print`` shows it; its method `run` runs it and reuses what was prepared for the plan.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        As for `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> chosen = plan(read("clue1"), goal="count")
    >>> chosen.engine.name, chosen.options.method
    ('backtrack', 'frames')
    >>> chosen.run().count
    115071633408
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
    """List all ways to a goal with their predicted cost on this machine; nothing is searched.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    goal : {'solve', 'all', 'count', 'best', 'certify'}, default 'solve'
        What to do.  The ways of ``certify`` are encodings.
    limit : int, optional
        With ``all``: the largest number of solutions.
    solver : str, optional
        With ``certify``: the solver that writes the proof, as for `certify`.
    **asked
        Options of the search, see `SearchOptions`; with ``certify`` only `encoding`.

    Returns
    -------
    Explanation
        The ways: the chosen one first, those that cannot reach the goal last, each of these with the reason.
        ``print`` shows the table of ``jigsat plan``; `record()` has all numbers.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        As for `plan`.

    Examples
    --------
    >>> from jigsat import read
    >>> ways = explain(read("clue1"), goal="count").ways
    >>> ways[0].name, ways[-1].refusal is None
    ('backtrack, method frames', False)
    """
    if goal == CERTIFY:
        encoding = asked.pop("encoding", None)
        if asked or limit is not None:
            raise UsageError("a certificate has no such option", *asked, *([] if limit is None else ["limit"]))
        return explain_certificate(puzzle, encoding, solver)
    refuse_given("it is for certificates; for searches, choose the engine sat:NAME", solver=solver)
    return job_of(puzzle, goal, asked, limit).explained()


@overload
def solve(
    puzzle: EdgeMatchingPuzzle,
    *,
    all: bool = False,
    limit: int | None = None,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Arrangement]: ...
@overload
def solve(
    puzzle: DissectionPuzzle,
    *,
    all: bool = False,
    limit: int | None = None,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Tiling]: ...
def solve(
    puzzle: Puzzle,
    *,
    all: bool = False,  # noqa: A002 (the name of the option)
    limit: int | None = None,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Any]:
    """Find one, several or all solutions, or prove that the puzzle has no solution.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle to solve: an edge-matching puzzle, a jigsaw or a dissection.
    all : bool, default False
        Whether to find all solutions: one of each symmetry class, or every one with ``symmetry=False``.
    limit : int, optional
        The largest number of solutions to find; 1 if neither `all` nor `limit` is given.
    output : str or Path, optional
        A file for the solutions: .json, or .url for viewer links.  While the search runs, everything found is in
        a part beside it, whose name ends in ``.part``.
    resume : bool, default False
        Whether to continue the search that wrote the part, or the output if there is no part.
    overwrite : bool, default False
        Whether to replace the output even by fewer solutions, and discard the part.
    report : callable, optional
        Called with a `Progress` a few times a second.
    **asked
        Options of the search, see `SearchOptions`.

    Returns
    -------
    Result
        The solutions, and how the search ended.

    Warns
    -----
    UserWarning
        If the output has more solutions, and is not replaced.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        If the engine, order, slip array or file does not exist, or does not fit the puzzle.

    Examples
    --------
    >>> from jigsat import read
    >>> solve(read("clue3")).status
    <Status.SATISFIABLE: 'satisfiable'>
    """
    if all and limit is not None:
        raise UsageError("give only one of them", "all", "limit")
    goal = Goal.ALL if all or limit is not None else Goal.SOLVE
    return _run(job_of(puzzle, goal, asked, limit), report, output, resume=resume, overwrite=overwrite)


@overload
def solutions(
    puzzle: EdgeMatchingPuzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]
) -> Iterator[Arrangement]: ...
@overload
def solutions(
    puzzle: DissectionPuzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]
) -> Iterator[Tiling]: ...
def solutions(puzzle: Puzzle, *, limit: int | None = None, **asked: Unpack[SearchOptions]) -> Iterator[Any]:
    """Iterate over the solutions, one of each symmetry class.

    The search pauses until the next solution is requested.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle to solve.
    limit : int, optional
        The largest number of solutions.
    **asked
        Options of the search, see `SearchOptions`.

    Yields
    ------
    tuple
        A board, as a tuple of placements, or a tiling, as a tuple of polygons.

    Warns
    -----
    UserWarning
        If the search ends at a limit of time, nodes or depth, so that there may be more solutions.

    Raises
    ------
    EngineError, UsageError, OrderError, SlipError, InstanceError
        As for `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> len(list(solutions(read("puzzle-a"), limit=3)))
    3
    """
    return job_of(puzzle, Goal.ALL, asked, limit).plan().solutions()


@overload
def count(
    puzzle: EdgeMatchingPuzzle, *, verify: bool = False, report: Report | None = None, **asked: Unpack[SearchOptions]
) -> Result[Arrangement]: ...
@overload
def count(
    puzzle: DissectionPuzzle, *, verify: bool = False, report: Report | None = None, **asked: Unpack[SearchOptions]
) -> Result[Tiling]: ...
def count(
    puzzle: Puzzle, *, verify: bool = False, report: Report | None = None, **asked: Unpack[SearchOptions]
) -> Result[Any]:
    """Count all solutions with the method of least predicted time.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.
    verify : bool, default False
        Whether to count a second time, in a way that shares neither method nor kernel with the first.  The time limit
        is for both counts together.
    report : callable, optional
        Called with a `Progress` a few times a second.
    **asked
        Options of the search, see `SearchOptions`.

    Returns
    -------
    Result
        The count, and whether it is complete.  With `verify`, `verified` has the second count and whether it is the
        same (None if that is not known).

    Raises
    ------
    DifferentCountsError
        If the two counts differ.
    EngineError, UsageError, OrderError, SlipError, InstanceError
        As for `solve`.

    Examples
    --------
    >>> from jigsat import read
    >>> result = count(read("puzzle-a"))
    >>> result.count, result.canonical_count, result.complete
    (160, 40, True)
    >>> count(read("ostomachion")).count
    17152
    """
    job = job_of(puzzle, Goal.COUNT, asked)
    if not verify:
        return job.run(report)
    refuse_unverifiable(job.limits.nodes, job.limits.depth)
    result = count_twice(job.plan(report), report)
    if result.verified is not None and result.verified["same"] is False:
        raise DifferentCountsError(difference(result), result)
    return result


def best(
    puzzle: Puzzle,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    report: Report | None = None,
    **asked: Unpack[SearchOptions],
) -> Result[Arrangement]:
    """Find a board with the highest score.

    Every inner join may be invalid, unless `slips` is given.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle
        The puzzle.
    output : str or Path, optional
        A file for the best board: .json, or .url for viewer links.  While the search runs, everything found is in
        a part beside it, whose name ends in ``.part``.
    resume : bool, default False
        Whether to continue the search that wrote the part, or the output if there is no part.
    overwrite : bool, default False
        Whether to replace the output even by a lower score, and discard the part.
    report : callable, optional
        Called with a `Progress` a few times a second.
    **asked
        Options of the search, see `SearchOptions`.

    Returns
    -------
    Result
        The best board found, its score, and whether the score is proved to be the highest.

    Warns
    -----
    UserWarning
        If the output has a board with a higher score, and is not replaced.

    Raises
    ------
    EngineError
        If the puzzle is a dissection, which has no scores; otherwise as for `solve`.
    UsageError, OrderError, SlipError, InstanceError
        As for `solve`.

    Examples
    --------
    >>> from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
    >>> result = best(EdgeMatchingPuzzle(1, 2, ((0, 5, 0, 0), (0, 5, 0, 0))))
    >>> result.status, result.best_score, result.max_score
    (<Status.OPTIMAL: 'optimal'>, 1, 1)
    """
    return _run(job_of(puzzle, Goal.BEST, asked), report, output, resume=resume, overwrite=overwrite)


def _run(job: Job, report: Report | None, output: str | Path | None, *, resume: bool, overwrite: bool) -> Result[Any]:
    """Run a job; its answer is written to the output, if there is one."""
    if output is None:
        refuse_given("it is for a file of solutions; give its name as output", resume=resume, overwrite=overwrite)
        return job.run(report)
    if is_proof_file(output, job.options.proof):
        raise UsageError(f"{output}: is also written for the proof; give another file", "output", "proof")
    kept = run_kept(job.plan(report), Output(output, resume, overwrite), report, collect=True)
    if kept.why_not is not None:
        warnings.warn(f"{output} is not replaced: it {kept.why_not}", UserWarning, stacklevel=3)
    return kept.result
