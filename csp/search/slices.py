"""Slices: the number of nodes that a kernel gets at a time, and why it stops."""

import time
from typing import Protocol

#: A kernel is still running; the tree is exhausted; the budget is spent; the rows for solutions are full; or a piece is
#: about to be placed at a depth that is not allowed.
RUNNING, EXHAUSTED, BUDGET_SPENT, ROWS_FULL, DEEPER = range(5)

# The duration of a slice: short enough for Ctrl-C and progress, long enough to cost nothing.
SLICE_SECONDS = 0.1


class Advanced(Protocol):
    """A search that can be advanced by any number of nodes; `slice_nodes` is the size of the next slice."""

    slice_nodes: int

    def advance(self, budget: int) -> int: ...


def resized(size: int, started: float, part: float = 1.0) -> float:
    """The size of the next slice after one of size `size` that began at `started`, by `time.perf_counter`.

    It should last the given part of the usual time.
    """
    seconds = max(time.perf_counter() - started, 1e-6)
    return size * min(max(part * SLICE_SECONDS / seconds, 0.25), 4)


def advance_slice(walk: Advanced, most: int, part: float = 1.0, doubled_up_to: int | None = None) -> int:
    """Advance by one slice of suitable length with at most `most` nodes; return the kernel's code.

    With `doubled_up_to`, slices double in length up to that number of nodes, so that the clock has no influence.
    """
    started = time.perf_counter()
    code = walk.advance(min(walk.slice_nodes, most))
    if doubled_up_to is not None:
        walk.slice_nodes = min(2 * walk.slice_nodes, doubled_up_to)
    elif code == BUDGET_SPENT and walk.slice_nodes <= most:
        walk.slice_nodes = int(resized(walk.slice_nodes, started, part)) + 1
    return code
