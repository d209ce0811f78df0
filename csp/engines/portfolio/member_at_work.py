"""A member of a portfolio at work, in a thread of its own."""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ...base.errors import JigsatError
from ...base.stopping import Progress
from ...work.pausing import Pauses, paused_by
from ..request import Goal
from ..result import Result, Status
from .members import Entry

#: The number of solutions that are kept ready before they are requested.
MOST_READY = 1024
_WAIT_SECONDS = 0.05

SolutionT = TypeVar("SolutionT")


def standing(result: Result) -> tuple[Any, ...]:
    """The information in a result; of two results of the same request, the greater one is more informative."""
    found = result.status in (Status.SATISFIABLE, Status.FEASIBLE, Status.OPTIMAL)
    score = result.best_score or 0 if result.goal is Goal.BEST else 0
    return result.complete, found, score, result.count or 0, result.best_depth or 0, result.nodes


class MemberAtWork(Generic[SolutionT]):
    """A member at work.

    When it is paused it waits, if its engine can; otherwise its search is ended, and starts again at its next turn.

    Parameters
    ----------
    entry
        The member with its engine and options.
    search
        Runs the engine, given functions to report, to pass on solutions, and to check whether to stop.
    changed
        Is set when it is over, or when its store of solutions is full.

    Attributes
    ----------
    name
        The name of its engine.
    progress
        Its progress; None before its first report.
    best, bound
        For the goal best: the best score so far, and the highest one that is not excluded; None if nothing is known.
    result, error
        The outcome; None so far.
    over
        Whether its thread has ended.
    """

    def __init__(self, entry: Entry, search: Callable[..., Result[SolutionT]], changed: threading.Event) -> None:
        self.entry, self.name, self.head_start = entry, entry.engine.name, entry.member.head_start
        self._search, self._changed = search, changed
        self.progress: Progress | None = None
        self.best: int | None = None
        self.bound: int | None = None
        self.result: Result[SolutionT] | None = None
        self.error: BaseException | None = None
        self.over = False
        self.pauses = Pauses()
        self._ended, self._cut = threading.Event(), False
        self._lock, self._room = threading.Lock(), threading.Event()
        self._ready: list[SolutionT] = []
        self._told = 0
        self._thread = threading.Thread(target=self._work, name=f"portfolio: {self.name}", daemon=True)

    @property
    def working(self) -> bool:
        """Whether it is at work now."""
        return self._thread.ident is not None and not self.over and not self.pauses.paused

    @property
    def is_full(self) -> bool:
        """Whether the store of solutions is full."""
        return len(self._ready) >= MOST_READY

    @property
    def refusal(self) -> JigsatError | None:
        """Why it does not support the request, or None."""
        return self.error if isinstance(self.error, JigsatError) else None

    def go_on(self) -> None:
        """Begin, or go on after a pause."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self.pauses.go_on()

    def pause(self) -> None:
        """Wait for the next turn."""
        self.pauses.pause()

    def end(self) -> None:
        """End the search, wherever it is."""
        self._ended.set()
        self.pauses.go_on()
        self._room.set()

    def join(self) -> None:
        """Wait until it has ended."""
        if self._thread.ident is not None:
            self._thread.join()

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

    def _work(self) -> None:
        try:
            with paused_by(self.pauses):
                self._attempts()
        except BaseException as error:
            self.error = error
        finally:
            self.over = True
            self._changed.set()

    def _attempts(self) -> None:
        """Search, again at each turn if the engine cannot wait; the most informative attempt counts."""
        best: tuple[Result[SolutionT], list[SolutionT]] | None = None
        while True:
            self._cut = False
            result = self._search(report=self._tell, consume=self._put, must_stop=self._must_stop)
            self._note(result.best_score if standing(result)[1] else None, result.best_bound)
            if best is None or standing(result) > standing(best[0]):
                best = result, self._ready
            if not self._cut or result.ended_by != "interrupt":
                break
            self.pauses.wait()
            if self._ended.is_set():
                break
            with self._lock:
                self._ready, self._told = [], 0
        self.result, self._ready = best

    def _must_stop(self) -> bool:
        if self.entry.engine.waits:
            self.pauses.wait()
        else:
            self._cut |= self.pauses.paused
        return self._cut or self._ended.is_set()

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
        while self.is_full and not self._ended.is_set():
            self._changed.set()
            self._room.clear()
            self._room.wait(_WAIT_SECONDS)
