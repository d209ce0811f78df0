"""The three files of every certificate; one of them is a proof that a formula has no model.

To verify a certificate, build the formula again, compare it, and check the proof with any proof checker.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError
from pysat.solvers import Solver

from ...csp.base.errors import InstanceError, shortened
from ...csp.base.safe_files import (
    is_stream,
    read_text,
    refuse_unwritable,
    replacing,
    replacing_bytes,
    temporary_folder,
    text_parts,
    writing,
)
from ...csp.base.stop import StoppedError
from ...csp.base.strict_json import block, header_lines
from ...csp.files.instances import Puzzle, files_of, fingerprint
from ...csp.files.streams import JsonList
from ..base.formula import Formula, clause_blocks
from ..base.solver_process import SolverProcess
from ..squares.export import export_cnf
from .check_proof import ProofCheck, check_proof, write_proof
from .definition.formula_comparison import FormulaComparison
from .trim import trim_proof

_MOST_BYTES, _MOST_PAGE = 2**32, 2**28
_COMMENTS = re.compile(r"(?:c[^\n]*\n)*")


class Page(BaseModel):
    """The common fields of the pages of all certificates."""

    model_config = ConfigDict(extra="ignore")

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
    formula: File
    proof: File
    solver: StrictStr
    checked: dict[str, Any]


_Page = TypeVar("_Page", bound=Page)


@dataclass(frozen=True)
class Statement:
    """The statement of a certificate."""

    #: What it is about.
    puzzle: Puzzle
    #: The claim in plain words.
    words: str
    #: How the formula was built, and whether symmetries were broken.
    encoding: str
    symmetry: bool
    #: The fields of the page in addition to those of `Page`.
    details: Mapping[str, Any]


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
        with ExitStack() as written:
            for file, made in zip(self._all, new._all, strict=True):
                copy = written.enter_context(replacing_bytes(file))
                with made.open("rb") as source:
                    shutil.copyfileobj(source, copy)
                # None is replaced before all are on the disk.
                copy.flush()
                os.fsync(copy.fileno())

    @property
    def _all(self) -> tuple[Path, Path, Path]:
        return self.proof, self.formula, self.page


def prove(
    formula: Formula, statement: Statement, solver: str, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Prove that a formula has no model, write the certificate, and have the proof checked.

    Returns
    -------
    The record's entry.  If `must_stop` ends the work, or the files cannot be written, it says that the proof is missing
    or not checked.
    """
    with SolverProcess(solver, proof=True) as process:
        try:
            process.add(formula.clauses.blocks(), must_stop)
        except StoppedError:
            return no_proof(path)
        process.send("solve", formula.deciding)
        answer = process.answer(must_stop)
        if answer is None:
            return no_proof(path)
        if answer is not False:
            raise AssertionError(f"{solver} found a model, but another search had shown that no model exists")
        return write_certificate(formula, statement, process, path, must_stop)


def write_certificate(
    formula: Formula, statement: Statement, process: SolverProcess, path: str | Path, must_stop: Callable[[], bool]
) -> dict[str, object]:
    """Write the certificate of a formula that a solver with a proof has refuted, and have it checked.

    Returns what `prove` does.
    """
    files = Files(Path(path))
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
                export_cnf(formula, new.formula, claim=statement.words)
                verdict = check_proof(new.formula, new.proof, must_stop)
                if not verdict.accepted and _is_accepted(files.page):
                    return no_proof(path, f"{verdict.reason}; not written: {path} is left as it was")
                _write_page(new, statement, process.name, verdict)
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
        "states": statement.words,
    }


def no_proof(path: str | Path, reason: str = "stopped before there was a proof") -> dict[str, object]:
    """The record's entry if no proof was written; by default because the search for it was stopped."""
    return {"file": str(path), "format": "drat", "checked": False, "reason": reason, "checkers": [], "lemmas": 0}


def _is_accepted(page: Path) -> bool:
    """Whether a file is the page of a certificate whose proof was checked and accepted."""
    try:
        return Page.model_validate_json(read_text(page, _MOST_PAGE)).checked.get("accepted") is True
    except (InstanceError, ValidationError):
        return False


