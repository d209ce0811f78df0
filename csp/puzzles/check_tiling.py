"""Checks any claimed tiling against the puzzle alone, with exact arithmetic.

It is independent of the engines: it has its own code to compare shapes, find overlaps and test what lies inside, so
that it shares no errors with the code that it checks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ..geometry.exact_numbers import Number, Surd, rational
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
        """Whether every piece has its shape and lies inside the target, without overlaps or gaps."""
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
        The polygon of each piece, its vertices in either order.

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
        self._target = _Shape.of(puzzle.target)
        self._double_area = _double_area(self._target)
        self._lattice = lcm(self._target.factor, *(piece.factor for piece in self._pieces))
        # Polygons are numbered: what each is, its area, whether it lies inside, which ones have been compared.
        self._numbers: dict[Points, int] = {}
        self._shapes: list[_Shape] = []
        self._double_areas: list[Number] = []
        self._shape_faults: dict[tuple[int, int], str | None] = {}
        self._inside: dict[int, bool] = {}
        self._overlap: dict[tuple[int, int], bool] = {}

    def __call__(self, tiling: Tiling) -> TilingVerdict:
        """Check a tiling; parameters and errors as for `check_tiling`."""
        if len(tiling) != len(self._pieces):
            raise ValueError(f"{len(tiling)} polygons for {len(self._pieces)} pieces")
        numbers = [self._number(polygon) for polygon in tiling]
        faults: list[TilingFault] = []
        sound: list[tuple[int, int]] = []
        for piece, number in enumerate(numbers):
            fault = self._fault_of_shape(piece, number)
            if fault is not None:
                faults.append(TilingFault((piece + 1,), fault))
                continue
            sound.append((piece + 1, number))
            if not self._lies_inside(number):
                faults.append(TilingFault((piece + 1,), "does not lie inside the target"))
        faults += self._overlaps(sound)
        covered: Number = sum((self._double_areas[number] for number in numbers), 0)
        if covered != self._double_area:
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
            may_turn_over = piece not in self._puzzle.no_flip
            self._shape_faults[key] = self._find_fault(self._pieces[piece], self._shapes[number], may_turn_over)
        return self._shape_faults[key]

    def _find_fault(self, piece: _Shape, placed: _Shape, may_turn_over: bool) -> str | None:
        original, claimed = piece.times(placed.factor), placed.times(piece.factor)
        matches = list(_congruences(original, claimed))
        if not matches:
            return "has a different shape in the puzzle"
        if not may_turn_over:
            matches = [matched for matched in matches if _is_same_way_up(original, matched)]
            if not matches:
                return "is turned over, which the puzzle does not allow"
        if self._puzzle.motions is not Motions.LATTICE:
            return None
        if not any(_is_quarter_turn(original, matched) for matched in matches):
            return "is not turned by a multiple of 90 degrees"
        for x, y in claimed:
            if not all(_is_multiple(c * self._lattice, placed.factor * piece.factor) for c in (x, y)):
                return "has a vertex that is not a lattice point"
        return None

    def _lies_inside(self, number: int) -> bool:
        if number not in self._inside:
            shape = self._shapes[number]
            self._inside[number] = _is_inside(shape.times(self._target.factor), self._target.times(shape.factor))
        return self._inside[number]

    def _overlaps(self, sound: Sequence[tuple[int, int]]) -> Iterator[TilingFault]:
        known = self._overlap
        for i, (piece, number) in enumerate(sound):
            for other_piece, other in sound[i + 1 :]:
                key = number, other
                if key not in known:
                    one, two = self._shapes[number], self._shapes[other]
                    known[key] = not _are_apart(one.times(two.factor), two.times(one.factor))
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
    wanted = _distances(original)
    for order in (claimed, claimed[::-1]):
        for start in range(len(order)):
            matched = order[start:] + order[:start]
            if all(found == distance for found, distance in zip(_distances(matched), wanted, strict=True)):
                yield matched


def _distances(points: Points) -> Iterable[Number]:
    """The squares of the distances of all pairs of points."""
    pairs = [(p, q) for i, p in enumerate(points) for q in points[i + 1 :]]
    return [(p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) for p, q in pairs]


def _is_same_way_up(original: Points, matched: Points) -> bool:
    """Whether both go round their polygons in the same direction."""
    return (_signed(original) > 0) == (_signed(matched) > 0)


def _is_quarter_turn(original: Points, matched: Points) -> bool:
    """Whether one of the eight ways to exchange and negate coordinates maps the edges onto the matched ones."""
    here = [(q[0] - p[0], q[1] - p[1]) for p, q in _sides(original)]
    there = [(q[0] - p[0], q[1] - p[1]) for p, q in _sides(matched)]
    exchanged = [(y, x) for x, y in here]
    return any(
        all((a * x, b * y) == edge for (x, y), edge in zip(edges, there, strict=True))
        for edges in (here, exchanged)
        for a in (1, -1)
        for b in (1, -1)
    )


def _is_multiple(number: Number, of: int) -> bool:
    return not isinstance(number, Surd) and number % of == 0


def _is_inside(polygon: Points, target: Points) -> bool:
    """Whether a convex polygon lies inside a simple one: no edge of that crosses it, and one of its points does."""
    if not all(_are_apart(polygon, side) for side in _sides(target)):
        return False
    # The centre; everything else is scaled up by the number of vertices.
    size = len(polygon)
    x: Number = sum((p[0] for p in polygon), 0)
    y: Number = sum((p[1] for p in polygon), 0)
    inside = False
    for p, q in _sides(target):
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
