"""The numbers of reports as texts: digits in groups of three, or three digits and a power of ten."""

from math import floor, isfinite, log10

_NARROW = "\u202f"
_HOUR = 3600
# Numbers from here on are written with a power of ten.
_LARGE = 10_000_000


def shown(number: float | None) -> str:
    """A number with three significant digits, or with all digits for integers below ten million; "–" for None.

    Examples
    --------
    >>> shown(0.12345), shown(1.0), shown(114414705)
    ('0.123', '1', '1.14e8')
    >>> shown(8524).replace(chr(0x202f), " ")
    '8 524'
    """
    if number is None or (isinstance(number, float) and not isfinite(number)):
        return "–"
    if number == 0:
        return "0"
    if abs(number) >= _LARGE:
        return ("-" if number < 0 else "") + power(log10(abs(number)))
    if abs(number) >= 999.5 or isinstance(number, int):
        return f"{round(number):,}".replace(",", _NARROW)
    return f"{number:.3g}" if abs(number) >= 0.001 else _exponent_shortened(f"{number:.2e}")


def power(logarithm: float | None) -> str:
    """The number that has this decimal logarithm, which may be too large for a float; "–" for None.

    Examples
    --------
    >>> power(47.1352), power(2.5), power(None)
    ('1.37e47', '316', '–')
    """
    if logarithm is None or not isfinite(logarithm):
        return "–"
    if -3 <= logarithm < log10(_LARGE):
        return shown(10**logarithm)
    exponent = floor(logarithm)
    digits = f"{10 ** (logarithm - exponent):.2f}"
    return f"1.00e{exponent + 1}" if digits == "10.00" else f"{digits}e{exponent}"


def _exponent_shortened(text: str) -> str:
    digits, exponent = text.split("e")
    return f"{digits}e{int(exponent)}"


def duration(seconds: float | None) -> str:
    """A time in seconds, or in hours from two hours on; "–" for None.

    Examples
    --------
    >>> duration(0.511729), duration(61.25), duration(18000)
    ('0.512 s', '61.2 s', '5 h')
    >>> duration(0.0009)
    '0.0009 s'
    """
    if seconds is None:
        return "–"
    if seconds >= 2 * _HOUR:
        return f"{seconds / _HOUR:.3g} h"
    # Times are compared in columns, so they have no powers of ten.
    if seconds < 0.01:
        return f"{seconds:.4f} s" if seconds >= 0.0001 else "< 0.0001 s"
    return f"{shown(float(seconds))} s"
