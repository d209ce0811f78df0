"""Clauses read in bulk are those that a reader line by line finds, and the first wrong line is named."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.stop import StoppedError, never
from jigsat.models.proofs.check_proof import NoClauseError, joined, read_clause_lines, whole_lines

CLAUSE = r"[ \t]*(-?[1-9][0-9]{0,8}[ \t]+)*0[ \t\r]*"
LINES = st.one_of(
    st.lists(st.integers(-999_999_999, 999_999_999).filter(bool), max_size=4).map(
        lambda literals: " ".join(map(str, [*literals, 0]))
    ),
    st.sampled_from(["d 1 -2 0", "d  3 0", "d\t0", "d1 0", "", " ", "c 1 0", "0", " 1\t2  0 \r", "1 0 0", "01 0"]),
    st.text("0123d -\t\rx\u0662", max_size=6),
)


def by_line(text, is_proof):
    """Whether each line deletes, and its literals; or the number of the first line that is no clause."""
    found = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], start=1):
        deletes = is_proof and line[:2] in ("d ", "d\t")
        if not is_proof and (line.startswith("c") or not line.strip()):
            continue
        if not re.fullmatch(CLAUSE, line[2:] if deletes else line):
            return number, line
        found.append((deletes, [int(word) for word in line.removeprefix("d").split()[:-1]]))
        if is_proof and found[-1] == (False, []):
            break  # what comes after the empty clause is not read
    return found


def read_in_bulk(text, is_proof, size=2**20):
    parts = (text[at : at + size] for at in range(0, len(text), size))
    try:
        read = joined(read_clause_lines(whole_lines(parts), never, is_proof=is_proof))
    except NoClauseError as error:
        return error.number, error.line
    every = list(read.lists(range(len(read.ends))))
    assert read.sizes.tolist() == [len(literals) for literals in every]
    return list(zip(read.deletes.tolist(), every, strict=True))


@pytest.mark.parametrize("is_proof", [False, True])
@given(lines=st.lists(LINES, max_size=8), block=st.integers(1, 40), ends=st.booleans())
def test_as_line_by_line(is_proof, lines, block, ends):
    text = "\n".join(lines) + "\n" * ends
    assert read_in_bulk(text, is_proof, block) == by_line(text, is_proof)


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("1 0\n2", 2), ("1 0\n2\n", 2), ("d 1 0\nd 2", 2)])
def test_a_clause_without_its_0_is_refused(text, number):
    """Possessive quantifiers match such texts in Python 3.11.2."""
    assert read_in_bulk(text, is_proof=True) == (number, text.removesuffix("\n").split("\n")[-1])


def test_it_can_be_stopped():
    with pytest.raises(StoppedError):
        list(read_clause_lines(["0\n"], lambda: True, is_proof=True))
