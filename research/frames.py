"""The number of ways to lay the frame of a board, by the classes of its edge pieces.

    python research/frames.py eternity2 [--threads 2] [--expected NUMBER]

A frame is a closed walk through the frame colours; see `frame_walk`.  It is cut at the top left and the bottom right
corner.  For each half, and each use of the classes, the ways to lay the half are added up step by step; a use and one
that has all other pieces make a frame.  Corner pieces are laid in all ways, of which those that turns of the frame make
equal are counted once.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import comb, factorial, prod

from frame_halves import MOST_BYTES, Arena, FrameHalf, FrameRun, Walker, most_chunks
from frame_walk import Arc, BoardFrame, frame_of
from jigsat import read
from jigsat.csp.base.errors import EngineError
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.slips import fixed_pieces_agree

_MOST_CHOICES = 1000

# A walk, and the colour at its end.
_HalfWalk = tuple[FrameRun, int]


def count_frames(puzzle: EdgeMatchingPuzzle, threads: int = 1) -> int:
    """The number of ways to lay the frame of a puzzle with numbered pieces; only fixed pieces inside matter.

    Raises EngineError if the frame cannot be counted so.
    """
    frame = frame_of(puzzle)
    if frame is None or not fixed_pieces_agree(puzzle):
        return 0
    refuse_large_numbers(frame, max(frame.sides[i].free + frame.sides[i + 1].free for i in (0, 2)))
    choices = [*islice(frame.without_spares(), _MOST_CHOICES + 1)]
    if len(choices) > _MOST_CHOICES:
        raise EngineError("there are too many ways to leave out spare edge pieces")
    return sum(
        left_out * prod(factorial(number) for number in needed.numbers) * _count_closed_walks(needed, threads)
        for left_out, needed in choices
    )


def _count_closed_walks(frame: BoardFrame, threads: int) -> int:
    """The walks that use all pieces of each class, times the ways to choose the corner pieces."""
    walker, pairs = Walker(frame, threads), list(_pairs(frame))
    arena = Arena(_chunks(walker, pairs), walker.chunk_size())
    total = 0
    # The halves in the arena: two pairs after each other often share one.
    kept: dict[_HalfWalk, FrameHalf] = {}
    for ways, *pair in pairs:
        kept = {walk: half for walk, half in kept.items() if walk in pair}
        arena.clear(*(chunks for half in kept.values() for chunks in half.chunks))
        for walk in pair:
            if walk not in kept:
                kept[walk] = walker.half(*walk, arena)
        upper, lower = pair
        total += ways * walker.joined(kept[upper], upper[1], kept[lower], lower[1], arena)
    return total


def _chunks(walker: Walker, pairs: list[tuple[int, _HalfWalk, _HalfWalk]]) -> int:
    """The chunks of the arena that some pairs of halves need."""
    needed = 0
    for _, *pair in pairs:
        upper, lower = (walker.chunks(*half) for half in pair)
        # The half that is complete already is kept beside the other one.
        needed = max(needed, most_chunks(upper) + int(lower[-1].sum()), most_chunks(lower) + int(upper[-1].sum()))
    mib = 8 * needed * walker.chunk_size() >> 20
    if mib > MOST_BYTES >> 20:
        raise EngineError(f"tables of {mib} MiB are needed; at most {MOST_BYTES >> 20} MiB are used")
    return needed


def refuse_large_numbers(frame: BoardFrame, pieces: int) -> None:
    """Raise EngineError if the numbers of ways to lay up to `pieces` edge pieces may not fit into 64 bits."""
    if largest_number(frame, pieces) >= 2**64:
        raise EngineError("the numbers of ways for a half do not fit into 64 bits")


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


def _pairs(frame: BoardFrame) -> Iterator[tuple[int, _HalfWalk, _HalfWalk]]:
    """Pairs of halves that make all frames: in how many ways, and the halves.

    Raises EngineError if there are too many.
    """
    turns, ways = frame.turns(), Counter[tuple[Arc, ...]]()
    for number, corners in frame.laid_corners():
        if frame.balanced(corners):
            ways[min(corners[turn:] + corners[:turn] for turn in turns)] += number
        if len(ways) > _MOST_CHOICES:
            raise EngineError("there are too many ways to lay the corners")
    for corners, number in ways.items():
        upper, lower = (_walk(frame, corners, at) for at in (0, 2))
        yield number, upper, lower


def _walk(frame: BoardFrame, corners: tuple[Arc, ...], at: int) -> _HalfWalk:
    """A half; backwards if fewer colours follow its beginning than lead to its end, so that its layers are smaller."""
    sides, corner = (frame.sides[at], frame.sides[at + 1]), corners[at + 1]
    begin, end = corners[at][1], corners[(at + 2) % 4][0]
    if len({arc for arc in frame.arcs if arc[0] == begin}) < len({arc for arc in frame.arcs if arc[1] == end}):
        return FrameRun(sides, corner, end, True), begin
    return FrameRun(sides, corner, begin), end


def main() -> int:
    """Count the frames of a puzzle; the exit status is 1 if it is not the expected number."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("puzzle")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--expected", type=int, metavar="NUMBER", help="fail if the number is another one")
    asked = parser.parse_args()
    puzzle = read(asked.puzzle)
    assert isinstance(puzzle, EdgeMatchingPuzzle)
    found = count_frames(puzzle, asked.threads)
    print(found)
    return int(asked.expected not in (None, found))


if __name__ == "__main__":
    sys.exit(main())
