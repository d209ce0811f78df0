"""Jobs on the command line: arguments in, a plan or an explanation out."""

import argparse

from ...csp.engines.request import Goal
from ...csp.files.instances import Puzzle
from ...estimators.plan.explain import Explanation
from ...estimators.plan.job import JobPlan
from ...estimators.tasks.questions import job_of
from .options import asked
from .progress import note_bar
from .wording import print_json


def plan_of(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> JobPlan:
    """How the search that the command line asks for will be run."""
    with note_bar(arguments) as report:
        return job_of(puzzle, goal, asked(arguments), solutions).plan(report, started=arguments.started)


def add_explain(parser: argparse.ArgumentParser) -> None:
    """To show the ways instead of taking one."""
    parser.add_argument(
        "--explain",
        action="store_true",
        help="search nothing, write nothing: show all ways, the one that would be taken first, with their predicted "
        "nodes and time, as `jigsat plan` does",
    )


def explain_ways(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> int:
    """Show the ways to what the command line asks for; the exit status."""
    return print_explanation(arguments, job_of(puzzle, goal, asked(arguments), solutions).explained())


def print_explanation(arguments: argparse.Namespace, explained: Explanation) -> int:
    """Show ways; the exit status."""
    print_json(explained.record()) if arguments.json else print(explained.summary())
    return 0
