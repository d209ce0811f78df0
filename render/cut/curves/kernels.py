"""Kernels of the geometry of curves.

Data layout: a curve is an array of points, x and y, of type float64 and shape (n, 2), and is treated as the polyline
through them.  Several curves with the same number of points are an array of shape (curves, n, 2).
"""

import numpy as np

from ....csp.base.compiled import kernel


@kernel
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


@kernel
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
