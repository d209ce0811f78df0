"""The number of ways to lay the frame of a board, by the classes of its edge pieces.

A frame is a closed walk through the frame colours; see `frame_walk`.  It is cut at the top left and the bottom right
corner.  For each half, and each use of the classes, the ways to lay the half are added up step by step; a use and one
that has all other pieces make a frame.  Corner pieces are laid in all ways, of which those that turns of the frame make
equal are counted once.

A node is an addition: all ways for a use and a class as the next piece.  Its depth is the number of fixed pieces and of
free edge pieces on the half.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice, zip_longest
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ....engines.request import Options, given_slips
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.slips import fixed_pieces_agree
from ....puzzles.symmetry import region_symmetries
from ..parts import Pause, Share
from .frame_halves import Arena, FrameHalf, FrameRun, Walker, most_chunks, refuse_large
from .frame_walk import Arc, BoardFrame, Side, frame_of
from .region import find_region

_MOST_CHOICES = 1000

# A walk, and the colour at its end.
_HalfWalk = tuple[FrameRun, int]


class FrameClasses:
    """A count of frames, whose parts are the ways to lay the corner pieces.

    Threads work on one part at a time, so that memory does not depend on their number.

    Parameters
    ----------
    puzzle
        The puzzle; its pieces inside the frame matter only where they are fixed.
    options
        They must be the defaults, except for those that affect only how the count is run.

    Attributes
    ----------
    method, options, found, work
        As for `Piecework`.

    Raises
    ------
    EngineError
        If the method does not apply.
    """

    method = "frame_classes"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse(puzzle, options)
        self.found, self._puzzle = region_symmetries(puzzle), puzzle
        self.options: Mapping[str, object] = {"squares": "frame"}
        self._lock = threading.Lock()
        frame = frame_of(puzzle)
        self._walker = lru_cache(maxsize=2)(partial(Walker, threads=options.threads))
        self._parts = [] if frame is None or not fixed_pieces_agree(puzzle) else list(_parts(frame))
        self._arena: Arena | None = None
        # The halves in the arena, and the frame whose they are.
        self._frame: BoardFrame | None = None
        self._kept: dict[_HalfWalk, tuple[FrameHalf, list[int]]] = {}
        self._chunks, work = 0, []
        for part in self._parts:
            additions, chunks = self._measure(part)
            work.append(additions)
            self._chunks = max(chunks, self._chunks)
            refuse_large(chunks, self._walker(part.frame).chunk_size())
        self.work: NDArray[np.float64] = np.array(work, dtype=np.float64)

    def _measure(self, part: "_FramePart") -> tuple[float, int]:
        """The predicted additions of a part, and the chunks of the arena that it needs."""
        walker = self._walker(part.frame)
        upper, lower = (walker.chunks(*half) for half in part.halves)
        # The half that is complete already is kept beside the other one.
        most = max(most_chunks(upper) + int(lower[-1].sum()), most_chunks(lower) + int(upper[-1].sum()))
        additions = (upper.sum() + lower.sum()) * walker.chunk_size() * len(part.frame.arcs) / part.frame.colors
        return 1.0 + float(additions), most

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        return one_at_a_time(first, last, self._puzzle, self._lock, self._count_part, pause)

    def _count_part(self, part: int, pause: Callable[[], Pause]) -> tuple[list[int], int] | None:
        """The additions of a part and the number of its frames, None if paused."""
        frame, ways, walks = self._parts[part]
        walker = self._walker(frame)
        arena = self._prepared(part, walker.chunk_size())
        for walk in walks:
            if walk not in self._kept:
                half = walker.half(*walk, arena, pause)
                if half is None:
                    self._kept = {}
                    return None
                self._kept[walk] = half
        (upper, nodes), (lower, other_nodes) = (self._kept[walk] for walk in walks)
        number = walker.joined(upper, walks[0][1], lower, walks[1][1], arena)
        return [sum(pair) for pair in zip_longest(nodes, other_nodes, fillvalue=0)], ways * number

    def _prepared(self, part: int, size: int) -> Arena:
        """The arena for a part, with the halves that it shares with the part before."""
        frame, _, walks = self._parts[part]
        if self._frame is not frame:
            self._frame, self._kept = frame, {}
        if self._arena is None or self._arena.size != size:
            self._arena, self._kept = Arena(self._chunks, size), {}
        self._kept = {walk: found for walk, found in self._kept.items() if walk in walks}
        self._arena.clear(*(chunks for half, _ in self._kept.values() for chunks in half.chunks))
        return self._arena


def one_at_a_time(
    first: int,
    last: int,
    puzzle: EdgeMatchingPuzzle,
    lock: threading.Lock,
    count_part: Callable[[int, Callable[[], Pause]], tuple[list[int], int] | None],
    pause: Callable[[], Pause],
) -> Share:
    """Count parts; see `Piecework.count`.  Only one thread counts at a time.

    Parameters
    ----------
    first, last, pause
        As for `Piecework.count`.
    puzzle
        The puzzle.
    lock
        The lock of the threads.
    count_part
        The additions of a part by the number of free pieces, and its number; None if paused.
    """
    nodes, count, done = [0] * len(puzzle.board), 0, first
    while done < last and pause() is not Pause.NOW:
        if not lock.acquire(timeout=0.1):
            continue
        try:
            counted = count_part(done, pause)
        finally:
            lock.release()
        if counted is None:
            break
        for depth, number in enumerate(counted[0], start=len(puzzle.fixed)):
            nodes[depth] += number
        count += counted[1]
        done += 1
        if pause() is not Pause.NO:
            break
    return Share(first, done, tuple(nodes), count, None)


def refuse(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its tables is checked later.

    Raises
    ------
    EngineError
        If it does not apply to the puzzle or the options.
    """
    if options.squares is not None and {*options.squares} != {*find_region(puzzle.board, "frame")}:
        raise EngineError("method frame_classes: it counts the whole frame, or a side of a board of 3x3 or more")
    if options.order is not None:
        raise EngineError("method frame_classes: it has no search order; the method plain has orders")
    if given_slips(options) is not None:
        raise EngineError("method frame_classes: slips are not supported; the method plain supports slips")


