"""Solve a puzzle, count its solutions, find the best score: the public functions that run a search."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import DifferentCountsError, EngineError, UsageError, misspelt
from ..csp.engines.request import OPTIONS, About, Goal, Limits, Options, about_options, is_proof_file
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .public import AnyBoard, AnyOrder, AnyPuzzle, AnySlips, opened, public, search_options

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..csp.engines.result import Result
    from ..csp.files.instances import Puzzle
    from ..estimators.plan.explain import Explanation
    from ..estimators.plan.job import Job, JobPlan
    from ..estimators.plan.kept_answers import Kept, Output

__all__ = ["best", "count", "explain", "plan", "solutions", "solve"]

#: The option `limit`.
LIMIT = About("find up to N solutions", "N", "whole")
_LIMITS = {"time_limit": "seconds", "node_limit": "nodes", "depth_limit": "depth"}


@public
def solve(
    puzzle: AnyPuzzle,
    *,
    all: bool = False,  # noqa: A002 (the name of the option)
    limit: int | None = None,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: str | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    width: int | None = None,
    device: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
    report: Report | None = None,
) -> Result[Any]:
    """Find a solution, several or all solutions, or show that there is no solution.

    With `all`, it finds one solution of each symmetry class: solutions are equivalent if they result from each other by
    turning the board, exchanging identical pieces or turning symmetric pieces.  With `symmetry=False`, it finds
    every single solution.  For a dissection, the symmetries are those of the target and the exchange of congruent
    pieces.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle: an edge-matching puzzle, a jigsaw or a dissection, or a file, the name of a bundled puzzle, or a
        viewer link.
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
    >>> solve("clue3").status
    <Status.SATISFIABLE: 'satisfiable'>
    """
    if all and limit is not None:
        raise UsageError("give only one of them", "all", "limit")
    return _found(puzzle, Goal.ALL if all or limit is not None else Goal.SOLVE, locals(), limit)


@public
def best(
    puzzle: AnyPuzzle,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: str | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    width: int | None = None,
    device: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
    report: Report | None = None,
) -> Result[Any]:
    """Find a board with the highest score.

    Every inner join may be invalid, unless `slips` is given.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, str or Path
        The puzzle, or where it is, as for `solve`.
    output : str or Path, optional
        A file for the best board: .json, or .url for viewer links.  While the search runs, everything found is in
        a part beside it, whose name ends in ``.part``.
    resume : bool, default False
        Whether to continue the search that wrote the part, or the output if there is no part.
    overwrite : bool, default False
        Whether to replace the output even by a lower score, and discard the part.
    report : callable, optional
        Called with a `Progress` a few times a second.

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
    return _found(puzzle, Goal.BEST, locals())


@public
def count(
    puzzle: AnyPuzzle,
    *,
    verify: bool = False,
    engine: str | None = None,
    method: Literal["plain", "frames", "macros", "middle", "blocks", "halves"] | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    squares: str | Iterable[str | int] | None = None,
    pieces_only: bool = False,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    device: str | None = None,
    ledger: str | Path | None = None,
    part: str | None = None,
    cluster: str | None = None,
    cluster_security: str | Path | None = None,
    cluster_dashboard: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
    report: Report | None = None,
) -> Result[Any]:
    """Count the solutions of a puzzle, up to symmetry and in all.

    Two solutions are the same up to symmetry if one results from the other by turning the whole board, exchanging
    identical pieces or turning symmetric pieces.  A count that a limit ends is a lower bound.  With `ledger` a count
    can be interrupted and continued; with `threads` or `cluster` it runs in parallel.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is, as for `solve`.
    verify : bool, default False
        Count a second time, in a way that shares neither method nor kernel with the first, and compare.  The time limit
        is for both counts together.
    report : callable, optional
        Called with a `Progress` a few times a second.

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
    >>> result = count("puzzle-a")
    >>> result.count, result.canonical_count, result.complete
    (160, 40, True)
    >>> count("ostomachion").count
    17152
    """
    _, result = counted(opened(puzzle), search_options(locals()), lambda plan: nullcontext(report), verify=verify)
    if result.verified is not None and result.verified["same"] is False:
        from ..estimators.plan.second_count import difference

        raise DifferentCountsError(difference(result), result)
    return result


@public
def solutions(
    puzzle: AnyPuzzle,
    *,
    limit: int | None = None,
    engine: str | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    width: int | None = None,
    device: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
) -> Iterator[Any]:
    """Iterate over the solutions, one of each symmetry class.

    The search pauses until the next solution is requested.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is, as for `solve`.
    limit : int, optional
        The largest number of solutions.

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
    >>> len(list(solutions("puzzle-a", limit=3)))
    3
    """
    return job_for(opened(puzzle), Goal.ALL, search_options(locals()), limit).plan().solutions()


