"""One run of a portfolio: its members search in parallel or in turns, and the first answer counts."""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, Generic

from ...base.stop import REPORT_SECONDS, Progress, Report, Stop, working_cpu_time
from ...work.pools import Threads
from ..engine import EngineRun, NothingFound, PuzzleT, SolutionT
from ..memory import children_usage
from ..request import Goal, Limits, Options
from ..result import Result, Status
from .member_at_work import MemberAtWork, Turns, standing
from .members import Entry

_POLL_SECONDS = 0.05
# Ends that are final: another member would get the same result.
_FINAL = ("solutions", "depth")


class PortfolioRun(EngineRun[PuzzleT], Generic[PuzzleT, SolutionT]):
    """One run.

    - `entries`: the members that take part.
    - `out`: those that do not support the request, and why.
    """

    def __init__(
        self,
        engine: str,
        entries: Sequence[Entry],
        out: Mapping[str, str],
        puzzle: PuzzleT,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop,
    ) -> None:
        super().__init__(engine, puzzle, goal, limits, options, stop, children_usage)
        self._out = dict(out)
        self._pool = Threads[MemberAtWork[SolutionT], None](lambda member, dropped: member.work(), len(entries))
        self._members = [MemberAtWork(one, partial(self._search, one), self._pool) for one in entries]
        self._winner: MemberAtWork[SolutionT] | None = None
        self._reported = 0.0
        self.built()

    def _search(self, one: Entry, **how: Any) -> Result[SolutionT]:
        # The time of compiling kernels so far does not count for the time limit.
        started = time.perf_counter() - self.stop.used
        return one.engine.run(self.puzzle, self.goal, self.limits, one.options, started=started, **how)

    def steps(self, report: Report | None) -> Iterator[SolutionT]:
        """Search; yield the solutions only of the member whose answer counts.

        For the goal all they come when that member is known: it has finished, or is the first with a thousand
        solutions.  If they are kept in a file, those of all members come as soon as they are found, and again later.

        Raises JigsatError if no member supports the request, and any other exception of a member.
        """
        if self.stop():
            return
        with self._pool:
            try:
                first = yield from self._first_answer(report)
                for member in self._members:
                    if member is not first:
                        member.end()
                while first is not None and not first.over:
                    yield from first.taken()
                    self._look(report)
                    if self.stop():
                        first.end()
            finally:
                for member in self._members:
                    member.end()
            while self._pool.running:
                self._look(None)
        refusals = [member.refusal for member in self._members]
        if all(refusals) and refusals[0] is not None:
            raise refusals[0]
        ended = [(standing(member.result), member) for member in self._members if member.result is not None]
        self._winner = first or max(ended, key=itemgetter(0), default=(None, None))[1]
        if self._winner is not None:
            yield from self._winner.taken()

    def _first_answer(self, report: Report | None) -> Generator[SolutionT, None, MemberAtWork[SolutionT] | None]:
        """Let the members search until one has an answer, or all must end."""
        turns = Turns(self._members, self.options.threads, self._clock)
        while True:
            for member in self._members:
                if self._has_answer(member):
                    return member
            best, bound = self._scores()
            # One member may have a board of the score that another one has proved to be the highest possible.
            if (best is not None and best == bound) or all(member.over for member in self._members) or self.stop():
                return None
            turns.look()
            self._look(report)
            if self.options.earlier is not None and self.goal is Goal.ALL:
                for member in self._members:
                    yield from member.news()

    def _clock(self, member: MemberAtWork[SolutionT]) -> float:
        """The clock of a member's turns; what else the machine does has no influence if it works in this process."""
        return working_cpu_time() / self.options.threads if member.entry.engine.native else self.stop.used

    def _has_answer(self, member: MemberAtWork[SolutionT]) -> bool:
        if member.over and member.result is not None:
            return member.result.complete or member.result.ended_by in _FINAL
        return self.goal is Goal.ALL and member.is_full

    def _scores(self) -> tuple[int | None, int | None]:
        """For the goal best: the best score of all members, and the least bound."""
        best = [member.best for member in self._members if member.best is not None]
        bounds = [member.bound for member in self._members if member.bound is not None]
        return max(best, default=None), min(bounds, default=None)

    def _look(self, report: Report | None) -> None:
        """Wait a moment for members that are over or full, and pass on their reports."""
        for ended in self._pool.finished(_POLL_SECONDS):
            ended.part.over = True
            if ended.part.refusal is not None:
                self._out[ended.part.name] = str(ended.part.refusal)
        if report is not None and self.seconds - self._reported > REPORT_SECONDS:
            self._reported = self.seconds
            report(self._progress())

    def _progress(self) -> Progress:
        """The progress of the most advanced member, and the names of those at work."""
        told = [member.progress for member in self._members if member.progress is not None]
        most = max(told, key=lambda one: (one.done, one.solutions, one.nodes), default=Progress())
        best, bound = self._scores()
        scores = None if bound is None or self.goal is not Goal.BEST else (best, bound)
        working = ", ".join(member.name for member in self._members if member.working)
        best = max(
            told, key=lambda one: -1 if one.scores is None or one.scores[0] is None else one.scores[0], default=most
        )
        # A place is of one member, whose solutions may not have been passed on.
        return replace(
            most, seconds=self.seconds, scores=scores, note=f"at work: {working}", best=best.best, place=None
        )

    def result(self, kept: tuple[SolutionT, ...]) -> Result[SolutionT]:
        """The answer of the first or the most informative member; for the goal best, with the least bound of all."""
        if self._winner is None or self._winner.result is None:
            stopped = NothingFound(self.engine_name, self.puzzle, self.goal, self.limits, self.options, self.stop)
            return stopped.result()
        found = self._winner.result
        self.method, self.build_seconds = f"{self._winner.name} ({found.method})", found.build_seconds
        status, complete, bound = found.status, found.complete, found.best_bound
        if status in (Status.FEASIBLE, Status.OPTIMAL):
            bound = self._scores()[1]
            complete = complete or found.best_score == bound
            status = Status.OPTIMAL if found.best_score == bound else status
        return self.answer(
            kept,
            status,
            self.stop.ended_by or found.ended_by,
            complete=complete,
            nodes=found.nodes_by_depth,
            counts=(found.count, found.canonical_count),
            symmetry_factor=found.symmetry_factor,
            best_score=found.best_score,
            max_score=found.max_score,
            best_board=found.best_board,
            best_depth=found.best_depth,
            best_bound=bound,
            statistics=found.statistics,
        )

    @property
    def shown_options(self) -> Mapping[str, object]:
        assert self._winner is not None
        assert self._winner.result is not None
        members = [member.entry.member.record() | {"engine": member.name} for member in self._members]
        out = {"out": self._out} if self._out else {}
        told = {**self._winner.result.options, **self._winner.entry.member.recorded}
        return {**told, "winner": self._winner.name, "members": members, **out}
