"""`jigsat count`: how many solutions a puzzle has."""

import argparse
import sys

from ..csp.base.errors import UsageError
from ..csp.base.safe_files import escaped
from ..csp.engines.request import Goal
from ..csp.engines.result import count_summary
from ..estimators.plan.second_count import count_twice, difference, refuse_unverifiable
from .parts.jobs import add_explain, explain_ways, plan_of
from .parts.options import add_search, read_variant, refuse_overwriting
from .parts.parser import Parser
from .parts.progress import progress_bar
from .parts.wording import print_json, status_of


def add_options(parser: Parser) -> None:
    parser.description = (
        "Count the solutions of a puzzle, up to symmetry and in all.\n\n"
        "Two solutions are the same up to symmetry if one results from the other by turning the whole board, "
        "exchanging identical pieces or turning symmetric pieces.  A count that a limit ends is a lower bound.  With "
        "--ledger a count can be interrupted and continued; with --threads or --cluster it runs in parallel."
    )
    parser.examples = (
        "jigsat count puzzle-a",
        "jigsat count clue1 --time-limit 1m30s --json",
        "jigsat count puzzle-a --method blocks --ledger count.ledger",
        "jigsat count clue3 --verify",
    )
    add_search(parser, without=["width"])
    parser.how.add_argument(
        "--verify",
        action="store_true",
        help="count a second time, in a way that shares neither method nor kernel with the first, and compare. The "
        "time limit is for both counts together",
    )
    add_explain(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    refuse_overwriting(arguments)
    puzzle = read_variant(arguments)
    if arguments.explain:
        if arguments.verify:
            raise UsageError("nothing is counted", "verify", "explain")
        return explain_ways(arguments, puzzle, Goal.COUNT)
    if arguments.verify:
        refuse_unverifiable(arguments.node_limit, arguments.depth_limit)
    plan = plan_of(arguments, puzzle, Goal.COUNT)
    with progress_bar(arguments, plan.engine, ends=plan.tells_how_far) as report:
        result = count_twice(plan, report) if arguments.verify else plan.run(report)
    if arguments.json:
        print_json(result.record_of(puzzle))
    else:
        print(count_summary(result, plan.reasons))
    if result.verified is not None and result.verified["same"] is False:
        sys.stdout.flush()
        print(f"jigsat: {escaped(difference(result))}", file=sys.stderr)
    return status_of(result)
