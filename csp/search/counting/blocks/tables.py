"""The tables of the counting method `blocks`: lists of 2x2 blocks by the codes of the left and the lower block."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ....puzzles.board import DOWN, LEFT, RIGHT, UP, Board
from ....puzzles.candidates import Candidates, Fits
from ....puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ....puzzles.orders import rowscan
from ....puzzles.symmetry import Anchor, PieceType, Symmetries, find_anchors
from .two_by_two import Choices, compound_board, fitting_blocks, most_blocks

MOST_MIB = 1024
# The memory to make a block, in addition to its mask: itself, its codes, and numbers to sort it by.
_BYTES_A_BLOCK = 80
# The number of blocks that are processed at a time while the tables are made, which bounds the memory.
_AT_A_TIME = 1 << 18


class BlockTables(NamedTuple):
    """The tables of the kernels; see `kernel`."""

    lanes: tuple[int, ...]
    several: tuple[int, ...]
    records: NDArray[np.uint64]
    start: NDArray[np.uint32]
    base: NDArray[np.uint64]
    stride: NDArray[np.uint64]
    left: NDArray[np.uint64]
    below: NDArray[np.uint64]


def anchored_sites(puzzle: EdgeMatchingPuzzle, found: Symmetries, candidates: Candidates) -> list[list[Choices]]:
    """The sites for each square where the anchor may lie; the anchor is the one with the fewest first blocks."""
    order = [square for site in block_sites(puzzle) for square in squares_of_block(puzzle.board, site)]
    # Turns of a board with even sides move all squares, so the borders determine the anchor's turns.
    anchors = [
        replace(anchor, squares=tuple((square, (0, 1, 2, 3)) for square, _ in anchor.squares))
        for anchor in find_anchors(puzzle, found, tuple(order))
    ]
    every = [
        [sites_of(puzzle, candidates, anchor, choice) for choice in range(len(anchor.squares))] for anchor in anchors
    ]
    return min(every, key=lambda walks: sum(most_blocks(candidates, sites[0]) for sites in walks), default=[])


def squares_of_block(board: Board, site: int) -> tuple[int, int, int, int]:
    """The squares of a block on the board of blocks, clockwise from the top left."""
    row, column = divmod(site, board.columns // 2)
    top = board.square(2 * row, 2 * column)
    return top, top + 1, top + 1 + board.columns, top + board.columns


def block_sites(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The places of blocks, by depth."""
    return tuple(rowscan(compound_board(puzzle.board)))


def sites_of(
    puzzle: EdgeMatchingPuzzle, candidates: Candidates, anchor: Anchor | None = None, choice: int = 0
) -> list[Choices]:
    """For each depth, the candidates for each square of its block; the anchor lies on its square number `choice`."""
    fits = Fits(puzzle, candidates, anchor, choice)
    piece_of = np.array([kind.pieces[0] for kind in candidates.kinds])[candidates.of_type]
    free = ~np.isin(piece_of, [fixed.piece for fixed in puzzle.fixed])

    def as_indices(sides: Sides) -> list[int]:
        return [candidates.color_index.get(color, -1) for color in sides]

    def choices(square: int) -> NDArray[np.int64]:
        placed = puzzle.fixed_board[square]
        if placed is None:
            return np.flatnonzero(fits.fitting(fits.asked(square)) & free)
        shown = (candidates.sides == as_indices(puzzle.shown(placed))).all(axis=1)
        return np.flatnonzero(shown & (piece_of == placed.piece))[:1]

    sites = []
    for site in block_sites(puzzle):
        one, two, three, four = map(choices, squares_of_block(puzzle.board, site))
        sites.append((one, two, three, four))
    return sites


class _Kind(NamedTuple):
    """Sites that admit the same blocks: candidates for each square, and whether blocks lie on the left and below."""

    choices: Choices
    on_left: bool
    is_below: bool

    def key(self) -> tuple[object, ...]:
        return *(choice.tobytes() for choice in self.choices), self.on_left, self.is_below


