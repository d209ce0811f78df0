"""Exact numbers against sympy and against interval arithmetic with 200 digits."""

from fractions import Fraction
from math import isqrt

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.geometry.exact_numbers import Surd, format_number, parse, quotient, root, sign, surd
from property_tests import examples

RADICANDS = (1, 2, 3, 5, 6, 7, 10, 13, 17, 26, 34, 65, 85, 130, 170, 221)
SCALE = 10**200

FRACTIONS = st.fractions(min_value=-1000, max_value=1000, max_denominator=1000)
NUMBERS = st.dictionaries(st.sampled_from(RADICANDS), FRACTIONS, max_size=5).map(surd)


def _terms(number):
    return number.terms if isinstance(number, Surd) else ((1, Fraction(number)),)


def _interval(number):
    """Integers below and above the number times 10^200, each term rounded both ways."""
    low = high = 0
    for radicand, c in _terms(number):
        # Computed in another way than the class does: the root first, then the coefficient.
        root = isqrt(radicand * SCALE**2)
        ends = sorted((c * root, c * (root + 1)))
        low, high = low + ends[0], high + ends[1]
    return low, high


def _convergent(radicand, steps):
    """Integers p, q with p / q near the square root: a solution of Pell's equation multiplied by itself."""
    q = next(q for q in range(1, 10**4) if isqrt(radicand * q * q + 1) ** 2 == radicand * q * q + 1)
    p = isqrt(radicand * q * q + 1)
    a, b = p, q
    for _ in range(steps):
        a, b = a * p + radicand * b * q, a * q + b * p
    return a, b


@pytest.mark.parametrize("radicand", [2, 3, 5, 10, 13, 17, 26])
@pytest.mark.parametrize("steps", [0, 3, 10, 40, 90])
def test_convergents_are_told_from_roots(radicand, steps):
    """p² - r q² = 1, so p - q sqrt(r) = 1 / (p + q sqrt(r)) is positive, however small."""
    p, q = _convergent(radicand, steps)
    difference = surd({1: p, radicand: -q})
    assert sign(difference) == 1
    assert sign(-difference) == -1
    assert surd({1: p}) > surd({radicand: q})
    assert difference * surd({1: p, radicand: q}) == 1
    assert Fraction(1, 2 * p) < Fraction(float(difference)) * Fraction(1 + 1e-12)
    assert Fraction(float(difference)) < Fraction(1, 2 * p - 1) * Fraction(1 + 1e-12)


def test_sums_that_agree_to_many_digits():
    """A sum of three roots and its value cut off after n digits differ by less than 10^-n, and are distinguished."""
    roots = surd({2: 1, 5: -3, 13: Fraction(7, 3)})
    low, _ = _interval(roots)
    for digits in (10, 16, 20, 30, 60, 150):
        below = Fraction(low // 10 ** (200 - digits), 10**digits)
        above = below + Fraction(1, 10**digits)
        assert sign(roots - below) == 1
        assert sign(roots - above) == -1
        assert below < roots < above
        assert abs(float(roots - below)) <= 10.0**-digits


@examples(100)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_ring_laws(a, b, c):
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) * c == a * c + b * c
    assert a - a == 0
    assert (a < b) + (b < a) + (a == b) == 1
    assert hash(a + b) == hash(b + a)


@pytest.mark.parametrize(
    "text", ["", "1,5", "1.5/2", "sqrt(-2)", "sqrt(0)", "1/0", "2*", "1 2x", "+", "nan", "3sqrt(2)"]
)
def test_what_is_no_exact_number_is_refused(text):
    with pytest.raises(PuzzleError, match="not an exact number"):
        parse(text)


def test_blanks():
    """Catches mixed numbers such as 3 1/2 that are read as 31/2."""
    assert parse(" - 3 / 2 + 1 / 2 * sqrt( 5/8  -  1/8 * sqrt (5) ) ") == parse("-3/2+1/2*sqrt(5/8-1/8*sqrt(5))")
    for text in ("3 1/2", "1 2", "sqrt(1 2)", "2 sqrt(3)", "sq rt(3)"):
        with pytest.raises(PuzzleError, match="is not an exact number: write an operator for the blank, as in 3"):
            parse(text)
    # In linear time.
    with pytest.raises(PuzzleError, match="is not an exact number"):
        parse(f"1{' ' * 10**6}2")


def test_signs_of_numbers_that_no_normal_float_holds():
    """Below 1e-308 a float has fewer digits, above 1e308 there are no floats."""
    for tiny in (Fraction(1, 10**323), Fraction(1, 10**400), Fraction(10**400)):
        for a, b in ((15, 21), (17, 24), (58, 82)):
            expected = 1 if 2 * a * a > b * b else -1
            assert sign(surd({2: a * tiny, 1: -b * tiny})) == expected


NESTED = st.dictionaries(st.sampled_from((1, 2, 5, 10, -1, -2, -5, -3)), FRACTIONS, max_size=4).map(surd)


def _evaluated(number):
    """The number to 60 digits, by sympy."""
    return sympy.N(sympy.sympify(number), 60)


@examples(100)
@given(NESTED, NESTED)
def test_the_nested_root_agrees_with_sympy(a, b):
    """Sums, products, quotients, signs, floats and text; numbers of this size that differ, differ in these digits."""
    tiny = sympy.Rational(1, 10**40)
    for found, expected in ((a + b, _evaluated(a) + _evaluated(b)), (a * b, _evaluated(a) * _evaluated(b))):
        assert abs(_evaluated(found) - expected) < tiny
        assert sign(found) == (0 if abs(expected) < tiny else 1 if expected > 0 else -1)
    assert parse(format_number(a)) == a
    assert float(a) == pytest.approx(float(_evaluated(a)), rel=1e-15)
    if b != 0:
        assert quotient(a * b, b) == a


SMALL = st.fractions(min_value=-9, max_value=9, max_denominator=9)


@examples(100)
@given(
    st.dictionaries(st.sampled_from((1, 2, 3, 5)), SMALL, max_size=3).map(surd),
    st.dictionaries(st.sampled_from((1, 5, -1)), SMALL, max_size=2).map(surd),
)
def test_roots_of_squares(a, b):
    """Of sums of square roots, and of products of those with the nested root."""
    positive = a if sign(a) >= 0 else -a
    assert root(a * a) == positive
    assert root(a * a * parse("10-2*sqrt(5)")) == positive * parse("sqrt(10-2*sqrt(5))")
    found = root(b)
    assert found is None or (found * found == b and sign(found) >= 0)
