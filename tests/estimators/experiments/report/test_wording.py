from math import inf, log10, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsat.csp.base.words import several
from jigsat.estimators.experiments.report.wording import duration, power, shown


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "–"), (inf, "–"), (nan, "–"), (0, "0"), (0.0, "0"), (7, "7"), (7.0, "7"), (0.00123456, "0.00123"),
        (0.00012, "1.20e-4"), (999.6, "1\u202f000"), (999, "999"), (123456.7, "123\u202f457"),
        (9_999_999, "9\u202f999\u202f999"), (10_000_000, "1.00e7"), (-20_000_000, "-2.00e7"), (10**400, "1.00e400"),
    ],
)  # fmt: skip
def test_numbers(number, text):
    assert shown(number) == text


@pytest.mark.parametrize(
    ("logarithm", "text"), [(None, "–"), (-inf, "–"), (0.0, "1"), (-400.5, "3.16e-401"), (8.9999999, "1.00e9")]
)
def test_powers(logarithm, text):
    assert power(logarithm) == text


@given(st.integers(min_value=10_000_000))
def test_large_numbers_keep_three_digits(number):
    """A wrong power of ten would go unnoticed."""
    digits, exponent = shown(number).split("e")
    assert abs(log10(float(digits)) + int(exponent) - log10(number)) < 0.003


@given(st.floats(min_value=1e-300, max_value=1e6, allow_subnormal=False))
def test_numbers_are_off_by_half_a_percent_at_most(number):
    text = shown(number).replace("\u202f", "")
    assert float(text) == pytest.approx(number, rel=0.00501)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.00004, "< 0.0001 s"),
        (0.00185, "0.0019 s"),
        (0.5, "0.5 s"),
        (7199.0, "7\u202f199 s"),
        (9000.0, "2.5 h"),
    ],
)  # fmt: skip
def test_times(seconds, text):
    assert duration(seconds) == text


def test_numbers_of_things_are_told_as_all_numbers_are():
    assert several(1200, "run", shown) == "1\u202f200 runs"
