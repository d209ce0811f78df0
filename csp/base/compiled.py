"""Kernels: functions that are compiled, or loaded from a cache on disk, when they first run.

Numba is imported then, too: it takes longer than all that a command without a kernel does.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np

_F = TypeVar("_F", bound=Callable[..., object])
_MAKING = threading.RLock()


class Kernel:
    """A kernel; what it does not define here is that of Numba's dispatcher."""

    def __init__(self, function: Callable[..., Any], options: dict[str, bool]) -> None:
        self.py_func, self._options = function, options
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher, which compiles the kernel for the types of its arguments."""
        with _MAKING:  # for threads that call it first at the same time
            with _importing_less():
                from .compiler import dispatcher

            return vars(self).get("dispatcher") or dispatcher(self.py_func, **self._options)

    @property
    def _numba_type_(self) -> Any:
        # What kernels that call this one see.
        return self.dispatcher._numba_type_

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> Any:
        return self.dispatcher.__reduce__()

    @property
    def is_loaded(self) -> bool:
        """Whether it was compiled or loaded in this process."""
        return "dispatcher" in vars(self) and bool(self.dispatcher.overloads)


class _Metadata(ModuleType):
    """`importlib.metadata`, imported when something in it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from importlib import metadata

        return getattr(metadata, name)


@contextmanager
def _importing_less() -> Iterator[None]:
    """Let Numba import less: nothing to see only whether it is there, and `importlib.metadata` when it is used.

    Other threads may need these modules, and Numba reads a file with PyYAML if there is one; then all are imported.
    """
    found: dict[str, Any] = {}
    if threading.active_count() == 1 and not os.path.exists(".numba_config.yaml"):
        found = {"scipy": None, "yaml": None, "importlib.metadata": _Metadata("importlib.metadata")}
        found = {name: module for name, module in found.items() if name not in sys.modules}
    sys.modules.update(found)
    try:
        yield
    finally:
        for name in found:
            del sys.modules[name]


_KERNELS: list[Kernel] = []


def _kernel(function: _F, **options: bool) -> _F:
    _KERNELS.append(Kernel(function, options))
    return cast(_F, _KERNELS[-1])


def kernel(function: _F) -> _F:
    """Compile without the global lock, with a cache on disk where the module's folder or the user's takes one.

    References to arrays are not counted, which can take most of the time; so a kernel must not create arrays.
    """
    return _kernel(function)


def inner_kernel(function: _F) -> _F:
    """A kernel that is compiled only as a part of the kernels that call it; Python cannot call it."""
    return _kernel(function, no_cpython_wrapper=True)


def separate_kernel(function: _F) -> _F:
    """An inner kernel that is optimised by itself before it becomes a part of the kernels that call it."""
    return _kernel(function, is_separate=True, no_cpython_wrapper=True)


def inlined_kernel(function: _F) -> _F:
    """An inner kernel that is inlined into its callers however large it is: calls with many arrays take long."""
    return _kernel(function, no_cpython_wrapper=True, forceinline=True)


def any_loaded() -> bool:
    """Whether any kernel was compiled or loaded in this process; loading the first one takes a fraction of a second."""
    return any(one.is_loaded for one in _KERNELS)


@kernel
def copy_numbers(to, numbers):
    """Copy an array to the beginning of another one; kernels cannot do this by slice assignment."""
    for i in range(np.uint64(len(numbers))):
        to[i] = numbers[i]


def begins_aside() -> bool:
    """Whether this process may compile kernels for later ones: no other one does so already."""
    from .compiler import lock_aside

    return lock_aside(copy_numbers)


def load() -> None:
    """Load a kernel, so that the next one loads without delay."""
    copy_numbers(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
