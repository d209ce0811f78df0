"""`jigsat estimate`, and what the other commands take from the estimates."""

import json
import re
import sys

import pytest

from command_line import run
from jigsat import read
from jigsat.csp.base.words import about_duration
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.orders import named_order
from small_puzzles import WITHOUT_A_CHANCE


def test_eternity_ii(capsys):
    status, out, err = run(capsys, "estimate", "eternity2", "--order", "rowscan", "--rate", "1e8")
    assert (status, err) == (0, "")
    assert re.search(r"solutions +1\.4702270700883368979e\+4 expected\n", out)
    assert re.search(r"nodes +1\.3650311114131468182e\+47 expected\n", out)
    assert re.search(r"peak +7\.30158e\+45 at depth 161\n", out)
    assert "about 4.33e+31 years at 100.0 million nodes a second" in out


def test_the_search_itself_has_a_bar(capsys, monkeypatch):
    """Would catch a bar that asks for options which this command does not have."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, out, _ = run(capsys, "estimate", "puzzle-a", "--order", "rowscan", "--actual", "--depth-limit", "12")
    assert status == 0
    assert re.search(r"actual +[\d ]+ nodes in ", out)


def test_as_json(capsys):
    _, out, _ = run(capsys, "estimate", "puzzle-a", "--order", "rowscan", "--json", "--actual", "--probes", "1e4")
    record = json.loads(out)
    assert record["solutions"] == "1.4550969832659472558e+2"
    assert record["nodes"] == "4.5765882317094475894e+7"
    assert record["actual"]["nodes"] == 8_524_212
    assert record["nodes_per_second"] > 1e5
    assert len(record["by_depth"]) == 36
    assert sum(row["actual"] for row in record["by_depth"]) == 8_524_212
    assert abs(record["probes"]["nodes"] / 8_524_212 - 1) < 0.2
    assert {"depth", "square", "nodes", "to_search", "probed", "probed_error", "probed_trusted"} <= set(
        record["by_depth"][0]
    )


def test_the_ways_to_count_are_told(capsys):
    """The search along the order is not the quickest: frames take a hundredth of its time, as the output shows."""
    status, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8")
    assert status == 0
    section = out.partition("\n\n  ways to count, on this machine\n")[2].splitlines()
    assert section[1].startswith("> backtrack, method frames ")
    assert re.fullmatch(r"  \.\.\. and \d+ more: `jigsat plan INSTANCE --goal count`", section[6])
    assert len(section) == 7
    _, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8", "--json")
    ways = json.loads(out)["ways"]
    assert (ways[0]["chosen"], ways[0]["how"]) == (True, "method frames")
    assert ways == json.loads(run(capsys, "plan", "clue1", "--goal", "count", "--json")[1])["ways"]
    # What is asked of the estimate is asked of the ways: one order, no methods that count otherwise.
    _, out, _ = run(capsys, "estimate", "clue1", "--rate", "1e8", "--order", "rowscan", "--no-symmetry", "--json")
    of_backtracker = [way["how"] for way in json.loads(out)["ways"] if way["engine"] == "backtrack"]
    assert of_backtracker == ["order rowscan"]
    _, out, _ = run(capsys, "estimate", "tangram", "--probes", "64")
    assert "\n> backtrack " in out.partition("ways to count, on this machine")[2]


def test_by_depth(capsys):
    _, out, _ = run(capsys, "estimate", "puzzle-c", "--order", "rowscan", "--by-depth", "--no-symmetry", "--rate", "1")
    lines = out.splitlines()
    assert re.fullmatch(r" +33 +D1 +3\.44072e\+11 +3\.44072e\+11", lines[-32])
    assert len([line for line in lines if re.match(r" +\d+ +[A-H][1-8] ", line)]) == 64


@pytest.mark.parametrize(
    ("puzzle", "slips", "nodes"),
    [
        ("puzzle-a", [], "4.576588231709448e+7"),
        pytest.param("puzzle-c", [], "3.981274179773509e+12", marks=pytest.mark.slow),
        pytest.param("eternity2", ["--slips", "192x10"], "7.000475970880551e+57", marks=pytest.mark.slow),
    ],
)
def test_orders_are_compared_the_cheapest_first(capsys, puzzle, slips, nodes):
    _, out, _ = run(capsys, "estimate", puzzle, "--compare-orders", *slips, "--rate", "25e6")
    names, expected = zip(*re.findall(r"^  (\w+) +(\d\.\d{15}e\+\d+) ", out, re.MULTILINE), strict=True)
    assert names[0] == "best"
    assert list(expected) == sorted(expected, key=float)
    assert set(names) == {
        *("best", "rowscan", "colscan", "rowscan2", "spiral_in", "spiral_out", "frame_first", "zig_zag")
    }
    assert nodes in expected


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("name", ["curves.svg", "curves.png", "curves.pdf"])
def test_curves(tmp_path, capsys, name):
    file = tmp_path / name
    assert run(capsys, "estimate", "puzzle-a", "--compare-orders", "--plot", str(file), "--rate", "1e6")[0] == 0
    assert file.stat().st_size > 5000
    if name.endswith("svg"):
        # A curve and its legend for each of seven orders and the best one, and two for the joins.
        assert file.read_text().count('<g id="line2d_') > 10


def test_predicted_and_actual_are_drawn(tmp_path, capsys):
    file = tmp_path / "both.svg"
    options = "--order", "rowscan", "--actual", "--probes", "2e4", "--depth-limit", "20", "--plot", str(file)
    status, out, _ = run(capsys, "estimate", "puzzle-a", *options)
    assert status == 0
    assert "not all, the depth limit" in out
    assert file.read_text().startswith("<?xml")


@pytest.mark.slow
def test_numbers_beyond_any_float_are_drawn(tmp_path, capsys):
    file = tmp_path / "huge.svg"
    options = "--order", "rowscan", "--slips", "1x420", "--rate", "1e6", "--plot", str(file)
    status, out, _ = run(capsys, "estimate", "eternity2", *options)
    assert status == 0
    assert re.search(r"solutions +\d\.\d+e\+5\d\d expected", out)
    assert file.stat().st_size > 5000


def test_a_board_that_is_too_large_is_refused_at_once(tmp_path, capsys):
    file = tmp_path / "large.json"
    save(deal_edge_matching(65, 64, 5, 20, seed=1).puzzle, file)
    status, _, err = run(capsys, "estimate", str(file))
    assert (status, err.count("\n")) == (2, 1)
    assert "a 65x64 board is too large to estimate" in err
    # What is no estimate goes on as before.
    assert run(capsys, "count", str(file), "--node-limit", "5000", "--order", "rowscan")[0] == 0
    assert "best order: a 65x64 board is too large" in run(capsys, "count", str(file), "--order", "best")[2]


@pytest.mark.parametrize("puzzle", WITHOUT_A_CHANCE.values(), ids=WITHOUT_A_CHANCE.keys())
@pytest.mark.parametrize("options", ["", "--order best", "--probes 1000", "--actual --by-depth"])
def test_puzzles_without_a_chance(tmp_path, capsys, puzzle, options):
    file = tmp_path / "hopeless.json"
    save(puzzle, file)
    fills = all(pieces >= squares for pieces, squares in puzzle.class_sizes().values())
    status, out, err = run(capsys, "estimate", str(file), *options.split())
    assert status == (0 if fills else 2)
    assert err == "" if fills else "the pieces cannot fill the board" in err
    assert bool(re.search(r"solutions +0\.0{19}e\+0 expected", out)) == fills
    status, out, err = run(capsys, "count", str(file))
    assert status == (0 if fills else 2)
    assert err == "" if fills else "the pieces cannot fill the board" in err
    assert ("unsatisfiable" in out) == fills


def test_expectations_below_any_float(tmp_path, capsys):
    """Five hundred colours: the search is soon over, and what it finds is set beside 1e-400 nodes."""
    file = tmp_path / "colourful.json"
    save(deal_edge_matching(20, 20, 60, 500, seed=1).puzzle, file)
    status, out, err = run(
        capsys, "estimate", str(file), "--order", "rowscan", "--actual", "--by-depth", "--rate", "1e6"
    )
    assert (status, err) == (0, "")
    assert re.search(r"e-8\d\d +1 +1e\+300$", out.splitlines()[-20])


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


@pytest.mark.parametrize("names", [["I8", "P1"], ["P1", "I8", "P2"], ["I8", "P1", "P1"], ["I8", "Q1"]])
def test_orders_that_are_none(tmp_path, capsys, names):
    """A square missing, the fixed one not first, one twice, one off the board."""
    file = tmp_path / "order.txt"
    file.write_text(" ".join(names))
    status, _, err = run(capsys, "estimate", "eternity2", "--order", str(file))
    assert (status, err.count("\n")) == (2, 1)
    assert str(file) in err


def test_counts_know_what_was_predicted(capsys):
    _, out, _ = run(
        capsys, "count", "puzzle-a", "--order", "rowscan", "--no-symmetry", "--json", "--node-limit", "1000"
    )
    record = json.loads(out)
    assert record["predicted"] == {"solutions": "1.4550969832659472558e+2", "nodes": "4.5765882317094475894e+7"}


def test_the_best_order_is_one_for_all_commands(tmp_path, capsys):
    _, out, _ = run(capsys, "count", "puzzle-a", "--order", "best", "--json")
    record = json.loads(out)
    assert (record["count"], record["options"]["order"]) == (160, "best")
    _, out, _ = run(capsys, "estimate", "puzzle-a", "--order", "best", "--json")
    squares = json.loads(out)["squares"]
    puzzle = read("puzzle-a")
    assert sorted(map(puzzle.board.parse, squares)) == sorted(named_order(puzzle, "rowscan"))
    file = tmp_path / "order.svg"
    assert run(capsys, "draw", "puzzle-a", "--order", "best", "-o", str(file))[0] == 0
    assert "<svg" in file.read_text()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "about 0 seconds"), (90, "about 90 seconds"), (600, "about 10 minutes"), (86400, "about 24 hours"),
     (10**6, "about 11.6 days"), (10**9, "about 31.7 years"), (10**40, "about 3.17e+32 years")],
)  # fmt: skip
def test_times_are_told_in_the_unit_that_suits(seconds, text):
    assert about_duration(seconds) == text
