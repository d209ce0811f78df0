"""Candidates: the oriented pieces as arrays for searches and models, and the squares that they fit.

A *candidate* is a piece type in one of its different orientations.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from .board import BORDER, opposite, turned
from .edge_matching import EdgeMatchingPuzzle
from .symmetry import Anchor, PieceType

# Types and colours have 16 bits each in a kernel's words.
MAX_TYPES = 0xFFFE
MAX_COLORS = 0xFFFF


@dataclass(frozen=True)
class Candidates:
    """All candidates of a search, as arrays with one entry per candidate."""

    #: The piece types of the search: identical pieces share a type, or each piece has its own.
    kinds: tuple[PieceType, ...]
    #: The type (its index) and the rotation of its sides.
    of_type: NDArray[np.int64]
    turns: NDArray[np.int64]
    #: Shape (n, 4): the colours shown, and the colours that fit onto them, as indices; -1 for the border.
    sides: NDArray[np.int64]
    mates: NDArray[np.int64]
    #: The index of each colour and of each mate of a colour.
    color_index: dict[int, int]

    @property
    def colors(self) -> int:
        return len(self.color_index)

    @cached_property
    def borders(self) -> NDArray[np.int64]:
        """The border sides of each candidate, as bits: it fits squares with exactly these sides on the border."""
        return ((self.sides < 0) << np.arange(4)).sum(axis=1)

    def with_borders(self, borders: int) -> NDArray[np.int64]:
        """The indices of the candidates that have exactly these border sides."""
        return np.flatnonzero(self.borders == borders)


class Asked(NamedTuple):
    """The constraints on a candidate of a square: `facing_fixed` has sides, colours, and whether these must match."""

    borders: int
    facing_fixed: tuple[tuple[int, int, bool], ...]
    is_anchor_square: bool


class Fits:
    """Which candidates fit a square, by the border, the fixed pieces and the anchor.

    The anchor may lie only on its square number `choice`, in the rotations given there.
    """

    def __init__(
        self, puzzle: EdgeMatchingPuzzle, candidates: Candidates, anchor: Anchor | None = None, choice: int = 0
    ) -> None:
        self._puzzle, self._candidates = puzzle, candidates
        self._anchor_square, turns = (None, ()) if anchor is None else anchor.squares[choice]
        self._is_anchor = self._lies_as_anchor = np.zeros(len(candidates.of_type), dtype=bool)
        if anchor is not None:
            anchor_type = [kind.pieces for kind in candidates.kinds].index(anchor.piece_type.pieces)
            self._is_anchor = candidates.of_type == anchor_type
            self._lies_as_anchor = self._is_anchor & np.isin(candidates.turns, turns)

    def asked(self, square: int, broken: tuple[int, ...] = ()) -> Asked:
        """The constraints on a square whose `broken` sides must not match the fixed pieces that they face."""
        puzzle, facing_fixed = self._puzzle, []
        for _, side, neighbour in puzzle.board.joins_of(square):
            placed = puzzle.fixed_board[neighbour]
            if placed is not None:
                wanted = puzzle.mate(puzzle.shown(placed)[opposite(side)])
                facing_fixed.append((side, self._candidates.color_index.get(wanted, -1), side not in broken))
        return Asked(puzzle.board.border_mask(square), tuple(facing_fixed), square == self._anchor_square)

    def fitting(self, asked: Asked) -> NDArray[np.bool_]:
        """Which candidates fit."""
        fits = self._candidates.borders == asked.borders
        for side, color, matching in asked.facing_fixed:
            fits &= (self._candidates.sides[:, side] == color) == matching
        return fits & (self._lies_as_anchor if asked.is_anchor_square else ~self._is_anchor)


def find_candidates(puzzle: EdgeMatchingPuzzle, kinds: tuple[PieceType, ...], *, repeat_turns: bool) -> Candidates:
    """All orientations of the types; equal ones only once unless `repeat_turns`.

    Raises PuzzleError if there are more types or colours than 16 bits can number.
    """
    color_index = color_indices(puzzle, (color for sides in puzzle.pieces for color in sides))
    if len(kinds) > MAX_TYPES or len(color_index) > MAX_COLORS:
        raise PuzzleError(
            f"{len(kinds)} different pieces and {len(color_index)} colours; the limits are {MAX_TYPES} and {MAX_COLORS}"
        )
    mate_index = {color: color_index[puzzle.mate(color)] for color in color_index}
    color_index_or_border = {BORDER: -1, **color_index}
    mate_index_or_border = {BORDER: -1, **mate_index}
    rows = [
        (index, turns, turned(kind.sides, turns))
        for index, kind in enumerate(kinds)
        for turns in range(4 if repeat_turns else 4 // kind.order)
    ]
    return Candidates(
        kinds,
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([[color_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        np.array([[mate_index_or_border[color] for color in row[2]] for row in rows], dtype=np.int64).reshape(-1, 4),
        color_index,
    )


def color_indices(puzzle: EdgeMatchingPuzzle, sides: Iterable[int]) -> dict[int, int]:
    """Indices for the colours of some sides and for all colours that match them."""
    colors = set(sides) - {BORDER}
    return {color: index for index, color in enumerate(sorted(colors | {puzzle.mate(color) for color in colors}))}


def packed(sides: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Four numbers of at most 16 bits in one word, shape (n, 4) to (n,): side s in the bits from 16 s on."""
    return np.bitwise_or.reduce(sides.astype(np.uint64) << np.arange(0, 64, 16, dtype=np.uint64), axis=1)


def lists_by_key(
    members: NDArray[np.int64], keys: NDArray[np.int64], end: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Concatenated lists of numbers, each followed by `end`: the keys that occur, and where their lists start."""
    by_key = np.argsort(keys, kind="stable")
    found, first, number = np.unique(keys[by_key], return_index=True, return_counts=True)
    # Each earlier list has an end mark, too.
    return found, first + np.arange(len(found)), np.insert(members[by_key], first + number, end)
