"""Counting by rows, each of which is two pieces: the method for boards of up to 64 free pieces with many nodes.

A search that places single pieces looks at a list of candidates for every node.  Here all ways to fill half a row are
made in advance, and half-rows are combined; the cost of a node is spread over whole batches (see `macro_kernel`).

The nodes are those of a search over single pieces along `rowscan`, at the depths at which a half-row is complete; other
depths have no nodes.  Identical pieces are taken in pairs that are not exchanged; of three, the third one is different.
(If the board is wider than high, it is first laid on its side.)  A half-row of fixed pieces alone has no nodes.  Every
way to fill the first row is a part or, if those are few, every way to fill some more rows; the nodes above belong to
part 0.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import shuffled
from ...engines.request import Options
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.slips import permitted_prefix
from ...puzzles.symmetry import find_anchors, symmetries
from ..shared_tree import resized
from . import macros_kernel as macro_kernel
from .macros_tables import Cells, MacroTables, build_macro_tables
from .methods import Pause, Share, refuse_macros

#: The number of states that are processed at a time: with more of them, more have a word in common.
_STATES, _FEWEST_STATES = 1 << 18, 1 << 15
# About a tenth of a second.
_SLICE_STATES = np.uint64(1_000_000)
# The number of parts that is enough for many threads, and the largest number that can be listed.
_ENOUGH_PARTS, _MOST_PARTS = 1000, 1 << 21
# The number of corners that are tried, and of first rows for each.
_ANCHORS, _SAMPLE = 4, 256


class Macros:
    """Counts by rows of two halves.

    Part numbers are shuffled, so that any range of them is a fair sample.

    - `puzzle`: a puzzle with at most 64 free pieces, all of whose orbits are alike.
    - `options`: only `symmetry` and `predicted` are used.

    Attributes:
    - `method`, `options`, `found`, `work`: as for `Piecework`.

    Raises EngineError if the method does not apply: more than 64 free pieces, a board with one row or column, orbits
    that are not all of one size, or tables that would be too large.
    """

    method = "macros"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse_macros(puzzle, options)
        puzzle = puzzle.upright()
        self.found = symmetries(puzzle)
        _, order = find_order(puzzle, "rowscan")
        anchors = find_anchors(puzzle, self.found, order)[:_ANCHORS] if options.symmetry else ()
        self._rows = puzzle.rows
        # The squares and their candidates for each anchor, and for each of its places.
        trees = [
            [
                Cells(puzzle, self.found, anchor, choice, paired=options.symmetry)
                for choice in range(len(anchor.squares) if anchor else 1)
            ]
            for anchor in anchors or (None,)
        ]
        self._tables, chosen = self._smallest_tree(trees)
        exchanges = trees[chosen][0].uses.exchanges
        self._weight = self.found.symmetric * exchanges * (self.found.board if anchors else 1)
        self.options: Mapping[str, object] = {
            "symmetry": options.symmetry,
            "anchor": anchors[chosen].piece_type.pieces[0] + 1 if anchors else None,
        }
        if permitted_prefix(puzzle, order[: len(puzzle.fixed)], ())[0] < len(puzzle.fixed):
            self._tables = []
        self._cut()
        self._squares, self._depths = len(puzzle.board), _depths(puzzle)
        self._spare: list[Buffers] = []
        self.work = self._predicted(options)

    def _smallest_tree(self, trees: list[list[Cells]]) -> tuple[list[MacroTables], int]:
        """The tables with the fewest boards of two rows, estimated from a sample, and their number."""
        best: list[MacroTables] = []
        least, chosen = float("inf"), 0
        for number, cells in enumerate(trees):
            try:
                tables = build_macro_tables(cells, sum(each.bytes for each in best))
            except EngineError:
                if not best:
                    raise
                continue  # there is no room for it in addition to another one
            size = number_of_boards(tables, self._rows, 2, _first_rows(tables)) if len(trees) > 1 else 0
            if size < least:
                best, least, chosen = tables, size, number
        return best, chosen

    def _cut(self) -> None:
        """Find the boards to start from: filled up to the first row where there are enough of them."""
        self._filled, self._boards = 1, _first_rows(self._tables)
        self._above = np.zeros(2 * self._rows, dtype=np.uint64)
        self._above[0] = sum(tables.first_halves for tables in self._tables)
        while len(self._boards.pieces) < _ENOUGH_PARTS and self._filled < self._rows - 1:
            buffers = Buffers(self._rows, self._tables)
            further = _with_another_row(self._tables, self._filled, self._boards, buffers)
            if further is None:
                break
            self._above[2 * self._filled - 1] = len(self._boards.pieces)
            self._above[2 * self._filled] = buffers.nodes[2 * self._filled]
            self._filled, self._boards = self._filled + 1, further
        self._boards = self._boards.taken(shuffled(len(self._boards.pieces)))

    def _predicted(self, options: Options) -> NDArray[np.float64]:
        """The work of the parts, equal for all: from `options.predicted` at the depths that count here, or 1."""
        parts = max(1, len(self._boards.pieces))
        if options.predicted is None:
            return np.ones(parts)
        depths = [depth for depth in self._depths if depth is not None]
        return np.full(parts, float(np.exp(np.array(options.predicted)[depths]).sum()) / parts)

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        halves = [0] * (2 * self._rows)
        at, size = first, 1
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = Buffers(self._rows, self._tables)
        while at < last:
            size = min(size, last - at, buffers.states)
            started = time.perf_counter()
            found = self._count_together(at, at + size, buffers, pause)
            if found is None:
                break
            halves = [sum(pair) for pair in zip(halves, found, strict=True)]
            at += size
            # Parts are dropped together, so they should not take long together.
            size = max(1, int(resized(size, started)))
            if pause() is not Pause.NO:
                break
        self._spare.append(buffers)
        nodes = [0] * self._squares
        for depth, number in zip(self._depths, halves, strict=True):
            if depth is not None:
                nodes[depth] += number
        return Share(first, at, tuple(nodes), halves[-1] * self._weight, None)

    def _count_together(
        self, first: int, last: int, buffers: "Buffers", pause: Callable[[], Pause]
    ) -> list[int] | None:
        """The nodes of some parts by half-row, or None if they were dropped."""
        boards = self._boards.taken(slice(first, last))
        total = self._above.copy() if first == 0 else np.zeros_like(self._above)
        total[2 * self._filled - 1] = len(boards.pieces)
        buffers.nodes[:] = 0
        for choice, tables in enumerate(self._tables):
            chosen = boards.taken(boards.choice == choice)
            if len(chosen.pieces):
                buffers.begin(self._filled, chosen)
                while not buffers.advance(tables, self._rows):
                    if pause() is Pause.NOW:
                        return None
        total += buffers.nodes
        return total.tolist()


class Boards(NamedTuple):
    """Boards with some rows filled: the choice of the anchor's position, their pieces (see `Uses`), their words."""

    choice: NDArray[np.int64]
    pieces: NDArray[np.uint64]
    words: NDArray[np.uint64]

    @classmethod
    def of(cls, pieces: NDArray[np.uint64], words: NDArray[np.uint64]) -> "Boards":
        """Boards without a choice."""
        return cls(np.zeros(len(pieces), dtype=np.int64), pieces, words)

    def taken(self, which: slice | NDArray[np.int64] | NDArray[np.bool_]) -> "Boards":
        """Some of them."""
        return Boards(self.choice[which], self.pieces[which], self.words[which])


