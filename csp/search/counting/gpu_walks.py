"""Counting parts on a GPU: its tables, the walks of all threads in slices, and how work is divided among them."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...puzzles.symmetry import Candidates
from ..gpu import BLOCK, Gpu, compiling, cuda, on_gpu, room_on_gpu
from ..ordered.kernels import STATE_SIZE, OrderedTables
from ..shared_tree import resized
from . import gpu_kernel as kernel
from .methods import Pause

_WORD_BITS, _MOST_FIELDS, _MOST_DEPTHS = 64, 1 << kernel.SIDES - kernel.FIELD, 1 << kernel.SHIFT - kernel.DEEP

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class GpuTables:
    """The tables, laid out as `kernel` describes.

    - `words`, `mates`, `plan`, `full`: as there; `mates` has only one entry if nothing is compared.
    - `index`: the positions of the lists, by key.
    - `entries`: the candidate at each position; -1 ends a list.
    - `first`: the first position of each choice's lists.
    - `mask`: ones, as many as a colour has bits.
    - `comparing`: whether any neighbour is compared instead of being part of a key.
    """

    words: Words
    mates: Words
    index: NDArray[np.uint32]
    plan: Words
    full: Words
    entries: NDArray[np.int64]
    first: tuple[int, ...]
    mask: np.uint64
    comparing: bool


def gpu_tables(candidates: Candidates, choices: list[OrderedTables]) -> GpuTables:
    """The tables of a search with these candidates and these choices of the anchor's square.

    Raises EngineError if the puzzle has too many colours, pieces or free squares for the words of the kernels.
    """
    width = max((candidates.colors - 1).bit_length(), 1)
    if kernel.SIDES + 4 * width > _WORD_BITS:
        most = 1 << (_WORD_BITS - kernel.SIDES) // 4
        raise EngineError(f"a GPU counts with at most {most} colours, not {candidates.colors}; omit it", "device")
    depths = len(choices[0].squares)
    if depths > _MOST_DEPTHS:
        raise EngineError(f"a GPU counts with at most {_MOST_DEPTHS} free squares, not {depths}; omit it", "device")
    of_type, full = _numbers_of_free([len(kind.pieces) for kind in candidates.kinds])
    sides, mates = (_packed(colors, width) for colors in (candidates.sides, candidates.mates))
    entries = np.concatenate([tables.entries for tables in choices])
    first = (0, *accumulate(len(tables.entries) for tables in choices))
    # An empty list of any choice is that at position 0.
    index = np.concatenate(
        [np.where(tables.index > 0, tables.index + start, 0) for tables, start in zip(choices, first, strict=False)]
    )
    before = (0, *accumulate(len(tables.index) for tables in choices))
    plans = [_plan(tables, start, width) for tables, start in zip(choices, before, strict=False)]
    comparing = any(bool((tables.keyed < tables.known).any()) for tables in choices)
    return GpuTables(
        words=_by_position(entries, of_type[candidates.of_type] | sides),
        mates=_by_position(entries, mates) if comparing else np.zeros(1, dtype=np.uint64),
        index=index.astype(np.uint32),
        plan=np.concatenate(plans),
        full=full,
        entries=entries,
        first=first[:-1],
        mask=np.uint64((1 << width) - 1),
        comparing=comparing,
    )


def _numbers_of_free(pieces: list[int]) -> tuple[Words, Words]:
    """Where the number of free pieces of each type is, and the words of these numbers on an empty board."""
    # A word of 0 ends a list, so that no number may be at bit 0 of the first word.
    field, bit, full = 0, 1, [0]
    places = []
    for number in pieces:
        high = (number - 1).bit_length()
        if bit + high >= _WORD_BITS:
            field, bit, full = field + 1, 0, [*full, 0]
        places.append(bit + high | bit << kernel.UNIT | field << kernel.FIELD)
        full[field] |= (1 << high) + number - 1 << bit
        bit += high + 1
    if len(full) > _MOST_FIELDS:
        why = f"the numbers of free pieces fill {len(full)} words, and a GPU has room for {_MOST_FIELDS}; omit it"
        raise EngineError(why, "device")
    return np.array(places, dtype=np.uint64), np.array(full, dtype=np.uint64)


def _packed(colors: NDArray[np.int64], width: int) -> Words:
    """Four colours a candidate in a word; the border's is 0, because no free square is beyond it."""
    shifts = np.array([kernel.SIDES + width * side for side in range(4)], dtype=np.uint64)
    return np.bitwise_or.reduce(np.maximum(colors, 0).astype(np.uint64) << shifts, axis=1)


