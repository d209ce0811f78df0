"""The processes of a Dask cluster as workers: a cluster started for the call, which is private, or a running one.

Processes may come and go, and be killed: Dask hands out the parts, but outcomes are recorded only by the process that
started the work.

Everyone who can connect to a cluster runs code on it as its owner.  So the processes of ``local:N`` listen on this
machine only and refuse all connections without keys that are made for this cluster and never leave it.
"""

import asyncio
import logging
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..base.errors import EngineError, UsageError, shortened
from ..base.safe_files import read_text, unfinished
from ..base.stop import aside
from .pools import Do, Finished, timed
from .run import code_version

_CONNECT_SECONDS = 8
# How long to wait between two looks at futures, and how often the workers are counted.
_LOOK_SECONDS, _ROLL_CALL_SECONDS = 0.02, 0.5
# The longest wait for an outcome or for an answer to `drop`, and for dropped parts.
_FETCH_SECONDS, _GRACE_SECONDS = 2.0, 15.0
# The number of works for which a worker keeps what it has made: it is not notified when a client is killed.
_MOST_MADE = 2
#: The largest number of bytes of a file of `--cluster-security`.
_MOST_BYTES = 2**20
_PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True)
class _Order:
    """What workers know about a work: its name, the version of the program, and the pickled function `make`.

    A worker with another program must not unpickle that.
    """

    token: str
    floors: tuple[str, ...]
    version: str
    make: bytes


@contextmanager
def dask_pool(
    address: str,
    make: Callable[[], Do[Any, Any]],
    *,
    security: str | None = None,
    dashboard: int | None = None,
    then: str = "repeat the command",
    floors: tuple[str, ...] = ("csp",),
    ahead: float = 1.0,
) -> Iterator["Dask"]:
    """A pool of the processes of a cluster.

    Parts of workers that die are given to others.  Without workers the work waits.

    - `address`: a scheduler's address (``tls://host:8786``), or ``local:N`` for N processes that are started for this
      work.
    - `make`: makes the function that does a part; each worker calls it once.  It is pickled.
    - `security`: a file with the keys of the cluster, see `read_security`; without one, what Dask's own configuration
      says.
    - `dashboard`: for ``local:N``: the port of Dask's dashboard, which every user of this machine can open.
    - `then`: what the user is to do after starting a lost scheduler, in words.
    - `floors`: the folders of the package that outcomes depend on.
    - `ahead`: the number of parts that run or wait for each thread of a worker.

    Raises EngineError if dask is not installed, the cluster cannot be started or does not answer, or the file cannot be
    used. Raises UsageError if an option has no meaning for this address.
    """
    distributed = load_distributed()
    with cluster_client(distributed, address, security, dashboard) as client:
        pickled = import_module("cloudpickle").dumps(make)
        pool = Dask(distributed, client, _Order(uuid4().hex, floors, _version(floors), pickled), then, ahead)
        try:
            yield pool
        finally:
            pool.drop()


class Dask:
    """The processes of a cluster, made by `dask_pool`.

    Attributes:
    - `threads`: the number of threads of all workers, as it was half a second ago at most.
    """

    def __init__(self, distributed: Any, client: Any, order: _Order, then: str, ahead: float) -> None:
        self._distributed, self._client, self._order, self._then, self._ahead = distributed, client, order, then, ahead
        self._running: dict[Any, Any] = {}
        self._threads, self._called = 0, float("-inf")
        self._give_up_at: float | None = None

    @property
    def threads(self) -> int:
        if time.perf_counter() - self._called >= _ROLL_CALL_SECONDS:
            self._refuse_if_lost()
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values())
            self._called = time.perf_counter()
        return self._threads

    @property
    def workers(self) -> int:
        return int(self._ahead * self.threads + 0.5)

    @property
    def running(self) -> int:
        return len(self._running)

    def start(self, part: Any) -> None:
        try:
            future = self._client.submit(_done, self._order, part, pure=False)
        except Exception:  # its type depends on the version of dask
            self._refuse_if_lost()
            raise
        self._running[future] = part

    def finished(self, seconds: float) -> Iterable[Finished[Any, Any]]:
        """The finished parts; lost ones have no outcome.  If no part is running, this only waits."""
        if self._give_up_at is not None and (self._is_lost or time.perf_counter() >= self._give_up_at):
            self._running.clear()
            return
        until = time.perf_counter() + seconds
        while not (done := [future for future in self._running if future.done()]) and time.perf_counter() < until:
            self._refuse_if_lost()
            time.sleep(_LOOK_SECONDS)
        for future in done:
            yield from self._outcome(future)

    def drop(self) -> None:
        if self._give_up_at is not None:
            return
        self._give_up_at = time.perf_counter() + _GRACE_SECONDS
        # The wait for workers that have just died would take too long for a user who stops the work.
        thread = threading.Thread(target=self._tell_to_drop, daemon=True)
        thread.start()
        thread.join(_FETCH_SECONDS)

    def _tell_to_drop(self) -> None:
        with suppress(Exception):
            self._client.run(_drop, self._order.token, on_error="ignore")

    @property
    def _is_lost(self) -> bool:
        """Whether the scheduler is gone."""
        return self._client.status not in ("running", "connecting")

    def _refuse_if_lost(self) -> None:
        if self._is_lost:
            raise EngineError(f"cluster: the connection to the scheduler is lost; start it and {self._then}")

    def _outcome(self, future: Any) -> Iterator[Finished[Any, Any]]:
        """The outcome of a part, if it is known: it is lost if its worker dies before it has arrived."""
        if future.status == "finished":
            try:
                found: tuple[Any, float, float] = future.result(timeout=_FETCH_SECONDS)
            except TimeoutError:
                return
            except self._distributed.CancelledError:
                found = (None, 0.0, 0.0)
            outcome, seconds, work_seconds = found
            yield Finished(self._running.pop(future), outcome, seconds, work_seconds)
            return
        part = self._running.pop(future)
        error = future.exception() if future.status == "error" else None
        if error is not None and not isinstance(error, self._distributed.KilledWorker):
            raise _in_our_words(error)
        yield Finished(part, None, killed=error is not None)


