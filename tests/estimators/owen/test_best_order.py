"""The best order: no staircase is better, nor what is known of Eternity II; what it says of other orders holds."""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import log10
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.errors import OrderError
from jigsat.csp.base.stop import Stop
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, checked_order
from jigsat.estimators.owen.best_order import MOST_FREE, OrderSearch, best_order, cheapest_order
from jigsat.estimators.owen.complexity import Complexity
from jigsat.estimators.owen.order_costs import OrderCosts
from property_tests import examples
from strategies import puzzles

PUBLISHED = json.loads(Path(__file__).with_name("published_estimates.json").read_text())


def staircase_orders(puzzle):
    """Every order that fills the board from one of its corners without ever leaving a gap towards that corner."""
    rows, columns = puzzle.rows, puzzle.columns

    def extend(order, lengths):
        if len(order) == rows * columns:
            yield order
        for row, length in enumerate(lengths):
            if length < columns and (row == 0 or lengths[row - 1] > length):
                longer = [*lengths[:row], length + 1, *lengths[row + 1 :]]
                yield from extend([*order, (row, length)], longer)

    for flip_rows, flip_columns in product((False, True), repeat=2):
        for order in extend([], [0] * rows):
            yield [
                (rows - 1 - r if flip_rows else r) * columns + (columns - 1 - c if flip_columns else c)
                for r, c in order
            ]


def cost_of(model, order, slips=()):
    fixed = [fixed.square for fixed in model.puzzle.fixed]
    return model.estimate([*fixed, *(square for square in order if square not in fixed)], slips).nodes


@examples(30)
@given(puzzles([(2, 2), (2, 3), (3, 2), (3, 3), (2, 4)]), st.data())
def test_no_staircase_and_no_named_order_is_better(puzzle, data):
    """All of them, one by one, with and without fixed pieces and slips, from every corner."""
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3)))
    model = Complexity(puzzle)
    found = best_order(puzzle, slips)
    least = min(cost_of(model, order, slips) for order in staircase_orders(puzzle))
    least = min(least, *(model.estimate(name, slips).nodes for name in NAMED_ORDERS))
    assert checked_order(puzzle, found.order) == found.order
    assert found.estimate.nodes == cost_of(model, found.order, slips) <= least * (1 + Fraction(1, 10**9))
    assert found.bound <= found.estimate.nodes
    assert found.exhaustive == (not found.estimate.slips)


def test_small_boards_have_the_best_order_of_all():
    for size, clues in (((3, 3), 0), ((4, 4), 1), ((3, 7), 3)):
        puzzle = deal_edge_matching(*size, 2, 3, clues=clues, seed=1).puzzle
        assert size[0] * size[1] - clues <= MOST_FREE
        found = best_order(puzzle)
        assert (found.exhaustive, found.optimal, found.moves) == (True, True, 0)


def test_the_local_search_finds_the_best_order_of_small_boards():
    """Whose cost another method gives: all sets of squares."""
    for clues in (0, 2):
        puzzle = deal_edge_matching(4, 4, 2, 4, clues=clues, seed=3).puzzle
        exact, search = best_order(puzzle), OrderSearch(puzzle)
        search._local.advance(100_000)
        units = Fraction(search._local.cost) * exact.costs.unit
        assert float(exact.costs.fixed_nodes + units) == pytest.approx(float(exact.estimate.nodes), rel=1e-9)


def test_a_jigsaw_whose_best_order_meets_the_bound():
    found = best_order(read("perfect-10x10"))
    assert found.optimal
    assert not found.exhaustive
    assert not best_order(read("puzzle-c"), moves=1_000).optimal


@pytest.mark.slow
def test_eternity_ii_is_as_good_as_by_hand():
    puzzle = read("eternity2")
    by_hand = [puzzle.board.parse(name) for name in PUBLISHED["best_known"].split()]
    found = best_order(puzzle)
    assert found.estimate.nodes < Complexity(puzzle).estimate(by_hand).nodes * (1 + Fraction(1, 10**6))
    assert found.estimate.nodes / 3 < found.bound


def test_ten_slips_on_eternity_ii():
    """The best published order has 7.000e57 nodes."""
    found = best_order(read("eternity2"), "192x10")
    assert found.estimate.nodes < 10**56


def test_more_moves_are_never_worse():
    """Nor do they forget: the search goes on from where it was."""
    puzzle = deal_edge_matching(8, 8, 3, 7, clues=3, seed=1).puzzle
    search, logs = OrderSearch(puzzle), []
    for moves in (0, 10_000, 100_000, 100_000):
        search.advance(moves)
        logs.append(search.log10_nodes)
        nodes = search.best().estimate.nodes
        assert logs[-1] == pytest.approx(log10(nodes), abs=1e-9)
    assert logs == sorted(logs, reverse=True)
    assert logs[-1] < logs[0]
    assert search.best().order == best_order(puzzle, moves=210_000).order


def test_it_can_be_stopped_at_any_time():
    """Then it has the best so far, which at first is a named order."""
    asked = iter((False, False, True))
    puzzle = read("puzzle-c")
    found = best_order(puzzle, moves=10**9, stop=Stop(None, lambda: next(asked)))
    assert 0 < found.moves < 10**5
    stopped = best_order(puzzle, stop=Stop(None, lambda: True))
    assert (stopped.moves, stopped.order) == (0, Complexity(puzzle).estimate("rowscan").order)


def test_the_same_seed_finds_the_same_order():
    first, second = (best_order(read("puzzle-c"), moves=5000, seed=7) for _ in range(2))
    assert first.order == second.order


def test_a_board_beyond_the_search_is_refused():
    puzzle = EdgeMatchingPuzzle(3, 342, ((1, 1, 1, 1),) * 1026)
    with pytest.raises(OrderError, match="3x342 board is too large"):
        best_order(puzzle)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (5, 1), (2, 2)])
def test_the_smallest_boards(rows, columns):
    puzzle = deal_edge_matching(2, 2, 2, 0, seed=0).puzzle
    if rows * columns != 4:
        sides = {(1, 1): [(0, 0, 0, 0)], (1, 5): [(0, 1, 0, 0)] * 2 + [(0, 1, 0, 1)] * 3}
        pieces = sides.get((rows, columns)) or sides[columns, rows]
        puzzle = EdgeMatchingPuzzle(rows, columns, tuple(pieces))
    assert len(best_order(puzzle).order) == rows * columns


def fewest_of_all_orders(model):
    """The nodes of the cheapest order, by exact numbers for every set of squares."""
    fixed = [square for square, _, _ in model.puzzle.fixed]
    free = frozenset(range(len(model.puzzle.board))) - set(fixed)

    @cache
    def fewest(filled):
        nodes = model.estimate([*fixed, *filled, *(free - filled)]).nodes_by_depth
        if not filled:
            return sum(nodes[: len(fixed)], Fraction(0))
        return nodes[len(fixed) + len(filled) - 1] + min(fewest(filled - {square}) for square in filled)

    return fewest(free)


@examples(60)
@given(puzzles([(1, 1), (1, 5), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]))
def test_no_order_is_cheaper(puzzle):
    model = Complexity(puzzle)
    order = cheapest_order(OrderCosts(model, ()))
    assert checked_order(puzzle, order) == order
    assert float(model.estimate(order).nodes) == pytest.approx(float(fewest_of_all_orders(model)), rel=1e-9)
