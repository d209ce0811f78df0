"""A dissection puzzle: polygons that must tile a target without gap or overlap."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from ..base.errors import PuzzleError, UsageError
from ..base.notebook import InNotebook
from ..geometry.exact_numbers import Number, Surd, format_number, rational, sign
from ..geometry.polygons import (
    LATTICE_MOTIONS,
    Isometry,
    Polygon,
    convex_hull,
    counterclockwise,
    double_area,
    first_crossing,
    first_reflex,
    first_straight,
    isometries,
    pockets,
)

#: The polygon of each piece, in the order of the pieces.  Polygons are as `polygons.counterclockwise` makes them.
Tiling = tuple[Polygon, ...]

# Sets of pieces are words of 64 bits.
MAX_PIECES, MAX_VERTICES, MAX_COORDINATE = 63, 32, 10**6


class Motions(StrEnum):
    """How pieces may be moved, turned over or not.

    ``any``: every rotation and translation.  ``lattice``: quarter turns, and translations that keep the lattice of all
    points whose coordinates are multiples of 1/q, where q is the common denominator of all coordinates of the puzzle.
    """

    ANY = "any"
    LATTICE = "lattice"


@dataclass(frozen=True)
class DissectionPuzzle(InNotebook):
    """Convex pieces, and the polygon that they must tile.

    Parameters
    ----------
    target
        A simple polygon with rational coordinates, convex or not, its vertices clockwise or counter-clockwise.
    pieces
        Convex polygons with rational coordinates; their areas add up to that of the target.  Their positions and
        rotations make no difference.
    motions
        How pieces may be moved; they may always be turned over.
    name, source
        The name of the puzzle and its origin.
    known
        Known results: `count`, and any others.

    Raises
    ------
    PuzzleError
        If a polygon is invalid, a piece is not convex, or the areas differ.

    Examples
    --------
    Two triangles make a square in four ways: two diagonals, and which triangle lies on which side.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> puzzle.classes, len(puzzle.symmetries)
    (((0, 1),), 8)
    """

    target: Polygon
    pieces: tuple[Polygon, ...]
    motions: Motions = Motions.ANY
    name: str = "puzzle"
    source: str = ""
    known: Mapping[str, Any] = field(default_factory=dict, compare=False)

    kind = "dissection"

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MAX_PIECES:
            raise PuzzleError(f"{len(self.pieces)} pieces: a dissection has 1 to {MAX_PIECES}")
        _refuse_bad_polygon(self.target, "target")
        for number, piece in enumerate(self.pieces, start=1):
            _refuse_bad_polygon(piece, f"piece {number}")
        object.__setattr__(self, "target", counterclockwise(self.target))
        object.__setattr__(self, "pieces", tuple(counterclockwise(piece) for piece in self.pieces))
        for number, piece in enumerate(self.pieces, start=1):
            reflex = first_reflex(piece)
            if reflex is not None:
                at = _shown(piece[reflex])
                raise PuzzleError(f"piece {number}: not convex at {at}; only convex pieces are supported")
        area = rational(double_area(self.target))
        areas = sum((rational(double_area(piece)) for piece in self.pieces), Fraction(0))
        if areas != area:
            has, needs = (format_number(twice / 2) for twice in (areas, area))
            raise PuzzleError(f"the total area of the pieces is {has}, but that of the target is {needs}")

    @cached_property
    def scale(self) -> int:
        """The common denominator of all coordinates: 1/scale is the side of the lattice's squares."""
        polygons = (self.target, *self.pieces)
        return lcm(*(rational(c).denominator for polygon in polygons for point in polygon for c in point))

    def in_lattice_units(self, polygon: Polygon) -> tuple[tuple[int, int], ...]:
        """A polygon whose vertices are lattice points, in units of the lattice."""
        return tuple((int(rational(x * self.scale)), int(rational(y * self.scale))) for x, y in polygon)

    @cached_property
    def hull(self) -> Polygon:
        """The target's convex hull."""
        return counterclockwise(convex_hull(self.target))

    @cached_property
    def pockets(self) -> tuple[Polygon, ...]:
        """Triangles whose union is the hull minus the target; empty if the target is convex."""
        return tuple(counterclockwise(triangle) for triangle in pockets(self.target))

    @cached_property
    def symmetries(self) -> tuple[Isometry, ...]:
        """The allowed motions that carry the target to itself; the identity first."""
        found = isometries(self.target, self.target)
        return tuple(motion for motion in found if self.motions is Motions.ANY or motion.is_lattice_motion)

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The pieces (0-based) by class, in the order of their first pieces; pieces of a class are interchangeable."""
        classes: list[list[int]] = []
        for piece, polygon in enumerate(self.pieces):
            for members in classes:
                if self._congruent(self.pieces[members[0]], polygon):
                    members.append(piece)
                    break
            else:
                classes.append([piece])
        return tuple(tuple(members) for members in classes)

    @cached_property
    def class_of(self) -> tuple[int, ...]:
        """The class of each piece."""
        at = {piece: number for number, members in enumerate(self.classes) for piece in members}
        return tuple(at[piece] for piece in range(len(self.pieces)))

    def _congruent(self, one: Polygon, other: Polygon) -> bool:
        found = isometries(one, other)
        return any(self.motions is Motions.ANY or motion.is_lattice_motion for motion in found)

    def with_motions(self, motions: str | None) -> "DissectionPuzzle":
        """The puzzle with those motions, or with its own.

        Raises
        ------
        UsageError
            If there are no such motions.
        """
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


def orientations(polygon: Polygon) -> tuple[Polygon, ...]:
    """The polygon after each of the eight lattice motions, those that look alike once, each with least x and y 0."""
    found = set()
    for a, b, c, d in LATTICE_MOTIONS:
        image = Isometry(a, b, c, d, 0, 0)(polygon)
        left, bottom = min(x for x, _ in image), min(y for _, y in image)
        found.add(tuple((x - left, y - bottom) for x, y in image))
    return tuple(sorted(found))


def _refuse_bad_polygon(polygon: Polygon, what: str) -> None:
    if not 3 <= len(polygon) <= MAX_VERTICES:
        raise PuzzleError(f"{what}: {len(polygon)} vertices; a polygon has 3 to {MAX_VERTICES}")
    for number, point in enumerate(polygon, start=1):
        if any(isinstance(c, Surd) for c in point):
            raise PuzzleError(f"{what}: vertex {number} is not rational: {_shown(point)}")
        if any(max(abs(rational(c)), rational(c).denominator) > MAX_COORDINATE for c in point):
            most = f"{MAX_COORDINATE:,}".replace(",", " ")
            raise PuzzleError(f"{what}: vertex {number} has a coordinate, or a denominator, beyond {most}")
    straight = first_straight(polygon)
    if straight is not None:
        at = _shown(polygon[straight])
        raise PuzzleError(f"{what}: degenerate at {at}, which lies on a line with its neighbours; leave it out")
    crossing = first_crossing(polygon)
    if crossing is not None:
        one, other = (f"{_shown(polygon[i])}-{_shown(polygon[(i + 1) % len(polygon)])}" for i in crossing)
        raise PuzzleError(f"{what}: crosses or touches itself: edge {one} meets edge {other}")
    if sign(double_area(polygon)) == 0:
        raise PuzzleError(f"{what}: has no area")


def _shown(point: tuple[Number, Number]) -> str:
    return f"({format_number(point[0])}, {format_number(point[1])})"
