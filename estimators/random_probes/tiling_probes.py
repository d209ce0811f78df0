"""Estimate the number of tilings of a dissection and the cost of a search, by Knuth's probes of the search tree.

There is no probabilistic model as for edge matching: whether polygons fit depends too much on their shapes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, prod, sqrt

import numpy as np

from ...csp.base.errors import UsageError
from ...csp.base.stop import never
from ...csp.engines.result import Result
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.search.tilings.lattice import LatticeProblem, LatticeTree, lattice_problem
from ...csp.search.tilings.lattice_placements import Rows
from .tree_probes import Probes, probe_several

#: The number of probes of `probed_tilings`.
PROBES = 64
# Entries of the largest set of nodes: an eighth of a gigabyte.
_MOST_ENTRIES = 2**24


@dataclass(frozen=True)
class TilingEffort:
    """The results of probes of a search for tilings."""

    #: The nodes of the search tree by depth, with their errors.
    probes: Probes
    #: The number of tilings with numbered pieces, and its standard error.
    tilings: float
    tilings_error: float
    #: Whether the search breaks symmetries.
    symmetry: bool
    #: The result of the search.
    actual: Result | None = None


def probed_tilings(
    puzzle: DissectionPuzzle,
    nodes: int = PROBES * 256,
    seed: int = 0,
    *,
    symmetry: bool = True,
    report: Callable[[int], None] | None = None,
    must_stop: Callable[[], bool] = never,
) -> TilingEffort:
    """Probe the tree of the search on the lattice (Knuth 1975) with about `nodes` nodes a depth in total.

    The error is that of the mean of 64 independent probes.  The probes are unbiased at every depth, and so is the
    number of tilings: the number of leaves, each weighted by the size of its orbit.  If `must_stop` asks to stop, the
    result is that of the probes so far.

    Raises StoppedError if there are fewer than two probes then. Raises UsageError if there are too few nodes, or too
    many for the memory, or the puzzle is not on the lattice.
    """
    if puzzle.motions is not Motions.LATTICE:
        raise UsageError("estimates need lattice motions; give lattice", "motions")
    width, most = nodes // PROBES, _MOST_ENTRIES // len(puzzle.pieces)
    if not 1 <= width <= most:
        raise UsageError(f"{nodes} probes: must be from {PROBES} to {PROBES * most}")
    problem = lattice_problem(puzzle, by_class=symmetry, break_symmetry=symmetry)
    orbits = _orbits(problem)
    forests = [[LatticeTree(problem)]]
    if len(orbits) > 1:  # leaves have orbits of different sizes, so each size is estimated separately
        forests += [[LatticeTree(problem, among)] for among in orbits.values()]
    probes, *of_sizes = probe_several(forests, width, PROBES, seed, report, must_stop)
    leaves = dict(zip(orbits, of_sizes or [probes], strict=True))
    labellings = prod(factorial(len(members)) for members in problem.placements.kinds)
    tilings = sum(size * labellings * float(of_size.nodes[-1]) for size, of_size in leaves.items())
    variance = sum((size * labellings * float(of_size.errors[-1])) ** 2 for size, of_size in leaves.items())
    return TilingEffort(probes, tilings, sqrt(variance), symmetry)


def _orbits(problem: LatticeProblem) -> dict[int, Rows]:
    """The placements of the root by the size of their orbits; those of kinds other than the anchor are in all."""
    placements = problem.placements
    if problem.anchor is None or not (placements.of_kind == problem.anchor).any():
        return {1: np.arange(len(placements))}
    fixed_by = (placements.images == np.arange(len(placements))).sum(axis=0)
    size = len(placements.images) // fixed_by
    anchors = placements.of_kind == problem.anchor
    return {int(number): np.flatnonzero(~anchors | (size == number)) for number in np.unique(size[anchors]) if number}
