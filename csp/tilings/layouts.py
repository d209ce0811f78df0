"""Tilings in integers: rational coordinates times their common denominator, or the coordinates of a lattice.

The second ones are those of a basis that need not be orthogonal.  Areas in them are all multiplied by one factor, and
what is convex or overlaps is so in either; lengths and angles are others.  A set of pieces is an integer with bit p for
piece p.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from ..base.errors import EngineError
from ..geometry.exact_numbers import Surd, rational
from ..geometry.lattices import Lattice, Matrix, primitive
from ..geometry.polygons import (
    LATTICE_MOTIONS,
    Isometry,
    Point,
    Polygon,
    convex_hull,
    counterclockwise,
    edges,
    first_reflex,
)
from ..puzzles.dissection import DissectionPuzzle, Motions, Tiling

#: A polygon with integer coordinates, counter-clockwise, starting at its least vertex.
IntPolygon = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class IntegerUnits:
    """How coordinates become integers."""

    scale: int  #: The factor of rational coordinates
    lattice: Lattice | None  #: The lattice whose coordinates are used instead; None for rational ones
    turns: tuple[Matrix, ...] | None  #: The turns and reflections that are motions, in integers; None if every one is

    @classmethod
    def of(cls, puzzle: DissectionPuzzle, tilings: Sequence[Tiling]) -> "IntegerUnits":
        """The coarsest units for a puzzle, the positions of its pieces and some of its tilings.

        Raises EngineError if pieces may be turned by any angle, and a coordinate is irrational.
        """
        if puzzle.motions is Motions.LATTICE and not puzzle.is_rational:
            return cls(1, puzzle.lattice, puzzle.lattice.motions)
        outlines = (*puzzle.outlines, *puzzle.pieces)
        numbers = [c for polygons in (outlines, *tilings) for polygon in polygons for point in polygon for c in point]
        if any(isinstance(number, Surd) for number in numbers):
            raise EngineError(
                f"{puzzle.name}: a tiling has irrational coordinates, which is supported for lattice motions only"
            )
        scale = lcm(*(rational(number).denominator for number in numbers))
        return cls(scale, None, None if puzzle.motions is Motions.ANY else LATTICE_MOTIONS)

    def integers(self, polygon: Polygon) -> IntPolygon:
        """A polygon in integers."""
        return _integers(self, polygon)

    def original(self, polygon: Polygon) -> Polygon:
        """The inverse of `integers`."""
        if self.lattice is not None:
            units = tuple((int(rational(x)), int(rational(y))) for x, y in polygon)
            return counterclockwise(self.lattice.polygon(units))
        if self.scale == 1:
            return polygon
        return tuple((Fraction(rational(x), self.scale), Fraction(rational(y), self.scale)) for x, y in polygon)

    def motion(self, motion: Isometry) -> Isometry:
        """A motion of the plane in integers, where possible, which are faster than fractions."""
        if self.lattice is None:
            return plain(motion._replace(e=motion.e * self.scale, f=motion.f * self.scale))
        corner = self.lattice.polygon(((0, 0), (1, 0), (0, 1)))
        (e, f), (a, c), (b, d) = self.lattice.units(tuple(map(motion.of_point, corner)))
        return Isometry(a - e, b - e, c - f, d - f, e, f)


@lru_cache(maxsize=1 << 16)
def _integers(units: IntegerUnits, polygon: Polygon) -> IntPolygon:
    if units.lattice is not None:
        found = units.lattice.units(polygon)
    else:
        found = tuple((int(rational(x * units.scale)), int(rational(y * units.scale))) for x, y in polygon)
    ordered = counterclockwise(found)
    return tuple((int(rational(x)), int(rational(y))) for x, y in ordered)


def plain(motion: Isometry) -> Isometry:
    """The same motion with integers where possible, which are faster than fractions."""
    return Isometry(*(int(entry) if entry.denominator == 1 else entry for entry in map(rational, motion)))


_Ray = tuple[int, int]


class Layout:
    """A tiling in integers; `neighbours` has for each piece those that share more of its boundary than a point.

    A square cut along both diagonals: one triangle, two neighbours, or all four are convex.

    >>> o = (1, 1)
    >>> layout = Layout((((0, 0), (2, 0), o), ((2, 0), (2, 2), o), ((0, 2), o, (2, 2)), ((0, 0), o, (0, 2))))
    >>> sorted(f"{pieces:04b}" for pieces in layout.convex_regions())
    ['0001', '0010', '0011', '0100', '0110', '1000', '1001', '1100', '1111']
    """

    def __init__(self, tiling: tuple[IntPolygon, ...]) -> None:
        self.tiling = tiling
        points = {point for polygon in tiling for point in polygon}
        self._fans = [_Fan({p: s for p, polygon in enumerate(tiling) if (s := _sector(polygon, v))}) for v in points]
        self._fans_of = [[fan for fan in self._fans if fan.around >> piece & 1] for piece in range(len(tiling))]
        self.neighbours = [0] * len(tiling)
        for fan in self._fans:
            for one, other in fan.pairs:
                self.neighbours[one] |= 1 << other
                self.neighbours[other] |= 1 << one

    def convex_regions(self) -> Iterator[int]:
        """The sets of pieces whose union is convex, including single pieces and the whole.

        A connected closed set is convex if it is convex near each of its points (Tietze 1928, Nakajima 1928); a union
        of polygons can fail to be convex only at their vertices.
        """
        for first in range(len(self.tiling)):
            yield from self._grown(1 << first, (1 << first) - 1, first)

    def _grown(self, inside: int, outside: int, last: int) -> Iterator[int]:
        """The convex regions with all of `inside` and none of `outside`; the piece `last` was decided last."""
        if not all(fan.can_be_convex(inside, outside) for fan in self._fans_of[last]):
            return
        beside = 0
        for piece in members(inside):
            beside |= self.neighbours[piece]
        beside &= ~(inside | outside)
        if beside:
            piece = (beside & -beside).bit_length() - 1
            yield from self._grown(inside | 1 << piece, outside, piece)
            yield from self._grown(inside, outside | 1 << piece, piece)
        elif all(fan.is_convex(inside) for fan in self._fans):
            yield inside

    def hull(self, pieces: int) -> Polygon:
        """The convex hull of pieces, starting at its least vertex."""
        return convex_hull([point for piece in members(pieces) for point in self.tiling[piece]])


def members(pieces: int) -> list[int]:
    """The pieces of a set, ascending."""
    return [piece for piece in range(pieces.bit_length()) if pieces >> piece & 1]


class _Fan:
    """The pieces `around` a point, and the `pairs` of those that are adjacent along a ray from the point."""

    def __init__(self, sectors: dict[int, tuple[_Ray, _Ray]]) -> None:
        self.around = sum(1 << piece for piece in sectors)
        starts = {start: piece for piece, (start, _) in sectors.items()}
        follower = {piece: starts[end] for piece, (_, end) in sectors.items() if end in starts}
        self.pairs = list(follower.items())
        # The sets of these pieces whose union is convex near the point.
        self._convex = {0}
        if len(follower) == len(sectors):
            self._convex.add(self.around)
        for first, (start, _) in sectors.items():
            piece: int | None = first
            run = 0
            while piece is not None:
                end = sectors[piece][1]
                turn, along = start[0] * end[1] - start[1] * end[0], start[0] * end[0] + start[1] * end[1]
                # The counter-clockwise angle from the start must be at most half a turn.
                if turn < 0 or (turn == 0 and along > 0):
                    break
                run |= 1 << piece
                self._convex.add(run)
                piece = follower.get(piece)
        self._known: dict[tuple[int, int], bool] = {}

    def is_convex(self, pieces: int) -> bool:
        """Whether the union of pieces is convex near the point."""
        return pieces & self.around in self._convex

    def can_be_convex(self, inside: int, outside: int) -> bool:
        """Whether some set with all pieces of `inside` and none of `outside` is convex near the point."""
        inside, decided = inside & self.around, (inside | outside) & self.around
        key = inside, decided
        if key not in self._known:
            self._known[key] = any(pieces & decided == inside for pieces in self._convex)
        return self._known[key]


def _sector(polygon: IntPolygon, point: tuple[int, int]) -> tuple[_Ray, _Ray] | None:
    """The rays that bound a polygon near a point of its boundary, counter-clockwise; None at other points."""
    x, y = point
    around = [(u - x, v - y) for u, v in polygon]
    convex = _is_convex(polygon)
    for i, (ax, ay) in enumerate(around):
        bx, by = around[i + 1 - len(around)]
        if ax == ay == 0:
            return primitive(bx, by)[0], primitive(*around[i - 1])[0]
        turn = ax * by - ay * bx
        if turn < 0 and convex:
            return None
        if turn == 0 and ax * bx + ay * by < 0:
            return primitive(bx, by)[0], primitive(ax, ay)[0]
    return None


@lru_cache(maxsize=1 << 16)
def _is_convex(polygon: IntPolygon) -> bool:
    return first_reflex(polygon) is None


#: Polygons with integer coordinates, each in counter-clockwise order from its least vertex on.
Figure = frozenset[Polygon]


@lru_cache(maxsize=1 << 16)
def figure_key(figure: Figure, turns: tuple[Matrix, ...] | None) -> tuple:
    """A key that is equal for sets of polygons that a motion makes the same: one of these turns, or any if None."""
    if turns is None:
        lengths: dict[int, list[tuple[Point, Point]]] = defaultdict(list)
        for a, b in (edge for polygon in figure for edge in edges(polygon)):
            x, y = rational(b[0] - a[0]), rational(b[1] - a[1])
            lengths[int(x * x + y * y)] += [(a, b), (b, a)]
        return min(_seen_from(figure, base, turned) for base in lengths[min(lengths)] for turned in (1, -1))
    images = []
    for a, b, c, d in turns:
        image = [Isometry(a, b, c, d, 0, 0)(polygon) for polygon in figure]
        x, y = (min(point[axis] for polygon in image for point in polygon) for axis in (0, 1))
        images.append(tuple(sorted(tuple((u - x, v - y) for u, v in polygon) for polygon in image)))
    return min(images)


def _seen_from(figure: Figure, base: tuple[Point, Point], turned: int) -> tuple:
    """The figure in coordinates along an edge and across it, times its length; turned over or not."""
    (x, y), (u, v) = base
    dx, dy = u - x, v - y
    # Orthogonal, but not of length 1, which does not matter to `counterclockwise`.
    image = [
        counterclockwise(
            tuple((dx * (p - x) + dy * (q - y), turned * (dx * (q - y) - dy * (p - x))) for p, q in polygon)
        )
        for polygon in figure
    ]
    return tuple(sorted(image))


class TilingCatalogue:
    """A numbered list of tilings of one puzzle in integers, no two of them the same up to symmetry.

    A tiling is looked up as the set of its polygons: a polygon determines its class of pieces.
    """

    def __init__(self, puzzle: DissectionPuzzle, units: IntegerUnits) -> None:
        self._motions = [units.motion(motion) for motion in puzzle.symmetries]
        self._images: dict[Polygon, list[Polygon]] = {}
        self._number: dict[frozenset[Polygon], int] = {}
        self._size = 0

    def add(self, tiling: Tiling) -> bool:
        """Number a tiling, from 0 in the order of addition; return False if the same one is already there."""
        if frozenset(tiling) in self._number:
            return False
        for polygon in tiling:
            if polygon not in self._images:
                self._images[polygon] = [motion(polygon) for motion in self._motions]
        for which in range(len(self._motions)):
            self._number[frozenset(self._images[polygon][which] for polygon in tiling)] = self._size
        self._size += 1
        return True

    def number(self, polygons: frozenset[Polygon]) -> int | None:
        """The number of the tiling that is the same up to symmetry; None if it is not in the list."""
        return self._number.get(polygons)
