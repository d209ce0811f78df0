"""Certificates: that a puzzle has no solution, exactly these ones, or no better score, with a proof that was checked.

A certificate is three files: a formula that has a model if the claim is false, a proof that it has none, and a page
that says what is claimed, of which puzzle, and how the formula was built from it.  Who doubts the claim builds the
formula again, compares it, and has the proof checked by a program of her own choice.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError
from pysat.solvers import Solver

from ..csp.board import Arrangement, Placement
from ..csp.check import check, same_solutions
from ..csp.edge_matching import EdgeMatchingPuzzle
from ..csp.errors import InstanceError, JigsatError, shortened
from ..csp.files import read_text, replacing
from ..csp.instances import board_rows, fingerprint
from ..csp.interrupts import aside
from ..csp.orders import checked_order
from ..csp.slips import checked_slips, format_slips
from .claims import Claim, Formula, Terms, terms_of
from .encodings import BITS, cnf_encoding
from .export import export_cnf
from .jigsaw import no_bits
from .proof import ProofCheck, check_proof, write_proof
from .solver_process import SolverProcess
from .trim import trim_proof

_MOST_BYTES = 2**32


class CertificateFile(BaseModel):
    """The page of a certificate."""

    model_config = ConfigDict(extra="forbid")

    class File(BaseModel):
        """One of the other files: its name in the same folder, and the SHA-256 of its bytes."""

        model_config = ConfigDict(extra="forbid")
        file: StrictStr
        sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]

    format: Literal["jigsat-certificate/1"]
    states: StrictStr
    instance: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    jigsat: StrictStr
    encoding: StrictStr
    symmetry: StrictBool
    slips: StrictStr
    order: StrictStr
    excluded: list[list[list[tuple[StrictInt, StrictInt]]]]
    score: StrictInt | None
    formula: File
    proof: File
    solver: StrictStr
    checked: dict[str, Any]


@dataclass(frozen=True)
class Files:
    """Where the files of a certificate lie: the proof where it was asked for, the others beside it."""

    proof: Path

    @property
    def formula(self) -> Path:
        return self.proof.with_name(f"{self.proof.name}.cnf")

    @property
    def page(self) -> Path:
        return self.proof.with_name(f"{self.proof.name}.json")

    def check(self) -> None:
        """Raise before a long search what would keep the files from being written after it.

        Raises
        ------
        InstanceError
            If the folder is not there, or one of the files is a folder.
        """
        if str(self.proof) == "-":
            raise InstanceError("-: a proof is three files, which standard output cannot take; name the first of them")
        if not self.proof.name:
            raise InstanceError(f"proof {str(self.proof)!r}: is a folder; name a file in it")
        if not self.proof.parent.is_dir():
            raise InstanceError(f"{self.proof}: cannot be written: there is no folder {self.proof.parent}")
        for path in (self.proof, self.formula, self.page):
            if path.exists() and not path.is_file():
                raise InstanceError(f"{path}: cannot be written: it is there, and no file")


def certify(
    terms: Terms, claim: Claim, solver: str, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Prove a claim, write the certificate, and have the proof checked.

    Returns
    -------
    What a record says of it.  If `must_stop` ends it, the proof is not there or not checked, which is said.
    """
    formula = terms.formula()
    claim.state(formula)
    with SolverProcess(solver, proof=True) as process:
        process.add(formula.clauses.blocks())
        process.send("solve", formula.deciding)
        answer = process.answer(must_stop)
        if answer is None:
            return _no_proof(path)
        if answer is not False:
            raise AssertionError(f"{solver} found a model where another search had shown that there is none")
        return certificate(formula, claim, solver, process, path, must_stop)


