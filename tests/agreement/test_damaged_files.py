"""Damaged books are refused or read exactly; `python tests/agreement/damaged_files.py` has thousands."""

import pytest

from damage import KINDS, SHARES, judge_ledger, verdict_on, whole_ledger


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_refused_or_read_exactly(kind, tmp_path):
    found = [verdict_on(kind, seed, tmp_path) for seed in range(5)]
    assert {*found} <= {"refused", "exact"}


def test_the_judges_know_what_is_exact_and_what_is_not(tmp_path):
    """Of undamaged files all is read; and what was not written is noticed."""
    ledger = whole_ledger()
    assert judge_ledger((ledger, None), tmp_path) == "exact"
    gone = SHARES.pop()
    try:
        assert judge_ledger((ledger, None), tmp_path) == "WRONG"
    finally:
        SHARES.append(gone)
