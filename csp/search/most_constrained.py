"""The engine `most-constrained`: depth-first search that fills the square with the fewest candidates next."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.stop import Stop
from ..engines.engine import SQUARES, Engine, Search
from ..engines.request import Goal, Limits, Options, some_options
from ..engines.tallies import Tally, certain
from ..puzzles.board import Arrangement, Placement, opposite
from ..puzzles.check_board import Verdict
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.slips import permitted_prefix
from ..puzzles.symmetry import Candidates, find_anchors, find_candidates, packed, single_pieces, symmetries
from .free_walk import FreeWalk
from .least_choice import LeastChoiceTables, LeastChoiceWalk, use_sets
from .most_constrained_kernel import (
    FRONTIER,
    CandidateLists,
    Filling,
    Squares,
    choose_on_frontier,
    search_most_constrained,
)
from .tree_run import BaseRun, Enumeration


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

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        return Enumeration(_MostConstrainedRun(puzzle, goal, limits, options, stop))


class _MostConstrainedRun(BaseRun[FreeWalk]):
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

    @cached_property
    def _set_tables(self) -> LeastChoiceTables:
        return LeastChoiceTables(self.puzzle, self._candidates)

    def walk(self, choice: int) -> FreeWalk:
        """The walk for a position of the anchor, with its kernel compiled or loaded."""
        with self.building():
            root = None if self._anchor_type is None else (self._anchor_type, *self._roots[choice])
            if use_sets(self.puzzle, self._candidates):
                walk = LeastChoiceWalk(self._set_tables, root)
            else:
                walk = self._walk_by_lists(root)
            walk.advance(0)
            self.method = "most constrained square"
        return walk

    def _walk_by_lists(self, root: tuple[int, int, int] | None) -> "_MostConstrainedWalk":
        walk = _MostConstrainedWalk(self._tables)
        if root is not None:
            walk.begin_with(*root)
        elif self.puzzle.fixed:
            walk.begin_beside_fixed(self.puzzle)
        else:
            walk.begin_anywhere()
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


class _MostConstrainedWalk(FreeWalk):
    """A walk for boards of any size, which counts the candidates of squares from lists."""

    def __init__(self, tables: _MostConstrainedTables) -> None:
        super().__init__(tables.free)
        self._tables = tables
        squares = len(tables.empty)
        self._filling = Filling(
            tables.available.copy(),
            tables.empty.copy(),
            *np.zeros((2, squares), dtype=np.uint64),
            *np.zeros((2, squares), dtype=np.uint32),
        )

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

    def _search(self) -> int:
        tables = self._tables
        state = self._filling, self._stack, self.nodes, self._fullest, self._cursor
        return search_most_constrained(tables.lists, tables.squares, *state, self._rows)
