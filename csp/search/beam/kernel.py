"""The kernels of the beam search: the candidates for the next square of each partial board, and which are kept.

Children of partial boards are gathered in a buffer.  When it is full, the histogram of
their scores gives the score from which on there are as many as wanted; from then on no child below it is taken.

Small functions are inlined, because passing a dozen arrays to one takes longer than most of them do.  The gain of
nearly all children is a sum of five terms at most, without loops; a loop adds those of the others in the same order.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import lowest, prefetch
from ...base.compiled import inlined_kernel, inner_kernel, kernel
from .routes import AHEAD, AHEAD_MASKS, FIRST_KNOWN, KNOWN, OPENED, OPENED_NUMBER

#: The entries of `counts`: partial boards, children in the buffer, children wanted, the state of the random numbers,
#: children examined, and whether some were dropped because there were too many.
BOARDS, CHILDREN, WANTED, RANDOM, LOOKED_AT, THINNED = range(6)
COUNTS = 6

#: The number of histogram steps per unit of the score, their total number, and the number of parts of a divided step.
STEPS, HISTOGRAM, FINE_STEPS = 100, 1 << 14, 256

#: The number of children that are kept together, in one loop after the other: one loop that does everything takes
#: three times as long, since it waits for memory.
BLOCK = 64

# A sum of gains that ignores colours that occur twice may be too small by this much.
_SLACK = np.float32(0.3)
_0, _1, _2, _3, _4 = (np.uint64(i) for i in range(5))
_FIRST, _OPENED = np.uint64(FIRST_KNOWN), np.uint64(OPENED)
_AHEAD, _AHEAD_MASKS = np.uint64(AHEAD), np.uint64(AHEAD_MASKS)
_63, _6, _16 = np.uint64(63), np.uint64(6), np.uint64(16)
_LANE, _DIVIDED = np.uint64(0xFFFF), np.uint64(HISTOGRAM)
_BLOCK = np.uint64(BLOCK)
_END, _RUN, _TOP_BIT = np.uint32(0xFFFFFFFF), np.uint32(0x7FFFFFFF), np.uint32(31)


class Pieces(NamedTuple):
    """What `BeamTables` and `Rank` say of the candidates and the colours."""

    sides: NDArray[np.uint64]
    mates: NDArray[np.uint64]
    first_bit: NDArray[np.uint64]
    last_bit: NDArray[np.uint64]
    mate_of: NDArray[np.uint64]
    terms: NDArray[np.float32]
    row: np.uint64


class Boards(NamedTuple):
    """Partial boards, a row each; numbers are as narrow as possible, since memory limits the speed."""

    #: A bit for each piece on the board; the colours of its open sides, by slot.
    used: NDArray[np.uint64]
    slot: NDArray[Any]
    #: For each colour, the index of the term of its unused and open sides in `terms`, so that one unused side less is a
    #: whole row less and one open side more is one more.
    place: NDArray[Any]
    #: The invalid joins, the sum of the terms, and the hash.
    invalid: NDArray[np.uint16]
    potential: NDArray[np.float32]
    marks: NDArray[np.uint64]


class Buffer(NamedTuple):
    """Children: their scores, parents, candidates, and gains of potential; and what decides which of them are kept."""

    score: NDArray[np.float32]
    parent: NDArray[np.uint32]
    candidate: NDArray[np.uint32]
    gain: NDArray[np.float32]
    threshold: NDArray[np.float32]
    histogram: NDArray[np.int64]
    counts: NDArray[np.int64]


class Scoring(NamedTuple):
    """How children are scored: what an invalid join costs, the largest random part, and the highest possible score.

    A child costs `blocked` if no piece is left that fits the next square, by the bit masks of `routes`.
    """

    penalty: np.float32
    noise: np.float32
    top: np.float32
    masks: NDArray[np.uint64]
    blocked: np.float32


@kernel
def gather(
    step, keyed, matching, differing, lists, pieces, first, end, skipped, boards, hope, most_invalid, scoring,
    buffer, changes,
):  # fmt: skip
    """Put the children of some boards and one pass into the buffer, except those below the threshold.

    ``keyed``, ``matching`` and ``differing`` are those of `routes.Pass`.  No child may have more than
    ``most_invalid`` invalid joins.  The score is the hope of its board (the potential less the cost of empty squares
    that no unused piece fits) plus the gain of potential, changed by `Scoring`.  Blocks of 64 boards are passed
    over if their number has one of the bits ``skipped``.
    """
    penalty, noise, top, masks, blocked = scoring
    row, mate_of, counts = pieces.row, pieces.mate_of, buffer.counts
    known, opened = np.uint64(step[KNOWN]), np.uint64(step[OPENED_NUMBER])
    colors = np.uint64(len(mate_of))
    is_short = _0 < known <= _2 and keyed == matching == (_1 << known) - _1 and opened <= _2
    slot_1, slot_2 = np.uint64(step[_FIRST + _1]), np.uint64(step[_FIRST + (_4 if known == _2 else _1)])
    change_1, change_2 = _0 - row - _1, _0 - row - _1 if known == _2 else _0
    lane_3, change_3, lane_4, change_4 = first_opened(step, row)
    looked_at = 0
    for i in range(first, end):
        if (i >> _6) & skipped != _0:
            continue
        left = max(most_invalid - np.int64(boards.invalid[i]), 0)
        key = _0
        for j in range(known):
            if (keyed >> j) & _1:
                key = key * colors + np.uint64(boards.slot[i, np.uint64(step[_FIRST + _3 * j + _1])])
        at = np.uint64(lists.starts[key])
        while lists.entries[at] != _END:
            w = np.uint64(lists.entries[at])
            at += _1
            bit = pieces.last_bit[w]
            if (boards.used[i, bit >> _6] >> (bit & _63)) & _1:
                continue
            looked_at += 1
            c, d = opened_color(pieces.sides[w], lane_3, change_3), opened_color(pieces.sides[w], lane_4, change_4)
            if is_short and (change_3 == _0 or mate_of[c] == c) and (change_4 == _0 or mate_of[d] == d):
                errors = 0
                a, b = np.uint64(boards.slot[i, slot_1]), np.uint64(boards.slot[i, slot_2])
                won = gain_of_five(i, boards, pieces, a, change_1, b, change_2, _0, _0, c, change_3, d, change_4)
            else:
                errors = mismatches(step, boards, i, pieces.mates[w], matching, differing)
                if errors < 0 or errors > left:
                    continue
                n = list_changes(step, boards, i, pieces.sides[w], pieces.mates[w], pieces, changes)
                won = gain_of(i, n, boards, pieces, changes)
            cost = penalty * (np.float32(boards.invalid[i]) + np.float32(errors))
            total = hope[i] - cost + won + noise * chance(counts)
            if total > buffer.threshold[0] and is_blocked(step, masks, i, w, boards, pieces, colors):
                total -= blocked
            add_child(total, i, w, won, top, buffer)
    counts[LOOKED_AT] += looked_at


@kernel
def gather_by_piece(
    step, matching, runs, pieces, first, end, skipped, boards, hope, most_invalid, scoring,
    buffer, changes, opening, leaving,
):  # fmt: skip
    """The same for a square with two known sides: side number ``matching`` must match and the other one must not.

    Nine in ten of these children are useless.  So their gain is first estimated as a sum, from the gain of each of the
    ``colors`` by an opened side (``opening``) and by one that is used up (``leaving``).
    """
    penalty, noise, top, masks, blocked = scoring
    row, terms, mate_of, counts = pieces.row, pieces.terms, pieces.mate_of, buffer.counts
    at_matching, at_differing = _FIRST + _3 * matching, _FIRST + _3 * (_1 - matching)
    slot_matching, slot_differing = np.uint64(step[at_matching + _1]), np.uint64(step[at_differing + _1])
    lane_differing = _16 * np.uint64(step[at_differing])
    opened = step[OPENED_NUMBER]
    lane_1, change_1, lane_2, change_2 = first_opened(step, row)
    unused_less, opened_less, both_less = _0 - row, _0 - _1, _0 - row - _1
    words, number = np.uint64(runs.masks.shape[1]), np.uint64(len(mate_of))
    looked_at = 0
    for i in range(first, end):
        if (i >> _6) & skipped != _0 or np.int64(boards.invalid[i]) >= most_invalid:
            continue
        k, x = np.uint64(boards.slot[i, slot_matching]), np.uint64(boards.slot[i, slot_differing])
        p, q = np.uint64(boards.place[i, k]), np.uint64(boards.place[i, x])
        floor = hope[i] - penalty * (np.float32(boards.invalid[i]) + np.float32(1))
        most = floor + terms[p - row - _1] - terms[p] + terms[q - _1] - terms[q] + _SLACK + noise
        if most <= buffer.threshold[0]:
            continue
        if most + most_gained(i, opened, runs.colors, boards, pieces, opening, leaving) <= buffer.threshold[0]:
            continue
        for word in range(words):
            unused = runs.masks[k, word] & ~boards.used[i, word]
            while unused != _0:
                at = np.uint64(runs.starts[k, (word << _6) + lowest(unused)])
                unused &= unused - _1
                more = True
                while more:
                    w = np.uint64(runs.entries[at] & _RUN)
                    more = (runs.entries[at] >> _TOP_BIT) == 0
                    at += _1
                    looked_at += 1
                    fit = (pieces.mates[w] >> lane_differing) & _LANE
                    if fit == x:
                        continue
                    shown = pieces.sides[w]
                    c, d = opened_color(shown, lane_1, change_1), opened_color(shown, lane_2, change_2)
                    rough = most + leaving[fit]
                    if opened > 1:
                        rough += opening[d]
                    if opened > 0:
                        rough += opening[c]
                    if rough <= buffer.threshold[0]:
                        continue
                    if (change_1 != _0 and mate_of[c] != c) or (change_2 != _0 and mate_of[d] != d):
                        n = list_changes(step, boards, i, pieces.sides[w], pieces.mates[w], pieces, changes)
                        won = gain_of(i, n, boards, pieces, changes)
                    elif matching == _0:
                        won = gain_of_five(
                            i, boards, pieces, k, both_less, x, opened_less, fit, unused_less, c, change_1, d, change_2
                        )
                    else:
                        won = gain_of_five(
                            i, boards, pieces, x, opened_less, fit, unused_less, k, both_less, c, change_1, d, change_2
                        )
                    total = floor + won + noise * chance(counts)
                    if total > buffer.threshold[0] and is_blocked(step, masks, i, w, boards, pieces, number):
                        total -= blocked
                    add_child(total, i, w, won, top, buffer)
    counts[LOOKED_AT] += looked_at


@inlined_kernel
def is_blocked(step, masks, i, w, boards, pieces, colors):
    """Whether no unused piece fits the first two known sides of the next square."""
    if step[_AHEAD_MASKS] < 0:
        return False
    key = _0
    for j in range(np.uint64(2)):
        source = np.uint64(step[_AHEAD + j])
        key *= colors
        key += (pieces.sides[w] >> (_16 * source)) & _LANE if source < _4 else np.uint64(boards.slot[i, source - _4])
    key += np.uint64(step[_AHEAD_MASKS])
    bit = unused_bit(pieces.first_bit[w], boards.used, i)
    for word in range(np.uint64(masks.shape[1])):
        fitting = masks[key, word] & ~boards.used[i, word]
        if fitting != _0 and (word != bit >> _6 or fitting != _1 << (bit & _63)):
            return False
    return True


@kernel
def look_around(number, around, masks, colors, cost, used, slot, potential, hope):
    """The hopes of boards: the potential less ``cost`` for each of the squares ``around`` that no unused piece fits."""
    words = np.uint64(masks.shape[1])
    for i in range(np.uint64(number)):
        hope[i] = potential[i]
        for j in range(np.uint64(len(around))):
            key = np.uint64(slot[i, np.uint64(around[j, _0])]) * colors + np.uint64(slot[i, np.uint64(around[j, _1])])
            key += np.uint64(around[j, _2])
            fitting = _0
            for word in range(words):
                fitting |= masks[key, word] & ~used[i, word]
            if fitting == _0:
                hope[i] -= cost


@inlined_kernel
def unused_bit(bit, used, i):
    """The first bit from this one on that is not set, which is that of an unused piece."""
    while (used[i, bit >> _6] >> (bit & _63)) & _1:
        bit += _1
    return bit


@inlined_kernel
def most_gained(i, opened, colors, boards, pieces, opening, leaving):
    """Find the gain of each of these colours by an opened side and by a used one; return the most a piece can gain."""
    most_opening = most_leaving = np.float32(-np.inf)
    for j in range(np.uint64(len(colors))):
        c = colors[j]
        p = np.uint64(boards.place[i, c])
        leaving[c] = pieces.terms[p - pieces.row] - pieces.terms[p]
        if pieces.mate_of[c] == c:
            opening[c] = pieces.terms[p - pieces.row + _1] - pieces.terms[p]
        else:
            q = np.uint64(boards.place[i, pieces.mate_of[c]])
            opening[c] = pieces.terms[p + _1] - pieces.terms[p] + pieces.terms[q - pieces.row] - pieces.terms[q]
        most_opening = max(most_opening, opening[c])
        most_leaving = max(most_leaving, leaving[c])
    return most_leaving + opened * most_opening


@inlined_kernel
def mismatches(step, boards, i, fits, matching, differing):
    """The number of known sides that do not match; -1 if a side that must match does not, or vice versa."""
    errors = 0
    for j in range(np.uint64(step[KNOWN])):
        at = _FIRST + _3 * j
        if (fits >> (_16 * np.uint64(step[at]))) & _LANE == np.uint64(boards.slot[i, np.uint64(step[at + _1])]):
            if (differing >> j) & _1:
                return -1
        elif (matching >> j) & _1:
            return -1
        else:
            errors += 1
    return errors


@inlined_kernel
def list_changes(step, boards, i, shown, fits, pieces, changes):
    """The colours whose terms change with a candidate, and by how much; the number of entries."""
    n = _0
    for j in range(np.uint64(step[KNOWN])):
        at = _FIRST + _3 * j
        color = np.uint64(boards.slot[i, np.uint64(step[at + _1])])
        fit = (fits >> (_16 * np.uint64(step[at]))) & _LANE
        if fit == color:
            changes[n, 0], changes[n, 1] = color, _0 - pieces.row - _1
            n += _1
        else:
            changes[n, 0], changes[n, 1] = color, _0 - _1
            changes[n + _1, 0], changes[n + _1, 1] = fit, _0 - pieces.row
            n += _2
    for side in range(_4):
        if step[_OPENED + side] >= 0:
            color = (shown >> (_16 * side)) & _LANE
            if pieces.mate_of[color] == color:
                changes[n, 0], changes[n, 1] = color, _1 - pieces.row
                n += _1
            else:
                changes[n, 0], changes[n, 1] = pieces.mate_of[color], _0 - pieces.row
                changes[n + _1, 0], changes[n + _1, 1] = color, _1
                n += _2
    return n


@inlined_kernel
def gain_of(i, n, boards, pieces, changes):
    """The increase of the potential by the changes, made one after the other (they count modulo 2^64)."""
    won = np.float32(0)
    for j in range(n):
        p = np.uint64(boards.place[i, changes[j, 0]])
        for earlier in range(j):
            if changes[earlier, 0] == changes[j, 0]:
                p += changes[earlier, 1]
        won += pieces.terms[p + changes[j, 1]] - pieces.terms[p]
    return won


@inlined_kernel
def first_opened(step, row):
    """Where the colours of the first two opened sides are, each followed by its change if the colour is its own mate.

    The change is 0 if there is no such side.
    """
    lane_1, change_1, lane_2, change_2 = _0, _0, _0, _0
    for side in range(_4):
        if step[_OPENED + side] >= 0:
            if change_1 == _0:
                lane_1, change_1 = _16 * side, _1 - row
            elif change_2 == _0:
                lane_2, change_2 = _16 * side, _1 - row
    return lane_1, change_1, lane_2, change_2


@inlined_kernel
def opened_color(shown, lane, change):
    """The colour of an opened side; 0 if there is no such side."""
    return (shown >> lane) & _LANE if change != _0 else _0


@inlined_kernel
def gain_of_five(i, boards, pieces, a, by_a, b, by_b, c, by_c, d, by_d, e, by_e):
    """What `gain_of` returns for five changes, some of which may be 0: the colours, each followed by its change."""
    at_a, at_b, at_c = np.uint64(boards.place[i, a]), np.uint64(boards.place[i, b]), np.uint64(boards.place[i, c])
    at_d, at_e = np.uint64(boards.place[i, d]), np.uint64(boards.place[i, e])
    at_b += by_a if b == a else _0
    at_c += (by_a if c == a else _0) + (by_b if c == b else _0)
    at_d += (by_a if d == a else _0) + (by_b if d == b else _0) + (by_c if d == c else _0)
    at_e += (by_a if e == a else _0) + (by_b if e == b else _0) + (by_c if e == c else _0) + (by_d if e == d else _0)
    won = pieces.terms[at_a + by_a] - pieces.terms[at_a]
    won += pieces.terms[at_b + by_b] - pieces.terms[at_b]
    won += pieces.terms[at_c + by_c] - pieces.terms[at_c]
    won += pieces.terms[at_d + by_d] - pieces.terms[at_d]
    return won + (pieces.terms[at_e + by_e] - pieces.terms[at_e])


@inlined_kernel
def chance(counts):
    """The next pseudorandom number from 0 to 1 (Marsaglia 2003, xorshift)."""
    state = np.uint64(counts[RANDOM])
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    counts[RANDOM] = np.int64(state)
    return np.float32(state >> np.uint64(40)) / np.float32(1 << 24)


@inlined_kernel
def add_child(total, i, w, won, top, buffer):
    """Put a child into the buffer; when that is full, raise the threshold and make room."""
    if total <= buffer.threshold[0]:
        return
    m = np.uint64(buffer.counts[CHILDREN])
    buffer.histogram[step_of(total, top)] += 1
    buffer.score[m], buffer.parent[m], buffer.candidate[m], buffer.gain[m] = total, i, w, won
    buffer.counts[CHILDREN] += 1
    if buffer.counts[CHILDREN] == len(buffer.score):
        thin_out(top, buffer)


@kernel
def thin_out(top, buffer):
    """Keep the wanted number of best children; the threshold excludes the others, and later ones that are no better."""
    if buffer.counts[CHILDREN] <= buffer.counts[WANTED]:
        return
    buffer.counts[THINNED] = 1
    above, step = step_of_last(0, _0, buffer.histogram, buffer.counts)
    # The step with too many children is divided again.
    for j in range(np.uint64(FINE_STEPS)):
        buffer.histogram[_DIVIDED + j] = 0
    for j in range(np.uint64(buffer.counts[CHILDREN])):
        if step_of(buffer.score[j], top) == step:
            buffer.histogram[_DIVIDED + fine_step(buffer.score[j], top, step)] += 1
    above, part = step_of_last(above, _DIVIDED, buffer.histogram, buffer.counts)
    room = buffer.counts[WANTED] - above
    for j in range(np.uint64(HISTOGRAM)):
        buffer.histogram[j] = 0
    kept = _0
    for j in range(np.uint64(buffer.counts[CHILDREN])):
        at = step_of(buffer.score[j], top)
        if at > step:
            continue
        if at == step:
            at_part = fine_step(buffer.score[j], top, step)
            if at_part > part or (at_part == part and room == 0):
                continue
            if at_part == part:
                room -= 1
        buffer.histogram[at] += 1
        buffer.score[kept], buffer.parent[kept], buffer.candidate[kept], buffer.gain[kept] = (
            buffer.score[j],
            buffer.parent[j],
            buffer.candidate[j],
            buffer.gain[j],
        )
        kept += _1
    buffer.counts[CHILDREN] = kept
    buffer.threshold[0] = top - (np.float32(step) + np.float32(part) / np.float32(FINE_STEPS)) / np.float32(STEPS)


@inner_kernel
def step_of_last(above, first, histogram, counts):
    """The number of children before the step at which there are more than wanted, and the number of that step."""
    step = _0
    while above + histogram[first + step] <= counts[WANTED]:
        above += histogram[first + step]
        step += _1
    return above, step


@inlined_kernel
def step_of(score, top):
    """The step of a score in the histogram."""
    return np.uint64(min(max(np.int64((top - score) * STEPS), 0), HISTOGRAM - 1))


@inlined_kernel
def fine_step(score, top, step):
    """The part of a score within a step of the histogram."""
    return np.uint64(min(max(np.int64(((top - score) * STEPS - np.float32(step)) * FINE_STEPS), 0), FINE_STEPS - 1))


@kernel
def keep(
    step,
    pieces,
    mark_of_bit,
    mark_of_slot,
    boards,
    apart,
    following,
    begin,
    stop,
    buffer,
    seen,
    ancestor,
    placed,
    found,
):
    """Make the partial boards of some children in the buffer; of equal ones, that with the fewest invalid joins.

    Boards are equal if they have the same pieces and the same open sides; ``marks`` give their hash (Zobrist 1970).  If
    ``apart`` is an odd number instead of 0, different candidates of a board never make equal ones.
    ``seen`` is a hash table of them.  ``ancestor`` and ``placed`` record the origin of each.
    """
    for first in range(begin, stop, _BLOCK):
        end = min(first + _BLOCK, stop)
        ask_for_parents(end, min(end + _BLOCK, stop), buffer, boards)
        mark_children(first, end, step, pieces, mark_of_bit, mark_of_slot, boards, apart, buffer, seen, found)
        start = np.uint64(buffer.counts[BOARDS])
        drop_equal(first, end, boards, following, buffer, seen, ancestor, placed, found)
        copy_boards(start, np.uint64(buffer.counts[BOARDS]), ancestor, boards, following)
        place_pieces(start, np.uint64(buffer.counts[BOARDS]), step, pieces, ancestor, placed, boards, following)


@inlined_kernel
def ask_for_parents(first, end, buffer, boards):
    """Ask memory for the boards of some children's parents."""
    words, slots, colors = (
        np.uint64(boards.used.shape[1]),
        np.uint64(boards.slot.shape[1]),
        np.uint64(boards.place.shape[1]),
    )
    for j in range(first, end):
        i = np.uint64(buffer.parent[j])
        prefetch(boards.used, i * words)
        prefetch(boards.slot, i * slots)
        prefetch(boards.place, i * colors)
        prefetch(boards.marks, i)


