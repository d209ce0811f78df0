"""The uses of the classes of edge pieces as numbers: rows, and places in lists; see `frame_kernel`."""

from collections.abc import Iterator
from itertools import accumulate
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from frame_kernel import LIST, ROW, match_keys
from frame_walk import Arc, BoardFrame
from jigsat.csp.base.errors import EngineError

Whole = NDArray[np.int64]
Index = NDArray[np.uint32]

_MOST_IN_LISTS = 1 << 22
_MOST_ROWS = 1 << 25
_TOO_MANY = "{} are too many for its tables"


class Keys:
    """Keys of uses and of walks, as numbers: equal numbers mean equal keys.

    A key is the number of pieces, and for each colour the number of pieces that begin with it less those that end so.
    """

    def __init__(self, frame: BoardFrame) -> None:
        ends = [*frame.fixed_corners, *(arc for side in frame.sides for arc in side.fixed)]
        most = np.zeros(frame.colors, dtype=np.int64) + 4 + sum(arc is not None for arc in ends) + 4
        for arc, number in zip(frame.arcs, frame.numbers, strict=True):
            for color in arc:
                most[color] += number
        sizes = [2 * sum(frame.numbers) + 3, *(2 * int(number) + 1 for number in most[:-1])]
        if prod(sizes) >= 2**62:
            raise EngineError(_TOO_MANY.format(f"{frame.colors} frame colours"))
        weights = list(accumulate(sizes[:-1], lambda a, b: a * b, initial=1))
        # The last colour follows from the others.
        self._weights = np.array([*weights[1:], 0], dtype=np.int64)

    def left(self, color: int) -> int:
        """What leaving a colour once adds."""
        return int(self._weights[color])

    def along(self, arc: Arc) -> int:
        """What an arc adds, without its piece."""
        return self.left(arc[0]) - self.left(arc[1])


