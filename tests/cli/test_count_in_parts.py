"""`jigsat count` by method, on threads, with a ledger, on a cluster: what a user sees of it."""

import json
import subprocess

import pytest

from command_line import COMMAND, interrupted, run
from jigsat import count
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from simulated_gpu import environment


def test_the_method_is_chosen_by_predicted_cost(capsys):
    """And said, with what the others would have cost."""
    status, out, _ = run(capsys, "count", "clue1")
    assert status == 0
    assert "count            115 071 633 408\n" in out
    assert "chosen           backtrack, method frames, predicted about" in out
    assert "; " in out.partition("chosen")[2]
    assert "engine backtrack (frames)" in out


def test_a_quick_search_is_not_compared_with_anything(capsys, tmp_path):
    """To look at other methods would take longer."""
    save(deal_edge_matching(4, 4, 3, 3).puzzle, tmp_path / "small.json")
    status, out, _ = run(capsys, "count", str(tmp_path / "small.json"))
    assert status == 0
    assert "method" not in out


@pytest.mark.parametrize("method", ["plain", "frames", "macros", "blocks"])
def test_a_method_that_is_named_is_taken(capsys, method):
    status, out, _ = run(capsys, "count", "puzzle-a", "--method", method, "--json")
    record = json.loads(out)
    assert (status, record["count"], record["canonical_count"], record["complete"]) == (0, 160, 40, True)
    assert record["method"] in ((method,) if method != "plain" else ("staircase", "any order", "rowscan"))


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


@pytest.mark.parametrize("how", [["--method", "blocks"], ["--threads", "2"], ["--ledger", "LEDGER"]])
def test_jigsaws_are_counted_in_parts_too(capsys, tmp_path, how):
    """Their usual engine has no parts, so another one is taken."""
    how = [str(tmp_path / "ledger") if word == "LEDGER" else word for word in how]
    status, out, err = run(capsys, "count", "perfect-6x6", "--json", *how)
    assert (status, err) == (0, "")
    assert (json.loads(out)["engine"], json.loads(out)["canonical_count"]) == ("backtrack", 2)


def test_a_ledger_of_another_puzzle(capsys, tmp_path):
    ledger, paths = str(tmp_path / "ledger"), [str(tmp_path / f"{seed}.json") for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        save(deal_edge_matching(4, 4, 3, 3, seed=seed).puzzle, path)
    assert run(capsys, "count", paths[0], "--method", "macros", "--ledger", ledger)[0] == 0
    status, _, err = run(capsys, "count", paths[1], "--method", "macros", "--ledger", ledger)
    assert status == 2
    assert "instance" in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_counted(capsys, tmp_path):
    """A lower bound, status 130, and the ledger has it: a reader finds as much in it at once."""
    command = "count", medium_puzzle(tmp_path), "--method", "plain", "--ledger", str(tmp_path / "ledger"), "--json"
    out, _ = interrupted("group", "jigsat.csp.search.counting.ledger:Ledger.record", *command)
    first = json.loads(out)
    # The ledger is looked into when the parts are cut, for which there must be time.
    limits = ("0.5", "1", "2", "4", "8")
    records = (json.loads(run(capsys, *command, "--time-limit", limit)[1]) for limit in limits)
    second = next(record for record in records if record["statistics"]["parts"])
    assert (first["ended_by"], first["complete"]) == ("interrupt", False)
    assert (second["ended_by"], second["complete"]) == ("time", False)
    assert first["nodes"] == second["statistics"]["nodes from the ledger"] > 0
    assert first["count"] <= second["count"]


@pytest.mark.slow
def test_info_tells_the_numbers_of_blocks(capsys):
    """Eternity II's, the starter piece left out; the test of the compound puzzle has a closed count of them."""
    status, out, _ = run(capsys, "info", "eternity2", "--blocks")
    assert status == 0
    assert "blocks of 2x2    corner 1 307, edge 72 365, inner 995 228\n" in out
    assert json.loads(run(capsys, "info", "puzzle-a", "--blocks", "--json")[1])["blocks"].keys() == {
        "corner", "edge", "inner",
    }  # fmt: skip
    assert run(capsys, "info", "tangram", "--blocks")[0] == 2
    status, _, err = run(capsys, "info", "perfect-5x5", "--blocks")
    assert (status, err.count("\n")) == (2, 1)


def medium_puzzle(tmp_path):
    """A puzzle whose plain count takes half a minute of one core or so."""
    puzzle = deal_edge_matching(7, 7, 4, 6, seed=1).puzzle
    save(puzzle, tmp_path / "puzzle.json")
    return str(tmp_path / "puzzle.json")


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
