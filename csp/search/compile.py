"""Compiling kernels, with a cache on disk where there is room for one."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

_F = TypeVar("_F", bound=Callable[..., object])


def kernel(function: _F) -> _F:
    """`njit(cache=True, nogil=True)`, without the cache where no folder for it can be written.

    Numba caches beside the module or else in the user's cache folder; a read-only installation run by a user without
    a home has neither, and then compiling anew is better than not running.
    """
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        compiled = njit(nogil=True)(function)
    return cast(_F, compiled)
