"""The bound on further invalid joins, against every completion of small boards."""

from collections import defaultdict
from random import Random

import hypothesis
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, fillings_with_slips
from jigsat import make_edge_matching
from jigsat.csp.engines.request import Goal, Limits, Options
from jigsat.csp.engines.result import Status
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import Rule
from jigsat.csp.puzzles.orders import NAMED_ORDERS, find_order
from jigsat.csp.puzzles.slips import allowed, anywhere, checked_slips
from jigsat.csp.search.backtrack import Backtrack
from jigsat.csp.search.ordered import color_balance
from jigsat.csp.search.ordered.color_balance import least_invalid
from jigsat.csp.search.ordered.run import Run
from jigsat.csp.search.shared_tree import EXHAUSTED
from mixed_boards import invalid_joins
from property_tests import examples
from strategies import mixed_jigsaw, puzzles, with_any_fixed

SIZES = [(1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (3, 3), (3, 4), (4, 3)]


@st.composite
def searches(draw):
    """A puzzle with fixed pieces, an order, two slip arrays, and all fillings by depth."""
    puzzle = draw(puzzles(sizes=SIZES))
    if draw(st.booleans()):
        puzzle = with_any_fixed(puzzle, draw)
    squares = len(puzzle.board)
    fixed = [f.square for f in puzzle.fixed]
    free = [square for square in range(squares) if square not in fixed]
    order = draw(st.sampled_from((*NAMED_ORDERS, "random")))
    order = (*fixed, *draw(st.permutations(free))) if order == "random" else order
    slips = draw(
        st.one_of(st.just(anywhere(puzzle)), st.lists(st.integers(1, squares), min_size=1, max_size=5).map(sorted))
    )
    _, order = find_order(puzzle, order)
    assume(checked_slips(puzzle, slips))  # Without them there is no bound.
    frame_slips = sorted(draw(st.one_of(st.just([]), st.lists(st.integers(1, squares), max_size=2))))
    try:
        return puzzle, order, slips, frame_slips, _fillings(puzzle, order, slips, frame_slips)
    except TooMuch:
        reject()


def _fillings(puzzle, order, slips, frame_slips):
    return fillings_with_slips(puzzle, order, slips, most=1_000, frame_slips=frame_slips)


def _board(puzzle, filling):
    """A partial filling of the brute force as a board."""
    board = [None] * len(puzzle.board)
    for (row, column), (piece, rotation, _) in filling.items():
        board[row * puzzle.columns + column] = Placement(piece, rotation)
    return tuple(board)


def _invalid(puzzle, board):
    """The invalid joins of a partial board inside, and those on the frame."""
    every, frame = invalid_joins(puzzle, board, range(len(board)))
    return every - frame, frame


@examples(60)
@given(searches())
def test_no_completion_has_fewer_invalid_joins(case):
    """Nor exactly one where this is said to be impossible."""
    puzzle, order, *_, frame_slips, _ = case
    try:
        full = _fillings(puzzle, order, anywhere(puzzle), frame_slips and [1, 1])[-1]
    except TooMuch:
        reject()
    further = defaultdict(set)
    for board in (_board(puzzle, filling) for filling in full):
        inner, frame = _invalid(puzzle, board)
        for depth in range(len(order) + 1):
            part = tuple(placed if square in order[:depth] else None for square, placed in enumerate(board))
            inner_so_far, frame_so_far = _invalid(puzzle, part)
            further[part].add((inner - inner_so_far, frame - frame_so_far))
    for part, numbers in further.items():
        least = least_invalid(puzzle, part)
        assert least.inner <= min(inner for inner, _ in numbers)
        assert least.frame <= min(frame for _, frame in numbers)
        assert not (least.never_one and {(0, 1), (1, 0)} & numbers)


@examples(80)
@given(searches())
def test_the_kernel_cuts_exactly_where_the_bound_says(case):
    """With slips along the frame it may cut less there, because it does not consider parity."""
    puzzle, order, slips, frame_slips, by_depth = case
    most = allowed(slips, len(order))
    goes_on = {}
    for filling in (filling for fillings in by_depth for filling in fillings):
        board = _board(puzzle, filling)
        above = tuple(None if square == order[len(filling) - 1] else placed for square, placed in enumerate(board))
        least = least_invalid(puzzle, board)
        fits = least.frame == 0 and _invalid(puzzle, board)[0] + least.inner <= most
        is_fixed = len(filling) <= len(puzzle.fixed)
        goes_on[board] = None if goes_on.get(above, True) is not True else (fits or is_fixed)
    wanted = [0] * len(order)
    for board, value in goes_on.items():
        wanted[len(board) - board.count(None) - 1] += value is not None
    options = Options(order=order, symmetry=False, slips=slips, frame_slips=frame_slips)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(color_balance, "_MOST_TO_SPARE", 10**6)
        result = Backtrack().run(puzzle, Goal.COUNT, options=options)
    hypothesis.event("cut" if None in goes_on.values() else "not cut")
    assert result.count == len(by_depth[-1])
    assert frame_slips or list(result.nodes_by_depth) == wanted


def test_one_invalid_join_is_never_alone():
    """No board is perfect, so the next search is the one with two invalid joins."""
    places = []
    puzzle = make_edge_matching(5, 5, 3, 4, random=True, seed=0)
    result = Backtrack().run(puzzle, Goal.BEST, report=lambda told: told.place and places.append(told.place))
    assert (result.status, result.best_score) == (Status.OPTIMAL, 38)
    assert {(place["most"], place["bound"]) for place in places} == {(0, 40), (2, 38)}


@pytest.mark.parametrize("rule", Rule)
def test_what_is_left_of_a_search_has_the_other_nodes(rule):
    """Wherever it is stopped: the accounts are made again from the board."""
    puzzle = make_edge_matching(4, 4, 2, 3, seed=5)
    if rule is Rule.OPPOSITE:
        chance = Random(1)
        puzzle = mixed_jigsaw(chance, 4, 4, [chance.choice((-3, -2, -1, 1, 2, 3)) for _ in range(24)])
    run = Run(puzzle, Goal.COUNT, Limits(), Options(slips="6,8,9,12"))
    whole = run.walk(0)
    assert whole.advance(10**9) == EXHAUSTED
    nodes, unbound = whole.nodes.tolist(), Run(puzzle, Goal.COUNT, Limits(), Options(slips="6,8,9,12", bound=False))
    more = unbound.walk(0)
    assert more.advance(10**9) == EXHAUSTED
    assert more.nodes[-1] == nodes[-1] > 0
    assert more.nodes.sum() > sum(nodes)
    for budget in range(1, sum(nodes), max(1, sum(nodes) // 20)):
        walk = run.walk(0)
        walk.advance(budget)
        done = walk.nodes.copy()
        for place in walk.rest():
            walk.begin_at(place)
            walk.nodes[:] = 0
            assert walk.advance(10**9) == EXHAUSTED
            done += walk.nodes
        assert done.tolist() == nodes
