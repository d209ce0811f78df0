"""`jigsat count` by method, on threads, with a ledger, on a cluster: what a user sees of it."""

import json
import subprocess

import pytest

from command_line import COMMAND, run
from jigsat import count
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from simulated_gpu import environment


def test_a_ledger_is_resumed_and_says_so(capsys, tmp_path):
    ledger = str(tmp_path / "ledger")
    puzzle = deal_edge_matching(5, 5, 3, 3, seed=1).puzzle
    save(puzzle, tmp_path / "small.json")
    arguments = ("count", str(tmp_path / "small.json"), "--threads", "2", "--ledger", ledger, "--json")
    first = json.loads(run(capsys, *arguments)[1])
    second = json.loads(run(capsys, *arguments)[1])
    assert first["count"] == second["count"] == count(puzzle).count > 0
    assert first["statistics"]["parts from the ledger"] == 0
    assert (
        second["statistics"]["parts from the ledger"] == second["statistics"]["parts"] == first["statistics"]["parts"]
    )
    out = run(capsys, *arguments[:-1])[1]
    assert "parts from the ledger" in out
    assert "(0.0 thousand a second without set-up)" in out


@pytest.mark.filterwarnings("default:cluster:UserWarning")
def test_a_cluster_without_tls_is_used_with_a_warning(capsys):
    """One line, without the place in the code that Python adds to its warnings."""
    distributed = pytest.importorskip("distributed", reason="dask is an extra")
    with distributed.LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", dashboard_address=None, silence_logs=50
    ) as cluster:
        arguments = "--cluster", cluster.scheduler_address, "--method", "blocks", "--time-limit", "2"
        status, _, err = run(capsys, "count", "puzzle-a", *arguments)
    assert status == 0
    assert err.startswith(f"jigsat: warning: cluster {cluster.scheduler_address}: has no TLS, so everyone")
    assert err.count("\n") == 1


def test_a_count_on_a_gpu_is_that_of_a_processor(capsys, tmp_path):
    """In the simulator; without being asked, the method is plain, and the GPU is named."""
    save(deal_edge_matching(4, 4, 2, 3, seed=2).puzzle, tmp_path / "small.json")
    command = [*COMMAND, "count", str(tmp_path / "small.json"), "--device", "cuda", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    expected = json.loads(run(capsys, "count", str(tmp_path / "small.json"), "--json")[1])
    same = ("count", "canonical_count", "symmetry_factor", "nodes_by_depth", "complete", "status", "engine")
    assert {name: found[name] for name in same} == {name: expected[name] for name in same}
    assert (found["count"], found["nodes"]) == (128, 376)
    assert found["options"] == {"order": "rowscan", "symmetry": True, "device": "cuda:0 simulator"}
