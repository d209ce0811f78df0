"""Certificates made and judged: exactly so many solutions, proved, and whether what one states is so."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError
from ...csp.base.safe_files import escaped
from ...csp.base.stopping import Report, stoppable
from ...csp.files.bundled import bundled_certificate, bundled_names
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .certification import Certification


@dataclass(frozen=True)
class Verification:
    """What came of judging a certificate.

    Parameters
    ----------
    instance
        The name of the puzzle.
    states
        What the certificate states of it, or would have to state.
    holds
        Whether that is proved.
    reason
        Why, or why not, in one line.
    checkers
        The programs that checked the proof.
    lemmas
        The number of lemmas in the proof, the empty clause included.
    seconds
        How long it took to check them.
    """

    instance: str
    states: str
    holds: bool
    reason: str
    checkers: tuple[str, ...]
    lemmas: int
    seconds: float

    def record(self) -> dict[str, Any]:
        """What scripts read: the object that ``jigsat certify --verify CERTIFICATE --json`` prints."""
        return {
            "instance": self.instance,
            "states": self.states,
            "accepted": self.holds,
            "reason": self.reason,
            "checkers": list(self.checkers),
            "lemmas": self.lemmas,
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """What people read: the text that ``jigsat certify --verify CERTIFICATE`` prints."""
        about = "the certificate states" if self.holds else "what the certificate would have to state"
        judged = f"proved, checked by {', '.join(self.checkers)}" if self.holds else "NOT proved"
        return f"{escaped(self.instance)}: {about}: {escaped(self.states)}\n  {judged}: {escaped(self.reason)}"


def certify(
    puzzle: Puzzle,
    solutions: int,
    *,
    proof: str | Path | None = None,
    encoding: str | None = None,
    solver: str = "cadical195",
    time_limit: float | None = None,
    report: Report | None = None,
) -> Certification:
    """Find out whether a puzzle has exactly so many solutions, and prove it.

    This is what ``jigsat certify`` does.  Solutions that turning the whole board, exchanging identical pieces and
    turning symmetric ones make of each other are one (`canonical_count`).  The puzzle's assemblies are taken as known
    once they are checked, further ones are searched for.

    Parameters
    ----------
    puzzle
        Any edge-matching puzzle or jigsaw.
    solutions
        How many solutions there should be.
    proof
        The file for the proof, with its formula and what it states beside it, in ``PROOF.cnf`` and ``PROOF.json``; None
        to have the proof checked and kept nowhere.
    encoding
        How the puzzle becomes a formula: ``bits``, for jigsaws whose connectors are on one or two joins each, or one of
        `encodings.CNF_NAMES`.  If it is left out, ``bits`` for jigsaws of that sort unless that finds something that is
        no assembly, and ``direct`` otherwise.
    solver
        A solver of PySAT that writes proofs.
    time_limit
        Seconds after which to give up; None for no limit.  Ctrl-C ends the work as well.
    report
        Is told now and then what is being done.

    Returns
    -------
    What is known, and whether it is proved.

    Raises
    ------
    UsageError
        If there is no such encoding or solver, or not for this puzzle, or it is a dissection.
    PuzzleError
        If an assembly of the puzzle is no solution.
    InstanceError
        If the proof cannot be written.

    Examples
    --------
    >>> import jigsat as js
    >>> certificate = js.certify(js.read("perfect-5x5"), solutions=2)
    >>> certificate.proved, str(certificate.answer), len(certificate.solutions)
    (True, 'exactly', 2)
    """
    with stoppable(time_limit, report=report) as stop:
        # The solvers' libraries are loaded when the clock runs.
        from .certify_exactly import certify_exactly

        return certify_exactly(puzzle, solutions, encoding=encoding, solver=solver, proof=proof, stop=stop)


def verify(puzzle: Puzzle, certificate: str | Path) -> Verification:
    """Judge a certificate: build its formula from the puzzle again, compare it, check what it lists and the proof.

    Parameters
    ----------
    puzzle
        What the certificate is about: an edge-matching puzzle, a jigsaw or a dissection.
    certificate
        The page of a certificate, which lies beside the proof as ``PROOF.json``, or the name of a bundled puzzle that
        has one.

    Raises
    ------
    InstanceError
        If there is no such certificate, it is one of another puzzle, or one of its files cannot be read.

    Examples
    --------
    >>> import jigsat as js
    >>> verdict = js.verify(js.read("perfect-5x5"), "perfect-5x5")
    >>> verdict.holds, verdict.reason
    (True, 'every lemma is RUP, the last one is empty')
    """
    path = _page(certificate)
    if isinstance(puzzle, DissectionPuzzle):
        from .tiling_certificate import verify_tilings

        states, check = verify_tilings(path, puzzle)
    else:
        from .certificate import verify_boards

        states, check = verify_boards(path, puzzle)
    return Verification(puzzle.name, states, check.accepted, check.reason, check.checkers, check.lemmas, check.seconds)


def _page(certificate: str | Path) -> str | Path:
    """The file of a certificate that may be named as a bundled puzzle is."""
    name = str(certificate)
    if os.path.exists(certificate) or name not in bundled_names():
        return certificate
    bundled = bundled_certificate(name)
    if bundled is None:
        raise InstanceError(f"{name}: no certificate is bundled with it; `jigsat certify` makes one")
    return bundled
