"""Certificates on the command line: checking them, and exit statuses."""

from typing import TYPE_CHECKING

from ...csp.files.instances import Puzzle
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


def certificate_status(found: "Certification") -> int:
    """The exit status of `jigsat certify`."""
    if found.proved:
        return 0
    return 130 if found.ended_by == "interrupt" else 1
