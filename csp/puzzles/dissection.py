"""A dissection puzzle: polygons that must tile a target without gap or overlap."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational
from typing import Any

from ..base.errors import PuzzleError, UsageError, plural, shortened
from ..base.notebook import InNotebook
from ..geometry.exact_numbers import Number, Surd, format_number, sign, terms_of
from ..geometry.lattices import Lattice, Units
from ..geometry.polygons import (
    Isometry,
    Point,
    Polygon,
    area,
    convex_hull,
    corners,
    counterclockwise,
    cross,
    first_crossing,
    isometries,
)
from ..geometry.regions import Clash, Curves, convex_parts, rest_of_hull

#: The polygon of each piece, in the order of the pieces.  Polygons are as `polygons.counterclockwise` makes them.
Tiling = tuple[Polygon, ...]

# Reading compares every piece with every other one, and every vertex with every other one, in exact numbers: with as
# many it takes some seconds.  No engine has a limit below.
MAX_PIECES, MAX_VERTICES, MAX_COORDINATE = 2000, 2000, 10**6


class Motions(StrEnum):
    """How pieces may be moved.

    ``any``: every rotation and translation.  ``lattice``: the turns and translations that keep the coarsest lattice
    with rows along the x axis that has all vertices.  With rational coordinates these are quarter turns, and the
    lattice is square; its step is the greatest common divisor of the differences of all x coordinates and of all y
    coordinates.  The lattice is triangular, with turns by 60 degrees, if y / x is a rational multiple of sqrt(3); with
    another square root it is rectangular, with half turns.
    """

    ANY = "any"
    LATTICE = "lattice"


@dataclass(frozen=True)
class DissectionPuzzle(InNotebook):
    """Pieces, and the target that they must tile: a polygon or several, with or without holes.

    Parameters
    ----------
    target
        A polygon with exact coordinates, convex or not, its vertices clockwise or counter-clockwise.  It may touch
        itself in single points, but not cross itself: inside is what it goes round an odd number of times.  Or several
        such polygons, the *parts* of the target, which may touch in single points.  Polygons and their points may be
        lists.  In the puzzle they are simple polygons, several only if the target has several parts.
    pieces
        Simple polygons with exact coordinates, convex or not; their areas add up to that of the target without its
        holes.  With any motions, their positions and rotations make no difference; with motions on the lattice, they
        determine the lattice and how the pieces can lie on it.
    motions
        How pieces may be moved.
    no_flip
        The pieces (0-based) that may not be turned over; all others may be.
    name, source
        The name of the puzzle and its origin.
    known
        Known results: `count`, and any others.
    holes
        Polygons in the target that no piece may cover.  They may touch the target's boundary, each other and themselves
        in single points.

    Raises
    ------
    PuzzleError
        If a polygon is invalid or not exact, there are no such motions, a hole is not inside the target, parts or holes
        overlap, the areas differ, there is no such piece as `no_flip` names, or motions on the lattice are allowed
        and no lattice contains the vertices.

    Examples
    --------
    Two triangles make a square in four ways: two diagonals, and which triangle lies on which side.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> puzzle.classes, len(puzzle.symmetries)
    (((0, 1),), 8)

    Four L-shaped pieces lie around a square hole.

    >>> corner, hole = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)), ((1, 1), (3, 1), (3, 3), (1, 3))
    >>> around = DissectionPuzzle(((0, 0), (4, 0), (4, 4), (0, 4)), (corner,) * 4, holes=(hole,))
    >>> around.area, around.is_convex
    (Fraction(12, 1), False)
    """

    target: Polygon | tuple[Polygon, ...]
    pieces: tuple[Polygon, ...]
    motions: Motions = Motions.ANY
    name: str = "puzzle"
    source: str = ""
    known: Mapping[str, Any] = field(default_factory=dict, compare=False)
    no_flip: tuple[int, ...] = ()
    holes: tuple[Polygon, ...] = ()

    kind = "dissection"

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MAX_PIECES:
            raise PuzzleError(f"{len(self.pieces)} pieces: a dissection has 1 to {MAX_PIECES}")
        if self.motions not in tuple(Motions):
            raise PuzzleError(f"unknown motions {self.motions}; choose from {', '.join(Motions)}")
        pieces = tuple(_sound(piece, f"piece {number}") for number, piece in enumerate(self.pieces, start=1))
        unknown = next((piece for piece in self.no_flip if not 0 <= piece < len(self.pieces)), None)
        if unknown is not None:
            raise PuzzleError(f"there is no piece {unknown + 1}; pieces are numbered 1 to {len(self.pieces)}")
        object.__setattr__(self, "motions", Motions(self.motions))
        object.__setattr__(self, "no_flip", tuple(sorted(set(self.no_flip))))
        object.__setattr__(self, "pieces", pieces)
        self._set_outlines()
        areas = sum(map(area, self.pieces), Fraction(0))
        if areas != self.area:
            has, needs = format_number(areas), format_number(self.area)
            without = " without its holes" if self.holes else ""
            raise PuzzleError(f"the total area of the pieces is {has}, but that of the target{without} is {needs}")
        if self.motions is Motions.LATTICE and not self.is_rational:
            _ = self.lattice  # raises an error without one

    def _set_outlines(self) -> None:
        """Check target and holes, and put them into an order of their own."""
        given = parts_of(self.target)
        labels = [f"target, part {number}" for number in range(1, len(given) + 1)] if len(given) > 1 else ["target"]
        labels += [f"hole {number}" for number in range(1, len(self.holes) + 1)]
        outlines = tuple(_curve(*one) for one in zip((*given, *self.holes), labels, strict=True))
        first, *others = outlines
        parts, holes = [first], []
        if others or first_crossing(first) is not None:
            curves = _apart(outlines, labels, len(given))
            parts, holes = list(outlines[: len(given)]), list(outlines[len(given) :])
            if curves.touch:
                parts, holes = curves.parts_and_holes()
        parts, holes = (tuple(sorted(map(counterclockwise, polygons))) for polygons in (parts, holes))
        object.__setattr__(self, "target", parts if len(parts) > 1 else next(iter(parts)))
        object.__setattr__(self, "holes", holes)

    @cached_property
    def parts(self) -> tuple[Polygon, ...]:
        """The polygons of the target: one, or several."""
        return parts_of(self.target)

    @cached_property
    def area(self) -> Number:
        """The area that the pieces fill: that of the target without its holes."""
        return sum(map(area, self.parts), Fraction(0)) - sum(map(area, self.holes), Fraction(0))

    @cached_property
    def outlines(self) -> tuple[Polygon, ...]:
        """The boundary of what the pieces fill: the parts of the target, and its holes."""
        return (*self.parts, *self.holes)

    @cached_property
    def is_convex(self) -> bool:
        """Whether all pieces are convex."""
        return all(len(convex_parts(piece)) == 1 for piece in self.pieces)

    @cached_property
    def is_rational(self) -> bool:
        """Whether all coordinates are rational."""
        polygons = (*self.outlines, *self.pieces)
        return not any(isinstance(c, Surd) for polygon in polygons for point in polygon for c in point)

    @cached_property
    def lattice(self) -> Lattice:
        """The coarsest lattice with rows along the x axis that contains all vertices, or PuzzleError."""
        return Lattice.of((*self.outlines, *self.pieces))

    def in_lattice_units(self, polygon: Polygon) -> Units:
        """A polygon whose vertices are lattice points, in units of the lattice."""
        return self.lattice.units(polygon)

    def from_lattice_units(self, units: Units) -> Polygon:
        """The inverse of `in_lattice_units`; the polygon must be counter-clockwise."""
        polygon = self.lattice.polygon(units)
        # The least vertex is another one in the basis of slanted rows.
        return counterclockwise(polygon) if self.lattice.slanted else polygon

    @cached_property
    def hull(self) -> Polygon:
        """The target's convex hull."""
        return counterclockwise(convex_hull([point for part in self.parts for point in part]))

    @cached_property
    def pockets(self) -> tuple[Polygon, ...]:
        """Convex polygons whose union is the hull without what the pieces fill; empty if the target is convex."""
        return rest_of_hull(self.parts, self.holes)

    @cached_property
    def flips(self) -> tuple[bool, ...]:
        """For each piece whether it may lie as its mirror image does: turned over, or because they are the same."""
        return tuple(
            piece not in self.no_flip
            or any(motion.is_reflection and self._allows(motion) for motion in isometries(polygon, polygon))
            for piece, polygon in enumerate(self.pieces)
        )

    @cached_property
    def symmetries(self) -> tuple[Isometry, ...]:
        """The allowed motions that carry the target and its holes to themselves, and tilings to tilings.

        The identity is the first.

        A reflection carries tilings to tilings if every piece has a mirror image among the pieces, see `mirror_of`.
        """
        mirrored = None not in self.mirror_of
        return tuple(
            motion
            for part in self.parts
            for motion in isometries(next(iter(self.parts)), part)
            if self._allows(motion) and (mirrored or not motion.is_reflection)
            # They are in ascending order.
            if all(tuple(sorted(map(motion, polygons))) == polygons for polygons in (self.parts, self.holes))
        )

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The pieces (0-based) by class, in the order of their first pieces; pieces of a class are interchangeable.

        Two pieces are if a motion that is allowed to both makes one of the other.
        """
        classes: list[list[int]] = []
        for piece in range(len(self.pieces)):
            for members in classes:
                if self.flips[members[0]] == self.flips[piece] and self._congruent(members[0], piece):
                    members.append(piece)
                    break
            else:
                classes.append([piece])
        return tuple(tuple(members) for members in classes)

    @cached_property
    def mirror_of(self) -> tuple[int | None, ...]:
        """For each piece the one that takes its place when a tiling is reflected, which exchanges no others.

        That is the piece itself if it flips; otherwise a piece of the class of mirror images that do not flip, if this
        is as large as its own; otherwise None.
        """
        found: list[int | None] = [piece if flips else None for piece, flips in enumerate(self.flips)]
        rigid = [members for members in self.classes if not self.flips[members[0]]]
        for members in rigid:
            for others in rigid:
                if len(others) == len(members) and self._congruent(members[0], others[0], reflected=True):
                    for piece, other in zip(members, others, strict=True):
                        found[piece] = other
        return tuple(found)

    def mirror_kinds(self, kinds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The kind that takes the place of each kind when a tiling is reflected; kinds are classes, or single pieces.

        Without a symmetry that is a reflection every kind keeps its place.
        """
        if not any(motion.is_reflection for motion in self.symmetries):
            return tuple(range(len(kinds)))
        at = {piece: kind for kind, members in enumerate(kinds) for piece in members}
        return tuple(at[other] for members in kinds if (other := self.mirror_of[members[0]]) is not None)

    @cached_property
    def class_of(self) -> tuple[int, ...]:
        """The class of each piece."""
        at = {piece: number for number, members in enumerate(self.classes) for piece in members}
        return tuple(at[piece] for piece in range(len(self.pieces)))

    def _congruent(self, one: int, other: int, *, reflected: bool | None = None) -> bool:
        """Whether an allowed motion makes one piece of the other: turned over, not turned over, or by default either.

        Pieces that do not flip are by default not turned over.
        """
        if reflected is None and not self.flips[one]:
            reflected = False
        found = isometries(self.pieces[one], self.pieces[other])
        return any(self._allows(motion) and reflected in (None, motion.is_reflection) for motion in found)

    def _allows(self, motion: Isometry) -> bool:
        return self.motions is Motions.ANY or motion[:4] in self.lattice.turns

    def with_motions(self, motions: str | None) -> "DissectionPuzzle":
        """The puzzle with those motions, or with its own; raises UsageError if there are no such motions."""
        if motions is None:
            return self
        if motions not in tuple(Motions):
            raise UsageError(f"unknown motions {motions}; choose from {', '.join(Motions)}", "motions")
        return replace(self, motions=Motions(motions))


