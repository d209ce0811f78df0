"""The method `halves`: a region is cut in two, and for given colours along the cut both halves are found and joined.

For each choice of colours along the cut, the ways to fill one half are listed as bits, 64 to a word, and each way to
fill the other half is compared with all of them at once: the two may not have a common piece.  A part of the count is
such a choice, or some of the candidates on the first square of the joined half; the parts come in a random order, so
that any range of them is a fair sample of the region.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import shuffled
from ...engines.request import Options, given_slips
from ...puzzles.board import Join, opposite
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.slips import fixed_pieces_agree
from ...puzzles.symmetry import Candidates, Fits, find_candidates, lists_by_key, region_symmetries, single_pieces
from .halves_kernel import END, HalfTables, HalfWalk, Meeting, begin, forget_rows, join_rows, list_rows
from .methods import Pause, Share

# Entries of the largest table of lists.
_MOST_KEYS = 2**17


@dataclass(frozen=True)
class RegionHalf:
    """One half of a region."""

    #: Its squares, in the order in which they are filled.
    squares: tuple[int, ...]
    #: Its tables.
    tables: HalfTables
    #: For each join of the cut, the colours that the other half may show, as indices of colours.
    keys: NDArray[np.int64]


@dataclass(frozen=True)
class RegionHalves:
    """Both halves of a region."""

    #: The half that is listed, and the half that is joined with it.
    listed: RegionHalf
    joined: RegionHalf
    #: For each join of the cut the number of its colours; both halves number them in the same way.
    colors: tuple[int, ...]
    #: The number of pieces.
    pieces: int
    #: If a half turn of the region exchanges the halves: for each join of the cut, the one that takes its place, and
    #: the numbers of the colours that take the place of its colours.  None otherwise.
    mirror: tuple[tuple[int, ...], tuple[NDArray[np.int64], ...]] | None

    def mirrored(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The choices of colours that result from these by a half turn of the region."""
        if self.mirror is None:
            return keys
        places, colors = self.mirror
        chosen = np.unravel_index(keys, self.colors) if self.colors else ()
        turned: list[NDArray[np.int64]] = [keys] * len(places)
        for join, (place, renamed) in enumerate(zip(places, colors, strict=True)):
            turned[place] = renamed[chosen[join]]
        return np.ravel_multi_index(turned, self.colors) if turned else keys


def make_halves(puzzle: EdgeMatchingPuzzle, listed: Sequence[int], joined: Sequence[int]) -> RegionHalves:
    """The tables for a region that is cut into these halves of free squares."""
    candidates = find_candidates(puzzle, single_pieces(puzzle))
    cut = joins_of_cut(puzzle, listed, joined)
    fits = Fits(puzzle, candidates)
    mates = np.zeros(candidates.colors, dtype=np.int64)
    for color, index in candidates.color_index.items():
        mates[index] = candidates.color_index[puzzle.mate(color)]
    colors = [_colors(candidates, fits, join) for join in cut]
    length = max(map(len, colors), default=0)
    shown_by_joined = np.zeros((len(cut), length), dtype=np.int64)
    for number, possible in enumerate(colors):
        shown_by_joined[number, : len(possible)] = possible
    sides_listed = {(join.first, join.side): number for number, join in enumerate(cut)}
    sides_joined = {(join.second, opposite(join.side)): number for number, join in enumerate(cut)}
    return RegionHalves(
        _half(puzzle, candidates, fits, listed, sides_listed, shown_by_joined),
        _half(puzzle, candidates, fits, joined, sides_joined, mates[shown_by_joined]),
        tuple(map(len, colors)),
        len(puzzle.pieces),
        _mirror(puzzle, cut, listed, joined, colors, mates),
    )


def joins_of_cut(puzzle: EdgeMatchingPuzzle, listed: Sequence[int], joined: Sequence[int]) -> list[Join]:
    """The joins between the halves of a region, from the squares of the listed one."""
    inside = {*joined}
    return [join for square in listed for join in puzzle.board.joins_of(square) if join.second in inside]


