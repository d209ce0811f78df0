"""The kernels of the beam search on a GPU: children, which of them are kept, and the boards that they make.

A partial board is a row of 64-bit words in ``rows``, so that neighbouring threads copy neighbouring words: first a bit
for each piece on it; from word ``slot_at`` on the colours of its open sides, eight bits each; from ``place_at`` on, for
each colour, the index of its term in ``terms`` (see `rank`), sixteen bits each.  Other arrays have an entry for
each board: invalid joins, potential, hope (as in the kernels for processors), the hash of pieces and open sides
(``mark``, Zobrist 1970), and a hash of how the board was made (``history``).

All scores are whole numbers, in units of `UNIT`, so that sums do not depend on the order of additions, nor on the
processor.  Threads append to arrays in an order that changes from run to run.  So nothing may depend on the number of a
board: random numbers come from marks, ties are broken by histories, and samples are taken by marks.  Then the set of
boards depends on the random seed only.

A step of the beam counts children by score (``add_up`` is true in `gather`), writes those above a threshold into the
buffer, enters them into a hash table, in which the best of equal ones wins (`enter`), sorts the winners by digits
(`put_in_order`, `count_digits`), and makes the boards of the best (`assign`, `build`, `look_around`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...base import seeded_random
from ..gpu import cuda, device_function, device_kernel
from .routes import AHEAD, AHEAD_MASKS, FIRST_KNOWN, KNOWN, NUMBERS, OPENED_NUMBER

#: The units of a score per 1.0 of the kernels for processors, as a number of bits.
UNIT_BITS = 12
UNIT = 1 << UNIT_BITS
#: The entries of `counts`: boards, children found, and the best hope of a board, less its penalties.
BOARDS, CHILDREN, BEST, COUNTS = 0, 1, 2, 3
#: Bits of a digit of the order of children; the entries of a histogram.
DIGIT_BITS = 14
DIGITS = 1 << DIGIT_BITS
#: The score units of a step of the histogram of scores, as a number of bits.
STEP_BITS = 5
#: What is appended to the numbers of a step: for each side whether it is unused (0), known (1) or opened (2), and its
#: slot.
SIDES = NUMBERS
#: The lower bits of an order, which are random.
ORDER_BITS = 32
#: The order of a child that is not to be kept.
NEVER = (1 << 64) - 1
#: The lowest score.
LOWEST = -(1 << 30)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BYTE, _LANE = np.uint64(0xFF), np.uint64(0xFFFF)


scrambled = device_function(seeded_random.scrambled)


class GpuBoards(NamedTuple):
    """The partial boards of a layer."""

    rows: Any
    invalid: Any
    potential: Any
    hope: Any
    mark: Any
    history: Any


class Pieces(NamedTuple):
    """What is the same at all steps: see `BeamTables`, `Rank`, `Setting` and `Route`."""

    sides: Any
    mates: Any
    first_bit: Any
    last_bit: Any
    terms: Any
    masks: Any
    mark_of_bit: Any
    mark_of_slot: Any


class Layout(NamedTuple):
    """Numbers that are the same at all steps: words of the pieces, where slots and places begin, words of a board."""

    words: Any
    slot_at: Any
    place_at: Any
    row_words: Any
    colors: Any
    row: Any


class Lists(NamedTuple):
    """Candidates by key: ``entries[first[key]]`` up to but not including ``entries[last[key]]``."""

    first: Any
    last: Any
    entries: Any


class PassNumbers(NamedTuple):
    """A pass: see `routes.Pass`; no child may have more than ``most_invalid`` invalid joins."""

    keyed: Any
    matching: Any
    differing: Any
    most_invalid: Any


class Scoring(NamedTuple):
    """How children are scored: all in units; ``salt`` makes the random numbers of this beam and step."""

    penalty: Any
    noise: Any
    blocked: Any
    top: Any
    threshold: Any
    salt: Any


class Children(NamedTuple):
    """The buffer: score, parent, candidate, gain of potential; spot in the hash table, rank there, and order."""

    score: Any
    parent: Any
    candidate: Any
    gain: Any
    spot: Any
    rank: Any
    order: Any


class Table(NamedTuple):
    """The hash table: marks (0 where it is empty), and the least rank of the children with that mark."""

    mark: Any
    rank: Any


@device_function
def hash_of(number, candidate):
    """A pseudorandom number that depends on a number and a candidate."""
    return scrambled(number + (candidate + np.uint64(1)) * _GOLDEN)


@device_function
def slot_of(rows, i, slot_at, s):
    """The colour of an open side."""
    word = rows[i, slot_at + (s >> np.uint64(3))]
    return (word >> ((s & np.uint64(7)) << np.uint64(3))) & _BYTE


@device_function
def place_of(rows, i, place_at, color):
    """Where the term of a colour is."""
    word = rows[i, place_at + (color >> np.uint64(2))]
    return np.int64((word >> ((color & np.uint64(3)) << np.uint64(4))) & _LANE)


@device_function
def is_used(rows, i, bit):
    """Whether the piece with this bit is on the board."""
    return (rows[i, bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1) != np.uint64(0)


@device_function
def unused_bit(rows, i, bit):
    """The first bit from this one on that is not set, which is that of an unused piece."""
    while is_used(rows, i, bit):
        bit += np.uint64(1)
    return bit


@device_function
def mismatches(step, rows, i, slot_at, fits, matching, differing):
    """The number of known sides that do not match; -1 if a side that must match does not, or vice versa."""
    errors = 0
    for j in range(step[KNOWN]):
        side, s = np.uint64(step[FIRST_KNOWN + 3 * j]), np.uint64(step[FIRST_KNOWN + 3 * j + 1])
        if (fits >> (side << np.uint64(4))) & _LANE == slot_of(rows, i, slot_at, s):
            if (differing >> j) & 1:
                return -1
        elif (matching >> j) & 1:
            return -1
        else:
            errors += 1
    return errors


@device_function
def color_changed(step, rows, i, slot_at, shown, side):
    """The colour of which a candidate's side closes an open side or opens one."""
    if step[SIDES + 2 * side] == 1:
        return slot_of(rows, i, slot_at, np.uint64(step[SIDES + 2 * side + 1]))
    return (shown >> np.uint64(16 * side)) & _LANE


