"""Certificates of claims about puzzles of any kind: how they are made, and how they are verified.

A certificate is three files: a formula that has a model if the claim is false, a proof that it has no model, and a page
with the claim, the puzzle, and how the formula was built.  To verify it, the formula is built again and compared, the
solutions that the claim lists are checked, and so is the proof.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pysat.solvers import Solver

from ...csp.base.errors import InstanceError, escaped, shortened
from ...csp.base.notebook import HasSummary
from ...csp.base.safe_files import (
    is_stream,
    read_text,
    refuse_unwritable,
    replacing,
    replacing_bytes,
    temporary_folder,
    writing,
)
from ...csp.base.stop import StoppedError, aside
from ...csp.base.strict_json import block, header_lines
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..base.formula import PuzzleFormula
from ..base.solver_process import SolverProcess
from ..squares.export import dimacs_lines, export_cnf
from .check_proof import ProofCheck, check_proof, write_proof
from .pages import MOST_PAGE, OnBoard, Page, Pages, digest_of, format_pages, pages_in, read_pages
from .trim import trim_proof

if TYPE_CHECKING:
    from .board_claims import Claim as BoardClaim
    from .compare_formulas import FormulaComparison
    from .tiling_claims import TilingClaim

    Claim = BoardClaim | TilingClaim

_MOST_BYTES = 2**32
_COMMENTS = re.compile(r"(?:c[^\n]*\n)*")


@dataclass(frozen=True, repr=False)
class Verification(HasSummary):
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
    formula: "FormulaComparison | None" = None

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

    def summary(self, *, verbose: bool = False) -> str:
        """Whether the statement of the certificate is proved; with `verbose` also how it was checked."""
        by = f", checked by {', '.join(self.checkers)}" if self.checkers else ""
        said = f"proved{by}" if self.holds else f"NOT proved: {escaped(self.reason)}"
        about = "" if self.holds else "The certificate would have to state: "
        lines = [f"{escaped(self.instance)}: {said}.", f"  {about}{escaped(self.states)}"]
        if verbose and self.holds:
            lines.append(f"  reason           {escaped(self.reason)}")
        if self.formula is not None:
            lines.append(f"  Formula: {self.formula}.")
        return "\n".join(lines)


@dataclass(frozen=True)
class Files:
    """The files of a certificate: the proof at the requested path, the others next to it."""

    proof: Path

    @property
    def formula(self) -> Path:
        return self.proof.with_name(f"{self.proof.name}.cnf")

    @property
    def page(self) -> Path:
        return self.proof.with_name(f"{self.proof.name}.json")

    def check(self) -> None:
        """Raise, before a long search, errors that would prevent writing the files after it.

        Raises InstanceError if one of the files cannot be written.
        """
        if str(self.proof) == "-":
            raise InstanceError(
                "-: a proof is three files and cannot be written to standard output; name the first file"
            )
        if not self.proof.name:
            raise InstanceError(f"proof {str(self.proof)!r}: is a folder; name a file in it")
        if not os.path.isdir(self.proof.parent):
            raise InstanceError(f"{self.proof}: cannot be written: there is no folder {self.proof.parent}")
        for path in self._all:
            refuse_unwritable(path)
            if is_stream(path):
                raise InstanceError(f"{path}: cannot be written: it exists and is not a file")

    def replace_by(self, new: "Files") -> None:
        """Replace these files, all or none, by copies of others.

        Raises InstanceError if they cannot be written.
        """
        _replace_all(zip(self._all, new._all, strict=True))

    @property
    def _all(self) -> tuple[Path, Path, Path]:
        return self.proof, self.formula, self.page


def _replace_all(files: Iterable[tuple[Path, Path]]) -> None:
    """Replace files, all or none, by copies of others; raises InstanceError if they cannot be written."""
    with ExitStack() as written:
        for file, made in files:
            copy = written.enter_context(replacing_bytes(file))
            with made.open("rb") as source:
                shutil.copyfileobj(source, copy)
            # None is replaced before all are on the disk.
            copy.flush()
            os.fsync(copy.fileno())


def join_certificates(made: Sequence[Files], files: Sequence[Files], puzzles: Sequence[EdgeMatchingPuzzle]) -> str:
    """Replace files by the certificates that were made of the same pieces on several boards, with one page for all.

    The page is the first one of `files`.  Returns what it states.  Raises InstanceError if a file cannot be written.
    """
    from .board_claims import read_claim, words_of_all

    pages = [read_text(each.page, MOST_PAGE) for each in made]
    claims = [read_claim(each.page, [text], puzzle)[1] for each, text, puzzle in zip(made, pages, puzzles, strict=True)]
    states = words_of_all(claims, puzzles[0].name)
    boards = (OnBoard(rows=it.puzzle.rows, columns=it.puzzle.columns, left_over=it.left_over) for it in claims)
    page = made[0].page
    page.write_text(format_pages(states, zip(boards, map(json.loads, pages), strict=True)), encoding="utf-8")
    proofs = [(old.proof, new.proof) for old, new in zip(files, made, strict=True)]
    formulas = [(old.formula, new.formula) for old, new in zip(files, made, strict=True)]
    _replace_all([*proofs, *formulas, (files[0].page, page)])
    return states


def certify(claim: "Claim", solver: str, path: str | Path, must_stop: Callable[[], bool]) -> dict[str, object]:
    """Prove a claim, write the certificate, and have the proof checked.

    Returns the record's entry.  If `must_stop` ends the work, or the files cannot be written, it says that the proof is
    missing or not checked.
    """
    try:
        formula = claim.formula(must_stop)
        claim.state(formula)
        with SolverProcess(solver, proof=True) as process:
            process.add(formula.clauses.blocks(), must_stop)
            process.send("solve", formula.deciding)
            answer = process.answer(must_stop)
            if answer is None:
                return no_proof(path)
            if answer is not False:
                raise AssertionError(f"{solver} found a model, but another search had shown that no model exists")
            return write_certificate(formula, claim, process, path, must_stop)
    except StoppedError:
        return no_proof(path)


def write_certificate(
    formula: PuzzleFormula, claim: "Claim", process: SolverProcess, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Write the certificate of a claim whose formula a solver with a proof has refuted, and have it checked.

    Returns what `certify` does.
    """
    files, words = Files(Path(path)), claim.words()
    try:
        with writing(path):
            with temporary_folder() as folder:
                raw = Path(folder, "raw-proof")
                process.send("proof", str(raw))
                lines = process.answer(must_stop)
                if lines is None:
                    return no_proof(path)
                if isinstance(lines, str):
                    raise InstanceError(f"{raw}: cannot be written: {lines}")
                lemmas = trim_proof(formula.clauses.blocks(), raw.read_text(encoding="ascii").splitlines(), must_stop)
            with temporary_folder() as folder:
                new = Files(Path(folder, files.proof.name))
                write_proof(new.proof, lemmas)
                export_cnf(formula, new.formula, claim=words)
                verdict = check_proof(new.formula, new.proof, must_stop)
                if not verdict.accepted and _is_accepted(files.page):
                    return no_proof(path, f"{verdict.reason}; not written: {path} is left as it was")
                _write_page(new, claim, process.name, verdict)
                files.replace_by(new)
    except InstanceError as error:  # what the search has found is not lost
        return no_proof(path, str(error))
    return {
        "file": str(files.proof),
        "format": "drat",
        "checked": verdict.accepted,
        "reason": verdict.reason,
        "checkers": list(verdict.checkers),
        "lemmas": verdict.lemmas,
        "lines_before_trimming": lines,
        "states": words,
    }


