"""One run of a portfolio: its members search in parallel or in turns, and the first answer counts."""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, Generic

from ..base.errors import JigsatError
from ..base.stop import REPORT_SECONDS, Progress, Report, Stop, working_cpu_time
from ..work.pools import Pauses, Threads, paused_by
from .engine import EngineRun, NothingFound, PuzzleT, SolutionT, children_usage
from .portfolio_members import GROWTH, Entry
from .request import Goal, Limits, Options
from .result import Result, Status

#: The number of solutions that are kept ready before they are requested.
MOST_READY = 1024
_WAIT_SECONDS = _POLL_SECONDS = 0.05
# Ends that are final: another member would get the same result.
_FINAL = ("solutions", "depth")


def standing(result: Result) -> tuple[Any, ...]:
    """The information in a result; of two results of the same request, the greater one is more informative."""
    found = result.status in (Status.SATISFIABLE, Status.FEASIBLE, Status.OPTIMAL)
    score = result.best_score or 0 if result.goal is Goal.BEST else 0
    return result.complete, found, score, result.count or 0, result.best_depth or 0, result.nodes


@dataclass(eq=False)
class MemberAtWork(Generic[SolutionT]):
    """A member at work.

    When it is paused it waits, if its engine can; otherwise its search is ended, and starts again at its next turn.
    """

    entry: Entry
    #: Runs the engine, given functions to report, to pass on solutions, and to check whether to stop.
    search: Callable[..., Result[SolutionT]]
    #: Its thread; it is woken when the store of solutions is full.
    pool: "Threads[MemberAtWork[SolutionT], None]"
    progress: Progress | None = None
    #: For the goal best: the best score so far, and the highest one that is not excluded; None if nothing is known.
    best: int | None = None
    bound: int | None = None
    #: The outcome, or why it does not support the request.
    result: Result[SolutionT] | None = None
    refusal: JigsatError | None = None
    #: Whether it was given to the pool, and came back.
    begun: bool = False
    over: bool = False
    _ended: bool = False
    _cut: bool = False
    _pauses: Pauses = field(default_factory=Pauses)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _room: threading.Event = field(default_factory=threading.Event)
    _ready: list[SolutionT] = field(default_factory=list)
    _told: int = 0

    @property
    def name(self) -> str:
        """The name of its engine."""
        return self.entry.engine.name

    @property
    def head_start(self) -> float:
        """The seconds of its first turn."""
        return self.entry.member.head_start

    @property
    def working(self) -> bool:
        """Whether it is at work now."""
        return self.begun and not self.over and not self._pauses.paused

    @property
    def is_full(self) -> bool:
        """Whether the store of solutions is full."""
        return len(self._ready) >= MOST_READY

    def go_on(self) -> None:
        """Begin, or go on after a pause."""
        if self.begun:
            self._pauses.go_on()
        else:
            self.begun = True
            self.pool.start(self)

    def pause(self) -> None:
        """Wait for the next turn."""
        self._pauses.pause()

    def end(self) -> None:
        """End the search, wherever it is."""
        self._ended = True
        self._pauses.go_on()
        self._room.set()

    def taken(self) -> list[SolutionT]:
        """The solutions that are ready, each once."""
        with self._lock:
            ready, self._ready = self._ready, []
            self._room.set()
        return ready

    def news(self) -> list[SolutionT]:
        """The solutions that are ready and were not among the news before; they stay ready."""
        with self._lock:
            news = self._ready[self._told :]
            self._told = len(self._ready)
        return news

    def work(self) -> None:
        """Search, in a thread of the pool."""
        try:
            with paused_by(self._pauses):
                self._attempts()
        except JigsatError as error:
            self.refusal = error

    def _attempts(self) -> None:
        """Search, again at each turn if the engine cannot wait; the most informative attempt counts."""
        best: tuple[Result[SolutionT], list[SolutionT]] | None = None
        while True:
            self._cut = False
            result = self.search(report=self._tell, consume=self._put, must_stop=self._must_stop)
            self._note(result.best_score if standing(result)[1] else None, result.best_bound)
            if best is None or standing(result) > standing(best[0]):
                best = result, self._ready
            if not self._cut or result.ended_by != "interrupt":
                break
            self._pauses.wait()
            if self._ended:
                break
            with self._lock:
                self._ready, self._told = [], 0
        self.result, self._ready = best

    def _must_stop(self) -> bool:
        if self.entry.engine.waits:
            self._pauses.wait()
        elif self._pauses.paused:
            self._cut = True
        return self._cut or self._ended

    def _tell(self, progress: Progress) -> None:
        self.progress = progress
        if progress.scores is not None:
            self._note(*progress.scores)

    def _note(self, score: int | None, bound: int | None) -> None:
        if score is not None:
            self.best = score if self.best is None else max(score, self.best)
        if bound is not None:
            self.bound = bound if self.bound is None else min(bound, self.bound)

    def _put(self, solution: SolutionT) -> None:
        """Add a solution to those that are ready, as soon as there is room."""
        with self._lock:
            self._ready.append(solution)
        while self.is_full and not self._ended:
            self.pool.wake()
            self._room.clear()
            self._room.wait(_WAIT_SECONDS)


class Turns:
    """The schedule with fewer threads than members: `places` members work at a time, the others wait in a queue.

    The next turn goes to the member whose next turn is the shortest, among equals to the one that has waited longest.
    Each turn of a member is twice as long as its previous one.  So the member that finishes first has waited for each
    of the others at most about twice as long as it has worked, or for the length of its first turn.  A member that
    starts again at each turn finishes, too (restarts of growing length: Gomes and Selman 2001 on portfolios; Luby,
    Sinclair and Zuckerman 1993).

    - `members`: all members, the most promising one first.
    - `places`: the number of members that work at a time.
    - `clock`: the seconds of a member's clock, which runs at least while the member works.
    """

    def __init__(
        self, members: Sequence[MemberAtWork[Any]], places: int, clock: Callable[[MemberAtWork[Any]], float]
    ) -> None:
        self._waiting, self._places, self._clock = [*members], places, clock
        self._length = {member: member.head_start for member in members}
        # The members at work, and the end of their turns.
        self._ends: dict[MemberAtWork[Any], float] = {}

    def look(self) -> None:
        """End expired turns, and let others work."""
        for member, end in list(self._ends.items()):
            # A member that goes on because the queue is empty is not stopped at the moment at which another one begins
            # to wait.
            if member.over or (self._waiting and self._clock(member) >= end):
                del self._ends[member]
                if not member.over:
                    member.pause()
                    self._waiting.append(member)
        while self._waiting and len(self._ends) < self._places:
            member = min(self._waiting, key=self._length.__getitem__)
            self._waiting.remove(member)
            if not member.over:
                self._ends[member] = self._clock(member) + self._length[member]
                self._length[member] *= GROWTH
                member.go_on()


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
            pictures=found.picture_count,
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
