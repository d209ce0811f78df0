"""The compiled part of annealing three assemblies without a common join."""

import numpy as np

from ..base.compiled import copy_numbers, inner_kernel, kernel, separate_kernel
from .annealing_kernel import (
    CHANGED,
    NEW_PIECES,
    NEW_SLOTS,
    OLD_PIECES,
    OLD_SLOTS,
    below,
    changed_half_sides,
    fits,
    lay,
    random_placement,
    replaced,
    scatter_pieces,
)

# Assembly 1 has piece p on square p, unturned.  The two others lie side by side on a board of twice as many squares:
# piece p of assembly 2 + k has the number p + k * squares there, its darts and the slots of that assembly follow those
# of assembly 2.  So `mate` (what faces a dart, or the number of all darts), `lies`, `at`, `place`, `peers`, `marks` and
# `moved` are those of `annealing_kernel`, for one scramble of twice as many pieces.
# `joined` has the dart that each of assembly 1 meets there, or -1 if it is straight.  `label[x]` is twice the lowest
# dart of the connector class of x, plus 1 if x has the other sign: equal labels fit the same sides.
# Entries of `limits`: the use up to which a connector costs nothing, and the weight of a piece that is not unique.
FREE_USE, PIECE_WEIGHT = range(2)
# Entries of `state`: the last stamp, the least height so far, the height now, pieces at fault now.
STAMP, LEAST, HEIGHT, FAULTS = range(4)
# Rows of `rows`: stamps, queue and signs of darts; stamps and pieces of a hash table.
MARKS, QUEUE, SIGNS, TABLE_MARKS, TABLE = range(5)
ROWS = 5
# The weights of a join in two assemblies and of a join (at most eight) of a class without consistent signs.
SHARED_WEIGHT, ODD_WEIGHT, MOST_ODD = 2, 1, 8

_2, _3, _4, _8, _2_32 = (np.uint64(i) for i in (2, 3, 4, 8, 2**32))


@separate_kernel
def random_below(random, number):
    """A random number from 0 up to but not including a number."""
    return np.int64(below(random, np.uint64(number)))


@separate_kernel
def _meets(mate, lies, at, joined, assembly, x):
    """The dart that x meets in assembly 1 + `assembly`."""
    if assembly == 0:
        return joined[x]
    first = np.int64(assembly - 1) * len(joined)
    return np.int64(at[mate[lies[np.uint64(first + x)]]]) - first


@inner_kernel
def label_class(label, queue, signs, size, lowest):
    """Label the darts of a connector class: twice its lowest dart, plus 1 for those of the other sign."""
    for i in range(size):
        label[queue[i]] = 2 * lowest + (signs[queue[i]] ^ signs[lowest])


@inner_kernel
def _class_at(mate, lies, at, joined, label, rows, stamp, x):
    """Label the connector class of a dart; return its joins, its joins without signs, and shared ones."""
    marks, queue, signs = rows[MARKS], rows[QUEUE], rows[SIGNS]
    size, odd, shared, i = 1, 0, 0, 0
    queue[0], marks[x], signs[x] = x, stamp, 0
    lowest = x
    while i < size:
        y = queue[i]
        i += 1
        a, b, c = joined[y], _meets(mate, lies, at, joined, 1, y), _meets(mate, lies, at, joined, 2, y)
        shared += (a == b) + (a == c) + (b == c)
        for z in (a, b, c):
            if marks[z] != stamp:
                marks[z], signs[z] = stamp, 1 - signs[y]
                queue[size] = z
                size += 1
                lowest = min(lowest, z)
            elif signs[z] == signs[y]:
                odd += 1
    label_class(label, queue, signs, size, lowest)
    return size // 2, odd, shared // 2


@inner_kernel
def _height(board, scrambles, changed):
    """The contribution of the connector classes of the changed darts, which are labelled again."""
    mate, _, _, joined, limits = board
    lies, at, _, moved, label, rows, _, state = scrambles
    state[STAMP] += 1
    height = 0
    for i in range(changed):
        x = np.int64(moved[CHANGED, i]) % len(joined)
        if rows[MARKS, x] != state[STAMP]:
            joins, odd, shared = _class_at(mate, lies, at, joined, label, rows, state[STAMP], x)
            height += max(0, joins - limits[FREE_USE]) + SHARED_WEIGHT * shared
            if odd:
                height += ODD_WEIGHT * min(joins, MOST_ODD)
    return height