class PuzzleTiling(InNotebook, tuple[Polygon, ...]):
    """A tiling with a reference to its puzzle; otherwise it behaves as the tuple of the polygons of the pieces.

    Parameters
    ----------
    polygons
        The polygon of each piece, in the order of the pieces.
    puzzle
        The puzzle whose tiling it is.

    Attributes
    ----------
    puzzle
        That puzzle.

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> tiling = PuzzleTiling((triangle, ((1, 0), (1, 1), (0, 1))), puzzle)
    >>> tiling[0] == triangle, len(tiling.puzzle.pieces)
    (True, 2)
    """

    puzzle: DissectionPuzzle

    def __new__(cls, polygons: Iterable[Polygon], puzzle: DissectionPuzzle) -> "PuzzleTiling":
        tiling = super().__new__(cls, polygons)
        tiling.puzzle = puzzle
        return tiling

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.puzzle


def tiling_of(puzzle: DissectionPuzzle, polygons: Iterable[Polygon]) -> PuzzleTiling:
    """A tiling that knows its puzzle; one that does already is returned as it is."""
    if isinstance(polygons, PuzzleTiling) and polygons.puzzle is puzzle:
        return polygons
    return PuzzleTiling(polygons, puzzle)


def exact_tiling(puzzle: DissectionPuzzle, polygons: Any) -> Tiling:
    """A tiling from any sequence of polygons; it is not checked.

    Raises PuzzleError if there is not a polygon for each piece, or one is not exact.
    """
    if not hasattr(polygons, "__len__"):
        raise PuzzleError(f"{shortened(repr(polygons))} is not a tiling")
    if len(polygons) != len(puzzle.pieces):
        raise PuzzleError(f"a tiling must have {plural(len(puzzle.pieces), 'polygon')}, not {len(polygons)}")
    exact = tuple(_exact(polygon, f"piece {number}") for number, polygon in enumerate(polygons, start=1))
    return polygons if isinstance(polygons, PuzzleTiling) else exact


