"""The arrays on the GPU: those of a puzzle, those of an order of squares, and room for boards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ...gpu import on_gpu, room_on_gpu
from ..routes import FIRST_KNOWN, KNOWN, NUMBERS, OPENED, Pass, Step
from ..setting import Setting
from ..tables import BeamLists, Runs
from .kernel import COUNTS, DIGITS, LOWEST, UNIT, Children, GpuBoards, Layout, Lists, Pieces, Table

# The room for children as a multiple of the width, and the size of the hash table as a multiple of that.
_ROOM, _TABLE = 1.3, 2
# The least room: a beam of few boards has many children for each.
_LEAST_ROOM = 4096
#: Colours and places must fit into their bits.
MOST_COLORS, _MOST_PLACES = 250, 1 << 16
_END = 0xFFFFFFFF


def in_units(value: float) -> int:
    """A score in the whole numbers of the kernels."""
    return round(value * UNIT)


@dataclass(frozen=True)
class GpuPass:
    """One pass of a step: its lists, and how many threads share a board.

    `colors` has the colours that the other sides of its candidates show or fit, with those that fit onto them; None if
    the scores of its children are not bounded in advance.  If `falls`, each of them is its own mate; then a piece can
    only lower the potential.
    """

    found: Pass
    lists: Lists
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
        terms = np.maximum(np.rint(setting.rank.terms.astype(np.float64) * UNIT), LOWEST >> 4).astype(np.int32)
        of_pieces = tables.sides, tables.mates, tables.first_bit, tables.last_bit, terms, route.masks
        marks = setting.mark_of_bit, np.ascontiguousarray(setting.mark_of_slot)
        self.pieces = Pieces(*map(on_gpu, (*of_pieces, *marks)))
        slot_at, place_at, row_words = _parts_of_row(setting)
        numbers = tables.words, slot_at, place_at, row_words, tables.colors, setting.rank.row
        self.layout = Layout(*map(np.uint64, numbers))
        # By the identity of lists on the processor, which are kept with them.
        self._lists: dict[int, tuple[BeamLists, Lists, int]] = {}
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
            self._lists[key] = found.lists, Lists(*on_device), lanes
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
    return lists.index, ends[np.searchsorted(ends, lists.index)].astype(np.uint32)


def _parts_of_row(setting: Setting) -> tuple[int, int, int]:
    """Where slots and places begin in the row of a board, and its words."""
    slot_at = setting.tables.words
    place_at = slot_at + -(-setting.route.slots // 8)
    return slot_at, place_at, place_at + -(-setting.tables.colors // 4)


class Room:
    """Room for the boards of beams up to a width; one beam after the other uses it.

    - `settings`: those of all orders: boards along some of them need more words than along others.
    - `width`: the largest width.

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
        self.children = Children(*(room_on_gpu(self.room, kind) for kind in types))
        size = _TABLE * self.room + 1
        self.table = Table(*(room_on_gpu(size, np.uint64) for _ in range(2)))
        self.reach = room_on_gpu(width, np.int32)
        self.counts = on_gpu(np.zeros(COUNTS, dtype=np.int32))
        self.histogram = on_gpu(np.zeros(DIGITS, dtype=np.int32))
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


def _boards(width: int, row_words: int) -> GpuBoards:
    types = np.int32, np.int32, np.int32, np.uint64, np.uint64
    rows = room_on_gpu((width, row_words), np.uint64)
    return GpuBoards(rows, *(room_on_gpu(width, kind) for kind in types))
