"""`jigsat count`: how many solutions a puzzle has."""

import argparse

from ..csp.engines.request import Goal
from ..csp.engines.summary import count_summary
from ..csp.files.instances import read_puzzle
from .parts.jobs import add_explain, explain_ways, plan_of
from .parts.options import add_search, refuse_overwriting
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
    )
    add_search(parser, without=["width"])
    add_explain(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    refuse_overwriting(arguments)
    puzzle = read_puzzle(arguments.instance)
    if arguments.explain:
        return explain_ways(arguments, puzzle, Goal.COUNT)
    plan = plan_of(arguments, puzzle, Goal.COUNT)
    with progress_bar(arguments, plan.engine, ends=plan.tells_how_far) as report:
        result = plan.run(report)
    if arguments.json:
        print_json(result.record_of(puzzle))
    else:
        print(count_summary(result, plan.reasons))
    return status_of(result)
