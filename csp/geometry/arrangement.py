"""The faces into which segments cut the plane, with exact coordinates."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

from .exact_numbers import quotient, sign
from .polygons import Point, Polygon, common_ends, cross, double_area, edges, meeting_edges
from .regions import Edge


def elementary(segments: Iterable[Edge]) -> set[Edge]:
    """The segments cut at all points in which they meet, each part once, from its lesser end."""
    sides = sorted({(min(side), max(side)) for side in segments if side[0] != side[1]})
    cuts: list[set[Point]] = [{*side} for side in sides]
    for i, j in meeting_edges(sides):
        one, other = sides[i], sides[j]
        common = common_ends(one, other) or {_crossing(one, other)}
        cuts[i] |= common
        cuts[j] |= common
    return {part for points in cuts for part in pairwise(sorted(points))}


def faces(parts: Iterable[Edge]) -> tuple[list[Polygon], list[Polygon]]:
    """The bounded faces between elementary segments, and the outer boundaries of what hangs together.

    A face that surrounds such a boundary is among the first as if there were nothing within it.  Points that lie on a
    line with their neighbours are kept.
    """
    around: dict[Point, list[Point]] = {}
    for start, end in parts:
        around.setdefault(start, []).append(end)
        around.setdefault(end, []).append(start)
    for at, ends in around.items():
        ends.sort(key=cmp_to_key(lambda one, other, at=at: _compared(at, one, other)))
    left = {(start, end) for start, ends in around.items() for end in ends}
    inner, outer = [], []
    while left:
        way = [min(left)]
        while True:
            start, end = way[-1]
            ends = around[end]
            onwards = end, ends[ends.index(start) - 1]
            if onwards == way[0]:
                break
            way.append(onwards)
        left.difference_update(way)
        loop = tuple(start for start, _ in way)
        (inner if sign(double_area(loop)) > 0 else outer).append(loop)
    return inner, outer


def loose_ends(parts: Iterable[Edge]) -> list[Point]:
    """The points in which only one elementary segment ends."""
    found = Counter(point for part in parts for point in part)
    return sorted(point for point, times in found.items() if times == 1)


def inner_point(face: Polygon) -> Point:
    """A point inside a face, which may touch itself: half-way from an edge that goes down to the next edge."""
    low, high = sorted({y for _, y in face})[:2]
    level = (low + high) * Fraction(1, 2)
    found = []
    for (x0, y0), (x1, y1) in edges(face):
        if min(y0, y1) < level < max(y0, y1):
            found.append((x0 + quotient((level - y0) * (x1 - x0), y1 - y0), y1 < y0))
    start = min(x for x, down in found if down)
    return (start + min(x for x, _ in found if x > start)) * Fraction(1, 2), level


def _crossing(one: Edge, other: Edge) -> Point:
    """The point in which two segments cross."""
    (a, b), (c, d) = one, other
    part = quotient(cross(a, c, d), cross(a, c, d) - cross(b, c, d))
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])


def _compared(at: Point, one: Point, other: Point) -> int:
    """Negative if the way from a point to the first one comes before that to the other, counter-clockwise."""
    upper = [(end[1], end[0]) > (at[1], at[0]) for end in (one, other)]
    if upper[0] != upper[1]:
        return -1 if upper[0] else 1
    return -sign(cross(at, one, other))
