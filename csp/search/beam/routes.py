"""The route of a beam over the board: which sides of a square are known when it is filled, and where they are stored.

A *slot* is an entry in a partial board's row of open sides: a side that faces an empty square has one from the time its
piece is placed until the facing square is filled.  The order is fixed, so slots are assigned in advance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest

import numpy as np
from numpy.typing import NDArray

from ...puzzles.board import Board, Join, opposite
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from .tables import BeamLists, BeamTables, Runs

#: The entries of a step: the number of known sides, then for each of them the side, its slot and whether its join lies
#: along the frame; the slots of the four sides if they become open, or -1; the number of those; where the colours of
#: the first two known sides of the next square come from: a side of this one, or 4 and the slot; and where the bit
#: masks for these two sides start in `Route.masks`, or -1 if fewer than two are known.
KNOWN, FIRST_KNOWN, OPENED, OPENED_NUMBER, AHEAD, AHEAD_MASKS, NUMBERS = 0, 1, 13, 17, 18, 20, 21

# With more colours, one list for every two colours would be too many; and so would a bit mask of pieces be.
_MANY_COLORS, _MANY_FOR_MASKS = 2000, 250


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
            keyed = matching[: 1 if tables.colors > _MANY_COLORS else 2]
            lists = tables.lists(borders, tuple(sides[number] for number in keyed))
            one_of_two = len(sides) == 2 and wrong == 1
            runs = tables.runs(borders, sides[matching[0]]) if one_of_two else None
            level.append(Pass(_bits(keyed), _bits(matching), _bits(differing), lists, runs, along))
        yield tuple(level)


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
