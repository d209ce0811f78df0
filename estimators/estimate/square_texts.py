"""Estimates for puzzles of squares as text."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor, log10

from ...csp.base.safe_files import escaped
from ...csp.base.words import ending, grouped
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import shown_slips
from ..effort.durations import about_duration
from ..effort.search_effort import Effort, by_depth
from ..owen.complexity import Complexity
from ..owen.rounding import significant
from ..owen.rules_of_thumb import hardest_inner_colors
from .estimate_records import Sampled


def prediction_text(model: Complexity, name: str, effort: Effort) -> str:
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
    hardest = hardest_inner_colors(puzzle.rows, puzzle.columns)
    if hardest and not region:
        has = len(puzzle.inner_sides())
        lines.append(f"  inner colours    {has}; about {hardest:.1f} make a board of this size hardest")
    if effort.probes is not None:
        lines += _probes_lines(puzzle, effort)
    elif effort.interrupted:
        lines.append("  probes           interrupted before the second probe")
    if effort.actual is not None:
        partial = "" if effort.actual.complete else f"; not all, {ending(effort.actual.ended_by)}"
        lines.append(
            f"  actual           {grouped(effort.actual.nodes)} nodes in {effort.actual.seconds:.2f} s{partial}"
        )
    return "\n".join(lines)


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


def sampled_lines(sampled: Sampled) -> list[str]:
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


def orders_text(compared: Mapping[str, Effort], rate: float | None) -> str:
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


def depths_text(puzzle: EdgeMatchingPuzzle, effort: Effort) -> str:
    """A line for each depth."""
    columns = ["depth", "square", "expected", "to search"]
    columns += ["probed", "error"] if effort.probes is not None else []
    columns += ["actual", "ratio"] if effort.actual is not None else []
    rows = [columns]
    for row in by_depth(effort, puzzle):
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
