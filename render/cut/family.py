"""Families of tabs: a curve for each type of connector, as different from each other as possible.

The kernels take a curve as an array of points, x and y, of type float64 and shape (n, 2), and treat it as the polyline
through them.  Several curves with the same number of points are an array of shape (curves, n, 2).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...csp.base.compiled import inner_kernel, kernel, separate_kernel
from ...csp.base.errors import PuzzleError
from ...csp.base.seeded_random import Chance
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from .tabs import LEAD, SIDE, Tab, drawn, flatness, flattened

#: The largest number of types of connectors in a jigsaw.
MOST_TYPES = 1024
# Least lengths, as fractions of a side: between tabs of adjacent sides, across necks, and of the radius of bends.
_GAP, _THICKNESS, _RADIUS = 800, 800, 300
# The number of candidates: a constant plus a multiple of the number of types; the steps in which they are flattened.
_POOL, _POOL_PER_TYPE, _STEPS = 1000, 4, 8
# The steps for the measurements of a family.
_FINE_STEPS = 32


@dataclass(frozen=True)
class Family:
    """Tabs with guaranteed lower bounds on their lengths, which are fractions of a side, rounded down."""

    tabs: tuple[Tab, ...]  #: The curves
    #: The least Hausdorff distance between any two tabs, unchanged, mirrored, rotated by 180 degrees and both; and of
    #: any tab from its own images.
    distance: float
    #: The least distance between two sides of a piece with any tabs, except for their straight leads, which meet at the
    #: corners of the piece.
    gap: float
    neck: float  #: The width of the narrowest neck


@dataclass(frozen=True)
class Cut:
    """The curves of a jigsaw."""

    #: For each connector, by its positive number, the curve of its tab; negative sides have the matching blanks.
    tabs: dict[int, Tab]
    family: Family  #: The family of these curves


def cut_of(puzzle: EdgeMatchingPuzzle, seed: int = 0) -> Cut:
    """Choose a different curve of the family `seed` for each type of connector; PuzzleError if that cannot be."""
    if puzzle.rule is not Rule.OPPOSITE:
        raise PuzzleError(f"{puzzle.name}: is an {puzzle.kind} puzzle, and only jigsaws have tabs to cut")
    types = sorted({abs(side) for sides in puzzle.pieces for side in sides} - {BORDER})
    if len(types) > MOST_TYPES:
        raise PuzzleError(f"{puzzle.name}: has {len(types)} types of connectors, and there are {MOST_TYPES} curves")
    family = tab_family(len(types), seed)
    return Cut(dict(zip(types, family.tabs, strict=True)), family)


@lru_cache(maxsize=8)
def tab_family(number: int, seed: int = 0) -> Family:
    """Return `number` tabs that differ well from each other and their images, the same for the same seed.

    The tabs are chosen among random candidates one by one, each time the one farthest from those chosen before
    (Gonzalez 1985).
    """
    tabs, curves, mirrored, distances = _candidates(max(_POOL, _POOL_PER_TYPE * number), seed)
    least = distances.copy()
    chosen: list[Tab] = []
    for _ in range(number):
        index = int(np.argmax(least))
        chosen.append(tabs[index])
        approach(curves, curves[index], mirrored[index], least)
    return _described(tuple(chosen))


@lru_cache(maxsize=8)
def _candidates(
    number: int, seed: int
) -> tuple[list[Tab], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Tabs that can be cut, points on them, their mirror images, and the squared distance of each from its image."""
    chance, tabs, parts, found = Chance(seed), [], [], 0
    while found < number:
        control = drawn(chance, number)
        curves = flattened(control, _STEPS)
        lengths = np.hypot(*np.moveaxis(np.diff(curves, axis=1), 2, 0))
        along = np.insert(np.cumsum(lengths, axis=1), 0, 0, axis=1)
        usable = _room(curves) * np.sqrt(2) >= _GAP
        drop_unfit(curves, along, float(_RADIUS), float(_THICKNESS), usable)
        tabs += [Tab(tuple(map(tuple, points))) for points in control[usable].tolist()]
        parts.append(curves[usable])
        found = len(tabs)
    tabs, curves = tabs[:number], np.concatenate(parts)[:number]
    mirrored = _mirrored(curves)
    distances = np.array([hausdorff(*pair, np.inf) for pair in zip(curves, mirrored, strict=True)])
    return tabs, curves, mirrored, distances


