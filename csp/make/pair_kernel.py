"""The compiled part of annealing three assemblies without a common join."""

import numpy as np

from ..base.compiled import copy_numbers, inner_kernel, kernel, separate_kernel
from .annealing_kernel import below

# Assembly 1 has piece p on square p, unturned; `lies[k, x]` is the slot of dart x in assembly 2 + k, and `at` is
# its inverse.  Slots are darts of assembly 1, `mate` has the one that each of them faces, or -1 on the border.
# `label[x]` is twice the lowest dart of the connector class of x, plus 1 if x has the other sign: equal labels fit
# the same sides.  A scramble number z is piece z % squares of assembly 2 + z // squares.
# Entries of `limits`: the use up to which a connector costs nothing, and the weight of a piece that is not unique.
FREE_USE, PIECE_WEIGHT = range(2)
# Entries of `state`: the last stamp, the least height so far, the height now, pieces at fault now.
STAMP, LEAST, HEIGHT, FAULTS = range(4)
# Rows of `rows`: stamps, queue, signs, changed darts, what was open (scrambles, slots), what was placed, an orbit.
MARKS, QUEUE, SIGNS, CHANGED, OLD, OLD_SLOTS, NEW, NEW_SLOTS, ORBIT, ORBIT_SLOTS, TABLE_MARKS, TABLE = range(12)
ROWS = 12
# The weights of a join in two assemblies and of a join (at most eight) of a class without consistent signs.
SHARED_WEIGHT, ODD_WEIGHT, MOST_ODD = 2, 1, 8
# The number of attempts to find a slot for an open piece before the move is given up.
TRIES = 30


@separate_kernel
def random_below(random, number):
    """A random number from 0 up to but not including a number."""
    return np.int64(below(random, np.uint64(number)))


@separate_kernel
def _fits(mate, piece, slot):
    """Whether exactly the straight sides are on the border when the upper side of a piece lies on a slot."""
    wrong = 0
    for side in range(4):
        wrong += (mate[(slot & ~3) + ((slot + side) & 3)] < 0) != (mate[4 * piece + side] < 0)
    return wrong == 0


@inner_kernel
def _random_slot(mate, random, piece, square):
    slot = 4 * square + random_below(random, 4)
    while not _fits(mate, piece, slot):
        slot = (slot & ~3) + ((slot + 1) & 3)
    return slot


@separate_kernel
def _meets(mate, lies, at, assembly, x):
    """The dart that x meets in assembly 1 + `assembly`."""
    if assembly == 0:
        return mate[x]
    return at[assembly - 1, mate[lies[assembly - 1, x]]]


@inner_kernel
def label_class(label, queue, signs, size, lowest):
    """Label the darts of a connector class: twice its lowest dart, plus 1 for those of the other sign."""
    for i in range(size):
        label[queue[i]] = 2 * lowest + (signs[queue[i]] ^ signs[lowest])


@inner_kernel
def _class_at(mate, lies, at, label, rows, stamp, x):
    """Label the connector class of a dart; return its joins, its joins without signs, and shared ones."""
    marks, queue, signs = rows[MARKS], rows[QUEUE], rows[SIGNS]
    size, odd, shared, i = 1, 0, 0, 0
    queue[0], marks[x], signs[x] = x, stamp, 0
    lowest = x
    while i < size:
        y = queue[i]
        i += 1
        a, b, c = mate[y], at[0, mate[lies[0, y]]], at[1, mate[lies[1, y]]]
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
def _height(mate, lies, at, label, rows, limits, state, changed):
    """The contribution of the connector classes of the changed darts, which are labelled again."""
    state[STAMP] += 1
    height = 0
    for i in range(changed):
        x = rows[CHANGED, i]
        if rows[MARKS, x] != state[STAMP]:
            joins, odd, shared = _class_at(mate, lies, at, label, rows, state[STAMP], x)
            height += max(0, joins - limits[FREE_USE]) + SHARED_WEIGHT * shared
            if odd:
                height += ODD_WEIGHT * min(joins, MOST_ODD)
    return height