def count_frames(
    puzzle: EdgeMatchingPuzzle,
    threads: int = 1,
    stop: Callable[[], str | None] = lambda: None,
    report: Callable[[float], None] = lambda done: None,
) -> int:
    """The number of ways to lay the frame of a puzzle with numbered pieces.

    Parameters
    ----------
    puzzle
        The puzzle.
    threads
        The number of threads.
    stop
        Is called about every tenth of a second; returns a reason to stop, or None.
    report
        Is called after each part with the part of the work (0 to 1) that is done.

    Raises
    ------
    EngineError
        If the frame cannot be counted so, or the count was stopped.
    """
    method, total = FrameClasses(puzzle, Options(threads=threads)), 0
    for part in range(len(method.work)):
        share = method.count(part, part + 1, lambda: Pause.NO if stop() is None else Pause.NOW)
        if share.last == part:
            raise EngineError(f"the count of frames was stopped: {stop()}")
        total += share.count
        report(float(method.work[: share.last].sum() / method.work.sum()))
    return total


def refuse_large_numbers(frame: BoardFrame, pieces: int) -> None:
    """Raise EngineError if the numbers of ways to lay up to `pieces` edge pieces may not fit into 64 bits."""
    if largest_number(frame, pieces) >= 2**64:
        raise EngineError("method frame_classes: the numbers of ways for a half do not fit into 64 bits")


def largest_number(frame: BoardFrame, pieces: int) -> int:
    """A bound on the number of ways to lay up to `pieces` edge pieces with any use of the classes.

    A walk is determined by the lists of the classes with which it leaves each colour, one after the other.
    """
    best = [1]
    for color in range(frame.colors):
        # For each number of pieces that begin with the colour, the largest number of their orders.
        orders = [1]
        for arc, number in zip(frame.arcs, frame.numbers, strict=True):
            if arc[0] == color:
                orders = [
                    max(
                        orders[size - n] * comb(size, n) for n in range(min(number, size) + 1) if size - n < len(orders)
                    )
                    for size in range(len(orders) + number)
                ]
        best = [
            max(best[i] * orders[size - i] for i in range(len(best)) if 0 <= size - i < len(orders))
            for size in range(len(best) + len(orders) - 1)
        ]
    return max(best[: pieces + 1])


class _FramePart(NamedTuple):
    """The two halves of a frame, and how many frames of numbered pieces each pair of walks stands for."""

    frame: BoardFrame
    ways: int
    halves: tuple[_HalfWalk, _HalfWalk]


def _parts(frame: BoardFrame) -> Iterator[_FramePart]:
    """The parts that make all frames.

    Raises
    ------
    EngineError
        If there are too many, or numbers are too large.
    """
    refuse_large_numbers(frame, max(frame.sides[i].free + frame.sides[i + 1].free for i in (0, 2)))
    choices = [*islice(frame.without_spares(), _MOST_CHOICES + 1)]
    if len(choices) > _MOST_CHOICES:
        raise EngineError("method frame_classes: there are too many ways to leave out spare edge pieces")
    for left_out, needed in choices:
        orders = left_out * prod(factorial(number) for number in needed.numbers)
        for ways, upper, lower in _pairs(needed):
            yield _FramePart(needed, ways * orders, (upper, lower))


def _pairs(frame: BoardFrame) -> Iterator[tuple[int, _HalfWalk, _HalfWalk]]:
    """Pairs of halves that make all frames: in how many ways, and the halves.

    Raises
    ------
    EngineError
        If there are too many.
    """
    turns, ways = frame.turns(), Counter[tuple[Arc, ...]]()
    for number, corners in frame.laid_corners():
        if frame.balanced(corners):
            ways[min(corners[turn:] + corners[:turn] for turn in turns)] += number
        if len(ways) > _MOST_CHOICES:
            raise EngineError("method frame_classes: there are too many ways to lay the corners")
    for corners, number in ways.items():
        upper, lower = (
            _walk(
                frame, (frame.sides[at], frame.sides[at + 1]), corners[at][1], corners[at + 1], corners[(at + 2) % 4][0]
            )
            for at in (0, 2)
        )
        yield number, upper, lower


def _walk(frame: BoardFrame, sides: tuple[Side, Side], begin: int, corner: Arc, end: int) -> _HalfWalk:
    """A half; backwards if fewer colours follow its beginning than lead to its end, so that its layers are smaller."""
    if len({arc for arc in frame.arcs if arc[0] == begin}) < len({arc for arc in frame.arcs if arc[1] == end}):
        return FrameRun(sides, corner, end, True), begin
    return FrameRun(sides, corner, begin), end
