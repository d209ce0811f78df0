"""Predicted times, in the unit that suits them."""

from fractions import Fraction

from ..owen.rounding import significant

_YEAR = 365.25 * 86400


def about_duration(seconds: Fraction) -> str:
    """A time in the unit that suits it."""
    for unit, length in (("years", _YEAR), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            number = seconds / Fraction(length)
            return f"about {significant(number, 3) if number >= 10**6 else f'{float(number):.3g}'} {unit}"
    return f"about {float(seconds):.{2 if seconds < 99 else 3}g} seconds"
