"""Jigsaws of three boards: what the program promises, by a search that shares nothing with it."""

from collections import Counter

import jigsat as js
from jigsat.csp.puzzles.check_board import check
from three_boards import search, shared_joins


def test_one_solution_on_each_of_three_boards():
    found = search(8, 10, [1, 2, 4], shared=True, steps=400_000, report=lambda _: None)
    assert found is not None
    puzzles, run = found
    assert [(each.rows, each.columns) for each in puzzles] == [(8, 8), (7, 9), (6, 10)]
    assert len({each.pieces for each in puzzles}) == 1
    for puzzle in puzzles:
        assert check(puzzle, puzzle.assemblies[0]).is_solution
        assert js.count(puzzle, engine="backtrack").canonical_count == 1
    assert max(Counter(side for sides in puzzles[0].pieces for side in sides if side > 0).values()) <= 10
    assert shared_joins(run)[:2] == [0, 0]
