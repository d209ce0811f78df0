"""`jigsat estimate`, and what the other commands take from the estimates."""

import json
import re

from command_line import run
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching


def test_the_ways_to_count_are_told(capsys):
    """The search along the order is not the quickest: frames take a hundredth of its time, as the output shows."""
    status, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8", "--verbose")
    assert status == 0
    section = out.partition("\n\n  ways to count, on this machine\n")[2].splitlines()
    assert section[1].startswith("> backtrack, method frames ")
    assert re.fullmatch(r"  and \d+ more ways: --verbose shows all", section[4])
    assert len(section) == 5
    assert "\n  Counting them takes about " in run(capsys, "estimate", "clue1", "--rate", "1e8")[1]
    _, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8", "--json")
    ways = json.loads(out)["ways"]
    assert (ways[0]["chosen"], ways[0]["how"]) == (True, "method frames")
    assert ways == json.loads(run(capsys, "plan", "clue1", "--goal", "count", "--json")[1])["ways"]
    # What is asked of the estimate is asked of the ways: one order, no methods that count otherwise.
    _, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8", "--order", "rowscan", "--no-symmetry", "--json")
    of_backtracker = [way["how"] for way in json.loads(out)["ways"] if way["engine"] == "backtrack"]
    assert of_backtracker == ["order rowscan"]
    _, out, _ = run(capsys, "estimate", "tangram", "--probes", "64", "--verbose")
    assert "\n> backtrack " in out.partition("ways to count, on this machine")[2]


def test_a_board_that_is_too_large_is_refused_at_once(tmp_path, capsys):
    file = tmp_path / "large.json"
    save(deal_edge_matching(65, 64, 5, 20, seed=1).puzzle, file)
    status, _, err = run(capsys, "estimate", str(file))
    assert (status, err.count("\n")) == (2, 1)
    assert "a 65x64 board is too large to estimate" in err
    # What is no estimate goes on as before.
    assert run(capsys, "count", str(file), "--node-limit", "5000", "--order", "rowscan")[0] == 0
    assert "best order: a 65x64 board is too large" in run(capsys, "count", str(file), "--order", "best")[2]


def test_an_interrupted_search_is_no_fact(capsys, monkeypatch):
    """Its nodes are lower bounds, and are not set beside what was predicted."""
    monkeypatch.setattr("jigsat.csp.search.ordered.run.Run.reason_to_stop", lambda self: "interrupt")
    status, out, _ = run(capsys, "estimate", "puzzle-c", "--actual", "--by-depth", "--rate", "1e6")
    assert status == 130
    assert "not all, interrupted" in out
    _, out, _ = run(capsys, "estimate", "puzzle-c", "--actual", "--json", "--rate", "1e6")
    record = json.loads(out)
    assert (record["actual"]["complete"], record["actual"]["ended_by"]) == (False, "interrupt")
    assert not any("actual" in row for row in record["by_depth"])
