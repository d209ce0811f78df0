"""Lemmas 11 and 12 of docs/papers/exactly_two.md against the package's count by consistent domains."""

import pytest

from exactly_two_forms import scramble_of
from exactly_two_mixed import components, has_two
from exactly_two_walks import mates
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.base.stop import never
from jigsat.csp.make.consistent_domains import count_by_domains
from jigsat.csp.make.mixed_form import draw_mixed_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import duplicate_pieces, jigsaw_from_assemblies, original, symmetric_pieces


def agree(rows, columns, seed):
    """Whether lemma 12 finds two assemblies, and how many are counted by domains, at most 3.

    The former is None if lemma 12 is not enough, the latter if pieces look alike. Raises AssertionError if they
    differ.
    """
    scramble = draw_mixed_form(rows, columns, Chance(seed))
    form = scramble_of(rows, columns, scramble)
    mate = mates(form)
    two = has_two(form, mate, *components(mate))
    jigsaw = jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns)), scramble])
    counted = count_by_domains(jigsaw, 3, never)
    if counted is None:
        assert duplicate_pieces(jigsaw) or symmetric_pieces(jigsaw)
        assert two is not True
        return two, None
    assert counted.ended_by in (None, "solutions")
    assert two is None or two == (len(counted.solutions) == 2)
    return two, len(counted.solutions)


def test_both_answers_agree_with_a_search():
    assert agree(9, 10, 0) == agree(8, 9, 0) == (True, 2)
    # Four assemblies or more, of pieces that differ.
    assert agree(9, 10, 232) == agree(7, 12, 74) == (False, 3)
    # Two pieces look alike.
    assert agree(9, 10, 1) == (False, None)


@pytest.mark.slow
def test_many_draws_agree_with_a_search():
    found = [agree(*size, seed)[0] for size in ((7, 8), (10, 11), (15, 16), (13, 18)) for seed in range(6)]
    assert found.count(True) > found.count(False) > 0
