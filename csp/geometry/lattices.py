"""Lattices that contain the vertices of polygons, with their symmetries: square, triangular and rectangular ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, gcd, lcm

from ..base.errors import PuzzleError
from .exact_numbers import Number, format_number, plain, quotient, rational, squarefree, surd, terms_of
from .polygons import LATTICE_MOTIONS, Point, Polygon, edges, from_least

#: A polygon with integer coordinates in the basis of a lattice.
Units = tuple[tuple[int, int], ...]
#: Entries a, b, c, d of (i, j) -> (a i + b j, c i + d j).
Matrix = tuple[int, int, int, int]


@dataclass(frozen=True)
class Lattice:
    """All points ``(i + slant j) across, j up`` with integers i and j, from the origin on.

    >>> from jigsat.csp.geometry.exact_numbers import parse
    >>> triangle = ((0, 0), (1, 0), (Fraction(1, 2), parse("1/2*sqrt(3)")))
    >>> lattice = Lattice.of([triangle])
    >>> lattice.units(triangle), len(lattice.motions)
    (((0, 0), (1, 0), (0, 1)), 12)

    Coordinates in pixels:

    >>> print(Lattice.of([((30, 80), (70, 80), (70, 160))]))
    multiples of 40 from (30, 0) on
    """

    #: A rational factor and a squarefree radicand each: the number is their product with the square root.
    across: tuple[Fraction, int]
    up: tuple[Fraction, int]
    slanted: bool  #: Whether rows are shifted by half a step against each other, as in the triangular lattice
    #: Its rotations and reflections that fix a point, in coordinates i and j; the identity first.
    motions: tuple[Matrix, ...]
    origin: tuple[Number, Number] = (0, 0)  #: The point with i = j = 0

    @classmethod
    def of(cls, polygons: Iterable[Polygon]) -> "Lattice":
        """The coarsest lattice of its kind with rows along the x axis that contains the vertices.

        With rational coordinates it is square.  If y / x is a rational multiple of sqrt(3) it is triangular, and
        otherwise rectangular; x and y are measured from the first vertex.  Raises PuzzleError if the differences along
        an axis are not rational multiples of one square root.
        """
        points = [point for polygon in polygons for point in polygon]
        first = points[0]
        away = [[point[axis] - first[axis] for point in points] for axis in (0, 1)]
        (xs, p), (ys, q) = (_on_one_root(numbers, axis) for numbers, axis in zip(away, "xy", strict=True))
        if p == q:
            step = _common_divisor([*xs, *ys]), p
            return cls(step, step, False, LATTICE_MOTIONS)._through(first)
        _, ratio = squarefree(p * q)
        if ratio == 3:
            # Rows of points 1 apart are sqrt(3)/2 apart: for sqrt(p), that is the factor times sqrt(q).
            factor = Fraction(squarefree(3 * p)[0], 2)
            rows = [y / factor for y in ys]
            size = _common_divisor([*rows, *(x - row / 2 for x, row in zip(xs, rows, strict=True))])
            return cls((size, p), (size * factor, q), True, SIXTHS)._through(first)
        half_turns = tuple(m for m in LATTICE_MOTIONS if m[1] == m[2] == 0)
        return cls((_common_divisor(xs), p), (_common_divisor(ys), q), False, half_turns)._through(first)

    def _through(self, point: Point) -> "Lattice":
        """The lattice moved to a point; its origin is moved as little as possible."""
        x, y = point
        _, up = self.vector(0, j := floor(_factor(y, self.up[1]) / self.up[0]))
        x = x - self.vector(0, j)[0]
        across, _ = self.vector(floor(_factor(x, self.across[1]) / self.across[0]), 0)
        return replace(self, origin=(plain(x - across), plain(y - up)))

    def units(self, polygon: Polygon) -> Units:
        """The coordinates i and j of the vertices, in the same order; they must be points of the lattice."""
        if self._is_plain:
            return tuple((int(rational(x)), int(rational(y))) for x, y in polygon)
        found = []
        for x, y in polygon:
            j = _factor(y - self.origin[1], self.up[1]) / self.up[0]
            i = _factor(x - self.origin[0], self.across[1]) / self.across[0] - (j / 2 if self.slanted else 0)
            found.append((int(i), int(j)))
        return tuple(found)

    def polygon(self, units: Units) -> Polygon:
        """The inverse of `units`."""
        if self._is_plain:
            return units
        left, bottom = self.origin
        return tuple((plain(left + x), plain(bottom + y)) for x, y in (self.vector(i, j) for i, j in units))

    @cached_property
    def _is_plain(self) -> bool:
        """Whether coordinates are those of the plane."""
        return self.across == self.up == (1, 1) and self.origin == (0, 0) and not self.slanted

    def vector(self, i: int, j: int) -> tuple[Number, Number]:
        """The step from one point to another."""
        x = self.across[0] * (i + Fraction(j, 2) if self.slanted else i)
        return plain(surd({self.across[1]: x})), plain(surd({self.up[1]: self.up[0] * j}))

    @cached_property
    def cell(self) -> Number:
        """The area of a parallelogram of the lattice."""
        return surd({self.across[1] * self.up[1]: self.across[0] * self.up[0]})

    @cached_property
    def turns(self) -> dict[tuple[Number, Number, Number, Number], Matrix]:
        """Its motions by their real coordinates: the entries a, b, c, d of (x, y) -> (a x + b y, c x + d y)."""
        found = {}
        (width, _), (_, height) = self.vector(1, 0), self.vector(0, 1)
        for a, b, c, d in self.motions:
            (p, r), (q, s) = self.vector(a, c), self.vector(b, d)
            if self.slanted:
                q, s = q - p * Fraction(1, 2), s - r * Fraction(1, 2)
            found[quotient(p, width), quotient(q, height), quotient(r, width), quotient(s, height)] = (a, b, c, d)
        return found

    @property
    def angle(self) -> int:
        """Its motions turn by multiples of this number of degrees."""
        return 60 if self.slanted else 90 if len(self.motions) == 8 else 180

    def images(self, units: Units) -> tuple[Units, ...]:
        """The polygon after each of the motions, those that look alike once, with least coordinates 0; ascending."""
        return tuple(sorted({placed(turned(motion, units)) for motion in self.motions}))

    def steps(self, step: tuple[int, int]) -> tuple[tuple[int, int], ...]:
        """A primitive vector after each of the motions, ascending."""
        return tuple(sorted({moved_point(motion, step) for motion in self.motions}))

    @property
    def words(self) -> str:
        """Which lattice it is: with squares, triangles or rectangles of which sides."""
        (x, _), (_, y) = self.vector(1, 0), self.vector(0, 1)
        if self.slanted:
            return f"triangles of side {format_number(x)}"
        if x == y:
            return f"squares of side {format_number(x)}"
        return f"rectangles of sides {format_number(x)} and {format_number(y)}"

    def __str__(self) -> str:
        left, bottom = map(format_number, self.origin)
        start = "" if self.origin == (0, 0) else f" from ({left}, {bottom}) on"
        if self.slanted:
            return f"points of a triangular lattice with step {format_number(self.vector(1, 0)[0])}{start}"
        (x, _), (_, y) = self.vector(1, 0), self.vector(0, 1)
        if x == y == 1 and not start:
            return "whole numbers"
        if x == y:
            return f"multiples of {format_number(x)}{start}"
        return f"multiples of {format_number(x)} and {format_number(y)}{start}"


def moved_point(motion: Matrix, point: tuple[int, int]) -> tuple[int, int]:
    """The image of a point."""
    a, b, c, d = motion
    return a * point[0] + b * point[1], c * point[0] + d * point[1]


def is_reflection(motion: Matrix) -> bool:
    """Whether a motion turns the plane over."""
    return motion[0] * motion[3] < motion[1] * motion[2]


def turned(motion: Matrix, units: Units) -> Units:
    """The image of a counter-clockwise polygon, again counter-clockwise."""
    image = tuple(moved_point(motion, point) for point in units)
    return image[::-1] if is_reflection(motion) else image


def placed(units: Units) -> Units:
    """The polygon moved to least coordinates 0, from its least vertex on."""
    left, bottom = min(i for i, _ in units), min(j for _, j in units)
    return tuple((i - left, j - bottom) for i, j in from_least(units))


def inverse(motion: Matrix) -> Matrix:
    """The inverse of a motion."""
    a, b, c, d = motion
    sign = a * d - b * c
    return sign * d, -sign * b, -sign * c, sign * a


def primitive(dx: int, dy: int) -> tuple[tuple[int, int], int]:
    """The shortest vector of a lattice in a direction, and how many times it is contained in the given one."""
    times = gcd(dx, dy)
    return (dx // times, dy // times), times


def unit_edges(units: Units) -> list[tuple[int, int]]:
    """The edges of a polygon as vectors."""
    return [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in edges(units)]


def _on_one_root(numbers: list[Number], axis: str) -> tuple[list[Fraction], int]:
    """Numbers as rational multiples of the root of one radicand."""
    roots = {root for number in numbers if number != 0 for root, _ in terms_of(number)}
    if len(roots) > 1 or min(roots, default=1) < 0:
        shown = " and ".join("1" if root == 1 else format_number(surd({root: 1})) for root in sorted(roots)[:2])
        raise PuzzleError(f"the {axis} coordinates have multiples of {shown}, so that the vertices lie on no lattice")
    root = roots.pop() if roots else 1
    return [_factor(number, root) for number in numbers], root


def _factor(number: Number, root: int) -> Fraction:
    """A rational multiple of a root, divided by it."""
    return dict(terms_of(number)).get(root, Fraction(0))


def _common_divisor(numbers: list[Fraction]) -> Fraction:
    """The largest number of which all numbers are multiples."""
    below = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * below) for number in numbers)), below)


#: The six turns and six reflections of a triangular lattice, in the basis of two vectors at 60 degrees.
SIXTHS: tuple[Matrix, ...] = (
    (1, 0, 0, 1), (0, -1, 1, 1), (0, 1, 1, 0), (-1, -1, 1, 0), (1, 1, 0, -1), (-1, 0, 1, 1),
    (-1, 0, 0, -1), (1, 0, -1, -1), (-1, -1, 0, 1), (1, 1, -1, 0), (0, 1, -1, -1), (0, -1, -1, 0),
)  # fmt: skip
