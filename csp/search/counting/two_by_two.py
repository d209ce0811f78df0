"""Compound pieces: blocks of 2x2 pieces that fit together and fill a board with even sides.

The pieces of a block are numbered clockwise from its top left, so that turning the block rolls them by one.  Read
clockwise, too, its side s is a pair of colours: side s of its pieces s and s + 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...base.errors import PuzzleError
from ...puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP, Board, border_class
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


@dataclass(frozen=True)
class CompoundPieces:
    """The blocks of one class, each in one of its four turns.

    Their borders are those of the least border mask of the class; if several turns have them, the least of the pieces
    that can be at the top left is there.
    """

    #: Shape (n, 4): the pieces of each block (0-based), and how far they are turned.  A symmetric piece is turned no
    #: further than it takes to show each of its looks once.
    pieces: NDArray[np.uint32]
    rotations: NDArray[np.uint8]
    #: Shape (n, 4, 2): the colours of the four compound sides.
    sides: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True)
class CompoundPuzzle:
    """A board of blocks, and all blocks of four free pieces that fit together and can lie on it."""

    #: The size of the board, in blocks.
    rows: int
    columns: int
    #: The blocks of each class that occurs on this board: corner, edge and inner, or strip, end and single.
    blocks: Mapping[str, CompoundPieces]

    @property
    def numbers(self) -> dict[str, int]:
        """The number of blocks of each class."""
        return {name: len(blocks) for name, blocks in self.blocks.items()}


def compound_puzzle(puzzle: EdgeMatchingPuzzle) -> CompoundPuzzle:
    """The compound puzzle of a puzzle whose board has even sides; fixed pieces are in no block.

    Raises PuzzleError if a side of the board is odd, or there may be more than 50 million blocks of a class.

    Examples
    --------
    >>> from jigsat.csp.make.edge_matching import deal_edge_matching
    >>> compound_puzzle(deal_edge_matching(6, 6, 4, 8).puzzle).numbers
    {'corner': 65, 'edge': 388, 'inner': 522}
    """
    board = compound_board(puzzle.board)
    candidates = single_candidates(puzzle)
    masks = sorted({_least_turn(board.border_mask(square)) for square in range(len(board))}, reverse=True)
    blocks = {border_class(mask): _one_turn_each(puzzle, candidates, mask) for mask in masks}
    return CompoundPuzzle(board.rows, board.columns, blocks)


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


def _one_turn_each(puzzle: EdgeMatchingPuzzle, candidates: Candidates, mask: int) -> CompoundPieces:
    """The blocks with borders on the sides in `mask`, one of each that are turns of each other."""
    beside = [mask & (1 << quadrant | 1 << (quadrant + 3) % 4) for quadrant in range(4)]
    top_left, top_right, bottom_right, bottom_left = map(candidates.with_borders, beside)
    choices = top_left, top_right, bottom_right, bottom_left
    most = most_blocks(candidates, choices)
    if most > _MOST_LISTED:
        raise PuzzleError(f"up to {most} {border_class(mask)} blocks of 2x2; at most {_MOST_LISTED} can be listed")
    quads = fitting_blocks(candidates, choices)
    # Each piece is the only one of its type.
    piece_of = np.array([kind.pieces[0] for kind in candidates.kinds], dtype=np.uint32)[candidates.of_type]
    pieces = piece_of[quads]
    alike = [turns for turns in range(4) if _turned_mask(mask, turns) == mask]
    kept = (pieces[:, :1] <= pieces[:, [-turns % 4 for turns in alike]]).all(axis=1)
    quads, pieces = quads[kept], pieces[kept]
    color_at = np.append(np.array(list(candidates.color_index), dtype=np.int64), BORDER)
    shown = color_at[candidates.sides[quads]]
    sides = np.stack([np.stack((shown[:, s, s], shown[:, (s + 1) % 4, s]), axis=1) for s in range(4)], axis=1)
    return CompoundPieces(pieces, candidates.turns[quads].astype(np.uint8), sides)


def _turned_mask(mask: int, turns: int) -> int:
    return (mask << turns | mask >> (4 - turns)) & 15


def _least_turn(mask: int) -> int:
    return min(_turned_mask(mask, turns) for turns in range(4))


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
