"""Who works when, if a portfolio has fewer threads than members."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

#: Each turn of a member is so many times as long as its turn before.
GROWTH = 2


class Worker(Protocol):
    """Somebody who works in turns.

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
    """The schedule: so many work at a time, the others wait in a queue.

    The first ones begin.  Whoever has worked for his head start lets the next one in line work, and so on; each turn is
    twice as long as the one before of the same worker.  So the one who is done first has waited for the others no more
    than about twice as long, each, as he has worked, and also who begins anew at each turn gets there (restarts of
    growing length: Gomes and Selman 2001 on portfolios; Luby, Sinclair and Zuckerman 1993).

    Parameters
    ----------
    workers
        All that are to work, the most promising one first.
    places
        How many work at a time.
    clock
        Seconds since some moment.
    """

    def __init__(self, workers: Sequence[Worker], places: int, clock: Callable[[], float]) -> None:
        self._waiting, self._places, self._clock = deque(workers), places, clock
        self._length = {worker: worker.head_start for worker in workers}
        # Those who work, and when their turn ends.
        self._ends: dict[Worker, float] = {}

    def look(self) -> None:
        """End the turns that are over, and let others work."""
        now = self._clock()
        for worker, end in list(self._ends.items()):
            # Who works on because nobody waits is not cut short by the moment at which somebody does.
            if worker.over or (self._waiting and now >= end):
                del self._ends[worker]
                if not worker.over:
                    worker.pause()
                    self._waiting.append(worker)
        while self._waiting and len(self._ends) < self._places:
            worker = self._waiting.popleft()
            if not worker.over:
                self._ends[worker] = now + self._length[worker]
                self._length[worker] *= GROWTH
                worker.go_on()
