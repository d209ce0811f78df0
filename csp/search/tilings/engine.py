"""The engine `backtrack` for dissections: depth-first search, on the lattice or with arbitrary motions."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.stopping import Report, Stop, StoppedError
from ...engines.engine import Search, TilingEngine
from ...engines.request import Goal, Limits, Options
from ...engines.tallies.tiling_tally import Rows, TilingTally
from ...engines.tiling_run import TilingRun
from ...geometry.polygons import Polygon
from ...puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..codes import EXHAUSTED
from ..slices import Advanced, advance_slice

_MOST_ROWS = 4096


class TilingWalk(Advanced, Protocol):
    """A search that meets every tiling once, as it is driven: in slices of at most so many nodes.

    Attributes
    ----------
    kinds, anchor
        The pieces by kind, and the kind that breaks the target's symmetries; see `tilings.TilingTally`.
    nodes
        Pieces placed, by the number of pieces that lie.
    """

    kinds: tuple[tuple[int, ...], ...]
    anchor: int | None
    nodes: NDArray[np.int64]
    method: str

    @property
    def statistics(self) -> dict[str, int]: ...

    def make_room(self, solutions: int) -> None: ...

    def solutions(self) -> Rows: ...

    def polygon(self, placement: int) -> Polygon: ...

    def images(self, placements: Rows) -> Rows: ...

    def looks(self, placements: Rows) -> Rows: ...

    def done(self) -> float: ...


def walk_of(puzzle: DissectionPuzzle, *, symmetry: bool = True) -> TilingWalk:
    """The search for a puzzle's tilings with the motions that it allows.

    Without `symmetry`, congruent pieces are told apart and the target's symmetries are not broken.

    Raises
    ------
    EngineError
        If the puzzle is beyond the search.
    """
    if puzzle.motions is Motions.LATTICE:
        from .lattice_tables import lattice_problem
        from .lattice_walk import LatticeWalk

        return LatticeWalk(lattice_problem(puzzle, by_class=symmetry, break_symmetry=symmetry))
    from .any_angle.walk import GeometricWalk

    return GeometricWalk(puzzle, by_class=symmetry, break_symmetry=symmetry)


class Tiler(TilingEngine):
    """Depth-first search that covers next what the fewest placements can cover.

    On the lattice that is a wedge of the exact cover problem (Knuth 2000, on bits); with arbitrary motions a corner of
    what is still uncovered.  Without symmetry breaking every tiling by numbered pieces is a solution of its own; with
    it, `all` yields one of each orbit.
    """

    name = "backtrack"
    kinds = frozenset({"dissection"})
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    native = counts_nodes = True

    def prepared(
        self, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Tiling]:
        return _WalkedTilings(self.name, puzzle, goal, limits, options, stop)


class _WalkedTilings(TilingRun):
    """A run that is a walk."""

    def steps(self, report: Report | None) -> Iterator[Tiling]:
        if self.must_stop():
            return
        try:
            with self.stop.enforced("preparing"):
                walk = walk_of(self.puzzle, symmetry=self.options.symmetry)
                walk.advance(0)  # compiles
        except StoppedError:
            self.must_stop()
            return
        self.method = walk.method
        self.counts_with(TilingTally(self.puzzle, walk.kinds, walk.anchor, walk.images, walk.looks), walk.polygon)
        room = 1
        while not self.must_stop():
            room = min(4 * room, _MOST_ROWS)
            walk.make_room(1 if self.goal is Goal.SOLVE else room)
            code = advance_slice(walk, self.nodes_left)
            self.nodes = tuple(walk.nodes.tolist())
            self.statistics = walk.statistics or None
            yield from self.take(walk.solutions())
            if code == EXHAUSTED:
                # What was found last may have been as many solutions as were wanted.
                self.exhausted = self.goal is Goal.COUNT or not self.has_enough
                return
            if report is not None:
                report(self.progress(walk.done()))