def _mirror(
    puzzle: EdgeMatchingPuzzle,
    cut: list[Join],
    listed: Sequence[int],
    joined: Sequence[int],
    colors: list[list[int]],
    mates: NDArray[np.int64],
) -> tuple[tuple[int, ...], tuple[NDArray[np.int64], ...]] | None:
    """How a half turn of the region exchanges joins and colours of the cut; see `RegionHalves`."""
    board, squares = puzzle.board, [*listed, *joined]
    rows, columns = ([square // board.columns for square in squares], [square % board.columns for square in squares])
    last = board.square(min(rows) + max(rows), min(columns) + max(columns))
    across = {square: last - square for square in squares}
    masks = [(board.border_mask(a), board.border_mask(b)) for a, b in across.items()]
    alike = all(first == (second << 2 | second >> 2) & 15 for first, second in masks)
    if puzzle.fixed or not alike or {across[square] for square in listed} != {*joined}:
        return None
    number_of = {join: number for number, join in enumerate(cut)}
    # The joined half shows a colour; after the turn the listed half shows it, and the joined half its mate.
    places = tuple(number_of[Join(across[j.second], j.side, across[j.first])] for j in cut)
    renamed = (
        np.array([colors[place].index(int(mates[color])) for color in colors[join]], dtype=np.int64)
        for join, place in enumerate(places)
    )
    return places, tuple(renamed)


def _colors(candidates: Candidates, fits: Fits, join: Join) -> list[int]:
    """The colours that the joined half may show at a join of the cut."""
    here, there = (fits.fitting(fits.asked(square)) for square in (join.first, join.second))
    wanted = set(candidates.mates[here, join.side].tolist())
    return sorted(wanted & set(candidates.sides[there, opposite(join.side)].tolist()))


def _half(
    puzzle: EdgeMatchingPuzzle,
    candidates: Candidates,
    fits: Fits,
    squares: Sequence[int],
    cut: dict[tuple[int, int], int],
    keys: NDArray[np.int64],
) -> RegionHalf:
    order = _order(puzzle, squares, cut)
    depth_of = {square: depth for depth, square in enumerate(order)}
    entries, index = [np.array([int(END)], dtype=np.int64)], [np.zeros(1, dtype=np.uint32)]
    reference, stride, side = (np.zeros((len(order), 4), dtype=np.uint64) for _ in range(3))
    base, keyed, faced = (np.zeros(len(order), dtype=np.uint64) for _ in range(3))
    entries_end, index_end = 1, 1
    for depth, square in enumerate(order):
        facing = []
        for _, towards, neighbour in puzzle.board.joins_of(square):
            if (square, towards) in cut:
                facing.append((towards, 4 * len(order) + cut[square, towards]))
            elif depth_of.get(neighbour, depth) < depth:
                facing.append((towards, 4 * depth_of[neighbour] + opposite(towards)))
        rows = np.flatnonzero(fits.fitting(fits.asked(square)))
        key, size = np.zeros(len(rows), dtype=np.int64), 1
        for column, (towards, place) in enumerate(facing):
            side[depth, column], reference[depth, column] = towards, place
            if size * candidates.colors <= _MOST_KEYS and keyed[depth] == column:
                stride[depth, column] = size
                key += candidates.mates[rows, towards] * size
                size *= candidates.colors
                keyed[depth] += np.uint64(1)
        faced[depth] = len(facing)
        found, first, lists = lists_by_key(rows, key, int(END))
        starts = np.zeros(size, dtype=np.uint32)
        starts[found] = entries_end + first
        base[depth] = index_end
        entries.append(lists)
        index.append(starts)
        entries_end, index_end = entries_end + len(lists), index_end + size
    piece = np.array([kind.pieces[0] for kind in candidates.kinds], dtype=np.uint64)[candidates.of_type]
    sides, mates = (np.maximum(colors, 0).astype(np.uint64).ravel() for colors in (candidates.sides, candidates.mates))
    arrays = np.concatenate(entries).astype(np.uint32), np.concatenate(index), base
    tables = HalfTables(*arrays, reference, stride, keyed, faced, side, sides, mates, piece)
    return RegionHalf(order, tables, keys)


def _order(puzzle: EdgeMatchingPuzzle, squares: Sequence[int], cut: dict[tuple[int, int], int]) -> tuple[int, ...]:
    """The squares in an order in which each faces as many known colours as possible."""
    fixed = {square for square, _, _ in puzzle.fixed}
    order: list[int] = []

    def known(square: int) -> int:
        return sum(
            (square, side) in cut or neighbour in order or neighbour in fixed
            for _, side, neighbour in puzzle.board.joins_of(square)
        )

    while len(order) < len(squares):
        # The first of several.
        order.append(max((square for square in squares if square not in order), key=known))
    return tuple(order)


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
        listed, joined = _chosen_halves(puzzle, options)
        self._puzzle, board = puzzle, puzzle.board
        self.found = region_symmetries(puzzle)
        names = [[board.name(square) for square in half] for half in (listed, joined)]
        region = {} if options.squares is None else {"squares": board.ranges(options.squares)}
        self.options: Mapping[str, object] = {"listed": names[0], "joined": names[1], **region}
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


def _chosen_halves(puzzle: EdgeMatchingPuzzle, options: Options) -> tuple[Sequence[int], Sequence[int]]:
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
