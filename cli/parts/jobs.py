"""Jobs on the command line: arguments in, a plan out."""

import argparse

from ...csp.engines.request import Goal
from ...csp.files.instances import Puzzle
from ...estimators.plan.job import JobPlan
from ...estimators.tasks.questions import job_of
from .options import asked


def plan_of(arguments: argparse.Namespace, puzzle: Puzzle, goal: Goal, solutions: int | None = None) -> JobPlan:
    """How the search that the command line asks for will be run."""
    return job_of(puzzle, goal, asked(arguments), solutions).plan(started=arguments.started)
