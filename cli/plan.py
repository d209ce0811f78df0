"""`jigsat plan`: all ways to a goal, with the predicted cost of each."""

import argparse

from ..csp.base.errors import UsageError
from ..csp.engines.request import IN_PARTS, Goal
from .parts.jobs import explain_ways
from .parts.options import add_search, read_variant, whole
from .parts.parser import Parser


def add_options(parser: Parser) -> None:
    parser.description = (
        "Show all ways to a goal with their predicted time; the first is the one that would be used.\n\n"
        "A way is an engine with its order, method or encoding.  For each one the table shows the predicted nodes and "
        "time on this machine (the median, and an interval that contains nine of ten cases), the time to set up, the "
        "memory, and, if the way does not apply, the reason.  Nothing is searched, and no file is written.  The "
        "options are those of `jigsat solve` and `jigsat count`, which print the same table with --explain; `jigsat "
        "certify --explain` shows the encodings of a certificate."
    )
    parser.examples = ("jigsat plan puzzle-a", "jigsat plan clue1 --goal count --threads 4")
    parser.what.add_argument(
        "--goal", choices=[str(goal) for goal in Goal], default="solve", help="the goal of the search (default: solve)"
    )
    parser.what.add_argument("--limit", type=whole, metavar="N", help="with --goal all: find up to N solutions")
    add_search(parser, without=[name for name in IN_PARTS if name != "method"])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_variant(arguments)
    if arguments.limit is not None and arguments.goal != "all":
        raise UsageError("applies only to --goal all", "limit")
    return explain_ways(arguments, puzzle, Goal(arguments.goal), arguments.limit)
