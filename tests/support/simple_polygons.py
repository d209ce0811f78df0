"""Random simple polygons, and by definition where they cross, what they contain, and whether they overlap."""

import random
from fractions import Fraction

from hypothesis import strategies as st

from jigsat.csp.geometry.exact_numbers import sign
from jigsat.csp.geometry.polygons import corners, counterclockwise, cross, edges


def first_straight(polygon):
    """The first vertex that lies on a line with its neighbours, or on one of them; None if no vertex does."""
    return next((i for i, corner in enumerate(corners(polygon)) if sign(cross(*corner)) == 0), None)


def grown(chance, steps):
    """A triangle that grows: a random point is put between two neighbours wherever the polygon stays simple."""
    polygon = [(0, 0), (6, 0), (0, 6)]
    for _ in range(steps):
        at, point = chance.randrange(len(polygon)), (chance.randint(-6, 6), chance.randint(-6, 6))
        larger = [*polygon[: at + 1], point, *polygon[at + 1 :]]
        if point not in polygon and not crossings(larger) and first_straight(tuple(larger)) is None:
            polygon = larger
    return counterclockwise(tuple(polygon))


@st.composite
def simple_polygons(draw):
    return grown(random.Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 12)))


def crossings(polygon):
    """The pairs of sides, no neighbours, that no line separates."""
    sides = list(edges(polygon))
    n = len(sides)
    return [
        (i, j)
        for i in range(n)
        for j in range(i + 1, n)
        if j > i + 1 and (i, j) != (0, n - 1) and not apart(sides[i], sides[j], touching=False)
    ]


def apart(one, other, *, touching=True):
    """Whether two convex figures have no inner point in common, or, unless they may touch, no point at all.

    Their projections along some edge, across it, or along an axis, are then disjoint.
    """
    directions = [(1, 0), (0, 1)]
    for (ax, ay), (bx, by) in (*edges(one), *edges(other)):
        directions += [(bx - ax, by - ay), (ay - by, bx - ax)]
    for dx, dy in directions:
        left, right = ([x * dx + y * dy for x, y in figure] for figure in (one, other))
        for low, high in ((left, right), (right, left)):
            if (dx, dy) != (0, 0) and (max(low) < min(high) or (touching and max(low) <= min(high))):
                return True
    return False


def contains(polygon, point):
    """Whether a point that is not on the edge lies inside: whether a ray to the right leaves an odd number of times."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in edges(polygon):
        if (ay > y) != (by > y) and x < ax + Fraction((y - ay) * (bx - ax)) / (by - ay):
            inside = not inside
    return inside
