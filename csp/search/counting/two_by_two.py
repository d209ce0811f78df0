"""Compound pieces: blocks of 2x2 pieces that fit together and fill a board with even sides.

The pieces of a block are numbered clockwise from its top left, so that turning the block rolls them by one.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...base.errors import PuzzleError
from ...puzzles.board import DOWN, LEFT, RIGHT, UP, Board, border_class
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import rowscan
from ...puzzles.symmetry import Candidates, find_candidates, single_pieces, symmetries


def joined(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of indices at which both arrays have the same number."""
    order = np.argsort(right, kind="stable")
    first, after = (np.searchsorted(right[order], left, side=side) for side in ("left", "right"))
    here, there = ranges(first, after - first)
    return here, order[there]


def ranges(first: NDArray[np.int64], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each i the numbers from ``first[i]`` on, ``numbers[i]`` of them: all i's, and the numbers."""
    which = np.repeat(np.arange(len(first)), numbers)
    skipped = np.repeat(np.cumsum(numbers) - numbers - first, numbers)
    return which, np.arange(len(which)) - skipped


#: The candidates that may lie on each of the four squares of a block, as indices, clockwise from the top left.
Choices = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

_TOP_LEFT, _TOP_RIGHT, _BOTTOM_RIGHT, _BOTTOM_LEFT = range(4)
# The number of blocks that are processed at a time, which bounds the memory.
_AT_A_TIME = 1 << 18
_MOST_LISTED = 50_000_000


def block_numbers(puzzle: EdgeMatchingPuzzle) -> dict[str, int]:
    """The number of different blocks of each class that occurs on a board of blocks: corner, edge and inner, or others.

    Raises PuzzleError if a side of the board is odd, or there may be more than 50 million blocks of a class.

    Examples
    --------
    >>> from jigsat.csp.make.edge_matching import deal_edge_matching
    >>> block_numbers(deal_edge_matching(6, 6, 4, 8).puzzle)
    {'corner': 65, 'edge': 388, 'inner': 522}
    """
    candidates = single_candidates(puzzle)
    return {border_class(mask): len(blocks) for mask, blocks in all_blocks(puzzle, candidates)}


def all_blocks(puzzle: EdgeMatchingPuzzle, candidates: Candidates) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """For each class its least border mask, and its blocks of four free pieces that fit together, as candidates.

    Each block is there in one of its four turns: it has these borders; if several turns have them, the least of the
    pieces that can be at the top left is there.
    """
    board = compound_board(puzzle.board)
    masks = {board.border_mask(square) for square in range(len(board))}
    for mask in sorted({min(_turned_mask(mask, turns) for turns in range(4)) for mask in masks}, reverse=True):
        yield mask, _one_turn_each(candidates, mask)


def why_no_blocks(board: Board) -> str | None:
    """Why a board cannot be divided into 2x2 blocks, or None if it can."""
    odd = board.rows % 2 or board.columns % 2
    size = f"{board.rows}x{board.columns}"
    return f"a {size} board cannot be divided into 2x2 blocks; both sides must be even" if odd else None


def compound_board(board: Board) -> Board:
    """The board of the blocks.

    Raises PuzzleError if a side of the board is odd.
    """
    if reason := why_no_blocks(board):
        raise PuzzleError(reason)
    return Board(board.rows // 2, board.columns // 2)


def block_sites(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The places of blocks, by depth."""
    board = compound_board(puzzle.board)
    return tuple(board.square(*place) for place in rowscan(board))


def squares_of_block(board: Board, site: int) -> tuple[int, int, int, int]:
    """The squares of a block on the board of blocks, clockwise from the top left."""
    row, column = divmod(site, board.columns // 2)
    top = board.square(2 * row, 2 * column)
    return top, top + 1, top + 1 + board.columns, top + board.columns


def single_candidates(puzzle: EdgeMatchingPuzzle, *, every_turn: bool = False) -> Candidates:
    """The free pieces, each with its own type, in all different orientations (or, if `every_turn`, in all four)."""
    found, kinds = symmetries(puzzle), single_pieces(puzzle)
    if not every_turn:
        orders = [found.types[found.type_of_piece[kind.pieces[0]]].order for kind in kinds]
        kinds = tuple(
            replace(kind, order=order, turns=kind.turns[: 4 // order])
            for kind, order in zip(kinds, orders, strict=True)
        )
    return find_candidates(puzzle, kinds)


def most_blocks(candidates: Candidates, choices: Choices) -> int:
    """An upper bound of the number of blocks: a piece may be in both rows of a block."""
    return int(_Halves(candidates, choices).numbers.sum())


def fitting_blocks(candidates: Candidates, choices: Choices) -> NDArray[np.uint32]:
    """All blocks of four different pieces that fit together, as candidates, shape (n, 4)."""
    blocks = list(_Halves(candidates, choices).joined())
    return np.concatenate(blocks) if blocks else np.zeros((0, 4), dtype=np.uint32)


def _one_turn_each(candidates: Candidates, mask: int) -> NDArray[np.uint32]:
    """The blocks with borders on the sides in `mask`, one of each that are turns of each other."""
    beside = [mask & (1 << quadrant | 1 << (quadrant + 3) % 4) for quadrant in range(4)]
    top_left, top_right, bottom_right, bottom_left = map(candidates.with_borders, beside)
    choices = top_left, top_right, bottom_right, bottom_left
    most = most_blocks(candidates, choices)
    if most > _MOST_LISTED:
        raise PuzzleError(f"up to {most} {border_class(mask)} blocks of 2x2; at most {_MOST_LISTED} can be listed")
    quads = fitting_blocks(candidates, choices)
    # Each piece is the only one of its type.
    pieces = candidates.of_type[quads]
    alike = [turns for turns in range(4) if _turned_mask(mask, turns) == mask]
    return quads[(pieces[:, :1] <= pieces[:, [-turns % 4 for turns in alike]]).all(axis=1)]


def _turned_mask(mask: int, turns: int) -> int:
    return (mask << turns | mask >> (4 - turns)) & 15


class _Halves:
    """The upper and the lower halves of blocks, which are pairs of pieces, and which of them fit together.

    Attributes:
    - `numbers`: for each upper half, the number of lower halves that fit.
    """

    def __init__(self, candidates: Candidates, choices: Choices) -> None:
        self._of_type = candidates.of_type
        self._upper = _pairs(candidates, choices[_TOP_LEFT], choices[_TOP_RIGHT])
        lower = _pairs(candidates, choices[_BOTTOM_LEFT], choices[_BOTTOM_RIGHT])
        above = _pair_codes(candidates.mates[self._upper, DOWN], candidates.colors)
        below = _pair_codes(candidates.sides[lower, UP], candidates.colors)
        by_code = np.argsort(below, kind="stable")
        self._lower, below = lower[by_code], below[by_code]
        self._first = np.searchsorted(below, above, side="left")
        self.numbers = np.searchsorted(below, above, side="right") - self._first

    def joined(self) -> Iterator[NDArray[np.uint32]]:
        """The blocks of four different pieces, some at a time."""
        ends = np.cumsum(self.numbers)
        start = 0
        while start < len(ends):
            before = ends[start] - self.numbers[start]
            stop = max(start + 1, int(np.searchsorted(ends, before + _AT_A_TIME, side="right")))
            yield self._some(slice(start, stop))
            start = stop

    def _some(self, some: slice) -> NDArray[np.uint32]:
        """The blocks of some of the upper halves."""
        upper, lower = ranges(self._first[some], self.numbers[some])
        quads = np.concatenate((self._upper[some][upper], self._lower[lower][:, ::-1]), axis=1)
        types = self._of_type[quads]
        different = (types[:, :2, None] != types[:, None, 2:]).all(axis=(1, 2))
        return quads[different].astype(np.uint32)


def _pairs(candidates: Candidates, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs of different adjacent pieces that fit together, as candidates, shape (n, 2)."""
    one, other = joined(candidates.mates[left, RIGHT], candidates.sides[right, LEFT])
    pairs = np.stack((left[one], right[other]), axis=1)
    return pairs[candidates.of_type[pairs[:, 0]] != candidates.of_type[pairs[:, 1]]]


def _pair_codes(colors: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """One number for two colours, shape (n, 2)."""
    return colors[:, 0] * (number + 1) + colors[:, 1]
