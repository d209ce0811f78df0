"""Reproducible random numbers: a seed gives the same ones on every machine and in every version of Python."""

import random
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .compiled import separate_kernel
from .errors import UsageError

_T = TypeVar("_T")
#: The limit of the command line, so that the source of a puzzle is always a command that can be run.
MAX_SEED = 2**62 - 1


def refuse_seed(seed: int) -> None:
    """Raise UsageError if the seed of a puzzle that is made is too large, or negative."""
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"must lie between 0 and {MAX_SEED}, not {seed}", "seed")


class Chance:
    """A stream of random choices.

    Python guarantees the sequence of ``random.Random(seed).random()``, but not that of any other method of its
    generators.  Each number of that sequence is a multiple of 2**-53; everything here is integer arithmetic on these
    multiples.  Streams of one seed with different names are independent of each other.

    >>> Chance(7).shuffled("abcdef"), Chance(7, "deal").shuffled("abcdef")
    (['b', 'e', 'f', 'd', 'a', 'c'], ['f', 'd', 'b', 'a', 'e', 'c'])
    """

    def __init__(self, seed: int, stream: str = "") -> None:
        named = int.from_bytes(f"{stream} {seed}".encode(), "big") if stream else seed
        self._random = random.Random(named).random

    def below(self, number: int) -> int:
        """One of 0, ..., `number` - 1, all equally likely; `number` may be up to 2**53."""
        # Values beyond the last full run of `number` would favour the small ones; they are drawn again.
        full = 2**53 - 2**53 % number
        while (drawn := int(self._random() * 2**53)) >= full:
            pass
        return drawn % number

    def numbers(self, many: int) -> NDArray[np.int64]:
        """That many numbers below 2^53, from which `below` would choose."""
        return (np.array([self._random() for _ in range(many)]) * 2**53).astype(np.int64)

    def sample(self, items: Iterable[_T], number: int) -> list[_T]:
        """A sample of `number` items in random order (Fisher and Yates 1938).

        From the same state of the stream, a larger sample begins with the smaller one.
        """
        left = list(items)
        for place in range(number):
            drawn = place + self.below(len(left) - place)
            left[place], left[drawn] = left[drawn], left[place]
        return left[:number]

    def shuffled(self, items: Iterable[_T]) -> list[_T]:
        """All the items in random order."""
        everything = list(items)
        return self.sample(everything, len(everything))


def scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A pseudorandom bijection of the numbers (the last steps of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def mixed(first: int, number: int) -> NDArray[np.uint64]:
    """Pseudorandom numbers, all different: `number` items from index `first` on of a fixed sequence."""
    # The odd factor spreads neighbouring numbers over all bits (Steele, Lea and Flood, 2014).
    return scrambled(np.arange(first, first + number, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def shuffled(number: int) -> NDArray[np.int64]:
    """The numbers from 0 up to but not including `number`, in that order.

    >>> shuffled(5).tolist()
    [0, 3, 2, 1, 4]
    """
    return np.argsort(mixed(0, number), kind="stable")


@separate_kernel
def below(number, state):
    """A number below this one, for kernels; `state` is an array of one word other than 0 (Marsaglia 2003, xorshift)."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return ((word >> np.uint64(34)) * np.uint64(number)) >> np.uint64(30)