def _kinds(sites: list[Choices], columns: int) -> list[_Kind]:
    """The kind of the site at each depth."""
    return [_Kind(site, depth % columns > 0, depth >= columns) for depth, site in enumerate(sites)]


def build_block_tables(
    puzzle: EdgeMatchingPuzzle, candidates: Candidates, types: tuple[PieceType, ...], walks: list[list[Choices]]
) -> BlockTables:
    """The tables of a search with the given candidates for each walk and depth, with pieces of a type in order.

    Raises EngineError if they would be too large.
    """
    columns = puzzle.columns // 2
    walked = [_kinds(sites, columns) for sites in walks]
    kinds = {kind.key(): kind for of_depth in walked for kind in of_depth}
    numbering = _Numbering(candidates, types)
    most = sum(most_blocks(candidates, kind.choices) for kind in kinds.values())
    size = most * (numbering.bytes_a_block + _BYTES_A_BLOCK)
    _refuse_large(size, most)
    quads = {key: numbering.in_order(fitting_blocks(candidates, kind.choices)) for key, kind in kinds.items()}
    across = _Numbers(candidates, quads.values(), RIGHT, LEFT)
    upwards = _Numbers(candidates, quads.values(), UP, DOWN)
    shape = {
        key: (upwards.size if kind.is_below else 1, across.size if kind.on_left else 1) for key, kind in kinds.items()
    }
    _refuse_large(size + sum(4 * high * wide for high, wide in shape.values()), most)

    number = sum(map(len, quads.values()))
    records = np.empty((number, numbering.words * (2 if numbering.several else 1) + 1), dtype=np.uint64)
    starts, base, entries, laid = [], {}, 0, 0
    for key, kind in kinds.items():
        high, wide = shape[key]
        asked = np.zeros(len(quads[key]), dtype=np.int64)
        if kind.is_below:
            asked += wide * upwards.shown_by(quads[key])
        if kind.on_left:
            asked += across.shown_by(quads[key])
        numbers = np.bincount(asked, minlength=high * wide)
        starts.append((laid + np.cumsum(numbers) - numbers).astype(np.uint32))
        in_lists = quads.pop(key)[np.argsort(asked, kind="stable")]
        for first in range(0, len(in_lists), _AT_A_TIME):
            some = in_lists[first : first + _AT_A_TIME]
            here = slice(laid + first, laid + first + len(some))
            records[here, :-1] = numbering.words_of(some)
            records[here, -1] = upwards.asked_by(some) << 32 | across.asked_by(some)
        base[key], entries, laid = entries, entries + high * wide, laid + len(in_lists)
    of_depth = walked[0]
    none = len(of_depth)
    return BlockTables(
        tuple(range(numbering.words)),
        (0,) if numbering.several else (),
        records.ravel(),
        np.append(np.concatenate(starts), np.uint32(laid)),
        np.array([[base[kind.key()] for kind in kinds_of_walk] for kinds_of_walk in walked], dtype=np.uint64),
        np.array([shape[kind.key()][1] for kind in of_depth], dtype=np.uint64),
        np.array([depth - 1 if kind.on_left else none for depth, kind in enumerate(of_depth)], dtype=np.uint64),
        np.array([depth - columns if kind.is_below else none for depth, kind in enumerate(of_depth)], dtype=np.uint64),
    )


