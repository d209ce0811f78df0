"""The kernels that add up the ways to lay a half of a frame, step by step, and that join two halves.

A *use* says how many pieces of each class are used.  After a number of steps there is a number of ways for each use and
each colour that the next piece must begin with.  A use has two parts: its *row* (some classes) and its place in a list
(the others).  Lists are by *key*, which says how many pieces are used and how much more often each colour is left than
entered: what a row and a colour leave open is a key, so that the numbers of a row and a colour are one *block*, a
number for each use in the list of a key.  A piece more is a row more, with the same list, or the same row, with another
list; either way a block is the sum of a few others.
"""

import numpy as np

from jigsat.csp.base.compiled import kernel

#: Marks a block or a list that does not exist.
NONE = 0xFFFFFFFF
#: Whether a class is one of the lists or one of the rows.
LIST, ROW = range(2)

_NONE = np.uint64(NONE)
_0, _1, _32 = (np.uint64(i) for i in (0, 1, 32))
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def match_keys(keys, of_rows, wanted, lists):
    """For each key of a row (in ascending order) the list whose key makes up the wanted one, or `NONE`."""
    rows, number = np.uint64(len(of_rows)), np.uint64(len(keys))
    j = _0
    for i in range(_1, rows + _1):
        key = wanted - of_rows[rows - i]
        while j < number and keys[j] < key:
            j += _1
        lists[rows - i] = np.uint32(j) if j < number and keys[j] == key else np.uint32(NONE)


# Data layout: rows are in the order of their number of pieces; all rows with the same number are a band.  All numbers
# are in one array, the arena, which consists of chunks of equal size.  ``starts[row, color]`` is where the block of a
# row and a colour begins, with a zero before its numbers.  ``key_of[row]`` is the number of the row's key,
# ``lists[color, key]`` the list of the block, ``sizes`` has the lengths of lists.
@kernel
def lay_out(first_row, last_row, key_of, colors, lists, sizes, free, chunk, starts):
    """Place the blocks of a band, for some colours, in free chunks; return the number of chunks used.

    It is more than there are if they are too few.
    """
    chunks, at, end = _0, _0, _0
    for row in range(first_row, last_row):
        for color in range(np.uint64(len(colors))):
            found = np.uint64(lists[color, key_of[row]])
            if not colors[color] or found == _NONE:
                starts[row, color] = np.uint32(NONE)
                continue
            room = np.uint64(sizes[found]) + _1
            if at + room > end and chunks == np.uint64(len(free)):
                return chunks + _1
            if at + room > end:
                at = np.uint64(free[chunks]) * chunk
                end = at + chunk
                chunks += _1
            starts[row, color] = np.uint32(at)
            at += room
    return chunks


# Data layout: the classes that lead to a colour are those from ``into[color]`` up to but not including
# ``into[color + 1]``, each a row of ``classes``: the colour it comes from, `LIST` or `ROW`, and its index among those.
# From ``first[list]`` on, `down` has for each class of the lists and each use in a list 0 if the class is not used,
# otherwise 1 + the place of the use with one piece less.  ``used[row]`` has a bit for each class of the rows; a piece
# less of one is the row ``row_at[place[row] - strides[index]]``, in the band before.
@kernel
def step(
    first_row, last_row, key_of, place, row_at, strides, used, into, classes, first, sizes, down, lists,
    old_starts, starts, arena,
):  # fmt: skip
    """Fill the blocks of some rows of a band; return the number of additions."""
    additions = _0
    for row in range(first_row, last_row):
        for color in range(np.uint64(starts.shape[1])):
            start = np.uint64(starts[row, color])
            if start == _NONE:
                continue
            found = np.uint64(lists[color, key_of[row]])
            size, begin = np.uint64(sizes[found]), np.uint64(first[found])
            for i in range(size + _1):
                arena[start + i] = _0
            for entry in range(into[color], into[color + _1]):
                source, how, index = classes[entry, 0], classes[entry, 1], classes[entry, 2]
                if how == LIST:
                    there = np.uint64(old_starts[row, source])
                    if there != _NONE:
                        additions += size
                        for i in range(size):
                            arena[start + _1 + i] += arena[there + np.uint64(down[index, begin + i])]
                elif (used[row] >> index) & _1:
                    before = np.uint64(row_at[np.uint64(place[row]) - strides[index]])
                    there = np.uint64(old_starts[before, source])
                    if there != _NONE:
                        additions += size
                        for i in range(_1, size + _1):
                            arena[start + i] += arena[there + i]
    return additions


# Data layout: as above for two halves, each with one colour at its end.  The opposite of a row has all other pieces,
# and its list is in the opposite order.
@kernel
def join(first_row, last_row, place, row_at, key_of, sizes, lists, starts, lists_2, starts_2, arena, words):
    """Add the products of the numbers of opposite uses to `words`, the 32-bit words of a sum, with room for carries.

    Returns whether all lists agree in length.
    """
    rows = np.uint64(len(row_at))
    for row in range(first_row, last_row):
        opposite = np.uint64(row_at[rows - _1 - np.uint64(place[row])])
        start, start_2 = np.uint64(starts[row]), np.uint64(starts_2[opposite])
        if start == _NONE or start_2 == _NONE:
            continue
        size = np.uint64(sizes[lists[key_of[row]]])
        if size != np.uint64(sizes[lists_2[key_of[opposite]]]):
            return False
        for i in range(_1, size + _1):
            a, b = arena[start + i], arena[start_2 + size + _1 - i]
            if a == _0 or b == _0:
                continue
            a0, a1, b0, b1 = a & _LOW, a >> _32, b & _LOW, b >> _32
            low, high = a0 * b0, a1 * b1
            words[0] += low & _LOW
            words[1] += low >> _32
            words[2] += high & _LOW
            words[3] += high >> _32
            low, high = a0 * b1, a1 * b0
            words[1] += (low & _LOW) + (high & _LOW)
            words[2] += (low >> _32) + (high >> _32)
    return True