def no_proof(path: str | Path, reason: str = "stopped before there was a proof") -> dict[str, object]:
    """The record's entry if no proof was written; by default because the search for it was stopped."""
    return {"file": str(path), "format": "drat", "checked": False, "reason": reason, "checkers": [], "lemmas": 0}


def _is_accepted(page: Path) -> bool:
    """Whether a file is the page of a certificate whose proof was checked and accepted."""
    try:
        return all(each.checked.get("accepted") is True for each in pages_in(read_text(page, MOST_PAGE)))
    except (InstanceError, ValueError):
        return False


def _write_page(files: Files, claim: "Claim", solver: str, verdict: ProofCheck) -> None:
    page: dict[str, Any] = {
        "format": "jigsat-certificate/1",
        "states": claim.words(),
        "instance": claim.puzzle.name,
        "sha256": fingerprint(claim.puzzle),
        "jigsat": version("jigsat"),
        "encoding": str(claim.encoding),
        "symmetry": claim.symmetry,
        **claim.details(),
        "formula": {"file": files.formula.name, "sha256": digest_of(files.formula)},
        "proof": {"file": files.proof.name, "sha256": digest_of(files.proof)},
        "solver": solver,
        "checked": {"accepted": verdict.accepted, "reason": verdict.reason, "by": list(verdict.checkers)},
    }
    with replacing(files.page) as file:
        file.write("{\n" + ",\n".join(_field(name, value) for name, value in page.items()) + "\n}\n")


def _field(name: str, value: Any) -> str:
    """A field of a page; lists have one entry per line."""
    if isinstance(value, list) and value:
        return block(name, [json.dumps(entry) for entry in value])
    return header_lines({name: value})[0].removesuffix(",")


