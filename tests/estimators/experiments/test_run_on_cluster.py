"""The runs of an experiment on a Dask cluster: each recorded once, on workers that have the same, and resumable."""

import logging
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from experiment_texts import TINY, part, planned
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.base.stop import never
from jigsat.csp.files.instances import save
from jigsat.estimators.experiments import run_on_cluster
from jigsat.estimators.experiments.run_on_cluster import _execute, _RunOrder, execute_on_cluster, program_version

dask = pytest.importorskip("dask", reason="dask is an extra")
distributed = pytest.importorskip("distributed", reason="dask is an extra")

#: No engine is done with it within hours.
HARD = {"family": "edge-matching", "rows": 12, "frame_colors": 5}


@contextmanager
def cluster(workers):
    """A cluster that lives in this process, with that many workers."""
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as found:
        yield found


@contextmanager
def scheduler(workers):
    """The address of such a cluster."""
    with cluster(workers) as found:
        yield found.scheduler_address


def executed(runs, address, must_stop=never):
    """The records by the fingerprints of the runs."""
    found = {}
    execute_on_cluster(runs, address, must_stop, lambda run, record: found.setdefault(run.fingerprint, record))
    return found


@pytest.mark.slow
def test_every_run_is_made_once(tmp_path):
    """With real runs in real processes of the cluster; the records are those of this machine's runner."""
    runs = planned(tmp_path, part("backtrack", "most-constrained", instances=[{**TINY, "seeds": [1, 2]}]))
    found = executed(runs, "local:1")
    assert found.keys() == {run.fingerprint for run in runs}
    assert {record["outcome"] for record in found.values()} == {"solved"}
    for run in runs:
        record = found[run.fingerprint]
        assert (record["fingerprint"], record["sha256"]) == (run.fingerprint, run.sha256)
        assert (record["engine"], record["source"]) == (run.engine, dict(run.recipe))


def test_stopped_runs_end_without_a_record(tmp_path, monkeypatch, nothing_is_left):
    """What was done before is kept."""
    runs = planned(tmp_path, part("backtrack", instances=[TINY, HARD], goal="solve", limits={"seconds": 600}))
    started = threading.Event()

    def execute(run, stopped):
        if run.facts["rows"] == 3:
            return {"fingerprint": run.fingerprint}
        started.set()
        assert stopped.wait(60)
        return None

    monkeypatch.setattr(run_on_cluster, "execute", execute)
    with scheduler(2) as address:
        found = {}
        execute_on_cluster(
            runs, address, lambda: started.is_set() and bool(found), lambda run, record: found.update(record)
        )
    assert found == {"fingerprint": runs[0].fingerprint}


def job(run, **changes):
    """A run as a worker gets it."""
    return replace(_RunOrder(run, run.fingerprint, program_version(), "a token"), **changes)


@pytest.fixture
def worker(monkeypatch):
    """This process is a worker that makes no runs."""

    class Worker:
        address = "tcp://here"

    monkeypatch.setattr(distributed, "get_worker", Worker)
    monkeypatch.setattr(run_on_cluster, "execute", lambda run, stopped: {"made": run.fingerprint})


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("changes", [{"code": "0.0.1+abc"}, {"fingerprint": "0" * 64}])
def test_a_worker_with_other_versions_refuses(changes, tmp_path):
    """Its records would be taken for runs of the program here."""
    (run,) = planned(tmp_path, part())
    assert _execute(job(run)) == {"made": run.fingerprint}
    with pytest.raises(EngineError, match="worker tcp://here has other versions; install the same jigsat, Python and"):
        _execute(job(run, **changes))


@pytest.mark.usefixtures("worker")
def test_a_worker_without_the_puzzle_refuses(tmp_path):
    """To record that the engine refused it would never be made good."""
    save(read("clue3"), tmp_path / "mine.json")
    (run,) = planned(tmp_path, part(instances=[{"instance": "mine.json"}], goal="solve"))
    assert _execute(job(run)) == {"made": run.fingerprint}
    with pytest.raises(EngineError, match=r"tcp://here has another puzzle .*; give it the same files$"):
        _execute(job(replace(run, recipe={"instance": "clue1"})))
    with pytest.raises(EngineError, match=r"tcp://here cannot read a puzzle: other\.json: there is no such file"):
        _execute(job(replace(run, recipe={"instance": "other.json"})))


def test_an_error_of_a_worker_ends_the_call(tmp_path, monkeypatch):
    """In one line, with the records that were made before."""
    runs = planned(tmp_path, part(instances=[{**TINY, "seeds": "1..3"}]))

    def execute(run, stopped):
        if run.recipe["seed"] == 2:
            raise EngineError("cluster: worker x has other versions")
        return {"fingerprint": run.fingerprint}

    monkeypatch.setattr(run_on_cluster, "execute", execute)
    found = []
    with scheduler(1) as address, pytest.raises(EngineError, match=r"^cluster: worker x has other versions$"):
        execute_on_cluster(runs, address, never, lambda run, record: found.append(run))
    assert runs[0] in found


def test_a_scheduler_that_is_gone_is_said(tmp_path, monkeypatch):
    runs = planned(tmp_path, part())
    monkeypatch.setattr(run_on_cluster, "execute", lambda run, stopped: stopped.wait(3))
    with cluster(1) as found:

        def gone():
            found.close()
            return False

        with pytest.raises(EngineError, match="cluster: the scheduler is gone; start it and give the same command"):
            execute_on_cluster(runs, found.scheduler_address, gone, lambda run, record: None)


@pytest.mark.parametrize("address", ["local:0", "local:two", "local:"])
def test_an_address_that_is_none(address, tmp_path):
    with pytest.raises(EngineError, match=f"cluster '{address}': a number of processes is expected"):
        executed(planned(tmp_path, part()), address)
