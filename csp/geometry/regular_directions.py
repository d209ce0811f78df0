"""Directions at multiples of 3 degrees, in fields of square roots.

Their cosines and sines are sums of square roots and of products with the nested root ``sqrt(10-2*sqrt(5))``: those of
multiples of 72 degrees need the root of 5 and the nested one, those of multiples of 15 degrees the roots of 2 and 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import atan2, gcd, pi

from ..base.errors import EngineError
from .exact_numbers import Number, Surd, product_of_roots, sign, surd, terms_of
from .polygons import Point, Polygon, edges

#: The number of directions.
FULL = 120
_BYTES = 56
# A basis of more numbers makes tables too large.
_MOST_ROOTS = 64


@dataclass(frozen=True)
class RegularDirections:
    """The directions that edges at multiples of 3 degrees can have after turning one onto another.

    A direction is a number k mod 120, for the angle 3 k; its word is k times 2^56, so that words add up.
    """

    #: All edges are at multiples of this k; it divides 60.
    step: int
    #: The basis of the field of all coordinates, as keys of `exact_numbers`: the products of any two are multiples of
    #: others.
    radicands: tuple[int, ...]

    #: The word of a full turn.
    full = FULL << _BYTES

    @classmethod
    def of(cls, polygons: Sequence[Polygon]) -> "RegularDirections":
        """The directions that the edges of polygons can have, and the field of their coordinates.

        Raises EngineError if an edge is not at a multiple of 3 degrees, or the field has too many roots.
        """
        step = FULL // 2
        for one in polygons:
            for a, b in edges(one):
                step = gcd(step, direction_of((b[0] - a[0], b[1] - a[1])))
        units = [c for k in range(0, FULL, step) for c in unit(k)]
        return cls(step, _closed([*units, *(c for one in polygons for point in one for c in point)]))

    def word_of(self, dx: Number, dy: Number) -> int:
        """The word of the direction of an edge."""
        return direction_of((dx, dy)) << _BYTES

    def length(self, dx: Number, dy: Number) -> tuple[int, Number]:
        """1 and the length of an edge."""
        cos, sin = unit(direction_of((dx, dy)))
        return 1, dx * cos + dy * sin

    def coefficients(self, number: Number) -> tuple[Fraction, ...]:
        """The coefficients of a number in the basis, which must be in the field."""
        terms = dict(terms_of(number))
        assert terms.keys() <= {*self.radicands}
        return tuple(terms.get(radicand, Fraction(0)) for radicand in self.radicands)

    def number(self, coefficients: Iterable[int | Fraction]) -> Number:
        """The inverse of `coefficients`."""
        return surd(dict(zip(self.radicands, coefficients, strict=True)))


@cache
def unit(k: int) -> Point:
    """The cosine and the sine of 3 k degrees.

    >>> unit(10), unit(12)[1]
    ((Surd(1/2*sqrt(3)), Fraction(1, 2)), Surd(1/4*sqrt(10-2*sqrt(5))))
    """
    # 3 k = 72 i + 15 j, where i and j are k over 24 and over 5, modulo 5 and modulo 24.
    return _times(_power(_FIFTH, -k % 5), _power(_TWENTY_FOURTH, 5 * k % 24))


def direction_of(edge: Point) -> int:
    """The k with an edge at 3 k degrees.

    Raises EngineError if no k has that direction.
    """
    k = round(atan2(edge[1], edge[0]) * FULL / (2 * pi)) % FULL
    cos, sin = unit(k)
    if sign(edge[0] * sin - edge[1] * cos):
        raise EngineError("an edge is not at a multiple of 3 degrees to the x axis")
    return k


_FIFTH: Point = (surd({1: Fraction(-1, 4), 5: Fraction(1, 4)}), surd({-1: Fraction(1, 8), -5: Fraction(1, 8)}))
_TWENTY_FOURTH: Point = (
    surd({2: Fraction(1, 4), 6: Fraction(1, 4)}),
    surd({2: Fraction(-1, 4), 6: Fraction(1, 4)}),
)


def _power(z: Point, exponent: int) -> Point:
    """A power of a complex number."""
    return (1, 0) if exponent == 0 else _times(_power(z, exponent - 1), z)


def _times(z: Point, w: Point) -> Point:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _closed(numbers: Iterable[Number]) -> tuple[int, ...]:
    """The radicands of numbers, and of all their products; 1 is the first."""
    found, waiting = {1}, {r for number in numbers if isinstance(number, Surd) for r, _ in number.terms}
    # The square of the nested root contains that of 5.
    for radicand in {*waiting, *(5 for r in waiting if r < 0)}:
        if radicand not in found:
            found |= {product for one in found for product, _ in product_of_roots(one, radicand)}
        if len(found) > _MOST_ROOTS:
            raise EngineError(f"the coordinates have square roots whose products need more than {_MOST_ROOTS} of them")
    return tuple(sorted(found, key=lambda radicand: (radicand < 0, abs(radicand))))
