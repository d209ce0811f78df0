"""The number of ways to lay one side of a board with both corners, by the classes of its edge pieces.

The walk along the side is that of `frame_halves`, from one corner piece to the other.  A use of the classes stands for
all choices and orders of as many pieces of each class.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ....engines.request import Options, given_slips
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.slips import fixed_pieces_agree
from ....puzzles.symmetry import region_symmetries
from ..parts import Pause, Share
from .frame_classes import FrameClasses, one_at_a_time, refuse_large_numbers
from .frame_halves import Arena, FrameHalf, FrameRun, Walker, most_chunks, refuse_large
from .frame_kernel import NONE
from .frame_walk import Arc, BoardFrame, Side, frame_of
from .region import find_region


class _SidePart(NamedTuple):
    """A side between two corner pieces: in how many ways these can be chosen, the walk, and the colour at its end."""

    ways: int
    run: FrameRun
    end: int


def classes_of_region(puzzle: EdgeMatchingPuzzle, options: Options) -> "FrameClasses | SideClasses":
    """The count of a whole frame, or of one of its sides.

    Raises
    ------
    EngineError
        If the method does not apply.
    """
    side = None if options.squares is None else _side_of(puzzle, {*options.squares})
    return FrameClasses(puzzle, options) if side is None else SideClasses(puzzle, options, side)


def _side_of(puzzle: EdgeMatchingPuzzle, squares: set[int]) -> int | None:
    """Which side a region is, from the top clockwise; None for other regions."""
    lines = ("row:1", f"column:{puzzle.columns}", f"row:{puzzle.rows}", "column:1")
    found = [number for number, line in enumerate(lines) if {*find_region(puzzle.board, line)} == squares]
    return found[0] if found and min(puzzle.rows, puzzle.columns) > 2 else None


class SideClasses:
    """A count of one side, whose parts are the ways to choose its corner pieces; see `Piecework`.

    Raises
    ------
    EngineError
        If the method does not apply.
    """

    method = "frame_classes"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options, side: int) -> None:
        if options.order is not None or given_slips(options) is not None:
            raise EngineError("method frame_classes: it has no search order and no slips; the method plain has both")
        self.found, self._puzzle = region_symmetries(puzzle), puzzle
        self.options: Mapping[str, object] = {"squares": puzzle.board.ranges(options.squares or ())}
        frame, fixed = frame_of(puzzle), {fixed.square for fixed in puzzle.fixed}
        if frame is None or any(puzzle.board.border_mask(square) for square in fixed - {*(options.squares or ())}):
            why = "fixed pieces on other sides, or too few pieces"
            raise EngineError(f"method frame_classes: {why}; use the method plain")
        self._walker, self._lock = Walker(frame, options.threads), threading.Lock()
        refuse_large_numbers(frame, frame.sides[side].free)
        self._parts = [*_parts_of_side(frame, side)] if fixed_pieces_agree(puzzle) else []
        chunks, size = [self._walker.chunks(part.run, part.end) for part in self._parts], self._walker.chunk_size()
        self._arena: Arena | None = None
        self._chunks, self._frame = max(map(most_chunks, chunks), default=0), frame
        refuse_large(self._chunks, size)
        self.work: NDArray[np.float64] = np.array([float(of.sum() * size) for of in chunks])

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        return one_at_a_time(first, last, self._puzzle, self._lock, self._count_part, pause)

    def _count_part(self, number: int, pause: Callable[[], Pause]) -> tuple[list[int], int] | None:
        part = self._parts[number]
        if self._arena is None:
            self._arena = Arena(self._chunks, self._walker.chunk_size())
        self._arena.clear()
        half = self._walker.half(part.run, part.end, self._arena, pause)
        return None if half is None else (half[1], part.ways * self._arrangements(half[0], part.end))

    def _arrangements(self, half: FrameHalf, end: int) -> int:
        """The arrangements of numbered pieces: for each use, its ways times the choices and orders of its pieces."""
        assert self._arena is not None
        uses, total = self._walker.uses, 0
        of_row, of_list = self._choices
        # Sums below this bound fit into 64 bits.
        most, small = 2**63 // int(of_list.max()), np.minimum(of_list, 2**63 - 1).astype(np.uint64)
        starts, lists = half.starts[:, end], half.lists[end]
        for row in np.flatnonzero(starts != NONE):
            which = lists[uses.key_of[row]]
            first, size, at = int(uses.first[which]), int(uses.sizes[which]), int(starts[row]) + 1
            ways, here = self._arena.numbers[at : at + size], slice(first, first + size)
            fits = int(ways.max()) * size <= most
            found = ways @ small[here] if fits else (ways.astype(object) * of_list[here]).sum()
            total += int(of_row[row]) * int(found)
        return total

    @cached_property
    def _choices(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """For each row, and for each entry of the lists, the number of ordered choices of its pieces."""
        uses = self._walker.uses
        return self._choices_of(uses.in_rows)[uses.place], self._choices_of(uses.listed)[uses.by_list]

    def _choices_of(self, classes: tuple[int, ...]) -> NDArray[Any]:
        """For all uses of some classes, the number of ordered choices of pieces, as Python numbers."""
        digits = self._walker.uses.digits(classes)
        found = np.ones(len(digits), dtype=object)
        for column, which in enumerate(classes):
            number = self._frame.numbers[which]
            found *= np.array([perm(number, used) for used in range(number + 1)], dtype=object)[digits[:, column]]
        return found


def _parts_of_side(frame: BoardFrame, side: int) -> Iterator[_SidePart]:
    """The choices of the corner pieces at the ends of a side."""
    free, places = dict(frame.corners), (side, (side + 1) % 4)
    choices: list[list[Arc]] = []
    for place in places:
        arc = frame.fixed_corners[place]
        choices.append([*free] if arc is None else [arc])
    for first, last in product(*choices):
        ways, left = 1, dict(free)
        for place, arc in zip(places, (first, last), strict=True):
            if frame.fixed_corners[place] is None:
                ways *= left[arc]
                left[arc] -= 1
        if ways:
            yield _SidePart(ways, FrameRun((frame.sides[side], Side(())), last, first[1]), last[1])
