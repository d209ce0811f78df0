"""Counting by frames: the words that frames show to the inside, times the ways to fill the inside of each.

Of a complete frame only the colours that it shows to the inside matter, its *word*.  The board is cut into an upper and
a lower half, each the first squares of the inside, row by row, with the stretch of the frame around them. All halves of
frames are enumerated and paired.  Each different word of a half is filled once, into a table with the number of ways
for each set of types and each row of colours along the cut.  The tables of the halves of a frame are joined: the other
half has all other pieces, and matching colours.

A node is a piece placed on a half of the board, at the depth of the number of pieces on that half: the frame's pieces
come first, in the search for all halves of frames, then those of the inside, in the filling of each different word.
The last two or three squares of a half are filled together where they are in one row, and have one node.
"""

import math
import threading
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...engines.request import FramesCut, Options
from ...puzzles.board import DOWN, LEFT, RIGHT, UP, turned
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import Symmetries, color_indices, symmetries
from . import frames_kernel as kernel
from .frames_ring import (
    MOST_BYTES,
    Half,
    Numbers,
    anchor_of,
    filled_together,
    find_frames,
    halves_of,
    inside_of,
    listed,
    middle,
    why_too_big,
)
from .methods import Pause, Share, refuse_frames

_SLICE_NODES = 8_000_000
_SLICE_ENTRIES = 20_000_000
_FIRST_BITS = 12
# With more colours there are no lists of pieces by three colours.
_MOST_COLORS = 24
# The largest number of rows of colours along the cut for which a table is worth it.
_MOST_FACINGS = 1 << 12
# Bytes of an entry of a table, and of an entry of the hash table that is used to make it.
_ENTRY, _PLACE = 12, 16


