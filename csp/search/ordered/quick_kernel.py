"""A quick kernel for any order, which continues a search of a plain kernel as far as it can, and its tables.

Its lists do not depend on the rotation of a square: squares that differ only by quarter turns are of one class and have
the same lists.  Candidates and sides of a square are described after it is *turned back* by `turned_by`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import distinct
from ...base.bit_words import lowest, ones
from ...base.compiled import inner_kernel, kernel, separate_kernel
from ...puzzles.board import DOWN, LEFT, RIGHT, UP, opposite
from ...puzzles.symmetry import Candidates, packed
from .kernels import BUDGET, DEPTH, FLOOR, POSITION, OrderedTables, turned_by

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


@kernel
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


@separate_kernel
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


@separate_kernel
def _known(words, f):
    """The part of the next depth's key that does not depend on the current depth."""
    known = words[f + BASE] + _pulled(words, words[f + PULLS]) + _pulled(words, words[f + PULLS + _1])
    if words[f + PULLS + _2] != _0:
        known += _pulled(words, words[f + PULLS + _2]) + _pulled(words, words[f + PULLS + _3])
    return known


@inner_kernel
def _pulled(words, pull):
    """A colour of a card further back, at its position in a key."""
    return (words[pull & _LOW] >> ((pull >> _16) & _63)) & (pull >> _32)


@inner_kernel
def _long(words, start, size, available):
    """The free candidates of a list that is not kept up to date."""
    free = _0
    for j in range(size):
        free |= np.uint64(available[words[start + j] >> _48] != 0) << j
    return free


@inner_kernel
def _filtered(filters, layout, key):
    """The candidates of a list that match a third and a fourth colour."""
    i, colors, width = key & _LOW, key >> _16, layout[WIDTH]
    third, fourth = colors & ((_1 << width) - _1), colors >> width
    return filters[third * layout[FILTER_SIZE] + i] & filters[(fourth + layout[FOURTH]) * layout[FILTER_SIZE] + i]


@separate_kernel
def _others(flips, piece_type, key):
    """All bits but those of a type's candidates in a list."""
    others = ~_0
    for slot in range(_SLOTS):
        flip = np.uint64(flips[_SLOTS * piece_type + slot])
        if flip & _LOW == key & _LOW:
            others &= ~(flip >> _16)
    return others


@separate_kernel
def _flip(lists, flips, piece_type):
    """Take the candidates of a type out of their lists, or put them back."""
    for slot in range(_SLOTS):
        flip = flips[_SLOTS * piece_type + slot]
        lists[_2 * (np.uint64(flip) & _LOW)] ^= flip


@separate_kernel
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


@inner_kernel
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


# The largest number of candidates in a list that is kept up to date, and in any other list; the largest number of
# sixteen bits.
_SHORT, _LONGEST, _MOST = 16, 64, 0xFFFF
# The most bits of a colour.
_WIDTH = 6
_Array = NDArray[Any]
_Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class _Class:
    """Squares with the same lists, turned back: borders, sides that make the key, and sides that may filter a list.

    The anchor's square is a separate class and has a depth.
    """

    borders: int
    keyed: tuple[int, ...]
    filtered: tuple[int, ...]
    anchor: int | None


@dataclass(frozen=True)
class _Depth:
    """A depth: its class, its rotation, and what is known about its sides, turned back.

    `shown` has the depth of the neighbour and the side that it shows, `fixed` the colour that a fixed piece needs.
    """

    kind: _Class
    turns: int
    shown: dict[int, tuple[int, int]]
    fixed: dict[int, int]

    @property
    def is_filtered(self) -> bool:
        return len(self.shown) + len(self.fixed) > len(self.kind.keyed)


@dataclass(frozen=True)
class _Lists:
    """The lists of a class: candidates (turned back) one list after the other, and the index of each one's list."""

    rows: _Numbers
    index: _Numbers
    begin: int
    size: int

    @property
    def places(self) -> _Numbers:
        """The number of each candidate in its list."""
        return np.arange(len(self.index)) - np.searchsorted(self.index, self.index)

    @property
    def longest(self) -> int:
        return int(np.bincount(self.index - self.begin, minlength=1).max())


@dataclass(frozen=True)
class _Classes:
    """All classes of a search."""

    #: The lists of each class.
    lists: dict[_Class, _Lists]
    #: The classes whose lists are kept up to date: for each candidate the index of its list, and its bit.
    kept: dict[_Class, _Numbers]
    #: The same by type.
    flips: list[list[int]]
    #: The classes that have longer lists than fit into a word.
    wide: frozenset[_Class]
    #: The bits of a colour.
    width: int

    @property
    def begins(self) -> dict[_Class, int]:
        """Where the cards of each class begin."""
        ends = accumulate(len(part.rows) for part in self.lists.values())
        return {kind: end - len(self.lists[kind].rows) for kind, end in zip(self.lists, ends, strict=True)}

    @property
    def cards(self) -> int:
        """How many cards all classes have."""
        return sum(len(part.rows) for part in self.lists.values())

    @property
    def end(self) -> int:
        """The number of lists."""
        return max(part.begin + part.size for part in self.lists.values())


