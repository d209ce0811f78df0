"""The search under slip arrays against a brute force that follows the definition."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, fillings_with_slips, full_boards, invalid_joins, permitted, placements
from jigsat.csp.engines.request import Earlier, Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.puzzles.slips import parse_slips
from jigsat.csp.search.backtrack import Backtrack
from property_tests import examples
from strategies import puzzles, with_any_fixed

ENGINE = Backtrack()
SIZES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (5, 1)]


@st.composite
def cases(draw):
    """A puzzle, an order, the slip arrays inside and along the frame, and what the brute force says."""
    puzzle = draw(puzzles(sizes=SIZES))
    if draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, draw)
    squares = len(puzzle.board)
    slips, frame_slips = (tuple(sorted(draw(st.lists(st.integers(1, squares), max_size=most)))) for most in (5, 3))
    fixed = [f.square for f in puzzle.fixed]
    free = [square for square in range(squares) if square not in fixed]
    order = draw(st.sampled_from((*NAMED_ORDERS, "random", "default")))
    if order == "random":
        order = (*fixed, *draw(st.permutations(free)))
    order = None if order == "default" else order
    try:
        by_depth = fillings_with_slips(puzzle, find_order(puzzle, order)[1], slips, frame_slips=frame_slips)
    except TooMuch:
        reject()
    return puzzle, order, slips, frame_slips, by_depth


@examples(70)
@given(cases())
def test_nodes_equal_brute_force(case):
    """Wrong quotas, passes that overlap or leave candidates out, or mixed up arrays would show as other numbers."""
    puzzle, order, slips, frame_slips, by_depth = case
    options = Options(order=order, symmetry=False, slips=slips, frame_slips=frame_slips, bound=False)
    result = ENGINE.run(puzzle, Goal.COUNT, options=options)
    assert list(result.nodes_by_depth) == [len(fillings) for fillings in by_depth]


@examples(100)
@given(cases())
def test_the_number_of_boards_and_the_best_score_equal_brute_force(case):
    """With symmetries broken: boards that are turned although an array forbids it, or joins that no search allows."""
    puzzle, order, slips, frame_slips, by_depth = case
    options = Options(order=order, slips=slips, frame_slips=frame_slips)
    assert ENGINE.run(puzzle, Goal.COUNT, options=options).count == len(by_depth[-1])
    least = min((invalid_joins(puzzle, board, along=1) for board in by_depth[-1]), default=None)
    found = ENGINE.run(puzzle, Goal.BEST, options=options)
    assert found.complete
    assert (found.best_score if found.solutions else None) == (None if least is None else puzzle.max_score - least)


@examples(12)
@given(cases())
def test_the_checker_permits_exactly_what_the_definition_permits(case):
    puzzle, order, slips, frame_slips, by_depth = case
    _, squares = find_order(puzzle, order)
    permitted = {placements(filling) for filling in by_depth[-1]}
    try:
        everything = fillings_with_slips(puzzle, squares, (1,) * 20, frame_slips=(1,) * 20)[-1]
    except TooMuch:
        reject()
    for filling in everything:
        board = [None] * len(puzzle.board)
        for (row, column), (piece, rotation, _) in filling.items():
            board[row * puzzle.columns + column] = (piece, rotation)
        assert check(puzzle, board, slips, squares, frame_slips).is_solution == (placements(filling) in permitted)


def test_a_search_in_slices_finds_what_a_search_in_one_finds():
    """Stopping anywhere and going on loses nothing and finds nothing twice."""
    puzzle = EdgeMatchingPuzzle(
        3, 3, tuple((a, b, c, d) for a, b, c, d in [
            (0, 1, 2, 0), (0, 1, 3, 1), (0, 0, 2, 1), (2, 4, 1, 0), (3, 4, 4, 4), (2, 0, 2, 3), (1, 1, 0, 0),
            (4, 2, 0, 1), (2, 0, 0, 2),
        ]),
    )  # fmt: skip
    options = Options(order="rowscan", symmetry=False, slips="1x4")
    whole = ENGINE.run(puzzle, Goal.COUNT, options=options)
    one_by_one = list(ENGINE.solutions(puzzle, options=options))
    assert len(one_by_one) == len(set(one_by_one)) == whole.count > 0
    for nodes in range(0, whole.nodes, max(whole.nodes // 50, 1)):
        part = ENGINE.run(puzzle, Goal.COUNT, Limits(nodes=nodes), options)
        assert (part.nodes, part.complete, part.ended_by) == (nodes, False, "nodes")


#: Cut from a board with four frame and four inner colours; then some inner sides were given other colours.
SPOILED = EdgeMatchingPuzzle(
    4, 4, (
        (0, 4, 3, 0), (0, 3, 8, 4), (0, 2, 5, 3), (0, 0, 3, 2),
        (3, 8, 1, 0), (7, 7, 5, 8), (6, 8, 6, 7), (3, 0, 4, 8),
        (1, 8, 2, 0), (5, 6, 6, 8), (6, 5, 5, 8), (4, 0, 2, 8),
        (2, 1, 0, 0), (6, 4, 0, 1), (5, 1, 0, 4), (2, 0, 0, 1),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def spoiled_boards():
    """Every frame and every way to lay the inside, looked at one by one."""
    return full_boards(SPOILED, most=4)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(("slips", "known"), [("1x4", 3), ("9,10,12,14", 4), ("6x2", math.inf), ("12x4", math.inf)])
def test_best_score_of_a_4x4_board_equals_brute_force(slips, known, spoiled_boards):
    _, order = find_order(SPOILED, "rowscan")
    array = parse_slips(slips)
    possible = (n for n, board in spoiled_boards if n <= len(array) and permitted(SPOILED, board, order, array))
    least = next(possible, math.inf)
    result = ENGINE.run(SPOILED, Goal.BEST, options=Options(order="rowscan", slips=slips))
    assert result.complete
    assert least == known
    if least == math.inf:
        assert result.status is Status.UNSATISFIABLE
    else:
        assert result.best_score == SPOILED.max_score - least


@pytest.mark.parametrize("slips", [None, pytest.param("9", marks=pytest.mark.slow)])
def test_more_identical_pieces_than_16_bits_can_count(slips):
    frame = [(0, 1, 1, 0)] * 4 + [(0, 1, 2, 1)] * 4
    puzzle = EdgeMatchingPuzzle(3, 3, (*frame, *[(2, 2, 2, 2)] * 65_536))
    assert ENGINE.run(puzzle, Goal.COUNT, options=Options(slips=slips)).canonical_count == 1


def test_a_resumed_search_for_the_best_board_tells_what_was_done_before():
    """Boards without an invalid join were searched before: a third of the numbers of invalid joins."""
    puzzle, options = read_squares("puzzle-a"), Options(order="rowscan", slips="20,30")
    first, second = [], []
    ENGINE.run(puzzle, Goal.BEST, Limits(nodes=20_000_000), options, report=first.append)
    place = {**first[-1].place, "most": 1, "bound": puzzle.max_score - 1, "below": None}
    resumed = replace(options, earlier=Earlier(place=place))
    ENGINE.run(puzzle, Goal.BEST, Limits(nodes=20_000_000), resumed, report=second.append)
    assert {progress.found for progress in first} == {0.0}
    assert all(progress.done >= progress.found == 1 / 3 for progress in second)
    assert second[0].found_nodes == sum(place["nodes"])
