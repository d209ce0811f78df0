"""The two search kernels: one for staircase orders, one for any order.

Both walk the same tree in the same way: candidates in the order of their list, a node for each piece placed.

Data layout (all arrays flat, all integers unsigned; d is a depth, 0-based)

- The lists of candidates lie one after the other; a *position* points at one candidate.  A list ends with the type
  number `end`, which is always available, so that the scan over used candidates needs a single test.
- ``available[t]`` is the number of pieces of type t that are not on the board.
- ``stack[d]`` is, for the depths above the current one, the position after the candidate placed there, times 65536,
  plus its type.
- ``nodes[d]`` is the number of nodes so far; ``cursor`` is (depth, position, rows written); ``deepest`` is the
  greatest number of pieces placed, then the positions of these pieces.
- ``rows`` takes the positions of a solution's candidates, a row a solution, where it has room for any.

Invariant between two steps: the pieces at depths below the current depth are placed, their types are taken from
`available`, and every candidate before the current position in the current list has been dealt with.  A kernel stops
only there, so that it can be resumed with the same arrays.
"""

import numpy as np

from .compile import kernel

EXHAUSTED, BUDGET_SPENT, ROWS_FULL = range(3)

_0, _1, _2, _3, _4 = (np.uint64(i) for i in range(5))
_16, _32 = np.uint64(16), np.uint64(32)
_LOW = np.uint64(0xFFFF)


@kernel
def note_deepest(stack, deepest, depth, position):
    """Keep the positions of the pieces on the board, and the one just placed at `depth`."""
    deepest[_0] = depth + _1
    for e in range(depth):
        deepest[e + _1] = (stack[e] >> _16) - _1
    deepest[depth + _1] = position


@kernel
def note_solution(stack, rows, row, last, position):
    """Write the positions of a solution's candidates into a row."""
    for e in range(last):
        rows[row, e] = (stack[e] >> _16) - _1
    rows[row, last] = position


@kernel
def search_staircase(
    words, index, base, below, left, end, available, up, right, stack, nodes, cursor, deepest, rows, budget
):
    """Search on for at most `budget` nodes where lower and left neighbours alone are known.

    A word of `words` is a candidate's type, right colour (times 2^16) and upper colour times the number of colours
    (times 2^32).  ``up`` and ``right`` hold these two by depth; ``below[d]`` and ``left[d]`` are the depths of the
    neighbours, or the number of depths, whose entry stays 0.
    """
    d, i, written = cursor[0], cursor[1], cursor[2]
    last = np.uint64(len(nodes) - 1)
    room = np.uint64(len(rows))
    while True:
        word = words[i]
        while available[word & _LOW] == 0:
            i += _1
            word = words[i]
        p = word & _LOW
        if p != end:
            if budget == _0:
                cursor[0], cursor[1], cursor[2] = d, i, written
                return BUDGET_SPENT
            budget -= _1
            n = nodes[d]
            nodes[d] = n + _1
            if n == _0:
                note_deepest(stack, deepest, d, i)
            if d == last:
                i += _1
                if room != _0:
                    note_solution(stack, rows, written, last, i - _1)
                    written += _1
                    if written == room:
                        cursor[0], cursor[1], cursor[2] = d, i, written
                        return ROWS_FULL
                continue
            i += _1
            up[d] = word >> _32
            right[d] = (word >> _16) & _LOW
            e = d + _1
            first = np.uint64(index[base[e] + up[below[e]] + right[left[e]]])
            if first == _0:
                continue
            available[p] -= np.uint16(1)
            stack[d] = (i << _16) | p
            d = e
            i = first
        else:
            if d == _0:
                cursor[0], cursor[1], cursor[2] = d, i, written
                return EXHAUSTED
            d -= _1
            top = stack[d]
            available[top & _LOW] += np.uint16(1)
            i = top >> _16


@kernel
def search_any_order(
    types, sides, mates, index, base, neighbour, shift, stride, lane, keyed, known,
    end, available, shown, stack, nodes, cursor, deepest, rows, budget,
):  # fmt: skip
    """Search on for at most `budget` nodes, whatever neighbours are known.

    ``types``, ``sides`` and ``mates`` describe the candidate at each position: its type, the four colours that it
    shows and the four that fit onto them, 16 bits each.  ``shown[d]`` is the entry of `sides` of the piece at depth d.
    ``neighbour``, ``shift``, ``stride`` and ``lane`` have four entries a depth.  Of the known neighbours, the first
    ``keyed[d]`` make the key, the others are compared: `wanted` has their colours, `cared` ones in their places.
    """
    d, i, written = cursor[0], cursor[1], cursor[2]
    last = np.uint64(len(nodes) - 1)
    room = np.uint64(len(rows))
    comparing = (keyed < known).any()
    wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)
    while True:
        p = types[i]
        while available[p] == 0:
            i += _1
            p = types[i]
        if p != end:
            if comparing and (mates[i] ^ wanted) & cared != _0:
                i += _1
                continue
            if budget == _0:
                cursor[0], cursor[1], cursor[2] = d, i, written
                return BUDGET_SPENT
            budget -= _1
            n = nodes[d]
            nodes[d] = n + _1
            if n == _0:
                note_deepest(stack, deepest, d, i)
            i += _1
            if d == last:
                if room != _0:
                    note_solution(stack, rows, written, last, i - _1)
                    written += _1
                    if written == room:
                        cursor[0], cursor[1], cursor[2] = d, i, written
                        return ROWS_FULL
                continue
            shown[d] = sides[i - _1]
            e = d + _1
            r = _4 * e
            key = base[e]
            key += ((shown[neighbour[r]] >> shift[r]) & _LOW) * stride[r]
            key += ((shown[neighbour[r + _1]] >> shift[r + _1]) & _LOW) * stride[r + _1]
            if keyed[e] > _2:
                key += ((shown[neighbour[r + _2]] >> shift[r + _2]) & _LOW) * stride[r + _2]
                key += ((shown[neighbour[r + _3]] >> shift[r + _3]) & _LOW) * stride[r + _3]
            first = np.uint64(index[key])
            if first == _0:
                continue
            available[p] -= np.uint16(1)
            stack[d] = (i << _16) | np.uint64(p)
            d = e
            i = first
            if comparing:
                wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)
        else:
            if d == _0:
                cursor[0], cursor[1], cursor[2] = d, i, written
                return EXHAUSTED
            d -= _1
            top = stack[d]
            available[top & _LOW] += np.uint16(1)
            i = top >> _16
            if comparing:
                wanted, cared = _compared(d, shown, neighbour, shift, lane, keyed, known)


@kernel
def _compared(d, shown, neighbour, shift, lane, keyed, known):
    """The colours that a candidate at depth d is compared with, and ones in their places."""
    wanted, cared = _0, _0
    j = keyed[d]
    while j < known[d]:
        at = _4 * d + j
        wanted |= ((shown[neighbour[at]] >> shift[at]) & _LOW) << lane[at]
        cared |= _LOW << lane[at]
        j += _1
    return wanted, cared
