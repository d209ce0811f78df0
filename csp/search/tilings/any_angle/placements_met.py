"""The placements that the walks of one search have met, numbered in the order of first occurrence."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....geometry.polygons import Polygon, points_text
from ....puzzles.dissection import DissectionPuzzle

_Numbers = Sequence[int] | NDArray[np.int64]


class PlacementsMet:
    """Polygons with their classes; safe for use by several threads.

    - `kinds`: its pieces by the classes of the search.

    Attributes:
    - `polygons`, `class_of`: the polygon and the class of each placement.
    """

    def __init__(self, puzzle: DissectionPuzzle, kinds: Sequence[Sequence[int]]) -> None:
        self.polygons: list[Polygon] = []
        self.class_of: list[int] = []
        self._puzzle = puzzle
        self._mirror_kinds = puzzle.mirror_kinds(kinds)
        self._puzzle_classes = [puzzle.class_of[members[0]] for members in kinds]
        self._numbers: dict[tuple[int, Polygon], int] = {}
        self._looks: list[int] = []
        self._first_look: dict[tuple[int, Polygon], int] = {}
        self._texts: dict[int, tuple[int, str]] = {}
        self._images: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def number(self, piece_class: int, polygon: Polygon) -> int:
        """The number of a placement."""
        with self._lock:
            found = self._numbers.setdefault((piece_class, polygon), len(self.polygons))
            if found == len(self.polygons):
                look = self._puzzle_classes[piece_class], polygon
                self._looks.append(self._first_look.setdefault(look, found))
                self.polygons.append(polygon)
                self.class_of.append(piece_class)
            return found

    def looks(self, placements: _Numbers) -> NDArray[np.int64]:
        """Numbers that are equal for congruent pieces in the same place.

        They are valid for this call only.  Their order depends on the polygons alone: the order in which a search
        meets its placements changes when it is resumed.
        """
        met = np.array([self._looks[number] for number in np.ravel(placements)], dtype=np.int64)
        different, which = np.unique(met, return_inverse=True)
        ranks = np.empty(len(different), dtype=np.int64)
        ranks[sorted(range(len(different)), key=lambda at: self._text(int(different[at])))] = np.arange(len(different))
        return ranks[which].reshape(np.shape(placements))

    def _text(self, look: int) -> tuple[int, str]:
        """The class and the vertices of a look."""
        if look not in self._texts:
            of_class = self._puzzle_classes[self.class_of[look]]
            self._texts[look] = of_class, points_text(self.polygons[look])
        return self._texts[look]

    def images(self, placements: _Numbers) -> NDArray[np.int64]:
        """The images of all placements under the target's symmetries, shape (symmetries, placements)."""
        symmetries = self._puzzle.symmetries
        for placement in {int(placement) for placement in placements} - self._images.keys():
            piece_class, polygon = self.class_of[placement], self.polygons[placement]
            reflected = self._mirror_kinds[piece_class]
            self._images[placement] = [
                self.number(reflected if motion.is_reflection else piece_class, motion(polygon))
                for motion in symmetries
            ]
        columns = [self._images[int(placement)] for placement in placements]
        return np.array(columns, dtype=np.int64).reshape(len(columns), len(symmetries)).T