class Inside:
    """The inner pieces as lists and weights, for both halves.

    - `puzzle`, `found`: the puzzle and its symmetries.
    - `colors`: the indices of the inner colours.
    - `half`: the upper half, or the lower one: only the number of colours along the cut is used.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, found: Symmetries, colors: dict[int, int], half: Half) -> None:
        self.kinds = [kind for kind in found.types if kind.piece_class == "inner"]
        self.colors = np.uint64(len(colors))
        self.mates = np.array([colors[puzzle.mate(color)] for color in colors], dtype=np.uint64)
        index = {color: colors[puzzle.mate(color)] for color in colors}
        rows = []
        for number, kind in enumerate(self.kinds):
            for turns in kind.turns:
                sides = turned(kind.sides, turns)
                key = colors[sides[LEFT]] * len(colors) + colors[sides[UP]]
                row = number | index[sides[RIGHT]] << 16 | index[sides[DOWN]] << 32
                rows.append((key, row))
                if len(colors) <= _MOST_COLORS:
                    rows.append(((key + len(colors)) * len(colors) + index[sides[RIGHT]], row))
        keys = len(colors) ** 2 * (1 + len(colors) * (len(colors) <= _MOST_COLORS))
        self.pieces, self.index = listed(rows, keys, len(self.kinds))
        # Of each piece in each orientation: what it shows on the left and above, and the number in its list.
        self.shown = np.array([(*divmod(key, len(colors)), row) for key, row in rows if key < len(colors) ** 2])
        self.cuts = np.uint64(len(colors) ** half.cut)
        weights = np.cumprod([1, *(len(kind.pieces) + 1 for kind in self.kinds)], dtype=np.uint64)
        self.weight, self.all_used = weights[:-1] * self.cuts, weights[-1] - np.uint64(1)


def _last_rows(inside: Inside, half: Half, cut: Numbers, step: np.uint64) -> kernel.LastRows:
    """The rows for the last squares, if they are filled together.

    `cut` and `step` are the weights of the colours along the cut, by square, and of the colour at its step.
    """
    together = filled_together(half, len(inside.shown), int(inside.colors))
    if together:
        return _rows_of(inside, cut[-together:], step, full=not half.stepped)
    none = np.zeros(0, dtype=np.uint64)
    return kernel.LastRows(none, none, none, np.uint64(0))


def _rows_of(inside: Inside, cut: Numbers, step: np.uint64, *, full: bool) -> kernel.LastRows:
    """All rows of pieces with the weights `cut` below; `full` rows face the frame on their right."""
    left, up, piece = inside.shown.T.astype(np.uint64)
    low = np.uint64(0xFFFF)
    kind, right, down = piece & low, piece >> np.uint64(16) & low, piece >> np.uint64(32)
    size = np.array([len(kind.pieces) for kind in inside.kinds])
    weight = inside.weight[kind.astype(np.int64)]
    chosen = np.arange(len(piece))[:, None]
    for _ in range(1, len(cut)):
        before, after = np.nonzero(right[chosen[:, -1]][:, None] == left)
        chosen = np.column_stack((chosen[before], after))
    kinds = kind[chosen].astype(np.int64)
    if len(cut) == 2:
        # The third one is always available.
        kinds = np.column_stack((kinds, np.full(len(kinds), len(size))))
    again = (kinds[:, :1] == kinds[:, 1:]).sum(axis=1), (kinds[:, 1] == kinds[:, 2]).astype(np.int64)
    there = (size[kinds[:, 0]] > again[0]) & (size[kinds[:, 1]] > again[1])
    chosen, kinds, again = chosen[there], kinds[there], np.stack(again)[:, there]
    shares = weight[chosen].sum(axis=1, dtype=np.uint64) + (down[chosen] * cut).sum(axis=1, dtype=np.uint64)
    asked = left[chosen[:, 0]]
    for column in chosen.T:
        asked = asked * inside.colors + up[column]
    if full:
        asked = asked * inside.colors + right[chosen[:, -1]]
    else:
        shares += right[chosen[:, -1]] * step
    order = np.argsort(asked, kind="stable")
    keys = int(inside.colors) ** (len(cut) + 1 + full)
    index = np.searchsorted(asked[order], np.arange(keys + 1, dtype=np.uint64)).astype(np.uint64)
    rows = kinds[:, 0] | kinds[:, 1] << 16 | kinds[:, 2] << 32 | again[0] << 48 | again[1] << 56
    return kernel.LastRows(rows[order].astype(np.uint64), shares[order], index, np.uint64(len(cut)))


class InsideTables:
    """The tables of one half of the inside, for each of its words, made in slices.

    - `inside`, `half`: the inner pieces, and which half of the inside they fill.
    - `words`: the words that frames show to the half.
    - `beside`: tables that are held at the same time: all together must not exceed the memory limit.

    Attributes:
    - `start`, `keys`, `values`: the table of word w: its keys, and the ways to fill with each, from ``start[w]`` up to
      ``start[w + 1]``.
    - `nodes`: pieces placed, by the number of squares filled.
    """

    def __init__(
        self, inside: Inside, half: Half, words: Numbers, beside: Sequence["Numbers | InsideTables"] = ()
    ) -> None:
        squares, columns = half.squares, half.columns
        self._words, self._inside, self._beside = words, inside, beside
        self.start = np.zeros(len(words) + 1, dtype=np.uint64)
        self.keys, self.values = np.empty(1 << 16, dtype=np.uint64), np.empty(1 << 16, dtype=np.uint32)
        self.nodes = np.zeros(squares, dtype=np.uint64)
        left_letter, right_letter = np.full((2, squares), kernel.NONE, dtype=np.uint64)
        # Clockwise along the frame come the left side from below, the top, the right side from above.
        for row in range(half.left):
            left_letter[row * columns] = half.left - 1 - row
        for row in range(half.right):
            right_letter[row * columns + columns - 1] = half.left + columns + row
        cut = np.zeros(squares + columns, dtype=np.uint64)
        cut[squares:] = [int(inside.colors) ** i for i in range(columns)]
        step = np.uint64(int(inside.colors) ** columns if half.stepped else 0)
        self._rows = _last_rows(inside, half, cut, step)
        self._edges = kernel.HalfEdges(left_letter, right_letter, np.uint64(half.left), cut, step)
        available = np.array([len(kind.pieces) for kind in inside.kinds] + [1], dtype=np.uint8)
        letters, need = np.zeros(half.edges, dtype=np.uint64), np.zeros(squares + columns, dtype=np.uint64)
        key, chosen = np.zeros((2, squares), dtype=np.uint64)
        self._cursor = np.zeros(6, dtype=np.uint64)
        self._cursor[kernel.DEPTH] = kernel.FRESH
        self._state = kernel.FillState(available, letters, need, key, chosen, self.nodes, self._cursor)
        self._hash = _empty_table(_FIRST_BITS)

    @property
    def nbytes(self) -> int:
        """The memory of the tables."""
        return self.start.nbytes + self.keys.nbytes + self.values.nbytes + sum(array.nbytes for array in self._hash)

    def advance(self) -> bool:
        """Continue filling for a slice; return whether all tables are complete.

        Raises EngineError if they become too large.
        """
        self._cursor[kernel.BUDGET] = _SLICE_NODES
        inside = self._inside
        bits, slots, counts, touched = self._hash
        pieces = kernel.InsidePieces(inside.colors, inside.pieces, inside.index, inside.weight, inside.mates)
        tables = kernel.WordTables(self.start, self.keys, self.values)
        stopped = kernel.fill(self._words, pieces, self._rows, self._edges, self._state, self._hash, tables)
        if stopped == kernel.TABLE_FULL:
            self._refuse_without_room(_PLACE * 2 * len(slots))
            larger = _empty_table(int(bits) + 1)
            kernel.move_table(slots, counts, touched, self._cursor[kernel.FOUND], *larger)
            self._hash = larger
        elif stopped == kernel.OUTPUT_FULL:
            self._grow()
        elif stopped == kernel.TOO_MANY:
            raise EngineError(
                "method frames: half of the inside can be filled in 2^32 or more equivalent ways, too many"
            )
        elif stopped == kernel.EXHAUSTED:
            self._hash = _empty_table(_FIRST_BITS)
        return stopped == kernel.EXHAUSTED

    def _grow(self) -> None:
        """Make room for twice as many entries, or for as many as the memory limit allows."""
        entries = len(self.keys)
        larger = min(2 * entries, self._room() // _ENTRY)
        self._refuse_without_room(_ENTRY * max(larger, entries + 1))
        keys, values = np.empty(larger, dtype=np.uint64), np.empty(larger, dtype=np.uint32)
        keys[:entries], values[:entries] = self.keys, self.values
        self.keys, self.values = keys, values

    def _room(self) -> int:
        """The number of bytes that are still available."""
        return MOST_BYTES - self.nbytes - sum(held.nbytes for held in self._beside)

    def _refuse_without_room(self, more: int) -> None:
        if more > self._room():
            raise EngineError(f"method frames: the tables of the inside exceed the limit of {_shown(MOST_BYTES)}")


def _empty_table(bits: int) -> kernel.HashTable:
    places = 1 << bits
    touched = np.empty(places // 2, dtype=np.uint64)
    return kernel.HashTable(np.uint64(bits), np.full(places, kernel.EMPTY), np.zeros(places, dtype=np.uint32), touched)


def _shown(number: int) -> str:
    """A number of bytes as text."""
    return f"{number / 2**30:.3g} GiB"


def join_tables(
    inside: Inside,
    tables: tuple[InsideTables, InsideTables],
    half: Half,
    pairs: Numbers,
    frames: Numbers,
    ask: Callable[[], Pause],
) -> int | None:
    """The number of ways to fill the inside of some frames; None if `ask` says to end immediately.

    `tables` are those of the upper and the lower half, `half` is the upper one; `pairs` are the words of the frames,
    and `frames` how many frames have them.  Raises EngineError if the table of a word is too large for a lookup.
    """
    upper, lower = tables
    widest = int(np.diff(upper.start)[pairs[:, 0]].max(initial=1))
    places = 1 << (4 * widest).bit_length()
    if _ENTRY * places > MOST_BYTES:
        raise EngineError(
            f"method frames: a lookup table of {widest} ways to fill half of the inside exceeds {_shown(MOST_BYTES)}"
        )
    slots, counts = np.empty(places, dtype=np.uint64), np.empty(places, dtype=np.uint32)
    flags = np.empty(places // 16 + 1, dtype=np.uint64)
    waiting = np.empty(int(np.diff(lower.start).max(initial=0)) + 1, dtype=np.uint64)
    high, low = np.empty((2, len(pairs)), dtype=np.uint64)
    along = kernel.Cut(inside.colors, inside.mates, np.uint64(half.columns), half.stepped)
    first, second = (kernel.WordTables(each.start, each.keys, each.values) for each in tables)
    lookup = kernel.Lookup(slots, counts, flags, waiting)
    facings = np.empty(min(int(inside.cuts), _MOST_FACINGS), dtype=np.uint64)
    kernel.write_facings(along, facings)
    done = 0
    while done < len(pairs):
        if ask() is Pause.NOW:
            return None
        results = high[done:], low[done:], np.uint64(_SLICE_ENTRIES)
        done += int(
            kernel.join(pairs[done:], along, facings, inside.cuts, inside.all_used, first, second, lookup, *results)
        )
    return (_sum_of_products(frames, high) << 32) + _sum_of_products(frames, low)


def _sum_of_products(a: Numbers, b: Numbers) -> int:
    if int(a.max(initial=0)) * int(b.max(initial=0)) * len(a) < 1 << 64:
        return int(np.dot(a, b))
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))


# A part takes about a second.
_PART_NODES = 100_000_000


class Frames:
    """A count by frames, whose parts are groups of frames.

    `options` have the cut: the columns of the inside (rows if the board is turned) and the squares of the upper half.
    The halves of the inside are filled when the first part is counted, and count as nodes of part 0 like the search for
    the frames; a process that counts other parts fills them as well.

    - `puzzle`: the puzzle: without fixed and spare pieces, with orbits of one size, and an inside of moderate size.
    - `options`: must be the defaults, except for the cut and those that affect only how the count is run.

    Raises EngineError if the method does not apply.
    """

    method = "frames"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse_frames(puzzle, options)
        self.found = symmetries(puzzle)
        cut = options.cut or middle(puzzle)
        upper_half, lower_half = halves = _checked_halves(puzzle, self.found, cut)
        self.options: Mapping[str, object] = {"columns": cut.columns, "upper_squares": cut.squares}
        self._squares, self._half = len(puzzle.board), upper_half
        colors = color_indices(puzzle, puzzle.inner_sides())
        words = find_frames(puzzle, self.found, halves, colors)
        self._pairs, self._frames, self._frame_nodes = words.pairs, words.frames, words.nodes
        self._inside = Inside(puzzle, self.found, colors, upper_half)
        beside = [self._pairs, self._frames]
        if lower_half == upper_half:
            # One is used for both.
            upper = lower = InsideTables(self._inside, upper_half, words.upper_words, beside)
            self._unfilled = [upper]
        else:
            lower = InsideTables(self._inside, lower_half, words.lower_words, beside)
            upper = InsideTables(self._inside, upper_half, words.upper_words, [*beside, lower])
            self._unfilled = [upper, lower]
        self._tables, self._lock = (upper, lower), threading.Lock()
        self._filled = list(zip(halves, self._unfilled, strict=False))
        self._weight = self.found.identical * self.found.symmetric * (self.found.board if anchor_of(self.found) else 1)
        parts = min(math.ceil(len(self._pairs) * cut.pair_nodes / _PART_NODES), len(self._pairs)) or 1
        self._bounds = np.linspace(0, len(self._pairs), parts + 1).astype(np.int64)
        self.work: NDArray[np.float64] = np.diff(self._bounds) * cut.pair_nodes
        # Part 0 includes all work that is done once.
        self.work[0] += int(words.nodes.sum()) + sum(
            len(tables.start) * nodes for tables, nodes in zip(self._unfilled, cut.fill_nodes, strict=False)
        )

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        nodes, count, done = (0,) * self._squares, 0, first
        while done < last and self._fill(pause):
            frames = slice(self._bounds[done], self._bounds[done + 1])
            found = join_tables(
                self._inside, self._tables, self._half, self._pairs[frames], self._frames[frames], pause
            )
            if found is None:
                break
            if done == 0:
                nodes = self._nodes()
            count += found
            done += 1
            if pause() is not Pause.NO:
                break
        return Share(first, done, nodes, count * self._weight, None)

    def _fill(self, pause: Callable[[], Pause]) -> bool:
        """Fill the halves of the inside if necessary; return whether this was completed.

        One thread fills at a time; the others wait until all halves are filled.
        """
        while self._unfilled:
            if pause() is Pause.NOW:
                return False
            if self._lock.acquire(timeout=0.1):
                try:
                    if self._unfilled and self._unfilled[-1].advance():
                        self._unfilled.pop()
                finally:
                    self._lock.release()
        return True

    def _nodes(self) -> tuple[int, ...]:
        """The pieces placed on halves of the board, by depth."""
        nodes = [0] * self._squares
        for depth, number in enumerate(self._frame_nodes.tolist()):
            nodes[depth] += number
        for half, tables in self._filled:
            for square, number in enumerate(tables.nodes.tolist()):
                nodes[half.pieces_of_frame + square] += number
        return tuple(nodes)


def _checked_halves(puzzle: EdgeMatchingPuzzle, found: Symmetries, cut: FramesCut) -> tuple[Half, Half]:
    """The halves of a cut; raises EngineError if the inside has no such cut, or their numbers are too large."""
    sides = inside_of(puzzle)
    if cut.columns not in sides or not 0 < cut.squares < math.prod(sides):
        raise EngineError(f"method frames: {cut}: the inside has {sides[0]}x{sides[1]} squares; some must be left")
    halves = halves_of(puzzle, cut.columns, cut.squares)
    if reason := why_too_big(puzzle, found, halves):
        raise EngineError(f"method frames: {reason}")
    return halves
