"""The kernels of a count on a GPU: one walk a thread, and the work that busy threads hand over to idle ones.

They walk the same tree as `ordered.kernels.search_any_order`: candidates in the order of their list, a node for each
piece placed.

Data layout (all arrays flat, all integers unsigned; t is a thread of T, d a depth of D, 0-based)

- ``words[position]`` is a candidate; a list ends with 0.  From the lowest bit it has TOP, UNIT and FIELD, which say
  where the number of free pieces of its type is, and from bit `SIDES` on the four colours that it shows, as wide as
  `mask`.  ``mates[position]`` has the colours that fit onto them at the same bits.
- ``free[w * T + t]`` is a word of such numbers, and ``full[w]`` is that word of an empty board.  A number has an offset
  with which its highest bit, bit TOP of word FIELD, is set as long as a piece is free; UNIT is its lowest bit.
- ``index`` leads from keys to positions, as for `search_any_order`; 0 is an empty list.
- ``plan[5 * r:]`` describes a depth; row r is the depth plus D times the anchor's choice.  First the base of its table
  and, from bits `KEYED` and `KNOWN` on, how many neighbours make the key and how many are known.  Then the neighbours:
  stride, and from bit `DEEP` on the depth, from `SHIFT` on where its colour is in a word, from `LANE` on where it is in
  `mates`.
- ``place[d * T + t]`` and ``shown[d * T + t]`` are the position and the word of the candidate at depth d above the
  current one; ``nodes[d * T + t]`` are nodes that are not yet in ``totals[part * D + d]``.
- ``held[field * T + t]`` is the state of a walk between two launches; its depth is `NONE` in a thread without a walk.
- ``items`` is the list of work: part, first row of the plan, depth, position, and the positions above.  An item is
  everything from that position to the end of its list.
- ``unfinished[part]`` is the number of items and walks of a part.
- ``head`` has the lengths and numbers that all threads share.
- ``rows`` takes the leaves, one row each: the part, then the positions.  With one entry it takes none.

Invariant between two steps: the candidates of the depths above the current one are on the board, their pieces are
taken from `free`, and every candidate before the current position in the current list has been dealt with.  So a walk
can stop at any step, and what it leaves behind above its depth can be handed over as it is.
"""

import numpy as np

from ..gpu import cuda, device_function, device_kernel

#: Where the parts of a word begin.
UNIT, FIELD, SIDES = 6, 12, 19
#: Where the parts of a row of the plan begin.
KEYED, KNOWN, DEEP, SHIFT, LANE = 32, 40, 32, 48, 56
#: The entries of `head`: items that were taken, items in the list, walks, threads that have stopped early, finished
#: parts, leaves.
TAKEN, ITEMS, WALKS, OUT, FINISHED, ROWS, HEAD_SIZE = range(7)
#: The number of entries of `held`: depth, floor, the depth at which the walk began, the deepest so far, position, part,
#: and row of the plan.
HELD_SIZE = 7
#: The entries of an item before the positions above.
ITEM_SIZE = 4
#: The depth in a thread without a walk.
NONE = 0xFFFFFFFF

_0, _1, _2, _3, _4, _5, _6 = (np.uint64(i) for i in range(7))
_BITS, _FIELDS, _BYTE, _LOW_HALF = np.uint64(63), np.uint64(127), np.uint64(255), np.uint64(0xFFFFFFFF)
_UNIT, _FIELD, _KEYED, _KNOWN, _LANE = (np.uint64(i) for i in (UNIT, FIELD, KEYED, KNOWN, LANE))
_DEEP, _SHIFT, _DEPTHS = np.uint64(DEEP), np.uint64(SHIFT), np.uint64(0xFFFF)
_NONE, _ONE = np.uint64(NONE), np.uint32(1)


