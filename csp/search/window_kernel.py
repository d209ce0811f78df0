"""The kernel that completes a window: depth-first, with at most a given number of invalid joins.

A *window* is a set of free squares; what lies around them stays.  A *candidate* is an unused piece in one of its
rotations.  For each colour and side the candidates that fit are a set of bits, so that a few operations count how many
candidates of a square have no invalid join, one, two, ...

Two lower bounds on the invalid joins that are still to come end a branch: the sum, over all free squares, of the
fewest invalid joins of any unused piece there; and the joins that remain minus those that the colours of the unused
sides allow to be valid, wherever they lie.
"""

from typing import NamedTuple

import numpy as np

from ..base.bit_words import lowest, ones
from ..base.compiled import inlined_kernel, kernel, separate_kernel
from .shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL, RUNNING

#: The entries of `cursor`: the depth, the rows written, the budget in nodes, and the free squares as bits.
DEPTH, WRITTEN, BUDGET, OPEN, CURSOR_SIZE = range(5)
#: Of a side that is on the border, or whose neighbour is free or stays empty.
UNKNOWN = 0xFFFF
#: A square has at most four invalid joins.
LEVELS = 5

_0, _1, _2, _3, _4, _6, _63 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 6, 63))
_LEVELS = np.uint64(LEVELS)
_UNKNOWN = np.uint64(UNKNOWN)

# The weight of the candidates with the fewest invalid joins where a square is chosen.  One with one more counts half,
# since what follows may have one less, and so on.
_WEIGHT = np.uint64(1 << LEVELS)


class WindowData(NamedTuple):
    """What does not change while a window is searched; s is a free square, c a candidate, side from 0 to 3."""

    #: ``[4 s + side]``: the free square there, or their number where no neighbour is free.
    neighbour: np.ndarray
    #: ``[s]``: the sides that must be valid, as bits.
    must: np.ndarray
    #: ``[s, words]``: the candidates with the borders of a square.
    domain: np.ndarray
    #: ``[4 colour + side, words]``: the candidates that fit onto a colour with a side.
    fitting: np.ndarray
    #: ``[4 c + side]``: the colour of a side, and the colour that a neighbour needs there.
    own: np.ndarray
    wanted: np.ndarray
    #: ``[colour]``: the colour that fits onto it.
    mate: np.ndarray
    #: ``[c]``: its piece.  ``[piece]``: the next one that looks like it, or the number of pieces.
    #: ``[piece, words]``: its candidates.
    piece: np.ndarray
    twin: np.ndarray
    bits: np.ndarray


class WindowState(NamedTuple):
    """What changes."""

    #: ``[4 s + side]``: the colour that the neighbour needs there, or UNKNOWN.
    need: np.ndarray
    #: ``[words]``: the candidates that may be placed; of pieces that look alike only one.
    unused: np.ndarray
    #: ``[colour]``: the unused sides of a colour, and the known sides of free squares that need it.
    sides: np.ndarray
    opened: np.ndarray
    #: ``[depth]``: the joins that remain, and how many of them the colours allow to be valid.
    joins: np.ndarray
    matchable: np.ndarray
    #: ``[depth]``: the invalid joins that may still follow.
    left: np.ndarray
    #: ``[depth]``: the square that is filled there, the invalid joins of the candidates that are tried now, the most
    #: that may be tried, and the candidate on the square.
    square: np.ndarray
    level: np.ndarray
    top: np.ndarray
    chosen: np.ndarray
    #: ``[LEVELS depth + invalid joins, words]``: the candidates that are left there.
    untried: np.ndarray
    #: ``[LEVELS s + invalid joins]``: how many candidates of a square have as many; room for `choose_square`.
    number: np.ndarray


