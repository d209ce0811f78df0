"""The kernel of the annealing of scrambles with costs from tones.

Data layout: that of `jigsat.csp.make.annealing_kernel`, without symmetries; ``cost[4 * squares * p + u]``, the cost
if the upper side of piece p lies on slot u; and ``near[p]``, the slots on which that piece costs least.
`thresholds[k]` is 2^32 times the probability of a move that raises the height by k / `STEPS` times the temperature.

Invariant between two moves: `lies` and `at` are inverse to each other and a scramble, `counts` are its counts, and
``total[0]`` is the sum of the costs of the pieces.
"""

import numpy as np

from ...base.compiled import kernel
from ..annealing_kernel import (
    EXCESS,
    KEPT,
    NONE,
    OLD_PIECES,
    OLD_SLOTS,
    PAIRS,
    SHARED,
    SHARED_WEIGHT,
    UNWANTED,
    UNWANTED_WEIGHT,
    WALKS,
    aimed,
    below,
    changed_half_sides,
    lay,
    random_slot,
    tally,
)

#: Thresholds for each temperature's worth of height.
STEPS = 64
#: More faults than this are not mended by a move.
MOST_MENDED = 4

_0, _1, _2, _3, _4 = (np.uint64(i) for i in range(5))
_2_32 = np.uint64(2**32)
_PLUS, _MINUS = np.int64(1), np.int64(-1)


@kernel
def faults(counts):
    """The distance of a scramble from an acceptable one, plus a penalty for what tends to make equal pieces."""
    return SHARED_WEIGHT * counts[SHARED] + UNWANTED_WEIGHT * counts[UNWANTED] + counts[EXCESS] + counts[PAIRS]


@kernel
def total_cost(lies, cost):
    """The cost of all pieces in their places."""
    size = np.uint64(len(lies))
    total = np.int64(0)
    for p in range(size // _4):
        total += cost[size * p + lies[_4 * p]]
    return total


@kernel
def anneal_on(board, scramble, random, cost, near, total, thresholds, temperature, weight, steps):
    """Try a number of moves: two pieces change places, or one turns; each fault costs `weight`."""
    for _ in range(steps):
        _try_move(board, scramble, random, cost, near, total, thresholds, temperature, weight)


@kernel
def _try_move(board, scramble, random, cost, near, total, thresholds, temperature, weight):
    mate, place, peers, unwanted, wish = board
    lies, at, marks, moved, counts = scramble
    size = np.uint64(len(mate))
    p = below(random, size // _4)
    kind = below(random, _4)
    if kind == _0:
        p, to_p = aimed(mate, lies, at, random)
        if p == NONE:
            return
    elif kind < _3:
        to_p = near[p, below(random, np.uint64(near.shape[1]))]
    else:
        to_p = random_slot(mate, random, p, peers[place[_2 * p] + below(random, place[_2 * p + _1])])
    from_p = lies[_4 * p]
    if to_p == from_p:
        return
    q = at[to_p] >> _2
    from_q = lies[_4 * q]
    opened = _2
    rise = cost[size * p + to_p] - cost[size * p + from_p]
    to_q = to_p
    if p == q:
        opened = _1
    else:
        to_q = random_slot(mate, random, q, from_p >> _2)
        rise += cost[size * q + to_q] - cost[size * q + from_q]
    limit = _drawn_limit(random, thresholds, temperature)
    before = faults(counts)
    # Hardly any move mends more faults than this, and most moves end here.
    if rise >= limit + weight * min(before, MOST_MENDED):
        return
    moved[OLD_PIECES, _0], moved[OLD_SLOTS, _0] = p, from_p
    moved[OLD_PIECES, _1], moved[OLD_SLOTS, _1] = q, from_q
    for i in range(WALKS):
        counts[KEPT + i] = counts[i]
    changed = changed_half_sides(mate, lies, at, moved, opened)
    tally(mate, lies, at, unwanted, wish, marks, moved, opened, changed, _MINUS, counts)
    lay(lies, at, p, to_p)
    lay(lies, at, q, to_q)
    tally(mate, lies, at, unwanted, wish, marks, moved, opened, changed, _PLUS, counts)
    if rise + weight * (faults(counts) - before) < limit:
        total[0] += rise
        return
    lay(lies, at, p, from_p)
    lay(lies, at, q, from_q)
    for i in range(WALKS):
        counts[i] = counts[KEPT + i]


@kernel
def _drawn_limit(random, thresholds, temperature):
    """A random bound: a move is taken if it raises the height by less; always above 0."""
    drawn = below(random, _2_32)
    low, high = 0, len(thresholds)
    while low < high:
        middle = (low + high) // 2
        if drawn < thresholds[middle]:
            low = middle + 1
        else:
            high = middle
    return np.int64(low) * temperature // STEPS + 1
