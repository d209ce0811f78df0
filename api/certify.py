"""Prove that a puzzle has exactly K solutions, and verify such proofs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .public import AnyPuzzle, opened, public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..models.proofs.certificate import Verification
    from ..models.proofs.certification import Certification


@public
def certify(
    puzzle: AnyPuzzle,
    solutions: int,
    *,
    proof: str | Path | None = None,
    lrat: str | Path | None = None,
    encoding: str | None = None,
    solver: str | None = None,
    by_search: bool = False,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = None,
    report: Report | None = None,
) -> Certification:
    """Prove that a puzzle has exactly K solutions, or check such a proof.

    Solutions are counted up to symmetry: turning the whole board, exchanging identical pieces and turning symmetric
    pieces make no new solution.  The certificate consists of a formula that is satisfiable if there is another
    solution, and a DRAT proof that it is not satisfiable, checked by an independent checker.  The assemblies in the
    puzzle's file are checked and taken as known; further solutions are searched for.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, str or Path
        The edge-matching puzzle or jigsaw, or where it is.
    solutions : int
        The number of solutions to prove.
    proof : str or Path, optional
        Write the certificate to this file.  The proof is in FILE, its formula in FILE.cnf, and what it states in
        FILE.json; while the work lasts, the solutions that were found are in FILE.part.
    lrat : str or Path, optional
        Also write the proof in the format LRAT, which verified checkers such as cake_lpr read together with the formula
        of the certificate; with `proof`.
    encoding : str, optional
        How the puzzle becomes a formula: bits, direct, or an encoding of `solve`.  bits is the default for jigsaws with
        each connector on one or two joins, unless it is inconclusive; direct is the default otherwise.
    solver : str, optional
        A solver of PySAT that writes proofs (default: cadical195).
    by_search : bool, default False
        Count the solutions by a search instead, without a proof, for puzzles whose proof would take too long.
    resume : bool, default False
        Continue a run that was stopped, from FILE.part.  The solutions in it are checked; the search for a proof is
        repeated.
    overwrite : bool, default False
        Start over if there is FILE.part.
    time_limit : float, optional
        Give up after this many seconds; on the command line also 1m30s or 2h.
    report : callable, optional
        Called with a `Progress` that names the current step.

    Returns
    -------
    Certification
        What is known, and whether it is proved.

    Raises
    ------
    UsageError
        If the encoding or solver is unknown or does not support this puzzle, the puzzle is a dissection, `lrat` is
        given without `proof`, or a stopped run has left a file and neither `resume` nor `overwrite` is given.
    PuzzleError
        If an assembly of the puzzle is not a solution, or there are too few pieces of a class for the board.
    InstanceError
        If the proof or `lrat` cannot be written there.  If writing the proof fails at the end, as on a full disk, the
        entry about the proof has the error instead.
    NotFoundError
        If the time limit or Ctrl-C ends the work while `lrat` is made; the certificate is complete then.

    Examples
    --------
    >>> import jigsat as js
    >>> certificate = js.certify("perfect-5x5", solutions=2)
    >>> certificate.proved, str(certificate.answer), len(certificate.solutions)
    (True, 'exactly', 2)
    """
    from ..models.proofs.certify_and_verify import certify as prove

    return prove(
        opened(puzzle), solutions, proof=proof, lrat=lrat, encoding=encoding, solver=solver, by_search=by_search,
        resume=resume, overwrite=overwrite, time_limit=time_limit, report=report,
    )  # fmt: skip


@public
def verify(puzzle: AnyPuzzle, certificate: str | Path, *, lrat: str | Path | None = None) -> Verification:
    """Check a certificate: build its formula from the puzzle again, compare it, and check its lists and the proof.

    The formula is also compared with that of a second encoder, which shares no code with the first: both make the same
    clauses, or each clause follows from the second one's.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The certificate's puzzle, or where it is.
    certificate : str or Path
        The file FILE.json beside a proof, or the name of a bundled puzzle with a certificate.
    lrat : str or Path, optional
        A file for its proof in the format LRAT, for verified checkers; it is written if the statement is proved.

    Returns
    -------
    Verification
        Whether the statement holds, and why.

    Raises
    ------
    InstanceError
        If there is no such certificate, it is for another puzzle, one of its files cannot be read, or `lrat` cannot be
        written, is one of these files, or the certificate comes from standard input.

    Examples
    --------
    >>> import jigsat as js
    >>> verdict = js.verify("perfect-5x5", "perfect-5x5")
    >>> verdict.holds, verdict.reason
    (True, 'every lemma is RUP, the last one is empty')
    """
    from ..models.proofs.certify_and_verify import verify as judge

    return judge(opened(puzzle), certificate, lrat=lrat)
