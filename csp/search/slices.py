"""Slices: how many nodes a search is given at a time."""

import time
from typing import Protocol

from .codes import BUDGET_SPENT

# A slice lasts about so long: often enough for Ctrl-C and progress, seldom enough to cost nothing.
SLICE_SECONDS = 0.1


class Advanced(Protocol):
    """A search that can be advanced by any number of nodes; `slice_nodes` is how many the next slice may have."""

    slice_nodes: int

    def advance(self, budget: int) -> int: ...


def resized(size: int, started: float, part: float = 1.0) -> float:
    """How large the slice after one of this size should be that began then, by `time.perf_counter`.

    It is to last such a part of the usual time.
    """
    seconds = max(time.perf_counter() - started, 1e-6)
    return size * min(max(part * SLICE_SECONDS / seconds, 0.25), 4)


def advance_slice(walk: Advanced, most: int, part: float = 1.0, doubled_up_to: int | None = None) -> int:
    """One slice of at most so many nodes, neither too short nor too long; the kernel's code.

    Slices are twice as long each time, up to a number of nodes, if there is one to decide it instead of the clock.
    """
    started = time.perf_counter()
    code = walk.advance(min(walk.slice_nodes, most))
    if doubled_up_to is not None:
        walk.slice_nodes = min(2 * walk.slice_nodes, doubled_up_to)
    elif code == BUDGET_SPENT and walk.slice_nodes <= most:
        walk.slice_nodes = int(resized(walk.slice_nodes, started, part)) + 1
    return code
