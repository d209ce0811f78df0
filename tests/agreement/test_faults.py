"""Commands whose writes fail, and losses of power; `python tests/agreement/faults.py` has all of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faults import library

SCRIPT = Path(__file__).with_name("faults.py")


def outcome(tmp_path, *words):
    """The status of the script, and the numbers in its last row but those of power."""
    if library(tmp_path) is None:
        pytest.skip("there is no C compiler to make writes fail with, or no /proc")
    # Thousands of fsyncs are quick in memory.
    place = {"TMPDIR": "/dev/shm"} if os.path.isdir("/dev/shm") else {}
    done = subprocess.run(
        [sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False, env={**os.environ, **place}
    )
    [row] = [line.split() for line in done.stdout.splitlines() if " faults " in line]
    return done.returncode, [int(word) for word in (row[0], *row[2:])], done.stdout + done.stderr


@pytest.mark.slow
def test_a_write_that_fails_is_told_in_a_line_and_nothing_is_lost(tmp_path):
    """Records and a drawing, and what was synced before power was lost."""
    words = ["--of", "records", "drawing", "--fault", "EIO", "short", "killed-half", "--every", "9", "--losses", "1"]
    status, (faults, refused, unharmed, killed, *others), told = outcome(tmp_path, *words)
    assert (status, others) == (0, [0, 0, 0, 0]), told
    assert faults == refused + unharmed + killed
    assert min(refused, killed) > 0
    assert "power lost, ledger: " in told


@pytest.mark.slow
def test_all_faults(tmp_path):
    status, (_, refused, _, killed, *others), told = outcome(tmp_path)
    assert (status, others) == (0, [0, 0, 0, 0]), told
    assert min(refused, killed) > 100
