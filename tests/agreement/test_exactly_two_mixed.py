"""Lemmas 11 and 12 of docs/theory/exactly_two.md against the package's count by consistent domains."""

import pytest

from exactly_two_forms import scramble_of
from exactly_two_mixed import components, has_two, main, studied
from exactly_two_walks import mates
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.base.stopping import never
from jigsat.csp.make.closed_forms.mixed_form import draw_mixed_form
from jigsat.csp.make.consistent_domains import count_by_domains
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original


def agree(rows, columns, seed):
    """Whether lemma 12 finds two assemblies, as the count by domains must; None if lemma 12 is not enough."""
    scramble = draw_mixed_form(rows, columns, Chance(seed))
    form = scramble_of(rows, columns, scramble)
    mate = mates(form)
    two = has_two(form, mate, *components(mate))
    counted = count_by_domains(
        jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns)), scramble]), 3, never
    )
    # Pieces that look alike make more assemblies, and are not counted by domains.
    assert two is None or two == (counted is not None and len(counted.solutions) == 2)
    return two


def test_both_answers_agree_with_a_search():
    assert {agree(9, 10, seed) for seed in range(6)} == {True, False}
    assert agree(8, 9, 0)


@pytest.mark.slow
def test_many_draws_agree_with_a_search():
    found = [agree(*size, seed) for size in ((7, 8), (10, 11), (15, 16), (13, 18)) for seed in range(6)]
    assert found.count(True) > found.count(False) > 0


def test_premises_that_fail_are_noticed(monkeypatch, capsys):
    assert studied(10, 11, Chance(1))

    def turned(rows, columns, chance):
        """A square near the centre, which its image by h does not follow."""
        scramble = list(draw_mixed_form(rows, columns, chance))
        scramble[36] = scramble[36]._replace(rotation=(scramble[36].rotation + 1) % 4)
        return tuple(scramble)

    monkeypatch.setattr("exactly_two_mixed.draw_mixed_form", turned)
    monkeypatch.setattr("sys.argv", ["exactly_two_mixed.py", "--up-to", "8"])
    assert main() == 1
    assert "FAILED" in capsys.readouterr().out
