"""Random numbers that stay what they are: the same seed gives the same ones on every machine and in every version."""

import random
from collections.abc import Iterable
from typing import TypeVar

_T = TypeVar("_T")


class Chance:
    """A stream of random choices.

    Python promises that ``random.Random(seed).random()`` keeps its sequence, but not so for any other method of its
    generators.  Each number of that sequence is a multiple of 2**-53; everything here is whole-number arithmetic on
    these multiples.

    Parameters
    ----------
    seed
        A whole number that is not negative.

    Examples
    --------
    >>> Chance(7).shuffled("abcdef")
    ['b', 'e', 'f', 'd', 'a', 'c']
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, number: int) -> int:
        """One of 0, ..., `number` - 1, all equally likely; `number` may be up to 2**53."""
        # What lies beyond the last full run of `number` values would favour the small ones, and is drawn again.
        full = 2**53 - 2**53 % number
        while (drawn := int(self._random() * 2**53)) >= full:
            pass
        return drawn % number

    def sample(self, items: Iterable[_T], number: int) -> list[_T]:
        """So many of the items in random order (Fisher and Yates 1938).

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