@public
def plan(
    puzzle: AnyPuzzle,
    goal: Literal["solve", "all", "count", "best"] = "solve",
    *,
    limit: int | None = None,
    engine: str | None = None,
    method: Literal["plain", "frames", "macros", "middle", "blocks", "halves"] | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    squares: str | Iterable[str | int] | None = None,
    pieces_only: bool = False,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    width: int | None = None,
    device: str | None = None,
    ledger: str | Path | None = None,
    part: str | None = None,
    cluster: str | None = None,
    cluster_security: str | Path | None = None,
    cluster_dashboard: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
) -> JobPlan:
    """Plan a search without running it: choose the engine and its options, and predict nodes, time and memory.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is, as for `solve`.
    goal : {'solve', 'all', 'count', 'best'}, default 'solve'
        What to do.
    limit : int, optional
        The largest number of solutions.

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
    >>> chosen = plan("clue1", goal="count")
    >>> chosen.engine.name, chosen.options.method
    ('backtrack', 'frames')
    >>> chosen.run().count
    115071633408
    """
    return job_for(opened(puzzle), goal, search_options(locals()), limit).plan()


@public
def explain(
    puzzle: AnyPuzzle,
    goal: Literal["solve", "all", "count", "best", "certify"] = "solve",
    *,
    limit: int | None = None,
    solver: str | None = None,
    engine: str | None = None,
    method: Literal["plain", "frames", "macros", "middle", "blocks", "halves"] | None = None,
    encoding: str | None = None,
    order: AnyOrder = None,
    slips: AnySlips = None,
    frame_slips: AnySlips = None,
    squares: str | Iterable[str | int] | None = None,
    pieces_only: bool = False,
    motions: Literal["any", "lattice"] | None = None,
    start: AnyBoard | None = None,
    symmetry: bool = True,
    proof: str | Path | None = None,
    seed: int | None = None,
    threads: int | Literal["all"] = 1,
    width: int | None = None,
    device: str | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    depth_limit: int | None = None,
    engine_options: Mapping[str, object] | None = None,
) -> Explanation:
    """Show all ways to a goal with their predicted time; the first is the one that would be used.

    A way is an engine with its order, method or encoding.  For each one the table shows the predicted nodes and time on
    this machine (the median, and an interval that contains nine of ten cases), the time to set up, the memory, and, if
    the way does not apply, the reason.  Nothing is searched, and no file is written.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The puzzle, or where it is, as for `solve`.
    goal : {'solve', 'all', 'count', 'best', 'certify'}, default 'solve'
        What to do.  The ways of ``certify`` are encodings.
    limit : int, optional
        With ``all``: the largest number of solutions.
    solver : str, optional
        With ``certify``: the solver that writes the proof, as for `certify`.

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
    >>> ways = explain("clue1", goal="count").ways
    >>> ways[0].name, ways[-1].refusal is None
    ('backtrack, method frames', False)
    """
    from ..csp.engines.request import refuse_given
    from ..estimators.plan.explain import CERTIFY, explain_certificate

    given = search_options(locals())
    if goal == CERTIFY:
        defaults = {name: about.default for name, about in OPTIONS.items()}
        others = [name for name, value in given.items() if name != "encoding" and value != defaults.get(name)]
        if others or limit is not None:
            raise UsageError("a certificate has no such option", *others, *([] if limit is None else ["limit"]))
        return explain_certificate(opened(puzzle), encoding, solver)
    refuse_given("it is for certificates; for searches, choose the engine sat:NAME", solver=solver)
    return job_for(opened(puzzle), goal, given, limit).explained()


@dataclass(frozen=True)
class Found:
    """The answer of a search, and how it was planned."""

    #: The plan and the result.
    plan: JobPlan
    result: Result[Any]
    #: What has become of the file for the answer, if there is one.
    kept: Kept | None = None


#: The context in which a search is planned, without a plan, and then run; it gives what takes the progress.
Watch = Callable[["JobPlan | None"], AbstractContextManager["Report | None"]]


def found(
    puzzle: Puzzle,
    goal: Goal,
    given: Mapping[str, Any],
    watch: Watch,
    *,
    limit: int | None = None,
    output: Output | None = None,
    consume: Callable[[Any], None] | None = None,
    collect: bool = False,
    started: float | None = None,
) -> Found:
    """Plan and run a search; its answer is written to the output if there is one.

    - `given`: the options, by their Python names.
    - `consume`: called with each solution as soon as it is found; then the result keeps none.
    - `collect`: whether the result holds the solutions that are written to the output, too.
    - `started`: when time limits begin to count, by ``time.perf_counter``.
    """
    if output is not None and is_proof_file(output.path, given.get("proof")):
        raise UsageError(f"{output.path}: is also written for the proof; give another file", "output", "proof")
    with watch(None) as report:
        made = job_for(puzzle, goal, given, limit).plan(report, started=started)
    with watch(made) as report:
        if output is None:
            return Found(made, made.run(report, consume))
        from ..estimators.plan.kept_answers import run_kept

        kept = run_kept(made, output, report, collect=collect)
        return Found(made, kept.result, kept)


