"""The lattice model of a dissection: all placements of its pieces, their overlaps, and the wedges that they cover.

The region to cover is cut into *wedges*: at a lattice point, the sector between two neighbouring directions of all
possible directions of edges.  A placement covers a wedge near its point or is disjoint from it there, so every tiling
covers every wedge once.  The converse needs no wedges: placements, one of each piece, that are pairwise disjoint tile
the target, because their areas add up to its own.

If the target is made of cells, these take the place of the wedges.  Cells that may stay free are covered by *gaps*,
single cells of a kind of their own, whose numbers follow those of the pieces.  Pieces that may be left over have one
more placement, which covers nothing: number ``len(placements) + kind``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from math import atan2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import distinct_rows
from ...base.bit_words import as_words
from ...base.errors import EngineError
from ...geometry.cells import CORNERS, aligned, keys_in, shifted
from ...geometry.lattices import Lattice, primitive
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


class Figures(NamedTuple):
    """Unions of convex polygons on the lattice, or single polygons, as a kernel reads them."""

    #: The vertices in counter-clockwise order, one polygon a row, one figure after the other.
    x: Rows
    y: Rows
    #: The number of vertices of each polygon; the rest of its row repeats the first one.
    size: Rows
    #: The number of the first polygon of each figure, and finally that of all polygons.
    first: Rows

    @classmethod
    def of(cls, figures: Sequence[Sequence[_Lattice]]) -> "Figures":
        parts = list(chain.from_iterable(figures))
        size = np.array([len(part) for part in parts], dtype=np.int64)
        points = np.fromiter(chain.from_iterable(chain.from_iterable(parts)), dtype=np.int64).reshape(-1, 2)
        column = np.arange(size.max(initial=1))
        at = (np.cumsum(size) - size)[:, None] + np.where(column < size[:, None], column, 0)
        return cls(points[at, 0], points[at, 1], size, np.cumsum([0, *map(len, figures)]).astype(np.int64))


@dataclass(frozen=True)
class Placements:
    """All placements of a puzzle's pieces on the lattice; pieces of a kind have theirs in common."""

    puzzle: DissectionPuzzle
    #: The pieces by kind: the puzzle's classes, or every piece by itself.
    kinds: tuple[tuple[int, ...], ...]
    #: The kind that each placement is for, ascending.
    of_kind: Rows
    #: The polygon of each placement, in units of the lattice; ascending within a kind.
    lattice: tuple[_Lattice, ...]
    #: The first placement that looks the same; those of congruent pieces of different kinds do.  At the end, such
    #: numbers of the placements of pieces that are left over.
    looks: Rows
    #: The cells that each placement covers, by their numbers; None if the target is not made of cells.
    cells: tuple[tuple[int, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.lattice)

    def polygon(self, placement: int) -> Polygon | Any:
        """The polygon of a placement; None for a piece that is left over."""
        return self._polygons[placement] if placement < len(self) else None

    @cached_property
    def needed(self) -> NDArray[np.bool_]:
        """Of which kinds all pieces must be placed; gaps must be if all pieces are, because of their areas."""
        spare, pieces = set(self.puzzle.spare), len(self.puzzle.pieces)
        return np.array([members[0] not in spare if members[0] < pieces else not spare for members in self.kinds])

    def completed(self, rows: Rows) -> Rows:
        """Rows with the placements of pieces, in any order and -1 at the end, as rows of kind after kind.

        Pieces without a placement are left over; so are gaps.
        """
        sizes = np.array([len(members) for members in self.kinds])
        kind_of = np.append(np.concatenate([self.of_kind, np.arange(len(sizes))]), len(sizes))
        there = (kind_of[rows][:, :, None] == np.arange(len(sizes))) & (rows >= 0)[:, :, None]
        missing = sizes - there.sum(axis=1)
        slot_kind = np.repeat(np.arange(len(sizes)), sizes)
        rank = np.concatenate([np.arange(size) for size in sizes])
        base = len(kind_of)
        over = np.where(rank < missing[:, slot_kind], slot_kind * base + len(self) + slot_kind, len(sizes) * base)
        keys = np.where(rows >= 0, kind_of[rows] * base + rows, len(sizes) * base)
        return np.sort(np.concatenate([keys, over], axis=1), axis=1)[:, : len(slot_kind)] % base

    @cached_property
    def _polygons(self) -> tuple[Polygon, ...]:
        return tuple(map(self.puzzle.from_lattice_units, self.lattice))

    @cached_property
    def figures(self) -> Figures:
        """The placements as unions of convex polygons."""
        return _figures(self.puzzle, self.lattice)

    @cached_property
    def _forms(self) -> tuple[Rows, Rows, Rows]:
        """The polygons moved to least coordinates 0: rows of size, x and y; and the row and place of each placement."""
        x, y, size, _ = self.figures if self.puzzle.is_convex else Figures.of([[polygon] for polygon in self.lattice])
        corner = np.column_stack([x.min(axis=1), y.min(axis=1)])
        return *distinct_rows(np.column_stack([size, x - corner[:, :1], y - corner[:, 1:]])), corner

    @cached_property
    def images(self) -> Rows:
        """The placement that each symmetry of the target makes of each; shape (symmetries, placements)."""
        forms, form, corner = self._forms
        size, points = forms[:, :1], forms[:, 1:].reshape(len(forms), 2, forms.shape[1] // 2)
        column = np.arange(points.shape[2])
        numbers = {row.tobytes(): number for number, row in enumerate(forms)}
        low, high = corner.min(axis=0, initial=0), corner.max(axis=0, initial=0)

        def keys(kind: Rows, form: Rows, corner: Rows) -> Rows:
            return np.ravel_multi_index((kind, form, *(corner - low).T), (len(self.kinds), len(forms), *high - low + 1))

        known = keys(self.of_kind, form, corner)
        order = np.argsort(known)
        moved_kinds = np.array(self.puzzle.moved_kinds(self.kinds), dtype=np.int64)
        images = np.empty((len(self.puzzle.symmetries), len(self)), dtype=np.int64)
        for row, motion in enumerate(self.puzzle.symmetries):
            # The images of the origin and of the steps across and up.
            axes = self.puzzle.lattice.polygon(((0, 0), (1, 0), (0, 1)))
            origin, *steps = np.array(self.puzzle.in_lattice_units(tuple(map(motion.of_point, axes))))
            turn = np.transpose(steps - origin)
            moved = turn @ points
            # From the least vertex on, counter-clockwise: a reflection turns the order round.
            step = -1 if motion.is_reflection else 1
            least = np.lexsort((moved[:, 1], moved[:, 0]), axis=1)[:, :1]
            turned = (least % size + step * np.minimum(column, size)) % size
            moved = np.take_along_axis(moved, turned[:, None], axis=2)
            beside = moved.min(axis=2)
            rows = np.column_stack([size, (moved - beside[:, :, None]).reshape(forms[:, 1:].shape)])
            image = np.array([numbers[each.tobytes()] for each in rows], dtype=np.int64)
            wanted = keys(moved_kinds[row][self.of_kind], image[form], corner @ turn.T + origin + beside[form])
            images[row] = order[np.searchsorted(known, wanted, sorter=order)]
        return images

    @cached_property
    def every_image(self) -> Rows:
        """The images, also of the placements of pieces that are left over."""
        over = len(self) + np.array(self.puzzle.moved_kinds(self.kinds), dtype=np.int64)
        return np.concatenate([self.images, over.reshape(len(self.images), -1)], axis=1)

    @cached_property
    def disjoint(self) -> Bits:
        """Whether two placements have no inner point in common: bit b % 64 of word b // 64 in row a; a matrix."""
        from .lattice_kernel import clear_overlaps

        if self.cells is not None:
            matrix = self._every.copy()
            for placement, cells in enumerate(self.cells):
                matrix[placement] &= ~np.bitwise_or.reduce(self.wedges.covers[list(cells)], axis=0)
            return matrix
        forms, form, corner = self._forms
        left, bottom = corner.T
        members = np.lexsort((left, form))
        starts = np.searchsorted(form[members], np.arange(len(forms) + 1)).astype(np.uint64)
        width, height = (c.max(axis=1) for c in np.split(forms[:, 1:], 2, axis=1))
        matrix = self._every
        known = np.zeros(_MOST_MOVES, dtype=np.uint8)
        boxes = left[members], bottom[members], width, height
        clear_overlaps(*self.figures, members.astype(np.uint64), *boxes, starts, known, matrix)
        return matrix

    @property
    def _every(self) -> Bits:
        """All placements, for each placement."""
        every = as_words(np.ones((1, len(self)), dtype=np.bool_))[:, : (len(self) + 63) // 64]
        return every.repeat(len(self), axis=0)

    @cached_property
    def wedges(self) -> "Wedges":
        """What is to be covered."""
        from .lattice_kernel import write_covered_wedges

        puzzle = self.puzzle
        if self.cells is not None:
            number = len(_cells_to_cover(puzzle))
            covers = np.zeros((number, (len(self) + 63) // 64), dtype=np.uint64)
            for placement, cells in enumerate(self.cells):
                covers[list(cells), placement >> 6] |= np.uint64(1 << (placement & 63))
            return Wedges(covers, number)
        outlines = list(map(puzzle.in_lattice_units, (puzzle.hull, *puzzle.outlines)))
        points = np.array(sorted(set(chain.from_iterable([*outlines, *self.lattice]))), dtype=np.int64)
        # No direction of an edge is a bisector; that of a cut into parts may be, and then both parts cover it.
        _, one_of_each = np.unique(self._forms[1], return_index=True)
        sectors = np.array(bisectors([*outlines, *(self.lattice[i] for i in one_of_each)]), dtype=np.int64)
        within = np.zeros((len(points) * len(sectors), 1), dtype=np.uint64)
        write_covered_wedges(*_hull_and_pockets(puzzle), points, sectors, within)
        wanted = np.flatnonzero(within[:, 0] == 1)  # in the hull (bit 0) and in none of its pockets
        covers = np.zeros((len(within), (len(self) + 63) // 64), dtype=np.uint64)
        write_covered_wedges(*self.figures, points, sectors, covers)
        return Wedges.of(*distinct_rows(covers[wanted]), wanted // len(sectors))


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
        others = np.ones(len(covers), dtype=np.bool_)
        others[number[order[rank < _TELLING]]] = False
        return cls(covers[np.argsort(others, kind="stable")], len(covers) - int(others.sum()))


def bisectors(polygons: Sequence[_Lattice]) -> list[tuple[int, int]]:
    """A direction inside each sector between two neighbouring directions of edges, which are taken both ways."""
    directions = set()
    for polygon in polygons:
        for (x0, y0), (x1, y1) in edges(polygon):
            (dx, dy), _ = primitive(x1 - x0, y1 - y0)
            directions |= {(dx, dy), (-dx, -dy)}
    # Only the order of neighbours matters, and floats are exact enough for it: two directions of lengths below 10^6
    # differ by more than 10^-13.
    ordered = sorted(directions, key=lambda direction: atan2(direction[1], direction[0]))
    return [(x0 + x1, y0 + y1) for (x0, y0), (x1, y1) in pairwise([*ordered, ordered[0]])]


def find_placements(
    puzzle: DissectionPuzzle, *, by_class: bool = True, gaps: bool = True, most: int = MOST_PLACEMENTS
) -> Placements:
    """All placements of a puzzle's pieces on the lattice; the kinds are the classes of pieces, or single pieces.

    With `gaps`, cells that may stay free are of a last kind, with numbers that follow those of the pieces.

    Raises EngineError if the lattice is too fine, or the placements are too many.
    """
    kinds = puzzle.classes if by_class else tuple((piece,) for piece in range(len(puzzle.pieces)))
    number = len(puzzle.pieces)
    find = _on_cells(puzzle) if puzzle.cells else _on_lattice(puzzle)
    of_kind: list[int] = []
    looks: list[int] = []
    found: list[_Found] = []
    of_class: dict[int, tuple[int, int]] = {}
    for kind, members in enumerate(kinds):
        congruent = puzzle.class_of[members[0]]
        if congruent in of_class:
            # Only the first kind of a class is computed.
            some = found[slice(*of_class[congruent])]
        else:
            some = find(members[0], most - len(found))
            of_class[congruent] = len(found), len(found) + len(some)
        looks += range(*of_class[congruent])
        of_kind += [kind] * len(some)
        found += some
    over = [len(found) + puzzle.class_of[members[0]] for members in kinds]
    if gaps and puzzle.gaps:
        kinds = (*kinds, tuple(range(number, number + puzzle.gaps)))
        cells = _cells_to_cover(puzzle)
        board = puzzle.cell_board
        assert board is not None
        free = sorted((placed_at(board.units(cell)), (at,)) for at, cell in enumerate(cells.values()))
        looks += range(len(found), len(found) + len(free))
        of_kind += [len(kinds) - 1] * len(free)
        found += free
        over = [len(free) + look for look in over] + [len(found) + len(kinds)]
    if len(found) > most:
        raise _too_many(puzzle)
    lattice, covered = zip(*found, strict=True) if found else ((), ())
    return Placements(
        puzzle,
        kinds,
        np.array(of_kind, dtype=np.int64),
        lattice,
        np.array(looks + over, dtype=np.int64),
        covered if puzzle.cells else None,
    )


# A polygon in units of the lattice, and the cells that it covers, if there are cells.
_Found = tuple[_Lattice, tuple[int, ...]]


def _cells_to_cover(puzzle: DissectionPuzzle) -> dict[tuple[int, int], tuple[int, int]]:
    """The cells that do not stay free, in reading order, by their keys."""
    board, free = puzzle.cell_board, set(puzzle.free_cells)
    return {} if board is None else {board.key(cell): cell for cell in board.cells if cell not in free}


def placed_at(units: _Lattice) -> _Lattice:
    """A polygon from its least vertex on."""
    first = units.index(min(units))
    return units[first:] + units[:first]


def _on_cells(puzzle: DissectionPuzzle) -> Callable[[int, int], list[_Found]]:
    """A function that finds the placements of a piece, ascending, by the cells that they cover."""
    numbers = {key: number for number, key in enumerate(_cells_to_cover(puzzle))}
    corners = CORNERS[puzzle.cells]

    def find(piece: int, most: int) -> list[_Found]:
        found = []
        for shape in puzzle.ways_to_lie(piece):
            units = aligned(puzzle.cells, shape)
            keys = keys_in(puzzle.cells, units)
            (left, bottom), *_ = keys
            for x, y in numbers:
                # A triangle that points up lies on no other one.
                (i, rest), (j, other) = divmod(x - left, corners), divmod(y - bottom, corners)
                if rest or other:
                    continue
                covered = [numbers.get((a + corners * i, b + corners * j)) for a, b in keys]
                if None not in covered:
                    found.append((placed_at(shifted(units, i, j)), tuple(covered)))
        if len(found) > most:
            raise _too_many(puzzle)
        return sorted(found)

    return find


def _on_lattice(puzzle: DissectionPuzzle) -> Callable[[int, int], list[_Found]]:
    """A function that finds the placements of a piece, ascending."""
    hull = puzzle.in_lattice_units(puzzle.hull)
    left, bottom = min(x for x, _ in hull), min(y for _, y in hull)
    width, height = max(x for x, _ in hull) - left, max(y for _, y in hull) - bottom
    if max(width, height) >= _LONGEST or (width + 1) * (height + 1) > _MOST_POINTS:
        what = f"{puzzle.name}: the lattice has {width + 1} x {height + 1} points in the target's box"
        raise EngineError(
            f"{what}, which is too fine for the lattice model; use the engine backtrack with --motions any"
        )
    x, y = np.meshgrid(np.arange(left, left + width + 1), np.arange(bottom, bottom + height + 1), indexing="ij")

    def find(piece: int, most: int) -> list[_Found]:
        shapes = puzzle.ways_to_lie(piece)
        inside = [_inside(shape, hull, x, y) for shape in shapes]
        if sum(int(there.sum()) for there in inside) > most:
            raise _too_many(puzzle)
        moved = [_moved(shape, x[there], y[there]) for shape, there in zip(shapes, inside, strict=True)]
        polygons = sorted(_outside_pockets(puzzle, [polygon for some in moved for polygon in some]))
        return [(polygon, ()) for polygon in polygons]

    return find


def find_anchor(placements: Placements) -> int | None:
    """The kind of one piece that has the fewest placements up to the target's symmetries; None without such a kind.

    No symmetry makes another kind of it.
    """
    if len(placements.images) == 1:
        return None
    least = placements.images.min(axis=0) == np.arange(len(placements))
    moved = placements.puzzle.moved_kinds(placements.kinds)
    sizes = {
        kind: int(least[placements.of_kind == kind].sum())
        for kind, members in enumerate(placements.kinds)
        if len(members) == 1 and placements.needed[kind] and all(kinds[kind] == kind for kinds in moved)
    }
    return min(sizes, key=sizes.__getitem__) if sizes else None


def _too_many(puzzle: DissectionPuzzle) -> EngineError:
    alone = [puzzle.outlines, *((piece,) for piece in puzzle.pieces)]
    is_aside = puzzle.lattice.cell not in [Lattice.of(polygons).cell for polygons in alone]
    move = ", or move the pieces by whole steps of a coarser lattice of the target" if is_aside else ""
    return EngineError(
        f"{puzzle.name}: more than {MOST_PLACEMENTS} placements on the lattice, too many for the lattice "
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
        return Figures.of([[polygon] for polygon in polygons])
    parts: dict[_Lattice, tuple[tuple[int, ...], ...]] = {}
    figures = []
    for polygon in polygons:
        x, y = polygon[0]
        shape = tuple((u - x, v - y) for u, v in polygon)
        if shape not in parts:
            parts[shape] = parts_as_indices(shape)
        figures.append([tuple(polygon[vertex] for vertex in part) for part in parts[shape]])
    return Figures.of(figures)
