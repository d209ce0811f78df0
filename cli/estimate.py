"""`jigsat estimate`: what a search will find and cost, before it runs."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..csp.base.errors import EngineError
from ..csp.base.quantities import grouped
from ..csp.base.safe_files import escaped
from ..csp.base.stopping import interrupts_noted
from ..csp.engines.request import Limits, Options
from ..csp.files.instances import read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.orders import NAMED_ORDERS, Order
from ..csp.puzzles.slips import format_slips
from ..estimators.owen.complexity import Complexity
from ..estimators.owen.rounding import significant
from ..estimators.owen.rules_of_thumb import hardest_inner_colors
from ..estimators.plan.durations import about_duration
from .parts.dissections.commands import refuse_motions, refuse_options, with_motions
from .parts.dissections.estimate import estimate_tilings
from .parts.options import ORDER_HELP, SLIPS_HELP, add_instance, add_json, add_motions, seconds, whole
from .parts.planning import order_of
from .parts.progress import bar_on_stderr, counted
from .parts.wording import actual_record, ending, print_json, probes_record

if TYPE_CHECKING:
    from ..estimators.plan.effort import Effort
    from ..estimators.random_probes.solution_samples import Sample


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Predict the number of solutions and what a search will cost: exactly in Owen's model, and with "
        "--probes from random parts of the real search tree.  For a dissection there is no model, so there are always "
        "probes (N is 16384 if left out)."
    )
    add_instance(parser)
    parser.add_argument("--order", metavar="O", help=ORDER_HELP)
    parser.add_argument("--slips", metavar="S", help=SLIPS_HELP)
    parser.add_argument("--no-symmetry", action="store_true", help="predict the search that breaks no symmetry")
    add_motions(parser)
    parser.add_argument("--by-depth", action="store_true", help="print a line for each depth")
    parser.add_argument("--compare-orders", action="store_true", help="compare all named orders, and the best one")
    parser.add_argument(
        "--probes", type=whole, metavar="N", help="follow about N random nodes down the real tree (4e6: a minute)"
    )
    parser.add_argument(
        "--sample-solutions",
        type=seconds,
        nargs="?",
        const=60.0,
        metavar="SECONDS",
        help="estimate the number of solutions from random boards, with a 95 %% interval (a minute, if left out; the "
        "instance comes before it: jigsat estimate clue2 --sample-solutions)",
    )
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="seed of the probes and the random boards (default: 0)"
    )
    parser.add_argument("--actual", action="store_true", help="run the search, too, and set what it found beside it")
    parser.add_argument("--depth-limit", type=whole, metavar="N", help="with --actual: fill only the first N squares")
    parser.add_argument("--rate", type=whole, metavar="N", help="nodes a second, instead of measuring them")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the nodes by depth: of the orders compared, or with --actual or --probes "
        "what was predicted and what was found",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if isinstance(puzzle, DissectionPuzzle):
        others = "compare_orders", "rate", "plot", "sample_solutions"
        refuse_options(puzzle, arguments, "order", "slips", "depth_limit", *others)
        return estimate_tilings(arguments, with_motions(puzzle, arguments.motions))
    refuse_motions(puzzle, arguments)
    return _estimate_squares(arguments, puzzle)


def _estimate_squares(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle) -> int:
    from ..estimators.plan.effort import refuse_too_large

    _refuse_what_is_wrong(arguments)
    refuse_too_large(puzzle)
    model = Complexity(puzzle)
    name, order = order_of(puzzle, arguments.order, arguments.slips, model)
    compared = _compared(arguments, model, {name: order}) if arguments.compare_orders else {}
    effort = _effort(arguments, model, order)
    interrupted = effort.actual is not None and effort.actual.ended_by == "interrupt"
    sampled = None
    if arguments.sample_solutions is not None and not interrupted:
        sampled = _sampled(arguments, model, name, order)
        interrupted = sampled.interrupted
    if arguments.json:
        record = as_record(model, name, effort, compared)
        print_json(record if sampled is None else {**record, "sampled": sampled_record(sampled)})
    else:
        print(describe(model, name, effort))
        if sampled is not None:
            print("\n".join(describe_sampled(sampled)))
        if compared:
            print(describe_orders(compared, effort.rate))
        if arguments.by_depth:
            print(describe_depths(puzzle, effort))
    if arguments.plot is not None:
        _plot(arguments, model, name, effort, compared)
    return 130 if interrupted else 0


def _refuse_what_is_wrong(arguments: argparse.Namespace) -> None:
    """Say before a long search what would be said after it."""
    from ..estimators.plan.plots import refuse_unless_drawable

    if arguments.rate == 0:
        raise EngineError("--rate 0: no search has a speed of 0 nodes a second")
    if arguments.depth_limit is not None and not arguments.actual:
        raise EngineError("--depth-limit bounds the search of --actual, which is not asked for")
    if arguments.sample_solutions is not None and arguments.slips is not None:
        raise EngineError("--sample-solutions and --slips: random boards have no invalid joins; leave one of them out")
    if arguments.plot is not None:
        refuse_unless_drawable(Path(arguments.plot))


def _effort(arguments: argparse.Namespace, model: Complexity, order: Order) -> "Effort":
    """The prediction, and what was asked for beside it."""

    from ..estimators.plan.effort import PROBES, estimates, logarithms, measured_rate, probed

    puzzle, symmetry = model.puzzle, not arguments.no_symmetry
    effort = estimates(model, order, arguments.slips, symmetry=symmetry)
    options = Options(order, symmetry, slips=arguments.slips, predicted=logarithms(effort.searched))
    rate = measured_rate(puzzle, options) if arguments.rate is None else float(arguments.rate)
    effort = replace(effort, rate=rate)
    if arguments.probes is not None:
        with _bar(arguments, PROBES, "probes") as report:
            effort = replace(effort, probes=probed(puzzle, options, arguments.probes, arguments.seed, report))
    if arguments.actual:
        effort = replace(effort, actual=counted(arguments, puzzle, Limits(depth=arguments.depth_limit), options))
    return effort


def _plot(
    arguments: argparse.Namespace, model: Complexity, name: str, effort: "Effort", compared: "dict[str, Effort]"
) -> None:
    """Draw what was compared."""
    from ..estimators.plan.plots import draw_comparison, draw_estimates

    if arguments.actual or arguments.probes is not None:
        draw_comparison(effort, f"{model.puzzle.name}, {name}", Path(arguments.plot))
    else:
        curves = {other: cost.plain for other, cost in compared.items()} or {name: effort.plain}
        draw_estimates(model, curves, Path(arguments.plot))


def _compared(arguments: argparse.Namespace, model: Complexity, known: dict[str, Order]) -> "dict[str, Effort]":
    """What each named order costs, and the best one where the board is not too large; the cheapest first."""
    from ..estimators.owen.best_order import LONGEST
    from ..estimators.plan.effort import estimates

    names = [*NAMED_ORDERS, *(["best"] if model.puzzle.rows + model.puzzle.columns <= LONGEST else [])]
    slips, symmetry = arguments.slips, not arguments.no_symmetry
    orders = {name: known.get(name) or order_of(model.puzzle, name, slips, model)[1] for name in names}
    costs = {name: estimates(model, order, slips, symmetry=symmetry) for name, order in orders.items()}
    return dict(sorted(costs.items(), key=lambda pair: pair[1].plain.nodes))


@contextmanager
def _bar(arguments: argparse.Namespace, total: int, unit: str) -> Iterator[Callable[..., None] | None]:
    """A bar on stderr that counts probes or populations, and is told if there are others than `total` to come.

    None where nobody would see it.
    """
    with bar_on_stderr(arguments, total=total, unit=f" {unit}") as bar:
        if bar is None:
            yield None
            return

        def show(done: int, total: int = total) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


class Sampled(NamedTuple):
    """What random boards say, along which order and by which seed, and whether Ctrl-C ended that."""

    sample: "Sample"
    order: str
    seed: int
    interrupted: bool


def _sampled(arguments: argparse.Namespace, model: Complexity, name: str, order: Order) -> Sampled:
    """Random boards, along the order with the fewest nodes unless one is named."""
    from ..estimators.owen.best_order import LONGEST
    from ..estimators.random_probes.solution_samples import POPULATIONS, Sampler

    if arguments.order is None and model.puzzle.rows + model.puzzle.columns <= LONGEST:
        name, order = order_of(model.puzzle, "best", None, model)
    with interrupts_noted() as interrupted, _bar(arguments, POPULATIONS, "populations") as report:
        sampler = Sampler(model.puzzle, order, model)
        sample = sampler.sample_for(arguments.sample_solutions, arguments.seed, report, interrupted.is_set)
        return Sampled(sample, name, arguments.seed, interrupted.is_set())


def sampled_record(sampled: Sampled) -> dict[str, Any]:
    """What random boards say, for scripts."""
    sample = sampled.sample
    return {
        "estimate": None if sample.estimate is None else significant(sample.estimate),
        "interval": None if sample.interval is None else [significant(end) for end in sample.interval],
        "error": sample.error,
        "exact": sample.exact is not None,
        "populations": len(sample.populations),
        "died_out": sample.died_out,
        "width": sample.width,
        "order": sampled.order,
        "seed": sampled.seed,
        "interrupted": sampled.interrupted,
    }


def as_record(model: Complexity, name: str, effort: "Effort", compared: "dict[str, Effort]") -> dict[str, Any]:
    """All numbers for scripts; exact ones as decimal strings of 20 digits."""
    from ..estimators.plan.effort import by_depth

    puzzle = model.puzzle
    depth, most = effort.plain.peak
    record: dict[str, Any] = {
        "instance": puzzle.name,
        "kind": puzzle.kind,
        "order": name,
        "squares": [puzzle.board.name(square) for square in effort.plain.order],
        "slips": format_slips(effort.plain.slips),
        "solutions": significant(effort.plain.solutions),
        "nodes": significant(effort.plain.nodes),
        "simple_solutions": significant(model.simple_solutions()),
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
    if compared:
        record["orders"] = {other: significant(cost.plain.nodes) for other, cost in compared.items()}
    return record


def describe(model: Complexity, name: str, effort: "Effort") -> str:
    """The prediction, as text."""
    puzzle = model.puzzle
    slips = f", slips {format_slips(effort.plain.slips)}" if effort.plain.slips else ""
    how = "without breaking symmetries" if effort.searched is effort.plain else "with symmetries broken"
    depth, most = effort.plain.peak
    lines = [
        f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {puzzle.rows}x{puzzle.columns}, order {name}{slips}",
        f"  solutions        {significant(effort.plain.solutions)} expected",
        f"  nodes            {significant(effort.plain.nodes)} expected",
        f"  peak             {significant(most, 6)} at depth {depth}",
        f"  to search        {significant(effort.searched.nodes, 6)} nodes {how}",
    ]
    if effort.seconds is not None and effort.rate is not None:
        lines.append(f"  time             {about_duration(effort.seconds)} at {_rate(effort.rate)} nodes a second")
    if not effort.plain.slips:
        lines.append(f"  simple estimate  {significant(model.simple_solutions(), 3)} solutions, joins independent")
    hardest = hardest_inner_colors(puzzle.rows, puzzle.columns)
    if hardest:
        has = len(puzzle.inner_sides())
        lines.append(f"  inner colours    {has}; about {hardest:.1f} make a board of this size hardest")
    if effort.probes is not None:
        lines += describe_probes(puzzle, effort)
    if effort.actual is not None:
        partial = "" if effort.actual.complete else f"; not all, {ending(effort.actual.ended_by)}"
        lines.append(
            f"  actual           {grouped(effort.actual.nodes)} nodes in {effort.actual.seconds:.2f} s{partial}"
        )
    return "\n".join(lines)


def describe_probes(puzzle: EdgeMatchingPuzzle, effort: "Effort") -> list[str]:
    """What the probes say, and how far they are to be trusted."""
    probes = effort.probes
    assert probes is not None
    depth = probes.trusted_depth + len(puzzle.fixed)
    deepest = len(puzzle.board)
    lines = [
        f"  probes           {probes.total:.4g} nodes to search, standard error {probes.total_error:.2g}"
        f" ({probes.number} probes of width {probes.width})"
    ]
    if depth < deepest:
        lines.append(f"                   trusted to depth {depth} of {deepest}; what lies deeper is too rare for them")
    if depth < deepest and effort.searched.peak[0] > depth:
        lines.append("                   NOT to be trusted in all: the most nodes are expected deeper than that")
    return lines


def describe_sampled(sampled: Sampled) -> list[str]:
    """What random boards say of the number of solutions, with as many digits as the error allows."""
    sample = sampled.sample
    estimate, error, interval = sample.estimate, sample.error, sample.interval
    cut = ", interrupted" if sampled.interrupted else ""
    made = f"({len(sample.populations)} populations of about {sample.width} boards, order {sampled.order}{cut})"
    if sample.exact is not None:
        return [f"  sampled          {grouped(sample.exact)} solutions exactly: there was room for every board"]
    if sampled.interrupted and not sample.populations:
        return ["  sampled          interrupted before anything was found"]
    if estimate is None:
        return [
            "  sampled          no solution found, which does not tell how many there are",
            f"                   {made}",
        ]
    if interval is None or error is None:
        return [
            f"  sampled          roughly {significant(estimate, 1)} solutions; too few tell of it for an interval",
            f"                   {sample.died_out} died out {made}",
        ]
    digits = max(2, floor(0.5 - log10(max(error, 1e-9))) + 1)
    low, high = (significant(end, digits + 1) for end in interval)
    return [
        f"  sampled          {significant(estimate, digits)} solutions, between {low} and {high} with 95 % confidence",
        f"                   standard error {100 * error:.2g} % {made}",
    ]


def describe_orders(compared: "dict[str, Effort]", rate: float | None) -> str:
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


def describe_depths(puzzle: EdgeMatchingPuzzle, effort: "Effort") -> str:
    """A line for each depth."""
    from ..estimators.plan.effort import by_depth

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
    """The actual nodes as a part of those expected, which may be beyond any float."""
    expected = Fraction(str(row["to_search"]))
    if "actual" not in row or not expected:
        return ""
    ratio = Fraction(str(row["actual"])) / expected
    return f"{float(ratio):.3f}" if ratio < 1000 else f"{float(min(ratio, Fraction(10**300))):.3g}"


def _rate(nodes: float) -> str:
    """Nodes a second as people say it."""
    return f"{nodes / 1e6:.1f} million" if 1e6 <= nodes < 1e9 else f"{nodes:.3g}"


def _short(number: object) -> str:
    """Six digits of a decimal string."""
    digits, _, exponent = str(number).partition("e")
    return f"{float(digits):.5f}e{exponent}"
