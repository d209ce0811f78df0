"""Graphics processors (GPUs): finding one, and compiling kernels for it.

Everything here needs the extra `gpu`, an NVIDIA GPU and its driver.  Where the environment variable
NUMBA_ENABLE_CUDASIM is 1, Numba runs the same kernels slowly in Python instead, so that they can be tested anywhere.
"""

import gc
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numba import cuda as _cuda
from numba.core.errors import NumbaPerformanceWarning
from numpy.typing import NDArray

from ..base.errors import EngineError, need_extra
from ..base.stop import COMPILING

#: Numba's module for GPUs, in which the simulator replaces the real one.
cuda: Any = _cuda

# Small grids are no mistake: searches begin with one board.
warnings.filterwarnings("ignore", ".*Grid size", NumbaPerformanceWarning)

_F = TypeVar("_F", bound=Callable[..., Any])

#: Threads of a block: enough to keep a multiprocessor busy, and few enough for kernels that need many registers.
BLOCK = 128
# The blocks of a launch, for each multiprocessor.
_BLOCKS = 16


@dataclass(frozen=True)
class Gpu:
    """A GPU."""

    #: Its number, from 0.
    number: int
    #: What its driver calls it.
    name: str
    #: The number of its multiprocessors.
    multiprocessors: int
    #: Whether kernels run in Python instead.
    simulated: bool

    def __str__(self) -> str:
        return f"cuda:{self.number} {self.name}"

    def use(self) -> None:
        """Use it in this thread; each thread that starts kernels needs this once."""
        if not self.simulated:
            with _asking_driver():
                cuda.select_device(self.number)

    def release(self) -> None:
        """Give back the memory of arrays that nothing uses any more; Python and Numba do this late."""
        gc.collect()
        if not self.simulated:
            cuda.current_context().deallocations.clear()

    @property
    def free_bytes(self) -> int:
        """The memory on it that is free."""
        self.release()
        return 1 << 26 if self.simulated else int(cuda.current_context().get_memory_info()[0])

    def grid(self, items: int) -> tuple[int, int]:
        """Blocks and threads of a kernel whose threads share a number of items among them."""
        if self.simulated:
            return 1, min(max(items, 1), 4)
        return min(-(-max(items, 1) // BLOCK), _BLOCKS * self.multiprocessors), BLOCK


def find_gpu(device: str) -> Gpu:
    """The GPU that is named ``cuda`` or ``cuda:N``.

    Raises JigsatError if the name is wrong, there is no such GPU, the extra `gpu` is not installed, or other programs
    use the GPU.
    """
    found = re.fullmatch(r"cuda(?::(\d{1,4}))?", device)
    if found is None:
        raise EngineError(f"{device[:40]!r}: it must be cuda, or cuda:N for GPU number N, from 0", "device")
    number = int(found[1] or 0)
    if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
        return Gpu(number, "simulator", 1, simulated=True)
    need_extra("numba_cuda", extra="gpu", what=f"device {device} needs")
    if not cuda.is_available():
        raise EngineError(f"{device}: there is no NVIDIA GPU with a driver here; omit it", "device")
    gpus = list(cuda.gpus)
    if number >= len(gpus):
        known = ", ".join(f"cuda:{n}" for n in range(len(gpus)))
        raise EngineError(f"{device}: there is no such GPU, choose from {known}", "device")
    with _asking_driver(), gpus[number]:
        one = cuda.get_current_device()
        name = one.name.decode() if isinstance(one.name, bytes) else str(one.name)
        return Gpu(number, name, int(one.MULTIPROCESSOR_COUNT), simulated=False)


def on_gpu(array: NDArray[Any]) -> Any:
    """A copy of an array on the GPU; with one row of zeros if it is empty, which not all drivers accept.

    Raises EngineError if the memory of the GPU is full.
    """
    with _asking_driver():
        return cuda.to_device(array if array.size else np.zeros((1, *array.shape[1:]), dtype=array.dtype))


def room_on_gpu(shape: int | tuple[int, ...], kind: type[np.generic]) -> Any:
    """An array on the GPU, with anything in it; raises as `on_gpu` does."""
    with _asking_driver():
        return cuda.device_array(shape, dtype=kind)


@contextmanager
def _asking_driver() -> Iterator[None]:
    """A context that raises EngineError if another program has the GPU, or all of its memory, for itself."""
    try:
        yield
    except Exception as error:
        name = re.search("CUDA_ERROR_(OUT_OF_MEMORY|DEVICE_UNAVAILABLE)", str(error))
        if name is None:
            raise
        why = (
            "the memory of the GPU is full" if name[1] == "OUT_OF_MEMORY" else "another program has the GPU for itself"
        )
        raise EngineError(f"{why}; close other programs that use it", "device") from error


def device_kernel(function: Callable[..., None]) -> Any:
    """Compile a kernel for the GPU, at its first launch: ``kernel[blocks, threads](arguments)``."""
    return cuda.jit(function)


def device_function(function: _F) -> _F:
    """Compile a function that kernels call."""
    return cast(_F, cuda.jit(device=True)(function))


@contextmanager
def compiling(kernels: str) -> Iterator[None]:
    """A context in which kernels are compiled, which counts neither for time limits nor for seconds."""
    COMPILING.start(kernels)
    try:
        yield
    finally:
        COMPILING.end()
