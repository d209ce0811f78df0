"""The kernels of the search with 2x2 blocks: placing them, counting candidates, and counting whole subtrees.

Data layout (all arrays flat, all integers unsigned; d is a depth, 0-based: the place of a block in the search order)

- ``lanes`` is a tuple of as many numbers as a mask has words, ``several`` one that is empty if no pieces are identical:
  their lengths are known when a kernel is compiled, which unrolls loops over words and removes unused code.
- Blocks are stored list by list, in ``records`` of some words each, for locality: the mask, with a bit for each free
  piece in the block; the bits that the block needs; and the codes of its right side (low half of the last word) and of
  its upper side (high half).
- Identical pieces are placed in the order of their numbers: the pieces that precede those in the block also have bits
  in the mask; these are the bits that it needs.  The block fits if exactly the needed pieces of its mask are used.
  Without identical pieces, the needed bits are omitted.
- ``start[k]`` is where list k begins, and the one before it ends.  The list at depth d is ``base[walk, d]``, plus what
  the block on its left asks for, plus ``stride[d]`` times what the block below asks for; ``left[d]`` and ``below[d]``
  are their depths, or one beyond the last if there is no such block; the codes there are always 0.
- ``prefixes[p]`` has the walk of part p (one for each square where the anchor may lie), and its first blocks.
- ``used[w * d:]`` has the pieces in the blocks above depth d; ``right[d]`` and ``up[d]`` are what the block at depth d
  asks for.

Invariant between two steps: `used`, `right` and `up` are correct for all blocks above the current depth.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import inlined_kernel, kernel

PART, DEPTH = range(2)
#: The cost of entering a list, in blocks.
LIST_COST = 16

_0, _1, _32, _LOW_HALF = (np.uint64(i) for i in (0, 1, 32, 0xFFFFFFFF))


class BlockTables(NamedTuple):
    """The tables of the kernels; see the head of the module."""

    lanes: tuple[int, ...]
    several: tuple[int, ...]
    records: NDArray[np.uint64]
    start: NDArray[np.uint32]
    base: NDArray[np.uint64]
    stride: NDArray[np.uint64]
    left: NDArray[np.uint64]
    below: NDArray[np.uint64]


class BlockBoard(NamedTuple):
    """The blocks on the board: the pieces in them, and what they ask for."""

    used: NDArray[np.uint64]
    right: NDArray[np.uint64]
    up: NDArray[np.uint64]


@inlined_kernel
def _size(lanes, several):
    """The number of words of a block's record."""
    return np.uint64(len(lanes) * (1 + len(several)) + 1)


@inlined_kernel
def _lay(tables, board, d, i):
    """Lay block i at depth d."""
    w = np.uint64(len(tables.lanes))
    record = i * _size(tables.lanes, tables.several)
    for lane in range(w):
        board.used[w * (d + _1) + lane] = board.used[w * d + lane] | tables.records[record + lane]
    offered = tables.records[record + w * (_1 + np.uint64(len(tables.several)))]
    board.right[d] = offered & _LOW_HALF
    board.up[d] = offered >> _32


@inlined_kernel
def _list_at(tables, board, walk, d):
    """Where the list at depth d begins and ends."""
    k = tables.base[walk, d] + board.right[tables.left[d]] + tables.stride[d] * board.up[tables.below[d]]
    return np.uint64(tables.start[k]), np.uint64(tables.start[k + _1])


@inlined_kernel
def _clash(tables, board, d, record):
    """Bits that are nonzero if a block does not fit at depth d."""
    w = np.uint64(len(tables.lanes))
    clash = _0
    for lane in range(w):
        seen = tables.records[record + lane] & board.used[w * d + lane]
        if len(tables.several) > 0:
            seen ^= tables.records[record + w + lane]
        clash |= seen
    return clash


@inlined_kernel
def _first_fit(tables, board, d, i, end):
    """The first block from i on that fits on the board at depth d; `end` if no block fits."""
    size = _size(tables.lanes, tables.several)
    record = i * size
    while i < end and _clash(tables, board, d, record) != _0:
        i += _1
        record += size
    return i


@inlined_kernel
def _fits(tables, board, d, i, end):
    """The number of blocks from i on that fit."""
    size = _size(tables.lanes, tables.several)
    number = _0
    for j in range(i, end):
        number += np.uint64(_clash(tables, board, d, j * size) == _0)
    return number


