"""The tally of tilings on targets of a few cells, each covered by one piece: a tiling is a permutation."""

from itertools import permutations, product
from math import factorial, prod
from types import SimpleNamespace

import numpy as np
import pytest

from jigsat.csp.engines.tallies import TilingTally

#: For each target the cells that its cells move to under each symmetry, the identity first.
TARGETS = {
    "none": [(0, 1, 2, 3)],
    "strip": [(0, 1, 2), (2, 1, 0)],
    "longer strip": [(0, 1, 2, 3), (3, 2, 1, 0)],
    "rectangle": [(0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)],
    "square": [
        (0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (0, 3, 2, 1), (1, 0, 3, 2), (2, 1, 0, 3), (3, 2, 1, 0),
    ],
}  # fmt: skip
#: Congruent pieces; the last class is the piece that may break the symmetries.
CLASSES = {
    3: [((0, 2), (1,)), ((0,), (2,), (1,))],
    4: [((1, 3), (0,), (2,)), ((0, 1, 3), (2,)), ((2,), (0,), (3,), (1,))],
}


class Cells:
    """A puzzle whose placements are numbered by kind and cell, and all rows of a search for its tilings."""

    def __init__(self, target, classes, *, by_class, anchored, turned_kinds):
        self.moves, self.classes = TARGETS[target], classes
        cells = len(self.moves[0])
        pieces = [piece for members in classes for piece in members]
        self.kinds = classes if by_class else tuple((piece,) for piece in sorted(pieces))
        self.kinds = self.kinds[::-1] if turned_kinds else self.kinds
        images = np.array([[k * cells + move[c] for k, c in self.placements()] for move in self.moves])
        class_of = {piece: members for members in classes for piece in members}
        first = [class_of[members[0]] for members in self.kinds]
        looks = np.array([first.index(first[k]) * cells + c for k, c in self.placements()])
        # The anchor's lie on the least cell of each orbit.
        self.anchor = self.kinds.index(classes[-1]) if anchored else None
        rows = {self.row(tiling) for tiling in self.tilings() if not anchored or self.is_least(tiling[classes[-1][0]])}
        self.rows = np.array(sorted(rows), dtype=np.int64)
        puzzle = SimpleNamespace(
            symmetries=self.moves,
            classes=classes,
            pieces=range(cells),
            exchanges=[tuple(range(cells))] * len(self.moves),
            moved_kinds=lambda kinds: [tuple(range(len(kinds)))] * len(self.moves),
        )
        self.tally = lambda: TilingTally(
            puzzle, self.kinds, self.anchor, lambda rows: images[:, rows], lambda rows: looks[rows]
        )

    def placements(self):
        return product(range(len(self.kinds)), range(len(self.moves[0])))

    def tilings(self):
        """The cell of each piece."""
        return permutations(range(len(self.moves[0])))

    def is_least(self, cell):
        return cell == min(move[cell] for move in self.moves)

    def row(self, tiling):
        cells = len(tiling)
        return tuple(
            kind * cells + cell
            for kind, members in enumerate(self.kinds)
            for cell in sorted(tiling[piece] for piece in members)
        )

    def orbit(self, tiling):
        """Under the symmetries, with congruent pieces in any of each other's places."""
        return frozenset(
            tuple(frozenset(move[tiling[piece]] for piece in members) for members in self.classes)
            for move in self.moves
        )


@pytest.mark.parametrize("turned_kinds", [False, True], ids=["", "kinds turned"])
@pytest.mark.parametrize("anchored", [False, True], ids=["", "anchored"])
@pytest.mark.parametrize("by_class", [False, True], ids=["by piece", "by class"])
@pytest.mark.parametrize(
    ("target", "classes"), [(name, classes) for name in TARGETS for classes in CLASSES[len(TARGETS[name][0])]]
)
def test_counts_and_canonical_rows(target, classes, by_class, anchored, turned_kinds):
    cells = Cells(target, classes, by_class=by_class, anchored=anchored, turned_kinds=turned_kinds)
    orbits = {cells.orbit(tiling) for tiling in cells.tilings()}
    tally = cells.tally()
    canonical = tally.add(cells.rows)
    assert (tally.count, tally.canonical_count) == (factorial(len(TARGETS[target][0])), len(orbits))
    pictures = {
        tuple(frozenset(tiling[piece] for piece in members) for members in classes) for tiling in cells.tilings()
    }
    assert tally.picture_count == len(pictures)
    tiling_of = {cells.row(tiling): tiling for tiling in cells.tilings()}
    chosen = [cells.orbit(tiling_of[tuple(row)]) for row in cells.rows[canonical].tolist()]
    assert len(set(chosen)) == len(chosen) == len(orbits)
    # The same row by row.
    tally = cells.tally()
    assert [tally.add(row[None]).tolist() for row in cells.rows] == [[one] for one in canonical.tolist()]
    assert (tally.count, tally.canonical_count) == (factorial(len(TARGETS[target][0])), len(orbits))
    assert tally.product == len(TARGETS[target]) * prod(factorial(len(members)) for members in classes)
    assert [sum(cells.kinds, ())[slot] for slot in tally.slot_of_piece] == sorted(sum(classes, ()))


def test_no_rows_count_nothing():
    tally = Cells("square", CLASSES[4][0], by_class=True, anchored=False, turned_kinds=False).tally()
    canonical = tally.add(np.zeros((0, 4), dtype=np.int64))
    assert (canonical.tolist(), canonical.dtype) == ([], np.bool_)
    assert (tally.count, tally.canonical_count) == (0, 0)
