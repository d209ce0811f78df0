"""Counting by a middle row: the rows below it and those above are listed, and each way to fill it joins them.

A board has some rows at the bottom, a middle row, and some rows at the top, which become the bottom ones by half a turn
of the board; so both are listed by the same search, that of the method macros.  All boards of bottom rows that show the
same colours are compared at once with each middle row that fits there, as bits.  What is then missing, pieces and
colours, is looked up among the boards of top rows.

A *round* has the boards whose bottom rows have certain corner pieces; their top rows have the others.  It takes the
memory of these boards; if they are few, one round has all of them.  A part is a round and some of the words along the
bottom rows, in a random order.  The boards of a round are listed when its first part is counted, and again in each
process that counts other parts of it; they are nodes of the first part.

A node is a half-row placed as in the method macros, on the bottom or on the top rows, or a middle row placed on the
bottom rows, at the depth of the number of pieces that lie there then.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import shuffled
from ...engines.request import Options
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.symmetry import PieceType, find_anchors, symmetries
from . import middle_kernel as kernels
from .macros import Boards, Buffers, number_of_boards
from .macros_tables import Cells, Side, Uses, build_macro_tables, first_row, in_pairs, sides_of
from .methods import Pause, Share, refuse_middle

#: The memory limit of a round, and how much all boards may be expected to take if one round is to have them.
MOST_BYTES, ONE_ROUND_BYTES = 6 << 30, 1 << 30
#: The parts of a round, and how many of them take as long as listing its boards.
_PARTS, _LISTING = 64, 32
# The number of words that are joined between two questions whether to pause.
_SLICE = 64
# The number of corners that are tried.
_ANCHORS = 4
# Boards that are put into the lists together.
_TOGETHER = 64


def middle_row(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of rows below the middle row."""
    # With the anchor below, a square board has twice as many boards above as below.
    return puzzle.rows // 2 if puzzle.rows == puzzle.columns else (puzzle.rows - 1) // 2


def bytes_of_round(below: float, above: float) -> float:
    """The memory of a round with these boards."""
    return 8 * below + (8 + (8 + 4) / kernels.IN_CELL) * above


class _ByWord(NamedTuple):
    """Boards by word: their scrambled numbers, where those of each word start, and the half-rows placed."""

    sets: NDArray[np.uint64]
    start: NDArray[np.uint32]
    nodes: NDArray[np.uint64]


class _Round(NamedTuple):
    """The boards of a round, and the half-rows that were placed on them: on bottom rows and on top rows."""

    number: int
    below: kernels.Below
    above: kernels.Above
    nodes: tuple[NDArray[np.uint64], NDArray[np.uint64]]


