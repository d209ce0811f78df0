"""The plain search in parts: the tree is cut at a depth, and the subtree of each node there is a part."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...base.errors import EngineError
from ...base.seeded_random import shuffled
from ...engines.request import Goal, Limits, Options, given_slips
from ...engines.tallies import Rows, Tally
from ...puzzles.board import Arrangement, Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import NAMED_ORDERS, named_order
from ...puzzles.symmetry import PieceType
from ..ordered.run import Run
from ..ordered.walk import Walk
from ..shared_tree import BUDGET_SPENT, EXHAUSTED, SLICE_SECONDS
from .methods import Pause, Share

if TYPE_CHECKING:
    from .gpu_walks import GpuWalks

# Enough that no part is long, and few enough to be found quickly.
_ENOUGH_PARTS, _MOST_PARTS = 20_000, 200_000
# A narrow tree is followed up to this number of positions only, and a tree with few nodes is not cut.
_MOST_LISTED, _FEW_NODES = 50_000, 2_000_000
_FIRST_SLICE = 100_000
_ROOM = 1024


class Prefixes:
    """The search along an order, cut at the first depth where it has many nodes, or else where it has the most.

    Its parts come in a fixed random order, so that any range of them is a fair sample of the tree.  The nodes
    above the cut are counted with part 0.  They are the same on a GPU, which counts many parts at a time.

    Raises EngineError if there are slips.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        slips = given_slips(options)
        if slips is not None:
            raise EngineError(
                f"{slips}: not supported by a count with several threads, a ledger or a cluster; omit slips"
            )
        self._device = options.device
        self._run = Run(puzzle, Goal.COUNT, Limits(), replace(options, threads=1))
        self.found = self._run.found
        path = [puzzle.board.name(square) for square in self._run.order]
        # A ledger along another order says which one to give.
        order = next((name for name in NAMED_ORDERS if named_order(puzzle, name) == tuple(self._run.order)), None)
        region = {} if options.squares is None else {"squares": puzzle.board.ranges(options.squares)}
        kept: dict[str, object] = {"order": order, "path": path, "symmetry": options.symmetry, **region}
        self.options: Mapping[str, object] = kept
        self._above = np.zeros(self._run.free, dtype=np.int64)
        self._places: list[tuple[int, NDArray[np.uint32]]] = []
        self.method = "none"
        if not self._run.starts:
            pass
        elif self._run.free:
            self._cut()
        else:
            self._places = [(0, np.zeros(1, dtype=np.uint32))]
        self._places = [self._places[part] for part in shuffled(len(self._places)).tolist()]
        self.work = self._predicted(options.predicted)
        if self._device is not None and self._run.free and self._places:
            # What a GPU cannot count is refused now.
            assert self._gpu_walks is not None

    def _cut(self) -> None:
        """Find the positions at the first depth that has enough of them, or else at the one that has the most."""
        walks = [self._run.walk(choice) for choice in range(self._run.walks)]
        self.method = walks[0].method
        self._places = level = [(choice, place) for choice, walk in enumerate(walks) for place in walk.places(0)]
        if self._is_small():
            return
        listed = 0
        for depth in range(1, self._run.free):
            above, level = level, []
            for choice, place in above:
                walks[choice].begin_at(place)
                level += [(choice, below) for below in walks[choice].places(depth)]
                if len(level) > _MOST_PARTS:
                    return
            listed += len(level)
            if len(level) > len(self._places):
                self._places = level
                self._above = np.sum([walk.nodes for walk in walks], axis=0, dtype=np.int64)
            if not 0 < len(level) < _ENOUGH_PARTS or listed > _MOST_LISTED:
                return

    def _is_small(self) -> bool:
        """Whether searching the whole tree is quick."""
        nodes = 0
        for choice in range(self._run.walks):
            walk = self._run.walk(choice)
            if nodes >= _FEW_NODES or walk.advance(_FEW_NODES - nodes) != EXHAUSTED:
                return False
            nodes += int(walk.nodes.sum())
        return True

    def _predicted(self, logarithms: tuple[float, ...] | None) -> NDArray[np.float64]:
        """The nodes below the cut, as predicted for each depth, in equal parts."""
        parts = len(self._places)
        if logarithms is None or not parts:
            return np.ones(parts)
        above = int((self._above > 0).sum()) + len(self._run.puzzle.fixed)
        total = np.logaddexp.reduce(np.array(logarithms[above:]), initial=-np.inf)
        return np.full(parts, np.exp(np.clip(total - np.log(parts), -700, 700)))

    def boards_of(self, part: int) -> tuple[list[Arrangement], int] | None:
        """Partial boards whose completions are those of a part, and how many times each counts; None if not known.

        Other methods can count their completions.  The boards have the pieces of the part's position and, on its
        square, the anchor.
        """
        run, (choice, place) = self._run, self._places[part]
        if run.options.squares is not None:
            return None
        if not (run.found.regular and self.options["symmetry"] and run.free):
            return None
        if run.found.board > 1 and run.anchor is None:
            return None
        oriented = [(kind, turns) for kind in run.found.types for turns in kind.turns]
        above = run.walk(choice).candidates_at(place).tolist()
        there = dict(
            zip(run.order[len(run.puzzle.fixed) :], (oriented[candidate] for candidate in above), strict=False)
        )
        if run.anchor is None:
            return _numbered(run.puzzle, [there])
        square, turns = run.anchor.squares[choice]
        if square in there:
            boards, times = _numbered(run.puzzle, [there])
        else:
            boards, times = _numbered(run.puzzle, [{**there, square: (run.anchor.piece_type, turn)} for turn in turns])
        return boards, times * run.found.board

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`; see `Piecework`."""
        done = _Counted(self._run)
        if first == 0:
            done.nodes += self._above
        if self._device is not None and self._run.free:
            counted = self._gpu_walks.count(self._places[first:last], pause)
            done.add(counted.nodes, counted.count, counted.canonical_count)
            return done.share(first, first + counted.parts)
        clock = time.perf_counter()
        walk_of = cache(self._run.walk)
        part = first
        while part < last:
            choice, place = self._places[part]
            walk = walk_of(choice) if self._run.free else None
            before = done.noted()
            if not done.search(walk, place, pause):
                done.forget(before)
                break
            part += 1
            if time.perf_counter() - clock > SLICE_SECONDS:
                clock = time.perf_counter()
                if pause() is not Pause.NO:
                    break
        return done.share(first, part)

    @cached_property
    def _gpu_walks(self) -> "GpuWalks":
        """The walks on the GPU, whose modules are loaded only if there is one."""
        from ..gpu import find_gpu
        from .gpu_walks import GpuWalks, gpu_tables

        run = self._run
        tables = gpu_tables(run.candidates, [run.tables(choice) for choice in range(run.walks)])
        tallied = None if run.found.regular else _Counted(run).tallied
        return GpuWalks(find_gpu(self._device or ""), tables, run.free, tallied)


def _numbered(
    puzzle: EdgeMatchingPuzzle, pictures: list[dict[int, tuple[PieceType, int]]]
) -> tuple[list[Arrangement], int]:
    """Partial boards with numbered pieces that look like these, all with the same types; and how many do each."""
    boards = []
    times = 1
    for picture in pictures:
        used: Counter[tuple[int, ...]] = Counter()
        board: list[Placement | None] = [None] * len(puzzle.board)
        times = 1
        for square, (kind, turns) in picture.items():
            number = used[kind.pieces]
            used[kind.pieces] += 1
            times *= (len(kind.pieces) - number) * kind.order
            board[square] = Placement(kind.pieces[number], kind.rotation(number, turns))
        boards.append(tuple(board))
    return boards, times


class _Counted:
    """The results of some parts: nodes, and full boards counted by `Tally`."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.nodes = np.zeros(run.free, dtype=np.int64)
        self._tally: Tally = copy(run.tally)
        self._tally.count = self._tally.canonical_count = 0

    def noted(self) -> tuple[NDArray[np.int64], int, int]:
        """The current state, for `forget`."""
        return self.nodes.copy(), self._tally.count, self._tally.canonical_count

    def forget(self, before: tuple[NDArray[np.int64], int, int]) -> None:
        """Go back to a recorded state."""
        self.nodes, self._tally.count, self._tally.canonical_count = before

    def search(self, walk: Walk | None, place: NDArray[np.uint32], pause: Callable[[], Pause]) -> bool:
        """Search the subtrees of a position; return whether the search was completed."""
        if walk is None:
            self._take(np.zeros((1, 0), dtype=np.int64))
            return True
        walk.begin_at(place)
        if not self._run.found.regular:
            walk.make_room(_ROOM)
        nodes_before = walk.nodes.astype(np.int64)
        slice_nodes = _FIRST_SLICE
        while True:
            started = time.perf_counter()
            code = walk.advance(slice_nodes)
            if not self._run.found.regular:
                self._take(walk.solutions())
            if code == EXHAUSTED:
                break
            if pause() is Pause.NOW:
                return False
            if code == BUDGET_SPENT and time.perf_counter() - started < SLICE_SECONDS / 2:
                slice_nodes *= 2
        self.nodes += walk.nodes.astype(np.int64) - nodes_before
        return True

    def add(self, nodes: NDArray[np.int64], count: int, canonical_count: int) -> None:
        """Add results that were counted elsewhere."""
        self.nodes += nodes
        self._tally.count += count
        self._tally.canonical_count += canonical_count

    def tallied(self, rows: Rows) -> tuple[int, int]:
        """The arrangements and the orbits that some full boards represent, without adding them."""
        before = self.noted()
        self._take(rows)
        _, count, canonical_count = self.noted()
        self.forget(before)
        return count - before[1], canonical_count - before[2]

    def _take(self, rows: Rows) -> None:
        self._tally.add(rows, self._tally.is_canonical(rows))

    def share(self, first: int, last: int) -> Share:
        """The results, as the share of these parts."""
        run = self._run
        nodes = (*(0 for _ in run.puzzle.fixed), *self.nodes.tolist())
        if not run.found.regular:
            return Share(first, last, nodes, self._tally.count, self._tally.canonical_count)
        leaves = nodes[-1] if run.free else last - first
        return Share(first, last, nodes, run.tally.regular(leaves)[0], None)
