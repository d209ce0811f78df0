"""Compiling kernels, with a cache on disk where there is room for one."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from .stopping import COMPILING

_F = TypeVar("_F", bound=Callable[..., object])

_KERNELS: list[Any] = []


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
    try:
        compiled = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        compiled = njit(nogil=True, **options)(function)
    else:
        _Cache.replace(compiled)
    _KERNELS.append(compiled)
    return cast(_F, compiled)


class _Cache(FunctionCache):
    """Numba's cache, which loads machine code without loading the compiler first.

    Before it looks for the file, Numba would import its implementations of all functions that it can compile, and
    scipy.linalg with them, which takes longer than all the rest.  It does so again before it compiles anything.
    """

    @classmethod
    def replace(cls, compiled: Any) -> None:
        """Make this the cache of a function, unless its own one is not as we know it."""
        if type(compiled._cache) is FunctionCache and hasattr(FunctionCache, "_load_overload"):
            compiled._cache.__class__ = cls

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def any_loaded() -> bool:
    """Whether any kernel was compiled or loaded in this process; loading the first one takes a fraction of a second."""
    return any(getattr(one, "overloads", None) for one in _KERNELS)


class _Listener(event.Listener):
    """Keeps the time that compiling takes out of time limits."""

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        COMPILING.start(f"{function.__module__}.{function.__name__}")

    def on_end(self, event: object) -> None:
        COMPILING.end()


event.register("numba:compile", _Listener())


@lean_kernel
def copy_numbers(to, numbers):
    """Copy an array to the beginning of another one; lean kernels cannot do this by slice assignment."""
    for i in range(np.uint64(len(numbers))):
        to[i] = numbers[i]


def load() -> None:
    """Load a kernel, so that the next one loads without delay."""
    copy_numbers(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
