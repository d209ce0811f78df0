"""`jigsat plan`: all ways to a goal, with what each is predicted to cost."""

import argparse

from ..csp.engines.request import IN_PARTS, Goal
from ..csp.files.instances import read_puzzle
from ..estimators.tasks.questions import job_of
from .parts.options import add_search, asked, whole
from .parts.wording import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show all ways to a goal, the one that would be taken first: the engine with its order, method or encoding, "
        "the nodes and the time that are predicted on this machine (the median, and an interval that holds nine cases "
        "of ten), the time to set up, the memory, and why a way cannot be taken.  Nothing is searched.  The options "
        "are those of `jigsat solve` and `jigsat count`, both of which have --explain for the same."
    )
    add_search(parser, without=[name for name in IN_PARTS if name != "method"])
    parser.add_argument(
        "--goal", choices=[str(goal) for goal in Goal], default="solve", help="what is searched for (default: solve)"
    )
    parser.add_argument("--limit", type=whole, metavar="N", help="with --goal all: find up to N solutions")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    puzzle = read_puzzle(arguments.instance)
    job = job_of(puzzle, arguments.goal, asked(arguments), arguments.limit)
    explained = job.explained()
    if arguments.json:
        print_json(explained.record())
    else:
        print(explained.text())
    return 0