class Middle:
    """Counts by a middle row.

    - `puzzle`: a puzzle with at most 64 pieces, all of them used and free, and at least three rows and columns.
    - `options`: none is used.

    Attributes:
    - `method`, `options`, `found`, `work`: as for `Piecework`.

    Raises EngineError if the method does not apply, or its tables would be too large.
    """

    method = "middle"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse_middle(puzzle, options)
        puzzle = puzzle.upright()
        self.found = symmetries(puzzle)
        cells = Cells(puzzle, self.found, paired=True)
        self._tables, halves = build_macro_tables([cells]), sides_of(cells)
        self._rows, self._columns, self._below = puzzle.rows, puzzle.columns, middle_row(puzzle)
        kinds = [*in_pairs(self.found, paired=True)]
        top = Boards.of(*first_row(halves[0].rows[0], halves[1].rows[0], cells.uses))
        anchor, bottom = self._bottom(puzzle, halves, cells.uses, kinds) or (None, top)
        self._weight = self.found.symmetric * cells.uses.exchanges * (1 if anchor is None else self.found.board)
        self.options: Mapping[str, object] = {"anchor": None if anchor is None else anchor.pieces[0] + 1}
        self._rounds = self._cut(kinds, cells.uses, bottom, top)
        self._words = len(halves[0].words) * len(halves[1].words)
        every = sum(int(one) * len(kind.pieces) for one, kind in zip(cells.uses.of_kind, kinds, strict=True))
        self._shape, self._left, self._right = _middle_rows(cells, halves, self._below, every)
        of_words = np.array_split(shuffled(self._words), min(_PARTS, self._words))
        self._parts = [(number, words.astype(np.uint64)) for number in range(len(self._rounds)) for words in of_words]
        self.work = np.ones(len(self._parts))
        self.work[:: len(of_words)] += _LISTING
        self._held: _Round | None = None
        self._lock = threading.Lock()

    def _bottom(
        self, puzzle: EdgeMatchingPuzzle, halves: tuple[Side, Side], uses: Uses, kinds: list[PieceType]
    ) -> tuple[PieceType, Boards] | None:
        """A corner piece that breaks the turns of the board, if there is one, and the bottom rows that are then left.

        It lies in the bottom row; on a square board, on its left.  Of several pieces, it has the fewest boards of two
        rows.
        """
        possible: list[tuple[int, PieceType, Boards]] = []
        for anchor in find_anchors(puzzle, self.found, find_order(puzzle, "rowscan")[1])[:_ANCHORS]:
            kind = anchor.piece_type
            if kind.piece_class == "corner":
                bit = uses.of_kind[[each.pieces for each in kinds].index(kind.pieces)]
                left, right = (side.rows[0] for side in halves)
                left = left if puzzle.rows != puzzle.columns else left.taken(left.pieces & bit != 0)
                boards = Boards.of(*first_row(left, right, uses))
                boards = boards.taken(boards.pieces & bit != 0)
                possible.append((number_of_boards(self._tables, self._rows, 2, boards), kind, boards))
        return min(possible, key=lambda found: found[0])[1:] if possible else None

    def _cut(self, kinds: list[PieceType], uses: Uses, bottom: Boards, top: Boards) -> list[tuple[Boards, Boards]]:
        """The bottom rows and the top rows of each round."""
        each = zip(uses.of_kind.tolist(), kinds, strict=True)
        corners = [(one, len(kind.pieces)) for one, kind in each if kind.piece_class == "corner"]
        every = np.uint64(sum(one * number for one, number in corners))
        mask = np.uint64(sum(one * (2**number - 1) for one, number in corners))
        below, above = bottom.pieces & mask, top.pieces & mask
        # Others of the top rows do not meet any bottom row.
        top = top.taken(np.isin(above, every - below))
        sizes = (
            len(first.pieces) if rows == 1 else number_of_boards(self._tables, self._rows, rows, first)
            for first, rows in ((bottom, self._below), (top, self._rows - self._below - 1))
        )
        needed = bytes_of_round(*sizes)
        if needed <= ONE_ROUND_BYTES:
            return [(bottom, top)]
        above = top.pieces & mask
        rounds = [(bottom.taken(below == one), top.taken(above == every - one)) for one in np.unique(below)]
        if needed > MOST_BYTES * len(rounds):
            raise EngineError(_too_large(needed / len(rounds)))
        return rounds

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        nodes, count, done = np.zeros(self._rows * self._columns, dtype=np.int64), 0, first
        boards = None
        while done < last:
            number, words = self._parts[done]
            if boards is None or boards.number != number:
                boards = None
                boards = self._listed(number, pause)
            found = None if boards is None else self._join(boards, words, pause)
            if boards is None or found is None:
                break
            full, met = found
            nodes[(self._below + 1) * self._columns - 1] += met
            nodes[-1] += full
            count += full
            if done == 0 or self._parts[done - 1][0] != number:
                self._add_listed(boards, nodes)
            done += 1
            if pause() is not Pause.NO:
                break
        return Share(first, done, tuple(nodes.tolist()), count * self._weight, None)

    def _join(self, boards: _Round, words: NDArray[np.uint64], pause: Callable[[], Pause]) -> tuple[int, int] | None:
        """The full boards of a part, and the middle rows on its bottom rows; None if it was dropped."""
        full, met, scratch = 0, np.zeros(1, dtype=np.uint64), self._scratch()
        halves = self._left, self._right, self._shape
        for at in range(0, len(words), _SLICE):
            some = words[at : at + _SLICE]
            full += int(kernels.join(some, boards.below, boards.above, *halves, scratch, met))
            if pause() is Pause.NOW:
                return None
        return full, int(met[0])

    def _scratch(self) -> kernels.MiddleScratch:
        rights = int(np.diff(self._right.start[:: int(self._shape.cuts)].astype(np.int64)).max(initial=0))
        room, waiting = kernels.ROOM, kernels.MOST_WAITING
        block, rows, left, right, asked = (
            np.zeros(size, dtype=np.uint64) for size in (64, 64 * room, room, rights * room, waiting)
        )
        # Three places more, which are written without need.
        hits, cells = (np.zeros(size, dtype=np.uint32) for size in (64 * room + 3, waiting))
        return kernels.MiddleScratch(block, rows, left, right, hits, asked, cells)

    def _add_listed(self, boards: _Round, nodes: NDArray[np.int64]) -> None:
        """Add the half-rows of the boards of a round."""
        middle = (self._columns + 1) // 2
        for of_rows in boards.nodes:
            for half, number in enumerate(of_rows.tolist()):
                row, right = divmod(half, 2)
                nodes[row * self._columns + (self._columns if right else middle) - 1] += number

    def _listed(self, number: int, pause: Callable[[], Pause]) -> _Round | None:
        """The boards of a round, or None if `pause` says to end; one thread lists them, and the others wait."""
        while True:
            held = self._held
            if held is not None and held.number == number:
                return held
            if pause() is Pause.NOW:
                return None
            if self._lock.acquire(timeout=0.1):
                try:
                    if self._held is None or self._held.number != number:
                        held = self._held = None
                        self._held = self._list(number, pause)
                finally:
                    self._lock.release()

    def _list(self, number: int, pause: Callable[[], Pause]) -> _Round | None:
        bottom, top = self._rounds[number]
        below = self._by_word(bottom, self._below, pause)
        above = None if below is None else self._by_word(top, self._rows - self._below - 1, pause)
        if below is None or above is None:
            return None
        if (needed := bytes_of_round(len(below.sets), len(above.sets))) > MOST_BYTES:
            raise EngineError(_too_large(needed))
        nodes = below.nodes, above.nodes
        cells = _in_cells(above.sets, above.start, int(self._shape.right_words))
        return _Round(number, kernels.Below(below.sets, below.start), cells, nodes)

    def _by_word(self, first: Boards, rows: int, pause: Callable[[], Pause]) -> "_ByWord | None":
        """The boards with some rows, or None if `pause` says to end."""
        buffers, right_words = Buffers(rows + 1, self._tables), self._shape.right_words
        number = np.zeros(self._words, dtype=np.uint32)
        for states in self._boards(buffers, first, rows):
            kernels.count_words(states, right_words, number)
            if pause() is Pause.NOW:
                return None
        nodes = buffers.nodes[: 2 * rows].copy()
        nodes[1] = len(first.pieces)
        total = int(number.sum(dtype=np.int64))
        if 8 * total > MOST_BYTES:
            raise EngineError(_too_large(8 * total))
        start = np.zeros(self._words + 1, dtype=np.uint32)
        np.cumsum(number, out=start[1:])
        sets, free, places = np.empty(total, dtype=np.uint64), start[:-1].copy(), np.empty(_TOGETHER, dtype=np.uint32)
        for states in self._boards(buffers, first, rows):
            kernels.put(states, right_words, free, sets, places)
            if pause() is Pause.NOW:
                return None
        return _ByWord(sets, start, nodes)

    def _boards(self, buffers: Buffers, first: Boards, rows: int) -> Iterator[NDArray[np.uint64]]:
        """The boards with some rows, some of them at a time, two numbers each: their pieces and words."""
        if rows == 1:
            yield np.stack((first.pieces, first.words), axis=1).ravel()
            return
        for at in range(0, len(first.pieces), buffers.states):
            buffers.begin(1, first.taken(slice(at, at + buffers.states)))
            yield from buffers.filled_up_to(self._tables[0], rows)


