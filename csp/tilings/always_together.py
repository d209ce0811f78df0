"""The pieces of a puzzle that are together in every tiling, and the puzzle in which these are one piece."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ..base.errors import EngineError
from ..base.stop import never, watched
from ..geometry.lattices import Matrix
from ..geometry.polygons import Polygon, convex_hull, double_area
from ..puzzles.dissection import DissectionPuzzle, Tiling
from .layouts import Figure, IntegerUnits, Layout, TilingCatalogue, figure_key, members

#: A kind of pair: the kinds of the two blocks, and the `figure_key` of the two together.
_Pair = tuple[int, int, tuple]
_Turns = tuple[Matrix, ...] | None


@dataclass(frozen=True)
class Merged:
    """A puzzle in which pieces that are always together are one piece, if it is convex."""

    puzzle: DissectionPuzzle
    tilings: tuple[Tiling, ...]  #: Its tilings, one of each orbit
    parts: tuple[tuple[int, ...], ...]  #: The pieces of the original puzzle (0-based) that each piece consists of
    groups: tuple[tuple[int, ...], ...]  #: The result of `always_together`


@dataclass(frozen=True)
class _Block:
    """Pieces that are together in every tiling, in their positions in one tiling."""

    kind: int  #: A number that is equal for equal blocks of all tilings
    pieces: int  #: The set of the pieces, as an integer with bits
    figure: Figure
    halves: tuple["_Block", ...] = ()  #: The two blocks that it was made of; empty for a piece

    @property
    def outline(self) -> Polygon:
        """The polygon of a piece, or the union of several, which must be convex."""
        return self._hull if self.halves else next(iter(self.figure))

    @property
    def _hull(self) -> Polygon:
        return convex_hull([point for polygon in self.figure for point in polygon])

    def convex_parts(self) -> Iterator["_Block"]:
        """The block itself if it is a piece or its union is convex, otherwise those of its halves."""
        if not self.halves or double_area(self._hull) == sum(map(double_area, self.figure)):
            yield self
        else:
            for half in self.halves:
                yield from half.convex_parts()


def always_together(
    puzzle: DissectionPuzzle, tilings: Sequence[Tiling], *, must_stop: Callable[[], bool] = never
) -> tuple[tuple[int, ...], ...]:
    """The groups of at least two pieces (0-based) that are together in every tiling, ordered by their first pieces.

    Two pieces always are if they share a part of an edge and their figure is the same in every tiling, up to a motion;
    they are then treated as one, and so on.  Congruent pieces are not distinguished; but if a piece's neighbour could
    be either of two in some tiling, neither is in the group.  `tilings` has at least one of each orbit.
    """
    _, blocks = _blocks(puzzle, tilings, must_stop)
    return _groups(blocks[0])


def merged(puzzle: DissectionPuzzle, tilings: Sequence[Tiling], *, must_stop: Callable[[], bool] = never) -> Merged:
    """The puzzle with each group of pieces that are always together as one piece, if their union is convex.

    Other groups stay separate, or in smaller groups that are convex.  Pieces may have become congruent, so that orbits
    are larger; raises EngineError if only some of such pieces may be turned over.
    """
    units, blocks = _blocks(puzzle, tilings, must_stop)
    parts = [[part for block in tiling for part in block.convex_parts()] for tiling in blocks]
    for tiling in parts:
        tiling.sort(key=lambda block: block.kind)
    order = sorted(range(len(parts[0])), key=lambda i: members(parts[0][i].pieces))
    made = [tuple(tiling[i].outline for i in order) for tiling in parts]
    original = [tuple(map(units.original, tiling)) for tiling in made]
    mine = [members(parts[0][i].pieces) for i in order]
    rigid = [number for number, of in enumerate(mine) if not _are_mirrored(puzzle, of)]
    whole = replace(puzzle, pieces=original[0], known={}, no_flip=tuple(rigid))
    refuse_rigid_among_equals(whole, [[piece + 1 for piece in of] for of in mine])
    catalogue = TilingCatalogue(whole, units)
    # The first one is the arrangement that the pieces are taken from.
    kept = tuple(tiling for large, tiling in zip(made[1:], original[1:], strict=True) if catalogue.add(large))
    return Merged(whole, kept, tuple(map(tuple, mine)), _groups(blocks[0]))


def refuse_rigid_among_equals(puzzle: DissectionPuzzle, names: Sequence[Sequence[int]]) -> None:
    """Refuse congruent pieces of which only some may be turned over; a catalogue knows the polygons of tilings only.

    `names` has for each piece the numbers of the pieces that it consists of.

    Raises EngineError if there are such pieces.
    """
    for same in replace(puzzle, no_flip=()).classes:
        if len({puzzle.flips[piece] for piece in same}) > 1:
            which = " and ".join("+".join(map(str, names[piece])) for piece in same)
            rule = "for a graph all of them may be turned over, or none"
            advice = "; do not merge pieces (--no-merge)" if any(len(names[piece]) > 1 for piece in same) else ""
            raise EngineError(f"{puzzle.name}: pieces {which} are congruent; {rule}{advice}")


def _are_mirrored(puzzle: DissectionPuzzle, pieces: Sequence[int]) -> bool:
    """Whether each of these pieces has its mirror image among them: they are exchanged if all are reflected."""
    mirrored = [puzzle.mirror_of[piece] for piece in pieces]
    classes = [None if piece is None else puzzle.class_of[piece] for piece in mirrored]
    return Counter(classes) == Counter(puzzle.class_of[piece] for piece in pieces)


def _groups(tiling: list[_Block]) -> tuple[tuple[int, ...], ...]:
    groups = (tuple(members(block.pieces)) for block in tiling)
    return tuple(sorted(group for group in groups if len(group) > 1))


def _blocks(
    puzzle: DissectionPuzzle, tilings: Sequence[Tiling], must_stop: Callable[[], bool]
) -> tuple[IntegerUnits, list[list[_Block]]]:
    """How coordinates become integers; the blocks of a model, followed by those of every tiling.

    The model is the arrangement of the pieces in the puzzle, if that is a tiling, or else the first tiling.
    """
    if not tilings:
        raise ValueError("there are no tilings, so it is unknown which pieces are together")
    units = IntegerUnits.of(puzzle, tilings)
    large = [tuple(map(units.integers, tiling)) for tiling in tilings]
    catalogue = TilingCatalogue(puzzle, units)
    for tiling in large:
        catalogue.add(tiling)
    given = tuple(map(units.integers, puzzle.pieces))
    large.insert(0, large[0] if catalogue.number(frozenset(given)) is None else given)
    layouts = [Layout(tiling) for tiling in watched(large, must_stop)]
    kinds: dict[_Pair, int] = {}
    blocks = [
        [_Block(puzzle.class_of[p], 1 << p, frozenset([polygon])) for p, polygon in enumerate(tiling)]
        for tiling in large
    ]
    while (pair := _constant_pair(blocks, layouts, units.turns, must_stop)) is not None:
        kind = kinds.setdefault(pair, len(puzzle.classes) + len(kinds))
        blocks = [
            _joined(tiling, layout, pair, kind, units.turns) for tiling, layout in zip(blocks, layouts, strict=True)
        ]
    return units, blocks


def _constant_pair(
    blocks: list[list[_Block]], layouts: list[Layout], turns: _Turns, must_stop: Callable[[], bool]
) -> _Pair | None:
    """A kind of pair that occurs equally often in every tiling, without a block that is in two of them."""
    common: dict[_Pair, int] = {}
    for number, (tiling, layout) in enumerate(watched(zip(blocks, layouts, strict=True), must_stop)):
        found: dict[_Pair, list[tuple[_Block, _Block]]] = defaultdict(list)
        for one, other in _beside(tiling, layout):
            found[_pair(one, other, turns)].append((one, other))
        # No block is in two of them.
        numbers = {pair: Counter(block.pieces for two in places for block in two) for pair, places in found.items()}
        here = {pair: len(found[pair]) for pair, number in numbers.items() if max(number.values()) == 1}
        common = {pair: size for pair, size in common.items() if here.get(pair) == size} if number else here
        if not common:
            return None
    return next(iter(common))


def _joined(tiling: list[_Block], layout: Layout, pair: _Pair, kind: int, turns: _Turns) -> list[_Block]:
    """The blocks after joining those that make such pairs."""
    left = list(tiling)
    for one, other in _beside(tiling, layout):
        if _pair(one, other, turns) == pair:
            halves = tuple(sorted((one, other), key=lambda block: block.kind))
            left[left.index(one)] = _Block(kind, one.pieces | other.pieces, one.figure | other.figure, halves)
            left.remove(other)
    return left


def _beside(tiling: list[_Block], layout: Layout) -> Iterator[tuple[_Block, _Block]]:
    """The pairs of blocks that share a part of their boundaries, in the order of the blocks."""
    for one, other in combinations(tiling, 2):
        if any(layout.neighbours[piece] & other.pieces for piece in members(one.pieces)):
            yield one, other


def _pair(one: _Block, other: _Block, turns: _Turns) -> _Pair:
    return min(one.kind, other.kind), max(one.kind, other.kind), figure_key(one.figure | other.figure, turns)
