"""One walk through a search tree: the tables, the arrays that a kernel works on, and a kernel run slice by slice."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kernels
from .tables import Candidates, Tables


class Walk:
    """A search along the depths of `tables` that can be advanced by any number of nodes.

    Parameters
    ----------
    candidates, tables
        What to search.

    Attributes
    ----------
    nodes
        The number of nodes at each depth so far.
    method
        Which kernel runs.
    """

    def __init__(self, candidates: Candidates, tables: Tables) -> None:
        depths = len(tables.squares)
        self.nodes = np.zeros(depths, dtype=np.uint64)
        self._entries = tables.entries
        self._list_ends = np.flatnonzero(tables.entries < 0)
        self._cursor = np.array([0, tables.index[int(tables.base[0])], 0], dtype=np.uint64)
        self._first = self._cursor[1]
        self._deepest = np.zeros(depths + 1, dtype=np.uint64)
        self._stack = np.zeros(depths, dtype=np.uint64)
        self._rows = np.zeros((0, depths), dtype=np.uint32)
        # The type that ends every list is always available.
        available = np.array([*(len(kind.pieces) for kind in candidates.kinds), 1], dtype=np.uint16)
        if tables.is_staircase(candidates.colors):
            self.method = "staircase"
            self._kernel = self._staircase(candidates, tables, available)
        else:
            self.method = "any order"
            self._kernel = self._any_order(candidates, tables, available)

    def _staircase(self, candidates: Candidates, tables: Tables, available: NDArray[Any]) -> Callable[[np.uint64], int]:
        depths, colors = len(tables.squares), candidates.colors
        of_type, sides = (
            _by_position(tables, candidates.of_type, len(candidates.kinds)),
            _by_position(tables, candidates.sides, 0),
        )
        up, right = (np.maximum(sides[:, side], 0).astype(np.uint64) for side in (0, 1))
        words = of_type.astype(np.uint64) | right << np.uint64(16) | (up * np.uint64(colors)) << np.uint64(32)
        neighbours = np.full((2, depths), depths, dtype=np.uint64)
        for d, j in zip(*np.nonzero(tables.stride), strict=True):
            below_or_left = 0 if tables.reference[d, j] % np.uint64(4) == 0 else 1
            neighbours[below_or_left, d] = tables.reference[d, j] // np.uint64(4)
        fixed = (
            words,
            tables.index,
            tables.base,
            neighbours[0],
            neighbours[1],
            np.uint64(len(candidates.kinds)),
            available,
        )
        memory = np.zeros(depths + 1, dtype=np.uint64), np.zeros(depths + 1, dtype=np.uint64)

        def run(budget: np.uint64) -> int:
            return kernels.search_staircase(
                *fixed, *memory, self._stack, self.nodes, self._cursor, self._deepest, self._rows, budget
            )

        return run

    def _any_order(self, candidates: Candidates, tables: Tables, available: NDArray[Any]) -> Callable[[np.uint64], int]:
        kinds = len(candidates.kinds)
        types = _by_position(tables, candidates.of_type, kinds).astype(np.uint64)
        sides, mates = (_packed(_by_position(tables, colors, 0)) for colors in (candidates.sides, candidates.mates))
        reference = tables.reference.ravel()
        neighbours = (
            reference // np.uint64(4), reference % np.uint64(4) * np.uint64(16),
            tables.stride.ravel(), tables.lane.ravel(), tables.keyed, tables.known,
        )  # fmt: skip
        shown = np.zeros(len(tables.squares), dtype=np.uint64)

        def run(budget: np.uint64) -> int:
            return kernels.search_any_order(
                types, sides, mates, tables.index, tables.base, *neighbours, np.uint64(kinds), available,
                shown, self._stack, self.nodes, self._cursor, self._deepest, self._rows, budget,
            )  # fmt: skip

        return run

    def make_room(self, solutions: int) -> None:
        """Keep the solutions of a slice, and end it after so many; without room they are only counted."""
        if len(self._rows) != solutions:
            self._rows = np.zeros((solutions, len(self.nodes)), dtype=np.uint32)

    def advance(self, budget: int) -> int:
        """Go on for at most `budget` nodes; the kernel's code tells why it stopped."""
        self._cursor[2] = 0
        return self._kernel(np.uint64(budget))

    def solutions(self) -> NDArray[np.int64]:
        """The solutions of the last slice: candidates (indices) by depth, shape (solutions, depths)."""
        return self._entries[self._rows[: int(self._cursor[2])]]

    def deepest(self) -> NDArray[np.int64]:
        """The candidates of the longest partial filling so far, by depth."""
        return self._entries[self._deepest[1 : 1 + int(self._deepest[0])].astype(np.int64)]

    def done(self) -> float:
        """The part of the tree that lies behind, every list of candidates split into equal parts."""
        done, part = 0.0, 1.0
        depth = int(self._cursor[0])
        start = int(self._first)
        positions = [int(word) >> 16 for word in self._stack[: min(depth, 12)]]
        if depth < 12:
            positions.append(int(self._cursor[1]))
        for position in positions:
            end = int(self._list_ends[np.searchsorted(self._list_ends, position - (position > start))])
            begin = int(self._list_ends[np.searchsorted(self._list_ends, end) - 1]) + 1
            length = max(end - begin, 1)
            done += part * max(position - begin - 1, 0) / length
            part /= length
        return min(done, 1.0)


def _by_position(tables: Tables, values: NDArray[np.int64], at_list_end: int) -> NDArray[np.int64]:
    """Something known of each candidate, spread over the positions of the lists."""
    spread = (
        values[np.maximum(tables.entries, 0)]
        if len(values)
        else np.zeros((len(tables.entries), *values.shape[1:]), np.int64)
    )
    spread[tables.entries < 0] = at_list_end
    return spread


def _packed(sides: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Four colours in one word, 16 bits each, the border as 0."""
    lanes = np.arange(0, 64, 16, dtype=np.uint64)
    return np.bitwise_or.reduce(np.maximum(sides, 0).astype(np.uint64) << lanes, axis=1)
