"""Prove that a puzzle has exactly K solutions, and verify such proofs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..csp.base.errors import InstanceError, NotFoundError, UsageError, ending
from ..csp.base.safe_files import read_text, refuse_same_file, refuse_unwritable
from ..csp.base.stop import Report, Stop, never, stoppable
from ..csp.engines.request import Limits, checked_value, is_enumeration, is_proof_file, refuse_given, refuse_other_types
from ..csp.files.file_format import bundled_certificate, bundled_names
from ..csp.files.instances import Puzzle, fingerprint
from .public import AnyPuzzle, opened, opened_second, public

if TYPE_CHECKING:
    from ..models.proofs.certificate import Verification
    from ..models.proofs.certify_exactly import Certification


@public
def certify(
    puzzle: AnyPuzzle,
    solutions: int | None = None,
    *,
    proof: str | Path | None = None,
    lrat: str | Path | None = None,
    encoding: str | None = None,
    solver: str | None = None,
    by_search: bool = False,
    second_board: AnyPuzzle | None = None,
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

    With a proof whose name ends with .pbp, all solutions are searched for, however many there are, and the search
    writes a pseudo-Boolean proof for VeriPB that there are no others.  Dissections on a lattice have such proofs, too.

    Parameters
    ----------
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        The edge-matching puzzle or jigsaw, or where it is; a dissection for a proof that ends with .pbp.
    solutions : int, optional
        The number of solutions to prove (default: that in the puzzle's file, if it is at most 1000, or of its
        assemblies; else, up to 100 are counted).
    proof : str or Path, optional
        Write the certificate to this file.  The proof is in FILE, its formula in FILE.cnf, and what it states in
        FILE.json; while the work lasts, the solutions that were found are in FILE.part.  NAME.pbp is a pseudo-Boolean
        proof that lists all solutions, and NAME.opb its formula; it is checked if veripb is installed.
    lrat : str or Path, optional
        Also write the proof in the format LRAT, which verified checkers such as cake_lpr read together with the formula
        of the certificate; with `proof`.  Of those, cake_lpr and lrat-trim check it if they are installed.
    encoding : str, optional
        How the puzzle becomes a formula: bits, direct, or an encoding of `solve`.  bits is the default for jigsaws with
        each connector on one or two joins, unless it is inconclusive; direct is the default otherwise.
    solver : str, optional
        A solver of PySAT that writes proofs (default: cadical195).
    by_search : bool, default False
        Count the solutions by a search instead, without a proof, for puzzles whose proof would take too long.
    second_board : EdgeMatchingPuzzle, str or Path, optional
        A jigsaw of the same pieces with another board, about which the same is proved, in one certificate.  Its proof
        is beside that of the first, with the size of the board in its name.
    resume : bool, default False
        Continue a run that was stopped, from FILE.part.  The solutions in it are checked; the search for a proof is
        repeated.
    overwrite : bool, default False
        Start over if there is FILE.part.
    time_limit : float, optional
        Give up after this many seconds; on the command line also 1m30s or 2h.

    Returns
    -------
    Certification
        What is known, and whether it is proved.

    Raises
    ------
    UsageError
        If the encoding or solver is unknown or does not support this puzzle, the puzzle is a dissection and the proof
        does not end with .pbp, `lrat` is given without `proof`, an option is not for this kind of proof, or a stopped
        run has left a file and neither `resume` nor `overwrite` is given.
    EngineError, PuzzleError
        If an assembly of the puzzle is not a solution, or there are too few pieces of a class for the board.
    InstanceError
        If the proof or `lrat` cannot be written there, or a checker refuses `lrat`.  If writing the proof fails at the
        end, as on a full disk, the entry about the proof has the error instead.
    NotFoundError
        If the time limit or Ctrl-C ends the work while `lrat` is made; the certificate is complete then.

    Examples
    --------
    >>> import jigsat as js
    >>> certificate = js.certify("perfect-5x5")
    >>> certificate.proved, str(certificate.answer), len(certificate.solutions)
    (True, 'exactly', 2)
    """
    puzzle = opened(puzzle)
    refuse_other_types(
        encoding=(encoding, "text"), solver=(solver, "text"), by_search=(by_search, "switch"),
        time_limit=(time_limit, "seconds"),
    )  # fmt: skip
    time_limit = Limits(time_limit).seconds
    solutions = None if solutions is None else checked_value("solutions", solutions, "whole")
    if lrat is not None:
        if proof is None:
            raise UsageError("is for the formula of a proof; give a file for this, too", "lrat", "proof")
        if is_proof_file(lrat, proof):
            raise UsageError("would replace a file of the certificate; give another file", "lrat", "proof")
    if by_search:
        refuse_given(
            "a search makes no proof; omit the option", "by_search", proof=proof, lrat=lrat, encoding=encoding,
            solver=solver, second_board=second_board, resume=resume, overwrite=overwrite,
        )  # fmt: skip
    _refuse_lrat(lrat)
    if proof is not None and is_enumeration(proof):
        refuse_given(
            "a proof that ends with .pbp has one formula and no solver; omit the option", lrat=lrat, encoding=encoding,
            solver=solver, second_board=second_board, resume=resume, overwrite=overwrite,
        )  # fmt: skip
        for file in (proof, os.path.splitext(proof)[0] + ".opb"):
            refuse_unwritable(file)
        with stoppable(time_limit, report=report) as stop:
            from ..models.proofs.enumerate_exactly import enumerate_exactly

            return enumerate_exactly(puzzle, solutions, proof, stop)
    with stoppable(time_limit, report=report) as stop:
        # The solvers' libraries are loaded when the clock runs.
        from ..models.proofs.certify_exactly import certify_boards, certify_exactly, count_by_search, of_squares

        if by_search:
            return count_by_search(puzzle, solutions, stop)
        if second_board is not None:
            for option, value in {"lrat": lrat, "resume": resume or None}.items():
                if value is not None:
                    raise UsageError("is not available with two boards; omit it", option, "second_board")
            puzzle = of_squares(puzzle)
            second = opened_second(puzzle, second_board)
            how = {"encoding": encoding, "solver": "cadical195" if solver is None else solver, "proof": proof}
            return certify_boards(puzzle, second, solutions, stop=stop, **how)
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
            checkers = [*found.proof["checkers"], *_write_lrat(f"{proof}.cnf", proof, lrat, stop)]
            found = replace(found, proof={**found.proof, "checkers": checkers})
        return found


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
        A file for its proof in the format LRAT, for verified checkers; it is written if the statement is proved.  With
        several proofs the next ones are in FILE-2, ....

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
    puzzle = opened(puzzle)
    path = _page(certificate)
    _refuse_lrat(lrat, path)
    # The solvers' libraries are loaded when there is something to verify.
    from ..models.proofs.certificate import verify_certificate

    found = verify_certificate(path, puzzle)
    if lrat is not None and found.holds:
        from ..models.proofs.pages import MOST_PAGE, pages_in

        by, folder = [*found.checkers], Path(path).parent
        for number, page in enumerate(pages_in(read_text(path, MOST_PAGE))):
            file = f"{lrat}-{number + 1}" if number else lrat
            by += _write_lrat(folder / page.formula.file, folder / page.proof.file, file)
        found = replace(found, checkers=tuple(dict.fromkeys(by)))
    return found


