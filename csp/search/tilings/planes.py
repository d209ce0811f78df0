"""The arrays of the exact kernel, and answers to its questions about directions and signs.

There are two kinds: any polygons, and edges at multiples of 3 degrees in a field of square roots.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import atan2, ceil, gcd, hypot, isqrt, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...geometry.directions import FULL, GaussianDirections, RegularDirections, unit
from ...geometry.exact_numbers import Number, near_root, rational, sign, surd
from ...geometry.polygons import Isometry, Point
from . import exact_kernel
from .exact_kernel import EDGE, SIGN, Lines, Plane

LIMIT = 2**62
_WORD = 2**64


class SymmetryRows(NamedTuple):
    """Symmetries of the target as the kernel reads them, see `kernel.Fittings`."""

    rows: NDArray[np.int64]
    maps: NDArray[np.int64]


class PlaneArrays(ABC):
    """The arrays of the exact kernel, and the answers to its questions, for directions of any class.

    - `kinds`: the number of kinds of edges.
    - `reach`: an upper bound of the coordinates of all possible vertices, and of the sum of the sizes of their terms.

    Attributes:
    - `denominator`: the common denominator D.
    - `sums`: the number of sums whose signs are known.
    """

    symmetries: SymmetryRows

    def __init__(self, directions: GaussianDirections | RegularDirections, kinds: int, reach: int) -> None:
        self.directions, self._reach, self._radicands = directions, reach, directions.radicands
        self.denominator = 1
        self.sums = 0
        grades = len(self._radicands)
        words = np.zeros(64, dtype=np.uint64)
        shape = (64, kinds)
        self.plane = Plane(
            np.zeros((1024, grades), dtype=np.int64), np.zeros((1024, grades), dtype=np.int64),
            np.zeros(1024), np.zeros(1024),
            roots=np.array([near_root(radicand) for radicand in self._radicands]),
            p=np.zeros(64, dtype=np.int64), q=np.zeros(64, dtype=np.int64),
            products=np.zeros((0, 2, 1, 1), dtype=np.int64), cos=np.zeros(64), sin=np.zeros(64),
            bound=np.array([self._float_error()]),
            sums=np.zeros((65, grades), dtype=np.int64), known=np.zeros(64, dtype=np.int8),
            counts=np.zeros(4, dtype=np.int64),
            question=np.zeros(max(grades, 2), dtype=np.int64), asked=np.zeros(1, dtype=np.int64),
        )  # fmt: skip
        self.lines = Lines(
            words, np.zeros(64), np.zeros(256, dtype=np.uint32), np.zeros(1, dtype=np.uint64),
            np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.uint32), np.zeros((0, 1, 2, 1), dtype=np.int64),
        )  # fmt: skip

    @abstractmethod
    def direction(self, word: int) -> int:
        """The index of a direction, which is entered with its opposite if it is new."""

    @abstractmethod
    def edge(self, word: int, kind: int, times: int) -> Point:
        """The vector of edges of a kind in the direction of a word, `times` of them."""

    @abstractmethod
    def put(self, v: int, point: Point) -> None:
        """Set a vertex to a point."""

    def _float_error(self) -> float:
        """A number larger than the error of a sign's value in floats.

        With u = 2^-53 and g radicands: a coordinate is a sum of g products, each of an integer, rounded (u), and a root
        over D, with error 4 u, rounded (u); so its error is below (g + 6) u times the sum of the terms' sizes, which is
        at most the reach R.  A difference of two has an error of 2 (g + 6) u R + 2 u R; its product with a cosine, with
        error 5 u, one of 2 (g + 6) u R + 2 u R + 12 u R; and the sum of two such products twice that and 4 u R: in
        total less than (4 g + 56) u R.
        """
        return (4 * len(self._radicands) + 64) * 2.0**-53 * self._reach

    def answer(self) -> int:
        """Answer the kernel's question, if it is about signs or edges.

        Returns the type of the question; 0 if it was answered.
        """
        sort = int(self.plane.asked[0])
        self.plane.asked[0] = 0
        if sort == SIGN:
            self._answer_sign()
        elif sort == EDGE:
            word, kind = int(self.plane.question[0]) % _WORD, int(self.plane.question[1])
            d = self.direction(word)
            if kind >= 0:
                self._enter_edge(d, kind)
        else:
            return sort
        return 0

    def _answer_sign(self) -> None:
        plane = self.plane
        coefficients = plane.question[: len(self._radicands)]
        exact = sign(surd(dict(zip(self._radicands, coefficients.tolist(), strict=True))))
        if 2 * self.sums == len(plane.known):
            size = 4 * len(plane.known)
            sums, known = np.zeros((size + 1, plane.sums.shape[1]), dtype=np.int64), np.zeros(size, dtype=np.int8)
            for i in np.flatnonzero(plane.known):
                exact_kernel.enter_sign(sums, known, plane.sums[i], plane.known[i])
            self.plane = plane = plane._replace(sums=sums, known=known)
        exact_kernel.enter_sign(plane.sums, plane.known, coefficients, np.int8(exact))
        self.sums += 1

    def _enter_edge(self, d: int, kind: int) -> None:
        """Enter the edge of a kind in a direction that the kernel asks for."""
        raise NotImplementedError("all edges are known from the start")

    def need_vertices(self, number: int) -> None:
        """Make room for `number` vertices."""
        while len(self.plane.x) < number:
            names = ("xs", "ys", "x", "y")
            self.plane = self.plane._replace(**{name: doubled(getattr(self.plane, name)) for name in names})

    def number(self, coefficients: Sequence[int]) -> Number:
        """The number that the kernel has as these coefficients."""
        terms = zip(self._radicands, coefficients, strict=True)
        return surd({radicand: Fraction(c, self.denominator) for radicand, c in terms})


class ExactPlane(PlaneArrays):
    """The arrays of the exact kernel for edges with rational coordinates, whose directions are entered as they occur.

    - `norms`: the squarefree r of the lengths n sqrt(r) of edges, by kind of edge.
    - `reach`: as for `PlaneArrays`.
    - `symmetries`: rows a, b, c, d, e, f, m: the image of (x, y) is (a x + b y + e, c x + d y + f) / m; the shifts e
      and f are kept in units of the common denominator.
    """

    def __init__(
        self, directions: GaussianDirections, norms: tuple[int, ...], reach: int, symmetries: NDArray[np.int64]
    ) -> None:
        super().__init__(directions, len(norms), reach)
        self._field, self._norms = directions, norms
        self.symmetries = SymmetryRows(symmetries, np.zeros((0, 1, 1), dtype=np.int64))
        self._steepest = 1
        self._number = 2

    def direction(self, word: int) -> int:
        found = int(exact_kernel.direction_of(self.lines, np.uint64(word)))
        if found:
            return found
        directions = self._field
        vector = directions.vector_of(word)
        word = directions.word(vector)
        p, q = directions.gaussian(vector)
        self._steepest = max(self._steepest, isqrt(p * p + q * q) + 1)
        self._refuse_overflow()
        if self._number == len(self.plane.p):
            self._grow_directions()
        plane, lines, length = self.plane, self.lines, hypot(p, q)
        for d, factor in ((self._number, 1), (self._number + 1, -1)):
            plane.p[d], plane.q[d] = factor * p, factor * q
            plane.cos[d], plane.sin[d] = factor * p / length, factor * q / length
            lines.theta[d] = atan2(factor * q, factor * p)
            lines.words[d] = word if factor == 1 else (word + (4 << 61)) % _WORD
            exact_kernel.enter_word(lines.words, lines.slots, np.uint64(d))
        self._number += 2
        return self._number - 2

    def _grow_directions(self) -> None:
        plane, lines = self.plane, self.lines
        self.plane = plane._replace(**{name: doubled(getattr(plane, name)) for name in ("p", "q", "cos", "sin")})
        names = ("words", "theta", "scale", "grade")
        self.lines = lines._replace(**{name: doubled(getattr(lines, name)) for name in names})
        slots = np.zeros(4 * len(self.plane.p), dtype=np.uint32)
        for d in range(2, self._number):
            exact_kernel.enter_word(self.lines.words, slots, np.uint64(d))
        self.lines = self.lines._replace(slots=slots)

    def _refuse_overflow(self) -> None:
        """Raise EngineError if numbers do not fit into 64 bits.

        A sign is that of p dy - q dx with |dx|, |dy| at most twice the reach, in units of 1/D; the turn between two
        directions is a sum of two products; a symmetry's image has a sum of three, the last in units of 1/D as well.
        """
        span = self._reach * self.denominator
        images = (2 * int(common) * span + max(abs(int(e)), abs(int(f))) for *_, e, f, common in self.symmetries.rows)
        if max(4 * self._steepest * span, 2 * self._steepest**2, *images) >= LIMIT:
            raise EngineError(
                "the coordinates of turned pieces do not fit into 64 bits: "
                f"primes {', '.join(map(str, self._field.primes))}; use shorter edges"
            )

    def _enter_edge(self, d: int, kind: int) -> None:
        vector = self._field.vector_of(int(self.lines.words[d]))
        grade, numerator, denominator = self._field.edge(vector, self._norms[kind])
        if self.denominator % denominator:
            self._enlarge(denominator // gcd(denominator, self.denominator))
        self.lines.scale[d, kind] = numerator * (self.denominator // denominator)
        self.lines.grade[d, kind] = grade

    def _enlarge(self, factor: int) -> None:
        """Multiply the common denominator, and everything in units of it."""
        self.denominator *= int(factor)
        self._refuse_overflow()
        for numbers in (self.plane.xs, self.plane.ys, self.lines.scale):
            np.multiply(numbers, factor, out=numbers)
        self.plane.roots[:] = [near_root(radicand) / self.denominator for radicand in self._radicands]
        self.symmetries.rows[:, 4:6] *= factor

    def edge(self, word: int, kind: int, times: int) -> Point:
        directions = self._field
        vector = directions.vector_of(word)
        p, q = directions.gaussian(vector)
        grade, numerator, denominator = directions.edge(vector, self._norms[kind])
        length = surd({directions.radicands[grade]: Fraction(numerator * times, denominator)})
        return length * p, length * q

    def put(self, v: int, point: Point) -> None:
        self.plane.xs[v, 0], self.plane.ys[v, 0] = (int(rational(c)) * self.denominator for c in point)
        exact_kernel.locate(self.plane, np.uint64(v))


def doubled(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate((array, np.zeros_like(array)))


# Directions are 3 degrees or more apart, so that integers near them have the signs of their turns.
_NEAR = 1 << 20


class RegularPlane(PlaneArrays):
    """The arrays of the exact kernel, which know all directions and edges from the start.

    - `lengths`: the lengths of edges, by kind of edge.
    - `points`: all fixed vertices.
    - `perimeter`: the kinds of the edges of all pieces together.
    """

    def __init__(
        self,
        directions: RegularDirections,
        lengths: Sequence[Number],
        points: Sequence[Point],
        perimeter: Iterable[int],
        symmetries: Sequence[Isometry],
    ) -> None:
        units = map(unit, range(0, FULL, directions.step))
        turned = [[(x * length, y * length) for length in lengths] for x, y in units]
        numbers = [c for point in (*points, *(edge for edges in turned for edge in edges)) for c in point]
        denominator = lcm(*(c.denominator for number in numbers for c in directions.coefficients(number)))
        sizes = [max(self._size(directions, c) for edge in edges for c in edge) for edges in zip(*turned, strict=True)]
        farthest = max(self._size(directions, c) for point in points for c in point)
        reach = ceil(farthest + sum(sizes[kind] for kind in perimeter)) + 2
        super().__init__(directions, len(lengths), reach)
        self._field, self.denominator = directions, denominator
        self.symmetries = self._maps(directions, ())
        self.plane.roots[:] = [near_root(radicand) / denominator for radicand in directions.radicands]
        self._refuse_overflow()
        self._enter_directions(directions)
        self._enter_edges(directions, turned)
        self.symmetries = self._maps(directions, symmetries)
        self._refuse_overflow()

    def _refuse_overflow(self) -> None:
        """Raise EngineError if numbers do not fit into 64 bits.

        A coefficient of a sign is a sum of two products for each radicand, of an entry of a matrix and the difference
        of two coefficients, each at most the reach; one of a symmetry's image has two products and a shift.
        """
        maps = self.symmetries.maps
        entry = max(int(abs(self.plane.products).max(initial=1)), int(abs(maps[:, :, :-1]).max(initial=1)))
        shift = int(abs(maps[:, :, -1]).max(initial=0))
        if 4 * len(self._radicands) * entry * self._reach * self.denominator + shift >= LIMIT:
            raise EngineError("the coordinates of turned pieces do not fit into 64 bits; use smaller ones")

    @staticmethod
    def _size(directions: RegularDirections, number: Number) -> float:
        """The sum of the sizes of a number's terms."""
        terms = zip(directions.radicands, directions.coefficients(number), strict=True)
        return sum(abs(float(c)) * near_root(radicand) for radicand, c in terms)

    def _enter_directions(self, directions: RegularDirections) -> None:
        """Enter all directions, each followed by its opposite."""
        order = [k for half in range(0, FULL // 2, directions.step) for k in (half, half + FULL // 2)]
        number, grades = len(order) + 2, len(directions.radicands)
        products = np.zeros((number, 2, grades, grades), dtype=np.int64)
        p, q, cos, sin, theta = np.zeros((5, number))
        words, slots = np.zeros(number, dtype=np.uint64), np.zeros(512, dtype=np.uint32)
        self._index: dict[int, int] = {}
        for d, k in enumerate(order, start=2):
            word = k * (directions.full // FULL)
            cos[d], sin[d] = map(float, unit(k))
            p[d], q[d] = round(cos[d] * _NEAR), round(sin[d] * _NEAR)
            theta[d], words[d] = np.arctan2(sin[d], cos[d]), word
            matrices = [_matrix(directions, factor) for factor in unit(k)]
            common = lcm(*(c.denominator for matrix in matrices for row in matrix for c in row))
            products[d] = [[[int(c * common) for c in row] for row in matrix] for matrix in matrices]
            exact_kernel.enter_word(words, slots, np.uint64(d))
            self._index[word] = d
        self.plane = self.plane._replace(
            p=p.astype(np.int64), q=q.astype(np.int64), cos=cos, sin=sin, products=products
        )  # fmt: skip
        full = np.array([directions.full], dtype=np.uint64)
        self.lines = self.lines._replace(words=words, theta=theta, slots=slots, full=full)

    def _enter_edges(self, directions: RegularDirections, turned: Sequence[Sequence[Point]]) -> None:
        """Enter the edges of all kinds in all directions."""
        vectors = np.zeros((len(self.lines.words), len(turned[0]), 2, len(directions.radicands)), dtype=np.int64)
        for number, kinds in enumerate(turned):
            d = self._index[number * directions.step * (directions.full // FULL)]
            for kind, edge in enumerate(kinds):
                vectors[d, kind] = [self.scaled(c) for c in edge]
        shape = vectors.shape[:2]
        self.lines = self.lines._replace(
            vectors=vectors, scale=np.ones(shape, dtype=np.int64), grade=np.zeros(shape, dtype=np.uint32)
        )

    def _maps(self, directions: RegularDirections, symmetries: Sequence[Isometry]) -> SymmetryRows:
        """The symmetries as matrices of integers, and their denominators."""
        grades = len(directions.radicands)
        rows, maps = np.zeros((len(symmetries), 7), dtype=np.int64), []
        for row, motion in zip(rows, symmetries, strict=True):
            a, b, c, d = (_matrix(directions, factor) for factor in motion[:4])
            shifts = [[n * self.denominator] for s in motion[4:] for n in directions.coefficients(s)]
            upper = [[*p, *q] for p, q in zip(a, b, strict=True)]
            lower = [[*p, *q] for p, q in zip(c, d, strict=True)]
            entries = [[*line, *shift] for line, shift in zip((*upper, *lower), shifts, strict=True)]
            common = lcm(*(entry.denominator for line in entries for entry in line))
            # Only whether it turns over, and the denominator, are read from this row.
            row[:] = 1, 0, 0, -1 if motion.is_reflection else 1, 0, 0, common
            maps.append([[int(entry * common) for entry in line] for line in entries])
        empty = np.zeros((0, 2 * grades, 2 * grades + 1), dtype=np.int64)
        return SymmetryRows(rows, np.array(maps, dtype=np.int64) if maps else empty)

    def scaled(self, number: Number) -> list[int]:
        """The coefficients of a number in units of the common denominator."""
        return [int(c * self.denominator) for c in self._field.coefficients(number)]

    def direction(self, word: int) -> int:
        return self._index[word]

    def edge(self, word: int, kind: int, times: int) -> Point:
        x, y = self.lines.vectors[self._index[word], kind].tolist()
        return self.number(x) * times, self.number(y) * times

    def put(self, v: int, point: Point) -> None:
        self.plane.xs[v], self.plane.ys[v] = map(self.scaled, point)
        exact_kernel.locate(self.plane, np.uint64(v))


def _matrix(directions: RegularDirections, factor: Number) -> list[list[Fraction]]:
    """The matrix that takes the coefficients of a number to those of its product with a factor."""
    columns = [directions.coefficients(factor * surd({radicand: 1})) for radicand in directions.radicands]
    return [list(row) for row in zip(*columns, strict=True)]
