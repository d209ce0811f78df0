"""Numbers and durations in words."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

#: Units of predicted times, with abbreviations and seconds.
_UNITS = (("years", "y", 31_557_600), ("days", "d", 86400), ("hours", "h", 3600), ("minutes", "min", 60))


def significant(value: "Fraction | int", digits: int = 20) -> str:
    """Format a non-negative number in scientific notation, rounded half to even to `digits` significant digits.

    Examples
    --------
    >>> from fractions import Fraction
    >>> significant(Fraction(2, 3), 5)
    '6.6667e-1'
    >>> significant(999999, 3)
    '1.00e+6'
    """
    if value == 0:
        return f"{0:.{digits - 1}f}e+0"
    # Most commands need no fractions, which take some milliseconds to load.
    from fractions import Fraction

    ten = Fraction(10)
    # The lengths in bits determine the exponent within one.
    exponent = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103)
    while value >= ten ** (exponent + 1):
        exponent += 1
    while value < ten**exponent:
        exponent -= 1
    whole = round(value * ten ** (digits - 1 - exponent))
    if whole == 10**digits:
        whole, exponent = whole // 10, exponent + 1
    text = str(whole)
    return f"{text[0]}.{text[1:]}e{exponent:+d}" if digits > 1 else f"{text}e{exponent:+d}"


def about_number(value: "Fraction | int") -> str:
    """A number that is known roughly, with two or three digits: 0.25, 43, 4 300, 1.2 million, 3.5e9.

    Examples
    --------
    >>> from fractions import Fraction
    >>> about_number(Fraction(1, 4)), about_number(4321), about_number(12 * 10**5), about_number(2 * 10**11)
    ('0.25', '4 300', '1.2 million', '2.0e11')
    """
    if value >= 10**9 or 0 < value * 1000 < 1:
        return significant(value, 2).replace("e+", "e")
    if value >= 10**6:
        return f"{float(value / 10**6):.3g} million"
    if value >= 100:
        return f"{int(float(f'{float(value):.2g}')):,}".replace(",", " ")
    return f"{float(value):.2g}"


def log10_of(text: str) -> float:
    """The decimal logarithm of a decimal string, which may be too large for a float; minus infinity for 0.

    Examples
    --------
    >>> log10_of("1.000e+345"), log10_of("0.0e+0")
    (345.0, -inf)
    """
    digits, _, exponent = text.lower().partition("e")
    return math.log10(float(digits)) + int(exponent or 0) if float(digits) else -math.inf


def log10_fraction(value: "Fraction | int") -> float:
    """The decimal logarithm of a non-negative number, which may be too large for a float; minus infinity for 0.

    Examples
    --------
    >>> from fractions import Fraction
    >>> log10_fraction(Fraction(1, 10**400)), log10_fraction(0)
    (-400.0, -inf)
    """
    return math.log10(value.numerator) - math.log10(value.denominator) if value else -math.inf


def log_sum(first: float, second: float) -> float:
    """The decimal logarithm of a sum, from those of its two terms."""
    most = max(first, second)
    return most + math.log10(10 ** (first - most) + 10 ** (second - most))


def about_duration(seconds: "Fraction") -> str:
    """Format a time with a suitable unit, in words."""
    return f"about {_in_units(seconds, short=False)}"


def short_duration(seconds: "Fraction | float") -> str:
    """Format a time with the abbreviation of a suitable unit.

    Examples
    --------
    >>> from fractions import Fraction
    >>> short_duration(Fraction(150)), short_duration(Fraction(1, 30))
    ('2.5 min', '0.033 s')
    """
    return _in_units(seconds, short=True)


def _in_units(seconds: "Fraction | float", *, short: bool) -> str:
    for unit, abbreviation, length in _UNITS:
        if seconds >= 2 * length:
            number = seconds / length
            if number < 10**6:
                shown = f"{float(number):.3g}"
            else:
                from fractions import Fraction

                shown = significant(Fraction(number), 3)
            return f"{shown} {abbreviation if short else unit}"
    return f"{float(seconds):.{2 if seconds < 99 else 3}g} {'s' if short else 'seconds'}"
