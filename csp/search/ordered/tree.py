"""A search tree with access to its nodes in any order, for estimators that sample it."""

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import kernel
from ...puzzles.candidates import Candidates
from ...puzzles.slips import NONE_INVALID, InvalidJoins
from .slip_kernel import first_of_list, next_pass, numbers_of, sides_compared, some_lane_is_zero, tally_of
from .tables import OrderedTables
from .walk import available_of, described, neighbours_of, tallies_of

Nodes = NDArray[np.uint32]

_0, _1 = np.uint64(0), np.uint64(1)
# Where the positions of a node begin.
_FIRST = np.uint64(2)


class SearchTree:
    """The tree that a `Walk` walks through, level by level: the same candidates, symmetries and slips.

    A set of nodes at a depth (pieces placed, without fixed ones) is an array with one row per node: the invalid joins
    on its board, all of them and those along the frame, then the positions of its candidates in the lists of `tables`.

    - `candidates`, `tables`: the candidates and the tables of the search.
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
        types, sides, mates = described(candidates, tables)
        self._arrays = (
            types.astype(np.uint16), sides, mates, tables.index, tables.first, tables.base, *neighbours_of(tables),
            tables.keyed, tables.known, tables.met, tallies_of(tables), quota,
            available_of(candidates, len(candidates.kinds) + 1), np.zeros(max(self.depths, 1), dtype=np.uint64),
        )  # fmt: skip

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
def _visit(
    types, sides, mates, index, first, base, neighbour, shift, stride, lane, keyed, known, met, invalid, quota,
    available, shown, nodes, depth, wanted, numbers,
):  # fmt: skip
    """Count the candidates that may follow on each board, up to the wanted one, which is placed; -1 for no one."""
    for n in range(len(nodes)):
        _place(types, sides, available, shown, nodes[n], depth)
        numbers[n] = _nth(
            types, mates, index, first, base, neighbour, shift, stride, lane, keyed, known, met, invalid, quota,
            available, shown, nodes[n], depth, wanted[n],
        )  # fmt: skip
        _take_off(types, available, nodes[n], depth)


@kernel
def _place(types, sides, available, shown, node, depth):
    """Place the pieces of a node."""
    for d in range(depth):
        i = np.uint64(node[_FIRST + d])
        shown[d] = sides[i]
        available[np.uint64(types[i])] -= np.uint8(1)


@kernel
def _take_off(types, available, node, depth):
    """Undo `_place`."""
    for d in range(depth):
        available[np.uint64(types[np.uint64(node[_FIRST + d])])] += np.uint8(1)


@kernel
def _nth(
    types, mates, index, first, base, neighbour, shift, stride, lane, keyed, known, met, invalid, quota,
    available, shown, node, depth, wanted,
):  # fmt: skip
    """The number of candidates that may follow; candidate number `wanted`, if there is one, is added to the node."""
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
