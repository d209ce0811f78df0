"""The kernel that keeps the set of candidates of each square, and fills a square with the fewest of them next."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.bit_words import lowest, ones
from ..base.compiled import inlined_kernel, kernel, separate_kernel
from .most_constrained_kernel import FULLEST
from .shared_tree import BUDGET, BUDGET_SPENT, DEPTH, EXHAUSTED, FLOOR, ROWS_FULL, WRITTEN

_0, _1, _4, _6, _63 = (np.uint64(i) for i in (0, 1, 4, 6, 63))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MANY = np.uint64(1 << 62)


class CandidateSets(NamedTuple):
    """The candidates, by their numbers, and sets of them, each of ``words[0]`` words.

    `across` has sets of what may lie across a side; four numbers of each candidate in `beside` say where, by its sides.
    `others` has for each type the set of the candidates of other types, and at the end the set of all.
    Joins are made consistent beside squares of at most ``few[0]`` candidates.
    """

    words: NDArray[Any]
    few: NDArray[Any]
    types: NDArray[Any]
    across: NDArray[Any]
    beside: NDArray[Any]
    others: NDArray[Any]


class Places(NamedTuple):
    """Of each square its four neighbours (on the border, the number of squares), and its column in `rows`."""

    neighbour: NDArray[Any]
    column: NDArray[Any]


class Choices(NamedTuple):
    """The state of the board.

    For each depth and square the set of its candidates and their number; for each type the number of unused pieces; for
    each square whether it is empty, and its number of neighbours with a piece; the empty squares, and the index of each
    square among them.  The rest is room for squares that wait, and for their candidates.
    """

    sets: NDArray[Any]
    counts: NDArray[Any]
    available: NDArray[Any]
    empty: NDArray[Any]
    known: NDArray[Any]
    squares: NDArray[Any]
    place: NDArray[Any]
    queue: NDArray[Any]
    waits: NDArray[Any]
    listed: NDArray[Any]


# Data layout: the arrays of the tuples above, and of `BoardStack`, where a position is the number after a candidate's;
# all flat, all integers unsigned.  Candidate i is bit i % 64 of word i // 64 of a set; the set of square q at depth d
# begins at word (d * squares + q) * words.
#
# Invariant between two steps: the sets of depth d have what the pieces of the depths above leave, no set of an empty
# square is empty, and pieces are taken off in reverse order, which restores the order of the empty squares.  So the
# tree does not depend on how it is cut into slices.
@kernel
def search_least_choice(tables, places, choices, stack, nodes, fullest, cursor, rows):
    """Search until the tree below the floor is exhausted, the budget is spent, or `rows` (if not empty) is full."""
    d, written, budget = cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    while True:
        if stack.tried[d] == stack.options[d]:
            if d == cursor[FLOOR]:
                stopped = EXHAUSTED
                break
            d -= _1
            _take_off(d, tables, places, choices, stack)
            continue
        if budget == _0:
            stopped = BUDGET_SPENT
            break
        q = np.uint64(stack.square[d])
        i = _next(tables.words[0] * (d * np.uint64(len(choices.place)) + q), stack.position[d], choices.sets)
        budget -= _1
        nodes[d] += _1
        stack.tried[d] += np.uint32(1)
        stack.position[d] = i + _1
        if d + _1 > cursor[FULLEST]:
            _remember(d + _1, stack, fullest, cursor)
        if d < last:
            _lay(d, i, tables, places, choices, stack)
            if _restrict(d, i, tables, places, choices, stack):
                d += _1
                _choose(d, choices, stack)
            else:
                _take_off(d, tables, places, choices, stack)
            continue
        if len(rows) > 0:
            for level in range(len(nodes)):
                at = np.uint64(level)
                rows[written, places.column[stack.square[at]]] = stack.position[at] - np.uint32(1)
            written += _1
            if written == np.uint64(len(rows)):
                stopped = ROWS_FULL
                break
    cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET] = d, written, budget
    return stopped


@inlined_kernel
def _next(base, i, sets):
    """The first candidate from number i on in the set that begins at word `base`."""
    i = np.uint64(i)
    word = i >> _6
    rest = sets[base + word] & (_ALL << (i & _63))
    while rest == _0:
        word += _1
        rest = sets[base + word]
    return (word << _6) + lowest(rest)


@inlined_kernel
def _remember(pieces, stack, fullest, cursor):
    """Keep the squares and candidates of the first `pieces` depths, the fullest board so far."""
    cursor[FULLEST] = pieces
    for d in range(pieces):
        at = np.uint64(d)
        fullest[at, 0] = stack.square[at]
        fullest[at, 1] = stack.position[at] - np.uint32(1)


@inlined_kernel
def _lay(d, i, tables, places, choices, stack):
    """Lay candidate i on the square of depth d."""
    q = np.uint64(stack.square[d])
    choices.available[tables.types[i]] -= np.uint32(1)
    choices.empty[q] = 0
    at, end = np.uint64(choices.place[q]), np.uint64(len(stack.square)) - d - _1
    moved = np.uint64(choices.squares[end])
    choices.squares[at] = moved
    choices.place[moved] = at
    for side in range(4):
        choices.known[places.neighbour[_4 * q + np.uint64(side)]] += np.uint8(1)


@inlined_kernel
def _take_off(d, tables, places, choices, stack):
    """Undo `_lay`."""
    q = np.uint64(stack.square[d])
    at, end = np.uint64(choices.place[q]), np.uint64(len(stack.square)) - d - _1
    moved = np.uint64(choices.squares[at])
    choices.squares[end] = moved
    choices.place[moved] = end
    choices.squares[at] = q
    choices.place[q] = at
    for side in range(4):
        choices.known[places.neighbour[_4 * q + np.uint64(side)]] -= np.uint8(1)
    choices.empty[q] = 1
    choices.available[tables.types[stack.position[d] - np.uint32(1)]] += np.uint32(1)


@inlined_kernel
def _restrict(d, i, tables, places, choices, stack):
    """Make the sets of depth d + 1, with candidate i on the square of depth d; return whether none is empty."""
    words, q = tables.words[0], np.uint64(stack.square[d])
    old, new = d * np.uint64(len(choices.place)), (d + _1) * np.uint64(len(choices.place))
    kind = np.uint64(tables.types[i])
    if choices.available[kind] != 0:
        kind = np.uint64(len(choices.available))
    keep, waiting, possible = kind * words, _0, True
    for side in range(4):
        beside = np.uint64(places.neighbour[_4 * q + np.uint64(side)])
        if choices.empty[beside] != 0:
            at, across, some = (old + beside) * words, np.uint64(tables.beside[_4 * i + np.uint64(side)]), _0
            for word in range(words):
                w = np.uint64(word)
                some |= choices.sets[at + w] & tables.across[across + w] & tables.others[keep + w]
            possible &= some != _0
    if not possible:
        return False
    for k in range(np.uint64(len(stack.square)) - d - _1):
        other = np.uint64(choices.squares[np.uint64(k)])
        at, to, number = (old + other) * words, (new + other) * words, _0
        for word in range(words):
            w = np.uint64(word)
            left = choices.sets[at + w] & tables.others[keep + w]
            choices.sets[to + w] = left
            number += ones(left)
        choices.counts[new + other] = number
        possible &= number != _0
        if number <= tables.few[0] and number != choices.counts[old + other]:
            waiting = _wait(other, waiting, choices)
    for side in range(4):
        beside = np.uint64(places.neighbour[_4 * q + np.uint64(side)])
        if choices.empty[beside] != 0:
            to, across, number = (new + beside) * words, np.uint64(tables.beside[_4 * i + np.uint64(side)]), _0
            for word in range(words):
                w = np.uint64(word)
                left = choices.sets[to + w] & tables.across[across + w]
                choices.sets[to + w] = left
                number += ones(left)
            choices.counts[new + beside] = number
            if number <= tables.few[0]:
                waiting = _wait(beside, waiting, choices)
    if waiting != _0:
        possible &= _make_consistent(new, waiting, possible, tables, places, choices)
    return possible


@inlined_kernel
def _wait(q, waiting, choices):
    """Let a square wait, unless it does; return the number of squares that wait."""
    if choices.waits[q] == 0:
        choices.waits[q] = 1
        choices.queue[waiting] = q
        waiting += _1
    return waiting


@separate_kernel
def _make_consistent(new, waiting, possible, tables, places, choices):
    """Remove what fits no candidate of a neighbour with few; return whether no set is empty (if `possible` so far)."""
    words = tables.words[0]
    while waiting != _0:
        waiting -= _1
        q = np.uint64(choices.queue[waiting])
        choices.waits[q] = 0
        if not possible:
            continue
        number = _0
        for word in range(words):
            w = np.uint64(word)
            rest = choices.sets[(new + q) * words + w]
            while rest != _0:
                choices.listed[number] = (w << _6) + lowest(rest)
                rest &= rest - _1
                number += _1
        for side in range(4):
            s = np.uint64(side)
            beside = np.uint64(places.neighbour[_4 * q + s])
            if choices.empty[beside] == 0:
                continue
            to, left = (new + beside) * words, _0
            for word in range(words):
                w, union = np.uint64(word), _0
                for k in range(number):
                    across = np.uint64(tables.beside[_4 * np.uint64(choices.listed[np.uint64(k)]) + s])
                    union |= tables.across[across + w]
                both = choices.sets[to + w] & union
                choices.sets[to + w] = both
                left += ones(both)
            if left != choices.counts[new + beside]:
                choices.counts[new + beside] = left
                possible &= left != _0
                if left <= tables.few[0]:
                    waiting = _wait(beside, waiting, choices)
    return possible


@inlined_kernel
def _choose(d, choices, stack):
    """Find the square for depth d: of those with the fewest candidates, one with the fewest neighbours."""
    base = d * np.uint64(len(choices.place))
    fewest, best = _MANY, _0
    for k in range(np.uint64(len(stack.square)) - d):
        q = np.uint64(choices.squares[np.uint64(k)])
        key = (np.uint64(choices.counts[base + q]) << np.uint64(3)) + np.uint64(choices.known[q])
        if key < fewest:
            fewest, best = key, q
    stack.square[d] = best
    stack.position[d] = 0
    stack.options[d] = fewest >> np.uint64(3)
    stack.tried[d] = 0