def _plan(tables: OrderedTables, first_key: int, width: int) -> Words:
    """The rows of the plan of one choice, whose keys begin at `first_key` in the index."""
    depth, side = np.divmod(tables.reference, np.uint64(4))
    own_side = tables.lane // np.uint64(16)
    plan = np.zeros((len(tables.squares), 5), dtype=np.uint64)
    plan[:, 0] = tables.base + np.uint64(first_key)
    plan[:, 0] |= tables.keyed << np.uint64(kernel.KEYED) | tables.known << np.uint64(kernel.KNOWN)
    shift, lane = (np.uint64(kernel.SIDES) + np.uint64(width) * which for which in (side, own_side))
    plan[:, 1:] = (
        tables.stride
        | depth << np.uint64(kernel.DEEP)
        | shift << np.uint64(kernel.SHIFT)
        | lane << np.uint64(kernel.LANE)
    )
    return plan.ravel()


def _by_position(entries: NDArray[np.int64], of_candidate: Words) -> Words:
    """Words of candidates by position, and 0 at the ends of lists."""
    words = np.zeros(len(entries), dtype=np.uint64)
    words[entries >= 0] = of_candidate[entries[entries >= 0]]
    return words


# The threads of a multiprocessor: as many as can run at a time with the registers that the kernel needs.
_THREADS = 1024
# Walks are divided when one thread in this number has nothing to do; the kernel stops for that.
_IDLE = 4
# The room in the list of items, for each thread.
_ITEMS = 3
# The steps of the first slice; the most, for kernels that end early again and again; and how often a thread looks
# whether others have nothing to do.  A step takes a part of a microsecond.
_FIRST_SLICE, _LONGEST_SLICE, _LOOK = 1 << 14, 1 << 24, 1 << 11
# The length of a slice, in parts of a usual one.
_SLICE = 0.5
# The parts of the free memory that walks and items take, and that the nodes of the parts take.
_FOR_WALKS, _FOR_PARTS = 0.4, 0.2
_ROOM = 1 << 16

#: A position at which a part begins: the choice of the anchor's square, and a row for `Walk.begin_at`.
Place = tuple[int, NDArray[np.uint32]]
#: Arrangements and orbits that rows of candidates represent.
Tallied = Callable[[NDArray[np.int64]], tuple[int, int]]


@dataclass
class Counted:
    """The results of parts, counted one after the other until they were complete or the count was paused."""

    #: Nodes at each depth of the parts that are complete, from the first one on.
    nodes: NDArray[np.int64]
    #: The number of these parts.
    parts: int = 0
    #: What their leaves represent, if these were looked at.
    count: int = 0
    canonical_count: int = 0
    #: Whether the count was paused.
    pause: Pause = Pause.NO


class GpuWalks:
    """A search on a GPU, one walk a thread.

    - `tables`: the tables of the search.
    - `depths`: the number of squares to fill.
    - `tallied`: returns what leaves represent, each of which must be looked at; None if only their number counts.
    """

    def __init__(self, gpu: Gpu, tables: GpuTables, depths: int, tallied: Tallied | None) -> None:
        self._gpu, self._tables, self._depths, self._tallied = gpu, tables, depths, tallied
        self._arrays: _Arrays | None = None
        self._lock = threading.Lock()

    def count(self, places: Sequence[Place], pause: Callable[[], Pause]) -> Counted:
        """Count the parts that begin at some places; `pause` is called after each slice; see `Piecework.count`.

        Of several threads one counts at a time.
        """
        with self._lock:
            return self._count(places, pause)

    def _count(self, places: Sequence[Place], pause: Callable[[], Pause]) -> Counted:
        self._gpu.use()
        if self._arrays is None:
            self._arrays = _Arrays(self._gpu, self._tables, self._depths, self._tallied is not None)
            self._arrays.compile()
        counted = Counted(np.zeros(self._depths, dtype=np.int64))
        most = self._arrays.most_parts
        for first in range(0, len(places), most):
            some = places[first : first + most]
            complete = _Batch(self._arrays, some, self._tallied).count(counted, pause)
            if complete < len(some) or counted.pause is not Pause.NO:
                break
        return counted


