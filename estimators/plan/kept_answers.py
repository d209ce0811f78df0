"""Searches whose answer is kept while they run, and that can be continued.

What is found goes into a journal beside the file for the answer (see `keep_steps`): each solution, or each board that
is better than those before, and the place of the search.  At the end the file is written from it, unless an earlier
answer there is better.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, UsageError, plural
from ...csp.base.safe_files import is_stream
from ...csp.base.stop import Progress, Report
from ...csp.engines.engine import SearchEngine, find_engine
from ...csp.engines.request import Earlier, Goal
from ...csp.engines.result import Result, Status
from ...csp.engines.tallies import identity_of
from ...csp.files.books import compact
from ...csp.files.convert import SOLUTION_FORMATS, refuse_format, solutions_file
from ...csp.files.file_format import format_for, part_of
from ...csp.files.instances import files_of, fingerprint
from ...csp.files.solutions import SEARCH, read_solutions, solution_entry, solution_writer
from ...csp.puzzles.check_board import Verdict, check
from ...csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ...csp.puzzles.slips import anywhere, checked_frame_slips, checked_slips, format_slips, restrict_nothing
from ...csp.work.run import code_version
from ...csp.work.steps import KeptSteps, keep_steps, refuse_both
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
        refuse_both(resume=self.resume, overwrite=self.overwrite)


@dataclass(frozen=True)
class Kept:
    """The outcome of a search with an output."""

    #: The result, including what an earlier search has found.
    result: Result[Any]
    #: The number of solutions in the file.
    number: int
    #: Why the file was not replaced; None if it was.
    why_not: str | None = None
    #: Where the search can be continued, in words; None if there is nothing to continue.
    kept: str | None = None


def run_kept(plan: JobPlan, output: Output, report: Report | None = None, *, collect: bool = False) -> Kept:
    """Run a plan; its solutions, or its best board at each improvement, are written as they are found.

    The result holds the solutions, too, if `collect` is true.

    Raises UsageError or InstanceError if the output cannot be used; then nothing was searched.
    """
    puzzle = plan.job.puzzle
    refuse_format(puzzle, output.path)
    head = {"work": SEARCH, "instance": puzzle.name, "sha256": fingerprint(puzzle), **_asked(plan)}
    with keep_steps(output.path, head, resume=output.resume, overwrite=output.overwrite) as journal:
        if is_stream(output.path):
            return _streamed(plan, output, report, collect=collect)
        search = _Search(plan, output, journal, report, collect=collect)
        result = search.run()
        why = search.finish(ended=result.complete or result.ended_by == "solutions")
        return Kept(result, search.number, why, journal.kept)


def _streamed(plan: JobPlan, output: Output, report: Report | None, *, collect: bool) -> Kept:
    number, collected = 0, []
    with solutions_file(plan.job.puzzle, output.path) as add:

        def consume(solution: Any) -> None:
            nonlocal number
            number += 1
            add(solution)
            if collect:
                collected.append(solution)

        result = plan.run(report, consume)
    return Kept(replace(result, solutions=tuple(collected)), number)


def _asked(plan: JobPlan) -> dict[str, Any]:
    """The options that decide what the answer is."""
    job = plan.job
    asked: dict[str, Any] = {"best": job.goal is Goal.BEST}
    if job.goal is not Goal.BEST:
        asked["symmetry"] = plan.options.symmetry
    if isinstance(plan.puzzle, DissectionPuzzle):
        return asked | {"motions": str(plan.puzzle.motions)}
    assert isinstance(job.puzzle, EdgeMatchingPuzzle)
    slips = checked_slips(job.puzzle, job.options.slips)
    frame_slips = checked_frame_slips(job.puzzle, job.options.frame_slips)
    order = job.options.order
    if order is not None and not (isinstance(order, str) and order.partition(":")[0] in (*NAMED_ORDERS, "best")):
        # A file or a list: the squares count.
        order = " ".join(map(job.puzzle.board.name, find_order(job.puzzle, order)[1]))
    return asked | {
        "slips": format_slips(slips) if slips else None,
        "frame_slips": format_slips(frame_slips) if frame_slips else None,
        "order": order,
        "start": None if job.start is None else fingerprint(plan.puzzle),
        "depth_limit": job.limits.depth,
    }


def _rules(plan: JobPlan) -> tuple[Callable[[Any], Verdict | TilingVerdict], bool]:
    """What a solution of this search is, and whether symmetries of the board make the same solution."""
    puzzle, options = plan.puzzle, plan.options
    if isinstance(puzzle, DissectionPuzzle):
        return TilingChecker(puzzle), True
    slips, frame_slips = checked_slips(puzzle, options.slips), checked_frame_slips(puzzle, options.frame_slips)
    if plan.job.goal is Goal.BEST and options.slips is None:
        slips = anywhere(puzzle)
    order: Order = ()
    if slips or frame_slips:
        # If the search ended before it was planned, the engine is the one asked for.
        asked = SearchEngine if plan.job.engine is None else find_engine(plan.job.engine, kind=puzzle.kind)
        order = (plan.engine or asked).order_of(puzzle, options)[1]
    turnable = restrict_nothing(puzzle, slips, order, frame_slips)
    return lambda board: check(puzzle, board, slips, order, frame_slips), turnable


class _Search:
    """A search that keeps what it finds in a journal, and continues what is there."""

    def __init__(
        self, plan: JobPlan, output: Output, journal: KeptSteps, report: Report | None, *, collect: bool
    ) -> None:
        job = plan.job
        self._puzzle, self._path, self._journal, self._report = job.puzzle, output.path, journal, report
        self._is_best = job.goal is Goal.BEST
        self._most = 1 if job.goal is Goal.SOLVE else job.limits.solutions
        self._again = plan.engine is not None and plan.engine.name.partition(":")[0] == "portfolio"
        files = files_of(job.puzzle.kind)
        self._data_of, self._read = files.solution_data(job.puzzle), files.solution_reader(job.puzzle, journal.label)
        verdict, turnable = _rules(plan)
        self._identity = identity_of(plan.puzzle, every=not plan.options.symmetry, turnable=turnable)
        self._known = set[Any]()
        in_file = self._in_file()
        # How many solutions the file has, and the score if it is a single board.
        self._before = len(in_file), self._score(in_file[0]) if len(in_file) == 1 else None
        self._continue(in_file, verdict, resume=output.resume)
        number, place = journal.number, journal.place
        same = isinstance(place, dict) and place.get("version") == code_version()
        self._earlier = Earlier(number, lambda: islice(self._solutions(), number), place["place"] if same else None)
        self._plan = plan.with_earlier(self._earlier)
        self._best = max(self._solutions(), key=self._score, default=None) if self._is_best else None
        self._seen: Any = None
        self._collected: list[Any] | None = None
        if collect:
            self._collected = [] if self._is_best else list(map(plan.known, self._solutions()))

    def _in_file(self) -> list[Any]:
        """The solutions in the file, unless it is replaced in any case.

        Raises InstanceError if it is not a file of solutions of this puzzle.
        """
        if self._journal.overwrite or not os.path.exists(self._path) or os.path.getsize(self._path) == 0:
            return []
        try:
            return list(read_solutions(self._path, self._puzzle))
        except InstanceError as error:
            raise InstanceError(f"{error}; --overwrite replaces the file") from error

    def _continue(self, in_file: list[Any], verdict: Callable[[Any], Verdict | TilingVerdict], *, resume: bool) -> None:
        """Know what an earlier search has found, which is in the journal or, without one, in the file."""
        if kept := self._journal.number:
            label, number, earlier = self._journal.label, kept, self._solutions()
        elif resume:
            label, number, earlier = str(self._path), len(in_file), iter(in_file)
        else:
            return
        for solution in earlier:
            found = verdict(solution)
            if not found.is_solution:
                raise InstanceError(f"{label}: has what is not a solution for this search: {found.problems[0]}")
            self._known.add(self._identity(solution))
        if len(self._known) < number and not self._is_best:
            raise UsageError(
                f"{label}: has several solutions of one symmetry class, or one several times; "
                "it is not of a search that this one can continue",
                "resume",
            )
        for solution in () if kept else in_file:
            self._journal.add(compact(self._data_of(solution)))

    def _solutions(self) -> Iterator[Any]:
        """All solutions in the journal, or all boards that were better than those before."""
        label = self._journal.label
        for number, entry in enumerate(self._journal.entries, start=1):
            data, plain = solution_entry(entry, label)
            yield self._read(data, number, plain)

    def _score(self, board: Any) -> int:
        """The score of a board; 0 for a tiling."""
        return self._puzzle.score(board) if isinstance(self._puzzle, EdgeMatchingPuzzle) else 0

    @property
    def number(self) -> int:
        """The number of solutions that the answer has."""
        return min(self._journal.number, 1) if self._is_best else self._journal.number

    def run(self) -> Result[Any]:
        """The result of both searches."""
        plan = self._plan
        if self._is_full:
            plan = replace(plan, job=replace(plan.job, limits=replace(plan.job.limits, solutions=0)))
        result = plan.run(self._tell, self._take)
        return self._with_board(result) if self._is_best else self._with_earlier(result)

    @property
    def _is_full(self) -> bool:
        return self._most is not None and self._journal.number >= self._most and not self._is_best

    def _take(self, solution: Any) -> None:
        """Keep a solution, unless it is known or the wanted number is reached; or a board that is the best one."""
        if self._is_best:
            if self._best is None or self._score(solution) > self._score(self._best):
                self._best = solution
                self._journal.add(compact(self._data_of(solution)), now=True)
            return
        if self._is_full:
            return
        if self._known or self._again:
            key = self._identity(solution)
            if key in self._known:
                return
            if self._again:
                self._known.add(key)
        self._journal.add(compact(self._data_of(solution)))
        if self._collected is not None:
            self._collected.append(solution)

    def _tell(self, progress: Progress) -> None:
        if self._is_best and progress.best is not self._seen:
            self._seen = progress.best
            self._take(progress.best)
        self._journal.check()
        if progress.place is not None:
            self._journal.keep({"version": code_version(), "place": progress.place})
        if self._report is not None:
            self._report(progress)

    def finish(self, *, ended: bool) -> str | None:
        """Write the file, unless the answer in it is better; return why.  If `ended`, there is nothing to continue."""
        why = self._why_kept()
        self._journal.complete = ended and why is None
        self._journal.write_answer(self._write, may_replace=why is None)
        return why

    def _write(self) -> None:
        first = max(self._journal.number - 1, 0) if self._is_best else 0
        if format_for(self._path, SOLUTION_FORMATS, "json") == "json":
            # The text of a solution is that of solution files.
            with solution_writer(self._puzzle, self._path) as writer:
                for text in islice(self._journal.entries, first, None):
                    writer.add_text(text)
        else:
            with solutions_file(self._puzzle, self._path) as add:
                for board in islice(self._solutions(), first, None):
                    add(board)

    def _why_kept(self) -> str | None:
        """Why an earlier answer in the file is better than this one; None if it is not."""
        (before, better), here, part = self._before, self.number, part_of(self._path)
        if here < before:
            found = plural(here, "board" if self._is_best else "solution", str)
            found = f"{found}, in {part}" if here else f"no {'board' if self._is_best else 'solution'}"
            return f"has {plural(before, 'solution', str)}, and this search found {found}"
        if better is not None and here == 1:
            *_, last = self._solutions()
            if (score := self._score(last)) < better:
                return f"has a board with a score of {better}, and this search found one of {score}, in {part}"
        return None

    def _with_earlier(self, result: Result[Any]) -> Result[Any]:
        """The result with what was found before."""
        if self._collected is not None:
            result = replace(result, solutions=tuple(self._collected))
        if not self._earlier.number:
            return result
        result = replace(result, status=Status.SATISFIABLE)
        if self._plan.job.goal is Goal.SOLVE:
            result = replace(result, complete=True, ended_by=None)
            board = self._plan.known(next(self._earlier.solutions()))
            if isinstance(self._puzzle, DissectionPuzzle):
                return result
            return replace(result, best_score=self._score(board), best_board=board, best_depth=len(board))
        if result.complete:
            return result
        # The search may have ended before it found again what was known.
        number = self._journal.number
        orbits = number if self._plan.options.symmetry else 0
        return replace(
            result,
            count=max(result.count or 0, number),
            canonical_count=None if result.canonical_count is None else max(result.canonical_count, orbits),
        )

    def _with_board(self, result: Result[Any]) -> Result[Any]:
        """The result with the best board of both searches."""
        if self._best is None:
            return result
        best, score = self._plan.known(self._best), self._score(self._best)
        if self._collected is not None:
            result = replace(result, solutions=(best,))
        if result.status in (Status.FEASIBLE, Status.OPTIMAL) and (result.best_score or 0) >= score:
            return result
        complete = result.complete or score in (result.max_score, result.best_bound)
        return replace(
            result,
            status=Status.OPTIMAL if complete else Status.FEASIBLE,
            complete=complete,
            ended_by=None if complete else result.ended_by,
            best_score=score,
            best_board=best,
            best_depth=len(best),
        )
