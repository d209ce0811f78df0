"""Moves from one tiling of a target to another, and rules that define which of them count.

A move takes some pieces of a tiling and puts them back so that they cover the same points as before:

- *symmetry*: pieces whose union is convex are moved by a symmetry of this union, a rotation about its centre or a
  reflection in an axis;
- *exchange*: two disjoint sets of pieces, whose unions are convex and congruent, change places, the second one by the
  inverse of the motion of the first one.

The motions are those that the puzzle allows its pieces.  Tilings that are the same up to the target's symmetries and
the exchange of congruent pieces count as one; a move that leads back to the same tiling does not count.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice

from ..geometry.exact_numbers import rational
from ..geometry.lattices import Matrix
from ..geometry.polygons import Isometry, Polygon, corners, double_area, isometries
from ..geometry.regions import overlap
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .layouts import IntegerUnits, Layout, TilingCatalogue, figure_key, members, plain


@dataclass(frozen=True)
class Move:
    """A move to another tiling."""

    onto: int  #: The index of the tiling that it leads to, up to symmetries and exchanges of congruent pieces
    pieces: tuple[int, ...]  #: The pieces that are moved (0-based), ascending
    images: tuple[Polygon, ...]  #: The polygon of each of them after the move
    outlines: tuple[Polygon, ...]  #: The convex regions that the pieces fill: one, or two that are exchanged
    share: Fraction  #: The part of the target's area that they fill
    primitive: bool  #: Whether no proper part of the pieces covers the same points after the move as before

    @property
    def is_exchange(self) -> bool:
        return len(self.outlines) == 2


@dataclass(frozen=True)
class MoveRule:
    """Which moves count."""

    #: Whether only primitive moves count: not those that combine a move of fewer pieces with another one.
    primitive: bool = False
    most_vertices: int | None = None  #: The largest number of vertices of a region; None for any number
    acute_halves: bool = True  #: Whether an acute triangle of half the target's area may be moved
    exchanges: bool = False  #: Whether exchanges count in addition to symmetries

    def allows(self, move: Move) -> bool:
        """Whether a move counts."""
        if self.primitive and not move.primitive:
            return False
        if move.is_exchange and not self.exchanges:
            return False
        if self.most_vertices is not None and len(move.outlines[0]) > self.most_vertices:
            return False
        is_half = move.share == Fraction(len(move.outlines), 2)
        outline = move.outlines[0]
        is_acute = len(outline) == 3 and all(
            (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0 for a, b, c in corners(outline)
        )
        return self.acute_halves or not is_half or not is_acute

    def __str__(self) -> str:
        most = "" if self.most_vertices is None else f" of at most {self.most_vertices} vertices"
        but = "" if self.acute_halves else ", which is not an acute triangle of half the target's area,"
        text = f"pieces that fill a convex region{most}{but} are moved by a symmetry of the region"
        text += ", or those of two congruent regions are exchanged" if self.exchanges else ""
        unless = ", unless some of them, without the others, cover the same points before and after"
        return text + (unless if self.primitive else "")


#: The rules that have names.  ``chung-graham`` is one rule that reproduces the published figures for the Ostomachion
#: (268 tilings by 11 pieces; 936 + 1 edges; see `graph`).  Chung and Graham (2003) do not state theirs in
#: full, and other rules give the same figures.
RULES: dict[str, MoveRule] = {
    "chung-graham": MoveRule(primitive=True, most_vertices=4, acute_halves=False),
    "primitive": MoveRule(primitive=True),
    "convex": MoveRule(),
    "exchanges": MoveRule(exchanges=True),
}


class MoveFinder:
    """Finds the moves between tilings of one puzzle, which must be pairwise different up to symmetry.

    Raises ValueError if two of the tilings are the same. Raises EngineError if pieces may be turned by any angle, and a
    coordinate of a tiling is irrational.
    """

    def __init__(self, puzzle: DissectionPuzzle, tilings: Sequence[Tiling]) -> None:
        self.puzzle = puzzle
        self.units = IntegerUnits.of(puzzle, tilings)
        self._tilings = [tuple(map(self.units.integers, tiling)) for tiling in tilings]
        self._area = sum(int(rational(double_area(self.units.integers(piece)))) for piece in puzzle.pieces)
        self._layouts: dict[int, Layout] = {}
        self._regions: dict[int, dict[int, Polygon]] = {}
        self._overlap: dict[tuple[Polygon, Polygon], bool] = {}
        self._catalogue = TilingCatalogue(puzzle, self.units)
        for number, tiling in enumerate(self._tilings):
            if not self._catalogue.add(tiling):
                raise ValueError(f"tiling {number} is the same as one before it")

    def __len__(self) -> int:
        return len(self._tilings)

    def layout(self, number: int) -> Layout:
        """The layout of a tiling in integers."""
        if number not in self._layouts:
            self._layouts[number] = Layout(self._tilings[number])
        return self._layouts[number]

    def regions(self, number: int) -> dict[int, Polygon]:
        """The sets of pieces of a tiling whose union is convex, each with this union, in integers."""
        if number not in self._regions:
            layout = self.layout(number)
            self._regions[number] = {pieces: layout.hull(pieces) for pieces in layout.convex_regions()}
        return self._regions[number]

    def number(self, tiling: Tiling) -> int | None:
        """The tiling in the list that is the same as this one up to symmetry, or None."""
        return self._catalogue.number(frozenset(map(self.units.integers, tiling)))

    def moves(self, number: int, *, exchanges: bool = False) -> Iterator[Move]:
        """The moves from a tiling to others: symmetries and, if requested, exchanges."""
        layout, regions = self.layout(number), self.regions(number)
        for pieces, hull in regions.items():
            moved = members(pieces)
            if len(moved) == 1:
                continue
            # The identity comes first.
            for motion in islice(self._motions(hull, hull), 1, None):
                if motion.is_reflection and not self._may_turn_over(moved):
                    continue
                images = [motion(layout.tiling[piece]) for piece in moved]
                yield from self._checked(number, dict(zip(moved, images, strict=True)), (hull,))
        if exchanges:
            yield from self._exchanges(number, regions)

    def _exchanges(self, number: int, regions: dict[int, Polygon]) -> Iterator[Move]:
        tiling = self._tilings[number]
        alike: dict[tuple, list[tuple[int, Polygon]]] = defaultdict(list)
        for pieces, hull in regions.items():
            alike[figure_key(frozenset([hull]), self.units.turns)].append((pieces, hull))
        for group in alike.values():
            for (one, hull), (other, second) in combinations(group, 2):
                if one & other:
                    continue
                for motion in self._motions(hull, second):
                    if motion.is_reflection and not self._may_turn_over(members(one | other)):
                        continue
                    back = motion.inverse()
                    images = {piece: motion(tiling[piece]) for piece in members(one)}
                    images |= {piece: back(tiling[piece]) for piece in members(other)}
                    yield from self._checked(number, images, (hull, second))

    def _may_turn_over(self, pieces: list[int]) -> bool:
        return all(self.puzzle.flips[piece] for piece in pieces)

    def _checked(self, number: int, images: dict[int, Polygon], outlines: tuple[Polygon, ...]) -> Iterator[Move]:
        """The move that puts pieces there, if it leads to another tiling of the list."""
        tiling = self._tilings[number]
        onto = self._catalogue.number(frozenset(images.get(piece, polygon) for piece, polygon in enumerate(tiling)))
        if onto is None or onto == number:
            return
        yield Move(
            onto,
            tuple(sorted(images)),
            tuple(self.units.original(images[piece]) for piece in sorted(images)),
            tuple(map(self.units.original, outlines)),
            Fraction(sum(int(rational(double_area(outline))) for outline in outlines), self._area),
            self._is_primitive(tiling, images),
        )

    def _motions(self, source: Polygon, image: Polygon) -> Iterator[Isometry]:
        """The allowed motions that carry one polygon to the other."""
        (x, y), (u, v) = source[0], image[0]
        for motion in _turns(_moved_to_origin(source), _moved_to_origin(image), self.units.turns):
            a, b, c, d, e, f = motion
            yield plain(Isometry(a, b, c, d, e + rational(u - a * x - b * y), f + rational(v - c * x - d * y)))

    def _is_primitive(self, tiling: Tiling, images: dict[int, Polygon]) -> bool:
        """Whether no proper part of the pieces covers the same points after the move as before.

        Pieces cover only points that they covered before if all pieces that their images overlap are among them; then,
        by their areas, they cover all these points.  So it is enough to compute the closure of each piece.
        """
        left = set(images)
        pulled = [left.pop()]
        while pulled and left:
            image = images[pulled.pop()]
            found = [piece for piece in left if self._overlaps(image, tiling[piece])]
            left.difference_update(found)
            pulled += found
        return not left

    def _overlaps(self, one: Polygon, other: Polygon) -> bool:
        key = one, other
        if key not in self._overlap:
            self._overlap[key] = overlap(one, other)
        return self._overlap[key]


def _moved_to_origin(polygon: Polygon) -> Polygon:
    x, y = polygon[0]
    return tuple((u - x, v - y) for u, v in polygon)


@lru_cache(maxsize=1 << 16)
def _turns(source: Polygon, image: Polygon, turns: tuple[Matrix, ...] | None) -> tuple[Isometry, ...]:
    """The motions that carry one polygon to the other; both have their least vertices at the origin."""
    if turns is None:
        return tuple(isometries(source, image))
    found = []
    for a, b, c, d in turns:
        moved = Isometry(a, b, c, d, 0, 0)(source)
        if _moved_to_origin(moved) == image:
            x, y = moved[0]
            found.append(Isometry(a, b, c, d, -x, -y))
    return tuple(found)
