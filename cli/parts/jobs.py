"""Jobs on the command line: arguments in, a plan out."""

import argparse
import sys

from ...csp.engines.request import Goal
from ...csp.files.instances import Puzzle
from ...estimators.plan.job import JobPlan
from ...estimators.tasks.questions import job_of
from .options import asked


def plan_of(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> JobPlan:
    """How the search that the command line asks for will be run; says why where experience has chosen the engine."""
    plan = job_of(puzzle, goal, asked(arguments), solutions).plan(started=arguments.started)
    if plan.advice is not None and not arguments.quiet:
        taken = plan.advice
        along = f", order {taken.order}" if taken.order else ""
        print(f"engine auto: {taken.engine}{along}: {taken.why}", file=sys.stderr)
    return plan
