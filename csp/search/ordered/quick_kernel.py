"""A quick kernel for any order, which continues a search of a plain kernel as far as it can."""

import numpy as np

from ...base.bit_words import lowest, ones
from ...base.compiled import lean_kernel
from .kernels import BUDGET, DEPTH, FLOOR, POSITION

#: The number of lists in which a type is kept up to date, and the number of words of a depth.
SLOTS, FRAME = 4, 16
#: The words of a frame; there are four of `PULLS`.
KNOWN, TAKE, REST, CARD, AT, NODES, BASE, PULLS, CLASS, TURN = (np.uint64(i) for i in (*range(8), 11, 12))
#: Bits of a frame's word `TAKE`, and the position in it of the distance to a candidate's own bits, a number of 23 bits.
FILTERED, LONG, GENERAL, OWN = np.uint64(1 << 6), np.uint64(1 << 7), np.uint64(1 << 31), np.uint64(8)
OWN_BITS = 23
#: What `layout` has.
WIDTH, FILTER_SIZE, FOURTH, BOTTOM, AHEAD, KEYS, CARDS = range(7)

_0, _1, _2, _3, _4, _16, _32, _48, _63 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 16, 32, 48, 63))
_LOW, _LOW_HALF, _SLOTS, _FRAME = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF), np.uint64(SLOTS), np.uint64(FRAME)
_RARE, _OWN_MASK = FILTERED | LONG | GENERAL, np.uint64((1 << OWN_BITS) - 1)
# One in each lane of sixteen bits, and the highest bit of each.
_ONES, _TOPS = np.uint64(0x0001000100010001), np.uint64(0x8000800080008000)


@lean_kernel
def search_quickly(lists, quick, turns, plain, available, shown, state, nodes, cursor, rows, deep):
    """Continue like a plain kernel, but stop anywhere before the budget is spent or a rare case occurs.

    The *key* of a depth is a number: in its low sixteen bits the index of a list, which is made of up to two colours,
    and above these a third and a fourth colour plus one, 0 for any.

    - ``lists[2 * i:]`` has for list i, after sixteen unused bits, a bit for each candidate whose type is
      available, in the order of the list; and where its cards begin.  Lists that are *long* have no bits but a number
      of candidates in `sizes`.
    - A *card* is a candidate turned back: its type from bit 48 on, below that the colours that it shows.
    - ``flips[4 * t:]`` are the candidates of type t: list and bit.  XOR takes them out of `lists` and puts them back.
    - ``filters[color * size + i]`` are the candidates of list i that match a third colour, then those for a fourth.
    - `words` has frames, cards, own bits, and the lists that each type is in, four per word.  Frame d + 1 is that of
      depth d.

      - ``KNOWN`` is the next depth's key without the part of the candidate at this depth: its card shifted to the right
        and masked, according to ``TAKE`` (shift; `FILTERED`, `LONG`: what the next list is; mask, from bit 32 on).
      - At a distance behind a card that ``TAKE`` gives, there is a word with the rest of two keys, and the bits of the
        same type in the list with that key; with `GENERAL` there is no such word, and lists are compared.
      - ``REST`` has the bits of those candidates in the list that follow, ``CARD`` and ``AT`` are the card placed and
        where it and its list begin, and ``NODES`` are nodes.
      - ``BASE`` and up to four ``PULLS`` make ``KNOWN``: where a card lies, shift, mask.  ``CLASS`` and ``TURN`` are
        the indices in `turns` of the data of the depth.
    - `turns` has all cards by candidate; candidates turned back, and turned; where they stand in `words`, and which
      stands there.
    - `plain` are the lists of the plain kernel, and how it makes a key; the other arrays are those of that kernel.

    Nodes are counted when their list is entered, so in between they are ahead of the search by the bits that frames
    and `rest` have.  Between two calls they are not, and `lists` are those of the empty board.
    """
    last = np.uint64(len(nodes) - 1)
    special = min(last, deep)
    words, flips, sizes, filters, layout = quick
    bottom = max(cursor[FLOOR], layout[BOTTOM])
    # All nodes that are counted in advance at the start must fit into the budget.
    if cursor[DEPTH] >= special or cursor[DEPTH] < bottom or cursor[BUDGET] < layout[AHEAD]:
        return
    _enter(lists, quick, turns, plain, available, shown, state, cursor, bottom)
    leaves = deep > last and len(rows) == 0
    _run(lists, words, flips, sizes, filters, layout, available, cursor, bottom, special, leaves)
    _leave(lists, quick, turns, plain, available, shown, state, nodes, cursor, bottom)


