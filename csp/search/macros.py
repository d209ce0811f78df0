"""Counting by rows, each of which is two pieces: the method for boards of up to 64 free pieces with many nodes.

A search that places single pieces looks at a list of candidates for every node.  Here all ways to fill half a row are
made beforehand, and half-rows are put together; what a node costs is spread over whole batches (see `macro_kernel`).

The nodes are those of a search over single pieces along `rowscan`, at the depths at which a half-row is complete; other
depths have none.  (If the board is wider than high, it is first laid on its side.)  A half-row of fixed pieces alone
completes nothing.  Every way to fill the first row is a part; the nodes of its left half belong to part 0.
"""

import time
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..edge_matching import EdgeMatchingPuzzle
from ..engine import Options
from ..errors import EngineError
from ..orders import find_order
from ..slips import permitted_prefix
from ..symmetry import Anchor, Symmetries, find_anchors, symmetries
from . import macro_kernel
from .macro_tables import MOST_PIECES, Cells, MacroTables, build_macro_tables, check_size
from .piecework import Pause, Share

#: How many states are dealt with at a time: with more of them, more have a word in common.
_STATES, _FEWEST_STATES = 1 << 18, 1 << 15
# About a tenth of a second.
_SLICE_STATES, _SLICE_SECONDS = np.uint64(1_000_000), 0.1
# Part numbers are shuffled, so that any range of them is a fair sample.
_SHUFFLE = 20080229
# So many corners are tried, with so many first rows each.
_ANCHORS, _SAMPLE = 4, 256


class Macros:
    """Counts by rows of two halves; the protocol is that of `piecework.Piecework`.

    Raises
    ------
    EngineError
        If the method does not apply: more than 64 free pieces, a board with one row or column, orbits that are not all
        of one size, or tables that would be too large.
    """

    method = "macros"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse(puzzle, options)
        puzzle = puzzle.upright()
        self.found = symmetries(puzzle)
        _, order = find_order(puzzle, "rowscan")
        anchors = find_anchors(puzzle, self.found, order)[:_ANCHORS] if options.symmetry else ()
        self._rows, self._turns = puzzle.rows, self.found.board if anchors else 1
        trees = [_cells(puzzle, self.found, anchor) for anchor in anchors or (None,)]
        for cells in trees:
            check_size(cells)
        self._tables, chosen = self._smallest_tree(trees)
        self.options: Mapping[str, object] = {
            "symmetry": options.symmetry,
            "anchor": anchors[chosen].piece_type.pieces[0] + 1 if anchors else None,
        }
        if permitted_prefix(puzzle, order[: len(puzzle.fixed)], ())[0] < len(puzzle.fixed):
            self._tables = []
        self._choice, self._pieces, self._words = _first_rows(self._tables)
        self._first_halves = sum(tables.first_halves for tables in self._tables)
        self._squares, self._depths = len(puzzle.board), _depths(puzzle)
        self._spare: list[_Buffers] = []
        self.work = self._predicted(options)

    def _smallest_tree(self, trees: list[list[Cells]]) -> tuple[list[MacroTables], int]:
        """The tables with the fewest boards of two rows, as far as a sample tells, and their number."""
        best: list[MacroTables] = []
        least, chosen = float("inf"), 0
        for number, cells in enumerate(trees):
            tables = [build_macro_tables(each) for each in cells]
            size = _boards(tables, self._rows, 2, _SAMPLE) if len(trees) > 1 else 0
            if size < least:
                best, least, chosen = tables, size, number
        return best, chosen

    def boards(self, rows: int) -> int:
        """How many boards there are with so many rows filled, at least two, under all first rows."""
        return _boards(self._tables, self._rows, rows, None)

    def _predicted(self, options: Options) -> NDArray[np.float64]:
        """The work of the parts, all alike: what `options.predicted` tells of the depths that count here, or ones."""
        parts = max(1, len(self._pieces))
        if options.predicted is None:
            return np.ones(parts)
        depths = [depth for depth in self._depths if depth is not None]
        return np.full(parts, float(np.exp(np.array(options.predicted)[depths]).sum()) / parts)

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `piecework.Piecework`."""
        halves = [0] * (2 * self._rows)
        at, size = first, 1
        buffers = self._spare.pop() if self._spare else _Buffers(self._rows, self._tables)
        while at < last:
            size = min(size, last - at, buffers.states)
            started = time.perf_counter()
            found = self._count_together(at, at + size, buffers, pause)
            if found is None:
                break
            halves = [sum(pair) for pair in zip(halves, found, strict=True)]
            at += size
            # Parts are dropped together, so they should not take long together.
            seconds = max(time.perf_counter() - started, 1e-6)
            size = max(1, int(size * min(max(_SLICE_SECONDS / seconds, 0.25), 4)))
            if pause() is not Pause.NO:
                break
        self._spare.append(buffers)
        return self._share(first, at, halves)

    def _count_together(
        self, first: int, last: int, buffers: "_Buffers", pause: Callable[[], Pause]
    ) -> list[int] | None:
        """The nodes of some parts by half-row, or None if they were dropped."""
        total = np.zeros(2 * self._rows, dtype=np.uint64)
        total[0] = self._first_halves if first == 0 else 0
        total[1] = min(last, len(self._pieces)) - min(first, len(self._pieces))
        buffers.nodes[:] = 0
        for choice, tables in enumerate(self._tables):
            chosen = first + np.flatnonzero(self._choice[first:last] == choice)
            if len(chosen):
                buffers.begin(self._pieces[chosen], self._words[chosen])
                while not buffers.advance(tables, self._rows):
                    if pause() is Pause.NOW:
                        return None
        total += buffers.nodes
        return total.tolist()

    def _share(self, first: int, last: int, halves: list[int]) -> Share:
        nodes = [0] * self._squares
        for depth, number in zip(self._depths, halves, strict=True):
            if depth is not None:
                nodes[depth] += number
        return Share(first, last, tuple(nodes), halves[-1] * self.found.symmetric * self._turns, None)


class _Buffers:
    """What the kernel writes into, for one thread."""

    def __init__(self, rows: int, all_tables: list[MacroTables]) -> None:
        chunks = max([1, *(int(np.diff(tables.left.chunks.astype(np.int64)).max()) for tables in all_tables)])
        words = max([0, *(max(tables.words[:2]) for tables in all_tables)])
        self.states = max(_STATES // chunks, _FEWEST_STATES)
        records = macro_kernel.RECORD * (self.states * chunks + 1)
        self._fresh = np.zeros(2 * self.states, dtype=np.uint64)
        self._scratch = (
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

    def begin(self, pieces: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
        """Set out from some ways to fill the first row."""
        self._cursor[:] = 0
        self._fresh[0 : 2 * len(pieces) : 2], self._fresh[1 : 2 * len(pieces) : 2] = pieces, words
        self._cursor[macro_kernel.ROW], self._cursor[macro_kernel.FRESH] = 1, len(pieces)

    def advance(self, tables: MacroTables, rows: int) -> bool:
        """Go on up to a row; whether all is done.  The nodes are added to `nodes`."""
        shape = np.array([rows, *tables.words], dtype=np.uint64)
        return macro_kernel.fill_rows(
            tables.bases, tables.cut_ends, *tables.left, *tables.right, shape,
            self._fresh, *self._scratch, self.nodes, self._cursor, _SLICE_STATES,
        )  # fmt: skip


def refuse(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Say so where the method does not apply, but for the size of its tables; raises EngineError."""
    free = len(puzzle.pieces) - len(puzzle.fixed)
    if options.order is not None:
        raise EngineError(f"macros: order {options.order!r}: rows are filled from the bottom up; backtrack has orders")
    if options.slips is not None:
        raise EngineError(f"macros: slips {options.slips!r}: no slips are allowed; backtrack allows them")
    if min(puzzle.rows, puzzle.columns) < 2:
        raise EngineError(f"macros: a {puzzle.rows}x{puzzle.columns} board has no rows of two halves; it needs 2x2")
    if free > MOST_PIECES:
        raise EngineError(f"macros: {free} pieces are free; there may be {MOST_PIECES}")
    if not symmetries(puzzle).regular:
        raise EngineError("macros: count only where all orbits of solutions have one size; backtrack counts others")


