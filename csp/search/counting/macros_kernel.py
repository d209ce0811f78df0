"""The kernel of the row macros: rows of two halves, whole batches of boards at a time.

A *state* is a board filled up to some row: the pieces on it (a number, see `Uses`), and the left and the right word
that the next row must show below.  The macros that fit a word are its *list*, cut into *chunks* with room for 128, so
that a set of macros of one chunk is two numbers, its lower and its upper *half*.

Data layout (flat arrays of unsigned integers)

- Each side has ``macros``, two numbers each: its pieces; the word that it offers above.  Those of chunk c stand from
  number 128 c on; places may be free.
- ``chunks[base + word]`` is the first chunk of a list, the next number its end.  `base` selects the table of a row:
  ``bases[2 * row]`` for the left side, ``bases[2 * row + 1]`` for the right one.
- ``members[2 * (MEMBERS * chunk + bit)]`` and the number after it are the set of the chunk's macros that do not fit
  states whose pieces have that bit; in place of bit 64 there is the set of all its macros.
- ``cuts[number of cuts * chunk + cut]`` has the macros with that cut (the colour between left and right macro), which
  are all in the same half: in the upper one for cuts from ``splits[chunk]`` on.  ``cut_ends[row]`` is more than any
  cut in that row.
- ``fresh`` has the states to go on from, two numbers each: the pieces; left word plus 2^32 times right word.
- ``waiting[row]`` has *records*, of states with some left macros of one chunk, four numbers each: the pieces; the right
  word, plus 2^24 times the cuts as 16 bits (cut 16 is bit 0 again), plus 2^40 times the chunk; the set of macros.
- ``groups[2 * row]`` and ``groups[2 * row + 1]`` are how many sixes of bits hold all that exclude macros of the left
  and of the right half.
- ``cursor`` has the row to fill, the first row of the search, the number of states in `fresh`, and from `AT` on for
  each row: the next record, the number of records; if that record has been begun, the number of right chunks and then
  of `hits` that are done for it and for the adjacent records with the same word.

The macros that share no piece with a state are found for all states with the same word together: the sets of macros
that any of six bits excludes make 64 unions; with such unions for every six bits, 11 look-ups replace a test for each
macro of a chunk, or fewer if no macro of the row has a piece with one of the last bits.  Pairs of macros with the same
cut are first listed and then tested, which avoids branch mispredictions while waiting for memory.

Invariant between two steps: all states are counted in `nodes`; those whose rows above have not been searched are in
`fresh` or have their records waiting.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import lowest, ones, prefetch, union_of_groups, which, write_unions
from ...base.compiled import inner_kernel, kernel, separate_kernel

ROW, FIRST, FRESH, AT = range(4)
PLACE = 4
SIX, GROUPS = 6, 11
MEMBERS = SIX * GROUPS
ALL_MACROS = 64
CHUNK = 128
RECORD = 4
HIT = 4
#: The number of records with one word whose right macros are found at a time.
TOGETHER = 1024
#: The largest number of pairs of macros of one hit; pairs are tested when the list is that long.
MOST_PAIRS = CHUNK * CHUNK
PAIRS = MOST_PAIRS + 1024
_0, _1, _2, _3, _4, _6, _7, _8, _16, _24, _32, _40, _64 = (
    np.uint64(i) for i in (0, 1, 2, 3, 4, 6, 7, 8, 16, 24, 32, 40, 64)
)
_LOW, _WORD = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFF)
_MEMBERS, _TOGETHER, _AT, _PLACE = (np.uint64(i) for i in (MEMBERS, TOGETHER, AT, PLACE))
_MOST_PAIRS, _PAIRS, _RECORD, _HIT = (np.uint64(i) for i in (MOST_PAIRS, PAIRS, RECORD, HIT))


class Scratch(NamedTuple):
    """The arrays for one batch of states."""

    ordered: NDArray[np.uint64]
    loose: NDArray[np.uint64]
    waiting: NDArray[np.uint64]
    heads: NDArray[np.uint32]
    unions: NDArray[np.uint64]
    hits: NDArray[np.uint64]
    pairs: NDArray[np.uint64]


@kernel
def fill_rows(bases, cut_ends, groups, left, right, shape, fresh, scratch, nodes, cursor, budget):
    """Fill rows until everything is done or about `budget` states are processed; return whether everything is done.

    `shape` has the number of rows, the numbers of left words, right words, and cuts, the lower bits of pairs of
    identical pieces, and all other bits.
    """
    last, waiting = shape[0] - _1, scratch.waiting
    dealt = _0
    while dealt < budget:
        row = cursor[ROW]
        at = _AT + _PLACE * row
        if cursor[FRESH] > _0:
            n = cursor[FRESH]
            cursor[at + _1], halves = _find_left(
                bases[_2 * row], left, shape, cut_ends[row], groups[_2 * row], fresh, n, scratch, waiting[row]
            )
            nodes[_2 * row] += halves
            cursor[FRESH] = cursor[at] = cursor[at + _2] = cursor[at + _3] = _0
            dealt += n
        if cursor[at] == cursor[at + _1]:
            if row == cursor[FIRST]:
                return True
            cursor[ROW] = row - _1
            continue
        n = _pair(
            bases[_2 * row + _1], left, right, shape, cut_ends[row], groups[_2 * row + _1],
            waiting[row], cursor[at : at + _PLACE], scratch, fresh, row == last,
        )  # fmt: skip
        nodes[_2 * row + _1] += n
        dealt += n
        if row != last and n > _0:
            cursor[FRESH], cursor[ROW] = n, row + _1
    return False


@inner_kernel
def _find_left(base, left, shape, cut_end, groups, fresh, n, scratch, records):
    """Make records of the fresh states, ordered by right word; return their number, and that of the left macros."""
    _, chunks, members, cuts, splits = left
    ordered, loose, _, heads, unions, _, _ = scratch
    number_of_cuts = shape[3]
    _sort_states(fresh, n, shape[1], heads, ordered)
    for w in range(shape[2] + _1):
        heads[w] = 0
    found = halves = _0
    i = _0
    while i < n:
        word = ordered[_2 * i + _1] & _LOW
        end = i + _1
        while end < n and ordered[_2 * end + _1] & _LOW == word:
            end += _1
        for chunk in range(np.uint64(chunks[base + word]), np.uint64(chunks[base + word + _1])):
            _prepare(chunk, members, groups, unions)
            lower, upper = _all_macros(chunk, members)
            for s in range(i, end):
                used = ordered[_2 * s]
                met = union_of_groups(unions, used, groups)
                low, high = lower & ~met[0], upper & ~met[1]
                halves += ones(low) + ones(high)
                common = _cuts_of(cuts, chunk * number_of_cuts, splits[chunk], cut_end, low, high)
                right_word = ordered[_2 * s + _1] >> _32
                r = _RECORD * found
                loose[r], loose[r + _1] = used, right_word | common << _24 | chunk << _40
                loose[r + _2], loose[r + _3] = low, high
                found += np.uint64(common != _0)
                heads[right_word + _1] += np.uint32(common != _0)
        i = end
    _sort_records(loose, found, shape[2], heads, records)
    return found, halves


@separate_kernel
def _prepare(chunk, members, groups, unions):
    """Write the unions for a chunk."""
    for g in range(groups):
        write_unions(unions, g << _7, members, _2 * (chunk * _MEMBERS + g * _6))


@inner_kernel
def _all_macros(chunk, members):
    """The set of all macros of a chunk."""
    at = _2 * (chunk * _MEMBERS + _64)
    return members[at], members[at + _1]


@inner_kernel
def _cuts_of(cuts, first, split, cut_end, low, high):
    """The cuts of some macros of a chunk, as 16 bits."""
    found = _0
    for c in range(_0, cut_end, _8):
        found |= which(cuts, first + c, low, high, np.int64(split) - np.int64(c)) << (c & _8)
    return found


@inner_kernel
def _sort_states(states, n, words, heads, to):
    """Sort states by left word; if they are few compared to the number of words, only copy them."""
    if words > _64 + _4 * n:
        for i in range(_2 * n):
            to[i] = states[i]
        return
    for w in range(words + _1):
        heads[w] = 0
    for i in range(n):
        heads[(states[_2 * i + _1] & _LOW) + _1] += np.uint32(1)
    for w in range(words):
        heads[w + _1] += heads[w]
    for i in range(n):
        word = states[_2 * i + _1] & _LOW
        at = _2 * np.uint64(heads[word])
        heads[word] += np.uint32(1)
        to[at], to[at + _1] = states[_2 * i], states[_2 * i + _1]


@inner_kernel
def _sort_records(records, n, words, heads, to):
    """Sort records by right word, or only copy them; `heads` has the number of records of word w - 1."""
    if words > _64 + _4 * n:
        for i in range(_RECORD * n):
            to[i] = records[i]
        return
    for w in range(words):
        heads[w + _1] += heads[w]
    for i in range(n):
        one, two, three, four = records[_4 * i], records[_4 * i + _1], records[_4 * i + _2], records[_4 * i + _3]
        at = _4 * np.uint64(heads[two & _WORD])
        heads[two & _WORD] += np.uint32(1)
        to[at], to[at + _1], to[at + _2], to[at + _3] = one, two, three, four


@separate_kernel
def _pair(base, left_lists, right_lists, shape, cut_end, groups, records, place, scratch, fresh, counting):
    """Continue pairing left and right macros until `fresh` is full, unless only `counting`; return the new states."""
    left, _, _, left_cuts, left_splits = left_lists
    right, chunks, members, right_cuts, right_splits = right_lists
    _, _, _, _, unions, hits, pairs = scratch
    end, number_of_cuts = place[1], shape[3]
    room = np.uint64(len(fresh)) >> _1
    n = pending = _0
    position, done, ready = place[0], place[2], place[3]
    while position < end:
        word = records[_RECORD * position + _1] & _WORD
        after = position + _1
        while after < min(end, position + _TOGETHER) and records[_RECORD * after + _1] & _WORD == word:
            after += _1
        first = np.uint64(chunks[base + word])
        for chunk in range(first + done, np.uint64(chunks[base + word + _1])):
            _prepare(chunk, members, groups, unions)
            lower, upper = _all_macros(chunk, members)
            split, of_chunk = right_splits[chunk], chunk * number_of_cuts
            found = _0
            for r in range(_RECORD * position, _RECORD * after, _RECORD):
                met = union_of_groups(unions, records[r], groups)
                low, high = lower & ~met[0], upper & ~met[1]
                common = _cuts_of(right_cuts, of_chunk, split, cut_end, low, high) & (records[r + _1] >> _24)
                h = _HIT * found
                hits[h], hits[h + _1], hits[h + _2], hits[h + _3] = r, low, high, common
                found += np.uint64(common != _0)
                prefetch(left_cuts, (records[r + _1] >> _40) * number_of_cuts)
            for h in range(_HIT * ready, _HIT * found, _HIT):
                if pending + _MOST_PAIRS > _PAIRS or (not counting and n + pending + _MOST_PAIRS > room):
                    n = _test(left, right, records, pairs, pending, shape, fresh, n, counting)
                    pending = _0
                    if not counting and n + _MOST_PAIRS > room:
                        place[0], place[2], place[3] = position, chunk - first, h // _HIT
                        return n
                r, common = hits[h], hits[h + _3]
                left_chunk = records[r + _1] >> _40
                left_split, of_left = left_splits[left_chunk], left_chunk * number_of_cuts
                while common != _0:
                    cut = lowest(common)
                    common &= common - _1
                    while cut < cut_end:
                        j, k = np.uint64(cut >= left_split), np.uint64(cut >= split)
                        lefts = left_cuts[of_left + cut] & records[r + _2 + j]
                        rights = right_cuts[of_chunk + cut] & hits[h + _1 + k]
                        j, k = (_2 * left_chunk + j) << _6, (_2 * chunk + k) << _6
                        while lefts != _0:
                            one = j + lowest(lefts)
                            lefts &= lefts - _1
                            prefetch(left, _2 * one)
                            others = rights
                            while others != _0:
                                other = k + lowest(others)
                                prefetch(right, _2 * other)
                                pairs[_2 * pending] = one | other << _32
                                pairs[_2 * pending + _1] = r
                                others &= others - _1
                                pending += _1
                        cut += _16
            ready = _0
        done = _0
        position = after
    n = _test(left, right, records, pairs, pending, shape, fresh, n, counting)
    place[0], place[2], place[3] = position, _0, _0
    return n


@inner_kernel
def _test(left, right, records, pairs, pending, shape, fresh, n, counting):
    """Make states of the pairs for which there are enough pieces; return the number of states."""
    lower, others = shape[4], shape[5]
    if lower == _0:
        for i in range(pending):
            pair = pairs[_2 * i]
            j, k = _2 * (pair & _LOW), _2 * (pair >> _32)
            pieces, more = left[j], right[k]
            if not counting:
                fresh[_2 * n] = records[pairs[_2 * i + _1]] | pieces | more
                fresh[_2 * n + _1] = left[j + _1] | right[k + _1] << _32
            n += np.uint64(pieces & more == _0)
        return n
    for i in range(pending):
        pair = pairs[_2 * i]
        j, k = _2 * (pair & _LOW), _2 * (pair >> _32)
        pieces = records[pairs[_2 * i + _1]] + left[j] + right[k]
        if not counting:
            fresh[_2 * n] = pieces
            fresh[_2 * n + _1] = left[j + _1] | right[k + _1] << _32
        n += np.uint64((left[j] & right[k] & others) | (pieces & pieces >> _1 & lower) == _0)
    return n
