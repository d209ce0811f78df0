"""Polygons with exact coordinates: area, convexity, congruence, isometries, and the convex hull.

Vertices are in counter-clockwise order unless stated otherwise.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from ..base.errors import need_extra
from .exact_numbers import Number, format_number, quotient, sign, symbol

Point = tuple[Number, Number]
Polygon = tuple[Point, ...]
Rational = int | Fraction
_PointT = TypeVar("_PointT")


def cross(a: Point, b: Point, c: Point) -> Number:
    """Twice the signed area of the triangle abc: positive where c lies to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def double_area(polygon: Polygon) -> Number:
    """Twice the signed area: positive for counter-clockwise order."""
    total: Number = 0
    for (x0, y0), (x1, y1) in edges(polygon):
        total += x0 * y1 - x1 * y0
    return total


def area(polygon: Polygon) -> Number:
    """The area of a polygon in counter-clockwise order."""
    return double_area(polygon) * Fraction(1, 2)


def edges(polygon: Sequence[_PointT]) -> Iterator[tuple[_PointT, _PointT]]:
    """The edges, from each vertex to the next one."""
    return zip(polygon, (*polygon[1:], polygon[0]), strict=True)


def corners(polygon: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Each vertex between the one before it and the one after it."""
    return zip((polygon[-1], *polygon[:-1]), polygon, (*polygon[1:], polygon[0]), strict=True)


def counterclockwise(polygon: Polygon) -> Polygon:
    """The polygon in counter-clockwise order, starting at its least vertex; equal for equal polygons."""
    return from_least(polygon[::-1] if sign(double_area(polygon)) < 0 else polygon)


def from_least(polygon: tuple[_PointT, ...]) -> tuple[_PointT, ...]:
    """The vertices from the least one on."""
    first = polygon.index(min(polygon))  # pyright: ignore[reportArgumentType]
    return polygon[first:] + polygon[:first]


def first_reflex(polygon: Polygon) -> int | None:
    """The first vertex (from 0) whose angle is over 180 degrees; None if the polygon is convex."""
    return next((i for i, corner in enumerate(corners(polygon)) if sign(cross(*corner)) < 0), None)


def first_crossing(polygon: Polygon) -> tuple[int, int] | None:
    """The first two edges (by their first vertices, from 0) that meet other than in a common vertex; or None."""
    last = len(polygon) - 1
    # Neighbours meet in their vertex.
    found = ((i, j) for i, j in meeting_edges(list(edges(polygon))) if j != i + 1 and (i, j) != (0, last))
    return min(found, default=None)


def meeting_edges(sides: Sequence[tuple[Point, Point]]) -> Iterator[tuple[int, int]]:
    """The pairs of edges that have a point in common, each once, the lower number first.

    Only pairs are compared that are abreast of each other.
    """
    ordered = sorted(range(len(sides)), key=lambda side: min(sides[side]))
    lows, highs = [min(side) for side in sides], [max(side) for side in sides]
    for at, i in enumerate(ordered):
        a, b = sides[i]
        for j in ordered[at + 1 :]:
            if lows[j][0] > highs[i][0]:
                break
            c, d = sides[j]
            if max(c[1], d[1]) >= min(a[1], b[1]) and max(a[1], b[1]) >= min(c[1], d[1]) and segments_meet(a, b, c, d):
                yield (i, j) if i < j else (j, i)


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    s = [sign(cross(*three)) for three in ((a, b, c), (a, b, d), (c, d, a), (c, d, b))]
    if s[0] != s[1] and s[2] != s[3] and 0 not in s:
        return True
    on = ((s[0], a, b, c), (s[1], a, b, d), (s[2], c, d, a), (s[3], c, d, b))
    return any(
        side == 0 and min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])
        for side, p, q, r in on
    )


def common_ends(one: tuple[Point, Point], other: tuple[Point, Point]) -> set[Point]:
    """The ends of two segments that lie on the other one; none if they cross."""
    return {p for p in one if segments_meet(p, p, *other)} | {p for p in other if segments_meet(p, p, *one)}


def encloses(polygon: Polygon, point: Point) -> bool:
    """Whether a polygon goes an odd number of times round a point, which lies on none of its edges."""
    inside = False
    for p, q in edges(polygon):
        if (p[1] <= point[1]) != (q[1] <= point[1]) and (sign(cross(p, q, point)) > 0) == (q[1] > p[1]):
            inside = not inside
    return inside


def convex_hull(points: Sequence[Point]) -> Polygon:
    """The vertices of the convex hull, starting at the least one (Andrew 1979)."""
    ordered = sorted(set(points))

    def half(points: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for point in points:
            while len(chain) > 1 and sign(cross(chain[-2], chain[-1], point)) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return (*half(ordered), *half(ordered[::-1])) if len(ordered) > 1 else tuple(ordered)


def points_text(polygon: Polygon) -> str:
    """The vertices of a polygon as text."""
    return " ".join(f"({format_number(x)}, {format_number(y)})" for x, y in polygon)


class Isometry(NamedTuple):
    """A motion of the plane, (x, y) -> (a x + b y + e, c x + d y + f); a reflection if a d - b c is -1."""

    a: Number
    b: Number
    c: Number
    d: Number
    e: Number
    f: Number

    def __call__(self, polygon: Polygon) -> Polygon:
        """The image of a polygon, again in counter-clockwise order, starting at its least vertex."""
        image = tuple(self.of_point(point) for point in polygon)
        return counterclockwise(image)

    def of_point(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.b * y + self.e, self.c * x + self.d * y + self.f

    @property
    def is_reflection(self) -> bool:
        """Whether it turns polygons over."""
        return self.a * self.d < self.b * self.c

    def inverse(self) -> "Isometry":
        a, b, c, d, e, f = self
        size = a * d - b * c  # 1 or -1
        a, b, c, d = d * size, -b * size, -c * size, a * size
        return Isometry(a, b, c, d, -(a * e + b * f), -(c * e + d * f))


#: The four turns by multiples of 90 degrees, then the four reflections: entries a, b, c, d of `Isometry`.
LATTICE_MOTIONS: tuple[tuple[int, int, int, int], ...] = (
    (1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0),
    (1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0),
)  # fmt: skip


def isometries(source: Polygon, image: Polygon) -> Iterator[Isometry]:
    """The motions that carry one polygon to another one, or to itself (its symmetries).

    The identity, if it is one of them, comes first.
    """
    if len(source) != len(image):
        return
    n = len(source)
    for direction in (1, -1):
        for start in range(n):
            matched = [image[(start + direction * i) % n] for i in range(n)]
            found = motion_onto(source, matched, direction)
            if found is not None and all(found.of_point(p) == q for p, q in zip(source, matched, strict=True)):
                yield found


def motion_onto(source: Sequence[Point], matched: Sequence[Point], direction: int) -> Isometry | None:
    """The motion that carries the first two points to the first two, a reflection if the direction is -1.

    None if their distances differ.
    """
    (x0, y0), (x1, y1) = source[0], source[1]
    (u0, v0), (u1, v1) = matched[0], matched[1]
    dx, dy, du, dv = x1 - x0, y1 - y0, u1 - u0, v1 - v0
    square = dx * dx + dy * dy
    if square != du * du + dv * dv:
        return None
    # As complex numbers: the quotient of the edges, with the source conjugated for a reflection.
    dy = direction * dy
    c, s = quotient(du * dx + dv * dy, square), quotient(dv * dx - du * dy, square)
    a, b, c, d = c, -s * direction, s, c * direction
    return Isometry(a, b, c, d, u0 - a * x0 - b * y0, v0 - c * x0 - d * y0)


def to_shapely(shape: Polygon | Sequence[Polygon]) -> Any:
    """A polygon, or each polygon of a tiling, as ``shapely.Polygon``, with its coordinates rounded to floats.

    Parameters
    ----------
    shape : polygon or sequence of polygons
        A polygon, such as ``puzzle.target``; or polygons, such as ``puzzle.pieces`` or a tiling.

    Returns
    -------
    shapely.Polygon or list of shapely.Polygon
        The same in shapely.

    Raises
    ------
    JigsatError
        If shapely is not installed.

    Examples
    --------
    >>> from jigsat import read
    >>> to_shapely(read("ostomachion").target).area
    144.0
    """
    need_extra("shapely", extra="workshop", what="polygons of shapely need")
    import shapely

    return _each(shape, lambda polygon: shapely.Polygon([(float(x), float(y)) for x, y in polygon]))


def to_sympy(shape: Polygon | Sequence[Polygon]) -> Any:
    """A polygon, or each polygon of a tiling, as ``sympy.Polygon``, with the same exact coordinates.

    Parameters
    ----------
    shape : polygon or sequence of polygons
        A polygon, such as ``puzzle.target``; or polygons, such as ``puzzle.pieces`` or a tiling.

    Returns
    -------
    sympy.Polygon or list of sympy.Polygon
        The same in sympy; a triangle is a ``sympy.Triangle``.

    Examples
    --------
    >>> from jigsat import read
    >>> to_sympy(read("calissons").target).area
    6*sqrt(3)
    """
    import sympy

    return _each(shape, lambda polygon: sympy.Polygon(*((symbol(x), symbol(y)) for x, y in polygon)))


def _each(shape: Any, make: Callable[[Polygon], Any]) -> Any:
    """What is made of a polygon, or a list of what is made of several."""
    is_polygon = isinstance(shape[0][0], str) or not hasattr(shape[0][0], "__len__")
    return make(shape) if is_polygon else [make(polygon) for polygon in shape]
