"""Orders that must be the same for ever: ledgers number the parts of a count by them."""

import numpy as np
import pytest

from jigsat.csp.base.seeded_random import scrambled, shuffled


@pytest.mark.parametrize("number", [0, 1, 2, 1000])
def test_all_numbers_once(number):
    assert sorted(shuffled(number)) == list(range(number))


def test_the_order_never_changes():
    """An old ledger would say of other parts that they are counted."""
    assert shuffled(12).tolist() == SHUFFLED
    assert int(scrambled(np.array([1], dtype=np.uint64))[0]) == 0x5692161D100B05E5


def test_a_range_is_a_fair_sample():
    """Neighbours lie apart, and the first half holds as much of the beginning as of the end."""
    order = shuffled(100_000)
    assert abs(np.corrcoef(order, np.arange(100_000))[0, 1]) < 0.02
    assert abs(np.corrcoef(order[:-1], order[1:])[0, 1]) < 0.02
    assert abs(float(np.mean(order[:50_000])) - 50_000) < 500


SHUFFLED = [0, 3, 5, 7, 9, 6, 11, 2, 8, 1, 10, 4]
