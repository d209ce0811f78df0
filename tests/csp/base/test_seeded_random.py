"""Random numbers on which made puzzles depend for ever."""

from collections import Counter

import numpy as np
import pytest

from jigsat.csp.base.seeded_random import Chance, scrambled, shuffled


def test_the_stream_is_what_it_was():
    """Another generator, another seeding or another way to bound a number would change every puzzle ever made."""
    chance = Chance(2024)
    assert [chance.below(1000) for _ in range(8)] == [997, 592, 199, 908, 491, 240, 728, 598]
    assert chance.shuffled(range(10)) == [3, 6, 9, 5, 0, 4, 8, 2, 7, 1]
    assert Chance(2**62 - 1).below(2**53) == 3324339319533352
    assert [Chance(2024, stream).below(1000) for stream in ("deal", "turns")] == [72, 563]


def test_every_number_is_equally_likely():
    """A remainder taken without drawing again would make numbers below a third of this bound twice as likely."""
    bound = 2**52 + 2**51
    chance = Chance(1)
    thirds = Counter(chance.below(bound) * 3 // bound for _ in range(3000))
    assert all(abs(thirds[third] - 1000) < 150 for third in range(3))


def test_shuffles_are_even():
    """The well-known wrong shuffles make some of the six orders of three things more frequent than others."""
    chance = Chance(3)
    orders = Counter(tuple(chance.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(number - 1000) < 150 for number in orders.values())


def test_a_larger_sample_begins_with_the_smaller_one():
    """On this rests that a puzzle with more clues has the clues of the one with fewer."""
    samples = [Chance(8).sample(range(30), number) for number in range(31)]
    assert all(samples[30][:number] == sample for number, sample in enumerate(samples))
    assert sorted(samples[30]) == list(range(30))


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