@lean_kernel
def _run(lists, words, flips, sizes, filters, layout, available, cursor, bottom, special, leaves):
    """The search itself.  Frame f is that of the current depth; its current candidate is still in `rest`."""
    f, left = _FRAME * (cursor[DEPTH] + _1), cursor[BUDGET]
    floor, special = _FRAME * (bottom + _1), _FRAME * special
    rest, start = words[f + REST], words[f + AT] >> _32
    known, take = words[f + KNOWN], words[f + TAKE]
    i = start
    while True:
        if rest == _0:
            if f == floor:
                break
            f -= _FRAME
            p = words[f + CARD] >> _48
            if available[p] == 0:
                _flip(lists, flips, p)
            available[p] += np.uint8(1)
            rest, start = words[f + REST], words[f + AT] >> _32
            known, take = words[f + KNOWN], words[f + TAKE]
            continue
        i = start + lowest(rest)
        card = words[i]
        key = known + ((card >> (take & _63)) & (take >> _32))
        p = card >> _48
        some = free = np.uint64(lists[_2 * (key & _LOW)]) >> _16
        if take & _RARE == _0:
            mine = words[i + ((take >> OWN) & _OWN_MASK)]
            if mine & _LOW == known & _LOW:
                free &= ~(mine >> _16)
            if (mine >> _32) & _LOW == known & _LOW:
                free &= ~(mine >> _48)
        else:
            if take & FILTERED != _0:
                some = free = free & _filtered(filters, layout, key)
            if take & LONG != _0:
                available[p] -= np.uint8(1)
                first = np.uint64(lists[_2 * (key & _LOW) + _1])
                some = free = _long(words, first, np.uint64(sizes[key & _LOW]), available)
                available[p] += np.uint8(1)
            else:
                lanes = words[layout[KEYS] + p] ^ (key & _LOW) * _ONES
                if (lanes - _ONES) & ~lanes & _TOPS != _0 and available[p] == 1:
                    free &= _others(flips, p, key)
        if free == _0:
            rest &= rest - _1
            # If the next list does not depend on the candidate, it is empty for the others, too.
            if some == _0 and take == GENERAL:
                rest = _0
            continue
        number = ones(free)
        if left < number or f >= special:
            if left < number or not leaves:
                break
            left -= number
            words[f + _FRAME + NODES] += number
            rest &= rest - _1
            continue
        left -= number
        available[p] -= np.uint8(1)
        if available[p] == 0:
            _flip(lists, flips, p)
        words[f + REST] = rest & (rest - _1)
        words[f + CARD] = card
        words[f + AT] = i | start << _32
        f += _FRAME
        words[f + NODES] += number
        rest, start = free, np.uint64(lists[_2 * (key & _LOW) + _1])
        known, take = _known(words, f), words[f + TAKE]
        words[f + KNOWN] = known
    words[f + REST] = rest
    words[f + AT] = i | start << _32
    cursor[DEPTH], cursor[BUDGET] = f // _FRAME - _1, left


@lean_kernel
def _known(words, f):
    """The part of the next depth's key that does not depend on the current depth."""
    known = words[f + BASE] + _pulled(words, words[f + PULLS]) + _pulled(words, words[f + PULLS + _1])
    if words[f + PULLS + _2] != _0:
        known += _pulled(words, words[f + PULLS + _2]) + _pulled(words, words[f + PULLS + _3])
    return known


@lean_kernel
def _pulled(words, pull):
    """A colour of a card further back, at its position in a key."""
    return (words[pull & _LOW] >> ((pull >> _16) & _63)) & (pull >> _32)


@lean_kernel
def _long(words, start, size, available):
    """The free candidates of a list that is not kept up to date."""
    free = _0
    for j in range(size):
        free |= np.uint64(available[words[start + j] >> _48] != 0) << j
    return free


@lean_kernel
def _filtered(filters, layout, key):
    """The candidates of a list that match a third and a fourth colour."""
    i, colors, width = key & _LOW, key >> _16, layout[WIDTH]
    third, fourth = colors & ((_1 << width) - _1), colors >> width
    return filters[third * layout[FILTER_SIZE] + i] & filters[(fourth + layout[FOURTH]) * layout[FILTER_SIZE] + i]


@lean_kernel
def _others(flips, piece_type, key):
    """All bits but those of a type's candidates in a list."""
    others = ~_0
    for slot in range(_SLOTS):
        flip = np.uint64(flips[_SLOTS * piece_type + slot])
        if flip & _LOW == key & _LOW:
            others &= ~(flip >> _16)
    return others


