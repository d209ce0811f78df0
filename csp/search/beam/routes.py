"""The tables of the beam's kernels: candidates by colours, those of the frame apart, and the route over the board.

The route says which sides of a square are known when it is filled, and where they are stored.  A *slot* is an entry in
a partial board's row of open sides: a side that faces an empty square has one from the time its piece is placed until
the facing square is filled.  The order is fixed, so slots are assigned in advance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.bit_words import set_bits
from ...base.errors import PuzzleError
from ...puzzles.board import MET_WAY, Board, Join, opposite, way_along_border
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.symmetry import MAX_COLORS, Candidates, find_candidates, lists_by_key, packed, symmetries

_END = 0xFFFFFFFF
#: Ends a run of candidates that are one piece.
LAST = np.uint32(1 << 31)


class BeamLists(NamedTuple):
    """Candidates by the colours that some of their sides must fit."""

    #: Where a key's list starts in `entries`; a key is made of colours, the first one being the most significant.
    starts: NDArray[np.uint32]
    #: The lists one after the other, each ended by 0xFFFFFFFF.
    entries: NDArray[np.uint32]


class Runs(NamedTuple):
    """Candidates by the colour that one side must fit, and by piece, so that used pieces cost nothing."""

    #: Shape (colours, words): the bits of the pieces that fit.
    masks: NDArray[np.uint64]
    #: Shape (colours, bits): where the candidates of a piece start in `entries`.
    starts: NDArray[np.uint32]
    #: Candidates; the top bit marks the last one of a piece.
    entries: NDArray[np.uint32]
    #: The colours that they show, and that fit onto these, on the other sides.
    colors: NDArray[np.uint64]


class BeamTables:
    """The data of a puzzle that are the same in every beam.

    A side along the frame fits only a side along the same border in the opposite direction.  So a colour counts as two
    colours there, and the needs of the frame are known by direction.

    Attributes:
    - `candidates`: what may be placed: each type of piece, turned in each way that changes it.
    - `colors`: the number of colours that are distinguished in this way.
    - `sides`, `mates`: the colours of the four sides of each candidate and those that fit onto them, 16 bits each;
      0xFFFF for the border.
    - `mate_of`: the colour that fits onto each.
    - `bits`: each piece has a bit; those that look alike follow each other and are used from the first on.
    - `first_bit`, `last_bit`: the bits of a candidate's piece and of those that look like it.
    - `unused`: the number of sides of all pieces that fit onto each colour.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self.candidates = candidates = find_candidates(puzzle, symmetries(puzzle).types)
        self._sides, self._mates, self._numbers = _told_apart(candidates)
        sides = self._sides
        # The last one is for sides of fixed pieces that nothing fits.
        self.colors = int(self._numbers.max()) + 2
        if self.colors > MAX_COLORS:
            raise PuzzleError(
                f"{self.colors} colours (those along the frame count twice); at most {MAX_COLORS} are supported"
            )
        self.sides, self.mates = packed(sides & 0xFFFF), packed(self._mates & 0xFFFF)
        self.mate_of = np.zeros(self.colors, dtype=np.uint64)
        self.mate_of[sides[sides >= 0]] = self._mates[sides >= 0]
        # Some fit onto a colour that no piece shows.
        self.mate_of[self._mates[sides >= 0]] = sides[sides >= 0]
        pieces = np.array([len(kind.pieces) for kind in candidates.kinds], dtype=np.int64)
        ends = np.cumsum(pieces)
        self.bits = int(pieces.sum())
        self.words = max(1, -(-self.bits // 64))
        self.first_bit = (ends - pieces)[candidates.of_type].astype(np.uint64)
        self.last_bit = (ends - 1)[candidates.of_type].astype(np.uint64)
        one_of_each = np.unique(candidates.of_type, return_index=True)[1]
        fitting = self._mates[one_of_each]
        shown = fitting >= 0
        number = np.broadcast_to(pieces[:, None], shown.shape)[shown]
        self.unused = np.bincount(fitting[shown], number, self.colors).astype(np.int64)
        self.lists, self.runs, self.masks = cache(self._lists), cache(self._runs), cache(self._masks)

    def color(self, board: Board, square: int, side: int, shown: int) -> int:
        """The number in these tables of a colour that a fixed piece shows on a side."""
        way = way_along_border(board.border_mask(square), side)
        number = int(self._numbers[way, self.candidates.color_index[shown]])
        return number if number >= 0 else self.colors - 1

    def _lists(self, borders: int, keyed: tuple[int, ...]) -> BeamLists:
        """The candidates with these borders (a bit mask), by the colours that their `keyed` sides must fit."""
        rows = self.candidates.with_borders(borders)
        keys = np.zeros(len(rows), dtype=np.int64)
        for side in keyed:
            keys = keys * self.colors + self._mates[rows, side]
        found, first, lists = lists_by_key(rows, keys, _END)
        entries = np.append(lists, _END).astype(np.uint32)
        # The last list is empty.
        index = np.full(self.colors ** len(keyed), len(entries) - 1, dtype=np.uint32)
        index[found] = first
        return BeamLists(index, entries)

    def _masks(self, borders: int, sides: tuple[int, ...]) -> NDArray[np.uint64]:
        """The bits of the pieces with these borders, by the colours that two sides must fit."""
        rows = self.candidates.with_borders(borders)
        masks = np.zeros((self.colors**2, self.words), dtype=np.uint64)
        for row in rows:
            key = self._mates[row, sides[0]] * self.colors + self._mates[row, sides[1]]
            for bit in range(int(self.first_bit[row]), int(self.last_bit[row]) + 1):
                masks[key, bit // 64] |= np.uint64(1 << bit % 64)
        return masks

    def _runs(self, borders: int, side: int) -> Runs:
        """The candidates with these borders, by the colour that `side` must fit."""
        rows = self.candidates.with_borders(borders)
        color, bit = self._mates[rows, side], self.last_bit[rows].astype(np.int64)
        by_piece = np.lexsort((bit, color))
        entries, color, bit = rows[by_piece].astype(np.uint32), color[by_piece], bit[by_piece]
        masks = np.zeros((self.colors, self.words), dtype=np.uint64)
        starts = np.zeros((self.colors, 64 * self.words), dtype=np.uint32)
        if len(entries):
            changes = np.append(True, (np.diff(color) != 0) | (np.diff(bit) != 0))
            entries[np.append(changes[1:], True)] |= LAST
            first = np.flatnonzero(changes)
            starts[color[first], bit[first]] = first
            set_bits(masks, color[first], bit[first])
        others = [other for other in range(4) if other != side and not borders >> other & 1]
        colors = np.union1d(self._sides[rows][:, others], self._mates[rows][:, others])
        return Runs(masks, starts, entries, colors.astype(np.uint64))


def _told_apart(candidates: Candidates) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The sides and mates of all candidates, and the numbers of all colours, shape (ways, colours)."""
    border = candidates.sides < 0
    way = np.roll(border, -1, axis=1) + 2 * np.roll(border, 1, axis=1)
    mate_way = np.array(MET_WAY)[way]
    numbers = np.full((4, candidates.colors + 1), -1, dtype=np.int64)
    numbers[way[~border], candidates.sides[~border]] = 0
    numbers[mate_way[~border], candidates.mates[~border]] = 0
    used = numbers == 0
    numbers[used] = np.arange(used.sum())
    return (
        np.where(border, -1, numbers[way, candidates.sides]),
        np.where(border, -1, numbers[mate_way, candidates.mates]),
        numbers,
    )


#: The entries of a step: the number of known sides, then for each of them the side, its slot and whether its join lies
#: along the frame; the slots of the four sides if they become open, or -1; the number of those; where the colours of
#: the first two known sides of the next square come from: a side of this one, or 4 and the slot; and where the bit
#: masks for these two sides start in `Route.masks`, or -1 if fewer than two are known.
KNOWN, FIRST_KNOWN, OPENED, OPENED_NUMBER, AHEAD, AHEAD_MASKS, NUMBERS = 0, 1, 13, 17, 18, 20, 21

#: With more colours, one list for every two colours would be too many; and so would a bit mask of pieces be.
MANY_COLORS, _MANY_FOR_MASKS = 2000, 250


@dataclass(frozen=True)
class Pass:
    """One way to search for candidates."""

    #: Which of the known sides select the list, must match, and must not match, as bits.
    keyed: int
    matching: int
    differing: int
    #: The candidates that match on the keyed sides.
    lists: BeamLists
    #: The same by piece, for passes in which one of two known sides must match and the other one must not.
    runs: Runs | None
    #: How many of the joins that do not match lie along the frame.
    along_frame: int


@dataclass(frozen=True)
class Step:
    """A square to fill: its numbers, and its passes by the number of known sides that do not match.

    `around` has a row for every later square but the next one of which two sides are known once this one is filled:
    the slots of two of them, and where the bit masks for these sides start in `Route.masks`.
    """

    square: int
    numbers: NDArray[np.int64]
    passes: tuple[tuple[Pass, ...], ...]
    around: NDArray[np.int64]


@dataclass(frozen=True)
class Route:
    """All steps; the number of slots; and the slots of the open sides of fixed pieces: slot, square, side.

    `masks` has the bits of the pieces that fit two colours, for one pair of sides after the other.
    """

    steps: tuple[Step, ...]
    slots: int
    open_at_first: tuple[tuple[int, int, int], ...]
    masks: NDArray[np.uint64]


class _Slots:
    """Assigns slots, and takes them back."""

    def __init__(self) -> None:
        self._spare: list[int] = []
        self._of: dict[tuple[int, int], int] = {}
        self.number = 0

    def open(self, square: int, side: int) -> int:
        if not self._spare:
            self._spare.append(self.number)
            self.number += 1
        self._of[square, side] = slot = self._spare.pop()
        return slot

    def of(self, square: int, side: int) -> int:
        return self._of[square, side]

    def close(self, square: int, side: int) -> int:
        slot = self._of.pop((square, side))
        self._spare.append(slot)
        return slot


class _Masks:
    """The bit masks of all pairs of sides that a route looks at, one pair after the other."""

    def __init__(self, tables: BeamTables) -> None:
        self._tables = tables
        self._start_of: dict[tuple[int, tuple[int, ...]], int] = {}

    def start(self, borders: int, sides: tuple[int, ...]) -> int:
        """Where the masks for two sides of a square with these borders start."""
        return self._start_of.setdefault((borders, sides), len(self._start_of) * self._tables.colors**2)

    def all(self) -> NDArray[np.uint64]:
        nothing = np.zeros((0, self._tables.words), dtype=np.uint64)
        return np.concatenate([nothing, *(self._tables.masks(*key) for key in self._start_of)])


def find_route(
    puzzle: EdgeMatchingPuzzle, tables: BeamTables, free: Sequence[int], *, frame_slips: bool = False
) -> Route:
    """The route over the squares `free`, in that order; all others hold fixed pieces.

    Unless there are `frame_slips`, joins along the frame must match.
    """
    board, slots = puzzle.board, _Slots()
    filled = set(range(len(board))) - set(free)
    open_at_first = tuple(
        (slots.open(square, join.side), square, join.side)
        for square in sorted(filled)
        for join in board.joins_of(square)
        if join.second not in filled
    )
    steps: list[Step] = []
    masks = _Masks(tables)
    ahead = _Ahead(board, masks, slots, filled, free) if tables.colors <= _MANY_FOR_MASKS else None
    for square, following in zip_longest(free, free[1:]):
        step = _step(board, tables, slots, filled, square, frame_slips=frame_slips)
        filled.add(square)
        if ahead is not None:
            ahead.fill(filled, square)
            step = ahead.looking(step, following)
        steps.append(step)
    return Route(tuple(steps), max(slots.number, 1), open_at_first, masks.all())


def _step(board: Board, tables: BeamTables, slots: _Slots, filled: set[int], square: int, *, frame_slips: bool) -> Step:
    joins, known = list(board.joins_of(square)), _known(board, filled, square)
    numbers = np.full(NUMBERS, -1, dtype=np.int64)
    numbers[KNOWN] = len(known)
    for number, join in enumerate(known):
        slot = slots.close(join.second, opposite(join.side))
        start = FIRST_KNOWN + 3 * number
        numbers[start : start + 3] = join.side, slot, board.is_frame_join(join)
    opened = [join for join in joins if join.second not in filled]
    numbers[OPENED_NUMBER] = len(opened)
    for join in opened:
        numbers[OPENED + join.side] = slots.open(square, join.side)
    frame = sum(board.is_frame_join(join) for join in known)
    sides = [join.side for join in known]
    passes = _passes(tables, board.border_mask(square), sides, frame, frame_slips=frame_slips)
    return Step(square, numbers, tuple(passes), np.zeros((0, 3), dtype=np.int64))


def _known(board: Board, filled: set[int], square: int) -> list[Join]:
    """The joins of a square with filled ones; those that must match come first, since they make the shorter lists."""
    joins = (join for join in board.joins_of(square) if join.second in filled)
    return sorted(joins, key=lambda join: not board.is_frame_join(join))


class _Ahead:
    """The empty squares of which two sides are known: these sides, their slots, and where their bit masks start."""

    def __init__(self, board: Board, masks: _Masks, slots: _Slots, filled: set[int], free: Sequence[int]) -> None:
        self._board, self._masks, self._slots = board, masks, slots
        self._place_of = {square: place for place, square in enumerate(free)}
        self._seen: dict[int, tuple[list[Join], list[int], int]] = {}
        for square in free:
            self._see(filled, square)

    def _see(self, filled: set[int], square: int) -> None:
        """Look at an empty square, beside which squares may have been filled."""
        known = _known(self._board, filled, square)[:2]
        if len(known) == 2:
            start = self._masks.start(self._board.border_mask(square), tuple(join.side for join in known))
            at = [self._slots.of(join.second, opposite(join.side)) for join in known]
            self._seen[square] = known, at, start

    def fill(self, filled: set[int], square: int) -> None:
        """A square, one of `filled`, is empty no longer; its own slots are assigned."""
        self._seen.pop(square, None)
        for join in self._board.joins_of(square):
            if join.second not in filled:
                self._see(filled, join.second)

    def looking(self, step: Step, following: int | None) -> Step:
        """The step, with what it needs to know about the square that follows and the later ones."""
        around = []
        for square in sorted(self._seen, key=self._place_of.__getitem__):
            known, at, start = self._seen[square]
            if square != following:
                around.append([*at, start])
                continue
            own = [join.second == step.square for join in known]
            sources = [opposite(known[i].side) if own[i] else 4 + at[i] for i in range(2)]
            step.numbers[AHEAD : AHEAD_MASKS + 1] = *sources, start
        return replace(step, around=np.array(around, dtype=np.int64).reshape(-1, 3))


def _passes(
    tables: BeamTables, borders: int, sides: Sequence[int], frame: int, *, frame_slips: bool
) -> Iterator[tuple[Pass, ...]]:
    """The passes with no wrong side among the first two that are known, with one, with both.

    The first `frame` sides lie along the frame, at most two.
    """
    first = range(min(len(sides), 2))
    for wrong in range(len(first) + 1):
        level = []
        for differing in combinations(first, wrong):
            along = sum(number < frame for number in differing)
            if along and not frame_slips:
                continue
            matching = [number for number in first if number not in differing]
            keyed = matching[: 1 if tables.colors > MANY_COLORS else 2]
            lists = tables.lists(borders, tuple(sides[number] for number in keyed))
            one_of_two = len(sides) == 2 and wrong == 1
            runs = tables.runs(borders, sides[matching[0]]) if one_of_two else None
            level.append(Pass(_bits(keyed), _bits(matching), _bits(differing), lists, runs, along))
        yield tuple(level)


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
