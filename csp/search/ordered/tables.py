"""The tables of the kernels: candidate lists for every depth, laid out in flat arrays.

For every depth there is a table that leads from the colours known around its square to the list of the candidates
that fit there.  Sides that face the border or a
fixed piece never change, so they select candidates when the table is built; depths at which the same sides are known
share a table.

Where slips allow invalid joins, a depth has several *passes*, each for the candidates that match all known sides but a
given set, which they must not match: first the candidates that match everywhere, then those with one invalid join, and
so on.  Every candidate is in one pass only.  Without slips a depth has one pass.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import DOWN, LEFT, RIGHT, UP, opposite
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.slips import InvalidJoins, Slips, allowed
from ...puzzles.symmetry import Anchor, Asked, Candidates, Fits, lists_by_key, packed


@dataclass(frozen=True)
class OrderedTables:
    """The flat arrays of one search; d is a depth, counted from the first square that is not fixed, s a pass."""

    #: The square of each depth.
    squares: tuple[int, ...]
    #: The lists of candidates, one after the other, as indices into `Candidates`; -1 ends a list.
    #: ``entries[0]`` is an empty list.
    entries: NDArray[np.int64]
    #: All tables in one: ``index[base[s] + key]`` is where a list starts in `entries`.
    index: NDArray[np.uint32]
    #: The constraints at each depth without invalid joins.
    asked: tuple[Asked, ...]
    #: Depth d has the passes from ``first[d]`` to ``first[d + 1] - 1``.
    first: NDArray[np.uint64]
    #: Where the table of a pass starts in `index`.
    base: NDArray[np.uint64]
    #: Shape (passes, 4), a column for each known neighbour: 4 times its depth plus the side that it shows to the
    #: square of d; what the colour there is multiplied with to make the key, or 0 if it is compared instead; the
    #: square's own side, 16 times, where it is compared.
    reference: NDArray[np.uint64]
    stride: NDArray[np.uint64]
    lane: NDArray[np.uint64]
    #: The number of these columns that make the key; that make the key or must match; and of all columns, the last
    #: ones being those that must not match.
    keyed: NDArray[np.uint64]
    known: NDArray[np.uint64]
    met: NDArray[np.uint64]
    #: The number of invalid joins of a candidate of the pass, with fixed pieces and others, and of those along the
    #: frame.
    invalid: NDArray[np.uint64]
    along: NDArray[np.uint64]
    #: Its sides in these joins.
    broken: tuple[tuple[int, ...], ...]

    def is_staircase(self, colors: int) -> bool:
        """Whether all keys are made only of the lower neighbour's upper side and the left neighbour's right side."""
        if (self.keyed < self.known).any():
            return False
        used = self.stride > 0
        sides, strides = self.reference[used] % np.uint64(4), self.stride[used]
        return bool(np.all(((sides == UP) & (strides == colors)) | ((sides == RIGHT) & (strides == 1))))

    def follows_neighbours(self) -> bool:
        """Whether most keys have a colour of the piece placed just before."""
        depth, neighbour = np.arange(len(self.squares))[:, None], self.reference.astype(np.int64) // 4
        return bool(((self.stride > 0) & (neighbour == depth - 1)).any(axis=1).mean() > 0.5)


def build_tables(
    puzzle: EdgeMatchingPuzzle,
    candidates: Candidates,
    order: tuple[int, ...],
    anchor: Anchor | None = None,
    anchor_choice: int = 0,
    slips: Slips = (),
    frame_slips: Slips = (),
) -> OrderedTables:
    """The tables of a search along `order` (fixed squares first).

    With an anchor, its piece lies only on its square number `anchor_choice`.
    """
    fixed = len(puzzle.fixed)
    free = order[fixed:]
    shapes = _PassShapes(puzzle, candidates, free, anchor, anchor_choice)
    entries: list[NDArray[np.int64]] = [np.array([-1])]
    index: list[NDArray[np.uint32]] = [np.zeros(1, dtype=np.uint32)]
    entries_end, index_end = 1, 1
    done: dict[_PassShape, tuple[int, _Key]] = {}
    first, passes, all_broken = [0], [], []
    for depth in range(len(free)):
        most = InvalidJoins(allowed(slips, fixed + depth + 1), allowed(frame_slips, fixed + depth + 1))
        for broken in shapes.passes(depth, most):
            shape = shapes.at(depth, broken)
            if shape not in done:
                rows = shapes.fitting(shape)
                key = _key(shape.known, len(rows), candidates.colors)
                starts, lists = _lists(candidates, rows, key, entries_end)
                done[shape] = index_end, key
                index.append(starts)
                entries.append(lists)
                entries_end, index_end = entries_end + len(lists), index_end + len(starts)
            base, key = done[shape]
            compared = (side for side in shape.known if side not in key.strides)
            met = (*key.strides, *compared, *shapes.not_fixed(depth, broken))
            columns = [(shapes.reference(depth, side), key.strides.get(side, 0), 16 * side) for side in met]
            invalid = len(broken), shapes.along(depth, broken)
            passes.append((base, *_padded(columns), len(key.strides), len(shape.known), len(met), *invalid))
            all_broken.append(broken)
        first.append(len(passes))
    arrays = (np.array(numbers, dtype=np.uint64) for numbers in (first, *zip(*passes, strict=True)))
    asked = tuple(shapes.at(depth, ()).asked for depth in range(len(free)))
    return OrderedTables(free, np.concatenate(entries), np.concatenate(index), asked, *arrays, broken=tuple(all_broken))


def turned_by(borders: int, colored: tuple[int, ...]) -> int:
    """The rotation of a square in quarter turns, determined by its borders or else by the sides with known colours.

    Squares that differ only by such a turn have the same candidates, turned, in the same order.
    """
    if borders:
        return min(range(4), key=lambda turns: (borders >> turns | borders << 4 - turns) & 15)
    firsts = [side for side in colored if (side - 1) % 4 not in colored]
    return (max(firsts, default=DOWN) - DOWN) % 4


def _padded(columns: list[tuple[int, int, int]]) -> Iterator[tuple[int, ...]]:
    """References, strides and lanes, four of each."""
    yield from zip(*columns, *[(0, 0, 0)] * (4 - len(columns)), strict=True)


class _PassShape(NamedTuple):
    """The constraints on a candidate in a pass, and the sides that face earlier pieces."""

    asked: Asked
    known: tuple[int, ...]


class _Key(NamedTuple):
    """The known sides that make a key, with their strides, and the number of keys; the other sides are compared."""

    strides: dict[int, int]
    size: int


class _PassShapes:
    """The constraints at each depth, and the candidates that fit."""

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        candidates: Candidates,
        free: tuple[int, ...],
        anchor: Anchor | None,
        choice: int,
    ) -> None:
        self._puzzle, self._free = puzzle, free
        self._depth_of = {square: depth for depth, square in enumerate(free)}
        self._fits = Fits(puzzle, candidates, anchor, choice)
        self._types, self._turns = candidates.of_type, candidates.turns
        self._turn_numbers = np.bincount(self._types, minlength=1)[self._types]

    def passes(self, depth: int, most: InvalidJoins) -> Iterator[tuple[int, ...]]:
        """The sets of sides that may be invalid at a depth, small ones first."""
        square, board = self._free[depth], self._puzzle.board
        breakable = [
            join.side
            for join in board.joins_of(square)
            if most[board.is_frame_join(join)] > 0
            and (self._puzzle.fixed_board[join.second] is not None or self._depth_of.get(join.second, depth) < depth)
        ]
        for number in range(min(most.total, len(breakable)) + 1):
            for broken in combinations(breakable, number):
                along = self.along(depth, broken)
                if number - along <= most.inner and along <= most.frame:
                    yield broken

    def along(self, depth: int, sides: tuple[int, ...]) -> int:
        """How many of the sides lie along the frame."""
        square, board = self._free[depth], self._puzzle.board
        return sum(board.is_frame_join(join) for join in board.joins_of(square) if join.side in sides)

    def at(self, depth: int, broken: tuple[int, ...]) -> _PassShape:
        square = self._free[depth]
        known = (
            side
            for _, side, neighbour in self._puzzle.board.joins_of(square)
            if self._depth_of.get(neighbour, depth) < depth and side not in broken
        )
        return _PassShape(self._fits.asked(square, broken), tuple(known))

    def not_fixed(self, depth: int, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Those of the sides that face no fixed piece."""
        square = self._free[depth]
        return tuple(side for side in sides if self._puzzle.board.neighbour(square, side) in self._depth_of)

    def reference(self, depth: int, side: int) -> int:
        """4 times the depth of the neighbour there plus the side that it shows to the square of `depth`."""
        neighbour = self._puzzle.board.neighbour(self._free[depth], side)
        assert neighbour is not None
        return 4 * self._depth_of[neighbour] + opposite(side)

    def fitting(self, shape: _PassShape) -> NDArray[np.int64]:
        """The candidates that a shape admits, for any colours of its known sides."""
        rows = np.flatnonzero(self._fits.fitting(shape.asked))
        colored = (*shape.known, *(side for side, _, matching in shape.asked.facing_fixed if matching))
        turns = self._turns[rows] - (0 if shape.asked.is_anchor_square else turned_by(shape.asked.borders, colored))
        return rows[np.lexsort((turns % self._turn_numbers[rows], self._types[rows]))]


