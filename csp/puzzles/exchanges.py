"""Symmetries of a set of pieces beyond those of the board: mirror images, and exchanges of colours.

MacMahon's 24 squares of three colours are such a set: its mirror image is the set itself, and so is what an exchange of
two colours makes of it.  A picture then has mirror images and recoloured copies that are solutions, too.
"""

from collections import Counter
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from .board import Move, combined, turned
from .edge_matching import ANY, EdgeMatchingPuzzle, Sides

#: With more colours, exchanges are not looked for.
MAX_COLORS = 7
Looks = frozenset[Any]


class Exchange(NamedTuple):
    """A move of the board, what becomes of each colour (ascending), and whether no picture can be the same after it."""

    move: Move
    colors: tuple[int, ...]
    changes_all: bool

    @property
    def new(self) -> dict[int, int]:
        """What becomes of each colour, and of the border."""
        return dict(zip(sorted(self.colors), self.colors, strict=True)) | {0: 0}


def essential_count(puzzle: EdgeMatchingPuzzle, pictures: int) -> int | None:
    """The number of pictures that differ by more than mirror images and exchanges of colours.

    Parameters
    ----------
    puzzle
        The puzzle.
    pictures
        The number of its pictures.

    Returns
    -------
    int or None
        None if there are no such symmetries beyond those of the board, if there are many colours, or if some picture
        may be its own image, so that division gives no exact answer.
    """
    symmetries = exchanges(puzzle)
    if len(symmetries) <= len(puzzle.moves):
        return None
    known = {(one.move.targets, one.move.rotation, one.colors): one.changes_all for one in symmetries}
    identity = symmetries[0]
    for one in symmetries[1:]:
        # What is the same after a symmetry is the same after each power of it.
        power, changes_all = one, one.changes_all
        while not changes_all:
            power = _combined(power, one)
            key = power.move.targets, power.move.rotation, power.colors
            if key == (identity.move.targets, identity.move.rotation, identity.colors):
                return None
            changes_all = known[key]
    number, rest = divmod(pictures, len(symmetries))
    assert rest == 0
    return number


def exchanges(puzzle: EdgeMatchingPuzzle) -> list[Exchange]:
    """All pairs of a move of the board and an exchange of colours that make the set of pieces of itself."""
    colors = sorted({abs(side) for sides in puzzle.pieces for side in sides} - {0})
    if puzzle.fixed or len(colors) > MAX_COLORS or len(puzzle.pieces) != len(puzzle.board):
        return []
    types = Counter(frozenset(puzzle.looks(piece)) for piece in range(len(puzzle.pieces)))
    found = []
    for rotation in range(8):
        moves = puzzle.board.moves(rotation)
        if not moves:
            continue
        for order in permutations(colors):
            new = dict(zip(colors, order, strict=True)) | {0: 0}
            if not _keeps_rule(puzzle, new):
                continue
            images = {looks: _image(looks, rotation, new) for looks in types}
            if all(types[image] == types[looks] for looks, image in images.items()):
                same = {looks: number for looks, number in types.items() if images[looks] == looks}
                found += [Exchange(move, order, _changes_all(move, same)) for move in moves]
    return found


def _keeps_rule(puzzle: EdgeMatchingPuzzle, new: dict[int, int]) -> bool:
    """Whether colours that fit do so after an exchange, and the rim keeps its colour."""
    rim = puzzle.rim
    if rim != ANY and isinstance(rim, int) and new.get(abs(rim), abs(rim)) != abs(rim):
        return False
    return all(new.get(puzzle.mate(color), 0) == puzzle.mate(new[color]) for color in new if puzzle.mates and color)


def _image(looks: Looks, rotation: int, new: dict[int, int]) -> Looks:
    def exchanged(sides: Sides | tuple[int, ...]) -> tuple[int, ...]:
        return tuple(new[abs(side)] if side >= 0 else -new[abs(side)] for side in turned(sides, rotation))

    return frozenset(map(exchanged, looks))


def _changes_all(move: Move, same: dict[Looks, int]) -> bool:
    """Whether a symmetry changes every picture, given how many pieces there are of each type that it does not change.

    Such types stay among themselves, so one of odd number needs a square that an involution does not move; and no other
    type may lie on such a square.
    """
    targets = np.array(move.targets)
    every = np.arange(len(targets))
    still = int((targets == every).sum())
    odd = sum(number % 2 for number in same.values())
    return still > sum(same.values()) or (odd > still and bool((targets[targets] == every).all()))


def _combined(one: Exchange, other: Exchange) -> Exchange:
    """The symmetry that does `one`, then `other`."""
    at = sorted(one.colors)
    colors = tuple(other.colors[at.index(color)] for color in one.colors)
    return Exchange(combined(other.move, one.move), colors, changes_all=False)
