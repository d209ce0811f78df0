from math import log
from pathlib import Path

import pytest
from hypothesis import given

from jigsat.csp.base.errors import OrderError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.orders import NAMED_ORDERS, default_order, named_order, read_order
from property_tests import examples
from strategies import puzzles

PUBLISHED = Path(__file__).parent / "eternity2_orders.txt"


def published():
    lines = [line for line in PUBLISHED.read_text().splitlines() if not line.startswith("#")]
    return {name: squares.split() for name, squares in (line.split(": ") for line in lines)}


@pytest.mark.parametrize("name", published())
def test_orders_on_the_eternity2_board_equal_the_published_ones(name):
    puzzle = read_squares("eternity2")
    assert [puzzle.board.name(square) for square in named_order(puzzle, name)] == published()[name]


@pytest.mark.parametrize("name", ["", "row", "rowscan:3", "rowscan2:7", "rowscan2:-1", "rowscan2:x", "best"])
def test_unknown_orders_are_refused(name):
    with pytest.raises(OrderError, match=r"order|rowscan2"):
        named_order(read_squares("clue1"), name)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda names: names[:-1], "square A16 is missing"),
        (lambda names: [*names, "B1"], "square B1 is named twice, the second time at depth 257"),
        (lambda names: [*names[1:], "I8"], "I8 holds a fixed piece and must come before"),
        (lambda names: [*names[:-1], "Q1"], "Q1 is not on the 16x16 board"),
    ],
)
def test_bad_orders_are_refused(tmp_path, change, message):
    puzzle = read_squares("eternity2")
    file = tmp_path / "order.txt"
    file.write_text(" ".join(change([puzzle.board.name(square) for square in named_order(puzzle, "rowscan")])))
    with pytest.raises(OrderError, match=message):
        read_order(puzzle, file)


def log_nodes(puzzle, order):
    """What `default_order` expects of an order, square by square."""
    board, placed, fixed = puzzle.board, set(), {fixed.square for fixed in puzzle.fixed}
    left = {name: pieces for name, (pieces, _) in puzzle.class_sizes().items()}
    chances = []
    for counts in (puzzle.frame_sides(), puzzle.inner_sides()):
        matching = sum(number * counts[puzzle.mate(color)] for color, number in counts.items())
        chances.append(log(max(matching, 1) / max(counts.total(), 1) ** 2))
    nodes, largest = 0.0, 0.0
    for square in order:
        kind = board.square_class(square)
        nodes += 0 if square in fixed else log(max(left[kind], 1) * (4 if kind == "inner" else 1))
        left[kind] -= 1
        for join in board.joins_of(square):
            if join.second in placed and not fixed.issuperset((square, join.second)):
                nodes += chances[0 if board.is_frame_join(join) else 1]
        placed.add(square)
        largest = max(largest, nodes)
    return largest


@examples(100)
@given(puzzles())
def test_the_default_order_is_that_of_the_fewest_nodes_expected(puzzle):
    name, order = default_order(puzzle)
    assert order == named_order(puzzle, name)
    expected = {
        name: log_nodes(puzzle, named_order(puzzle, name)) + (0 if name in ("rowscan", "colscan") else log(3))
        for name in NAMED_ORDERS
        if name != "spiral_out" or puzzle.fixed
    }
    least = min(expected.values())
    # Equal but for rounding: the first of them.
    assert name == next(name for name, nodes in expected.items() if nodes <= least + 1e-6)
