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
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError
from ....engines.request import FramesCut, Options, given_slips
from ....puzzles.candidates import color_indices
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.symmetry import Symmetries, symmetries
from ..parts import Pause, Share
from .halves import Half, anchor_of, halves_of, inside_of, middle, why_too_big
from .inside import Inside, InsideTables, join_tables
from .ring import find_frames

_MOST_SQUARES = 64
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
        refuse(puzzle, options)
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


def refuse(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its numbers and tables is checked later."""
    rows, columns, squares = puzzle.rows, puzzle.columns, math.prod(inside_of(puzzle))
    unequal = [(name, *sizes) for name, sizes in puzzle.class_sizes().items() if sizes[0] != sizes[1]]
    reason = None
    if options.order is not None:
        reason = "it has no search order; the method plain has orders"
    elif given_slips(options) is not None:
        reason = "slips are not supported; the method plain supports slips"
    elif not options.symmetry:
        reason = "symmetries are always broken; the method plain has the option"
    elif min(rows, columns) < 3 or rows * columns < 12:
        reason = f"the board is {rows}x{columns}; it must be 3x4 or larger"
    elif puzzle.fixed:
        reason = "there are fixed pieces; all pieces must be free"
    elif unequal:
        reason = "there are {1} {0} pieces for {2} squares; their numbers must be equal".format(*unequal[0])
    elif not symmetries(puzzle).regular:
        reason = "a solution may be the same after half a turn; the method plain can count such puzzles"
    elif squares > _MOST_SQUARES:
        reason = f"the inside has {squares} squares; at most {_MOST_SQUARES} are supported"
    if reason:
        raise EngineError(f"method frames: {reason}")


def _checked_halves(puzzle: EdgeMatchingPuzzle, found: Symmetries, cut: FramesCut) -> tuple[Half, Half]:
    """The halves of a cut; raises EngineError if the inside has no such cut, or their numbers are too large."""
    sides = inside_of(puzzle)
    if cut.columns not in sides or not 0 < cut.squares < math.prod(sides):
        raise EngineError(f"method frames: {cut}: the inside has {sides[0]}x{sides[1]} squares; some must be left")
    halves = halves_of(puzzle, cut.columns, cut.squares)
    if reason := why_too_big(puzzle, found, halves):
        raise EngineError(f"method frames: {reason}")
    return halves
