"""Mixed forms, with the most connectors where rows + columns is odd; row and column forms, where annealings start."""

from collections import Counter

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.annealing import Wish, scrambles, starting_form
from jigsat.csp.make.closed_forms import draw_column_form, draw_row_form, has_column_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.make.mixed_form import draw_mixed_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import (
    connector_classes,
    jigsaw_from_assemblies,
    most_connectors,
    original,
    quality,
    shared_joins_of_pairs,
)

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


@pytest.mark.parametrize(
    ("draw", "sizes", "needs"),
    [
        (
            draw_mixed_form,
            [(6, 8), (4, 9), (7, 7), (51, 52)],
            "a mixed form needs five rows and columns or more, an odd",
        ),
        (draw_row_form, [(6, 8), (2, 7), (7, 7)], "a row form needs three rows and columns or more, and an odd sum of"),
        (draw_column_form, [(6, 10), (2, 4), (6, 6), (5, 7)], "a column form needs even rows and columns"),
    ],
)
def test_other_sizes_have_none(draw, sizes, needs):
    for size in sizes:
        with pytest.raises(PuzzleError, match=needs):
            draw(*size, Chance(1))


@pytest.mark.parametrize(("size", "connectors"), [((8, 7), 47), ((10, 11), 98), ((12, 13), 142), ((5, 20), 86)])
def test_jigsaws_have_exactly_two_solutions(size, connectors):
    made = search_jigsaw(JigsawWishes(*size, seed=1))
    assert "--method closed-form" in (made.puzzle.source or "")
    assert (made.faults, made.solutions, len(made.quality.uses)) == ((), 2, connectors)


def test_a_draw_can_be_stopped():
    """Catches Ctrl-C that waits for a form of a large board."""
    assert draw_mixed_form(50, 51, Chance(1), lambda: True) is None
    assert draw_mixed_form(51, 50, Chance(1), lambda: True) is None


@pytest.mark.parametrize(
    "size", [(10, 11), *(pytest.param(size, marks=pytest.mark.slow) for size in ((14, 13), (20, 21)))]
)
def test_large_boards_have_connectors_on_up_to_three_joins(size):
    made = search_jigsaw(JigsawWishes(*size, max_use=3, seed=1))
    assert (made.faults, made.solutions, set(made.quality.uses.values())) == ((), 2, {2, 3})


COLUMN_SIZES = [(rows, columns) for rows in range(2, 23) for columns in range(2, 23) if has_column_form(rows, columns)]


def quality_of(rows, columns, scramble):
    return quality(jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns)), scramble]))


@pytest.mark.parametrize("size", COLUMN_SIZES)
def test_perfect_if_all_columns_have_partners_else_near_it(size):
    """One column of each half without a partner: four pieces on the borders each keep their two joins on the border."""
    found = quality_of(*size, draw_column_form(*size, Chance(sum(size))))
    (columns,) = (side for side in size if side % 4 == 2)
    if columns % 8 == 2:
        assert found.perfect
    else:
        assert found.shared[0, 1] == 8
        assert not found.unbalanced


@pytest.mark.parametrize("size", [(10, 12), (14, 12)])
def test_annealing_makes_them_perfect(size):
    """Those that start perfect are changed, too: they have too many solutions."""
    wish = Wish(*size)
    start = draw_column_form(*size, Chance(1))
    found = next(scrambles(wish, 1))
    assert found.energy == 0
    assert found.arrangement != start
    assert quality_of(*size, found.arrangement).perfect


def test_small_boards_and_other_requirements_start_at_random():
    """As in earlier versions: seeds keep their meaning."""
    assert starting_form(Wish(8, 10)) is None
    assert starting_form(Wish(10, 12, no_stay=True)) is None
    assert starting_form(Wish(10, 12, max_use=3)) is None
    assert starting_form(Wish(10, 14)) is None
    assert starting_form(Wish(10, 12)) is draw_column_form