# Invariant between two steps: the candidates of the depths above the current one are on their squares, and the current
# depth has a square and its untried candidates, unless the window has been left by the bounds already.
@kernel
def search_window(data, state, cursor, rows):
    """Search until the tree is exhausted, the budget is spent, or `rows` is full.

    A row has the candidate of each free square.
    """
    d, written, budget = cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET]
    squares, words = np.uint64(len(data.must)), np.uint64(len(state.unused))
    stopped, must_undo = RUNNING, False
    while stopped == RUNNING:
        if must_undo:
            must_undo = False
            _take_off(d, words, data, state, cursor)
            if written == np.uint64(len(rows)):
                stopped = ROWS_FULL
            continue
        i = np.uint64(state.level[d])
        c = _take(d, i, words, state.untried)
        if c == _UNKNOWN:
            if i < np.uint64(state.top[d]):
                state.level[d] += _1
            elif d == _0:
                stopped = EXHAUSTED
            else:
                d -= _1
                must_undo = True
            continue
        if budget == _0:
            state.untried[_LEVELS * d + i, c >> _6] |= _1 << (c & _63)
            stopped = BUDGET_SPENT
            continue
        budget -= _1
        state.chosen[d] = c
        _place(d, words, data, state, cursor)
        state.left[d + _1] = state.left[d] - i
        if d + _1 == squares:
            for j in range(squares):
                rows[written, state.square[j]] = state.chosen[j]
            written += _1
            must_undo = True
        elif state.joins[d + _1] > state.matchable[d + _1] + state.left[d + _1] or not _choose(
            d + _1, data, state, cursor
        ):
            must_undo = True
        else:
            d += _1
    cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET] = d, written, budget
    return stopped


@inlined_kernel
def _take(d, i, words, untried):
    """Take the first untried candidate with i invalid joins; UNKNOWN after the last one."""
    for w in range(words):
        word = untried[_LEVELS * d + i, w]
        if word:
            untried[_LEVELS * d + i, w] = word & (word - _1)
            return (w << _6) + lowest(word)
    return _UNKNOWN


@kernel
def choose_square(d, data, state, cursor):
    """`_choose`, for the first square."""
    return _choose(d, data, state, cursor)


# Inlined, because passing dozens of arrays takes longer.
@inlined_kernel
def _choose(d, data, state, cursor):
    """Find the square with the fewest candidates, by weight, for depth d; false if no completion is possible."""
    words = np.uint64(len(state.unused))
    slack = np.int64(state.left[d])
    remaining = cursor[OPEN]
    while remaining:
        s = lowest(remaining)
        remaining &= remaining - _1
        n0, n1, n2, n3, n4 = _0, _0, _0, _0, _0
        for w in range(words):
            e0, e1, e2, e3, e4 = _split(s, w, data, state)
            n0 += ones(e0)
            n1 += ones(e1)
            n2 += ones(e2)
            n3 += ones(e3)
            n4 += ones(e4)
        at = _LEVELS * s
        state.number[at], state.number[at + _1], state.number[at + _2] = n0, n1, n2
        state.number[at + _3], state.number[at + _4] = n3, n4
        if n0 == _0:
            if n1:
                slack -= 1
            elif n2:
                slack -= 2
            elif n3:
                slack -= 3
            elif n4:
                slack -= 4
            else:
                return False
            if slack < 0:
                return False
    fewest = ~_0
    remaining = cursor[OPEN]
    best, best_top = _0, _0
    while remaining:
        s = lowest(remaining)
        remaining &= remaining - _1
        at = _LEVELS * s
        i = _0
        while state.number[at + i] == _0:
            i += _1
        highest = min(i + np.uint64(slack), _4)
        total, weight = _0, _WEIGHT
        while i <= highest:
            total += state.number[at + i] * weight
            weight >>= _1
            i += _1
        if total < fewest:
            fewest, best, best_top = total, s, highest
    state.square[d], state.level[d], state.top[d] = best, _0, best_top
    at = _LEVELS * d
    for w in range(words):
        e0, e1, e2, e3, e4 = _split(best, w, data, state)
        state.untried[at, w], state.untried[at + _1, w], state.untried[at + _2, w] = e0, e1, e2
        state.untried[at + _3, w], state.untried[at + _4, w] = e3, e4
    return True


