"""The convex forms that the pieces of a dissection can tile, and the number of ways."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, pi
from typing import NamedTuple

import numpy as np

from ..base.errors import PuzzleError, grouped
from ..base.stop import never
from ..engines.tallies import TilingTally
from ..engines.tiling_run import certain_tiling
from ..geometry.lattices import (
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
from ..geometry.polygons import Polygon, edges, from_least
from ..geometry.regions import overlap, parts_as_indices
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..search.shared_tree import EXHAUSTED
from ..search.tilings.any_angle import PlacementsMet
from ..work.pools import Threads
from ..work.run import in_order
from .convex_forms import FormClass, Slope
from .quick_tests import SEARCH, QuickTests
from .wedge_kernel import BUDGET, CURSOR_SIZE, DEPTH, WRITTEN, Level, WedgeShapes, mark_wedges, search_by_wedges

# The largest number of words of a target's table: 160 MB for each of its images.
_MOST_WORDS = 20_000_000
#: Pieces that lie together in one orientation: the class and the polygon of each.
Group = tuple[tuple[int, Units], ...]


@dataclass(frozen=True)
class WedgeTable:
    """The shapes of a puzzle's pieces for the kernels.

    Raises PuzzleError if the tables of the largest target have too many entries.
    """

    lattice: Lattice
    kinds: tuple[tuple[Group, ...], ...]  #: The shapes of each kind of piece, or of pieces that lie together
    unplaced: tuple[int, ...]  #: The number of pieces of each kind
    height: int  #: The height of the largest target, in lattice points

    def __post_init__(self) -> None:
        size = (self.height + self._reach[0] + 2) * self._rows * self.words
        if size > _MOST_WORDS:
            what = f"the tables of the largest form have {grouped(size)} entries"
            raise PuzzleError(f"{what}, and the limit is {grouped(_MOST_WORDS)}: there are too many lattice points")

    @cached_property
    def groups(self) -> list[Group]:
        """The shapes, kind by kind, each with its least point at the origin."""
        found = []
        for group in (group for kind in self.kinds for group in kind):
            x, y = min(point for _, units in group for point in units)
            found.append(tuple((of, tuple((i - x, j - y) for i, j in units)) for of, units in group))
        return found

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
            words = enumerate(map(int, marked[0, -bottom]))
            wedges.append(next(64 * w + (word & -word).bit_length() - 1 for w, word in words if word))
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
            on = np.zeros(len(part), dtype=np.bool_)
            mark_wedges(np.array(part, dtype=np.int64), self._bisectors, 0, bottom, on, marked)
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
    return from_least(moved[::-1] if is_reflection(undone) else moved)


def images_of(lattice: Lattice, target: Units, *, flip: bool) -> list[tuple[Matrix, Units]]:
    """The images of a target that look different, each with a motion that leads there; reflections only if `flip`."""
    found: dict[Units, Matrix] = {}
    for motion in lattice.motions:
        if flip or not is_reflection(motion):
            found.setdefault(placed(turned(motion, target)), motion)
    return [(motion, image) for image, motion in found.items()]


def _convex_parts(units: Units) -> tuple[Units, ...]:
    return tuple(tuple(units[vertex] for vertex in part) for part in parts_as_indices(units))


def wedge_table(puzzle: DissectionPuzzle, lattice: Lattice, seams: tuple[Slope, ...], height: int) -> WedgeTable:
    """The table of a puzzle's pieces; the two of a seam lie together, as it is not on the boundary of targets."""
    pairs: list[tuple[int, int]] = []
    for slope in seams:
        (one, _), (other, _) = slope.edges
        if not {one, other} & {piece for pair in pairs for piece in pair}:
            pairs.append((one, other))
    units = [lattice.units(piece) for piece in puzzle.pieces]
    slope_of = {tuple(piece for piece, _ in slope.edges): slope for slope in seams}
    joined = [_orientations(puzzle, lattice, _joined(puzzle, lattice, units, slope_of[pair])) for pair in pairs]
    left = [[piece for piece in members if not any(piece in pair for pair in pairs)] for members in puzzle.classes]
    single = [
        _orientations(puzzle, lattice, [_Together(((puzzle.class_of[members[0]], units[members[0]]),), (members[0],))])
        for members in left
        if members
    ]
    numbers = [len(members) for members in left if members] + [1] * len(pairs)
    return WedgeTable(lattice, (*single, *joined), tuple(numbers), height)


class _Together(NamedTuple):
    """Pieces that lie together: those that are not turned over, and those that are."""

    group: Group
    upright: tuple[int, ...]
    turned_over: tuple[int, ...] = ()

    def may_move(self, puzzle: DissectionPuzzle, motion: Matrix) -> bool:
        """Whether no piece that may not be turned over is, after a motion."""
        over = self.upright if is_reflection(motion) else self.turned_over
        return all(puzzle.flips[piece] for piece in over)


