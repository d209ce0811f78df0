"""Owen's model of puzzles of every form: the mean over all redistributions of the colours, as rationals.

Each case says which sides change places: a function of the sides of a piece and the number of one of them.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jigsat import count
from jigsat.csp.base.errors import OrderError, PuzzleError
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.orders import named_order
from jigsat.estimators.owen.best_order import best_order
from jigsat.estimators.owen.complexity import Complexity
from property_tests import examples
from redistributed import mean_nodes


def any_side(sides, side):
    return 0


def by_direction(sides, side):
    return side


def left_with_right(sides, side):
    return {0: 0, 1: 1, 2: 2, 3: 1}[side]


def by_border(sides, side):
    """Beside a border or not."""
    return sides[side - 1] == 0 or sides[(side + 1) % 4] == 0


def by_hand(sides, side):
    return sides[side - 1] == 0, sides[(side + 1) % 4] == 0


def by_direction_and_hand(sides, side):
    return side, sides[side - 1] == 0, sides[(side + 1) % 4] == 0


class Case(NamedTuple):
    """A puzzle, and the lots of its sides."""

    puzzle: EdgeMatchingPuzzle
    lot: Callable[[Any, int], object]
    #: Whether the border of a frame stays where it is.
    framed: bool = False


A, B = (1, 1, 1, 1), (1, 2, 1, 1)
CORNERS = ((0, 1, 1, 0), (0, 1, 2, 0), (0, 2, 1, 0), (0, 1, 2, 0))
TURNED = ((0, 1, 2, 0), (0, 0, 1, 1), (2, 1, 0, 0), (1, 0, 0, 2))
SMALL_SQUARES = ((1, 2, 1, 2), (2, 1, 2, 1), (2, 2, 1, 1), (1, 1, 2, 2))
CASES = {
    "any rim": Case(EdgeMatchingPuzzle(2, 2, (A, A, B, B), rim="any"), any_side),
    "any rim, fixed": Case(
        EdgeMatchingPuzzle(2, 2, (A, A, B, B), rim="any", fixed=(Fixed(0, 2, 0), Fixed(1, 0, 0))), any_side
    ),
    "any rim, a spare piece": Case(EdgeMatchingPuzzle(1, 3, (A, A, B, (1, 1, 3, 1)), rim="any"), any_side),
    "any rim, some sides on the rim only": Case(
        EdgeMatchingPuzzle(1, 3, (A, (1, 2, 1, 0), A), rim="any"), any_side
    ),
    "any rim, some sides on the rim only, unturned": Case(
        EdgeMatchingPuzzle(2, 2, ((0, 1, 1, 0), (1, 0, 2, 2), (0, 2, 1, 1), (1, 1, 0, 2)), rim="any", turn=False),
        by_direction,
    ),
    "rim of a colour": Case(EdgeMatchingPuzzle(2, 2, ((2, 1, 1, 1), A, A, (1, 1, 1, 2)), rim=1), any_side),
    "rim of a scarce colour": Case(EdgeMatchingPuzzle(1, 2, ((2, 1, 1, 1), (1, 1, 1, 2)), rim=1), any_side),
    "rim of a colour, fixed": Case(
        EdgeMatchingPuzzle(1, 3, ((1, 1, 1, 2), A, B), rim=1, fixed=(Fixed(1, 2, 0), Fixed(0, 1, 0))), any_side
    ),
    "rim of a colour, unturned": Case(
        EdgeMatchingPuzzle(2, 2, ((1, 2, 1, 1), (1, 1, 2, 1), (2, 2, 1, 1), (1, 1, 1, 2)), rim=1, turn=False),
        by_direction,
    ),
    "rim of a colour with a mate": Case(
        EdgeMatchingPuzzle(1, 3, ((1, 1, 1, 2), (1, 2, 1, 1), (1, 1, 1, 1)), rim=1, mates={1: 2}), any_side
    ),
    "rim of a colour with a mate, unturned": Case(
        EdgeMatchingPuzzle(2, 2, ((1, 2, 1, 1), A, (2, 1, 1, 1), (1, 1, 1, 2)), rim=1, turn=False, mates={1: 2}),
        by_direction,
    ),
    "unturned": Case(EdgeMatchingPuzzle(2, 2, SMALL_SQUARES, turn=False), by_direction),
    "unturned, odd numbers, a spare piece": Case(
        EdgeMatchingPuzzle(2, 2, (A, A, (2, 2, 1, 1), (1, 3, 2, 1), (1, 2, 1, 1)), turn=False), by_direction
    ),
    "unturned, 2x3": Case(
        EdgeMatchingPuzzle(2, 3, ((1, 2, 2, 1), A, (1, 1, 1, 2), A, A, A), turn=False), by_direction
    ),
    "unturned, fixed": Case(
        EdgeMatchingPuzzle(2, 2, SMALL_SQUARES, turn=False, fixed=(Fixed(0, 0, 0), Fixed(1, 2, 0))), by_direction
    ),
    "unturned, mates": Case(
        EdgeMatchingPuzzle(2, 2, (A, (2, 2, 1, 1), B, (1, 1, 1, 2)), turn=False, mates={1: 2}), by_direction
    ),
    "unturned, turned over": Case(
        EdgeMatchingPuzzle(1, 3, (A, B, (2, 2, 1, 1)), turn=False, flip=True), left_with_right
    ),
    "turned over": Case(EdgeMatchingPuzzle(1, 3, (A, B, (1, 2, 1, 1)), rim="any", flip=True), any_side),
    "mates": Case(EdgeMatchingPuzzle(2, 2, (A, A, (2, 2, 1, 1), A), rim="any", mates={1: 2}), any_side),
    "mates, three colours": Case(EdgeMatchingPuzzle(1, 3, (A, (2, 3, 1, 1), A), rim="any", mates={1: 2}), any_side),
    "connectors": Case(EdgeMatchingPuzzle(1, 3, (A, (1, -1, 1, -1), A), Rule.OPPOSITE, rim="any"), any_side),
    "some turn": Case(EdgeMatchingPuzzle(2, 2, (A, A, B, (2, 1, 1, 1)), turn=(True, False, True, False)), any_side),
    "some turn over": Case(
        EdgeMatchingPuzzle(1, 3, (A, (2, 2, 1, 1), (1, 1, 2, 1)), turn=False, flip=(True, False, False)),
        left_with_right,
    ),
    "shape": Case(EdgeMatchingPuzzle(2, 3, (A, A, B, B), rim="any", squares=("##.", ".##")), any_side),
    "shape, rim of a colour": Case(EdgeMatchingPuzzle(2, 2, (A, A, B), rim=1, squares=("##", "#.")), any_side),
    "shape, unturned": Case(
        EdgeMatchingPuzzle(2, 3, (*SMALL_SQUARES[:3], A), turn=False, squares=("##.", ".##")), by_direction
    ),
    "cylinder": Case(EdgeMatchingPuzzle(1, 3, (A, B, B), rim="any", wrap="columns"), any_side),
    "cylinder, unturned": Case(
        EdgeMatchingPuzzle(1, 4, (B, (2, 1, 1, 2), A, A), turn=False, wrap="columns"), by_direction
    ),
    "cylinder, rim of a colour": Case(EdgeMatchingPuzzle(1, 3, (A, A, B), rim=1, wrap="columns"), any_side),
    "frame, unturned": Case(EdgeMatchingPuzzle(2, 2, TURNED, rim=0, turn=False), by_direction_and_hand, True),
    "frame, unturned, 2x3": Case(
        EdgeMatchingPuzzle(
            2, 3,
            ((0, 1, 2, 0), (0, 1, 1, 1), (0, 0, 1, 2), (2, 1, 0, 0), (1, 1, 0, 1), (1, 0, 0, 1)),
            rim=0, turn=False,
        ),
        by_direction_and_hand, True,
    ),
    "frame, turned over": Case(EdgeMatchingPuzzle(2, 2, CORNERS, flip=True), by_border, True),
    "frame, turned over, 2x3": Case(
        EdgeMatchingPuzzle(2, 3, (*CORNERS[:3], (0, 1, 1, 0), (0, 1, 3, 1), (0, 1, 4, 1)), flip=True), by_border, True
    ),
    "frame, unturned, turned over": Case(
        EdgeMatchingPuzzle(2, 2, TURNED, rim=0, turn=False, flip=True),
        # Above, a piece's right side may become a left one; both are beside the upper border.
        lambda sides, side: (side % 2, side if side % 2 == 0 else 0, sides[0] == 0, by_border(sides, side)), True,
    ),
    "frame, mates": Case(EdgeMatchingPuzzle(2, 2, CORNERS, mates={1: 2}), by_hand, True),
    "frame, cylinder": Case(
        EdgeMatchingPuzzle(2, 3, ((0, 1, 5, 1), (0, 1, 5, 2), (0, 2, 5, 1), (0, 1, 6, 1), (0, 1, 5, 1), (0, 1, 6, 1)),
                           wrap="columns"),
        by_hand, True,
    ),
    # The sides of A1 have a border on one hand, the sides that they meet on both.
    "frame, shape": Case(
        EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 0, 1, 0), (0, 0, 0, 2)), squares=("##", "#.")),
        lambda sides, side: sides[side - 1] == sides[(side + 1) % 4] == 0, True,
    ),
    # A further side with borders on both hands meets one of its own.
    "frame, longer shape": Case(
        EdgeMatchingPuzzle(
            2, 3, ((0, 1, 2, 0), (0, 1, 0, 2), (0, 0, 0, 2), (0, 0, 0, 1)), squares=("###", "#.."),
        ),
        any_side, True,
    ),
}  # fmt: skip


@pytest.mark.some_cases(10)
@pytest.mark.parametrize("name", CASES)
def test_it_is_the_mean_over_all_redistributions_of_the_colours(name):
    case = CASES[name]
    squares = named_order(case.puzzle, "spiral_in")
    for arrays in (((), ()), ((2, 2), ()), ((1, 2), (2,))):
        estimate = Complexity(case.puzzle).estimate(squares, arrays[0], frame_slips=arrays[1])
        assert list(estimate.nodes_by_depth) == mean_nodes(
            case.puzzle, case.lot, squares, *arrays, framed=case.framed
        ), arrays


def test_a_side_that_must_not_lie_inside_is_in_the_mean_although_nothing_meets_it():
    """Of the 8 sides of two jigsaw pieces, two lie inside: 1 and -1 in 2 x 4 x 3 of 8 x 7 cases, and not the 0."""
    puzzle = EdgeMatchingPuzzle(1, 2, ((0, 1, 1, 1), (1, -1, -1, -1)), "jigsaw", rim="any")
    ways = 2 * 4, 2 * 4 * 4
    assert Complexity(puzzle).estimate("rowscan").nodes_by_depth == (ways[0] * Fraction(7, 8), ways[1] * Fraction(3, 7))


FORMS = st.fixed_dictionaries(
    {
        "rim": st.sampled_from([1, "any"]),
        "turn": st.booleans(),
        "flip": st.booleans(),
        "squares": st.sampled_from([(), ("##.", "###"), ("#.#", "###")]),
    }
)


@examples(60)
@given(FORMS, st.booleans(), st.integers(0, 2))
def test_where_nothing_is_left_to_chance_it_is_the_search(form, symmetry, spare):
    """With one colour, the model and the search agree node by node, whatever is identical or symmetric."""
    pieces = (A,) * (len("".join(form["squares"]).replace(".", "") or "######") + spare)
    puzzle = EdgeMatchingPuzzle(2, 3, pieces, **form)
    found = count(puzzle, engine="backtrack", order="rowscan", symmetry=symmetry, node_limit=200_000)
    assume(found.complete)
    expected = Complexity(puzzle).estimate("rowscan", symmetry=symmetry)
    assert list(expected.nodes_by_depth) == list(found.nodes_by_depth)


@examples(20)
@given(FORMS, st.integers(0, 9))
def test_no_order_is_cheaper_than_the_best(form, seed):
    """All sets of squares, for every form that has a best order."""
    squares = len("".join(form["squares"]).replace(".", "") or "######")
    pieces = tuple(tuple(1 + (seed + 3 * i * (side + 2)) % 3 for side in range(4)) for i in range(squares))
    puzzle = EdgeMatchingPuzzle(2, 3, pieces, **form)
    if form["rim"] == 1:
        with pytest.raises(OrderError, match="no best order"):
            best_order(puzzle)
        return
    model = Complexity(puzzle)
    least = min(model.estimate(order).nodes for order in permutations(range(squares)))
    assert best_order(puzzle).estimate.nodes <= least * (1 + Fraction(1, 10**9))


def test_frame_pieces_of_which_some_turn_are_refused():
    with pytest.raises(PuzzleError, match="some corner pieces turn and others do not"):
        Complexity(EdgeMatchingPuzzle(2, 2, TURNED, turn=(True, False, True, True)))
