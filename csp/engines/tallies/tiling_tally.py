"""Counts tilings, and finds those that are the same up to the target's symmetries and the exchange of pieces."""

from collections.abc import Callable
from functools import cached_property
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from ...puzzles.dissection import DissectionPuzzle

#: Tilings as rows of placements.
Rows = NDArray[np.int64]


class TilingTally:
    """Counts rows of placements.

    A row has a placement for each piece, the pieces kind by kind: either the kinds are the puzzle's classes, and the
    placements of a class are a set; or every piece is a kind.

    - `kinds`: the pieces by kind.
    - `anchor`: the kind, of one piece, that breaks the target's symmetries: the rows have it in one placement of each
      orbit. None if they are not broken.
    - `images`: the images of placements under the target's symmetries: for n placements an array of shape (symmetries,
      n).
    - `looks`: maps placements to numbers that are equal for congruent pieces in the same place.  Between two calls the
      numbers may differ, but not their order.
    """

    def __init__(
        self,
        puzzle: DissectionPuzzle,
        kinds: tuple[tuple[int, ...], ...],
        anchor: int | None,
        images: Callable[[Rows], Rows],
        looks: Callable[[Rows], Rows],
    ) -> None:
        self._puzzle, self.kinds = puzzle, kinds
        self._images, self._looks = images, looks
        self.count = self.canonical_count = 0
        pieces = np.array([piece for members in kinds for piece in members], dtype=np.int64)
        self._by_piece = len(kinds) == len(pieces)
        self.slot_of_piece = np.argsort(pieces)
        self._anchor = None if anchor is None else sum(len(members) for members in kinds[:anchor])
        self._labellings = prod(factorial(len(members)) for members in kinds)
        # The reflections, if they exchange kinds, and the row entry that each entry of such an image comes from.
        exchanging = puzzle.mirror_kinds(puzzle.classes) != tuple(range(len(puzzle.classes)))
        self._reflected = [row for row, motion in enumerate(puzzle.symmetries) if exchanging and motion.is_reflection]
        self._from_slot = np.arange(len(pieces))
        if exchanging:
            self._from_slot[self.slot_of_piece[[piece for piece in puzzle.mirror_of if piece is not None]]] = (
                self.slot_of_piece
            )
        # The row entries of the members of each class, in any order of the kinds.
        self._class_slots = [self.slot_of_piece[list(members)] for members in puzzle.classes]

    @cached_property
    def product(self) -> int:
        """The target's symmetries times the exchanges of congruent pieces: the size of a full orbit."""
        return len(self._puzzle.symmetries) * prod(factorial(len(members)) for members in self._puzzle.classes)

    def add(self, rows: Rows) -> NDArray[np.bool_]:
        """Count rows; return which of them are canonical: one of each orbit."""
        if not len(rows):
            return np.zeros(0, dtype=np.bool_)
        images = self._images(rows.ravel()).reshape(-1, *rows.shape)
        for row in self._reflected:
            images[row] = images[row][:, self._from_slot]
        looks = self._looks(images.ravel()).reshape(images.shape)
        labelled = np.ones(len(rows), dtype=np.bool_)
        for slots in self._class_slots:
            if self._by_piece:
                # The identity comes first among the symmetries.
                labelled &= (np.diff(looks[0][:, slots], axis=1) > 0).all(axis=1)
            looks[:, :, slots] = np.sort(looks[:, :, slots], axis=2)
        if self._anchor is None:
            reached = np.ones(images.shape[:2], dtype=np.bool_)
            orbits = np.ones(len(rows), dtype=np.int64)
        else:
            placed = images[:, :, self._anchor]
            reached = placed == placed[0]
            orbits = len(images) // reached.sum(axis=0)
        canonical = labelled & ~(reached & _less(looks, looks[0])).any(axis=0)
        self.count += int(orbits.sum()) * self._labellings
        self.canonical_count += int(canonical.sum())
        return canonical


def _less(rows: Rows, than: Rows) -> NDArray[np.bool_]:
    """Which rows (the last axis) precede the others in lexicographic order."""
    different = rows != than
    at = different.argmax(axis=-1)[..., None]
    return (
        np.take_along_axis(rows, at, -1)[..., 0] < np.take_along_axis(np.broadcast_to(than, rows.shape), at, -1)[..., 0]
    )
