"""One run of a search: its preparation, its walks in slices, and its limits."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...base.errors import UsageError
from ...base.stop import Progress, Stop
from ...engines.engine import EngineRun
from ...engines.request import SLIPS, Goal, Limits, Options
from ...engines.result import Result, Status
from ...engines.tallies import Rows, Tally, certain
from ...puzzles.board import Arrangement
from ...puzzles.check_board import Verdict
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import find_order
from ...puzzles.slips import (
    allowed,
    anywhere,
    checked_frame_slips,
    checked_slips,
    permitted_prefix,
    restrict_nothing,
    shown_slips,
)
from ...puzzles.symmetry import (
    Anchor,
    Candidates,
    Symmetries,
    find_anchors,
    find_candidates,
    region_symmetries,
    single_pieces,
    symmetries,
)
from ..shared_tree import Divisible, NodeBudget, Rest, SharedTrees, Slice
from ..slices import EXHAUSTED
from .color_balance import ColorAccounts, make_accounts
from .slip_kernel import SearchTree, tallies
from .tables import OrderedTables, build_tables
from .walk import Walk

FIRST_SLICE = 20_000
_FEW_NODES = 2_000_000


class Steps(Divisible, Protocol):
    """A walk that is advanced in slices, with the results of a slice."""

    def solutions(self) -> Rows: ...

    def deepest(self) -> Rows: ...

    def done(self, place: Any = None) -> float: ...


_WalkT = TypeVar("_WalkT", bound=Steps)


class LeavesFound(NamedTuple):
    """The results of a slice of a walk: rows of candidates, and the fullest board so far."""

    rows: Rows
    deepest: Rows


class BaseRun(EngineRun[EdgeMatchingPuzzle], Generic[_WalkT]):
    """The common part of all searches that place one piece after the other, for any goal.

    Attributes:
    - `found`, `tally`: the symmetries, and the tally of the leaves of the tree.
    - `walks`: the number of trees: one for each position of the anchor.
    - `depth`: the largest number of squares to fill.
    - `starts`: whether the fixed pieces are consistent; otherwise there is nothing to search.
    - `nodes`: pieces placed, by the number of pieces on the board.
    - `budget`: the number of pieces that may still be placed.
    """

    found: Symmetries
    tally: Tally
    walks: int
    depth: int
    starts: bool

    def __init__(
        self, engine: str, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> None:
        super().__init__(engine, puzzle, goal, limits, options, stop)
        self.nodes = np.zeros(len(puzzle.board), dtype=np.int64)
        self.budget = NodeBudget(None if limits.nodes is None else limits.nodes - len(puzzle.fixed))
        self._deepest: Rows = np.zeros(0, dtype=np.int64)

    @abstractmethod
    def walk(self, choice: int) -> _WalkT:
        """The walk for a position of the anchor, with its kernel compiled or loaded."""

    @abstractmethod
    def fullest_board(self) -> Arrangement:
        """The fullest board so far."""

    @abstractmethod
    def checked(self, solution: Arrangement) -> Verdict:
        """The checker's verdict on a board of the search; raises AssertionError if it is not a solution."""

    @property
    def is_full(self) -> bool:
        """Whether the search goes to the last square."""
        return self.depth == len(self.puzzle.board)

    @property
    def free(self) -> int:
        """The number of squares to fill."""
        return self.depth - len(self.puzzle.fixed)

    def reason_to_stop(self) -> str | None:
        """The limit that is reached, if any, except for that of nodes."""
        reached = self.limit_reached()
        if reached is None and self.limits.solutions == 0 and self.goal is not Goal.COUNT:
            return "solutions"
        return reached

    def trees(
        self,
        walk_of: Callable[[int], _WalkT],
        threads: int,
        most_rows: int,
        before: Callable[[_WalkT], None] | None = None,
        rest: Rest | None = None,
    ) -> SharedTrees[_WalkT, LeavesFound]:
        """The search through all trees on several threads; `note` must be called for each slice."""
        return SharedTrees(
            self.walks,
            walk_of,
            self.done,
            lambda walk: LeavesFound(walk.solutions(), walk.deepest()),
            threads=threads,
            budget=self.budget,
            most_rows=most_rows,
            before=before,
            rest=rest,
            # For the goal best two searches take turns: their speed must not influence which board they find.
            doubled_up_to=_FEW_NODES if self.goal is Goal.BEST else None,
        )

    @property
    @abstractmethod
    def tree_key(self) -> list[Any]:
        """What the trees depend on, apart from the puzzle and the program."""

    @property
    def state(self) -> dict[str, Any]:
        """The nodes and the fullest board so far, as JSON data for `begin_with`."""
        return {"nodes": self.nodes.tolist(), "deepest": self._deepest.tolist()}

    def begin_with(self, state: Mapping[str, Any]) -> None:
        """Add what an earlier search has done."""
        self.nodes[:] = state["nodes"]
        self.earlier_nodes = int(self.nodes.sum())
        deepest = np.array(state["deepest"], dtype=np.int64)
        self._deepest = deepest if deepest.size else self._deepest

    def note(self, made: Slice[LeavesFound]) -> None:
        """Count the nodes of a slice, and keep its fullest board."""
        self.nodes[len(self.puzzle.fixed) : self.depth] += made.nodes
        if len(made.found.deepest) > len(self._deepest):
            self._deepest = made.found.deepest

    def done(self, walk: _WalkT, place: Any = None) -> float:
        """The part of a walk's tree that is done, or that is before a position that it has just given away."""
        return walk.done(place)

    def progress(self, solutions: int, done: float, scores: tuple[int | None, int] | None = None) -> Progress:
        """How far the search is."""
        nodes = int(self.nodes.sum())
        return Progress(nodes, solutions, done, self.seconds, scores, found_nodes=self.earlier_nodes)

    def result(
        self,
        kept: tuple[Arrangement, ...],
        status: Status,
        ended_by: str | None,
        *,
        alike: bool,
        board: Arrangement | None = None,
        **others: Any,
    ) -> Result:
        """The result so far; `alike` is whether all orbits have one size, `board` is shown instead of the fullest one.

        The search is complete if nothing ended it; `others` are as for `answer`.
        """
        return self.answer(
            kept,
            status,
            ended_by,
            complete=ended_by is None,
            nodes=tuple(self.nodes.tolist()),
            board=self.fullest_board() if board is None else board,
            symmetry_factor=self.found.product if alike else None,
            **others,
        )


