"""The search kernels for staircase orders and for any order.

`slip_kernel` has one for slip arrays.  The folder `quick` has quicker ones, which do most of the work of these:
`quick.kernel` for both, `quick.rowscan_kernel` for row by row.

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

import numpy as np

from ...base.compiled import kernel
from ..slices import BUDGET_SPENT, DEEPER, EXHAUSTED, ROWS_FULL, RUNNING

STATE_SIZE = 4
DEPTH, POSITION, WRITTEN, BUDGET, FLOOR = range(5)

_0, _1, _2, _3, _4, _8, _32, _63 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 8, 32, 63))
_LOW, _LOW_HALF = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)


@kernel
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


@kernel
def _stands_at_candidate(words, type_mask, available, cursor):
    """Whether a piece can be placed at the current depth; moves the position to the first such candidate."""
    i = cursor[POSITION]
    while available[np.uint64(words[i]) & type_mask] == 0:
        i += _1
    cursor[POSITION] = i
    return np.uint64(words[i]) & type_mask != type_mask


# Separate from the rare cases above, because a loop without calls keeps more of its values in registers.
@kernel
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


@kernel
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


@kernel
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
def search_any_order(
    types, sides, mates, reachable, index, base, neighbour, shift, stride, lane, keyed, known,
    available, shown, state, nodes, cursor, rows, deep,
):  # fmt: skip
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
    comparing = (keyed < known).any()
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


@kernel
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
