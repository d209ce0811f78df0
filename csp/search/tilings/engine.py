"""The engine `backtrack` for dissections: depth-first search, on the lattice or with arbitrary motions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from ...base.stop import Report, Stop, StoppedError, enforced
from ...engines.engine import Search, TilingEngine
from ...engines.request import Goal, Limits, Options, some_options
from ...engines.tallies import Rows, TilingTally
from ...engines.tiling_run import TilingRun
from ...geometry.polygons import Polygon
from ...puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ..shared_tree import Divisible, NodeBudget, SharedTrees

_MOST_ROWS = 4096


class TilingWalk(Divisible, Protocol):
    """A search that meets every tiling once, and is advanced in slices.

    Attributes:
    - `kinds`, `anchor`: the pieces by kind, and the kind that breaks the target's symmetries; see
      `tallies.TilingTally`.
    - `first_over`: from this number on, placements are those of pieces that are left over; None without such pieces.
    """

    kinds: tuple[tuple[int, ...], ...]
    anchor: int | None
    first_over: int | None
    method: str

    @property
    def statistics(self) -> dict[str, int]: ...

    def twin(self) -> "TilingWalk":
        """Another walk through the same tree, from its root, with the same numbers of placements."""
        ...

    def solutions(self) -> Rows: ...

    def polygon(self, placement: int) -> Polygon: ...

    def images(self, placements: Rows) -> Rows: ...

    def looks(self, placements: Rows) -> Rows: ...

    def done(self, place: Any = None) -> float: ...


def walk_of(puzzle: DissectionPuzzle, *, symmetry: bool = True) -> TilingWalk:
    """The search for a puzzle's tilings with the motions that it allows.

    Without `symmetry`, congruent pieces are distinguished and the target's symmetries are not broken.

    Raises EngineError if the puzzle is too large for the search.
    """
    if puzzle.motions is Motions.LATTICE:
        from .on_lattice import walk_on_lattice

        return walk_on_lattice(puzzle, symmetry=symmetry)
    from .any_angle import GeometricWalk

    return GeometricWalk(puzzle, by_class=symmetry, break_symmetry=symmetry)


class Tiler(TilingEngine):
    """Depth-first search that next covers what the fewest placements can cover.

    On the lattice this is a wedge of the exact cover problem (Knuth 2000, on bits); with arbitrary motions, a corner of
    the uncovered region.  Without symmetry breaking every tiling by numbered pieces is a separate solution; with it,
    `all` yields one of each orbit.
    """

    name = "backtrack"
    kinds = frozenset({"dissection"})
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    takes = some_options("threads")
    native = counts_nodes = waits = True

    def prepared(
        self, puzzle: DissectionPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Tiling]:
        return _WalkedTilings(self.name, puzzle, goal, limits, options, stop)


class _WalkedTilings(TilingRun):
    """A run with a walk."""

    def steps(self, report: Report | None) -> Iterator[Tiling]:
        if self.must_stop():
            return
        try:
            with enforced(self.stop, "preparing"):
                walk = walk_of(self.puzzle, symmetry=self.options.symmetry)
                walk.advance(0)  # compiles
                twins = [walk.twin() for _ in range(1, self.options.threads)]
        except StoppedError:
            self.must_stop()
            return
        self.method = walk.method
        first_over = walk.first_over if self.puzzle.spare else None
        tally = TilingTally(self.puzzle, walk.kinds, walk.anchor, walk.images, walk.looks, first_over)
        self.counts_with(tally, walk.polygon)
        walks, unused = [walk, *twins], [walk, *twins]
        key = [self.engine_name, self.method, str(self.puzzle.motions), self.options.symmetry]
        before = None if self.options.earlier is None else self.options.earlier.continue_from(*key)
        place = None
        trees = SharedTrees(
            1,
            lambda _: unused.pop(0),
            lambda walk, place: walk.done(place),
            lambda walk: walk.solutions(),
            threads=self.options.threads,
            budget=NodeBudget(self.limits.nodes),
            most_rows=1 if self.goal is Goal.SOLVE else _MOST_ROWS,
            rest=None if before is None else [(tree, at) for tree, at in before["rest"]],
        )
        nodes = np.zeros_like(walk.nodes)
        if before is not None:
            nodes += np.array(before["nodes"], dtype=nodes.dtype)
            self.earlier_nodes = int(nodes.sum())
            self.begin_with(before["found"])
        self.nodes = tuple(nodes.tolist())
        for made in trees.slices(self.must_stop):
            nodes += made.nodes
            self.nodes = tuple(nodes.tolist())
            if len(made.found) and not self.has_enough:
                yield from self.take(made.found)
            if made.rest is not None and not self.has_enough:
                place = {"of": key, "rest": made.rest, "found": self.state, "nodes": self.nodes}
            if report is not None and not made.exhausted:
                # One of the next slices says where the search is.
                trees.ask_for_rest()
                report(replace(self.progress(trees.done), place=place))
                place = None
        if trees.spent:
            self.ended_by = "nodes"
        told = [walk.statistics for walk in walks]
        self.statistics = {name: sum(of_walk[name] for of_walk in told) for name in told[0]} or None
        # The last solutions may have completed the wanted number.
        self.exhausted = trees.exhausted and (self.goal is Goal.COUNT or not self.has_enough)
        if self.ended_by is None:
            self.must_stop()
