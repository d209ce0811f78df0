"""Making certificates of an exact number of solutions, and verifying certificates."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...csp.base.errors import InstanceError, NotFoundError, UsageError
from ...csp.base.safe_files import escaped, refuse_same_file, refuse_unwritable
from ...csp.base.stop import Report, Stop, never, stoppable
from ...csp.base.words import ending
from ...csp.engines.refusals import checked_value, refuse_other_types
from ...csp.engines.request import Limits, is_proof_file
from ...csp.files.file_format import bundled_certificate, bundled_names
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .certification import Certification
from .definition.formula_comparison import FormulaComparison


@dataclass(frozen=True)
class Verification:
    """The result of checking a certificate."""

    #: The name of the puzzle.
    instance: str
    #: The certificate's statement about it, or what it would have to be.
    states: str
    #: Whether the statement is proved.
    holds: bool
    #: Why, or why not, in one line.
    reason: str
    #: The programs that checked the proof.
    checkers: tuple[str, ...]
    #: The number of lemmas in the proof, including the empty clause.
    lemmas: int
    #: The time to check them.
    seconds: float
    #: How the formula compares with the one that a second encoder makes from the definition of the claim; None if the
    #: proof is not accepted.
    formula: FormulaComparison | None = None

    def record(self) -> dict[str, Any]:
        """The object that ``jigsat certify --verify CERTIFICATE --json`` prints."""
        return {
            "instance": self.instance,
            "states": self.states,
            "accepted": self.holds,
            "reason": self.reason,
            "checkers": list(self.checkers),
            "lemmas": self.lemmas,
            "seconds": self.seconds,
            "formula": None if self.formula is None else self.formula.record(),
        }

    def summary(self) -> str:
        """The text that ``jigsat certify --verify CERTIFICATE`` prints."""
        about = "the certificate states" if self.holds else "what the certificate would have to state"
        judged = f"proved, checked by {', '.join(self.checkers)}" if self.holds else "NOT proved"
        formula = "" if self.formula is None else f"\n  formula: {self.formula}"
        return f"{escaped(self.instance)}: {about}: {escaped(self.states)}\n  {judged}: {escaped(self.reason)}{formula}"


def certify(
    puzzle: Puzzle,
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
    """Determine whether a puzzle has exactly `solutions` solutions, and prove it.

    This is what ``jigsat certify`` does.  Solutions that differ only by turning the whole board, exchanging identical
    pieces and turning symmetric ones count as one (`canonical_count`).  The puzzle's assemblies count as known after a
    check; further ones are searched for.

    Parameters
    ----------
    puzzle
        Any edge-matching puzzle or jigsaw.
    solutions
        The number of solutions to prove.
    proof
        The file for the proof; its formula and its statement are written to ``PROOF.cnf`` and ``PROOF.json``.  None to
        check the proof without keeping it.  While the work lasts, the solutions that were found are in ``PROOF.part``.
    lrat
        A file for the same proof in the format LRAT, for verified checkers; needs `proof`.
    encoding
        The encoding: ``bits``, for jigsaws whose connectors are on one or two joins each, or one of those of `cnf`.
        The default is ``bits`` for such jigsaws, unless it finds a model that is not an assembly, and ``direct``
        otherwise.
    solver
        A solver of PySAT that writes proofs, by default ``cadical195``.
    by_search
        Whether to count the solutions by a native search instead, without a proof: for puzzles whose proof would take
        too long.
    resume
        Whether to continue from ``PROOF.part``: the solutions in it count as known after a check.  The search for a
        proof itself is repeated, since a solver cannot continue the proof of another process.
    overwrite
        Whether to start over if there is such a file.
    time_limit
        Seconds after which to give up; None for no limit.  Ctrl-C also ends the work.
    report
        Is called from time to time with a description of what is being done.

    Returns
    -------
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
    >>> certificate = js.certify(js.read("perfect-5x5"), solutions=2)
    >>> certificate.proved, str(certificate.answer), len(certificate.solutions)
    (True, 'exactly', 2)
    """
    refuse_other_types(
        encoding=(encoding, "text"), solver=(solver, "text"), by_search=(by_search, "switch"),
        time_limit=(time_limit, "seconds"),
    )  # fmt: skip
    solutions, time_limit = checked_value("solutions", solutions, "whole"), Limits(time_limit).seconds
    if lrat is not None:
        if proof is None:
            raise UsageError("is for the formula of a proof; give a file for this, too", "lrat", "proof")
        if is_proof_file(lrat, proof):
            raise UsageError("would replace a file of the certificate; give another file", "lrat", "proof")
    if by_search:
        others = {"proof": proof, "lrat": lrat, "encoding": encoding, "solver": solver}
        for option, value in {**others, "resume": resume or None, "overwrite": overwrite or None}.items():
            if value is not None:
                raise UsageError("a search makes no proof; omit the option", "by_search", option)
    _refuse_lrat(lrat)
    with stoppable(time_limit, report=report) as stop:
        # The solvers' libraries are loaded when the clock runs.
        from .certify_exactly import certify_exactly, count_by_search

        if by_search:
            return count_by_search(puzzle, solutions, stop)
        found = certify_exactly(
            puzzle,
            solutions,
            encoding=encoding,
            solver="cadical195" if solver is None else solver,
            proof=proof,
            resume=resume,
            overwrite=overwrite,
            stop=stop,
        )
        if lrat is not None and proof is not None and found.proof is not None and found.proof["checked"]:
            _write_lrat(f"{proof}.cnf", proof, lrat, stop)
        return found


def verify(puzzle: Puzzle, certificate: str | Path, *, lrat: str | Path | None = None) -> Verification:
    """Verify a certificate: build its formula from the puzzle again, compare it, check its lists and the proof.

    The formula is also compared with that of a second encoder, which shares no code with the first: both make the same
    clauses, or each clause follows from the second one's.

    Parameters
    ----------
    puzzle
        The certificate's puzzle: an edge-matching puzzle, a jigsaw or a dissection.
    certificate
        The file ``PROOF.json`` of a certificate, next to the proof, or the name of a bundled puzzle with a certificate.
    lrat
        A file for its proof in the format LRAT, for verified checkers; it is written if the statement is proved.

    Raises
    ------
    InstanceError
        If there is no such certificate, it is for another puzzle, one of its files cannot be read, or `lrat` cannot be
        written, is one of these files, or the certificate comes from standard input.

    Examples
    --------
    >>> import jigsat as js
    >>> verdict = js.verify(js.read("perfect-5x5"), "perfect-5x5")
    >>> verdict.holds, verdict.reason
    (True, 'every lemma is RUP, the last one is empty')
    """
    path = _page(certificate)
    _refuse_lrat(lrat, path)
    if isinstance(puzzle, DissectionPuzzle):
        from .tiling_certificate import verify_tilings

        states, check = verify_tilings(path, puzzle)
    else:
        from .certificate import verify_boards

        states, check = verify_boards(path, puzzle)
    if lrat is not None and check.accepted:
        page, folder = json.loads(Path(path).read_bytes()), Path(path).parent
        _write_lrat(folder / page["formula"]["file"], folder / page["proof"]["file"], lrat)
    return Verification(
        puzzle.name, states, check.accepted, check.reason, check.checkers, check.lemmas, check.seconds, check.formula
    )


def _refuse_lrat(lrat: str | Path | None, page: str | Path | None = None) -> None:
    """Refuse, before long work, a file for the LRAT that cannot be written, or is the certificate's page."""
    if lrat is None:
        return
    if str(lrat) == "-":
        raise InstanceError("-: give a file for the proof in the format LRAT")
    if str(page) == "-":
        raise InstanceError("-: give the certificate's file; a proof in the format LRAT is made from those beside it")
    refuse_unwritable(lrat)
    refuse_same_file(lrat, page)


def _write_lrat(formula: str | Path, proof: str | Path, lrat: str | Path, stop: Stop | None = None) -> None:
    from .lrat.write_lrat import write_lrat

    refuse_same_file(lrat, formula, proof)
    if write_lrat(formula, proof, lrat, stop or never) is not None:
        return
    if stop is not None and stop():
        command = f"`jigsat certify PUZZLE --verify {proof}.json --lrat {lrat}`"
        why = f"{ending(stop.ended_by)}; the certificate is complete, and {command} writes it"
        raise NotFoundError(f"{lrat}: not written: {why}", stop.ended_by)
    raise InstanceError(f"{proof}: has a lemma that is RAT only, for which no hints are found; use another solver")


def _page(certificate: str | Path) -> str | Path:
    """The file of a certificate that may be named as a bundled puzzle is."""
    name = str(certificate)
    if os.path.exists(certificate) or name not in bundled_names():
        return certificate
    bundled = bundled_certificate(name)
    if bundled is None:
        raise InstanceError(f"{name}: no certificate is bundled with it; `jigsat certify` makes one")
    return bundled