# What this worker process has made, the last used one at the end, and the tokens of the works to drop.
_lock = threading.Lock()
_made: dict[str, Do[Any, Any]] = {}
_dropped: set[str] = set()


def _done(order: _Order, part: Any) -> tuple[Any, float, float]:
    """The result of `timed` for a part, on a worker; no outcome if the whole work was dropped before."""
    if order.version != _version(order.floors):
        raise EngineError(
            f"cluster: worker {this_worker()} has jigsat {_version(order.floors)}, not {order.version}; install the "
            "same on all machines"
        )
    with _lock:
        if order.token in _dropped:
            return None, 0.0, 0.0
        do = _made.pop(order.token, None)
        _made[order.token] = do = import_module("cloudpickle").loads(order.make)() if do is None else do
        for token in [*_made][:-_MOST_MADE]:
            _made.pop(token, None)
    return timed(do, part, lambda: order.token in _dropped)


def _drop(token: str) -> None:
    """End a work on this worker.  Called by its event loop, which must not wait while something is made."""
    _dropped.add(token)
    _made.pop(token, None)


def this_worker() -> str:
    """On a worker: its address."""
    return import_module("distributed").get_worker().address


def _version(floors: tuple[str, ...]) -> str:
    return " ".join(code_version(_PACKAGE / floor) for floor in floors)


def _in_our_words(error: BaseException) -> BaseException:
    """The exception of a part, or the reason why the cluster could not read it."""
    if isinstance(error, ImportError) or "deserializ" in str(error):
        reason = shortened(str(error).partition("\n")[0], 200)
        return EngineError(
            f"cluster: workers cannot read the tasks ({reason}); install jigsat {code_version()} on all machines"
        )
    return error