def _joined(puzzle: DissectionPuzzle, lattice: Lattice, units: list[Units], seam: Slope) -> Iterator[_Together]:
    """The ways in which two pieces lie on the two sides of their seam."""
    one, other = (piece for piece, _ in seam.edges)
    length = seam.edges[0][1]
    steps = {(length * x, length * y) for x, y in lattice.steps(seam.step)}
    # The edge of the first piece that belongs to the seam.
    start, step = next(
        (a, (b[0] - a[0], b[1] - a[1])) for a, b in edges(units[one]) if (b[0] - a[0], b[1] - a[1]) in steps
    )
    for motion in lattice.motions:
        image = turned(motion, units[other])
        for (x, y), (u, v) in edges(image):
            if (u - x, v - y) == (-step[0], -step[1]):
                moved = tuple((p + start[0] - u, q + start[1] - v) for p, q in image)
                if overlap(units[one], moved):
                    continue
                group = (puzzle.class_of[one], units[one]), (puzzle.class_of[other], moved)
                yield _Together(group, (one,), (other,)) if is_reflection(motion) else _Together(group, (one, other))


def _orientations(puzzle: DissectionPuzzle, lattice: Lattice, groups: Iterable[_Together]) -> tuple[Group, ...]:
    """Groups after all allowed motions of the lattice, those that look alike once."""
    found: set[Group] = set()
    for together in groups:
        for motion in lattice.motions:
            if not together.may_move(puzzle, motion):
                continue
            moved = [(of, turned(motion, units)) for of, units in together.group]
            left = min(x for _, units in moved for x, _ in units)
            bottom = min(y for _, units in moved for _, y in units)
            found.add(
                tuple(sorted((of, from_least(tuple((x - left, y - bottom) for x, y in units))) for of, units in moved))
            )
    return tuple(sorted(found))


_FIRST_NODES, _SLICE_NODES, _MOST_ROWS = 1_000, 200_000, 4096
# The number of forms that a thread gets at a time.
_TASK = 32


@dataclass(frozen=True)
class Form:
    """A target, and what is known about its tilings on the lattice."""

    target: Polygon  #: The target
    count: int  #: The number of tilings by numbered pieces; a lower bound if not complete
    canonical_count: int  #: The same, up to the target's symmetries and the exchange of congruent pieces
    complete: bool  #: Whether all tilings have been counted
    tiling: Tiling | None = None  #: One of the tilings; None if no tiling was found
    #: Why there is no tiling, one of `quick_tests.MEANINGS`; None if there is one, or this is not known.
    reason: str | None = None


def solved_forms(
    form_class: FormClass,
    targets: Sequence[Polygon],
    *,
    decide: bool = False,
    threads: int = 1,
    must_stop: Callable[[], bool] = never,
) -> Iterator[Form]:
    """Tile forms of a class in all ways, or each once if `decide`, with a puzzle's pieces moved by lattice motions.

    Yields each target in turn, including those that cannot be tiled.  Two triangles make a parallelogram in two ways:
    which triangle lies on which side.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> forms = FormClass(DissectionPuzzle(square, (triangle, triangle)), seams=True)
    >>> [form] = solved_forms(forms, [((0, 0), (1, 0), (2, 1), (1, 1))])
    >>> form.count, form.canonical_count, form.complete
    (2, 1, True)
    """
    if not targets or must_stop():
        return
    solver = _Solver(form_class, targets, decide=decide)
    if threads == 1:
        for target in targets:
            if must_stop():
                return
            yield solver.solved(target, must_stop)
    else:
        yield from _in_threads(solver, targets, threads, must_stop)


def _in_threads(
    solver: "_Solver", targets: Sequence[Polygon], threads: int, must_stop: Callable[[], bool]
) -> Iterator[Form]:
    """The same in threads; the caller's thread only waits, asks whether to stop, and yields."""

    def task(some: Sequence[Polygon], dropped: Callable[[], bool]) -> tuple[list[Form], bool]:
        """Their forms, and whether these are all of them, and solved."""
        solved = []
        for target in some:
            if dropped():
                return solved, False
            solved.append(solver.solved(target, dropped))
        return solved, solved[-1].complete or bool(solver.decides and solved[-1].count)

    # In one thread, so that kernels are compiled once.
    yield solver.solved(targets[0], must_stop)
    tasks = (targets[at : at + _TASK] for at in range(1, len(targets), _TASK))
    with Threads(task, threads) as pool:
        for forms, are_all in in_order(tasks, pool, must_stop):
            yield from forms
            if not are_all:
                # Those of later tasks are not the next ones.
                return


