"""Exact directions: the rotations of edges that can occur, as integers that add up.

The direction of a Gaussian integer is that of i^j (1+i)^h times Gaussian primes of norms p = 1 mod 4; a prime 3 mod 4
divides no primitive one.  So the directions that occur when pieces with integer coordinates are turned until edges lie
on edges are e^(i pi k/4) times powers of the unit vectors u_p = (a + b i)/sqrt(p) with a² + b² = p, a > b > 0: a vector
of integers (k mod 8, exponent of each u_p).  It is unique because factors of Gaussian integers are.  A rotation adds
vectors, and "these angles close that corner" is an equation between sums.

Directions at multiples of 3 degrees are another class.  Their cosines and sines are sums of square roots and products
with the nested root ``sqrt(10-2*sqrt(5))``: those of multiples of 72 degrees need the root of 5 and the nested one,
those of multiples of 15 degrees the roots of 2 and 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import atan2, gcd, isqrt, pi, prod
from typing import Any

from ..base.errors import EngineError
from .exact_numbers import Number, Surd, product_of_roots, sign, surd, terms_of
from .polygons import Point, Polygon, edges

#: k mod 8, then an exponent for each prime.
Vector = tuple[int, ...]

MAX_PRIMES = 6
# Exponents take ten bits each; half of the range is reserved for sums.
_BITS, _MAX_EXPONENT, _EIGHTHS = 10, 255, 61
# Squared lengths that are quick to factor.
_MAX_NORM = 2**62
# Smaller factors are found by division; importing sympy takes longer.
_LEAST_UNTRIED = 1000


@dataclass(frozen=True)
class GaussianDirections:
    """The directions that edges with integer coordinates can have after turning one onto another.

    The search uses them through words that add up, an integer vector for each, and the length of an edge in units of
    that vector, as it does `RegularDirections`.
    """

    primes: tuple[int, ...]  #: The primes, all 1 mod 4

    #: The word of a full turn.
    full = 2**64

    @classmethod
    def of_edges(cls, edges: Iterable[tuple[int, int]]) -> "GaussianDirections":
        """The directions that edges with these coordinates can have.

        Raises EngineError if they have more primes than the search supports.
        """
        norms = {primitive_norm(dx, dy) for dx, dy in edges}
        if max(norms) > _MAX_NORM:
            raise EngineError(
                "an edge is too long for the search by exact directions; use coordinates of at most 9 digits"
            )
        primes = tuple(sorted({p for norm in norms for p in _prime_factors(norm)} - {2}))
        if len(primes) > MAX_PRIMES:
            raise EngineError(
                f"the squared lengths of the edges have {len(primes)} odd prime factors "
                f"({', '.join(map(str, primes[:8]))}{', ...' if len(primes) > 8 else ''}); "
                f"the search by exact directions supports at most {MAX_PRIMES}"
            )
        return cls(primes)

    @cached_property
    def radicands(self) -> tuple[int, ...]:
        """The squarefree products of 2 and the primes: bit 0 of the index stands for 2, bit j for prime j - 1."""
        factors = (2, *self.primes)
        return tuple(prod(f for j, f in enumerate(factors) if at >> j & 1) for at in range(1 << len(factors)))

    def vector(self, dx: int, dy: int) -> Vector:
        """The direction of an integer vector that is not 0."""
        z = _divided((dx, dy), (gcd(dx, dy), 0))
        assert z is not None
        exponents = []
        for prime in self._gaussian_primes:
            plus, z = _divided_out(z, prime)
            minus, z = _divided_out(z, (prime[0], -prime[1]))
            exponents.append(plus - minus)
        half, z = _divided_out(z, (1, 1))
        return (2 * _UNITS.index(z) + half) % 8, *exponents

    def gaussian(self, vector: Vector) -> tuple[int, int]:
        """The primitive integer vector in a direction."""
        z = _UNITS[vector[0] % 8 // 2]
        if vector[0] % 2:
            z = _times(z, (1, 1))
        for (a, b), exponent in zip(self._gaussian_primes, vector[1:], strict=True):
            for _ in range(abs(exponent)):
                z = _times(z, (a, b if exponent > 0 else -b))
        return z

    def norm(self, vector: Vector) -> int:
        """The squared length of the primitive integer vector in a direction."""
        return (2 if vector[0] % 2 else 1) * prod(p ** abs(a) for p, a in zip(self.primes, vector[1:], strict=True))

    def edge(self, vector: Vector, norm: int) -> tuple[int, int, int]:
        """An edge of squared length `norm`, turned into a direction, as a multiple of the integer vector there.

        Returns an index of `radicands`, and coprime n and d: the edge is n/d times the square root of the radicand
        times the integer vector.
        """
        own = self.norm(vector)
        root, radicand = self._root(norm * own)
        common = gcd(root, own)
        return self.radicands.index(radicand), root // common, own // common

    def length(self, dx: int, dy: int) -> tuple[int, int]:
        """The n and the squarefree r with n sqrt(r) the length of an edge: equal exactly if the lengths are."""
        root, radicand = self._root(primitive_norm(dx, dy))
        return root * gcd(dx, dy), radicand

    def _root(self, number: int) -> tuple[int, int]:
        """The n and the squarefree r with n² r the number, whose only prime factors are 2 and `primes`."""
        root = 1
        for factor in (2, *self.primes):
            while number % factor**2 == 0:
                root, number = root * factor, number // factor**2
        return root, number

    def word_of(self, dx: int, dy: int) -> int:
        """The word of the direction of an integer vector that is not 0."""
        return self.word(self.vector(dx, dy))

    def word(self, vector: Vector) -> int:
        """The vector in 64 bits; words add up, modulo 2^64, as vectors do: the eighths of the turn are the top bits.

        Raises EngineError if an exponent is too large.
        """
        if any(abs(exponent) > _MAX_EXPONENT for exponent in vector[1:]):
            raise EngineError(f"the search needs more than {_MAX_EXPONENT} times the same angle; that is too many")
        low = sum(exponent << _BITS * j for j, exponent in enumerate(vector[1:]))
        return ((vector[0] << _EIGHTHS) + low) % 2**64

    def vector_of(self, word: int) -> Vector:
        """The vector of a word, or of a sum or difference of two."""
        half = 1 << _EIGHTHS - 1
        low = (word + half) % (2 * half) - half
        vector = [(word - low >> _EIGHTHS) % 8]
        half = 1 << _BITS - 1
        for _ in self.primes:
            vector.append((low + half) % (2 * half) - half)
            low = (low - vector[-1]) >> _BITS
        return tuple(vector)

    @cached_property
    def _gaussian_primes(self) -> tuple[tuple[int, int], ...]:
        return tuple(_two_squares(p) for p in self.primes)


def primitive_norm(dx: int, dy: int) -> int:
    """The squared length of the shortest integer vector in the direction of another one."""
    common = gcd(dx, dy)
    return (dx // common) ** 2 + (dy // common) ** 2


_UNITS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def _prime_factors(number: int) -> set[int]:
    """The prime factors of a positive integer."""
    found = set()
    for p in range(2, _LEAST_UNTRIED):
        while number % p == 0:
            found.add(p)
            number //= p
        if p * p > number:
            break
    if number >= _LEAST_UNTRIED**2:
        from sympy import factorint

        return found | set(factorint(number))
    return found | {number} - {1}


def _two_squares(p: int) -> tuple[int, int]:
    """The a > b > 0 with a² + b² = p, for a prime p = 1 mod 4 (Brillhart 1972)."""
    # Powers of a number that is no square modulo p (Euler).
    a, b = p, next(pow(c, p // 4, p) for c in range(2, p) if pow(c, p // 2, p) == p - 1)
    while a > isqrt(p):
        a, b = b, a % b
    return a, b


def _times(z: Any, w: Any) -> Any:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _divided(z: tuple[int, int], w: tuple[int, int]) -> tuple[int, int] | None:
    """The quotient of two Gaussian integers, or None if it is not a Gaussian integer."""
    norm = w[0] ** 2 + w[1] ** 2
    real, imaginary = _times(z, (w[0], -w[1]))
    return (real // norm, imaginary // norm) if real % norm == 0 == imaginary % norm else None


def _divided_out(z: tuple[int, int], w: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """How often a Gaussian integer is divisible by another one, and the remaining factor."""
    times = 0
    while (quotient := _divided(z, w)) is not None:
        z, times = quotient, times + 1
    return times, z


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

    step: int  #: All edges are at multiples of this k; it divides 60
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
_TWENTY_FOURTH: Point = (surd({2: Fraction(1, 4), 6: Fraction(1, 4)}), surd({2: Fraction(-1, 4), 6: Fraction(1, 4)}))


def _power(z: Point, exponent: int) -> Point:
    return (1, 0) if exponent == 0 else _times(_power(z, exponent - 1), z)


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
