"""Pools that run the trials of a race: here the threads of this process."""

from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from ...csp.search.best_score_race import Race
from ...csp.search.trials import Trial, Wanted

# The longest wait for trials that are to end.
_DROP_SECONDS = 0.1


class TrialPool(Protocol):
    """What runs trials.

    Attributes
    ----------
    threads
        The number of trials that run at once.
    workers
        The number of trials to start, some of which may wait.
    running
        The number of trials that are running.
    """

    @property
    def threads(self) -> int: ...

    @property
    def workers(self) -> int: ...

    @property
    def running(self) -> int: ...

    def start(self, number: int, wanted: Wanted, way: int) -> None:
        """Start a trial along one of the ways."""

    def finished(self, seconds: float) -> Iterable[Trial]:
        """The trials that have finished; waits for one, at most so long."""
        ...

    def drop(self) -> None:
        """End all trials; this does not wait for those that take long to end."""


class Threads:
    """Threads of this process."""

    def __init__(self, race: Race, threads: int) -> None:
        self.threads = self.workers = threads
        self._race = race
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="race")
        self._running: set[Future[Trial | None]] = set()

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, number: int, wanted: Wanted, way: int) -> None:
        self._running.add(self._executor.submit(self._race.trial, number, wanted, way))

    def finished(self, seconds: float) -> Iterable[Trial]:
        done, self._running = wait(self._running, seconds, FIRST_COMPLETED)
        return [trial for future in done if (trial := future.result()) is not None]

    def drop(self) -> None:
        self._race.enough.set()
        self._executor.shutdown(wait=False, cancel_futures=True)
        wait(self._running, _DROP_SECONDS)