@device_kernel
def walk(
    words, mates, index, plan, full, items, head, held, place, shown, free, nodes, unfinished, totals, rows,
    threads, depths, mask, comparing, budget, look,
):  # fmt: skip
    """Continue the walk of each thread for at most `budget` steps; a thread without a walk takes the next item.

    A step is a candidate whose piece is free, or a step back.  Every `look` steps, a power of two, a thread looks
    whether more than a quarter of all threads have nothing to do, and then stops, so that walks can be divided.
    """
    t = np.uint64(cuda.grid(1))
    if t >= threads:
        return
    d, floor, first, deepest = (
        np.uint64(held[t]), np.uint64(held[threads + t]), np.uint64(held[_2 * threads + t]),
        np.uint64(held[_3 * threads + t]),
    )  # fmt: skip
    i, part, row = (
        np.uint64(held[_4 * threads + t]), np.uint64(held[_5 * threads + t]), np.uint64(held[_6 * threads + t])
    )  # fmt: skip
    walking = d != _NONE
    last = depths - _1
    count, wanted, cared, steps = _0, _0, _0, _0
    if walking and comparing:
        wanted, cared = _compared(plan, row, d, shown, threads, t, mask)
    full_up = False
    while steps < budget:
        steps += _1
        if steps & (look - _1) == _0 and cuda.atomic.add(head, OUT, _0) * _4 > threads:
            break
        if not walking:
            taken = cuda.atomic.add(head, TAKEN, _1)
            if taken >= head[ITEMS]:
                break
            at = taken * (depths + _4)
            part, row = np.uint64(items[at]), np.uint64(items[at + _1])
            d, i = np.uint64(items[at + _2]), np.uint64(items[at + _3])
            _lay(words, full, items, at + _4, d, place, shown, free, threads, t)
            floor, first, deepest = d, d, d
            walking = True
            cuda.atomic.add(head, WALKS, _1)
            if comparing:
                wanted, cared = _compared(plan, row, d, shown, threads, t, mask)
        word = words[i]
        while word != _0 and (free[_field(word) * threads + t] >> (word & _BITS)) & _1 == _0:
            i += _1
            word = words[i]
        if word == _0:
            nodes[d * threads + t] += count
            count = _0
            if d == floor:
                _finish(head, nodes, unfinished, totals, first, deepest, part, depths, threads, t)
                walking = False
                continue
            d -= _1
            word = shown[d * threads + t]
            free[_field(word) * threads + t] += _unit(word)
            i = np.uint64(place[d * threads + t]) + _1
            if comparing:
                wanted, cared = _compared(plan, row, d, shown, threads, t, mask)
            continue
        if comparing and (mates[i] ^ wanted) & cared != _0:
            i += _1
            continue
        if d == last:
            if len(rows) > 1 and not _write_row(head, rows, part, place, i, depths, threads, t):
                full_up = True
                break
            count += _1
            i += _1
            continue
        count += _1
        j = np.uint64(index[_key(plan, row, d, word, shown, threads, t, mask)])
        if j == _0:
            i += _1
            continue
        nodes[d * threads + t] += count
        count = _0
        place[d * threads + t] = i
        shown[d * threads + t] = word
        free[_field(word) * threads + t] -= _unit(word)
        d += _1
        i = j
        deepest = max(deepest, d)
        if comparing:
            wanted, cared = _compared(plan, row, d, shown, threads, t, mask)
    if not walking or full_up:
        cuda.atomic.add(head, OUT, _1)
    if walking:
        nodes[d * threads + t] += count
        held[threads + t], held[_2 * threads + t], held[_3 * threads + t] = floor, first, deepest
        held[_4 * threads + t], held[_5 * threads + t], held[_6 * threads + t] = i, part, row
    held[t] = d if walking else _NONE


@device_kernel
def forget(held, nodes, threads, depths):
    """Leave all threads without a walk."""
    t = np.uint64(cuda.grid(1))
    if t < threads:
        held[t] = _NONE
        for e in range(depths):
            nodes[np.uint64(e) * threads + t] = _0


