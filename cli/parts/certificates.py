"""Certificates on the command line: checking them, and exit statuses."""

from typing import TYPE_CHECKING

from ...csp.files.instances import Puzzle
from ...csp.puzzles.board import board_text
from .wording import print_json

if TYPE_CHECKING:
    from ...models.proofs.certification import Certification


def judge_certificate(puzzle: Puzzle, certificate: str, *, json: bool, lrat: str | None = None) -> int:
    """Report whether a certificate proves what it states, and write its proof in the format LRAT if a file is given.

    Returns the exit status.
    """
    from ...models.proofs.certify_and_verify import verify

    verdict = verify(puzzle, certificate, lrat=lrat)
    print_json(verdict.record()) if json else print(verdict.summary())
    return 0 if verdict.holds else 1


def print_certification(found: "Certification", *, json: bool) -> None:
    """Print what is known, and the solutions that were found if nothing else keeps them."""
    if json:
        print_json(found.record())
        return
    print(found.summary())
    if not found.decided and found.kept is None:
        for board in found.solutions[len(found.puzzle.assemblies) :]:
            print(f"\n{board_text(board, found.puzzle.columns)}")


def certificate_status(found: "Certification") -> int:
    """The exit status of `jigsat certify`."""
    if found.proved or (found.by_search is not None and found.answer == "exactly"):
        return 0
    return 130 if found.ended_by == "interrupt" else 1
