"""A beam on a GPU with the same methods as `Beam`, its arrays there, and the room that the beams of a race share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import scrambled
from ...base.stop import never
from ...engines.request import Options
from ..gpu import Gpu, compiling, find_gpu, on_gpu, room_on_gpu
from . import gpu_kernel as kernel
from .routes import FIRST_KNOWN, KNOWN, NUMBERS, OPENED, BeamLists, Pass, Runs, Step
from .setting import APART, BLOCKED, BLOCKED_LATER, MARGIN, NOISE, Setting

# The room for children as a multiple of the width, and the size of the hash table as a multiple of that.
_ROOM, _TABLE = 1.3, 2
# The least room: a beam of few boards has many children for each.
_LEAST_ROOM = 4096
#: Colours and places must fit into their bits.
MOST_COLORS, _MOST_PLACES = 250, 1 << 16
_END = 0xFFFFFFFF


def in_units(value: float) -> int:
    """A score in the whole numbers of the kernels."""
    return round(value * kernel.UNIT)


@dataclass(frozen=True)
class GpuPass:
    """One pass of a step: its lists, and how many threads share a board.

    `colors` has the colours that the other sides of its candidates show or fit, with those that fit onto them; None if
    the scores of its children are not bounded in advance.  If `falls`, each of them is its own mate; then a piece can
    only lower the potential.
    """

    found: Pass
    lists: kernel.Lists
    lanes: int
    colors: Any
    falls: bool


class GpuSetting:
    """What all beams along one order share, on the GPU.

    Raises EngineError if the puzzle has more colours, or the board is larger, than the kernels can do.
    """

    def __init__(self, setting: Setting) -> None:
        tables, route = setting.tables, setting.route
        if tables.colors > MOST_COLORS or len(setting.rank.terms) > _MOST_PLACES:
            raise EngineError(
                f"a beam on a GPU supports at most {MOST_COLORS} colours, those along the frame counted twice, and "
                f"{_MOST_PLACES} terms; this puzzle has {tables.colors} and {len(setting.rank.terms)}; omit it",
                "device",
            )
        self.setting = setting
        terms = np.rint(setting.rank.terms.astype(np.float64) * kernel.UNIT)
        terms = np.maximum(terms, kernel.LOWEST >> 4).astype(np.int32)
        of_pieces = tables.sides, tables.mates, tables.first_bit, tables.last_bit, terms, route.masks
        marks = setting.mark_of_bit, np.ascontiguousarray(setting.mark_of_slot)
        self.pieces = kernel.Pieces(*map(on_gpu, (*of_pieces, *marks)))
        slot_at, place_at, row_words = _parts_of_row(setting)
        numbers = tables.words, slot_at, place_at, row_words, tables.colors, setting.rank.row
        self.layout = kernel.Layout(*map(np.uint64, numbers))
        # By the identity of lists on the processor, which are kept with them.
        self._lists: dict[int, tuple[BeamLists, kernel.Lists, int]] = {}
        self._colors: dict[int, tuple[Runs, Any]] = {}
        self.steps = [on_gpu(_with_sides(step)) for step in route.steps]
        self.around = [on_gpu(step.around) for step in route.steps]
        self.around_number = [len(step.around) for step in route.steps]
        self.passes = [[[self._way(found) for found in level] for level in step.passes] for step in route.steps]

    def _way(self, found: Pass) -> GpuPass:
        """A pass; lists that several passes share are on the GPU once."""
        key = id(found.lists)
        if key not in self._lists:
            first, last = _ends_of(found.lists)
            mean = float((last - first)[last > first].mean()) if len(found.lists.entries) > 1 else 1.0
            lanes = next((lanes for lanes in (2, 4, 8, 16) if mean <= 2 * lanes), 32)
            on_device = (on_gpu(array) for array in (first, last, found.lists.entries))
            self._lists[key] = found.lists, kernel.Lists(*on_device), lanes
        if found.runs is None:
            return GpuPass(found, self._lists[key][1], self._lists[key][2], None, falls=False)
        mates = self.setting.tables.mate_of[found.runs.colors]
        if id(found.runs) not in self._colors:
            pairs = np.stack([found.runs.colors, mates], axis=1)
            self._colors[id(found.runs)] = found.runs, on_gpu(np.ascontiguousarray(pairs))
        falls = bool((mates == found.runs.colors).all())
        return GpuPass(found, self._lists[key][1], 32, self._colors[id(found.runs)][1], falls)

    def first_row(self, words: int) -> NDArray[np.uint64]:
        """The row of the board with the fixed pieces only, in a number of words."""
        setting, layout = self.setting, self.layout
        tables = setting.tables
        row = np.zeros(words, dtype=np.uint64)
        opened = np.zeros(tables.colors, dtype=np.int64)
        for slot, color in setting.open_at_first:
            row[int(layout.slot_at) + slot // 8] |= np.uint64(color << 8 * (slot % 8))
            opened[color] += 1
        for color, place in enumerate(setting.rank.places(tables.unused, opened).tolist()):
            row[int(layout.place_at) + color // 4] |= np.uint64(place << 16 * (color % 4))
        return row


def _with_sides(step: Step) -> NDArray[np.int64]:
    """The numbers of a step, and what each side is: unused, known or opened, and its slot."""
    sides = np.zeros((4, 2), dtype=np.int64)
    for at in range(FIRST_KNOWN, FIRST_KNOWN + 3 * int(step.numbers[KNOWN]), 3):
        side, slot = step.numbers[at : at + 2]
        sides[side] = 1, slot
    for side in range(4):
        if step.numbers[OPENED + side] >= 0:
            sides[side] = 2, step.numbers[OPENED + side]
    assert len(step.numbers) == NUMBERS
    return np.concatenate([step.numbers, sides.ravel()])


def _ends_of(lists: BeamLists) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Where the list of each key begins and ends."""
    ends = np.flatnonzero(lists.entries == _END)
    return lists.starts, ends[np.searchsorted(ends, lists.starts)].astype(np.uint32)