def _key(known: tuple[int, ...], rows: int, colors: int) -> _Key:
    """Which known sides make the key: as many as a table not much larger than its content allows."""
    limit = 64 * rows + 4096
    if set(known) <= {DOWN, LEFT} and colors**2 <= limit:
        # The same strides at all depths, so that the fast path can multiply beforehand.
        strides = {side: {LEFT: 1, DOWN: colors}[side] for side in known}
        return _Key(strides, colors**2 if known else 1)
    strides = {}
    size = 1
    for side in known:
        if size * colors <= limit:
            strides[side] = size
            size *= colors
    return _Key(strides, size)


def _lists(
    candidates: Candidates, rows: NDArray[np.int64], key: _Key, offset: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The table of a shape: where each key's list starts in `OrderedTables.entries` (0: empty), and the lists."""
    keys = np.zeros(len(rows), dtype=np.int64)
    for side, step in key.strides.items():
        keys += candidates.mates[rows, side] * step
    found, first, lists = lists_by_key(rows, keys, -1)
    starts = np.zeros(key.size, dtype=np.uint32)
    starts[found] = offset + first
    return starts, lists


def described(candidates: Candidates, tables: OrderedTables) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """For the candidate at each position: its type, its colours, and those that fit onto them."""
    types = by_position(tables.entries, candidates.of_type, len(candidates.kinds))
    sides, mates = (
        packed(np.maximum(by_position(tables.entries, of, 0), 0)) for of in (candidates.sides, candidates.mates)
    )
    return types, sides, mates


def neighbours_of(tables: OrderedTables) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The depth of each neighbour, the position of its colour in a word, its stride, and its lane."""
    depth, side = np.divmod(tables.reference.ravel(), np.uint64(4))
    return depth, side * np.uint64(16), tables.stride.ravel(), tables.lane.ravel()


def available_of(candidates: Candidates, size: int) -> NDArray[Any]:
    """The number of pieces of each type, then ones; with as few bytes as possible, which is faster."""
    numbers = [len(kind.pieces) for kind in candidates.kinds]
    available = np.ones(size, dtype=np.min_scalar_type(max(numbers)))
    available[: len(numbers)] = numbers
    return available


def by_position(entries: NDArray[np.int64], values: NDArray[np.int64], at_list_end: int) -> NDArray[np.int64]:
    """Data of each candidate, by the positions of the lists."""
    spread = np.full((len(entries), *values.shape[1:]), at_list_end, dtype=np.int64)
    spread[entries >= 0] = values[entries[entries >= 0]]
    return spread
