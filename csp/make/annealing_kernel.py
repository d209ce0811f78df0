"""The kernel of the annealing: random scrambles, and moves that keep their symmetry.

Data layout (flat arrays of unsigned integers; darts and slots are numbered 4 * square + side)

- ``mate[x]`` is the dart that x meets in assembly A, or the number of darts if x is straight.
- ``lies[x]`` is the slot of the second assembly where dart x lies, ``at[u]`` the dart on slot u.
- ``peers`` has the squares of each class contiguously; those of the class of square q begin at ``place[2 * q]``, and
  there are ``place[2 * q + 1]`` of them.
- ``inverse``, ``first`` and ``second`` are the elements of the symmetry group, see `annealing`.
- ``unwanted[n * p + q]`` is 1 if piece p should not lie on square q; there are n squares.
- ``marks`` holds for each dart the number of the last walk that passed it; then for each piece, and after these
  for each square, whether it is open during a move.
- ``moved`` has room for one move, in rows: pieces and the slots of their upper sides before the move, the same after
  it, an orbit, and the darts that may meet others after it.
- ``random[0]`` is the state of the random numbers.

Invariant between two moves: `lies` and `at` are inverse to each other and a scramble with every symmetry of the group;
`counts` are its counts; nothing is marked open.  A connector class is a cycle that alternates between the dart met
in A and the one met in the second assembly.  A move changes only classes that pass the darts of the pieces that it
moves, so it is enough to walk through these before and after.
"""

import numpy as np

from ..base.compiled import inner_kernel, kernel, separate_kernel

# Entries of `wish`: the use up to which a class costs nothing, and the required number of classes, 0 for any number.
MAX_USE, TYPES = range(2)
# Entries of `counts`: joins above the use that costs nothing, joins that are in both assemblies, classes, pieces where
# they should not lie, pairs of sides (see `_is_pair`); then the number of walks, and room for the first five of them.
EXCESS, SHARED, CLASSES, UNWANTED, PAIRS, WALKS, KEPT = range(7)
COUNTS = KEPT + WALKS
# Rows of `moved`.
OLD_PIECES, OLD_SLOTS, NEW_PIECES, NEW_SLOTS, ORBIT_PIECES, ORBIT_SLOTS, CHANGED = range(7)
ROWS = 7

# Their weights in the energy, where a join above the use that costs nothing has weight 1.
SHARED_WEIGHT = UNWANTED_WEIGHT = 4
# The number of attempts to find a slot for an open piece before the move is given up.
TRIES = 30

_0, _1, _2, _3, _4, _8 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 8))
_12, _16, _25, _27, _32, _48, _2_32 = (np.uint64(i) for i in (12, 16, 25, 27, 32, 48, 2**32))
_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
_NONE = np.uint64(2**64 - 1)
_PLUS, _MINUS = np.int64(1), np.int64(-1)