@lean_kernel
def _flip(lists, flips, piece_type):
    """Take the candidates of a type out of their lists, or put them back."""
    for slot in range(_SLOTS):
        flip = flips[_SLOTS * piece_type + slot]
        lists[_2 * (np.uint64(flip) & _LOW)] ^= flip


@lean_kernel
def _enter(lists, quick, turns, plain, available, shown, state, cursor, bottom):
    """Place the pieces on the board again, and count nodes in advance."""
    words, flips, sizes, filters, layout = quick
    card_of, back, spots = turns[0], turns[1], turns[3]
    entries, sides = plain[0], plain[1]
    end = cursor[DEPTH]
    for d in range(end):
        available[card_of[np.uint64(entries[np.uint64(state[_4 * d + _3])])] >> _48] += np.uint8(1)
    card = _0
    words[KNOWN] = words[BASE]
    for d in range(end + _1):
        f = _FRAME * (d + _1)
        i = np.uint64(state[_4 * d + _3]) if d < end else cursor[POSITION]
        rest, start, at = _0, _0, _0
        if d >= bottom:
            take = words[f - _FRAME + TAKE]
            key = words[f - _FRAME + KNOWN] + ((card >> (take & _63)) & (take >> _32))
            start, rest = np.uint64(lists[_2 * (key & _LOW) + _1]), np.uint64(lists[_2 * (key & _LOW)]) >> _16
            if take & LONG != _0:
                rest = _long(words, start, np.uint64(sizes[key & _LOW]), available)
            if take & FILTERED != _0:
                rest &= _filtered(filters, layout, key)
            end_of_list = start + np.uint64(sizes[key & _LOW])
            at = end_of_list
            while entries[i] >= 0:
                at = np.uint64(spots[words[f + CLASS] + np.uint64(back[words[f + TURN] + np.uint64(entries[i])])])
                if start <= at < end_of_list:
                    break
                at = end_of_list
                i += _1
            # The earlier candidates have been searched, and the placed one is being searched.
            behind = ~_0 if at == end_of_list else (_1 << (at - start)) - _1
            if d < end:
                behind |= _1 << (at - start)
            rest &= ~behind
        if d < end:
            shown[d] = sides[i]
            card = card_of[np.uint64(back[words[f + TURN] + np.uint64(entries[i])])]
            p = card >> _48
            available[p] -= np.uint8(1)
            if available[p] == 0:
                _flip(lists, flips, p)
        words[f + REST], words[f + CARD], words[f + AT] = rest, card, at | start << _32
        words[f + KNOWN] = _known(words, f)
        words[f + NODES] += ones(rest)
        cursor[BUDGET] -= ones(rest)


@lean_kernel
def _leave(lists, quick, turns, plain, available, shown, state, nodes, cursor, bottom):
    """Undo `_enter` at the current state of the search."""
    words, flips, layout = quick[0], quick[1], quick[4]
    forth, who = turns[2], turns[4]
    entries, sides, index, base, neighbour, shift, stride = plain
    end = cursor[DEPTH]
    for d in range(np.uint64(len(nodes))):
        f = _FRAME * (d + _1)
        nodes[d] += words[f + NODES]
        words[f + NODES] = _0
    for d in range(bottom, end + _1):
        f = _FRAME * (d + _1)
        rest = words[f + REST]
        nodes[d] -= ones(rest)
        cursor[BUDGET] += ones(rest)
        key = base[d]
        for j in range(_4 * d, _4 * d + _4):
            key += ((shown[neighbour[j]] >> shift[j]) & _LOW) * stride[j]
        i = np.uint64(index[key])
        if d < end or rest != _0:
            at = np.int64(who[(words[f + AT] & _LOW_HALF) - layout[CARDS]])
            candidate = forth[words[f + TURN] + np.uint64(at)]
            while entries[i] != candidate:
                i += _1
        else:
            while entries[i] >= 0:
                i += _1
        if d < end:
            state[_4 * d + _3] = i
            shown[d] = sides[i]
        else:
            cursor[POSITION] = i
    for d in range(end):
        p = words[_FRAME * (d + _1) + CARD] >> _48
        if available[p] == 0:
            _flip(lists, flips, p)
        available[p] += np.uint8(1)
    for d in range(end):
        available[words[_FRAME * (d + _1) + CARD] >> _48] -= np.uint8(1)
