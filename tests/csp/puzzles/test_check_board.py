"""The checker against solutions of a brute force, and against everything that can be wrong with one."""

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions, as_brute_force, fillings_with_slips, invalid_joins, orbit, permitted
from jigsat.csp.puzzles.check_board import appearance, check, same_solutions
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from property_tests import examples
from small_puzzles import JIGSAW, RECTANGLE, SYMMETRIC
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
    with pytest.raises(ValueError, match=r"^3 squares for a 2x2 board$"):
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


#: The pieces lie in their order; then four that do not match along the frame, for A2, B1, B3 and C2.
NINE = EdgeMatchingPuzzle(
    3, 3, ((0, 1, 4, 0), (0, 2, 5, 1), (0, 0, 6, 2), (4, 5, 1, 0), (5, 6, 6, 5), (6, 0, 2, 6), (1, 3, 0, 0),
           (6, 4, 0, 3), (2, 0, 0, 4), (0, 9, 5, 1), (4, 5, 9, 0), (6, 0, 9, 6), (6, 9, 0, 3)),
)  # fmt: skip
IN_ORDER = [(piece, 0) for piece in range(9)]
TURNED = [*IN_ORDER[:4], (4, 2), *IN_ORDER[5:]]
BACKWARDS = tuple(range(8, -1, -1))
FOUR_JOINS = [
    "A2: piece 2 does not match piece 5 on B2: down side 5 faces up side 6",
    "B1: piece 4 does not match piece 5 on B2: right side 5 faces left side 6",
    "B2: piece 5 does not match piece 6 on B3: right side 5 faces left side 6",
    "B2: piece 5 does not match piece 8 on C2: down side 5 faces up side 6",
]


def test_joins_that_do_not_match_have_their_squares_pieces_and_sides():
    verdict = check(NINE, IN_ORDER)
    assert (verdict.is_solution, verdict.score, verdict.max_score, verdict.squares) == (True, 12, 12, 9)
    verdict = check(NINE, TURNED)
    assert list(verdict.problems) == FOUR_JOINS
    assert (verdict.score, verdict.slips, verdict.is_solution) == (8, (), False)


def test_the_sides_of_a_square_that_are_on_the_wrong_side_of_the_frame():
    """A corner piece in the middle, an inner piece at each corner; what faces each other as a border does not count."""
    board = [(4, 0), (1, 2), (4, 0), None, (0, 1), (5, 3), (4, 0), None, (4, 0)]
    verdict = check(NINE, board)
    assert list(verdict.problems) == [
        "A3: piece 5 lies on A1 already",
        "C1: piece 5 lies on A1 already",
        "C3: piece 5 lies on A1 already",
        "A1: piece 5 has 5 on the border (up side)",
        "A1: piece 5 has 5 on the border (left side)",
        "A2: piece 2 has 5 on the border (up side)",
        "A2: piece 2 has its border side inside the board (down side)",
        "A3: piece 5 has 5 on the border (up side)",
        "A3: piece 5 has 6 on the border (right side)",
        "B2: piece 1 has its border side inside the board (up side)",
        "B2: piece 1 has its border side inside the board (right side)",
        "B3: piece 6 has its border side inside the board (up side)",
        "B3: piece 6 has 2 on the border (right side)",
        "C1: piece 5 has 6 on the border (down side)",
        "C1: piece 5 has 5 on the border (left side)",
        "C3: piece 5 has 6 on the border (right side)",
        "C3: piece 5 has 6 on the border (down side)",
        "A1: piece 5 does not match piece 2 on A2: right side 6 faces left side 2",
        "A2: piece 2 does not match piece 5 on A3: right side 1 faces left side 5",
        "A2: piece 2 does not match piece 1 on B2: down side 0 faces up side 0",
        "A3: piece 5 does not match piece 6 on B3: down side 6 faces up side 0",
        "B2: piece 1 does not match piece 6 on B3: right side 0 faces left side 6",
        "B3: piece 6 does not match piece 5 on C3: down side 6 faces up side 5",
        "2 of 9 squares are empty",
    ]
    assert verdict.score == 0


