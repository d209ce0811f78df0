"""The kernels that enumerate the halves of frames and find which fit together.

A half of a frame is a stretch of it, walked clockwise: some edge pieces, a corner, edge pieces, a corner, edge pieces.
Colours and types are indices.  A *letter* is what an inner piece must show to the frame; the letters along a half of a
frame are its *word*, a number with one digit per letter.
"""

import numpy as np

from ....base.compiled import kernel, lean_kernel

EXHAUSTED, BUDGET_SPENT, OUTPUT_FULL = range(3)
#: Marks the absence of a piece type or an index.
NONE = 0xFFFF
DEPTH, POSITION, WRITTEN, BUDGET = range(4)
#: A key that no table has.
EMPTY = np.uint64(2**64 - 1)

_0, _1, _16, _32, _64 = (np.uint64(i) for i in (0, 1, 16, 32, 64))
_LOW = np.uint64(0xFFFF)
_NONE = np.uint64(NONE)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


# Data layout (all integers unsigned; d is the number of pieces laid)
# - ``pieces`` has lists of pieces, one word each: from the lowest bit 16 bits each for the type, the colour that the
#   next piece must begin with, the letter.  ``index[kind * colors + begin]`` is where the list of the edge pieces (kind
#   0) or corner pieces (kind 1) that begin with a colour starts; it ends with a type that is always available.
# - ``kind[d]`` and ``only[d]`` determine the next piece (`NONE`: any type), ``digit[d]`` is the weight of its letter.
# - ``begin[d]``, ``used[d]`` and ``word[d]`` are the colour that the next piece must begin with, the sum of the types'
#   `weight` and the letters so far; ``begin[0]`` is the colour that the whole half begins with.  ``chosen[d]`` is the
#   position of the piece laid there.
# - A half that is found is written as a key, (first colour * colors + colour after it) * uses + used, and its word.
# Invariant: between two steps the pieces above depth d are taken from `available`.
@lean_kernel
def lay_halves(
    pieces, index, kind, only, digit, weight, uses, colors, available, begin, used, word, chosen,
    nodes, cursor, keys, words,
):  # fmt: skip
    """Continue the search for halves of frames, until the budget is spent or the output is full."""
    d, i, written, budget = cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    end = np.uint64(len(available) - 1)
    stopped = EXHAUSTED
    while True:
        piece = pieces[i]
        t = piece & _LOW
        if t == end:
            if d > _0:
                d -= _1
                i = chosen[d]
                available[pieces[i] & _LOW] += np.uint8(1)
                i += _1
                continue
            begin[0] += _1
            if begin[0] == colors:
                begin[0] -= _1
                break
            i = np.uint64(index[kind[0] * colors + begin[0]])
            continue
        if available[t] == 0 or (only[d] != _NONE and only[d] != t):
            i += _1
            continue
        if budget == _0 or written == np.uint64(len(keys)):
            stopped = BUDGET_SPENT if budget == _0 else OUTPUT_FULL
            break
        budget -= _1
        nodes[d] += _1
        after = (piece >> _16) & _LOW
        with_piece = used[d] + weight[t]
        with_letter = word[d] + (piece >> _32) * digit[d]
        if d == last:
            keys[written] = (begin[0] * colors + after) * uses + with_piece
            words[written] = with_letter
            written += _1
            i += _1
            continue
        available[t] -= np.uint8(1)
        chosen[d] = i
        d += _1
        begin[d], used[d], word[d] = after, with_piece, with_letter
        i = np.uint64(index[kind[d] * colors + after])
    cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET] = d, i, written, budget
    return stopped


# Data layout: ``slots`` is a hash table of twice as many places as there are words, or more, a power of two, all of
# them `EMPTY`; ``number[s]`` is the number of the word in place s.
@kernel
def number_words(words, slots, number, numbers, distinct):
    """Number the different words from 0 in the order of appearance; return how many there are."""
    found = _0
    mask = np.uint64(len(slots) - 1)
    for i in range(np.uint64(len(words))):
        s = ((words[i] * _SPREAD) >> _32) & mask
        while slots[s] != words[i] and slots[s] != EMPTY:
            s = (s + _1) & mask
        if slots[s] == EMPTY:
            slots[s] = words[i]
            number[s] = found
            distinct[found] = words[i]
            found += _1
        numbers[i] = number[s]
    return found


# Data layout: upper halves i have the word ``upper[i]`` (in ascending order) and come ``times[i]`` times; the lower
# halves that fit are those from ``first[i]`` up to but not including ``after[i]``, with the words `lower` and the
# numbers `lower_times`.  ``sums`` has an entry for each lower word, all of them 0; they are 0 again afterwards.
@lean_kernel
def pair_up(upper, times, first, after, lower, lower_times, sums, touched, pairs, frames):
    """Write each pair of words that a frame shows, ordered by the upper one, and its number of frames."""
    written, met = _0, _0
    number = np.uint64(len(upper))
    for i in range(number):
        for j in range(first[i], after[i]):
            y = lower[j]
            if sums[y] == _0:
                touched[met] = y
                met += _1
            sums[y] += times[i] * lower_times[j]
        if i + _1 == number or upper[i + _1] != upper[i]:
            for k in range(met):
                y = touched[k]
                pairs[written, 0], pairs[written, 1] = upper[i], y
                frames[written] = sums[y]
                sums[y] = _0
                written += _1
            met = _0
    return written
