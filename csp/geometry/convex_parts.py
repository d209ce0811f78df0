"""Simple polygons as unions of convex ones, and whether such unions overlap.

Vertices are in counter-clockwise order.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from .exact_numbers import Number, sign
from .polygons import Point, Polygon, convex_hull, corners, cross, edges, first_reflex, segments_meet
from .regions import convex_pieces

# The largest number of vertices of a polygon of which all diagonals are compared.
_MOST_CHOICES = 32


@lru_cache(maxsize=2**10)
def convex_parts(polygon: Polygon) -> tuple[Polygon, ...]:
    """Convex polygons without overlap whose union is a simple polygon, cut along diagonals.

    Every vertex of over 180 degrees has a diagonal (Meisters 1975).  Of all diagonals from such vertices the one is
    cut that leaves the fewest of them; of several, the shortest.  With many vertices that would take too long, and any
    diagonals are cut.

    Examples
    --------
    >>> convex_parts(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)))
    (((0, 0), (2, 0), (2, 1), (1, 1)), ((1, 1), (1, 2), (0, 2), (0, 0)))
    """
    if first_reflex(polygon) is None:
        return (polygon,)
    if len(polygon) > _MOST_CHOICES:
        return convex_pieces(edges(polygon))
    reflex = [i for i, corner in enumerate(corners(polygon)) if sign(cross(*corner)) < 0]
    cuts = [(i, j) for i in reflex for j in range(len(polygon)) if _is_diagonal(polygon, i, j)]
    halves = min((_halves(polygon, *cut) for cut in cuts), key=_cost)
    return tuple(part for half in halves[:2] for part in convex_parts(half))


def parts_as_indices(polygon: Polygon) -> tuple[tuple[int, ...], ...]:
    """The vertices of each of the convex parts, as indices of the polygon's vertices."""
    return tuple(tuple(map(polygon.index, part)) for part in convex_parts(polygon))


def pockets(polygon: Polygon) -> tuple[Polygon, ...]:
    """Convex polygons without overlap whose union is the convex hull minus the polygon."""
    hull = convex_hull(polygon)
    # A vertex may lie on the hull's edge without being a vertex of the hull.
    on_hull = {vertex for vertex in polygon if any(sign(cross(p, q, vertex)) == 0 for p, q in edges(hull))}
    first = next(i for i, vertex in enumerate(polygon) if vertex in on_hull)
    found: list[Polygon] = []
    chain: list[Point] = []
    for vertex in (*polygon[first:], *polygon[: first + 1]):
        chain.append(vertex)
        if vertex in on_hull:
            if len(chain) > 2:
                found += convex_parts(tuple(reversed(chain)))
            chain = [vertex]
    return tuple(found)


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two simple polygons have an inner point in common."""
    return any(not _are_apart(part, second) for part in convex_parts(one) for second in convex_parts(other))


def _are_apart(one: Polygon, other: Polygon) -> bool:
    """Whether two convex polygons have no inner point in common: then an edge of one of them separates them."""
    return any(
        all(sign(cross(a, b, point)) <= 0 for point in second)
        for first, second in ((one, other), (other, one))
        for a, b in edges(first)
    )


_Halves = tuple[Polygon, Polygon, Number]


def _halves(polygon: Polygon, i: int, j: int) -> _Halves:
    """The halves on either side of a diagonal, without vertices that are straight, and its squared length."""
    i, j = sorted((i, j))
    (x, y), (u, v) = polygon[i], polygon[j]
    square = (u - x) * (u - x) + (v - y) * (v - y)
    return _straightened(polygon[i : j + 1]), _straightened(polygon[j:] + polygon[: i + 1]), square


def _straightened(polygon: Polygon) -> Polygon:
    return tuple(b for a, b, c in corners(polygon) if sign(cross(a, b, c)))


def _cost(halves: _Halves) -> tuple[int, Number]:
    reflex = sum(sign(cross(*corner)) < 0 for half in halves[:2] for corner in corners(half))
    return reflex, halves[2]


def _is_diagonal(polygon: Sequence[Point], i: int, j: int) -> bool:
    """Whether the segment between two vertices, the first one of over 180 degrees, runs inside a polygon."""
    n = len(polygon)
    before, at, after, to = polygon[i - 1], polygon[i], polygon[(i + 1) % n], polygon[j]
    if (j - i) % n in (0, 1, n - 1) or (sign(cross(before, at, to)) <= 0 and sign(cross(at, after, to)) <= 0):
        return False
    return not any(segments_meet(at, to, *side) for side in _others(polygon, i, j))


def _others(polygon: Sequence[Point], i: int, j: int) -> Iterator[tuple[Point, Point]]:
    """The edges that begin and end in other vertices than these."""
    n = len(polygon)
    for k, side in enumerate(edges(polygon)):
        if not {k, (k + 1) % n} & {i, j}:
            yield side
