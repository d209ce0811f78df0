"""A dissection puzzle: polygons that must tile a target without gap or overlap."""

from collections.abc import Iterable, Mapping, Sequence
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
    """How pieces may be moved.

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
        How pieces may be moved.
    no_flip
        The pieces (0-based) that may not be turned over; all others may be.
    name, source
        The name of the puzzle and its origin.
    known
        Known results: `count`, and any others.

    Raises
    ------
    PuzzleError
        If a polygon is invalid, a piece is not convex, the areas differ, or there is no such piece as `no_flip` names.

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
    no_flip: tuple[int, ...] = ()

    kind = "dissection"

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MAX_PIECES:
            raise PuzzleError(f"{len(self.pieces)} pieces: a dissection has 1 to {MAX_PIECES}")
        _refuse_bad_polygon(self.target, "target")
        for number, piece in enumerate(self.pieces, start=1):
            _refuse_bad_polygon(piece, f"piece {number}")
        unknown = next((piece for piece in self.no_flip if not 0 <= piece < len(self.pieces)), None)
        if unknown is not None:
            raise PuzzleError(f"there is no piece {unknown + 1}; pieces are numbered 1 to {len(self.pieces)}")
        object.__setattr__(self, "no_flip", tuple(sorted(set(self.no_flip))))
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
    def flips(self) -> tuple[bool, ...]:
        """For each piece whether it may lie as its mirror image does: turned over, or because they are the same."""
        return tuple(
            piece not in self.no_flip
            or any(motion.is_reflection and self._allows(motion) for motion in isometries(polygon, polygon))
            for piece, polygon in enumerate(self.pieces)
        )

    @cached_property
    def symmetries(self) -> tuple[Isometry, ...]:
        """The allowed motions that carry the target to itself and tilings to tilings; the identity first.

        A reflection carries tilings to tilings if every piece has a mirror image among the pieces, see `mirror_of`.
        """
        mirrored = None not in self.mirror_of
        found = isometries(self.target, self.target)
        return tuple(motion for motion in found if self._allows(motion) and (mirrored or not motion.is_reflection))

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
        return self.motions is Motions.ANY or motion.is_lattice_motion

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


def orientations(polygon: Polygon, *, flip: bool = True) -> tuple[Polygon, ...]:
    """The polygon after each of the eight lattice motions, those that look alike once, each with least x and y 0.

    Without `flip` it is not turned over.
    """
    found = set()
    for a, b, c, d in LATTICE_MOTIONS if flip else LATTICE_MOTIONS[:4]:
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