def _write_page(files: Files, statement: Statement, solver: str, verdict: ProofCheck) -> None:
    page: dict[str, Any] = {
        "format": "jigsat-certificate/1",
        "states": statement.words,
        "instance": statement.puzzle.name,
        "sha256": fingerprint(statement.puzzle),
        "jigsat": version("jigsat"),
        "encoding": statement.encoding,
        "symmetry": statement.symmetry,
        **statement.details,
        "formula": {"file": files.formula.name, "sha256": _digest(files.formula)},
        "proof": {"file": files.proof.name, "sha256": _digest(files.proof)},
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


def read_page(
    path: str | Path, puzzle: Puzzle, schema: type[_Page], name: str, read: Callable[[Any, int], Any]
) -> _Page:
    """The page of a certificate of this puzzle.

    - `path`: the file.
    - `schema`: the fields of the page.
    - `name`: the field with the list of solutions.
    - `read`: a function that reads one of them, given its number.

    Raises InstanceError if the file is not a certificate, or is for another puzzle.
    """
    listed = JsonList(
        text_parts(path, _MOST_PAGE), f"{path}: not a certificate", name, files_of(puzzle.kind).most_of_entry(puzzle)
    )
    solutions: list[Any] = []
    place: tuple[int | str, ...] = ()
    try:
        for number, (entry, _) in enumerate(listed.entries(), start=1):
            if number == 1:
                _refuse_other(path, puzzle, listed.fields)
            place = name, number - 1
            solutions.append(read(entry, number))
        place = ()
        _refuse_other(path, puzzle, listed.fields)
        page = schema.model_validate({**listed.fields, name: solutions} if name in listed.fields else listed.fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = [shortened(".".join(map(str, (*place, *first["loc"]))))] if place or first["loc"] else []
        raise InstanceError(": ".join([f"{path}: not a certificate", *where, first["msg"]])) from error
    if any(Path(file.file).name != file.file or "\0" in file.file for file in (page.formula, page.proof)):
        raise InstanceError(f"{path}: the formula and the proof must be in the same folder")
    return page


def _refuse_other(path: str | Path, puzzle: Puzzle, fields: Mapping[str, Any]) -> None:
    """Refuse fields, perhaps not all, that are not of a certificate of this puzzle."""
    try:
        Page.model_validate(fields)
    except ValidationError as error:
        if any(fault["type"] != "missing" for fault in error.errors()):
            raise
    if fields.get("sha256", fingerprint(puzzle)) != fingerprint(puzzle):
        other = shortened(str(fields.get("instance")))
        raise InstanceError(f"{path}: sha256: the certificate is of another puzzle ({other})")


def why_not_as_written(path: str | Path, page: Page, words: str) -> str | None:
    """Why the page's statement differs from these words, or its files are not, byte for byte, those written with it.

    Raises InstanceError if one of them cannot be read.
    """
    if words != page.states:
        return "its statement does not follow from its other fields"
    if any(_digest(Path(path).parent / file.file) != file.sha256 for file in (page.formula, page.proof)):
        return "the formula or the proof is not the file that was written with the page"
    return None


def left_out(formula: Formula, solutions: Sequence[Any]) -> int | None:
    """The number (from 1) of a solution that is not a model of the formula even if nothing is excluded."""
    with Solver("cadical195") as solver:
        for clauses in formula.clauses.blocks() if solutions else ():
            solver.append_formula(clauses.tolist(), no_return=True)
        for number, solution in enumerate(solutions, start=1):
            assignments = formula.assignments(solution)
            if not assignments or not all(solver.solve(assumptions=true) for true in assignments):
                return number
    return None


def check_files(path: str | Path, page: Page, model: Formula) -> ProofCheck:
    """Compare the formula, clause by clause, with one that was built again, and check the proof."""
    formula, proof = (Path(path).parent / file.file for file in (page.formula, page.proof))
    if not _is_written_as(formula, _dimacs(model)):
        by = "" if page.jigsat == version("jigsat") else f", which version {page.jigsat} built"
        return not_proved(f"{formula}: is not the formula of this claim{by}")
    return check_proof(formula, proof)


def compared(verdict: ProofCheck, compare: Callable[[], FormulaComparison]) -> ProofCheck:
    """A verdict on a proof, and on whether its formula follows from the definition, if the proof is accepted."""
    if not verdict.accepted:
        return verdict
    comparison = compare()
    if comparison.wrong is not None:
        return not_proved(str(comparison))
    return replace(verdict, formula=comparison)


def not_proved(reason: str) -> ProofCheck:
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


def _dimacs(model: Formula) -> Iterator[str]:
    """The formula in the DIMACS format, without comments."""
    yield f"p cnf {model.clauses.top} {len(model.clauses)}\n"
    for clauses in clause_blocks(model):
        yield ("%d " * clauses.shape[1] + "0\n") * len(clauses) % tuple(clauses.ravel().tolist())


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error
