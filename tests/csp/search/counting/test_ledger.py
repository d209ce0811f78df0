"""The entries of ledgers; `tests/csp/work/test_book.py` has what happens to their files."""

import json

import numpy as np
import pytest

from jigsat.csp.search.counting.ledger import overlaps, share_entry, share_in, sound_below
from jigsat.csp.search.counting.methods import Share
from pieceworks import share_of


@pytest.mark.parametrize("canonical", [None, 0, 2**70])
def test_a_share_is_found_again(canonical):
    """Also one of NumPy's numbers."""
    share = Share(0, 4, (1, 0, 10**40), 10**30, canonical)
    assert share_in(json.loads(json.dumps(share_entry(share, 0)))) == share
    given = Share(np.int64(0), np.int64(4), (np.int64(5),), np.int64(6), None if canonical is None else np.int64(7))
    entry = share_entry(given, 1.0)
    assert share_in(entry) == Share(0, 4, (5,), 6, None if canonical is None else 7)
    assert json.dumps(entry["nodes"]) == '["5"]'


@pytest.mark.parametrize(
    "change",
    [
        {"first": -1},
        {"first": "3"},
        {"last": 7.5},
        {"more": 1},
        {"nodes": [1]},
        *({"nodes": [text]} for text in ("", "-1", "1\n", "a1", "\u0967")),
        {"count": "9" * 4301},
        {"canonical_count": 0},
        {"canonical_count": " 1"},
        {"seconds": -1.0},
        {"seconds": 1e301},
    ],
)
def test_an_entry_of_other_fields_or_types_is_no_share(change):
    entry = share_entry(Share(3, 7, (1, 10**20), 2**70, None), 0.5)
    assert sound_below(9)()(1, entry)
    assert not sound_below(9)()(1, {**entry, **change})
    assert not sound_below(9)()(1, {name: value for name, value in entry.items() if name != "count"})


def test_shares_are_sound_that_have_parts_of_the_count_and_none_of_another():
    spans = [
        (5, 9), (0, 3), (9, 9), (3, 3), (2, 4), (3, 6), (8, 10), (4, 10), (6, 7), (10, 12), (12, 13), (3, 5), (9, 10)
    ]  # fmt: skip
    for parts, kept in (
        (12, [0, 1, 9, 11, 12]),
        (11, [0, 1, 11, 12]),
        *((other, [0, 1, 9, 10, 11, 12]) for other in (None, "12")),
    ):
        accept = sound_below(parts)()
        assert [at for at, span in enumerate(spans) if accept(at + 1, share_entry(share_of(*span), 1.0))] == kept


def test_spans_overlap_if_they_have_a_part_in_common():
    spans = [(2, 4), (4, 5), (8, 9), (12, 20)]
    taken = {part for first, last in spans for part in range(first, last)}
    for first in range(22):
        for last in range(first + 1, 23):
            assert overlaps(spans, first, last) is not taken.isdisjoint(range(first, last))
    assert overlaps([], 0, 1) is False
