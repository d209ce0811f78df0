"""Convex forms: the convex polygons on the lattice that a puzzle's pieces might tile, up to lattice motions.

A side of a convex form consists of whole edges, at most one of each convex piece, so it has the direction of an edge
and a total length of such edges.  Inside, the edges along a line have the same total length on both sides.  So of the
total length of all edges in equivalent directions (up to motions), an even multiple of the lattice's step is inside,
and the rest is on the rim.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2
from typing import NamedTuple

import numpy as np

from ...base.errors import PuzzleError, UsageError
from ...base.stop import never
from ...base.words import grouped
from ...geometry.exact_numbers import format_number, rational
from ...geometry.lattices import Lattice, Units, is_reflection, placed, primitive, turned, unit_edges
from ...geometry.polygons import Polygon, first_reflex
from ...puzzles.dissection import DissectionPuzzle, Motions
from ...search.slices import EXHAUSTED
from .outline_kernel import BUDGET, CURSOR_SIZE, SIZE, WRITTEN, Chain, Sides, find_outlines, normalise

_Step = tuple[int, int]

_NODES_PER_QUESTION, _ROWS = 20_000, 4096
# The largest area of a form in cells of the lattice, the most lattice points in the box of a piece, and the most
# lengths of sides in all directions together.
_MOST_CELLS, _MOST_POINTS, _MOST_LENGTHS = 500_000, 10_000_000, 2_000_000


class Slope(NamedTuple):
    """A class of directions that are equivalent under lattice motions."""

    #: The shortest lattice vector of one of them: the largest in lexicographic order.
    step: _Step
    #: The pieces' edges in these directions: the piece (0-based) and how many steps the edge is long.
    edges: tuple[tuple[int, int], ...]
    #: The pieces that may have several edges on one side of a form: those that are not convex.
    repeated: frozenset[int]

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

    Examples
    --------
    >>> square, triangle = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
    >>> forms = FormClass(DissectionPuzzle(square, (triangle, triangle)), 4, seams=True)
    >>> list(forms.candidates())
    [((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (2, 1), (1, 1))]
    """

    #: The puzzle whose pieces must tile them.
    puzzle: DissectionPuzzle
    #: The number of their vertices; None for any number.
    vertices: int | None = None
    #: Whether seams (`Slope.is_seam`) may be on the rim.
    seams: bool = False
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
        points = max(map(self._points_around, self.puzzle.pieces))
        if points > _MOST_POINTS:
            self._refuse(f"the box around a piece has {grouped(points)} points", f"{grouped(_MOST_POINTS)} points")
        if self.any_lengths and self.double_area * len(self.slopes) > _MOST_LENGTHS:
            number, most = grouped(self.double_area * len(self.slopes)), grouped(_MOST_LENGTHS)
            what = f"sides of {self.puzzle.name} could have {number} lengths, and the limit is {most}; omit it"
            raise UsageError(what, "any_lengths")

    def _refuse(self, what: str, most: str) -> None:
        where = "on the coarsest lattice that has all vertices of pieces, "
        raise PuzzleError(f"{self.puzzle.name}: {where}{what}; forms are searched for with up to {most}")

    def _points_around(self, piece: Polygon) -> int:
        """The number of lattice points in the largest box around an image of a piece."""
        images = self.lattice.images(self.lattice.units(piece))
        return max((max(x for x, _ in image) + 1) * (max(y for _, y in image) + 1) for image in images)

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
        seams = "".join(f"; {_seam(slope)} must not be on the boundary" for slope in self.left_out)
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


def _seam(slope: Slope) -> str:
    (one, _), (other, _) = slope.edges
    return f"{slope.step[0]}:{slope.step[1]}, the seam of pieces {one + 1} and {other + 1},"


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
        sides, chain = self._sides(around, lengths), _chain(around, len(self._slopes), length)
        rows_x, rows_y = np.zeros((2, _ROWS, len(around) + 2), dtype=np.int64)
        sizes = np.zeros(_ROWS, dtype=np.int64)
        code = None
        while code != EXHAUSTED and not self._must_stop():
            chain.cursor[WRITTEN], chain.cursor[BUDGET] = 0, _NODES_PER_QUESTION
            code = find_outlines(sides, chain, rows_x, rows_y, sizes)
            normalise(rows_x, rows_y, sizes, chain.cursor[WRITTEN], self._motions)
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


def _chain(around: Sequence[_Direction], slopes: int, length: int) -> Chain:
    """The first side alone."""
    x, y, area, direction, at = np.zeros((5, len(around) + 2), dtype=np.int64)
    x[1], y[1], direction[1], at[1] = around[0].x * length, around[0].y * length, 1, -2
    used, cursor = np.zeros(slopes, dtype=np.int64), np.zeros(CURSOR_SIZE, dtype=np.int64)
    used[around[0].slope], cursor[SIZE] = length, 2
    return Chain(x, y, area, direction, at, used, cursor)