@kernel
def count_parts(tables, prefixes, board, position, finish, nodes, part_nodes, cursor, end, budget):
    """Count the parts from the current one up to but not including `end`; return whether this is done.

    It stops after about `budget` blocks.  ``position[d]`` is the next block at depth d, ``finish[d]`` the end of its
    list.  ``nodes`` has the blocks laid in finished parts, ``part_nodes`` those in the current part, which is at depth
    ``cursor[DEPTH]``; before its start, this is one beyond the last depth.
    """
    idle = np.uint64(tables.base.shape[1])
    last, top = idle - _1, np.uint64(prefixes.shape[1] - 1)
    part, d = cursor[PART], cursor[DEPTH]
    while part < end and budget > 0:
        walk = np.uint64(prefixes[part, _0])
        if d == idle:
            for before in range(top):
                _lay(tables, board, before, np.uint64(prefixes[part, before + _1]))
            d = top
            position[d], finish[d] = _list_at(tables, board, walk, d)
            if top > _0:
                part_nodes[top - _1] += _1
            if d == last:
                part_nodes[d] += _fits(tables, board, d, position[d], finish[d])
                position[d] = finish[d]
        while budget > 0:
            i = _first_fit(tables, board, d, position[d], finish[d])
            if i == finish[d]:
                if d == top:
                    d = idle
                    break
                d -= _1
                continue
            part_nodes[d] += _1
            position[d] = i + _1
            _lay(tables, board, d, i)
            i, after = _list_at(tables, board, walk, d + _1)
            budget -= np.int64(after - i) + LIST_COST
            if d + _1 == last:
                part_nodes[last] += _fits(tables, board, last, i, after)
                continue
            d += _1
            position[d], finish[d] = i, after
        if d == idle:
            for depth in range(idle):
                nodes[depth] += part_nodes[depth]
                part_nodes[depth] = _0
            part += _1
            budget -= LIST_COST
    cursor[PART], cursor[DEPTH] = part, d
    return part >= end


@kernel
def count_children(tables, prefixes, board, numbers):
    """Write the number of blocks that can follow each prefix."""
    depth = np.uint64(prefixes.shape[1] - 1)
    for p in range(np.uint64(len(prefixes))):
        for d in range(depth):
            _lay(tables, board, d, np.uint64(prefixes[p, d + _1]))
        i, end = _list_at(tables, board, np.uint64(prefixes[p, _0]), depth)
        numbers[p] = _fits(tables, board, depth, i, end)


@kernel
def write_children(tables, prefixes, board, rows):
    """Write every prefix with every block that can follow into `rows`, which has exactly that many."""
    depth = np.uint64(prefixes.shape[1] - 1)
    row = _0
    for p in range(np.uint64(len(prefixes))):
        for d in range(depth):
            _lay(tables, board, d, np.uint64(prefixes[p, d + _1]))
        i, end = _list_at(tables, board, np.uint64(prefixes[p, _0]), depth)
        i = _first_fit(tables, board, depth, i, end)
        while i < end:
            for column in range(depth + _1):
                rows[row, column] = prefixes[p, column]
            rows[row, depth + _1] = i
            row += _1
            i = _first_fit(tables, board, depth, i + _1, end)


@kernel
def probe(tables, prefixes, board, chances, expected):
    """Knuth's estimate of the blocks at each depth below the prefixes, by one random descent from each of them.

    A descent chooses one of the blocks that can follow by ``chances[p, d]`` (from 0 to 1), with the number of choices
    as its weight.
    """
    top, depths = np.uint64(prefixes.shape[1] - 1), np.uint64(tables.base.shape[1])
    for p in range(np.uint64(len(prefixes))):
        for d in range(top):
            _lay(tables, board, d, np.uint64(prefixes[p, d + _1]))
        walk, ways = np.uint64(prefixes[p, _0]), 1.0
        for d in range(top, depths):
            i, end = _list_at(tables, board, walk, d)
            fits = _fits(tables, board, d, i, end)
            ways *= np.float64(fits)
            expected[d] += ways
            if fits == _0:
                break
            i = _first_fit(tables, board, d, i, end)
            for _ in range(np.uint64(chances[p, d] * np.float64(fits))):
                i = _first_fit(tables, board, d, i + _1, end)
            _lay(tables, board, d, i)
