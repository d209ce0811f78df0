from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.estimators.owen.rounding import significant


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40), st.integers(1, 25))
def test_it_is_what_decimal_makes_of_it(value, digits):
    with localcontext(prec=digits, rounding=ROUND_HALF_EVEN):
        expected = Decimal(value.numerator) / Decimal(value.denominator)
    assert Decimal(significant(value, digits)) == expected


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0, 3, "0.00e+0"), (1, 1, "1e+0"), (25, 1, "2e+1"), (35, 1, "4e+1"), (Fraction(1, 3), 4, "3.333e-1"),
     (9995, 3, "1.00e+4"), (Fraction(994, 1000), 2, "9.9e-1"), (10**400 + 1, 5, "1.0000e+400"),
     (Fraction(1, 10**400), 2, "1.0e-400")],
)  # fmt: skip
def test_examples(value, digits, text):
    assert significant(value, digits) == text
