"""The convex forms that the pieces of a dissection can tile, and the number of ways."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...base.stopping import never
from ...engines.tallies.tiling_tally import TilingTally
from ...engines.tiling_run import certain_tiling
from ...geometry.lattices import Matrix, Units
from ...geometry.polygons import Polygon
from ...puzzles.check_tiling import TilingChecker
from ...puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ...search.slices import EXHAUSTED
from ...search.tilings.any_angle.placements_met import PlacementsMet
from ...work.pools import Threads
from ...work.run import in_order
from .convex_forms import FormClass
from .quick_tests import SEARCH, QuickTests
from .seam_groups import wedge_table
from .wedge_kernel import BUDGET, WRITTEN, Level, WedgeShapes, search_by_wedges
from .wedge_table import WedgeTable, back, done, images_of

_FIRST_NODES, _SLICE_NODES, _MOST_ROWS = 1_000, 200_000, 4096
# The number of forms that a thread gets at a time.
_TASK = 32


@dataclass(frozen=True)
class Form:
    """A target, and what is known about its tilings on the lattice.

    Parameters
    ----------
    target
        The target.
    count
        The number of tilings by numbered pieces; a lower bound if not complete.
    canonical_count
        The same, up to the target's symmetries and the exchange of congruent pieces.
    complete
        Whether all tilings have been counted.
    tiling
        One of the tilings; None if no tiling was found.
    reason
        Why there is no tiling, one of `quick_tests.MEANINGS`; None if there is one, or this is not known.
    """

    target: Polygon
    count: int
    canonical_count: int
    complete: bool
    tiling: Tiling | None = None
    reason: str | None = None


def solved_forms(
    form_class: FormClass,
    targets: Sequence[Polygon],
    *,
    decide: bool = False,
    threads: int = 1,
    must_stop: Callable[[], bool] = never,
) -> Iterator[Form]:
    """Tile targets in all ways, with a puzzle's pieces moved by lattice motions.

    Parameters
    ----------
    form_class
        The class of the targets, with the puzzle whose pieces are used.
    targets
        Forms of the class, as `FormClass.candidates` finds them.
    decide
        Whether one tiling of each is enough.
    threads
        The number of threads.
    must_stop
        Is called from time to time; if it returns true, no more forms follow the current ones.

    Yields
    ------
    Form
        Each target in turn, including those that cannot be tiled.

    Examples
    --------
    Two triangles make a parallelogram in two ways: which triangle lies on which side.

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
