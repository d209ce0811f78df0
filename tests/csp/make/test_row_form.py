"""Row forms: scrambles with nearly the largest possible number of connectors where rows + columns is odd."""

from collections import Counter

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.annealing import Wish, starting_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.make.starting_forms import draw_row_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import connector_classes, original, shared_joins_of_pairs


@pytest.mark.parametrize("size", [(7, 8), (8, 7), (11, 12), (12, 11), (9, 8), (3, 8), (9, 10), (13, 14), (14, 9)])
def test_joins_beyond_the_second_are_in_rows_only(size):
    """If four divides the even side, each row has one connector on three joins; else each row has three more joins."""
    rows, columns = size
    scramble = draw_row_form(rows, columns, Chance(1))
    board = Board(rows, columns)
    uses = Counter(connector_classes(board, [original(board), scramble]).uses)
    odd, even = sorted(size, key=lambda side: side % 2 == 0)
    assert shared_joins_of_pairs(board, (original(board), scramble))[0, 1] == 0
    assert sum(number * (use - 2) for use, number in uses.items()) == odd * (1 if even % 4 == 0 else 3)


@pytest.mark.parametrize("size", [(6, 8), (2, 7), (7, 7)])
def test_other_sizes_have_none(size):
    with pytest.raises(PuzzleError, match="a row form needs three rows and columns or more, and an odd sum of both"):
        draw_row_form(*size, Chance(1))


def test_annealing_starts_at_a_row_form_on_large_boards():
    assert starting_form(Wish(10, 11, max_use=3)) is draw_row_form
    for other in (
        Wish(2, 51, max_use=3),
        Wish(10, 11, max_use=4),
        Wish(10, 11, types=98),
        Wish(8, 9, max_use=3),
        Wish(10, 11, max_use=3, no_stay=True),
    ):
        assert starting_form(other) is None


@pytest.mark.parametrize(
    "size", [(10, 11), *(pytest.param(size, marks=pytest.mark.slow) for size in ((14, 13), (20, 21)))]
)
def test_large_boards_have_connectors_on_up_to_three_joins(size):
    made = search_jigsaw(JigsawWishes(*size, max_use=3, seed=1))
    assert (made.faults, made.solutions, set(made.quality.uses.values())) == ((), 2, {2, 3})
