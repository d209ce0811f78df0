"""Mates, walks around points, and what the walks that close leave: the kernels of `exactly_two`."""

import numpy as np
from numba import njit

from exactly_two_forms import ACROSS, DOWNWARDS, Scramble


def mates(form: Scramble) -> np.ndarray:
    """Shape (2, 4 squares): what each dart meets in the assemblies 1 and 2; -1 on the border.

    Raises AssertionError if two pieces go to one square.
    """
    rows, columns = form.x.shape
    y, x = np.indices(form.x.shape)
    both = []
    for to_x, to_y, turns in ((x, y, 0 * x), form):
        shows = np.full((rows + 2, columns + 2, 4), -1, np.int32)
        for side in range(4):
            shows[to_y + 1, to_x + 1, (side + turns) % 4] = 4 * (y * columns + x) + side
        assert (shows[1:-1, 1:-1] >= 0).all(), "two pieces on one square"
        meets = np.empty((rows, columns, 4), np.int32)
        for side in range(4):
            seen = (side + turns) % 4
            meets[:, :, side] = shows[to_y + 1 + DOWNWARDS[seen], to_x + 1 + ACROSS[seen], (seen + 2) % 4]
        both.append(meets.ravel())
    return np.array(both)


# Dart 4 p + s is side s of piece p.  A walk crosses a join in assembly 1 or 2 and turns to the next side
# clockwise.  Bit c of the mask of a dart is set if the four choices c, the first one lowest, lead back to it along
# four pieces.
@njit(cache=True, nogil=True)
def closing_walks(mates):
    masks = np.zeros(mates.shape[1], np.uint16)
    for start in range(mates.shape[1]):
        if mates[0, start] < 0 or mates[0, start ^ 3 if start % 4 == 0 else start - 1] < 0:
            continue
        for a in range(2):
            first = next_side(mates[a, start])
            for b in range(2):
                second = next_side(mates[b, first]) if mates[b, first] >= 0 else -1
                if second < 0 or second // 4 == start // 4:
                    continue
                for c in range(2):
                    third = next_side(mates[c, second]) if mates[c, second] >= 0 else -1
                    if third < 0 or third // 4 == first // 4:
                        continue
                    for d in range(2):
                        if mates[d, third] >= 0 and next_side(mates[d, third]) == start:
                            masks[start] |= np.uint16(1 << (a + 2 * b + 4 * c + 8 * d))
    return masks


@njit(cache=True, nogil=True)
def next_side(half_side):
    return half_side + 1 if half_side % 4 < 3 else half_side - 3


# Choices are equal if every walk that closes makes them equal (union-find over connectors, until nothing changes).
# What is left is tried with the largest class in assembly 1, then in 2: a choice that only one value permits is made.
# The result, shape (2, connectors), says which connectors then have the choice of that class.
@njit(cache=True, nogil=True)
def forced_connectors(mates, masks, connector, number):
    root, value = np.arange(number), np.full(number, -1)
    mixed = np.flatnonzero(masks & ~np.uint16(1 << 15 | 1))
    for start in range(len(masks)):
        if masks[start] and masks[start] & ~np.uint16(1 << 15 | 1) == 0:
            root[_root(root, connector[start])] = _root(root, connector[start - 1 if start % 4 else start + 3])
    while True:
        changed = False
        for start in mixed:
            one, other = _root(root, connector[start]), _root(root, connector[start - 1 if start % 4 else start + 3])
            if one != other and _choices(mates, masks, connector, root, value, start) & 0b0110 == 0:
                root[one] = other
                changed = True
        if not changed:
            break
    sizes = np.zeros(number, np.int64)
    for c in range(number):
        sizes[_root(root, c)] += 1
    forced = np.zeros((2, number), np.bool_)
    for assembly in range(2):
        value[:] = -1
        value[np.argmax(sizes)] = assembly
        changed = True
        while changed:
            changed = False
            for start in mixed:
                here = _root(root, connector[start])
                if value[here] < 0:
                    seen = _choices(mates, masks, connector, root, value, start)
                    if seen & 0b1010 == 0 or seen & 0b0101 == 0:
                        value[here] = 0 if seen & 0b1010 == 0 else 1
                        changed = True
        for c in range(number):
            forced[assembly, c] = value[_root(root, c)] == assembly
    return forced


@njit(cache=True, nogil=True)
def _root(root, c):
    while root[c] != c:
        root[c] = root[root[c]]
        c = root[c]
    return c


# Bit (first choice) + 2 (last choice) is set if a walk from `start` that closes has them and contradicts nothing known.
@njit(cache=True, nogil=True)
def _choices(mates, masks, connector, root, value, start):
    seen, met = 0, np.empty(4, np.int64)
    for choices in range(16):
        possible = masks[start] >> choices & 1 == 1
        at = start
        for step in range(4):
            choice = choices >> step & 1
            met[step] = _root(root, connector[at])
            possible &= value[met[step]] in (-1, choice)
            for earlier in range(step):
                possible &= met[earlier] != met[step] or choices >> earlier & 1 == choice
            if not possible:
                break
            at = next_side(mates[choice, at])
        if possible:
            seen |= 1 << ((choices & 1) + 2 * (choices >> 3))
    return seen
