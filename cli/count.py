"""`jigsat count`: how many solutions a puzzle has."""

import argparse
from typing import TYPE_CHECKING

from .common import (
    add_search,
    all_searched,
    effort_lines,
    ending,
    engine_of,
    grouped,
    limits_of,
    plan_of,
    print_json,
    progress_bar,
    proof_lines,
    refuse_overwriting,
    start_of,
    status_of,
)
from .tilings import refuse_motions, tiling_search

if TYPE_CHECKING:
    from ..csp.edge_matching import EdgeMatchingPuzzle
    from ..csp.engine import Report, Result
    from .tilings import Consume, Search


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "count", help="count all solutions", description="Count the solutions of a puzzle, up to symmetry and in all."
    )
    add_search(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.dissection import DissectionPuzzle
    from ..csp.engine import Goal
    from ..csp.instances import load_puzzle
    from ..csp.record import to_record

    refuse_overwriting(arguments)
    puzzle = load_puzzle(arguments.instance)
    if isinstance(puzzle, DissectionPuzzle):
        search = tiling_search(puzzle, Goal.COUNT, arguments)
    else:
        search = board_count(puzzle, arguments)
    with progress_bar(arguments) as report:
        result = search(report, None)
    if arguments.json:
        print_json(to_record(result, puzzle))
    else:
        print(describe(result))
    return status_of(result)


def board_count(puzzle: "EdgeMatchingPuzzle", arguments: argparse.Namespace) -> "Search":
    """A count of a puzzle of squares, ready to run."""
    from ..csp.engine import Goal

    refuse_motions(puzzle, arguments)
    start = start_of(puzzle, arguments)
    engine = engine_of(arguments, start, Goal.COUNT)
    plan = plan_of(arguments, start, Goal.COUNT, engine)

    def search(report: "Report | None", consume: "Consume | None") -> "Result":
        limits = limits_of(arguments)
        return plan.told(engine.run(start, Goal.COUNT, limits, plan.options, report=report, consume=consume))

    return search


def describe(result) -> str:
    """The numbers, as text."""
    from ..csp.files import escaped

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
        lines.append(f"  complete         NO, {ending(result)}: the counts are lower bounds")
    lines += proof_lines(result)
    lines += effort_lines(result)
    return "\n".join(lines)
