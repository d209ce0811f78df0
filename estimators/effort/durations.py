"""Format predicted times with a suitable unit."""

from fractions import Fraction

from ..owen.rounding import significant

_YEAR = 365.25 * 86400
_UNITS = (("years", "y", _YEAR), ("days", "d", 86400), ("hours", "h", 3600), ("minutes", "min", 60))


def about_duration(seconds: Fraction) -> str:
    """Format a time with a suitable unit, in words."""
    return f"about {_in_units(seconds, short=False)}"


def short_duration(seconds: Fraction) -> str:
    """Format a time with the abbreviation of a suitable unit.

    Examples
    --------
    >>> short_duration(Fraction(150)), short_duration(Fraction(1, 30))
    ('2.5 min', '0.033 s')
    """
    return _in_units(seconds, short=True)


def _in_units(seconds: Fraction, *, short: bool) -> str:
    for unit, abbreviation, length in _UNITS:
        if seconds >= 2 * length:
            number = seconds / Fraction(length)
            shown = significant(number, 3) if number >= 10**6 else f"{float(number):.3g}"
            return f"{shown} {abbreviation if short else unit}"
    return f"{float(seconds):.{2 if seconds < 99 else 3}g} {'s' if short else 'seconds'}"
