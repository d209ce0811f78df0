"""Estimates for puzzles of squares: exact expectations in Owen's model, with optional probes, samples and searches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import floor, isinf, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from ...csp.base.errors import JigsatError, ending, escaped, grouped
from ...csp.base.stop import Progress, Report, StoppedError, stoppable
from ...csp.base.tables import data_frame
from ...csp.base.words import about_duration, about_number, significant
from ...csp.engines.engine import find_engine
from ...csp.engines.request import NO_LIMITS, Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import NAMED_ORDERS, Order
from ...csp.puzzles.slips import checked_slips, shown_slips
from ...csp.puzzles.symmetry import symmetries
from ..effort.probes import Probes, probed
from ..effort.search_effort import Effort, estimates, logarithms, named_order, planted
from ..owen.best_order import has_best_order
from ..owen.complexity import Complexity, model_of
from ..ways.region_ways import RegionWays
from ..ways.times import Way
from .explain import HasWays, time_lines, ways_record, ways_section

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..effort.solution_samples import Sample

#: Nodes that are enough to measure the speed of a search, and the fewest.
RATE_NODES, _FEWEST_NODES = 5_000_000, 20_000
# Larger boards would take hours.
_MOST_SQUARES = 4096


class Sampled(NamedTuple):
    """The result of random boards, their order and random seed, and whether Ctrl-C ended them."""

    sample: "Sample"
    order: str
    seed: int
    interrupted: bool

    def record(self) -> dict[str, Any]:
        """All numbers, for scripts."""
        sample = self.sample
        return {
            "estimate": None if sample.estimate is None else significant(sample.estimate),
            "interval": None if sample.interval is None else [significant(end) for end in sample.interval],
            "error": sample.error,
            "exact": sample.exact is not None,
            "populations": len(sample.populations),
            "died_out": sample.died_out,
            "width": sample.width,
            "order": self.order,
            "seed": self.seed,
            "interrupted": self.interrupted,
        }


def probes_record(probes: Probes, fixed: int = 0) -> dict[str, Any]:
    """The results of probes, for scripts; depths count the fixed pieces."""
    return {
        "number": probes.number,
        "width": probes.width,
        "nodes": probes.total,
        "error": probes.total_error,
        "trusted_depth": probes.trusted_depth + fixed,
        "interrupted": probes.interrupted,
    }


def actual_record(actual: Result) -> dict[str, Any]:
    """The result of the search, for scripts."""
    return {
        "complete": actual.complete,
        "ended_by": actual.ended_by,
        "nodes": actual.nodes,
        "count": actual.count,
        "seconds": actual.seconds,
    }


def _prediction_text(model: Complexity, name: str, effort: Effort) -> str:
    """The prediction, as text."""
    puzzle = model.puzzle
    shown = shown_slips(effort.plain.slips, effort.plain.frame_slips).items()
    slips = "".join(f", {name.replace('_', ' ')} {array}" for name, array in shown if array)
    how = "without breaking symmetries" if effort.searched is effort.plain else "with symmetries broken"
    depth, most = effort.plain.peak
    order = effort.plain.order
    region = len(order) < len(puzzle.board)
    which = f", {len(order)} of its squares" if region else ""
    lines = [
        f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {puzzle.rows}x{puzzle.columns}{which}, order {name}{slips}",
        f"  solutions        {significant(effort.plain.solutions)} expected",
        f"  nodes            {significant(effort.plain.nodes)} expected",
        f"  peak             {significant(most, 6)} at depth {depth}",
        f"  to search        {significant(effort.searched.nodes, 6)} nodes {how}",
    ]
    if slips and effort.plain.nodes_for_each is not None:
        lines.insert(3, f"  for each board   {significant(effort.plain.nodes_for_each, 6)} nodes")
    if effort.seconds is not None and effort.rate is not None:
        lines.append(f"  time             {about_duration(effort.seconds)} at {_rate(effort.rate)} nodes a second")
    if not slips and not region:
        lines.append(f"  simple estimate  {significant(model.simple_solutions(), 3)} solutions, joins independent")
    if model.hardest_colors and not region:
        which, has = "inner colours" if puzzle.is_framed else "colours", len(puzzle.inner_sides())
        lines.append(f"  {which:<16} {has}; about {model.hardest_colors:.1f} make a board of this size hardest")
    if effort.probes is not None:
        lines += _probes_lines(puzzle, effort)
    elif effort.interrupted:
        lines.append("  probes           interrupted before the second probe")
    if effort.actual is not None:
        lines.append(_actual_line(effort.actual))
    return "\n".join(lines)


def _actual_line(actual: Result) -> str:
    """The nodes of the search that was run."""
    return f"  actual           {grouped(actual.nodes)} nodes in {actual.seconds:.2f} s{partial_words(actual)}"


def partial_words(actual: Result) -> str:
    """What ended the search before it was complete, at the end of a line; empty if it is."""
    return "" if actual.complete else f"; not all, {ending(actual.ended_by)}"


def _probes_lines(puzzle: EdgeMatchingPuzzle, effort: Effort) -> list[str]:
    """The results of the probes, and the depth down to which they are reliable."""
    probes = effort.probes
    assert probes is not None
    depth = probes.trusted_depth + len(puzzle.fixed)
    deepest = len(effort.plain.order)
    lines = [
        f"  probes           {probes.total:.4g} nodes to search, standard error {probes.total_error:.2g}"
        f" ({probes.number} probes of width {probes.width}{', interrupted' if probes.interrupted else ''})"
    ]
    found, error = float(probes.nodes[-1]), float(probes.errors[-1])
    if depth == deepest and found:
        lines.append(f"                   {found:.5g} solutions, standard error {100 * error / found:.2g} %")
    if depth < deepest:
        lines.append(f"                   trusted to depth {depth} of {deepest}; deeper nodes are too rare to sample")
    if depth < deepest and effort.searched.peak[0] > depth:
        lines.append("                   the total is NOT reliable: most nodes are expected below that depth")
    return lines


def _sampled_lines(sampled: Sampled) -> list[str]:
    """The number of solutions according to random boards, with as many digits as the error allows."""
    sample = sampled.sample
    estimate, error, interval = sample.estimate, sample.error, sample.interval
    cut = ", interrupted" if sampled.interrupted else ""
    made = f"({len(sample.populations)} populations of about {sample.width} boards, order {sampled.order}{cut})"
    if sample.exact is not None:
        return [f"  sampled          {grouped(sample.exact)} solutions exactly: all boards fit into the population"]
    if sampled.interrupted and not sample.populations:
        return ["  sampled          interrupted before the first result"]
    if estimate is None:
        return [
            "  sampled          no solution found, so there is no estimate",
            f"                   {made}",
        ]
    if interval is None or error is None:
        return [
            f"  sampled          roughly {significant(estimate, 1)} solutions; too few populations for an interval",
            f"                   {sample.died_out} died out {made}",
        ]
    digits = max(2, floor(0.5 - log10(max(error, 1e-9))) + 1)
    low, high = (significant(end, digits + 1) for end in interval)
    return [
        f"  sampled          {significant(estimate, digits)} solutions, between {low} and {high} with 95 % confidence",
        f"                   standard error {100 * error:.2g} % {made}",
    ]


def _orders_text(compared: Mapping[str, Effort], rate: float | None) -> str:
    """A line for each order."""
    width = max(map(len, compared))
    lines = [f"\n  {'order':<{width}}  {'expected nodes':<22}  {'peak at':>7}  to search"]
    for name, cost in compared.items():
        time = f", {about_duration(cost.searched.nodes / Fraction(rate))}" if rate else ""
        lines.append(
            f"  {name:<{width}}  {significant(cost.plain.nodes, 16):<22}  {cost.plain.peak[0]:>7}  "
            f"{significant(cost.searched.nodes, 4)} nodes{time}"
        )
    return "\n".join(lines)


def _by_depth(effort: Effort, puzzle: EdgeMatchingPuzzle) -> list[dict[str, object]]:
    """One row for each depth: square, expected nodes, and further known numbers."""
    fixed = len(puzzle.fixed)
    rows: list[dict[str, object]] = []
    for index, square in enumerate(effort.plain.order):
        row: dict[str, object] = {
            "depth": index + 1,
            "square": puzzle.board.name(square),
            "nodes": significant(effort.plain.nodes_by_depth[index]),
            "to_search": significant(effort.searched.nodes_by_depth[index]),
        }
        if effort.probes is not None and index >= fixed:
            at = index - fixed
            row["probed"] = float(effort.probes.nodes[at])
            row["probed_error"] = float(effort.probes.errors[at])
            row["probed_trusted"] = bool(effort.probes.trusted[at])
            row["probed_samples"] = None if isinf(effort.probes.samples[at]) else float(effort.probes.samples[at])
        if effort.actual is not None and index < effort.counted_depths:
            row["actual"] = effort.actual.nodes_by_depth[index]
        rows.append(row)
    return rows


def _depths_text(puzzle: EdgeMatchingPuzzle, effort: Effort) -> str:
    """A line for each depth."""
    columns = ["depth", "square", "expected", "to search"]
    columns += ["probed", "error"] if effort.probes is not None else []
    columns += ["actual", "ratio"] if effort.actual is not None else []
    rows = [columns]
    for row in _by_depth(effort, puzzle):
        cells = [str(row["depth"]), str(row["square"]), _short(row["nodes"]), _short(row["to_search"])]
        if effort.probes is not None:
            doubt = "" if row.get("probed_trusted", True) else "?"
            cells += [f"{row['probed']:.5g}{doubt}", f"{row['probed_error']:.2g}"] if "probed" in row else ["", ""]
        if effort.actual is not None:
            cells += [str(row.get("actual", "")), _ratio(row)]
        rows.append(cells)
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n" + "\n".join(f"  {line}".rstrip() for line in lines)


def _ratio(row: dict[str, object]) -> str:
    """The ratio of actual to expected nodes; the latter may be too large for a float."""
    expected = Fraction(str(row["to_search"]))
    if "actual" not in row or not expected:
        return ""
    ratio = Fraction(str(row["actual"])) / expected
    return f"{float(ratio):.3f}" if ratio < 1000 else f"{float(min(ratio, Fraction(10**300))):.3g}"


def _rate(nodes: float) -> str:
    """Format nodes a second."""
    return f"{nodes / 1e6:.1f} million" if 1e6 <= nodes < 1e9 else f"{nodes:.3g}"


def _short(number: object) -> str:
    """Six digits of a decimal string."""
    digits, _, exponent = str(number).partition("e")
    return f"{float(digits):.5f}e{exponent}"


@dataclass(frozen=True, repr=False)
class SquaresEstimate(HasWays):
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
    def puzzle(self) -> EdgeMatchingPuzzle:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The puzzle."""
        return self.model.puzzle

    @property
    def solutions(self) -> Fraction:
        """The expected number of solutions: by random boards if these were asked for, else exactly as in the model."""
        found = None if self.sampled is None else self.sampled.sample.estimate
        return self.effort.plain.solutions if found is None else found

    @property
    def solutions_interval(self) -> tuple[Fraction, Fraction] | None:
        """The 95 % interval of the number by random boards; None without them, or if there are too few."""
        return None if self.sampled is None else self.sampled.sample.interval

    @property
    def nodes(self) -> Fraction | float:
        """The nodes that the search of the plan is predicted to visit, as in `Result.nodes`: symmetries are broken.

        It is the median of the chosen way; the exact number along the order if that way counts no nodes.
        """
        return self.nodes_along_order if self._nodes is None else self._nodes.at_median

    @property
    def nodes_along_order(self) -> Fraction:
        """The expected nodes of a search that fills the squares along the order, exact; symmetries are broken."""
        return self.effort.searched.nodes

    @property
    def nodes_without_symmetry(self) -> Fraction:
        """The same, without breaking symmetries: all arrangements of numbered pieces, as in the literature."""
        return self.effort.plain.nodes

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
            "by_depth": _by_depth(effort, puzzle),
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

    def summary(self, *, by_depth: bool = False, verbose: bool = False) -> str:
        """The prediction in words, with a line for each depth if `by_depth` is set.

        With `verbose`, all numbers of the model, and the fastest ways to count.
        """
        if verbose:
            lines = [_prediction_text(self.model, self.order_name, self.effort)]
        else:
            lines = [self._expected(), *time_lines(self.ways), self._search()]
            if self.effort.probes is None and self.effort.interrupted:
                lines.append("  The probes were interrupted before the second probe.")
            if self.effort.actual is not None:
                lines.append(_actual_line(self.effort.actual))
        if self.sampled is not None:
            lines += _sampled_lines(self.sampled)[: None if verbose else 1]
        if self.ways and verbose:
            lines += ["", "  ways to count, on this machine", *ways_section(self.ways)]
        if self.compared:
            lines.append(_orders_text(self.compared, self.effort.rate))
        if by_depth:
            lines.append(_depths_text(self.puzzle, self.effort))
        return "\n".join(lines)

    def _expected(self) -> str:
        """The expected number of solutions in a sentence."""
        puzzle, plain = self.puzzle, self.effort.plain
        name, solutions = escaped(puzzle.name), plain.solutions
        if len(plain.order) < len(puzzle.board):
            what = f"ways to fill {len(plain.order)} squares"
            return f"{name}: about {about_number(solutions)} {what} are expected."
        factor = symmetries(puzzle).product
        allowed = " with the slips" if any(shown_slips(plain.slips, plain.frame_slips).values()) else ""
        expected = f"{name}: about {about_number(solutions / factor)} {'different ' * (factor > 1)}solutions{allowed}"
        apart = f" ({about_number(solutions)} if every piece and turn counts apart)" if factor > 1 else ""
        beside = f"; this puzzle was made to have {made}" if (made := planted(puzzle)) else ""
        return f"{expected} are expected of a random set of such pieces{apart}{beside}."

    def _search(self) -> str:
        """The nodes of a search along the order, as probes or else the model predict them, in a sentence."""
        effort, (depth, _) = self.effort, self.effort.plain.peak
        nodes, by = Fraction(effort.searched.nodes), f"most of them near depth {depth}"
        if effort.probes is not None:
            nodes, by = Fraction(effort.probes.total), f"by {effort.probes.number} probes"
            by += ", standard error " + about_number(Fraction(effort.probes.total_error))
            if effort.probes.trusted_depth + len(self.puzzle.fixed) < len(effort.plain.order):
                by += ", NOT reliable at the deepest depths"
        fastest = bool(self.ways) and self.ways[0].how == f"order {self.order_name}"
        if fastest and effort.probes is None:
            return f"  Most of the nodes lie near depth {depth}."
        search = f"A search piece by piece, in the order {self.order_name},"
        return f"  {search} visits about {about_number(nodes)} nodes, {by}."

    def _draw(self, axes: Any) -> None:
        from ..effort.figures import draw_comparison, draw_estimates

        effort, name = self.effort, self.order_name
        if self._is_compared:
            counted = () if effort.actual is None else effort.actual.nodes_by_depth[: effort.counted_depths]
            draw_comparison(axes, f"{self.puzzle.name}, {name}", effort.searched, effort.probes, counted)
        else:
            curves = {other: cost.plain for other, cost in self.compared.items()} or {name: effort.plain}
            draw_estimates(axes, self.model, curves)

    def _draw_beside(self) -> Callable[[Any], None] | None:
        from ..effort.figures import draw_chances

        return None if self._is_compared else lambda axes: draw_chances(axes, self.model)

    @property
    def _is_compared(self) -> bool:
        """Whether there are nodes to compare with the prediction."""
        return self.effort.actual is not None or self.effort.probes is not None

    def to_pandas(self) -> "DataFrame":
        """The rows by depth as a table of pandas: `nodes` with symmetries broken, `nodes_without_symmetry`,
        and what probes and a search have found.

        Raises JigsatError if pandas is not installed.
        """
        numbers = zip(self.effort.searched.nodes_by_depth, self.effort.plain.nodes_by_depth, strict=True)
        rows = zip(_by_depth(self.effort, self.puzzle), numbers, strict=True)
        return data_frame(
            {
                "depth": row.pop("depth"), "square": row.pop("square"), "nodes": searched,
                "nodes_without_symmetry": plain,
                **{name: value for name, value in row.items() if name not in ("nodes", "to_search")},
            }
            for row, (searched, plain) in rows
        )  # fmt: skip


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

    All other parameters, and the errors, are those of `estimate`.
    """
    if len(puzzle.board) > _MOST_SQUARES:
        raise JigsatError(f"a {puzzle.board.text} is too large to estimate; the limit is {_MOST_SQUARES} squares")
    model = model_of(puzzle) or Complexity(puzzle)
    region = None if given.squares is None else RegionWays(puzzle, NO_LIMITS, given)
    if region is None:
        name, order = named_order(puzzle, given.order, given.slips, model)
        effort = estimates(model, order, given.slips, given.frame_slips, symmetry=given.symmetry)
    else:
        name, order = region.best_order()
        effort = region.estimates(order)
    compared = _compared(model, given, {name: order}) if compare_orders else {}
    options = replace(given, order=order, predicted=logarithms(effort.searched), bound=False)
    effort = replace(effort, measure=partial(_measured_rate, puzzle, options, rate))
    if probes is not None:
        with stoppable(report=report) as stop:
            try:
                found = probed(puzzle, options, probes, seed, stop)
                effort = replace(effort, probes=found, interrupted=found is not None and found.interrupted)
            except StoppedError:
                effort = replace(effort, interrupted=True)
    if actual and not effort.interrupted:
        limits, search = Limits(depth=depth_limit), find_engine("backtrack")
        effort = replace(effort, actual=search.run(puzzle, Goal.COUNT, limits, options, report=searching(report)))
    so_far = SquaresEstimate(model, name, effort, compared)
    if sample_solutions is None or so_far.ended_by is not None:
        return so_far
    if given.order is None and has_best_order(model, checked_slips(puzzle, given.slips)):
        # Without a given order, use the one with the fewest nodes.
        name, order = named_order(puzzle, "best", given.slips, model)
    return replace(so_far, sampled=_sampled(model, name, order, sample_solutions, seed, report))


def _measured_rate(puzzle: EdgeMatchingPuzzle, options: Options, given: float | None) -> float | None:
    """The given nodes a second, or those of the backtracker on this puzzle; None if the search is too short."""
    if given is not None:
        return float(given)
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(nodes=RATE_NODES), options)
    searching = result.seconds - result.build_seconds
    return result.nodes / searching if result.nodes >= _FEWEST_NODES and searching > 0 else None


def _compared(model: Complexity, given: Options, known: Mapping[str, Order]) -> dict[str, Effort]:
    """The predictions along all named orders, and the best order if there is one; the cheapest first."""
    best = has_best_order(model, checked_slips(model.puzzle, given.slips))
    names = [*NAMED_ORDERS, *(["best"] if best else [])]
    orders = {n: known.get(n) or named_order(model.puzzle, n, given.slips, model)[1] for n in names}
    costs = {
        name: estimates(model, order, given.slips, given.frame_slips, symmetry=given.symmetry)
        for name, order in orders.items()
    }
    return dict(sorted(costs.items(), key=lambda pair: pair[1].plain.nodes))


def _sampled(model: Complexity, name: str, order: Order, seconds: float, seed: int, report: Report | None) -> Sampled:
    """Sample random boards along an order for `seconds` seconds, or until Ctrl-C."""
    from ..effort.solution_samples import Sampler

    with stoppable(report=report) as stop:
        sample = Sampler(model.puzzle, order, model).sample_for(seconds, seed, stop)
        return Sampled(sample, name, seed, stop.interrupted)


def searching(report: Report | None) -> Report | None:
    """Wrap a report so that its notes show the nodes and the count of the actual search."""
    if report is None:
        return None

    def tell(progress: Progress) -> None:
        note = f"{progress.nodes:.3g} nodes, count {grouped(progress.solutions)}"
        report(replace(progress, note=progress.note or note))

    return tell
