"""Workers to whom the parts of a long piece of work are given: here the threads of this process."""

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .pausing import own_pauses

PartT = TypeVar("PartT")
OutcomeT = TypeVar("OutcomeT")
_PartT = TypeVar("_PartT", contravariant=True)
_OutcomeT = TypeVar("_OutcomeT", covariant=True)

#: Does a part; the function that it is given says whether the part is dropped, and must end at once.
Do = Callable[[PartT, Callable[[], bool]], OutcomeT]


@dataclass(frozen=True)
class Finished(Generic[PartT, OutcomeT]):
    """A finished part.

    Parameters
    ----------
    part
        The part.
    outcome
        What was found; None if it was lost, or dropped before it began.
    seconds, work_seconds
        The duration, and the processor time of the worker's thread.
    killed
        Whether the worker died of it.
    """

    part: PartT
    outcome: OutcomeT | None
    seconds: float = 0.0
    work_seconds: float = 0.0
    killed: bool = False


class Pool(Protocol[PartT, OutcomeT]):
    """Workers.

    Attributes
    ----------
    workers
        The number of parts to start, of which some may wait for a worker.
    running
        The number of parts that are started and not finished.
    """

    @property
    def workers(self) -> int: ...

    @property
    def running(self) -> int: ...

    def start(self, part: PartT) -> None:
        """Start a part."""
        ...

    def finished(self, seconds: float) -> Iterable[Finished[PartT, OutcomeT]]:
        """The finished parts, each once; without one, wait for one at most `seconds`.

        Exceptions of workers are raised.
        """
        ...

    def drop(self) -> None:
        """Have all parts end as soon as they can; they are still returned as finished."""
        ...


class Threads(Generic[PartT, OutcomeT]):
    """The threads of this process.

    Parameters
    ----------
    do
        Does a part.
    workers
        The number of threads.
    """

    def __init__(self, do: Do[PartT, OutcomeT], workers: int) -> None:
        self.workers = workers
        self._do, self._executor = do, ThreadPoolExecutor(workers, thread_name_prefix="work")
        self._running: dict[Future[tuple[OutcomeT, float, float]], PartT] = {}
        self._dropped, self._pauses = threading.Event(), own_pauses()

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, part: PartT) -> None:
        self._running[self._executor.submit(timed, self._do, part, self._is_dropped)] = part

    def finished(self, seconds: float) -> Iterable[Finished[PartT, OutcomeT]]:
        if not self._running:
            time.sleep(seconds)
        done, _ = wait(self._running, seconds, FIRST_COMPLETED)
        for future in done:
            part = self._running.pop(future)
            yield Finished(part, None) if future.cancelled() else Finished(part, *future.result())
        if self._dropped.is_set() and not self._running:
            self._executor.shutdown()

    def drop(self) -> None:
        self._dropped.set()
        # Threads end at once if nothing runs.
        self._executor.shutdown(wait=not self._running, cancel_futures=True)

    def _is_dropped(self) -> bool:
        self._pauses.wait()
        return self._dropped.is_set()


def timed(do: Do[PartT, OutcomeT], part: PartT, is_dropped: Callable[[], bool]) -> tuple[OutcomeT, float, float]:
    """Do a part in this thread; return its outcome, its duration and its processor time."""
    started, work_started = time.perf_counter(), time.thread_time()
    outcome = do(part, is_dropped)
    return outcome, time.perf_counter() - started, time.thread_time() - work_started
