"""Candidates: the pieces in their orientations, as arrays that searches and models read.

A *candidate* is a piece type in one of its different orientations.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import PuzzleError
from .board import BORDER, turned
from .edge_matching import EdgeMatchingPuzzle
from .symmetry import PieceType

# Types and colours have 16 bits each in a kernel's words.
MAX_TYPES = 0xFFFE
MAX_COLORS = 0xFFFF


@dataclass(frozen=True)
class Candidates:
    """All candidates of a search, as arrays of one entry a candidate.

    Parameters
    ----------
    kinds
        The types that are searched: pieces that look alike in one type, or each piece a type of its own.
    of_type, turns
        The type (its index) and how far its sides are turned.
    sides, mates
        Shape (n, 4): the colours shown, and the colours that fit onto them, as indices; -1 for the border.
    color_index
        The index of each colour and of each mate of a colour.
    """

    kinds: tuple[PieceType, ...]
    of_type: NDArray[np.int64]
    turns: NDArray[np.int64]
    sides: NDArray[np.int64]
    mates: NDArray[np.int64]
    color_index: dict[int, int]

    @property
    def colors(self) -> int:
        return len(self.color_index)


def find_candidates(puzzle: EdgeMatchingPuzzle, kinds: tuple[PieceType, ...], *, repeat_turns: bool) -> Candidates:
    """All orientations of the types; those that look alike only once unless `repeat_turns`.

    Raises
    ------
    PuzzleError
        If there are more types or colours than 16 bits can number.
    """
    values = {color for sides in puzzle.pieces for color in sides if color != BORDER}
    values |= {puzzle.mate(color) for color in values}
    color_index = {color: index for index, color in enumerate(sorted(values))}
    if len(kinds) > MAX_TYPES or len(color_index) > MAX_COLORS:
        raise PuzzleError(
            f"{len(kinds)} different pieces and {len(color_index)} colours; there may be {MAX_TYPES} and {MAX_COLORS}"
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


def packed(sides: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Four numbers of at most 16 bits in one word, shape (n, 4) to (n,): side s in the bits from 16 s on."""
    return np.bitwise_or.reduce(sides.astype(np.uint64) << np.arange(0, 64, 16, dtype=np.uint64), axis=1)
