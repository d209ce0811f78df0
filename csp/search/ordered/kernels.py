"""The tables of all kernels, and the plain search kernels for staircase orders and for any order.

`slip_kernel` has a kernel for slip arrays.  Quicker ones do most of the work of these: `quick_kernel` for both,
`rowscan_kernel` for row by row.

For every depth there is a table that leads from the colours known around its square to the list of the candidates
that fit there.  Sides that face the border or a fixed piece never change, so they select candidates when the table is
built; depths at which the same sides are known share a table.

Where slips allow invalid joins, a depth has several *passes*, each for the candidates that match all known sides but a
given set, which they must not match: first the candidates that match everywhere, then those with one invalid join, and
so on.  Every candidate is in one pass only.  Without slips a depth has one pass.

All walk the same tree: candidates in the order of their list, a node for each piece placed.

Data layout (all arrays flat, all integers unsigned; d is a depth, 0-based)

- The lists of candidates are contiguous; a *position* is the index of a candidate.
- ``available[t]`` is the number of pieces of type t that are not on the board.
- ``nodes[d]`` is the number of nodes so far.
- ``rows`` takes the positions of the candidates, one row per solution; it may be empty.
- ``cursor`` is the state of the search: depth, position, rows written, nodes left of the budget; and its floor, the
  number of first depths whose candidates do not change.
- ``state`` has four entries for each depth above the current one; the last is the position of its candidate.

Invariant between two steps: the candidates of the depths above the current one are on the board, their types are taken
from `available`, and every candidate before the current position in the current list has been dealt with.  A kernel
stops only there, so that it can be resumed with the same arrays.  It stops when the tree beyond the floor is
exhausted, the budget is spent, `rows` is full, or a piece is about to be placed at depth `deep` or deeper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import inner_kernel, kernel, separate_kernel
from ...puzzles.board import DOWN, LEFT, RIGHT, UP, opposite
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.slips import InvalidJoins, Slips, allowed
from ...puzzles.symmetry import Anchor, Asked, Candidates, Fits, lists_by_key, packed
from ..shared_tree import BUDGET, BUDGET_SPENT, DEEPER, DEPTH, EXHAUSTED, FLOOR, ROWS_FULL, RUNNING, WRITTEN

STATE_SIZE = 4
POSITION = 1

_0, _1, _2, _3, _4, _8, _32, _63 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 8, 32, 63))
_LOW, _LOW_HALF = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)


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
    first, passes, all_broken, asked = [0], [], [], []
    for depth in range(len(free)):
        most = InvalidJoins(allowed(slips, fixed + depth + 1), allowed(frame_slips, fixed + depth + 1))
        for broken in shapes.passes(depth, most):
            shape = shapes.at(depth, broken)
            if not broken:
                asked.append(shape.asked)
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
            four = zip(*columns, *[(0, 0, 0)] * (4 - len(columns)), strict=True)
            invalid = len(broken), shapes.along(depth, broken)
            passes.append((base, *four, len(key.strides), len(shape.known), len(met), *invalid))
            all_broken.append(broken)
        first.append(len(passes))
    arrays = (np.array(numbers, dtype=np.uint64) for numbers in (first, *zip(*passes, strict=True)))
    lists = np.concatenate(entries), np.concatenate(index)
    return OrderedTables(free, *lists, tuple(asked), *arrays, broken=tuple(all_broken))


def turned_by(borders: int, colored: tuple[int, ...]) -> int:
    """The rotation of a square in quarter turns, determined by its borders or else by the sides with known colours.

    Squares that differ only by such a turn have the same candidates, turned, in the same order.
    """
    if borders:
        return min(range(4), key=lambda turns: (borders >> turns | borders << 4 - turns) & 15)
    firsts = [side for side in colored if (side - 1) % 4 not in colored]
    return (max(firsts, default=DOWN) - DOWN) % 4


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
        if most.total == 0:
            yield ()
            return
        square, board = self._free[depth], self._puzzle.board
        breakable = [
            join.side
            for join in board.joins_of(square)
            if most[self._puzzle.is_frame_join(join)] > 0
            and (self._puzzle.fixed_board[join.second] is not None or self._depth_of.get(join.second, depth) < depth)
        ]
        for number in range(min(most.total, len(breakable)) + 1):
            for broken in combinations(breakable, number):
                along = self.along(depth, broken)
                if number - along <= most.inner and along <= most.frame:
                    yield broken

    def along(self, depth: int, sides: tuple[int, ...]) -> int:
        """How many of the sides lie along the frame."""
        joins = self._puzzle.board.joins_of(self._free[depth])
        return sum(self._puzzle.is_frame_join(join) for join in joins if join.side in sides)

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


class Lists(NamedTuple):
    """The candidates and their lists, as the kernels for any order read them."""

    types: NDArray[np.uint16]
    sides: NDArray[np.uint64]
    mates: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    base: NDArray[np.uint64]
    neighbour: NDArray[np.uint64]
    shift: NDArray[np.uint64]
    stride: NDArray[np.uint64]
    lane: NDArray[np.uint64]
    keyed: NDArray[np.uint64]
    known: NDArray[np.uint64]


def lists_of(candidates: Candidates, tables: OrderedTables) -> Lists:
    """The candidates and their lists for the kernels."""
    types, sides, mates = described(candidates, tables)
    around = neighbours_of(tables)
    return Lists(types.astype(np.uint16), sides, mates, tables.index, tables.base, *around, tables.keyed, tables.known)


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


@inner_kernel
def write_row(state, rows, row, last, position):
    """Write the positions of a solution's candidates into a row."""
    for d in range(last):
        rows[row, d] = state[_4 * d + _3]
    rows[row, last] = position


