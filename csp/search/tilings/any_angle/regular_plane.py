"""The arrays of the exact kernel for edges at multiples of 3 degrees, in a field of square roots."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, lcm

import numpy as np

from ....base.errors import EngineError
from ....geometry.directions import FULL, RegularDirections, unit
from ....geometry.exact_numbers import Number, near_root, surd
from ....geometry.polygons import Isometry, Point
from . import exact_kernel
from .exact_plane import LIMIT, PlaneArrays, SymmetryRows

# Directions are 3 degrees or more apart, so that integers near them have the signs of their turns.
_NEAR = 1 << 20


class RegularPlane(PlaneArrays):
    """The arrays of the exact kernel, which know all directions and edges from the start.

    - `directions`: the directions and the field.
    - `lengths`: the lengths of edges, by kind of edge.
    - `points`: all fixed vertices.
    - `perimeter`: the kinds of the edges of all pieces together.
    - `symmetries`: the symmetries to break.
    """

    def __init__(
        self,
        directions: RegularDirections,
        lengths: Sequence[Number],
        points: Sequence[Point],
        perimeter: Iterable[int],
        symmetries: Sequence[Isometry],
    ) -> None:
        turned = [[_scaled(unit(k), length) for length in lengths] for k in range(0, FULL, directions.step)]
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
        """The index of a direction."""
        return self._index[word]

    def edge(self, word: int, kind: int, times: int) -> Point:
        """The vector of an edge of a kind in the direction of a word."""
        x, y = self.lines.vectors[self._index[word], kind].tolist()
        return self.number(x) * times, self.number(y) * times

    def put(self, v: int, point: Point) -> None:
        """Set a vertex to a point."""
        self.plane.xs[v], self.plane.ys[v] = map(self.scaled, point)
        exact_kernel.locate(self.plane, np.uint64(v))


def _scaled(direction: Point, length: Number) -> Point:
    return direction[0] * length, direction[1] * length


def _matrix(directions: RegularDirections, factor: Number) -> list[list[Fraction]]:
    """The matrix that takes the coefficients of a number to those of its product with a factor."""
    columns = [directions.coefficients(factor * surd({radicand: 1})) for radicand in directions.radicands]
    return [list(row) for row in zip(*columns, strict=True)]
