"""The rank of a partial board: the logarithm of the number of ways to match the remaining sides.

Let r unused sides fit onto a colour that f open sides show.  The open sides can be matched in r! / (r - f)! ways, and
the r - f sides that are left over with one another in (r - f - 1)!! ways.  Where the colour is not its own mate
(connectors, and colours along the frame), those left over are matched with those left over of the mate: (r - f)! ways,
half of which, as a logarithm, each of the two counts.  The sum over all colours ranks boards of as many pieces.

The sides left over get a somewhat larger weight than in the formula: on Eternity II this gains half a join.
"""

from functools import cache
from math import lgamma, log, pi

import numpy as np
from numpy.typing import NDArray

from .tables import BeamTables

# The weight of the sides left over.
_LEFT_OVER = 1.4
# The cost of an open side without a matching unused side; marks the absence of a child.
_LACKING, _NEVER = 2.0, -1e9


class Rank:
    """The terms of the sum, in one array.

    Attributes:
    - `terms`: the term of a colour c with r unused and f open sides is ``terms[start[c] + r * row + f]``.
    - `row`, `start`: as this says.
    """

    def __init__(self, tables: BeamTables, slots: int) -> None:
        self.row = slots + 2
        most = int(tables.unused.max(initial=0))
        own_mate = tables.mate_of == np.arange(tables.colors)
        blocks = [_block(most, self.row, _LEFT_OVER, own_mate=own) for own in (True, False)]
        self.terms = np.concatenate(blocks)
        # There is an extra row before the first one, for negative numbers, which occur in sums that are not used.
        self.start = np.where(own_mate, 0, len(blocks[0])) + self.row

    def places(self, unused: NDArray[np.int64], opened: NDArray[np.int64]) -> NDArray[np.int64]:
        """The indices of the terms of colours with these numbers of unused and open sides."""
        return self.start + unused * self.row + opened


@cache
def _block(most: int, row: int, weight: float, *, own_mate: bool) -> NDArray[np.float32]:
    terms = np.full((most + 2, row), _NEVER, dtype=np.float32)
    for unused in range(most + 1):
        for opened in range(row):
            matched = lgamma(unused + 1)
            if opened > unused:
                terms[unused + 1, opened] = matched - _LACKING * (opened - unused)
                continue
            left = unused - opened
            others = _log_double_factorial(left) if own_mate else lgamma(left + 1) / 2
            terms[unused + 1, opened] = matched - lgamma(left + 1) + weight * others
    return terms.ravel()


def _log_double_factorial(number: int) -> float:
    """The logarithm of (number - 1)!!, interpolated for odd numbers."""
    return 0.0 if number == 0 else number / 2 * log(2) + lgamma((number + 1) / 2) - log(pi) / 2