def _exact(points: Any, what: str) -> Polygon:
    """A polygon from any sequence of points with exact coordinates."""
    try:
        polygon = tuple((x, y) for x, y in points)
    except (TypeError, ValueError):
        raise PuzzleError(f"{what}: {shortened(repr(points))} is not a list of points (x, y)") from None
    return tuple(
        (_number(x, f"{what}, vertex {i}"), _number(y, f"{what}, vertex {i}")) for i, (x, y) in enumerate(polygon, 1)
    )


def _number(coordinate: Any, what: str) -> Number:
    """An exact number in the types of this package, also if it is of another one, such as numpy's."""
    truth = isinstance(coordinate, bool)
    if isinstance(coordinate, Decimal) and coordinate.is_finite():
        return Fraction(coordinate)
    if isinstance(coordinate, Integral) and not truth:
        return int(coordinate)
    if isinstance(coordinate, Rational) and not truth:
        return Fraction(int(coordinate.numerator), int(coordinate.denominator))
    if isinstance(coordinate, Surd):
        return coordinate
    exact = 'coordinates must be exact, such as 3, Fraction(7, 2) or number("1/2*sqrt(3)")'
    raise PuzzleError(f"{what}: {exact}; {shortened(repr(coordinate))} is not")


def parts_of(target: Any) -> tuple[Any, ...]:
    """The polygons of a target that is given as one polygon or as a list of polygons."""
    return tuple(target) if has_parts(target) else (target,)


