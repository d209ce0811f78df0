"""`jigsat count`: how many solutions a puzzle has."""

import argparse

from .common import (
    add_search,
    all_searched,
    effort,
    ending,
    engine_of,
    grouped,
    limits_of,
    load_start,
    plan_of,
    print_json,
    progress_bar,
    proof_lines,
    refuse_overwriting,
    status_of,
)


def add_parser(commands) -> None:
    parser = commands.add_parser(
        "count", help="count all solutions", description="Count the solutions of a puzzle, up to symmetry and in all."
    )
    add_search(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from ..csp.engine import Goal
    from ..csp.record import to_record

    refuse_overwriting(arguments)
    puzzle, start = load_start(arguments)
    engine = engine_of(arguments, start, Goal.COUNT)
    plan = plan_of(arguments, start, Goal.COUNT, engine)
    with progress_bar(arguments) as report:
        result = plan.told(engine.run(start, Goal.COUNT, limits_of(arguments), plan.options, report=report))
    if arguments.json:
        print_json(to_record(result, puzzle.columns))
    else:
        print(describe(result))
    return status_of(result)


def describe(result) -> str:
    """The numbers, as text."""
    from ..csp.files import escaped

    lines = [f"{escaped(result.instance)}: {result.kind} puzzle, {result.status}"]
    at_least = "" if result.complete else "at least "
    lines.append(f"  count            {at_least}{grouped(result.count)}")
    lines.append(f"  canonical count  {at_least}{grouped(result.canonical_count)}")
    factor = "none: not every orbit is full" if result.symmetry_factor is None else grouped(result.symmetry_factor)
    lines.append(f"  symmetry factor  {factor}")
    if result.complete:
        lines.append(f"  complete         yes, {all_searched(result)}")
    else:
        lines.append(f"  complete         NO, {ending(result)}: the counts are lower bounds")
    lines += proof_lines(result)
    lines.append(f"  effort           {effort(result)}")
    return "\n".join(lines)
