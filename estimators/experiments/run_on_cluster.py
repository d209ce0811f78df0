"""The runs of an experiment on the workers of a Dask cluster, each in a process of its own."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from ...csp.base.errors import EngineError, JigsatError
from ...csp.files.instances import fingerprint
from ...csp.search.cluster_access import cluster_client, load_distributed
from ...csp.search.counting.cluster import in_our_words
from ...csp.work.code_version import code_version
from .families import make_puzzle
from .plan import PlannedRun
from .runner import execute

_ROOT = Path(__file__).parents[2]
# Seconds between two looks at the runs, and the longest wait for workers to end the runs that were stopped.
_LOOK, _DROP = 0.1, 5.0


@dataclass(frozen=True)
class _RunOrder:
    """A run for a worker.

    Parameters
    ----------
    run
        The run.
    fingerprint, code
        The fingerprint of the run and the version of the program where the experiment was planned.
    token
        The name of the call that asks for the run.
    """

    run: PlannedRun
    fingerprint: str
    code: str
    token: str


def execute_on_cluster(
    runs: Sequence[PlannedRun],
    address: str,
    must_stop: Callable[[], bool],
    done: Callable[[PlannedRun, dict[str, Any]], None],
    *,
    security: str | None = None,
    dashboard: int | None = None,
) -> None:
    """Make runs on a cluster, as many at once as its workers have threads; the order in which they end is not fixed.

    A run takes one thread of a worker, whatever number of threads it uses itself.  If a worker dies, Dask gives its
    runs to others.  If the cluster has no workers, the runs wait for some.

    Parameters
    ----------
    runs
        The runs.
    address
        The address of a scheduler (``tls://host:8786``), or ``local:N`` for N processes that are started for the runs.
    must_stop
        Is asked several times a second; after a yes the runs that are not done end without a record.
    done
        Is called with each run and its record as soon as it is known.
    security, dashboard
        The keys of the cluster, and the port of its dashboard; see `cluster_client`.

    Raises
    ------
    EngineError
        If dask is not installed, there is no scheduler at the address, or it is gone; if a worker has other versions of
        the program or its libraries, cannot read a puzzle, or is killed by a run again and again.
    """
    distributed = load_distributed()
    with cluster_client(distributed, address, security, dashboard) as client:
        token, code = uuid4().hex, program_version()
        jobs = [_RunOrder(run, run.fingerprint, code, token) for run in runs]
        waiting = {client.submit(_execute, job, pure=False): job.run for job in jobs}
        try:
            while waiting and not must_stop():
                if client.status not in ("running", "connecting"):
                    raise EngineError("cluster: the scheduler is gone; start it and give the same command again")
                for future in [future for future in waiting if future.done()]:
                    run = waiting.pop(future)
                    if (record := _record(distributed, future, run)) is not None:
                        done(run, record)
                time.sleep(_LOOK)
        finally:
            _drop_all(client, list(waiting), token)


def _record(distributed: Any, future: Any, run: PlannedRun) -> dict[str, Any] | None:
    """The record of a run that has ended; None if it was ended from outside."""
    try:
        return future.result()
    except distributed.KilledWorker as error:
        what = f"{run.engine} on {run.instance} has killed its workers, which may lack memory"
        raise EngineError(f"cluster: {what}") from error
    except distributed.CancelledError as error:
        raise EngineError("cluster: the scheduler is gone; start it and give the same command again") from error
    except Exception as error:
        raise in_our_words(error) from error


def _drop_all(client: Any, futures: Sequence[Any], token: str) -> None:
    """End the runs that are not done; a worker that does not answer is not waited for."""
    if not futures:
        return

    def drop() -> None:
        with suppress(Exception):
            client.cancel(futures)
            client.run(_drop, token, on_error="ignore")

    thread = threading.Thread(target=drop, daemon=True)
    thread.start()
    thread.join(_DROP)


# What this process as a worker was asked to end, by the names of the calls.
_stopped: dict[str, threading.Event] = {}


def _drop(token: str) -> None:
    """On a worker: end the runs of a call."""
    _stopped.setdefault(token, threading.Event()).set()


def _execute(job: _RunOrder) -> dict[str, Any] | None:
    """On a worker: the record of a run; None if the run was to end."""
    worker = import_module("distributed").get_worker().address
    if job.code != program_version() or job.fingerprint != job.run.fingerprint:
        versions = "jigsat, Python and the libraries"
        raise EngineError(f"cluster: worker {worker} has other versions; install the same {versions} on all machines")
    try:
        same = "instance" not in job.run.recipe or (
            fingerprint(make_puzzle(job.run.recipe, job.run.folder)) == job.run.sha256
        )
    except JigsatError as error:
        raise EngineError(f"cluster: worker {worker} cannot read a puzzle: {error}") from error
    if not same:
        raise EngineError(f"cluster: worker {worker} has another puzzle {job.run.instance}; give it the same files")
    return execute(job.run, _stopped.setdefault(job.token, threading.Event()))


@cache
def program_version() -> str:
    """The version of jigsat with a digest of the sources that runs depend on."""
    return " ".join(code_version(_ROOT / floor) for floor in ("csp", "models", "estimators"))