@device_function
def change_by(kind, color, fit, row):
    """By how much the place of that colour changes; one unused side less, if it is the same colour, included."""
    if kind == 0:
        return np.int64(0)
    change = np.int64(-1) if kind == 1 else np.int64(1)
    return change - row if color == fit else change


@device_function
def gain_of(step, pieces, rows, i, layout, w):
    """The increase of the potential by a candidate.

    Each side, if used, changes the place of one colour, and, if another colour fits it, that of the other one.
    """
    shown, fits, row = pieces.sides[w], pieces.mates[w], np.int64(layout.row)
    k0, k1, k2, k3 = step[SIDES], step[SIDES + 2], step[SIDES + 4], step[SIDES + 6]
    f0, f1 = fits & _LANE, (fits >> np.uint64(16)) & _LANE
    f2, f3 = (fits >> np.uint64(32)) & _LANE, (fits >> np.uint64(48)) & _LANE
    c0 = color_changed(step, rows, i, layout.slot_at, shown, 0)
    c1 = color_changed(step, rows, i, layout.slot_at, shown, 1)
    c2 = color_changed(step, rows, i, layout.slot_at, shown, 2)
    c3 = color_changed(step, rows, i, layout.slot_at, shown, 3)
    d0, d1 = change_by(k0, c0, f0, row), change_by(k1, c1, f1, row)
    d2, d3 = change_by(k2, c2, f2, row), change_by(k3, c3, f3, row)
    none = np.int64(0)
    won = 0
    if k0 != 0:
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, c0), d0)
    if k1 != 0:
        before = d0 if c1 == c0 else none
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, c1) + before, d1)
    if k2 != 0:
        before = (d0 if c2 == c0 else none) + (d1 if c2 == c1 else none)
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, c2) + before, d2)
    if k3 != 0:
        before = (d0 if c3 == c0 else none) + (d1 if c3 == c1 else none) + (d2 if c3 == c2 else none)
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, c3) + before, d3)
    # The sides that another colour fits.
    r0 = -row if k0 != 0 and c0 != f0 else none
    r1 = -row if k1 != 0 and c1 != f1 else none
    r2 = -row if k2 != 0 and c2 != f2 else none
    r3 = -row if k3 != 0 and c3 != f3 else none
    if r0 != 0:
        before = changed(f0, c0, d0, c1, d1, c2, d2, c3, d3)
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, f0) + before, r0)
    if r1 != 0:
        before = changed(f1, c0, d0, c1, d1, c2, d2, c3, d3) + (r0 if f1 == f0 else none)
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, f1) + before, r1)
    if r2 != 0:
        before = changed(f2, c0, d0, c1, d1, c2, d2, c3, d3) + (r0 if f2 == f0 else none) + (r1 if f2 == f1 else none)
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, f2) + before, r2)
    if r3 != 0:
        before = changed(f3, c0, d0, c1, d1, c2, d2, c3, d3) + (r0 if f3 == f0 else none) + (r1 if f3 == f1 else none)
        before += r2 if f3 == f2 else none
        won += term_gain(pieces.terms, place_of(rows, i, layout.place_at, f3) + before, r3)
    return won


