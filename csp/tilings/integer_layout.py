"""The adjacency of pieces in a tiling: what meets at each vertex, and which unions of pieces are convex.

Polygons have integer coordinates here (see `integer_units`); a set of pieces is an integer with bit p for piece p.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import gcd

from ..geometry.polygons import Polygon, convex_hull, first_reflex
from .integer_units import IntPolygon

_Ray = tuple[int, int]


class Layout:
    """A tiling by pieces, which need not be convex.

    - `tiling`: the polygon of each piece, in integers.

    Attributes:
    - `neighbours`: for each piece those that share more of its boundary than a point.

    Examples
    --------
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
        self.neighbours = [0] * len(tiling)
        for fan in self._fans:
            for one, other in fan.pairs:
                self.neighbours[one] |= 1 << other
                self.neighbours[other] |= 1 << one

    @cached_property
    def _fans_of(self) -> list[list["_Fan"]]:
        return [[fan for fan in self._fans if fan.around >> piece & 1] for piece in range(len(self.tiling))]

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
    """The pieces around a point.

    Attributes:
    - `around`: the pieces that have the point on their boundaries.
    - `pairs`: those that are adjacent along a ray from the point.
    """

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
            while piece is not None and _is_at_most_half(start, sectors[piece][1]):
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
            return _reduced(bx, by), _reduced(*around[i - 1])
        turn = ax * by - ay * bx
        if turn < 0 and convex:
            return None
        if turn == 0 and ax * bx + ay * by < 0:
            return _reduced(bx, by), _reduced(ax, ay)
    return None


@lru_cache(maxsize=1 << 16)
def _is_convex(polygon: IntPolygon) -> bool:
    return first_reflex(polygon) is None


def _reduced(x: int, y: int) -> _Ray:
    common = gcd(x, y)
    return x // common, y // common


def _is_at_most_half(start: _Ray, end: _Ray) -> bool:
    """Whether the counter-clockwise angle from one ray to another is at most half a turn."""
    turn = start[0] * end[1] - start[1] * end[0]
    return turn > 0 or (turn == 0 and start[0] * end[0] + start[1] * end[1] < 0)
