"""Estimates for dissections: probes of the search tree, with an optional actual search.

There is no probabilistic model as for edge matching: whether polygons fit depends too much on their shapes.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import factorial, prod, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...csp.base.arrays import distinct
from ...csp.base.errors import UsageError, escaped, grouped, plural
from ...csp.base.notebook import Brief
from ...csp.base.stop import Report, Stop, StoppedError, stoppable
from ...csp.base.tables import data_frame
from ...csp.base.words import about_number
from ...csp.engines.engine import find_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.puzzles.dissection import DissectionPuzzle, Motions
from ...csp.search.tilings.lattice_placements import Rows
from ...csp.search.tilings.on_lattice import TilingProblem, tiling_problem, tree_of
from ..effort.probes import PROBES, Probes, probe_several
from ..ways.times import Way
from .explain import HasWays, time_lines, ways_record, ways_section
from .square_estimates import actual_record, partial_words, probes_record, searching

if TYPE_CHECKING:
    from pandas import DataFrame

# Entries of the largest set of nodes: an eighth of a gigabyte.
_MOST_ENTRIES = 2**24
# The standard errors on either side of a normally distributed number that make a 95 % interval.
_SURE = 1.96


@dataclass(frozen=True, repr=False)
class TilingEffort(Brief):
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
    stop: Stop | None = None,
    *,
    symmetry: bool = True,
) -> TilingEffort:
    """Probe the tree of the search on the lattice (Knuth 1975) with about `nodes` nodes a depth in total.

    The error is that of the mean of 64 independent probes.  The probes are unbiased at every depth, and so is the
    number of tilings: the number of leaves, each weighted by the size of its orbit.  If `stop` asks to stop, the
    result is that of the probes so far.

    Raises StoppedError if there are fewer than two probes then. Raises UsageError if there are too few nodes, or too
    many for the memory, or the puzzle is not on the lattice.
    """
    if puzzle.motions is not Motions.LATTICE:
        raise UsageError("estimates need lattice motions; give lattice", "motions")
    width, most = nodes // PROBES, _MOST_ENTRIES // len(puzzle.pieces)
    if not 1 <= width <= most:
        raise UsageError(f"{nodes} probes: must be from {PROBES} to {PROBES * most}")
    problem = tiling_problem(puzzle, symmetry=symmetry)
    orbits = _orbits(problem)
    forests = [[tree_of(problem)]]
    if len(orbits) > 1:  # leaves have orbits of different sizes, so each size is estimated separately
        forests += [[tree_of(problem, among)] for among in orbits.values()]
    probes, *of_sizes = probe_several(forests, width, PROBES, seed, stop)
    leaves = dict(zip(orbits, of_sizes or [probes], strict=True))
    labellings = prod(factorial(len(members)) for members in puzzle.classes) if symmetry else 1
    tilings = sum(size * labellings * float(of_size.nodes[-1]) for size, of_size in leaves.items())
    variance = sum((size * labellings * float(of_size.errors[-1])) ** 2 for size, of_size in leaves.items())
    return TilingEffort(probes, tilings, sqrt(variance), symmetry)


def _orbits(problem: TilingProblem) -> dict[int, Rows]:
    """The placements of the root by the size of their orbits; those of kinds other than the anchor are in all."""
    placements = problem.placements
    if problem.anchor is None or not (placements.of_kind == problem.anchor).any():
        return {1: np.arange(len(placements))}
    fixed_by = (placements.images == np.arange(len(placements))).sum(axis=0)
    size = len(placements.images) // fixed_by
    anchors = placements.of_kind == problem.anchor
    return {int(number): np.flatnonzero(~anchors | (size == number)) for number in distinct(size[anchors]) if number}


@dataclass(frozen=True, repr=False)
class TilingsEstimate(HasWays):
    """The estimate for a search for tilings."""

    #: The puzzle.
    puzzle: DissectionPuzzle
    #: The results of probes, and of the actual search if requested.
    effort: TilingEffort
    #: The ways to count the tilings, the chosen one first; empty if Ctrl-C ended the estimate.
    ways: tuple[Way, ...] = ()

    @property
    def solutions(self) -> float:
        """The expected number of tilings, by the probes."""
        return self.effort.tilings

    @property
    def solutions_interval(self) -> tuple[float, float]:
        """The 95 % interval of that number."""
        return _around(self.effort.tilings, self.effort.tilings_error)

    @property
    def nodes(self) -> float:
        """The nodes that the search is predicted to visit, by the probes, as in `Result.nodes`."""
        return self.effort.probes.total

    @property
    def nodes_interval(self) -> tuple[float, float]:
        """The 95 % interval of that number."""
        return _around(self.effort.probes.total, self.effort.probes.total_error)

    @property
    def ended_by(self) -> str | None:
        """``"interrupt"`` if Ctrl-C ended the probes or the actual search; None otherwise."""
        actual = self.effort.actual
        searched = actual is not None and actual.ended_by == "interrupt"
        return "interrupt" if self.effort.probes.interrupted or searched else None

    def record(self) -> dict[str, Any]:
        """All numbers for scripts, as ``jigsat estimate --json`` prints them."""
        effort = self.effort
        record: dict[str, Any] = {
            "instance": self.puzzle.name,
            "kind": self.puzzle.kind,
            "tilings": effort.tilings,
            "tilings_error": effort.tilings_error,
            "probes": probes_record(effort.probes),
            "by_depth": self._by_depth(),
        }
        if effort.actual is not None:
            record["actual"] = actual_record(effort.actual)
        return {**record, "ways": ways_record(self.ways)}

    def _by_depth(self) -> list[dict[str, Any]]:
        """The probed and actual numbers for each number of pieces."""
        probes, actual = self.effort.probes, self.effort.actual
        rows: list[dict[str, Any]] = []
        for at in range(len(probes.nodes)):
            row: dict[str, Any] = {
                "depth": at + 1,
                "probed": float(probes.nodes[at]),
                "probed_error": float(probes.errors[at]),
                "probed_trusted": bool(probes.trusted[at]),
            }
            if actual is not None:
                row["actual"] = actual.nodes_by_depth[at]
            rows.append(row)
        return rows

    def summary(self, *, by_depth: bool = False, verbose: bool = False) -> str:
        """The prediction in words, with a line for each depth if `by_depth` is set.

        With `verbose`, also how the probes were made, and the fastest ways to count.
        """
        depths = self._depth_lines() if by_depth else []
        if verbose:
            return "\n".join(self._lines() + depths)
        effort, probes = self.effort, self.effort.probes
        classes = self.puzzle.classes
        alike = len(self.puzzle.symmetries) * prod(factorial(len(members)) for members in classes)
        tilings, error, different = (
            about_number(Fraction(number)) for number in (effort.tilings, effort.tilings_error, effort.tilings / alike)
        )
        words = "tiling is" if different == "1" else "tilings are"
        doubt = "" if probes.trusted_depth == len(probes.nodes) else "; NOT reliable: too few probes came so far"
        lines = [
            f"{escaped(self.puzzle.name)}: about {different} different {words} expected ({tilings} with a standard "
            f"error of {error} if turned tilings and equal pieces count apart){doubt}.",
            *time_lines(self.ways),
            f"  A search visits about {about_number(Fraction(probes.total))} nodes, by {probes.number} probes.",
        ]
        if effort.actual is not None:
            found, nodes = grouped(effort.actual.count or 0), grouped(effort.actual.nodes)
            lines.append(f"  The search has found {found} tilings with {nodes} nodes{partial_words(effort.actual)}.")
        return "\n".join(lines + depths)

    def _lines(self) -> list[str]:
        """All numbers as text."""
        puzzle, effort, probes = self.puzzle, self.effort, self.effort.probes
        how = "with symmetries broken" if effort.symmetry else "without breaking symmetries"
        cut = ", interrupted" if probes.interrupted else ""
        lines = [
            f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {plural(len(puzzle.pieces), 'piece')}, "
            f"motions {puzzle.motions}",
            f"  tilings          {effort.tilings:.4g} expected, standard error {effort.tilings_error:.2g}",
            f"  to search        {probes.total:.4g} nodes {how}, standard error {probes.total_error:.2g}",
            f"  probes           {probes.number} of width {probes.width}{cut}",
        ]
        if probes.trusted_depth < len(probes.nodes):
            deepest = f"depth {probes.trusted_depth} of {len(probes.nodes)}"
            lines.append(f"                   trusted to {deepest}; deeper nodes are too rare to sample")
        if effort.actual is not None:
            lines.append(
                f"  actual           {grouped(effort.actual.count or 0)} tilings, {grouped(effort.actual.nodes)} nodes "
                f"in {effort.actual.seconds:.2f} s{partial_words(effort.actual)}"
            )
        if self.ways:
            lines += ["", "  ways to count, on this machine", *ways_section(self.ways)]
        return lines

    def _depth_lines(self) -> list[str]:
        """A line for each depth."""
        actual = f"  {'actual':>10}" if self.effort.actual else ""
        lines = [f"\n  {'depth':>5}  {'probed':>12}  {'error':>9}{actual}"]
        for row in self._by_depth():
            doubt = " " if row["probed_trusted"] else "?"
            actual = f"  {row['actual']:>10}" if "actual" in row else ""
            lines.append(f"  {row['depth']:>5}  {row['probed']:>11.5g}{doubt}  {row['probed_error']:>9.2g}{actual}")
        return lines

    def _draw(self, axes: Any) -> None:
        from ..effort.figures import draw_comparison

        counted = () if self.effort.actual is None else self.effort.actual.nodes_by_depth
        draw_comparison(axes, self.puzzle.name, None, self.effort.probes, counted)

    def to_pandas(self) -> "DataFrame":
        """The rows by depth as a table of pandas: what the probes and a search have found.

        Raises JigsatError if pandas is not installed.
        """
        return data_frame(self._by_depth())


def _around(number: float, error: float) -> tuple[float, float]:
    """The 95 % interval of a number that is not negative, from its standard error."""
    return max(number - _SURE * error, 0.0), number + _SURE * error


def estimate_tilings(
    puzzle: DissectionPuzzle,
    *,
    symmetry: bool = True,
    probes: int | None = None,
    seed: int = 0,
    actual: bool = False,
    report: Report | None = None,
) -> TilingsEstimate:
    """Estimate a search for tilings; parameters and errors are those of `estimate`.

    Raises KeyboardInterrupt if Ctrl-C comes before there are two probes.
    """
    nodes = PROBES * 256 if probes is None else probes
    with stoppable(report=report) as stop:
        try:
            effort = probed_tilings(puzzle, nodes, seed, stop, symmetry=symmetry)
        except StoppedError:
            raise KeyboardInterrupt from None
    if actual and not effort.probes.interrupted:
        search, options = find_engine("backtrack", kind="dissection"), Options(symmetry=symmetry)
        found = search.run(puzzle, Goal.COUNT, Limits(), options, report=searching(report))
        effort = replace(effort, actual=found)
    return TilingsEstimate(puzzle, effort)
