"""The engine `most-constrained`: depth-first search that fills the square with the fewest candidates next."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.stop import Stop
from ..engines.engine import SQUARES, Engine, Search
from ..engines.request import Goal, Limits, Options, some_options
from ..engines.tallies import Rows, Tally, certain
from ..puzzles.board import Arrangement, Placement, opposite
from ..puzzles.check_board import Verdict
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.slips import permitted_prefix
from ..puzzles.symmetry import Candidates, find_anchors, find_candidates, packed, single_pieces, symmetries
from .most_constrained_kernel import (
    BUDGET,
    CURSOR_SIZE,
    DEPTH,
    FLOOR,
    FRONTIER,
    FULLEST,
    WRITTEN,
    BoardStack,
    CandidateLists,
    Filling,
    Squares,
    choose_on_frontier,
    search_most_constrained,
)
from .tree_run import FIRST_SLICE, BaseRun, Enumeration


class MostConstrained(Engine):
    """Depth-first search that fills the square with the fewest candidates next (Haralick and Elliott 1980).

    For jigsaws with many connectors, most squares have at most one candidate, and boards with thousands of squares need
    few more nodes than they have squares.  Without symmetry breaking every arrangement of numbered pieces is a separate
    solution; with it, `all` yields one of each orbit.
    """

    name = "most-constrained"
    kinds = SQUARES
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    takes = some_options("threads")
    native = counts_nodes = waits = every_form = True

    @classmethod
    def most_threads(cls, goal: Goal) -> int | None:
        return None

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        return Enumeration(_MostConstrainedRun(puzzle, goal, limits, options, stop))


class _MostConstrainedRun(BaseRun["_MostConstrainedWalk"]):
    """A run without an order; its walks differ in the position of the anchor."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop) -> None:
        super().__init__(MostConstrained.name, puzzle, goal, limits, options, stop)
        board, fixed = puzzle.board, [fixed.square for fixed in puzzle.fixed]
        self.found = symmetries(puzzle)
        kinds = self.found.types if options.symmetry else single_pieces(puzzle)
        self._candidates = find_candidates(puzzle, kinds)
        anchors = find_anchors(puzzle, self.found, tuple(range(len(board)))) if options.symmetry else ()
        anchor = anchors[0] if anchors else None
        self._roots = [(square, turns) for square, several in anchor.squares for turns in several] if anchor else []
        self._anchor_type = self._candidates.kinds.index(anchor.piece_type) if anchor else None
        self.walks = len(self._roots) if anchor else 1
        self.depth = len(board)
        self.tally = Tally(puzzle, self.found, self._candidates, puzzle.free_squares, anchor, by_type=options.symmetry)
        self._placed_fixed, _ = permitted_prefix(puzzle, fixed, ())
        self.starts = self._placed_fixed == len(fixed)
        self.nodes[: self._placed_fixed] = 1
        self.built()

    @cached_property
    def _tables(self) -> "_MostConstrainedTables":
        return _MostConstrainedTables(self.puzzle, self._candidates)

    def walk(self, choice: int) -> "_MostConstrainedWalk":
        """The walk for a position of the anchor, with its kernel compiled or loaded."""
        with self.building():
            walk = _MostConstrainedWalk(self._tables)
            if self._anchor_type is not None:
                walk.begin_with(self._anchor_type, *self._roots[choice])
            elif self.puzzle.fixed:
                walk.begin_beside_fixed(self.puzzle)
            else:
                walk.begin_anywhere()
            walk.advance(0)
            self.method = "most constrained square"
        return walk

    @property
    def tree_key(self) -> list[Any]:
        return [self.engine_name, self.options.symmetry]

    def fullest_board(self) -> Arrangement:
        """The fullest board so far."""
        filled = self._deepest.reshape(-1, 2)
        fixed = tuple(fixed.square for fixed in self.puzzle.fixed[: self._placed_fixed])
        squares = tuple(filled[:, 0].tolist())
        tally = Tally(self.puzzle, self.found, self._candidates, squares, None, by_type=self.options.symmetry)
        return tally.partial_board(filled[:, 1], fixed)

    def checked(self, solution: Arrangement) -> Verdict:
        """The checker's verdict on a board of the search; raises AssertionError if it is not a solution."""
        return certain(self.puzzle, solution)

    @property
    def shown_options(self) -> Mapping[str, object]:
        return {"symmetry": self.options.symmetry}


class _MostConstrainedTables:
    """The tables of all walks of a run.

    Attributes:
    - `lists`, `squares`: the tables of the kernel.
    - `available`: the number of pieces of each type.
    - `roots`: for each square the first position of all candidates with its borders, and the one after the last.
    """

    def __init__(self, puzzle: EdgeMatchingPuzzle, candidates: Candidates) -> None:
        board, colors = puzzle.board, max(candidates.colors, 1)
        masks = np.array([board.border_mask(square) for square in range(len(board))])
        kinds_of_square, kind = np.unique(masks, return_inverse=True)
        self.candidates, self.free = candidates, len(puzzle.free_squares)
        self.lists = _lists(candidates, kinds_of_square, colors)
        self.available = np.array([len(of_type.pieces) for of_type in candidates.kinds], dtype=np.uint32)
        base = kind * 4 * colors
        # The lists of one side are contiguous for all colours.
        self.roots = self.lists.start[base], self.lists.start[base + colors]
        neighbours = [board.neighbour(square, side) for square in range(len(board)) for side in range(4)]
        is_free = np.array([placed is None for placed in puzzle.fixed_board])
        self.squares = Squares(
            np.array([len(board) if square is None else square for square in neighbours], dtype=np.uint32),
            base.astype(np.uint32),
            (np.cumsum(is_free) - is_free).astype(np.uint32),
            np.array([colors], dtype=np.uint64),
        )
        self.empty = np.append(is_free, False).astype(np.uint8)