@kernel
def pieces_at_fault(joined, label, rows, looks, state):
    """The number of pieces equal to an earlier one, plus that of pieces that look the same after a half turn."""
    state[STAMP] += 1
    faults, size = 0, len(joined)
    marks, table = rows[TABLE_MARKS], rows[TABLE]
    for p in range(size // 4):
        look = np.uint64(0)
        for side in range(4):
            x = 4 * p + side
            value = np.uint64(0) if joined[x] < 0 else np.uint64(label[x] + 1)
            look = (look << np.uint64(16)) | value
        faults += look == ((look >> np.uint64(32)) | (look << np.uint64(32)))
        least = look
        for _ in range(3):
            look = (look >> np.uint64(16)) | (look << np.uint64(48))
            least = min(least, look)
        looks[p] = least
        place = np.int64(((least * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) % np.uint64(size))
        while marks[place] == state[STAMP] and looks[table[place]] != least:
            place = place + 1 if place + 1 < size else 0
        if marks[place] == state[STAMP]:
            faults += 1
        else:
            marks[place], table[place] = state[STAMP], p
    return faults


@inner_kernel
def _aimed(mate, lies, at, joined, random):
    """A random move that makes a class smaller: (piece, slot, whether the attempt succeeded).

    In a class of three joins, going along the joins of the assemblies k, j, k leads to where one of assembly i leads.
    """
    x, k, side = random_below(random, len(joined)), random_below(random, 2), random_below(random, 2)
    if joined[x] < 0:
        return _2, _2, False
    i = k + 1
    one, other = (0, 3 - i) if side else (3 - i, 0)
    y = _meets(mate, lies, at, joined, other, x)
    y = _meets(mate, lies, at, joined, other, _meets(mate, lies, at, joined, one, y))
    u, piece = mate[lies[k * len(joined) + x]], np.uint64(k * len(joined) + y) >> _2
    slot = (u & ~_3) + ((u - np.uint64(y)) & _3)
    return piece, slot, y >> 2 != x >> 2 and fits(mate, mate, piece, slot)


@kernel
def scatter(board, symmetry, scrambles, random):
    """Make two random scrambles with the symmetry; return whether this succeeded."""
    mate, place, peers, joined, limits = board
    lies, at, marks, moved, label, rows, looks, state = scrambles
    if not scatter_pieces(mate, mate, place, peers, symmetry, lies, at, marks, moved, random):
        return False
    changed = 0
    for x in range(len(joined)):
        if joined[x] >= 0:
            moved[CHANGED, changed] = x
            changed += 1
    height = _height(board, scrambles, changed)
    state[FAULTS] = pieces_at_fault(joined, label, rows, looks, state)
    state[HEIGHT] = height + limits[PIECE_WEIGHT] * state[FAULTS]
    return True


@inner_kernel
def _try_move(board, symmetry, scrambles, random, thresholds):
    """Try one move; return whether the scrambles have changed."""
    mate, place, peers, joined, limits = board
    lies, at, marks, moved, label, rows, looks, state = scrambles
    if below(random, _8):
        piece, slot, is_aimed = _aimed(mate, lies, at, joined, random)
        if not is_aimed:
            return False
    else:
        piece, slot = random_placement(mate, mate, place, peers, random)
    opened = replaced(mate, mate, place, symmetry, lies, at, marks, moved, random, piece, slot)
    if not opened:
        return False
    changed = changed_half_sides(mate, mate, lies, at, moved, opened)
    before = _height(board, scrambles, changed)
    for j in range(opened):
        lay(lies, at, moved[NEW_PIECES, j], moved[NEW_SLOTS, j])
    after = _height(board, scrambles, changed)
    rise, faults = after - before, state[FAULTS]
    if rise - limits[PIECE_WEIGHT] * faults < len(thresholds):
        faults = pieces_at_fault(joined, label, rows, looks, state)
        rise += limits[PIECE_WEIGHT] * (faults - state[FAULTS])
    if rise <= 0 or (rise < len(thresholds) and below(random, _2_32) < thresholds[rise]):
        state[HEIGHT] += rise
        state[FAULTS] = faults
        return True
    for j in range(opened):
        lay(lies, at, moved[OLD_PIECES, j], moved[OLD_SLOTS, j])
    _height(board, scrambles, changed)
    return False


@kernel
def anneal_on(board, symmetry, scrambles, random, thresholds, best, steps):
    """Continue for a number of steps, or until all requirements are met; return the number of steps done.

    A move that raises the height by r is accepted with probability ``thresholds[r]`` / 2^32.  `best` has the slots of
    the darts in the scrambles of the least height.
    """
    lies, state = scrambles[0], scrambles[-1]
    for step in range(steps):
        if state[LEAST] == 0:
            return step
        if _try_move(board, symmetry, scrambles, random, thresholds) and state[HEIGHT] < state[LEAST]:
            state[LEAST] = state[HEIGHT]
            copy_numbers(best, lies)
    return steps
