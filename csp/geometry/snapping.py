"""The lattice on which the points of a drawing are meant to lie.

The numbers of steps decide everything that follows; the coordinates of a drawing are never exact.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

# The largest distances from the lattice as parts of the longer side of the drawing, each with the most steps along it:
# of drawings by programs, and by hand.
_EXACT, _BY_HAND = (5e-5, 120), (1 / 200, 2000)
# The largest distance as a part of a step.
_BETWEEN = 1 / 8
#: The squares of the ratios of height and width of a lattice's cells that are tried: of squares, and of half triangles.
RATIOS = (1, 3)


class Snapped(NamedTuple):
    """Points on a lattice: multiples of a step to the right, and of the step times sqrt(ratio) up."""

    points: tuple[tuple[int, int], ...]
    step: float
    ratio: int
    #: The largest distance by which a point was moved, and the place of the lattice's origin.
    moved: float
    origin: tuple[float, float]

    def place(self, i: float, j: float) -> tuple[float, float]:
        """The place of a point of the lattice."""
        return self.origin[0] + self.step * i, self.origin[1] + self.step * sqrt(self.ratio) * j


def snapped(
    points: Sequence[tuple[float, float]], step: float | None = None, ratios: Sequence[int] = RATIOS
) -> Snapped | None:
    """Points on the coarsest lattice near all of them, or on that of squares with a given step; None without one.

    Points that are exact may lie on any lattice; `ratios` are tried for those by hand.
    """
    given = np.array(points, dtype=float)
    if step is not None:
        return _on_lattice(given, step, 1)
    size = float(max(np.ptp(given, axis=0)))
    for (far, most), tried in ((_EXACT, RATIOS), (_BY_HAND, ratios)) if size else ():
        found = [one for ratio in tried if (one := _coarsest(given, far * size, most, ratio)) is not None]
        if found:
            return min(found, key=lambda one: 1 / (one.step * one.step * sqrt(one.ratio)))
    return None


def _coarsest(given: np.ndarray, far: float, most: int, ratio: int) -> Snapped | None:
    """The points on the coarsest lattice of that ratio near all, at most this many steps wide; None without one."""
    longest = float(max(np.ptp(given / (1, sqrt(ratio)), axis=0)))
    for steps in range(1, most + 1):
        found = _on_lattice(given, longest / steps, ratio)
        if found.moved <= min(far, _BETWEEN * found.step):
            return found
    return None


def _on_lattice(given: np.ndarray, step: float, ratio: int) -> Snapped:
    """The points on a lattice with about that step, which is fitted to them, as is its origin."""
    scaled = given / (1, sqrt(ratio))
    whole = np.rint((scaled - scaled.min(axis=0)) / step)
    centred, spread = scaled - scaled.mean(axis=0), whole - whole.mean(axis=0)
    fitted = float((centred * spread).sum() / max((spread * spread).sum(), 1))
    offset = scaled.mean(axis=0) - fitted * whole.mean(axis=0)
    far = np.hypot(*((fitted * whole + offset - scaled) * (1, sqrt(ratio))).T)
    least = whole.min(axis=0)
    places = tuple((int(i), int(j)) for i, j in (whole - least).tolist())
    left, bottom = ((fitted * least + offset) * (1, sqrt(ratio))).tolist()
    return Snapped(places, fitted, ratio, float(far.max()), (left, bottom))
