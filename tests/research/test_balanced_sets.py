"""Balanced rotations by enumeration, and those of Eternity II."""

from dataclasses import replace
from itertools import product
from math import log

import pytest

from balanced_counts import count_balanced
from balanced_sets import Walk, balanced_rotations, chance_of_balance
from jigsat import read
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.words import significant
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule


def test_balanced_rotations_of_eternity_ii():
    found = balanced_rotations(read("eternity2"))
    assert significant(found.rotations, 3) == "7.45e+149"
    assert {sides: significant(chance, 6) for sides, chance in found.chances.items()} == {
        50: "1.26057e-2", 48: "1.31255e-2", 24: "2.59791e-2",
    }  # fmt: skip
    assert found.colors == {50: 12, 48: 5, 24: 5}
    assert significant(found.balanced, 3) == "5.53e+109"


def test_rotations_by_enumeration():
    """2x3: every way to turn the pieces so that the frame can be laid, counted one by one."""
    corner, edge = (0, 1, 1, 0), (0, 1, 2, 1)
    puzzle = EdgeMatchingPuzzle(2, 3, (corner,) * 4 + (edge,) * 2)
    ways = 0
    for turns in product(range(4), repeat=6):
        corners, edges = sorted(turns[:4]), sorted(turns[4:])
        ways += corners == [0, 1, 2, 3] and edges == [0, 2]
    assert balanced_rotations(puzzle).rotations == ways == 48


@pytest.mark.parametrize("sides", range(8))
def test_the_chance_of_balance_by_enumeration(sides):
    balanced = sum(
        (walk.count("up"), walk.count("left")) == (walk.count("down"), walk.count("right"))
        for walk in product(("up", "right", "down", "left"), repeat=sides)
    )
    assert chance_of_balance(sides) * 4**sides == balanced


def test_estimates_of_a_puzzle_that_can_be_counted():
    """A corner and an inner piece are fixed, so that the sums needed are not those expected."""
    made = deal_edge_matching(6, 6, 2, 2, seed=2)
    assert made.solution is not None
    fixed = tuple(Fixed(square, *made.solution[square]) for square in (0, 14))
    walk = Walk(replace(made.puzzle, fixed=fixed))
    exact = log(count_balanced(replace(made.puzzle, fixed=fixed)))
    assert walk.limit() + walk.correction() == pytest.approx(exact, abs=0.03)
    for (found, error), most in ((walk.integral(200_000, seed=1), 0.003), (walk.annealed(50, seed=1), 0.04)):
        assert error < most
        assert found == pytest.approx(exact, abs=3 * error)


def test_what_has_no_such_table():
    clue1 = read("clue1")
    with pytest.raises(PuzzleError, match="spare"):
        balanced_rotations(replace(clue1, pieces=(*clue1.pieces, clue1.pieces[0])))
    with pytest.raises(PuzzleError, match="connectors"):
        balanced_rotations(EdgeMatchingPuzzle(1, 2, ((0, 1, 0, 0), (0, -1, 0, 0)), Rule.OPPOSITE))