class Buffers:
    """The output arrays of the kernel, for one thread."""

    def __init__(self, rows: int, all_tables: list[MacroTables]) -> None:
        chunks = max([1, *(int(np.diff(tables.left.chunks.astype(np.int64)).max(initial=1)) for tables in all_tables)])
        words = max([0, *(max(tables.words[:2]) for tables in all_tables)])
        self.states = max(_STATES // chunks, _FEWEST_STATES)
        records = macro_kernel.RECORD * (self.states * chunks + 1)
        self._fresh = np.zeros(2 * self.states, dtype=np.uint64)
        self._scratch = macro_kernel.Scratch(
            np.zeros(2 * self.states, dtype=np.uint64),
            np.zeros(records, dtype=np.uint64),
            np.zeros((rows, records), dtype=np.uint64),
            np.zeros(words + 1, dtype=np.uint32),
            np.zeros(macro_kernel.CHUNK * macro_kernel.GROUPS, dtype=np.uint64),
            np.zeros(macro_kernel.HIT * (macro_kernel.TOGETHER + 1), dtype=np.uint64),
            np.zeros(2 * macro_kernel.PAIRS, dtype=np.uint64),
        )
        self.nodes = np.zeros(2 * rows, dtype=np.uint64)
        self._cursor = np.zeros(macro_kernel.AT + macro_kernel.PLACE * rows, dtype=np.uint64)

    def begin(self, filled: int, boards: Boards) -> None:
        """Start from some boards with `filled` rows filled."""
        number = len(boards.pieces)
        self._cursor[:] = 0
        self._fresh[0 : 2 * number : 2], self._fresh[1 : 2 * number : 2] = boards.pieces, boards.words
        self._cursor[[macro_kernel.ROW, macro_kernel.FIRST]] = filled
        self._cursor[macro_kernel.FRESH] = number

    def advance(self, tables: MacroTables, rows: int) -> bool:
        """Continue up to a row; return whether everything is done.  The nodes are added to `nodes`."""
        return self._go_on(tables, rows, _SLICE_STATES)

    def filled_up_to(self, tables: MacroTables, row: int) -> Iterator[NDArray[np.uint64]]:
        """The boards with `row` rows filled, some at a time, two numbers each: their pieces and words.

        They are overwritten when the next ones are asked for.
        """
        # The kernel stops as soon as it has some.
        while not self._go_on(tables, row + 1, np.uint64(1)):
            if self._cursor[macro_kernel.ROW] == row:
                yield self._fresh[: 2 * int(self._cursor[macro_kernel.FRESH])]
                self._cursor[macro_kernel.ROW], self._cursor[macro_kernel.FRESH] = row - 1, 0

    def _go_on(self, tables: MacroTables, rows: int, budget: np.uint64) -> bool:
        shape = np.array([rows, *tables.words, tables.uses.lower, tables.uses.others], dtype=np.uint64)
        return macro_kernel.fill_rows(
            tables.bases, tables.cut_ends, tables.groups, tables.left, tables.right, shape,
            self._fresh, self._scratch, self.nodes, self._cursor, budget,
        )  # fmt: skip


def number_of_boards(
    all_tables: list[MacroTables], rows: int, filled: int, first_rows: "Boards", sample: int = _SAMPLE
) -> int:
    """The number of boards with some rows filled, extrapolated if there are more first rows than `sample`."""
    total = len(first_rows.pieces)
    sampled = first_rows.taken(shuffled(total)[:sample])
    buffers = Buffers(rows, all_tables)
    for number, tables in enumerate(all_tables):
        chosen = sampled.taken(sampled.choice == number)
        for first in range(0, len(chosen.pieces), buffers.states):
            buffers.begin(1, chosen.taken(slice(first, first + buffers.states)))
            while not buffers.advance(tables, filled):
                pass
    return int(buffers.nodes[2 * filled - 1]) * total // max(1, min(sample, total))


def _with_another_row(all_tables: list[MacroTables], filled: int, boards: Boards, buffers: Buffers) -> Boards | None:
    """All boards with one row more than those with `filled` rows, or None if they are too many to be listed."""
    further = [boards.taken(slice(0))]
    room = _MOST_PARTS
    for number, tables in enumerate(all_tables):
        buffers.begin(filled, boards.taken(boards.choice == number))
        for found in buffers.filled_up_to(tables, filled + 1):
            states = found.copy()
            further.append(Boards(np.full(len(states) // 2, number), states[0::2], states[1::2]))
            room -= len(states) // 2
            if room < 0:
                return None
    return Boards(*map(np.concatenate, zip(*further, strict=True)))


def _first_rows(all_tables: list[MacroTables]) -> Boards:
    """Every way to fill the first row."""
    none = np.zeros(0, dtype=np.uint64)
    pieces = np.concatenate([none, *(tables.first_pieces for tables in all_tables)])
    words = np.concatenate([none, *(tables.first_words for tables in all_tables)])
    choice = np.concatenate(
        [np.zeros(0, dtype=np.int64), *(np.full(len(t.first_pieces), i) for i, t in enumerate(all_tables))]
    )
    return Boards(choice, pieces, words)


def _depths(puzzle: EdgeMatchingPuzzle) -> list[int | None]:
    """For each half-row the depth, counted from 0, that it completes, or None if it has no free square."""
    depth = len(puzzle.fixed) - 1
    depths: list[int | None] = []
    middle = (puzzle.columns + 1) // 2
    for row in reversed(range(puzzle.rows)):
        for columns in (range(middle), range(middle, puzzle.columns)):
            free = sum(puzzle.fixed_board[puzzle.board.square(row, column)] is None for column in columns)
            depth += free
            depths.append(depth if free else None)
    return depths
