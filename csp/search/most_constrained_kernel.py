"""The kernel that fills the most constrained square next."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..base.compiled import kernel
from .slices import BUDGET_SPENT, EXHAUSTED, ROWS_FULL

DEPTH, WRITTEN, BUDGET, FRONTIER, FULLEST, FLOOR, CURSOR_SIZE = range(7)

_0, _1, _2, _3, _4, _16 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 16))
_LOW = np.uint64(0xFFFF)
_MANY = np.uint64(1 << 62)

# A call passes every array in seven words, which would take longer than most of the functions below.
_inlined = njit(inline="always")


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
def search_most_constrained(
    start, candidate, types, shows, fits, neighbour, base, column, colors,
    available, empty, wanted, cared, frontier, place, square, position, options, tried, looked,
    nodes, fullest, cursor, rows,
):  # fmt: skip
    """Search until the tree below the floor is exhausted, the budget is spent, or `rows` (if not empty) is full."""
    d, written, budget = cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    while True:
        if tried[d] == options[d]:
            _remember_fullest(d, candidate, square, position, fullest, cursor)
            if d == cursor[FLOOR]:
                stopped = EXHAUSTED
                break
            d -= _1
            _take_off(
                np.uint64(square[d]), position[d] - _1,
                types, neighbour, available, empty, wanted, cared, frontier, place, cursor,
            )  # fmt: skip
            continue
        if budget == _0:
            stopped = BUDGET_SPENT
            break
        q = np.uint64(square[d])
        i = np.uint64(position[d])
        while not _is_candidate(i, types, fits, available, wanted[q], cared[q]):
            i += _1
        budget -= _1
        nodes[d] += _1
        tried[d] += np.uint32(1)
        position[d] = i + _1
        if d < last:
            _place(q, i, types, shows, neighbour, available, empty, wanted, cared, frontier, place, cursor)
            d += _1
            _choose(
                d, start, types, fits, neighbour, base, colors, available, empty, wanted, cared, frontier,
                square, position, options, tried, looked, cursor,
            )  # fmt: skip
            continue
        _remember_fullest(d + _1, candidate, square, position, fullest, cursor)
        if len(rows) > 0:
            _write_row(rows, written, candidate, column, square, position)
            written += _1
            if written == np.uint64(len(rows)):
                stopped = ROWS_FULL
                break
    _remember_fullest(d, candidate, square, position, fullest, cursor)
    cursor[DEPTH], cursor[WRITTEN], cursor[BUDGET] = d, written, budget
    return stopped


@_inlined
def _choose(
    d, start, types, fits, neighbour, base, colors, available, empty, wanted, cared, frontier,
    square, position, options, tried, looked, cursor,
):  # fmt: skip
    """Find the square for depth d.

    Neighbours of new pieces come first, because few other squares have changed: one without candidates ends the branch,
    one with a single candidate is taken immediately.
    """
    at = np.uint64(looked[d - _1])
    while at < _4 * d:
        above = np.uint64(square[at >> _2])
        q = np.uint64(neighbour[_4 * above + (at & _3)])
        at += _1
        if empty[q] != 0:
            number, first = _count(q, _2, start, types, fits, base, colors, available, wanted, cared)
            if number < _2:
                _take(d, q, number, first, at, square, position, options, tried, looked)
                return
    choose_on_frontier(
        d, start, types, fits, base, colors, available, wanted, cared, frontier,
        square, position, options, tried, looked, cursor,
    )  # fmt: skip


@kernel
def choose_on_frontier(
    d, start, types, fits, base, colors, available, wanted, cared, frontier,
    square, position, options, tried, looked, cursor,
):  # fmt: skip
    """Find the frontier square with the fewest candidates for depth d, the first of those with no more than one."""
    fewest = _MANY
    for at in range(cursor[FRONTIER]):
        q = np.uint64(frontier[np.uint64(at)])
        number, first = _count(q, fewest, start, types, fits, base, colors, available, wanted, cared)
        if number < fewest:
            fewest = number
            _take(d, q, number, first, _4 * d, square, position, options, tried, looked)
            if number <= _1:
                return


@_inlined
def _take(d, q, number, first, at, square, position, options, tried, looked):
    """Set the square of depth d."""
    square[d] = q
    position[d] = first
    options[d] = number
    tried[d] = 0
    looked[d] = at


@_inlined
def _count(q, most, start, types, fits, base, colors, available, wanted, cared):
    """The number of candidates of a frontier square (at most `most`), and the position of the first one."""
    must, mask = wanted[q], cared[q]
    i, end = _0, _MANY
    for side in range(4):
        lane = _16 * np.uint64(side)
        if (mask >> lane) & _1 != _0:
            key = base[q] + np.uint64(side) * colors[0] + ((must >> lane) & _LOW)
            begin, after = np.uint64(start[key]), np.uint64(start[key + _1])
            if after - begin < end - i:
                i, end = begin, after
    number, first = _0, end
    while i < end and number < most:
        if _is_candidate(i, types, fits, available, must, mask):
            if number == _0:
                first = i
            number += _1
        i += _1
    return number, first


@_inlined
def _is_candidate(i, types, fits, available, must, mask):
    """Whether the candidate at position i fits its neighbours, and a piece of its type is available."""
    return (fits[i] ^ must) & mask == _0 and available[types[i]] != 0


@_inlined
def _place(q, i, types, shows, neighbour, available, empty, wanted, cared, frontier, place, cursor):
    """Lay the candidate at position i on square q."""
    available[types[i]] -= np.uint32(1)
    size = cursor[FRONTIER]
    empty[q] = 0
    if cared[q] != _0:
        size -= _1
        moved = np.uint64(frontier[size])
        frontier[place[q]] = moved
        place[moved] = place[q]
    for side in range(4):
        beside = np.uint64(neighbour[_4 * q + np.uint64(side)])
        if empty[beside] != 0:
            if cared[beside] == _0:
                frontier[size] = beside
                place[beside] = size
                size += _1
            lane = _16 * np.uint64(side ^ 2)
            wanted[beside] |= ((shows[i] >> (_16 * np.uint64(side))) & _LOW) << lane
            cared[beside] |= _LOW << lane
    cursor[FRONTIER] = size


@_inlined
def _take_off(q, i, types, neighbour, available, empty, wanted, cared, frontier, place, cursor):
    """Undo `_place`."""
    size = cursor[FRONTIER]
    for side in range(4):
        beside = np.uint64(neighbour[_4 * q + np.uint64(side)])
        if empty[beside] != 0:
            lane = _LOW << (_16 * np.uint64(side ^ 2))
            wanted[beside] &= ~lane
            cared[beside] &= ~lane
            if cared[beside] == _0:
                size -= _1
    empty[q] = 1
    if cared[q] != _0:
        at = np.uint64(place[q])
        if at < size:
            moved = np.uint64(frontier[at])
            frontier[size] = moved
            place[moved] = size
        frontier[at] = q
        size += _1
    cursor[FRONTIER] = size
    available[types[i]] += np.uint32(1)


@_inlined
def _remember_fullest(pieces, candidate, square, position, fullest, cursor):
    """Keep the squares and candidates of the first `pieces` depths if this is the fullest board so far."""
    if pieces > cursor[FULLEST]:
        cursor[FULLEST] = pieces
        for d in range(pieces):
            at = np.uint64(d)
            fullest[at, 0] = square[at]
            fullest[at, 1] = candidate[position[at] - _1]


@_inlined
def _write_row(rows, written, candidate, column, square, position):
    """Write the candidates of a full board into a row, each in the column of its square."""
    for d in range(len(square)):
        at = np.uint64(d)
        rows[written, column[square[at]]] = candidate[position[at] - _1]
