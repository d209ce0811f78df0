"""Which squares of a board to free: windows around its invalid joins, of one part or of several."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ...base.seeded_random import Chance
from ...puzzles.edge_matching import EdgeMatchingPuzzle

# The numbers of parts of a window, each as likely as it is frequent here.
_PARTS = (1, 1, 2, 2, 3)
# Of ten parts this many begin at an invalid join; the others begin anywhere.
_AT_INVALID, _AT_INVALID_IF_WORSE = 9, 5


class Neighbourhoods:
    """Random windows among the squares without a fixed piece.

    - `largest`: the number of squares of the largest window.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, largest: int) -> None:
        board = puzzle.board
        self._free = puzzle.free_squares
        self.largest = min(largest, len(self._free))
        free = {*self._free}
        self._beside = [
            [join.second for join in board.joins_of(square) if join.second in free] for square in range(len(board))
        ]

    def around(self, joins: Sequence[tuple[int, int]], chance: Chance) -> frozenset[int]:
        """A window at some of the given joins, which are pairs of squares; at least a third as large as the largest."""
        size = max(self.largest - chance.below(self.largest - self.largest // 3 + 1), 1)
        parts = min(_PARTS[chance.below(len(_PARTS))], size)
        return self._grown([self._start(joins, chance, _AT_INVALID) for _ in range(parts)], size, chance)

    def small(self, joins: Sequence[tuple[int, int]], chance: Chance) -> frozenset[int]:
        """A window of a sixth to a third of that size, half of the time at one of the joins."""
        third = max(self.largest // 3, 1)
        size = third - chance.below(third // 2 + 1)
        return self._grown([self._start(joins, chance, _AT_INVALID_IF_WORSE)], size, chance)

    def _start(self, joins: Sequence[tuple[int, int]], chance: Chance, at_joins: int) -> int:
        """A square that is free: of a join in `at_joins` of ten cases, otherwise any."""
        if joins and chance.below(10) < at_joins:
            square = joins[chance.below(len(joins))][chance.below(2)]
            if square in self._free:
                return square
        return self._free[chance.below(len(self._free))]

    def _grown(self, starts: Iterable[int], size: int, chance: Chance) -> frozenset[int]:
        """Add neighbours until the window has the size; those with many neighbours in it are more likely."""
        window = {*starts}
        # Of each neighbour the number of its neighbours in the window.
        rim: dict[int, int] = {}
        for square in sorted(window):
            self._see(square, window, rim)
        while len(window) < size and rim:
            sums = list(accumulate(number**3 for number in rim.values()))
            square = list(rim)[bisect_right(sums, chance.below(sums[-1]))]
            window.add(square)
            del rim[square]
            self._see(square, window, rim)
        return frozenset(window)

    def _see(self, square: int, window: set[int], rim: dict[int, int]) -> None:
        for beside in self._beside[square]:
            if beside not in window:
                rim[beside] = rim.get(beside, 0) + 1
