"""The kernel that fills the most constrained square next."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compiled import inlined_kernel, inner_kernel, kernel
from .shared_tree import BUDGET, BUDGET_SPENT, DEPTH, EXHAUSTED, FLOOR, ROWS_FULL, WRITTEN

FRONTIER, FULLEST, CURSOR_SIZE = 1, 5, 6

_0, _1, _2, _3, _4, _16 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 16))
_LOW = np.uint64(0xFFFF)
_MANY = np.uint64(1 << 62)


class CandidateLists(NamedTuple):
    """Candidates by the needs of a square, and their data; a *position* is the index of a candidate in the lists.

    A list has all candidates with the borders of a square that fit onto one colour on one of its sides:
    ``start[key]`` is its first position and ``start[key + 1]`` the one after its last.
    """

    start: NDArray[Any]
    candidate: NDArray[Any]
    types: NDArray[Any]
    shows: NDArray[Any]
    fits: NDArray[Any]


class Squares(NamedTuple):
    """Of each square its four neighbours, the key of its first list, and its column in `rows`.

    There is one extra square beyond the border, which is never empty.  A side adds ``colors[0]`` to a
    key, a colour adds itself.
    """

    neighbour: NDArray[Any]
    base: NDArray[Any]
    column: NDArray[Any]
    colors: NDArray[Any]


class Filling(NamedTuple):
    """The state of the board.

    The number of unused pieces of each type; for each square whether it is empty and the colours that its neighbours
    show; the frontier, and the index of each square in it.
    """

    available: NDArray[Any]
    empty: NDArray[Any]
    wanted: NDArray[Any]
    cared: NDArray[Any]
    frontier: NDArray[Any]
    place: NDArray[Any]


class BoardStack(NamedTuple):
    """The state of the search.

    For each depth its square, the position after its candidate, the number of candidates and how many have been tried,
    and how far the neighbours of the squares above have been examined (4 times a depth plus a side).
    """

    square: NDArray[Any]
    position: NDArray[Any]
    options: NDArray[Any]
    tried: NDArray[Any]
    looked: NDArray[Any]


# Data layout: the arrays of the tuples above and those of `kernels`, all flat, all integers unsigned; d is a depth,
# 0-based.  Colours have 16 bits a side, side s from bit 16 s on, in `shows` (the sides of a candidate), `fits` (what
# fits onto them), `wanted` (what neighbours show) and `cared` (ones for the neighbours that are known).  The frontier
# is the empty squares with a known neighbour.
#
# Invariant between two steps: the candidates of the depths above the current one are on the board, and the tried
# candidates of the current depth have been searched.  Pieces are taken off in reverse order, which restores the
# frontier and its order, so that the tree does not depend on how it is cut into slices.
@kernel
def search_most_constrained(lists, squares, filling, stack, nodes, fullest, cursor, rows):
    """Search until the tree below the floor is exhausted, the budget is spent, or `rows` (if not empty) is full."""
    d, written, budget = cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    while True:
        if stack.tried[d] == stack.options[d]:
            _remember_fullest(d, lists, stack, fullest, cursor)
            if d == cursor[FLOOR]:
                stopped = EXHAUSTED
                break
            d -= _1
            _take_off(np.uint64(stack.square[d]), stack.position[d] - _1, lists, squares, filling, cursor)
            continue
        if budget == _0:
            stopped = BUDGET_SPENT
            break
        q = np.uint64(stack.square[d])
        i = np.uint64(stack.position[d])
        while not _is_candidate(i, lists.types, lists.fits, filling.available, filling.wanted[q], filling.cared[q]):
            i += _1
        budget -= _1
        nodes[d] += _1
        stack.tried[d] += np.uint32(1)
        stack.position[d] = i + _1
        if d < last:
            _place(q, i, lists, squares, filling, cursor)
            d += _1
            _choose(d, lists, squares, filling, stack, cursor)
            continue
        _remember_fullest(d + _1, lists, stack, fullest, cursor)
        if len(rows) > 0:
            _write_row(rows, written, lists, squares, stack)
            written += _1
            if written == np.uint64(len(rows)):
                stopped = ROWS_FULL
                break
    _remember_fullest(d, lists, stack, fullest, cursor)
    cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET] = d, written, budget
    return stopped


@inlined_kernel
def _choose(d, lists, squares, filling, stack, cursor):
    """Find the square for depth d.

    Neighbours of new pieces come first, because few other squares have changed: one without candidates ends the branch,
    one with a single candidate is taken immediately.
    """
    at = np.uint64(stack.looked[d - _1])
    while at < _4 * d:
        above = np.uint64(stack.square[at >> _2])
        q = np.uint64(squares.neighbour[_4 * above + (at & _3)])
        at += _1
        if filling.empty[q] != 0:
            number, first = _count(q, _2, lists, squares, filling)
            if number < _2:
                _take(d, q, number, first, at, stack)
                return
    choose_on_frontier(d, lists, squares, filling, stack, cursor)


@kernel
def choose_on_frontier(d, lists, squares, filling, stack, cursor):
    """Find the frontier square with the fewest candidates for depth d, the first of those with no more than one."""
    if cursor[FRONTIER] == _0:
        _choose_in_another_part(d, lists, squares, filling, stack)
        return
    fewest = _MANY
    for at in range(cursor[FRONTIER]):
        q = np.uint64(filling.frontier[np.uint64(at)])
        number, first = _count(q, fewest, lists, squares, filling)
        if number < fewest:
            fewest = number
            _take(d, q, number, first, _4 * d, stack)
            if number <= _1:
                return


@inner_kernel
def _choose_in_another_part(d, lists, squares, filling, stack):
    """Find the first empty square, of a part of the board that is not joined to what is filled, for depth d."""
    q = _0
    while filling.empty[q] == 0:
        q += _1
    i = np.uint64(lists.start[squares.base[q]])
    end = np.uint64(lists.start[squares.base[q] + squares.colors[0]])
    number, first = _0, end
    while i < end:
        if filling.available[lists.types[i]] != 0:
            if number == _0:
                first = i
            number += _1
        i += _1
    _take(d, q, number, first, _4 * d, stack)


@inlined_kernel
def _take(d, q, number, first, at, stack):
    """Set the square of depth d."""
    stack.square[d] = q
    stack.position[d] = first
    stack.options[d] = number
    stack.tried[d] = 0
    stack.looked[d] = at


@inlined_kernel
def _count(q, most, lists, squares, filling):
    """The number of candidates of a frontier square (at most `most`), and the position of the first one."""
    must, mask = filling.wanted[q], filling.cared[q]
    i, end = _0, _MANY
    for side in range(4):
        lane = _16 * np.uint64(side)
        if (mask >> lane) & _1 != _0:
            key = squares.base[q] + np.uint64(side) * squares.colors[0] + ((must >> lane) & _LOW)
            begin, after = np.uint64(lists.start[key]), np.uint64(lists.start[key + _1])
            if after - begin < end - i:
                i, end = begin, after
    number, first = _0, end
    while i < end and number < most:
        if _is_candidate(i, lists.types, lists.fits, filling.available, must, mask):
            if number == _0:
                first = i
            number += _1
        i += _1
    return number, first


@inlined_kernel
def _is_candidate(i, types, fits, available, must, mask):
    """Whether the candidate at position i fits its neighbours, and a piece of its type is available."""
    return (fits[i] ^ must) & mask == _0 and available[types[i]] != 0


@inlined_kernel
def _place(q, i, lists, squares, filling, cursor):
    """Lay the candidate at position i on square q."""
    filling.available[lists.types[i]] -= np.uint32(1)
    size = cursor[FRONTIER]
    filling.empty[q] = 0
    if filling.cared[q] != _0:
        size -= _1
        moved = np.uint64(filling.frontier[size])
        filling.frontier[filling.place[q]] = moved
        filling.place[moved] = filling.place[q]
    for side in range(4):
        beside = np.uint64(squares.neighbour[_4 * q + np.uint64(side)])
        if filling.empty[beside] != 0:
            if filling.cared[beside] == _0:
                filling.frontier[size] = beside
                filling.place[beside] = size
                size += _1
            lane = _16 * np.uint64(side ^ 2)
            filling.wanted[beside] |= ((lists.shows[i] >> (_16 * np.uint64(side))) & _LOW) << lane
            filling.cared[beside] |= _LOW << lane
    cursor[FRONTIER] = size


@inlined_kernel
def _take_off(q, i, lists, squares, filling, cursor):
    """Undo `_place`."""
    size = cursor[FRONTIER]
    for side in range(4):
        beside = np.uint64(squares.neighbour[_4 * q + np.uint64(side)])
        if filling.empty[beside] != 0:
            lane = _LOW << (_16 * np.uint64(side ^ 2))
            filling.wanted[beside] &= ~lane
            filling.cared[beside] &= ~lane
            if filling.cared[beside] == _0:
                size -= _1
    filling.empty[q] = 1
    if filling.cared[q] != _0:
        at = np.uint64(filling.place[q])
        if at < size:
            moved = np.uint64(filling.frontier[at])
            filling.frontier[size] = moved
            filling.place[moved] = size
        filling.frontier[at] = q
        size += _1
    cursor[FRONTIER] = size
    filling.available[lists.types[i]] += np.uint32(1)


@inlined_kernel
def _remember_fullest(pieces, lists, stack, fullest, cursor):
    """Keep the squares and candidates of the first `pieces` depths if this is the fullest board so far."""
    if pieces > cursor[FULLEST]:
        cursor[FULLEST] = pieces
        for d in range(pieces):
            at = np.uint64(d)
            fullest[at, 0] = stack.square[at]
            fullest[at, 1] = lists.candidate[stack.position[at] - _1]


@inlined_kernel
def _write_row(rows, written, lists, squares, stack):
    """Write the candidates of a full board into a row, each in the column of its square."""
    for d in range(len(stack.square)):
        at = np.uint64(d)
        rows[written, squares.column[stack.square[at]]] = lists.candidate[stack.position[at] - _1]