@kernel
def search_staircase(words, layout, tables, plan, available, state, nodes, cursor, rows, deep):
    """Continue a search in which only lower and left neighbours are known.

    - ``words[position]`` is a candidate: from the lowest bit its type, its right colour, and its upper colour times
      the number of colours, each as wide as `layout` says.  In `state` the latter two come second and first.  A list
      ends with a type that has all bits set and is always available.
    - ``tables[key]`` is the position of a list, times 2^32, plus the first word there: the chain of loads from key to
      availability limits the speed, and this saves one of them.
    - ``plan[5 * d:]`` describes how to make the key of depth d: base; where in `state` the colours of the lower and the
      left neighbour are (or an entry that stays 0); and, because the neighbour at depth d - 1 is usually one of them
      and everything else is the same for all candidates there, the shift of its word, and a mask.  The constant part is
      the third entry of `state`.

    The next list is scanned before the candidate is placed, so that nothing has to be undone if it has no candidate;
    the candidate's own type counts as one less there.
    """
    last = np.uint64(len(nodes) - 1)
    special = min(last, deep)
    # If a search begins as deep as that, there are no candidates above.
    if cursor[DEPTH] >= deep and _stands_at_candidate(words, layout[0], available, cursor):
        return BUDGET_SPENT if cursor[BUDGET] == _0 else DEEPER
    while True:
        if cursor[DEPTH] == last:
            stopped = _leaves(words, layout[0], available, state, nodes, cursor, rows, deep)
            if stopped != RUNNING:
                return stopped
        stopped = _climb(words, layout, tables, plan, available, state, nodes, cursor, special)
        if stopped != RUNNING:
            return stopped
        if cursor[DEPTH] >= deep:
            return BUDGET_SPENT if cursor[BUDGET] == _0 else DEEPER


@inner_kernel
def _stands_at_candidate(words, type_mask, available, cursor):
    """Whether a piece can be placed at the current depth; moves the position to the first such candidate."""
    i = cursor[POSITION]
    while available[np.uint64(words[i]) & type_mask] == 0:
        i += _1
    cursor[POSITION] = i
    return np.uint64(words[i]) & type_mask != type_mask