def load_distributed() -> Any:
    """The module `distributed`; raises EngineError if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise EngineError("cluster needs dask: pip install 'jigsat[cluster]'") from error


@contextmanager
def cluster_client(
    distributed: Any, address: str, security: str | None = None, dashboard: int | None = None
) -> Iterator[Any]:
    """A client of the cluster at an address, of which a local one is started first; for the rest see `dask_pool`."""
    with _quiet():
        if not address.startswith("local:"):
            if dashboard is not None:
                raise UsageError("is for local:N; other clusters have dashboards of their own", "cluster_dashboard")
            given = distributed.Security() if security is None else read_security(distributed, security)
            with _connected(distributed, address, given) as client:
                _warn_of_open_cluster(address)
                yield client
            return
        digits = address.removeprefix("local:")
        if not (digits.isdecimal() and int(digits) > 0):
            raise EngineError(f"cluster {shortened(address)!r}: a number of processes is expected, as in local:4")
        if security is not None:
            raise UsageError("is for clusters that run already; local:N makes keys of its own", "cluster_security")
        with (
            _local_cluster(distributed, int(digits), dashboard) as (cluster, keys),
            _connected(distributed, cluster.scheduler_address, keys) as client,
        ):
            yield client


def read_security(distributed: Any, path: str) -> Any:
    """The certificates and keys in a file, as an object of the class ``distributed.Security``.

    - `distributed`: the module.
    - `path`: a YAML or JSON file in the layout of Dask's configuration (``distributed: comm: tls: ...``), or with the
      parameters of ``distributed.Security`` (``tls_ca_file``, ``tls_client_cert``, ``tls_client_key``).  Relative paths
      in it start at its folder.

    Raises EngineError if it cannot be used.
    """
    yaml, config = import_module("yaml"), import_module("dask.config")
    text = read_text(path, _MOST_BYTES)
    try:
        data = yaml.safe_load(text)
        if not isinstance(data, dict):
            raise ValueError("names with values are expected")
        if "distributed" in data:
            with config.set(config.merge(config.config, data)):
                security = distributed.Security()
        else:
            security = distributed.Security(**data)
        security.require_encryption = True
        for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
            value = getattr(security, name)
            if value is None and name != "tls_client_key":
                raise ValueError(f"{name} is missing")
            if not isinstance(value, str | None):
                raise ValueError(f"{name}: text is expected")
            if value is not None and "\n" not in value:
                setattr(security, name, str(Path(path).parent / value))
        security.get_connection_args("client")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError, yaml.YAMLError) as error:
        reason = shortened(" ".join(str(error).split()), 200)
        raise EngineError(
            f"{path}: is no description of Dask's TLS keys, as tls_ca_file, tls_client_cert, tls_client_key: {reason}"
        ) from error
    return security


def _warn_of_open_cluster(address: str) -> None:
    """Warn of a cluster without TLS."""
    if not address.startswith(("tls:", "wss:", "inproc:")):
        warnings.warn(
            f"cluster {shortened(address)}: has no TLS, so everyone who can reach it runs code on it as its owner; "
            "give the scheduler keys and an address tls://HOST:PORT",
            UserWarning,
            stacklevel=2,
        )


@contextmanager
def _local_cluster(distributed: Any, processes: int, dashboard: int | None) -> Iterator[tuple[Any, Any]]:
    """A cluster of this machine and the keys for it."""
    shows = dashboard is not None
    if shows and find_spec("bokeh") is None:
        raise EngineError("needs bokeh: pip install bokeh", "cluster_dashboard")
    if find_spec("cryptography") is None:
        raise EngineError("cluster local:N needs cryptography: pip install 'jigsat[cluster]'")
    keys = distributed.Security.temporary()
    pages = ["distributed.http.scheduler.info", "distributed.http.statics"] if shows else []
    routes = {"distributed.scheduler.http.routes": pages, "distributed.worker.http.routes": []}
    with (
        # Dask puts this folder on Python's path; the usual one in /tmp may belong to another user.
        tempfile.TemporaryDirectory(prefix="jigsat-cluster-", ignore_cleanup_errors=True) as folder,
        unfinished(folder),
        import_module("dask.config").set({**routes, "temporary-directory": folder}),
    ):
        try:
            cluster = distributed.LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                security=keys,
                # A port of 0 is any free one; the usual one may be in use by another cluster.
                scheduler_kwargs={
                    "dashboard": dashboard is not None,
                    "dashboard_address": f"127.0.0.1:{dashboard or 0}",
                },
                dashboard_address=None,
                worker_dashboard_address=None,
                silence_logs=logging.CRITICAL,
                memory_limit=0,
                preload=[__name__],
            )
        except RuntimeError as error:
            reason = shortened(str(error).partition("\n")[0], 200)
            raise EngineError(f"cluster 'local:{processes}': cannot start its processes: {reason}") from error
        with cluster:
            if not shows:
                # Dask starts a web server in any case; it has no keys.
                cluster.loop.add_callback(cluster.scheduler.http_server.stop)
            yield cluster, keys


def dask_setup(worker: Any) -> None:
    """A dask plugin for each process of a local cluster.

    Ctrl-C in a terminal and the signals that a system sends to a group of processes reach these, too; they must
    continue until they are stopped properly.  They have no need of a web server.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows lacks one of them.
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    worker.http_server.stop()


@contextmanager
def _connected(distributed: Any, address: str, security: Any) -> Iterator[Any]:
    expected = "a dask scheduler is expected there, as in tls://host:8786, or local:4"
    try:
        # A client that could not connect is slow to close.
        aside(asyncio.run, _called_on(address, security))
        client = distributed.Client(address, security=security, timeout=_CONNECT_SECONDS, set_as_default=False)
    except RuntimeError as error:
        if "encryption required" not in str(error):
            raise
        tls = "has no TLS, but your keys ask for it; an address tls://host:8786 is expected"
        raise EngineError(f"cluster {shortened(address)!r}: {tls}") from error
    except (OSError, ValueError, TypeError) as error:
        keys = " to these keys" if address.startswith("tls:") else ""
        raise EngineError(f"cluster {shortened(address)!r}: no answer{keys}; {expected}") from error
    with client:
        yield client


async def _called_on(address: str, security: Any) -> None:
    """Connect to an address and close the connection."""
    options = security.get_connection_args("client")
    connection = await import_module("distributed.comm").connect(address, timeout=_CONNECT_SECONDS, **options)
    await connection.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress dask's messages: dying workers and lost connections are expected here."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
