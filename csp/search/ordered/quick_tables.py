"""The tables of the quick kernel: lists that do not depend on the rotation of a square, and the list of each depth.

Squares that differ only by quarter turns are of one class and have the same lists.  Candidates and sides of a square
are described here after the square is *turned back* by `tables.turned_by`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import DOWN, LEFT, RIGHT, UP, opposite
from ...puzzles.symmetry import Candidates, packed
from .quick_kernel import BASE, CARD, CLASS, FILTERED, FRAME, GENERAL, LONG, OWN, OWN_BITS, PULLS, SLOTS, TAKE, TURN
from .tables import OrderedTables, turned_by

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
    begins = np.unique(tables.base)
    ends = dict(zip(begins.tolist(), [*begins[1:].tolist(), len(tables.index)], strict=True))
    list_ends = np.flatnonzero(tables.entries < 0)
    found = {}
    for begin, end in ends.items():
        starts = np.unique(tables.index[begin:end])
        stops = list_ends[np.searchsorted(list_ends, starts)]
        found[begin] = np.unique(np.concatenate([tables.entries[a:b] for a, b in zip(starts, stops, strict=True)]))
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
