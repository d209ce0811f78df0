"""The lots of sides that Owen's model redistributes, for every form of puzzle.

A side of a placed piece has a *place*: its direction (up, right, down, left) and, in a framed puzzle, how it runs along
the border.  Where a piece may be turned, its sides change places with each other, and these places share one lot.  So
pieces that turn have one lot for all inner sides; pieces that do not turn have four, one for each direction; and if
these may be turned over, left and right sides are one lot.  If some pieces turn and others do not, all are one lot.

Joins relate lots.  Those that are related by joins, directly or through others, form a *group*.  If the lots of a group
fall into two sets such that each join has a side of both, the two sets are two lots (*hands*); otherwise the group is
one lot.  On rectangles nothing else is merged by this.  Where the sides of frame pieces meet those of inner pieces, as
in the corners of some shapes, their lots become one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from ...csp.base.errors import PuzzleError
from ...csp.puzzles.board import Join, border_class, border_mask_of, opposite, side_after, way_along_border
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.symmetry import PieceType
from .chances import Hands

_TURNS = (0, 1, 2, 3)


@dataclass
class Group:
    """Joins whose sides come from the same lots."""

    #: The number of sides of each colour: in one lot, or in two lots that meet.
    hands: Hands
    #: The numbers of joins on the board: inner ones, and those along the frame.
    joins: list[int] = field(default_factory=lambda: [0, 0])


class Lots:
    """The lots of a puzzle.

    Attributes:
    - `classes`: the class of each square: pieces of that class, and no others, can lie there.

    Raises PuzzleError for a framed puzzle whose pieces cannot be divided into classes because only some of them turn.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        board = puzzle.board
        self._framed = puzzle.is_framed
        self._masks = [board.border_mask(square) if self._framed else 0 for square in range(len(board))]
        self._occurring = frozenset(self._masks)
        # The rotations of the pieces by their number of borders; without such pieces, their squares stay empty anyway.
        self._turning: dict[str, set[tuple[int, ...]]] = {}
        for piece, sides in enumerate(puzzle.pieces):
            self._turning.setdefault(border_class(self._mask(sides)), set()).add(puzzle.rotations(piece))
        self._class = {mask: self._class_of(mask) for mask in range(16)}
        self.classes = [self._class[mask] for mask in self._masks]
        met = Counter(
            (_place(self._masks[join.first], join.side), _place(self._masks[join.second], opposite(join.side)))
            for join in board.joins()
        )
        self._hand_of = self._hands_of(met)
        groups = 1 + max((group for group, _ in self._hand_of.values()), default=-1)
        hands = [[Counter[int]()] for _ in range(groups)]
        for group, hand in self._hand_of.values():
            hands[group] += [Counter() for _ in range(hand + 1 - len(hands[group]))]
        self._deal(puzzle, hands)
        self.groups = tuple(Group(tuple(of)) for of in hands)
        for join in board.joins():
            self.groups[self.group_of(join)].joins[puzzle.is_frame_join(join)] += 1

    def hand_of(self, square: int, side: int) -> tuple[int, int]:
        """The group and the hand of a side on a square."""
        return self._hand_of[_place(self._masks[square], side)]

    def group_of(self, join: Join) -> int:
        """The group of a join."""
        return self.hand_of(join.first, join.side)[0]

    def class_of(self, kind: PieceType) -> str:
        """The class of the pieces of a type."""
        return self._class[self._mask(kind.sides)]

    def _mask(self, sides: Sequence[int]) -> int:
        """The borders of a piece in a framed puzzle."""
        return border_mask_of(sides) if self._framed else 0

    def _rotations(self, mask: int) -> set[tuple[int, ...]]:
        """The sets of rotations of the pieces with as many borders."""
        return self._turning.get(border_class(mask), {_TURNS})

    def _class_of(self, mask: int) -> str:
        name, all_rotations = border_class(mask), self._rotations(mask)
        orbits = {
            frozenset(_turned_mask(mask, rotation) for rotation in rotations) & self._occurring
            for rotations in all_rotations
        }
        if len(orbits) > 1:
            raise PuzzleError(f"Owen's model does not apply: some {name} pieces turn and others do not")
        if name == "inner" or all({*_TURNS}.issubset(rotations) for rotations in all_rotations):
            return name
        return f"{name} {min(next(iter(orbits)), default='off the board')}"

    def _hands_of(self, met: Iterable[tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """The group and the hand of each place."""
        every = {_place(mask, side) for mask in self._occurring for side in _inner_sides(mask, framed=self._framed)}
        lot = {place: place for place in every}

        def unite(places: Sequence[int]) -> None:
            old, new = {lot[place] for place in places}, min(lot[place] for place in places)
            lot.update({place: new for place, of in lot.items() if of in old})

        for mask in self._occurring:
            for rotations in self._rotations(mask):
                turned = [(r, _turned_mask(mask, r)) for r in rotations if _turned_mask(mask, r) in self._occurring]
                for side in _inner_sides(mask, framed=self._framed):
                    unite([_place(after, side_after(side, rotation)) for rotation, after in turned])
        related: dict[int, set[int]] = {of: set() for of in lot.values()}
        for one, other in met:
            related[lot[one]].add(lot[other])
            related[lot[other]].add(lot[one])
        found = _two_colored(related)
        return {place: found[of] for place, of in lot.items()}

    def _deal(self, puzzle: EdgeMatchingPuzzle, hands: list[list[Counter[int]]]) -> None:
        """Count the sides of all pieces that can lie on the board."""
        for piece, sides in enumerate(puzzle.pieces):
            mask = self._mask(sides)
            for rotation in puzzle.rotations(piece):
                if (after := _turned_mask(mask, rotation)) in self._occurring:
                    for side in _inner_sides(mask, framed=self._framed):
                        group, hand = self._hand_of[_place(after, side_after(side, rotation))]
                        hands[group][hand][sides[side]] += 1
                    break


def _two_colored(related: dict[int, set[int]]) -> dict[int, tuple[int, int]]:
    """For each lot the number of its group and its hand, 0 or 1; 0 for all lots of a group that has no two hands."""
    found: dict[int, tuple[int, int]] = {}
    group = 0
    for first in sorted(related):
        if first in found:
            continue
        hand, waiting, two = {first: 0}, [first], True
        while waiting:
            lot = waiting.pop()
            for other in related[lot]:
                if other not in hand:
                    hand[other] = 1 - hand[lot]
                    waiting.append(other)
                two &= hand[other] != hand[lot]
        found |= {lot: (group, side if two else 0) for lot, side in hand.items()}
        group += 1
    return found


def _place(mask: int, side: int) -> int:
    """The number of a side's place: its direction, and how it runs along the borders in a bit mask."""
    return 4 * way_along_border(mask, side) + side


def _inner_sides(mask: int, *, framed: bool) -> list[int]:
    """The sides that show colours: all but the borders of a frame."""
    return [side for side in range(4) if not (framed and mask >> side & 1)]


@cache
def _turned_mask(mask: int, rotation: int) -> int:
    return sum(1 << side_after(side, rotation) for side in range(4) if mask >> side & 1)


@cache
def fits(mask: int, rotations: tuple[int, ...]) -> int:
    """In how many rotations a piece with these border sides fits a square of its class."""
    return sum(_turned_mask(mask, rotation) == mask for rotation in rotations)