def _room(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance of curves from the boundary of the square with their side as diagonal, along a side's direction.

    The diagonals of a piece separate the curves of its sides.
    """
    x, y = np.moveaxis(curves, -1, 0)
    return (np.minimum(x, SIDE - x) - abs(y)).min(axis=-1)


def _mirrored(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curves seen from behind."""
    return np.ascontiguousarray(curves[:, ::-1] * (-1, 1) + (SIDE, 0))


def _described(tabs: tuple[Tab, ...]) -> Family:
    if not tabs:
        return Family((), np.inf, np.inf, np.inf)
    curves = np.array([flattened(tab.points, _FINE_STEPS) for tab in tabs])
    error = max(flatness(tab.points, _FINE_STEPS) for tab in tabs)
    # A point may be off its curve by `error`, and a gap has two ends.
    gap = min(np.sqrt(2) * (_room(curves).min() - 2 * error), min(curves[..., 0].min(), LEAD) - error)
    necks = ([flattened(half, _FINE_STEPS) for half in tab.neck] for tab in tabs)
    neck = min(np.sqrt(nearest(*halves)) for halves in necks)
    distance = _least_distance(curves)
    return Family(tabs, (distance - error) / SIDE, gap / SIDE, (neck - 2 * error) / SIDE)


def _least_distance(curves: NDArray[np.float64]) -> float:
    """The least Hausdorff distance between any two curves, including mirrored and rotated ones."""
    mirrored = _mirrored(curves)
    ways = [curves, mirrored, *(way * (1, -1) for way in (curves, mirrored))]
    least = np.inf
    for number, curve in enumerate(curves):
        for way, others in enumerate(ways):
            for other in others[number + (way == 0) :]:
                least = min(least, hausdorff(curve, other, least))
    return float(np.sqrt(least))


@inner_kernel
def distance_to(x, y, curve):
    """The square of the distance of a point from a curve."""
    least = np.inf
    for i in range(np.uint64(len(curve) - 1)):
        from_x, from_y = curve[i, 0], curve[i, 1]
        along_x, along_y = curve[i + np.uint64(1), 0] - from_x, curve[i + np.uint64(1), 1] - from_y
        to_x, to_y = x - from_x, y - from_y
        square = along_x * along_x + along_y * along_y
        part = 0.0 if square == 0.0 else min(max((to_x * along_x + to_y * along_y) / square, 0.0), 1.0)
        off_x, off_y = to_x - part * along_x, to_y - part * along_y
        least = min(least, off_x * off_x + off_y * off_y)
    return least


@kernel
def hausdorff(one, other, enough):
    """The square of the Hausdorff distance of two curves, from their points; a value of `enough` ends the search."""
    most = 0.0
    # Tabs differ most in the middle.
    n = np.uint64(len(one))
    for k in range(n):
        i = (k + n // np.uint64(2)) % n
        most = max(most, distance_to(one[i, 0], one[i, 1], other))
        j = (k + n // np.uint64(2)) % np.uint64(len(other))
        most = max(most, distance_to(other[j, 0], other[j, 1], one))
        if most >= enough:
            return most
    return most


@kernel
def nearest(one, other):
    """The square of the distance between two curves that do not cross, from the points of each to the other curve."""
    least = np.inf
    for i in range(np.uint64(len(one))):
        least = min(least, distance_to(one[i, 0], one[i, 1], other))
    for i in range(np.uint64(len(other))):
        least = min(least, distance_to(other[i, 0], other[i, 1], one))
    return least


@kernel
def approach(curves, chosen, mirrored, least):
    """Update `least`, the distance of each curve from the chosen ones, by a newly chosen curve and its mirror image."""
    for i in range(np.uint64(len(curves))):
        least[i] = min(least[i], hausdorff(curves[i], chosen, least[i]))
        least[i] = min(least[i], hausdorff(curves[i], mirrored, least[i]))


@kernel
def drop_unfit(curves, along, radius, width, usable):
    """Mark as not usable the curves that bend too sharply, or come too close to themselves."""
    for i in range(np.uint64(len(curves))):
        usable[i] = usable[i] and is_round(curves[i], radius) and is_thick(curves[i], along[i], width)


@separate_kernel
def is_round(curve, radius):
    """Whether no two neighbouring lines of a curve bend more sharply than a circle of that radius."""
    for i in range(np.uint64(1), np.uint64(len(curve) - 1)):
        x, y = curve[i, 0] - curve[i - np.uint64(1), 0], curve[i, 1] - curve[i - np.uint64(1), 1]
        to_x, to_y = curve[i + np.uint64(1), 0] - curve[i, 0], curve[i + np.uint64(1), 1] - curve[i, 1]
        length, to_length = np.sqrt(x * x + y * y), np.sqrt(to_x * to_x + to_y * to_y)
        # The sine of the angle between the lines, which is less than 90 degrees; `is_thick` finds larger angles.
        turn = abs(x * to_y - y * to_x)
        if 2.0 * radius * turn > length * to_length * (length + to_length):
            return False
    return True


@separate_kernel
def is_thick(curve, along, width):
    """Whether a curve keeps a distance from itself.

    Two points with enough of the curve between them for a turn (a half circle of that width has the length pi / 2 times
    the width) are at least the width apart; closer ones in proportion, so that the curve never bends more sharply.
    `along` holds the length of the curve up to each point.
    """
    for i in range(np.uint64(len(curve))):
        for j in range(i):
            between = along[i] - along[j]
            wanted = min(0.6 * between, width)
            off_x, off_y = curve[i, 0] - curve[j, 0], curve[i, 1] - curve[j, 1]
            if off_x * off_x + off_y * off_y < wanted * wanted:
                return False
    return True
