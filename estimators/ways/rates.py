"""The nodes a second of each kernel on this machine.

The bundled rates were measured on one processor.  Searches that run long enough record their rate in a file in the
user's cache folder, and later predictions use the recorded rates.  They are discarded when the processor or the version
of Numba changes.
"""

import json
import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import chain
from math import log10
from pathlib import Path
from statistics import median
from typing import Any

from ...csp.base.errors import JigsatError
from ...csp.base.safe_files import replacing
from ...csp.engines.result import Result
from ...csp.puzzles.board import DOWN, LEFT
from ...csp.puzzles.candidates import color_indices
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ..effort.asked import SlipSpec
from .spread import Spread

#: Nodes a second by engine and method, on one core of an Intel Xeon (family 6, model 167, 2.6 GHz);
#: `tests/benchmarks/rates.py` measures them.  Most puzzles are within a factor of 1.5 of these rates, a few within 1.8.
RATES = {
    "backtrack staircase": 110e6,
    "backtrack any order": 105e6,
    "backtrack slips": 58e6,
    "backtrack frames": 165e6,
    "backtrack macros": 83e6,
    "backtrack blocks": 43e6,
    "backtrack halves": 1e9,
    "most-constrained most constrained square": 2.2e6,
    "beam beam search": 5.3e6,
    "dive dives with restarts": 35e6,
}
#: Nodes a second for each multiprocessor of a GPU, an NVIDIA H200; `tests/benchmarks/gpu_counting.py` and `gpu_beam.py`
#: measure them.
GPU_RATES = {"backtrack": 57e6, "beam": 2e6}
#: Seconds to compile the kernels for a GPU, which every process does.
FOR_GPU = 7.0
#: Kernels whose rates count units of predicted cost instead of nodes, so that no search can measure them.
BY_COST = frozenset({"backtrack frames", "backtrack halves"})
# The speedup for each thread of a search.
_A_THREAD = 0.95
# The rates that are recorded.
_NOTED = RATES.keys() - BY_COST
# With more colours, tables indexed by two colours are too large for the few pieces that fit.
_MOST_COLORS = 64
# Shorter searches are too short to measure their speed.
_LONG_ENOUGH, _ENOUGH_NODES = 0.25, 5_000_000
# The weight of a new measurement against the earlier ones.
_WEIGHT = 0.5


def kernel_of(puzzle: EdgeMatchingPuzzle, order: Order, *, slips: SlipSpec, frame_slips: SlipSpec = None) -> str:
    """The name in `RATES` of the kernel that searches along an order; for very many colours it is approximate."""
    if checked_slips(puzzle, slips) or checked_frame_slips(puzzle, frame_slips):
        return "backtrack slips"
    if len(color_indices(puzzle, chain.from_iterable(puzzle.pieces))) > _MOST_COLORS:
        return "backtrack any order"
    fixed = {fixed.square for fixed in puzzle.fixed}
    seen: set[int] = set()
    for square in order:
        if square in fixed:
            continue
        known = {join.side for join in puzzle.board.joins_of(square) if join.second in seen}
        if not known <= {DOWN, LEFT}:
            return "backtrack any order"
        seen.add(square)
    return "backtrack staircase"


def rate(kernel: str, *, bundled: bool = False) -> float:
    """Nodes a second: the recorded rate of this machine, or the bundled rate times the relative speed of this machine.

    - `kernel`: a name in `RATES`.
    - `bundled`: whether to use only the bundled rates, which never change.
    """
    known = {} if bundled else noted()
    return known[kernel] if kernel in known else RATES[kernel] * machine(bundled=bundled)


def on_gpu(engine: str, device: str) -> float:
    """Nodes a second of an engine on a GPU of this machine; raises JigsatError if it is not there."""
    from ...csp.search.gpu import find_gpu

    return GPU_RATES[engine] * find_gpu(device).multiprocessors


def of_threads(threads: int) -> float:
    """The speed of a search on several threads, relative to that on one."""
    return 1.0 if threads == 1 else _A_THREAD * threads


def machine(*, bundled: bool = False) -> float:
    """The speed of this machine relative to that of the bundled rates; 1 without recorded rates."""
    known = {} if bundled else noted()
    return median([known[name] / RATES[name] for name in known if name in RATES] or [1.0])


def on_this_machine(seconds: Spread | None, *, bundled: bool = False) -> Spread | None:
    """Convert a time on the machine of the bundled rates to this machine."""
    return None if seconds is None else seconds.times(-log10(machine(bundled=bundled)))


def note(result: Result[Any]) -> None:
    """Record the rate of a finished search if it measures the speed of one thread of its kernel."""
    kernel = f"{result.engine} {result.method}"
    # Processor time, so that other processes on the machine do not count.
    searching = min(result.seconds, result.cpu_seconds) - result.build_seconds
    if (
        kernel not in _NOTED
        or result.threads != 1
        or "device" in result.options
        or searching < _LONG_ENOUGH
        or result.nodes_now < _ENOUGH_NODES
    ):
        return
    now, known = result.nodes_now / searching, dict(noted())
    known[kernel] = known[kernel] ** (1 - _WEIGHT) * now**_WEIGHT if kernel in known else now
    # If the file cannot be written, the next search measures again.
    with suppress(OSError, JigsatError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_file()) as file:
            json.dump({"machine": _machine(), "rates": {name: round(value) for name, value in known.items()}}, file)
        noted.cache_clear()


@cache
def noted() -> Mapping[str, float]:
    """The recorded rates of this machine."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(_file().read_text(encoding="utf-8"))
        if kept["machine"] == _machine():
            rates = {str(name): float(value) for name, value in kept["rates"].items() if float(value) > 0}
            return {name: value for name, value in rates.items() if name in _NOTED}
    return {}


def _file() -> Path:
    """The file of recorded rates."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(folder) / "jigsat" / "rates.json"


@cache
def _machine() -> str:
    """The processor and the version of Numba, on which the speed of kernels depends."""
    return f"{_processor()}, Numba {version('numba')}"


def _processor() -> str:
    """The name of the processor, as far as the system reports it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
