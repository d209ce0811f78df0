"""Searches that place one piece after the other: their limits, their results, and the enumeration of solutions."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from ..base.stop import Progress, Report, Stop
from ..engines.engine import EngineRun
from ..engines.request import Goal, Limits, Options
from ..engines.result import Result, Status
from ..engines.tallies import Harvest, Rows, Tally
from ..puzzles.board import Arrangement
from ..puzzles.check_board import Verdict
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import Symmetries
from .shared_tree import Divisible, NodeBudget, Rest, SharedTrees, Slice

FIRST_SLICE = 20_000
#: Slices double up to this number of nodes where the clock must have no influence.
FEW_NODES = 2_000_000
_MOST_ROWS = 4096


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
            doubled_up_to=FEW_NODES if self.goal is Goal.BEST else None,
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


class Enumeration:
    """The trees of a run, what was found in them, and what ended the search."""

    def __init__(self, run: BaseRun[Any]) -> None:
        self._run = run
        self._leaves_needed = run.goal is not Goal.COUNT or not run.found.regular
        self._harvest = Harvest(
            run.tally, run.goal, run.limits.solutions, symmetry=run.options.symmetry, checked=run.checked
        )
        self._exhausted = False
        self._ended_by: str | None = None
        self._rest: Rest | None = None
        earlier = run.options.earlier
        place = None if earlier is None else earlier.continue_from(*run.tree_key)
        if place is not None:
            self._rest = [(tree, at) for tree, at in place["rest"]]
            self._harvest.begin_with(place["found"])
            run.begin_with(place)

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search, and yield solutions if the goal is to see them."""
        run = self._run
        if not run.starts:
            self._exhausted = True
            return
        if run.free > 0:
            yield from self._walk(report)
        elif run.is_full:
            yield from self._take(np.zeros((1, 0), dtype=np.int64))
        if self._ended_by is not None:
            return
        if not run.is_full and (run.depth == 0 or run.nodes[run.depth - 1] > 0):
            self._ended_by = "depth"
        self._exhausted = self._ended_by is None

    def _walk(self, report: Report | None) -> Iterator[Arrangement]:
        run = self._run
        most_rows = max(1, min(_MOST_ROWS, 4_000_000 // max(len(run.puzzle.pieces), len(run.puzzle.board))))
        if not (self._leaves_needed and run.is_full):
            most_rows = 0
        room = 1 if most_rows and run.goal is Goal.SOLVE else most_rows
        trees = run.trees(run.walk, run.options.threads, room, rest=self._rest)
        place = None
        for made in trees.slices(self._must_stop):
            run.note(made)
            # Threads may find more until the last of them stops.
            if len(made.found.rows) and not self._harvest.full:
                yield from self._take(made.found.rows)
            if made.rest is not None and not self._harvest.full:
                place = self._place(made.rest)
            if report is not None and not made.exhausted:
                # One of the next slices says where the search is.
                trees.ask_for_rest()
                report(replace(run.progress(self._counts()[0], trees.done), place=place))
                place = None
        if trees.exhausted and not self._harvest.full:
            self._ended_by = None
        elif trees.spent:
            self._ended_by = "nodes"

    def _place(self, rest: Rest) -> dict[str, Any]:
        """The place that is reached, as JSON data for the next search."""
        return {"of": self._run.tree_key, "rest": rest, "found": self._harvest.state, **self._run.state}

    def _must_stop(self) -> bool:
        if self._ended_by is None:
            self._ended_by = self._run.reason_to_stop()
        return self._ended_by is not None

    def _take(self, rows: Rows) -> Iterator[Arrangement]:
        yield from self._harvest.take(rows)
        if self._harvest.full:
            self._ended_by = "solutions"

    def _counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        if self._leaves_needed:
            return self._harvest.counts()
        return self._run.tally.regular(int(self._run.nodes[self._run.depth - 1]) if self._run.is_full else 0)

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the search so far."""
        run = self._run
        count, canonical = self._counts()
        status, complete = self._harvest.conclusion(count, exhausted=self._exhausted)
        # If the puzzle alone does not show that all orbits have one size, a complete count does.
        alike = run.found.regular or (self._exhausted and count == canonical * run.found.product)
        ended_by = None if complete else self._ended_by
        pictures = self._harvest.pictures() if self._leaves_needed else run.found.pictures(count)
        return run.result(kept, status, ended_by, alike=alike, counts=(count, canonical), pictures=pictures)
