"""Without the modules and names that only POSIX systems have, as on Windows, modules load and commands work."""

import subprocess
import sys

PROGRAM = """
import os, signal, sys
# Libraries take what they need of this system before it is hidden.
import asyncio, filelock, multiprocessing.connection, numba, ortools.sat.python.cp_model, psutil, pysat.solvers
for module in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[module] = None
for name in ("SIGALRM", "SIGHUP", "SIGUSR1", "pthread_sigmask", "setitimer"):
    delattr(signal, name)
for name in ("fchmod", "fork", "getpgid", "killpg", "pread", "sched_getaffinity", "setsid", "sysconf"):
    delattr(os, name)

from importlib import import_module
from pathlib import Path
import jigsat

root = Path(jigsat.__file__).parent
for folder in ("cli", "api", "csp", "estimators", "models", "render", "studio"):
    for path in sorted((root / folder).rglob("*.py")):
        # BenchExec, which loads one of them, need not be installed.
        if "gpu" not in path.parts and path.name != "benchexec_tool.py":
            import_module(".".join(("jigsat", *path.relative_to(root).with_suffix("").parts)))

from jigsat.cli.main import main
from jigsat.cli.signals import SIGNALS

SIGNALS.guard()
for command in (
    "list",
    "info perfect-3x3",
    "count perfect-3x3 --engine backtrack --ledger x.ledger",
    "count perfect-3x3 --engine backtrack --ledger x.ledger",
    "solve perfect-3x3 --all --engine backtrack -o all.json",
    "solve perfect-3x3 --engine sat:cadical195 -o one.json",
    "solve perfect-3x3 --engine portfolio",
    "make edge-matching --rows 4 --columns 4 --frame-colors 2 --inner-colors 3 --seed 1 -o made.json",
    "check perfect-3x3 all.json",
    "compare smoke -o smoke --sample 1 --quiet",
):
    print("status", main(command.split()))
"""


def test_what_only_posix_has_is_not_needed(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    told = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert [line for line in told if line.startswith("status")] == ["status 0"] * 10, done.stderr
    assert sum("(8 if turned boards count apart)" in line for line in told) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "all.json",
        "made.json",
        "one.json",
        "smoke",
        "x.ledger",
    ]
