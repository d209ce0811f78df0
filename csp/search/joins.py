"""Joins of arrays by equal numbers."""

import numpy as np
from numpy.typing import NDArray


def joined(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of indices at which both arrays have the same number."""
    order = np.argsort(right, kind="stable")
    first, after = (np.searchsorted(right[order], left, side=side) for side in ("left", "right"))
    here, there = ranges(first, after - first)
    return here, order[there]


def ranges(first: NDArray[np.int64], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each i the numbers from ``first[i]`` on, ``numbers[i]`` of them: all i's, and the numbers."""
    which = np.repeat(np.arange(len(first)), numbers)
    skipped = np.repeat(np.cumsum(numbers) - numbers - first, numbers)
    return which, np.arange(len(which)) - skipped
