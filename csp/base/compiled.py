"""Compiling kernels, with a cache on disk where there is room for one."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from .safe_files import lock
from .stopping import COMPILING

_F = TypeVar("_F", bound=Callable[..., object])

_KERNELS: list[Any] = []

#: How long to wait for a process that compiles the same kernel; it may have been suspended.
_PATIENCE_SECONDS = 60.0


def kernel(function: _F) -> _F:
    """`njit(cache=True, nogil=True)`, without the cache where no folder for it can be written.

    Numba caches next to the module or in the user's cache folder.  A read-only installation run by a user without a
    home directory has neither; then the kernels are compiled in every process.
    """
    return _compiled(function)


def lean_kernel(function: _F) -> _F:
    """The same without reference counting of arrays; the function must not create arrays.

    Functions that pass dozens of arrays through many calls would spend nine tenths of their time on counting
    references.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: _F) -> _F:
    """A lean kernel that is inlined into its callers before they are compiled; for functions with few callers."""
    return _compiled(function, _nrt=False, inline="always")


def _compiled(function: _F, **options: Any) -> _F:
    # Wrappers for callers in C take a sixth of the time to compile, and there are no such callers.
    options["no_cfunc_wrapper"] = True
    try:
        compiled = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        compiled = njit(nogil=True, **options)(function)
    else:
        _Cache.replace(compiled)
    _KERNELS.append(compiled)
    return cast(_F, compiled)


class _Cache(FunctionCache):
    """Numba's cache, which loads machine code without loading the compiler first, and compiles nothing twice.

    Before it looks for the file, Numba would import its implementations of all functions that it can compile, and
    scipy.linalg with them, which takes longer than all the rest.  It does so again before it compiles anything.

    Processes that start together need the same kernels.  The first one locks the kernel, compiles and saves it; the
    others wait and load it.  Numba itself would compile it in each of them, and two that save different signatures at
    the same time could end up with each other's machine code.
    """

    @classmethod
    def replace(cls, compiled: Any) -> None:
        """Make this the cache of a function, unless its own one is not as we know it."""
        if type(compiled._cache) is FunctionCache and hasattr(FunctionCache, "_load_overload"):
            compiled._cache.__class__ = cls

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
            if found is None:
                _LOCKS.lock(_name(self._py_func), self._cache_file._index_path)
                found = self._load_overload(sig, target_context)
                if found is not None:
                    _LOCKS.unlock()
            return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        finally:
            _LOCKS.unlock()


class _Locks:
    """The kernels that this process is compiling, each locked for other processes, from caller to callee.

    Numba compiles in one thread at a time.  No two processes wait for each other, since no kernel calls itself.
    """

    def __init__(self) -> None:
        self._held: list[int | None] = []

    def lock(self, kernel: str, index: str) -> None:
        """Lock the kernel with this index file, or go on without a lock where there can be none."""
        COMPILING.start(kernel)
        try:
            self._held.append(_locked(f"{index}.lock"))
        finally:
            COMPILING.end()

    def unlock(self) -> None:
        """Unlock the kernel that was locked last."""
        descriptor = self._held.pop() if self._held else None
        if descriptor is not None:
            os.close(descriptor)


_LOCKS = _Locks()


def _locked(path: str) -> int | None:
    """The descriptor of a file that is locked until it is closed; None if it cannot be locked."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # no room, or no permission
        return None
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            lock(descriptor)
            return descriptor
        except BlockingIOError:
            if time.monotonic() >= end:
                os.close(descriptor)
                return None
            time.sleep(0.02)
        except BaseException:
            os.close(descriptor)
            raise


def any_loaded() -> bool:
    """Whether any kernel was compiled or loaded in this process; loading the first one takes a fraction of a second."""
    return any(getattr(one, "overloads", None) for one in _KERNELS)


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__name__}"


class _Listener(event.Listener):
    """Keeps the time that compiling takes out of time limits."""

    def on_start(self, event: Any) -> None:
        COMPILING.start(_name(event.data["dispatcher"].py_func))

    def on_end(self, event: object) -> None:
        COMPILING.end()
        if sys.exc_info()[0] is not None:  # nothing will be saved: Ctrl-C, for instance
            _LOCKS.unlock()


event.register("numba:compile", _Listener())


@lean_kernel
def copy_numbers(to, numbers):
    """Copy an array to the beginning of another one; lean kernels cannot do this by slice assignment."""
    for i in range(np.uint64(len(numbers))):
        to[i] = numbers[i]


def load() -> None:
    """Load a kernel, so that the next one loads without delay."""
    copy_numbers(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
