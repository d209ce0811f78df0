"""The counting method `blocks`: the board is laid in 2x2 blocks, which are all made beforehand."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import shuffled
from ...engines.request import Options
from ...puzzles.board import DOWN, LEFT, RIGHT, UP
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ...puzzles.symmetry import Anchor, Candidates, Fits, PieceType, Symmetries, find_anchors, single_pieces, symmetries
from .blocks_kernel import DEPTH, PART, BlockBoard, BlockTables, count_children, count_parts, probe, write_children
from .methods import Pause, Share, refuse_blocks
from .two_by_two import (
    Choices,
    block_sites,
    fitting_blocks,
    most_blocks,
    single_candidates,
    squares_of_block,
)

MOST_MIB = 1024
# The memory to make a block, in addition to its mask: itself, its codes, and numbers to sort it by.
_BYTES_A_BLOCK = 80
# The number of blocks that are processed at a time while the tables are made, which bounds the memory.
_AT_A_TIME = 1 << 18


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


def build_block_tables(
    puzzle: EdgeMatchingPuzzle, candidates: Candidates, types: tuple[PieceType, ...], walks: list[list[Choices]]
) -> BlockTables:
    """The tables of a search with the given candidates for each walk and depth, with pieces of a type in order.

    Raises EngineError if they would be too large.
    """
    columns = puzzle.columns // 2
    walked = [
        [_Kind(site, depth % columns > 0, depth >= columns) for depth, site in enumerate(sites)] for sites in walks
    ]
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


# A slice of the kernel: the number of blocks examined, a tenth of a second or less.
_SLICE = 1 << 26
_ENOUGH_PARTS, _MOST_PARTS = 10_000, 1 << 21
_PROBES = 10_000
_SEED = 1


class Blocks:
    """Counting with 2x2 blocks, row by row of blocks from the bottom left.

    Rows run along the shorter side of the board.  A part is a way to lay the first few blocks.

    - `puzzle`: a puzzle whose board has even sides and whose orbits are all alike.
    - `options`: only `symmetry` is used.

    Attributes:
    - `method`, `options`, `found`, `work`: as for `Piecework`.
    - `predicted`: the predicted number of blocks placed at each depth (number of blocks on the board), by random
      descents.

    Raises EngineError if the method does not apply to the puzzle or the options.
    """

    method = "blocks"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse_blocks(puzzle, options)
        self.options: Mapping[str, object] = {"symmetry": options.symmetry}
        self.found = symmetries(puzzle)
        puzzle = puzzle.upright()
        candidates = single_candidates(replace(puzzle, fixed=()), every_turn=not options.symmetry)
        walks = [sites_of(puzzle, candidates)]
        # The number of arrangements of numbered pieces that a filling with blocks represents.
        self._each = 1
        kinds = single_pieces(puzzle)
        if options.symmetry:
            kinds = self.found.types
            self._each = self.found.identical * self.found.symmetric
            anchored = anchored_sites(puzzle, self.found, candidates)
            if anchored:
                walks = anchored
                self._each *= self.found.board
        self._tables = build_block_tables(puzzle, candidates, kinds, walks)
        self._pieces = _pieces_on_board(puzzle)
        self._squares, self._fixed = len(puzzle.board), len(puzzle.fixed)
        prefixes, self._above = self._first_blocks()
        self._prefixes = prefixes[shuffled(len(prefixes))]
        self.predicted, self.work = self._predict()

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`, as in `Piecework`."""
        depths = len(self._pieces)
        position, finish, nodes, part_nodes = np.zeros((4, depths), dtype=np.uint64)
        cursor = np.array([first, depths], dtype=np.uint64)
        state = self._board(), position, finish, nodes, part_nodes, cursor
        end = last
        while not count_parts(self._tables, self._prefixes, *state, np.uint64(end), _SLICE):
            wish = pause()
            if wish is Pause.NOW:
                break
            if wish is Pause.AFTER_PART:
                end = int(cursor[PART]) + int(cursor[DEPTH] < depths)
        done = int(cursor[PART])
        if first == 0 < done:
            nodes[: len(self._above)] += self._above
        count = int(nodes[-1]) * self._each
        return Share(first, done, self._by_pieces(nodes), count, None)

    def _by_pieces(self, nodes: NDArray[np.uint64]) -> tuple[int, ...]:
        """Blocks laid, by the number of pieces on the board; blocks of fixed pieces alone are no nodes."""
        by_pieces = [0] * self._squares
        before = self._fixed
        for pieces, number in zip(self._pieces, nodes.tolist(), strict=True):
            if pieces > before:
                by_pieces[pieces - 1] = number
            before = pieces
        return tuple(by_pieces)

    def _board(self) -> BlockBoard:
        """An empty board: used pieces and codes of sides, all 0."""
        depths = len(self._pieces)
        right, up = np.zeros((2, depths + 1), dtype=np.uint64)
        return BlockBoard(np.zeros(len(self._tables.lanes) * (depths + 1), dtype=np.uint64), right, up)

    def _first_blocks(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """All ways to place the first blocks, and the numbers of ways for fewer blocks.

        The number of blocks is the least that makes enough parts, or else the one with the most parts.
        """
        prefixes = most = np.arange(len(self._tables.base), dtype=np.uint32)[:, None]
        numbers = [len(prefixes)]
        while len(prefixes) < _ENOUGH_PARTS and prefixes.shape[1] < len(self._pieces):
            number = int(self._children(prefixes).sum())
            if not 0 < number <= _MOST_PARTS:
                break
            rows = np.empty((number, prefixes.shape[1] + 1), dtype=np.uint32)
            write_children(self._tables, prefixes, self._board(), rows)
            prefixes = rows
            most = max(most, prefixes, key=len)
            numbers.append(number)
        return most, np.array(numbers[1 : most.shape[1] - 1], dtype=np.uint64)

    def _children(self, prefixes: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """The number of blocks that can follow each prefix."""
        numbers = np.zeros(len(prefixes), dtype=np.uint64)
        count_children(self._tables, prefixes, self._board(), numbers)
        return numbers

    def _predict(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The predicted blocks at each depth and in each part, in proportion to the number that can follow there."""
        parts, top = len(self._prefixes), self._prefixes.shape[1] - 1
        chance = np.random.default_rng(_SEED)
        probed = self._prefixes[chance.integers(parts, size=_PROBES)]
        expected = np.zeros(len(self._pieces))
        probe(self._tables, probed, self._board(), chance.random((_PROBES, len(self._pieces))), expected)
        expected *= parts / _PROBES
        work = self._children(self._prefixes).astype(np.float64)
        work *= expected.sum() / max(work.sum(), 1)
        expected[:top] = [*self._above.tolist(), parts][:top]
        return expected, work + 1


def _pieces_on_board(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The number of pieces on the board after each block, including fixed ones from the beginning."""
    blocks = (squares_of_block(puzzle.board, site) for site in block_sites(puzzle))
    free = [sum(puzzle.fixed_board[square] is None for square in squares) for squares in blocks]
    return tuple(accumulate(free, initial=len(puzzle.fixed)))[1:]
