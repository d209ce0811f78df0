"""Counts on a dask cluster: exact whichever worker is killed, and never waiting for ever without a message."""

import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain, repeat
from pathlib import Path
from random import Random

import psutil
import pytest

import pieceworks
from jigsat.csp.base.errors import EngineError
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.scheduler import Pace, Task, count_on_cluster, counter_of
from jigsat.csp.work import cluster
from pieceworks import Naps, share_of

dask = pytest.importorskip("dask", reason="dask is an extra")
distributed = pytest.importorskip("distributed", reason="dask is an extra")

QUICK = Pace(first=0.1, least=0.1, most=0.3)
KEY = {"instance": "made up", "parts": 3000}
CLIENT = Path(pieceworks.__file__).with_name("count_on_cluster.py")


def counted(address, *naps, make=Naps, **options):
    make = partial(make, *naps)
    return count_on_cluster(address, make, make(), **{"pace": QUICK, **options})


def assert_whole(totals, parts):
    whole = share_of(0, parts)
    assert totals.complete
    assert (totals.nodes, totals.count, totals.canonical_count) == (whole.nodes, whole.count, whole.canonical_count)


def workers_of(process):
    """The processes that count for it."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for child in process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if any("multiprocessing.spawn" in word for word in child.cmdline()):
                    found.append(child)
    return found


@contextmanager
def scheduler(workers=0):
    """A cluster of some workers that lives in this process."""
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as found:
        yield found


@pytest.mark.slow
def test_exact_when_workers_and_the_count_itself_are_killed(tmp_path):
    """Twenty kills, of workers and of the process with the ledger, which is started again each time."""
    parts, chance = 3000, Random(1)
    path, kills = tmp_path / "a.ledger", 0
    while True:
        with subprocess.Popen(
            [sys.executable, CLIENT, path, str(parts), "0.04", "0.3"], stdout=subprocess.PIPE, text=True
        ) as process:
            counting = psutil.Process(process.pid)
            # A worker that is killed while all are being started ends the count.
            begun = process.stdout.readline() if chance.random() < 0.7 else ""
            while process.poll() is None and kills < 20:
                time.sleep(chance.uniform(1, 4))
                found = workers_of(counting)
                victim = process if not (found and begun) or chance.random() < 0.4 else chance.choice(found)
                with suppress(psutil.NoSuchProcess):
                    victim.kill()
                    kills += 1
                if victim is process:
                    _, alive = psutil.wait_procs(found, timeout=30)
                    assert not alive
            *_, printed = ["", *(begun + process.stdout.read()).splitlines()]
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    whole = share_of(0, parts)
    assert printed.split() == [str(number) for number in (whole.count, whole.canonical_count, *whole.nodes)]
    assert kills == 20
    with open_ledger(path, KEY) as ledger:
        assert ledger.remaining(parts) == []
        assert sum(share.count for share in ledger.shares) == whole.count


@pytest.mark.slow
def test_ctrl_c_reaches_all_processes_and_ends_only_the_count(tmp_path):
    """In a terminal it does; workers that died of it would lose what they have counted of their tasks."""
    path = tmp_path / "a.ledger"
    with subprocess.Popen(
        [sys.executable, CLIENT, path, "3000", "0.02", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout.readline() == "two workers\n"
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "interrupt\n", "")
    with open_ledger(path, KEY) as ledger:
        assert len(ledger.shares) == 2
        assert all(share == share_of(share.first, share.last) for share in ledger.shares)


def test_without_workers_it_waits_and_says_so():
    """It counts as soon as there are some; asked to stop before, it stops."""
    with scheduler() as found:
        standings = []

        def report(standing):
            standings.append(standing)
            if len(standings) == 3:
                found.scale(1)

        assert_whole(counted(found.scheduler_address, 20, report=report), 20)
        assert [standing.workers for standing in standings[:3]] == [0, 0, 0]
        assert standings[-1].workers == 1
    with scheduler() as found:
        totals = counted(found.scheduler_address, 20, stop=lambda: "interrupt")
        assert (totals.ended_by, totals.parts, totals.complete) == ("interrupt", 0, False)


def test_a_worker_does_not_keep_all_that_it_ever_made(monkeypatch):
    """A client that is killed does not say that its count is over; those that go on keep what they have."""
    made = {}
    monkeypatch.setattr(cluster, "_made", made)
    pickled = import_module("cloudpickle").dumps(lambda: counter_of(Naps(5)))
    for token in ("first", "second", "first", "third", "first"):
        order = cluster._Order(token, ("csp",), cluster.code_version(), pickled)
        kept = made.get(token)
        assert cluster._done(order, Task(1, 4, 60.0))[0] == share_of(1, 4)
        assert kept is None or made[token] is kept
    assert [*made] == ["third", "first"]


def test_what_a_worker_raises_is_raised():
    with scheduler(1) as found, pytest.raises(ArithmeticError, match="part 7 is broken"):
        counted(found.scheduler_address, 20, 0.0, {}, frozenset({7}))


def test_another_program_on_a_worker_is_refused(monkeypatch):
    """It may cut the count into different parts; it must not even build them."""
    versions = chain(["0.1.0+here"], repeat("0.1.0+there"))
    monkeypatch.setattr(cluster, "code_version", lambda root: next(versions))
    with (
        scheduler(1) as found,
        pytest.raises(EngineError, match=r"worker \S+ has jigsat 0.1.0\+there, not 0.1.0\+here"),
    ):
        counted(found.scheduler_address, 20)


@dataclass(frozen=True)
class Cut(Naps):
    """Other parts each time that they are made."""

    made = []  # noqa: RUF012 - for all instances

    def __post_init__(self):
        self.made.append(self.parts)
        object.__setattr__(self, "parts", self.parts + len(self.made))


def test_a_worker_with_other_parts_is_refused():
    """As if machines of two kinds rounded a prediction differently that the cuts depend on."""
    with scheduler(1) as found, pytest.raises(EngineError, match="into different parts"):
        counted(found.scheduler_address, 20, make=Cut)


def test_a_scheduler_that_goes_is_told(monkeypatch):
    """Not waited for without end; what was counted is in the ledger."""
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with scheduler(1) as found, pytest.raises(EngineError, match="the connection to the scheduler is lost"):
        counted(found.scheduler_address, 400, 0.05, report=lambda standing: found.close())
