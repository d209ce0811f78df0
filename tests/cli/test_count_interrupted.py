"""`jigsat count` without a ledger, interrupted: a lower bound, and how to keep more."""

from command_line import run


def test_a_stopped_count_names_the_ledger(capsys, tmp_path):
    command = ["count", "puzzle-c", "--method", "plain", "--time-limit", "0"]
    _, out, _ = run(capsys, *command)
    assert "\n  complete         NO, the time limit was reached: the counts are lower bounds\n" in out
    assert "\n  kept             nothing; a count with --ledger can be continued\n" in out
    _, out, _ = run(capsys, *command, "--ledger", str(tmp_path / "count.ledger"))
    assert "the counts are lower bounds\n" in out
    assert "kept" not in out
