"""Kernels from the cache are loaded without the compiler, and first use says on a terminal that it compiles."""

import os
import pty
import subprocess
import sys

import pytest

from jigsat.csp.base import compiled

COUNT = "from jigsat.cli.main import main; main(['count', 'l-shape', '--motions', 'lattice', '--engine', 'backtrack'])"
COMPILER = ("numba.np.arraymath", "numba.cpython.unicode", "scipy.linalg")


def test_kernels_are_loaded_without_the_compiler():
    """It takes longer to load than all the rest, so that a small count would take twice as long."""
    code = f"{COUNT}\nimport sys; print([name for name in {COMPILER} if name in sys.modules])"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    again = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "count" in again.stdout
    assert again.stdout.splitlines()[-1] == "[]"


def test_processes_that_start_together_compile_a_kernel_once(tmp_path):
    code = """
from jigsat.csp.base.compiled import copy_numbers, load
load()
print(sum(copy_numbers.stats.cache_misses.values()))
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    together = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) for _ in range(3)
    ]
    assert sorted(process.communicate()[0] for process in together) == [b"0\n", b"0\n", b"1\n"]


def test_a_suspended_process_is_not_waited_for_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "_PATIENCE_SECONDS", 0.05)
    held = compiled._locked(str(tmp_path / "folder" / "lock"))
    assert compiled._locked(str(tmp_path / "folder" / "lock")) is None
    os.close(held)
    again = compiled._locked(str(tmp_path / "folder" / "lock"))
    assert again is not None
    os.close(again)


@pytest.mark.slow
def test_first_use_says_that_it_compiles(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = []
    for _ in range(2):
        controller, terminal = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-c", COUNT], stdout=subprocess.DEVNULL, stderr=terminal, env=environment
        ):
            os.close(terminal)
            said.append(_all_of(controller))
        os.close(controller)
    assert "compiling csp.search.tilings.lattice_kernel." in said[0]
    assert "once on this machine" in said[0]
    assert "compiling" not in said[1]


def _all_of(controller):
    told = b""
    while True:
        try:
            told += os.read(controller, 4096)
        except OSError:  # the terminal is closed
            return told.decode()
