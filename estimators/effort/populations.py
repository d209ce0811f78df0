"""The tree of the boards that a population may hold, and the choice of its members.

Boards with many expected solutions are preferred, by Owen's model applied to the sides of the remaining pieces and the
sides that they have to face.  Placed at random on the free places of the board, the sides fit everywhere with a
probability that, among boards of one depth, is proportional to the product over the colours of ``left! / joins!``.
Here `left` is the number of remaining sides of the colour and `joins` the number of its joins that are still to be
made; neither can be negative, which excludes some boards without solutions.  Continuations whose weight exceeds the
threshold are kept as they are (Fearnhead and Clifford, 2003); of the others, some are chosen at equal distances in the
order of the tree.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...csp.base.compiled import inner_kernel, kernel
from ...csp.base.stop import StoppedError
from ...csp.puzzles.board import BORDER, Placement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Sides
from ...csp.puzzles.symmetry import Anchor, Candidates, Symmetries
from ...csp.search.ordered.kernels import OrderedTables, available_of, build_tables, described, neighbours_of
from ...csp.search.ordered.slip_kernel import first_of_list, sides_compared

# The number of continuations listed at a time.
_LISTED = 1 << 16

Floats = NDArray[np.float64]
Counts = NDArray[np.unsignedinteger]

_0, _1, _4 = np.uint64(0), np.uint64(1), np.uint64(4)


@dataclass(frozen=True)
class Leaves:
    """Full boards of a population: their unused pieces, the logarithms of their weights, and whether these are all."""

    available: NDArray[np.unsignedinteger]
    logarithms: Floats
    complete: bool


class Tree:
    """The tree of the boards that are filled along an order, for one place of the anchor."""

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        found: Symmetries,
        candidates: Candidates,
        order: tuple[int, ...],
        anchor: Anchor | None,
        choice: int,
    ) -> None:
        tables = build_tables(puzzle, candidates, order, anchor, choice)
        self._depths = len(tables.squares)
        types, sides, mates = described(candidates, tables)
        ends = _Ends(puzzle)
        of_position = ends.of_positions(candidates, tables)
        faces = (of_position, np.array(ends.pair, dtype=np.uint16), _waiting(puzzle, tables.squares))
        copies = np.array([*(kind.order for kind in found.types), 1], dtype=np.float64)
        types = types.astype(np.uint16)
        self._listing = (
            types, mates, tables.index, tables.base, *neighbours_of(tables), tables.keyed, tables.known,
            *faces, copies,
        )  # fmt: skip
        self._laying = (types, sides, *faces)
        self._longest = len(candidates.sides)
        available = available_of(candidates, len(candidates.kinds) + 1)[None]
        self._root = _Boards(available, np.zeros((1, self._depths), dtype=np.uint64), *ends.start())
        # The memory of boards is reused, because new memory is slow.
        self._space = [_Boards(*(row[:0] for row in self._root))] * 2

    @property
    def bytes_each(self) -> int:
        """The memory of a member with all its continuations and its successor."""
        return 2 * sum(array.nbytes for array in self._root) + 32 * 8

    def filled(self, widths: Sequence[int], chance: np.random.Generator, must_stop: Callable[[], bool]) -> Leaves:
        """The full boards of a population.

        Raises StoppedError if `must_stop` returns True.
        """
        boards, weights, likelihoods = self._root, np.ones(1), np.zeros(1)
        scale, complete = 0.0, True
        for depth, width in enumerate(widths):
            parents, positions, values = self._continued(boards, weights, depth, must_stop)
            if depth + 1 < self._depths and len(values) > width:
                complete = False
                least = _least_kept(values, width)
                chosen = _chosen(values, least, chance.random())
                parents, positions, odds = parents[chosen], positions[chosen], values[chosen] / weights[parents[chosen]]
                values = np.maximum(values[chosen], least)
            else:
                odds = values / weights[parents]
            likelihoods = likelihoods[parents] + np.log(odds)
            boards = self._laid(boards, depth, parents, positions)
            mean = values.mean() if len(values) else 1.0
            scale += log(mean)
            weights = values / mean
        return Leaves(boards.available, scale + np.log(weights) - likelihoods, complete)

    def _continued(
        self, boards: "_Boards", weights: Floats, depth: int, must_stop: Callable[[], bool]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Floats]:
        """All continuations of some boards: the board, the candidate's position, and the weight of each."""
        found: list[tuple[NDArray[np.uint32], NDArray[np.uint32], Floats]] = []
        start, most = np.uint64(0), np.uint64(_LISTED)
        while start < len(weights) or not found:
            if must_stop():
                raise StoppedError
            parents, positions = np.empty((2, _LISTED + self._longest), dtype=np.uint32)
            values = np.empty(_LISTED + self._longest)
            number, start = _list_continuations(
                *self._listing, np.uint64(depth), *boards, weights, start, most, parents, positions, values
            )
            found.append((parents[:number], positions[:number], values[:number]))
        parents, positions, values = zip(*found, strict=True)
        return np.concatenate(parents), np.concatenate(positions), np.concatenate(values)

    def _laid(
        self, boards: "_Boards", depth: int, parents: NDArray[np.uint32], positions: NDArray[np.uint32]
    ) -> "_Boards":
        """Turn continuations into boards, which reuse the memory of the boards two depths before."""
        if len(self._space[depth % 2].available) < len(parents):
            self._space[depth % 2] = _Boards(*(np.empty((len(parents), row.shape[1]), row.dtype) for row in self._root))
        laid = _Boards(*(array[: len(parents)] for array in self._space[depth % 2]))
        _lay(*self._laying, np.uint64(depth), parents, positions, *boards, *laid)
        return laid