@kernel
def pieces_at_fault(mate, label, rows, looks, state):
    """The number of pieces equal to an earlier one, plus that of pieces that look the same after a half turn."""
    state[STAMP] += 1
    faults, size = 0, len(mate)
    marks, table = rows[TABLE_MARKS], rows[TABLE]
    for p in range(size // 4):
        look = np.uint64(0)
        for side in range(4):
            x = 4 * p + side
            value = np.uint64(0) if mate[x] < 0 else np.uint64(label[x] + 1)
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
def _orbit(symmetry, squares, scramble, slot, rows):
    """Write the placements implied by symmetry; return their number, 0 if they contradict each other."""
    swaps, first, second = symmetry
    orbit, slots = rows[ORBIT], rows[ORBIT_SLOTS]
    here = scramble // squares
    number = 0
    for element in range(len(swaps)):
        there = here ^ swaps[element]
        a, u = first[element, 4 * (scramble - here * squares)], second[element, here, slot]
        z, t = (a >> 2) + there * squares, (u & ~3) + ((u - a) & 3)
        known = False
        for j in range(number):
            if orbit[j] // squares == there and (orbit[j] == z or slots[j] >> 2 == t >> 2):
                if orbit[j] != z or slots[j] != t:
                    return 0
                known = True
        if not known:
            orbit[number], slots[number] = z, t
            number += 1
    return number


@separate_kernel
def _take(open_pieces, open_squares, squares, rows, number, taken):
    """Add the orbit to the new placements if its pieces and squares are open; return whether they were."""
    for j in range(number):
        z, t = rows[ORBIT, j], rows[ORBIT_SLOTS, j]
        if not open_pieces[z] or not open_squares[z // squares * squares + (t >> 2)]:
            return False
    for j in range(number):
        z, t = rows[ORBIT, j], rows[ORBIT_SLOTS, j]
        open_pieces[z] = open_squares[z // squares * squares + (t >> 2)] = 0
        rows[NEW, taken + j], rows[NEW_SLOTS, taken + j] = z, t
    return True


@separate_kernel
def _lay(lies, at, squares, scramble, slot):
    k = scramble // squares
    piece = scramble - k * squares
    for side in range(4):
        u = (slot & ~3) + ((slot + side) & 3)
        lies[k, 4 * piece + side], at[k, u] = u, 4 * piece + side


@separate_kernel
def _open(lies, at, open_pieces, open_squares, squares, rows, orbit):
    """Open the pieces of the orbit, those in its way, and the squares of all; return the number of pieces."""
    opened = 0
    for j in range(2 * orbit):
        z = rows[ORBIT, j // 2]
        k = z // squares
        if j % 2 == 0:
            z = k * squares + (at[k, rows[ORBIT_SLOTS, j // 2]] >> 2)
        if open_pieces[z]:
            continue
        slot = lies[k, 4 * (z - k * squares)]
        open_pieces[z] = open_squares[k * squares + (slot >> 2)] = 1
        rows[OLD, opened], rows[OLD_SLOTS, opened] = z, slot
        opened += 1
    return opened


@separate_kernel
def _fill(mate, place, symmetry, open_pieces, open_squares, rows, random, opened, orbit):
    """Place the orbit, and the other open pieces at random on the other open squares; return whether this succeeded."""
    squares = len(mate) // 4
    _take(open_pieces, open_squares, squares, rows, orbit, 0)
    taken = orbit
    for i in range(opened):
        z = rows[OLD, i]
        k = z // squares
        piece, tries = z - k * squares, 0
        while taken and open_pieces[z]:
            if tries == TRIES:
                taken = 0
                break
            tries += 1
            other = random_below(random, opened)
            square = rows[OLD_SLOTS, other] >> 2
            if rows[OLD, other] // squares != k or not open_squares[k * squares + square]:
                continue
            if place[2 * square] != place[2 * piece]:
                continue
            number = _orbit(symmetry, squares, z, _random_slot(mate, random, piece, square), rows)
            if number and _take(open_pieces, open_squares, squares, rows, number, taken):
                taken += number
    for i in range(opened):
        z = rows[OLD, i]
        open_pieces[z] = open_squares[z // squares * squares + (rows[OLD_SLOTS, i] >> 2)] = 0
    return taken == opened


@inner_kernel
def _aimed(mate, lies, at, random):
    """A random move that makes a class smaller: (scramble, slot), or (-1, 0) if the attempt failed.

    In a class of three joins, going along the joins of the assemblies k, j, k leads to where one of assembly i leads.
    """
    x, k, side = random_below(random, len(mate)), random_below(random, 2), random_below(random, 2)
    if mate[x] < 0:
        return -1, 0
    i = k + 1
    one, other = (0, 3 - i) if side else (3 - i, 0)
    y = _meets(mate, lies, at, other, _meets(mate, lies, at, one, _meets(mate, lies, at, other, x)))
    u = mate[lies[k, x]]
    piece, slot = y >> 2, (u & ~3) + ((u - y) & 3)
    if piece == x >> 2 or not _fits(mate, piece, slot):
        return -1, 0
    return k * (len(mate) // 4) + piece, slot


@kernel
def scatter(board, symmetry, scrambles, random):
    """Make two random scrambles with the symmetry; return whether this succeeded."""
    mate, place, peers = board[:3]
    lies, at, open_pieces, open_squares, rows = *scrambles[:2], *scrambles[3:6]
    squares = len(mate) // 4
    order = rows[QUEUE]
    for i in range(2 * squares):
        order[i], open_pieces[i], open_squares[i] = i, 1, 1
    for i in range(2 * squares):
        j = i + random_below(random, 2 * squares - i)
        order[i], order[j] = order[j], order[i]
    for i in range(2 * squares):
        z = order[i]
        k = z // squares
        piece, tries = z - k * squares, 0
        while open_pieces[z]:
            if tries == 100 * TRIES:
                return False
            tries += 1
            square = peers[place[2 * piece] + random_below(random, place[2 * piece + 1])]
            if not open_squares[k * squares + square]:
                continue
            number = _orbit(symmetry, squares, z, _random_slot(mate, random, piece, square), rows)
            if number and _take(open_pieces, open_squares, squares, rows, number, 0):
                for j in range(number):
                    _lay(lies, at, squares, rows[NEW, j], rows[NEW_SLOTS, j])
    measure_all(board, scrambles)
    return True


@inner_kernel
def measure_all(board, scrambles):
    """Measure everything from scratch."""
    mate, _, _, limits = board
    lies, at, label, _, _, rows, looks, state = scrambles
    changed = 0
    for x in range(len(mate)):
        if mate[x] >= 0:
            rows[CHANGED, changed] = x
            changed += 1
    height = _height(mate, lies, at, label, rows, limits, state, changed)
    state[FAULTS] = pieces_at_fault(mate, label, rows, looks, state)
    state[HEIGHT] = height + limits[PIECE_WEIGHT] * state[FAULTS]


@inner_kernel
def _try_move(board, symmetry, scrambles, random, thresholds):
    """Try one move; return whether the scrambles have changed."""
    mate, place, peers, limits = board
    lies, at, label, open_pieces, open_squares, rows, looks, state = scrambles
    squares = len(mate) // 4
    if random_below(random, 8):
        z, slot = _aimed(mate, lies, at, random)
        if z < 0:
            return False
    else:
        z = random_below(random, 2 * squares)
        p = z % squares
        slot = _random_slot(mate, random, p, peers[place[2 * p] + random_below(random, place[2 * p + 1])])
    k = z // squares
    if lies[k, 4 * (z - k * squares)] == slot:
        return False
    orbit = _orbit(symmetry, squares, z, slot, rows)
    if not orbit:
        return False
    opened = _open(lies, at, open_pieces, open_squares, squares, rows, orbit)
    if not _fill(mate, place, symmetry, open_pieces, open_squares, rows, random, opened, orbit):
        return False
    changed = 0
    for i in range(opened):
        z = rows[OLD, i]
        k = z // squares
        for side in range(4):
            x = 4 * (z - k * squares) + side
            if mate[x] >= 0:
                rows[CHANGED, changed], rows[CHANGED, changed + 1] = x, _meets(mate, lies, at, k + 1, x)
                changed += 2
    before = _height(mate, lies, at, label, rows, limits, state, changed)
    for j in range(opened):
        _lay(lies, at, squares, rows[NEW, j], rows[NEW_SLOTS, j])
    after = _height(mate, lies, at, label, rows, limits, state, changed)
    rise, faults = after - before, state[FAULTS]
    if rise - limits[PIECE_WEIGHT] * faults < len(thresholds):
        faults = pieces_at_fault(mate, label, rows, looks, state)
        rise += limits[PIECE_WEIGHT] * (faults - state[FAULTS])
    if rise <= 0 or (rise < len(thresholds) and np.uint64(random_below(random, 2**32)) < thresholds[rise]):
        state[HEIGHT] += rise
        state[FAULTS] = faults
        return True
    for j in range(opened):
        _lay(lies, at, squares, rows[OLD, j], rows[OLD_SLOTS, j])
    _height(mate, lies, at, label, rows, limits, state, changed)
    return False


@kernel
def anneal_on(board, symmetry, scrambles, random, thresholds, best, steps):
    """Continue for a number of steps, or until all requirements are met; return the number of steps done.

    A move that raises the height by r is accepted with probability ``thresholds[r]`` / 2^32.  `best` has the slots of
    the darts in the scrambles of the least height.
    """
    lies, _, _, _, _, _, _, state = scrambles
    for step in range(steps):
        if state[LEAST] == 0:
            return step
        if _try_move(board, symmetry, scrambles, random, thresholds) and state[HEIGHT] < state[LEAST]:
            state[LEAST] = state[HEIGHT]
            for k in range(2):
                copy_numbers(best[k], lies[k])
    return steps
