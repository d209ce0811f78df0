"""The schedule of a portfolio with fewer threads than members."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

#: The ratio of the length of a member's turn to that of its previous turn.
GROWTH = 2


class Worker(Protocol):
    """A worker that takes turns.

    Attributes
    ----------
    head_start
        The seconds of the first turn.
    over
        Whether there is nothing left to do.
    """

    head_start: float
    over: bool

    def go_on(self) -> None: ...

    def pause(self) -> None: ...


class Turns:
    """The schedule: `places` workers work at a time, the others wait in a queue.

    The next turn goes to the worker whose next turn is the shortest, among equals to the one that has waited longest.
    Each turn of a worker is twice as long as its previous one.  So the worker that finishes first has waited for each
    of the others at most about twice as long as it has worked, or for the length of its first turn.  A worker that
    starts again at each turn finishes, too (restarts of growing length: Gomes and Selman 2001 on portfolios; Luby,
    Sinclair and Zuckerman 1993).

    Parameters
    ----------
    workers
        All workers, the most promising one first.
    places
        The number of workers that work at a time.
    clock
        A clock in seconds.
    """

    def __init__(self, workers: Sequence[Worker], places: int, clock: Callable[[], float]) -> None:
        self._waiting, self._places, self._clock = deque(workers), places, clock
        self._length = {worker: worker.head_start for worker in workers}
        # The workers at work, and the end of their turns.
        self._ends: dict[Worker, float] = {}

    def look(self) -> None:
        """End expired turns, and let others work."""
        now = self._clock()
        for worker, end in list(self._ends.items()):
            # A worker that goes on because the queue is empty is not stopped at the moment at which another one begins
            # to wait.
            if worker.over or (self._waiting and now >= end):
                del self._ends[worker]
                if not worker.over:
                    worker.pause()
                    self._waiting.append(worker)
        while self._waiting and len(self._ends) < self._places:
            worker = min(self._waiting, key=self._length.__getitem__)
            self._waiting.remove(worker)
            if not worker.over:
                self._ends[worker] = now + self._length[worker]
                self._length[worker] *= GROWTH
                worker.go_on()