def certificate(
    formula: Formula,
    claim: Claim,
    solver: str,
    process: SolverProcess,
    path: str | Path,
    must_stop: Callable[[], bool],
) -> dict[str, object]:
    """Write the certificate of a claim whose formula a solver that keeps a proof has refuted, and have it checked.

    Returns what `certify` does.
    """
    files = Files(Path(path))
    states = claim.words(terms_of(formula))
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder, "proof")
        process.send("proof", str(raw))
        lines = process.answer(must_stop)
        if lines is None:
            return _no_proof(path)
        lemmas = trim_proof(list(formula.clauses), raw.read_text(encoding="ascii").splitlines(), must_stop)
    write_proof(files.proof, lemmas)
    export_cnf(formula, files.formula, claim=states)
    verdict = check_proof(files.formula, files.proof, must_stop)
    _write_page(files, formula, claim, solver, verdict)
    return {
        "file": str(files.proof),
        "format": "drat",
        "checked": verdict.accepted,
        "reason": verdict.reason,
        "checkers": list(verdict.checkers),
        "lemmas": verdict.lemmas,
        "lines_before_trimming": lines,
        "states": states,
    }


def _no_proof(path: str | Path) -> dict[str, object]:
    """What a record says where the search for a proof was stopped."""
    reason = "stopped before there was a proof"
    return {"file": str(path), "format": "drat", "checked": False, "reason": reason, "checkers": [], "lemmas": 0}


def verify(path: str | Path, puzzle: EdgeMatchingPuzzle) -> tuple[str, ProofCheck]:
    """Judge a certificate: what it states, and whether that is proved.

    The formula is built from the puzzle again and compared, clause by clause; the solutions that it excludes are
    checked; the proof is checked.

    Raises
    ------
    InstanceError
        If the file is no certificate, or one of another puzzle, or one of its files cannot be read.
    """
    page = _page(path, puzzle)
    claim = Claim(tuple(_board(rows) for rows in page.excluded), page.score)
    terms = _terms(path, page, puzzle)
    # Of the puzzle at hand, by the name that it has here.
    return claim.words(terms), _judged(path, page, claim, terms)


def _terms(path: str | Path, page: CertificateFile, puzzle: EdgeMatchingPuzzle) -> Terms:
    """What the page says of how its formula was built."""
    try:
        slips = checked_slips(puzzle, page.slips or None)
        order = checked_order(puzzle, map(puzzle.board.parse, page.order.split()))
        if page.encoding != BITS:
            cnf_encoding(page.encoding)
        elif not page.symmetry or slips or page.score is not None:
            raise InstanceError(f"encoding {BITS}: is for claims about solutions without slips, symmetries broken")
        elif (reason := no_bits(puzzle)) is not None:
            raise InstanceError(f"encoding {BITS}: {reason}")
    except JigsatError as error:
        raise InstanceError(f"{path}: {error}") from error
    return Terms(puzzle, page.encoding, order, slips, page.symmetry)


def _judged(path: str | Path, page: CertificateFile, claim: Claim, terms: Terms) -> ProofCheck:
    """Judge what the page lists and states, compare the formula with the claim's, built anew, and check the proof."""
    if page.score is not None and (page.excluded or not terms.slips):
        return _not_proved("a claim about scores excludes no boards and allows invalid joins")
    wrong = _wrong_boards(path, claim, terms)
    if wrong is not None:
        return _not_proved(wrong)
    if claim.words(terms, page.instance) != page.states:
        return _not_proved("it states what does not follow from the rest of it")
    if any(_digest(Path(path).parent / file.file) != file.sha256 for file in (page.formula, page.proof)):
        return _not_proved("the formula or the proof is not the file that was written with the page")
    model = terms.formula()
    left_out = aside(_left_out, model, claim.excluded)
    if left_out is not None:
        return _not_proved(f"excluded board {left_out} is no model of the formula, whatever is excluded")
    claim.state(model)
    formula, proof = (Path(path).parent / file.file for file in (page.formula, page.proof))
    lines = (line for line in read_text(formula, _MOST_BYTES).splitlines() if not line.startswith("c"))
    if any(own != given for own, given in zip_longest(_dimacs(model), lines)):
        by = "" if page.jigsat == version("jigsat") else f", which version {page.jigsat} built"
        return _not_proved(f"{formula}: is not the formula of this claim{by}")
    return check_proof(formula, proof)


