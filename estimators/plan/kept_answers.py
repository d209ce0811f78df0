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

from ...csp.base.errors import InstanceError, UsageError
from ...csp.base.safe_files import is_stream
from ...csp.base.stop import Progress, Report, never
from ...csp.base.words import several
from ...csp.engines.engine import SearchEngine
from ...csp.engines.registry import find_engine
from ...csp.engines.request import Earlier, Goal
from ...csp.engines.result import Result, Status
from ...csp.engines.tallies import identity_of
from ...csp.files.books import compact
from ...csp.files.convert import SOLUTION_FORMATS, refuse_format, solutions_file
from ...csp.files.file_format import format_for, part_of
from ...csp.files.instances import files_of, fingerprint
from ...csp.files.solutions import (
    SEARCH,
    read_solutions,
    solution_entry,
    solution_writer,
)
from ...csp.puzzles.check_board import Verdict, check
from ...csp.puzzles.check_tiling import TilingChecker, TilingVerdict
from ...csp.puzzles.dissection import DissectionPuzzle
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order, find_order
from ...csp.puzzles.slips import Slips, anywhere, checked_frame_slips, checked_slips, format_slips, restrict_nothing
from ...csp.puzzles.symmetry import symmetries
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
    puzzle = plan.job.puzzle
    refuse_format(puzzle, output.path)
    head = {"work": SEARCH, "instance": puzzle.name, "sha256": fingerprint(puzzle), **_search_of(plan)}
    with keep_steps(output.path, head, resume=output.resume, overwrite=output.overwrite) as journal:
        if is_stream(output.path):
            return _streamed(plan, output, report, must_stop, collect=collect)
        search = _Search(plan, output, journal, report, collect=collect)
        result = search.run(must_stop)
        why = search.finish(ended=result.complete or result.ended_by == "solutions")
        number = min(journal.number, 1) if plan.job.goal is Goal.BEST else journal.number
    return Kept(result, number, why, journal.kept)


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


def _search_of(plan: JobPlan) -> dict[str, Any]:
    """The options that decide what the answer is."""
    job = plan.job
    search: dict[str, Any] = {"best": job.goal is Goal.BEST}
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
        "frame_slips": format_slips(frame_slips) if frame_slips else None,
        "order": _order_of(job.puzzle, job.options.order),
        "start": start,
        "depth_limit": job.limits.depth,
    }


def _order_of(puzzle: EdgeMatchingPuzzle, order: str | tuple[int, ...] | None) -> str | None:
    """An order as the user gave it; the squares if it is not a name."""
    if order is None or (isinstance(order, str) and order.partition(":")[0] in (*NAMED_ORDERS, "best")):
        return order
    return " ".join(map(puzzle.board.name, find_order(puzzle, order)[1]))


