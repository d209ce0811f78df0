"""An order that is as if random and always the same, on every machine and with every version of every library."""

import numpy as np
from numpy.typing import NDArray


def scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Other numbers, all different if these are, whose order is as if random (the last steps of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def mixed(first: int, number: int) -> NDArray[np.uint64]:
    """So many numbers as if random, all different, those from `first` on of an endless row of them."""
    # The odd factor spreads neighbouring numbers over all bits (Steele, Lea and Flood, 2014).
    return scrambled(np.arange(first, first + number, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def shuffled(number: int) -> NDArray[np.int64]:
    """The numbers from 0 up to but not including `number`, in that order.

    Examples
    --------
    >>> shuffled(5).tolist()
    [0, 3, 2, 1, 4]
    """
    return np.argsort(mixed(0, number), kind="stable")