def verify_certificate(path: str | Path, puzzle: Puzzle) -> Verification:
    """Check a certificate: its statement, and whether this is proved.

    The formula is built from the puzzle again and compared, clause by clause; the solutions that it excludes are
    checked; the proof is checked; and the formula is compared with that of a second encoder.

    Raises InstanceError if the file is not a certificate of this puzzle, or one of its files cannot be read.
    """
    if puzzle.kind == "dissection":
        from . import tiling_claims as claims
    else:
        from . import board_claims as claims
    several, parts = read_pages(path)
    if several is not None:
        return _verify_all(path, several, puzzle)
    page, claim = claims.read_claim(path, parts, cast(Any, puzzle))
    check, comparison = _judged(path, page, claim)
    # The statement is about this puzzle, by its name here.
    return Verification(
        puzzle.name,
        claim.words(),
        check.accepted,
        check.reason,
        check.checkers,
        check.lemmas,
        check.seconds,
        comparison,
    )


def _verify_all(path: str | Path, pages: Pages, puzzle: Puzzle) -> Verification:
    """Check a certificate of the same pieces on several boards; the reason is that of the first that is not proved."""
    from .board_claims import read_claims, words_of_all
    from .compare_formulas import FormulaComparison

    if not isinstance(puzzle, EdgeMatchingPuzzle):
        raise InstanceError(f"{path}: the certificate is of another puzzle ({shortened(pages.instance)})")
    read = read_claims(path, pages, puzzle)
    claims = [claim for _, claim in read]
    checks: list[ProofCheck] = []
    formulas: list[FormulaComparison] = []
    if words_of_all(claims, pages.instance) != pages.states:
        checks.append(_not_proved("its statement does not follow from its other fields"))
    for page, claim in () if checks else read:
        check, comparison = _judged(path, page, claim)
        checks.append(check if check.accepted else replace(check, reason=f"{claim.size} board: {check.reason}"))
        formulas += [] if comparison is None else [comparison]
        if not check.accepted:
            break
    holds = all(check.accepted for check in checks)
    return Verification(
        puzzle.name,
        words_of_all(claims, puzzle.name),
        holds,
        checks[-1].reason,
        tuple(dict.fromkeys(by for check in checks for by in check.checkers)),
        sum(check.lemmas for check in checks),
        sum(check.seconds for check in checks),
        FormulaComparison.of_all(formulas) if holds else None,
    )


def _judged(path: str | Path, page: Page, claim: "Claim") -> "tuple[ProofCheck, FormulaComparison | None]":
    """Check the page, compare the formula with that of the claim, built again, and check the proof."""
    wrong = claim.why_wrong() or _why_not_as_written(path, page, claim)
    if wrong is not None:
        return _not_proved(wrong), None
    model = claim.formula()
    number = aside(_left_out, model, claim.excluded)
    if number is not None:
        return _not_proved(f"{claim.listed} {number} is not a model of the formula even if nothing is excluded"), None
    claim.state(model)
    formula, proof = (Path(path).parent / file.file for file in (page.formula, page.proof))
    if not _is_written_as(formula, chain([f"p cnf {model.clauses.top} {len(model.clauses)}\n"], dimacs_lines(model))):
        by = "" if page.jigsat == version("jigsat") else f", which version {page.jigsat} built"
        return _not_proved(f"{formula}: is not the formula of this claim{by}"), None
    check = check_proof(formula, proof)
    comparison = claim.compared(model) if check.accepted else None
    if comparison is not None and comparison.wrong is not None:
        return _not_proved(str(comparison)), None
    return check, comparison


def _why_not_as_written(path: str | Path, page: Page, claim: "Claim") -> str | None:
    """Why the page's statement is not the claim in words, or its files are not those written with it.

    Raises InstanceError if one of them cannot be read.
    """
    if claim.words(page.instance) != page.states:
        return "its statement does not follow from its other fields"
    if not page.is_of(Path(path).parent):
        return "the formula or the proof is not the file that was written with the page"
    return None


def _left_out(formula: PuzzleFormula, solutions: Sequence[Any]) -> int | None:
    """The number (from 1) of a solution that is not a model of the formula even if nothing is excluded."""
    with Solver("cadical195") as solver:
        for clauses in formula.clauses.blocks() if solutions else ():
            solver.append_formula(clauses.tolist(), no_return=True)
        for number, solution in enumerate(solutions, start=1):
            assignments = formula.assignments(solution)
            if not assignments or not all(solver.solve(assumptions=true) for true in assignments):
                return number
    return None


def _not_proved(reason: str) -> ProofCheck:
    """The verdict on a certificate whose proof need not be checked."""
    return ProofCheck(accepted=False, reason=reason, checkers=(), lemmas=0, seconds=0.0)


def _is_written_as(path: Path, parts: Iterable[str]) -> bool:
    """Whether a text file has these parts after its comments, and nothing else."""
    text = read_text(path, _MOST_BYTES)
    comments = _COMMENTS.match(text)
    at = 0 if comments is None else comments.end()
    for part in parts:
        if not text.startswith(part, at):
            return False
        at += len(part)
    return at == len(text)