def _engine(plan: JobPlan) -> type[SearchEngine[Any, Any]] | SearchEngine[Any, Any]:
    """The engine of a plan, or the one asked for if the search ended before it was planned."""
    if plan.engine is None and plan.job.engine is not None:
        return find_engine(plan.job.engine, kind=plan.puzzle.kind)
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
    """A search that keeps what it finds in a journal, and continues what is there."""

    def __init__(
        self, plan: JobPlan, output: Output, journal: KeptSteps, report: Report | None, *, collect: bool
    ) -> None:
        job = plan.job
        self._puzzle, self._path, self._journal, self._report = job.puzzle, output.path, journal, report
        self._is_best = job.goal is Goal.BEST
        self._most = 1 if job.goal is Goal.SOLVE else job.limits.solutions
        self._again = plan.engine is not None and plan.engine.name.partition(":")[0] == "portfolio"
        self._identity, self._known = _identity(plan), set[Any]()
        files = files_of(job.puzzle.kind)
        self._data_of, self._read = files.solution_data(job.puzzle), files.solution_reader(job.puzzle, journal.label)
        self._continue(_checker(plan), resume=output.resume)
        number, place = journal.number, journal.place
        same = isinstance(place, dict) and place.get("version") == code_version()
        self._earlier = Earlier(number, lambda: islice(self._solutions(), number), place["place"] if same else None)
        self._plan = plan.with_earlier(self._earlier)
        self._best = max(self._solutions(), key=self._score, default=None) if self._is_best else None
        self._seen: Any = None
        self._collected: list[Any] | None = None
        if collect:
            self._collected = [] if self._is_best else list(map(plan.known, self._solutions()))

    def _continue(self, checked: Callable[[Any, str], None], *, resume: bool) -> None:
        """Know what an earlier search has found, which is in the journal or, without one, in the file."""
        in_file = [] if self._journal.overwrite else self._in_file()
        if kept := self._journal.number:
            label, number, earlier = self._journal.label, kept, self._solutions()
        elif resume:
            label, number, earlier = str(self._path), len(in_file), iter(in_file)
        else:
            return
        for solution in earlier:
            checked(solution, label)
            self._known.add(self._identity(solution))
        if len(self._known) < number and not self._is_best:
            raise UsageError(
                f"{label}: has several solutions of one symmetry class, or one several times; "
                "it is not of a search that this one can continue",
                "resume",
            )
        for solution in () if kept else in_file:
            self._journal.add(self._text(solution))

    def _in_file(self) -> list[Any]:
        """The solutions in the file.

        Raises InstanceError if it is not a file of solutions of this puzzle.
        """
        if not os.path.exists(self._path) or os.path.getsize(self._path) == 0:
            return []
        try:
            return list(read_solutions(self._path, self._puzzle))
        except InstanceError as error:
            raise InstanceError(f"{error}; --overwrite replaces the file") from error

    def _solutions(self) -> Iterator[Any]:
        """All solutions in the journal, or all boards that were better than those before."""
        label = self._journal.label
        for number, entry in enumerate(self._journal.entries, start=1):
            data, plain = solution_entry(entry, label)
            yield self._read(data, number, plain)

    def _text(self, solution: Any) -> str:
        return compact(self._data_of(solution))

    def _score(self, board: Any) -> int:
        assert isinstance(self._puzzle, EdgeMatchingPuzzle)
        return self._puzzle.score(board)

    def run(self, must_stop: Callable[[], bool]) -> Result[Any]:
        """The result of both searches."""
        plan = self._plan
        if self._is_full:
            plan = replace(plan, job=replace(plan.job, limits=replace(plan.job.limits, solutions=0)))
        return self._with_earlier(plan.run(self._tell, self._take, must_stop=must_stop))

    @property
    def _is_full(self) -> bool:
        return self._most is not None and self._journal.number >= self._most and not self._is_best

    def _take(self, solution: Any) -> None:
        """Keep a solution, unless it is known or the wanted number is reached; or a board that is the best one."""
        if self._is_best:
            if self._best is None or self._score(solution) > self._score(self._best):
                self._best = solution
                self._journal.add(self._text(solution), now=True)
            return
        if self._is_full:
            return
        if self._known or self._again:
            key = self._identity(solution)
            if key in self._known:
                return
            if self._again:
                self._known.add(key)
        self._journal.add(self._text(solution))
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
        """Write the file, unless the answer in it is better.

        - `ended`: whether there is nothing to continue.

        Returns why the file was not replaced, if so.
        """
        why = None if self._journal.overwrite else self._why_kept()
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
        before, part, what = self._in_file(), part_of(self._path), "board" if self._is_best else "solution"
        here = min(self._journal.number, 1) if self._is_best else self._journal.number
        if here < len(before):
            found = f"{several(here, what, str)}, in {part}" if here else f"no {what}"
            return f"has {several(len(before), 'solution', str)}, and this search found {found}"
        if len(before) == 1 == here and isinstance(self._puzzle, EdgeMatchingPuzzle):
            *_, last = self._solutions()
            score, better = self._score(last), self._score(before[0])
            if score < better:
                return f"has a board with a score of {better}, and this search found one of {score}, in {part}"
        return None

    def _with_earlier(self, result: Result[Any]) -> Result[Any]:
        """The result with what was found before."""
        if self._is_best:
            return self._with_board(result)
        if self._collected is not None:
            result = replace(result, solutions=tuple(self._collected))
        if not self._earlier.number:
            return result
        result = replace(result, status=Status.SATISFIABLE)
        if self._plan.job.goal is Goal.SOLVE:
            return replace(result, complete=True, ended_by=None, **self._found_before())
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

    def _found_before(self) -> dict[str, Any]:
        """What the result of a search for one board says of it."""
        if isinstance(self._puzzle, DissectionPuzzle):
            return {}
        board = self._plan.known(next(self._earlier.solutions()))
        return {"best_score": self._score(board), "best_board": board, "best_depth": len(board)}

    def _with_board(self, result: Result[Any]) -> Result[Any]:
        """The result with the best board of both searches."""
        puzzle, best = self._puzzle, self._best
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
