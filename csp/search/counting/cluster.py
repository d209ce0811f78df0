"""A count on the processes of a dask cluster, which may come and go, and be killed.

dask hands the tasks out; what has been counted is in the ledger of the process that asked for it and nowhere else.
"""

import asyncio
import json
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from uuid import uuid4

from ...base.errors import EngineError, shortened
from ...base.stopping import aside
from .code_version import code_version
from .ledger import Ledger
from .parts import Piecework, Share
from .scheduler import PACE, Finished, Pace, Standing, Task, Totals, count_in, counted

_CONNECT_SECONDS = 8
# How long a result may take to arrive before others are looked at, and how long dropped tasks are waited for.
_FETCH_SECONDS = 2
_GRACE_SECONDS = 15
_LOOK_SECONDS = 0.02
# So often it is asked how many workers there are.
_ROLL_CALL_SECONDS = 0.5
# A worker has the pieceworks of so many counts: nobody tells it when the client of one was killed.
_MOST_MADE = 2


@dataclass(frozen=True)
class _Job:
    """A count as the workers are told of it.

    Parameters
    ----------
    token
        Tells it from all others.
    code
        The version of the program that the parts were numbered with.
    identity
        What the parts are, for a worker to see that it makes the same ones.
    make
        The pickled function that makes them: a worker with another program must not even look into it.
    """

    token: str
    code: str
    identity: str
    make: bytes


def count_on_cluster(
    address: str,
    make: Callable[[], Piecework],
    piecework: Piecework,
    *,
    ledger: Ledger | None = None,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[Standing], None] = lambda standing: None,
    pace: Pace = PACE,
) -> Totals:
    """Count all parts on a cluster.

    Tasks of workers that die are given to others, unless it is they that kill them.  Where there are no workers the
    count waits for some.

    Parameters
    ----------
    address
        A scheduler's address (``tcp://host:8786``), or ``local:N`` for N processes that are started for this count.
    make
        Makes the piecework; each worker calls it once.  It is pickled.
    piecework
        What it makes, made here.
    ledger, stop, report, pace
        As for `count_together`.

    Raises
    ------
    EngineError
        If dask is not installed, the address is none or nobody answers there, a worker has another version of the
        program, some parts kill whoever counts them, or the scheduler is gone.
    """
    distributed = load_distributed()
    with cluster_client(distributed, address) as client:
        pickled = import_module("cloudpickle").dumps(make)
        job = _Job(uuid4().hex, code_version(), _identity(piecework), pickled)
        pool = _Cluster(distributed, client, job)
        try:
            return count_in(pool, piecework.work, ledger, stop, report, pace)
        finally:
            pool.drop()


class _Cluster:
    """A pool of the processes of a cluster."""

    def __init__(self, distributed: Any, client: Any, job: _Job) -> None:
        self._distributed, self._client, self._job = distributed, client, job
        self._running: dict[Any, Task] = {}
        self._workers, self._called = 0, float("-inf")
        self._give_up_at: float | None = None

    @property
    def workers(self) -> int:
        if time.perf_counter() - self._called >= _ROLL_CALL_SECONDS:
            self._refuse_lost_scheduler()
            with suppress(OSError):
                self._workers = sum(self._client.nthreads().values())
            self._called = time.perf_counter()
        return self._workers

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, task: Task) -> None:
        try:
            future = self._client.submit(_count, self._job, task, pure=False)
        except Exception:  # which one it is differs from version to version of dask
            self._refuse_lost_scheduler()
            raise
        self._running[future] = task

    def finished(self, seconds: float) -> Iterable[Finished]:
        """The finished tasks; lost ones have no share.  Without any running, this only waits."""
        if self._give_up_at is not None and (self._scheduler_is_gone or time.perf_counter() >= self._give_up_at):
            self._running.clear()
            return
        until = time.perf_counter() + seconds
        while not (done := [future for future in self._running if future.done()]) and time.perf_counter() < until:
            self._refuse_lost_scheduler()
            time.sleep(_LOOK_SECONDS)
        for future in done:
            yield from self._outcome(future)

    def drop(self) -> None:
        if self._give_up_at is not None:
            return
        self._give_up_at = time.perf_counter() + _GRACE_SECONDS
        # Workers that died a moment ago are waited for longer than anybody who stops a count would like.
        thread = threading.Thread(target=self._tell_to_drop, daemon=True)
        thread.start()
        thread.join(_FETCH_SECONDS)

    def _tell_to_drop(self) -> None:
        with suppress(Exception):
            self._client.run(_drop, self._job.token, on_error="ignore")

    def _outcome(self, future: Any) -> Iterator[Finished]:
        """What became of a task, if that can be told: a result is lost when its worker dies before it has arrived."""
        if future.status == "finished":
            try:
                share, seconds, work_seconds = future.result(timeout=_FETCH_SECONDS)
            except TimeoutError:
                return
            except self._distributed.CancelledError:
                share, seconds, work_seconds = None, 0.0, 0.0
            yield Finished(self._running.pop(future), share, seconds, work_seconds)
            return
        task = self._running.pop(future)
        error = future.exception() if future.status == "error" else None
        if error is not None and not isinstance(error, self._distributed.KilledWorker):
            raise in_our_words(error)
        yield Finished(task, None, killed=error is not None)

    @property
    def _scheduler_is_gone(self) -> bool:
        return self._client.status not in ("running", "connecting")

    def _refuse_lost_scheduler(self) -> None:
        if self._scheduler_is_gone:
            raise EngineError("cluster: the scheduler is gone; start it and count again, with the same ledger")


