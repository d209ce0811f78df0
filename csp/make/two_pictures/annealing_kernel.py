"""The kernel of the annealing of scrambles with costs from tones.

Data layout: that of `jigsat.csp.make.annealing_kernel`, without symmetries; and ``cost[4 * squares * p + u]``, the cost
if the upper side of piece p lies on slot u.  `thresholds[k]` is 2^32 times the probability of a move that raises the
height by k / `STEPS` times the temperature.

Invariant between two moves: `lies` and `at` are inverse to each other and a scramble, `counts` are its counts, and
``total[0]`` is the sum of the costs of the pieces.
"""

import numpy as np

from ...base.compiled import kernel
from ..annealing_kernel import (
    EXCESS,
    KEPT,
    OLD_PIECES,
    OLD_SLOTS,
    PAIRS,
    SHARED,
    SHARED_WEIGHT,
    UNWANTED,
    UNWANTED_WEIGHT,
    WALKS,
    below,
    changed_half_sides,
    lay,
    random_slot,
    tally,
)

#: Thresholds for each temperature's worth of height.
STEPS = 64

_0, _1, _2, _4 = (np.uint64(i) for i in (0, 1, 2, 4))
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
def anneal_on(board, scramble, random, cost, total, thresholds, temperature, weight, steps):
    """Try a number of moves: two pieces change places, or one turns; each fault costs `weight`."""
    for _ in range(steps):
        _try_move(board, scramble, random, cost, total, thresholds, temperature, weight)


@kernel
def _try_move(board, scramble, random, cost, total, thresholds, temperature, weight):
    mate, place, peers, unwanted, wish = board
    lies, at, marks, moved, counts = scramble
    size = np.uint64(len(mate))
    p = below(random, size // _4)
    q = peers[place[_2 * p] + below(random, place[_2 * p + _1])]
    from_p, from_q = lies[_4 * p], lies[_4 * q]
    to_p, to_q = random_slot(mate, random, p, from_q >> _2), random_slot(mate, random, q, from_p >> _2)
    opened = _2
    rise = cost[size * p + to_p] - cost[size * p + from_p]
    if p == q:
        if to_p == from_p:
            return
        opened, to_q = _1, to_p
    else:
        rise += cost[size * q + to_q] - cost[size * q + from_q]
    moved[OLD_PIECES, _0], moved[OLD_SLOTS, _0] = p, from_p
    moved[OLD_PIECES, _1], moved[OLD_SLOTS, _1] = q, from_q
    for i in range(WALKS):
        counts[KEPT + i] = counts[i]
    before = faults(counts)
    changed = changed_half_sides(mate, lies, at, moved, opened)
    tally(mate, lies, at, unwanted, wish, marks, moved, opened, changed, _MINUS, counts)
    lay(lies, at, p, to_p)
    lay(lies, at, q, to_q)
    tally(mate, lies, at, unwanted, wish, marks, moved, opened, changed, _PLUS, counts)
    height = rise + weight * (faults(counts) - before)
    if height <= 0 or _is_taken(random, thresholds, height, temperature):
        total[0] += rise
        return
    lay(lies, at, p, from_p)
    lay(lies, at, q, from_q)
    for i in range(WALKS):
        counts[i] = counts[KEPT + i]


@kernel
def _is_taken(random, thresholds, height, temperature):
    step = np.uint64(STEPS * height // temperature)
    return step < np.uint64(len(thresholds)) and below(random, _2_32) < thresholds[step]
