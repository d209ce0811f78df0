"""The engine `backtrack` for dissections: depth-first search, on the lattice or with arbitrary motions."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...engines.engine import pursue
from ...engines.refusals import refuse_options
from ...engines.request import DEFAULTS, NO_LIMITS, Goal, Limits, Options
from ...engines.result import Report, Result
from ...engines.tiling_run import LACKS, TilingRun
from ...engines.tiling_tally import Rows, TilingTally
from ...geometry.polygons import Polygon
from ...puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..ordered.kernels import EXHAUSTED, ROWS_FULL

_SLICE_SECONDS = 0.1
_MOST_ROWS = 4096


class TilingWalk(Protocol):
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
    slice_nodes: int
    method: str

    @property
    def statistics(self) -> dict[str, int]: ...

    def make_room(self, solutions: int) -> None: ...

    def advance(self, budget: int) -> int: ...

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


class Tiler:
    """Depth-first search that covers next what the fewest placements can cover.

    On the lattice that is a wedge of the exact cover problem (Knuth 2000, on bits); with arbitrary motions a corner of
    what is still uncovered.
    """

    name = "backtrack"
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    lacks = (*LACKS, "encoding", "proof", "seed")

    def run(
        self,
        puzzle: DissectionPuzzle,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Options = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[Tiling], None] | None = None,
    ) -> Result:
        """Search until the goal or a limit is reached, or Ctrl-C is pressed.

        Without symmetry breaking every tiling by numbered pieces is a solution of its own; with it, `all` yields one
        of each orbit.

        Raises
        ------
        EngineError
            If a limit or an option is given that the engine does not have, or the puzzle is beyond the search.
        """
        return pursue(_Search(puzzle, goal, limits, options), report, consume)

    def solutions(
        self, puzzle: DissectionPuzzle, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[Tiling]:
        """Yield the tilings one by one; the search goes on only when the next one is asked for."""
        yield from _Search(puzzle, Goal.ALL, limits, options).steps(None, threading.Event())


class _Search:
    def __init__(self, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options) -> None:
        if options.threads != 1:
            raise EngineError(f"threads {options.threads}: the engine {Tiler.name} runs on one thread")
        refuse_options(Tiler.name, options, *Tiler.lacks)
        self._run = TilingRun(Tiler.name, puzzle, goal, limits, options)

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[Tiling]:
        run = self._run
        if run.must_stop(interrupted):
            return
        walk = walk_of(run.puzzle, symmetry=run.options.symmetry)
        walk.advance(0)  # compiles
        run.method = walk.method
        run.counts_with(TilingTally(run.puzzle, walk.kinds, walk.anchor, walk.images, walk.looks), walk.polygon)
        room = 1
        while not run.must_stop(interrupted):
            room = min(4 * room, _MOST_ROWS)
            walk.make_room(1 if run.goal is Goal.SOLVE else room)
            code = _advance(walk, run.nodes_left)
            run.nodes = tuple(walk.nodes.tolist())
            run.statistics = walk.statistics or None
            yield from run.take(walk.solutions())
            if code == EXHAUSTED:
                # What was found last may have been as many solutions as were wanted.
                run.exhausted = not run.must_stop(threading.Event()) or run.goal is Goal.COUNT
                return
            if report is not None:
                report(run.progress(walk.done()))

    def result(self, kept: tuple[Tiling, ...]) -> Result:
        return self._run.result(kept)


def _advance(walk: TilingWalk, most: int) -> int:
    """One slice of a walk, neither too short nor too long; the kernel's code."""
    started = time.perf_counter()
    code = walk.advance(min(walk.slice_nodes, most))
    if code != ROWS_FULL:
        seconds = max(time.perf_counter() - started, 1e-6)
        walk.slice_nodes = int(walk.slice_nodes * min(max(_SLICE_SECONDS / seconds, 0.25), 4)) + 1
    return code
