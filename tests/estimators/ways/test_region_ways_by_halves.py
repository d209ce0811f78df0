"""How regions are cut."""

from dataclasses import replace

import pytest

from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.engines.request import Options
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.counting.halves import HalvesOfRegion
from jigsat.csp.search.counting.region import find_region
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.ways.region_ways import best_cut

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


def test_half_turns_halve_the_cost():
    """Two of the choices of colours along the cut that a half turn exchanges are one part."""
    board = MODEL.puzzle.board
    inside, side = (HalvesOfRegion(MODEL.puzzle, Options(squares=find_region(board, s))) for s in ("B2:C4", "A2:B4"))
    keys = 17**3
    assert keys / 2 < len(inside.work) < keys < len(side.work) + keys


def test_one_square_has_no_halves():
    with pytest.raises(EngineError, match="fewer than two free squares"):
        cut_of("A1")


def test_numbers_beyond_those_of_floats_have_cuts_too():
    """With one colour any piece fits, and 12x14 boards have more fillings than a float can hold."""
    sides = [
        (int(row > 0), int(column < 13), int(row < 11), int(column > 0)) for row in range(12) for column in range(14)
    ]
    puzzle = EdgeMatchingPuzzle(12, 14, tuple(sides))
    cut = best_cut(Complexity(puzzle), find_region(puzzle.board, "A1:L13"))
    assert len(cut.listed) + len(cut.joined) == 12 * 13
