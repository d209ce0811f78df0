"""The members of a portfolio at work, each in a thread of its own, and their turns."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...base.errors import JigsatError
from ...base.stop import Progress
from ...work.pausing import Pauses, paused_by
from ...work.pools import Threads
from ..request import Goal
from ..result import Result, Status
from .members import Entry

#: The number of solutions that are kept ready before they are requested.
MOST_READY = 1024
#: The ratio of the length of a member's turn to that of its previous turn.
GROWTH = 2
_WAIT_SECONDS = 0.05

SolutionT = TypeVar("SolutionT")


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
        else:
            self._cut |= self._pauses.paused
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
