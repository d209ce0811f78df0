"""Owen's model against what it stands for: the mean over all redistributions of the colours, as rationals."""

from dataclasses import replace
from itertools import product
from math import comb, factorial

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from jigsat import count
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.orders import NAMED_ORDERS, named_order
from jigsat.csp.puzzles.slips import inner_joins
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from redistributed import mean_nodes
from strategies import puzzles


def by_hand(sides, side):
    """Lots: sides without a border beside them; with one on the one hand; on the other; on both."""
    return sides[side - 1] == 0, sides[(side + 1) % 4] == 0


def by_hand_but_the_rim(sides, side):
    """If all edge pieces have the same colour towards the inside, these sides stay as they are."""
    return sides.count(0) == 1 and sides[side - 2] == 0, by_hand(sides, side)


def mean(puzzle, order, slips, frame_slips=()):
    rim = {sides[sides.index(0) - 2] for sides in puzzle.pieces if sides.count(0) == 1}
    return mean_nodes(puzzle, by_hand if len(rim) > 1 else by_hand_but_the_rim, order, slips, frame_slips)


# Frame one colour, so that the brute force can look at the inside: 3x3 with 8 inner sides.
CORNERS = tuple(Fixed(square, piece, turn) for square, piece, turn in ((0, 0, 0), (2, 1, 1), (8, 2, 2), (6, 3, 3)))


def in_a_ring(columns, inner, free=(), fixed=(), rim=5, rows=3):
    """Inner pieces in a rim of one colour; the frame is fixed except on the `free` squares."""
    board, pieces, places = Board(rows, columns), [], []
    for square in range(rows * columns):
        border = [bool(board.border_mask(square) >> side & 1) for side in range(4)]
        if any(border):
            beside = [1 if border[i - 1] else (rim > 0) - (rim < 0) if border[(i + 1) % 4] else rim for i in range(4)]
            places += [] if square in free else [Fixed(square, len(pieces), 0)]
            pieces.append(tuple(0 if on else color for on, color in zip(border, beside, strict=True)))
    rule = Rule.EQUAL if rim > 0 else Rule.OPPOSITE
    return EdgeMatchingPuzzle(rows, columns, (*pieces, *inner), rule, (*places, *fixed))


WHEEL = tuple((0, 1, 1, 0) for _ in range(4)) + tuple((0, 1, c, 1) for c in (5, 6, 5, 5)) + ((5, 5, 6, 5),)
CASES = {
    "2x2, odd numbers of colours": EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 1, 0), (0, 1, 2, 0))),
    "2x2, a spare corner": EdgeMatchingPuzzle(
        2, 2, ((0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 2, 0), (0, 1, 2, 0), (0, 2, 1, 0))
    ),
    "2x2, two fixed pieces": EdgeMatchingPuzzle(
        2, 2, ((0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 1, 0), (0, 1, 2, 0)), fixed=(Fixed(0, 0, 0), Fixed(1, 3, 1))
    ),
    "2x3": EdgeMatchingPuzzle(
        2, 3, ((0, 1, 1, 0), (0, 1, 1, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 1, 3, 1), (0, 1, 4, 1))
    ),
    "1x4": EdgeMatchingPuzzle(1, 4, ((0, 1, 0, 0), (0, 2, 0, 0), (0, 1, 0, 1), (0, 2, 0, 2))),
    "1x3, more strips, odd numbers": EdgeMatchingPuzzle(1, 3, ((0, 1, 0, 0), (0, 2, 0, 0), (0, 1, 0, 1), (0, 1, 0, 3))),
    "1x1": EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),)),
    "3x3": EdgeMatchingPuzzle(3, 3, WHEEL, fixed=CORNERS),
    "3x3, fixed": EdgeMatchingPuzzle(3, 3, WHEEL, fixed=(*CORNERS, Fixed(1, 4, 0), Fixed(4, 8, 0))),
    "3x3, fixed, their join invalid": EdgeMatchingPuzzle(3, 3, WHEEL, fixed=(*CORNERS, Fixed(1, 5, 0), Fixed(4, 8, 0))),
    "3x3, rim of one colour": in_a_ring(3, ((5, 5, 6, 5),), free=(1, 3)),
    "3x4, rim of one colour": in_a_ring(4, ((5, 5, 6, 5), (5, 6, 5, 7)), free=(1, 7)),
    "3x4, rim of one colour, a spare piece": in_a_ring(4, ((5, 5, 6, 5), (5, 6, 5, 6), (6, 5, 5, 5))),
    "3x4, rim of one colour, a broken join": in_a_ring(4, ((5, 5, 6, 5), (6, 6, 5, 5)), fixed=(Fixed(5, 11, 0),)),
    "3x4, rim of one colour that is scarce": in_a_ring(4, ((5, 7, 6, 5), (6, 6, 5, 5))),
    "jigsaw 3x4, rim of one connector": in_a_ring(4, ((5, 5, 6, 5), (5, -5, -6, 5)), rim=-5),
    "jigsaw 2x2": EdgeMatchingPuzzle(
        2, 2, ((0, 1, -1, 0), (0, 1, -2, 0), (0, 2, -1, 0), (0, -1, 1, 0)), rule=Rule.OPPOSITE
    ),
    "jigsaw 1x4": EdgeMatchingPuzzle(
        1, 4, ((0, 1, 0, 0), (0, -2, 0, 0), (0, -1, 0, 1), (0, 2, 0, -1)), rule=Rule.OPPOSITE
    ),
    "jigsaw 3x3": EdgeMatchingPuzzle(
        3, 3,
        tuple((0, 1, -1, 0) for _ in range(4)) + tuple((0, 1, c, -1) for c in (5, -5, 5, 5)) + ((-5, -5, 5, 6),),
        rule=Rule.OPPOSITE,
        fixed=CORNERS,
    ),
}  # fmt: skip


