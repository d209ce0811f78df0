"""Quick exact tests that refute convex forms before any search: edge lengths, corners, colourings.

Each test proves that there is no tiling; a form that passes all of them may still have none.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from heapq import merge
from itertools import pairwise, repeat
from typing import TypeVar

from ..base.stop import StoppedError, never
from ..geometry.lattices import Lattice, Units, is_reflection, moved_point, primitive, turned, unit_edges
from ..geometry.polygons import edges
from .convex_forms import FormClass, Slope

_Step = tuple[int, int]
_T = TypeVar("_T")
#: The rays that bound a corner, counter-clockwise; the least of its images under the motions.
_Corner = tuple[_Step, _Step]

#: Why a form has no tilings.
LENGTHS, CORNERS, COLOURING, SEARCH = "lengths", "corners", "colouring", "search"
#: What each reason means.
MEANINGS = {
    LENGTHS: "its sides are not made of different edges of the pieces",
    CORNERS: "the angles of the pieces do not fill its corners",
    COLOURING: "colour the lattice by squares, rows or columns: the pieces cannot cover so much of one colour",
    SEARCH: "an exhaustive search finds no tiling",
}

# Tests are given up, as if the form passed, after this number of steps.
_PATIENCE = 1000
# Tests ask whether to stop after this number of steps.
_STEPS_PER_QUESTION = 1000
_MOST_KEPT = 1 << 16


class QuickTests:
    """The tests for the pieces of a puzzle."""

    def __init__(self, form_class: FormClass) -> None:
        self._class, self._lattice = form_class, form_class.lattice
        self._pieces = [self._lattice.units(piece) for piece in form_class.puzzle.pieces]
        self._slope_of = {
            step: number for number, slope in enumerate(form_class.slopes) for step in self._lattice.steps(slope.step)
        }
        self._can_be_sides = lru_cache(1 << 16)(self._sides_of_slope)
        self._can_be_corners = lru_cache(1 << 16)(self._corners_filled)
        self._sums: dict[str, set[Fraction]] = {}
        self._integrals: dict[tuple[int, int, int, int, bool], Fraction] = {}
        self._ways = lru_cache(1 << 12)(lambda corner: list(self._fillings(corner)))

    def reason(self, form: Units, must_stop: Callable[[], bool] = never) -> str | None:
        """The first test that refutes a form; None if it passes all, or `must_stop` returned true."""
        tests: dict[str, Callable[[Units], bool]] = {
            LENGTHS: self._passes_lengths,
            CORNERS: lambda form: self._can_be_corners(tuple(sorted(self._corners(form)))),
            COLOURING: lambda form: all(
                self._excess(form, kind, must_stop) in self._sums_of(kind, must_stop)
                for kind in ("squares", "columns", "rows")
            ),
        }
        try:
            return next((reason for reason, passes in tests.items() if not passes(form)), None)
        except StoppedError:
            return None

    def _passes_lengths(self, form: Units) -> bool:
        sides: dict[int, list[int]] = {}
        for edge in unit_edges(form):
            step, length = primitive(*edge)
            sides.setdefault(self._slope_of[step], []).append(length)
        return all(self._can_be_sides(slope, tuple(sorted(lengths))) for slope, lengths in sides.items())

    def _sides_of_slope(self, slope: int, lengths: tuple[int, ...]) -> bool:
        """Whether sides of these lengths can be made of different edges, a side of at most one of a convex piece.

        What is left must have an even total length: it lies inside, edge to edge.
        """
        own = self._class.slopes[slope]
        return (own.total - sum(lengths)) % 2 == 0 and _made(own, lengths)

    def _corners(self, units: Units) -> list[_Corner]:
        """The corners of a polygon up to motions."""
        steps = [primitive(*edge)[0] for edge in unit_edges(units)]
        return [
            _least_corner(self._lattice, (step, (-before[0], -before[1])))
            for before, step in zip([steps[-1], *steps], steps, strict=False)
        ]

    @cached_property
    def _supply(self) -> Counter[_Corner]:
        """The number of corners of the pieces of each sort."""
        return Counter(corner for piece in self._pieces for corner in self._corners(piece))

    @cached_property
    def _turns(self) -> dict[_Step, list[tuple[_Step, _Corner]]]:
        """For a ray the rays at the other end of a corner that begins there, with the sort of the corner."""
        found: dict[_Step, set[tuple[_Step, _Corner]]] = {}
        for piece in self._pieces:
            for motion in self._lattice.motions:
                steps = [primitive(*edge)[0] for edge in unit_edges(turned(motion, piece))]
                for before, step in zip([steps[-1], *steps], steps, strict=False):
                    end = -before[0], -before[1]
                    found.setdefault(step, set()).add((end, _least_corner(self._lattice, (step, end))))
        return {ray: sorted(ends) for ray, ends in found.items()}

    def _fillings(self, corner: _Corner) -> Iterator[Counter[_Corner]]:
        """The different ways to fill a corner, as numbers of corners of each sort."""
        met = set()

        def grown(ray: _Step, used: Counter[_Corner]) -> Iterator[Counter[_Corner]]:
            if ray == corner[1]:
                key = frozenset(used.items())
                if key not in met:
                    met.add(key)
                    yield used
                return
            for end, sort in self._turns.get(ray, ()):
                if _is_within(end, ray, corner[1]) and used[sort] < self._supply[sort]:
                    yield from grown(end, used + Counter([sort]))

        return grown(corner[0], Counter())

    def _corners_filled(self, corners: tuple[_Corner, ...]) -> bool:
        """Whether the corners of the pieces can fill these, each used once; also true if that takes too long."""
        left, steps = Counter(self._supply), 0
        ways = sorted((self._ways(corner) for corner in corners), key=len)

        def filled(number: int) -> bool:
            nonlocal steps
            if number == len(ways):
                return True
            for way in ways[number]:
                steps += 1
                if steps > _PATIENCE:
                    return True
                if all(left[sort] >= times for sort, times in way.items()):
                    left.subtract(way)
                    is_filled = filled(number + 1)
                    left.update(way)
                    if is_filled:
                        return True
            return False

        return filled(0)

    def _sums_of(self, kind: str, must_stop: Callable[[], bool]) -> set[Fraction]:
        """What the pieces can cover more of one colour than of the other in a colouring, in cells."""
        if kind not in self._sums:
            sums = {Fraction(0)}
            for piece in self._pieces:
                own = {self._excess(image, kind, must_stop) for image in self._lattice.images(piece)}
                ways = own | {-more for more in own}
                sums = {before + more for before in _asking(sums, must_stop) for more in ways}
            self._sums[kind] = sums
        return self._sums[kind]

    def _excess(self, units: Units, kind: str, must_stop: Callable[[], bool]) -> Fraction:
        """How much larger the part of a polygon is that has the colour of the cell at the origin."""
        if kind == "rows":
            units = tuple((y, x) for x, y in reversed(units))
        total, squares = Fraction(0), kind == "squares"
        for (x0, y0), (x1, y1) in edges(units):
            edge = x0 % 2, y0 % 2, x1 - x0, y1 - y0, squares
            found = self._integrals.get(edge)
            if found is None:
                found = _along(*edge, must_stop)
                if len(self._integrals) < _MOST_KEPT:
                    self._integrals[edge] = found
            total += found
        return total


def _made(slope: Slope, lengths: Sequence[int]) -> bool:
    """Whether sides of these lengths can be made of different edges, each of at most one edge of a convex piece.

    Also true if that takes too long.
    """
    of_edges = slope.edges
    met: set[tuple[int, tuple[tuple[int, bool], ...]]] = set()

    def made(edge: int, rests: tuple[tuple[int, frozenset[int]], ...]) -> bool:
        if not any(rest for rest, _ in rests):
            return True
        if edge == len(of_edges) or sum(rest for rest, _ in rests) > sum(n for _, n in of_edges[edge:]):
            return False
        # Edges are in the order of their pieces, so only the pieces of the last one matter.
        key = edge, tuple(sorted((rest, of_edges[edge][0] in pieces) for rest, pieces in rests))
        if key in met:
            return False
        if len(met) == _PATIENCE:
            return True
        met.add(key)
        piece, length = of_edges[edge]
        for i, (rest, pieces) in enumerate(rests):
            if length <= rest and piece not in pieces:
                others = pieces if piece in slope.repeated else pieces | {piece}
                on_side = (*rests[:i], (rest - length, others), *rests[i + 1 :])
                if made(edge + 1, on_side):
                    return True
        return made(edge + 1, rests)

    return made(0, tuple((length, frozenset()) for length in lengths))


def _least_corner(lattice: Lattice, corner: _Corner) -> _Corner:
    """The least image of a corner under the motions of the lattice."""
    images = []
    for motion in lattice.motions:
        start, end = (moved_point(motion, ray) for ray in corner)
        images.append((end, start) if is_reflection(motion) else (start, end))
    return min(images)


def _is_within(ray: _Step, start: _Step, end: _Step) -> bool:
    """Whether a ray lies after the start of a corner of less than half a turn, and not after its end."""
    after = start[0] * ray[1] - start[1] * ray[0]
    before = ray[0] * end[1] - ray[1] * end[0]
    return after > 0 and (before > 0 or (before == 0 and ray[0] * end[0] + ray[1] * end[1] > 0))


def _asking(items: Iterable[_T], must_stop: Callable[[], bool]) -> Iterator[_T]:
    """The items; raises StoppedError if `must_stop`, which is asked from time to time, returns true."""
    for number, item in enumerate(items, start=1):
        if number % _STEPS_PER_QUESTION == 0 and must_stop():
            raise StoppedError
        yield item


def _along(x: int, y: int, dx: int, dy: int, squares: bool, must_stop: Callable[[], bool]) -> Fraction:
    """The integral of F dy along an edge, where dF/dx is the colour, 1 or -1 (Green's theorem)."""
    if dy == 0:
        return Fraction(0)
    cuts = merge(*(map(Fraction, range(abs(d) + 1), repeat(abs(d))) for d in (dx, dy) if d))
    total = Fraction(0)
    for start, end in pairwise(_asking(cuts, must_stop)):
        row = (2 * y + (start + end) * dy) // 2
        sign = -1 if squares and row % 2 else 1
        total += sign * (_wave(x + start * dx) + _wave(x + end * dx)) / 2 * (end - start) * dy
    return total


def _wave(x: Fraction) -> Fraction:
    """The integral from 0 to x of a function that is 1 on even cells and -1 on odd ones."""
    rest = x % 2
    return min(rest, 2 - rest)