def is_certificate(source: str | Path) -> bool:
    """Whether a file looks like the page of a certificate."""
    try:
        if not Path(source).is_file():
            return False
        with open(source, encoding="utf-8", errors="replace") as file:
            return re.match(r'\s*\{\s*"format"\s*:\s*"jigsat-certificate/', file.read(1000)) is not None
    except (OSError, ValueError):  # which is for those to say who read it
        return False


def certified(puzzle: Puzzle, folder: str | Path, pages: Iterable[str]) -> tuple[int, list[str]]:
    """The number of solutions that a certificate of this puzzle states, and the names of its unchanged files.

    The first one among these pages in the folder counts; the number is 0 without one.  Its proof is not checked again.
    """
    from ..models.proofs.pages import MOST_PAGE, pages_in

    for name in pages:
        path = Path(folder, name)
        # A page of something else, or one whose files are gone, lie elsewhere or cannot be read.
        with suppress(InstanceError, ValueError):
            found = pages_in(read_text(path, MOST_PAGE))
            files = [path.with_name(file.file) for page in found for file in (page.proof, page.formula)]
            is_whole = all(page.checked.get("accepted") is True and page.is_of(path.parent) for page in found)
            for page in found:
                exactly = re.search(r" has exactly (\d+) solutions?[:;.]", page.states)
                if exactly and is_whole and page.sha256 == fingerprint(puzzle):
                    return int(exactly[1]), [each.relative_to(folder).as_posix() for each in (*files, path)]
    return 0, []


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


def _write_lrat(formula: str | Path, proof: str | Path, lrat: str | Path, stop: Stop | None = None) -> list[str]:
    """Write a proof in the format LRAT; returns the checkers that are installed, all of which accept it."""
    from ..models.proofs.trim import write_lrat

    refuse_same_file(lrat, formula, proof)
    if write_lrat(formula, proof, lrat, stop or never) is not None:
        from ..models.proofs.check_proof import check_lrat

        return check_lrat(formula, lrat, stop or never)
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
