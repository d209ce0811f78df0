"""The best completion of a window against brute force and CP-SAT; limits, seeds, what is refused."""

import random
from typing import NamedTuple

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from brute_force import TooMuch
from jigsat import best, read
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.stop import never
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.search.shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL
from jigsat.csp.search.windows import Window, WindowTables
from mixed_boards import fewest_invalid, invalid_joins, mixed_board
from property_tests import examples
from strategies import puzzles

# The number of nodes between two looks at the clock: about a hundredth of a second.
_SLICE = 50_000


class Completion(NamedTuple):
    """A completed board with its invalid joins, or None; whether it is proved that none has fewer than `at_least`."""

    board: tuple | None
    invalid: int | None
    proved: bool
    at_least: int
    nodes: int


def best_completion(
    tables, board, squares, better_than=None, *, nodes=None, must_stop=never, seed=0, loose_frame=False
):
    """Fill some squares of a board with as few invalid joins as possible, fewer than `better_than` if it is given."""
    window = Window(tables, tables.placed(board), squares, seed, loose_frame=loose_frame)
    most = window.joins if better_than is None else min(better_than - 1, window.joins)
    if most >= 0 and not window.squares:
        return Completion(tuple(board), 0, True, 0, 0)
    for invalid in range(most + 1):
        window.begin(invalid)
        while True:
            left = _SLICE if nodes is None else min(_SLICE, nodes - window.nodes)
            code = window.advance(left)
            if code != BUDGET_SPENT:
                break
            if must_stop() or window.nodes == nodes:
                return Completion(None, None, False, invalid, window.nodes)
        if code != EXHAUSTED:
            return Completion(tables.board(window.found()[0]), invalid, True, invalid, window.nodes)
    return Completion(None, None, True, most + 1, window.nodes)


@examples(300, quick=60)
@given(puzzles(), st.integers(0, 2**32), st.booleans(), st.integers(0, 3))
def test_no_completion_is_better(puzzle, seed, loose_frame, order):
    """Few colours, twins, symmetric and spare pieces, jigsaws, strips; some squares stay empty."""
    chance = random.Random(seed)
    board = mixed_board(puzzle, chance) or puzzle.fixed_board
    free = chance.sample(puzzle.free_squares, min(len(puzzle.free_squares), chance.randint(0, 5)))
    board = [None if placed and chance.random() < 0.1 else placed for placed in board]
    board = [fixed or placed for fixed, placed in zip(puzzle.fixed_board, board, strict=True)]
    try:
        fewest = fewest_invalid(puzzle, board, free, loose_frame)
    except TooMuch:
        reject()
    tables = WindowTables(puzzle)
    found = best_completion(tables, board, free, seed=order, loose_frame=loose_frame)
    assert (found.invalid, found.proved) == (fewest, True)
    if fewest is not None:
        assert all(found.board[q] == placed for q, placed in enumerate(board) if q not in free)
        assert len({placed.piece for placed in found.board if placed}) == sum(map(bool, found.board))
        assert invalid_joins(puzzle, found.board, free)[0] == fewest
        # A limit on what is looked for changes nothing but that.
        for limit in (fewest, fewest + 1):
            again = best_completion(tables, board, free, limit, seed=order, loose_frame=loose_frame)
            assert (again.invalid, again.proved) == (fewest if fewest < limit else None, True)
            assert again.at_least == fewest


@pytest.mark.some_cases(4)
@pytest.mark.parametrize("seed", range(12))
def test_cp_sat_agrees(seed):
    """Windows of 6 to 16 squares in boards with exchanged pieces; CP-SAT judges the whole board."""
    made = deal_edge_matching(7, 7, 3, 4, seed=seed)
    chance = random.Random(seed)
    board, free = spoiled(made, chance), window(made.puzzle, chance, 6 + seed % 11)
    found = best_completion(WindowTables(made.puzzle), board, free)
    start = tuple(None if q in free else placed for q, placed in enumerate(board))
    second = best(made.puzzle, engine="cpsat", start=start)
    assert found.proved
    assert second.complete
    assert made.puzzle.score(found.board) == second.best_score


