"""Counts that were made up, so that what is counted is known and how long it takes can be chosen."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from jigsat.csp.puzzles.symmetry import Symmetries
from jigsat.csp.search.counting.methods import Pause, Share

#: A count of one part is more than 64 bits can hold, so that rounding shows.
LARGE = 2**70


def share_of(first, last, *, canonical=True):
    """What the parts from `first` up to but not including `last` hold."""
    parts = range(first, last)
    nodes = (len(parts), sum(part % 7 for part in parts), sum(part**2 for part in parts))
    count = sum(LARGE + part**3 for part in parts)
    return Share(first, last, nodes, count, sum(5 * part + 1 for part in parts) if canonical else None)


@dataclass(frozen=True)
class Naps:
    """A sum over a known sequence, asleep for a while at each part."""

    #: How many there are.
    parts: int
    #: Seconds for each part.
    nap: float = 0.0
    #: Seconds for some parts.
    slow: Mapping[int, float] = field(default_factory=dict)
    #: Parts at which the count fails.
    broken: frozenset[int] = frozenset()
    #: Whether orbits are counted.
    canonical: bool = True
    name: str = "naps"

    @property
    def method(self):
        return self.name

    @property
    def options(self):
        return {"nap": self.nap}

    @property
    def found(self):
        return Symmetries(1, (), frozenset(), not self.canonical)

    @property
    def work(self):
        return np.arange(1.0, self.parts + 1)

    def count(self, first, last, pause):
        for part in range(first, last):
            wanted = self._sleep(self.slow.get(part, self.nap), pause)
            if wanted is Pause.NOW:
                return share_of(first, part, canonical=self.canonical)
            if part in self.broken:
                raise ArithmeticError(f"part {part} is broken")
            if wanted is Pause.AFTER_PART:
                return share_of(first, part + 1, canonical=self.canonical)
        return share_of(first, last, canonical=self.canonical)

    def _sleep(self, seconds, pause):
        """What is wanted after so long, or as soon as all is to be dropped."""
        until = time.perf_counter() + seconds
        while (wanted := pause()) is not Pause.NOW and (left := until - time.perf_counter()) > 0:
            time.sleep(min(left, 0.02))
        return wanted
