"""Searches that write their answer, killed after any number of finds: what is on disk then, and what comes after."""

from unittest.mock import patch

from jigsat.api.solve import job_for as job_of
from jigsat.csp.files.books import records_in
from jigsat.csp.search import shared_tree
from jigsat.csp.work.steps import KeptSteps
from jigsat.estimators.plan.kept_answers import Output, run_kept


class Killed(BaseException):
    """In place of the end of the process: nothing is written after it."""


def kept(puzzle, goal, path, *, limit=None, resume=False, overwrite=False, **asked):
    """A search with an output."""
    return run_kept(job_of(puzzle, goal, asked, limit).plan(), Output(path, resume, overwrite))


def killed(puzzle, goal, path, finds, **asked):
    """A search that is killed when it has found this number of solutions or better boards; whether it was."""
    left, add = [finds], KeptSteps.add

    def dying(journal, *arguments, **options):
        if left[0] == 0:
            raise Killed
        left[0] -= 1
        add(journal, *arguments, **options)

    with patch.object(KeptSteps, "add", dying), patch.object(shared_tree, "REST_SECONDS", 0.0):
        try:
            kept(puzzle, goal, path, **asked)
        except Killed:
            return True
    return False


def place_in(part):
    """The place of the search in a book that it has left."""
    records = [record for record in records_in(part.read_bytes(), lambda: False) if "state" in record]
    return max(records, key=lambda record: record["number"])["state"]["place"]["place"]