@inlined_kernel
def _split(s, w, data, state):
    """The candidates of a square in one word, by the number of their invalid joins."""
    e0 = data.domain[s, w] & state.unused[w]
    e1, e2, e3, e4 = _0, _0, _0, _0
    for side in range(_4):
        color = np.uint64(state.need[_4 * s + side])
        if color != _UNKNOWN:
            fits = data.fitting[_4 * color + side, w]
            if (np.uint64(data.must[s]) >> side) & _1:
                e0 &= fits
                e1 &= fits
                e2 &= fits
                e3 &= fits
            else:
                e4 |= e3 & ~fits
                e3 = (e3 & fits) | (e2 & ~fits)
                e2 = (e2 & fits) | (e1 & ~fits)
                e1 = (e1 & fits) | (e0 & ~fits)
                e0 &= fits
    return e0, e1, e2, e3, e4


@separate_kernel
def valid_at_most(color, mate, sides, opened):
    """The most joins of a colour and its mate that can be valid, given the unused sides and the known ones."""
    other = np.uint64(mate[color])
    known = min(sides[color], opened[color])
    if other == color:
        return known + ((sides[color] - known) >> 1)
    known_other = min(sides[other], opened[other])
    return known + known_other + min(sides[color] - known, sides[other] - known_other)


@kernel
def all_valid_at_most(mate, sides, opened):
    """The most joins that can be valid."""
    total = 0
    for color in range(np.uint64(len(mate))):
        # A colour and its mate are counted once.
        if color <= np.uint64(mate[color]):
            total += valid_at_most(color, mate, sides, opened)
    return total


@inlined_kernel
def _place(d, words, data, state, cursor):
    """Lay the chosen candidate on the square of depth d."""
    s, c = np.uint64(state.square[d]), np.uint64(state.chosen[d])
    open_squares = cursor[OPEN] & ~(_1 << s)
    cursor[OPEN] = open_squares
    valid, ended = np.int64(state.matchable[d]), _0
    for side in range(_4):
        color, known = np.uint64(data.own[_4 * c + side]), np.uint64(state.need[_4 * s + side])
        if color != _UNKNOWN:
            valid -= valid_at_most(color, data.mate, state.sides, state.opened)
            state.sides[color] -= 1
            valid += valid_at_most(color, data.mate, state.sides, state.opened)
        if known != _UNKNOWN:
            valid -= valid_at_most(known, data.mate, state.sides, state.opened)
            state.opened[known] -= 1
            valid += valid_at_most(known, data.mate, state.sides, state.opened)
            ended += _1
        beside = np.uint64(data.neighbour[_4 * s + side])
        if (open_squares >> beside) & _1:
            asked = np.uint64(data.wanted[_4 * c + side])
            state.need[_4 * beside + (side ^ _2)] = asked
            valid -= valid_at_most(asked, data.mate, state.sides, state.opened)
            state.opened[asked] += 1
            valid += valid_at_most(asked, data.mate, state.sides, state.opened)
    state.joins[d + _1], state.matchable[d + _1] = state.joins[d] - ended, np.uint64(valid)
    p = np.uint64(data.piece[c])
    after = np.uint64(data.twin[p])
    for w in range(words):
        state.unused[w] = (state.unused[w] & ~data.bits[p, w]) | data.bits[after, w]


@inlined_kernel
def _take_off(d, words, data, state, cursor):
    """Undo `_place`."""
    s, c = np.uint64(state.square[d]), np.uint64(state.chosen[d])
    for side in range(_4):
        color, known = np.uint64(data.own[_4 * c + side]), np.uint64(state.need[_4 * s + side])
        if color != _UNKNOWN:
            state.sides[color] += 1
        if known != _UNKNOWN:
            state.opened[known] += 1
        beside = np.uint64(data.neighbour[_4 * s + side])
        if (cursor[OPEN] >> beside) & _1:
            state.need[_4 * beside + (side ^ _2)] = UNKNOWN
            state.opened[data.wanted[_4 * c + side]] -= 1
    cursor[OPEN] |= _1 << s
    p = np.uint64(data.piece[c])
    after = np.uint64(data.twin[p])
    for w in range(words):
        state.unused[w] = (state.unused[w] & ~data.bits[after, w]) | data.bits[p, w]
