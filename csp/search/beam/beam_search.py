"""One beam: partial boards with equally many pieces, extended square by square; the most promising ones are kept."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...base.seeded_random import mixed, scrambled
from ...base.stop import never
from . import kernel
from .routes import FIRST_KNOWN, KNOWN, Pass, Step
from .setting import APART, BLOCKED, BLOCKED_LATER, LEAST_VARIED, MARGIN, NOISE, ONE_IN, Setting

# The number of steps after which the boards without descendants are dropped.
_STEPS = 8


class Lineage:
    """The candidates of all boards of a beam, in memory that hardly grows with the number of squares.

    The last steps are as the kernel has written them: each board's parent and its candidate.  Earlier steps are in
    chapters of several steps, which have a row for each board at the end of the chapter that still has descendants: its
    candidates, and the number of the row that it descends from in the chapter before.
    """

    def __init__(self, width: int) -> None:
        self._parents = np.zeros((_STEPS, width), dtype=np.uint32)
        self._candidates = np.zeros((_STEPS, width), dtype=np.uint32)
        self._written = 0
        self._chapters: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]] = []

    @staticmethod
    def bytes_a_board() -> int:
        """The approximate memory per board of the width: the last steps, and as much for chapters."""
        return 2 * (4 + 4) * _STEPS

    def begin_step(self, boards: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Where to write the parents and the candidates of the next step's boards; there are `boards` parents."""
        if self._written == _STEPS:
            self._end_chapter(boards)
        self._written += 1
        return self._parents[self._written - 1], self._candidates[self._written - 1]

    def take_back(self) -> None:
        """Take the last step back."""
        self._written -= 1

    def keep(self, boards: NDArray[np.integer]) -> None:
        """Keep these boards of the last step only, with new numbers in the same order."""
        for array in (self._parents, self._candidates):
            array[self._written - 1, : len(boards)] = array[self._written - 1, boards]

    def parents(self, boards: int) -> NDArray[np.uint32]:
        """The parents of the last step's boards."""
        return self._parents[self._written - 1, :boards]

    def candidates(self, boards: int) -> NDArray[np.uint32]:
        """The candidates of the last step's boards."""
        return self._candidates[self._written - 1, :boards]

    def rows(self, boards: NDArray[np.integer]) -> NDArray[np.int64]:
        """The candidates of some of the last step's boards, a row for each."""
        last, at = self._recent(boards)
        found = [last]
        for rows, origins in reversed(self._chapters):
            found.append(rows[at])
            at = origins[at]
        return np.concatenate(found[::-1], axis=1).astype(np.int64)

    def _recent(self, boards: NDArray[np.integer]) -> tuple[NDArray[np.uint32], NDArray[np.integer]]:
        """Their candidates since the last chapter, and their rows in it."""
        rows, at = np.zeros((len(boards), self._written), dtype=np.uint32), boards
        for step in reversed(range(self._written)):
            rows[:, step] = self._candidates[step].take(at)
            at = self._parents[step].take(at)
        return rows, at

    def _end_chapter(self, boards: int) -> None:
        """Make a chapter of the last steps, and drop the rows of earlier ones without descendants."""
        rows, origins = self._recent(np.arange(boards, dtype=np.uint32))
        self._written = 0
        kept = []
        for earlier_rows, earlier_origins in reversed(self._chapters):
            alive = np.zeros(len(earlier_rows), dtype=np.bool_)
            alive[origins] = True
            numbers = np.cumsum(alive, dtype=np.uint32) - np.uint32(1)
            kept.append((rows, numbers[origins]))
            rows, origins = earlier_rows[alive], earlier_origins[alive]
        self._chapters = [(rows, origins.astype(np.uint32)), *reversed(kept)]


# The size of the buffer, as a multiple of the width.
_ROOM = 1.25
# From the first number of boards on, the threshold is estimated from a sample: one block of boards in each group of the
# second number of blocks, which is a power of two.  More children than wanted remain, by the last factor.
_MANY, _EVERY, _SPARE = 1 << 14, 32, 1.05
# The number of boards, or of children, between two looks at whether to stop: a wide beam takes seconds for a square.
_SLICE = 1 << 17
# More invalid joins than the kernel can count.
_TOO_MANY = 0xFFFF