@pytest.mark.parametrize(
    ("placed", "problem"),
    [
        ((5, 0), "B1: piece 6 does not exist; pieces are numbered 1 to 5"),
        ((-1, 0), "B1: piece 0 does not exist; pieces are numbered 1 to 5"),
        ((2, -1), "B1: piece 3 has rotation -1, which is not 0, 1, 2 or 3"),
    ],
)
def test_numbers_that_are_just_out_of_range(placed, problem):
    assert list(check(PUZZLE, [None, *SOLUTION[1:2], placed, SOLUTION[3]]).problems) == [
        problem,
        "1 of 4 squares are empty",
    ]


def test_slips_are_used_in_the_order_in_which_joins_are_made():
    """In this order the lower and the right join of B2 are made at depth 5, the left one at 6, the upper one at 8."""
    up, left, right, down = FOUR_JOINS
    verdict = check(NINE, TURNED, (9, 5, 6), BACKWARDS)
    assert [str(fault) for fault in verdict.slips] == [right]
    assert list(verdict.problems) == [
        f"{down} (depth 5, the next slip is allowed from 6)",
        f"{left} (depth 6, the next slip is allowed from 9)",
        f"{up} (all slips are used)",
    ]
    verdict = check(NINE, TURNED, (5, 5, 6, 8), BACKWARDS)
    assert [str(fault) for fault in verdict.slips] == [right, down, left, up]
    assert verdict.is_solution
    assert verdict.score == 8


def test_no_slip_is_allowed_along_the_frame():
    board = list(IN_ORDER)
    for square, piece in ((1, 9), (3, 10), (5, 11), (7, 12)):
        board[square] = (piece, 0)
    verdict = check(NINE, board, (1,) * 9, BACKWARDS)
    joins = [
        "A2: piece 10 does not match piece 3 on A3: right side 9 faces left side 2",
        "B1: piece 11 does not match piece 7 on C1: down side 9 faces up side 1",
        "B3: piece 12 does not match piece 9 on C3: down side 9 faces up side 2",
        "C2: piece 13 does not match piece 9 on C3: right side 9 faces left side 4",
    ]
    assert list(verdict.problems) == [f"{join}; no slip is allowed along the frame" for join in joins]
    assert verdict.slips == ()


def test_frame_slips_permit_joins_along_the_frame_only():
    """In this order A2-A3 is made at depth 8, B1-C1 at 6, B3-C3 at 4, C2-C3 at 2; an inner join at 5."""
    board = list(TURNED)
    for square, piece in ((1, 9), (3, 10), (5, 11), (7, 12)):
        board[square] = (piece, 0)
    verdict = check(NINE, board, (1,) * 9, BACKWARDS, (2, 3, 7))
    assert [str(fault)[:2] for fault in verdict.frame_slips] == ["C2", "B3"]
    assert [str(fault).partition(": down side 9 faces up side 1 ")[2] for fault in verdict.invalid_joins] == [
        "(depth 6, the next frame slip is allowed from 7)",
        "",
    ]
    assert str(verdict.invalid_joins[1]).endswith("right side 9 faces left side 2 (all frame slips are used)")
    assert len(verdict.slips) == 4
    verdict = check(NINE, board, (), BACKWARDS, (2, 4, 6, 8))
    assert [str(fault)[:2] for fault in verdict.frame_slips] == ["C2", "B3", "B1", "A2"]
    assert len(verdict.invalid_joins) == 4
    assert all(str(fault).endswith("(all slips are used)") for fault in verdict.invalid_joins)
    assert check(NINE, board, (1,) * 4, BACKWARDS, (1,) * 4).is_solution


def test_on_a_strip_every_join_is_along_the_frame():
    pieces = ((0, 0, 1, 0), (1, 0, 2, 0), (3, 0, 4, 0), (4, 0, 0, 0))
    for rows, columns, turn, word in ((4, 1, 0, "down side 2 faces up"), (1, 4, 3, "right side 2 faces left")):
        strip = EdgeMatchingPuzzle(rows, columns, pieces)
        (problem,) = check(strip, [(piece, turn) for piece in range(4)], (1,), range(4)).problems
        assert word in problem
        assert problem.endswith("no slip is allowed along the frame")


