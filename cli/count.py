"""`jigsat count`: how many solutions a puzzle has."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..csp.base.progress import Report
from ..csp.base.quantities import grouped
from ..csp.base.safe_files import escaped
from ..csp.engines.engine import Engine
from ..csp.engines.record import to_record
from ..csp.engines.request import IN_PARTS, Goal
from ..csp.engines.result import Result
from ..csp.files.instances import read_puzzle
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..estimators.plan.durations import about_duration
from .parts.dissections.commands import Consume, Search, refuse_motions, refuse_options, tiling_search
from .parts.options import add_search, options_by_name, refuse_overwriting
from .parts.planning import engine_of, limits_of, options_of, plan_of, start_of
from .parts.progress import progress_bar
from .parts.wording import all_searched, effort_lines, ending, print_json, proof_lines, status_of

if TYPE_CHECKING:
    from ..estimators.plan.cheapest_method import Cost
    from ..estimators.plan.effort import Plan

METHOD_HELP = (
    "how to count: plain (piece by piece along an order), frames (frames by the colours they show, times the insides, "
    "by halves), macros (half-rows, at most 64 free pieces) or blocks (2x2 blocks, even sides); default: the one of "
    "least predicted cost"
)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Count the solutions of a puzzle, up to symmetry and in all."
    add_search(parser)
    add_parts(parser)
    parser.set_defaults(run=run, costs=())


def add_parts(parser: argparse.ArgumentParser) -> None:
    """How a count by the engine backtrack is made in parts."""
    parser.add_argument("--method", metavar="M", help=METHOD_HELP)
    parser.add_argument(
        "--ledger",
        metavar="FILE",
        help="note in FILE what has been counted, and go on from there if the same command was given before",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="count on the workers of a Dask scheduler (tcp://host:8786), or on N processes of this machine (local:N)",
    )


def run(arguments: argparse.Namespace) -> int:
    refuse_overwriting(arguments)
    puzzle = read_puzzle(arguments.instance)
    if isinstance(puzzle, DissectionPuzzle):
        refuse_options(puzzle, arguments, *IN_PARTS)
        search = tiling_search(puzzle, Goal.COUNT, arguments)
    else:
        search = board_count(puzzle, arguments)
    with progress_bar(arguments) as report:
        result = search(report, None)
    if arguments.json:
        print_json(to_record(result, puzzle))
    else:
        print(describe(result, arguments.costs))
    return status_of(result)


def board_count(puzzle: EdgeMatchingPuzzle, arguments: argparse.Namespace) -> Search:
    """A count of a puzzle of squares, ready to run."""
    refuse_motions(puzzle, arguments)
    start = start_of(puzzle, arguments)
    engine = engine_of(arguments, start, Goal.COUNT)
    plan = plan_of_count(arguments, start, engine)

    def search(report: Report | None, consume: Consume | None) -> Result:
        limits = limits_of(arguments)
        return plan.told(engine.run(start, Goal.COUNT, limits, plan.options, report=report, consume=consume))

    return search


def plan_of_count(arguments: argparse.Namespace, puzzle: EdgeMatchingPuzzle, engine: Engine) -> "Plan":
    """How to count: as the options say or else, if it is all one, by the method of least predicted cost.

    `arguments` get the predicted costs that were compared, for people to see.
    """
    from ..estimators.plan.cheapest_method import planned_count
    from ..estimators.plan.effort import Plan
    from ..estimators.plan.frames_cut import with_cut

    parts = options_by_name(arguments, *IN_PARTS)
    given = replace(options_of(arguments, arguments.order), **parts)
    limits = limits_of(arguments)
    if engine.name == "backtrack" and arguments.method not in (None, "plain"):
        return Plan(None, with_cut(puzzle, given))
    bound = (arguments.method, arguments.order, arguments.slips, limits.nodes, limits.depth) != (None,) * 5
    if bound or engine.name != "backtrack" or not given.symmetry:
        plan = plan_of(arguments, puzzle, Goal.COUNT, engine)
        return replace(plan, options=replace(plan.options, **parts))
    plan, arguments.costs = planned_count(puzzle, given)
    return plan


def cost_line(costs: "Sequence[Cost]") -> str:
    """What the methods are predicted to take, in a line."""
    taken, *others = costs
    along = "" if taken.order_name is None else f" along {taken.order_name}"
    shown = [f"{other.method} {about_duration(other.seconds)}" for other in others]
    than = f"; {', '.join(shown)}" if shown else ""
    return f"  chosen           {taken.method}{along}, predicted {about_duration(taken.seconds)}{than}"


def describe(result, costs: "Sequence[Cost]" = ()) -> str:
    """The numbers, as text."""
    lines = [f"{escaped(result.instance)}: {result.kind} puzzle, {result.status}"]
    at_least = "" if result.complete else "at least "
    lines.append(f"  count            {at_least}{grouped(result.count)}")
    lines.append(f"  canonical count  {at_least}{grouped(result.canonical_count)}")
    factor = "none: not every orbit is full" if result.complete else "not known as long as the count is not complete"
    factor = factor if result.symmetry_factor is None else grouped(result.symmetry_factor)
    lines.append(f"  symmetry factor  {factor}")
    if result.complete:
        lines.append(f"  complete         yes, {all_searched(result)}")
    else:
        lines.append(f"  complete         NO, {ending(result.ended_by)}: the counts are lower bounds")
    lines += proof_lines(result)
    if costs:
        lines.append(cost_line(costs))
    lines += effort_lines(result)
    if "salvaged" in result.options:
        lines.append(f"  ledger           {escaped(result.options['salvaged'])}")
    return "\n".join(lines)
