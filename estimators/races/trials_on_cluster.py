"""The trials of a race on the processes of a Dask cluster; their results are recorded in this process only."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from uuid import uuid4

from ...csp.base.errors import EngineError
from ...csp.engines.request import Options
from ...csp.files.races.trials import Trial, Wanted
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.search.best_score_race import Race
from ...csp.search.cluster_access import cluster_client, load_distributed
from ...csp.search.counting.cluster import in_our_words
from ...csp.search.counting.code_version import code_version
from .racing_engines import prepared_race

_LOOK_SECONDS, _FETCH_SECONDS, _DROP_SECONDS = 0.02, 2, 0.1
# How often the workers are counted.
_ROLL_CALL_SECONDS = 0.5
# Each thread of a worker has one trial, and some wait, so that no worker waits for this process.
_AHEAD = 1.5
_LOST = "cluster: the connection to the scheduler is lost; start it and repeat the command to go on with the race"


@dataclass(frozen=True)
class _RaceOrder:
    """A race for the workers: its name, the version of the program, its puzzle, engine and options."""

    token: str
    code: str
    puzzle: EdgeMatchingPuzzle
    engine: str
    options: Options


@contextmanager
def cluster_pool(
    address: str,
    puzzle: EdgeMatchingPuzzle,
    engine: str,
    options: Options,
    *,
    security: str | None,
    dashboard: int | None,
) -> "Iterator[_ClusterPool]":
    """A pool of the processes of a cluster; for the parameters of the cluster see `cluster_client`."""
    distributed = load_distributed()
    with cluster_client(distributed, address, security, dashboard) as client:
        yield _ClusterPool(distributed, client, _RaceOrder(uuid4().hex, code_version(), puzzle, engine, options))


class _ClusterPool:
    """The processes of a cluster, which may come and go: trials of workers that die are started again."""

    def __init__(self, distributed: Any, client: Any, order: _RaceOrder) -> None:
        self._distributed, self._client, self._order = distributed, client, order
        self._running: dict[Any, tuple[int, Wanted]] = {}
        self._workers, self._called = 0, float("-inf")

    @property
    def workers(self) -> int:
        if time.perf_counter() - self._called >= _ROLL_CALL_SECONDS:
            self._refuse_lost_scheduler()
            with suppress(OSError):
                self._workers = sum(self._client.nthreads().values())
            self._called = time.perf_counter()
        return int(_AHEAD * self._workers + 0.5)

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, number: int, wanted: Wanted) -> None:
        self._running[self._client.submit(_trial, self._order, number, wanted, pure=False)] = number, wanted

    def finished(self, seconds: float) -> Iterable[Trial]:
        until = time.perf_counter() + seconds
        while not (done := [future for future in self._running if future.done()]) and time.perf_counter() < until:
            self._refuse_lost_scheduler()
            time.sleep(_LOOK_SECONDS)
        return [trial for future in done if (trial := self._outcome(future)) is not None]

    def _outcome(self, future: Any) -> Trial | None:
        """The trial of a future that is done; one that is lost is started again."""
        try:
            trial = future.result(timeout=_FETCH_SECONDS)
        except TimeoutError:  # its worker has died, and another one repeats the trial
            return None
        except self._distributed.KilledWorker as error:
            number, _ = self._running[future]
            raise EngineError(f"cluster: trial {number} has killed its workers, which may lack memory") from error
        except self._distributed.CancelledError:
            self._refuse_lost_scheduler()
            trial = None
        except Exception as error:
            raise in_our_words(error) from error
        number, wanted = self._running.pop(future)
        if trial is None:
            self.start(number, wanted)
        return trial

    def drop(self) -> None:
        # The wait for workers that have just died would take too long for a user who stops a race.
        thread = threading.Thread(target=self._tell_to_drop, daemon=True)
        thread.start()
        thread.join(_DROP_SECONDS)

    def _tell_to_drop(self) -> None:
        with suppress(Exception):
            self._client.cancel(list(self._running))
            self._client.run(_drop, self._order.token, on_error="ignore")

    def _refuse_lost_scheduler(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise EngineError(_LOST)


# The race of this worker process that was used last, and the names of the races to drop.
_lock = threading.Lock()
_made: dict[str, Race] = {}
_dropped: set[str] = set()


def _trial(order: _RaceOrder, number: int, wanted: Wanted) -> Trial | None:
    """On a worker: a trial, None if the race was dropped."""
    if order.code != code_version():
        where = import_module("distributed").get_worker().address
        raise EngineError(
            f"cluster: worker {where} has jigsat {code_version()}, not {order.code}; install the same on all machines"
        )
    with _lock:
        if order.token in _dropped:
            return None
        race = _made.get(order.token)
        if race is None:
            race = prepared_race(order.puzzle, order.engine, order.options)
            _made.clear()
            _made[order.token] = race
    return race.trial(number, wanted)


def _drop(token: str) -> None:
    """On a worker: end the trials of a race."""
    _dropped.add(token)
    race = _made.pop(token, None)
    if race is not None:
        race.enough.set()
