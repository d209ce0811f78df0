"""Scrambles that tones take part in: they are what was wished for, cheap, and the same each time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.make import tone_annealing
from jigsat.csp.make.annealing import Annealing, Wish
from jigsat.csp.make.annealing_kernel import WALKS, tally_all
from jigsat.csp.make.tone_annealing import UNIT, _temperatures, anneal_tones, jigsaws_annealed
from jigsat.csp.make.tones import random_cost, tones
from jigsat.csp.make.two_pictures import choose, jigsaws_made
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import (
    connector_classes,
    jigsaw_from_assemblies,
    original,
    quality,
    shared_joins_of_pairs,
    staying_pieces,
)
from property_tests import examples


def random_costs(board, seed):
    """A cost for each piece on each square in each rotation, from 0 to 999."""
    chance = Chance(seed)
    squares = len(board)
    return np.array([chance.below(1000) for _ in range(4 * squares**2)], float).reshape(squares, squares, 4)


def cost_of(costs, arrangement):
    return sum(costs[lies.piece, square, lies.rotation] for square, lies in enumerate(arrangement))


@examples(25)
@given(
    rows=st.integers(2, 6),
    columns=st.integers(2, 6),
    seed=st.integers(0, 10**9),
    stage=st.sampled_from([0, 20, 63]),
    steps=st.sampled_from([1, 50, 3000]),
)
def test_moves_count_right(rows, columns, seed, stage, steps):
    """Catches moves that forget what they change, or are taken back by half."""
    run = Annealing(Wish(rows, columns, 3), seed, ())
    costs = random_costs(Board(rows, columns), seed).astype(np.int64).reshape(-1)
    lies, at, marks, rows_of_move, counts = run.scramble
    total = np.array([tone_annealing.total_cost(lies, costs)], np.int64)
    temperature = _temperatures(UNIT // 2)[stage]
    arrays = run.board, run.scramble, run.random, costs, total
    tone_annealing.anneal_on(*arrays, tone_annealing._limits(), temperature, 500, steps)
    assert total[0] == tone_annealing.total_cost(lies, costs)
    assert lies[at.astype(int)].tolist() == list(range(4 * rows * columns))
    counted = counts[:WALKS].tolist()
    mate, facing, _, _, unwanted, limits = run.board
    tally_all(mate, facing, lies, at, unwanted, limits, marks, rows_of_move, counts)
    assert counts[:WALKS].tolist() == counted


@pytest.mark.some_cases(1)
@pytest.mark.parametrize(("rows", "columns", "use"), [(5, 5, 8), (4, 6, 8), (6, 6, 9)])
def test_scrambles_are_as_wished_and_cheap(rows, columns, use):
    """Catches costs of other placements than those of the scramble, and faults that are not seen."""
    board = Board(rows, columns)
    costs = random_costs(board, 7)
    found = anneal_tones(Wish(rows, columns, use), costs, 1, steps=500_000)
    assert found.is_as_wished
    assert found.cost == pytest.approx(cost_of(costs, found.arrangement), rel=1e-4)
    both = [original(board), found.arrangement]
    assert max(connector_classes(board, both).uses) <= use
    assert shared_joins_of_pairs(board, both)[0, 1] == 0
    found_quality = quality(jigsaw_from_assemblies(rows, columns, both))
    assert (found_quality.duplicates, found_quality.symmetric) == ((), ())
    # A random scramble costs 500 a piece.
    assert found.cost < 250 * len(board)


def test_a_price_makes_many_connectors():
    """Catches a price that is not paid: connectors may be on any number of joins, and cheap scrambles have more."""
    board = Board(6, 6)
    costs = random_costs(board, 7)
    low, high = (anneal_tones(Wish(6, 6), costs, 1, price=price, steps=200_000) for price in (UNIT // 12, UNIT // 4))
    for found in (low, high):
        assert found.is_as_wished
        both = [original(board), found.arrangement]
        uses = connector_classes(board, both).uses
        assert found.excess == sum(max(use - 2, 0) for use in uses) > 0
        assert shared_joins_of_pairs(board, both)[0, 1] == 0
    assert low.cost < high.cost < 250 * len(board)
    assert low.excess > high.excess


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
    assert found.best_assignment[1] <= choice.fit.cost
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
    assert found.best_assignment[1] <= choice.fit.cost < 0.8 * random_cost(found)


def test_where_there_is_none_the_work_ends():
    """Catches a search without an end: a 2x2 jigsaw with two joins in each assembly has equal pieces."""
    assert list(jigsaws_annealed(tones_of_noise(2, 2, 1), 1)) == []
