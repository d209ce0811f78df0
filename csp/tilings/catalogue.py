"""A numbered list of tilings with a lookup up to the target's symmetries and exchanges of congruent pieces."""

from ..geometry.polygons import Polygon
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .integer_units import IntegerUnits


class TilingCatalogue:
    """Tilings of one puzzle, no two of them the same up to symmetry.

    A tiling is looked up as the set of its polygons: a polygon determines its class of pieces.

    - `units`: how coordinates become integers; all polygons are in them.
    """

    def __init__(self, puzzle: DissectionPuzzle, units: IntegerUnits) -> None:
        self._motions = [units.motion(motion) for motion in puzzle.symmetries]
        self._images: dict[Polygon, list[Polygon]] = {}
        self._number: dict[frozenset[Polygon], int] = {}
        self._size = 0

    def add(self, tiling: Tiling) -> bool:
        """Number a tiling, from 0 in the order of addition; return False if the same one is already there."""
        if frozenset(tiling) in self._number:
            return False
        for polygon in tiling:
            if polygon not in self._images:
                self._images[polygon] = [motion(polygon) for motion in self._motions]
        for which in range(len(self._motions)):
            self._number[frozenset(self._images[polygon][which] for polygon in tiling)] = self._size
        self._size += 1
        return True

    def number(self, polygons: frozenset[Polygon]) -> int | None:
        """The number of the tiling that is the same up to symmetry; None if it is not in the list."""
        return self._number.get(polygons)