@inner_kernel
def mark_children(first, end, step, pieces, mark_of_bit, mark_of_slot, boards, apart, buffer, seen, found):
    """Write the hash and the number of invalid joins of some children to ``found``; ask memory for their ``seen``."""
    for j in range(first, end):
        i, w = np.uint64(buffer.parent[j]), np.uint64(buffer.candidate[j])
        mark = boards.marks[i] ^ mark_of_bit[unused_bit(pieces.first_bit[w], boards.used, i)] ^ (apart * (w + _1))
        for known in range(np.uint64(step[KNOWN])):
            at = np.uint64(step[_FIRST + _3 * known + _1])
            mark ^= mark_of_slot[at, np.uint64(boards.slot[i, at])]
        for side in range(_4):
            if step[_OPENED + side] >= 0:
                mark ^= mark_of_slot[np.uint64(step[_OPENED + side]), (pieces.sides[w] >> (_16 * side)) & _LANE]
        prefetch(seen, mark & np.uint64(len(seen) - 1))
        found[j - first, _0] = mark
        found[j - first, _1] = np.uint64(boards.invalid[i]) + np.uint64(
            mismatches(step, boards, i, pieces.mates[w], _0, _0)
        )


@inner_kernel
def drop_equal(first, end, boards, following, buffer, seen, ancestor, placed, found):
    """Give the next numbers to some children, as far as they do not equal earlier ones."""
    mask = np.uint64(len(seen) - 1)
    n = np.uint64(buffer.counts[BOARDS])
    for j in range(first, end):
        mark, errors = found[j - first, _0], found[j - first, _1]
        spot = mark & mask
        while seen[spot] >= 0 and following.marks[np.uint64(seen[spot])] != mark:
            spot = (spot + _1) & mask
        if seen[spot] < 0:
            seen[spot] = n
            following.marks[n], following.invalid[n] = mark, errors
            following.potential[n] = boards.potential[np.uint64(buffer.parent[j])] + buffer.gain[j]
            ancestor[n], placed[n] = buffer.parent[j], buffer.candidate[j]
            n += _1
        elif errors < np.uint64(following.invalid[np.uint64(seen[spot])]):
            z = np.uint64(seen[spot])
            following.invalid[z] = errors
            ancestor[z], placed[z] = buffer.parent[j], buffer.candidate[j]
    buffer.counts[BOARDS] = n