def quick_tables(
    candidates: Candidates, tables: OrderedTables
) -> tuple[_Array, tuple[_Array, ...], tuple[_Array, ...]] | None:
    """`lists`, `quick` and `turns` of `search_quickly`; None if it cannot search.

    It needs at most 63 colours, lists that fit into a word below some depth, lists of at most 16 candidates wherever
    more than two colours are known, and sizes within its limits.
    """
    if not candidates.is_classic:
        return None
    mate = dict(zip(candidates.sides.ravel().tolist(), candidates.mates.ravel().tolist(), strict=True))
    depths = [_depth(tables, d, mate) for d in range(len(tables.squares))]
    width = candidates.colors.bit_length()
    no_piece_fits = any(color < 0 for depth in depths for color in depth.fixed.values())
    if width > _WIDTH or FRAME * (len(depths) + 1) > _MOST or no_piece_fits:
        return None
    classes = _classes(candidates, tables, depths, width)
    bottom = max((d + 1 for d, depth in enumerate(depths) if depth.kind in classes.wide), default=0)
    if max(classes.end, classes.cards) > _MOST or bottom == len(depths):
        return None
    if any(depth.is_filtered and depth.kind not in classes.kept for depth in depths):
        return None

    own = _Own(candidates, classes)
    frames = _frames(candidates, depths, classes, own, bottom).ravel()
    filters, filter_size = _filters(candidates, classes)
    free, sizes = _free(classes, len(frames))
    who = np.concatenate([part.rows for part in classes.lists.values()])
    cards = _cards(candidates, width)
    flips = np.array([flip + [0] * (SLOTS - len(flip)) for flip in classes.flips], dtype=np.uint32)
    keys = packed(flips & 0xFFFF)
    words = frames, cards[who], own.table(), keys
    # The largest number of nodes counted in advance.
    ahead = sum(min(classes.lists[depth.kind].longest, _LONGEST) for depth in depths)
    keys_begin = sum(map(len, words[:-1]))
    layout = width, filter_size, candidates.colors + 1, bottom, ahead, keys_begin, len(frames)
    quick = np.concatenate(words), flips.ravel(), sizes, filters, np.array(layout, dtype=np.uint64)
    spots = _spots(candidates, classes) + np.uint32(len(frames))
    return free, quick, (cards, *_turned(candidates), spots, who)


def _classes(c: Candidates, tables: OrderedTables, depths: list[_Depth], width: int) -> _Classes:
    uses = Counter(depth.kind for depth in depths)
    # Classes with filters first, so that these are short.
    kinds = sorted(uses, key=lambda kind: (not kind.filtered, -uses[kind]))
    lists = _lists(c, tables, kinds, width)
    flips, kept = _flips(c, lists, sorted(uses, key=lambda kind: -uses[kind]))
    return _Classes(lists, kept, flips, frozenset(kind for kind in kinds if lists[kind].longest > _LONGEST), width)


def _free(classes: _Classes, begin: int) -> tuple[_Array, _Array]:
    """For each list: its free candidates, and where its cards begin, one after the other; and its length."""
    free, sizes = np.zeros((classes.end, 2), dtype=np.uint32), np.zeros(classes.end, dtype=np.uint8)
    for kind, part in classes.lists.items():
        if kind not in classes.wide:
            free[part.index, 1] = begin + classes.begins[kind] + np.searchsorted(part.index, part.index)
            np.add.at(sizes, part.index, 1)
        if kind in classes.kept:
            np.bitwise_or.at(free[:, 0], part.index, (1 << 16 + part.places).astype(np.uint32))
    return free.ravel(), sizes


def _depth(tables: OrderedTables, d: int, mate: dict[int, int]) -> _Depth:
    asked = tables.asked[d]
    references = tables.reference[d][: int(tables.known[d])].tolist()
    shows = {opposite(reference % 4): divmod(reference, 4) for reference in references}
    # As keys do, it has the colour that is shown to the square, or -1 if no piece fits there.
    asks = {side: mate.get(color, -1) for side, color, _ in asked.facing_fixed}
    turns = 0 if asked.is_anchor_square else turned_by(asked.borders, (*shows, *asks))
    shown = {(side - turns) % 4: reference for side, reference in shows.items()}
    fixed = {(side - turns) % 4: color for side, color in asks.items()}
    borders = sum(1 << (side - turns) % 4 for side in range(4) if asked.borders >> side & 1)
    known = [side for side in (DOWN, LEFT, UP, RIGHT) if side in shown or side in fixed]
    others = tuple(side for side in (DOWN, LEFT, UP, RIGHT) if side not in known[:2] and not borders >> side & 1)
    filtered = others if len(known) > 2 or known == [DOWN, LEFT] else ()
    return _Depth(
        _Class(borders, tuple(known[:2]), filtered, d if asked.is_anchor_square else None), turns, shown, fixed
    )