def spoiled(made, chance, number=6):
    """The planted solution with inner pieces exchanged and turned."""
    board = [*made.solution]
    inner = [q for q in range(len(board)) if made.puzzle.board.square_class(q) == "inner"]
    chosen = chance.sample(inner, number)
    pieces = chance.sample([board[q].piece for q in chosen], number)
    for square, piece in zip(chosen, pieces, strict=True):
        board[square] = board[square]._replace(piece=piece, rotation=chance.randrange(4))
    return board


def window(puzzle, chance, size):
    """A connected window around an inner square."""
    board = puzzle.board
    chosen = {board.square(chance.randint(1, 5), chance.randint(1, 5))}
    while len(chosen) < size:
        chosen.add(chance.choice([join.second for join in board.joins_of(chance.choice(sorted(chosen)))]))
    return chosen


def test_the_search_ends_at_its_limits_and_says_what_is_proved_so_far():
    made = deal_edge_matching(7, 7, 3, 8, seed=1)
    tables, free = WindowTables(made.puzzle), range(49)
    cut = best_completion(tables, made.solution, free, nodes=1_000)
    assert (cut.board, cut.invalid, cut.proved, cut.at_least, cut.nodes) == (None, None, False, 0, 1_000)
    stopped = best_completion(tables, made.solution, free, must_stop=lambda: True)
    assert (stopped.board, stopped.proved, stopped.nodes) == (None, False, 50_000)


def test_what_is_not_a_window_is_refused():
    puzzle = read("eternity2")
    tables, board = WindowTables(puzzle), puzzle.fixed_board
    fixed = puzzle.fixed[0].square
    for squares, why in (
        (range(64), "window: 64 squares; at most 63 are supported"),
        ((1, 256), "window: square number 256 is not on the 16x16 board"),
        ((1, fixed), "window: the piece on I8 is fixed"),
    ):
        with pytest.raises(PuzzleError) as refused:
            best_completion(tables, board, squares)
        assert str(refused.value) == why


def test_a_window_may_have_thousands_of_unused_pieces_but_not_any_number():
    def row(spare):
        return EdgeMatchingPuzzle(1, 2, ((0, 2, 0, 1),) * spare + ((0, 2, 0, 0), (0, 0, 0, 2)))

    assert best_completion(WindowTables(row(4_000)), (None, None), (0, 1)).invalid == 0
    with pytest.raises(PuzzleError) as refused:
        best_completion(WindowTables(row(16_998)), (None, None), (0, 1))
    assert str(refused.value) == "window: 17000 unused pieces; at most 16383 are supported"


def test_a_search_begins_anew_wherever_the_last_one_ended():
    """After all completions, after some of them, and after some nodes; the state is the same each time."""
    made = deal_edge_matching(6, 6, 3, 4, seed=1)
    tables = WindowTables(made.puzzle)
    window = Window(tables, tables.placed(made.solution), (8, 9, 14, 15, 20))

    def completions(most):
        window.begin(most, 10_000)
        assert window.advance(10**6) == EXHAUSTED
        return {board.tobytes() for board in window.found()}

    every = completions(6)
    assert len(every) > 20
    for wanted, nodes, code in ((1, 10**6, ROWS_FULL), (7, 10**6, ROWS_FULL), (10_000, 9, BUDGET_SPENT)):
        window.begin(6, wanted)
        assert window.advance(nodes) == code
        assert completions(6) == every
    # In slices, too.
    window.begin(6, 10_000)
    found = set()
    while window.advance(7) == BUDGET_SPENT:
        found |= {board.tobytes() for board in window.found()}
    assert found | {board.tobytes() for board in window.found()} == every
