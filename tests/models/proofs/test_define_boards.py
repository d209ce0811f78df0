"""The definition of a puzzle of squares has as models its solutions; a brute force finds the same."""

import pytest
from pysat.solvers import Solver

from all_models import all_models
from brute_force import TooMuch, all_solutions, fillings_with_slips, invalid_joins, number_of_orbits, placements
from jigsat.models.proofs.define_boards import BoardClaim, BoardDefinition
from jigsat.models.proofs.plain_formula import PlainFormula
from small_puzzles import JIGSAW, SMALL_PUZZLES, SYMMETRIC

NAMES = ["identical", "identical and spare", "4x4", "half a board", "rectangle", "symmetric", "jigsaw", "unsolvable"]


def boards_of(definition):
    """The looks on the squares, for each model of a definition."""
    names = {
        definition.there(square, look): (square, look)
        for square, looks in enumerate(definition.looks)
        for look in looks
    }
    for there in all_models(definition.clauses, names):
        yield tuple(look for _, look in sorted(names[variable] for variable in there))


@pytest.mark.parametrize("name", NAMES)
def test_the_models_are_the_solutions(name):
    """Numbered pieces one by one; and what looks the same once, with turns of the board as the anchor breaks them."""
    puzzle = SMALL_PUZZLES[name]
    order = tuple(range(len(puzzle.board)))
    every = all_solutions(puzzle)
    numbered = list(boards_of(BoardDefinition(BoardClaim(puzzle, symmetry=False, order=order))))
    assert len(numbered) == len(set(numbered)) == len(every)
    pictures = set(boards_of(BoardDefinition(BoardClaim(puzzle, order=order))))
    looks = BoardDefinition(BoardClaim(puzzle, order=order)).look
    assert pictures == {tuple(looks(*placed) for _, placed in board) for board in every}
    anchored = [
        set(boards_of(BoardDefinition(BoardClaim(puzzle, order=order, anchor=piece))))
        for piece in range(len(puzzle.pieces))
    ]
    orbits = number_of_orbits(puzzle, every)
    assert all(orbits <= len(some) and some <= pictures for some in anchored)
    if name in ("4x4", "symmetric"):
        assert min(map(len, anchored)) == orbits < len(pictures)


@pytest.mark.parametrize("slips", [(2, 4), (1, 1, 1), (3, 5, 5), (1,) * 9])
@pytest.mark.parametrize("puzzle", [SYMMETRIC, JIGSAW])
def test_invalid_joins_are_those_that_the_slip_array_permits(puzzle, slips):
    order = tuple(reversed(range(len(puzzle.board))))
    try:
        every = fillings_with_slips(puzzle, order, slips)[-1]
    except TooMuch:
        pytest.skip("too many boards for a brute force")
    claim = BoardClaim(puzzle, symmetry=False, slips=slips, order=order)
    assert len(set(boards_of(BoardDefinition(claim)))) == len({placements(board) for board in every})
    for score in range(puzzle.max_score - 4, puzzle.max_score + 1):
        better = [board for board in every if puzzle.max_score - invalid_joins(puzzle, board) > score]
        claim = BoardClaim(puzzle, score=score, symmetry=False, slips=slips, order=order)
        assert len(set(boards_of(BoardDefinition(claim)))) == len({placements(board) for board in better})


@pytest.mark.parametrize("symmetry", [True, False])
def test_known_solutions_are_excluded_and_no_others(symmetry):
    """One after the other, until no board is left; turned ones are the same, if symmetries are."""
    puzzle = SMALL_PUZZLES["4x4"]
    every = sorted(all_solutions(puzzle))
    boards = [tuple(placed for _, placed in board) for board in every]
    excluded = []
    while True:
        claim = BoardClaim(puzzle, excluded, symmetry=symmetry, order=tuple(range(16)))
        definition = BoardDefinition(claim)
        left = set(boards_of(definition))
        further = next((b for b in boards if tuple(definition.look(*placed) for placed in b) in left), None)
        if further is None:
            break
        excluded.append(further)
        assert len(excluded) <= 100
    assert left == set()
    assert len(excluded) == (number_of_orbits(puzzle, set(every)) if symmetry else len(every))


@pytest.mark.parametrize("number", range(6))
def test_counts_are_exact(number):
    """At most, exactly, and at most so far: the models are counted."""

    def models(state):
        formula = PlainFormula()
        literals = [formula.variable("x", i) for i in range(5)]
        state(formula, literals)
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            return {
                sum(1 << i for i in range(5) if model >> i & 1)
                for model in range(32)
                if solver.solve(assumptions=[x if model >> i & 1 else -x for i, x in enumerate(literals)])
            }

    few = {m for m in range(32) if m.bit_count() <= number}
    assert models(lambda f, x: f.at_most(x, number)) == few
    assert models(lambda f, x: f.exactly(x, number)) == {m for m in few if m.bit_count() == number}
    bounds = [max(0, number - 4 + i) for i in range(5)]
    assert models(lambda f, x: f.at_most_so_far(x, bounds)) == {
        m for m in range(32) if all((m & (2 << i) - 1).bit_count() <= bounds[i] for i in range(5))
    }