def _too_large(needed: float) -> str:
    return (
        f"method middle: the boards of a round take about {needed / 2**30:.3g} GiB; the limit is {MOST_BYTES >> 30} GiB"
    )


def _in_cells(sets: NDArray[np.uint64], start: NDArray[np.uint32], right_words: int) -> kernels.Above:
    """The boards of top rows, given by word, in cells."""
    number = np.diff(start.astype(np.int64))
    cells = -(-number // kernels.IN_CELL)
    # Middle rows that fit below no top row need a word of one left word more, which has no boards.
    first = np.full(len(number) + 1 + right_words, cells.sum(), dtype=np.uint32)
    first[0] = 0
    np.cumsum(cells, out=first[1 : len(cells) + 1])
    place = np.full(int(first[-1]) + 1, len(sets), dtype=np.uint32)
    above = kernels.Above(sets, first, place, np.zeros(int(first[-1]), dtype=np.uint64))
    copy = np.empty(int(number.max(initial=0)), dtype=np.uint64)
    kernels.into_cells(above, start, copy, np.empty(int(cells.max(initial=0)), dtype=np.uint32))
    return above


def _middle_rows(
    cells: Cells, halves: tuple[Side, Side], row: int, all_pieces: int
) -> tuple[kernels.Shape, kernels.LeftHalves, kernels.RightHalves]:
    """The halves of middle rows."""
    left, right = halves
    columns, middle, cuts = cells.puzzle.columns, cells.middle, left.number_of_cuts
    # The colours of the words, from left to right, as the row above must show them; turned, its other side shows them.
    of_left, of_right = cells.digits(left.words, middle), cells.digits(right.words, columns - middle)
    mate = cells.mates
    above = _numbers(right.words, cells.code(mate[of_left[:, : columns - middle]][:, ::-1]))
    extras = cells.colors + 1 if columns % 2 else 1
    turned = []
    for extra in range(extras):
        digits = mate[of_right][:, ::-1]
        if columns % 2:
            digits = np.column_stack((digits, np.full(len(digits), mate[extra])))
        turned.append(_numbers(left.words, cells.code(digits)))
    one, other = left.rows[row], right.rows[row]
    # Without a word above, a left half cannot be part of a middle row.
    kept = above[one.offers] < len(right.words)
    one = one.taken(kept)
    starts = [
        np.searchsorted(each.needs * cuts + each.cuts, np.arange(len(side.words) * cuts + 1)).astype(np.uint32)
        for side, each in ((left, one), (right, other))
    ]
    extra = of_left[one.offers, -1] if columns % 2 else np.zeros(len(one.offers), dtype=np.int64)
    uses = cells.uses
    shape = kernels.Shape(
        *map(np.uint64, (all_pieces, uses.lower, uses.others, all_pieces.bit_length(), len(right.words), cuts, extras))
    )
    return (
        shape,
        kernels.LeftHalves(one.pieces, starts[0], above[one.offers].astype(np.uint64), extra.astype(np.uint64)),
        kernels.RightHalves(
            other.pieces, starts[1], other.offers.astype(np.uint64), np.stack(turned, axis=1).ravel().astype(np.uint64)
        ),
    )


def _numbers(words: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each code among the words, or the number of words if it is not among them."""
    number = np.minimum(np.searchsorted(words, codes), len(words) - 1)
    return np.where(words[number] == codes, number, len(words))
