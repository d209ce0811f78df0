"""Puzzles of every form: all engines beside a brute force in C, and this beside another one and published numbers."""

import json
from collections import Counter
from random import Random

import pytest

import forms_in_c
import in_c
import soak
from form_puzzles import squares_document, tiling_document
from form_runs import form_runs
from jigsat import read
from jigsat.csp.files.instances import format_instance
from jigsat.csp.puzzles.check_board import check
from small_puzzles import SMALL_PUZZLES

pytestmark = pytest.mark.skipif(not in_c.compiler(), reason="there is no C compiler")


@pytest.mark.parametrize(("draw", "seed"), [(squares_document, 4), (tiling_document, 2)])
def test_every_engine_agrees(draw, seed):
    """Of a file also as the package writes it again."""
    chance, figures = Random(seed), Counter()
    for _ in range(10):
        found = soak.judged(*soak.read(draw(chance)))
        if found is None:
            continue
        puzzle, truth = found
        again = soak.read(json.loads(format_instance(puzzle)))
        assert again[0] == puzzle
        assert soak.judged(*again)[1].counts()[:3] == truth.counts()[:3]
        for run in chance.sample(form_runs(chance, puzzle), 4):
            assert soak.difference(puzzle, truth, run, figures) is None, run
    assert sum(number for name, number in figures.items() if name.startswith("run: ")) > 5


@pytest.mark.parametrize("name", [name for name, puzzle in SMALL_PUZZLES.items() if puzzle.is_classic])
def test_it_agrees_with_the_other_brute_force(name):
    """On puzzles that both know."""
    puzzle = SMALL_PUZZLES[name]
    found = forms_in_c.answer(json.loads(format_instance(puzzle)), most=2_000)
    boards = in_c.boards(puzzle)
    assert (found.count, found.canonical_count) == (len(boards.solutions), len({*boards.orbits}))
    assert found.orbit_of.keys() == {*boards.solutions}
    least = in_c.least_invalid(puzzle)
    assert found.best == (None if least is None else puzzle.max_score - least)
    assert all(check(puzzle, board).is_solution for board in boards.solutions[:3])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pictures", "orbits"), [("macmahon-24", 106_624, None), ("pentominoes-6x10", 9_356, 2_339)]
)
def test_published_numbers(name, pictures, orbits):
    document = json.loads(format_instance(read(name)))
    found = forms_in_c.answer(document, most=200_000, steps=20_000_000_000, score_steps=10)
    assert found.picture_count == pictures
    assert orbits in (None, found.canonical_count)
