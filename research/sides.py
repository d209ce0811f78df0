"""The number of ways to lay the top row of a board with both corners, by the classes of its edge pieces.

    python research/sides.py eternity2 [--expected NUMBER]

The walk along the row is that of `frame_halves`, from one corner piece to the other.  A use of the classes stands for
all choices and orders of as many pieces of each class.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from frame_halves import Arena, FrameHalf, FrameRun, Walker, most_chunks
from frame_kernel import NONE
from frame_walk import Arc, BoardFrame, Side, frame_of
from frames import refuse_large_numbers
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import fixed_pieces_agree


def count_top_rows(puzzle: EdgeMatchingPuzzle) -> int:
    """The number of ways to lay the top row of a puzzle with numbered pieces; it must have more than two rows.

    Raises EngineError if it cannot be counted so.
    """
    frame, top = frame_of(puzzle), range(puzzle.columns)
    fixed = {one.square for one in puzzle.fixed if puzzle.board.border_mask(one.square)}
    if frame is None or puzzle.rows < 3 or fixed - {*top}:
        raise EngineError("there are fixed pieces on other sides, too few pieces, or too few rows")
    refuse_large_numbers(frame, frame.sides[0].free)
    if not fixed_pieces_agree(puzzle):
        return 0
    walker, parts = Walker(frame), [*_parts(frame)]
    size = max((most_chunks(walker.chunks(run, end)) for _, run, end in parts), default=0)
    arena, total = Arena(size, walker.chunk_size()), 0
    for ways, run, end in parts:
        arena.clear()
        total += ways * _arrangements(walker, walker.half(run, end, arena), end, frame, arena)
    return total


def _parts(frame: BoardFrame) -> Iterator[tuple[int, FrameRun, int]]:
    """The choices of the two corner pieces: in how many ways, the walk, and the colour at its end."""
    free = dict(frame.corners)
    choices: list[list[Arc]] = [[*free] if arc is None else [arc] for arc in frame.fixed_corners[:2]]
    for first, last in product(*choices):
        ways, left = 1, dict(free)
        for fixed, arc in zip(frame.fixed_corners, (first, last), strict=False):
            if fixed is None:
                ways *= left[arc]
                left[arc] -= 1
        if ways:
            yield ways, FrameRun((frame.sides[0], Side(())), last, first[1]), last[1]


def _arrangements(walker: Walker, half: FrameHalf, end: int, frame: BoardFrame, arena: Arena) -> int:
    """The arrangements of numbered pieces: for each use, its ways times the choices and orders of its pieces."""
    uses, total = walker.uses, 0

    def choices(classes: tuple[int, ...]) -> NDArray[Any]:
        """For all uses of some classes, the number of ordered choices of pieces, as Python numbers."""
        digits = uses.digits(classes)
        found = np.ones(len(digits), dtype=object)
        for column, which in enumerate(classes):
            number = frame.numbers[which]
            found *= np.array([perm(number, used) for used in range(number + 1)], dtype=object)[digits[:, column]]
        return found

    of_row, of_list = choices(uses.in_rows)[uses.place], choices(uses.listed)[uses.by_list]
    # Sums below this bound fit into 64 bits.
    most, small = 2**63 // int(of_list.max()), np.minimum(of_list, 2**63 - 1).astype(np.uint64)
    starts, lists = half.starts[:, end], half.lists[end]
    for row in np.flatnonzero(starts != NONE):
        which = lists[uses.key_of[row]]
        first, size, at = int(uses.first[which]), int(uses.sizes[which]), int(starts[row]) + 1
        ways, here = arena.numbers[at : at + size], slice(first, first + size)
        fits = int(ways.max()) * size <= most
        found = ways @ small[here] if fits else (ways.astype(object) * of_list[here]).sum()
        total += int(of_row[row]) * int(found)
    return total


def main() -> int:
    """Count the top rows of a puzzle; the exit status is 1 if it is not the expected number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("puzzle")
    parser.add_argument("--expected", type=int, metavar="NUMBER", help="fail if the number is another one")
    asked = parser.parse_args()
    puzzle = read(asked.puzzle)
    assert isinstance(puzzle, EdgeMatchingPuzzle)
    found = count_top_rows(puzzle)
    print(found)
    return int(asked.expected not in (None, found))


if __name__ == "__main__":
    sys.exit(main())
