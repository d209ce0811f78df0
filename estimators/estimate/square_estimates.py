"""Estimates for puzzles of squares: exact expectations in Owen's model, with optional probes, samples and searches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from ...csp.base.stopping import Progress, Report, StoppedError, stoppable
from ...csp.base.words import grouped
from ...csp.engines.registry import find_engine
from ...csp.engines.request import NO_LIMITS, Goal, Limits, Options
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order
from ...csp.puzzles.slips import shown_slips
from ..effort.asked import named_order
from ..effort.search_effort import (
    PROBES,
    Effort,
    by_depth,
    estimates,
    logarithms,
    measured_rate,
    probed,
    refuse_too_large,
)
from ..owen.best_order import MOST_SQUARES
from ..owen.complexity import Complexity
from ..owen.rounding import significant
from ..plan.explain import ways_record, ways_section
from ..ways.region_ways import RegionWays
from ..ways.way import Way
from .estimate_records import Sampled, actual_record, probes_record
from .square_texts import depths_text, orders_text, prediction_text, sampled_lines


@dataclass(frozen=True)
class SquaresEstimate:
    """The estimate for a search on a board of squares."""

    #: Owen's model of the puzzle.
    model: Complexity
    #: The name of the search order.
    order_name: str
    #: The prediction along that order, with probes and an actual search if requested.
    effort: Effort
    #: The predictions along other orders, the cheapest first; empty unless requested.
    compared: Mapping[str, Effort] = field(default_factory=dict)
    #: The number of solutions according to random boards; None unless requested.
    sampled: Sampled | None = None
    #: The ways to count the solutions, the chosen one first; empty if Ctrl-C ended the estimate.
    ways: tuple[Way, ...] = ()

    @property
    def puzzle(self) -> EdgeMatchingPuzzle:
        """The puzzle."""
        return self.model.puzzle

    @property
    def ended_by(self) -> str | None:
        """``"interrupt"`` if Ctrl-C ended the probes, the actual search or the random boards; None otherwise."""
        actual = self.effort.actual is not None and self.effort.actual.ended_by == "interrupt"
        sampled = self.sampled is not None and self.sampled.interrupted
        return "interrupt" if self.effort.interrupted or actual or sampled else None

    def record(self) -> dict[str, Any]:
        """All numbers for scripts, as ``jigsat estimate --json`` prints them; exact ones as strings of 20 digits."""
        puzzle, effort = self.puzzle, self.effort
        depth, most = effort.plain.peak
        record: dict[str, Any] = {
            "instance": puzzle.name,
            "kind": puzzle.kind,
            "order": self.order_name,
            "squares": [puzzle.board.name(square) for square in effort.plain.order],
            **shown_slips(effort.plain.slips, effort.plain.frame_slips),
            "solutions": significant(effort.plain.solutions),
            "nodes": significant(effort.plain.nodes),
            "nodes_for_each": None if effort.plain.nodes_for_each is None else significant(effort.plain.nodes_for_each),
            "simple_solutions": significant(self.model.simple_solutions()),
            "peak": {"depth": depth, "nodes": significant(most)},
            "to_search": significant(effort.searched.nodes),
            "nodes_per_second": effort.rate,
            "seconds": None if effort.seconds is None else significant(effort.seconds, 4),
            "by_depth": by_depth(effort, puzzle),
        }
        if effort.probes is not None:
            record["probes"] = probes_record(effort.probes, len(puzzle.fixed))
        if effort.actual is not None:
            record["actual"] = actual_record(effort.actual)
        if self.compared:
            record["orders"] = {other: significant(cost.plain.nodes) for other, cost in self.compared.items()}
        if self.sampled is not None:
            record["sampled"] = self.sampled.record()
        return {**record, "ways": ways_record(self.ways)}

    def summary(self, *, by_depth: bool = False) -> str:
        """The prediction as text, with a line for each depth if `by_depth` is set."""
        lines = [prediction_text(self.model, self.order_name, self.effort)]
        if self.sampled is not None:
            lines += sampled_lines(self.sampled)
        if self.ways:
            lines += ways_section(self.ways, Goal.COUNT)
        if self.compared:
            lines.append(orders_text(self.compared, self.effort.rate))
        if by_depth:
            lines.append(depths_text(self.puzzle, self.effort))
        return "\n".join(lines)

    def plot(self, path: str | Path) -> None:
        """Plot the nodes by depth: those of the compared orders, or predicted and actual ones.

        Parameters
        ----------
        path : str or Path
            The file, which ends in ``.pdf``, ``.png`` or ``.svg``.

        Raises JigsatError if matplotlib is missing, or the file cannot be written or has an unknown ending.
        """
        from ..effort.plots import draw_comparison, draw_estimates

        effort, name = self.effort, self.order_name
        if effort.actual is not None or effort.probes is not None:
            draw_comparison(effort, f"{self.puzzle.name}, {name}", Path(path))
        else:
            curves = {other: cost.plain for other, cost in self.compared.items()} or {name: effort.plain}
            draw_estimates(self.model, curves, Path(path))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"


def estimate_squares(
    puzzle: EdgeMatchingPuzzle,
    given: Options,
    *,
    compare_orders: bool = False,
    probes: int | None = None,
    sample_solutions: float | None = None,
    seed: int = 0,
    actual: bool = False,
    depth_limit: int | None = None,
    rate: float | None = None,
    report: Report | None = None,
) -> SquaresEstimate:
    """Estimate a search on a board of squares with the order, slips and symmetry of `given`.

    All other parameters, and the errors, are those of `estimate.estimate`.
    """
    refuse_too_large(puzzle)
    model = Complexity(puzzle)
    region = None if given.squares is None else RegionWays(puzzle, NO_LIMITS, given)
    if region is None:
        name, order = named_order(puzzle, given.order, given.slips, model)
        effort = estimates(model, order, given.slips, given.frame_slips, symmetry=given.symmetry)
    else:
        name, order = region.best_order()
        effort = region.estimates(order)
    compared = _compared(model, given, {name: order}) if compare_orders else {}
    options = replace(given, order=order, predicted=logarithms(effort.searched), bound=False)
    effort = replace(effort, rate=measured_rate(puzzle, options) if rate is None else float(rate))
    if probes is not None:
        effort = _with_probes(effort, puzzle, options, probes, seed, report)
    if actual and not effort.interrupted:
        limits, search = Limits(depth=depth_limit), find_engine("backtrack")
        effort = replace(effort, actual=search.run(puzzle, Goal.COUNT, limits, options, report=searching(report)))
    so_far = SquaresEstimate(model, name, effort, compared)
    if sample_solutions is None or so_far.ended_by is not None:
        return so_far
    if given.order is None and len(puzzle.board) <= MOST_SQUARES:
        # Without a given order, use the one with the fewest nodes.
        name, order = named_order(puzzle, "best", given.slips, model)
    return replace(so_far, sampled=_sampled(model, name, order, sample_solutions, seed, report))


def _with_probes(
    effort: Effort, puzzle: EdgeMatchingPuzzle, options: Options, probes: int, seed: int, report: Report | None
) -> Effort:
    """Probe with about `probes` nodes a depth, or until Ctrl-C."""
    with stoppable(report=report) as stop:

        def tell(done: int) -> None:
            stop.tell(f"{done} of {PROBES} probes", done / PROBES)

        try:
            found = probed(puzzle, options, probes, seed, tell, stop)
        except StoppedError:
            return replace(effort, interrupted=True)
        return replace(effort, probes=found, interrupted=found is not None and found.interrupted)


def _compared(model: Complexity, given: Options, known: Mapping[str, Order]) -> dict[str, Effort]:
    """The predictions along all named orders, and the best order unless the board is too large; the cheapest first."""
    names = [*NAMED_ORDERS, *(["best"] if len(model.puzzle.board) <= MOST_SQUARES else [])]
    orders = {n: known.get(n) or named_order(model.puzzle, n, given.slips, model)[1] for n in names}
    costs = {
        name: estimates(model, order, given.slips, given.frame_slips, symmetry=given.symmetry)
        for name, order in orders.items()
    }
    return dict(sorted(costs.items(), key=lambda pair: pair[1].plain.nodes))


def _sampled(model: Complexity, name: str, order: Order, seconds: float, seed: int, report: Report | None) -> Sampled:
    """Sample random boards along an order for `seconds` seconds, or until Ctrl-C."""
    from ..random_probes.solution_samples import Sampler

    with stoppable(report=report) as stop:

        def tell(done: int, number: int) -> None:
            stop.tell(f"{done} of {number} populations", done / number)

        sample = Sampler(model.puzzle, order, model).sample_for(seconds, seed, tell, stop)
        return Sampled(sample, name, seed, stop.interrupted)


def searching(report: Report | None) -> Report | None:
    """Wrap a report so that its notes show the nodes and the count of the actual search."""
    if report is None:
        return None

    def tell(progress: Progress) -> None:
        note = f"{progress.nodes:.3g} nodes, count {grouped(progress.solutions)}"
        report(replace(progress, note=progress.note or note))

    return tell