def boards_for(setting: Setting, width: int) -> kernel.Boards:
    """Room for as many partial boards."""
    tables = setting.tables
    slot = np.uint8 if tables.colors <= 0x100 else np.uint16
    place = np.uint16 if len(setting.rank.terms) <= 0x10000 else np.uint32
    return kernel.Boards(
        np.zeros((width, tables.words), dtype=np.uint64),
        np.zeros((width, _padded(setting.route.slots)), dtype=slot),
        np.zeros((width, _padded(tables.colors)), dtype=place),
        np.zeros(width, dtype=np.uint16),
        np.zeros(width, dtype=np.float32),
        np.zeros(width, dtype=np.uint64),
    )


class _StoppedError(Exception):
    """The beam is to stop before the next square is filled."""


def _padded(number: int) -> int:
    """The next multiple of what is copied at a time."""
    return -(-number // 16) * 16


class Beam:
    """A beam of a given width, starting from the fixed pieces; `extend` fills the next square.

    Attributes:
    - `depth`: the number of filled free squares.
    - `number`: the number of partial boards.
    """

    def __init__(self, setting: Setting, width: int, seed: int) -> None:
        self._setting, self._width = setting, width
        tables, room = setting.tables, int(_ROOM * width) + 1
        self._boards, self._next = boards_for(setting, width), boards_for(setting, width)
        opened = np.zeros(tables.colors, dtype=np.int64)
        for slot, color in setting.open_at_first:
            self._boards.slot[0, slot] = color
            opened[color] += 1
        self._boards.place[0, : tables.colors] = setting.rank.places(tables.unused, opened)
        self._boards.invalid[0] = setting.invalid.total
        # The potential less the cost of squares that no unused piece fits.
        self._hope = np.zeros(width, dtype=np.float32)
        # With frame slips, how many of the invalid joins of each board lie along the frame.
        counted = 0 if setting.frame_quota is None else width
        self._along_frame = np.full(counted, setting.invalid.frame, dtype=np.int64)
        self._buffer = kernel.Buffer(
            np.zeros(room, dtype=np.float32),
            np.zeros(room, dtype=np.uint32),
            np.zeros(room, dtype=np.uint32),
            np.zeros(room, dtype=np.float32),
            np.zeros(1, dtype=np.float32),
            np.zeros(kernel.HISTOGRAM + kernel.FINE_STEPS, dtype=np.int64),
            np.zeros(kernel.COUNTS, dtype=np.int64),
        )
        self._top = np.float32(0)
        rank = setting.rank
        fits = tables.sides, tables.mates, tables.first_bit, tables.last_bit, tables.mate_of
        self._pieces = kernel.Pieces(*fits, rank.terms, np.uint64(rank.row))
        self._changes = np.zeros((8, 2), dtype=np.uint64)
        self._by_color = np.zeros((2, tables.colors), dtype=np.float32)
        self._seen = np.zeros(1 << (2 * width - 1).bit_length(), dtype=np.int32)
        self._marked = np.zeros((kernel.BLOCK, 2), dtype=np.uint64)
        self._counts = self._buffer.counts
        self._counts[kernel.BOARDS] = 1
        # Never 0, for which the generator would stay at 0.
        self._counts[kernel.RANDOM] = int(scrambled(np.array([seed], dtype=np.uint64))[0] >> np.uint64(2)) + 1
        self._lineage = Lineage(width)
        self._must_stop: Callable[[], bool] = never
        self._apart, self._may_vary = np.uint64(0), True
        self.depth = 0

    @property
    def number(self) -> int:
        return int(self._counts[kernel.BOARDS])

    @property
    def looked_at(self) -> int:
        """The number of children examined, kept or not."""
        return int(self._counts[kernel.LOOKED_AT])

    @property
    def is_exhaustive(self) -> bool:
        """Whether no child was dropped for lack of room, so that repeating the beam would give the same result."""
        return not self._counts[kernel.THINNED]

    @staticmethod
    def bytes_a_board(setting: Setting) -> int:
        """The approximate memory of a beam per board of its width."""
        # Of the buffer, the hash table, the hopes and the joins along the frame.
        others = int(16 * _ROOM) + 12 + 4 + 8
        return 2 * sum(array.nbytes for array in boards_for(setting, 1)) + Lineage.bytes_a_board() + others

    @property
    def is_full(self) -> bool:
        """Whether every square is filled."""
        return self.depth == len(self._setting.free)

    def extend(self, most: int | None = None, must_stop: Callable[[], bool] = never) -> int:
        """Fill the next square; return the number of partial boards, at most `most`.

        If `must_stop`, which is called often, returns true, the beam stays as it is, and 0 is returned.
        """
        self._must_stop, setting = must_stop, self._setting
        step = setting.route.steps[self.depth]
        part = setting.part(self.depth)
        width = setting.width_at(part, self._width)
        width = width if most is None else min(width, most)
        penalty = np.float32(setting.penalty(part))
        self._empty_buffer(width, penalty)
        try:
            self._gather(step, width, penalty)
            kernel.thin_out(self._top, self._buffer)
            self._keep(step)
        except _StoppedError:
            return 0
        if not self.number:
            self._lineage.take_back()
        self.depth += 1
        if self._may_vary and self.depth >= setting.varied_at:
            self._vary()
        return self.number

    @classmethod
    def warm_up(cls, setting: Setting) -> None:
        """Compile or load all kernels that beams of this setting need."""
        beam = cls(setting, 1, 0)
        beam._counts[kernel.BOARDS] = 0
        for of_piece in (False, True):
            passes = ((step, one) for step in setting.route.steps for level in step.passes for one in level)
            for step, found in passes:
                if (found.runs is not None) == of_piece:
                    beam._gather_pass(step, found, 0, np.float32(0))
                    beam._keep(step)
                    break
        kernel.thin_out(np.float32(0), beam._buffer)

    def _empty_buffer(self, width: int, penalty: np.float32) -> None:
        number = self.number
        best = (self._hope[:number] - penalty * self._boards.invalid[:number]).max()
        self._top = np.float32(best + np.float32(MARGIN))
        self._buffer.threshold[0] = self._top - np.float32(kernel.HISTOGRAM - 2) / np.float32(kernel.STEPS)
        self._want(width)

    def _want(self, children: int) -> None:
        """Begin with an empty buffer, for this number of children; the threshold stays."""
        self._buffer.histogram[:] = 0
        self._counts[kernel.CHILDREN], self._counts[kernel.WANTED] = 0, children

    def _gather(self, step: Step, width: int, penalty: np.float32) -> None:
        """Search for children in one pass after the other, as long as invalid joins are permitted or needed."""
        setting, depth = self._setting, self.depth
        if self.number >= _MANY and not setting.is_valid_only(depth):
            self._estimate_threshold(step, setting.most_invalid(depth), width, penalty)
        for wrong, level in enumerate(step.passes):
            if setting.are_enough(int(self._counts[kernel.CHILDREN]), depth, wrong, width):
                break
            if wrong:
                kernel.thin_out(self._top, self._buffer)
            for found in level:
                self._gather_pass(step, found, setting.most_in_pass(depth, wrong), penalty)

    def _estimate_threshold(self, step: Step, most: int, width: int, penalty: np.float32) -> None:
        """Find the threshold from a sample, so that few children are put into the buffer only to be dropped later."""
        self._want(int(_SPARE * width / _EVERY))
        for level in step.passes[:2]:
            for found in level:
                self._gather_pass(step, found, most, penalty, _EVERY)
        kernel.thin_out(self._top, self._buffer)
        self._want(width)

    def _gather_pass(self, step: Step, found: Pass, most: int, penalty: np.float32, every: int = 1) -> None:
        """Search for children of all boards, or of one in `every` blocks."""
        setting = self._setting
        boards, hope, most = self._counted(found, most, penalty)
        skipped = np.uint64(every - 1)
        blocked = np.float32(BLOCKED * penalty)
        how = most, kernel.Scoring(penalty, np.float32(NOISE), self._top, setting.route.masks, blocked)
        matching = np.uint64(found.matching)
        for part in self._slices(self.number):
            if found.runs is None:
                kernel.gather(
                    step.numbers, np.uint64(found.keyed), matching, np.uint64(found.differing), found.lists,
                    self._pieces, *part, skipped, boards, hope, *how, self._buffer, self._changes,
                )  # fmt: skip
            else:
                kernel.gather_by_piece(
                    step.numbers, matching >> np.uint64(1), found.runs,
                    self._pieces, *part, skipped, boards, hope, *how, self._buffer, self._changes, *self._by_color,
                )  # fmt: skip

    def _slices(self, number: int) -> Iterator[tuple[np.uint64, np.uint64]]:
        """The ends of slices of boards or children, one after the other; raises `_StoppedError` if it must stop."""
        for first in range(0, max(number, 1), _SLICE):
            if self._must_stop():
                raise _StoppedError
            yield np.uint64(first), np.uint64(min(first + _SLICE, number))

    def _counted(self, found: Pass, most: int, penalty: np.float32) -> tuple[kernel.Boards, NDArray[np.float32], int]:
        """The boards, their hopes, and the largest number of invalid joins of a child.

        With frame slips the boards have their inner invalid joins only, and the penalty for the others is in their
        hopes; a board that would get too many along the frame has too many of all.
        """
        boards, along = self._boards, self._along_frame
        if self._setting.frame_quota is None:
            return boards, self._hope, most
        inner = np.minimum(boards.invalid - along, _TOO_MANY)
        if found.along_frame:
            inner[along + found.along_frame > self._setting.frame_quota[self.depth]] = _TOO_MANY
        less = np.asarray(self._hope - penalty * along.astype(np.float32), dtype=np.float32)
        return boards._replace(invalid=inner.astype(np.uint16)), less, min(most + found.along_frame, _TOO_MANY)

    def _keep(self, step: Step) -> None:
        setting = self._setting
        # A hash table of twice the children at least.
        children = int(self._counts[kernel.CHILDREN])
        seen = self._seen[: 1 << (2 * max(children, 1) - 1).bit_length()]
        seen[:] = -1
        number = self.number
        lineage = self._lineage.begin_step(number)
        self._counts[kernel.BOARDS] = 0
        try:
            for part in self._slices(children):
                kernel.keep(
                    step.numbers, self._pieces, setting.mark_of_bit, setting.mark_of_slot, self._boards, self._apart,
                    self._next, *part, self._buffer, seen, *lineage, self._marked,
                )  # fmt: skip
        except _StoppedError:
            self._counts[kernel.BOARDS] = number
            self._lineage.take_back()
            raise
        self._boards, self._next = self._next, self._boards
        self._look_around(step)
        if setting.frame_quota is not None:
            self._count_along_frame(step)

    def _look_around(self, step: Step) -> None:
        setting, boards = self._setting, self._boards
        cost = np.float32(BLOCKED_LATER * setting.penalty(setting.part(self.depth + 1)))
        kernel.look_around(
            self.number, step.around, setting.route.masks, np.uint64(setting.tables.colors), cost,
            boards.used, boards.slot, boards.potential, self._hope,
        )  # fmt: skip

    def _count_along_frame(self, step: Step) -> None:
        """Count the invalid joins along the frame of the boards that have just been made."""
        number, numbers = self.number, step.numbers
        parents, placed = self._lineage.parents(number), self._lineage.candidates(number)
        along = self._along_frame[parents]
        for start in range(FIRST_KNOWN, FIRST_KNOWN + 3 * int(numbers[KNOWN]), 3):
            side, slot, is_along = numbers[start : start + 3]
            if is_along:
                fits = self._setting.tables.mates[placed] >> np.uint64(16 * side) & np.uint64(0xFFFF)
                along += fits != self._next.slot[parents, slot]
        self._along_frame[:number] = along

    def _vary(self) -> None:
        """Keep a random part of the boards, once, as soon as some were dropped, so that other beams have other ones."""
        number = self.number
        self._may_vary = self._setting.is_early(self.depth)
        kept = max(number // ONE_IN, LEAST_VARIED)
        if not self._may_vary or self.is_exhaustive or kept >= number:
            return
        self._may_vary = False
        random = mixed(int(self._counts[kernel.RANDOM]) % 2**62, number)
        chosen = np.sort(np.argpartition(random, kept)[:kept])
        counted = () if self._setting.frame_quota is None else (self._along_frame,)
        for array in (*self._boards, self._hope, *counted):
            array[:kept] = array[chosen]
        self._lineage.keep(chosen)
        self._counts[kernel.BOARDS] = kept

    def tell_apart(self) -> None:
        """On the last square no two boards count as equal, so that the last layer has all that are found."""
        # Other numbers than those of the pieces and slots.
        first = 1 + self._setting.mark_of_bit.size + self._setting.mark_of_slot.size
        self._boards.marks[: self.number] = mixed(first, self.number)
        self._apart = APART

    @property
    def invalid(self) -> NDArray[np.uint16]:
        """The number of invalid joins of each board."""
        return self._boards.invalid[: self.number]

    @property
    def fewest_invalid(self) -> int:
        """The fewest invalid joins of a board."""
        return int(self.invalid.min())

    def best_row(self) -> NDArray[np.int64]:
        """The candidates of the board with the fewest invalid joins, for the squares filled so far.

        If there is no board, those of a board without one more square.
        """
        return self.row(int(np.argmin(self.invalid))) if self.number else self.row(0)

    def row(self, board: int) -> NDArray[np.int64]:
        """The candidates of a board, for the squares filled so far."""
        return self.rows(np.array([board]))[0]

    def rows(self, boards: NDArray[np.int64]) -> NDArray[np.int64]:
        """The candidates of some boards, a row for each, for the squares filled so far."""
        return self._lineage.rows(boards)
