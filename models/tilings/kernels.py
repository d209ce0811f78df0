"""Kernels for models of dissections: placements that cannot be part of a tiling, and wedges that show conflicts.

Sets of placements are rows of bits: bit p % 64 of word p // 64.
"""

import numpy as np

from ...csp.base.compiled import kernel

_1, _6, _63 = np.uint64(1), np.uint64(6), np.uint64(63)


@kernel
def _has(row, member):
    return row[member >> _6] >> (member & _63) & _1 != 0


# `items` has for each item, of which every tiling has at least one, its placements; `beside` for each placement those
# that may lie beside it.  Invariant: every tiling is made of placements of `left`.
@kernel
def leave_out(first, last, items, beside, left):
    """Take those of the placements from first to last that leave an item nothing out of `left`; whether any do."""
    removed = False
    for p in range(first, last):
        at = np.uint64(p)
        if not _has(left, at):
            continue
        for i in range(len(items)):
            if _has(items[i], at):
                continue
            rest = False
            for word in range(len(left)):
                if items[i, word] & beside[p, word] & left[word]:
                    rest = True
                    break
            if not rest:
                left[at >> _6] &= ~(_1 << (at & _63))
                removed = True
                break
    return removed


@kernel
def _ones(word):
    """The number of ones in a word, by adding up neighbours (Warren 2003)."""
    word -= word >> _1 & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (word >> np.uint64(2) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return word * np.uint64(0x0101010101010101) >> np.uint64(56)


@kernel
def pairs_within(members, row, pairs):
    """How many of the pairs are pairs of these members, which `row` has as bits; each is counted from both sides."""
    number = np.uint64(0)
    for member in members:
        for word in range(len(row)):
            number += _ones(row[word] & pairs[member, word])
    return number


@kernel
def remove_pairs(members, row, pairs):
    """Take the pairs of these members out of the pairs."""
    for member in members:
        for word in range(len(row)):
            pairs[member, word] &= ~row[word]
