"""The best order against an exact shortest path that shares nothing with it, and its figures for Eternity II."""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat import read
from jigsat.csp.base.errors import OrderError
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import NAMED_ORDERS, checked_order
from jigsat.estimators.owen.best_order import best_order
from jigsat.estimators.owen.complexity import Complexity
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
def test_no_staircase_is_better(puzzle, data):
    """All of them, one by one, with and without fixed pieces and slips, from every corner."""
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3)))
    model = Complexity(puzzle)
    found = best_order(puzzle, slips, moves=0)
    assert found.exhaustive
    least = min(cost_of(model, order, slips) for order in staircase_orders(puzzle))
    assert float(found.staircase.nodes) == pytest.approx(float(least), rel=1e-9)
    assert checked_order(puzzle, found.order) == found.order
    assert found.estimate.nodes == cost_of(model, found.order, slips)
    assert found.estimate.nodes <= min(model.estimate(name, slips).nodes for name in NAMED_ORDERS)


def least_of_all_orders(model):
    """The cost of the cheapest order of all, by a shortest path through all sets of squares."""
    squares = len(model.puzzle.board)

    def nodes(filled):
        order = [*sorted(filled), *(square for square in range(squares) if square not in filled)]
        return model.estimate(order).nodes_by_depth[len(filled) - 1]

    @cache
    def least(filled):
        if not filled:
            return Fraction(0)
        return nodes(filled) + min(least(filled - {square}) for square in filled)

    return least(frozenset(range(squares)))


@pytest.mark.parametrize("seed", range(6))
def test_the_local_search_comes_near_the_best_of_all_orders(seed):
    """It cannot be better, and on a board of nine squares should not be more than a twentieth worse."""
    puzzle = deal_edge_matching(3, 3, 2, 2 + seed % 3, seed=seed).puzzle
    model = Complexity(puzzle)
    least = least_of_all_orders(model)
    found = best_order(puzzle)
    assert least <= found.estimate.nodes <= least * Fraction(21, 20)
    assert found.estimate.nodes <= found.staircase.nodes


def test_eternity_ii_is_as_good_as_by_hand():
    puzzle = read("eternity2")
    by_hand = [puzzle.board.parse(name) for name in PUBLISHED["best_known"].split()]
    found = best_order(puzzle)
    assert found.exhaustive
    assert found.staircase.nodes <= Complexity(puzzle).estimate(by_hand).nodes
    assert found.estimate.nodes < found.staircase.nodes


def test_ten_slips_on_eternity_ii():
    """The best published order has 7.000e57 nodes."""
    found = best_order(read("eternity2"), "192x10", moves=5_000)
    assert found.exhaustive
    assert found.staircase.nodes < 8 * 10**55
    assert found.estimate.nodes < 6 * 10**55


def test_many_slip_depths_are_no_longer_exhaustive():
    found = best_order(read("puzzle-c"), "10,15,20,25,30,35,40,45", states=5_000, moves=500)
    assert not found.exhaustive
    assert found.estimate.nodes <= Complexity(read("puzzle-c")).estimate("rowscan", found.estimate.slips).nodes


def test_the_same_seed_finds_the_same_order():
    first, second = (best_order(read("puzzle-c"), moves=5000, seed=7) for _ in range(2))
    assert first.order == second.order


def test_a_board_beyond_the_search_is_refused():
    puzzle = EdgeMatchingPuzzle(1, 64, ((1, 1, 1, 1),) * 64)
    with pytest.raises(OrderError, match="1x64 board is too large"):
        best_order(puzzle)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (5, 1), (2, 2)])
def test_the_smallest_boards(rows, columns):
    puzzle = deal_edge_matching(2, 2, 2, 0, seed=0).puzzle
    if rows * columns != 4:
        sides = {(1, 1): [(0, 0, 0, 0)], (1, 5): [(0, 1, 0, 0)] * 2 + [(0, 1, 0, 1)] * 3}
        pieces = sides.get((rows, columns)) or sides[columns, rows]
        puzzle = EdgeMatchingPuzzle(rows, columns, tuple(pieces))
    assert len(best_order(puzzle).order) == rows * columns
