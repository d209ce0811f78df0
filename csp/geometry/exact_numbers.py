"""Exact real numbers: sums of square roots with rational coefficients, such as ``3/2-1/5*sqrt(10)``.

Square roots of different squarefree numbers are linearly independent over the rationals (Besicovitch 1940), so two such
numbers are equal exactly if their coefficients are, and enough digits determine the sign of one that is not 0.

The sines of multiples of 3 degrees need one more root, ``sqrt(10-2*sqrt(5))``, which is four times the sine of 36
degrees.  It is in no field of square roots, because the field that it generates has a cyclic group of order four; so
square roots and their products with it are linearly independent, too.  A *radicand* is the key of such a number: a
positive r stands for sqrt(r), and -r for sqrt(r) times the nested root.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import count
from math import gcd, isqrt, lcm, sqrt
from typing import Any

from ..base.errors import PuzzleError, shortened

# Each term of a sum has an error below 4 units in the last place, and the sum of n terms adds n more.  This holds for
# normal floats only, far from the smallest and the largest ones.
_ULP = 2.0**-53
_SMALL, _LARGE = 1e-200, 1e200
# Larger numbers take too long to factor.
_LONGEST_TO_FACTOR = 10**9
# The nested root, its square, and the nearest float.
_NESTED, _SQUARE, _NEAR = -1, ((1, 10), (5, -2)), 2.3511410091698925


class Surd:
    """An irrational number: a sum of square roots with rational coefficients.  Made by `surd`, `parse` and arithmetic.

    `terms` are pairs of a squarefree radicand and its coefficient, which is not 0, in the order of the radicands; 1
    stands for the rational part, negative ones for products with the nested root.
    """

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: tuple[tuple[int, Fraction], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: "Number") -> "Number":
        total = defaultdict(Fraction, self.terms)
        for radicand, coefficient in terms_of(other):
            total[radicand] += coefficient
        return _reduced(total)

    __radd__ = __add__

    def __neg__(self) -> "Surd":
        return Surd(tuple((radicand, -coefficient) for radicand, coefficient in self.terms))

    def __sub__(self, other: "Number") -> "Number":
        return self + -other

    def __rsub__(self, other: "Number") -> "Number":
        return -self + other

    def __mul__(self, other: "Number") -> "Number":
        total: dict[int, Fraction] = defaultdict(Fraction)
        for r, a in self.terms:
            for s, b in terms_of(other):
                for radicand, factor in product_of_roots(r, s):
                    total[radicand] += a * b * factor
        return _reduced(total)

    __rmul__ = __mul__

    def __lt__(self, other: "Number") -> bool:
        return sign(self - other) < 0

    def __gt__(self, other: "Number") -> bool:
        return sign(self - other) > 0

    def __le__(self, other: "Number") -> bool:
        return sign(self - other) <= 0

    def __ge__(self, other: "Number") -> bool:
        return sign(self - other) >= 0

    def __float__(self) -> float:
        # Terms may cancel, so the digits are those of a rational approximation.
        bits = 64
        while True:
            low, high = _between(self, bits)
            if high - low <= abs(low) >> 54:
                return float(Fraction(low + high, 2 << bits))
            bits *= 2

    def _sympy_(self) -> Any:
        """The same number for `sympy.sympify`, which sympy calls for all operands."""
        return symbol(self)

    def __str__(self) -> str:
        return format_number(self)

    def __repr__(self) -> str:
        return f"Surd({self})"


#: A coordinate.
Number = int | Fraction | Surd


def surd(terms: Mapping[int, int | Fraction]) -> Number:
    """The sum of coefficients times the roots of radicands, which need not be squarefree; a Fraction if it is rational.

    >>> surd({8: 1, 2: Fraction(1, 2)})
    Surd(5/2*sqrt(2))
    >>> surd({9: 2})
    Fraction(6, 1)
    """
    total: dict[int, Fraction] = defaultdict(Fraction)
    for radicand, coefficient in terms.items():
        root, rest = squarefree(abs(radicand))
        total[rest if radicand > 0 else -rest] += Fraction(coefficient) * root
    return _reduced(total)


def product_of_roots(r: int, s: int) -> tuple[tuple[int, int], ...]:
    """The terms of the product of the roots of two squarefree radicands.

    >>> product_of_roots(6, 10), product_of_roots(-1, -2)
    (((15, 2),), ((2, 10), (10, -2)))
    """
    # Both are squarefree, so exactly the common factor leaves the root.
    common = gcd(r, s)
    rest = abs(r * s) // common**2
    if r < 0 and s < 0:
        inner = ((product_of_roots(rest, t)[0], factor) for t, factor in _SQUARE)
        return tuple((radicand, times * factor * common) for (radicand, times), factor in inner)
    return ((rest if r > 0 and s > 0 else -rest, common),)


@cache
def squarefree(number: int) -> tuple[int, int]:
    """The pair (r, s) with r² s = number and s squarefree."""
    if number < 1:
        raise ValueError(f"{number} is not positive")
    root, rest, p = 1, number, 2
    while p * p <= rest:
        while rest % (p * p) == 0:
            root, rest = root * p, rest // (p * p)
        p += 1
    return root, rest


def sign(number: Number) -> int:
    """-1, 0 or 1, exactly."""
    if not isinstance(number, Surd):
        return (number > 0) - (number < 0)
    if all(_SMALL < abs(coefficient) < _LARGE for _, coefficient in number.terms):
        parts = [float(coefficient) * near_root(radicand) for radicand, coefficient in number.terms]
        total = sum(parts)
        if abs(total) > (len(parts) + 4) * _ULP * sum(map(abs, parts)):
            return 1 if total > 0 else -1
    bits = 128
    while True:
        low, high = _between(number, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2


def near_root(radicand: int) -> float:
    """The root of a radicand in floats, with an error of at most two units in the last place."""
    return sqrt(radicand) if radicand > 0 else sqrt(-radicand) * _NEAR


def root(number: Number) -> Number | None:
    """The square root of a number; None if this has no such root among these numbers, or none was found.

    >>> root(parse("6-2*sqrt(5)")), root(parse("5/8+1/8*sqrt(5)"))
    (Surd(-1+sqrt(5)), Surd(1/8*sqrt(10-2*sqrt(5))+1/8*sqrt(50-10*sqrt(5))))
    >>> root(parse("sqrt(2)")) is None
    True
    """
    if sign(number) < 0:
        return None
    if not isinstance(number, Surd):
        return _root_of_rational(Fraction(number))
    if number.terms[0][0] < 0:
        return None
    found = _root_of_sum(number)
    if found is None and any(radicand % 5 == 0 for radicand, _ in number.terms):
        nested = surd({_NESTED: 1})
        over = _root_of_sum(quotient(number, nested * nested))
        found = None if over is None else over * nested
    return None if found is None else found * sign(found)


def _root_of_rational(number: Fraction) -> Number | None:
    """The square root of a fraction; None if it is irrational and its square is too large to factor."""
    below = number.numerator * number.denominator
    whole = isqrt(below)
    if whole * whole == below:
        return Fraction(whole, number.denominator)
    return surd({below: Fraction(1, number.denominator)}) if below < _LONGEST_TO_FACTOR else None


def _root_of_sum(number: Number) -> Number | None:
    """A square root of a positive sum of square roots; it may be negative."""
    if not isinstance(number, Surd):
        return _root_of_rational(Fraction(number))
    # Of a + b with b the terms that contain one prime: if c is the root of a² - b², it is that of (a + c)/2 and
    # b over twice that.
    p = max(_least_prime(radicand) for radicand, _ in number.terms if radicand > 1)
    a = _reduced({r: c for r, c in number.terms if r % p})
    b = _reduced({r: c for r, c in number.terms if r % p == 0})
    square = a * a - b * b
    c = _root_of_sum(square) if sign(square) > 0 else None
    # It must be a sum of the other roots, without that of p; then this ends.
    others = lcm(*(radicand for radicand, _ in number.terms)) // p
    for way in () if c is None or any(others % radicand for radicand, _ in terms_of(c)) else (c, -c):
        half = (a + way) * Fraction(1, 2)
        one = _root_of_sum(half) if sign(half) > 0 else None
        if one is not None:
            return one + quotient(b, 2 * one)
    return None


def plain(number: Number) -> Number:
    """A whole number as int, which is faster."""
    return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number


def quotient(number: Number, divisor: Number) -> Number:
    """The first number divided by the second one.

    Raises ZeroDivisionError if the divisor is 0.

    >>> quotient(1, parse("1/2+1/2*sqrt(5)"))
    Surd(-1/2+1/2*sqrt(5))
    """
    # Each step leaves out the nested root, or that of one prime: (a + b sqrt(p)) (a - b sqrt(p)) no longer contains it.
    while isinstance(divisor, Surd):
        if divisor.terms[0][0] < 0:
            conjugate = _reduced({r: -c if r < 0 else c for r, c in divisor.terms})
        else:
            p = max(_least_prime(radicand) for radicand, _ in divisor.terms if radicand > 1)
            conjugate = _reduced({r: -c if r % p == 0 else c for r, c in divisor.terms})
        number, divisor = number * conjugate, divisor * conjugate
    return number * Fraction(1, divisor)


def _least_prime(number: int) -> int:
    return next(p for p in count(2) if number % p == 0)


def symbol(number: Number) -> Any:
    """The number in sympy.

    >>> symbol(parse("1/2+1/2*sqrt(5)"))
    1/2 + sqrt(5)/2
    """
    import sympy

    def root_of(radicand: int) -> Any:
        size = abs(radicand)
        return sympy.sqrt(size if radicand > 0 else 10 * size - 2 * size * sympy.sqrt(5))

    terms = [sympy.Rational(c.numerator, c.denominator) * root_of(r) for r, c in terms_of(number)]
    return sympy.Add(*terms)


def rational(number: Number) -> Fraction:
    """The number as a fraction.

    Raises ValueError if it is irrational.
    """
    if isinstance(number, Surd):
        raise ValueError(f"{number} is irrational")
    return Fraction(number)


def _between(number: Surd, bits: int) -> tuple[int, int]:
    """Integers below and above the number times 2 to the power of `bits`."""
    low = high = 0
    for radicand, coefficient in number.terms:
        # The square of the nested root, 10 - sqrt(20), is between these two over 4 to the power of `bits`.
        most = (10 << 2 * bits) - isqrt(20 << 4 * bits) if radicand < 0 else 1 << 2 * bits
        squares = (most - 1, most) if radicand < 0 else (most, most)
        size, divisor = coefficient.numerator**2 * abs(radicand), coefficient.denominator**2
        least, most = (isqrt(size * square // divisor) for square in squares)
        low, high = (low + least, high + most + 1) if coefficient > 0 else (low - most - 1, high - least)
    return low, high


def terms_of(number: Number) -> tuple[tuple[int, Fraction], ...]:
    """The pairs of a radicand and its coefficient, as in `Surd`; those of 0 are (1, 0)."""
    return number.terms if isinstance(number, Surd) else ((1, Fraction(number)),)


def _reduced(total: Mapping[int, Fraction]) -> Number:
    terms = tuple((radicand, total[radicand]) for radicand in sorted(total) if total[radicand])
    if not terms:
        return Fraction(0)
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else Surd(terms)


_FRACTION = r"(?:[0-9]{0,40}\.[0-9]{1,40}|[0-9]{1,40}(?:/[0-9]{1,40})?)"
_NUMBER = r"[0-9]{1,7}"
_SUM = rf"{_FRACTION}[+-](?:{_FRACTION}\*)?sqrt\({_NUMBER}\)"
_TERM = re.compile(rf"([+-]?)(?:({_FRACTION})\*)?sqrt\(({_NUMBER}|{_SUM})\)|([+-]?)({_FRACTION})")


def parse(text: str) -> Number:
    """A number from text such as ``-3``, ``7/2``, ``2.5`` or ``3/2-1/5*sqrt(10)``.

    Parameters
    ----------
    text : str
        A sum of fractions or decimals and of square roots with rational factors.  Below a root may be a whole number,
        or a sum of a fraction and a root if its own root is such a sum, or a product of one with
        ``sqrt(10-2*sqrt(5))``.  Blanks may stand around operators and parentheses.

    Returns
    -------
    int, Fraction or Surd
        The exact number.

    Raises
    ------
    PuzzleError
        If the text is not an exact number.

    Examples
    --------
    >>> parse("1/2*sqrt(3)") * parse("sqrt(12)")
    Fraction(3, 1)
    >>> 2 * parse("sqrt(5/8-1/8*sqrt(5))") == parse("1/2*sqrt(10-2*sqrt(5))")
    True
    """
    total: Number = Fraction(0)
    at = 0
    compact = re.sub(r" ?([-+*/()]) ?", r"\1", " ".join(filter(None, text.split(" "))))
    if " " in compact:
        raise PuzzleError(f"{shortened(text)!r} is not an exact number: write an operator for the blank, as in 3+1/2")
    while at < len(compact):
        found = _TERM.match(compact, at)
        if found is None or (at and compact[at] not in "+-") or len(compact) > 2000:
            break
        root_sign, factor, radicand, plain_sign, plain = found.groups()
        try:
            coefficient = Fraction(plain or factor or 1) * (-1 if (root_sign or plain_sign) == "-" else 1)
            below = 1 if radicand is None else parse(radicand) if "s" in radicand else int(radicand)
            times = root(below) if below else None
        except (ZeroDivisionError, ValueError, PuzzleError):
            break
        if times is None:
            break
        total = total + times * coefficient
        at = found.end()
    if not compact or at < len(compact):
        raise PuzzleError(f"{shortened(text)!r} is not an exact number such as 3, -7/2 or 3/2-1/5*sqrt(10)")
    return total


_parsed = lru_cache(maxsize=2**12)(parse)


def number_of(value: int | str) -> Number:
    """The number that an integer or a text in a file stands for."""
    return _parsed(value) if isinstance(value, str) else value


def format_number(number: Number) -> str:
    """The number as `parse` reads it."""
    text = ""
    for radicand, coefficient in sorted(terms_of(number), key=lambda term: (term[0] < 0, abs(term[0]))):
        lead = "-" if coefficient < 0 else "+" if text else ""
        size = abs(coefficient)
        if radicand == 1:
            text += f"{lead}{size}"
        else:
            below = radicand if radicand > 0 else f"{-10 * radicand}-{-2 * radicand}*sqrt(5)"
            text += f"{lead}{'' if size == 1 else f'{size}*'}sqrt({below})"
    return text


#: The public name.
number = parse
