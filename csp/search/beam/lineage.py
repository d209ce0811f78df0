"""Which boards of a beam descend from which, and by which candidates, without those whose descendants have died out."""

import numpy as np
from numpy.typing import NDArray

# The number of steps after which the boards without descendants are dropped.
_STEPS = 8


class Lineage:
    """The candidates of all boards of a beam, in memory that hardly grows with the number of squares.

    The last steps are as the kernel has written them: each board's parent and its candidate.  Earlier steps are in
    chapters of several steps, which have a row for each board at the end of the chapter that still has descendants: its
    candidates, and the number of the row that it descends from in the chapter before.
    """

    def __init__(self, width: int) -> None:
        self._parents = np.zeros((_STEPS, width), dtype=np.uint32)
        self._candidates = np.zeros((_STEPS, width), dtype=np.uint32)
        self._written = 0
        self._chapters: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]] = []

    @staticmethod
    def bytes_a_board() -> int:
        """The approximate memory per board of the width: the last steps, and as much for chapters."""
        return 2 * (4 + 4) * _STEPS

    def begin_step(self, boards: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Where to write the parents and the candidates of the next step's boards; there are `boards` parents."""
        if self._written == _STEPS:
            self._end_chapter(boards)
        self._written += 1
        return self._parents[self._written - 1], self._candidates[self._written - 1]

    def take_back(self) -> None:
        """Take the last step back."""
        self._written -= 1

    def keep(self, boards: NDArray[np.integer]) -> None:
        """Keep these boards of the last step only, with new numbers in the same order."""
        for array in (self._parents, self._candidates):
            array[self._written - 1, : len(boards)] = array[self._written - 1, boards]

    def parents(self, boards: int) -> NDArray[np.uint32]:
        """The parents of the last step's boards."""
        return self._parents[self._written - 1, :boards]

    def candidates(self, boards: int) -> NDArray[np.uint32]:
        """The candidates of the last step's boards."""
        return self._candidates[self._written - 1, :boards]

    def rows(self, boards: NDArray[np.integer]) -> NDArray[np.int64]:
        """The candidates of some of the last step's boards, a row for each."""
        last, at = self._recent(boards)
        found = [last]
        for rows, origins in reversed(self._chapters):
            found.append(rows[at])
            at = origins[at]
        return np.concatenate(found[::-1], axis=1).astype(np.int64)

    def _recent(self, boards: NDArray[np.integer]) -> tuple[NDArray[np.uint32], NDArray[np.integer]]:
        """Their candidates since the last chapter, and their rows in it."""
        rows, at = np.zeros((len(boards), self._written), dtype=np.uint32), boards
        for step in reversed(range(self._written)):
            rows[:, step] = self._candidates[step, at]
            at = self._parents[step, at]
        return rows, at

    def _end_chapter(self, boards: int) -> None:
        """Make a chapter of the last steps, and drop the rows of earlier ones without descendants."""
        rows, origins = self._recent(np.arange(boards, dtype=np.uint32))
        self._written = 0
        kept = []
        for earlier_rows, earlier_origins in reversed(self._chapters):
            alive = np.zeros(len(earlier_rows), dtype=np.bool_)
            alive[origins] = True
            numbers = np.cumsum(alive, dtype=np.uint32) - np.uint32(1)
            kept.append((rows, numbers[origins]))
            rows, origins = earlier_rows[alive], earlier_origins[alive]
        self._chapters = [(rows, origins.astype(np.uint32)), *reversed(kept)]
