"""Tilings in integers: rational coordinates times their common denominator, or the coordinates of a lattice.

The second ones are those of a basis that need not be orthogonal.  Areas in them are all multiplied by one factor, and
what is convex or overlaps is so in either; lengths and angles are others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from ..base.errors import EngineError
from ..geometry.exact_numbers import Surd, rational
from ..geometry.lattices import Lattice, Matrix
from ..geometry.polygons import LATTICE_MOTIONS, Isometry, Polygon, counterclockwise
from ..puzzles.dissection import DissectionPuzzle, Motions, Tiling

#: A polygon with integer coordinates, counter-clockwise, starting at its least vertex.
IntPolygon = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class IntegerUnits:
    """How coordinates become integers."""

    #: The factor of rational coordinates.
    scale: int
    #: The lattice whose coordinates are used instead; None for rational ones.
    lattice: Lattice | None
    #: The turns and reflections that are motions, in integers; None if every one is.
    turns: tuple[Matrix, ...] | None

    @classmethod
    def of(cls, puzzle: DissectionPuzzle, tilings: Sequence[Tiling]) -> "IntegerUnits":
        """The coarsest units for a puzzle, the positions of its pieces and some of its tilings.

        Raises EngineError if pieces may be turned by any angle, and a coordinate is irrational.
        """
        if puzzle.motions is Motions.LATTICE and not puzzle.is_rational:
            return cls(1, puzzle.lattice, puzzle.lattice.motions)
        outlines = (*puzzle.outlines, *puzzle.pieces)
        numbers = [c for polygons in (outlines, *tilings) for polygon in polygons for point in polygon for c in point]
        if any(isinstance(number, Surd) for number in numbers):
            raise EngineError(
                f"{puzzle.name}: a tiling has irrational coordinates, which is supported for lattice motions only"
            )
        scale = lcm(*(rational(number).denominator for number in numbers))
        return cls(scale, None, None if puzzle.motions is Motions.ANY else LATTICE_MOTIONS)

    def integers(self, polygon: Polygon) -> IntPolygon:
        """A polygon in integers."""
        return _integers(self, polygon)

    def original(self, polygon: Polygon) -> Polygon:
        """The inverse of `integers`."""
        if self.lattice is not None:
            units = tuple((int(rational(x)), int(rational(y))) for x, y in polygon)
            return counterclockwise(self.lattice.polygon(units))
        if self.scale == 1:
            return polygon
        return tuple((Fraction(rational(x), self.scale), Fraction(rational(y), self.scale)) for x, y in polygon)

    def motion(self, motion: Isometry) -> Isometry:
        """A motion of the plane in integers, where possible, which are faster than fractions."""
        if self.lattice is None:
            return plain(motion._replace(e=motion.e * self.scale, f=motion.f * self.scale))
        corner = self.lattice.polygon(((0, 0), (1, 0), (0, 1)))
        (e, f), (a, c), (b, d) = self.lattice.units(tuple(map(motion.of_point, corner)))
        return Isometry(a - e, b - e, c - f, d - f, e, f)


@lru_cache(maxsize=1 << 16)
def _integers(units: IntegerUnits, polygon: Polygon) -> IntPolygon:
    if units.lattice is not None:
        found = units.lattice.units(polygon)
    else:
        found = tuple((int(rational(x * units.scale)), int(rational(y * units.scale))) for x, y in polygon)
    ordered = counterclockwise(found)
    return tuple((int(rational(x)), int(rational(y))) for x, y in ordered)


def plain(motion: Isometry) -> Isometry:
    """The same motion with integers where possible, which are faster than fractions."""
    return Isometry(*(int(entry) if entry.denominator == 1 else entry for entry in map(rational, motion)))
