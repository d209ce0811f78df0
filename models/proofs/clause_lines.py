"""Formulas and proofs read in bulk: clauses in the DIMACS format, one a line.

Blocks of lines in the form that most programs write are checked by one regular expression and become an array of
numbers at once.  Other lines are checked one by one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...csp.base.stop import StoppedError

# Of a literal in the binary form: its bytes, and the greatest variable.
_MOST_BYTES_OF_LITERAL, _GREATEST = 5, 999_999_999
# The number of characters that are read at a time.
_BLOCK = 2**20
# What other readers let pass (a clause without its 0, +1, 1_000, other digits, comments) is refused.
_LITERAL = "-?[1-9][0-9]{0,8}"
_CLAUSE = rf"[ \t]*(?:{_LITERAL}[ \t]+)*0[ \t\r]*"
_FORMS = {False: re.compile(_CLAUSE), True: re.compile(rf"(?:d[ \t])?{_CLAUSE}")}
# No possessive quantifiers: before Python 3.11.5 some match what they must not.
_PLAIN = {is_proof: re.compile(rf"{lead}(?:{_LITERAL} )*0\n") for is_proof, lead in ((False, ""), (True, "(?:d )?"))}


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
        ends = self.ends[np.asarray(which, np.int64)]
        starts = ends - self.sizes[np.asarray(which, np.int64)]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield self.numbers[start:end].tolist()

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of literals of each clause."""
        return np.diff(self.ends, prepend=-1) - 1


class NoClauseError(ValueError):
    """A line that is not a clause; its number counts from 1."""

    def __init__(self, number: int, line: str) -> None:
        super().__init__(number, line)
        self.number, self.line = number, line


def read_clause_lines(text: str, start: int, must_stop: Callable[[], bool], *, is_proof: bool) -> ClauseLines:
    """The clauses of a text, one a line.

    - `start`: the position of the first line to read.
    - `must_stop`: is called often; returns whether to give up.
    - `is_proof`: whether lines may begin with ``d``, and may not be comments or empty.

    Raises NoClauseError if a line is something else. Raises StoppedError if `must_stop` asks to stop.

    Examples
    --------
    >>> read_clause_lines("d 1 -2 0\\n3 0\\n", 0, lambda: False, is_proof=True).numbers.tolist()
    [1, -2, 0, 3, 0]
    """
    numbers, deletes = [np.zeros(0, np.int32)], [np.zeros(0, np.bool_)]
    while start < len(text):
        if must_stop():
            raise StoppedError
        end = text.find("\n", start + _BLOCK - 1) + 1 or len(text)
        block = text[start:end]
        # Without all plain lines, nothing is left of a block of them.
        if _PLAIN[is_proof].sub("", block):
            block = _plain(block, text.count("\n", 0, start), is_proof=is_proof)
        start = end
        if block:
            letters = np.frombuffer(block.encode("ascii"), np.uint8)
            firsts = np.concatenate([[0], np.flatnonzero(letters == ord("\n"))[:-1] + 1])
            deletes.append(letters[firsts] == ord("d"))
            numbers.append(np.fromstring(block.replace("d", " "), np.int32, sep=" "))
    joined = np.concatenate(numbers)
    return ClauseLines(joined, np.flatnonzero(joined == 0), np.concatenate(deletes))


def is_binary(proof: bytes) -> bool:
    """Whether a proof is in the binary form of DRAT; lines of text have no zero bytes."""
    return proof[:1] in (b"a", b"d") and b"\0" in proof


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


def _plain(block: str, before: int, *, is_proof: bool) -> str:
    """Lines, of which there are some more before, in the usual form; comments and empty lines are left out."""
    found = []
    for number, line in enumerate(block.removesuffix("\n").split("\n"), start=before + 1):
        if is_proof or not (line.startswith("c") or not line.strip()):
            if not _FORMS[is_proof].fullmatch(line):
                raise NoClauseError(number, line)
            found.append(" ".join(line.split()) + "\n")
    return "".join(found)
