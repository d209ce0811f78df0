"""Checks any claimed tiling against the puzzle alone, with exact arithmetic.

It is independent of the engines: it has its own code to compare shapes, find overlaps and test what lies inside, so
that it shares no errors with the code that it checks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt, lcm

from ..geometry.exact_numbers import Number, Surd, rational, surd
from .dissection import DissectionPuzzle, Motions, Tiling

Point = tuple[Number, Number]
Points = tuple[Point, ...]


@dataclass(frozen=True)
class TilingFault:
    """An error of a piece, of two pieces, or, where `pieces` is empty, of the tiling; piece numbers from 1."""

    pieces: tuple[int, ...]
    what: str

    def __str__(self) -> str:
        if not self.pieces:
            return self.what
        return f"piece{'s' if len(self.pieces) > 1 else ''} {' and '.join(map(str, self.pieces))} {self.what}"


@dataclass(frozen=True)
class TilingVerdict:
    """The result of a check: the faults, those of single pieces first."""

    faults: tuple[TilingFault, ...]

    @property
    def is_solution(self) -> bool:
        """Whether every piece has its shape and lies inside the target, without overlaps.

        Gaps and pieces left over are faults only where the puzzle does not allow them.
        """
        return not self.faults

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that prevents this from being a solution, one line each."""
        return tuple(map(str, self.faults))


def check_tiling(puzzle: DissectionPuzzle, tiling: Tiling) -> TilingVerdict:
    """Check a tiling.

    Parameters
    ----------
    puzzle
        The puzzle.
    tiling
        The polygon of each piece, its vertices in either order; None for a spare piece that is left over.

    Raises
    ------
    ValueError
        If the tiling has another number of polygons than the puzzle has pieces.

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> check_tiling(puzzle, (triangle, ((1, 0), (1, 1), (0, 1)))).is_solution
    True
    >>> print(*check_tiling(puzzle, (triangle, triangle)).problems)
    pieces 1 and 2 overlap
    """
    return TilingChecker(puzzle)(tiling)


@dataclass(frozen=True)
class _Shape:
    """A polygon times a positive number that makes its coordinates integers, or times 1 if one is irrational."""

    factor: int
    points: Points

    @classmethod
    def of(cls, polygon: Points) -> "_Shape":
        if any(isinstance(c, Surd) for point in polygon for c in point):
            return cls(1, tuple(polygon))
        fractions = [(rational(x), rational(y)) for x, y in polygon]
        factor = lcm(*(c.denominator for point in fractions for c in point))
        return cls(factor, tuple((int(x * factor), int(y * factor)) for x, y in fractions))

    def times(self, number: int) -> Points:
        return self.points if number == 1 else tuple((x * number, y * number) for x, y in self.points)