class Run(BaseRun[Walk]):
    """A run along a fixed order of squares.

    Attributes:
    - `slips`, `frame_slips`, `order`: the slip arrays and the squares, fixed ones first.
    - `anywhere`: whether invalid joins may be anywhere, so that only their numbers count.
    - `fixed_invalid`: the invalid joins between fixed pieces.
    """

    def __init__(
        self,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop | None = None,
        engine: str = "backtrack",
    ) -> None:
        super().__init__(engine, puzzle, goal, limits, options, Stop(limits.seconds) if stop is None else stop)
        self._order_name, self.order = find_order(puzzle, options.order)
        region = options.squares
        for name in SLIPS:
            if region is not None and getattr(options, name) is not None:
                raise UsageError(
                    "these squares are filled without invalid joins; give only one of them", "squares", name
                )
        if region is not None:
            filled = {*self.order[: len(puzzle.fixed)], *region}
            self.order = tuple(square for square in self.order if square in filled)
        self.slips = checked_slips(puzzle, options.slips)
        if goal is Goal.BEST and options.slips is None:
            self.slips = anywhere(puzzle)
        self.frame_slips = checked_frame_slips(puzzle, options.frame_slips)
        self.anywhere = restrict_nothing(puzzle, self.slips, self.order, self.frame_slips)
        self.found = symmetries(puzzle, turnable=self.anywhere) if region is None else region_symmetries(puzzle)
        kinds = self.found.types if options.symmetry else single_pieces(puzzle)
        self._candidates = find_candidates(puzzle, kinds, repeat_turns=not options.symmetry)
        anchors = find_anchors(puzzle, self.found, self.order) if options.symmetry else ()
        # The corner with the smallest tree is determined without slips.
        self.anchor = _smallest_tree(puzzle, self.order, anchors) if anchors else None
        self.walks = len(self.anchor.squares) if self.anchor else 1
        fixed = len(puzzle.fixed)
        self.depth = min(len(self.order), max(len(self.order) if limits.depth is None else limits.depth, fixed))
        self.tally = Tally(
            puzzle, self.found, self._candidates, self.order[fixed:], self.anchor, by_type=options.symmetry
        )
        fixed_squares = self.order[:fixed]
        self._placed_fixed, self.fixed_invalid = permitted_prefix(puzzle, fixed_squares, self.slips, self.frame_slips)
        self.starts = self._placed_fixed == fixed
        self._quota = self._find_quota() if self.slips or self.frame_slips else None
        self._tables, self._balance = cache(self._build_tables), cache(self._build_accounts)
        self.nodes[: self._placed_fixed] = 1
        self.built()

    def along(self, order: str) -> "Run":
        """The same run along another order, if invalid joins may be anywhere; nodes and time are shared."""
        assert self.anywhere
        anywhere = {"slips": (1,) * len(self.slips), "frame_slips": (1,) * len(self.frame_slips)}
        options = replace(self.options, order=order, **anywhere)
        other = Run(self.puzzle, self.goal, self.limits, options, self.stop, self.engine_name)
        other.nodes, other.budget, other.started = self.nodes, self.budget, self.started
        return other

    @property
    def most_invalid(self) -> int:
        """The number of joins that may be invalid on a full board."""
        return len(self.slips) + len(self.frame_slips)

    @property
    def is_full(self) -> bool:
        """Whether the search goes to the last square, of the board or of the region."""
        return self.depth == len(self.order)

    @property
    def tree_key(self) -> list[Any]:
        frame_slips = [list(self.frame_slips)] if self.frame_slips else []
        return [self.engine_name, *self.order[: self.depth], *self.slips, *frame_slips, self.options.symmetry]

    def fullest_board(self) -> Arrangement:
        """The fullest board so far."""
        return self.tally.partial_board(self._deepest, self.order[: self._placed_fixed])

    def walk(self, choice: int, most: int | None = None) -> Walk:
        """The walk for a choice of the anchor's square, with its kernel compiled or loaded.

        With slips, no more than `most` joins may be invalid.
        """
        with self.building():
            quota = None if self._quota is None else self._quota.copy()
            walk = Walk(self._candidates, self._tables(choice), quota, self.fixed_invalid, self._balance(choice))
            walk.slice_nodes = FIRST_SLICE
            if quota is not None and most is not None:
                walk.allow(most)
            walk.advance(0)
            self.method = walk.method
        return walk

    @property
    def candidates(self) -> Candidates:
        """The candidates of the search."""
        return self._candidates

    def tables(self, choice: int) -> OrderedTables:
        """The tables of the walk for a choice of the anchor's square."""
        return self._tables(choice)

    def tree(self, choice: int) -> SearchTree:
        """The tree of a walk, for access in any order."""
        return SearchTree(self._candidates, self._tables(choice), self._quota, self.fixed_invalid)

    def _build_tables(self, choice: int) -> OrderedTables:
        order = self.order[: self.depth]
        return build_tables(self.puzzle, self._candidates, order, self.anchor, choice, self.slips, self.frame_slips)

    def _find_quota(self) -> NDArray[np.uint64]:
        """The invalid joins that are allowed at each depth, as tallies."""
        depths = range(len(self.puzzle.fixed) + 1, self.depth + 1)
        return tallies(*([allowed(array, depth) for depth in depths] for array in (self.slips, self.frame_slips)))

    def _build_accounts(self, choice: int) -> ColorAccounts | None:
        """The accounts for the bound, if it applies: it is about full boards."""
        if self._quota is None or not (self.options.bound and self.is_full):
            return None
        frame_slips = bool(self.frame_slips)
        return make_accounts(self.puzzle, self._candidates, self._tables(choice), frame_slips=frame_slips)

    def done(self, walk: Walk, place: Any = None) -> float:
        """The same, in predicted nodes if there are predictions."""
        predicted = self.options.predicted
        if predicted is None:
            return walk.done(place)
        return walk.done_of(np.array(predicted[len(self.puzzle.fixed) : self.depth], dtype=np.float64), place)

    def checked(self, solution: Arrangement) -> Verdict:
        """The checker's verdict on a board of the search; raises AssertionError if it is not a solution."""
        return certain(self.puzzle, solution, self.slips, self.order, self.frame_slips)

    @property
    def shown_options(self) -> Mapping[str, object]:
        slips = shown_slips(self.slips, self.frame_slips)
        shown = {"order": self._order_name, **slips, "symmetry": self.options.symmetry}
        region = self.options.squares
        return shown if region is None else {**shown, "squares": self.puzzle.board.ranges(region)}


@lru_cache(maxsize=32)
def _smallest_tree(puzzle: EdgeMatchingPuzzle, order: tuple[int, ...], anchors: tuple[Anchor, ...]) -> Anchor:
    """The anchor with the fewest nodes at the greatest depth to which all trees can be searched quickly.

    It is cached, because the same puzzle is often searched several times.
    """
    best = anchors[0]
    compared = anchors[:4]
    if len(compared) == 1 or len(order) < 25:
        return best
    candidates = find_candidates(puzzle, symmetries(puzzle).types, repeat_turns=False)
    depth = 8
    while depth < len(order):
        sizes = []
        for anchor in compared:
            walks = [
                Walk(candidates, build_tables(puzzle, candidates, order[:depth], anchor, choice))
                for choice in range(len(anchor.squares))
            ]
            if any(walk.advance(_FEW_NODES) != EXHAUSTED for walk in walks):
                return best
            sizes.append(sum(int(walk.nodes[-1]) for walk in walks))
        best = compared[sizes.index(min(sizes))]
        depth += max(4, depth // 4)
    return best
