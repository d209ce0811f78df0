"""Convex forms: the convex polygons on the lattice that a puzzle's pieces might tile, up to lattice motions.

A side of a convex form consists of whole edges, at most one of each convex piece, so it has the direction of an edge
and a total length of such edges.  Inside, the edges along a line have the same total length on both sides.  So of the
total length of all edges in equivalent directions (up to motions), an even multiple of the lattice's step is inside,
and the rest is on the rim.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compiled import inner_kernel, kernel
from ..base.errors import PuzzleError, UsageError, grouped
from ..base.stop import never
from ..geometry.exact_numbers import format_number, rational
from ..geometry.lattices import Lattice, Units, is_reflection, placed, primitive, turned, unit_edges
from ..geometry.polygons import Polygon, first_reflex
from ..puzzles.dissection import DissectionPuzzle, Motions
from ..search.shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL

Integers = NDArray[np.int64]

#: The cursor: vertices of the chain, nodes left, rows written.
SIZE, BUDGET, WRITTEN, CURSOR_SIZE = range(4)


class Sides(NamedTuple):
    """What the sides of outlines may be."""

    #: The directions in the order of their angles, the first side's first: a primitive vector and its slope.
    x: Integers
    y: Integers
    slope: Integers
    #: The lengths of sides of slope s, ascending, are ``lengths[first[s]]`` up to ``lengths[first[s + 1]]``.
    first: Integers
    lengths: Integers
    is_length: NDArray[np.bool_]  #: Whether a side of a slope may have a length; shape (slopes, longest + 1)
    totals: Integers  #: For each slope the total length of all edges; -1 if sides need not consist of edges
    #: Twice the area, and the number of vertices or 0 for any; one number each.
    double_area: Integers
    vertices: Integers


class Chain(NamedTuple):
    """The sides so far."""

    #: The vertices, and for each twice the area between the chain up to there and its chord.
    x: Integers
    y: Integers
    area: Integers
    #: For each vertex the direction that is next, and the position of its next length; -1 for a new direction, and -2
    #: for a new vertex.
    direction: Integers
    length: Integers
    used: Integers  #: The total length of the chain's sides by slope
    cursor: Integers  #: Where the search is; its entries have names above


_Step = tuple[int, int]

_NODES_PER_QUESTION, _ROWS = 20_000, 4096
# The largest area of a form in cells of the lattice, the most lattice points in the box of a piece, and the most
# lengths of sides in all directions together.
_MOST_CELLS, _MOST_POINTS, _MOST_LENGTHS = 500_000, 10_000_000, 2_000_000


class Slope(NamedTuple):
    """A class of directions that are equivalent under lattice motions."""

    step: _Step  #: The shortest lattice vector of one of them: the largest in lexicographic order
    #: The pieces' edges in these directions: the piece (0-based) and how many steps the edge is long.
    edges: tuple[tuple[int, int], ...]
    repeated: frozenset[int]  #: The pieces that may have several edges on one side of a form: those that are not convex

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
        """The possible lengths of a side that consists of edges, in steps; a convex piece has at most one of them."""
        sums = {0}
        for piece in {piece for piece, _ in self.edges}:
            own = [length for of, length in self.edges if of == piece]
            for choice in [[length] for length in own] if piece in self.repeated else [own]:
                sums |= {before + length for before in sums for length in choice}
        return frozenset(sums - {0})


@dataclass(frozen=True)
class FormClass:
    """A class of convex polygons of the right area, with vertices on the lattice.

    Raises UsageError if there are fewer than 3 vertices, or sides of any lengths are too many. Raises PuzzleError if
    the vertices lie on no lattice, or there are too many lattice points.

    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> forms = FormClass(DissectionPuzzle(square, (triangle, triangle)), 4, seams=True)
    >>> list(forms.candidates())
    [((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (2, 1), (1, 1))]
    """

    puzzle: DissectionPuzzle  #: The puzzle whose pieces must tile them
    vertices: int | None = None  #: The number of their vertices; None for any number
    seams: bool = False  #: Whether seams (`Slope.is_seam`) may be on the rim
    #: Whether sides may have any lengths; otherwise they consist of whole edges, at most one of each convex piece.
    any_lengths: bool = False

    def __post_init__(self) -> None:
        left, bottom = Lattice.of(self.puzzle.pieces).origin
        if (left, bottom) != (0, 0):
            # Forms begin at the origin, which becomes a lattice point.
            moved = tuple(tuple((x - left, y - bottom) for x, y in piece) for piece in self.puzzle.pieces)
            object.__setattr__(self, "puzzle", replace(self.puzzle, pieces=moved))
        if self.vertices is not None and self.vertices < 3:
            raise UsageError(f"must be 3 or more, not {self.vertices}", "vertices")
        if self.double_area > 2 * _MOST_CELLS:
            self._refuse(f"the pieces cover {grouped(self.double_area // 2)} cells", f"{grouped(_MOST_CELLS)} cells")
        # Of the largest box around an image of a piece.
        points = max(
            (max(x for x, _ in image) + 1) * (max(y for _, y in image) + 1)
            for piece in self.puzzle.pieces
            for image in self.lattice.images(self.lattice.units(piece))
        )
        if points > _MOST_POINTS:
            self._refuse(f"the box around a piece has {grouped(points)} points", f"{grouped(_MOST_POINTS)} points")
        if self.any_lengths and self.double_area * len(self.slopes) > _MOST_LENGTHS:
            number, most = grouped(self.double_area * len(self.slopes)), grouped(_MOST_LENGTHS)
            what = f"sides of {self.puzzle.name} could have {number} lengths, and the limit is {most}; omit it"
            raise UsageError(what, "any_lengths")

    def _refuse(self, what: str, most: str) -> None:
        where = "on the coarsest lattice that has all vertices of pieces, "
        raise PuzzleError(f"{self.puzzle.name}: {where}{what}; forms are searched for with up to {most}")

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice."""
        return Lattice.of(self.puzzle.pieces)

    @cached_property
    def slopes(self) -> tuple[Slope, ...]:
        """The directions of the pieces' edges, those with the fewest edges first."""
        found: dict[_Step, list[tuple[int, int]]] = {}
        for piece, polygon in enumerate(self.puzzle.pieces):
            for edge in unit_edges(self.lattice.units(polygon)):
                step, length = primitive(*edge)
                found.setdefault(self.lattice.steps(step)[-1], []).append((piece, length))
        repeated = frozenset(
            piece for piece, polygon in enumerate(self.puzzle.pieces) if first_reflex(polygon) is not None
        )
        slopes = [Slope(step, tuple(of), repeated) for step, of in found.items()]
        return tuple(sorted(slopes, key=lambda slope: (len(slope.edges), slope)))

    @property
    def _rim(self) -> tuple[Slope, ...]:
        return tuple(slope for slope in self.slopes if self.seams or not slope.is_seam)

    @property
    def left_out(self) -> tuple[Slope, ...]:
        """The seams that may not be on the rim."""
        return tuple(slope for slope in self.slopes if not self.seams and slope.is_seam)

    def __str__(self) -> str:
        area = format_number(self.puzzle.area)
        directions = ", ".join("{}:{}".format(*slope.step) for slope in self._rim)
        seams = ""
        for (x, y), ((one, _), (other, _)), _ in self.left_out:
            seams += f"; {x}:{y}, the seam of pieces {one + 1} and {other + 1}, must not be on the boundary"
        count = "any number of" if self.vertices is None else self.vertices
        turns = {12: "sixths of a turn", 8: "quarter turns", 4: "half turns"}[len(self.lattice.motions)]
        motions = f"{turns}, reflections and translations" if self.mirrored else f"{turns} and translations"
        points = "lattice coordinates first" if self.lattice.slanted else "either coordinate first, any signs"
        sides = f"consists of whole edges{'' if self.slopes[0].repeated else ' of different pieces'}, so that"
        sides = "has a direction" if self.any_lengths else sides
        direction = "" if self.any_lengths else " its direction is"
        each = f"each side {sides}{direction} {directions} ({points})"
        if not directions:
            each = "no side is possible, as each direction is a seam (--seams allows them)"
        return (
            f"convex polygons of area {area} with {count} vertices, whose coordinates are {self.lattice}, up to "
            f"{motions}; {each}{seams}"
        )

    def candidates(self, must_stop: Callable[[], bool] = never) -> Iterator[Polygon]:
        """The forms of the class that the lengths of the edges allow, each once, in the puzzle's coordinates.

        `must_stop` is called from time to time; if it returns true, no more forms follow.
        """
        for form in _Outlines(self, self._rim, must_stop):
            for image in (form,) if self.mirrored else self._both_sides(form):
                yield self.lattice.polygon(image)

    @cached_property
    def mirrored(self) -> bool:
        """Whether what tiles a form tiles its mirror image, too."""
        return None not in replace(self.puzzle, motions=Motions.LATTICE).mirror_of

    def _both_sides(self, form: Units) -> list[Units]:
        """A form and its mirror image, up to turns: pieces that may not be turned over may tile one of them only."""
        by_side = [
            [motion for motion in self.lattice.motions if is_reflection(motion) == side] for side in (False, True)
        ]
        return sorted({min(placed(turned(motion, form)) for motion in motions) for motions in by_side})

    @property
    def double_area(self) -> int:
        """Twice the area, in cells of the lattice."""
        area, cell = 2 * self.puzzle.area, self.lattice.cell
        # Both are rational multiples of the same square root.
        return int(rational(area * cell) / rational(cell * cell))


class _Direction(NamedTuple):
    x: int
    y: int
    slope: int


class _Outlines:
    """The convex outlines that are made up of sides along given slopes, each once up to lattice motions.

    The motions turn a side of the first slope (a shortest one) into the direction of the slope's step; the search
    begins with it.
    """

    def __init__(self, form_class: FormClass, slopes: Sequence[Slope], must_stop: Callable[[], bool]) -> None:
        self._slopes, self._double_area = slopes, form_class.double_area
        self._vertices = form_class.vertices or 0
        self._must_stop = must_stop
        self._motions = np.array(form_class.lattice.motions, dtype=np.int64)
        self._met: set[bytes] = set()
        # A side of length n and a point beside it span an area of n/2 or more.
        every = range(1, self._double_area + 1)
        self._lengths = [every if form_class.any_lengths else sorted(slope.lengths()) for slope in slopes]
        self._totals = [-1 if form_class.any_lengths else slope.total for slope in slopes]
        # Floats are exact enough for the order: two directions of lengths below 10^6 differ by more than 10^-13.
        self._directions = sorted(
            {_Direction(x, y, s) for s, slope in enumerate(slopes) for x, y in form_class.lattice.steps(slope.step)},
            key=lambda direction: atan2(direction.y, direction.x),
        )

    def __iter__(self) -> Iterator[Units]:
        for first, (x, y, slope) in enumerate(self._directions):
            if (x, y) == self._slopes[slope].step:
                around = self._directions[first:] + self._directions[:first]
                for length in self._lengths[slope]:
                    if self._must_stop():
                        return
                    yield from self._from([other for other in around if other.slope >= slope], length)

    def _from(self, around: Sequence[_Direction], length: int) -> Iterator[Units]:
        """The outlines whose first side has the first of these directions and this length."""
        own = around[0].slope
        lengths = [
            [n for n in allowed if slope != own or n >= length] if slope >= own else []
            for slope, allowed in enumerate(self._lengths)
        ]
        sides = self._sides(around, lengths)
        # The first side alone.
        x, y, area, direction, at = np.zeros((5, len(around) + 2), dtype=np.int64)
        x[1], y[1], direction[1], at[1] = around[0].x * length, around[0].y * length, 1, -2
        used, cursor = np.zeros(len(self._slopes), dtype=np.int64), np.zeros(CURSOR_SIZE, dtype=np.int64)
        used[own], cursor[SIZE] = length, 2
        chain = Chain(x, y, area, direction, at, used, cursor)
        rows_x, rows_y = np.zeros((2, _ROWS, len(around) + 2), dtype=np.int64)
        sizes = np.zeros(_ROWS, dtype=np.int64)
        best, image = np.zeros((2, len(around) + 2, 2), dtype=np.int64)
        code = None
        while code != EXHAUSTED and not self._must_stop():
            cursor[WRITTEN], cursor[BUDGET] = 0, _NODES_PER_QUESTION
            code = find_outlines(sides, chain, rows_x, rows_y, sizes)
            normalise(rows_x, rows_y, sizes, chain.cursor[WRITTEN], self._motions, best, image)
            for row in range(chain.cursor[WRITTEN]):
                x, y = rows_x[row, : sizes[row]], rows_y[row, : sizes[row]]
                key = x.tobytes() + y.tobytes()
                if key not in self._met:
                    self._met.add(key)
                    yield tuple(zip(x.tolist(), y.tolist(), strict=True))

    def _sides(self, around: Sequence[_Direction], lengths: Sequence[Sequence[int]]) -> Sides:
        is_length = np.zeros((len(lengths), max(map(max, filter(None, lengths))) + 1), dtype=np.bool_)
        for slope, allowed in enumerate(lengths):
            is_length[slope, allowed] = True
        return Sides(
            np.array([direction.x for direction in around], dtype=np.int64),
            np.array([direction.y for direction in around], dtype=np.int64),
            np.array([direction.slope for direction in around], dtype=np.int64),
            np.cumsum([0, *map(len, lengths)]),
            np.array([length for allowed in lengths for length in allowed], dtype=np.int64),
            is_length,
            np.array(self._totals, dtype=np.int64),
            np.array([self._double_area]),
            np.array([self._vertices]),
        )


# The kernel of the search for convex outlines: side by side, counter-clockwise, from a first side on.


@inner_kernel
def _is_bounded(sides, chain, last, direction):
    """Whether the lines along the first side and a direction meet too early for the area."""
    first_x, first_y, x, y = sides.x[0], sides.y[0], sides.x[direction], sides.y[direction]
    turn = x * first_y - y * first_x
    if turn <= 0:
        return False
    beyond = (chain.x[last] * y - chain.y[last] * x) * (chain.x[last] * first_y - chain.y[last] * first_x)
    return chain.area[last] * turn + abs(beyond) < sides.double_area[0] * turn


@inner_kernel
def _close(sides, chain, last, number, gain, row_x, row_y):
    """Write the outline that is closed by two more sides, the first with the given direction; False if none is."""
    wanted = sides.double_area[0] - chain.area[last]
    length = wanted // gain
    if length * gain != wanted or length == 0:
        return False
    slope = sides.slope[number]
    x, y = chain.x[last] + sides.x[number] * length, chain.y[last] + sides.y[number] * length
    last_length = gcd(x, y)
    found = -1
    for other in range(number + 1, len(sides.x)):
        if sides.x[other] * last_length == -x and sides.y[other] * last_length == -y:
            found = other
    if found < 0:
        return False
    last_slope, longest = sides.slope[found], sides.is_length.shape[1]
    if length >= longest or last_length >= longest:
        return False
    if not (sides.is_length[slope, length] and sides.is_length[last_slope, last_length]):
        return False
    for s in range(len(sides.totals)):
        # What is not on the rim lies inside, edge to edge.
        hidden = sides.totals[s] - chain.used[s] - length * (s == slope) - last_length * (s == last_slope)
        if sides.totals[s] >= 0 and (hidden < 0 or hidden % 2):
            return False
    for v in range(last + 1):
        row_x[v], row_y[v] = chain.x[v], chain.y[v]
    row_x[last + 1], row_y[last + 1] = x, y
    return True


# A depth-first search.  Invariant between two steps: the chain has `cursor[SIZE]` vertices; all outlines that begin
# with it have been written, except those with the next lengths of the next directions at its vertices.
@kernel
def find_outlines(sides, chain, rows_x, rows_y, sizes):
    """Go on until all outlines are found, the budget is spent, or the rows are full."""
    cursor, directions, vertices = chain.cursor, len(sides.x), sides.vertices[0]
    while True:
        last = cursor[SIZE] - 1
        if chain.length[last] == -2:
            if cursor[BUDGET] == 0:
                return BUDGET_SPENT
            cursor[BUDGET] -= 1
            chain.length[last] = -1
            if _is_bounded(sides, chain, last, chain.direction[last] - 1):
                chain.direction[last] = directions
        number = chain.direction[last]
        # Each of the remaining sides needs its own direction.
        is_over = number >= directions - max(vertices - last - 1, 1)
        gain = np.int64(0)
        if not is_over:
            gain = chain.x[last] * sides.y[number] - chain.y[last] * sides.x[number]
        if is_over or gain <= 0:
            if last == 1:
                return EXHAUSTED
            cursor[SIZE] -= 1
            before = last - 1
            chain.used[sides.slope[chain.direction[before]]] -= sides.lengths[chain.length[before] - 1]
            continue
        slope = sides.slope[number]
        if chain.length[last] == -1:
            may_close = vertices in (0, last + 2)
            chain.length[last] = sides.first[slope] if vertices != last + 2 else sides.first[slope + 1]
            written = cursor[WRITTEN]
            if may_close and _close(sides, chain, last, number, gain, rows_x[written], rows_y[written]):
                sizes[written] = last + 2
                cursor[WRITTEN] += 1
                if cursor[WRITTEN] == len(sizes):
                    return ROWS_FULL
        at = chain.length[last]
        is_too_long = at == sides.first[slope + 1]
        if not is_too_long:
            length, most = sides.lengths[at], sides.totals[slope] - chain.used[slope]
            is_too_long = (sides.totals[slope] >= 0 and length > most) or (
                chain.area[last] + gain * length >= sides.double_area[0]
            )
        if is_too_long:
            chain.direction[last], chain.length[last] = number + 1, -1
            continue
        length = sides.lengths[at]
        chain.length[last] = at + 1
        chain.used[slope] += length
        cursor[SIZE] += 1
        chain.x[last + 1] = chain.x[last] + sides.x[number] * length
        chain.y[last + 1] = chain.y[last] + sides.y[number] * length
        chain.area[last + 1] = chain.area[last] + gain * length
        chain.direction[last + 1], chain.length[last + 1] = number + 1, -2


@kernel
def normalise(rows_x, rows_y, sizes, number, motions, best, image):
    """Replace outlines by the least of their images: each with least coordinates 0, from its least vertex on.

    Images are compared as sequences of vertices; `motions` has a row a, b, c, d for each motion; `best`
    and `image` have room for an outline.
    """
    for row in range(number):
        n = sizes[row]
        for m in range(len(motions)):
            a, b, c, d = motions[m]
            flipped = a * d < b * c
            first = 0
            for v in range(n):
                w = n - 1 - v if flipped else v
                image[v, 0] = a * rows_x[row, w] + b * rows_y[row, w]
                image[v, 1] = c * rows_x[row, w] + d * rows_y[row, w]
            left, bottom = image[0, 0], image[0, 1]
            for v in range(1, n):
                left, bottom = min(left, image[v, 0]), min(bottom, image[v, 1])
                if (image[v, 0], image[v, 1]) < (image[first, 0], image[first, 1]):
                    first = v
            is_less = m == 0
            for v in range(n):
                w = first + v if first + v < n else first + v - n
                x, y = image[w, 0] - left, image[w, 1] - bottom
                if not is_less and (x, y) > (best[v, 0], best[v, 1]):
                    break
                is_less = is_less or (x, y) < (best[v, 0], best[v, 1])
                if is_less:
                    best[v, 0], best[v, 1] = x, y
        for v in range(n):
            rows_x[row, v], rows_y[row, v] = best[v, 0], best[v, 1]