# Separate from the rare cases above, because a loop without calls keeps more of its values in registers.
@inner_kernel
def _climb(words, layout, tables, plan, available, state, nodes, cursor, special):
    """Continue the search above depth `special`; still running when a candidate has been found there."""
    d, i, budget, floor = cursor[DEPTH], cursor[POSITION], cursor[BUDGET], cursor[FLOOR]
    type_mask, right_mask, right_shift, up_shift = layout[0], layout[1], layout[2], layout[3]
    partial, own_shift, own_mask = _planned(plan, state, d)
    while True:
        word = np.uint64(words[i])
        p = word & type_mask
        while available[p] == 0:
            i += _1
            word = np.uint64(words[i])
            p = word & type_mask
        if p == type_mask:
            if d == floor:
                cursor[DEPTH], cursor[POSITION], cursor[BUDGET] = d, i, budget
                return EXHAUSTED
            d -= _1
            s = _4 * d
            i = np.uint64(state[s + _3])
            available[np.uint64(words[i]) & type_mask] += np.uint8(1)
            i += _1
            partial = np.uint64(state[s + _2])
            r = s + d + _8
            own_shift, own_mask = np.uint64(plan[r]), np.uint64(plan[r + _1])
            continue
        while True:
            if budget == _0:
                cursor[DEPTH], cursor[POSITION], cursor[BUDGET] = d, i, budget
                return BUDGET_SPENT
            budget -= _1
            nodes[d] += _1
            found = tables[partial + ((word >> own_shift) & own_mask)]
            next_word = found & _LOW_HALF
            j = found >> _32
            q = next_word & type_mask
            while available[q] == np.uint8(q == p):
                j += _1
                next_word = np.uint64(words[j])
                q = next_word & type_mask
            if q == type_mask:
                i += _1
                break
            available[p] -= np.uint8(1)
            s = _4 * d
            state[s] = word >> up_shift
            state[s + _1] = (word >> right_shift) & right_mask
            state[s + _2] = partial
            state[s + _3] = i
            d += _1
            i = j
            partial, own_shift, own_mask = _planned(plan, state, d)
            if d >= special:
                cursor[DEPTH], cursor[POSITION], cursor[BUDGET] = d, i, budget
                return RUNNING
            word = next_word
            p = q


@separate_kernel
def _planned(plan, state, d):
    """The partial key of depth d + 1, and what to take from the word of the candidate at depth d."""
    r = _4 * d + d + np.uint64(5)
    partial = np.uint64(plan[r])
    partial += np.uint64(state[np.uint64(plan[r + _1])]) + np.uint64(state[np.uint64(plan[r + _2])])
    return partial, np.uint64(plan[r + _3]), np.uint64(plan[r + _4])


@kernel
def recall_staircase(words, layout, plan, state, cursor):
    """Write the entries of `state` for the depths above, apart from the positions."""
    for d in range(cursor[DEPTH]):
        s = _4 * d
        word = np.uint64(words[np.uint64(state[s + _3])])
        state[s], state[s + _1] = word >> layout[3], (word >> layout[2]) & layout[1]
        state[s + _2] = _planned(plan, state, d)[0]


@separate_kernel
def _leaves(words, type_mask, available, state, nodes, cursor, rows, deep):
    """Continue through a list of the last depth; still running at its end."""
    last = np.uint64(len(nodes) - 1)
    i, written, budget = cursor[POSITION], cursor[WRITTEN], cursor[BUDGET]
    stopped = RUNNING
    while stopped == RUNNING:
        p = np.uint64(words[i]) & type_mask
        if p == type_mask:
            break
        if available[p] != 0:
            if budget == _0 or last >= deep:
                stopped = BUDGET_SPENT if budget == _0 else DEEPER
                break
            budget -= _1
            nodes[last] += _1
            if len(rows) > 0:
                write_row(state, rows, written, last, i)
                written += _1
                if written == len(rows):
                    stopped = ROWS_FULL
        i += _1
    cursor[POSITION], cursor[WRITTEN], cursor[BUDGET] = i, written, budget
    return stopped