class _Solver:
    """Counts the tilings of targets; all of them use the same table of placements."""

    def __init__(self, form_class: FormClass, targets: Sequence[Polygon], *, decide: bool) -> None:
        self._puzzle, self.decides = replace(form_class.puzzle, motions=Motions.LATTICE), decide
        self._lattice = form_class.lattice
        spans = (max(map(max, self._lattice.units(target))) for target in targets)
        # Motions of the triangular lattice make targets up to twice as high.
        height = (2 if self._lattice.slanted else 1) * max(spans)
        self._table = wedge_table(self._puzzle, self._lattice, form_class.left_out, height)
        self._tests = QuickTests(form_class)

    def solved(self, target: Polygon, must_stop: Callable[[], bool]) -> Form:
        """The form that is a target; counting ends at the first tiling if one is enough."""
        units = self._lattice.units(target)
        reason = self._tests.reason(units, must_stop)
        if reason is not None:
            return Form(target, 0, 0, complete=True, reason=reason)
        rows = np.zeros((1 if self.decides else _MOST_ROWS, sum(self._table.unplaced), 2), dtype=np.int64)
        # A reflection would turn over all pieces.
        images = images_of(self._lattice, units, flip=all(self._puzzle.flips))
        searches = [_ImageSearch(motion, self._table.begun(image), rows) for motion, image in images]
        chosen = None
        for search in searches:
            if search.advance(self._table.shapes, _FIRST_NODES):
                chosen = search
                break
        # The image in which the first nodes are the largest part of the tree.
        chosen = chosen or max(searches, key=lambda search: done(self._table.shapes, search.level))
        for search in searches:
            if search is not chosen:
                search.found.clear()
        count = None
        while True:
            if chosen.found:
                # Most forms have no tilings, and need no tally.
                count = count or _Count(replace(self._puzzle, target=target, holes=()), self._table, units)
                count.add(chosen)
            if chosen.exhausted or (self.decides and count) or must_stop():
                break
            chosen.advance(self._table.shapes, _SLICE_NODES)
        if count is None:
            return Form(target, 0, 0, chosen.exhausted, reason=SEARCH if chosen.exhausted else None)
        return Form(target, count.tally.count, count.tally.canonical_count, chosen.exhausted, count.tiling)


@dataclass
class _ImageSearch:
    """The search in one image of a target."""

    motion: Matrix
    level: Level
    rows: np.ndarray

    def __post_init__(self) -> None:
        self.exhausted = False
        self.found: list[np.ndarray] = []

    def advance(self, shapes: WedgeShapes, nodes: int) -> bool:
        """Search for a number of nodes; return whether the search has ended."""
        cursor = self.level.cursor
        cursor[BUDGET] = nodes
        while cursor[BUDGET] and not self.exhausted:
            cursor[WRITTEN] = 0
            self.exhausted = search_by_wedges(shapes, self.level, self.rows) == EXHAUSTED
            if cursor[WRITTEN]:
                self.found.append(self.rows[: cursor[WRITTEN]].copy())
            if len(self.rows) == 1 and self.found:
                break
        return self.exhausted


class _Count:
    """The tilings of one target so far."""

    def __init__(self, puzzle: DissectionPuzzle, table: WedgeTable, units: Units) -> None:
        self._puzzle, self._table, self._units = puzzle, table, units
        self._placements = PlacementsMet(puzzle, puzzle.classes)
        self._number: dict[tuple[int, int], list[tuple[int, int]]] = {}
        looks, images = self._placements.looks, self._placements.images
        self.tally = TilingTally(puzzle, puzzle.classes, None, images, looks)
        self.tiling: Tiling | None = None

    def add(self, search: _ImageSearch) -> None:
        """Count what a search has found, and forget it there."""
        for rows in search.found:
            placed = np.array([self._row(row, search.motion) for row in rows.tolist()], dtype=np.int64)
            self.tally.add(placed)
            if self.tiling is None:
                polygons = self._placements.polygons
                self.tiling = certain_tiling(TilingChecker(self._puzzle), self.tally, polygons.__getitem__, placed[0])
        search.found.clear()

    def _row(self, row: list[list[int]], motion: Matrix) -> list[int]:
        """The placements of a tiling, class by class."""
        pieces = [placed for word, shape in row for placed in self._numbers(word, shape, motion)]
        return [number for _, number in sorted(pieces)]

    def _numbers(self, word: int, shape: int, motion: Matrix) -> list[tuple[int, int]]:
        """The classes and numbers of the placements of a shape."""
        found = self._number.get((word, shape))
        if found is None:
            found = self._number[word, shape] = [
                (of, self._placements.number(of, self._table.lattice.polygon(back(motion, self._units, units))))
                for of, units in self._table.pieces_at(word, shape)
            ]
        return found
