"""The trials of a race on the processes of a Dask cluster; their results are recorded in this process only."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from ...csp.base.errors import EngineError
from ...csp.engines.request import Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.search.best_score_race import Race
from ...csp.search.cluster_access import Connection, cluster_client, load_distributed
from ...csp.search.counting.cluster import in_our_words, refuse_other_version
from ...csp.search.counting.code_version import code_version
from ...csp.search.trials import Trial, Wanted
from .race_trials import prepared_race

_FETCH_SECONDS, _DROP_SECONDS = 2, 0.1
# Each thread of a worker has one trial, and some wait, so that no worker waits for this process.
_AHEAD = 1.5


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
        self._connection = Connection(client, "repeat the command to go on with the race")
        self._running: dict[Any, tuple[int, Wanted, int]] = {}

    @property
    def threads(self) -> int:
        return self._connection.threads()

    @property
    def workers(self) -> int:
        return int(_AHEAD * self.threads + 0.5)

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, number: int, wanted: Wanted, way: int) -> None:
        future = self._client.submit(_trial, self._order, number, wanted, way, pure=False)
        self._running[future] = number, wanted, way

    def finished(self, seconds: float) -> Iterable[Trial]:
        done = self._connection.done(self._running, seconds)
        return [trial for future in done if (trial := self._outcome(future)) is not None]

    def _outcome(self, future: Any) -> Trial | None:
        """The trial of a future that is done; one that is lost is started again."""
        try:
            trial = future.result(timeout=_FETCH_SECONDS)
        except TimeoutError:  # its worker has died, and another one repeats the trial
            return None
        except self._distributed.KilledWorker as error:
            number = self._running[future][0]
            raise EngineError(f"cluster: trial {number} has killed its workers, which may lack memory") from error
        except self._distributed.CancelledError:
            self._connection.refuse_if_lost()
            trial = None
        except Exception as error:
            raise in_our_words(error) from error
        asked = self._running.pop(future)
        if trial is None:
            self.start(*asked)
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


# The race of this worker process that was used last, and the names of the races to drop.
_lock = threading.Lock()
_made: dict[str, Race] = {}
_dropped: set[str] = set()


def _trial(order: _RaceOrder, number: int, wanted: Wanted, way: int) -> Trial | None:
    """On a worker: a trial, None if the race was dropped."""
    refuse_other_version(order.code)
    with _lock:
        if order.token in _dropped:
            return None
        race = _made.get(order.token)
        if race is None:
            race = prepared_race(order.puzzle, order.engine, order.options)
            _made.clear()
            _made[order.token] = race
    return race.trial(number, wanted, way)


def _drop(token: str) -> None:
    """On a worker: end the trials of a race."""
    _dropped.add(token)
    race = _made.pop(token, None)
    if race is not None:
        race.enough.set()