def cases_and_slips():
    """Every case with every sort of slips; the dearest of them by hand."""
    for name, slips in product(CASES, [(), (2, 5), (1, 1, 1, 1)]):
        dear = (name, slips) == ("jigsaw 3x3", (1, 1, 1, 1))
        yield pytest.param(name, slips, marks=[pytest.mark.slow] if dear else [])


@pytest.mark.some_cases(10)
@pytest.mark.parametrize(("name", "slips"), list(cases_and_slips()), ids=str)
def test_it_is_the_mean_over_all_redistributions_of_the_colours(name, slips):
    puzzle = CASES[name]
    slips = tuple(depth for depth in slips if depth <= len(puzzle.board))
    for order in ("spiral_in", "colscan"):
        squares = named_order(puzzle, order)
        estimate = Complexity(puzzle).estimate(order, slips)
        assert list(estimate.nodes_by_depth) == mean(puzzle, squares, slips), order
        if not inner_joins(puzzle):
            break


def test_macmahons_squares_in_a_rim_of_one_colour():
    """106 624 boards are known.  A frame that is not fixed can be placed in 4! 20! ways."""
    squares = {min(sides[i:] + sides[:i] for i in range(4)) for sides in product((5, 6, 7), repeat=4)}
    puzzle = in_a_ring(8, sorted(squares), rows=6)
    expected = Complexity(puzzle).estimate("rowscan", symmetry=True).solutions
    assert 106_624 / 100 < expected < 106_624 * 100
    fixed, free = (Complexity(of).estimate("rowscan").solutions for of in (puzzle, puzzle.pieces_only()))
    assert free == factorial(4) * factorial(20) * fixed


@pytest.mark.some_cases(3)
@pytest.mark.parametrize("name", [name for name in CASES if "3x3" not in name])
def test_slips_along_the_frame_are_in_the_mean(name):
    """Both kinds of joins at once, also where fixed pieces have broken one along the frame."""
    puzzle = CASES[name]
    squares = named_order(puzzle, "spiral_in")
    for arrays in (((), (2, 3)), ((2, 5), (1,))):
        slips, frame_slips = (tuple(depth for depth in array if depth <= len(squares)) for array in arrays)
        estimate = Complexity(puzzle).estimate(squares, slips, frame_slips=frame_slips)
        assert list(estimate.nodes_by_depth) == mean(puzzle, squares, slips, frame_slips)


SMALL = [(1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (3, 5)]


@given(puzzles(SMALL), st.sampled_from(list(NAMED_ORDERS)), st.integers(1, 3), st.data())
def test_turning_board_order_and_fixed_pieces_changes_nothing(puzzle, order, turns, data):
    turns = turns if puzzle.rows == puzzle.columns else 2
    turned = replace(
        puzzle, fixed=tuple(Fixed(puzzle.board.turned_square(s, turns), p, (r + turns) % 4) for s, p, r in puzzle.fixed)
    )
    slips = sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=3)))
    squares = named_order(puzzle, order)
    moved = [puzzle.board.turned_square(square, turns) for square in squares]
    here, there = Complexity(puzzle).estimate(squares, slips), Complexity(turned).estimate(moved, slips)
    assert here.nodes_by_depth == there.nodes_by_depth


@given(puzzles([(3, 3), (3, 4), (4, 4)]), st.data())
def test_the_chances_of_all_numbers_of_invalid_joins_add_up_to_one(puzzle, data):
    model = Complexity(puzzle)
    joins = data.draw(st.integers(0, inner_joins(puzzle)))
    rows = model.inner.with_invalid(joins)
    parts = [rows[i][joins] * comb(joins, i) for i in range(joins + 1)]
    assert sum(parts) == model.inner.denominator == rows[0][0]
    assert model.frame.numerators[0] == model.frame.denominator
    assert all(part >= 0 for part in parts)


@examples(100)
@given(puzzles([(2, 2), (2, 3), (3, 3)]), st.booleans())
@example(CASES["3x3"], True)
def test_where_nothing_is_left_to_chance_it_is_the_search(puzzle, symmetry):
    """With one colour a lot, the model and the search agree node by node, whatever is identical or symmetric."""
    blank = tuple(tuple(0 if color == 0 else 1 for color in sides) for sides in puzzle.pieces)
    plain = replace(puzzle, pieces=blank, rule=Rule.EQUAL)
    found = count(plain, order="rowscan", symmetry=symmetry, node_limit=200_000)
    assume(found.complete)
    assert list(Complexity(plain).estimate("rowscan", symmetry=symmetry).nodes_by_depth) == list(found.nodes_by_depth)