def has_parts(target: Any) -> bool:
    """Whether a target is a list of polygons, and not one polygon."""
    try:
        points = (point for polygon in target for point in polygon)
        return len(target) > 0 and all(hasattr(one, "__len__") and not isinstance(one, str | dict) for one in points)
    except TypeError:
        return False


def _sound(points: Any, what: str) -> Polygon:
    """A simple polygon of a puzzle in its own order, checked."""
    polygon = _curve(points, what)
    crossing = first_crossing(polygon)
    if crossing is not None:
        one, other = (_shown_edge((polygon[i], polygon[(i + 1) % len(polygon)])) for i in crossing)
        raise PuzzleError(f"{what}: crosses or touches itself: edge {one} meets edge {other}")
    return counterclockwise(polygon)


def _curve(points: Any, what: str) -> Polygon:
    """A polygon that may touch itself, checked apart from crossings."""
    polygon = _exact(points, what)
    if not 3 <= len(polygon) <= MAX_VERTICES:
        raise PuzzleError(f"{what}: {len(polygon)} vertices; a polygon has 3 to {MAX_VERTICES}")
    for number, point in enumerate(polygon, start=1):
        if not all(_is_moderate(c) for c in point):
            most = f"{MAX_COORDINATE:,}".replace(",", " ")
            raise PuzzleError(f"{what}: vertex {number} has a coordinate, or a denominator, beyond {most}")
    visits = Counter(polygon)
    for before, point, after in corners(polygon):
        # Where a polygon touches itself, it may go straight on.
        goes_on = visits[point] > 1 and point not in (before, after)
        if sign(cross(before, point, after)) == 0 and not goes_on:
            at = _shown(point)
            raise PuzzleError(f"{what}: degenerate at {at}, which lies on a line with its neighbours; leave it out")
    return polygon