def _lists(candidates: Candidates, masks: NDArray[np.int64], colors: int) -> CandidateLists:
    """The candidates by borders, side, and the colour that fits onto that side (0 where it is a border)."""
    fitting = [candidates.with_borders(int(mask)) for mask in masks]
    usable = np.concatenate(fitting)
    kind = np.repeat(np.arange(len(masks)), [len(each) for each in fitting])
    colors_there = np.maximum(candidates.mates[usable], 0)
    keys = ((4 * kind[:, None] + np.arange(4)) * colors + colors_there).ravel()
    order = np.argsort(keys, kind="stable")
    listed = np.repeat(usable, 4)[order]
    return CandidateLists(
        np.append(0, np.cumsum(np.bincount(keys, minlength=4 * len(masks) * colors))).astype(np.uint32),
        listed.astype(np.uint32),
        candidates.of_type[listed].astype(np.uint16),
        packed(np.maximum(candidates.sides, 0))[listed],
        packed(np.maximum(candidates.mates, 0))[listed],
    )


class _MostConstrainedWalk:
    """One search from the first square on, which can be advanced by any number of nodes.

    Attributes:
    - `nodes`: the number of nodes at each depth so far.
    - `slice_nodes`: the number of nodes of the next slice; set by the caller of `advance`.
    """

    def __init__(self, tables: _MostConstrainedTables) -> None:
        self.nodes = np.zeros(tables.free, dtype=np.uint64)
        self.slice_nodes = FIRST_SLICE
        self._tables = tables
        squares = len(tables.empty)
        self._filling = Filling(
            tables.available.copy(),
            tables.empty.copy(),
            *np.zeros((2, squares), dtype=np.uint64),
            *np.zeros((2, squares), dtype=np.uint32),
        )
        self._levels = np.zeros((5, tables.free), dtype=np.uint32)
        self._stack = BoardStack(*self._levels)
        self._fullest = np.zeros((tables.free, 2), dtype=np.uint32)
        self._cursor = np.zeros(CURSOR_SIZE, dtype=np.uint64)
        self._rows = np.zeros((0, tables.free), dtype=np.uint32)

    def begin_with(self, of_type: int, square: int, turns: int) -> None:
        """Begin with a piece of this type and rotation on the square."""
        start, end = (int(position[square]) for position in self._tables.roots)
        listed = self._tables.lists.candidate[start:end]
        candidates = self._tables.candidates
        (at,) = np.flatnonzero((candidates.of_type[listed] == of_type) & (candidates.turns[listed] == turns))
        self._begin(square, start + int(at), 1)

    def begin_anywhere(self) -> None:
        """Begin with the first of the squares that have the fewest candidates."""
        start, end = self._tables.roots
        square = int(np.argmin(end - start))
        self._begin(square, int(start[square]), int(end[square] - start[square]))

    def _begin(self, square: int, position: int, options: int) -> None:
        self._stack.square[0], self._stack.position[0], self._stack.options[0] = square, position, options

    def begin_beside_fixed(self, puzzle: EdgeMatchingPuzzle) -> None:
        """Begin with the square next to fixed pieces that has the fewest candidates."""
        filling = self._filling
        for fixed in puzzle.fixed:
            shown = puzzle.shown(Placement(fixed.piece, fixed.rotation))
            for join in puzzle.board.joins_of(fixed.square):
                if filling.empty[join.second]:
                    lane = 16 * opposite(join.side)
                    color = self._tables.candidates.color_index[shown[join.side]]
                    filling.wanted[join.second] |= np.uint64(color << lane)
                    filling.cared[join.second] |= np.uint64(0xFFFF << lane)
        frontier = np.flatnonzero(filling.cared)
        filling.frontier[: len(frontier)] = frontier
        filling.place[frontier] = np.arange(len(frontier))
        self._cursor[FRONTIER] = len(frontier)
        lists, squares = self._tables.lists, self._tables.squares
        choose_on_frontier(np.uint64(0), lists, squares, filling, self._stack, self._cursor)

    def make_room(self, solutions: int) -> None:
        """Keep the solutions of a slice, and end it after `solutions` of them; with 0 they are only counted."""
        if len(self._rows) != solutions:
            self._rows = np.zeros((solutions, len(self.nodes)), dtype=np.uint32)

    def advance(self, budget: int) -> int:
        """Search for at most `budget` nodes; return the kernel's code, the reason why it stopped."""
        self._cursor[WRITTEN], self._cursor[BUDGET] = 0, budget
        tables = self._tables
        state = self._filling, self._stack, self.nodes, self._fullest, self._cursor
        return search_most_constrained(tables.lists, tables.squares, *state, self._rows)

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

    def rest(self) -> list[list[list[int]]]:
        """All that is left to search: positions for `begin_at`, in the order of the search."""
        floor, given = self._cursor[FLOOR], []
        while (place := self.split()) is not None:
            given.append(place.tolist())
        self._cursor[FLOOR] = floor
        return [self._levels[:, : int(self._cursor[DEPTH]) + 1].tolist(), *reversed(given)]

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
        levels = self._levels[:, : int(self._cursor[DEPTH]) + 1] if place is None else place
        options = np.maximum(levels[2], 1).astype(np.float64)
        behind = levels[3].astype(np.float64)
        behind[:-1] -= 1
        return min(float((behind / np.cumprod(options)).sum()), 1.0)
