"""The lattice model of a dissection: all placements of its pieces, their overlaps, and the wedges that they cover.

The region to cover is cut into *wedges*: at a lattice point, the sector between two neighbouring directions of all
possible directions of edges.  A placement covers a wedge near its point or is disjoint from it there, so every tiling
covers every wedge once.  The converse needs no wedges: placements, one of each piece, that are pairwise disjoint tile
the target, because their areas add up to its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...geometry.lattices import Lattice
from ...geometry.polygons import Polygon, edges
from ...geometry.regions import parts_as_indices
from ...puzzles.dissection import DissectionPuzzle

Rows = NDArray[np.int64]
Bits = NDArray[np.uint64]
_Lattice = tuple[tuple[int, int], ...]

# The overlaps of this number of placements take some seconds and 50 MB; the cost grows quadratically.
MOST_PLACEMENTS = 20_000
# Products of three lengths must stay below 2^63.
_LONGEST = 10**6
_MOST_POINTS = 4_000_000
# The number of wedges per point that are examined; more make fewer nodes, but cost more time than they save.
_TELLING = 6
# The moves of two shapes against each other whose overlaps are kept; between larger shapes each pair is computed.
_MOST_MOVES = 2**16


@dataclass(frozen=True)
class Shapes:
    """Polygons on the lattice as a kernel reads them."""

    #: The vertices in counter-clockwise order, one polygon a row.
    x: Rows
    y: Rows
    #: The number of vertices of each polygon; the rest of its row repeats the first one.
    size: Rows

    @classmethod
    def of(cls, polygons: Sequence[_Lattice]) -> "Shapes":
        most = max((len(polygon) for polygon in polygons), default=1)
        x, y = np.zeros((2, len(polygons), most), dtype=np.int64)
        for row, polygon in enumerate(polygons):
            x[row], y[row] = zip(*polygon, *polygon[:1] * (most - len(polygon)), strict=True)
        return cls(x, y, np.array([len(polygon) for polygon in polygons], dtype=np.int64))


class Figures(NamedTuple):
    """Unions of convex polygons as a kernel reads them."""

    #: The convex polygons, one figure after the other, as in `Shapes`.
    x: Rows
    y: Rows
    size: Rows
    #: The number of the first part of each figure, and finally that of all parts.
    first: Rows

    @classmethod
    def of(cls, figures: Sequence[Sequence[_Lattice]]) -> "Figures":
        parts = Shapes.of([part for figure in figures for part in figure])
        return cls(parts.x, parts.y, parts.size, np.cumsum([0, *map(len, figures)]).astype(np.int64))


@dataclass(frozen=True)
class Placements:
    """All placements of a puzzle's pieces on the lattice; pieces of a kind have theirs in common."""

    #: The puzzle.
    puzzle: DissectionPuzzle
    #: The pieces by kind: the puzzle's classes, or every piece by itself.
    kinds: tuple[tuple[int, ...], ...]
    #: The kind that each placement is for, ascending.
    of_kind: Rows
    #: The polygon of each placement, in units of the lattice; ascending within a kind.
    lattice: tuple[_Lattice, ...]
    #: The first placement that looks the same; those of congruent pieces of different kinds do.
    looks: Rows

    def __len__(self) -> int:
        return len(self.lattice)

    def polygon(self, placement: int) -> Polygon:
        """The polygon of a placement."""
        return self._polygons[placement]

    @cached_property
    def _polygons(self) -> tuple[Polygon, ...]:
        return tuple(map(self.puzzle.from_lattice_units, self.lattice))

    @cached_property
    def shapes(self) -> Shapes:
        """The placements as a kernel reads them."""
        return Shapes.of(self.lattice)

    @cached_property
    def figures(self) -> Figures:
        """The placements as unions of convex polygons."""
        return _figures(self.puzzle, self.lattice)

    @cached_property
    def images(self) -> Rows:
        """The placement that each symmetry of the target makes of each; shape (symmetries, placements)."""
        x, y, size = self.shapes.x, self.shapes.y, self.shapes.size
        column = np.arange(x.shape[1])
        numbers = {row.tobytes(): i for i, row in enumerate(np.column_stack([self.of_kind, x, y]))}
        mirrored = np.array(self.puzzle.mirror_kinds(self.kinds), dtype=np.int64)
        images = np.empty((len(self.puzzle.symmetries), len(self)), dtype=np.int64)
        for row, motion in enumerate(self.puzzle.symmetries):
            # The images of the origin and of the steps across and up.
            axes = self.puzzle.lattice.polygon(((0, 0), (1, 0), (0, 1)))
            (e, f), *steps = self.puzzle.in_lattice_units(tuple(map(motion.of_point, axes)))
            (a, c), (b, d) = ((i - e, j - f) for i, j in steps)
            u, v = a * x + b * y + e, c * x + d * y + f
            # From the least vertex on, counter-clockwise: a reflection turns the order round.
            step = -1 if motion.is_reflection else 1
            least = np.lexsort((v, u), axis=1)[:, :1]
            order = (least % size[:, None] + step * np.minimum(column, size[:, None])) % size[:, None]
            kind = mirrored[self.of_kind] if motion.is_reflection else self.of_kind
            moved = np.column_stack([kind, *(np.take_along_axis(c, order, axis=1) for c in (u, v))])
            images[row] = [numbers[image.tobytes()] for image in moved]
        return images

    @cached_property
    def disjoint(self) -> Bits:
        """Whether two placements have no inner point in common: bit b % 64 of word b // 64 in row a; a matrix."""
        from .lattice_kernel import clear_overlaps

        shapes = self.shapes
        left, bottom = shapes.x.min(axis=1), shapes.y.min(axis=1)
        x, y = shapes.x - left[:, None], shapes.y - bottom[:, None]
        forms, form = np.unique(np.column_stack([shapes.size, x, y]), axis=0, return_inverse=True)
        members = np.argsort(form.reshape(-1), kind="stable")
        starts = np.searchsorted(form.reshape(-1)[members], np.arange(len(forms) + 1)).astype(np.uint64)
        width, height = (c.max(axis=1) for c in np.split(forms[:, 1:], 2, axis=1))
        every = np.packbits(np.ones(len(self), dtype=np.uint8), bitorder="little")
        matrix = np.zeros((len(self), (len(self) + 63) // 64), dtype=np.uint64)
        matrix.view(np.uint8)[:, : len(every)] = every
        known = np.zeros(_MOST_MOVES, dtype=np.uint8)
        boxes = left[members], bottom[members], width, height
        clear_overlaps(*self.figures, members.astype(np.uint64), *boxes, starts, known, matrix)
        return matrix

    @cached_property
    def wedges(self) -> "Wedges":
        """What is to be covered."""
        from .lattice_kernel import write_covered_wedges

        puzzle = self.puzzle
        outlines = [*map(puzzle.in_lattice_units, (puzzle.hull, *puzzle.outlines)), *self.lattice]
        points = np.array(sorted({point for outline in outlines for point in outline}), dtype=np.int64)
        # No direction of an edge is a bisector; that of a cut into parts may be, and then both parts cover it.
        sectors = np.array(bisectors(outlines), dtype=np.int64)
        within = np.zeros((len(points) * len(sectors), 1), dtype=np.uint64)
        write_covered_wedges(*_hull_and_pockets(puzzle), points, sectors, within)
        wanted = np.flatnonzero(within[:, 0] == 1)  # in the hull (bit 0) and in none of its pockets
        covers = np.zeros((len(within), (len(self) + 63) // 64), dtype=np.uint64)
        write_covered_wedges(*self.figures, points, sectors, covers)
        covers, number = np.unique(covers[wanted], axis=0, return_inverse=True)
        return Wedges.of(covers, number.reshape(-1), wanted // len(sectors))


@dataclass(frozen=True)
class Wedges:
    """The wedges to cover; wedges that the same placements cover are merged."""

    #: Which placements cover each wedge, as bits.  A row of zeros: the target cannot be tiled.
    covers: Bits
    #: The number of first wedges that are enough to find a place that is hard to cover: for each point those with the
    #: fewest placements.
    telling: int

    @classmethod
    def of(cls, covers: Bits, number: Rows, point: Rows) -> "Wedges":
        """For wedges in the given order: their points, and their numbers among the rows."""
        sizes = np.bitwise_count(covers).sum(axis=1)
        order = np.lexsort((sizes[number], point))
        rank = np.arange(len(order)) - np.searchsorted(point[order], point[order])
        telling = np.unique(number[order[rank < _TELLING]])
        others = np.setdiff1d(np.arange(len(covers)), telling)
        return cls(covers[np.concatenate([telling, others])], len(telling))


def bisectors(polygons: Sequence[_Lattice]) -> list[tuple[int, int]]:
    """A direction inside each sector between two neighbouring directions of edges, which are taken both ways."""
    directions = set()
    for polygon in polygons:
        for (x0, y0), (x1, y1) in edges(polygon):
            dx, dy = x1 - x0, y1 - y0
            common = gcd(dx, dy)
            directions |= {(dx // common, dy // common), (-dx // common, -dy // common)}
    # Only the order of neighbours matters, and floats are exact enough for it: two directions of lengths below 10^6
    # differ by more than 10^-13.
    ordered = sorted(directions, key=lambda direction: atan2(direction[1], direction[0]))
    return [(x0 + x1, y0 + y1) for (x0, y0), (x1, y1) in pairwise([*ordered, ordered[0]])]


def find_placements(
    puzzle: DissectionPuzzle, *, by_class: bool = True, most: int | None = MOST_PLACEMENTS
) -> Placements:
    """All placements of a puzzle's pieces on the lattice; the kinds are the classes of pieces, or single pieces.

    `most` is the largest number of placements; None for any.

    Raises EngineError if the lattice is too fine, or the placements are too many.
    """
    hull = puzzle.in_lattice_units(puzzle.hull)
    left, bottom = min(x for x, _ in hull), min(y for _, y in hull)
    width, height = max(x for x, _ in hull) - left, max(y for _, y in hull) - bottom
    if max(width, height) >= _LONGEST or (width + 1) * (height + 1) > _MOST_POINTS:
        what = f"{puzzle.name}: the lattice has {width + 1} x {height + 1} points in the target's box"
        raise EngineError(
            f"{what}, which is too fine for the lattice model; use the engine backtrack with --motions any"
        )
    x, y = np.meshgrid(np.arange(left, left + width + 1), np.arange(bottom, bottom + height + 1), indexing="ij")
    kinds = puzzle.classes if by_class else tuple((piece,) for piece in range(len(puzzle.pieces)))
    of_kind: list[int] = []
    looks: list[int] = []
    found: list[_Lattice] = []
    of_class: dict[int, tuple[int, int]] = {}
    for kind, members in enumerate(kinds):
        congruent = puzzle.class_of[members[0]]
        if congruent in of_class:
            # Only the first kind of a class is computed.
            polygons = found[slice(*of_class[congruent])]
        else:
            shapes = puzzle.ways_to_lie(members[0])
            inside = [_inside(shape, hull, x, y) for shape in shapes]
            _refuse_too_many(len(found) + sum(int(there.sum()) for there in inside), most, puzzle)
            moved = [_moved(shape, x[there], y[there]) for shape, there in zip(shapes, inside, strict=True)]
            polygons = sorted(_outside_pockets(puzzle, [polygon for some in moved for polygon in some]))
            of_class[congruent] = len(found), len(found) + len(polygons)
        looks += range(*of_class[congruent])
        of_kind += [kind] * len(polygons)
        found += polygons
    _refuse_too_many(len(found), most, puzzle)
    return Placements(puzzle, kinds, np.array(of_kind, dtype=np.int64), tuple(found), np.array(looks, dtype=np.int64))


def find_anchor(placements: Placements) -> int | None:
    """The kind of one piece that has the fewest placements up to the target's symmetries; None without such a kind.

    No symmetry makes another kind of it.
    """
    if len(placements.images) == 1:
        return None
    least = placements.images.min(axis=0) == np.arange(len(placements))
    mirrored = placements.puzzle.mirror_kinds(placements.kinds)
    sizes = {
        kind: int(least[placements.of_kind == kind].sum())
        for kind, members in enumerate(placements.kinds)
        if len(members) == 1 and mirrored[kind] == kind
    }
    return min(sizes, key=sizes.__getitem__) if sizes else None


def _refuse_too_many(placements: int, most: int | None, puzzle: DissectionPuzzle) -> None:
    if most is not None and placements > most:
        alone = [puzzle.outlines, *((piece,) for piece in puzzle.pieces)]
        is_aside = puzzle.lattice.cell not in [Lattice.of(polygons).cell for polygons in alone]
        move = ", or move the pieces by whole steps of a coarser lattice of the target" if is_aside else ""
        raise EngineError(
            f"{puzzle.name}: more than {most} placements on the lattice, too many for the lattice "
            f"model; use the engine backtrack with --motions any{move}"
        )


def _inside(shape: _Lattice, hull: _Lattice, x: Rows, y: Rows) -> NDArray[np.bool_]:
    """The lattice vectors (x, y) that move the shape into the hull."""
    inside = np.ones(x.shape, dtype=np.bool_)
    for (x0, y0), (x1, y1) in edges(hull):
        # The vertex that is furthest outside decides.
        least = min((x1 - x0) * dy - (y1 - y0) * dx for dx, dy in shape)
        inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) + least >= 0
    return inside


def _moved(shape: _Lattice, x: Rows, y: Rows) -> list[_Lattice]:
    """The shape moved by the lattice vectors (x, y)."""
    return [tuple([(dx + i, dy + j) for dx, dy in shape]) for i, j in zip(x.tolist(), y.tolist(), strict=True)]


def _outside_pockets(puzzle: DissectionPuzzle, polygons: list[_Lattice]) -> list[_Lattice]:
    """Those polygons that overlap none of the pockets."""
    if not puzzle.pockets or not polygons:
        return polygons
    from .lattice_kernel import keep_disjoint

    figures, pockets = _figures(puzzle, polygons), _hull_and_pockets(puzzle)
    free = np.ones(len(polygons), dtype=np.bool_)
    keep_disjoint(*figures, pockets.x, pockets.y, pockets.size, free)
    return [polygon for polygon, is_free in zip(polygons, free.tolist(), strict=True) if is_free]


def _hull_and_pockets(puzzle: DissectionPuzzle) -> Figures:
    """The target's hull, and what of it is not to be covered."""
    pockets = list(map(puzzle.in_lattice_units, puzzle.pockets))
    return Figures.of([[puzzle.in_lattice_units(puzzle.hull)], pockets])


def _figures(puzzle: DissectionPuzzle, polygons: Sequence[_Lattice]) -> Figures:
    """Placements as unions of convex polygons."""
    if puzzle.is_convex:
        shapes = Shapes.of(polygons)
        return Figures(shapes.x, shapes.y, shapes.size, np.arange(len(polygons) + 1))
    parts: dict[_Lattice, tuple[tuple[int, ...], ...]] = {}
    figures = []
    for polygon in polygons:
        x, y = polygon[0]
        shape = tuple((u - x, v - y) for u, v in polygon)
        if shape not in parts:
            parts[shape] = parts_as_indices(shape)
        figures.append([tuple(polygon[vertex] for vertex in part) for part in parts[shape]])
    return Figures.of(figures)
