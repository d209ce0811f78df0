"""The search for tilings of a rectangle by rectangles on the lattice, such as squares: its tables, tree and walk."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...geometry.lattices import Units
from ...puzzles.dissection import DissectionPuzzle
from .lattice_placements import Bits, Placements, Rows, find_anchor
from .rectangles_kernel import LONGEST, search_rectangles, visit_rectangles
from .walks import LatticeSteps, TilingTree

# Puzzles with fewer pieces are searched before memory pays, and before it pays to look at areas.
_FEWEST_PIECES = 16
# The skylines that are remembered, 32 bytes each; more for puzzles with many pieces.
_REMEMBERED_SKYLINES, _MANY_PIECES, _MANY_SKYLINES = 2**20, 30, 2**23


class RectangleTables(NamedTuple):
    """The constant tables of the kernels; see `rectangles_kernel`."""

    kind: Bits
    width: Bits
    height: Bits
    first: Bits
    number: NDArray[np.int32]
    near: Bits
    far: Bits
    latest: Rows
    order: Bits
    outside: NDArray[np.bool_]
    anchor: Bits
    squares: NDArray[np.bool_]
    shape_at: Bits
    thorough: NDArray[np.bool_]
    most: Bits
    shape_of: Bits
    column_of: Bits


@dataclass(frozen=True)
class RectangleProblem:
    """A rectangle to be tiled by rectangles."""

    #: All placements.
    placements: Placements
    #: The kind of a single piece for which there is only one placement of each orbit; None without such a kind.
    anchor: int | None
    #: The tables of the kernels.
    tables: RectangleTables
    #: The tables with the mirror images of the anchor's placements: what is dead is dead in a mirror, too.
    mirrored: RectangleTables

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(map(len, self.placements.kinds))


def are_rectangles(puzzle: DissectionPuzzle, *, by_class: bool) -> bool:
    """Whether target and pieces are rectangles along the axes that the search on the skyline can take."""
    if not puzzle.is_classic or puzzle.lattice.slanted or puzzle.holes or len(puzzle.parts) > 1:
        return False
    if max(_sides(puzzle.in_lattice_units(puzzle.hull))) > LONGEST:
        return False
    if len(puzzle.classes if by_class else puzzle.pieces) > LONGEST // 2:
        return False
    distinct = [puzzle.pieces[members[0]] for members in puzzle.classes]
    return all(_is_box(puzzle.in_lattice_units(polygon)) for polygon in (*puzzle.parts, *distinct))


def _is_box(polygon: Units) -> bool:
    return len(polygon) == 4 and len({x for x, _ in polygon}) == len({y for _, y in polygon}) == 2


def _sides(polygon: Sequence[tuple[int, int]]) -> tuple[int, int]:
    xs, ys = zip(*polygon, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def rectangle_problem(placements: Placements, *, break_symmetry: bool) -> RectangleProblem:
    """The problem of placements that have been found, of a puzzle with `are_rectangles`."""
    puzzle, kinds = placements.puzzle, placements.kinds
    hull = puzzle.in_lattice_units(puzzle.hull)
    columns, rows = _sides(hull)
    left, bottom = min(x for x, _ in hull), min(y for _, y in hull)
    shapes = [
        (kind, *sides)
        for kind, members in enumerate(kinds)
        for sides in sorted({_sides(units) for units in puzzle.ways_to_lie(members[0])})
    ]
    kind, width, height = np.array(shapes, dtype=np.uint64).T
    at = {shape: number for number, shape in enumerate(shapes)}
    anchor = find_anchor(placements) if break_symmetry else None
    of_kind = placements.of_kind.tolist()
    shape_of = np.array(
        [at[k, *_sides(units)] for k, units in zip(of_kind, placements.lattice, strict=True)], dtype=np.int64
    )
    corner = np.array([min(units) for units in placements.lattice], dtype=np.int64).reshape(-1, 2) - (left, bottom)
    every = np.full((len(shapes), columns, rows), -1, dtype=np.int32)
    every[shape_of, corner[:, 0], corner[:, 1]] = np.arange(len(placements))
    mirror_image = every[shape_of, columns - width.astype(np.int64)[shape_of] - corner[:, 0], corner[:, 1]]
    thorough = sum(map(len, kinds)) >= _FEWEST_PIECES
    kept = np.ones(len(placements), dtype=np.bool_)
    if anchor is not None:
        # Without a memory, what cannot be completed is found sooner with a low anchor.
        least = placements.images.min(axis=0) == np.arange(len(placements))
        one = _highest(placements, anchor, corner, shape_of) if thorough else least
        kept &= (placements.of_kind != anchor) | one
    longest = [max(width[kind == k].max(), height[kind == k].max()) for k in range(len(kinds))]
    of_anchor = kind == anchor
    squares = all(w == h <= LONGEST for _, w, h in shapes) and len(set(width.tolist())) == len(shapes)
    shape_at = np.zeros(int(width.max()) + 1, dtype=np.uint64)
    shape_at[width.astype(np.int64)] = np.arange(len(shapes))

    def tables(may_lie: NDArray[np.bool_]) -> RectangleTables:
        number = np.where((every >= 0) & np.append(may_lie, False)[every], every, np.int32(-1))
        latest = np.where(number[of_anchor] >= 0, np.arange(rows), -1).max(axis=(0, 2), initial=-1)
        return RectangleTables(
            kind, width, height,
            np.searchsorted(kind, np.arange(len(kinds) + 1)).astype(np.uint64),
            number, *_span(number[of_anchor]), latest, np.argsort(longest)[::-1].astype(np.uint64), may_lie & ~kept,
            np.array([len(kinds) if anchor is None else anchor], dtype=np.uint64),
            np.array([squares]), shape_at, np.array([thorough]),
            np.array([len(members) + 1 for members in kinds], dtype=np.uint64),
            shape_of.astype(np.uint64), corner[:, 0].astype(np.uint64),
        )  # fmt: skip

    return RectangleProblem(placements, anchor, tables(kept), tables(kept | kept[mirror_image]))


def _highest(placements: Placements, anchor: int, corner: Rows, shape_of: Rows) -> NDArray[np.bool_]:
    """Which placements of the anchor are the highest of their orbits, of several the left one: there they come late."""
    anchors = np.flatnonzero(placements.of_kind == anchor)
    place = np.full(len(placements), -1, dtype=np.int64)
    place[anchors[np.lexsort((shape_of[anchors], -corner[anchors, 0], corner[anchors, 1]))]] = np.arange(len(anchors))
    highest = np.zeros(len(placements), dtype=np.bool_)
    highest[anchors] = place[placements.images[:, anchors]].max(axis=0) == place[anchors]
    return highest


def _span(anchor: NDArray[np.int32]) -> tuple[Bits, Bits]:
    """The columns where the anchor can begin in each row, from the numbers of its shapes: the first and the last."""
    columns = np.arange(1, anchor.shape[1] + 1)[:, np.newaxis] * (anchor >= 0).any(axis=0)
    near = np.where(columns > 0, columns, anchor.shape[1] + 1).min(axis=0, initial=anchor.shape[1] + 1) - 1
    # One more than the last, and 0 without one.
    return near.astype(np.uint64), columns.max(axis=0, initial=0).astype(np.uint64)


class RectangleTree(TilingTree):
    """The tree that a `RectangleWalk` walks through, as `lattice.LatticeTree`; the walk omits what it remembers."""

    def __init__(self, problem: RectangleProblem, among: Rows | None = None) -> None:
        self.depths = problem.pieces
        tables = problem.tables
        if among is not None:
            number = np.where(np.isin(tables.number, among), tables.number, np.int32(-1))
            tables = tables._replace(number=number)
        self._tables = tables
        self._left = np.array([len(members) for members in problem.placements.kinds], dtype=np.uint64)
        columns = tables.number.shape[1]
        one, other = np.zeros((2, 2, max(columns, len(self._left)) + 1), dtype=np.uint64)
        self._scratch = one, other, np.zeros((1, len(self._left)), dtype=np.uint64)

    def _visited(self, nodes: Rows, depth: int, wanted: Rows) -> tuple[Rows, Rows]:
        numbers, children = np.zeros((2, len(nodes)), dtype=np.int64)
        visit_rectangles(self._tables, self._left, self._scratch, nodes, depth, wanted, numbers, children)
        return numbers, children


def _memory(problem: RectangleProblem) -> Bits:
    """Room for skylines below which nothing is found; one word if it does not pay, or a word cannot name all pieces."""
    pays = problem.pieces >= _FEWEST_PIECES
    fits = prod(len(members) + 1 for members in problem.placements.kinds) < 2**63
    skylines = _MANY_SKYLINES if problem.pieces >= _MANY_PIECES else _REMEMBERED_SKYLINES
    return np.zeros(4 * skylines if pays and fits else 1, dtype=np.uint64)


class RectangleWalk(LatticeSteps):
    """A walk that meets all tilings of a rectangle by rectangles, each once; `memo` is the memory of another one."""

    method = "skyline, fewest candidates"

    def __init__(self, problem: RectangleProblem, memo: Bits | None = None) -> None:
        super().__init__(problem.placements, problem.anchor)
        self._problem = problem
        self._memo = _memory(problem) if memo is None else memo
        self._tables = problem.mirrored if len(self._memo) > 1 else problem.tables
        pieces, kinds, columns = len(self.nodes), len(self.kinds), problem.tables.number.shape[1]
        starts, tops = np.zeros((2, pieces + 1, columns + 1), dtype=np.uint64)
        left = np.zeros((pieces + 1, kinds), dtype=np.uint64)
        left[0] = [len(members) for members in self.kinds]
        size, self._untried, spot, self._tried, self._options, entered, fertile = np.zeros(
            (7, pieces + 1), dtype=np.uint64
        )
        size[0] = 1
        chosen = np.zeros(pieces + 1, dtype=np.int64)
        self._levels = (
            starts, tops, size, left, self._untried, spot, chosen, self._tried, self._options, entered, fertile,
        )  # fmt: skip

    def twin(self) -> "RectangleWalk":
        """Another walk through the same tree, from its root, with the same placements and the same memory."""
        return RectangleWalk(self._problem, self._memo)

    def _search(self) -> int:
        return search_rectangles(self._tables, self._levels, self.nodes, self._memo, self._cursor, self._rows)
