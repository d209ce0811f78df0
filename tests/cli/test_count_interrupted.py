"""`jigsat count` without a ledger, interrupted: a lower bound, and how to keep more."""

from command_line import run


def test_a_stopped_count_names_the_ledger(capsys, tmp_path):
    command = ["count", "puzzle-c", "--method", "plain", "--time-limit", "0"]
    _, out, _ = run(capsys, *command)
    assert "NOT complete: the time limit was reached" in out
    assert "\n  Nothing is kept; a count with --ledger FILE can be continued.\n" in out
    _, out, _ = run(capsys, *command, "--ledger", str(tmp_path / "count.ledger"))
    assert "NOT complete" in out
    assert "Nothing is kept" not in out
