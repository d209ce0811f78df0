"""How many nodes a second each kernel makes on this machine.

The bundled numbers are those of one processor.  Whatever is searched here for long enough to tell is noted in a file of
the user's cache folder, and from then on the predictions go by that.  The notes are dropped when the processor or
Numba change.
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

from ...csp.base.safe_files import replacing
from ...csp.engines.result import Result
from ...csp.puzzles.board import DOWN, LEFT
from ...csp.puzzles.candidates import color_indices
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import Order
from ...csp.puzzles.slips import checked_slips
from ..effort.asked import SlipSpec
from .spread import Spread

#: Nodes a second by engine and method, on one core of an Intel Xeon (family 6, model 167, 2.6 GHz);
#: `tests/benchmarks/rates.py` measures them.  Most puzzles lie within a factor of 1.5, a few within 1.8.
RATES = {
    "backtrack staircase": 110e6,
    "backtrack any order": 105e6,
    "backtrack slips": 58e6,
    "backtrack frames": 165e6,
    "backtrack macros": 83e6,
    "backtrack blocks": 43e6,
    "most-constrained most constrained square": 2.2e6,
    "beam beam search": 5.3e6,
    "dive dives with restarts": 35e6,
}
#: Whose numbers are not of nodes but of what plans reckon with, so that no record tells them.
BY_COST = frozenset({"backtrack frames"})
# The others are noted.
_NOTED = RATES.keys() - BY_COST
# With more colours, tables by two of them are too large where few pieces fit.
_MOST_COLORS = 64
# A search that is shorter says little of its speed.
_LONG_ENOUGH, _ENOUGH_NODES = 0.25, 5_000_000
# How much a new measurement counts against those before.
_WEIGHT = 0.5


def kernel_of(puzzle: EdgeMatchingPuzzle, order: Order, *, slips: SlipSpec) -> str:
    """The name in `RATES` of the kernel that searches along an order; for very many colours it may be another one."""
    if checked_slips(puzzle, slips):
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
    """Nodes a second: as noted on this machine, or as bundled, times how much quicker this machine is elsewhere.

    Parameters
    ----------
    kernel
        A name in `RATES`.
    bundled
        Whether to look at nothing but the bundled numbers, which never change.
    """
    known = {} if bundled else noted()
    return known[kernel] if kernel in known else RATES[kernel] * machine(bundled=bundled)


def machine(*, bundled: bool = False) -> float:
    """How much quicker this machine is than the one of the bundled numbers, as far as is noted."""
    known = {} if bundled else noted()
    return median([known[name] / RATES[name] for name in known if name in RATES] or [1.0])


def on_this_machine(seconds: Spread | None, *, bundled: bool = False) -> Spread | None:
    """What takes so long on the machine of the bundled numbers."""
    return None if seconds is None else seconds.times(-log10(machine(bundled=bundled)))


def note(result: Result[Any]) -> None:
    """Note how quick a search was that has ended, if that tells the speed of one thread of its kernel."""
    kernel = f"{result.engine} {result.method}"
    # Processor time, so that what else runs on the machine does not count.
    searching = min(result.seconds, result.cpu_seconds) - result.build_seconds
    found_before = (result.statistics or {}).get("nodes from the ledger", 0)
    if (
        kernel not in _NOTED
        or result.threads != 1
        or searching < _LONG_ENOUGH
        or found_before
        or result.nodes < _ENOUGH_NODES
    ):
        return
    now, known = result.nodes / searching, dict(noted())
    known[kernel] = known[kernel] ** (1 - _WEIGHT) * now**_WEIGHT if kernel in known else now
    # Where nothing can be kept, the next search measures again.
    with suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_file()) as file:
            json.dump({"machine": _machine(), "rates": {name: round(value) for name, value in known.items()}}, file)
        noted.cache_clear()


@cache
def noted() -> Mapping[str, float]:
    """The rates that were noted on this machine."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(_file().read_text(encoding="utf-8"))
        if kept["machine"] == _machine():
            rates = {str(name): float(value) for name, value in kept["rates"].items() if float(value) > 0}
            return {name: value for name, value in rates.items() if name in _NOTED}
    return {}


def _file() -> Path:
    """Where the notes are kept."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(folder) / "jigsat" / "rates.json"


@cache
def _machine() -> str:
    """What the speed of kernels depends on."""
    return f"{_processor()}, Numba {version('numba')}"


def _processor() -> str:
    """The name of the processor, as far as the system tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
