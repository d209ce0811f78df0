"""Dissections on the lattice as formulas by their definition: the second encoder.

It is written for reading, and shares nothing with `models.tilings` and the search: from the package it takes the
puzzle's fields alone.  Its formula has a model exactly if there is another tiling than those that are known.

All coordinates are integers, in units of the lattice.  Where its rows are slanted, or the units along the axes differ,
lines, areas and what lies inside are the same as on squares; only the motions are others.  A *tile* is a piece on a
place: a kind of pieces (those that are congruent, or one piece) and a polygon in the target, counter-clockwise from its
least vertex.  A tiling has a tile for every piece, no two of which have an inner point in common; as their areas add up
to that of the target without its holes, it covers it.  In particular it covers every *spot*, a point close to a lattice
point in some direction that no side of a tile has.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import atan2, gcd, isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from ...csp.base.stop import StoppedError, never
from ...csp.puzzles.dissection import DissectionPuzzle
from .plain_formula import PlainFormula

Point = tuple[int, int]
Polygon = tuple[Point, ...]
Tile = tuple[int, Polygon]
Flags = NDArray[np.bool_]

Motion = tuple[int, int, int, int]

# A point of the lattice goes to (a x + b y, c x + d y) by a turn, and by a reflection and a turn.  With quarter turns:
_SQUARES = tuple(
    (a * f, b, c * f, d) for a, b, c, d in ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)) for f in (1, -1)
)
# With half turns, where the units along the axes differ:
_RECTANGLES = ((1, 0, 0, 1), (-1, 0, 0, 1), (-1, 0, 0, -1), (1, 0, 0, -1))
# With turns by 60 degrees, which take (1, 0) to (0, 1) and (0, 1) to (-1, 1); the reflection exchanges the two:
_TRIANGLES = (
    (1, 0, 0, 1), (0, 1, 1, 0), (0, -1, 1, 1), (-1, 0, 1, 1), (-1, -1, 1, 0), (-1, -1, 0, 1),
    (-1, 0, 0, -1), (0, -1, -1, 0), (0, 1, -1, -1), (1, 0, -1, -1), (1, 1, -1, 0), (1, 1, 0, -1),
)  # fmt: skip
_SLICE = 256


@dataclass(frozen=True)
class TilingsClaim:
    """The claim of a certificate: a dissection has no tilings on the lattice but these."""

    #: The puzzle.
    puzzle: DissectionPuzzle
    #: The known tilings: a polygon for each piece, in the puzzle's coordinates.
    tilings: Sequence[Sequence[Sequence]] = ()
    #: Whether tilings count as one that the target's symmetries and exchanging congruent pieces make of each other.
    symmetry: bool = True
    #: A piece that may be kept to some of its places, because symmetries lead there; None for no such piece.
    anchor: int | None = None


class TilingDefinition(PlainFormula):
    """The formula of a claim; it has a model exactly if the claim is false."""

    def __init__(self, claim: TilingsClaim, must_stop: Callable[[], bool] = never) -> None:
        super().__init__()
        self.claim, self._must_stop = claim, must_stop
        puzzle = claim.puzzle
        polygons = *puzzle.parts, *puzzle.holes, *puzzle.pieces
        self._read_lattice([point for polygon in polygons for point in polygon])
        self._parts, self._holes = (list(map(self._polygon, outlines)) for outlines in (puzzle.parts, puzzle.holes))
        self._pieces = [self._polygon(piece) for piece in puzzle.pieces]
        self._stiff = frozenset(puzzle.no_flip)
        self._kinds = self._pieces_by_kind()
        self.tiles = sorted({(kind, place) for kind in self._kinds for place in self._places(kind)})
        places = [place for _, place in self.tiles]
        self._of_kind = np.array([kind for kind, _ in self.tiles], dtype=np.int64)
        lines = _TileSides(places)
        self._apart = lines.apart()
        self._spots = lines.spots_inside([*self._parts, *self._holes])
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
        return _canonical([(int(x * self._scale[0]), int(y * self._scale[1])) for x, y in map(self._steps, points)])

    def _read_lattice(self, points: Sequence[Sequence]) -> None:
        """Find the coarsest lattice that has all points, and its motions.

        From the first point to another one the way is X sqrt(p) and Y sqrt(q), with X and Y rational.
        """
        self._first = points[0]
        p, q = (max(_factor_and_root(way[axis])[1] for way in map(self._way, points)) for axis in (0, 1))
        root = isqrt(3 * p * q)
        # Rows of a triangular lattice of step sqrt(p) are sqrt(3 p) / 2 = row sqrt(q) apart.
        self._row = Fraction(root, 2 * q) if root * root == 3 * p * q else None
        self._motions: tuple[Motion, ...] = _SQUARES if p == q else _RECTANGLES if self._row is None else _TRIANGLES
        steps = [self._steps(point) for point in points]
        across, up = ([step[axis] for step in steps] for axis in (0, 1))
        together = self._motions != _RECTANGLES
        self._scale = [1 / _step(across + up)] * 2 if together else [1 / _step(across), 1 / _step(up)]

    def _way(self, point: Sequence) -> tuple:
        return point[0] - self._first[0], point[1] - self._first[1]

    def _steps(self, point: Sequence) -> tuple[Fraction, Fraction]:
        """The way to a point in steps along the directions of the lattice, which are not its own steps."""
        x, y = (_factor_and_root(c)[0] for c in self._way(point))
        return (x, y) if self._row is None else (x - y / self._row / 2, y / self._row)

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
            polygon = _moved(polygon, *self._motions[1])
        motions = [motion for motion in self._motions if piece not in self._stiff or not _turns_over(*motion)]
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
        right, top = (max(point[i] for part in self._parts for point in part) for i in (0, 1))
        left, bottom = (min(point[i] for part in self._parts for point in part) for i in (0, 1))
        target = self._parts[0]
        convex = len(self._parts) == 1 and not self._holes and all(turn >= 0 for turn in _corner_turns(target))
        for image in self._looks(kind):
            # Its least x is 0, but its least y may be negative.
            low, high, width = (f(point[i] for point in image) for f, i in ((min, 1), (max, 1), (max, 0)))
            for dx in range(left, right - width + 1):
                for dy in range(bottom - low, top - high + 1):
                    place = tuple((x + dx, y + dy) for x, y in image)
                    if convex:
                        inside = all(_on_left(p, q, place) for p, q in _sides(target))
                    else:
                        inside = sum(_common_area(part, place) for part in self._parts) == _area(place)
                        inside = inside and not any(_common_area(hole, place) for hole in self._holes)
                    if inside:
                        yield place

    def _symmetries(self) -> list[Callable[[int, Polygon], Tile]]:
        """What the motions of the lattice that leave target and holes alone make of a tile: one of a tiling again.

        A reflection does that if every kind of pieces has its mirror images among the kinds.
        """
        found = []
        kinds = {kind: kind for kind in self._kinds}
        reflected = self._reflected_kinds() if self.claim.symmetry else {}
        for a, b, c, d in self._motions if self.claim.symmetry else self._motions[:1]:
            onto = reflected if _turns_over(a, b, c, d) else kinds
            image = _moved(self._parts[0], a, b, c, d)
            for part in self._parts:
                move = a, b, c, d, part[0][0] - image[0][0], part[0][1] - image[0][1]
                same = all({_moved(one, *move) for one in those} == {*those} for those in (self._parts, self._holes))
                if same and len(onto) == len(kinds):
                    found.append(lambda kind, place, m=move, to=onto: (to[kind], _moved(place, *m)))
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
        items = different(np.vstack([kinds, self._spots]))
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
        self._exclude_pairs(np.triu(~self._apart[np.ix_(numbers, numbers)], 1))

    def _exclude_pairs(self, overlap: Flags) -> None:
        """Of two tiles, by their numbers among those that are left, at most one is there."""
        variables = self._variables(self._left)
        for one, other in zip(*(found.tolist() for found in np.nonzero(overlap)), strict=True):
            self.add(-variables[one], -variables[other])

    def _every_spot(self) -> None:
        for covering in different(self._spots & self._left):
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
    """The lines through the sides of the convex parts of tiles: a x + b y = c, and the part is where it is greater."""

    def __init__(self, places: list[Polygon]) -> None:
        self._places = places
        cut = [_convex_parts(place) for place in places]
        self._parts = [part for parts in cut for part in parts]
        # The first part of each tile.
        self._first = np.cumsum([0, *map(len, cut)])[:-1]
        numbers: dict[tuple[int, int, int], int] = {}
        self._of_part: list[list[int]] = []
        for part in self._parts:
            sides = [_line(p, q) for p, q in _sides(part)]
            self._of_part.append([numbers.setdefault(side, len(numbers)) for side in sides])
        self._lines = np.array(list(numbers), dtype=np.int64).reshape(-1, 3)

    def apart(self) -> Flags:
        """Whether two tiles have no inner point in common: a line through a side separates any part from any other."""
        beyond = np.ones((len(self._lines), len(self._parts)), dtype=bool)
        corners = max(map(len, self._parts), default=0)
        a, b, c = self._lines.T
        for corner in range(corners):
            x, y = np.array([part[corner % len(part)] for part in self._parts], dtype=np.int64).T
            beyond &= np.outer(a, x) + np.outer(b, y) <= c[:, None]
        separated = np.array([beyond[sides].any(axis=0) for sides in self._of_part]).reshape(-1, len(self._parts))
        separated |= separated.T
        for axis in (0, 1) if len(self._parts) > len(self._places) else ():
            separated = np.logical_and.reduceat(separated, self._first, axis=axis)
        return separated

    def spots_inside(self, outlines: list[Polygon]) -> Flags:
        """For each spot in the target and in no hole which tiles cover it; spots that the same ones cover are one."""
        points = sorted({point for polygon in (*outlines, *self._places) for point in polygon})
        ways = _ways([*outlines, *self._parts])
        spots = [(point, way) for point in points for way in ways if _in(outlines, point, way)]
        starts = range(0, len(spots), _SLICE)
        found = [different(self._covering(spots[start : start + _SLICE])) for start in starts]
        return different(np.vstack([np.zeros((0, len(self._places)), dtype=bool), *found]))

    def _covering(self, spots: list[tuple[Point, Point]]) -> Flags:
        """For each spot which tiles cover it."""
        x, y, dx, dy = np.array([(*point, *way) for point, way in spots], dtype=np.int64).T
        a, b, c = self._lines.T
        level = np.outer(a, x) + np.outer(b, y) - c[:, None]
        # Close to a point on the line it depends on the direction, which is not that of the line.
        inner = (level > 0) | ((level == 0) & (np.outer(a, dx) + np.outer(b, dy) > 0))
        covers = np.array([inner[sides].all(axis=0) for sides in self._of_part]).reshape(-1, len(spots))
        if len(self._parts) > len(self._places):
            covers = np.logical_or.reduceat(covers, self._first)
        return covers.T


def _step(numbers: Sequence[Fraction]) -> Fraction:
    """The largest number of which all numbers are multiples."""
    below = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * below) for number in numbers)), below)


def _factor_and_root(number: object) -> tuple[Fraction, int]:
    """The factor and the squarefree r of a rational multiple of sqrt(r)."""
    factor, _, root = str(number).partition("sqrt(")
    if not root:
        return Fraction(factor), 1
    return Fraction({"": "1", "-": "-1"}.get(factor, factor.removesuffix("*"))), int(root.removesuffix(")"))


def different(rows: Flags) -> Flags:
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


def _in(outlines: Sequence[Polygon], point: Point, way: Point) -> bool:
    """Whether a spot is in the target and in no hole: a ray from there to the right crosses an odd number of sides.

    The spot is close to a point, so whether it is below a vertex, or on the left of a side, may depend on the way.
    """
    inside = False
    for p, q in (side for outline in outlines for side in _sides(outline)):
        above = [(vertex[1] - point[1], -way[1]) > (0, 0) for vertex in (p, q)]
        if above[0] != above[1]:
            a, b, c = _line(p, q) if p[1] < q[1] else _line(q, p)  # upwards: greater on the left
            level = (a * point[0] + b * point[1] - c, a * way[0] + b * way[1])
            inside ^= level > (0, 0)
    return inside


def _convex_parts(polygon: Polygon) -> list[Polygon]:
    """Convex polygons that make up a polygon: as long as it has some, its largest *ear* is cut off.

    An ear is made of vertices that follow each other, is convex, and has no other vertex in it.
    """
    left, parts = polygon, []
    while len(left) > 2:
        ear = max((_ear(left[i:] + left[:i]) for i in range(len(left))), key=len)
        parts.append(ear)
        rest = [point for point in left if point not in ear[1:-1]]
        left = tuple(point for point, turn in zip(rest, _corner_turns(rest), strict=True) if turn)
    return parts


def _ear(order: Polygon) -> Polygon:
    """The longest beginning of the vertices that is an ear; empty without one."""
    found: Polygon = ()
    for size in range(3, len(order) + 1):
        part = order[:size]
        convex = all(turn >= 0 for turn in _corner_turns(part))
        if not convex or any(all(_on_left(p, q, [point]) for p, q in _sides(part)) for point in order[size:]):
            break
        found = part
    return found


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


def _common_area(one: Polygon, other: Polygon) -> Fraction:
    """Twice the area that two polygons have in common.

    The other one is the sum of the triangles of its first vertex and its sides, those that lie clockwise taken off.
    """
    common = Fraction(0)
    for p, q in _sides(other)[1:-1]:
        triangle = other[0], p, q
        turned_over = _area(triangle) < 0
        part = _area_within(one, triangle[::-1] if turned_over else triangle) if _area(triangle) else 0
        common += -part if turned_over else part
    return common


def _area_within(subject: Polygon, clip: Polygon) -> Fraction:
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