class _Boards(NamedTuple):
    """Boards of one depth, a row for each, as the kernels read and write them."""

    available: Counts
    shown: NDArray[np.uint64]
    left: Counts
    joins: Counts


class _Ends:
    """The ends of joins: kinds of sides that can face each other, distinguished by colour and adjacent border.

    Attributes:
    - `pair`: for each kind of end, the number that it shares with the kind that it faces.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle) -> None:
        self._puzzle = puzzle
        self._number: dict[_End, int] = {}
        for sides in puzzle.pieces:
            for end in filter(None, _ends(sides)):
                self._number.setdefault(end, len(self._number))
                self._number.setdefault(self._mate(end), len(self._number))
        pairs: dict[_End, int] = {}
        self.pair = [pairs.setdefault(min(end, self._mate(end)), len(pairs)) for end in self._number]

    def _mate(self, end: "_End") -> "_End":
        before, after, color = end
        return after, before, self._puzzle.mate(color)

    def start(self) -> tuple[Counts, Counts]:
        """The remaining sides of each kind, and the joins of each pair to be made, before the first free piece.

        Both are empty if there are spare pieces, because then colours may be left over.
        """
        puzzle = self._puzzle
        if len(puzzle.pieces) > len(puzzle.board):
            return np.zeros((1, 0), dtype=np.uint16), np.zeros((1, 0), dtype=np.uint16)
        fixed = {piece for _, piece, _ in puzzle.fixed}
        left = Counter(end for piece, sides in enumerate(puzzle.pieces) if piece not in fixed for end in _ends(sides))
        # Sides that join fixed pieces are in no other join.
        free = Counter(left)
        filled = {square for square, _, _ in puzzle.fixed}
        for square, piece, rotation in puzzle.fixed:
            ends = _ends(puzzle.shown(Placement(piece, rotation)))
            for join in puzzle.board.joins_of(square):
                end = ends[join.side]
                if join.second not in filled and end is not None:
                    free[self._mate(end)] -= 1
        joins = np.zeros(max(self.pair, default=-1) + 1, dtype=np.uint16)
        for end, number in self._number.items():
            mate = self._mate(end)
            joins[self.pair[number]] = max(0, free[end] // 2 if mate == end else min(free[end], free[mate]))
        return np.array([[left[end] for end in self._number]], dtype=np.uint16), joins[None]

    def of_positions(self, candidates: Candidates, tables: OrderedTables) -> NDArray[np.uint16]:
        """The kind of each side of the candidate at each position; the number for borders follows the last kind."""
        color_of = {index: color for color, index in candidates.color_index.items()} | {-1: BORDER}
        none = len(self._number)
        kinds = np.full((len(candidates.sides) + 1, 4), none, dtype=np.uint16)
        for row, shown in enumerate(candidates.sides.tolist()):
            up, right, down, left = (color_of[index] for index in shown)
            kinds[row] = [none if end is None else self._number[end] for end in _ends((up, right, down, left))]
        # The end of a list (-1) has no sides; it selects the additional last row.
        return kinds[tables.entries]


#: Whether the border is next to the side, counterclockwise and clockwise, and the colour.
_End = tuple[bool, bool, int]


def _ends(sides: Sides) -> list[_End | None]:
    """The four sides as kinds of ends; None for the border."""
    return [
        None if color == BORDER else (sides[side - 1] == BORDER, sides[(side + 1) % 4] == BORDER, color)
        for side, color in enumerate(sides)
    ]


def _waiting(puzzle: EdgeMatchingPuzzle, squares: Sequence[int]) -> NDArray[np.bool_]:
    """Which sides of the square of each depth face a square that is filled later."""
    depth_of = {square: depth for depth, square in enumerate(squares)}
    waiting = np.zeros((len(squares), 4), dtype=np.bool_)
    for depth, square in enumerate(squares):
        for join in puzzle.board.joins_of(square):
            waiting[depth, join.side] = depth_of.get(join.second, -1) > depth
    return waiting


# Data layout: a board is a row of `available` (pieces by type, then a one), `shown` (the sides of the candidate at
# each depth), `left` (sides by kind) and `joins` (joins to be made by pair); what comes before `ends` is that of
# `search_any_order`.  ``ends[i]`` has the kinds of the four sides of the candidate at position i, or a number that is
# no kind; ``waiting[d]`` marks those that face squares filled after depth d; ``copies[t]`` is the number of rotations
# of type t that look alike.  Invariant: between two candidates all rows are those of their boards.
@kernel
def _list_continuations(
    types, mates, index, base, neighbour, shift, stride, lane, keyed, known, ends, pair, waiting, copies,
    depth, available, shown, left, joins, weights, start, most, parents, positions, values,
):  # fmt: skip
    """List up to about `most` continuations of the boards from number `start` on; return their number, the next board.

    A continuation's weight is that of its board times the ratio of their expected numbers of solutions; without kinds
    of sides, the ratio is 1.
    """
    end, boards, kinds = np.uint64(available.shape[1] - 1), np.uint64(len(weights)), np.uint64(left.shape[1])
    number, n = _0, start
    while n < boards and number < most:
        i = first_of_list(depth, index, base, shown[n], neighbour, shift, stride, keyed)
        must, cared, _ = sides_compared(depth, shown[n], neighbour, shift, lane, keyed, known, known)
        t = np.uint64(types[i])
        while t != end:
            pieces = available[n, t]
            if pieces != 0 and (mates[i] ^ must) & cared == _0:
                odds = 1.0
                if kinds > _0:
                    odds = copies[t] * float(pieces) * _odds(ends, pair, waiting, left, joins, kinds, depth, n, i)
                if odds > 0.0:
                    parents[number], positions[number], values[number] = n, i, weights[n] * odds
                    number += _1
            i += _1
            t = np.uint64(types[i])
        n += _1
    return number, n


@inner_kernel
def _odds(ends, pair, waiting, left, joins, kinds, depth, n, i):
    """The factor by which a candidate changes the product of ``left! / joins!`` over all kinds and pairs."""
    over, under = 1.0, 1.0
    for side in range(_4):
        kind = np.uint64(ends[i, side])
        if kind < kinds:
            under *= float(left[n, kind])
            left[n, kind] -= np.uint16(1)
            if waiting[depth, side]:
                join = np.uint64(pair[kind])
                over *= float(joins[n, join])
                joins[n, join] -= np.uint16(1)
    for side in range(_4):
        kind = np.uint64(ends[i, side])
        if kind < kinds:
            left[n, kind] += np.uint16(1)
            if waiting[depth, side]:
                joins[n, np.uint64(pair[kind])] += np.uint16(1)
    return over / under


# Data layout: as above; the given boards are followed by the resulting ones.
@kernel
def _lay(
    types, sides, ends, pair, waiting, depth, parents, positions,
    available, shown, left, joins, laid_available, laid_shown, laid_left, laid_joins,
):  # fmt: skip
    """Copy boards and place a candidate on each."""
    kinds = np.uint64(left.shape[1])
    for n in range(np.uint64(len(parents))):
        parent, i = np.uint64(parents[n]), np.uint64(positions[n])
        for t in range(np.uint64(available.shape[1])):
            laid_available[n, t] = available[parent, t]
        for d in range(depth):
            laid_shown[n, d] = shown[parent, d]
        for kind in range(kinds):
            laid_left[n, kind] = left[parent, kind]
        for join in range(np.uint64(joins.shape[1])):
            laid_joins[n, join] = joins[parent, join]
        laid_available[n, np.uint64(types[i])] -= np.uint8(1)
        laid_shown[n, depth] = sides[i]
        for side in range(_4):
            kind = np.uint64(ends[i, side])
            if kind < kinds:
                laid_left[n, kind] -= np.uint16(1)
                if waiting[depth, side]:
                    laid_joins[n, np.uint64(pair[kind])] -= np.uint16(1)


@kernel
def _least_kept(values, number):
    """The threshold c for which the sum of min(1, value / c) is `number`, for more than `number` values."""
    least = np.inf
    while True:
        kept, others = 0, 0.0
        for value in values:
            if value > least:
                kept += 1
            else:
                others += value
        # The threshold decreases until it passes no further value.
        following = others / (number - kept)
        if following >= least * (1 - 1e-12):
            return least
        least = following


def _chosen(values: Floats, least: float, start: float) -> NDArray[np.uint32]:
    """Choose values, each with probability min(1, value / least), at equal distances from `start` (0 to 1)."""
    chosen = np.empty(len(values), dtype=np.uint32)
    return chosen[: _choose(values, least, start, chosen)]


@kernel
def _choose(values, least, start, chosen):
    """Write the positions of the values that are chosen, and return their number."""
    number, passed = 0, start
    for n in range(len(values)):
        passed += min(1.0, values[n] / least)
        if passed >= 1.0:
            passed -= 1.0
            chosen[number] = n
            number += 1
    return number
