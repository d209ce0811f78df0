"""Writes proofs of unsatisfiability, and has them checked by independent programs.

A proof in the DRAT format is a list of lemmas, clauses that may be added to the formula because it cannot become
unsatisfiable by them, and of deletions; the last lemma is the empty clause.
"""

import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import InstanceError, escaped, shortened
from ...csp.base.safe_files import (
    UNREADABLE,
    first_bytes,
    open_unpacked,
    replacing,
    temporary_folder,
    text_parts,
    unreadable,
)
from ...csp.base.stop import StoppedError, never

_MOST_BYTES = 2**32
# What no honest file has: longer lines, more lemmas (they would take hours), more literals (they take 4 bytes each),
# more comments and empty lines, and more deletions than these and two for each clause.
_LONGEST_LINE, _MOST_LEMMAS, _MOST_LITERALS, _MOST_COMMENTS, _FREE_DELETIONS = 2**22, 2**22, 2**28, 2**20, 1000
# The first bytes of a proof show whether it is binary: no clause is as long.
_MOST_START = 2**20
_STEPS_UNASKED, _LINES_UNASKED = 50, 1000
_WAIT_SECONDS = 0.1
_MOST_VARIABLES = 2**22  # the checker takes 250 bytes for each
_HEADER = re.compile(r"p[ \t]+cnf[ \t]+([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t\r]*")
# The comments and empty lines before it.
_LEAD = re.compile(r"(?:c[^\n]*(?:\n|\Z)|[^\S\n]*\n|[^\S\n]+\Z)*")
# Of a literal in the binary form: its bytes, and the greatest variable.
_MOST_BYTES_OF_LITERAL, _GREATEST = 5, 999_999_999
# The number of bytes that are read at a time, and of clauses that become lists.
_BLOCK, _LISTED = 2**20, 10_000
# What other readers let pass (a clause without its 0, +1, 1_000, other digits, comments) is refused.
_LITERAL = "-?[1-9][0-9]{0,8}"
_CLAUSE = rf"[ \t]*(?:{_LITERAL}[ \t]+)*0[ \t\r]*"
_FORMS = {False: re.compile(_CLAUSE), True: re.compile(rf"(?:d[ \t])?{_CLAUSE}")}
# No possessive quantifiers: before Python 3.11.5 some match what they must not.
_PLAIN = {is_proof: re.compile(rf"{lead}(?:{_LITERAL} )*0\n") for is_proof, lead in ((False, ""), (True, "(?:d )?"))}
_EMPTY_CLAUSE = re.compile(r"^[ \t]*0[ \t\r]*$", re.MULTILINE)
_LRAT_CHECKERS, _ACCEPTED = ("cake_lpr", "lrat-trim"), {"s VERIFIED", "s VERIFIED UNSAT"}
_EACH_IS_RUP = "every lemma is RUP, the last one is empty"


# Clauses are read in bulk.  Blocks of lines in the form that most programs write are checked by one regular expression
# and become an array of numbers at once; other lines are checked one by one.


