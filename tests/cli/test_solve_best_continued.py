"""`jigsat solve --best` with beam and dive: killed, interrupted, continued."""

import json
import re
import signal
import subprocess
import time

import pytest

from command_line import COMMAND, run
from jigsat.csp.files.instances import save
from jigsat.csp.make.edge_matching import deal_edge_matching


@pytest.fixture
def puzzle(tmp_path):
    """Its solution is not found within a test."""
    path = tmp_path / "puzzle.json"
    save(deal_edge_matching(10, 10, 3, 9, seed=1).puzzle, path)
    return str(path)


def state(path):
    """The boards of a file, and how many beams or dives came before its place."""
    data = json.loads(path.read_text())
    (runner,) = data["state"]["place"]["runners"]
    return data["solutions"], runner.get("beams", runner.get("dives"))


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("engine", ["beam", "dive"])
def test_ended_by_a_signal(capsys, tmp_path, puzzle, engine, end):
    """Each better board is in the file once, and the next run begins where this one was."""
    output, part = tmp_path / "best.json", tmp_path / "best.json.part"
    arguments = ["solve", puzzle, "--best", "--engine", engine, "--seed", "1", "-o", str(output), "--quiet"]
    # The width depends on the limits unless it is given.
    arguments += ["--width", "2000"] if engine == "beam" else []
    # Without a limit, dives end when they bring no improvement.
    with subprocess.Popen([*COMMAND, *arguments, "--time-limit", "300"], stdout=subprocess.DEVNULL) as process:
        try:
            while not part.exists() or not re.search(r'\[\[.*"(dives|beams)":[2-9]', part.read_text(), re.DOTALL):
                assert process.poll() is None
                time.sleep(0.1)
            process.send_signal(end)
            process.wait(60)
        finally:
            process.kill()
    left = part if end == signal.SIGKILL else output
    boards, before = state(left)
    assert boards
    assert all(board not in boards[:number] for number, board in enumerate(boards))
    _, out, _ = run(capsys, "check", puzzle, str(left))
    best = max(int(score) for score in re.findall(r"score (\d+)", out))
    status, out, _ = run(capsys, *arguments, "--resume", "--node-limit", "1")
    (board,), after = state(output)
    assert (status, board, after) == (0, boards[-1], before)
    assert f"score            {best} of 180" in out
    status, out, _ = run(capsys, *arguments, "--resume", "--time-limit", "2")
    assert (status, state(output)[1] >= before) == (0, True)
    assert int(re.search(r"score +(\d+) of", out)[1]) >= best