def _wrong_boards(path: str | Path, claim: Claim, terms: Terms) -> str | None:
    """Why the boards that are excluded are not so many solutions; None if they are."""
    puzzle = terms.puzzle
    for number, board in enumerate(claim.excluded, start=1):
        if len(board) != len(puzzle.board):
            raise InstanceError(f"{path}: excluded board {number} has {len(board)} of {len(puzzle.board)} squares")
        verdict = check(puzzle, board, terms.slips, terms.order)
        if not verdict.is_solution:
            return f"excluded board {number} is no solution: {verdict.problems[0]}"
    same = same_solutions(puzzle, claim.excluded, symmetry=terms.symmetry, turnable=terms.turnable)
    return None if same is None else f"excluded boards {same[0] + 1} and {same[1] + 1} are the same solution"


def _left_out(formula: Formula, boards: Sequence[Arrangement]) -> int | None:
    """The number (from 1) of a solution that a formula would not have even if nothing were excluded."""
    with Solver("cadical195", bootstrap_with=list(formula.clauses) if boards else None) as solver:
        for number, board in enumerate(boards, start=1):
            assignments = formula.assignments(board)
            if not assignments or not all(solver.solve(assumptions=true) for true in assignments):
                return number
    return None


def _not_proved(reason: str) -> ProofCheck:
    return ProofCheck(accepted=False, reason=reason, checkers=(), lemmas=0, seconds=0.0)


def _page(path: str | Path, puzzle: EdgeMatchingPuzzle) -> CertificateFile:
    try:
        page = CertificateFile.model_validate_json(read_text(path, _MOST_BYTES))
    except ValidationError as error:
        first = error.errors()[0]
        place = [shortened(".".join(map(str, first["loc"])))] if first["loc"] else []
        raise InstanceError(": ".join([f"{path}: not a certificate", *place, first["msg"]])) from error
    if page.sha256 != fingerprint(puzzle):
        raise InstanceError(f"{path}: sha256: the certificate is of another puzzle ({shortened(page.instance)})")
    if any(Path(file.file).name != file.file or "\0" in file.file for file in (page.formula, page.proof)):
        raise InstanceError(f"{path}: the formula and the proof must lie in the same folder")
    return page


def _rows(board: Arrangement, columns: int) -> list[list[tuple[int, int]]]:
    return [[(square[0], square[1]) for square in row if square] for row in board_rows(board, columns)]


def _board(rows: Sequence[Sequence[tuple[int, int]]]) -> Arrangement:
    return tuple(Placement(piece - 1, rotation) for row in rows for piece, rotation in row)


def _dimacs(model: Formula) -> Iterator[str]:
    """The formula in the DIMACS format, without comments."""
    yield f"p cnf {model.clauses.top} {len(model.clauses)}"
    for clause in model.clauses:
        yield " ".join(map(str, [*clause, 0]))


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error


def _write_page(files: Files, formula: Formula, claim: Claim, solver: str, verdict: ProofCheck) -> None:
    terms = terms_of(formula)
    puzzle = terms.puzzle
    page = CertificateFile(
        format="jigsat-certificate/1",
        states=claim.words(terms),
        instance=puzzle.name,
        sha256=fingerprint(puzzle),
        jigsat=version("jigsat"),
        encoding=terms.encoding,
        symmetry=terms.symmetry,
        slips=format_slips(terms.slips),
        order=" ".join(map(puzzle.board.name, terms.order)),
        excluded=[_rows(board, puzzle.columns) for board in claim.excluded],
        score=claim.score,
        formula=CertificateFile.File(file=files.formula.name, sha256=_digest(files.formula)),
        proof=CertificateFile.File(file=files.proof.name, sha256=_digest(files.proof)),
        solver=solver,
        checked={"accepted": verdict.accepted, "reason": verdict.reason, "by": list(verdict.checkers)},
    )
    with replacing(files.page) as file:
        file.write(json.dumps(page.model_dump(), ensure_ascii=False, indent=1) + "\n")
