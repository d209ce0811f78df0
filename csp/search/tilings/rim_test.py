"""Whether the rim of a convex target can be covered: a quick way to refute targets.

Most targets that cannot be tiled already fail at their rim.  The wedges at the lattice points of the rim must be
covered, and only the placements that reach it count.  They are few, so the search needs no tables of all placements.
"""

from math import gcd

import numpy as np

from ...geometry.polygons import edges
from .lattice_kernel import covered_wedges, disjoint_from
from .lattice_placements import Bits, Placements, Rows, Shapes, bisectors
from .lattice_tables import unpacked

_MOST_NODES = 3000


def rim_is_refuted(placements: Placements) -> bool:
    """Whether it is proved that disjoint placements cannot cover the rim of the target, which must be convex.

    False proves nothing: the rim can be covered, or the test would take too long.
    """
    covers = _rim_wedges(placements)
    if not covers.any(axis=1).all():
        return True
    reaching = np.flatnonzero(unpacked(np.bitwise_or.reduce(covers, axis=0)[None], len(placements))[0])
    rows = np.packbits(unpacked(covers, len(placements))[:, reaching], axis=1, bitorder="little")
    # The hardest wedges first, so that one that nothing covers is met soon.
    wedges = sorted({_whole(row) for row in rows}, key=int.bit_count)
    return _RimSearch(placements, reaching, wedges).refutes()


def _rim_wedges(placements: Placements) -> Bits:
    """Which placements cover each wedge of the target at its rim, as bits."""
    target = placements.puzzle.in_lattice_units(placements.puzzle.target)
    points = [
        (x0 + (x1 - x0) // steps * i, y0 + (y1 - y0) // steps * i)
        for (x0, y0), (x1, y1) in edges(target)
        for steps in [gcd(x1 - x0, y1 - y0)]
        for i in range(steps)
    ]
    at = np.array(points, dtype=np.int64), np.array(bisectors([target, *placements.lattice]), dtype=np.int64)
    of_target, of_placements = Shapes.of([target]), placements.shapes
    inside = covered_wedges(of_target.x, of_target.y, of_target.size, *at)[:, 0] == 1
    return covered_wedges(of_placements.x, of_placements.y, of_placements.size, *at)[inside]


class _RimSearch:
    """Exact cover of wedges, which are sets of candidates as the bits of whole numbers."""

    def __init__(self, placements: Placements, reaching: Rows, wedges: list[int]) -> None:
        shapes = placements.shapes
        self._x, self._y, self._size = shapes.x[reaching], shapes.y[reaching], shapes.size[reaching]
        self._kind = placements.of_kind[reaching].tolist()
        kinds = range(len(placements.kinds))
        self._of_kind = [_whole(np.packbits(placements.of_kind[reaching] == kind, bitorder="little")) for kind in kinds]
        self._unplaced = [len(members) for members in placements.kinds]
        self._disjoint: dict[int, int] = {}
        self._wedges = wedges
        self._nodes = 0

    def refutes(self) -> bool:
        """Whether the search ends without finding a cover."""
        return not self._may_be_covered((1 << len(self._kind)) - 1, self._wedges)

    def _may_be_covered(self, left: int, wedges: list[int]) -> bool:
        self._nodes += 1
        if not wedges or self._nodes > _MOST_NODES:
            return True
        candidates = min((wedge & left for wedge in wedges), key=int.bit_count)
        while candidates:
            low = candidates & -candidates
            candidates ^= low
            if self._may_be_covered_with(low, left, wedges):
                return True
        return False

    def _may_be_covered_with(self, bit: int, left: int, wedges: list[int]) -> bool:
        placement = bit.bit_length() - 1
        kind = self._kind[placement]
        left &= self._disjoint_from(placement)
        self._unplaced[kind] -= 1
        if not self._unplaced[kind]:
            left &= ~self._of_kind[kind]
        found = self._may_be_covered(left, [wedge for wedge in wedges if not wedge & bit])
        self._unplaced[kind] += 1
        return found

    def _disjoint_from(self, placement: int) -> int:
        """The candidates that are disjoint from one of them."""
        if placement not in self._disjoint:
            one = slice(placement, placement + 1)
            free = disjoint_from(self._x, self._y, self._size, self._x[one], self._y[one], self._size[one])
            self._disjoint[placement] = _whole(np.packbits(free, bitorder="little"))
        return self._disjoint[placement]


def _whole(row: np.ndarray) -> int:
    return int.from_bytes(row.tobytes(), "little")