class ClassUses:
    """The uses of the classes of a frame.

    Attributes
    ----------
    listed, in_rows
        The classes whose uses are in lists, and those whose uses are rows.
    sizes, first, down
        The lists: their lengths, where they begin in `down`, and the places with one piece less; see `frame_kernel`.
    by_list
        The uses of `listed`, as numbers, in the order of the lists.
    bands
        Where the rows with 0, 1, ... pieces begin, and the number of all rows.
    place, row_at
        The number of each row as digits of a use, and the row with that number.
    used, strides
        The classes that each row uses, as bits, and what one piece of each class adds to `place`.
    key_of
        The key of each row, as an index.
    """

    def __init__(self, frame: BoardFrame, keys: Keys) -> None:
        self._numbers = np.array(frame.numbers, dtype=np.int64)
        self._adds = np.array([1 + keys.along(arc) for arc in frame.arcs], dtype=np.int64)
        self.listed = _to_list(frame)
        self.in_rows = tuple(c for c in range(len(frame.arcs)) if c not in self.listed)
        if prod(frame.numbers[c] + 1 for c in self.in_rows) > _MOST_ROWS:
            raise EngineError(_TOO_MANY.format(f"{len(frame.arcs)} classes of edge pieces"))
        self._make_rows()
        self._make_lists()

    def _make_rows(self) -> None:
        digits, keys = self.digits(self.in_rows), self._keys(self.in_rows)
        pieces = digits.sum(axis=1)
        # Rows with the same key have the same lists, which are found in the cache then.
        order = np.lexsort((keys, pieces))
        self.bands = np.searchsorted(pieces[order], np.arange(pieces.max() + 2))
        self.place = order.astype(np.uint32)
        self.row_at: Index = np.empty(len(order), dtype=np.uint32)
        self.row_at[order] = np.arange(len(order))
        self.strides = self._strides(self.in_rows).astype(np.uint64)
        self.used = np.zeros(len(order), dtype=np.uint64)
        for index in range(len(self.in_rows)):
            self.used |= (digits[order, index] > 0).astype(np.uint64) << np.uint64(index)
        self._row_keys, key_of, self._rows_with = np.unique(keys[order], return_inverse=True, return_counts=True)
        self.key_of: Index = key_of.astype(np.uint32)
        # A key says how many pieces there are.
        self._band_of_key = np.zeros(len(self._row_keys), dtype=np.int64)
        self._band_of_key[self.key_of] = pieces[order]

    def _make_lists(self) -> None:
        keys = self._keys(self.listed)
        order = np.argsort(keys, kind="stable")
        self.by_list = order
        self._list_keys, self.first, self.sizes = np.unique(keys[order], return_index=True, return_counts=True)
        place = np.empty(len(keys), dtype=np.int64)
        place[order] = np.arange(len(keys)) - np.repeat(self.first, self.sizes)
        digits, strides = self.digits(self.listed)[order], self._strides(self.listed)
        self.down = np.zeros((max(len(self.listed), 1), len(keys)), dtype=np.uint32)
        for index in range(len(self.listed)):
            used = digits[:, index] > 0
            self.down[index, used] = 1 + place[order[used] - strides[index]]
        self.first, self.sizes = self.first.astype(np.uint32), self.sizes.astype(np.uint32)

    def lists(self, wanted: list[int]) -> Index:
        """For each wanted key (one for each colour) and each key of a row, the list that makes it up, or `NONE`."""
        lists = np.empty((len(wanted), len(self._row_keys)), dtype=np.uint32)
        for color, key in enumerate(wanted):
            match_keys(self._list_keys, self._row_keys, key, lists[color])
        return lists

    def entries(self, lists: Index) -> Whole:
        """The number of entries of the blocks with these lists, for each band."""
        sizes = np.append(self.sizes.astype(np.int64) + 1, 0)
        of_key = sizes[np.minimum(lists, len(self.sizes))].sum(axis=0) * self._rows_with
        return np.bincount(self._band_of_key, of_key, len(self.bands) - 1).astype(np.int64)

    def kind(self, which: int) -> tuple[int, int]:
        """Whether a class is one of the lists or one of the rows, and its index among those."""
        if which in self.listed:
            return LIST, self.listed.index(which)
        return ROW, self.in_rows.index(which)

    def _strides(self, classes: tuple[int, ...]) -> Whole:
        return np.array([*accumulate((int(self._numbers[c]) + 1 for c in classes), lambda a, b: a * b, initial=1)])[:-1]

    def digits(self, classes: tuple[int, ...]) -> Whole:
        """All uses of some classes, shape (uses, classes)."""
        sizes = [int(self._numbers[c]) + 1 for c in classes]
        return np.arange(prod(sizes))[:, None] // self._strides(classes) % np.array(sizes, dtype=np.int64)

    def _keys(self, classes: tuple[int, ...]) -> Whole:
        return self.digits(classes) @ self._adds[list(classes)]


def _to_list(frame: BoardFrame) -> tuple[int, ...]:
    """The classes for the lists: those whose uses have few keys, so that the lists are long."""
    degree = np.zeros(frame.colors, dtype=np.int64)
    for arc, number in zip(frame.arcs, frame.numbers, strict=True):
        degree[list(arc)] += number
    rank = np.empty(frame.colors, dtype=np.int64)
    rank[np.argsort(-degree, kind="stable")] = np.arange(frame.colors)

    def late(which: int) -> tuple[int, int, int]:
        begin, end = frame.arcs[which]
        # A class that leads from a colour to itself changes only the number of pieces.
        return (0, 0, which) if begin == end else (1, int(max(rank[begin], rank[end])), which)

    return tuple(_as_many(frame, sorted(range(len(frame.arcs)), key=late)))


def _as_many(frame: BoardFrame, classes: list[int]) -> Iterator[int]:
    """The first classes, as many as make lists of a good size; about as many uses are left for the rows."""
    uses, most = 1, min(4 * isqrt(prod(number + 1 for number in frame.numbers)), _MOST_IN_LISTS)
    for which in classes:
        uses *= frame.numbers[which] + 1
        if uses > most:
            return
        yield which