class _Arrays:
    """The arrays on the GPU, except for those of some parts."""

    def __init__(self, gpu: Gpu, tables: GpuTables, depths: int, seen: bool) -> None:
        self.tables, self.depths = tables, depths
        self.item_size = depths + kernel.ITEM_SIZE
        fields, room = len(tables.full), _ROOM if seen else 0
        a_thread = 4 * kernel.HELD_SIZE + 20 * depths + 8 * fields + 4 * _ITEMS * self.item_size
        fitting = max(int(_FOR_WALKS * gpu.free_bytes) // a_thread, BLOCK)
        self.launch = gpu.grid(min(_THREADS * gpu.multiprocessors, fitting))
        self.threads = prod(self.launch)
        self.most_parts = max(int(_FOR_PARTS * gpu.free_bytes) // (8 * depths + 4), 1)
        self.most_items = _ITEMS * self.threads
        self.constant = [on_gpu(one) for one in (tables.words, tables.mates, tables.index, tables.plan)]
        self.full = on_gpu(tables.full)
        self.items = room_on_gpu(self.most_items * self.item_size, np.uint32)
        self.head = room_on_gpu(kernel.HEAD_SIZE, np.uint64)
        self.held = room_on_gpu(kernel.HELD_SIZE * self.threads, np.uint32)
        self.place = room_on_gpu(depths * self.threads, np.uint32)
        self.shown = room_on_gpu(depths * self.threads, np.uint64)
        self.free = room_on_gpu(fields * self.threads, np.uint64)
        self.nodes = room_on_gpu(depths * self.threads, np.uint64)
        self.room = room
        self.rows = room_on_gpu(max(room * (depths + 1), 1), np.uint32)

    def compile(self) -> None:
        """Compile the kernels, which takes seconds and counts for no limit."""
        unfinished, totals = on_gpu(np.zeros(1, dtype=np.uint32)), on_gpu(np.zeros(1, dtype=np.uint64))
        with compiling("jigsat.csp.search.counting.gpu_kernel.walk"):
            self.forget()
            self.head.copy_to_device(np.zeros(kernel.HEAD_SIZE, dtype=np.uint64))
            self.walk(unfinished, totals, 0)
            self.hand_over(unfinished, 1)
            cuda.synchronize()

    def forget(self) -> None:
        """Drop all walks."""
        kernel.forget[self.launch](self.held, self.nodes, np.uint64(self.threads), np.uint64(self.depths))

    def walk(self, unfinished: Any, totals: Any, budget: int) -> None:
        """Continue all walks."""
        kernel.walk[self.launch](
            *self.constant, self.full, self.items, self.head, self.held, self.place, self.shown, self.free, self.nodes,
            unfinished, totals, self.rows, np.uint64(self.threads), np.uint64(self.depths), self.tables.mask,
            self.tables.comparing, np.uint64(budget), np.uint64(_LOOK),
        )  # fmt: skip

    def hand_over(self, unfinished: Any, most: int) -> None:
        """Make items of what the walks have left behind."""
        kernel.hand_over[self.launch](
            self.constant[0], self.items, self.head, self.held, self.place, unfinished, np.uint64(self.threads),
            np.uint64(self.depths), np.uint64(most),
        )  # fmt: skip


@dataclass
class _Batch:
    """Some parts, as many as there is memory for.

    Parts begin when there is not enough to hand over, or when what is handed over keeps the threads busy for a short
    time only; so few are incomplete when the count is paused.

    Attributes:
    - `begun`: the number of parts that have begun.
    - `more`: the number of parts that begin although there is enough to hand over.
    - `filled`: whether each thread without a walk found an item after the last division.
    """

    arrays: _Arrays
    places: Sequence[Place]
    tallied: Tallied | None
    begun: int = 0
    more: int = 0
    filled: bool = False
    finished_before: int = 0
    head: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(kernel.HEAD_SIZE, dtype=np.uint64))

    def __post_init__(self) -> None:
        parts = len(self.places)
        self._unfinished = on_gpu(np.ones(parts, dtype=np.uint32))
        self._totals = on_gpu(np.zeros(parts * self.arrays.depths, dtype=np.uint64))
        self._leaves = np.zeros((parts, 2), dtype=object) if self.tallied else None
        self._items = self._first_items()
        self.arrays.forget()

    def count(self, counted: Counted, pause: Callable[[], Pause]) -> int:
        """Count until all is done or paused, and add the results of complete parts; returns their number."""
        budget = _FIRST_SLICE
        while self._is_unfinished(counted.pause):
            self._divide(begin=counted.pause is Pause.NO)
            started = time.perf_counter()
            self._slice(budget)
            if _IDLE * int(self.head[kernel.OUT]) > self.arrays.threads:
                self.more = max(2 * self.more, 1) if self.filled else self.more
            else:
                self.more //= 2
                budget = min(int(resized(budget, started, _SLICE)) + 1, _LONGEST_SLICE)
            # Once the count is to end after the parts that have begun, only an immediate end counts.
            counted.pause = max(counted.pause, pause())
            if counted.pause is Pause.NOW:
                break
        return self._add_up(counted)

    def _is_unfinished(self, pause: Pause) -> bool:
        begins = pause is Pause.NO and self.begun < len(self.places)
        return begins or self.head[kernel.WALKS] > 0 or self.head[kernel.TAKEN] < self.head[kernel.ITEMS]

    def _divide(self, *, begin: bool) -> None:
        """If the list is used up and a quarter of the threads have nothing to do, make a new list."""
        arrays, walks = self.arrays, int(self.head[kernel.WALKS])
        idle = arrays.threads - walks
        if self.head[kernel.TAKEN] < self.head[kernel.ITEMS] or _IDLE * idle < arrays.threads:
            return
        self.head[[kernel.TAKEN, kernel.ITEMS]] = 0
        if walks:
            arrays.head.copy_to_device(self.head)
            arrays.hand_over(self._unfinished, min(-(-2 * idle // walks), arrays.depths))
            self._read_head()
        if begin:
            # Parts so short that many end between two divisions begin twice as many at a time.
            finished = int(self.head[kernel.FINISHED])
            lately, self.finished_before = finished - self.finished_before, finished
            lacking = idle - int(self.head[kernel.ITEMS])
            self._begin(max(min(max(2 * lately, 1), lacking), self.more))
        self.filled = int(self.head[kernel.ITEMS]) >= idle

    def _begin(self, number: int) -> None:
        """Put the first positions of further parts, at most `number`, into the list."""
        size, first = self.arrays.item_size, int(self.head[kernel.ITEMS])
        number = min(number, self.arrays.most_items - first, len(self.places) - self.begun)
        if number <= 0:
            return
        items = self._items[self.begun : self.begun + number].ravel()
        self.arrays.items[first * size : (first + number) * size].copy_to_device(items)
        self.head[kernel.ITEMS] += number
        self.begun += number

    def _first_items(self) -> NDArray[np.uint32]:
        """The positions at which the parts begin, all at the same depth, as items."""
        places = np.array([place for _, place in self.places], dtype=np.uint32)
        choices = np.array([choice for choice, _ in self.places], dtype=np.uint32)
        start = np.array(self.arrays.tables.first, dtype=np.uint32)[choices]
        above = places[:, STATE_SIZE - 1 : -1 : STATE_SIZE]
        depth = above.shape[1]
        items = np.zeros((len(places), self.arrays.item_size), dtype=np.uint32)
        items[:, 0], items[:, 1] = np.arange(len(places)), choices * np.uint32(self.arrays.depths)
        items[:, 2], items[:, 3] = depth, places[:, -1] + start
        items[:, kernel.ITEM_SIZE : kernel.ITEM_SIZE + depth] = above + start[:, None]
        return items

    def _slice(self, budget: int) -> None:
        self.head[kernel.OUT] = self.head[kernel.ROWS] = 0
        self.arrays.head.copy_to_device(self.head)
        self.arrays.walk(self._unfinished, self._totals, budget)
        self._read_head()
        if self.tallied is not None:
            self._take_leaves(min(int(self.head[kernel.ROWS]), self.arrays.room))

    def _read_head(self) -> None:
        self.head = self.arrays.head.copy_to_host()
        # Threads that found no item, or no room for one, have counted on.
        self.head[kernel.ITEMS] = min(int(self.head[kernel.ITEMS]), self.arrays.most_items)
        self.head[kernel.TAKEN] = min(self.head[kernel.TAKEN], self.head[kernel.ITEMS])

    def _take_leaves(self, number: int) -> None:
        """Tally the leaves of a slice, for each part."""
        assert self.tallied is not None
        assert self._leaves is not None
        if number == 0:
            return
        width = self.arrays.depths + 1
        rows = self.arrays.rows[: number * width].copy_to_host().reshape(number, width)
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        parts, first = np.unique(rows[:, 0], return_index=True)
        for part, of_part in zip(parts.tolist(), np.split(rows[:, 1:], first[1:]), strict=True):
            self._leaves[part] += self.tallied(self.arrays.tables.entries[of_part])

    def _add_up(self, counted: Counted) -> int:
        """Add the results of the parts that are complete, up to the first one that is not."""
        left = self._unfinished[: max(self.begun, 1)].copy_to_host()
        complete = int(np.argmax(left > 0)) if left.any() else self.begun
        counted.parts += complete
        if complete:
            depths = self.arrays.depths
            totals = self._totals[: complete * depths].copy_to_host().reshape(complete, depths)
            counted.nodes += totals.sum(axis=0).astype(np.int64)
        if self._leaves is not None:
            count, canonical_count = self._leaves[:complete].sum(axis=0)
            counted.count, counted.canonical_count = counted.count + count, counted.canonical_count + canonical_count
        return complete
