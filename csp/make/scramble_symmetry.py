"""Symmetries of scrambles: a change at one place is made at all places of its orbit.

A scramble sends each dart a of assembly A to a slot u of the second assembly; both are numbered 4 * square + side.
A board symmetry g acts on darts and on slots alike.  A scramble T can have a *direct* symmetry, T g = h T, and an
*inverse* one, h = T g T.  Either makes another pair out of each pair (a, u) of T: (g(a), h(u)), or (g(u), h(a)).
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from ..base.errors import PuzzleError, shortened
from ..puzzles.board import Board

#: The image of each dart.
Permutation = tuple[int, ...]


class _Composed(Protocol):
    """An element of a group; it can be a key of a dictionary."""

    def __hash__(self) -> int: ...

    def after(self, other: Self, /) -> Self: ...


_Member = TypeVar("_Member", bound=_Composed)


class Element(NamedTuple):
    """A symmetry: it makes (first[a], second[u]), or if it is inverse (first[u], second[a]), out of (a, u)."""

    inverse: bool
    first: Permutation
    second: Permutation

    def after(self, other: "Element") -> "Element":
        """The symmetry that does `other` first, and then this one."""
        if self.inverse:
            return Element(not other.inverse, composed(self.first, other.second), composed(self.second, other.first))
        return Element(other.inverse, composed(self.first, other.first), composed(self.second, other.second))


class Tables(NamedTuple):
    """The elements of a group, one after the other, for the kernel."""

    inverse: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint64]
    second: npt.NDArray[np.uint64]


def composed(then: Permutation, before: Permutation) -> Permutation:
    """The permutation that does `before` first, and then `then`."""
    return tuple(then[x] for x in before)


def board_symmetry(board: Board, quarter_turns: int, *, mirrored: bool) -> Permutation:
    """Where darts go when the board is mirrored left to right, if it is to be, and then turned clockwise."""
    images: list[int] = []
    for square, side in product(range(len(board)), range(4)):
        if mirrored:
            row, column = divmod(square, board.columns)
            square, side = board.square(row, board.columns - 1 - column), -side
        images.append(4 * board.turned_square(square, quarter_turns) + (side + quarter_turns) % 4)
    return tuple(images)


def generator(board: Board, text: str) -> Element:
    """The symmetry given by three characters.

    The first is ``d`` (direct) or ``i`` (inverse); then follow g and h: a number of quarter turns, plus 4 if the board
    is mirrored left to right before.  Either both are mirrored or neither is.
    """
    if not re.fullmatch("[di]([0-3]{2}|[4-7]{2})", text) or (board.turns() == 2 and re.search("[1357]", text)):
        raise PuzzleError(f"{shortened(text)} is not a symmetry of scrambles of a {board.rows}x{board.columns} board")
    first, second = (board_symmetry(board, int(code) % 4, mirrored=int(code) >= 4) for code in text[1:])
    return Element(text[0] == "i", first, second)


@cache
def group(board: Board, generators: tuple[str, ...]) -> tuple[Element, ...]:
    """All symmetries that the generators make, the identity first."""
    identity = tuple(range(4 * len(board)))
    return generated(Element(False, identity, identity), [generator(board, text) for text in generators])


def generated(identity: _Member, made: Sequence[_Member]) -> tuple[_Member, ...]:
    """All elements of the group that some elements make, the identity first."""
    elements = {identity: None}
    waiting = [identity]
    while waiting:
        known = waiting.pop()
        for more in (each.after(known) for each in made):
            if more not in elements:
                elements[more] = None
                waiting.append(more)
    return tuple(elements)


def tables(elements: tuple[Element, ...]) -> Tables:
    """The elements as flat arrays."""
    inverse, first, second = zip(*elements, strict=True)
    return Tables(*(np.array(part, dtype=np.uint64).reshape(-1) for part in (inverse, first, second)))