@separate_kernel
def below(random, number):
    """One of 0, ..., number - 1 (xorshift64*, Vigna 2016)."""
    x = random[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    random[0] = x
    return (((x * _MULTIPLIER) >> _32) * number) >> _32


@separate_kernel
def meets(facing, lies, at, x):
    """The dart that x meets in the second assembly."""
    return at[facing[lies[x]]]


@separate_kernel
def fits(mate, facing, piece, slot):
    """Whether exactly the straight sides are on the border when the upper side of a piece lies on a slot."""
    straight = np.uint64(len(mate))
    square, turn = slot & ~_3, slot & _3
    for i in range(4):
        side = np.uint64(i)
        on_border = facing[square + ((side + turn) & _3)] == straight
        if (mate[_4 * piece + side] == straight) != on_border:
            return False
    return True


@inner_kernel
def random_slot(mate, facing, random, piece, square):
    """A slot of a square of its class where the upper side of a piece may lie."""
    slot = _4 * square + below(random, _4)
    while not fits(mate, facing, piece, slot):
        slot = (slot & ~_3) + ((slot + _1) & _3)
    return slot


@inner_kernel
def _aimed(mate, facing, place, lies, at, random):
    """A random move that makes a class of two: (piece, slot), or _NONE if the attempt failed.

    Dart x meets b in A and c in the second assembly; c meets d in A, and b should meet d in the second assembly.
    """
    size = np.uint64(len(mate))
    x = below(random, size)
    b = mate[x]
    if b == size:
        return _NONE, _0
    c = meets(facing, lies, at, x)
    d, f = mate[c], meets(facing, lies, at, b)
    if c == b or d == f or d >> _2 == b >> _2:
        return _NONE, _0
    u = lies[f]
    piece, slot = d >> _2, (u & ~_3) + ((u - d) & _3)
    if place[_2 * piece] != place[_2 * (slot >> _2)] or not fits(mate, facing, piece, slot):
        return _NONE, _0
    return piece, slot


@inner_kernel
def _orbit(inverse, first, second, piece, slot, moved):
    """Write the placements implied by symmetry; return their number, 0 if they contradict each other."""
    size = np.uint64(len(first) // len(inverse))
    pieces, slots = moved[ORBIT_PIECES], moved[ORBIT_SLOTS]
    number = _0
    for element in range(len(inverse)):
        base = np.uint64(element) * size
        a, u = _4 * piece, slot
        if inverse[element]:
            a, u = u, a
        a, u = first[base + a], second[base + u]
        p, t = a >> _2, (u & ~_3) + ((u - a) & _3)
        known = False
        for j in range(number):
            if pieces[j] == p or slots[j] >> _2 == t >> _2:
                if pieces[j] != p or slots[j] != t:
                    return _0
                known = True
        if not known:
            pieces[number] = p
            slots[number] = t
            number += _1
    return number


@inner_kernel
def _take_orbit(marks, size, moved, number, taken):
    """Add the orbit to the new placements if its pieces and squares are open; return whether they were."""
    squares = size + size // _4
    for j in range(number):
        if not marks[size + moved[ORBIT_PIECES, j]] or not marks[squares + (moved[ORBIT_SLOTS, j] >> _2)]:
            return False
    for j in range(number):
        p, t = moved[ORBIT_PIECES, j], moved[ORBIT_SLOTS, j]
        marks[size + p] = marks[squares + (t >> _2)] = _0
        moved[NEW_PIECES, taken + np.uint64(j)] = p
        moved[NEW_SLOTS, taken + np.uint64(j)] = t
    return True


@kernel
def lay(lies, at, piece, slot):
    """Place a piece so that its upper side is on a slot."""
    for i in range(4):
        side = np.uint64(i)
        x, u = _4 * piece + side, (slot & ~_3) + ((slot + side) & _3)
        lies[x] = u
        at[u] = x


@separate_kernel
def _open(lies, at, marks, size, moved, orbit):
    """Open the pieces of the orbit, those in its way, and the squares of all; return the number of pieces."""
    opened = _0
    for j in range(_2 * orbit):
        i = np.uint64(j) >> _1
        p = moved[ORBIT_PIECES, i] if j & 1 else at[moved[ORBIT_SLOTS, i]] >> _2
        if marks[size + p]:
            continue
        slot = lies[_4 * p]
        marks[size + p] = marks[size + size // _4 + (slot >> _2)] = _1
        moved[OLD_PIECES, opened] = p
        moved[OLD_SLOTS, opened] = slot
        opened += _1
    return opened


@separate_kernel
def _fill(mate, facing, place, inverse, first, second, marks, moved, random, opened, orbit):
    """Place the orbit, and the other open pieces at random on the other open squares; return whether this succeeded."""
    size = np.uint64(len(mate))
    squares = size + size // _4
    _take_orbit(marks, size, moved, orbit, _0)
    taken = orbit
    for i in range(opened):
        piece = moved[OLD_PIECES, i]
        tries = 0
        while taken and marks[size + piece]:
            if tries == TRIES:
                taken = _0
                break
            tries += 1
            square = moved[OLD_SLOTS, below(random, opened)] >> _2
            if not marks[squares + square] or place[_2 * square] != place[_2 * piece]:
                continue
            slot = random_slot(mate, facing, random, piece, square)
            orbit = _orbit(inverse, first, second, piece, slot, moved)
            if orbit and _take_orbit(marks, size, moved, orbit, taken):
                taken += orbit
    for i in range(opened):
        marks[size + moved[OLD_PIECES, i]] = marks[squares + (moved[OLD_SLOTS, i] >> _2)] = _0
    return taken == opened


@inner_kernel
def changed_half_sides(mate, facing, lies, at, moved, opened):
    """Write the darts that may meet others after the move; return their number."""
    straight = np.uint64(len(mate))
    number = _0
    for i in range(opened):
        for side in range(4):
            x = _4 * moved[OLD_PIECES, i] + np.uint64(side)
            if mate[x] != straight:
                moved[CHANGED, number] = x
                moved[CHANGED, number + _1] = meets(facing, lies, at, x)
                number += _2
    return number


@separate_kernel
def tally(mate, facing, lies, at, unwanted, wish, marks, moved, opened, changed, sign, counts):
    """Add to the counts, `sign` times, the contributions of the opened pieces and the changed darts."""
    squares = np.uint64(len(mate)) // _4
    for i in range(opened):
        p = moved[OLD_PIECES, i]
        counts[UNWANTED] += sign * np.int64(unwanted[squares * p + (lies[_4 * p] >> _2)])
    counts[WALKS] += 1
    walk = np.uint64(counts[WALKS])
    for i in range(changed):
        x = moved[CHANGED, i]
        if marks[x] == walk:
            continue
        joins, y = _0, x
        while True:
            z = mate[y]
            marks[y] = marks[z] = walk
            joins += _1
            y = meets(facing, lies, at, z)
            if y == x:
                break
        counts[CLASSES] += sign
        if joins == _1:
            counts[SHARED] += sign
        elif joins > wish[MAX_USE]:
            counts[EXCESS] += sign * np.int64(joins - wish[MAX_USE])
    counts[WALKS] += 1
    walk = np.uint64(counts[WALKS])
    for i in range(changed):
        x = mate[moved[CHANGED, i]]
        for y in (x, (x & ~_3) + ((x - _1) & _3)):
            if marks[y] != walk:
                marks[y] = walk
                counts[PAIRS] += sign * np.int64(_is_pair(mate, facing, lies, at, y))


@inner_kernel
def _is_pair(mate, facing, lies, at, x):
    """Whether the twins of a side and of the next one are neighbours in the same sense.

    Twins are darts of the same connector; equal pieces have such pairs all around.
    """
    straight = np.uint64(len(mate))
    y = (x & ~_3) + ((x + _1) & _3)
    if mate[x] == straight or mate[y] == straight:
        return False
    x, y = meets(facing, lies, at, mate[x]), meets(facing, lies, at, mate[y])
    return y == (x & ~_3) + ((x + _1) & _3)


@kernel
def tally_all(mate, facing, lies, at, unwanted, wish, marks, moved, counts):
    """Count everything from scratch."""
    straight = np.uint64(len(mate))
    for i in range(WALKS):
        counts[i] = 0
    changed = _0
    for x in range(straight):
        if mate[x] != straight:
            moved[CHANGED, changed] = x
            changed += _1
    squares = straight // _4
    for p in range(squares):
        moved[OLD_PIECES, p] = p
    tally(mate, facing, lies, at, unwanted, wish, marks, moved, squares, changed, _PLUS, counts)


@kernel
def energy(wish, counts):
    """The distance of a scramble from the requirements, except those on pieces."""
    found = SHARED_WEIGHT * counts[SHARED] + UNWANTED_WEIGHT * counts[UNWANTED]
    if wish[TYPES]:
        return found + abs(counts[CLASSES] - np.int64(wish[TYPES]))
    return found + counts[EXCESS]


@inner_kernel
def _height(wish, counts):
    """The objective of the annealing: the energy, and properties that go with good scrambles.

    Few pairs make few equal pieces.  With a required number of classes, classes of about equal use are preferred.
    """
    return 2 * energy(wish, counts) + counts[PAIRS] + (counts[EXCESS] if wish[TYPES] else 0)


@kernel
def pieces_at_fault(mate, facing, lies, at, moved):
    """The number of pieces equal to an earlier one, plus that of pieces that look the same after a half turn."""
    size = len(mate)
    labels, looks = moved[CHANGED], moved[OLD_PIECES]
    for x in range(size):
        labels[x] = _0
    label = _0
    for x in range(size):
        y = np.uint64(x)
        label += _2
        while mate[y] != size and labels[y] == _0:
            labels[y] = label
            labels[mate[y]] = label + _1
            y = meets(facing, lies, at, mate[y])
    faults = 0
    for p in range(size // 4):
        look = _0
        for side in range(4):
            look = (look << _16) + labels[4 * p + side]
        faults += look == (look >> _32) + (look << _32)
        least = look
        for _ in range(3):
            look = (look >> _16) + (look << _48)
            least = min(least, look)
        looks[p] = least
        for q in range(p):
            if looks[q] == least:
                faults += 1
                break
    return faults


@kernel
def scatter_pieces(mate, facing, place, peers, symmetry, lies, at, marks, moved, random):
    """Lay all pieces at random, with the symmetry; return whether this succeeded."""
    inverse, first, second = symmetry
    size = np.uint64(len(mate))
    squares = size // _4
    order = moved[CHANGED]
    for i in range(squares):
        order[i] = i
    for i in range(squares):
        j = np.uint64(i) + below(random, squares - np.uint64(i))
        order[i], order[j] = order[j], order[i]
    for i in range(size, len(marks)):
        marks[i] = _1
    for i in range(squares):
        piece, tries = order[i], 0
        while marks[size + piece]:
            if tries == 100 * TRIES:
                return False
            tries += 1
            square = peers[place[_2 * piece] + below(random, place[_2 * piece + _1])]
            if not marks[size + squares + square]:
                continue
            number = _orbit(inverse, first, second, piece, random_slot(mate, facing, random, piece, square), moved)
            if number != _0 and _take_orbit(marks, size, moved, number, _0):
                for j in range(number):
                    lay(lies, at, moved[NEW_PIECES, j], moved[NEW_SLOTS, j])
    return True


@kernel
def scatter(board, symmetry, scramble, random):
    """Make a random scramble with the symmetry; return whether this succeeded."""
    mate, facing, place, peers, unwanted, wish = board
    lies, at, marks, moved, counts = scramble
    if not scatter_pieces(mate, facing, place, peers, symmetry, lies, at, marks, moved, random):
        return False
    tally_all(mate, facing, lies, at, unwanted, wish, marks, moved, counts)
    return True


@inner_kernel
def random_placement(mate, facing, place, peers, random):
    """A random piece, and a random slot where it may lie."""
    piece = below(random, np.uint64(len(mate)) >> _2)
    square = peers[place[_2 * piece] + below(random, place[_2 * piece + _1])]
    return piece, random_slot(mate, facing, random, piece, square)


@inner_kernel
def replaced(mate, facing, place, symmetry, lies, at, marks, moved, random, piece, slot):
    """Find a move that brings a piece to a slot; return the number of pieces that it moves, 0 without one."""
    inverse, first, second = symmetry
    if lies[_4 * piece] == slot:
        return _0
    orbit = _orbit(inverse, first, second, piece, slot, moved)
    if not orbit:
        return _0
    opened = _open(lies, at, marks, np.uint64(len(mate)), moved, orbit)
    if not _fill(mate, facing, place, inverse, first, second, marks, moved, random, opened, orbit):
        return _0
    return opened


@inner_kernel
def _try_move(board, symmetry, scramble, random, thresholds):
    """Try one move; return whether the scramble has changed."""
    mate, facing, place, peers, unwanted, wish = board
    lies, at, marks, moved, counts = scramble
    if below(random, _8):
        piece, slot = _aimed(mate, facing, place, lies, at, random)
        if piece == _NONE:
            return False
    else:
        piece, slot = random_placement(mate, facing, place, peers, random)
    opened = replaced(mate, facing, place, symmetry, lies, at, marks, moved, random, piece, slot)
    if not opened:
        return False
    changed = changed_half_sides(mate, facing, lies, at, moved, opened)
    for i in range(WALKS):
        counts[KEPT + i] = counts[i]
    before = _height(wish, counts)
    tally(mate, facing, lies, at, unwanted, wish, marks, moved, opened, changed, _MINUS, counts)
    for j in range(opened):
        lay(lies, at, moved[NEW_PIECES, j], moved[NEW_SLOTS, j])
    tally(mate, facing, lies, at, unwanted, wish, marks, moved, opened, changed, _PLUS, counts)
    rise = _height(wish, counts) - before
    if rise <= 0 or (rise < len(thresholds) and below(random, _2_32) < thresholds[rise]):
        return True
    for j in range(opened):
        lay(lies, at, moved[OLD_PIECES, j], moved[OLD_SLOTS, j])
    for i in range(WALKS):
        counts[i] = counts[KEPT + i]
    return False


@kernel
def anneal_on(board, symmetry, scramble, random, thresholds, best, least, steps):
    """Continue for a number of steps, or until all requirements are met; return the number of steps done.

    A move that raises the height by r is accepted with probability ``thresholds[r]`` / 2^32.  ``least[0]`` is the least
    energy so far, including faults of pieces, and `best` the slots of the darts in that scramble.
    """
    mate, facing, _, _, _, wish = board
    lies, at, _, moved, counts = scramble
    for step in range(steps):
        if least[0] == 0:
            return step
        if not _try_move(board, symmetry, scramble, random, thresholds):
            continue
        found = energy(wish, counts)
        if found < least[0]:
            found += pieces_at_fault(mate, facing, lies, at, moved)
            if found < least[0]:
                least[0] = found
                for x in range(len(lies)):
                    best[x] = lies[x]
    return steps
