"""Searches that write their answer, killed after any number of finds: what is on disk then, and what comes after."""

from unittest.mock import patch

from jigsat.csp.engines.answers.answer_file import AnswerFile
from jigsat.csp.search import shared_tree
from jigsat.estimators.plan.kept_answers import Output, run_kept
from jigsat.estimators.tasks.questions import job_of


class Killed(BaseException):
    """In place of the end of the process: nothing is written after it."""


def kept(puzzle, goal, path, *, limit=None, resume=False, overwrite=False, **asked):
    """A search with an output."""
    return run_kept(job_of(puzzle, goal, asked, limit).plan(), Output(path, resume, overwrite))


def killed(puzzle, goal, path, finds, **asked):
    """A search that is killed when it has found this number of solutions or better boards; whether it was."""
    left = [finds]

    def dying(method):
        def call(answer, solution):
            if left[0] == 0:
                # Without what waits to be written.
                answer._file._waiting.clear()
                answer._file.abandon()
                raise Killed
            # What is found again does not count.
            added = method(answer, solution)
            left[0] -= added is not False
            return added

        return call

    with (
        patch.object(AnswerFile, "add", dying(AnswerFile.add)),
        patch.object(AnswerFile, "improve", dying(AnswerFile.improve)),
        patch.object(AnswerFile, "leave", lambda answer: None),
        patch.object(shared_tree, "REST_SECONDS", 0.0),
    ):
        try:
            kept(puzzle, goal, path, **asked)
        except Killed:
            return True
    return False