def _cells(puzzle: EdgeMatchingPuzzle, found: Symmetries, anchor: Anchor | None) -> list[Cells]:
    """The squares and their candidates for each place of the anchor."""
    return [Cells(puzzle, found, anchor, choice) for choice in range(len(anchor.squares) if anchor else 1)]


def _boards(all_tables: list[MacroTables], rows: int, filled: int, sample: int | None) -> int:
    """How many boards with some rows filled there are, multiplied up if only a sample of first rows is taken."""
    choice, pieces, words = _first_rows(all_tables)
    taken = len(pieces) if sample is None else min(sample, len(pieces))
    buffers = _Buffers(rows, all_tables)
    for first in range(0, taken, buffers.states):
        last = min(taken, first + buffers.states)
        for number, tables in enumerate(all_tables):
            chosen = first + np.flatnonzero(choice[first:last] == number)
            buffers.begin(pieces[chosen], words[chosen])
            while not buffers.advance(tables, filled):
                pass
    return int(buffers.nodes[2 * filled - 1]) * len(pieces) // max(taken, 1)


def _first_rows(
    all_tables: list[MacroTables],
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]:
    """Choice, pieces and words of each part."""
    none = np.zeros(0, dtype=np.uint64)
    pieces = np.concatenate([none, *(tables.first_pieces for tables in all_tables)])
    words = np.concatenate([none, *(tables.first_words for tables in all_tables)])
    choice = np.concatenate(
        [np.zeros(0, dtype=np.int64), *(np.full(len(t.first_pieces), i) for i, t in enumerate(all_tables))]
    )
    shuffled = np.random.default_rng(_SHUFFLE).permutation(len(pieces))
    return choice[shuffled], pieces[shuffled], words[shuffled]


def _depths(puzzle: EdgeMatchingPuzzle) -> list[int | None]:
    """For each half-row the depth, counted from 0, that it completes, or None if it has no free square."""
    fixed = {f.square for f in puzzle.fixed}
    depth = len(fixed) - 1
    depths: list[int | None] = []
    middle = (puzzle.columns + 1) // 2
    for row in reversed(range(puzzle.rows)):
        for columns in (range(middle), range(middle, puzzle.columns)):
            free = sum(puzzle.board.square(row, column) not in fixed for column in columns)
            depth += free
            depths.append(depth if free else None)
    return depths
