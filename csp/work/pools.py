"""Workers to whom the parts of a long piece of work are given: the threads of this process, and how they pause."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, Protocol, Self, TypeVar

PartT = TypeVar("PartT")
OutcomeT = TypeVar("OutcomeT")
_PartT = TypeVar("_PartT", contravariant=True)
_OutcomeT = TypeVar("_OutcomeT", covariant=True)

#: Does a part; the function that it is given says whether the part is dropped, and must end at once.
Do = Callable[[PartT, Callable[[], bool]], OutcomeT]


@dataclass(frozen=True)
class Finished(Generic[PartT, OutcomeT]):
    """A finished part."""

    #: The part.
    part: PartT
    #: What was found; None if it was lost, or dropped before it began.
    outcome: OutcomeT | None
    #: The duration, and the processor time of the worker's thread.
    seconds: float = 0.0
    work_seconds: float = 0.0
    #: Whether the worker died of it.
    killed: bool = False


class Pool(Protocol[PartT, OutcomeT]):
    """Workers.

    Attributes:
    - `workers`: the number of parts to start, of which some may wait for a worker.
    - `running`: the number of parts that are started and not finished.
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
    """The threads of this process; within a ``with`` statement they have ended at its end, whatever happens.

    They begin when they are needed, and share the pauses of the thread that makes them.  A pool that is never dropped
    does not keep the interpreter from ending.
    """

    def __init__(self, do: Do[PartT, OutcomeT], workers: int) -> None:
        self.workers = workers
        self._do, self._dropped, self._pauses = do, threading.Event(), own_pauses()
        self._given: SimpleQueue[_Given[PartT, OutcomeT] | None] = SimpleQueue()
        self._running: list[_Given[PartT, OutcomeT]] = []
        self._news = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, part: PartT) -> None:
        given = _Given[PartT, OutcomeT](part)
        self._running.append(given)
        self._given.put(given)
        if len(self._threads) < min(self.workers, self.running):
            thread = threading.Thread(
                target=copy_context().run, args=(self._serve,), name=f"work_{len(self._threads)}", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    def finished(self, seconds: float) -> Iterable[Finished[PartT, OutcomeT]]:
        self._news.wait(seconds)
        self._news.clear()
        for given in [given for given in self._running if given.over]:
            self._running.remove(given)
            if given.error is not None:
                # Those after it are returned by the next call.
                self._news.set()
                raise given.error
            yield Finished(given.part, *given.timed)
        if self._dropped.is_set() and not self._running:
            self._join()

    def wake(self) -> None:
        """Have `finished` return without waiting."""
        self._news.set()

    def drop(self) -> None:
        if not self._dropped.is_set():
            self._dropped.set()
            for _ in self._threads:
                self._given.put(None)
        if not self._running:
            self._join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()
        self._join()

    def _join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        """The work of a thread."""
        while (given := self._given.get()) is not None:
            try:
                if not self._dropped.is_set():
                    given.timed = timed(self._do, given.part, self._is_dropped)
            except BaseException as error:
                given.error = error
            finally:
                given.over = True
                self._news.set()

    def _is_dropped(self) -> bool:
        self._pauses.wait()
        return self._dropped.is_set()


@dataclass(eq=False)
class _Given(Generic[PartT, OutcomeT]):
    """A part that a thread was given, and what became of it."""

    part: PartT
    timed: tuple[OutcomeT | None, float, float] = None, 0.0, 0.0
    error: BaseException | None = None
    over: bool = False


def timed(do: Do[PartT, OutcomeT], part: PartT, is_dropped: Callable[[], bool]) -> tuple[OutcomeT, float, float]:
    """Do a part in this thread; return its outcome, its duration and its processor time."""
    started, work_started = time.perf_counter(), time.thread_time()
    outcome = do(part, is_dropped)
    return outcome, time.perf_counter() - started, time.thread_time() - work_started


class Pauses:
    """The switch that makes a piece of work wait.

    Its threads call `wait` wherever they check whether they must stop.  Its processes, registered by `add`, are stopped
    and continued by the system.
    """

    def __init__(self) -> None:
        self._going = threading.Event()
        self._going.set()
        self._processes: list[Any] = []
        self._lock = threading.Lock()

    @property
    def paused(self) -> bool:
        """Whether the work must wait."""
        return not self._going.is_set()

    def wait(self) -> None:
        """Block until the work may go on."""
        self._going.wait()

    def pause(self) -> None:
        """Make the work wait from its next call of `wait`, its processes immediately."""
        with self._lock:
            self._going.clear()
            self._each("suspend")

    def go_on(self) -> None:
        """Let the work go on."""
        with self._lock:
            self._each("resume")
            self._going.set()

    def add(self, process: Any) -> None:
        """Register a process that belongs to the work; it will wait, too."""
        with self._lock:
            self._processes.append(process)
            if self.paused:
                self._each("suspend")

    def remove(self, process: Any) -> None:
        """Forget a process, if it was registered."""
        with self._lock, suppress(ValueError):
            self._processes.remove(process)

    def _each(self, act: str) -> None:
        for process in self._processes:
            from psutil import NoSuchProcess

            with suppress(NoSuchProcess):
                getattr(process, act)()


_OWN: ContextVar[Pauses | None] = ContextVar("pauses", default=None)


def own_pauses() -> Pauses:
    """The pauses of the work of this thread; by default they never make it wait."""
    pauses = _OWN.get()
    return Pauses() if pauses is None else pauses


def takes_turns() -> bool:
    """Whether the work of this thread may be paused."""
    return _OWN.get() is not None


@contextmanager
def paused_by(pauses: Pauses) -> Iterator[None]:
    """A context in which this thread does the work of these pauses."""
    token = _OWN.set(pauses)
    try:
        yield
    finally:
        _OWN.reset(token)
