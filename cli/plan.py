"""`jigsat plan`: all ways to a goal, with what each is predicted to cost."""

import argparse

from ..csp.base.errors import UsageError
from ..csp.engines.request import IN_PARTS, Goal
from ..csp.files.instances import read_puzzle
from .parts.jobs import explain_ways
from .parts.options import add_search, whole


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show all ways to a goal, the one that would be taken first: the engine with its order, method or encoding, "
        "the nodes and the time that are predicted on this machine (the median, and an interval that holds nine cases "
        "of ten), the time to set up, the memory, and why a way cannot be taken.  Nothing is searched.  The options "
        "are those of `jigsat solve` and `jigsat count`, which show the same with --explain, as does `jigsat "
        "certify` of its encodings."
    )
    add_search(parser, without=[name for name in IN_PARTS if name != "method"])
    parser.add_argument(
        "--goal", choices=[str(goal) for goal in Goal], default="solve", help="what is searched for (default: solve)"
    )
    parser.add_argument("--limit", type=whole, metavar="N", help="with --goal all: find up to N solutions")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    if arguments.limit is not None and arguments.goal != "all":
        raise UsageError("it is for --goal all", "limit")
    return explain_ways(arguments, puzzle, Goal(arguments.goal), arguments.limit)
