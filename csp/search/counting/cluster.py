"""A count on the processes of a dask cluster, which may come and go, and be killed.

Dask distributes the tasks; results are recorded only in the ledger of the process that started the count.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from uuid import uuid4

from ...base.errors import EngineError, shortened
from ..cluster_access import Connection, cluster_client, load_distributed
from .code_version import code_version
from .ledger import Ledger
from .parts import Piecework, Share
from .scheduler import PACE, Finished, Pace, Standing, Task, Totals, count_in, counted

# The longest wait for a result before others are checked, and for dropped tasks.
_FETCH_SECONDS = 2
_GRACE_SECONDS = 15
# The number of counts whose pieceworks a worker keeps: it is not notified when a client is killed.
_MOST_MADE = 2


@dataclass(frozen=True)
class _Job:
    """The description of a count for the workers.

    Parameters
    ----------
    token
        Identifies the count.
    code
        The version of the program that the parts were numbered with.
    identity
        A description of the parts, by which a worker checks that it makes the same ones.
    make
        The pickled function that makes them: a worker with another program must not unpickle it.
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
    security: str | None = None,
    dashboard: int | None = None,
    ledger: Ledger | None = None,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[Standing], None] = lambda standing: None,
    pace: Pace = PACE,
) -> Totals:
    """Count all parts on a cluster.

    Tasks of workers that die are given to others, unless the tasks themselves kill workers.  Without workers the count
    waits.

    Parameters
    ----------
    address
        A scheduler's address (``tls://host:8786``), or ``local:N`` for N processes that are started for this count.
    make
        Makes the piecework; each worker calls it once.  It is pickled.
    piecework
        The piecework, made in this process.
    security, dashboard
        The keys of the cluster, and the port of its dashboard; see `cluster_client`.
    ledger, stop, report, pace
        As for `count_together`.

    Raises
    ------
    EngineError
        If dask is not installed, the address is invalid or does not answer, a worker has another version of the
        program, some parts kill their workers, or the scheduler is gone.
    """
    distributed = load_distributed()
    with cluster_client(distributed, address, security, dashboard) as client:
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
        self._connection = Connection(client, "repeat the command with the same ledger")
        self._running: dict[Any, Task] = {}
        self._give_up_at: float | None = None

    @property
    def workers(self) -> int:
        return self._connection.threads()

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, task: Task) -> None:
        try:
            future = self._client.submit(_count, self._job, task, pure=False)
        except Exception:  # its type depends on the version of dask
            self._connection.refuse_if_lost()
            raise
        self._running[future] = task

    def finished(self, seconds: float) -> Iterable[Finished]:
        """The finished tasks; lost ones have no share.  If no task is running, this only waits."""
        if self._give_up_at is not None and (self._connection.is_lost or time.perf_counter() >= self._give_up_at):
            self._running.clear()
            return
        for future in self._connection.done(self._running, seconds):
            yield from self._outcome(future)

    def drop(self) -> None:
        if self._give_up_at is not None:
            return
        self._give_up_at = time.perf_counter() + _GRACE_SECONDS
        # The wait for workers that have just died would take too long for a user who stops a count.
        thread = threading.Thread(target=self._tell_to_drop, daemon=True)
        thread.start()
        thread.join(_FETCH_SECONDS)

    def _tell_to_drop(self) -> None:
        with suppress(Exception):
            self._client.run(_drop, self._job.token, on_error="ignore")

    def _outcome(self, future: Any) -> Iterator[Finished]:
        """The outcome of a task, if it is known: a result is lost if its worker dies before it has arrived."""
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


def _count(job: _Job, task: Task) -> tuple[Share, float, float]:
    """The result of `counted` for a task, on a worker; an empty share if the whole count was dropped before."""
    refuse_other_version(job.code)
    with _lock:
        if job.token in _dropped:
            return Share(task.first, task.first, (), 0, 0), 0.0, 0.0
        piecework = _made.pop(job.token, None)
        _made[job.token] = piecework = _piecework(job) if piecework is None else piecework
        for token in [*_made][:-_MOST_MADE]:
            _made.pop(token, None)
    return counted(piecework, task, lambda: job.token in _dropped)


# The pieceworks of this worker process, the last used one at the end, and the tokens of the counts to drop.
_lock = threading.Lock()
_made: dict[str, Piecework] = {}
_dropped: set[str] = set()


def _drop(token: str) -> None:
    """End a count on this worker.  Called by its event loop, which must not wait while a piecework is made."""
    _dropped.add(token)
    _made.pop(token, None)


def _piecework(job: _Job) -> Piecework:
    piecework = import_module("cloudpickle").loads(job.make)()
    if _identity(piecework) != job.identity:
        where = import_module("distributed").get_worker().address
        raise EngineError(f"cluster: worker {where} cuts the count into different parts; use machines of the same kind")
    return piecework


def _identity(piecework: Piecework) -> str:
    """An identification of the parts and their numbers."""
    return json.dumps([piecework.method, piecework.options, len(piecework.work)], sort_keys=True)


def refuse_other_version(code: str) -> None:
    """On a worker: raise EngineError if the client has another version of the program."""
    if code != code_version():
        where = import_module("distributed").get_worker().address
        raise EngineError(
            f"cluster: worker {where} has jigsat {code_version()}, not {code}; install the same on all machines"
        )


def in_our_words(error: BaseException) -> BaseException:
    """The exception of a task, or the reason why the cluster could not read it."""
    if isinstance(error, ImportError) or "deserializ" in str(error):
        reason = shortened(str(error).partition("\n")[0], 200)
        return EngineError(
            f"cluster: workers cannot read the tasks ({reason}); install jigsat {code_version()} on all machines"
        )
    return error
