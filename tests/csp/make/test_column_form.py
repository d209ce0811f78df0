"""Column forms: nearly perfect scrambles, and the perfect ones that annealing makes of them."""

from collections import Counter

import pytest

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.annealing import Wish, scrambles, starting_form
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.make.starting_forms import draw_column_form, has_column_form
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.jigsaw_algebra import jigsaw_from_assemblies, original, quality

SIZES = [(rows, columns) for rows in range(2, 23) for columns in range(2, 23) if has_column_form(rows, columns)]


def quality_of(rows, columns, scramble):
    return quality(jigsaw_from_assemblies(rows, columns, [original(Board(rows, columns)), scramble]))


def test_sizes():
    assert (4, 6) in SIZES
    assert (14, 20) in SIZES
    assert not {(2, 4), (6, 6), (6, 10), (5, 7), (5, 6)} & set(SIZES)
    with pytest.raises(PuzzleError, match="6x10: a column form needs"):
        draw_column_form(6, 10, Chance(1))


@pytest.mark.parametrize("size", SIZES)
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


@pytest.mark.slow
def test_large_boards_that_nothing_else_reaches():
    made = search_jigsaw(JigsawWishes(12, 14, seed=1))
    assert made.quality.perfect
    assert made.solutions == 2
    assert Counter(made.quality.uses.values()) == {2: 155}


def test_small_boards_and_other_requirements_start_at_random():
    """As in earlier versions: seeds keep their meaning."""
    assert starting_form(Wish(8, 10)) is None
    assert starting_form(Wish(10, 12, no_stay=True)) is None
    assert starting_form(Wish(10, 12, max_use=3)) is None
    assert starting_form(Wish(10, 14)) is None
    assert starting_form(Wish(10, 12)) is draw_column_form
