"""The checker against solutions of a brute force, and against everything that can be wrong with one."""

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from property_tests import examples
from strategies import puzzles

PUZZLE = EdgeMatchingPuzzle(
    2, 2, ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (3, 0, 0, 4), (9, 9, 0, 0)), fixed=(Fixed(3, 3, 0),)
)
SOLUTION = [(0, 0), (1, 0), (2, 0), (3, 0)]


def test_a_solution_is_one():
    verdict = check(PUZZLE, SOLUTION)
    assert verdict.is_solution
    assert (verdict.score, verdict.max_score, verdict.placed, verdict.problems) == (4, 4, 4, ())


@pytest.mark.parametrize(
    ("square", "placed", "score", "problems"),
    [
        (0, None, 2, ["1 of 4 squares are empty"]),
        (
            1,
            (0, 1),
            2,
            [
                "A2: piece 1 lies on A1 already",
                "A1: piece 1 does not match piece 1 on A2: right side 1 faces left side 2",
                "A2: piece 1 does not match piece 4 on B2: down side 1 faces up side 3",
            ],
        ),
        (0, (7, 0), 2, ["A1: piece 8 does not exist; pieces are numbered 1 to 5"]),
        (0, (0, 4), 2, ["A1: piece 1 has rotation 4, which is not 0, 1, 2 or 3"]),
        (3, None, 2, ["B2: is empty, but piece 4 is fixed there", "1 of 4 squares are empty"]),
    ],
)
def test_faults_name_square_and_piece(square, placed, score, problems):
    board = list(SOLUTION)
    board[square] = placed
    verdict = check(PUZZLE, board)
    assert not verdict.is_solution
    assert list(verdict.problems) == problems
    assert verdict.score == score


def test_borders_belong_outside_and_fixed_pieces_stay():
    verdict = check(PUZZLE, [(0, 1), (1, 0), (2, 0), (4, 3)])
    text = "\n".join(verdict.problems)
    assert "A1: piece 1 has 1 on the border" not in text
    assert "A1: piece 1 has its border side inside the board (right side)" in text
    assert "A1: piece 1 has 2 on the border (left side)" in text
    assert "B2: piece 5 in rotation 3 lies where piece 4 in rotation 0 is fixed" in text


def test_another_size_is_refused():
    with pytest.raises(ValueError, match="3 squares"):
        check(PUZZLE, SOLUTION[:3])


@examples(100)
@given(puzzles(), st.data())
def test_accepts_exactly_the_solutions(puzzle, data):
    """Solutions of the brute force pass; the same with one square changed pass only if they are solutions, too."""
    try:
        found = all_solutions(puzzle)
    except TooMuch:
        reject()
    assume(found)
    boards = {tuple(placed for _, placed in arrangement) for arrangement in found}
    board = data.draw(st.sampled_from(sorted(boards)))
    assert check(puzzle, board).is_solution
    square = data.draw(st.integers(0, len(board) - 1))
    placed = data.draw(st.tuples(st.integers(-1, len(puzzle.pieces)), st.integers(-1, 4)))
    changed = (*board[:square], placed, *board[square + 1 :])
    assert check(puzzle, changed).is_solution == (changed in boards)
