"""Searches on the command line: from the arguments to a plan or an explanation."""

import argparse

from ...csp.engines.request import Goal
from ...csp.files.instances import Puzzle
from ...estimators.plan.explain import Explanation
from ...estimators.plan.job import JobPlan
from ...estimators.tasks.questions import job_of
from .options import asked
from .parser import Parser
from .progress import note_bar
from .wording import print_found


def plan_of(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> JobPlan:
    """The plan of the search that the command line asks for."""
    with note_bar(arguments) as report:
        return job_of(puzzle, goal, asked(arguments), solutions).plan(report, started=arguments.started)


def add_explain(parser: Parser) -> None:
    """Add the option that shows the possible searches and runs none of them."""
    parser.how.add_argument(
        "--explain",
        action="store_true",
        help="show what each possible search is predicted to cost, and run none. The output is that of `jigsat plan`",
    )


def explain_ways(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> int:
    """Show the possible searches; returns the exit status."""
    return print_explanation(arguments, job_of(puzzle, goal, asked(arguments), solutions).explained())


def print_explanation(arguments: argparse.Namespace, explained: Explanation) -> int:
    """Print an explanation; returns the exit status."""
    print_found(explained, arguments)
    return 0
