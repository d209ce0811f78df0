"""The values of variants as users write them."""

from fractions import Fraction

import pytest

from jigsat.csp.files.variant import factor, factors, piece_numbers, target_of


@pytest.mark.parametrize(
    ("given", "pieces"), [("1-3,7", (0, 1, 2, 6)), (" 2 , 1 ", (1, 0)), ("8", (7,)), ([3, 1], (2, 0)), ([], ())]
)
def test_lists_of_pieces(given, pieces):
    assert piece_numbers(given, 8, "pieces") == pieces


def test_factors():
    assert factors("2:1/3", "stretch") == factors((2, Fraction(1, 3)), "stretch") == (2, Fraction(1, 3))
    assert factor("1.5", "scale") == Fraction(3, 2)


def test_the_names_of_targets():
    assert target_of("3/2x4").name == "3/2x4"
    assert target_of("1.5x4").parts == (((0, 0), (Fraction(3, 2), 0), (Fraction(3, 2), 4), (0, 4)),)
    assert target_of("tangram").name == "tangram"
