"""One table of placements for all targets: a puzzle's pieces in all orientations, as wedges at lattice points."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, pi

import numpy as np

from ...base.errors import PuzzleError
from ...base.words import grouped
from ...geometry.convex_parts import parts_as_indices
from ...geometry.lattices import (
    Lattice,
    Matrix,
    Units,
    inverse,
    is_reflection,
    moved_point,
    placed,
    primitive,
    turned,
    unit_edges,
)
from .wedge_kernel import CURSOR_SIZE, DEPTH, Level, WedgeShapes, mark_wedges

# The largest number of words of a target's table: 160 MB for each of its images.
_MOST_WORDS = 20_000_000
#: Pieces that lie together in one orientation: the class and the polygon of each.
Group = tuple[tuple[int, Units], ...]


@dataclass(frozen=True)
class WedgeTable:
    """The shapes of a puzzle's pieces for the kernels.

    Raises PuzzleError if the tables of the largest target have too many entries.
    """

    #: The lattice.
    lattice: Lattice
    #: The shapes of each kind of piece, or of pieces that lie together.
    kinds: tuple[tuple[Group, ...], ...]
    #: The number of pieces of each kind.
    unplaced: tuple[int, ...]
    #: The height of the largest target, in lattice points.
    height: int

    def __post_init__(self) -> None:
        size = (self.height + self._reach[0] + 2) * self._rows * self.words
        if size > _MOST_WORDS:
            what = f"the tables of the largest form have {grouped(size)} entries"
            raise PuzzleError(f"{what}, and the limit is {grouped(_MOST_WORDS)}: there are too many lattice points")

    @cached_property
    def groups(self) -> list[Group]:
        """The shapes, kind by kind, each with its least point at the origin."""
        return [_at_origin(group) for kind in self.kinds for group in kind]

    @cached_property
    def directions(self) -> list[tuple[int, int]]:
        """All directions of edges of convex parts after the lattice's motions, counter-clockwise from (0, -1) on."""
        found = {
            step
            for group in self.groups
            for _, units in group
            for part in _convex_parts(units)
            for edge in unit_edges(part)
            for image in self.lattice.steps(primitive(*edge)[0])
            for step in (image, (-image[0], -image[1]))
        }
        found |= {(0, -1), (0, 1)}
        # Floats are exact enough for the order; see `convex_forms`.
        return sorted(found, key=lambda step: 0 if step == (0, -1) else (atan2(step[1], step[0]) + pi / 2) % (2 * pi))

    @cached_property
    def _bisectors(self) -> np.ndarray:
        around = [*self.directions, self.directions[0]]
        return np.array([(a + c, b + d) for (a, b), (c, d) in pairwise(around)], dtype=np.int64)

    @property
    def words(self) -> int:
        """The number of words that the wedges of a point take."""
        return (len(self.directions) + 63) // 64

    @cached_property
    def _reach(self) -> tuple[int, int]:
        """How far shapes reach from their least point: in columns, and in rows up or down."""
        points = [point for group in self.groups for _, units in group for point in units]
        return max(x for x, _ in points), max(abs(y) for _, y in points)

    @property
    def _rows(self) -> int:
        # A shape that leaves a column above or below gets to points that are closed.
        return self.height + 1 + self._reach[1]

    @cached_property
    def shapes(self) -> WedgeShapes:
        """The tables of the kernels."""
        first, offsets, masks, wedges = [0], [], [], []
        for group in self.groups:
            marked, bottom = self._marked([units for _, units in group])
            wedges.append(_first_wedge(marked[0, -bottom]))
            for i, j, w in np.argwhere(marked).tolist():
                offsets.append((i * self._rows + j + bottom) * self.words + w)
                masks.append(marked[i, j, w])
            first.append(len(offsets))
        order = np.argsort(wedges, kind="stable")
        return WedgeShapes(
            np.array(first, dtype=np.int64),
            np.array(offsets, dtype=np.int64),
            np.array(masks, dtype=np.uint64),
            np.array([number for number, groups in enumerate(self.kinds) for _ in groups], dtype=np.int64),
            np.searchsorted(np.sort(wedges), np.arange(64 * self.words + 1)),
            order,
            np.array([self.words]),
        )

    def _marked(self, polygons: Sequence[Units]) -> tuple[np.ndarray, int]:
        """The wedges of polygons at the points of their box, and its least y; its least x is 0."""
        points = [point for units in polygons for point in units]
        bottom, top, right = min(y for _, y in points), max(y for _, y in points), max(x for x, _ in points)
        marked = np.zeros((right + 1, top - bottom + 1, self.words), dtype=np.uint64)
        for part in (part for units in polygons for part in _convex_parts(units)):
            mark_wedges(np.array(part, dtype=np.int64), self._bisectors, 0, bottom, marked)
        return marked, bottom

    def begun(self, target: Units) -> Level:
        """The state at the root of the search for the tilings of a convex target with least coordinates 0."""
        marked, _ = self._marked([target])
        columns, rows, words = marked.shape
        across, up = self._reach
        grid = np.zeros((columns + across + 2, self._rows, words), dtype=np.uint64)
        grid[:columns, :rows] = marked
        flat = np.concatenate((np.zeros(up * words, dtype=np.uint64), grid.ravel()))
        flat[-1] = 1
        depths = sum(self.unplaced)
        at, following, end = np.zeros((3, depths), dtype=np.int64)
        at[0], following[0] = up * words, -1
        cursor = np.zeros(CURSOR_SIZE, dtype=np.int64)
        return Level(flat, np.array(self.unplaced, dtype=np.int64), at, following, end, cursor)

    def pieces_at(self, word: int, shape: int) -> Iterator[tuple[int, Units]]:
        """The pieces of a shape whose least point is at the point of a word: the class and the polygon of each."""
        x, y = divmod(word // self.words - self._reach[1], self._rows)
        for piece_class, units in self.groups[shape]:
            yield piece_class, tuple((i + x, j + y) for i, j in units)


def done(shapes: WedgeShapes, level: Level) -> float:
    """The part of the tree that is done, counting the shapes that are tried at each node as equal parts."""
    behind, part = 0.0, 1.0
    for d in range(int(level.cursor[DEPTH]) + 1):
        if level.next[d] < 0:
            break
        # All depths have the shapes of one wedge between two entries of `starts`.
        start = shapes.starts[np.searchsorted(shapes.starts, level.end[d], side="left") - 1]
        part /= max(int(level.end[d] - start), 1)
        behind += part * max(int(level.next[d] - start) - 1, 0)
    return behind


def back(motion: Matrix, target: Units, units: Iterable[tuple[int, int]]) -> Units:
    """A polygon in the placed image of a target under a motion, moved back into the target."""
    image = turned(motion, target)
    left, bottom = min(i for i, _ in image), min(j for _, j in image)
    undone = inverse(motion)
    moved = tuple(moved_point(undone, (i + left, j + bottom)) for i, j in units)
    ordered = moved[::-1] if is_reflection(undone) else moved
    first = ordered.index(min(ordered))
    return ordered[first:] + ordered[:first]


def images_of(lattice: Lattice, target: Units, *, flip: bool) -> list[tuple[Matrix, Units]]:
    """The images of a target that look different, each with a motion that leads there; reflections only if `flip`."""
    found: dict[Units, Matrix] = {}
    for motion in lattice.motions:
        if flip or not is_reflection(motion):
            found.setdefault(placed(turned(motion, target)), motion)
    return [(motion, image) for image, motion in found.items()]


def _convex_parts(units: Units) -> tuple[Units, ...]:
    return tuple(tuple(units[vertex] for vertex in part) for part in parts_as_indices(units))


def _at_origin(group: Group) -> Group:
    x, y = min(point for _, units in group for point in units)
    return tuple((of, tuple((i - x, j - y) for i, j in units)) for of, units in group)


def _first_wedge(words: np.ndarray) -> int:
    return next(64 * w + (int(word) & -int(word)).bit_length() - 1 for w, word in enumerate(words) if word)
