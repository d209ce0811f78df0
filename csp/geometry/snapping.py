"""The lattice on which the points of a drawing are meant to lie.

The numbers of steps decide everything that follows; the coordinates of a drawing are never exact.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

# The largest distance from the lattice, as a part of the longer side of the drawing and of a step.
_FAR, _BETWEEN = 1 / 200, 1 / 8
# The largest number of steps along the longer side.
_MOST_STEPS = 2000
#: The squares of the ratios of height and width of a lattice's cells that are tried: of squares, and of half triangles.
RATIOS = (1, 3)


class Snapped(NamedTuple):
    """Points on a lattice: multiples of a step to the right, and of the step times sqrt(ratio) up."""

    points: tuple[tuple[int, int], ...]
    step: float
    ratio: int
    #: The largest distance by which a point was moved.
    moved: float


def snapped(points: Sequence[tuple[float, float]], step: float | None = None) -> Snapped | None:
    """Points on the coarsest lattice near all of them, or on that of squares with a given step; None without one."""
    given = np.array(points, dtype=float)
    size = float(max(np.ptp(given, axis=0)))
    if step is not None:
        return _on_lattice(given, step, 1)
    found = [one for ratio in RATIOS if (one := _coarsest(given, size, ratio)) is not None]
    return min(found, key=lambda one: size / one.step * size / one.step / sqrt(one.ratio), default=None)


def _coarsest(given: np.ndarray, size: float, ratio: int) -> Snapped | None:
    """The points on the coarsest lattice of that ratio near all of them; None without one."""
    scaled = given / (1, sqrt(ratio))
    longest = float(max(np.ptp(scaled, axis=0)))
    for steps in range(1, _MOST_STEPS):
        found = _on_lattice(given, longest / steps, ratio)
        if found.moved <= min(_FAR * size, _BETWEEN * found.step):
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
    places = tuple((int(i), int(j)) for i, j in (whole - whole.min(axis=0)).tolist())
    return Snapped(places, fitted, ratio, float(far.max()))