@device_function
def changed(color, c0, d0, c1, d1, c2, d2, c3, d3):
    """By how much the first four changes have moved the place of a colour."""
    none = np.int64(0)
    both = (d0 if color == c0 else none) + (d1 if color == c1 else none)
    return both + (d2 if color == c2 else none) + (d3 if color == c3 else none)


@device_function
def term_gain(terms, place, change):
    """The difference of two terms."""
    return np.int64(terms[np.uint64(place + change)]) - np.int64(terms[np.uint64(place)])


@device_function
def is_blocked(step, pieces, rows, i, layout, w):
    """Whether no unused piece fits the first two known sides of the next square."""
    if step[AHEAD_MASKS] < 0:
        return False
    key = np.uint64(0)
    for j in range(2):
        source = np.uint64(step[AHEAD + j])
        key *= layout.colors
        if source < np.uint64(4):
            key += (pieces.sides[w] >> (source << np.uint64(4))) & _LANE
        else:
            key += slot_of(rows, i, layout.slot_at, source - np.uint64(4))
    key += np.uint64(step[AHEAD_MASKS])
    bit = unused_bit(rows, i, pieces.first_bit[w])
    for word in range(layout.words):
        fitting = pieces.masks[key, word] & ~rows[i, word]
        own = np.uint64(1) << (bit & np.uint64(63)) if bit >> np.uint64(6) == word else np.uint64(0)
        if fitting & ~own != np.uint64(0):
            return False
    return True


@device_kernel
def find_reach(step, way, colors, falls, pieces, layout, boards, number, scoring, slack, reach):
    """Bound the scores of each board's children in a pass in which one of two known sides must not match.

    The changes by the two known sides are the same for all its children.  The others are as if the unused side and
    each of the opened ones were of the colour with the largest gain, of ``colors``.  If the potential ``falls`` with
    each of them, most boards need not look at them.
    """
    rows, terms, row, place_at = boards.rows, pieces.terms, np.int64(layout.row), layout.place_at
    same, other = way.matching >> 1, 1 - (way.matching >> 1)
    slot_same = np.uint64(step[FIRST_KNOWN + 3 * same + 1])
    slot_other = np.uint64(step[FIRST_KNOWN + 3 * other + 1])
    for i in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        k, x = slot_of(rows, i, layout.slot_at, slot_same), slot_of(rows, i, layout.slot_at, slot_other)
        total = np.int64(boards.hope[i]) - scoring.penalty * (np.int64(boards.invalid[i]) + 1) + scoring.noise + slack
        total += term_gain(terms, place_of(rows, i, place_at, k), -1 - row)
        total += term_gain(terms, place_of(rows, i, place_at, x), -1)
        most_unused = most_opened = np.int64(LOWEST)
        # A board without another invalid join to make has no such child.
        if boards.invalid[i] < way.most_invalid and not (falls and total <= scoring.threshold):
            for j in range(colors.shape[0]):
                color, mate = np.uint64(colors[j, 0]), np.uint64(colors[j, 1])
                place = place_of(rows, i, place_at, color)
                most_unused = max(most_unused, term_gain(terms, place, -row))
                if mate == color:
                    most_opened = max(most_opened, term_gain(terms, place, 1 - row))
                else:
                    both = term_gain(terms, place, 1) + term_gain(terms, place_of(rows, i, place_at, mate), -row)
                    most_opened = max(most_opened, both)
        reach[i] = max(total + most_unused + step[OPENED_NUMBER] * most_opened, LOWEST)