class ClauseLines(NamedTuple):
    """Clauses in the order of their lines."""

    #: The literals of all clauses, with a 0 after each clause.
    numbers: NDArray[np.int32]
    #: The position of each clause's 0.
    ends: NDArray[np.int64]
    #: Whether each line deletes its clause.
    deletes: NDArray[np.bool_]

    def lists(self, which: Sequence[int] | NDArray[np.integer]) -> Iterator[list[int]]:
        """The literals of these clauses."""
        sizes = self.sizes
        for first in range(0, len(which), _LISTED):
            some = np.asarray(which[first : first + _LISTED], np.int64)
            ends = self.ends[some]
            for start, end in zip((ends - sizes[some]).tolist(), ends.tolist(), strict=True):
                yield self.numbers[start:end].tolist()

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of literals of each clause."""
        return np.diff(self.ends, prepend=-1) - 1


class NoClauseError(ValueError):
    """A line that is not a clause, and why; its number counts from 1."""

    def __init__(self, number: int, line: str, why: str = "not a clause that ends with 0:") -> None:
        super().__init__(number, line)
        self.number, self.line, self.why = number, line, why


def joined(parts: Iterable[ClauseLines]) -> ClauseLines:
    """The clauses of all parts."""
    numbers, deletes = [np.zeros(0, np.int32)], [np.zeros(0, np.bool_)]
    for part in parts:
        numbers.append(part.numbers)
        deletes.append(part.deletes)
    together = np.concatenate(numbers)
    return ClauseLines(together, np.flatnonzero(together == 0), np.concatenate(deletes))


def whole_lines(parts: Iterable[str]) -> Iterator[str]:
    """A text in parts that end where lines end.

    Raises NoClauseError if a line is longer than that of any clause.
    """
    before, begun, size = 0, [], 0
    for part in parts:
        end = part.rfind("\n") + 1
        if end:
            block = "".join([*begun, part[:end]])
            yield block
            before += block.count("\n")
            begun, size = [], 0
        begun.append(part[end:])
        size += len(part) - end
        if size > _LONGEST_LINE:
            raise NoClauseError(before + 1, "".join(begun), f"has more than {_LONGEST_LINE} characters:")
    if size:
        yield "".join(begun)


def read_clause_lines(
    blocks: Iterable[str], must_stop: Callable[[], bool], *, is_proof: bool, before: int = 0
) -> Iterator[ClauseLines]:
    """The clauses of a text, one a line; a proof ends with its first empty clause, and no more is read.

    - `blocks`: the text, in parts that end where lines end; `before` is the number of lines before it.
    - `is_proof`: whether lines may begin with ``d``, and may not be comments or empty.

    Raises NoClauseError if a line is something else. Raises StoppedError if `must_stop` asks to stop.

    Examples
    --------
    >>> joined(read_clause_lines(["d 1 -2 0\\n3 0\\n"], lambda: False, is_proof=True)).numbers.tolist()
    [1, -2, 0, 3, 0]
    """
    comments = 0
    for block in blocks:
        if must_stop():
            raise StoppedError
        last = _EMPTY_CLAUSE.search(block) if is_proof else None
        lines = block if last is None else block[: last.end() + 1]
        # Without all plain lines, nothing is left of a block of them.
        plain = lines
        if _PLAIN[is_proof].sub("", lines):
            plain = _plain(lines, before, is_proof=is_proof)
            comments += lines.count("\n") - plain.count("\n")
            if comments > _MOST_COMMENTS:
                raise NoClauseError(before + 1, lines, f"after more than {_MOST_COMMENTS} comments and empty lines:")
        if plain:
            letters = np.frombuffer(plain.encode("ascii"), np.uint8)
            firsts = np.concatenate([[0], np.flatnonzero(letters == ord("\n"))[:-1] + 1])
            numbers = np.fromstring(plain.replace("d", " "), np.int32, sep=" ")
            yield ClauseLines(numbers, np.flatnonzero(numbers == 0), letters[firsts] == ord("d"))
        if last is not None:
            return
        before += block.count("\n")


def is_binary(proof: bytes) -> bool:
    """Whether a proof is in the binary form of DRAT; lines of text have no zero bytes."""
    return proof[:1] in (b"a", b"d") and b"\0" in proof


def kind_of(source: str | Path) -> str | None:
    """``"formula"`` or ``"proof"`` if a file looks like one; a table of boards has no line of a proof with a -."""
    if not Path(source).is_file():
        return None
    start = first_bytes(source, _MOST_START)
    if is_binary(start):
        return "proof"
    text = start.decode("utf-8", "replace")
    if _HEADER.match(text, lead.end() if (lead := _LEAD.match(text)) else 0):
        return "formula"
    lines = text.splitlines()[:-1] or [text]
    is_proof = all(map(_FORMS[True].fullmatch, lines)) and any(re.search("[d-]", line) for line in lines)
    return "proof" if is_proof or text.strip() == "0" else None


def read_binary_clauses(proof: bytes) -> ClauseLines:
    """The clauses of a proof in the binary form of DRAT.

    Each is the letter a or d, its literals, and 0.  The literals v and -v are the numbers 2v and 2v + 1, in bytes of
    seven bits, the least first; all but the last byte of a number have an eighth bit.

    Raises NoClauseError if it is something else; its number is that of the clause.

    Examples
    --------
    >>> read_binary_clauses(b"d\\x02\\x05\\0a\\x06\\0").numbers.tolist()
    [1, -2, 0, 3, 0]
    """
    parts = np.frombuffer(proof, np.uint8)
    last = np.flatnonzero(parts < 0x80)
    sizes = np.diff(last, prepend=-1)
    if not len(last) or last[-1] != len(parts) - 1 or parts[-1] or sizes.max() > _MOST_BYTES_OF_LITERAL:
        raise NoClauseError(int((parts == 0).sum()) + 1, "a clause that is cut short")
    padded = last[(parts[last] == 0) & (sizes > 1)]
    if len(padded):
        raise NoClauseError(int((parts[: padded[0]] == 0).sum()) + 1, "no clause of binary DRAT")
    # The number of a byte within its number, from 0.
    within = np.arange(len(parts)) - np.repeat(last - sizes + 1, sizes)
    values = np.add.reduceat((parts & 0x7F).astype(np.int64) << 7 * within, last - sizes + 1)
    ends = np.flatnonzero(values == 0)
    letters = np.concatenate([[0], ends[:-1] + 1])
    literals = np.delete(values, letters)
    clauses = np.delete(np.searchsorted(ends, np.arange(len(values))), letters)
    wrong = np.flatnonzero((values[letters] != ord("a")) & (values[letters] != ord("d")))
    bad = clauses[(literals == 1) | (literals >> 1 > _GREATEST)]
    if len(wrong) or len(bad):
        raise NoClauseError(int(min([*wrong[:1], *bad[:1]])) + 1, "no clause of binary DRAT")
    numbers = np.where(literals & 1, -(literals >> 1), literals >> 1).astype(np.int32)
    return ClauseLines(numbers, np.flatnonzero(numbers == 0), values[letters] == ord("d"))


def _binary_clauses(path: str | Path, must_stop: Callable[[], bool]) -> Iterator[ClauseLines]:
    """The clauses of a file in the binary form of DRAT up to the first empty one, in parts.

    Raises _Rejected if it has something else, and InstanceError if it cannot be read.
    """
    before, begun = 0, b""
    try:
        with open_unpacked(path) as file:
            while data := file.read(_BLOCK):
                if must_stop():
                    raise StoppedError
                data = begun + data
                # A 0 ends a clause, wherever it is; so this one is empty, and ends at a place of at least 2.
                end = (b"\0" + data).find(b"\0a\0") + 2
                is_over = end > 1
                end = end if is_over else data.rfind(b"\0") + 1
                begun = data[end:]
                if end:
                    part = read_binary_clauses(data[:end])
                    yield part
                    before += len(part.ends)
                if is_over:
                    return
                if len(begun) > _LONGEST_LINE:
                    break
        if begun:
            raise NoClauseError(1, "a clause that is cut short, or too long")
    except NoClauseError as error:
        raise _Rejected(f"{path}: clause {before + error.number}: {error.line}") from error
    except UNREADABLE as error:
        raise unreadable(path, error) from error


def _plain(block: str, before: int, *, is_proof: bool) -> str:
    """Lines, of which there are some more before, in the usual form; comments and empty lines are left out."""
    found = []
    for number, line in enumerate(block.removesuffix("\n").split("\n"), start=before + 1):
        if is_proof or not (line.startswith("c") or not line.strip()):
            if not _FORMS[is_proof].fullmatch(line):
                raise NoClauseError(number, line)
            found.append(" ".join(line.split()) + "\n")
    return "".join(found)


@dataclass(frozen=True)
class ProofCheck:
    """The result of checking a proof."""

    #: Whether every checker that ran accepts it.
    accepted: bool
    #: Why, in one line.
    reason: str
    #: Those that ran.
    checkers: tuple[str, ...]
    #: The number of lemmas in the proof, including the empty clause; 0 if it was not read to that.
    lemmas: int
    #: How long it took.
    seconds: float


class _Rejected(Exception):  # noqa: N818 - a verdict, which `check_proof` turns into its answer
    """Why a formula or a proof is not accepted."""


def write_proof(path: str | Path, lines: Iterable[str]) -> None:
    """Write a textual DRAT proof; each line ends with 0, deletions start with ``d``.

    Raises InstanceError if it cannot be written.
    """
    with replacing(path) as file:
        file.writelines(f"{line}\n" for line in lines)


def check_proof(cnf_path: str | Path, proof_path: str | Path, must_stop: Callable[[], bool] = never) -> ProofCheck:
    """Whether a proof shows that a formula is unsatisfiable.

    It is checked by dratify, and by drat-trim as well where that is installed.  Both files are read strictly: a header
    that says what is there, one clause a line, nothing after its 0.

    - `cnf_path`: the formula, in the DIMACS format.
    - `proof_path`: the proof, in the textual or the binary DRAT format; it may be packed by gzip, as the formula may.
    - `must_stop`: is called often; returns whether to give up.  A proof that is not checked completely is not accepted.

    Raises InstanceError if a file cannot be read.
    """
    begun = time.monotonic()
    checkers: list[str] = []
    lemmas = 0
    try:
        variables, clauses = _formula(cnf_path, must_stop)
        steps = _steps(proof_path, len(clauses.ends), must_stop)
        lemmas = int((~steps.deletes).sum())
        reason = _by_dratify(clauses, steps, checkers, must_stop)
        program = shutil.which("drat-trim")
        if program is not None:
            try:
                _by_drat_trim(program, variables, clauses, steps, checkers, must_stop)
            except InstanceError as error:  # a full disk: it is the second opinion
                warnings.warn(f"drat-trim did not check the proof: {error}", UserWarning, stacklevel=2)
        accepted = True
    except StoppedError:
        accepted, reason = False, "stopped before the check was complete"
    except _Rejected as rejection:
        accepted, reason = False, str(rejection)
    return ProofCheck(accepted, reason, tuple(checkers), lemmas, time.monotonic() - begun)


def _formula(path: str | Path, must_stop: Callable[[], bool]) -> tuple[int, ClauseLines]:
    """The number of variables and the clauses."""
    with _rejecting(path):
        blocks = whole_lines(text_parts(path, _MOST_BYTES))
        before, header, line = 0, None, ""
        for block in blocks:
            lead = _LEAD.match(block)
            start = 0 if lead is None else lead.end()
            before += block.count("\n", 0, start)
            if before > _MOST_COMMENTS:
                raise _Rejected(f"{path}: begins with more than {_MOST_COMMENTS} comments and empty lines")
            if start < len(block):
                line, _, rest = block[start:].partition("\n")
                header = _HEADER.fullmatch(line)
                blocks = chain([rest], blocks) if rest else blocks
                break
        if not line:
            raise _Rejected(f"{path}: no line `p cnf VARIABLES CLAUSES`")
        if header is None:
            raise NoClauseError(before + 1, line, "expected `p cnf VARIABLES CLAUSES`, found")
        variables, announced = (int(n) for n in header.groups())
        if variables > _MOST_VARIABLES:
            raise _Rejected(f"{path}: {variables} variables, more than the {_MOST_VARIABLES} that can be checked")
        clauses = joined(
            _as_announced(read_clause_lines(blocks, must_stop, is_proof=False, before=before + 1), announced)
        )
    if announced != len(clauses.ends):
        number = "more" if len(clauses.ends) > announced else len(clauses.ends)
        raise _Rejected(f"{path}: the header announces {announced} clauses, there are {number}")
    greatest = int(abs(clauses.numbers).max(initial=0))
    if greatest > variables:
        raise _Rejected(f"{path}: the header announces {variables} variables, there is a variable {greatest}")
    return variables, clauses


def _as_announced(parts: Iterable[ClauseLines], announced: int) -> Iterator[ClauseLines]:
    """The parts of a formula while there are not more clauses than that; one more is enough to reject it."""
    left = announced
    for part in parts:
        yield part
        left -= len(part.ends)
        if left < 0:
            return


def _steps(path: str | Path, clauses: int, must_stop: Callable[[], bool]) -> ClauseLines:
    """The lines of what looks like a proof from its first line to the first empty clause."""
    with _rejecting(path):
        if is_binary(first_bytes(path, _MOST_START)):
            parts = _binary_clauses(path, must_stop)
        else:
            parts = read_clause_lines(whole_lines(text_parts(path, _MOST_BYTES)), must_stop, is_proof=True)
        steps = joined(_within_limits(parts, str(path), clauses))
    if not ((steps.sizes == 0) & ~steps.deletes).any():
        raise _Rejected(f"{path}: the empty clause is not derived")
    return steps


def _within_limits(parts: Iterable[ClauseLines], name: str, clauses: int) -> Iterator[ClauseLines]:
    """The parts of a proof for a formula of that many clauses, unless it is one that only takes time and memory.

    Raises _Rejected if it is.
    """
    lines = literals = deletions = 0
    for part in parts:
        too_great = np.flatnonzero(abs(part.numbers) > _MOST_VARIABLES)
        if len(too_great):
            number = lines + np.searchsorted(part.ends, too_great[0]) + 1
            raise _Rejected(f"{name}: line {number}: a variable greater than {_MOST_VARIABLES}")
        lines, literals = lines + len(part.ends), literals + len(part.numbers)
        deletions += int(part.deletes.sum())
        lemmas = lines - deletions
        if lemmas > _MOST_LEMMAS or literals > _MOST_LITERALS:
            most = f"{_MOST_LEMMAS} lemmas or {_MOST_LITERALS} literals"
            raise _Rejected(f"{name}: has more than {most}; trim it, as drat-trim does")
        # Some solvers delete a clause twice, or as it was before they shortened it.
        if deletions > _FREE_DELETIONS + 2 * (clauses + lemmas):
            raise _Rejected(f"{name}: deletes more clauses than there are")
        yield part


@contextmanager
def _rejecting(path: str | Path) -> Iterator[None]:
    """A context in which a file with something else than clauses is rejected."""
    try:
        yield
    except NoClauseError as error:
        raise _Rejected(f"{path}: line {error.number}: {error.why} {_shown(error.line)}") from error


def _shown(line: str) -> str:
    return shortened(escaped(line[:1000].strip())) or "an empty line"


def _by_dratify(clauses: ClauseLines, steps: ClauseLines, checkers: list[str], must_stop: Callable[[], bool]) -> str:
    import dratify

    # dratify takes time and memory for each variable up to the greatest one, so only those that occur get numbers.
    clauses, steps, variables = _renumbered(clauses, steps)

    def formula_of(which: NDArray[np.integer]) -> dratify.CNF:
        formula = dratify.CNF(variables)
        for number, clause in enumerate(clauses.lists(which)):
            if number % _LINES_UNASKED == 0 and must_stop():
                raise StoppedError
            formula.add_dimacs(clause)
        return formula

    def from_line(start: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        for number, literals in enumerate(steps.lists(np.arange(start, len(steps.ends)))):
            if number % _STEPS_UNASKED == 0 and must_stop():
                raise StoppedError
            kind = "d" if steps.deletes[start + number] else "a"
            yield kind, tuple(dratify.from_dimacs(literal) for literal in literals)

    checkers.append(f"dratify {dratify.__version__}")
    # A trimmed proof first deletes most of the formula.  dratify takes a hundred times as long for a clause as it takes
    # to leave it out here.  What follows from a part of the formula by RUP follows from all of it.
    first = int((~steps.deletes).argmax())
    left = _not_deleted(clauses, steps, first)
    if len(left) < len(clauses.ends):
        part = dratify.DRATChecker(formula_of(left), check_rat=False)
        if part.check(from_line(first)).ok:
            return _EACH_IS_RUP
        del part
    formula = formula_of(np.arange(len(clauses.ends)))
    # A deleted clause may have made a literal true, which dratify keeps true.  This does no harm to lemmas that are
    # RUP, because they follow from the formula regardless of deletions.  But a lemma against that literal would pass as
    # RAT, and then contradict it: `-2 0` after `d -1 2 0`, where the formula is 1 and -1 2.  So if there are lemmas
    # that are RAT only, nothing is deleted.
    if dratify.DRATChecker(formula, check_rat=False).check(from_line(0)).ok:
        return _EACH_IS_RUP
    result = dratify.DRATChecker(formula, apply_deletions=False).check(from_line(0))
    if not result.ok:
        raise _Rejected(f"dratify: the lemma of line {result.failed_step} is neither RUP nor RAT")
    return f"every lemma is RUP, or RAT with no clause deleted ({result.rat_steps} of them); the last one is empty"


def _renumbered(clauses: ClauseLines, steps: ClauseLines) -> tuple[ClauseLines, ClauseLines, int]:
    """The same with the variables numbered from 1, without those that do not occur, and how many there are."""
    most = max(int(abs(one.numbers).max(initial=0)) for one in (clauses, steps))
    # A negative index counts from the end.
    occurs = np.zeros(2 * most + 1, bool)
    for one in (clauses, steps):
        occurs[one.numbers] = True
    numbers = np.zeros(2 * most + 1, np.int32)
    numbers[1 : most + 1] = np.cumsum(occurs[1 : most + 1] | occurs[:most:-1])
    numbers[most + 1 :] = -numbers[most:0:-1]
    clauses, steps = (one._replace(numbers=numbers[one.numbers]) for one in (clauses, steps))
    return clauses, steps, int(numbers.max())


def _not_deleted(clauses: ClauseLines, steps: ClauseLines, first: int) -> NDArray[np.integer]:
    """The numbers of the clauses that the lines before that lemma do not delete; unit clauses stay.

    Clauses are compared by sums that do not depend on the order of literals.  If two different ones had the same sum,
    a clause too many would be left out, and the proof might fail.
    """
    if not first:
        return np.arange(len(clauses.ends))
    deleted = np.sort(_sums(steps.numbers[: steps.ends[first - 1] + 1]))
    own = _sums(clauses.numbers)
    order = np.argsort(own, kind="stable")
    own = own[order]
    # A line deletes one of several equal clauses.
    earlier = np.arange(len(own)) - np.searchsorted(own, own)
    times = np.searchsorted(deleted, own, "right") - np.searchsorted(deleted, own)
    return np.sort(order[(earlier >= times) | (clauses.sizes[order] < 2)])


def _sums(numbers: NDArray[np.int32]) -> NDArray[np.uint64]:
    """A number for each clause of a list in which each ends with 0."""
    mixed = numbers.astype(np.int64).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    ends = np.flatnonzero(numbers == 0)
    return np.add.reduceat(mixed, np.concatenate([[0], ends[:-1] + 1])) if len(ends) else mixed


def _by_drat_trim(
    program: str,
    variables: int,
    clauses: ClauseLines,
    steps: ClauseLines,
    checkers: list[str],
    must_stop: Callable[[], bool],
) -> None:
    """Raises if drat-trim does not accept; it is given copies without comments, so that it reads what was read here."""
    with temporary_folder() as folder:
        cnf, proof = Path(folder, "formula.cnf"), Path(folder, "proof.drat")
        with replacing(cnf) as file:
            file.write(f"p cnf {variables} {len(clauses.ends)}\n")
            file.writelines(f"{line}\n" for line in _lines_of(clauses))
        write_proof(proof, _lines_of(steps))
        try:
            code, said = said_by([program, str(cnf), str(proof)], must_stop)
        except OSError as error:
            raise _Rejected(f"drat-trim: cannot be run: {error.strerror}") from error
    checkers.append("drat-trim")
    verdicts = [line.strip() for line in said.splitlines() if line.startswith("s ")]
    if verdicts != ["s VERIFIED"]:
        raise _Rejected(f"drat-trim: {_shown(verdicts[0]) if verdicts else f'no verdict, exit {code}'}")


def _lines_of(clauses: ClauseLines) -> Iterator[str]:
    literals = clauses.lists(np.arange(len(clauses.ends)))
    for deletes, own in zip(clauses.deletes.tolist(), literals, strict=True):
        yield " ".join(map(str, [*(["d"] if deletes else []), *own, 0]))


def check_lrat(formula: str | Path, lrat: str | Path, must_stop: Callable[[], bool] = never) -> list[str]:
    """The names of the checkers of LRAT that are installed, if all of them accept a proof.

    Raises InstanceError if one does not, and StoppedError if `must_stop` asks to stop.
    """
    checkers = []
    for name in filter(shutil.which, _LRAT_CHECKERS):
        try:
            code, said = said_by([name, str(formula), str(lrat)], must_stop)
        except OSError as error:
            raise InstanceError(f"{name}: cannot be run: {error.strerror}") from error
        if not _ACCEPTED.intersection(map(str.strip, said.splitlines())):
            raise InstanceError(f"{lrat}: {name} does not accept it (exit {code})")
        checkers.append(name)
    return checkers


def said_by(command: list[str], must_stop: Callable[[], bool]) -> tuple[int, str]:
    """Exit status and output of a proof checker, which does not notice a Ctrl-C that is meant for this process.

    Raises OSError if it cannot be run, and StoppedError if `must_stop` asks to stop.
    """
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace", process_group=0
    ) as process:
        while True:
            try:
                said, _ = process.communicate(timeout=_WAIT_SECONDS)
                return process.returncode, said
            except subprocess.TimeoutExpired:
                if must_stop():
                    process.kill()
                    raise StoppedError from None