def test_a_board_of_two_columns_has_an_inner_join_in_each_inner_row():
    pieces = ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 5, 0), (3, 0, 6, 7), (5, 8, 0, 0), (6, 0, 0, 8))
    board = [(piece, 0) for piece in range(6)]
    assert check(EdgeMatchingPuzzle(3, 2, pieces), board, (4,), range(6)).is_solution
    assert not check(EdgeMatchingPuzzle(3, 2, pieces), board, (5,), range(6)).is_solution


@pytest.mark.parametrize("order", [range(8), [*range(8), 7], range(1, 10)])
def test_slips_need_an_order_of_all_squares(order):
    with pytest.raises(ValueError, match=r"^slips need a search order that holds every square once$"):
        check(NINE, TURNED, (1,), order)


@examples(150)
@given(puzzles([(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3)]), st.data())
def test_slips_are_judged_as_they_are_defined(puzzle, data):
    squares = range(len(puzzle.board))
    try:
        boards = fillings_with_slips(puzzle, squares, (1,) * 3, most=2_000)[-1]
    except TooMuch:
        reject()
    assume(boards)
    board = data.draw(st.sampled_from(boards))
    order = data.draw(st.permutations(squares))
    slips = data.draw(st.lists(st.integers(1, len(squares)), min_size=1, max_size=4))
    verdict = check(puzzle, [board[divmod(square, puzzle.columns)][:2] for square in squares], slips, order)
    assert verdict.is_solution == permitted(puzzle, board, order, slips)
    assert len(verdict.slips) + len(verdict.invalid_joins) == invalid_joins(puzzle, board)
    assert verdict.score == verdict.max_score - invalid_joins(puzzle, board)


def as_board(arrangement):
    return [placed for _, placed in sorted(arrangement)]


TWINS = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 0, 3, 1), (2, 4, 0, 0), (2, 0, 0, 1)), Rule.EQUAL)


@pytest.mark.parametrize("turnable", [True, False])
@pytest.mark.parametrize(
    "puzzle", [TWINS, SYMMETRIC, JIGSAW, RECTANGLE], ids=["twins", "symmetric", "jigsaw", "rectangle"]
)
def test_boards_look_the_same_exactly_within_an_orbit(puzzle, turnable):
    """Others have a piece turned, are turned by half, or turned by a quarter with the squares in the same rows."""
    squares = range(len(puzzle.board))
    board = list(puzzle.fixed_board)
    free = iter(sorted(set(range(len(puzzle.pieces))) - {one.piece for one in puzzle.fixed}))
    board = [placed or (next(free), square % 4) for square, placed in enumerate(board)]
    others = [board]
    for square in squares:
        if puzzle.fixed_board[square] is None:
            piece, rotation = board[square]
            others += [[*board[:square], (piece, (rotation + turn) % 4), *board[square + 1 :]] for turn in (1, 2, 3)]
    rows, columns = puzzle.rows, puzzle.columns
    quarter = [board[(rows - 1 - c) * columns + r] for r in range(columns) for c in range(rows)]
    others += [[(p, (t + turn) % 4) for p, t in one] for one, turn in ((board[::-1], 2), (quarter, 1))]
    alike = orbit(puzzle, as_brute_force(board, puzzle.columns), turnable)
    look = appearance(puzzle, board, turnable=turnable)
    assert all(appearance(puzzle, as_board(one), turnable=turnable) == look for one in alike)
    for other in others:
        same = as_brute_force(other, puzzle.columns) in alike
        assert (appearance(puzzle, other, turnable=turnable) == look) == same


def test_same_solutions_are_found_with_their_numbers():
    """Turned by a quarter; then with the two pieces that look the same exchanged, which only a symmetry makes equal."""
    board, turned = [(0, 0), (1, 0), (2, 0), (3, 0)], [(2, 1), (0, 1), (3, 1), (1, 1)]
    assert appearance(TWINS, board) == appearance(TWINS, turned)
    assert same_solutions(TWINS, [board, turned]) == (0, 1)
    assert same_solutions(TWINS, [board, turned], turnable=False) is None
    assert same_solutions(TWINS, [board, turned], symmetry=False) is None
    exchanged = [(3, 2), (1, 0), (2, 0), (0, 2)]
    assert same_solutions(TWINS, [turned, board, exchanged], turnable=False) == (1, 2)
    assert same_solutions(TWINS, [turned, board, exchanged, board, turned], symmetry=False) == (1, 3)
    assert same_solutions(TWINS, [turned]) is None
