"""The search kernel for slip arrays, for any order; `kernels` describes the common parts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.compiled import inner_kernel, kernel, separate_kernel
from ...puzzles.slips import NONE_INVALID, InvalidJoins
from ...puzzles.symmetry import Candidates
from ..shared_tree import BUDGET_SPENT, DEEPER, EXHAUSTED, ROWS_FULL
from .color_balance import least_of, post, take_back
from .kernels import (
    BUDGET,
    DEPTH,
    FLOOR,
    POSITION,
    WRITTEN,
    OrderedTables,
    available_of,
    lists_of,
    write_row,
)

# The entries of `state` for a depth that are specific to slips: its pass, and the invalid joins on the board before its
# own piece, all of them and those along the frame.
PASS, INVALID, ALONG = 0, 1, 2
_PASS, _INVALID, _ALONG = (np.uint64(i) for i in (PASS, INVALID, ALONG))

# A tally has three numbers of invalid joins, from the highest bit: all, those along the frame, and the others.  Above
# each there is a bit for carries.
_FRAME, _ALL = np.uint64(22), np.uint64(35)
_CARRIES = np.uint64(1 << 21 | 1 << 34 | 1 << 56)
_FRAME_MASK, _ALL_MASK = np.uint64((1 << 12) - 1), np.uint64((1 << 21) - 1)

_0, _1, _2, _3, _4 = (np.uint64(i) for i in range(5))
_LOW = np.uint64(0xFFFF)


def tallies(inner: ArrayLike, frame: ArrayLike) -> NDArray[np.uint64]:
    """The tallies of numbers of invalid inner joins, and of invalid joins along the frame."""
    inner, frame = np.asarray(inner, dtype=np.uint64), np.asarray(frame, dtype=np.uint64)
    return inner | frame << _FRAME | (inner + frame) << _ALL


def with_at_most(tally: NDArray[np.uint64], most: int) -> NDArray[np.uint64]:
    """The same tallies, with at most `most` invalid joins in all."""
    return tally & (_1 << _ALL) - _1 | np.minimum(tally >> _ALL, np.uint64(min(most, int(_ALL_MASK)))) << _ALL


def passes_of(tables: OrderedTables) -> "Passes":
    """The passes for the kernel."""
    return Passes(tables.first, tables.met, tallies(tables.invalid - tables.along, tables.along))


def allows_any(tally: NDArray[np.uint64]) -> bool:
    """Whether the last of the tallies allows any invalid join."""
    return int(tally[-1]) >> int(_ALL) > 0


class Passes(NamedTuple):
    """The passes of each depth, as the kernel reads them."""

    first: NDArray[np.uint64]
    met: NDArray[np.uint64]
    invalid: NDArray[np.uint64]


@kernel
def search_with_slips(
    lists, passes, quota, available, shown, state, nodes, cursor, fixed_accounts, accounts, sums, settled_to,
    bound_from, rows, deep,
):  # fmt: skip
    """Continue a search in which depth d may have up to ``quota[d]`` invalid joins on the board, a tally.

    - `lists`, `available` and `shown` are those of `search_any_order`.
    - Depth d has the passes ``first[d]`` to ``first[d + 1] - 1``, in ascending order of all invalid joins in
      ``invalid[s]``, the tally of those that a candidate of pass s adds.  ``base`` and the following arrays have one
      or four entries per pass.
    - Of the neighbours of a pass the first ``keyed[s]`` make the key, those up to ``known[s]`` must match, and those
      up to ``met[s]`` must not.
    - ``state`` has the entries PASS, INVALID and ALONG for the current depth, too.
    - From depth `bound_from` on, a piece is taken off at once if by `color_balance` more joins will be invalid than the
      last quota allows.  `accounts` have the pieces at the depths below ``settled_to[0]``, and ``sums[d]`` is the sum
      of their costs with those below d; `fixed_accounts` is the rest of what `post` needs, None for no bound.

    ``quota`` ascends, and for all joins it may be lowered to a number, the same for all depths, between two slices:
    what is on the board then may have more invalid joins than allowed, and no piece is placed before enough are taken
    off.

    Tallies are compared as whole words, which compares all invalid joins, and the others if none lies along the frame.
    """
    types, sides, mates, index, base, neighbour, shift, stride, lane, keyed, known = lists
    first, met, invalid = passes
    d, i, written, budget = cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET]
    last = np.uint64(len(nodes) - 1)
    end = np.uint64(len(available) - 1)
    room = np.uint64(len(rows))
    s = np.uint64(state[_4 * d + _PASS])
    before = tally_of(state[_4 * d + _INVALID], state[_4 * d + _ALONG])
    wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
    over = before + invalid[s] > quota[d]
    has_frame_slips = (quota[last] >> _FRAME) & _FRAME_MASK != _0
    most, settled = quota[last] | _CARRIES, settled_to[0]
    while True:
        p = np.uint64(types[i])
        while available[p] == 0:
            i += _1
            p = np.uint64(types[i])
        if p == end or over:
            s += _1
            if has_frame_slips:
                s = next_pass(s, first[d + _1], before, invalid, quota[d])
            if s < first[d + _1] and before + invalid[s] <= quota[d]:
                state[_4 * d + _PASS] = s
            elif d == cursor[FLOOR]:
                # Resumed, it is exhausted again.
                s = np.uint64(state[_4 * d + _PASS])
                stopped = EXHAUSTED
                break
            else:
                d -= _1
                i = np.uint64(state[_4 * d + _3])
                available[np.uint64(types[i])] += np.uint8(1)
                i += _1
                s = np.uint64(state[_4 * d + _PASS])
                before = tally_of(state[_4 * d + _INVALID], state[_4 * d + _ALONG])
                if fixed_accounts is not None and settled > d:
                    take_back(s, shown, accounts, *fixed_accounts)
                    settled = d
                over = before + invalid[s] > quota[d]
                wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
                continue
            i = first_of_list(s, index, base, shown, neighbour, shift, stride, keyed)
            wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
            continue
        unlike = mates[i] ^ wanted
        if unlike & cared != _0 or (differing != _0 and some_lane_is_zero(unlike | ~differing)):
            i += _1
            continue
        if budget == _0 or d >= deep:
            stopped = BUDGET_SPENT if budget == _0 else DEEPER
            break
        budget -= _1
        nodes[d] += _1
        if d == last:
            i += _1
            if room != _0:
                write_row(state, rows, written, last, i - _1)
                written += _1
                if written == room:
                    stopped = ROWS_FULL
                    break
            continue
        shown[d] = sides[i]
        # Numba leaves this out where there are no accounts.
        if fixed_accounts is not None and d >= bound_from:
            while settled < d:
                at = np.uint64(state[_4 * settled + _PASS])
                sums[settled + _1] = sums[settled] + post(at, shown, accounts, *fixed_accounts)
                settled += _1
            sums[d + _1] = sums[d] + post(s, shown, accounts, *fixed_accounts)
            inner, along = least_of(sums[d + _1])
            needed = tally_of(inner + along, min(along, _FRAME_MASK))
            if (most - before - invalid[s] - needed) & _CARRIES != _CARRIES:
                take_back(s, shown, accounts, *fixed_accounts)
                i += _1
                continue
            settled = d + _1
        available[p] -= np.uint8(1)
        state[_4 * d + _3] = i
        before += invalid[s]
        d += _1
        s = first[d]
        state[_4 * d + _PASS] = s
        state[_4 * d + _INVALID] = before >> _ALL
        if has_frame_slips:
            state[_4 * d + _ALONG] = (before >> _FRAME) & _FRAME_MASK
        i = first_of_list(s, index, base, shown, neighbour, shift, stride, keyed)
        over = before + invalid[s] > quota[d]
        wanted, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
    cursor[DEPTH], cursor[POSITION], cursor[WRITTEN], cursor[BUDGET] = d, i, written, budget
    settled_to[0] = settled
    return stopped


@inner_kernel
def tally_of(number, along):
    """The tally of a number of invalid joins, `along` of which lie along the frame."""
    number, along = np.uint64(number), np.uint64(along)
    return number - along | along << _FRAME | number << _ALL


@inner_kernel
def numbers_of(tally):
    """The number of invalid joins of a tally, and that of those along the frame."""
    return tally >> _ALL, (tally >> _FRAME) & _FRAME_MASK


@inner_kernel
def next_pass(s, after, before, invalid, quota):
    """The first pass from s on, before `after`, that adds no more invalid joins of each kind than the quota allows."""
    while s < after and ((quota | _CARRIES) - before - invalid[s]) & _CARRIES != _CARRIES:
        s += _1
    return s


@inner_kernel
def first_of_list(s, index, base, shown, neighbour, shift, stride, keyed):
    """Where the list of a pass starts."""
    key = base[s]
    r = _4 * s
    end = r + keyed[s]
    while r < end:
        key += ((shown[neighbour[r]] >> shift[r]) & _LOW) * stride[r]
        r += _1
    return np.uint64(index[key])


@inner_kernel
def sides_compared(s, shown, neighbour, shift, lane, keyed, known, met):
    """The colours that a candidate of a pass is compared with, and ones in the lanes that must and must not match."""
    wanted, cared, differing = _0, _0, _0
    j = keyed[s]
    while j < met[s]:
        at = _4 * s + j
        wanted |= ((shown[neighbour[at]] >> shift[at]) & _LOW) << lane[at]
        if j < known[s]:
            cared |= _LOW << lane[at]
        else:
            differing |= _LOW << lane[at]
        j += _1
    return wanted, cared, differing


@inner_kernel
def some_lane_is_zero(word):
    """Whether one of the four 16-bit lanes is 0 (Hacker's Delight, 6-1: exact as a yes or no)."""
    return (word - np.uint64(0x0001000100010001)) & ~word & np.uint64(0x8000800080008000) != _0


Nodes = NDArray[np.uint32]

# Where the positions of a node begin.
_FIRST = np.uint64(2)


class SearchTree:
    """The tree that a `Walk` walks through, level by level: the same candidates, symmetries and slips.

    A set of nodes at a depth (pieces placed, without fixed ones) is an array with one row per node: the invalid joins
    on its board, all of them and those along the frame, then the positions of its candidates in the lists of `tables`.

    - `quota`, `invalid`: the invalid joins allowed at each depth, as `tallies`, and those among the fixed pieces; None
      for no slips.

    Attributes:
    - `depths`: the number of pieces of a leaf.
    """

    def __init__(
        self,
        candidates: Candidates,
        tables: OrderedTables,
        quota: NDArray[np.uint64] | None = None,
        invalid: InvalidJoins = NONE_INVALID,
    ) -> None:
        self.depths = len(tables.squares)
        self._invalid = invalid if quota is not None else NONE_INVALID
        quota = np.zeros(self.depths, dtype=np.uint64) if quota is None else quota
        available = available_of(candidates, len(candidates.kinds) + 1)
        shown = np.zeros(max(self.depths, 1), dtype=np.uint64)
        self._arrays = lists_of(candidates, tables), passes_of(tables), quota, available, shown

    def root(self) -> Nodes:
        """The board before the first piece, as a set of one node."""
        nodes = np.zeros((1, int(_FIRST) + self.depths), dtype=np.uint32)
        nodes[0, :2] = self._invalid.total, self._invalid.frame
        return nodes

    def children(self, nodes: Nodes, depth: int) -> NDArray[np.int64]:
        """The number of children of each node at a depth."""
        return self._visited(nodes, depth, np.full(len(nodes), -1))

    def child(self, nodes: Nodes, depth: int, parents: NDArray[np.int64], which: NDArray[np.int64]) -> Nodes:
        """Child number ``which[i]`` (from 0) of node ``parents[i]``, for all i."""
        chosen = nodes[parents]
        self._visited(chosen, depth, which)
        return chosen

    def _visited(self, nodes: Nodes, depth: int, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        numbers = np.zeros(len(nodes), dtype=np.int64)
        _visit(*self._arrays, nodes, np.uint64(depth), wanted, numbers)
        return numbers


# Data layout: that of `search_with_slips`; ``nodes`` as in `SearchTree`.  Invariant: between two nodes `available` is
# that of the empty board.
@kernel
def _visit(lists, passes, quota, available, shown, nodes, depth, wanted, numbers):
    """Count the candidates that may follow on each board, up to the wanted one, which is placed; -1 for no one."""
    for n in range(len(nodes)):
        _place(lists.types, lists.sides, available, shown, nodes[n], depth)
        numbers[n] = _nth(lists, passes, quota, available, shown, nodes[n], depth, wanted[n])
        _take_off(lists.types, available, nodes[n], depth)


@separate_kernel
def _place(types, sides, available, shown, node, depth):
    """Place the pieces of a node."""
    for d in range(depth):
        i = np.uint64(node[_FIRST + d])
        shown[d] = sides[i]
        available[np.uint64(types[i])] -= np.uint8(1)


@inner_kernel
def _take_off(types, available, node, depth):
    """Undo `_place`."""
    for d in range(depth):
        available[np.uint64(types[np.uint64(node[_FIRST + d])])] += np.uint8(1)


@inner_kernel
def _nth(lists, passes, quota, available, shown, node, depth, wanted):
    """The number of candidates that may follow; candidate number `wanted`, if there is one, is added to the node."""
    types, _, mates, index, base, neighbour, shift, stride, lane, keyed, known = lists
    first, met, invalid = passes
    end = np.uint64(len(available) - 1)
    before = tally_of(node[_0], node[_1])
    number = 0
    after = first[depth + _1]
    s = next_pass(first[depth], after, before, invalid, quota[depth])
    while s < after:
        i = first_of_list(s, index, base, shown, neighbour, shift, stride, keyed)
        must, cared, differing = sides_compared(s, shown, neighbour, shift, lane, keyed, known, met)
        while np.uint64(types[i]) != end:
            unlike = mates[i] ^ must
            fits = unlike & cared == _0 and (differing == _0 or not some_lane_is_zero(unlike | ~differing))
            if fits and available[np.uint64(types[i])] != 0:
                if number == wanted:
                    node[_0], node[_1] = numbers_of(before + invalid[s])
                    node[_FIRST + depth] = i
                    return number
                number += 1
            i += _1
        s = next_pass(s + _1, after, before, invalid, quota[depth])
    return number
