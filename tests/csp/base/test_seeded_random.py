"""Random numbers on which made puzzles depend for ever."""

from collections import Counter

import numpy as np

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


def test_the_order_never_changes():
    """An old ledger would say of other parts that they are counted."""
    assert shuffled(12).tolist() == SHUFFLED
    assert int(scrambled(np.array([1], dtype=np.uint64))[0]) == 0x5692161D100B05E5


SHUFFLED = [0, 3, 5, 7, 9, 6, 11, 2, 8, 1, 10, 4]