@inner_kernel
def copy_boards(first, end, ancestor, boards, following):
    """Copy the boards of some children's parents."""
    words, slots, colors = (
        np.uint64(boards.used.shape[1]),
        np.uint64(boards.slot.shape[1]),
        np.uint64(boards.place.shape[1]),
    )
    for z in range(first, end):
        i = np.uint64(ancestor[z])
        for word in range(words):
            following.used[z, word] = boards.used[i, word]
        for s in range(slots):
            following.slot[z, s] = boards.slot[i, s]
        for c in range(colors):
            following.place[z, c] = boards.place[i, c]


@inner_kernel
def place_pieces(first, end, step, pieces, ancestor, placed, boards, following):
    """Place some children's pieces onto the copies of their parents' boards."""
    for z in range(first, end):
        i, w = np.uint64(ancestor[z]), np.uint64(placed[z])
        bit = unused_bit(pieces.first_bit[w], boards.used, i)
        following.used[z, bit >> _6] |= _1 << (bit & _63)
        for known in range(np.uint64(step[KNOWN])):
            at = _FIRST + _3 * known
            following.place[z, np.uint64(boards.slot[i, np.uint64(step[at + _1])])] -= np.uint32(1)
            following.place[z, (pieces.mates[w] >> (_16 * np.uint64(step[at]))) & _LANE] -= np.uint32(pieces.row)
        for side in range(_4):
            if step[_OPENED + side] >= 0:
                color = (pieces.sides[w] >> (_16 * side)) & _LANE
                following.place[z, (pieces.mates[w] >> (_16 * side)) & _LANE] -= np.uint32(pieces.row)
                following.place[z, color] += np.uint32(1)
                following.slot[z, np.uint64(step[_OPENED + side])] = color
