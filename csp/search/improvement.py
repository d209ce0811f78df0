"""Boards improved window by window (large neighbourhood search, Shaw 1998).

Each step frees a window and looks for its best completion.  A completion that is better is taken, and so is one that is
as good but was not met before.  Where these are rare, a small window may become worse by one invalid join, up to a few
more than those of the best board.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ..base.seeded_random import Chance
from ..base.stop import Progress, Report, Stop, main_reason
from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..work.pools import Threads
from ..work.run import in_order
from .shared_tree import EXHAUSTED
from .windows import Window, WindowTables

# The numbers of parts of a window, each as likely as it is frequent here.
_PARTS = (1, 1, 2, 2, 3)
# Of ten parts this many begin at an invalid join; the others begin anywhere.
_AT_INVALID, _AT_INVALID_IF_WORSE = 9, 5


class Neighbourhoods:
    """Random windows among the squares without a fixed piece."""

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


#: Given a board and the squares of a window: a best completion or None, and whether it is known to be one.
Solver = Callable[[Arrangement, frozenset[int]], tuple[Arrangement | None, bool]]

# The most nodes for a window, and the number of equally good completions that are looked at.
_NODES, _EQUAL = 300_000, 16
# The most invalid joins that a board may have more than the best one; how many of a hundred steps may make it worse.
_WORSE, _STEPS_TO_WORSE = 3, 30
# What was tried or visited is forgotten when there is more of it.
_MOST_KEPT = 200_000


@dataclass
class Windows:
    """Numbers of windows."""

    #: Windows that were searched; those that were proved before are not searched again.
    tried: int = 0
    #: Windows whose best completion is known with certainty.
    proved: int = 0
    #: Windows with a better completion that led to a board better than all before.
    gained: int = 0
    #: Windows that were replaced by another completion.
    moved: int = 0
    #: Pieces placed.
    nodes: int = 0


class Best:
    """The best board so far, which several walks share.

    - `board`, `invalid`: the board at the beginning, and its invalid joins.
    """

    def __init__(self, board: Arrangement, invalid: int, keep: Callable[[Arrangement], object]) -> None:
        self.board, self.invalid, self._keep = board, invalid, keep
        self._lock = threading.Lock()

    def offer(self, board: Arrangement, invalid: int) -> bool:
        """Take a board if it is better; return whether it is."""
        with self._lock:
            if invalid >= self.invalid:
                return False
            self.board, self.invalid = board, invalid
            self._keep(board)
            return True

    def now(self) -> tuple[Arrangement, int]:
        """The board and its invalid joins."""
        with self._lock:
            return self.board, self.invalid


class BoardWalk:
    """A walk from board to board, one window a step.

    - `best`: the best board, where the walk begins.
    - `loose_frame`: whether joins along the frame may be invalid.
    - `solver`: completes windows instead of the kernel.

    Attributes:
    - `windows`: what was done.
    - `idle`: the steps since the best board was found.
    """

    def __init__(
        self,
        tables: WindowTables,
        best: Best,
        largest: int,
        seed: int,
        *,
        loose_frame: bool = False,
        solver: Solver | None = None,
    ) -> None:
        self._tables, self._best, self._loose_frame, self._solver = tables, best, loose_frame, solver
        self._chance = Chance(seed)
        self._neighbourhoods = Neighbourhoods(tables.puzzle, largest)
        self._visited, self._proved = set[int](), set[int]()
        self.windows, self.idle = Windows(), 0
        self._go_to_best()

    def _go_to_best(self) -> None:
        board, self._known_best = self._best.now()
        self._go_to(self._tables.placed(board))

    def _go_to(self, placed: NDArray[np.int32]) -> None:
        self._placed = placed
        self._invalid = invalid_joins_of(self._tables, placed)
        _remember(self._visited, hash(placed.tobytes()))

    def step(self, most_nodes: int = _NODES) -> None:
        """Search one window with at most `most_nodes` nodes, unless it was proved before."""
        chance = self._chance
        self.idle += 1
        if self._best.invalid < self._known_best:
            # Another walk has found it.
            self._go_to_best()
            self.idle = 0
        may_be_worse = len(self._invalid) < self._best.invalid + _WORSE and chance.below(100) < _STEPS_TO_WORSE
        choose = self._neighbourhoods.small if may_be_worse else self._neighbourhoods.around
        squares = choose(self._invalid, chance)
        window = Window(self._tables, self._placed, squares, 1 + chance.below(2**32), loose_frame=self._loose_frame)
        if not may_be_worse and hash(window.key) in self._proved:
            return
        self.windows.tried += 1
        if self._solver is not None:
            board, proved = self._solver(self._tables.board(self._placed), squares)
            found = None if board is None else self._tables.placed(board)
            if proved and not may_be_worse:
                _remember(self._proved, hash(window.key))
        else:
            cost = sum(first in squares or second in squares for first, second in self._invalid)
            found, proved = self._completion(window, cost, cost + may_be_worse, min(most_nodes, _NODES))
        self.windows.proved += proved
        self.windows.nodes += window.nodes
        if found is not None and not np.array_equal(found, self._placed):
            self._take(found)

    def _take(self, placed: NDArray[np.int32]) -> None:
        """Go to another board."""
        self._go_to(placed)
        self.windows.moved += 1
        invalid = len(self._invalid)
        if invalid < self._best.invalid and self._best.offer(self._tables.board(placed), invalid):
            self.windows.gained += 1
            self.idle, self._known_best = 0, invalid

    def _completion(self, window: Window, cost: int, most: int, nodes: int) -> tuple[NDArray[np.int32] | None, bool]:
        """Another board with at most `most` invalid joins in the window, and whether the best completion is known."""
        for invalid in range(most + 1):
            window.begin(invalid, 1 if invalid < cost else _EQUAL)
            code = window.advance(nodes - window.nodes)
            boards = window.found()
            if invalid >= cost:
                boards = [board for board in boards if hash(board.tobytes()) not in self._visited]
            if boards:
                return self._chance.sample(boards, 1)[0], True
            if invalid < cost and code != EXHAUSTED:
                return None, False
        _remember(self._proved, hash(window.key))
        return None, True


def invalid_joins_of(tables: WindowTables, placed: NDArray[np.int32]) -> list[tuple[int, int]]:
    """The pairs of squares of a full board whose join is invalid."""
    first, side, second = tables.joins
    piece, turn = placed
    own = tables.own[piece[first], turn[first], side]
    invalid = own != tables.wanted[piece[second], turn[second], side ^ 2]
    return list(zip(first[invalid].tolist(), second[invalid].tolist(), strict=True))


def _remember(kept: set[int], item: int) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept.add(item)


# Without a limit a walk ends after the first number of steps without a better board.  In any case it ends after the
# second number of steps without a node, since there may be none left to place.
_IDLE, _BARREN = 20_000, 1_000


def improve_board(
    tables: WindowTables,
    board: Arrangement,
    stop: Stop,
    *,
    largest: int,
    seed: int,
    threads: int = 1,
    nodes: int | None = None,
    loose_frame: bool = False,
    solver: Solver | None = None,
    keep: Callable[[Arrangement], object] = lambda board: None,
    report: Report | None = None,
) -> tuple[Arrangement, Windows, str | None]:
    """The best board that some walks find, what they did, and what ended them (None: all joins are valid).

    - `board`: a full board with the fixed pieces.
    - `largest`, `seed`, `loose_frame`, `solver`: as for `BoardWalk`; each thread has its own random numbers.
    - `threads`, `nodes`: the number of walks, and the limit on the nodes of all together.
    - `keep`: is called with each better board, in the thread that has found it.
    """
    highest = tables.puzzle.max_score
    if not tables.puzzle.free_squares:
        return board, Windows(), None if tables.puzzle.score(board) == highest else "restarts"
    best = Best(board, len(invalid_joins_of(tables, tables.placed(board))), keep)
    walks = [
        BoardWalk(tables, best, largest, (threads * seed + number) % 2**64, loose_frame=loose_frame, solver=solver)
        for number in range(threads)
    ]
    share, endless = None if nodes is None else nodes // threads, nodes is None and stop.limit is None

    def walked(walk: BoardWalk, dropped: Callable[[], bool]) -> str:
        """Walk until something ends it; return what that was, nothing if all joins are valid."""
        barren = 0
        while best.invalid:
            if dropped():
                return stop.ended_by or ""
            if barren == _BARREN or (endless and walk.idle >= _IDLE):
                return "restarts"
            before = walk.windows.nodes
            if share is None:
                walk.step()
            elif before < share:
                walk.step(share - before)
            else:
                return "nodes"
            barren = barren + 1 if solver is None and walk.windows.nodes == before else 0
        return ""

    def total() -> Windows:
        return Windows(*map(sum, zip(*(astuple(walk.windows) for walk in walks), strict=True)))

    def must_stop() -> bool:
        if not stop() and report is not None:
            done = total()
            note = f"{done.tried} windows, {done.proved} proved"
            report(Progress(done.nodes, seconds=stop.seconds, scores=(highest - best.invalid, highest), note=note))
        return stop.ended_by is not None

    with Threads(walked, threads) as pool:
        ended_by = main_reason([*in_order(walks, pool, must_stop)])
    return best.board, total(), ended_by if best.invalid else None
