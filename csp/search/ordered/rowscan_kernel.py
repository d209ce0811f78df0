"""A quick kernel for rowscan and similar orders, which continues a search of `search_staircase` as far as it can."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import lowest, ones
from ...base.compiled import inner_kernel, kernel, separate_kernel
from ...puzzles.board import RIGHT, UP
from ...puzzles.symmetry import Candidates
from .kernels import BUDGET, DEPTH, FLOOR, POSITION, OrderedTables

# The largest number of candidates in a list, and of lists with a type.
_LONGEST, _SLOTS, _FRAME = 16, 4, 4
_Array = NDArray[Any]
# The entries of a depth in `frames`.
_PARTIAL, _ONWARD, _PLACED, _NODES = (np.uint64(i) for i in range(4))

_0, _1, _2, _3, _4, _16, _32, _48 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 16, 32, 48))
_LOW, _LOW_HALF, _BELOW_TOP = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFFFFFF)


class RowscanTables(NamedTuple):
    """The tables that only `sprint` needs."""

    cards: _Array
    own: _Array
    lists: _Array
    starts: _Array
    flips: _Array
    frames: _Array
    repeated: bool


@kernel
def sprint(tables, words, layout, available, state, nodes, cursor, rows, deep):
    """Continue like `search_staircase`, but stop anywhere before the budget is spent or a rare case occurs.

    Numbers of sixteen bits are packed, the first one lowest; in `cards` and in a frame's first entry the last is wide.

    - ``cards[position]`` is a candidate: its type, its right colour, its upper colour times the number of colours.
    - ``lists[key]`` has, after sixteen unused bits, a bit for each candidate in the list of that key whose type
      is available, in the order of the list; ``starts[key]`` is the position of the list.
    - ``flips[4 * t:]`` are the candidates of type t: key and bit.  XOR takes them out of `lists` and puts them back.
    - ``own[position]`` has key and bit of up to two candidates of the same type in lists that may come next.  They are
      not free there if no other piece is of that type; ``repeated`` is whether types have several pieces.
    - ``frames[4 * d:]`` has of depth d: the part of its key that is known before depth d - 1 is, and a mask for the
      right colour there, which makes the rest; this for the depth above d, less the upper colour, and that depth; of
      the candidate placed the bits of those after it in its list, the list's position, its type and its position; and
      nodes.
    - The other arrays are those of `search_staircase`.

    Nodes are counted when their list is entered, so in between they are ahead of the search by the bits that `frames`
    and `rest` have.  Between two calls they are not, and `lists` are those of the empty board.
    """
    cards, own, lists, starts, flips, frames, repeated = tables
    last = np.uint64(len(nodes) - 1)
    special = min(last, deep)
    # All nodes that are counted in advance at the start must fit into the budget.
    if cursor[DEPTH] >= special or cursor[BUDGET] < _16 * np.uint64(len(nodes)):
        return
    _enter(cards, lists, starts, flips, frames, repeated, available, state, cursor)
    leaves = deep > last and len(rows) == 0
    if repeated:
        _run(cards, own, lists, starts, flips, frames, available, cursor, _4 * special, leaves)
    else:
        _run(cards, own, lists, starts, flips, frames, None, cursor, _4 * special, leaves)
    _leave(words, layout, lists, flips, frames, repeated, available, state, nodes, cursor)


@separate_kernel
def _run(cards, own, lists, starts, flips, frames, counts, cursor, special, leaves):
    """The search itself; `counts` are those of the types, or empty if each has one piece.

    Frame f is that of the current depth; its current candidate is still in `rest`.
    """
    f, floor, left = _4 * cursor[DEPTH], _4 * cursor[FLOOR], cursor[BUDGET]
    rest, start = frames[f + _PLACED] & _LOW, (frames[f + _PLACED] >> _16) & _LOW
    known = frames[f + _4]
    while True:
        while rest != _0:
            i = start + lowest(rest)
            card = cards[i]
            key = (known & _LOW_HALF) + ((card >> _16) & (known >> _32))
            free = np.uint64(lists[key]) >> _16
            mine = own[i]
            if mine & _LOW == key and (counts is None or counts[card & _LOW] == 1):
                free &= ~(mine >> _16)
            if (mine >> _32) & _LOW == key and (counts is None or counts[card & _LOW] == 1):
                free &= ~(mine >> _48)
            if free == _0:
                rest &= rest - _1
                continue
            number = ones(free)
            if left < number or f + _4 >= special:
                if left < number or not leaves:
                    frames[f + _PLACED] = rest | start << _16 | i << _48
                    cursor[DEPTH], cursor[BUDGET] = f // _4, left
                    return
                left -= number
                frames[f + _4 + _NODES] += number
                rest &= rest - _1
                continue
            left -= number
            frames[f + _4 + _NODES] += number
            p = card & _LOW
            if counts is not None:
                counts[p] -= np.uint8(1)
            if counts is None or counts[p] == 0:
                _flip(lists, flips, p)
            frames[f + _PLACED] = rest & (rest - _1) | start << _16 | p << _32 | i << _48
            onward = frames[f + _ONWARD]
            frames[onward >> _48] = (onward & _BELOW_TOP) + (card >> _32)
            f += _4
            rest, start = free, np.uint64(starts[key])
            known = frames[f + _4]
        if f == floor:
            frames[f + _PLACED] = start << _16
            cursor[DEPTH], cursor[BUDGET] = f // _4, left
            return
        f -= _4
        placed = frames[f + _PLACED]
        p = (placed >> _32) & _LOW
        if counts is None or counts[p] == 0:
            _flip(lists, flips, p)
        if counts is not None:
            counts[p] += np.uint8(1)
        rest, start = placed & _LOW, (placed >> _16) & _LOW
        known = frames[f + _4]


@separate_kernel
def _enter(cards, lists, starts, flips, frames, repeated, available, state, cursor):
    """Place the pieces on the board again, and count nodes in advance."""
    end = cursor[DEPTH]
    for d in range(end):
        available[cards[np.uint64(state[_4 * d + _3])] & _LOW] += np.uint8(1)
    card = _0
    for d in range(end + _1):
        f = _4 * d
        key = (frames[f] & _LOW_HALF) + ((card >> _16) & (frames[f] >> _32))
        start = np.uint64(starts[key])
        i = cursor[POSITION] if d == end else np.uint64(state[f + _3])
        # The empty list replaces any list whose end is reached.
        behind = ~_0 if i < start else (_1 << (i - start)) - _1
        rest = np.uint64(lists[key]) >> _16 & ~behind
        if d < end:
            card = cards[i]
            p = card & _LOW
            rest &= ~(_1 << (i - start))
            onward = frames[f + _ONWARD]
            frames[onward >> _48] = (onward & _BELOW_TOP) + (card >> _32)
            if repeated:
                available[p] -= np.uint8(1)
            if not repeated or available[p] == 0:
                _flip(lists, flips, p)
        frames[f + _PLACED] = rest | start << _16 | (card & _LOW) << _32 | i << _48
        frames[f + _NODES] += ones(rest)
        cursor[BUDGET] -= ones(rest)


@inner_kernel
def _leave(words, layout, lists, flips, frames, repeated, available, state, nodes, cursor):
    """Undo `_enter` at the current state of the search."""
    type_mask, right_mask, right_shift, up_shift = layout[0], layout[1], layout[2], layout[3]
    end = cursor[DEPTH]
    for d in range(np.uint64(len(nodes))):
        f = _4 * d
        nodes[d] += frames[f + _NODES]
        frames[f + _NODES] = _0
        if d <= end:
            ahead = ones(frames[f + _PLACED] & _LOW)
            nodes[d] -= ahead
            cursor[BUDGET] += ahead
        if d < end:
            placed = frames[f + _PLACED]
            word = np.uint64(words[placed >> _48])
            state[f], state[f + _1] = word >> up_shift, (word >> right_shift) & right_mask
            state[f + _2], state[f + _3] = frames[f + _4] & _LOW_HALF, placed >> _48
            p = (placed >> _32) & _LOW
            if not repeated or available[p] == 0:
                _flip(lists, flips, p)
            if repeated:
                available[p] += np.uint8(1)
    for d in range(end):
        available[(frames[_4 * d + _PLACED] >> _32) & _LOW] -= np.uint8(1)
    placed = frames[_4 * end + _PLACED]
    i = placed >> _48
    if placed & _LOW == _0:
        i = (placed >> _16) & _LOW
        while np.uint64(words[i]) & type_mask != type_mask:
            i += _1
    cursor[POSITION] = i


@separate_kernel
def _flip(lists, flips, piece_type):
    """Take the candidates of a type out of their lists, or put them back."""
    for slot in range(np.uint64(_SLOTS)):
        flip = flips[np.uint64(_SLOTS) * piece_type + slot]
        lists[np.uint64(flip) & _LOW] ^= flip


def sprinter(candidates: Candidates, tables: OrderedTables, right_mask: int) -> RowscanTables | None:
    """The tables of `sprint`; None if it cannot search.

    It needs the left neighbour, if known, at the depth before, the lower one further back, and sizes within its limits.
    """
    depths = len(tables.squares)
    if max(len(tables.index), len(tables.entries), len(candidates.kinds), _FRAME * (depths + 2)) > 0xFFFF:
        return None
    frames = np.zeros((depths + 2, _FRAME), dtype=np.uint64)
    frames[:depths, 0] = tables.base
    above = np.full(depths, depths + 1)
    for d, j in zip(*np.nonzero(tables.stride), strict=True):
        neighbour, side = divmod(int(tables.reference[d, j]), 4)
        if (neighbour == d - 1) != (side == RIGHT):
            return None
        if side == UP:
            above[neighbour] = d
        else:
            frames[d, 0] |= np.uint64(right_mask << 32)
    frames[:depths, 1] = frames[above, 0] | (_FRAME * above << 48).astype(np.uint64)

    # All candidates in all lists: position, candidate, type, key, number in the list.
    position = np.flatnonzero(tables.entries >= 0)
    candidate = tables.entries[position]
    of_type = candidates.of_type[candidate]
    key_at = np.zeros(len(tables.entries), dtype=np.int64)
    key_at[tables.index] = np.arange(len(tables.index))
    start = np.maximum.accumulate(np.where(np.append(-1, tables.entries[:-1]) < 0, np.arange(len(key_at)), 0))[position]
    key, number = key_at[start], position - start
    kinds = len(candidates.kinds)
    if number.max(initial=0) >= _LONGEST or np.bincount(of_type, minlength=1).max() > _SLOTS:
        return None

    flip = key | 1 << 16 + number
    lists = np.zeros(len(tables.index), dtype=np.uint32)
    np.bitwise_or.at(lists, key, (flip & ~0xFFFF).astype(np.uint32))
    flips: list[list[int]] = [[] for _ in range(kinds)]
    for t, bits in zip(of_type.tolist(), flip.tolist(), strict=True):
        flips[t].append(bits)
    up, right = (np.maximum(candidates.sides[candidate, side], 0) for side in (UP, RIGHT))
    cards, own = (np.zeros(len(tables.entries), dtype=np.uint64) for _ in range(2))
    cards[position] = of_type | right << 16 | up * candidates.colors << 32
    may_follow = _followers(tables, candidates.colors)
    for at, t, k, color in zip(position.tolist(), of_type.tolist(), key.tolist(), right.tolist(), strict=True):
        bits_of: dict[int, int] = {}
        for bits in flips[t]:
            if may_follow(k, color, bits & 0xFFFF):
                bits_of[bits & 0xFFFF] = bits_of.get(bits & 0xFFFF, 0) | bits
        if len(bits_of) > 2:
            return None
        own[at] = sum(bits << 32 * n for n, bits in enumerate(bits_of.values()))
    padded = np.array([bits + [0] * (_SLOTS - len(bits)) for bits in flips], dtype=np.uint32)
    repeated = max(len(kind.pieces) for kind in candidates.kinds) > 1
    return RowscanTables(cards, own, lists, tables.index.astype(np.uint16), padded.ravel(), frames.ravel(), repeated)


def _followers(tables: OrderedTables, colors: int) -> Callable[[int, int, int], bool]:
    """Whether the list of a key can come next after one with some right colour from that of another key."""
    bases = tables.base.tolist()
    starts = sorted(set(bases))
    follows = set(pairwise(bases))
    knows_left = ((tables.stride > 0) & (tables.reference % np.uint64(4) == RIGHT)).any(axis=1).tolist()
    has_left = dict(zip(bases, knows_left, strict=True))

    def may_follow(key: int, color: int, other: int) -> bool:
        base, next_base = (starts[bisect_right(starts, k) - 1] for k in (key, other))
        return (base, next_base) in follows and (not has_left[next_base] or (other - next_base) % colors == color)

    return may_follow
