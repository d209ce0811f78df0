"""Puzzles to give away have the same solutions under other numbers."""

from hypothesis import given
from hypothesis import strategies as st

from jigsat import count, read, read_squares
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.estimators.tasks.workshop.give_away import shuffled_dissection, shuffled_jigsaw

JIGSAW = read_squares("perfect-5x5")


@given(st.integers(0, 10**6))
def test_boards_stay_solutions(seed):
    """Catches rotations the wrong way round, and connectors that no longer fit."""
    shuffled, boards = shuffled_jigsaw(JIGSAW, list(JIGSAW.assemblies), seed)
    assert all(check(shuffled, board).is_solution for board in boards)
    assert tuple(boards) == shuffled.assemblies
    assert boards[0] != JIGSAW.assemblies[0]


def test_numbers_tell_nothing():
    """Catches names and sources that say how to make the jigsaw again, and solutions that come or go."""
    shuffled, _ = shuffled_jigsaw(JIGSAW, [], 1)
    assert (shuffled.name, shuffled.source, dict(shuffled.known)) == ("5x5 jigsaw", "", {})
    assert shuffled == shuffled_jigsaw(JIGSAW, [], 1)[0] != shuffled_jigsaw(JIGSAW, [], 2)[0]
    small = read_squares("perfect-3x3")
    assert count(shuffled_jigsaw(small, [], 1)[0]).count == count(small).count


def test_dissections():
    tangram = read("tangram")
    shuffled, tiling = shuffled_dissection(tangram, tangram.pieces, 1)
    assert check_tiling(shuffled, tiling).is_solution
    assert sorted(shuffled.pieces) == sorted(tangram.pieces)
    assert shuffled.pieces != tangram.pieces
