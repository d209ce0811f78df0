"""The search kernel for slip arrays, for any order; `kernels` describes the common parts."""

import numpy as np

from ...base.compiled import kernel
from ..codes import BUDGET_SPENT, DEEPER, EXHAUSTED, ROWS_FULL
from .kernels import BUDGET, DEPTH, FLOOR, POSITION, WRITTEN, write_row

# The entries of `state` for a depth that are specific to slips.
PASS, INVALID = 0, 1

_0, _1, _2, _3, _4 = (np.uint64(i) for i in range(5))
_LOW = np.uint64(0xFFFF)


@kernel
def search_with_slips(
    types, sides, mates, index, first, base, neighbour, shift, stride, lane, keyed, known, met, invalid, quota,
    available, shown, state, nodes, cursor, rows, deep,
):  # fmt: skip
    """Continue a search in which depth d may have up to ``quota[d]`` invalid joins on the board.

    - ``types``, ``sides``, ``mates``, ``index``, ``available`` and ``shown`` are those of `search_any_order`.
    - Depth d has the passes ``first[d]`` to ``first[d + 1] - 1``, in ascending order of ``invalid[s]``, the invalid
      joins that a candidate of pass s adds.  ``base`` and the following arrays have one or four entries per pass.
    - Of the neighbours of a pass the first ``keyed[s]`` make the key, those up to ``known[s]`` must match, and those
      up to ``met[s]`` must not.
    - ``state`` has the pass at its first place and, at the second, the invalid joins on the board before the depth's
      own piece; both for the current depth, too.

    ``quota`` ascends, and may be lowered to a number, the same for all depths, between two slices: what is on the
    board then may have more invalid joins than allowed, and no piece is placed before enough are taken off.
    """
    d, i, written, budget = cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    end = np.uint64(len(available) - 1)
    room = np.uint64(len(rows))
    s = np.uint64(state[_4 * d + np.uint64(PASS)])
    before = np.uint64(state[_4 * d + np.uint64(INVALID)])
    wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
    over = before + invalid[s] > quota[d]
    while True:
        p = np.uint64(types[i])
        while available[p] == 0:
            i += _1
            p = np.uint64(types[i])
        if p == end or over:
            s += _1
            if s < first[d + _1] and before + invalid[s] <= quota[d]:
                state[_4 * d + np.uint64(PASS)] = s
            elif d == cursor[FLOOR]:
                # Resumed, it is exhausted again.
                s -= _1
                stopped = EXHAUSTED
                break
            else:
                d -= _1
                i = np.uint64(state[_4 * d + _3])
                available[np.uint64(types[i])] += np.uint8(1)
                i += _1
                s = np.uint64(state[_4 * d + np.uint64(PASS)])
                before = np.uint64(state[_4 * d + np.uint64(INVALID)])
                over = before + invalid[s] > quota[d]
                wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
                continue
            i = first_of_list(s, index, base, shown, neighbour, shift, stride, keyed)
            wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
            continue
        unlike = mates[i] ^ wanted
        if unlike & cared != _0 or (differing != _0 and some_lane_is_zero(unlike | ~differing)):
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
        available[p] -= np.uint8(1)
        state[_4 * d + _3] = i
        before += invalid[s]
        d += _1
        s = first[d]
        state[_4 * d + np.uint64(PASS)], state[_4 * d + np.uint64(INVALID)] = s, before
        i = first_of_list(s, index, base, shown, neighbour, shift, stride, keyed)
        over = before + invalid[s] > quota[d]
        wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
    cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET] = d, i, written, budget
    return stopped


@kernel
def first_of_list(s, index, base, shown, neighbour, shift, stride, keyed):
    """Where the list of a pass starts."""
    key = base[s]
    r = _4 * s
    end = r + keyed[s]
    while r < end:
        key += ((shown[neighbour[r]] >> shift[r]) & _LOW) * stride[r]
        r += _1
    return np.uint64(index[key])


@kernel
def sides_compared(s, shown, neighbour, shift, lane, keyed, known, met):
    """The colours that a candidate of a pass is compared with, and ones in the lanes that must and must not match."""
    wanted, cared, differing = _0, _0, _0
    j = keyed[s]
    while j < met[s]:
        at = _4 * s + j
        wanted |= ((shown[neighbour[at]] >> shift[at]) & _LOW) << lane[at]
        if j < known[s]:
            cared |= _LOW << lane[at]
        else:
            differing |= _LOW << lane[at]
        j += _1
    return wanted, cared, differing


@kernel
def some_lane_is_zero(word):
    """Whether one of the four 16-bit lanes is 0 (Hacker's Delight, 6-1: exact as a yes or no)."""
    return (word - np.uint64(0x0001000100010001)) & ~word & np.uint64(0x8000800080008000) != _0
