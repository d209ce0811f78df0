"""Compiling kernels, with a cache on disk where there is room for one."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numba.core import event

from .stopping import COMPILING

_F = TypeVar("_F", bound=Callable[..., object])

_KERNELS: list[Any] = []


def kernel(function: _F) -> _F:
    """`njit(cache=True, nogil=True)`, without the cache where no folder for it can be written.

    Numba caches beside the module or else in the user's cache folder; a read-only installation run by a user without
    a home has neither, and then compiling anew is better than not running.
    """
    return _compiled(function)


def lean_kernel(function: _F) -> _F:
    """The same without counting references to arrays; so the function must not make any.

    Functions that take some tens of arrays, many calls deep, would spend nine tenths of their time on counting.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: _F) -> _F:
    """A lean kernel whose code is put into its callers before they are compiled; for what few places call."""
    return _compiled(function, _nrt=False, inline="always")


def _compiled(function: _F, **options: Any) -> _F:
    try:
        compiled = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        compiled = njit(nogil=True, **options)(function)
    _KERNELS.append(compiled)
    return cast(_F, compiled)


def any_loaded() -> bool:
    """Whether any kernel was compiled or loaded in this process; the first one takes a part of a second to load."""
    return any(getattr(one, "overloads", None) for one in _KERNELS)


class _Listener(event.Listener):
    """Has the time that compiling takes left out of time limits."""

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        COMPILING.start(f"{function.__module__}.{function.__name__}")

    def on_end(self, event: object) -> None:
        COMPILING.end()


event.register("numba:compile", _Listener())


@lean_kernel
def copy_numbers(to, numbers):
    """Copy an array to the beginning of another one, which a lean kernel cannot by assigning it."""
    for i in range(np.uint64(len(numbers))):
        to[i] = numbers[i]


def load() -> None:
    """Load a kernel, so that the next one is loaded at once."""
    copy_numbers(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
