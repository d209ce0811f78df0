"""The kernels of the method `frames`: halves of frames and which fit together; halves of the inside and their tables.

A half of a frame is a stretch of it, walked clockwise: some edge pieces, a corner, edge pieces, a corner, edge pieces.
Colours and types are indices.  A *letter* is what an inner piece must show to the frame; the letters along a half of a
frame are its *word*, a number with one digit per letter.

A half of the inside is its first squares, row by row from the top left.  Of a way to fill it only its *key* matters:
how often each type is used, and which colours the other half must show along the cut.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import inner_kernel, kernel, separate_kernel

EXHAUSTED, BUDGET_SPENT, OUTPUT_FULL, TABLE_FULL, TOO_MANY = range(5)
#: Marks the absence of a piece type or an index.
NONE = 0xFFFF
#: The cursor of the search for halves of frames.
RING_DEPTH, RING_POSITION, RING_WRITTEN, RING_BUDGET = range(4)
#: A key that no table has.
EMPTY = np.uint64(2**64 - 1)
#: The cursor of the search for halves of the inside.
WORD, DEPTH, POSITION, FOUND, WRITTEN, BUDGET = range(6)
#: Special depths: the word has not been begun; only its table remains to be written.
FRESH, DONE = 2**32, 2**32 + 1

_0, _1, _2, _4, _6, _16, _32, _48, _56, _62, _63, _64 = (
    np.uint64(i) for i in (0, 1, 2, 4, 6, 16, 32, 48, 56, 62, 63, 64)
)
_BYTE, _LOW, _LOW_HALF = (np.uint64(i) for i in (0xFF, 0xFFFF, 0xFFFFFFFF))
_NONE, _FRESH, _DONE = np.uint64(NONE), np.uint64(FRESH), np.uint64(DONE)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MOST = np.uint32(0xFFFFFFFF)

_Words = NDArray[np.uint64]


class RingPieces(NamedTuple):
    """The pieces of the frame, for `lay_halves`."""

    pieces: _Words
    starts: _Words
    weight: _Words
    uses: np.uint64
    colors: np.uint64


class RingPlaces(NamedTuple):
    """The pieces that are asked for along a half of a frame."""

    kind: _Words
    only: _Words
    digit: _Words


class RingState(NamedTuple):
    """How far the search for halves of frames is."""

    available: NDArray[Any]
    begin: _Words
    used: _Words
    word: _Words
    chosen: _Words
    nodes: _Words
    cursor: _Words


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
@kernel
def lay_halves(ring, places, state, keys, words):
    """Continue the search for halves of frames, until the budget is spent or the output is full."""
    pieces, index, weight, uses, colors = ring
    kind, only, digit = places
    available, begin, used, word, chosen, nodes, cursor = state
    d, i, written, budget = cursor[RING_DEPTH], cursor[RING_POSITION], cursor[RING_WRITTEN], cursor[RING_BUDGET]
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
    cursor[RING_DEPTH], cursor[RING_POSITION], cursor[RING_WRITTEN], cursor[RING_BUDGET] = d, i, written, budget
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
@kernel
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


class InsidePieces(NamedTuple):
    """The inner pieces, for `fill`."""

    colors: np.uint64
    pieces: _Words
    starts: _Words
    weight: _Words
    mates: _Words


class LastRows(NamedTuple):
    """Rows of pieces for the last squares of a half."""

    rows: _Words
    shares: _Words
    row_index: _Words
    together: np.uint64


class HalfEdges(NamedTuple):
    """What each square of a half has beside it: letters of the frame, or the cut."""

    left_letter: _Words
    right_letter: _Words
    top: np.uint64
    cut: _Words
    step: np.uint64


class HashTable(NamedTuple):
    """The table of one word while it is made."""

    bits: np.uint64
    slots: _Words
    counts: NDArray[np.uint32]
    touched: _Words


class FillState(NamedTuple):
    """How far the search for fillings of a half is."""

    available: NDArray[Any]
    letters: _Words
    need: _Words
    key: _Words
    chosen: _Words
    nodes: _Words
    cursor: _Words


class WordTables(NamedTuple):
    """The tables of the words of a half."""

    start: _Words
    keys: _Words
    values: NDArray[np.uint32]


# Data layout (all integers unsigned; d is a square, c the number of columns)
# - ``pieces`` has lists of inner pieces, one word each: from the lowest bit 16 bits each for the type and the colours
#   that the pieces to the right and below must show.  ``index[left * colors + up]`` is where the list of those that
#   show two colours starts; it ends with a type that is always available.  After the lists by two colours there may be
#   those by three, from ``index[(colors + left * colors + up) * colors + right]`` on, where `right` is what a piece to
#   the right must show.  ``weight[t]`` is a type's share of a key.
# - A word is read into `letters`.  ``left_letter[d]`` and ``right_letter[d]`` say which of them square d faces to the
#   left and right (`NONE`: it faces a square); the c letters from `top` on lie along the top.
# - ``need[d]`` is the colour that square d must show above; ``need[d + c]`` is known when square d is filled.
# - ``key[d]`` is the key before square d is filled: the weights of the types, and every ``need[m]`` that lies beside
#   the cut times ``cut[m]``, which is 0 for the others; so is `step` where no square faces the cut to its right.
# - ``chosen[d]`` is the position of the piece on square d.
# - The last squares, `together` many, are filled at once, unless `together` is 0.  ``rows`` has lists of rows of two or
#   three pieces, from the lowest bit 16 bits each for three types (the third may be the one that is always available),
#   and 8 bits each for how often the first and the second type come again to their right; ``shares`` has what each row
#   adds to the key.  The list of those that show k goes from ``row_index[k]`` up to ``row_index[k + 1]``; k is what the
#   row shows on its left and above and, if it faces the frame, what a piece to its right must show.  A row is a node.
# - ``slots`` and ``counts`` are a hash table of 2^bits places, at most half full; `touched` lists those in use.
# - The table of word w lies in `keys` and `values` from ``start[w]`` up to ``start[w + 1]``.
# Invariant: between two steps the pieces before square d are taken from `available`.
@kernel
def fill(words, inside, rows, edges, state, table, tables):
    """Continue filling, word by word, and write the tables; each word also costs some of the budget."""
    cursor, letters = state.cursor, state.letters
    slots, counts, touched = table.slots, table.counts, table.touched
    start, keys, values = tables
    while cursor[WORD] < np.uint64(len(words)):
        if cursor[BUDGET] < _4:
            return BUDGET_SPENT
        if cursor[DEPTH] == _FRESH:
            cursor[BUDGET] -= _4
            _read(words[cursor[WORD]], inside, edges, state)
            first = letters[edges.left_letter[_0]] * inside.colors + state.need[_0]
            cursor[DEPTH], cursor[POSITION] = _0, inside.starts[first]
        if cursor[DEPTH] != _DONE:
            stopped = _search(inside, rows, edges, state, table)
            if stopped != EXHAUSTED:
                return stopped
            cursor[DEPTH] = _DONE
        written, found = cursor[WRITTEN], cursor[FOUND]
        if written + found > np.uint64(len(keys)):
            return OUTPUT_FULL
        for i in range(found):
            s = touched[i]
            keys[written + i], values[written + i] = slots[s], counts[s]
            slots[s], counts[s] = EMPTY, np.uint32(0)
        cursor[WRITTEN], cursor[FOUND] = written + found, _0
        cursor[WORD] += _1
        start[cursor[WORD]] = cursor[WRITTEN]
        cursor[DEPTH] = _FRESH
    return EXHAUSTED


@separate_kernel
def _read(word, inside, edges, state):
    """Read a word; letters on the right are converted to what pieces to the right must show, as in `pieces`."""
    letters, need, key, right_letter = state.letters, state.need, state.key, edges.right_letter
    for i in range(np.uint64(len(letters))):
        letters[i] = word % inside.colors
        word //= inside.colors
    key[0] = _0
    for column in range(np.uint64(len(need) - len(right_letter))):
        need[column] = letters[edges.top + column]
        key[0] += need[column] * edges.cut[column]
    for d in range(np.uint64(len(right_letter))):
        if right_letter[d] != _NONE:
            letters[right_letter[d]] = inside.mates[letters[right_letter[d]]]


@separate_kernel
def _search(inside, last_rows, edges, state, table):
    """Continue the search for fillings of the half whose word has been read."""
    colors, pieces, index, weight, _ = inside
    rows, shares, row_index, together = last_rows
    left_letter, right_letter, _, cut, step = edges
    available, letters, need, key, chosen, nodes, cursor = state
    bits, slots, counts, touched = table
    d, i, found, budget = cursor[DEPTH], cursor[POSITION], cursor[FOUND], cursor[BUDGET]
    last = np.uint64(len(chosen) - 1)
    columns = np.uint64(len(need) - len(chosen))
    end = np.uint64(len(available) - 1)
    shift = _64 - bits
    mask = (_1 << bits) - _1
    room = (mask + _1) >> _1
    stopped = EXHAUSTED
    by_three = np.uint64(len(index)) > colors * colors
    # The square before those that are filled together.
    before = last - together
    while True:
        piece = pieces[i]
        t = piece & _LOW
        while available[t] == 0:
            i += _1
            piece = pieces[i]
            t = piece & _LOW
        if t == end:
            if d == _0:
                break
            d -= _1
            i = chosen[d]
            available[pieces[i] & _LOW] += np.uint8(1)
            i += _1
            continue
        right = (piece >> _16) & _LOW
        if right_letter[d] != _NONE and letters[right_letter[d]] != right:
            i += _1
            continue
        if budget == _0:
            stopped = BUDGET_SPENT
            break
        down = piece >> _32
        after = key[d] + weight[t] + down * cut[d + columns]
        if d == last:
            after += right * step
            s = (after * _SPREAD) >> shift
            while slots[s] != after and slots[s] != EMPTY:
                s = (s + _1) & mask
            if counts[s] == _MOST or found == room:
                stopped = TABLE_FULL if found == room else TOO_MANY
                break
            # Without a branch for new entries, which could not be predicted.
            touched[found] = s
            found += np.uint64(slots[s] == EMPTY)
            slots[s] = after
            counts[s] += np.uint32(1)
            nodes[d] += _1
            budget -= _1
            i += _1
            continue
        if d == before and together > _0:
            need[d + columns] = down
            asked = right if left_letter[d + _1] == _NONE else letters[left_letter[d + _1]]
            for square in range(d + _1, last + _1):
                asked = asked * colors + need[square]
            if right_letter[last] != _NONE:
                asked = asked * colors + letters[right_letter[last]]
            first, end_of_list = row_index[asked], row_index[asked + _1]
            if found + end_of_list - first > room:
                stopped = TABLE_FULL
                break
            available[t] -= np.uint8(1)
            found, laid, most = _lay_rows(
                rows, shares, first, end_of_list, after, available, shift, mask, slots, counts, touched, found
            )
            available[t] += np.uint8(1)
            if most == _MOST:
                stopped = TOO_MANY
                break
            nodes[d] += _1
            nodes[last] += laid
            budget -= min(budget, _1 + laid)
            i += _1
            continue
        budget -= _1
        nodes[d] += _1
        available[t] -= np.uint8(1)
        chosen[d] = i
        need[d + columns] = down
        d += _1
        key[d] = after
        asked = (right if left_letter[d] == _NONE else letters[left_letter[d]]) * colors + need[d]
        if by_three and right_letter[d] != _NONE:
            asked = (colors + asked) * colors + letters[right_letter[d]]
        i = np.uint64(index[asked])
    cursor[DEPTH], cursor[POSITION], cursor[FOUND], cursor[BUDGET] = d, i, found, budget
    return stopped


@inner_kernel
def _lay_rows(rows, shares, first, end, key, available, shift, mask, slots, counts, touched, found):
    """Count a list of rows that may lie on the last squares.

    Returns the number of entries of the hash table, the number of rows that fit, and the highest count before.
    """
    # First all that fit, then all entries: neither has a branch that could not be predicted.  The keys wait behind the
    # entries of `touched`, which never come up to the next key.
    waiting = found
    for i in range(first, end):
        row = rows[i]
        fits = np.uint64(available[row & _LOW] > np.uint8(row >> _48 & _BYTE))
        fits &= np.uint64(available[row >> _16 & _LOW] > np.uint8(row >> _56))
        fits &= np.uint64(available[row >> _32 & _LOW] > np.uint8(0))
        touched[waiting] = key + shares[i]
        waiting += fits
    laid, most = waiting - found, np.uint32(0)
    for i in range(found, waiting):
        after = touched[i]
        s = (after * _SPREAD) >> shift
        while slots[s] != after and slots[s] != EMPTY:
            s = (s + _1) & mask
        touched[found] = s
        found += np.uint64(slots[s] == EMPTY)
        slots[s] = after
        most = max(most, counts[s])
        counts[s] += np.uint32(1)
    return found, laid, most


# Data layout: as above; ``touched`` takes the new indices.
@kernel
def move_table(old_slots, old_counts, old_touched, found, bits, slots, counts, touched):
    """Copy a hash table into a larger one."""
    for i in range(found):
        s = old_touched[i]
        t = _place(old_slots[s], bits, slots)
        slots[t], counts[t], touched[i] = old_slots[s], old_counts[s], t


@separate_kernel
def _place(key, bits, slots):
    """The index of a key in a hash table, or where it would be."""
    s = (key * _SPREAD) >> (_64 - bits)
    mask = (_1 << bits) - _1
    while slots[s] != key and slots[s] != EMPTY:
        s = (s + _1) & mask
    return s


class Cut(NamedTuple):
    """The colours along the cut."""

    colors: np.uint64
    mates: _Words
    columns: np.uint64
    stepped: bool


class Lookup(NamedTuple):
    """The table of an upper word, to look up the keys of lower ones."""

    slots: _Words
    counts: NDArray[np.uint32]
    flags: _Words
    waiting: _Words


# Data layout: pairs are those of an upper and a lower word, ordered by the upper one.  ``cuts`` is the number of keys
# with one use of types, ``all_used`` the sum of the types' weights; `columns` colours lie along the cut, and one more
# at its step where ``stepped``.  The table of an upper word is put into `slots` and `counts`, which are large enough,
# under the keys that complete its own: all other types, and along the cut ``facings[shown]`` (for as many as there are
# entries, since divisions are slow).  ``flags`` has four bits for each place of the hash table: where one is 0, no key
# of the table leads there, so that most keys need no look-up; `waiting` takes the others.  ``high[p]`` and ``low[p]``
# are the sums of the upper and lower halves of the products: the ways to fill the inside of pair p are
# ``high[p] * 2^32 + low[p]``.
@kernel
def join(pairs, along, facings, cuts, all_used, upper, lower, lookup, high, low, budget):
    """Join the tables of the pairs, until the budget of entries is spent; returns how many pairs are done."""
    upper_start, upper_keys, upper_values = upper
    lower_start, lower_keys, lower_values = lower
    slots, counts, flags, waiting = lookup
    p, spent = _0, _0
    loaded = ~_0
    bits, mask = _1, _1
    while p < np.uint64(len(pairs)) and spent < budget:
        x, y = pairs[p, 0], pairs[p, 1]
        if x != loaded:
            loaded = x
            bits, mask = _1, _1
            while mask < (upper_start[x + _1] - upper_start[x]) << _2:
                bits += _1
                mask = (_1 << bits) - _1
            for s in range(mask + _1):
                slots[s] = EMPTY
            for i in range((mask >> _4) + _1):
                flags[i] = _0
            for i in range(upper_start[x], upper_start[x + _1]):
                used = upper_keys[i] // cuts
                shown = upper_keys[i] - used * cuts
                known = shown < np.uint64(len(facings))
                facing = facings[shown] if known else _facing(shown, along)
                key = (all_used - used) * cuts + facing
                s = _place(key, bits, slots)
                slots[s], counts[s] = key, upper_values[i]
                flag = (key * _SPREAD) >> (_62 - bits)
                flags[flag >> _6] |= _1 << (flag & _63)
            spent += mask
        above, below, found = _0, _0, _0
        for i in range(lower_start[y], lower_start[y + _1]):
            flag = (lower_keys[i] * _SPREAD) >> (_62 - bits)
            waiting[found] = i
            found += flags[flag >> _6] >> (flag & _63) & _1
        for j in range(found):
            i = waiting[j]
            key = lower_keys[i]
            s = (key * _SPREAD) >> (_64 - bits)
            while slots[s] != key and slots[s] != EMPTY:
                s = (s + _1) & mask
            product = np.uint64(counts[s]) * np.uint64(lower_values[i]) * np.uint64(slots[s] == key)
            above += product >> _32
            below += product & _LOW_HALF
        spent += lower_start[y + _1] - lower_start[y] + _4
        high[p], low[p] = above, below
        p += _1
    return p


@kernel
def write_facings(along, facings):
    """Write `_facing` of 0, 1, ..."""
    for shown in range(np.uint64(len(facings))):
        facings[shown] = _facing(shown, along)


@inner_kernel
def _facing(shown, along):
    """What the other half must show along the cut, seen from its side."""
    colors, mates, columns, stepped = along
    colors_along, place = _0, _1
    for _ in range(columns):
        digit = shown % colors
        shown //= colors
        colors_along = colors_along * colors + mates[digit]
        place *= colors
    if stepped:
        colors_along += mates[shown] * place
    return colors_along
