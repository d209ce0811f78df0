"""`jigsat count`: what is printed of a count that was stopped or verified, and the exit status."""

import json
from dataclasses import replace

import pytest

from command_line import run
from jigsat.csp.files.instances import read_puzzle
from jigsat.estimators.plan import second_count


@pytest.fixture
def other(monkeypatch):
    """The second count is that of another puzzle."""
    made, puzzle = second_count._job, read_puzzle("perfect-6x6")
    monkeypatch.setattr(second_count, "_job", lambda plan, way: replace(made(plan, way), puzzle=puzzle))


@pytest.mark.usefixtures("other")
def test_a_difference_is_told_with_both_numbers_and_fails(capsys):
    status, out, err = run(capsys, "count", "three-solutions-6x6", "--method", "plain", "--verify")
    assert status == 1
    assert "\n  NOT THE SAME: " in out
    assert err.startswith("jigsat: DIFFERENT COUNTS: backtrack (")
    assert err.endswith(" counts 8, 2 up to symmetry; one of them is wrong, please report it\n")
    assert " counts 12, 3 up to symmetry, but " in err
    status, out, err = run(capsys, "count", "three-solutions-6x6", "--verify", "--json")
    assert (status, json.loads(out)["verified"]["same"]) == (1, False)
    assert err.startswith("jigsat: DIFFERENT COUNTS: ")


@pytest.mark.parametrize(("ended_by", "status"), [("interrupt", 130), ("time", 0)])
def test_a_count_that_was_not_verified(ended_by, status, capsys, monkeypatch):
    ended = second_count._unverified("why", ended_by)
    monkeypatch.setattr(
        "jigsat.estimators.plan.second_count.count_twice", lambda plan, report: replace(plan.run(), verified=ended)
    )
    code, out, err = run(capsys, "count", "perfect-3x3", "--verify")
    assert (code, err) == (status, "")
    assert "exactly 2 different solutions (8 if turned boards count apart)" in out
    assert "\n  NOT verified: why\n" in out


def test_a_stopped_count_names_the_ledger(capsys, tmp_path):
    command = ["count", "puzzle-c", "--method", "plain", "--time-limit", "0"]
    _, out, _ = run(capsys, *command)
    assert "NOT complete: the time limit was reached" in out
    assert "\n  Nothing is kept; a count with --ledger FILE can be continued.\n" in out
    _, out, _ = run(capsys, *command, "--ledger", str(tmp_path / "count.ledger"))
    assert "NOT complete" in out
    assert "Nothing is kept" not in out


def test_several_puzzles_have_a_line_each_and_a_total(tmp_path, capsys):
    """All are read before the first is counted; files of one count are refused."""
    names = tmp_path / "list.txt"
    names.write_text("puzzle-a\n# the next one\nperfect-3x3\n")
    status, out, err = run(capsys, "count", str(names))
    assert (status, err) == (0, "")
    assert [line.partition(",")[0] for line in out.splitlines()] == [
        "puzzle-a: exactly 40 different solutions (160 if turned boards count apart)",
        "perfect-3x3: exactly 2 different solutions (8 if turned boards count apart)",
        "2 puzzles: 42 different solutions in all.",
    ]
    status, out, _ = run(capsys, "count", str(names), "--json")
    assert [json.loads(line)["count"] for line in out.splitlines()] == [160, 8]
    status, out, _ = run(capsys, "count", str(names), "--time-limit", "0")
    assert (status, out.splitlines()[-1]) == (0, "2 puzzles: at least 0 different solutions in all.")
    names.write_text("puzzle-a\nnone.json\n")
    status, out, err = run(capsys, "count", str(names))
    assert (status, out) == (2, "")
    assert err.startswith(f"jigsat: {names}, line 2: none.json: there is no such file")
    status, out, err = run(capsys, "count", str(names), "--ledger", "x")
    assert (status, out, err) == (2, "", "jigsat: --ledger: it is for the count of one puzzle\n")