@kernel
def search_any_order(lists, reachable, available, shown, state, nodes, cursor, rows, deep):
    """Continue a search in which any neighbours are known.

    - ``types``, ``sides`` and ``mates`` describe the candidate at each position: its type, the four colours that it
      shows and the four that fit onto them, 16 bits each.  A list ends with a type of its own, always available.
    - Bit t of ``reachable[key]`` is set if type t occurs in the list of that key, bit t of `free` if type t is
      available: a list without a free type need not be entered.
    - ``shown[d]`` is the entry of `sides` of the candidate at depth d.
    - ``neighbour``, ``shift``, ``stride`` and ``lane`` have four entries per depth, one for each known neighbour: its
      depth, and where its colour is in `shown`.  The first ``keyed[d]`` neighbours make the key, a colour times its
      stride each: ``index[base[d] + key]`` is the position of a list.  The others are compared: `wanted` has their
      colours in their lanes, `cared` ones.
    """
    types, sides, mates, index, base, neighbour, shift, stride, lane, keyed, known = lists
    d, i, written, budget = cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET]
    floor = cursor[FLOOR]
    last = np.uint64(len(nodes) - 1)
    end = np.uint64(len(available) - 1)
    room = np.uint64(len(rows))
    # With more types than bits only type 0 would be recorded; `reachable` is all ones then, so that nothing is missed.
    bits = _63 if end <= 64 else _0
    free = ~_0
    for t in range(min(end, np.uint64(64))):
        free &= ~(np.uint64(available[t] == 0) << (t & bits))
    comparing = False
    for t in range(np.uint64(len(known))):
        comparing |= keyed[t] < known[t]
    wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)
    while True:
        p = np.uint64(types[i])
        while available[p] == 0:
            i += _1
            p = np.uint64(types[i])
        if p == end:
            if d == floor:
                stopped = EXHAUSTED
                break
            d -= _1
            i = np.uint64(state[_4 * d + _3])
            p = np.uint64(types[i])
            i += _1
            available[p] += np.uint8(1)
            free |= _1 << (p & bits)
            if comparing:
                wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)
            continue
        if comparing and (mates[i] ^ wanted) & cared != _0:
            i += _1
            continue
        if budget == _0 or d >= deep:
            stopped = BUDGET_SPENT if budget == _0 else DEEPER
            break
        budget -= _1
        nodes[d] += _1
        if d == last:
            i += _1
            if room != _0:
                write_row(state, rows, written, last, i - _1)
                written += _1
                if written == room:
                    stopped = ROWS_FULL
                    break
            continue
        shown[d] = sides[i]
        e = d + _1
        r = _4 * e
        key = base[e]
        key += ((shown[neighbour[r]] >> shift[r]) & _LOW) * stride[r]
        key += ((shown[neighbour[r + _1]] >> shift[r + _1]) & _LOW) * stride[r + _1]
        if keyed[e] > _2:
            key += ((shown[neighbour[r + _2]] >> shift[r + _2]) & _LOW) * stride[r + _2]
            key += ((shown[neighbour[r + _3]] >> shift[r + _3]) & _LOW) * stride[r + _3]
        rest = free & ~(np.uint64(available[p] == 1) << (p & bits))
        if reachable[key] & rest == _0:
            i += _1
            continue
        free = rest
        available[p] -= np.uint8(1)
        state[_4 * d + _3] = i
        d = e
        i = np.uint64(index[key])
        if comparing:
            wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)
    cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET] = d, i, written, budget
    return stopped


@separate_kernel
def _compared(d, shown, neighbour, shift, lane, keyed, known):
    """The colours that a candidate at depth d is compared with, and ones in their lanes."""
    wanted, cared = _0, _0
    j = keyed[d]
    while j < known[d]:
        at = _4 * d + j
        wanted |= ((shown[neighbour[at]] >> shift[at]) & _LOW) << lane[at]
        cared |= _LOW << lane[at]
        j += _1
    return wanted, cared
