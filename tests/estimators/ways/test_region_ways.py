"""How regions are cut, and which way counts them."""

from dataclasses import replace
from itertools import product

import pytest

import jigsat as js
from jigsat import read
from jigsat.csp.engines.request import NO_LIMITS, Options
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.counting.region import find_region
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.region_ways import RegionWays, best_cut

PUZZLE = read("eternity2")


def names(spec, **asked):
    return [way.name for way in js.explain(PUZZLE, "count", squares=spec, **asked).ways]


def test_large_blocks_are_counted_by_halves():
    first, second, *_ = names("B2:D4")
    assert first == "backtrack, method halves"
    assert second.startswith("backtrack, order ")


def test_the_order_begins_with_fixed_squares_and_the_region():
    region = find_region(PUZZLE.board, "C3:D4")
    name, order = RegionWays(PUZZLE, NO_LIMITS, Options(squares=region)).best_order()
    assert order[0] == PUZZLE.fixed[0].square
    assert {*order[1:5]} == {*region}
    assert sorted(order) == [*range(256)]
    assert name in ("rowscan", "colscan", "rowscan2")


MODEL = Complexity(replace(read("eternity2"), fixed=()))


def cut_of(spec):
    return best_cut(MODEL, find_region(MODEL.puzzle.board, spec))


@pytest.mark.parametrize("spec", ["A1:A2", "A1:C3", "A2:B5,H8", "row:1"])
def test_halves_have_each_square_once(spec):
    cut = cut_of(spec)
    assert sorted((*cut.listed, *cut.joined)) == list(find_region(MODEL.puzzle.board, spec))
    assert cut.listed
    assert cut.joined
    assert cut.steps > 0


def test_a_square_block_is_cut_in_the_middle():
    cut = cut_of("B2:E5")
    assert {*cut.listed} in ({*find_region(MODEL.puzzle.board, half)} for half in ("B2:C5", "D2:E5", "B2:E3", "B4:E5"))


def test_numbers_beyond_those_of_floats_have_cuts_too():
    """With one colour any piece fits, and 12x14 boards have more fillings than a float can hold."""
    squares = product(range(12), range(14))
    sides = tuple((int(row > 0), int(column < 13), int(row < 11), int(column > 0)) for row, column in squares)
    puzzle = EdgeMatchingPuzzle(12, 14, sides)
    cut = best_cut(Complexity(puzzle), find_region(puzzle.board, "A1:L13"))
    assert len(cut.listed) + len(cut.joined) == 12 * 13
