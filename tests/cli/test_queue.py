"""`jigsat compare --cheapest-first`: its order, giving up and coming back, budgets, lists, and kills."""

import random
import re
import subprocess
import threading
from math import log10

import pytest

import jigsat as js
from command_line import COMMAND, run
from experiment_texts import awaited, pretended, records_of
from jigsat.csp.base.errors import BookError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.estimators.experiments import queue, runner
from jigsat.estimators.experiments.records import NAME, read_notes
from jigsat.estimators.ways.times import Way, lognormal

#: Seconds that the plan predicts for a board, by its number.
SECONDS = {"0": 300.0, "1": 2.0, "2": 40.0, "3": 0.5}


def boards(folder, number=4, rows=4, inner=3):
    """A folder of puzzles, called 0.json and so on."""
    (folder / "boards").mkdir()
    for seed in range(number):
        js.save(deal_edge_matching(rows, rows, 2, inner, seed=seed).puzzle, folder / "boards" / f"{seed}.json")
    return folder / "boards"


@pytest.fixture
def priced(monkeypatch):
    """Prices are those of the table; the list gets the runs whose price is asked for."""
    asked = []

    def way_of(run):
        asked.append(run)
        seconds = SECONDS[run.recipe["instance"].removesuffix(".json")[-1]]
        return Way("backtrack", None, search=lognormal(log10(seconds), 0.1))

    monkeypatch.setattr(queue, "way_of", way_of)
    return asked


@pytest.fixture
def pretend(monkeypatch):
    return pretended(monkeypatch.setattr)


def names(runs):
    return [run.recipe["instance"].removesuffix(".json")[-1] for run in runs]


def compare(capsys, source, folder, *options):
    """Status, standard output, standard error."""
    asked = ("--engines", "backtrack", "--goal", "count", "--cheapest-first", *options)
    return run(capsys, "compare", str(source), "-o", str(folder), *asked)


def test_the_cheapest_comes_first(tmp_path, capsys, priced, pretend):
    status, out, err = compare(capsys, boards(tmp_path), tmp_path / "out")
    assert (status, err) == (0, "")
    assert names(pretend) == ["3", "1", "2", "0"]
    assert out.startswith("backtrack solved all 4 puzzles")
    assert "would cost" not in out


def test_a_budget_ends_it_and_the_same_command_goes_on(tmp_path, capsys, priced, pretend):
    """Each pretended run costs two seconds.  Prices are kept; a dry run has the same, and keeps nothing."""
    source, folder = boards(tmp_path), tmp_path / "out"
    *_, rest, by_price = compare(capsys, source, folder, "--dry-run")[1].splitlines()
    assert re.fullmatch(r"4 runs left; the rest would cost about 5\.\d+ minutes \(3\.\d+ min to 9\.\d+ min\)\.", rest)
    assert by_price == "By price: 2 below 10 s, then 1 below 60 s, then 1 below 10 min."
    assert not folder.exists()
    priced.clear()
    status, out, err = compare(capsys, source, folder, "--budget", "3s")
    assert (status, err) == (0, "")
    assert names(pretend) == ["3", "1"]
    assert "s of processor time spent; 2 of 4 runs recorded; the same command goes on.\n2 runs left; the rest" in out
    assert names(priced) == ["0", "1", "2", "3"]
    assert compare(capsys, source, folder, "--budget", "1h")[0] == 0
    assert (names(pretend), len(priced)) == (["3", "1", "2", "0"], 4)
    assert len(records_of(folder)) == 4
    assert "Nothing new was run: all 4 runs are recorded." in compare(capsys, source, folder)[1]


def test_what_costs_too_much_comes_back_later_with_twice_the_time(tmp_path, monkeypatch, capsys, priced, pretend):
    """Number 3 never ends in time; it comes back behind what costs less than its next attempt."""
    done, asked = runner.execute, []

    def execute(run, stopped):
        asked.append((names([run])[0], round(run.patience, 1), run.begun and run.begun["place"]))
        record = done(run, stopped)
        if names([run]) == ["3"] and run.patience < 50:
            left = {"seconds": run.patience, "place": [len(asked)], "version": "v"}
            return record | {"outcome": runner.GIVEN_UP, "left": left, "spent_seconds": run.patience}
        return record

    monkeypatch.setattr(runner, "execute", execute)
    source, folder = boards(tmp_path), tmp_path / "out"
    out = compare(capsys, source, folder, "--budget", "9s")[1]
    assert asked == [("3", 7.0, None), ("1", 2.0, None)]
    assert "3 runs left, 1 of them given up so far; the rest would cost about" in out
    del asked[:]
    assert compare(capsys, source, folder)[0] == 0
    # What is given up again continues at its last place; its next attempts cost 14, 28 and 56 seconds.
    assert asked == [("3", 14.0, [1]), ("3", 28.0, [1]), ("2", 165.0, None), ("3", 56.0, [2]), ("0", 1205.0, None)]
    assert [note["before"] for note in read_notes(folder / NAME) if note["note"] == "given up"] == [0.0, 7.0, 21.0]


