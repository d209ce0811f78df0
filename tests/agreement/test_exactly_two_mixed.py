"""Lemmas 11 and 12 of docs/theory/exactly_two.md against the package's count by consistent domains."""

import pytest

from exactly_two_forms import scramble_of
from exactly_two_mixed import components, has_two, main, studied
from exactly_two_walks import mates
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.base.stop import never
from jigsat.csp.make.closed_forms.mixed_form import draw_mixed_form
from jigsat.csp.make.consistent_domains import count_by_domains
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


def exchanged(scramble, one, other):
    """The pieces of two squares and those of their images by h go to each other's places."""
    changed = list(scramble)
    for at, to in ((one, other), (-1 - one, -1 - other)):
        changed[at], changed[to] = changed[to], changed[at]
    return tuple(changed)


def turned(scramble, turns, *squares):
    changed = list(scramble)
    for square in squares:
        changed[square] = changed[square]._replace(rotation=(changed[square].rotation + turns) % 4)
    return tuple(changed)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda scramble: turned(scramble, 1, 10), "T and h do not commute"),
        (lambda scramble: exchanged(scramble, 1, 3), "a shared join"),
        (lambda scramble: exchanged(scramble, 1, 2), "T T is neither 1 nor h"),
        (lambda scramble: exchanged(scramble, 2, 6), "a dart between two busy squares goes to such a one"),
        (lambda scramble: turned(scramble, 2, 28, -29), "the bit of a join between two busy squares"),
        (lambda scramble: exchanged(scramble, 11, 19), "the premises of lemma 11"),
    ],
)
def test_premises_that_fail_are_noticed(monkeypatch, damage, message):
    damaged = damage(draw_mixed_form(8, 9, Chance(1)))
    monkeypatch.setattr("exactly_two_mixed.draw_mixed_form", lambda *_: damaged)
    with pytest.raises(AssertionError, match=message):
        studied(8, 9, Chance(1))


def test_a_failure_is_told(monkeypatch, capsys):
    damaged = turned(draw_mixed_form(7, 8, Chance(1)), 1, 10)
    monkeypatch.setattr("exactly_two_mixed.draw_mixed_form", lambda *_: damaged)
    monkeypatch.setattr("sys.argv", ["exactly_two_mixed.py", "--up-to", "8"])
    assert main() == 1
    assert "FAILED" in capsys.readouterr().out
