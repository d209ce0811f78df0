"""Searches whose answer is kept in a file while they run, and that can be continued."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import is_stream
from ...csp.base.stopping import Progress, Report, never
from ...csp.engines.answers.answer_file import AnswerFile
from ...csp.engines.answers.same_solution import identity_of
from ...csp.engines.engine import SearchEngine
from ...csp.engines.registry import engine_of
from ...csp.engines.request import Goal
from ...csp.engines.result import Result, Status
from ...csp.files.convert import solutions_file
from ...csp.files.instances import fingerprint
from ...csp.puzzles.check_board import Verdict, check
from ...csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ...csp.puzzles.slips import Slips, anywhere, checked_frame_slips, checked_slips, format_slips, restrict_nothing
from ...csp.puzzles.symmetry import symmetries
from ...csp.search.counting.code_version import code_version
from .job import JobPlan


@dataclass(frozen=True)
class Output:
    """The file for the answer of a search."""

    #: The file: .json or .url; ``-`` for standard output.
    path: str | Path
    #: Whether to continue the search that wrote it.
    resume: bool = False
    #: Whether to replace what is there, even by less.
    overwrite: bool = False

    def __post_init__(self) -> None:
        if self.resume and self.overwrite:
            raise UsageError("give only one of them", "resume", "overwrite")
        if self.resume and is_stream(self.path):
            raise UsageError(f"{self.path} is not a file that a search can continue", "resume")


@dataclass(frozen=True)
class Kept:
    """The outcome of a search with an output."""

    #: The result, including what an earlier search has found.
    result: Result[Any]
    #: The number of solutions in the file.
    number: int
    #: Why the file was not replaced; None if it was.
    why_not: str | None = None


def run_kept(
    plan: JobPlan,
    output: Output,
    report: Report | None = None,
    *,
    must_stop: Callable[[], bool] = never,
    collect: bool = False,
) -> Kept:
    """Run a plan; its solutions, or its best board at each improvement, are written as they are found.

    The result holds the solutions, too, if `collect` is true.

    Raises UsageError or InstanceError if the output cannot be used; then nothing was searched.
    """
    if is_stream(output.path):
        return _streamed(plan, output, report, must_stop, collect=collect)
    with answer_of(plan, output) as (plan, answer):
        search = _Search(plan, answer, report, collect=collect)
        result = search.run(must_stop)
        result = search.with_earlier(result)
        why = answer.finish(ended=result.complete or result.ended_by == "solutions")
    return Kept(result, search.number, why)


def _streamed(
    plan: JobPlan, output: Output, report: Report | None, must_stop: Callable[[], bool], *, collect: bool
) -> Kept:
    number, collected = 0, []
    with solutions_file(plan.job.puzzle, output.path) as add:

        def consume(solution: Any) -> None:
            nonlocal number
            number += 1
            add(solution)
            if collect:
                collected.append(solution)

        result = plan.run(report, consume, must_stop=must_stop)
    return Kept(replace(result, solutions=tuple(collected)), number)


@contextmanager
def answer_of(plan: JobPlan, output: Output) -> Iterator[tuple[JobPlan, AnswerFile]]:
    """The file for the answer of a plan, and the plan with what is already there."""
    job = plan.job
    answer = AnswerFile(
        job.puzzle,
        output.path,
        search=_search_of(plan),
        version=code_version(),
        best=job.goal is Goal.BEST,
        identity=_identity(plan),
        checked=_checker(plan),
        most=1 if job.goal is Goal.SOLVE else job.limits.solutions,
        again=plan.engine is not None and plan.engine.name.partition(":")[0] == "portfolio",
    )
    answer.open(resume=output.resume, overwrite=output.overwrite)
    try:
        yield plan.with_earlier(answer.earlier), answer
    except BaseException:
        answer.leave()
        raise


def _search_of(plan: JobPlan) -> dict[str, Any]:
    """The options that decide what the answer is."""
    job = plan.job
    search: dict[str, Any] = {"goal": "best" if job.goal is Goal.BEST else "solutions"}
    if job.goal is not Goal.BEST:
        search["symmetry"] = plan.options.symmetry
    if isinstance(job.puzzle, DissectionPuzzle):
        assert isinstance(plan.puzzle, DissectionPuzzle)
        return search | {"motions": str(plan.puzzle.motions)}
    slips = checked_slips(job.puzzle, job.options.slips)
    frame_slips = checked_frame_slips(job.puzzle, job.options.frame_slips)
    start = None if job.start is None else fingerprint(plan.puzzle)
    return search | {
        "slips": format_slips(slips) if slips else None,
        **({"frame slips": format_slips(frame_slips)} if frame_slips else {}),
        "order": _order_of(job.puzzle, job.options.order),
        "start": start,
        "depth limit": job.limits.depth,
    }


def _order_of(puzzle: EdgeMatchingPuzzle, order: str | tuple[int, ...] | None) -> str | None:
    """An order as the user gave it; the squares if it is not a name."""
    if order is None or (isinstance(order, str) and order.partition(":")[0] in (*NAMED_ORDERS, "best")):
        return order
    return " ".join(map(puzzle.board.name, find_order(puzzle, order)[1]))


def _engine(plan: JobPlan) -> type[SearchEngine[Any, Any]] | SearchEngine[Any, Any]:
    """The engine of a plan, or the one asked for if the search ended before it was planned."""
    if plan.engine is None and plan.job.engine is not None:
        return engine_of(plan.puzzle.kind, plan.job.engine)
    return SearchEngine if plan.engine is None else plan.engine


def _identity(plan: JobPlan) -> Callable[[Any], Any]:
    """What is the same solution for this search."""
    puzzle, turns = plan.puzzle, 1
    if isinstance(puzzle, EdgeMatchingPuzzle):
        slips, frame_slips = _slips_of(plan)
        order = _order_of_slips(plan) if slips or frame_slips else ()
        turns = symmetries(puzzle, turnable=restrict_nothing(puzzle, slips, order, frame_slips)).board
    return identity_of(puzzle, every=not plan.options.symmetry, turns=turns)


def _checker(plan: JobPlan) -> Callable[[Any, str], None]:
    """A function that refuses what is no solution of this search."""
    puzzle = plan.puzzle
    if isinstance(puzzle, DissectionPuzzle):
        tilings = TilingChecker(puzzle)
        return lambda tiling, label: _refuse(tilings(tiling), label)
    slips, frame_slips = _slips_of(plan)
    if plan.job.goal is Goal.BEST and plan.options.slips is None:
        slips = anywhere(puzzle)
    order = _order_of_slips(plan) if slips or frame_slips else ()
    return lambda board, label: _refuse(check(puzzle, board, slips, order, frame_slips), label)


def _slips_of(plan: JobPlan) -> tuple[Slips, Slips]:
    """The slip arrays inside and along the frame."""
    assert isinstance(plan.puzzle, EdgeMatchingPuzzle)
    options = plan.options
    return checked_slips(plan.puzzle, options.slips), checked_frame_slips(plan.puzzle, options.frame_slips)


def _order_of_slips(plan: JobPlan) -> Order:
    """The order along which slips count."""
    assert isinstance(plan.puzzle, EdgeMatchingPuzzle)
    return _engine(plan).order_of(plan.puzzle, plan.options)[1]


def _refuse(verdict: Verdict | TilingVerdict, label: str) -> None:
    if not verdict.is_solution:
        raise InstanceError(f"{label}: has what is not a solution for this search: {verdict.problems[0]}")


class _Search:
    """A search that writes what it finds."""

    def __init__(self, plan: JobPlan, answer: AnswerFile, report: Report | None, *, collect: bool) -> None:
        self._plan, self._answer, self._report = plan, answer, report
        self._is_best = plan.job.goal is Goal.BEST
        self._best: Any = None
        self._seen: Any = None
        if self._is_best:
            for board in answer.earlier.solutions():
                self._best = self._better(board)
        self.number = 0
        self._collected: list[Any] | None = None
        if collect:
            self._collected = [] if self._is_best else list(map(plan.known, answer.earlier.solutions()))

    def run(self, must_stop: Callable[[], bool]) -> Result[Any]:
        """The result of the search."""
        plan = self._plan
        if self._answer.is_full and not self._is_best:
            plan = replace(plan, job=replace(plan.job, limits=replace(plan.job.limits, solutions=0)))
        return plan.run(self._tell, self._take, must_stop=must_stop)

    def _better(self, board: Any) -> Any:
        """The better one of a board and the best one so far."""
        puzzle = self._plan.job.puzzle
        assert isinstance(puzzle, EdgeMatchingPuzzle)
        return board if self._best is None or puzzle.score(board) > puzzle.score(self._best) else self._best

    def _take(self, solution: Any) -> None:
        if not self._is_best:
            if self._answer.add(solution) and self._collected is not None:
                self._collected.append(solution)
        elif self._best is None or self._better(solution) is not self._best:
            self._best = solution
            self._answer.improve(solution)

    def _tell(self, progress: Progress) -> None:
        if self._is_best and progress.best is not self._seen:
            self._seen = progress.best
            self._take(progress.best)
        self._answer.check()
        if progress.place is not None:
            self._answer.keep(progress.place)
        if self._report is not None:
            self._report(progress)

    def with_earlier(self, result: Result[Any]) -> Result[Any]:
        """The result of both searches."""
        answer = self._answer
        self.number = answer.number
        if self._is_best:
            self.number = int(self._best is not None)
            return self._with_board(result)
        if self._collected is not None:
            result = replace(result, solutions=tuple(self._collected))
        if not answer.earlier.number:
            return result
        result = replace(result, status=Status.SATISFIABLE)
        if self._plan.job.goal is Goal.SOLVE:
            return replace(result, complete=True, ended_by=None, **self._found_before())
        if result.complete:
            return result
        # The search may have ended before it found again what was known.
        orbits = self.number if self._plan.options.symmetry else 0
        return replace(
            result,
            count=max(result.count or 0, self.number),
            canonical_count=None if result.canonical_count is None else max(result.canonical_count, orbits),
        )

    def _found_before(self) -> dict[str, Any]:
        """What the result of a search for one board says of it."""
        puzzle = self._plan.job.puzzle
        if isinstance(puzzle, DissectionPuzzle):
            return {}
        board = self._plan.known(next(self._answer.earlier.solutions()))
        return {"best_score": puzzle.score(board), "best_board": board, "best_depth": len(board)}

    def _with_board(self, result: Result[Any]) -> Result[Any]:
        """The result with the best board of both searches."""
        puzzle, best = self._plan.job.puzzle, self._best
        assert isinstance(puzzle, EdgeMatchingPuzzle)
        if self._collected is not None and best is not None:
            result = replace(result, solutions=(self._plan.known(best),))
        found = result.status in (Status.FEASIBLE, Status.OPTIMAL)
        if best is None or (found and (result.best_score or 0) >= puzzle.score(best)):
            return result
        score = puzzle.score(best)
        complete = result.complete or score in (puzzle.max_score, result.best_bound)
        return replace(
            result,
            status=Status.OPTIMAL if complete else Status.FEASIBLE,
            complete=complete,
            ended_by=None if complete else result.ended_by,
            best_score=score,
            best_board=self._plan.known(best),
            best_depth=len(best),
        )