@device_kernel
def gather(
    step, way, lists, pieces, layout, boards, number, lanes, sampled, scoring, bounded, reach, children, counts, steps,
    add_up,
):  # fmt: skip
    """Find the children of one pass: count them by score in ``steps``, or write them into the buffer.

    ``lanes`` threads share a board.  Boards whose mark has one of the bits ``sampled``, or that do not reach the
    threshold if the pass is ``bounded``, are passed over.
    """
    thread, threads = np.uint64(cuda.grid(1)), np.uint64(cuda.gridsize(1))
    lane = thread % lanes
    rows, room = boards.rows, children.score.shape[0]
    for i in range(thread // lanes, number, threads // lanes):
        if (boards.mark[i] >> np.uint64(32)) & sampled != np.uint64(0):
            continue
        if bounded and reach[i] <= scoring.threshold:
            continue
        invalid = np.int64(boards.invalid[i])
        left = max(way.most_invalid - invalid, 0)
        base = np.int64(boards.hope[i]) - scoring.penalty * invalid
        key = np.uint64(0)
        for j in range(step[KNOWN]):
            if (way.keyed >> j) & 1:
                s = np.uint64(step[FIRST_KNOWN + 3 * j + 1])
                key = key * layout.colors + slot_of(rows, i, layout.slot_at, s)
        for at in range(np.uint64(lists.first[key]) + lane, np.uint64(lists.last[key]), lanes):
            w = np.uint64(lists.entries[at])
            if is_used(rows, i, pieces.last_bit[w]):
                continue
            errors = mismatches(step, rows, i, layout.slot_at, pieces.mates[w], way.matching, way.differing)
            if errors < 0 or errors > left:
                continue
            won = gain_of(step, pieces, rows, i, layout, w)
            chance = np.int64(hash_of(boards.mark[i] ^ scoring.salt, w) >> np.uint64(40))
            total = base - scoring.penalty * errors + won + ((scoring.noise * chance) >> 24)
            if total <= scoring.threshold:
                continue
            if is_blocked(step, pieces, rows, i, layout, w):
                total -= scoring.blocked
                if total <= scoring.threshold:
                    continue
            if add_up:
                cuda.atomic.add(steps, min(max((scoring.top - total) >> STEP_BITS, 0), DIGITS - 1), 1)
                continue
            m = cuda.atomic.add(counts, CHILDREN, 1)
            if m < room:
                children.score[m], children.gain[m] = total, won
                children.parent[m], children.candidate[m] = i, w


@device_kernel
def enter(step, pieces, layout, boards, children, number, table, size, apart):
    """Enter the children into the hash table: of equal ones, that with the fewest invalid joins has the least rank.

    The table has ``size`` entries, more than there are children.  If ``apart`` is an odd number instead of 0, different
    candidates of a board never make equal ones.
    """
    rows = boards.rows
    for m in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        i, w = np.uint64(children.parent[m]), np.uint64(children.candidate[m])
        mark = boards.mark[i] ^ (apart * (w + np.uint64(1)))
        mark ^= pieces.mark_of_bit[unused_bit(rows, i, pieces.first_bit[w])]
        for side in range(4):
            kind, s = step[SIDES + 2 * side], np.uint64(step[SIDES + 2 * side + 1])
            if kind == 1:
                mark ^= pieces.mark_of_slot[s, slot_of(rows, i, layout.slot_at, s)]
            elif kind == 2:
                mark ^= pieces.mark_of_slot[s, (pieces.sides[w] >> np.uint64(16 * side)) & _LANE]
        if mark == np.uint64(0):
            mark = np.uint64(1)
        errors = boards.invalid[i] + mismatches(step, rows, i, layout.slot_at, pieces.mates[w], 0, 0)
        rank = (np.uint64(errors) << np.uint64(48)) | (hash_of(boards.history[i], w) >> np.uint64(16))
        spot = mark % size
        found = cuda.atomic.cas(table.mark, spot, np.uint64(0), mark)
        while found != np.uint64(0) and found != mark:
            spot = spot + np.uint64(1) if spot + np.uint64(1) < size else np.uint64(0)
            found = cuda.atomic.cas(table.mark, spot, np.uint64(0), mark)
        cuda.atomic.min(table.rank, spot, rank)
        children.spot[m], children.rank[m] = spot, rank


@device_kernel
def put_in_order(children, number, table, top, digits, shift):
    """Give the winners their order, best first, and count those with each first digit."""
    for m in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        order = np.uint64(NEVER)
        if table.rank[children.spot[m]] == children.rank[m]:
            behind = np.uint64(max(top - np.int64(children.score[m]), 0))
            order = (behind << np.uint64(ORDER_BITS)) | (scrambled(children.rank[m]) >> np.uint64(64 - ORDER_BITS))
            cuda.atomic.add(digits, min(order >> shift, np.uint64(DIGITS - 1)), 1)
        children.order[m] = order


@device_kernel
def count_digits(children, number, digits, shift, width, before):
    """Count the children with each digit of ``width`` bits at ``shift``, of those with the bits ``before`` above."""
    for m in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        order = children.order[m]
        if order != np.uint64(NEVER) and order >> (shift + width) == before:
            cuda.atomic.add(digits, (order >> shift) & ((np.uint64(1) << width) - np.uint64(1)), 1)


@device_kernel
def assign(boards, children, number, table, limit, following, parents, placed, counts):
    """Give the children whose order is below the limit their numbers in the following layer."""
    for m in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        if children.order[m] < limit:
            n = cuda.atomic.add(counts, BOARDS, 1)
            i, w = np.uint64(children.parent[m]), np.uint64(children.candidate[m])
            parents[n], placed[n] = i, w
            following.invalid[n] = np.int64(children.rank[m] >> np.uint64(48))
            following.potential[n] = boards.potential[i] + children.gain[m]
            following.mark[n] = table.mark[children.spot[m]]
            following.history[n] = hash_of(boards.history[i], w)


@device_kernel
def build(step, pieces, layout, boards, number, following, parents, placed):
    """Make the rows of the following layer, a thread for each word: the parent's row with one more piece."""
    rows, row_words = boards.rows, layout.row_words
    for t in range(np.uint64(cuda.grid(1)), number * row_words, np.uint64(cuda.gridsize(1))):
        n, word = t // row_words, t % row_words
        i, w = np.uint64(parents[n]), np.uint64(placed[n])
        value = rows[i, word]
        if word < layout.slot_at:
            bit = unused_bit(rows, i, pieces.first_bit[w])
            if bit >> np.uint64(6) == word:
                value |= np.uint64(1) << (bit & np.uint64(63))
        elif word < layout.place_at:
            value = with_opened(step, pieces.sides[w], word - layout.slot_at, value)
        else:
            value = with_changed(step, pieces, rows, i, layout, w, word - layout.place_at, value)
        following.rows[n, word] = value


@device_function
def with_opened(step, shown, word, value):
    """A word of slots with the colours of the opened sides."""
    for side in range(4):
        s = np.uint64(step[SIDES + 2 * side + 1])
        if step[SIDES + 2 * side] == 2 and s >> np.uint64(3) == word:
            shift = (s & np.uint64(7)) << np.uint64(3)
            value &= ~(_BYTE << shift)
            value |= ((shown >> np.uint64(16 * side)) & _LANE) << shift
    return value


@device_function
def with_changed(step, pieces, rows, i, layout, w, word, value):
    """A word of places with the changes of all sides; they count modulo 2^64."""
    shown, fits, row = pieces.sides[w], pieces.mates[w], layout.row
    for side in range(4):
        kind = step[SIDES + 2 * side]
        if kind == 0:
            continue
        color, fit = color_changed(step, rows, i, layout.slot_at, shown, side), (fits >> np.uint64(16 * side)) & _LANE
        if color >> np.uint64(2) == word:
            one = np.uint64(1) << ((color & np.uint64(3)) << np.uint64(4))
            value = value - one if kind == 1 else value + one
        if fit >> np.uint64(2) == word:
            value -= row << ((fit & np.uint64(3)) << np.uint64(4))
    return value


@device_kernel
def look_around(around, squares, pieces, layout, boards, number, cost, penalty, counts):
    """Find the hopes of boards: the potential less ``cost`` for each of the squares ``around`` that no piece fits.

    The best hope, less the next step's penalties, is kept in ``counts``.
    """
    rows = boards.rows
    for i in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        hope = np.int64(boards.potential[i])
        for j in range(squares):
            key = slot_of(rows, i, layout.slot_at, np.uint64(around[j, 0])) * layout.colors
            key += slot_of(rows, i, layout.slot_at, np.uint64(around[j, 1])) + np.uint64(around[j, 2])
            fitting = np.uint64(0)
            for word in range(layout.words):
                fitting |= pieces.masks[key, word] & ~rows[i, word]
            if fitting == np.uint64(0):
                hope -= cost
        boards.hope[i] = hope
        value = hope - penalty * np.int64(boards.invalid[i])
        # Most threads need not write.
        if value > counts[BEST]:
            cuda.atomic.max(counts, BEST, np.int32(value))


@device_kernel
def tell_apart(boards, number):
    """Make the marks of all boards different, as far as they were made in different ways."""
    for i in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        boards.mark[i] = boards.history[i]


@device_kernel
def trace(chosen, steps, parents, placed, found):
    """Write the candidates of the chosen boards of the last of some steps, a row for each."""
    for j in range(np.uint64(cuda.grid(1)), np.uint64(chosen.shape[0]), np.uint64(cuda.gridsize(1))):
        at = np.uint64(chosen[j])
        for back in range(steps):
            step = steps - 1 - back
            found[j, step] = placed[step, at]
            at = np.uint64(parents[step, at])


@device_kernel
def fill(numbers, number, value):
    """Fill the beginning of an array with one value."""
    for i in range(np.uint64(cuda.grid(1)), number, np.uint64(cuda.gridsize(1))):
        numbers[i] = value