class _Numbers:
    """Codes for the compound sides in one direction: those that some block shows, and one code for all others.

    A compound side has the code of what it shows, or of what the other block must show; on the border the code has no
    meaning.

    - `candidates`, `lists`: the blocks.
    - `asking`, `showing`: the side of a block that needs a code, and the side of the next block that shows it.
    """

    def __init__(self, candidates: Candidates, lists: Iterable[NDArray[np.uint32]], asking: int, showing: int) -> None:
        self._candidates, self._asking, self._showing = candidates, asking, showing
        self._radix = candidates.colors + 1
        codes = [np.unique(self._codes_shown(quads)) for quads in lists]
        # The last one is for all that are not shown.
        self._known = np.append(np.unique(np.concatenate(codes)), np.iinfo(np.int64).max)
        self.size = len(self._known)

    def shown_by(self, quads: NDArray[np.uint32]) -> NDArray[np.int64]:
        return self._numbers_of(self._codes_shown(quads))

    def asked_by(self, quads: NDArray[np.uint32]) -> NDArray[np.int64]:
        first, second = quads[:, self._asking], quads[:, (self._asking + 1) % 4]
        return self._numbers_of(self._codes(self._candidates.mates[:, self._asking], first, second))

    def _numbers_of(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        numbers = np.searchsorted(self._known, codes)
        numbers[self._known[numbers] != codes] = self.size - 1
        return numbers

    def _codes_shown(self, quads: NDArray[np.uint32]) -> NDArray[np.int64]:
        # Clockwise, the two facing sides run in opposite directions.
        first, second = quads[:, (self._showing + 1) % 4], quads[:, self._showing]
        return self._codes(self._candidates.sides[:, self._showing], first, second)

    def _codes(
        self, colors: NDArray[np.int64], first: NDArray[np.uint32], second: NDArray[np.uint32]
    ) -> NDArray[np.int64]:
        return (colors[first] + 1) * self._radix + colors[second] + 1


class _Numbering:
    """The free pieces as bits of masks; identical ones are adjacent and placed in that order.

    Attributes:
    - `words`, `bytes_a_block`: the number of words of a mask, and of bytes for the pieces of a block.
    - `several`: whether there are identical pieces.
    """

    def __init__(self, candidates: Candidates, types: tuple[PieceType, ...]) -> None:
        places = {piece: (number, rank) for number, of in enumerate(types) for rank, piece in enumerate(of.pieces)}
        self.words = max(1, -(-len(places) // 64))
        self.several = len(places) > len(types)
        self.bytes_a_block = 8 * self.words * (2 if self.several else 1)
        # Fixed pieces have no bits, and each has its own type.
        pieces = [kind.pieces[0] for kind in candidates.kinds]
        of_kind = [places.get(piece, (len(types) + piece, 0)) for piece in pieces]
        self._type, self._rank = np.array(of_kind, dtype=np.int64)[candidates.of_type].T
        bit = {piece: number for number, piece in enumerate(piece for of in types for piece in of.pieces)}
        own = np.zeros((len(pieces), self.words), dtype=np.uint64)
        for kind, piece in enumerate(pieces):
            if piece in bit:
                own[kind, bit[piece] // 64] = 1 << bit[piece] % 64
        earlier = np.zeros_like(own)
        kind_of = {piece: kind for kind, piece in enumerate(pieces)}
        for of in types:
            for before, piece in pairwise(of.pieces):
                earlier[kind_of[piece]] = earlier[kind_of[before]] | own[kind_of[before]]
        self._own, self._earlier = own[candidates.of_type], earlier[candidates.of_type]

    def in_order(self, quads: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The blocks whose identical pieces are consecutive, without gaps, clockwise from the top left."""
        if not self.several:
            return quads
        kept = np.ones(len(quads), dtype=bool)
        types, ranks = self._type[quads], self._rank[quads]
        for later in range(1, 4):
            same = types[:, :later] == types[:, later, None]
            # The last piece of the same type before this one, if any, must be its predecessor.
            expected = np.where(same, ranks[:, :later] + 1, -1).max(axis=1)
            kept &= (expected < 0) | (expected == ranks[:, later])
        return quads[kept]

    def words_of(self, quads: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """The masks of blocks and, with identical pieces, the needed bits, in the form of the kernels."""
        own: NDArray[np.uint64] = np.bitwise_or.reduce(self._own[quads], axis=1)
        if not self.several:
            return own
        earlier: NDArray[np.uint64] = np.bitwise_or.reduce(self._earlier[quads], axis=1)
        return np.concatenate((np.bitwise_or(own, earlier), earlier & ~own), axis=1)


def _refuse_large(size: int, blocks: int) -> None:
    if size > MOST_MIB << 20:
        raise EngineError(f"method blocks: up to {blocks} blocks would take {size >> 20} MiB; the limit is {MOST_MIB}")