def test_a_part_and_merging(tmp_path, capsys, priced, pretend):
    """Each machine takes the cheapest of its part; merged, nothing is left, and prices are not predicted again."""
    source, folder = boards(tmp_path), tmp_path / "out"
    for part in ("1/2", "2/2"):
        assert compare(capsys, source, folder, "--part", part)[0] == 0
    assert sorted(names(pretend)) == ["0", "1", "2", "3"]
    assert run(capsys, "merge", *map(str, sorted(folder.glob("part-*"))), "-o", str(folder / NAME))[0] == 0
    assert "all 4 runs are recorded" in compare(capsys, source, folder)[1]
    assert (len(pretend), len(priced)) == (4, 4)
    assert len(read_notes(folder / NAME)) == 4


def test_a_list_names_puzzles_and_errors_name_its_line(tmp_path, capsys, pretend):
    """Beside the list or bundled; a folder in it stands for its puzzles."""
    boards(tmp_path)
    (tmp_path / "list.txt").write_text("# two\nboards/1.json\n\nclue3\n")
    compare(capsys, tmp_path / "list.txt", tmp_path / "out")
    assert sorted(run.instance for run in pretend) == sorted([js.read(tmp_path / "boards/1.json").name, "clue3"])
    assert {run.family for run in pretend} == {str(tmp_path / "list.txt")}
    (tmp_path / "list.txt").write_text("boards\nboards/7.json\n")
    status, out, err = compare(capsys, tmp_path / "list.txt", tmp_path / "out")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{tmp_path / 'list.txt'}, line 2: boards/7.json: " in err
    (tmp_path / "boards" / "8.json").write_text('{"format": "jigsat/1"}')
    err = compare(capsys, tmp_path / "list.txt", tmp_path / "out")[2]
    assert f"{tmp_path / 'list.txt'}, line 1: {tmp_path / 'boards' / '8.json'}: " in err


@pytest.mark.slow
def test_a_search_that_was_given_up_continues(tmp_path, capsys, monkeypatch):
    """It has the count and the nodes of a search without a break, and its time is that of all attempts."""
    monkeypatch.setattr(queue, "_MULTIPLE", 0.0)
    monkeypatch.setattr(queue, "_LEAST", 0.3)
    puzzle = deal_edge_matching(6, 6, 3, 4, seed=1).puzzle
    js.save(puzzle, tmp_path / "long.json")
    status, _, err = compare(capsys, tmp_path / "long.json", tmp_path / "out", "--orders", "rowscan")
    assert (status, err) == (0, "")
    whole = js.count(puzzle, engine="backtrack", order="rowscan")
    (record,) = records_of(tmp_path / "out")
    assert (record["count"], record["nodes"]) == (whole.count, whole.nodes)
    assert record["nodes_by_depth"] == list(whole.nodes_by_depth)
    begun = [note for note in read_notes(tmp_path / "out" / NAME) if note["note"] == "given up"]
    assert begun
    assert begun[-1]["place"] is not None
    assert record["seconds"] > begun[-1]["before"] + begun[-1]["seconds"]


def results(folder):
    """What a comparison has found, without times."""
    kept = ("instance", "engine", "count", "canonical_count", "status", "outcome", "nodes", "nodes_by_depth")
    return sorted(tuple(str(record[name]) for name in kept) for record in records_of(folder))


def has_kept(folder, records):
    """Whether the book has that number of records, and some prices."""
    try:
        return len(records_of(folder)) >= records and len(read_notes(folder / NAME)) > 150
    except BookError:  # it is being made
        return False


@pytest.mark.slow
def test_five_hundred_boards_killed_ten_times(tmp_path):
    """Continued each time by the same command, the table is that of a comparison without a break."""
    source = boards(tmp_path, 500)
    asked = ["--engines", "backtrack", "--goal", "count", "--cheapest-first", "--quiet", "--jobs", "2"]
    command = [*COMMAND, "compare", str(source), *asked, "-o"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    draw = random.Random(1)
    for number in range(10):
        with subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL) as process:
            # The first one while prices are predicted, the others while runs are made.
            awaited(lambda number=number: has_kept(killed, records=40 * number), 600)
            assert process.poll() is None
            threading.Event().wait(draw.random())
            process.kill()
    assert 360 <= len(records_of(killed)) < 500
    subprocess.run([*command, str(killed)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*command, str(whole)], check=True, stdout=subprocess.DEVNULL)
    assert len(results(whole)) == 500
    assert results(killed) == results(whole)