def _lists(c: Candidates, tables: OrderedTables, kinds: list[_Class], width: int) -> dict[_Class, _Lists]:
    """The lists of each class, in whose order they have indices; index 0 is that of no list."""
    members = _members(tables)
    anchor = {kind: members[kind.anchor] for kind in kinds if kind.anchor is not None}
    # The anchor lies only on its square.
    elsewhere = [rows for d, rows in enumerate(members) if not tables.asked[d].is_anchor_square]
    usual = np.isin(c.of_type, c.of_type[np.concatenate([np.zeros(0, dtype=np.int64), *elsewhere])])
    lists, begin = {}, 1
    for kind in kinds:
        rows = anchor[kind] if kind in anchor else np.flatnonzero((c.borders == kind.borders) & usual)
        index = begin + sum((c.mates[rows, side] << width * n for n, side in enumerate(kind.keyed)), 0 * rows)
        by_index = np.argsort(index, kind="stable")
        lists[kind] = _Lists(rows[by_index], index[by_index], begin, 1 << width * len(kind.keyed))
        begin += lists[kind].size
    return lists


def _members(tables: OrderedTables) -> list[_Numbers]:
    """All candidates in the lists of each depth."""
    begins = distinct(tables.base)
    ends = dict(zip(begins.tolist(), [*begins[1:].tolist(), len(tables.index)], strict=True))
    list_ends = np.flatnonzero(tables.entries < 0)
    found = {}
    for begin, end in ends.items():
        starts = distinct(tables.index[begin:end])
        stops = list_ends[np.searchsorted(list_ends, starts)]
        found[begin] = distinct(np.concatenate([tables.entries[a:b] for a, b in zip(starts, stops, strict=True)]))
    return [found[base] for base in tables.base.tolist()]


def _flips(
    c: Candidates, lists: dict[_Class, _Lists], kinds: list[_Class]
) -> tuple[list[list[int]], dict[_Class, _Numbers]]:
    """The lists that are kept up to date, as far as there is room: those of the first classes if possible.

    Returns the candidates of each type there, as index and bit, and those of each such class.
    """
    flips: list[list[int]] = [[] for _ in c.kinds]
    kept = {}
    for kind in kinds:
        part = lists[kind]
        room = SLOTS - np.array([len(flip) for flip in flips])
        types = c.of_type[part.rows]
        if part.longest <= _SHORT and (np.bincount(types, minlength=len(c.kinds)) <= room).all():
            kept[kind] = part.index | 1 << 16 + part.places
            for t, flip in zip(types.tolist(), kept[kind].tolist(), strict=True):
                flips[t].append(flip)
    return flips, kept


def _filters(c: Candidates, classes: _Classes) -> tuple[_Array, int]:
    """The candidates of each list that match a third colour, and a fourth one; and how many lists have such filters."""
    filtered = [kind for kind in classes.lists if kind.filtered]
    size = max((classes.lists[kind].begin + classes.lists[kind].size for kind in filtered), default=1)
    filters = np.zeros((2, c.colors + 1, size), dtype=np.uint16)
    filters[:, 0] = 0xFFFF
    for kind in filtered:
        part = classes.lists[kind]
        for n, side in enumerate(kind.filtered if kind in classes.kept else ()):
            np.bitwise_or.at(filters[n], (c.mates[part.rows, side] + 1, part.index), classes.kept[kind] >> 16)
    return filters.ravel(), size


