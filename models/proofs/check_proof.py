"""Writes proofs of unsatisfiability, and has them checked by independent programs.

A proof in the DRAT format is a list of lemmas, clauses that may be added to the formula because it cannot become
unsatisfiable by them, and of deletions; the last lemma is the empty clause.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ...csp.base.errors import shortened
from ...csp.base.safe_files import escaped, read_text, replacing, temporary_folder
from ...csp.base.stopping import never
from .definition.formula_comparison import FormulaComparison

_T = TypeVar("_T")
_MOST_BYTES = 2**32
_STEPS_UNASKED, _LINES_UNASKED = 50, 1000
_WAIT_SECONDS = 0.1
_MOST_VARIABLES = 2**22  # the checker takes 250 bytes for each
# What other readers let pass (a clause without its 0, +1, 1_000, other digits, comments) is refused.
_CLAUSE = re.compile(r"[ \t]*(?:-?[1-9][0-9]{0,8}[ \t]+)*0[ \t\r]*")
_STEP = re.compile(rf"(?:d[ \t])?{_CLAUSE.pattern}")
_HEADER = re.compile(r"p[ \t]+cnf[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t\r]*")


@dataclass(frozen=True)
class ProofCheck:
    """The result of checking a proof.

    Parameters
    ----------
    accepted
        Whether every checker that ran accepts it.
    reason
        Why, in one line.
    checkers
        Those that ran.
    lemmas
        The number of lemmas in the proof, including the empty clause.
    seconds
        How long it took.
    formula
        How the formula compares with the definition of a claim; None if it was not compared.
    """

    accepted: bool
    reason: str
    checkers: tuple[str, ...]
    lemmas: int
    seconds: float
    formula: FormulaComparison | None = None


class _Rejected(Exception):  # noqa: N818 - a verdict, which `check_proof` turns into its answer
    """Why a formula or a proof is not accepted."""


class _Stopped(_Rejected):
    """The check was stopped before its end."""

    def __init__(self) -> None:
        super().__init__("stopped before the check was complete")


def write_proof(path: str | Path, lines: Iterable[str]) -> None:
    """Write a textual DRAT proof; each line ends with 0, deletions start with ``d``.

    Raises
    ------
    InstanceError
        If it cannot be written.
    """
    with replacing(path) as file:
        file.writelines(f"{line}\n" for line in lines)


def check_proof(cnf_path: str | Path, proof_path: str | Path, must_stop: Callable[[], bool] = never) -> ProofCheck:
    """Whether a proof shows that a formula is unsatisfiable.

    It is checked by dratify, and by drat-trim as well where that is installed.  Both files are read strictly: a header
    that says what is there, one clause a line, nothing after its 0.

    Parameters
    ----------
    cnf_path
        The formula, in the DIMACS format.
    proof_path
        The proof, in the textual DRAT format.
    must_stop
        Is called often; returns whether to give up.  A proof that is not checked completely is not accepted.

    Raises
    ------
    InstanceError
        If a file cannot be read.
    """
    begun = time.monotonic()
    checkers: list[str] = []
    lemmas = 0
    lines = _lines(proof_path)
    try:
        variables, clauses = _formula(_lines(cnf_path), str(cnf_path), must_stop)
        lemmas = _checked_form(lines, str(proof_path), must_stop)
        reason = _by_dratify(variables, clauses, lines, checkers, must_stop)
        program = shutil.which("drat-trim")
        if program is not None:
            _by_drat_trim(program, variables, clauses, lines, checkers, must_stop)
        accepted = True
    except _Stopped as stopped:
        accepted, reason = False, str(stopped)
        lemmas = sum(not line.startswith("d") for line in lines)
    except _Rejected as rejection:
        accepted, reason = False, str(rejection)
    return ProofCheck(accepted, reason, tuple(checkers), lemmas, time.monotonic() - begun)


def _lines(path: str | Path) -> list[str]:
    lines = read_text(path, _MOST_BYTES).split("\n")
    return lines if lines[-1] else lines[:-1]


def _unless_stopped(items: Iterable[_T], must_stop: Callable[[], bool]) -> Iterator[_T]:
    for number, item in enumerate(items):
        if number % _LINES_UNASKED == 0 and must_stop():
            raise _Stopped
        yield item


def _formula(lines: list[str], name: str, must_stop: Callable[[], bool]) -> tuple[int, list[list[int]]]:
    """The number of variables and the clauses."""
    header = None
    clauses: list[list[int]] = []
    for number, line in enumerate(_unless_stopped(lines, must_stop), start=1):
        if line.startswith("c") or not line.strip():
            continue
        if header is None:
            header = _HEADER.fullmatch(line)
            if header is None:
                raise _Rejected(f"{name}: line {number}: expected `p cnf VARIABLES CLAUSES`, found {_shown(line)}")
        elif not _CLAUSE.fullmatch(line):
            raise _Rejected(f"{name}: line {number}: not a clause that ends with 0: {_shown(line)}")
        else:
            clauses.append(_literals(line))
    if header is None:
        raise _Rejected(f"{name}: no line `p cnf VARIABLES CLAUSES`")
    variables, announced = (int(n) for n in header.groups())
    if variables > _MOST_VARIABLES:
        raise _Rejected(f"{name}: {variables} variables, more than the {_MOST_VARIABLES} that can be checked")
    if announced != len(clauses):
        raise _Rejected(f"{name}: the header announces {announced} clauses, there are {len(clauses)}")
    greatest = max((abs(literal) for clause in clauses for literal in clause), default=0)
    if greatest > variables:
        raise _Rejected(f"{name}: the header announces {variables} variables, there is a variable {greatest}")
    return variables, clauses


def _checked_form(lines: Sequence[str], name: str, must_stop: Callable[[], bool]) -> int:
    """The number of lemmas of what looks like a proof from its first to its last line."""
    lemmas = 0
    ends = False
    for number, line in enumerate(_unless_stopped(lines, must_stop), start=1):
        if not _STEP.fullmatch(line):
            raise _Rejected(f"{name}: line {number}: not a clause that ends with 0: {_shown(line)}")
        literals = _literals(line)
        if any(abs(literal) > _MOST_VARIABLES for literal in literals):
            raise _Rejected(f"{name}: line {number}: a variable greater than {_MOST_VARIABLES}")
        if not line.startswith("d"):
            lemmas += 1
            ends = ends or not literals
    if not ends:
        raise _Rejected(f"{name}: the empty clause is not derived")
    return lemmas


def _literals(line: str) -> list[int]:
    return [int(word) for word in line.removeprefix("d").split()[:-1]]


def _shown(line: str) -> str:
    return shortened(escaped(line.strip())) or "an empty line"


def _by_dratify(
    variables: int, clauses: list[list[int]], lines: Sequence[str], checkers: list[str], must_stop: Callable[[], bool]
) -> str:
    import dratify

    formula = dratify.CNF(variables)
    for clause in _unless_stopped(clauses, must_stop):
        formula.add_dimacs(clause)

    def steps() -> Iterator[tuple[str, tuple[int, ...]]]:
        for number, line in enumerate(lines):
            if number % _STEPS_UNASKED == 0 and must_stop():
                raise _Stopped
            kind = "d" if line.startswith("d") else "a"
            yield kind, tuple(dratify.from_dimacs(literal) for literal in _literals(line))

    checkers.append(f"dratify {dratify.__version__}")
    # A deleted clause may have made a literal true, which dratify keeps true.  This does no harm to lemmas that are
    # RUP, because they follow from the formula regardless of deletions.  But a lemma against that literal would pass as
    # RAT, and then contradict it: `-2 0` after `d -1 2 0`, where the formula is 1 and -1 2.  So if there are lemmas
    # that are RAT only, nothing is deleted.
    if dratify.DRATChecker(formula, check_rat=False).check(steps()).ok:
        return "every lemma is RUP, the last one is empty"
    result = dratify.DRATChecker(formula, apply_deletions=False).check(steps())
    if not result.ok:
        raise _Rejected(f"dratify: the lemma of line {result.failed_step} is neither RUP nor RAT")
    return f"every lemma is RUP, or RAT with no clause deleted ({result.rat_steps} of them); the last one is empty"


def _by_drat_trim(
    program: str,
    variables: int,
    clauses: list[list[int]],
    lines: Sequence[str],
    checkers: list[str],
    must_stop: Callable[[], bool],
) -> None:
    """Raises if drat-trim does not accept; it is given copies without comments, so that it reads what was read here."""
    with temporary_folder() as folder:
        cnf, proof = Path(folder, "formula.cnf"), Path(folder, "proof.drat")
        with replacing(cnf) as file:
            file.write(f"p cnf {variables} {len(clauses)}\n")
            file.writelines(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
        write_proof(proof, (line.strip() for line in lines))
        code, said = _said_by([program, str(cnf), str(proof)], must_stop)
    checkers.append("drat-trim")
    verdicts = [line.strip() for line in said.splitlines() if line.startswith("s ")]
    if verdicts != ["s VERIFIED"]:
        raise _Rejected(f"drat-trim: {_shown(verdicts[0]) if verdicts else f'no verdict, exit {code}'}")


def _said_by(command: list[str], must_stop: Callable[[], bool]) -> tuple[int, str]:
    """Exit status and output of drat-trim, which does not notice a Ctrl-C that is meant for this process."""
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace", process_group=0
        )
    except OSError as error:
        raise _Rejected(f"drat-trim: cannot be run: {error.strerror}") from error
    with process:
        while True:
            try:
                said, _ = process.communicate(timeout=_WAIT_SECONDS)
                return process.returncode, said
            except subprocess.TimeoutExpired:
                if must_stop():
                    process.kill()
                    raise _Stopped from None
