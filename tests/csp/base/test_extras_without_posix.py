"""Without POSIX's modules and signals, as on Windows: what does not need them works, all else is refused in a line."""

import subprocess
import sys

import pytest

SCRIPT = """
import os, signal, subprocess, sys, threading
# Libraries take what they need of Linux before it is hidden.
import numba, ortools.sat.python.cp_model, psutil
psutil.Process.suspend = lambda process: None
for module in ("fcntl", "resource"):
    sys.modules[module] = None
del os.killpg
for name in ("SIGALRM", "SIGSTOP", "SIGCONT", "setitimer", "pthread_sigmask"):
    delattr(signal, name)

import jigsat as js
from jigsat.cli.main import main

puzzle = js.read("puzzle-a")
found = js.count(puzzle, engine="backtrack", order="rowscan", ledger="x.ledger")
print(found.count, found.peak_rss_mib > 10, js.solve(puzzle).status)
print(main("draw clue1 -o pieces.svg".split()))
print(main("solve clue3 --engine sat:cadical195 --quiet".split()))
print(main("compare smoke -o smoke --sample 1 --quiet".split()))
"""
NEED = "need Linux or macOS; on Windows, use the Windows Subsystem for Linux (WSL)"


@pytest.mark.slow
def test_what_needs_posix_is_refused_and_all_else_works(tmp_path):
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    lines = done.stdout.splitlines()
    assert lines[:4] == ["160 True satisfiable", "0", "2", "smoke: 5 of 5 runs recorded"], done.stderr
    assert lines[-1] == "0"
    assert done.stderr.splitlines() == [f"jigsat: SAT solvers {NEED}"]
    assert (tmp_path / "pieces.svg").read_text().endswith("</svg>\n")
