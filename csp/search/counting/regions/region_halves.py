"""The method `halves`: a region is cut in two, and for given colours along the cut both halves are found and joined.

For each choice of colours along the cut, the ways to fill one half are listed as bits, 64 to a word, and each way to
fill the other half is compared with all of them at once: the two may not have a common piece.  A part of the count is
such a choice, or some of the candidates on the first square of the joined half; the parts come in a random order, so
that any range of them is a fair sample of the region.
"""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from ....base.errors import EngineError
from ....base.seeded_random import shuffled
from ....engines.request import Options, given_slips
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.orders import find_order
from ....puzzles.slips import fixed_pieces_agree
from ....puzzles.symmetry import region_symmetries
from ..parts import Pause, Share
from .region_halves_kernel import END, HalfWalk, Meeting, begin, forget_rows, join_rows, list_rows
from .region_halves_tables import RegionHalf, RegionHalves, joins_of_cut, make_halves

#: Ways to fill the listed half that are compared at a time.
TILE = 2**14
#: With fewer choices of colours, the first square of the joined half makes more parts.
_ENOUGH_PARTS = 512
#: The largest number of choices of colours.
MOST_KEYS = 2 * 10**6
# Steps of a slice, and pieces that it places.
_SLICE_STEPS, _SLICE_PIECES = np.uint64(50_000_000), np.uint64(5_000_000)


class HalvesOfRegion:
    """A region's count by halves; see the head of the module.

    Raises EngineError if the method does not apply.
    """

    method = "halves"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        listed, joined = refuse(puzzle, options)
        self._puzzle, board = puzzle, puzzle.board
        self.found = region_symmetries(puzzle)
        names = [[board.name(square) for square in half] for half in (listed, joined)]
        region = {} if options.squares is None else {"squares": board.ranges(options.squares)}
        self.options = {"listed": names[0], "joined": names[1], **region}
        self._halves: RegionHalves = make_halves(puzzle, listed, joined)
        keys = prod(self._halves.colors)
        if keys > MOST_KEYS:
            raise EngineError(f"method halves: the cut has {keys} choices of colours; the limit is {MOST_KEYS}")
        self._fixed = len(puzzle.fixed)
        # Of two choices of colours that a half turn exchanges, one is counted twice.
        turned = self._halves.mirrored(np.arange(keys if fixed_pieces_agree(puzzle) else 0))
        kept = np.flatnonzero(np.arange(len(turned)) <= turned)
        self._keys, self._times = kept, 1 + (turned[kept] != kept)
        self._shares = -(-_ENOUGH_PARTS // max(len(kept), 1))
        self._parts = shuffled(len(kept) * self._shares)
        self.work = np.ones(len(self._parts))

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        work, pairs, part = _Work(self._halves), 0, first
        nodes = np.zeros(len(self._puzzle.board), dtype=np.int64)
        while part < last:
            which, share = divmod(int(self._parts[part]), self._shares)
            found = work.part(int(self._keys[which]), share, self._shares, pause)
            if found is None:
                break
            pairs += found * int(self._times[which])
            part += 1
            work.take_nodes(nodes[self._fixed :])
            if pause() is not Pause.NO:
                break
        canonical = None
        return Share(first, part, tuple(nodes.tolist()), pairs, canonical)


class _Work:
    """The arrays of one worker."""

    def __init__(self, halves: RegionHalves) -> None:
        self._halves = halves
        self._list, self._join = _walk(halves, halves.listed), _walk(halves, halves.joined)
        words, depths = TILE // 64, len(halves.joined.squares) + 1
        self._meeting = Meeting(
            np.zeros((halves.pieces, words), dtype=np.uint64),
            np.zeros(halves.pieces, dtype=np.uint8),
            np.zeros((depths, words), dtype=np.uint64),
            np.zeros(depths, dtype=np.uint64),
            np.zeros(depths, dtype=np.uint64),
        )

    def part(self, key: int, share: int, shares: int, pause: Callable[[], Pause]) -> int | None:
        """The number of ways to fill the region in a part; None if it was dropped."""
        halves, meeting = self._halves, self._meeting
        colors = np.unravel_index(key, halves.colors) if halves.colors else ()
        for half, walk in ((halves.listed, self._list), (halves.joined, self._join)):
            for join, color in enumerate(colors):
                walk.shown[4 * len(half.squares) + join] = half.keys[join, color]
        self._join.share[:] = share, shares
        begin(halves.listed.tables, self._list)
        pairs = 0
        while self._list.depth[0] != END:
            forget_rows(meeting)
            while meeting.left[0] < TILE and self._list.depth[0] != END:
                list_rows(halves.listed.tables, self._list, meeting, np.uint64(TILE), _SLICE_PIECES)
                if self._list.depth[0] != END and pause() is Pause.NOW:
                    return None
            begin(halves.joined.tables, self._join)
            while self._join.depth[0] != END:
                pairs += int(join_rows(halves.joined.tables, self._join, meeting, _SLICE_STEPS))
                if self._join.depth[0] != END and pause() is Pause.NOW:
                    return None
        return pairs

    def take_nodes(self, nodes: np.ndarray) -> None:
        """Add the pieces placed since the last call."""
        for walk in (self._list, self._join):
            nodes[: len(walk.nodes)] += walk.nodes.astype(np.int64)
            walk.nodes[:] = 0


def _walk(halves: RegionHalves, half: RegionHalf) -> HalfWalk:
    depths = len(half.squares)
    return HalfWalk(
        np.zeros(2, dtype=np.uint64),
        np.array([0, 1], dtype=np.uint64),
        np.zeros(depths, dtype=np.uint64),
        np.zeros(depths, dtype=np.uint64),
        np.zeros(4 * depths + len(halves.colors), dtype=np.uint64),
        np.zeros(halves.pieces, dtype=np.uint8),
        np.zeros(depths, dtype=np.uint64),
    )


def refuse(puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[Sequence[int], Sequence[int]]:
    """The free squares of the listed and of the joined half.

    Raises EngineError if the method does not apply.
    """
    if options.squares is None:
        raise EngineError("method halves: it counts the ways to fill a region; give squares")
    if options.order is not None:
        raise EngineError("method halves: it has no search order; the method plain has orders")
    if given_slips(options) is not None:
        raise EngineError("slips: not supported by the method halves; omit slips")
    if options.halves is not None:
        return options.halves
    region, fixed = {*options.squares}, {fixed.square for fixed in puzzle.fixed}
    if len(region - fixed) < 2:
        raise EngineError("method halves: fewer than two free squares; use the method plain")
    orders = (find_order(puzzle, name)[1] for name in ("rowscan", "colscan"))
    free = [[square for square in order if square in region - fixed] for order in orders]
    cuts = [(squares[: len(squares) // 2], squares[len(squares) // 2 :]) for squares in free]
    return min(cuts, key=lambda cut: len(joins_of_cut(puzzle, *cut)))