class TilingChecker:
    """Checks tilings of one puzzle.  Results for a placement, or for two, are reused."""

    def __init__(self, puzzle: DissectionPuzzle) -> None:
        self._puzzle = puzzle
        self._pieces = [_Shape.of(piece) for piece in puzzle.pieces]
        parts, holes = ([_Shape.of(outline) for outline in outlines] for outlines in (puzzle.parts, puzzle.holes))
        self._outlines = [*parts, *holes]
        self._double_area: Number = sum(map(_double_area, parts), 0)
        for hole in holes:
            self._double_area = self._double_area - _double_area(hole)
        self._grid = _Grid.of(puzzle) if puzzle.motions is Motions.LATTICE else None
        # Polygons are numbered: what each is, its convex parts, its area, whether it lies inside, which ones have been
        # compared.
        self._numbers: dict[Points, int] = {}
        self._shapes: list[_Shape] = []
        self._parts: dict[int, list[_Shape]] = {}
        self._double_areas: list[Number] = []
        self._shape_faults: dict[tuple[int, int], str | None] = {}
        self._inside: dict[int, bool] = {}
        self._overlap: dict[tuple[int, int], bool] = {}

    def __call__(self, tiling: Tiling, *, partial: bool = False) -> TilingVerdict:
        """Check a tiling; parameters and errors as for `check_tiling`.  With `partial`, pieces may be missing."""
        if len(tiling) != len(self._pieces):
            raise ValueError(f"{len(tiling)} polygons for {len(self._pieces)} pieces")
        numbers = {piece: self._number(polygon) for piece, polygon in enumerate(tiling) if polygon is not None}
        needed = [piece for piece, polygon in enumerate(tiling) if polygon is None and piece not in self._puzzle.spare]
        faults: list[TilingFault] = []
        if self._puzzle.spare:
            faults = [TilingFault((piece + 1,), "is left over, but is not spare") for piece in needed if not partial]
        elif needed and not partial:
            faults = [TilingFault((), f"{len(numbers)} of {len(tiling)} pieces lie on the target")]
        sound: list[tuple[int, int]] = []
        for piece, number in numbers.items():
            fault = self._fault_of_shape(piece, number)
            if fault is not None:
                faults.append(TilingFault((piece + 1,), fault))
                continue
            sound.append((piece + 1, number))
            if not self._lies_inside(number):
                faults.append(TilingFault((piece + 1,), "does not lie inside the target"))
        faults += self._overlaps(sound)
        covered: Number = sum((self._double_areas[number] for number in numbers.values()), 0)
        is_whole = not partial and (bool(self._puzzle.spare) or not needed)
        if is_whole and covered != self._double_area and self._puzzle.leave is not True:
            faults.append(TilingFault((), "the areas of the polygons do not add up to that of the target"))
        return TilingVerdict(tuple(faults))

    def _number(self, polygon: Points) -> int:
        found = self._numbers.get(polygon)
        if found is None:
            found = self._numbers[polygon] = len(self._shapes)
            self._shapes.append(_Shape.of(polygon))
            self._double_areas.append(_double_area(self._shapes[-1]))
        return found

    def _fault_of_shape(self, piece: int, number: int) -> str | None:
        key = piece, number
        if key not in self._shape_faults:
            may_turn_over, may_not_turn = piece not in self._puzzle.no_flip, piece in self._puzzle.no_turn
            found = self._find_fault(self._pieces[piece], self._shapes[number], may_turn_over, may_not_turn)
            self._shape_faults[key] = found
        return self._shape_faults[key]

    def _find_fault(self, piece: _Shape, placed: _Shape, may_turn_over: bool, may_not_turn: bool) -> str | None:
        original, claimed = piece.times(placed.factor), placed.times(piece.factor)
        matches = list(_congruences(original, claimed))
        if not matches:
            return "has a different shape in the puzzle"
        if not may_turn_over:
            matches = [matched for matched in matches if _is_same_way_up(original, matched)]
            if not matches:
                return "is turned over, which the puzzle does not allow"
        if self._grid is None:
            return None
        if not any(self._grid.turns(original, matched) for matched in matches):
            return f"is not turned by a multiple of {self._grid.degrees} degrees"
        if may_not_turn and not any(_is_unturned(original, matched) for matched in matches):
            return "is turned, which the puzzle does not allow"
        if not all(map(self._grid.has, placed.times(1), [placed.factor] * len(claimed))):
            return "lies between the cells" if self._puzzle.cells else "has a vertex that is not a lattice point"
        return None

    def _lies_inside(self, number: int) -> bool:
        if number not in self._inside:
            common = lcm(*(outline.factor for outline in self._outlines))
            factor = self._shapes[number].factor
            sides = [side for one in self._outlines for side in _sides(one.times(common // one.factor * factor))]
            self._inside[number] = all(_is_inside(part.times(common), sides) for part in self._parts_of(number))
        return self._inside[number]

    def _parts_of(self, number: int) -> "list[_Shape]":
        """The convex parts of a polygon that has the shape of a piece."""
        if number not in self._parts:
            shape = self._shapes[number]
            self._parts[number] = [_Shape(shape.factor, part) for part in _convex_parts(shape.points)]
        return self._parts[number]

    def _overlaps(self, sound: Sequence[tuple[int, int]]) -> Iterator[TilingFault]:
        known = self._overlap
        for i, (piece, number) in enumerate(sound):
            for other_piece, other in sound[i + 1 :]:
                key = number, other
                if key not in known:
                    known[key] = not all(
                        _are_apart(one.times(two.factor), two.times(one.factor))
                        for one in self._parts_of(number)
                        for two in self._parts_of(other)
                    )
                if known[key]:
                    yield TilingFault((piece, other_piece), "overlap")


def _sides(polygon: Points) -> Iterator[tuple[Point, Point]]:
    return zip(polygon, (*polygon[1:], polygon[0]), strict=True)


def _turn(a: Point, b: Point, c: Point) -> Number:
    """Positive if the way from a over b to c turns left, negative if it turns right."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _double_area(shape: _Shape) -> Number:
    total = _signed(shape.points)
    size = total if total > 0 else -total
    # Sums of integers are quicker than those of fractions.
    return size if shape.factor == 1 else size * Fraction(1, shape.factor**2)


def _signed(points: Points) -> Number:
    """Twice the area, positive if the vertices are in counter-clockwise order."""
    total: Number = 0
    for p, q in _sides(points):
        total += _turn(points[0], p, q)
    return total


def _congruences(original: Points, claimed: Points) -> Iterator[Points]:
    """The orders of the claimed vertices in which all distances equal those of the original vertices."""
    if len(original) != len(claimed):
        return
    wanted = list(_distances(original))
    for order in (claimed, claimed[::-1]):
        for start in range(len(order)):
            matched = order[start:] + order[:start]
            if all(found == distance for found, distance in zip(_distances(matched), wanted, strict=True)):
                yield matched


def _distances(points: Points) -> Iterable[Number]:
    """The squares of the distances of all pairs of points, those of neighbours first: they differ in most cases."""
    for step in range(1, len(points)):
        for p, q in zip(points, points[step:], strict=False):
            yield (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])


def _is_same_way_up(original: Points, matched: Points) -> bool:
    """Whether both go round their polygons in the same direction."""
    return (_signed(original) > 0) == (_signed(matched) > 0)


def _is_unturned(original: Points, matched: Points) -> bool:
    """Whether the matched edges are the original ones, or mirrored left to right."""
    here, there = ([(q[0] - p[0], q[1] - p[1]) for p, q in _sides(points)] for points in (original, matched))
    return there == here or there == [(-x, y) for x, y in here]


# The p and q, the distance of rows, and the size of the lattice of cells; see `_Grid`.
_OF_CELLS: dict[str, tuple[tuple[int, int], Fraction, Fraction, int]] = {
    "squares": ((1, 1), Fraction(0), Fraction(1), 90),
    "triangles": ((1, 3), Fraction(1, 2), Fraction(2), 60),
    "hexagons": ((3, 1), Fraction(3, 2), Fraction(2, 3), 60),
}


@dataclass(frozen=True)
class _Grid:
    """The lattice of a puzzle: x = X sqrt(p) and y = Y sqrt(q) from one vertex to another, with rational X and Y."""

    #: A vertex.
    first: Point
    #: The squarefree p and q.
    roots: tuple[int, int]
    #: The distance of rows of a triangular lattice of step sqrt(p), in units of sqrt(q); 0 for other lattices.
    row: Fraction
    #: What X and Y, or the steps along the two directions of a triangular lattice, are multiples of: they are the
    #: largest such numbers.
    sizes: tuple[Fraction, Fraction]
    #: Pieces turn by multiples of this angle.
    degrees: int
    #: Two neighbouring vertices if the cells are hexagons: all others are three steps, or multiples, from one of them.
    corners: tuple[Point, ...] = ()

    @classmethod
    def of(cls, puzzle: DissectionPuzzle) -> "_Grid":
        points = tuple(point for polygon in (*puzzle.parts, *puzzle.holes, *puzzle.pieces) for point in polygon)
        first = points[0]
        if puzzle.cells:
            roots, row, size, degrees = _OF_CELLS[puzzle.cells]
            return cls(first, roots, row, (size, size), degrees, points[:2] if puzzle.cells == "hexagons" else ())
        ways = [(point[0] - first[0], point[1] - first[1]) for point in points]
        p, q = (next((_root(way[axis]) or 1 for way in ways if way[axis] != 0), 1) for axis in (0, 1))
        triangles = 3 * isqrt(p * q // 3) ** 2 == p * q
        row = Fraction(1, 2) * Fraction(isqrt(3 * p * q), q) if triangles else Fraction(0)
        grid = cls(first, (p, q), row, (Fraction(1), Fraction(1)), 60 if triangles else 90 if p == q else 180)
        steps = [grid._steps(way, 1) for way in ways]
        if grid.degrees < 180:
            size = _largest_measure(step for pair in steps for step in pair)
            return replace(grid, sizes=(size, size))
        across, up = zip(*steps, strict=True)
        return replace(grid, sizes=(_largest_measure(across), _largest_measure(up)))

    def _steps(self, way: Point, factor: int) -> tuple[Fraction, Fraction]:
        x, y = (_over_root(c, root) / factor for c, root in zip(way, self.roots, strict=True))
        return (x - y / self.row / 2, y / self.row) if self.row else (x, y)

    def has(self, point: Point, factor: int) -> bool:
        """Whether a point, divided by the factor, is on the lattice, and the corner of a cell."""
        if not self.corners:
            return self._is_apart(point, factor, self.first, 1)
        return any(self._is_apart(point, factor, corner, 3) for corner in self.corners)

    def _is_apart(self, point: Point, factor: int, other: Point, steps: int) -> bool:
        """Whether a point, divided by the factor, is multiples of some steps apart from another one."""
        way = point[0] - factor * other[0], point[1] - factor * other[1]
        if any(_root(c) != root for c, root in zip(way, self.roots, strict=True) if c != 0):
            return False
        found = self._steps(way, factor)
        return all((step / size / steps).denominator == 1 for step, size in zip(found, self.sizes, strict=True))

    def turns(self, original: Points, matched: Points) -> bool:
        """Whether a turn by a multiple of the degrees, perhaps after a reflection, makes the matched edges."""
        here = [(q[0] - p[0], q[1] - p[1]) for p, q in _sides(original)]
        there = [(q[0] - p[0], q[1] - p[1]) for p, q in _sides(matched)]
        return any(
            all((a * x - b * side * y, b * x + a * side * y) == edge for (x, y), edge in zip(here, there, strict=True))
            for a, b in _UNITS[self.degrees]
            for side in (1, -1)
        )


_SINE = surd({3: Fraction(1, 2)})
_HALF = Fraction(1, 2)
# The cosines and sines of the multiples of each angle.
_UNITS: dict[int, tuple[Point, ...]] = {
    90: ((1, 0), (0, 1), (-1, 0), (0, -1)),
    180: ((1, 0), (-1, 0)),
    60: ((1, 0), (_HALF, _SINE), (-_HALF, _SINE), (-1, 0), (-_HALF, -_SINE), (_HALF, -_SINE)),
}


def _largest_measure(numbers: Iterable[Fraction]) -> Fraction:
    """The largest number of which all numbers are multiples, by Euclid's algorithm."""
    largest = Fraction(0)
    for number in numbers:
        rest = abs(number)
        while rest:
            largest, rest = rest, largest % rest
    return largest


def _root(number: Number) -> int | None:
    """The r of a rational multiple of sqrt(r); None for a sum of several."""
    if not isinstance(number, Surd):
        return 1
    return number.terms[0][0] if len(number.terms) == 1 else None


def _over_root(number: Number, root: int) -> Fraction:
    """A rational multiple of sqrt(root), divided by it."""
    return rational(number * surd({root: Fraction(1, root)}))


def _convex_parts(points: Points) -> list[Points]:
    """A convex polygon itself; another one cut into triangles, ear by ear."""
    left = list(points if _signed(points) > 0 else points[::-1])
    if all(_turn(left[i - 2], left[i - 1], left[i]) >= 0 for i in range(len(left))):
        return [points]
    triangles: list[Points] = []
    while len(left) > 2:
        for i in range(len(left)):
            ear = left[i - 2], left[i - 1], left[i]
            others = [point for point in left if point not in ear]
            turn = _turn(*ear)
            if turn == 0 or (turn > 0 and not any(_is_in_triangle(point, ear) for point in others)):
                triangles += [ear] if turn > 0 else []
                del left[i - 1]
                break
    return triangles


def _is_in_triangle(point: Point, triangle: Points) -> bool:
    return all(_turn(p, q, point) >= 0 for p, q in _sides(triangle))


def _is_inside(polygon: Points, boundary: Sequence[tuple[Point, Point]]) -> bool:
    """Whether a convex polygon lies inside a boundary: none of its sides crosses it, and one of its points does."""
    if not all(_are_apart(polygon, side) for side in boundary):
        return False
    # The centre; everything else is scaled up by the number of vertices.
    size = len(polygon)
    x: Number = sum((p[0] for p in polygon), 0)
    y: Number = sum((p[1] for p in polygon), 0)
    inside = False
    for p, q in boundary:
        a, b = (p[0] * size, p[1] * size), (q[0] * size, q[1] * size)
        if (a[1] <= y) != (b[1] <= y) and (_turn(a, b, (x, y)) > 0) == (b[1] > a[1]):
            inside = not inside  # a ray to the right meets this side: going up, it has the point to its left
    return inside


def _are_apart(one: Points, other: Points) -> bool:
    """Whether the interior of a convex polygon has no point in common with another one, or with a segment.

    If so, a line along an edge of one of them separates them.
    """
    for axis in (0, 1):
        left, right = [p[axis] for p in one], [p[axis] for p in other]
        if max(left) <= min(right) or max(right) <= min(left):
            return True
    return _edge_separates(one, other) or _edge_separates(other, one)


def _edge_separates(one: Points, other: Points) -> bool:
    for p, q in _sides(one):
        here = [_turn(p, q, point) for point in one]
        there = [_turn(p, q, point) for point in other]
        if min(here) >= 0 and max(there) <= 0:
            return True
        if max(here) <= 0 and min(there) >= 0:
            return True
    return False