def _frames(c: Candidates, depths: list[_Depth], classes: _Classes, own: "_Own", bottom: int) -> _Array:
    """The constant part of the frames; the first one is that before all depths."""
    width, number_of = classes.width, {kind: number for number, kind in enumerate(classes.lists)}
    # Candidates of earlier depths are not turned back.
    turns = [0 if d < bottom else depth.turns for d, depth in enumerate(depths)]
    frames = np.zeros((len(depths) + 1, FRAME), dtype=np.uint64)
    for d, depth in enumerate(depths):
        kind = depth.kind
        frames[d + 1, int(CLASS)] = len(c.of_type) * number_of[kind]
        frames[d + 1, int(TURN)] = len(c.of_type) * turns[d]
        places = {side: width * n for n, side in enumerate(kind.keyed)}
        places |= {side: 16 + width * n for n, side in enumerate(kind.filtered)}
        known = (*depth.shown, *depth.fixed)
        base = classes.lists[kind].begin + sum(1 << places[side] for side in known if side not in kind.keyed)
        base += sum(color << places[side] for side, color in depth.fixed.items())
        take = (0 if kind in classes.kept else int(LONG)) | (int(FILTERED) if depth.is_filtered else 0)
        pulls, way = [], None
        for side, (neighbour, shown) in depth.shown.items():
            shown = (shown - turns[neighbour]) % 4
            pull = _card_shift(width, shown) - places[side], ((1 << width) - 1) << places[side] + 32
            if neighbour < d - 1:
                pulls.append(FRAME * (neighbour + 1) + int(CARD) | pull[0] << 16 | pull[1])
                continue
            take |= pull[0] | pull[1]
            if side in kind.keyed and d > bottom:
                way = own.way(depths[d - 1].kind, shown, kind, places[side])
        take |= int(GENERAL) if way is None else way << int(OWN)
        frames[d, int(TAKE)], frames[d, int(BASE)] = take, base
        frames[d, int(PULLS) : int(PULLS) + len(pulls)] = pulls
    return frames


class _Own:
    """For each candidate, the bits that its placement clears in the next list: tables as long as the cards of a class.

    There is one for each pair of consecutive classes, and each way in which their squares touch.
    """

    def __init__(self, c: Candidates, classes: _Classes) -> None:
        self._candidates, self._classes = c, classes
        self._single = max(len(kind.pieces) for kind in c.kinds) == 1
        self._end = classes.cards
        self._tables = [np.zeros(0, dtype=np.uint64)]
        self._ways: dict[tuple[_Class, int, _Class, int], int | None] = {}

    def table(self) -> _Array:
        """All tables together, to be placed behind the cards."""
        return np.concatenate(self._tables)

    def way(self, kind: _Class, side: int, following: _Class, place: int) -> int | None:
        """The distance from a card of a class that shows its colour to the next square to its word.

        There is no such word if a list is long, a type has several pieces, or the word is too small.

        - `kind`, `side`: the class, and the side that touches the next square.
        - `following`, `place`: the class of that square, and the position of the colour in its key.
        """
        touch = kind, side, following, place
        if touch not in self._ways:
            self._ways[touch] = self._added(*touch) if self._single and following in self._classes.kept else None
        return self._ways[touch]

    def _added(self, kind: _Class, side: int, following: _Class, place: int) -> int | None:
        c, rows = self._candidates, self._classes.lists[kind].rows
        way = self._end - self._classes.begins[kind]
        words = [self._word(int(c.of_type[row]), int(c.sides[row, side]), following, place) for row in rows.tolist()]
        if way >= 1 << OWN_BITS or None in words:
            return None
        self._tables.append(np.array(words, dtype=np.uint64))
        self._end += len(words)
        return way

    def _word(self, kind: int, color: int, following: _Class, place: int) -> int | None:
        """Up to twice: the key less the colour, and the bits of the type in that list."""
        part, width, bits_of = self._classes.lists[following], self._classes.width, dict[int, int]()
        for flip in self._classes.flips[kind]:
            number = (flip & 0xFFFF) - part.begin
            if 0 <= number < part.size and number >> place & (1 << width) - 1 == color:
                rest = (flip & 0xFFFF) - (color << place)
                bits_of[rest] = bits_of.get(rest, 0) | flip >> 16
        if len(bits_of) > 2:
            return None
        return sum((rest | bits << 16) << 32 * n for n, (rest, bits) in enumerate(bits_of.items()))


def _cards(c: Candidates, width: int) -> _Array:
    """For each candidate: its colours, and from bit 48 on its type."""
    cards = c.of_type << 48
    for side in range(4):
        cards |= np.maximum(c.sides[:, side], 0) << _card_shift(width, side)
    return cards.astype(np.uint64)


def _card_shift(width: int, side: int) -> int:
    """The bit position of a side's colour; not below any position in a key, so that a right shift moves it there."""
    return 16 + width * (1 + side)


def _turned(c: Candidates) -> Iterator[_Array]:
    """The candidate that each one becomes when turned back by 0 to 3 turns, and when turned."""
    numbers = np.bincount(c.of_type, minlength=1)[c.of_type]
    first = np.searchsorted(c.of_type, c.of_type)
    for sign in (-1, 1):
        yield np.concatenate([first + (c.turns + sign * turns) % numbers for turns in range(4)])


def _spots(c: Candidates, classes: _Classes) -> _Array:
    """The card of each candidate in each class, with the cards of all classes numbered consecutively."""
    spots = np.zeros((len(classes.lists), len(c.of_type)), dtype=np.uint32)
    for number, (kind, part) in enumerate(classes.lists.items()):
        spots[number, part.rows] = classes.begins[kind] + np.arange(len(part.rows))
    return spots.ravel()
