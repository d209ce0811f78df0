"""The convex forms that the pieces of a dissection can tile, and the number of ways."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base.stopping import never
from ..geometry.polygons import Polygon
from ..puzzles.check_tiling import TilingChecker
from ..puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..search.tilings.lattice_placements import find_placements
from .integer_layout import in_units

_SLICE_NODES = 5_000
_MOST_ROWS = 4096


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
    """

    target: Polygon
    count: int
    canonical_count: int
    complete: bool
    tiling: Tiling | None = None


def solved_forms(
    puzzle: DissectionPuzzle, targets: Iterable[Polygon], *, decide: bool = False, must_stop: Callable[[], bool] = never
) -> Iterator[Form]:
    """Tile targets in all ways, with a puzzle's pieces moved by lattice motions.

    Parameters
    ----------
    puzzle
        The puzzle whose pieces are used, and whose lattice.
    targets
        Convex polygons of the right area with vertices on the lattice, as `FormClass.candidates` finds them.
    decide
        Whether one tiling of each is enough.
    must_stop
        Is called from time to time; if it returns true, no more forms follow the current one.

    Yields
    ------
    Form
        Each target in turn, including those that cannot be tiled.

    Examples
    --------
    Two triangles make a parallelogram in two ways: which triangle lies on which side.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> puzzle = DissectionPuzzle(square, (triangle, triangle))
    >>> [form] = solved_forms(puzzle, [((0, 0), (1, 0), (2, 1), (1, 1))])
    >>> form.count, form.canonical_count, form.complete
    (2, 1, True)
    """
    # In units of the lattice, so that the lattice does not change for targets that fit a coarser one.
    pieces = tuple(puzzle.in_lattice_units(piece) for piece in puzzle.pieces)
    for target in targets:
        if must_stop():
            return
        outline = puzzle.in_lattice_units(target)
        units = DissectionPuzzle(outline, pieces, Motions.LATTICE, puzzle.name, no_flip=puzzle.no_flip)
        form = _solved(units, most=1 if decide else None, must_stop=must_stop)
        tiling = None if form.tiling is None else tuple(in_units(polygon, puzzle.scale) for polygon in form.tiling)
        yield replace(form, target=target, tiling=tiling)


def _solved(puzzle: DissectionPuzzle, *, most: int | None, must_stop: Callable[[], bool]) -> Form:
    """The form that is the puzzle's target; counting ends when there are at least `most` tilings."""
    from ..engines.tallies.tiling_tally import TilingTally
    from ..engines.tiling_run import certain_tiling
    from ..search.codes import EXHAUSTED
    from ..search.tilings.lattice_tables import exact_cover
    from ..search.tilings.lattice_walk import LatticeWalk
    from ..search.tilings.rim_test import rim_is_refuted

    placements = find_placements(puzzle)
    if len(np.unique(placements.of_kind)) < len(placements.kinds) or rim_is_refuted(placements):
        return Form(puzzle.target, 0, 0, complete=True)
    walk = LatticeWalk(exact_cover(placements))
    tally = TilingTally(puzzle, walk.kinds, walk.anchor, walk.images, walk.looks)
    walk.make_room(_MOST_ROWS if most is None else 1)
    tiling = None
    exhausted = False
    while not (exhausted or (most is not None and tally.count >= most) or must_stop()):
        exhausted = walk.advance(_SLICE_NODES) == EXHAUSTED
        rows = walk.solutions()
        tally.add(rows)
        if tiling is None and len(rows):
            tiling = certain_tiling(TilingChecker(puzzle), tally, walk.polygon, rows[0])
    return Form(puzzle.target, tally.count, tally.canonical_count, exhausted, tiling)
