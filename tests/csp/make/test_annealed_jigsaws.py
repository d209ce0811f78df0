"""Jigsaws annealed for two pictures: exactly two solutions, and cheaper than any made without looking at the tones."""

import numpy as np
import pytest

from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.engines.registry import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make import tone_annealing
from jigsat.csp.make.tone_annealing import jigsaws_annealed
from jigsat.csp.make.tones import best_assignment, random_cost, tones
from jigsat.csp.make.two_pictures import choose, jigsaws_made
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import shared_joins_of_pairs, staying_pieces

#: A tenth of the moves is enough here.
FEW = tone_annealing._STEPS_PER_JOIN // 10


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(tone_annealing, "_STEPS_PER_JOIN", FEW)


def tones_of_noise(rows, columns, seed):
    """The costs of two pictures of 3x3 pixels a square, each with a tone of its own."""
    chance = Chance(seed)
    pictures = (
        np.array([chance.below(256) for _ in range(9 * rows * columns)], np.uint8).reshape(3 * rows, 3 * columns, 1)
        for _ in range(2)
    )
    return tones(*pictures, Board(rows, columns))


@pytest.mark.parametrize(
    ("rows", "columns", "no_stay"), [pytest.param(5, 6, False, marks=pytest.mark.slow), (6, 6, True)]
)
def test_two_solutions_at_little_cost(rows, columns, no_stay):
    """Catches jigsaws with further solutions, pieces that stay, and costs that were not looked at."""
    found = tones_of_noise(rows, columns, 1)
    choice = choose(jigsaws_annealed(found, 2, 1, no_stay=no_stay), found)
    puzzle = choice.fit.puzzle
    result = find_engine("backtrack").run(puzzle, Goal.COUNT, Limits(), Options())
    assert (result.canonical_count, result.complete) == (2, True)
    assert shared_joins_of_pairs(puzzle.board, puzzle.assemblies)[0, 1] == 0
    assert found.cost(*puzzle.assemblies) == choice.fit.cost
    assert best_assignment(found)[1] <= choice.fit.cost
    plain = choose(jigsaws_made(rows, columns, 8, max_use=2 + (rows + columns) % 2), found)
    assert choice.fit.cost < 0.9 * plain.fit.cost
    if no_stay:
        corners = {lies.piece for square, lies in enumerate(puzzle.assemblies[0]) if square in (0, 5, 30, 35)}
        assert set(staying_pieces(puzzle.board, *puzzle.assemblies).pieces) <= corners


@pytest.mark.parametrize(("rows", "columns"), [(5, 6), pytest.param(12, 16, marks=pytest.mark.slow)])
def test_joins_have_a_price(rows, columns):
    """Catches jigsaws with further solutions, and a price that stays where a lower one makes cheaper jigsaws."""
    found = tones_of_noise(rows, columns, 1)
    candidates = list(jigsaws_annealed(found, 2, 1))
    assert len(candidates) == 2
    for candidate in candidates:
        assert "up to" not in candidate.puzzle.source
        result = find_engine("most-constrained").run(candidate.puzzle, Goal.COUNT, Limits(), Options())
        assert (result.canonical_count, result.complete) == (2, True)
        assert shared_joins_of_pairs(candidate.puzzle.board, candidate.puzzle.assemblies)[0, 1] == 0
    choice = choose(candidates, found)
    assert best_assignment(found)[1] <= choice.fit.cost < 0.8 * random_cost(found)


def test_where_there_is_none_the_work_ends():
    """Catches a search without an end: a 2x2 jigsaw with two joins in each assembly has equal pieces."""
    assert list(jigsaws_annealed(tones_of_noise(2, 2, 1), 1)) == []


def test_seeds_and_stops():
    """Catches runs that differ from time to time, and work that goes on when it should stop."""
    found = tones_of_noise(4, 5, 3)
    first, again, other = (next(jigsaws_annealed(found, 1, seed, max_use=6)).puzzle.assemblies for seed in (1, 1, 2))
    assert first == again
    assert first != other
    found, told = tones_of_noise(6, 6, 3), []
    assert list(jigsaws_annealed(found, 5, must_stop=lambda: len(told) > 3, report=told.append)) == []
    assert len(told) == 4
    assert "annealed" in told[-1]