@device_kernel
def hand_over(words, items, head, held, place, unfinished, threads, depths, most):
    """Turn what walks have left behind above their depths into items: at most `most` lists of each walk, highest first.

    What does not fit into `items` stays with its walk.
    """
    t = np.uint64(cuda.grid(1))
    if t >= threads or held[t] == _NONE:
        return
    d, e = np.uint64(held[t]), np.uint64(held[threads + t])
    part, size = np.uint64(held[_5 * threads + t]), depths + _4
    given = _0
    while e < d and given < most:
        position = np.uint64(place[e * threads + t]) + _1
        if words[position] != _0:
            at = cuda.atomic.add(head, ITEMS, _1) * size
            if at + size > np.uint64(len(items)):
                break
            items[at], items[at + _1] = part, held[_6 * threads + t]
            items[at + _2], items[at + _3] = e, position
            for above in range(e):
                items[at + _4 + np.uint64(above)] = place[np.uint64(above) * threads + t]
            cuda.atomic.add(unfinished, part, _ONE)
            given += _1
        e += _1
    held[threads + t] = e


@device_function
def _field(word):
    """The word of `free` that has the number of a candidate's free pieces."""
    return (word >> _FIELD) & _FIELDS


@device_function
def _unit(word):
    """One piece of a candidate's type, in that word."""
    return _1 << ((word >> _UNIT) & _BITS)


@device_function
def _neighbour(plan, at, d, word, shown, threads, t):
    """A neighbour's entry in the plan, and its word; that of depth d is `word`."""
    entry = plan[at]
    depth = (entry >> _DEEP) & _DEPTHS
    return entry, word if depth == d else shown[depth * threads + t]


@device_function
def _key(plan, row, d, word, shown, threads, t, mask):
    """The index of the list of depth d + 1, once the candidate `word` lies at depth d."""
    at = _5 * (row + d + _1)
    start = plan[at]
    key = start & _LOW_HALF
    keyed = (start >> _KEYED) & _BYTE
    j = _0
    while j < keyed:
        j += _1
        entry, seen = _neighbour(plan, at + j, d, word, shown, threads, t)
        key += ((seen >> ((entry >> _SHIFT) & _BYTE)) & mask) * (entry & _LOW_HALF)
    return key


@device_function
def _compared(plan, row, d, shown, threads, t, mask):
    """The colours that a candidate at depth d is compared with, and ones in their lanes."""
    at = _5 * (row + d)
    start = plan[at]
    j, known = (start >> _KEYED) & _BYTE, (start >> _KNOWN) & _BYTE
    wanted, cared = _0, _0
    while j < known:
        j += _1
        entry, seen = _neighbour(plan, at + j, d, _0, shown, threads, t)
        wanted |= ((seen >> ((entry >> _SHIFT) & _BYTE)) & mask) << (entry >> _LANE)
        cared |= mask << (entry >> _LANE)
    return wanted, cared


@device_function
def _lay(words, full, items, above, d, place, shown, free, threads, t):
    """Lay the candidates above depth d, whose positions begin at ``items[above]``, on an empty board."""
    for field in range(len(full)):
        free[np.uint64(field) * threads + t] = full[field]
    for e in range(d):
        at = np.uint64(e) * threads + t
        position = items[above + np.uint64(e)]
        word = words[position]
        place[at] = position
        shown[at] = word
        free[_field(word) * threads + t] -= _unit(word)


@device_function
def _finish(head, nodes, unfinished, totals, first, deepest, part, depths, threads, t):
    """Add the nodes of a walk to its part, and end it."""
    for e in range(first, deepest + _1):
        at = np.uint64(e) * threads + t
        number = nodes[at]
        if number != _0:
            cuda.atomic.add(totals, part * depths + np.uint64(e), number)
            nodes[at] = _0
    if cuda.atomic.sub(unfinished, part, _ONE) == _ONE:
        cuda.atomic.add(head, FINISHED, _1)
    cuda.atomic.sub(head, WALKS, _1)


@device_function
def _write_row(head, rows, part, place, i, depths, threads, t):
    """Write a leaf with its last position; return whether there was room for it."""
    start = cuda.atomic.add(head, ROWS, _1) * (depths + _1)
    if start + depths >= np.uint64(len(rows)):
        return False
    rows[start] = part
    for e in range(depths - _1):
        rows[start + _1 + np.uint64(e)] = place[np.uint64(e) * threads + t]
    rows[start + depths] = i
    return True
