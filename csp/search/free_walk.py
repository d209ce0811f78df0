"""The walk of a search without a fixed order of squares, whatever its kernel."""

import numpy as np
from numpy.typing import NDArray

from ..engines.tallies import Rows
from .most_constrained_kernel import CURSOR_SIZE, FULLEST, BoardStack
from .shared_tree import DEPTH, FLOOR, WRITTEN, KernelWalk, done_of_levels
from .tree_run import FIRST_SLICE


class FreeWalk(KernelWalk):
    """One search from the first square on, which can be advanced by any number of nodes."""

    def __init__(self, free: int) -> None:
        self.nodes = np.zeros(free, dtype=np.uint64)
        self.slice_nodes = FIRST_SLICE
        self._levels = np.zeros((5, free), dtype=np.uint32)
        self._stack = BoardStack(*self._levels)
        self._fullest = np.zeros((free, 2), dtype=np.uint32)
        self._cursor = np.zeros(CURSOR_SIZE, dtype=np.uint64)
        self._rows = np.zeros((0, free), dtype=np.uint32)

    def _begin(self, square: int, position: int, options: int) -> None:
        self._stack.square[0], self._stack.position[0], self._stack.options[0] = square, position, options

    def solutions(self) -> Rows:
        """The solutions of the last slice: candidates by square, shape (solutions, squares without fixed pieces)."""
        return self._rows[: int(self._cursor[WRITTEN])].astype(np.int64)

    def deepest(self) -> Rows:
        """The fullest board so far: a square and its candidate in each row."""
        return self._fullest[: int(self._cursor[FULLEST])].astype(np.int64)

    def split(self) -> NDArray[np.uint32] | None:
        """Give away the untried candidates of the highest square that has some: a position for `begin_at`."""
        floor, depth = int(self._cursor[FLOOR]), int(self._cursor[DEPTH])
        several = np.flatnonzero(self._stack.tried[floor:depth] < self._stack.options[floor:depth])
        if not len(several):
            return None
        self._cursor[FLOOR] = floor + several[0] + 1
        return self._levels[:, : floor + several[0] + 1].copy()

    def _here(self) -> NDArray[np.uint32]:
        return self._levels[:, : int(self._cursor[DEPTH]) + 1]

    def begin_at(self, place: NDArray[np.uint32] | list[list[int]]) -> None:
        """Go to a position of `split` or `rest`, to search only the subtrees from there on."""
        place = np.asarray(place, dtype=np.uint32)
        nodes, given, depth = self.nodes.copy(), BoardStack(*place), place.shape[1] - 1
        self._stack.tried[:] = self._stack.options
        self._cursor[FLOOR] = 0
        self.advance(0)  # All pieces are taken off.
        at = 0
        # The first candidate is placed unless `tried` and `position` are set.
        for level in (0, *(np.flatnonzero(given.tried[1:depth] > 1) + 1).tolist(), depth):
            self.advance(level - at)
            at, lies = level, level < depth
            self._stack.tried[level] = given.tried[level] - lies
            self._stack.position[level] = given.position[level] - lies
        self._cursor[FLOOR] = depth
        self.nodes[:] = nodes

    def done(self, place: NDArray[np.uint32] | None = None) -> float:
        """The part of the tree that is done, counting the candidates of each square as equal parts.

        With a position that the walk has just given away, the part before it.
        """
        levels = self._here() if place is None else place
        return done_of_levels(levels[3], levels[2])
