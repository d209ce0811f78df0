"""Mixed forms: scrambles with the largest possible number of connectors where rows + columns is odd."""

from collections import Counter

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.make.mixed_form import draw_mixed_form
from jigsat.csp.make.starting_forms import draw_column_form, draw_row_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import connector_classes, most_connectors, original, shared_joins_of_pairs

SIZES = [(5, 6), (6, 7), (8, 7), (5, 20), (17, 6), (10, 11), (11, 12), (12, 13), (14, 13), (20, 21), (7, 30)]
HALF_TURNS = {
    draw_column_form: [(8, 10), (10, 8), (14, 16), (16, 14)],
    draw_mixed_form: [(6, 7), (13, 14)],
    draw_row_form: [(8, 9), (13, 14)],
}


@pytest.mark.parametrize("size", SIZES)
def test_the_number_of_connectors_is_that_of_theorem_3(size):
    board, scramble = Board(*size), draw_mixed_form(*size, Chance(sum(size)))
    classes = connector_classes(board, [original(board), scramble])
    uses = Counter(classes.uses)
    assert not classes.self_mating
    assert shared_joins_of_pairs(board, (original(board), scramble))[0, 1] == 0
    assert len(classes.uses) == most_connectors(board.join_count) == (board.join_count - 3) // 2
    # The sum of the halves of both sides decides whether the frame has one connector on four joins or two on three.
    odd, even = sorted(size, key=lambda side: side % 2 == 0)
    assert {use: number for use, number in uses.items() if use != 2} == (
        {3: 3} if (odd // 2 + even // 2 - 1) % 2 else {3: 1, 4: 1}
    )


@pytest.mark.parametrize(("draw", "size"), [(draw, size) for draw, sizes in HALF_TURNS.items() for size in sizes])
def test_the_half_turn_of_the_board_is_a_symmetry(draw, size):
    """Of row and column forms, too: the opposite of a piece goes to the opposite square, turned in the same way."""
    scramble = draw(*size, Chance(3))
    last = len(scramble) - 1
    for square, placed in enumerate(scramble):
        assert scramble[last - square] == (last - placed.piece, placed.rotation)


@pytest.mark.parametrize("size", [(6, 8), (4, 9), (7, 7), (51, 52)])
def test_other_sizes_have_none(size):
    with pytest.raises(PuzzleError, match="a mixed form needs five rows and columns or more, an odd sum of both, and"):
        draw_mixed_form(*size, Chance(1))


@pytest.mark.parametrize(("size", "connectors"), [((8, 7), 47), ((10, 11), 98), ((12, 13), 142), ((5, 20), 86)])
def test_jigsaws_have_exactly_two_solutions(size, connectors):
    made = search_jigsaw(JigsawWishes(*size, seed=1))
    assert "--method closed-form" in (made.puzzle.source or "")
    assert (made.faults, made.solutions, len(made.quality.uses)) == ((), 2, connectors)


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(7, 21))
@pytest.mark.parametrize("seed", range(1, 6))
def test_jigsaws_of_many_sizes_have_exactly_two_solutions(rows, seed):
    made = search_jigsaw(JigsawWishes(rows, rows + 1, seed=seed))
    assert (made.faults, made.solutions, len(made.quality.uses)) == ((), 2, most_connectors(2 * rows**2 - 1))


@pytest.mark.parametrize(
    ("wishes", "chosen", "connectors"),
    [
        ({}, "closed-form", 98),
        ({"types": 98}, "closed-form", 98),
        ({"types": 97}, "annealing", 97),
        ({"max_use": 3}, "annealing", None),
        ({"no_stay": True}, "annealing", None),
        ({"method": "annealing"}, "annealing", None),
        ({"solutions": 3}, "annealing", None),
    ],
)
def test_when_it_is_chosen(wishes, chosen, connectors):
    found = JigsawWishes(10, 11, **wishes)
    assert (found.chosen, found.connectors) == (chosen, connectors)


def test_a_draw_can_be_stopped():
    """Catches Ctrl-C that waits for a form of a large board."""
    assert draw_mixed_form(50, 51, Chance(1), lambda: True) is None
    assert draw_mixed_form(51, 50, Chance(1), lambda: True) is None
