"""Dissections on the lattice as formulas by their definition: the second encoder.

It is written for reading, and shares nothing with `models.tilings` and the search: from the package it takes the
puzzle's fields alone.  Its formula has a model exactly if there is another tiling than those that are known.

All coordinates are integers, in units of the lattice.  A *tile* is a piece on a place: a kind of pieces (those that are
congruent, or one piece) and a polygon in the target, counter-clockwise from its least vertex.  A tiling has a tile for
every piece, no two of which have an inner point in common; as their areas add up to that of the target, it covers it.
In particular it covers every *spot*, a point close to a lattice point in some direction that no side of a tile has.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import atan2, gcd, lcm

import numpy as np
from numpy.typing import NDArray

from ....csp.base.stopping import StoppedError, never
from ....csp.puzzles.dissection import DissectionPuzzle
from .plain_formula import PlainFormula

Point = tuple[int, int]
Polygon = tuple[Point, ...]
Tile = tuple[int, Polygon]
Flags = NDArray[np.bool_]

# A point of the lattice goes to (a x + b y, c x + d y) by a turn, and by a reflection and a turn.
_MOTIONS = tuple(
    (a * f, b, c * f, d) for a, b, c, d in ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)) for f in (1, -1)
)
_SLICE = 256


@dataclass(frozen=True)
class TilingsClaim:
    """The claim of a certificate: a dissection has no tilings on the lattice but these.

    Parameters
    ----------
    puzzle
        The puzzle.
    tilings
        The known tilings: a polygon for each piece, in the puzzle's coordinates.
    symmetry
        Whether tilings count as one that the target's symmetries and exchanging congruent pieces make of each other.
    anchor
        A piece that may be kept to some of its places, because symmetries lead there; None for no such piece.
    """

    puzzle: DissectionPuzzle
    tilings: Sequence[Sequence[Sequence]] = ()
    symmetry: bool = True
    anchor: int | None = None


class TilingDefinition(PlainFormula):
    """The formula of a claim; it has a model exactly if the claim is false."""

    def __init__(self, claim: TilingsClaim, must_stop: Callable[[], bool] = never) -> None:
        super().__init__()
        self.claim, self._must_stop = claim, must_stop
        puzzle = claim.puzzle
        numbers = [c for polygon in (puzzle.target, *puzzle.pieces) for point in polygon for c in point]
        self._scale = lcm(*(Fraction(str(number)).denominator for number in numbers))
        self._target = self._polygon(puzzle.target)
        self._pieces = [self._polygon(piece) for piece in puzzle.pieces]
        self._stiff = frozenset(puzzle.no_flip)
        self._kinds = self._pieces_by_kind()
        self.tiles = sorted({(kind, place) for kind in self._kinds for place in self._places(kind)})
        places = [place for _, place in self.tiles]
        self._of_kind = np.array([kind for kind, _ in self.tiles], dtype=np.int64)
        lines = _TileSides(places)
        self._apart = lines.apart()
        self._spots = lines.spots_inside(self._target)
        self._left = self._possible(self._anchored())
        for number in np.flatnonzero(self._left).tolist():
            self.variable("tile", *self.tiles[number])
        self._every_piece()
        self._no_overlap()
        self._every_spot()
        self._other_tilings_only()

    def there(self, piece: int, polygon: Sequence) -> int | None:
        """The variable "this piece, or one like it, is there"; None if it cannot be."""
        return self.known("tile", self._kind(piece), self._polygon(polygon))

    def _kind(self, piece: int) -> int:
        return next(kind for kind, pieces in self._kinds.items() if piece in pieces)

    def tile_variables(self) -> list[int]:
        """The variables of all tiles that are possible."""
        return self._variables(self._left)

    def _polygon(self, points: Sequence) -> Polygon:
        return _canonical(
            [(int(Fraction(str(x)) * self._scale), int(Fraction(str(y)) * self._scale)) for x, y in points]
        )

    def _pieces_by_kind(self) -> dict[int, list[int]]:
        """The pieces of each kind, by the first of them."""
        first: dict[object, int] = {}
        kinds: dict[int, list[int]] = {}
        for piece in range(len(self._pieces)):
            look = self._looks(piece) if self.claim.symmetry else piece
            kinds.setdefault(first.setdefault(look, piece), []).append(piece)
        return kinds

    def _looks(self, piece: int, *, reflected: bool = False) -> tuple[Polygon, ...]:
        """What a piece can look like on the lattice: as it is, turned, and turned over if it may be.

        With `reflected`, what a mirror shows of that.
        """
        polygon = self._pieces[piece]
        if reflected:
            polygon = _moved(polygon, -1, 0, 0, 1)
        motions = [motion for motion in _MOTIONS if piece not in self._stiff or not _turns_over(*motion)]
        return tuple(sorted({_at_origin(_moved(polygon, *motion)) for motion in motions}))

    def _reflected_kinds(self) -> dict[int, int]:
        """The kind that has the mirror images of each kind, if as many pieces are of it; otherwise it is left out."""
        by_look = {self._looks(kind): kind for kind in self._kinds}
        found = {}
        for kind, pieces in self._kinds.items():
            other = by_look.get(self._looks(kind, reflected=True))
            if other is not None and len(self._kinds[other]) == len(pieces):
                found[kind] = other
        return found

    def _places(self, kind: int) -> Iterator[Polygon]:
        """Where a piece can be in the target."""
        right, top = (max(point[i] for point in self._target) for i in (0, 1))
        left, bottom = (min(point[i] for point in self._target) for i in (0, 1))
        convex = all(turn >= 0 for turn in _corner_turns(self._target))
        for image in self._looks(kind):
            # Its least x is 0, but its least y may be negative.
            low, high, width = (f(point[i] for point in image) for f, i in ((min, 1), (max, 1), (max, 0)))
            for dx in range(left, right - width + 1):
                for dy in range(bottom - low, top - high + 1):
                    place = tuple((x + dx, y + dy) for x, y in image)
                    if convex:
                        inside = all(_on_left(p, q, place) for p, q in _sides(self._target))
                    else:
                        inside = _common_area(self._target, place) == _area(place)
                    if inside:
                        yield place

    def _symmetries(self) -> list[Callable[[int, Polygon], Tile]]:
        """What the motions of the lattice that leave the target as it is make of a tile: one of a tiling again.

        A reflection does that if every kind of pieces has its mirror images among the kinds.
        """
        found = []
        kinds = {kind: kind for kind in self._kinds}
        reflected = self._reflected_kinds() if self.claim.symmetry else {}
        for a, b, c, d in _MOTIONS if self.claim.symmetry else _MOTIONS[:1]:
            onto = reflected if _turns_over(a, b, c, d) else kinds
            image = _canonical([(a * x + b * y, c * x + d * y) for x, y in self._target])
            e, f = self._target[0][0] - image[0][0], self._target[0][1] - image[0][1]
            if len(onto) == len(kinds) and tuple((x + e, y + f) for x, y in image) == self._target:
                found.append(lambda kind, place, m=(a, b, c, d, e, f), to=onto: (to[kind], _moved(place, *m)))
        return found

    def _anchored(self) -> Flags:
        """The tiles without those of the anchor that are not the least of those that symmetries make of them.

        This excludes no tiling, up to symmetries: the anchor is the only piece of its kind, and is in every tiling.
        """
        kept = np.ones(len(self.tiles), dtype=bool)
        anchor = self.claim.anchor
        if anchor is not None and self._kinds.get(anchor) == [anchor]:
            symmetries = self._symmetries()
            for number, (kind, place) in enumerate(self.tiles):
                if kind == anchor:
                    images = [move(kind, place) for move in symmetries]
                    # The images of an anchor are its own.
                    kept[number] = any(of != anchor for of, _ in images) or (kind, place) == min(images)
        return kept

    def _possible(self, left: Flags) -> Flags:
        """Leave out, again and again, tiles beside which some spot cannot be covered or some piece has no place."""
        kinds = np.array([self._of_kind == kind for kind in self._kinds])
        items = _different(np.vstack([kinds, self._spots]))
        items = items[np.argsort(items.sum(axis=1), kind="stable")]
        single = np.array([len(self._kinds[kind]) == 1 for kind in self._of_kind.tolist()], dtype=bool)
        beside = self._apart & ~((self._of_kind[:, None] == self._of_kind) & single)
        before = -1
        while before != (before := int(left.sum())):
            numbers = np.flatnonzero(left)
            left[numbers] = _beside_all(items[:, numbers], beside[np.ix_(numbers, numbers)], self._must_stop)
        return left

    def _variables(self, which: Flags) -> list[int]:
        numbers = np.flatnonzero(which & self._left).tolist()
        return [self.variable("tile", *self.tiles[number]) for number in numbers]

    def _every_piece(self) -> None:
        for kind, pieces in self._kinds.items():
            literals = self._variables(self._of_kind == kind)
            self.add(*literals)
            self.exactly(literals, len(pieces))

    def _no_overlap(self) -> None:
        numbers = np.flatnonzero(self._left)
        overlap = np.triu(~self._apart[np.ix_(numbers, numbers)], 1)
        variables = self._variables(self._left)
        for one, other in zip(*(found.tolist() for found in np.nonzero(overlap)), strict=True):
            self.add(-variables[one], -variables[other])

    def _every_spot(self) -> None:
        for covering in _different(self._spots & self._left):
            self.add(*self._variables(covering))

    def _other_tilings_only(self) -> None:
        """The known tilings are excluded, and those that count as the same."""
        for tiling in self.claim.tilings:
            tiles = [(self._kind(piece), self._polygon(polygon)) for piece, polygon in enumerate(tiling)]
            for move in self._symmetries():
                there = [self.known("tile", *move(*tile)) for tile in tiles]
                if None not in there:
                    self.add(*(-literal for literal in there if literal is not None))


class _TileSides:
    """The lines through the sides of tiles: a x + b y = c, and the tile is where a x + b y is greater."""

    def __init__(self, places: list[Polygon]) -> None:
        self._places = places
        numbers: dict[tuple[int, int, int], int] = {}
        self._of_place: list[list[int]] = []
        for place in places:
            sides = [_line(p, q) for p, q in _sides(place)]
            self._of_place.append([numbers.setdefault(side, len(numbers)) for side in sides])
        self._lines = np.array(list(numbers), dtype=np.int64).reshape(-1, 3)

    def apart(self) -> Flags:
        """Whether two tiles have no inner point in common: the line through a side of one separates them."""
        beyond = np.ones((len(self._lines), len(self._places)), dtype=bool)
        corners = max(map(len, self._places), default=0)
        a, b, c = self._lines.T
        for corner in range(corners):
            x, y = np.array([place[corner % len(place)] for place in self._places], dtype=np.int64).T
            beyond &= np.outer(a, x) + np.outer(b, y) <= c[:, None]
        separated = np.array([beyond[sides].any(axis=0) for sides in self._of_place]).reshape(-1, len(self._places))
        return separated | separated.T

    def spots_inside(self, target: Polygon) -> Flags:
        """For each spot in the target which tiles cover it; spots that the same ones cover are one."""
        points = sorted({point for polygon in (target, *self._places) for point in polygon})
        ways = _ways([target, *self._places])
        spots = [(point, way) for point in points for way in ways if _in(target, point, way)]
        starts = range(0, len(spots), _SLICE)
        found = [_different(self._covering(spots[start : start + _SLICE])) for start in starts]
        return _different(np.vstack([np.zeros((0, len(self._places)), dtype=bool), *found]))

    def _covering(self, spots: list[tuple[Point, Point]]) -> Flags:
        """For each spot which tiles cover it."""
        x, y, dx, dy = np.array([(*point, *way) for point, way in spots], dtype=np.int64).T
        a, b, c = self._lines.T
        level = np.outer(a, x) + np.outer(b, y) - c[:, None]
        # Close to a point on the line it depends on the direction, which is not that of the line.
        inner = (level > 0) | ((level == 0) & (np.outer(a, dx) + np.outer(b, dy) > 0))
        return np.array([inner[sides].all(axis=0) for sides in self._of_place]).reshape(-1, len(spots)).T


def _different(rows: Flags) -> Flags:
    """The rows without repetitions."""
    packed = np.unique(np.packbits(rows, axis=1), axis=0)
    return np.unpackbits(packed, axis=1, count=rows.shape[1]).astype(bool)


def _beside_all(items: Flags, beside: Flags, must_stop: Callable[[], bool]) -> Flags:
    """The tiles with which each item, a set of tiles, has one in common, or one beside them."""
    left = np.ones(len(beside), dtype=bool)
    for number, item in enumerate(items):
        if number % _SLICE == 0 and must_stop():
            raise StoppedError
        left &= item | beside[item & left].any(axis=0)
    return left


def _line(p: Point, q: Point) -> tuple[int, int, int]:
    """The line from one point to another with what lies on its left where a x + b y is greater than c."""
    a, b = p[1] - q[1], q[0] - p[0]
    common = gcd(a, b)
    a, b = a // common, b // common
    return a, b, a * p[0] + b * p[1]


def _ways(polygons: Sequence[Polygon]) -> list[Point]:
    """A direction between any two neighbouring ones of the directions of all sides, taken both ways."""
    found = set()
    for polygon in polygons:
        for (x, y), (u, v) in _sides(polygon):
            common = gcd(u - x, v - y)
            found |= {((u - x) // common, (v - y) // common), ((x - u) // common, (y - v) // common)}
    ordered = sorted(found, key=lambda way: atan2(way[1], way[0]))
    return [(x + u, y + v) for (x, y), (u, v) in pairwise([*ordered, ordered[0]])]


def _in(target: Polygon, point: Point, way: Point) -> bool:
    """Whether a spot is in the target: a ray from there to the right crosses its boundary an odd number of times.

    The spot is close to a point, so whether it is below a vertex, or on the left of a side, may depend on the way.
    """
    inside = False
    for p, q in _sides(target):
        above = [(vertex[1] - point[1], -way[1]) > (0, 0) for vertex in (p, q)]
        if above[0] != above[1]:
            a, b, c = _line(p, q) if p[1] < q[1] else _line(q, p)  # upwards: greater on the left
            level = (a * point[0] + b * point[1] - c, a * way[0] + b * way[1])
            inside ^= level > (0, 0)
    return inside


def _canonical(points: Sequence[Point]) -> Polygon:
    """The polygon counter-clockwise from its least vertex on, without vertices on straight lines."""
    points = list(points) if _area(points) > 0 else list(points)[::-1]
    kept = [point for point, turn in zip(points, _corner_turns(points), strict=True) if turn]
    first = kept.index(min(kept))
    return tuple(kept[first:] + kept[:first])


def _corner_turns(points: Sequence[Point]) -> list[int]:
    """At each vertex, positive for a turn to the left."""
    return [
        (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0])
        for p, q, r in zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)
    ]


def _area(points: Sequence) -> Fraction:
    """Twice the area, negative if it is clockwise."""
    return sum((p[0] * q[1] - q[0] * p[1] for p, q in _sides(points)), Fraction(0))


def _moved(polygon: Polygon, a: int, b: int, c: int, d: int, e: int = 0, f: int = 0) -> Polygon:
    return _canonical([(a * x + b * y + e, c * x + d * y + f) for x, y in polygon])


def _turns_over(a: int, b: int, c: int, d: int) -> bool:
    return a * d - b * c < 0


def _at_origin(polygon: Polygon) -> Polygon:
    """The polygon with its least vertex at the origin."""
    left, low = polygon[0]
    return tuple((x - left, y - low) for x, y in polygon)


def _sides(points: Sequence) -> list[tuple]:
    """The sides of a polygon: from each vertex to the next one."""
    return list(zip(points, (*points[1:], points[0]), strict=True))


def _on_left(p: Point, q: Point, points: Sequence[Point]) -> bool:
    """Whether all points are on the left of a line, or on it."""
    a, b, c = _line(p, q)
    return all(a * x + b * y >= c for x, y in points)


def _common_area(subject: Polygon, clip: Polygon) -> Fraction:
    """Twice the area that a polygon has in common with a convex one, which cuts off what is outside it side by side."""
    points: list = list(subject)
    for p, q in _sides(clip):
        a, b, c = _line(p, q)
        level = [a * x + b * y - c for x, y in points]
        kept = []
        for i, (x, y) in enumerate(points):
            before, (u, v) = level[i - 1], points[i - 1]
            if before * level[i] < 0:
                part = Fraction(before, before - level[i])
                kept.append((u + part * (x - u), v + part * (y - v)))
            if level[i] >= 0:
                kept.append((x, y))
        points = kept
        if not points:
            return Fraction(0)
    return _area(points)
