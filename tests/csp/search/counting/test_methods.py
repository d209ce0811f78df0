"""The methods of counting: which count whole boards, and which some squares of a board."""

import pytest

import jigsat as js


@pytest.mark.parametrize("squares", [None, "A1:C3"])
def test_a_part_of_the_board_is_not_counted_as_the_whole(squares):
    """All nine pieces have one colour but for the one in the middle, which fits nothing."""
    sides = [[int(row > 0), int(column < 2), int(row < 2), int(column > 0)] for row in range(3) for column in range(3)]
    sides[4] = [9, 9, 9, 9]
    puzzle = js.EdgeMatchingPuzzle(3, 3, tuple(map(tuple, sides)))
    given = {} if squares is None else {"squares": squares}
    assert js.count(puzzle, method="plain", **given).count == 0
    with pytest.raises(js.EngineError, match="method halves: it counts some squares of a board; for whole boards"):
        js.count(puzzle, method="halves", **given)
    assert js.count(puzzle, method="halves", squares="frame").count == 576