def _apart(outlines: Sequence[Polygon], labels: Sequence[str], parts: int) -> Curves:
    """The outlines of a target, the first ones those of its parts, cut where they touch; they must do no more."""
    curves = Curves.of(outlines)
    if isinstance(curves, Clash):
        one, other = curves.curves
        if one == other:
            at = " meets edge ".join(map(_shown_edge, curves.edges))
            raise PuzzleError(f"{labels[one]}: crosses itself or runs along itself: edge {at}")
        if one >= parts or other < parts:
            raise _overlapping(labels, one, other)
        if curves.along:
            both = "has a part of an edge in common with the target"
            raise PuzzleError(f"{labels[other]}: {both}; cut it out of the target")
        raise PuzzleError(f"{labels[other]}: not inside the target")
    for number in reversed(range(len(outlines))):
        for inside in curves.insides(number):
            is_hole = number >= parts
            in_parts, in_holes = sum(inside[:parts]), sum(inside[parts:])
            if in_parts == in_holes + (not is_hole):
                continue
            others = [other for other, around in enumerate(inside) if around and other != number]
            alike = [other for other in others if (other >= parts) == is_hole]
            if alike:
                raise _overlapping(labels, *sorted((alike[0], number)))
            raise PuzzleError(f"{labels[number]}: not inside the target")
    return curves


def _overlapping(labels: Sequence[str], one: int, other: int) -> PuzzleError:
    """The error of two parts, or two holes, that are not apart."""
    first = labels[one].removeprefix("target, ")
    both = f"overlaps {first} or has a part of an edge in common with it"
    hint = "" if first == labels[one] else ", or give it in holes if it lies inside and no piece may cover it"
    return PuzzleError(f"{labels[other]}: {both}; join them{hint}")


def _is_moderate(number: Number) -> bool:
    """Whether a coordinate, or each term of one that is irrational, is small enough, and has a small denominator."""
    terms = terms_of(number)
    return all(max(abs(root), abs(factor), factor.denominator) <= MAX_COORDINATE for root, factor in terms)


def _shown(point: tuple[Number, Number]) -> str:
    return f"({format_number(point[0])}, {format_number(point[1])})"


def _shown_edge(edge: tuple[Point, Point]) -> str:
    return "-".join(map(_shown, edge))
