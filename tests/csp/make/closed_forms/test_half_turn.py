"""The half turn of the board is a symmetry of the scrambles of three closed forms."""

import pytest

from jigsat.csp.base.seeded_random import Chance
from jigsat.csp.make.closed_forms.column_form import draw_column_form
from jigsat.csp.make.closed_forms.mixed_form import draw_mixed_form
from jigsat.csp.make.closed_forms.row_form import draw_row_form

SIZES = {
    draw_column_form: [(8, 10), (10, 8), (14, 16), (16, 14)],
    draw_mixed_form: [(6, 7), (13, 14)],
    draw_row_form: [(8, 9), (13, 14)],
}


@pytest.mark.parametrize(("draw", "size"), [(draw, size) for draw, sizes in SIZES.items() for size in sizes])
def test_opposite_pieces_go_to_opposite_squares_turned_alike(draw, size):
    scramble = draw(*size, Chance(3))
    last = len(scramble) - 1
    for square, placed in enumerate(scramble):
        assert scramble[last - square] == (last - placed.piece, placed.rotation)
