"""Damaged ledgers are refused in one line, or read exactly: as they were written, or as a forged record says."""

import pytest

from damage import KINDS, SHARES, judge_ledger, verdict_on, whole_ledger


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 340), marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_refused_or_read_exactly(kind, seeds, tmp_path):
    found = {seed: verdict_on(kind, seed, tmp_path) for seed in seeds}
    assert {seed: verdict for seed, verdict in found.items() if verdict not in ("refused", "exact")} == {}


def test_the_judge_knows_what_is_exact_and_what_is_not(tmp_path):
    """Of undamaged files all is read; and what was not written is noticed."""
    ledger = whole_ledger()
    assert judge_ledger((ledger, None), tmp_path) == "exact"
    gone = SHARES.pop()
    try:
        assert judge_ledger((ledger, None), tmp_path) == "WRONG"
    finally:
        SHARES.append(gone)
