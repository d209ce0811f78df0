"""The kernels of the method `halves`: listing one half of a region, and joining it with the other half.

A half is filled square by square, depth 0 first, for given colours along the cut.  ``shown[4 d + s]`` is the colour
that the piece of depth d shows on side s; then come the colours that the other half shows along the cut.  The
candidates for a depth are a list in `entries` that ends with `END`: its place is in `starts`, at the base of the depth
plus the colours that the square faces, each times its stride; where such a table would be too large, the last colours
are compared instead.

The ways to fill the listed half are *rows*.  Bit r of ``bits[p]`` says that row r has piece p.  In the search through
the other half, ``union[d]`` has the rows that share a piece with the first d pieces, so that a full half meets the rows
whose bits are not set.  `level` says which union holds at a depth, since pieces that no row has do not change it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import count_union, write_union
from ...base.compiled import inner_kernel, kernel, separate_kernel

END = np.uint32(0xFFFFFFFF)
_0, _1, _4, _6, _9, _63, _511 = (np.uint64(number) for number in (0, 1, 4, 6, 9, 63, 511))

Words = NDArray[np.uint64]


class HalfTables(NamedTuple):
    """How a half is filled; see the head of the module.  Rows are depths, and their columns facing sides."""

    #: The lists of candidates.
    entries: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    base: Words
    #: Where the colour that the square faces is in `shown`, and its stride in the key.
    reference: Words
    stride: Words
    #: The number of colours that make the key, and of all that the square faces.
    keyed: Words
    faced: Words
    #: The sides with the faced colours.
    side: Words
    #: Of each candidate: four colours, the colours that match them, and its piece.
    sides: Words
    mates: Words
    piece: Words


class HalfWalk(NamedTuple):
    """Where the search through a half is; it continues there."""

    #: The depth to be filled next, and the number of candidates met at depth 0; in the end `END` as the depth.
    depth: Words
    #: The search fills depth 0 only with the candidates number `share[0]` modulo `share[1]`.
    share: Words
    #: For each depth, the place of the next candidate in `entries`, and the candidate that lies there.
    place: Words
    candidate: Words
    #: See the head of the module; and 1 for each piece that lies on the board.
    shown: Words
    used: NDArray[np.uint8]
    #: Pieces placed, by depth.
    nodes: Words


class Meeting(NamedTuple):
    """The rows of the listed half; see the head of the module.

    - `bits`, `union`, `level`: see there.
    - `occurs`: whether a row has the piece.
    - `left`: ``left[d]`` is the number of rows that ``union[d]`` leaves; ``left[0]`` the number of all rows.
    """

    bits: Words
    occurs: NDArray[np.uint8]
    union: Words
    level: Words
    left: Words


@inner_kernel
def _first_place(tables, shown, depth):
    """The place of the first candidate for a depth."""
    at = tables.base[depth]
    for column in range(tables.keyed[depth]):
        at += shown[tables.reference[depth, column]] * tables.stride[depth, column]
    return np.uint64(tables.starts[at])


@kernel
def begin(tables, walk):
    """Begin the search through a half."""
    walk.depth[_0] = walk.depth[_1] = _0
    for piece in range(np.uint64(len(walk.used))):
        walk.used[piece] = 0
    walk.place[_0] = _first_place(tables, walk.shown, _0)


@separate_kernel
def _next(tables, walk):
    """The next candidate that fits at the current depth, going back as needed; `END` after the last one."""
    depth = walk.depth[_0]
    while True:
        candidate = np.uint64(tables.entries[walk.place[depth]])
        if candidate == np.uint64(END):
            if depth == _0:
                walk.depth[_0] = np.uint64(END)
                return np.uint64(END)
            depth -= _1
            walk.used[tables.piece[walk.candidate[depth]]] = 0
            continue
        walk.place[depth] += _1
        if depth == _0:
            turn = walk.depth[_1]
            walk.depth[_1] += _1
            if turn % walk.share[_1] != walk.share[_0]:
                continue
        fits = walk.used[tables.piece[candidate]] == 0
        for column in range(tables.keyed[depth], tables.faced[depth]):
            mate = tables.mates[_4 * candidate + tables.side[depth, column]]
            fits &= mate == walk.shown[tables.reference[depth, column]]
        if fits:
            walk.depth[_0] = depth
            walk.nodes[depth] += _1
            return candidate


@separate_kernel
def _place(tables, walk, candidate):
    """Lay a candidate at the current depth, and go to the next one."""
    depth = walk.depth[_0]
    walk.candidate[depth] = candidate
    walk.used[tables.piece[candidate]] = 1
    for side in range(_4):
        walk.shown[_4 * depth + np.uint64(side)] = tables.sides[_4 * candidate + np.uint64(side)]
    depth += _1
    walk.depth[_0] = depth
    walk.place[depth] = _first_place(tables, walk.shown, depth)


@kernel
def forget_rows(meeting):
    """Empty the list of rows."""
    words = (meeting.left[_0] + _63) >> _6
    for piece in range(len(meeting.occurs)):
        if meeting.occurs[piece]:
            meeting.occurs[piece] = 0
            for word in range(words):
                meeting.bits[piece, word] = _0
    meeting.left[_0] = _0


@kernel
def list_rows(tables, walk, meeting, most, budget):
    """Add rows for the next ways to fill the half until there are `most`, or for about `budget` pieces placed."""
    last, row = np.uint64(len(walk.place) - 1), meeting.left[_0]
    while row < most and budget > _0:
        budget -= _1
        candidate = _next(tables, walk)
        if candidate == np.uint64(END):
            break
        if walk.depth[_0] < last:
            _place(tables, walk, candidate)
            continue
        word, bit = row >> _6, _1 << (row & _63)
        walk.candidate[last] = candidate
        for depth in range(last + _1):
            piece = tables.piece[walk.candidate[depth]]
            meeting.bits[piece, word] |= bit
            meeting.occurs[piece] = 1
        row += _1
    meeting.left[_0] = row


@kernel
def join_rows(tables, walk, meeting, budget):
    """Count the pairs of a row and a way to fill this half without a common piece, for about `budget` steps.

    Returns the pairs found since the last call.  The search has ended if ``walk.depth[0]`` is `END`.
    """
    last = np.uint64(len(walk.place) - 1)
    words, rows = np.uint64(meeting.bits.shape[1]), meeting.left[_0]
    blocks = (rows + _511) >> _9
    pairs, spent = _0, _0
    while spent < budget:
        candidate = _next(tables, walk)
        if candidate == np.uint64(END):
            break
        depth, piece = walk.depth[_0], tables.piece[candidate]
        level = meeting.level[depth]
        spent += _4
        if depth == last:
            if meeting.occurs[piece]:
                spent += blocks
                pairs += rows - count_union(meeting.union, level * words, meeting.bits, piece * words, blocks)
            else:
                pairs += meeting.left[level]
            continue
        if meeting.occurs[piece]:
            spent += blocks
            below = depth + _1
            meeting.left[below] = rows - write_union(
                meeting.union, below * words, meeting.union, level * words, meeting.bits, piece * words, blocks
            )
            level = below
        if meeting.left[level] > _0:
            _place(tables, walk, candidate)
            meeting.level[depth + _1] = level
    return pairs
