"""Making certificates of an exact number of solutions, and verifying certificates."""

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.base.errors import InstanceError, NotFoundError, UsageError, ending
from ...csp.base.safe_files import refuse_same_file, refuse_unwritable
from ...csp.base.stop import Report, Stop, never, stoppable
from ...csp.engines.request import Limits, checked_value, is_proof_file, refuse_other_types
from ...csp.files.file_format import bundled_certificate, bundled_names
from ...csp.files.instances import Puzzle
from .certification import Certification

if TYPE_CHECKING:
    from .certificate import Verification


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
    """Do what `jigsat.certify` does for a puzzle that has been read."""
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


def verify(puzzle: Puzzle, certificate: str | Path, *, lrat: str | Path | None = None) -> "Verification":
    """Do what `jigsat.verify` does for a puzzle that has been read."""
    path = _page(certificate)
    _refuse_lrat(lrat, path)
    # The solvers' libraries are loaded when there is something to verify.
    from .certificate import verify_certificate

    found = verify_certificate(path, puzzle)
    if lrat is not None and found.holds:
        page, folder = json.loads(Path(path).read_bytes()), Path(path).parent
        _write_lrat(folder / page["formula"]["file"], folder / page["proof"]["file"], lrat)
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
    from .trim import write_lrat

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