def _parts_of_row(setting: Setting) -> tuple[int, int, int]:
    """Where slots and places begin in the row of a board, and its words."""
    slot_at = setting.tables.words
    place_at = slot_at + -(-setting.route.slots // 8)
    return slot_at, place_at, place_at + -(-setting.tables.colors // 4)


class Room:
    """Room for the boards of beams up to a width; one beam after the other uses it.

    - `settings`: those of all orders: boards along some of them need more words than along others.

    Attributes:
    - `row_words`: the words of a board for which there is room.
    - `room`: the number of children for which there is room.
    """

    def __init__(self, settings: Iterable[Setting], width: int) -> None:
        some = list(settings)
        self.width, steps = width, max(len(some[0].free), 1)
        self.row_words = max(_parts_of_row(setting)[-1] for setting in some)
        self.boards, self.following = (_boards(width, self.row_words) for _ in range(2))
        self.room = max(int(_ROOM * width), _LEAST_ROOM)
        types = np.int32, np.uint32, np.uint32, np.int32, np.uint32, np.uint64, np.uint64
        self.children = kernel.Children(*(room_on_gpu(self.room, kind) for kind in types))
        size = _TABLE * self.room + 1
        self.table = kernel.Table(*(room_on_gpu(size, np.uint64) for _ in range(2)))
        self.reach = room_on_gpu(width, np.int32)
        self.counts = on_gpu(np.zeros(kernel.COUNTS, dtype=np.int32))
        self.histogram = on_gpu(np.zeros(kernel.DIGITS, dtype=np.int32))
        self.parents = room_on_gpu((steps, width), np.uint32)
        self.placed = room_on_gpu((steps, width), _kind_of_candidates(some[0]))

    @staticmethod
    def bytes_a_board(settings: Iterable[Setting]) -> int:
        """The memory for each board of the width."""
        some = list(settings)
        a_child, a_spot, steps = 36, 16, len(some[0].free)
        a_board = 8 * max(_parts_of_row(setting)[-1] for setting in some) + 28
        a_step = 4 + np.dtype(_kind_of_candidates(some[0])).itemsize
        return int(2 * a_board + 4 + _ROOM * (a_child + _TABLE * a_spot)) + a_step * steps


def _kind_of_candidates(setting: Setting) -> type[np.unsignedinteger[Any]]:
    return np.uint16 if len(setting.tables.sides) <= 1 << 16 else np.uint32


def _boards(width: int, row_words: int) -> kernel.GpuBoards:
    types = np.int32, np.int32, np.int32, np.uint64, np.uint64
    rows = room_on_gpu((width, row_words), np.uint64)
    return kernel.GpuBoards(rows, *(room_on_gpu(width, kind) for kind in types))


# From the first number of boards on, the threshold is estimated from a sample: one board in the second number, which is
# a power of two.
_SAMPLES = (1 << 20, 128), (1 << 14, 32), (0, 1)
# A bound that ignores colours that occur twice may be too small by this much.
_SLACK = 0.3
# The children that are wanted, as a multiple of the width: some are equal.
_WANTED = 1.2
# The boards that are traced back at a time, which takes memory.
_ROWS = 1 << 18


class GpuBeam:
    """A beam of a given width on a GPU; see `Beam`, whose methods it has.

    It keeps the best children of all that differ.  `Beam` drops equal ones later, and so keeps fewer.
    """

    def __init__(self, gpu: Gpu, prepared: GpuSetting, room: Room, width: int, seed: int) -> None:
        assert width <= room.width
        assert prepared.layout.row_words <= room.row_words
        self._gpu, self._prepared, self._room, self._width = gpu, prepared, room, width
        self._setting, self._seed = prepared.setting, seed
        self._boards, self._following = room.boards, room.following
        self._thinned, self._written, self.depth, self.number = False, 0, 0, 1
        self._apart = np.uint64(0)
        # Potentials count from that of the first board on.
        invalid, potential, mark, history = self._setting.invalid.total, 0, 1, seed & (1 << 63) - 1
        first = prepared.first_row(room.row_words), invalid, potential, potential, mark, history
        for array, value in zip(self._boards, first, strict=True):
            array[:1].copy_to_device(np.array([value], dtype=array.dtype))
        self._best = potential - self._penalty(0) * invalid

    @classmethod
    def warm_up(cls, gpu: Gpu, prepared: GpuSetting) -> None:
        """Compile all kernels."""
        with compiling("jigsat.csp.search.beam.gpu_kernel"):
            room = Room([prepared.setting], 4)
            beam = cls(gpu, prepared, room, 4, 0)
            while not beam.is_full and beam.number and beam.depth < 4:
                beam.extend()
            beam.tell_apart()
            beam.rows(np.zeros(1, dtype=np.int64))
            zero = np.uint64(0)
            bounded = [
                (d, way)
                for d, step in enumerate(prepared.passes)
                for level in step
                for way in level
                if way.colors is not None
            ]
            if bounded:
                beam.depth, beam.number = bounded[0][0], 0
                beam._pass(bounded[0][1], 0, kernel.LOWEST + 1, 0, add_up=False)
            beam._launch(kernel.count_digits, 0, room.children, zero, room.histogram, zero, zero, zero)

    @property
    def is_exhaustive(self) -> bool:
        """Whether no child was dropped for lack of room."""
        return not self._thinned

    @property
    def is_full(self) -> bool:
        """Whether every square is filled."""
        return self.depth == len(self._setting.free)

    def _penalty(self, depth: int) -> int:
        return in_units(self._setting.penalty(self._setting.part(depth)))

    def _launch(self, kernel: Any, items: int, *arguments: Any) -> None:
        """Run a kernel whose threads share a number of items."""
        kernel[self._gpu.grid(items)](*arguments)

    def extend(self, most: int | None = None, must_stop: Callable[[], bool] = never) -> int:
        """Fill the next square; return the number of partial boards, at most `most`.

        If `must_stop` returns true at the beginning, the beam stays as it is, and 0 is returned.
        """
        if must_stop():
            return 0
        part = self._setting.part(self.depth)
        width = self._setting.width_at(part, self._width)
        width = width if most is None else min(width, most)
        ways, threshold = self._choose(width)
        children = self._gather(ways, threshold)
        wanted = int(_WANTED * width)
        while children > self._room.room:
            # The sample was misleading, or many children have the same score.
            threshold = max(self._threshold(self._count(ways, 0), wanted), threshold + 1)
            children = self._gather(ways, threshold)
            wanted //= 2
        self._keep(children, min(width, self._width), threshold)
        self.depth += 1
        return self.number

    def _scoring(self, threshold: int) -> kernel.Scoring:
        penalty = self._setting.penalty(self._setting.part(self.depth))
        salt = scrambled(np.array([self._seed & (1 << 64) - 1], dtype=np.uint64) + np.uint64(self.depth))[0]
        units = in_units(penalty), in_units(NOISE), in_units(BLOCKED * penalty)
        numbers = map(np.int64, (*units, self._best + in_units(MARGIN), threshold))
        return kernel.Scoring(*numbers, salt=salt)

    def _choose(self, width: int) -> tuple[list[tuple[GpuPass, int]], int]:
        """The passes with the most invalid joins that are permitted in each, and the threshold for their children.

        Passes with invalid joins are used as long as they are permitted or needed.
        """
        setting, depth = self._setting, self.depth
        every = next(every for boards, every in _SAMPLES if self.number >= boards)
        steps, ways = np.zeros(kernel.DIGITS, dtype=np.int64), list[tuple[GpuPass, int]]()
        for wrong, level in enumerate(self._prepared.passes[depth]):
            if setting.are_enough(every * int(steps.sum()), depth, wrong, width):
                break
            here = [(way, setting.most_in_pass(depth, wrong)) for way in level]
            steps += self._count(here, every - 1)
            ways += here
        return ways, self._threshold(steps, int(_WANTED * width / every))

    def _threshold(self, steps: NDArray[np.int64], wanted: int) -> int:
        """The score above which there are about as many children as wanted, given their numbers by score."""
        enough = np.flatnonzero(np.cumsum(steps) > wanted)
        if not len(enough) or enough[0] == kernel.DIGITS - 1:
            return kernel.LOWEST
        self._thinned = True
        return self._best + in_units(MARGIN) - (max(int(enough[0]), 1) << kernel.STEP_BITS)

    def _count(self, ways: list[tuple[GpuPass, int]], sampled: int) -> NDArray[np.int64]:
        """The numbers of children by score, of boards without the `sampled` bits in their marks."""
        self._clear_histogram()
        for way, most in ways:
            self._pass(way, most, kernel.LOWEST, sampled, add_up=True)
        return self._room.histogram.copy_to_host().astype(np.int64)

    def _clear_histogram(self) -> None:
        self._launch(kernel.fill, kernel.DIGITS, self._room.histogram, np.uint64(kernel.DIGITS), np.int32(0))

    def _gather(self, ways: list[tuple[GpuPass, int]], threshold: int) -> int:
        """Write the children above the threshold into the buffer, as far as there is room; return their number."""
        counts = np.zeros(kernel.COUNTS, dtype=np.int32)
        counts[kernel.BEST] = kernel.LOWEST
        self._room.counts.copy_to_device(counts)
        for way, most in ways:
            self._pass(way, most, threshold, 0, add_up=False)
        return int(self._counts()[kernel.CHILDREN])

    def _pass(self, way: GpuPass, most: int, threshold: int, sampled: int, *, add_up: bool) -> None:
        room, prepared, found, number = self._room, self._prepared, way.found, np.uint64(self.number)
        step, pieces, layout = prepared.steps[self.depth], prepared.pieces, prepared.layout
        numbers = kernel.PassNumbers(*map(np.int64, (found.keyed, found.matching, found.differing, most)))
        scoring = self._scoring(threshold)
        bounded = way.colors is not None and threshold > kernel.LOWEST
        if bounded:
            self._launch(
                kernel.find_reach, self.number, step, numbers, way.colors, way.falls, pieces, layout, self._boards,
                number, scoring, np.int64(in_units(_SLACK)), room.reach,
            )  # fmt: skip
        lanes = 1 if self._gpu.simulated else way.lanes
        self._launch(
            kernel.gather, self.number * lanes, step, numbers, way.lists, pieces, layout, self._boards, number,
            np.uint64(lanes), np.uint64(sampled), scoring, bounded, room.reach, room.children, room.counts,
            room.histogram, add_up,
        )  # fmt: skip

    def _counts(self) -> NDArray[np.int32]:
        return self._room.counts.copy_to_host()

    def _keep(self, children: int, width: int, threshold: int) -> None:
        """Make boards of the best children that differ, at most `width`."""
        room, prepared, step = self._room, self._prepared, self._prepared.steps[self.depth]
        number, layout = np.uint64(children), prepared.layout
        size = np.uint64(2 * children + 1)
        for array, value in zip(room.table, (0, kernel.NEVER), strict=True):
            self._launch(kernel.fill, int(size), array, size, np.uint64(value))
        self._launch(
            kernel.enter, children, step, prepared.pieces, layout, self._boards, room.children, number, room.table,
            size, self._apart,
        )  # fmt: skip
        limit = self._limit(children, width, threshold)
        parents, placed = room.parents[self._written], room.placed[self._written]
        self._launch(
            kernel.assign, children, self._boards, room.children, number, room.table, np.uint64(limit),
            self._following, parents, placed, room.counts,
        )  # fmt: skip
        kept = int(self._counts()[kernel.BOARDS])
        if kept:
            self._launch(
                kernel.build, kept * int(layout.row_words), step, prepared.pieces, layout, self._boards,
                np.uint64(kept), self._following, parents, placed,
            )  # fmt: skip
            self._written += 1
            self._boards, self._following = self._following, self._boards
            self._look_around(kept)
        self.number = kept

    def _limit(self, children: int, width: int, threshold: int) -> int:
        """The order below which there are as many winners as possible, at most `width`, by radix selection."""
        room, number, top = self._room, np.uint64(children), self._best + in_units(MARGIN)
        shift = (top - threshold).bit_length() + kernel.ORDER_BITS - kernel.DIGIT_BITS
        self._clear_histogram()
        self._launch(
            kernel.put_in_order, children, room.children, number, room.table, np.int64(top), room.histogram,
            np.uint64(shift),
        )  # fmt: skip
        kept = before = 0
        while True:
            upto = np.cumsum(room.histogram.copy_to_host().astype(np.int64))
            if kept + int(upto[-1]) <= width:
                return kernel.NEVER
            self._thinned = True
            digit = int(np.searchsorted(upto, width - kept, side="right"))
            kept += int(upto[digit - 1]) if digit else 0
            before += digit
            if kept == width or shift == 0:
                # Of equal orders, which hardly occur, all are dropped, unless nothing else is left.
                return (before << shift) + (kept == 0)
            lower = max(shift - kernel.DIGIT_BITS, 0)
            self._clear_histogram()
            self._launch(
                kernel.count_digits, children, room.children, number, room.histogram, np.uint64(lower),
                np.uint64(shift - lower), np.uint64(before),
            )  # fmt: skip
            before, shift = before << shift - lower, lower

    def _look_around(self, number: int) -> None:
        """Find the hopes of the new boards, and the best of them."""
        prepared, room, depth = self._prepared, self._room, self.depth
        cost = in_units(BLOCKED_LATER * self._setting.penalty(self._setting.part(depth + 1)))
        self._launch(
            kernel.look_around, number, prepared.around[depth], np.uint64(prepared.around_number[depth]),
            prepared.pieces, prepared.layout, self._boards, np.uint64(number), np.int64(cost),
            np.int64(self._penalty(depth + 1)), room.counts,
        )  # fmt: skip
        self._best = int(self._counts()[kernel.BEST])

    def tell_apart(self) -> None:
        """On the last square no two boards count as equal, so that the last layer has all that are found."""
        self._launch(kernel.tell_apart, self.number, self._boards, np.uint64(self.number))
        self._apart = APART

    @property
    def invalid(self) -> NDArray[np.uint16]:
        """The number of invalid joins of each board."""
        return self._boards.invalid[: self.number].copy_to_host().astype(np.uint16)

    @property
    def fewest_invalid(self) -> int:
        """The fewest invalid joins of a board."""
        return int(self.invalid.min())

    def best_row(self) -> NDArray[np.int64]:
        """The candidates of the board with the fewest invalid joins, for the squares filled so far.

        If there is no board, those of a board without one more square.
        """
        if not self.number:
            return self.rows(np.zeros(1, dtype=np.int64))[0]
        invalid = self.invalid
        best = np.flatnonzero(invalid == invalid.min())
        history = self._boards.history[: self.number].copy_to_host()
        return self.rows(best[[int(np.argmin(history[best]))]])[0]

    def rows(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """The candidates of some boards, a row for each, for the squares filled so far."""
        chunks = [boards[first : first + _ROWS] for first in range(0, len(boards), _ROWS)]
        found = [np.zeros((0, self._written), dtype=np.int64), *map(self._some_rows, chunks)]
        return np.concatenate(found)

    def _some_rows(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        room = self._room
        found = room_on_gpu((len(boards), max(self._written, 1)), np.uint32)
        if self._written:
            self._launch(
                kernel.trace, len(boards), on_gpu(boards.astype(np.uint32)), np.int64(self._written),
                room.parents, room.placed, found,
            )  # fmt: skip
        return found.copy_to_host()[:, : self._written].astype(np.int64)


#: The number of beams among which a limit is divided; the width of a beam without a limit, and of the first beams; each
#: is wider than the one before by the last factor.
BEAMS, WIDTH, FIRST, WIDENED = 4, 1_000_000, 16_384, 64
# The assumed nodes per second of a multiprocessor, and the parts of the memory to use: for a width that is chosen here,
# and for one that is given.  A race goes on with the width that it chose, with a little less memory, too.
_NODES_PER_SECOND, _MEMORY, _MOST_MEMORY = 1_900_000, 0.8, 0.95


class RaceOnGpu:
    """The GPU of a race, and what is on it.

    - `setting`, `orders`: the setting of each order of squares, and the number of orders.

    Attributes:
    - `most_bytes`, `bytes_a_board`: the memory for beams, and how much of it a beam takes for each board of its width.
    - `rate`: the assumed number of nodes per second.

    Raises JigsatError if there is no GPU, or the puzzle is too large for its kernels.
    """

    def __init__(self, options: Options, setting: Callable[[int], Setting], orders: int) -> None:
        assert options.device is not None
        self._gpu = find_gpu(options.device)
        self._gpu.use()
        self._settings = [setting(order) for order in range(orders)]
        self._prepared = cache(lambda order: GpuSetting(self._settings[order]))
        self._room: Room | None = None
        GpuBeam.warm_up(self._gpu, self._prepared(0))
        free, self.bytes_a_board = self._gpu.free_bytes, Room.bytes_a_board(self._settings)
        self._bytes, self.most_bytes = int(_MEMORY * free), int(_MOST_MEMORY * free)
        self.rate = _NODES_PER_SECOND * self._gpu.multiprocessors

    def __str__(self) -> str:
        return str(self._gpu)

    @property
    def widest(self) -> int:
        """The largest width of a beam, rounded, so that a little less memory does not change it."""
        most = self._bytes // self.bytes_a_board
        unit = 10 ** max(len(str(most)) - 2, 0)
        return most // unit * unit

    def begun(self, order: int, width: int, seed: int, widest: int) -> GpuBeam:
        """A beam along an order, in the room for the widest one."""
        self._gpu.use()
        if self._room is None:
            self._room = Room(self._settings, widest)
        return GpuBeam(self._gpu, self._prepared(order), self._room, width, seed)

    def leave(self) -> None:
        """Give back the memory; a further beam takes it again."""
        self._room = None
        self._gpu.release()