def counted(
    puzzle: Puzzle, given: Mapping[str, Any], watch: Watch, *, verify: bool, started: float | None = None
) -> tuple[JobPlan, Result[Any]]:
    """Plan a count and make it, and make it a second time in another way if `verify` is true."""
    job = job_for(puzzle, Goal.COUNT, given)
    from ..estimators.plan.second_count import count_twice, refuse_unverifiable

    if verify:
        refuse_unverifiable(job.limits.nodes, job.limits.depth)
    with watch(None) as report:
        made = job.plan(report, started=started)
    with watch(made) as report:
        result = count_twice(made, report) if verify else made.run(report)
    if isinstance(puzzle, EdgeMatchingPuzzle) and not puzzle.is_framed and result.complete and result.picture_count:
        from ..csp.puzzles.exchanges import essential_count

        result = replace(result, essential_count=essential_count(puzzle, result.picture_count))
    return made, result


def _found(puzzle: AnyPuzzle, goal: Goal, given: Mapping[str, Any], limit: int | None = None) -> Result[Any]:
    """The result of a public function with these arguments."""
    path, report = given["output"], given["report"]
    output = output_of(path, "as output", resume=given["resume"], overwrite=given["overwrite"])
    answer = found(
        opened(puzzle), goal, search_options(given), lambda plan: nullcontext(report), limit=limit, output=output,
        collect=True,
    )  # fmt: skip
    if answer.kept is not None and answer.kept.why_not is not None:
        warnings.warn(f"{path} is not replaced: it {answer.kept.why_not}", UserWarning, stacklevel=4)
    return answer.result


def output_of(path: str | Path | None, name: str, *, resume: bool, overwrite: bool) -> Output | None:
    """The file for the answer; None without a path, which is given as `name` says."""
    if path is None:
        from ..csp.engines.request import refuse_given

        why = f"it is for a file of solutions; give its name {name}"
        refuse_given(why, resume=resume, overwrite=overwrite)
        return None
    from ..estimators.plan.kept_answers import Output

    return Output(path, resume, overwrite)


def job_for(puzzle: Puzzle, goal: str, asked: Mapping[str, Any], solutions: int | None = None) -> Job:
    """Build a job from options under their Python names.

    - `goal`: what to do.
    - `asked`: options of searches; other names are passed on to engines of other packages.
    - `solutions`: the largest number of solutions.

    Raises UsageError if an option has a value of the wrong type. Raises EngineError if the goal is unknown, or a
    number is out of range.
    """
    from ..csp.engines.request import checked_value, refuse_of_others
    from ..estimators.plan.job import Job

    if goal not in list(Goal):
        raise EngineError(f"unknown goal {misspelt(str(goal), Goal)}, choose from {', '.join(Goal)}")
    if goal == Goal.BEST and isinstance(puzzle, DissectionPuzzle):
        raise EngineError(f"{puzzle.name}: is a dissection; dissections have no best score")
    if solutions is not None and goal != Goal.ALL:
        raise UsageError(f"it is for the goal all, not for {goal}", "limit")
    given = {
        name: checked_value(name, value, OPTIONS[name].kind if name in OPTIONS else "own")
        for name, value in asked.items()
        if value is not None
    }
    most = None if solutions is None else checked_value("limit", solutions, LIMIT.kind)
    bounds = {field: given.pop(name) for name, field in _LIMITS.items() if name in given}
    named = {name: given.pop(name, None) for name in ("engine", "start", "motions", "pieces_only")}
    options = {name: given.pop(name) for name in list(given) if name in about_options(Options)}
    if named["pieces_only"]:
        if goal != Goal.COUNT:
            why = f"it is for counts, not for the goal {goal}; jigsat convert makes such a puzzle"
            raise UsageError(why, "pieces_only")
        refuse_of_others(puzzle, pieces_only=isinstance(puzzle, DissectionPuzzle))
        puzzle = puzzle.pieces_only() if isinstance(puzzle, EdgeMatchingPuzzle) else puzzle
    if isinstance(puzzle, EdgeMatchingPuzzle) and "squares" in options:
        from ..csp.search.counting.region import find_part

        options["squares"] = find_part(puzzle.board, options["squares"])
    refuse_of_others(puzzle, squares=options.get("squares") if isinstance(puzzle, DissectionPuzzle) else None)
    limits = Limits(**bounds, solutions=most)
    return Job(puzzle, Goal(goal), limits=limits, options=Options(**options), own=given, **named)
