"""The kernels of the method `middle`: the rows below and above a middle row, and the middle rows that join them.

A *board* is some rows filled from the bottom up; of it there is a number for its pieces (see `Uses`) and a *word*, the
colours along its open side: the number of the left half's word times the number of right words, plus the right half's.
Boards are kept by word.  A board that lies above the middle row is turned by 180 degrees, so that it is one like those
below.

For two numbers of disjoint sets of pieces, sums are numbers, and so is the number of all pieces minus a sum.  Numbers
are kept *scrambled*, times an odd number, which changes nothing about sums and differences.  From the highest bits of a
scrambled number comes its place in a list, from others its bits in a filter.

Of a pair of identical pieces, one may be below and one in each half of the middle row, which no half notices.  The
number of what is left then has three of this pair, which no board above has.

Data layout (flat arrays of unsigned integers)

- The boards below: those with word w stand in `sets` from ``start[w]`` up to ``start[w + 1]``.
- The boards above are cut into *cells*: those of word w are from ``first[w]`` up to ``first[w + 1]``; the boards of
  cell c stand in `sets` from ``place[c]`` up to ``place[c + 1]``.  ``flags[c]`` has two bits for each of them, so that
  most boards that are not there are found out by one look.
- Middle rows are two halves.  The left ones that need word w below and have cut c (the colour between the halves) stand
  in `pieces` from ``start[w * cuts + c]`` on; so do the right ones.  What a middle row needs above is the word
  ``turned[offer of the right half * extras + extra of the left half]`` times the number of right words, plus `above` of
  the left half: half a row that is turned may have a square of the other half, whose colour is `extra`.
- ``rows[ROOM * b + k]`` has bit b of 64 boards, those from 64 k on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import lowest, prefetch
from ...base.compiled import inlined_kernel, inner_kernel, kernel

#: The words of 64 boards that are handled at a time.
ROOM = 64
#: The boards that are looked up at a time; there may be this many and those of one middle row.
QUEUE, MOST_WAITING = 4096, 4096 + 64 * ROOM
#: The mean number of boards of a cell.
IN_CELL = 6
_ODD = 0x9E3779B97F4A7C15
_SCRAMBLE, _RESTORE = np.uint64(_ODD), np.uint64(pow(_ODD, -1, 1 << 64))
_0, _1, _2, _6, _32, _38, _44, _63, _64 = (np.uint64(i) for i in (0, 1, 2, 6, 32, 38, 44, 63, 64))
_ROOM, _QUEUE, _LOW, _HIGHEST = np.uint64(ROOM), np.uint64(QUEUE), np.uint64(2**32 - 1), np.uint64(1 << 63)
_LOW_HALVES = np.uint64(2**32 - 1)

_Words = NDArray[np.uint64]
_Places = NDArray[np.uint32]


class Below(NamedTuple):
    """The boards below, by word."""

    sets: _Words
    start: _Places


class Above(NamedTuple):
    """The boards above, in cells."""

    sets: _Words
    first: _Places
    place: _Places
    flags: _Words


class LeftHalves(NamedTuple):
    """The left halves of middle rows."""

    pieces: _Words
    start: _Places
    above: _Words
    extra: _Words


class RightHalves(NamedTuple):
    """The right halves of middle rows, and the words that they need above with a left one."""

    pieces: _Words
    start: _Places
    offer: _Words
    turned: _Words


class Shape(NamedTuple):
    """Numbers of a puzzle: see `Uses` for `all_pieces`, which is the number of all of them, `lower` and `others`."""

    all_pieces: np.uint64
    lower: np.uint64
    others: np.uint64
    bits: np.uint64
    right_words: np.uint64
    cuts: np.uint64
    extras: np.uint64


class MiddleScratch(NamedTuple):
    """The arrays for the boards of one word."""

    block: _Words
    rows: _Words
    left: _Words
    right: _Words
    hits: _Places
    asked: _Words
    cells: _Places


@kernel
def count_words(states, right_words, number):
    """Count the boards of each word; `states` has two numbers for each: pieces; left word + 2^32 times right word."""
    for i in range(_1, np.uint64(len(states)), _2):
        number[(states[i] & _LOW) * right_words + (states[i] >> _32)] += np.uint32(1)


@kernel
def put(states, right_words, free, sets, places):
    """Put boards where there is room for those of their words: at ``free[word]``, which is counted on."""
    # First where all of some boards belong, so that memory is ready when they are written.
    total, most = np.uint64(len(states)) >> _1, np.uint64(len(places))
    for first in range(_0, total, most):
        number = min(total - first, most)
        for i in range(number):
            words = states[_2 * (first + i) + _1]
            word = (words & _LOW) * right_words + (words >> _32)
            places[i] = free[word]
            free[word] += np.uint32(1)
            prefetch(sets, np.uint64(places[i]))
        for i in range(number):
            sets[places[i]] = states[_2 * (first + i)] * _SCRAMBLE


@kernel
def into_cells(above, start, copy, free):
    """Order the boards of each word, from ``start[word]`` on, by cell, and write `place` and `flags`."""
    sets, first_cell, place, flags = above
    for word in range(np.uint64(len(start)) - _1):
        first, end = np.uint64(start[word]), np.uint64(start[word + _1])
        cell = np.uint64(first_cell[word])
        cells = np.uint64(first_cell[word + _1]) - cell
        for c in range(cells):
            free[c] = 0
        for i in range(first, end):
            copy[i - first] = sets[i]
            free[_share(sets[i], cells)] += np.uint32(1)
        at = np.uint32(first)
        for c in range(cells):
            number = free[c]
            free[c] = place[cell + c] = at
            at += number
        for i in range(end - first):
            scrambled = copy[i]
            c = _share(scrambled, cells)
            sets[free[c]] = scrambled
            free[c] += np.uint32(1)
            flags[cell + c] |= _1 << (scrambled >> _44 & _63) | _1 << (scrambled >> _38 & _63)


@inlined_kernel
def _share(scrambled, cells):
    return (scrambled >> _32) * cells >> _32


@kernel
def join(words, below, above, left_halves, right_halves, shape, scratch, met):
    """Count the full boards whose boards below have one of the words; add the middle rows that fit below to `met`."""
    waiting, found = _0, _0
    for word in words:
        end = np.uint64(below.start[word + _1])
        for first in range(np.uint64(below.start[word]), end, _ROOM << _6):
            number = min(end - first, _ROOM << _6)
            _write_rows(below.sets, first, number, shape.bits, scratch)
            more, waiting = _join_boards(
                word, first, number, below.sets, above, left_halves, right_halves, shape, scratch, waiting, met
            )
            found += more
    return found + _look_up(above, scratch, waiting)


@inner_kernel
def _write_rows(sets, first, number, bits, scratch):
    """Write the bits of some boards as rows; the last board stands for those that are missing in a word."""
    block = scratch.block
    for k in range((number + _63) >> _6):
        for i in range(_64):
            block[i] = sets[first + min((k << _6) + i, number - _1)] * _RESTORE
        # Exchange the lower left and the upper right quarter of each square of 64, 32, ... bits.
        step, mask = _32, _LOW_HALVES
        while step != _0:
            i = _0
            while i < _64:
                changed = ((block[i] >> step) ^ block[i + step]) & mask
                block[i] ^= changed << step
                block[i + step] ^= changed
                i = (i + step + _1) & ~step
            step >>= _1
            mask ^= mask << step
        for b in range(bits):
            scratch.rows[_ROOM * b + k] = block[b]


@inner_kernel
def _join_boards(word, first, number, sets, above, left_halves, right_halves, shape, scratch, waiting, met):
    """Meet some boards of a word with all middle rows; return the full boards found and the number still to look up."""
    cuts, lower, others = shape.cuts, shape.lower, shape.others
    lefts, rights, right = left_halves.pieces, right_halves.pieces, scratch.right
    width, found = (number + _63) >> _6, _0
    left_word = word // shape.right_words
    right_word = word - left_word * shape.right_words
    begin = np.uint64(right_halves.start[right_word * cuts])
    for j in range(begin, np.uint64(right_halves.start[(right_word + _1) * cuts])):
        _write_excluded(rights[j], shape, scratch.rows, width, _0, right, _ROOM * (j - begin))
    for cut in range(cuts):
        of_cut = right_word * cuts + cut
        first_right, end_right = np.uint64(right_halves.start[of_cut]), np.uint64(right_halves.start[of_cut + _1])
        of_cut = left_word * cuts + cut
        end_left = np.uint64(left_halves.start[of_cut + _1] if first_right < end_right else 0)
        for i in range(np.uint64(left_halves.start[of_cut]), end_left):
            # Places behind the last board are excluded.
            behind = _0 if number & _63 == _0 else ~_0 << (number & _63)
            _write_excluded(lefts[i], shape, scratch.rows, width, behind, scratch.left, _0)
            for j in range(first_right, end_right):
                pieces = lefts[i] + rights[j]
                if (lefts[i] & rights[j] & others) | (pieces & pieces >> _1 & lower) != _0:
                    continue
                hits = _list_hits(scratch.left, right, _ROOM * (j - begin), width, scratch.hits)
                met[_0] += hits
                if hits == _0:
                    continue
                need = right_halves.turned[right_halves.offer[j] * shape.extras + left_halves.extra[i]]
                need = need * shape.right_words + left_halves.above[i]
                cell = np.uint64(above.first[need])
                cells = np.uint64(above.first[need + _1]) - cell
                rest = (shape.all_pieces - pieces) * _SCRAMBLE
                for h in range(hits if cells > _0 else _0):
                    scrambled = rest - sets[first + np.uint64(scratch.hits[h])]
                    c = cell + _share(scrambled, cells)
                    prefetch(above.flags, c)
                    scratch.asked[waiting] = scrambled
                    scratch.cells[waiting] = np.uint32(c)
                    waiting += _1
                if waiting >= _QUEUE:
                    found += _look_up(above, scratch, waiting)
                    waiting = _0
    return found, waiting


@inlined_kernel
def _write_excluded(pieces, shape, rows, width, behind, to, at):
    """Write which boards do not fit to some pieces; the last word also has the bits `behind`."""
    for k in range(width):
        to[at + k] = _0
    to[at + width - _1] = behind
    excluding = (pieces & shape.others) | (pieces & shape.lower) << _1 | (pieces >> _1 & shape.lower)
    while excluding != _0:
        row = _ROOM * lowest(excluding)
        excluding &= excluding - _1
        for k in range(width):
            to[at + k] |= rows[row + k]


@inlined_kernel
def _list_hits(one, other, at, width, hits):
    """List the bits that are set in neither of two runs of words; return how many there are."""
    n = _0
    for k in range(width):
        fits, first = ~(one[k] | other[at + k]), k << _6
        # Words with more than three bits are rare; branches for each bit could not be predicted.
        for _ in range(3):
            hits[n] = np.uint32(first + lowest(fits | _HIGHEST))
            n += np.uint64(fits != _0)
            fits &= fits - _1
        while fits != _0:
            hits[n] = np.uint32(first + lowest(fits))
            n += _1
            fits &= fits - _1
    return n


@inner_kernel
def _look_up(above, scratch, waiting):
    """The number of boards above that are asked for."""
    sets, _, place, flags = above
    asked, cells = scratch.asked, scratch.cells
    n = _0
    for i in range(waiting):
        scrambled, cell = asked[i], cells[i]
        flag = flags[cell]
        asked[n], cells[n] = scrambled, cell
        n += flag >> (scrambled >> _44 & _63) & flag >> (scrambled >> _38 & _63) & _1
    for i in range(n):
        prefetch(place, np.uint64(cells[i]))
    for i in range(n):
        prefetch(sets, np.uint64(place[cells[i]]))
    found = _0
    for i in range(n):
        cell = np.uint64(cells[i])
        for j in range(np.uint64(place[cell]), np.uint64(place[cell + _1])):
            found += np.uint64(sets[j] == asked[i])
    return found
