"""Kernels from the cache are loaded without the compiler, and a cache that cannot be used ends no work."""

import errno
import gc
import importlib.util
import os
import subprocess
import sys
import warnings

import pytest
from numba.core.caching import CompileResultCacheImpl

from jigsat.csp.base import compiled, compiler

COUNT = "from jigsat.cli.main import main; main(['count', 'l-shape', '--motions', 'lattice', '--engine', 'backtrack'])"
COMPILER = ("numba.np.arraymath", "numba.cpython.unicode", "scipy.linalg", "numpy.ma")


def test_kernels_are_loaded_without_the_compiler():
    """It takes longer to load than all the rest, so that a small count would take twice as long."""
    code = f"{COUNT}; main(['solve', 'clue3'])\nimport sys; print([name for name in {COMPILER} if name in sys.modules])"
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


def test_a_kernel_is_compiled_with_one_that_was_loaded(tmp_path):
    """And it is loaded without that one."""
    (tmp_path / "copying.py").write_text("""
import numpy as np
from jigsat.csp.base.compiled import copy_numbers, kernel
@kernel
def copy(to, numbers):
    copy_numbers(to, numbers)
to = np.zeros(3, dtype=np.int64)
copy(to, np.arange(3))
print(to.sum())
""")
    load = "from jigsat.csp.base.compiled import load; load()"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for code, told in (load, b""), (f"{load}; import copying", b"3\n"), ("import copying", b"3\n"):
        assert subprocess.check_output([sys.executable, "-c", code], env=environment, cwd=tmp_path) == told


def test_a_suspended_process_is_not_waited_for_without_end(tmp_path):
    held = compiler._locked(str(tmp_path / "folder" / "lock"))
    assert compiler._locked(str(tmp_path / "folder" / "lock"), patience=0.05) is None
    os.close(held)
    again = compiler._locked(str(tmp_path / "folder" / "lock"))
    assert again is not None
    os.close(again)


DAMAGES = {
    "cut short": lambda path: os.truncate(path, os.path.getsize(path) - 1),
    "empty": lambda path: os.truncate(path, 0),
    "wrong bit": lambda path: path.write_bytes(path.read_bytes()[:-9] + b"?" + path.read_bytes()[-8:]),
    "unreadable": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_broken_cache_costs_a_warning_and_the_time_to_compile(tmp_path, monkeypatch, damage):
    assert _doubled(tmp_path, monkeypatch) == (42, 1, [])
    again = _doubled(tmp_path, monkeypatch)
    assert again == (42, 0, []), again
    for path in list(tmp_path.rglob("*.nbc")):
        damage(path)
    answer, compiled_kernels, said = _doubled(tmp_path, monkeypatch)
    assert (answer, compiled_kernels) == (42, 1)
    assert str(tmp_path / "__pycache__") in said[0]
    if damage is not DAMAGES["unreadable"]:
        assert _doubled(tmp_path, monkeypatch) == (42, 0, [])


def test_each_kind_of_processor_has_machine_code_of_its_own(tmp_path, monkeypatch):
    """A folder may be shared by machines of two kinds; neither loads or replaces what the other one has compiled."""
    assert _doubled(tmp_path, monkeypatch) == (42, 1, [])
    monkeypatch.setattr("numba.core.config.CPU_NAME", "generic")
    assert _doubled(tmp_path, monkeypatch) == (42, 1, [])
    monkeypatch.setattr("numba.core.config.CPU_NAME", None)
    assert _doubled(tmp_path, monkeypatch) == (42, 0, [])
    assert len(list(tmp_path.rglob("*.nbc"))) == 2


@pytest.mark.parametrize("decorator", [compiled.inner_kernel, compiled.separate_kernel, compiled.inlined_kernel])
def test_python_cannot_call_an_inner_kernel(decorator):
    """Numba would jump to a wrapper that there is not, and the process would end."""
    inner = decorator(_successor)
    outer = compiled.kernel(lambda n: inner(n))
    for kernel in (inner, outer):
        compiled._KERNELS.remove(kernel)
    for _ in range(2):
        with pytest.raises(TypeError, match="_successor is an inner kernel"):
            inner(41)
        assert outer(41) == 42


def _successor(n):
    return n + 1


def test_a_full_disk_ends_no_work(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    answer, compiled_kernels, said = _doubled(tmp_path, monkeypatch)
    assert (answer, compiled_kernels, len(said)) == (42, 1, 1)
    assert f"{tmp_path / '__pycache__'} is not used: it cannot be written: No space left on device" in said[0]
    assert not list(tmp_path.rglob("*.nbc*"))


def test_without_any_cache_folder_there_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    answer, _, said = _doubled(tmp_path, monkeypatch)
    assert (answer, len(said)) == (42, 1)
    assert f"{tmp_path / '__pycache__'} is not used" in said[0]


def _doubled(folder, monkeypatch):
    """Call a kernel of a module in this folder as a new process would: the answer, kernels compiled, and warnings."""
    (folder / "doubling.py").write_text("def double(n):\n    return 2 * n\n")
    os.utime(folder / "doubling.py", (1, 1))
    monkeypatch.setattr(compiler, "_WARNED", set())
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")  # what Numba has read of the environment
    found = importlib.util.spec_from_file_location("doubling", folder / "doubling.py")
    module = importlib.util.module_from_spec(found)
    # Numba imports the module of a kernel that it loads, unless the kernel is still in memory.
    monkeypatch.setitem(sys.modules, "doubling", module)
    gc.collect()
    found.loader.exec_module(module)
    double = compiled.kernel(module.double)
    compiled._KERNELS.remove(double)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        answer = double(21)
    return answer, 1 - sum(double.stats.cache_hits.values()), [str(one.message) for one in said]