def _count(job: _Job, task: Task) -> tuple[Share, float, float]:
    """What `counted` says of a task, on a worker; an empty share if the whole count was dropped before."""
    if job.code != code_version():
        where = import_module("distributed").get_worker().address
        raise EngineError(
            f"cluster: worker {where} has jigsat {code_version()}, not {job.code}; install the same on all machines"
        )
    with _lock:
        if job.token in _dropped:
            return Share(task.first, task.first, (), 0, 0), 0.0, 0.0
        piecework = _made.pop(job.token, None)
        _made[job.token] = piecework = _piecework(job) if piecework is None else piecework
        for token in [*_made][:-_MOST_MADE]:
            _made.pop(token, None)
    return counted(piecework, task, lambda: job.token in _dropped)


# What this process as a worker has made, the last used at the end, and which counts it is to drop, by their tokens.
_lock = threading.Lock()
_made: dict[str, Piecework] = {}
_dropped: set[str] = set()


def _drop(token: str) -> None:
    """End a count on this worker.  Called by its event loop, which must not wait for a piecework that is being made."""
    _dropped.add(token)
    _made.pop(token, None)


def _piecework(job: _Job) -> Piecework:
    piecework = import_module("cloudpickle").loads(job.make)()
    if _identity(piecework) != job.identity:
        where = import_module("distributed").get_worker().address
        raise EngineError(f"cluster: worker {where} cuts the count into other parts; use machines of one kind")
    return piecework


def _identity(piecework: Piecework) -> str:
    """What the numbers of the parts mean."""
    return json.dumps([piecework.method, piecework.options, len(piecework.work)], sort_keys=True)


def in_our_words(error: BaseException) -> BaseException:
    """What a task raised, or why the cluster could not even read it."""
    if isinstance(error, ImportError) or "deserializ" in str(error):
        reason = shortened(str(error).partition("\n")[0], 200)
        return EngineError(
            f"cluster: cannot read its tasks ({reason}); install jigsat {code_version()} on all machines"
        )
    return error


def dask_setup(worker: object) -> None:
    """What dask calls in each process of a local cluster.

    Ctrl-C in a terminal reaches these, too; they are to go on until they are told to stop, and end in good order.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def load_distributed() -> Any:
    """The module `distributed`; raises EngineError if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise EngineError("cluster needs dask: pip install jigsat[cluster]") from error


@contextmanager
def cluster_client(distributed: Any, address: str) -> Iterator[Any]:
    """A client of the cluster, which is started first if it is to be a local one."""
    with _quiet():
        if not address.startswith("local:"):
            with _connected(distributed, address) as client:
                yield client
            return
        digits = address.removeprefix("local:")
        if not (digits.isdecimal() and int(digits) > 0):
            raise EngineError(f"cluster {shortened(address)!r}: a number of processes is expected, as in local:4")
        with (
            _local_cluster(distributed, int(digits)) as cluster,
            _connected(distributed, cluster.scheduler_address) as client,
        ):
            yield client


def _local_cluster(distributed: Any, processes: int) -> Any:
    try:
        return distributed.LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            # Its web server takes any port that is free; the usual one may be another cluster's.
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            dashboard_address=None,
            worker_dashboard_address=None,
            silence_logs=logging.CRITICAL,
            memory_limit=0,
            preload=[__name__],
        )
    except RuntimeError as error:
        reason = shortened(str(error).partition("\n")[0], 200)
        raise EngineError(f"cluster 'local:{processes}': cannot start its processes: {reason}") from error


@contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    expected = "a dask scheduler is expected there, as in tcp://host:8786, or local:4"
    try:
        # A client that could not connect is slow to go.
        aside(asyncio.run, _called_on(distributed, address))
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise EngineError(f"cluster {shortened(address)!r}: nobody answers; {expected}") from error
    with client:
        yield client


async def _called_on(distributed: Any, address: str) -> None:
    """Connect to an address and hang up."""
    options = distributed.Security().get_connection_args("client")
    connection = await import_module("distributed.comm").connect(address, timeout=_CONNECT_SECONDS, **options)
    await connection.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """No messages of dask's own: that workers die and connections are lost is expected here."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
