"""Regions: what closed curves enclose that may touch themselves and each other in single points, but do not cross.

A region has *parts*, simple polygons that overlap nowhere, and *holes*, simple polygons in them; parts and holes touch
in single points at most.  Which points are inside is decided by counting: a point is in the region if the curves go
round it an odd number of times.

Simple polygons are also unions of convex ones; these functions take vertices in counter-clockwise order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from .exact_numbers import Number, sign
from .polygons import (
    Point,
    Polygon,
    common_ends,
    convex_hull,
    corners,
    counterclockwise,
    cross,
    double_area,
    edges,
    first_reflex,
    meeting_edges,
    segments_meet,
)

#: An edge from one point to another.
Edge = tuple[Point, Point]


class Clash(NamedTuple):
    """Two edges that cross or have a segment in common: the numbers of their curves, and the edges."""

    curves: tuple[int, int]
    edges: tuple[Edge, Edge]
    along: bool


@dataclass(frozen=True)
class Curves:
    """Closed curves without crossings, cut into edges at all points in which they touch.

    Two squares that touch in a corner, written as one curve:

    >>> curves = Curves.of([((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (1, 2), (1, 1), (0, 1))])
    >>> curves.parts_and_holes()
    ([((0, 0), (1, 0), (1, 1), (0, 1)), ((1, 1), (2, 1), (2, 2), (1, 2))], [])
    """

    of_curve: tuple[tuple[Edge, ...], ...]  #: The edges of each curve

    @classmethod
    def of(cls, curves: Sequence[Polygon]) -> "Curves | Clash":
        """The curves cut into edges; or two edges that do more than touch."""
        sides = [side for curve in curves for side in edges(curve)]
        owner = [number for number, curve in enumerate(curves) for _ in curve]
        cuts: list[list[Point]] = [[] for _ in sides]
        # Faults of a single curve come first.
        for i, j in sorted(meeting_edges(sides), key=lambda pair: (owner[pair[0]] != owner[pair[1]], pair)):
            one, other = sides[i], sides[j]
            common = common_ends(one, other)
            if len(common) != 1:
                return Clash((owner[i], owner[j]), (sides[i], sides[j]), len(common) > 1)
            for side in (i, j):
                cuts[side] += [point for point in common if point not in sides[side]]
        of_curve: list[list[Edge]] = [[] for _ in curves]
        for (a, b), points, number in zip(sides, cuts, owner, strict=True):
            along = sorted({a, b, *points}, reverse=b < a)
            of_curve[number] += pairwise(along)
        return cls(tuple(map(tuple, of_curve)))

    @property
    def touch(self) -> bool:
        """Whether a curve touches itself or another one."""
        starts = [start for sides in self.of_curve for start, _ in sides]
        return len(set(starts)) < len(starts)

    def insides(self, curve: int) -> Iterator[list[bool]]:
        """For each edge of a curve which curves go round the points beside the edge, on the curve's inner side."""
        for edge in self.of_curve[curve]:
            inner = edge if _is_inside(edge, self.of_curve[curve]) else _backwards(edge)
            yield [number == curve or _is_inside(inner, sides) for number, sides in enumerate(self.of_curve)]

    def rim(self) -> list[Edge]:
        """All edges, with the region to the left of each."""
        every = [edge for sides in self.of_curve for edge in sides]
        return [edge if _is_inside(edge, every) else _backwards(edge) for edge in every]

    def parts_and_holes(self) -> tuple[list[Polygon], list[Polygon]]:
        """The polygons of the region.

        They depend on the region alone, not on the curves: no part connects what is connected by single points only.
        """
        parts, holes = [], []
        for loop in loops(self.rim()):
            polygon = straightened(loop)
            (parts if sign(double_area(polygon)) > 0 else holes).append(counterclockwise(polygon))
        return sorted(parts), sorted(holes)


def outlines_of(sides: Iterable[Edge]) -> tuple[list[Polygon], list[Polygon]]:
    """The parts and the holes of what polygons cover together, from all of their edges; they do not overlap.

    Where two polygons lie side by side, both have the same edges, in opposite directions.
    """
    rim: set[Edge] = set()
    for side in sides:
        _bound(rim, side)
    found = [straightened(loop) for loop in loops(rim)]
    is_part = [sign(double_area(polygon)) > 0 for polygon in found]
    parts = [polygon for polygon, inside in zip(found, is_part, strict=True) if inside]
    return parts, [polygon[::-1] for polygon, inside in zip(found, is_part, strict=True) if not inside]


def region_without(
    parts: Iterable[Polygon], holes: Iterable[Polygon], polygons: Iterable[Polygon]
) -> tuple[list[Polygon], list[Polygon]]:
    """The parts and the holes of a region without polygons that lie in it and do not overlap.

    >>> square = ((0, 0), (2, 0), (2, 2), (0, 2))
    >>> region_without([square], [], [((0, 0), (1, 0), (1, 2), (0, 2))])
    ([((1, 0), (2, 0), (2, 2), (1, 2))], [])
    """
    outlines = [*parts, *(hole[::-1] for hole in (*holes, *polygons))]
    points = {point for outline in outlines for point in outline}
    sides = (pairwise(_with_points(edge, points)) for outline in outlines for edge in edges(outline))
    return outlines_of(side for some in sides for side in some)


def rest_of_hull(parts: Sequence[Polygon], holes: Sequence[Polygon]) -> tuple[Polygon, ...]:
    """Convex polygons without overlap whose union is the convex hull of a region without the region."""
    points = {point for polygon in (*parts, *holes) for point in polygon}
    outside = set()
    for polygon in (*parts, *(hole[::-1] for hole in holes)):
        outside |= {(end, start) for edge in edges(polygon) for start, end in pairwise(_with_points(edge, points))}
    for edge in edges(convex_hull(list(points))):
        for part in pairwise(_with_points(edge, points)):
            _bound(outside, part)
    return convex_pieces(outside)


def _bound(rim: set[Edge], edge: Edge) -> None:
    """Add an edge to a rim; with the same edge in the other direction it bounds nothing, and neither stays."""
    if _backwards(edge) in rim:
        rim.remove(_backwards(edge))
    else:
        rim.add(edge)


def convex_pieces(rim: Iterable[Edge]) -> tuple[Polygon, ...]:
    """Convex polygons without overlap whose union lies to the left of edges, which meet in common ends only.

    The vertices are those of the edges.  The region is cut into triangles, and these are joined across their longest
    edges as long as they stay convex (Hertel and Mehlhorn 1983).

    >>> convex_pieces(edges(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))))
    (((0, 0), (2, 0), (0, 2)), ((0, 2), (1, 1), (1, 2)), ((1, 1), (2, 0), (2, 1)))
    """
    found: dict[int, tuple[Point, ...]] = dict(enumerate(_triangles(rim)))
    owner = {edge: number for number, polygon in found.items() for edge in edges(polygon)}
    inner = [(a, b) for a, b in owner if (b, a) in owner and a < b]
    for a, b in sorted(inner, key=lambda edge: (-_length(*edge), edge)):
        one, other = owner[a, b], owner[b, a]
        joined = (*_from(found[one], b), *_from(found[other], a)[1:-1])
        if one != other and all(sign(cross(*corner)) >= 0 for corner in corners(joined)):
            owner.update(dict.fromkeys(edges(found.pop(other)), one))
            found[one] = joined
    return tuple(sorted(counterclockwise(straightened(polygon)) for polygon in found.values()))


def straightened(polygon: Polygon) -> Polygon:
    """A polygon without the vertices that lie on a line with their neighbours."""
    return tuple(b for a, b, c in corners(polygon) if sign(cross(a, b, c)))


def _backwards(edge: Edge) -> Edge:
    return edge[1], edge[0]


def _with_points(edge: Edge, points: Iterable[Point]) -> list[Point]:
    """The ends of an edge and the points between them, in its direction."""
    a, b = edge
    low, high = sorted(edge)
    return sorted((p for p in points if low <= p <= high and sign(cross(a, b, p)) == 0), reverse=b < a)


def _is_inside(edge: Edge, curve: Iterable[Edge]) -> bool:
    """Whether a curve goes an odd number of times round the points to the left of the middle of an edge.

    A ray to the right from there meets the curve as often.  It starts beside the middle of the edge: with equal
    coordinates, the way there decides.  All coordinates are doubled.
    """
    (a, b), (c, d) = edge
    x, y, up = a + c, b + d, sign(c - a)
    inside = False
    for p, q in curve:
        levels = [sign(2 * v[1] - y) or -up for v in (p, q)]
        if (levels[0] > 0) != (levels[1] > 0):
            low, high = (p, q) if levels[0] < levels[1] else (q, p)
            dx, dy = high[0] - low[0], high[1] - low[1]
            side = sign(dx * (y - 2 * low[1]) - dy * (x - 2 * low[0])) or sign(dx * (c - a) + dy * (d - b))
            inside ^= side > 0
    return inside


def loops(rim: Iterable[Edge]) -> Iterator[tuple[Point, ...]]:
    """Closed ways without repeated points along all edges; the region to their left is never left in a point."""
    onwards: dict[Point, list[Point]] = {}
    for start, end in sorted(rim):
        onwards.setdefault(start, []).append(end)
    while onwards:
        first = next(iter(onwards))
        way, places = [first], {first: 0}
        before = None
        while True:
            at = way[-1]
            ends = onwards[at]
            end = ends[0] if before is None or len(ends) == 1 else _next_clockwise(at, before, ends)
            ends.remove(end)
            if not ends:
                del onwards[at]
            before = at
            if end in places:
                # What lies between two visits of a point is a way of its own.
                start = places[end]
                yield tuple(way[start:])
                for point in way[start + 1 :]:
                    del places[point]
                del way[start + 1 :]
                if start == 0 and end not in onwards:
                    break
            else:
                places[end] = len(way)
                way.append(end)


def _next_clockwise(at: Point, back: Point, ends: Sequence[Point]) -> Point:
    """The end of the first edge from a point that is met when the way back is turned clockwise."""
    best = ends[0]
    for end in ends[1:]:
        one, other = (sign(cross(at, back, point)) < 0 for point in (end, best))
        # Those to the right of the way back come first.
        if one > other or (one == other and sign(cross(at, best, end)) > 0):
            best = end
    return best


def _triangles(rim: Iterable[Edge]) -> Iterator[tuple[Point, Point, Point]]:
    """Triangles of the vertices of edges that fill what lies to the left of these.

    Beside any edge there is a triangle that has no other vertex and is crossed by no edge.  Floating-point numbers say
    which of them is tried first.
    """
    front = set(rim)
    points = {point: (float(point[0]), float(point[1])) for edge in front for point in edge}
    lines = {frozenset(edge): edge for edge in front}
    while front:
        a, b = min(front)
        (ax, ay), (bx, by) = points[a], points[b]

        def narrowness(point: Point, a=(ax, ay), b=(bx, by)) -> float:
            x, y = points[point]
            u, v, s, t = a[0] - x, a[1] - y, b[0] - x, b[1] - y
            return (u * s + v * t) / (hypot(u, v) * hypot(s, t) or 1)

        on_left = [point for point in points if sign(cross(a, b, point)) > 0]
        apex = next(p for p in sorted(on_left, key=narrowness) if _is_free(a, b, p, on_left, lines.values()))
        front.remove((a, b))
        yield a, b, apex
        for start, end in ((b, apex), (apex, a)):
            if (start, end) in front:
                front.remove((start, end))
            else:
                front.add((end, start))
                lines[frozenset((start, end))] = (start, end)


def _is_free(a: Point, b: Point, c: Point, points: Iterable[Point], lines: Iterable[Edge]) -> bool:
    """Whether no point but its vertices lies in a triangle, and no line crosses it."""
    for p in points:
        if p != c and sign(cross(b, c, p)) >= 0 and sign(cross(c, a, p)) >= 0:
            return False
    ends = {a, b, c}
    for p, q in lines:
        for start, end in ((b, c), (c, a)):
            if p in ends and q in ends:
                continue
            if p not in (start, end) and q not in (start, end) and segments_meet(p, q, start, end):
                return False
    return True


def _from(polygon: Polygon, point: Point) -> Polygon:
    """The vertices from one of them on."""
    first = polygon.index(point)
    return polygon[first:] + polygon[:first]


def _length(a: Point, b: Point) -> float:
    return hypot(float(b[0] - a[0]), float(b[1] - a[1]))


# The largest number of vertices of a polygon of which all diagonals are compared.
_MOST_CHOICES = 32


@lru_cache(maxsize=2**10)
def convex_parts(polygon: Polygon) -> tuple[Polygon, ...]:
    """Convex polygons without overlap whose union is a simple polygon, cut along diagonals.

    Every vertex of over 180 degrees has a diagonal (Meisters 1975).  Of all diagonals from such vertices the one is
    cut that leaves the fewest of them; of several, the shortest.  With many vertices that would take too long, and any
    diagonals are cut.

    >>> convex_parts(((0, 0), (20, 0), (20, 9), (9, 9), (9, 20), (0, 20)))
    (((0, 0), (20, 0), (20, 9), (9, 9)), ((9, 9), (9, 20), (0, 20), (0, 0)))
    """
    if first_reflex(polygon) is None:
        return (polygon,)
    if len(polygon) > _MOST_CHOICES:
        return convex_pieces(edges(polygon))
    reflex = [i for i, corner in enumerate(corners(polygon)) if sign(cross(*corner)) < 0]
    cuts = [(i, j) for i in reflex for j in range(len(polygon)) if _is_diagonal(polygon, i, j)]

    def halves(i: int, j: int) -> tuple[Polygon, Polygon]:
        i, j = sorted((i, j))
        return straightened(polygon[i : j + 1]), straightened(polygon[j:] + polygon[: i + 1])

    def cost(cut: tuple[int, int]) -> tuple[int, Number]:
        (x, y), (u, v) = polygon[cut[0]], polygon[cut[1]]
        left = sum(sign(cross(*corner)) < 0 for half in halves(*cut) for corner in corners(half))
        return left, (u - x) * (u - x) + (v - y) * (v - y)

    return tuple(part for half in halves(*min(cuts, key=cost)) for part in convex_parts(half))


def parts_as_indices(polygon: Polygon) -> tuple[tuple[int, ...], ...]:
    """The vertices of each of the convex parts, as indices of the polygon's vertices."""
    return tuple(tuple(map(polygon.index, part)) for part in convex_parts(polygon))


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two simple polygons have an inner point in common."""

    def are_apart(first: Polygon, second: Polygon) -> bool:
        # Then an edge of one of them separates the two convex polygons.
        return any(
            all(sign(cross(a, b, point)) <= 0 for point in there)
            for here, there in ((first, second), (second, first))
            for a, b in edges(here)
        )

    return not all(are_apart(first, second) for first in convex_parts(one) for second in convex_parts(other))


def _is_diagonal(polygon: Polygon, i: int, j: int) -> bool:
    """Whether the segment between two vertices, the first one of over 180 degrees, runs inside a polygon."""
    n = len(polygon)
    before, at, after, to = polygon[i - 1], polygon[i], polygon[(i + 1) % n], polygon[j]
    if (j - i) % n in (0, 1, n - 1) or (sign(cross(before, at, to)) <= 0 and sign(cross(at, after, to)) <= 0):
        return False
    # Edges that begin or end in one of the two vertices meet the segment there.
    return not any(
        segments_meet(at, to, *side) for k, side in enumerate(edges(polygon)) if not {k, (k + 1) % n} & {i, j}
    )
