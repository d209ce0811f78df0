"""Convex forms: the convex polygons on the lattice that a puzzle's pieces might tile, up to lattice motions.

A side of a convex form consists of whole edges of different pieces, so it has the direction of an edge and a total
length of such edges.  Inside, the edges along a line have the same total length on both sides.  So of the total length
of all edges in equivalent directions (up to motions), an even multiple of the lattice's step is inside, and the rest is
on the rim.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import atan2, gcd
from typing import NamedTuple

from ..base.errors import UsageError
from ..base.stopping import never
from ..geometry.exact_numbers import format_number, rational
from ..geometry.polygons import LATTICE_MOTIONS, Polygon, counterclockwise, double_area, edges
from ..puzzles.dissection import DissectionPuzzle, Motions, orientations
from .integer_layout import in_units

_Step = tuple[int, int]

_NODES_PER_QUESTION = 1024


class Slope(NamedTuple):
    """A class of directions that are equivalent under lattice motions.

    Parameters
    ----------
    step
        The shortest lattice vector of one of them: (x, y) with x >= y >= 0.
    edges
        The pieces' edges in these directions: the piece (0-based) and how many steps the edge is long.
    """

    step: _Step
    edges: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """The total length of all edges in steps."""
        return sum(length for _, length in self.edges)

    @property
    def is_seam(self) -> bool:
        """Whether these are two edges of equal length of two pieces.

        Unless they are on the rim, nothing else can lie along them, and the pieces are together.
        """
        return (
            len({piece for piece, _ in self.edges}) == len(self.edges) == 2 and len(set(dict(self.edges).values())) == 1
        )

    def lengths(self) -> frozenset[int]:
        """The possible lengths of a side that consists of edges of different pieces, in steps."""
        sums = {0}
        for piece in {piece for piece, _ in self.edges}:
            own = {length for of, length in self.edges if of == piece}
            sums |= {before + length for before in sums for length in own}
        return frozenset(sums - {0})


@dataclass(frozen=True)
class FormClass:
    """A class of convex polygons of the right area, with vertices on the lattice.

    Parameters
    ----------
    puzzle
        The puzzle whose pieces must tile them.
    vertices
        The number of their vertices.
    seams
        Whether seams (`Slope.is_seam`) may be on the rim.

    Raises
    ------
    UsageError
        If there are fewer than 3 vertices.

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> forms = FormClass(DissectionPuzzle(square, (triangle, triangle)), 4, seams=True)
    >>> list(forms.candidates())
    [((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (2, 1), (1, 1))]
    """

    puzzle: DissectionPuzzle
    vertices: int
    seams: bool = False

    def __post_init__(self) -> None:
        if self.vertices < 3:
            raise UsageError(f"must be 3 or more, not {self.vertices}", "vertices")

    @cached_property
    def slopes(self) -> tuple[Slope, ...]:
        """The directions of the pieces' edges, those with the fewest edges first."""
        found: dict[_Step, list[tuple[int, int]]] = {}
        for piece, polygon in enumerate(self.puzzle.pieces):
            for (x0, y0), (x1, y1) in edges(self.puzzle.in_lattice_units(polygon)):
                dx, dy = abs(x1 - x0), abs(y1 - y0)
                length = gcd(dx, dy)
                step = max(dx, dy) // length, min(dx, dy) // length
                found.setdefault(step, []).append((piece, length))
        slopes = [Slope(step, tuple(of)) for step, of in found.items()]
        return tuple(sorted(slopes, key=lambda slope: (len(slope.edges), slope)))

    @property
    def _rim(self) -> tuple[Slope, ...]:
        return tuple(slope for slope in self.slopes if self.seams or not slope.is_seam)

    @property
    def left_out(self) -> tuple[Slope, ...]:
        """The seams that may not be on the rim."""
        return tuple(slope for slope in self.slopes if not self.seams and slope.is_seam)

    def __str__(self) -> str:
        area = format_number(double_area(self.puzzle.target) * Fraction(1, 2))
        directions = ", ".join("{}:{}".format(*slope.step) for slope in self._rim)
        scale = self.puzzle.scale
        lattice = "whole numbers" if scale == 1 else f"multiples of 1/{scale}"
        seams = "".join(f"; {_seam(slope)} must not be on the boundary" for slope in self.left_out)
        motions = "quarter turns, reflections and translations" if self.mirrored else "quarter turns and translations"
        return (
            f"convex polygons of area {area} with {self.vertices} vertices, whose coordinates are {lattice}, up to "
            f"{motions}; each side consists of whole edges of different pieces, so "
            f"that its direction is {directions} (either coordinate first, any signs){seams}"
        )

    def candidates(self, must_stop: Callable[[], bool] = never) -> Iterator[Polygon]:
        """The forms of the class that the lengths of the edges allow, each once, in the puzzle's coordinates.

        `must_stop` is called from time to time; if it returns true, no more forms follow.
        """
        met: set[Polygon] = set()
        for outline in _Outlines(self._rim, self._double_area, self.vertices, must_stop):
            # Pieces that may not be turned over may tile a form, but not its mirror image.
            images = (outline,) if self.mirrored else (outline, tuple((-x, y) for x, y in reversed(outline)))
            for image in images:
                form = orientations(counterclockwise(image), flip=self.mirrored)[0]
                if form not in met:
                    met.add(form)
                    yield in_units(form, self.puzzle.scale)

    @cached_property
    def mirrored(self) -> bool:
        """Whether what tiles a form tiles its mirror image, too."""
        return None not in replace(self.puzzle, motions=Motions.LATTICE).mirror_of

    @property
    def _double_area(self) -> int:
        return int(rational(double_area(self.puzzle.target)) * self.puzzle.scale**2)


def _seam(slope: Slope) -> str:
    (one, _), (other, _) = slope.edges
    return f"{slope.step[0]}:{slope.step[1]}, the seam of pieces {one + 1} and {other + 1},"


class _Direction(NamedTuple):
    x: int
    y: int
    slope: int


class _Outlines:
    """The convex outlines that are made up of sides along given slopes, each at least once up to lattice motions.

    A depth-first search, side by side, counter-clockwise.  The motions turn a side of the first slope (a shortest one)
    into the first octant; the search begins with it.
    """

    def __init__(
        self, slopes: tuple[Slope, ...], double_area: int, vertices: int, must_stop: Callable[[], bool]
    ) -> None:
        self._slopes, self._double_area, self._vertices = slopes, double_area, vertices
        self._must_stop, self._stopped, self._nodes = must_stop, False, 0
        # Floats are exact enough for the order: two directions of lengths below 10^6 differ by more than 10^-13.
        self._directions = sorted(
            {
                _Direction(a * x + b * y, c * x + d * y, number)
                for number, ((x, y), _) in enumerate(slopes)
                for a, b, c, d in LATTICE_MOTIONS
            },
            key=lambda direction: atan2(direction.y, direction.x),
        )

    def __iter__(self) -> Iterator[Polygon]:
        for first, direction in enumerate(self._directions):
            x, y, slope = direction
            if x >= y >= 0:
                around = self._directions[first:] + self._directions[:first]
                self._around = [other for other in around if other.slope >= slope]
                self._number = {(other.x, other.y): number for number, other in enumerate(self._around)}
                yield from self._from(direction)

    def _from(self, first: _Direction) -> Iterator[Polygon]:
        """The outlines whose first side has this direction."""
        lengths = [sorted(slope.lengths()) for slope in self._slopes]
        self._used = [0] * len(self._slopes)
        for length in lengths[first.slope]:
            self._lengths = lengths.copy()
            self._lengths[first.slope] = [other for other in lengths[first.slope] if other >= length]
            self._used[first.slope] = length
            yield from self._grown([(0, 0), (first.x * length, first.y * length)], 1, 0)

    def _grown(self, chain: list[tuple[int, int]], next_direction: int, double_area: int) -> Iterator[Polygon]:
        """The outlines that begin with a chain of vertices; the chain and its chord enclose the given area."""
        self._nodes += 1
        if self._nodes % _NODES_PER_QUESTION == 0 and self._must_stop():
            self._stopped = True
        if self._stopped or not self._may_become_large_enough(chain[-1], next_direction - 1, double_area):
            return
        x, y = chain[-1]
        # Each of the remaining sides needs its own direction.
        for number in range(next_direction, len(self._around) - self._vertices + len(chain)):
            dx, dy, slope = self._around[number]
            gain = x * dy - y * dx
            if gain <= 0:
                return
            if len(chain) == self._vertices - 1:
                yield from self._closed(chain, number, double_area, gain)
                continue
            most = self._slopes[slope].total - self._used[slope]
            for length in self._lengths[slope]:
                if length > most or double_area + gain * length >= self._double_area:
                    break
                self._used[slope] += length
                longer = [*chain, (x + dx * length, y + dy * length)]
                yield from self._grown(longer, number + 1, double_area + gain * length)
                self._used[slope] -= length

    def _may_become_large_enough(self, end: tuple[int, int], direction: int, double_area: int) -> bool:
        """Whether the area can be reached: once the lines along the last side and the first one meet, it is bounded."""
        (first_x, first_y, _), (x, y, _) = self._around[0], self._around[direction]
        turn = x * first_y - y * first_x
        if turn <= 0:
            return True
        beyond = (end[0] * y - end[1] * x) * (end[0] * first_y - end[1] * first_x)
        return double_area * turn + abs(beyond) >= self._double_area * turn

    def _closed(self, chain: list[tuple[int, int]], number: int, double_area: int, gain: int) -> Iterator[Polygon]:
        """The outline closed by two more sides, the first with the given direction, if it exists."""
        length, rest = divmod(self._double_area - double_area, gain)
        if rest:
            return
        dx, dy, slope = self._around[number]
        x, y = chain[-1][0] + dx * length, chain[-1][1] + dy * length
        last_length = gcd(x, y)
        last = self._number.get((-x // last_length, -y // last_length), -1)
        if last <= number:
            return
        last_slope = self._around[last].slope
        if length in self._lengths[slope] and last_length in self._lengths[last_slope]:
            used = self._used.copy()
            used[slope] += length
            used[last_slope] += last_length
            hidden = [of.total - on_rim for of, on_rim in zip(self._slopes, used, strict=True)]
            if all(total >= 0 and total % 2 == 0 for total in hidden):
                yield (*chain, (x, y))
