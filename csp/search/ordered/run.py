"""A search along a fixed order of squares, and the search for the highest score that a slip array permits."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import UsageError
from ...base.stop import INTERRUPTS, Report, Stop
from ...engines.request import SLIPS, Earlier, Goal, Limits, Options
from ...engines.result import Result, Status
from ...engines.tallies import Rows, Tally, certain, status_of_best
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
    find_anchors,
    find_candidates,
    region_symmetries,
    single_pieces,
    symmetries,
)
from ...work.pools import Threads
from ...work.run import in_order
from ..shared_tree import EXHAUSTED, Rest, Slice
from ..tree_run import FEW_NODES, FIRST_SLICE, BaseRun, LeavesFound
from .color_balance import ColorAccounts, Least, least_invalid, make_accounts
from .kernels import OrderedTables, build_tables
from .slip_kernel import SearchTree, tallies
from .walk import Walk


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
        self._candidates = find_candidates(puzzle, kinds)
        anchors = find_anchors(puzzle, self.found, self.order) if options.symmetry else ()
        # The corner with the smallest tree is determined without slips.
        larger = bool(self.slips or self.frame_slips)
        self.anchor = _smallest_tree(puzzle, self.order, anchors, larger=larger) if anchors else None
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
        if self._quota is None or not (self.options.bound and self.is_full and self.puzzle.is_classic):
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
def _smallest_tree(
    puzzle: EdgeMatchingPuzzle, order: tuple[int, ...], anchors: tuple[Anchor, ...], *, larger: bool
) -> Anchor:
    """The anchor with the fewest nodes at the greatest depth to which all trees can be searched quickly.

    `larger` says whether the trees that will be searched are larger than these, because joins may be invalid.
    It is cached, because the same puzzle is often searched several times.
    """
    best = anchors[0]
    compared = anchors[:4]
    if len(compared) == 1 or len(order) < 25:
        return best
    candidates = find_candidates(puzzle, symmetries(puzzle).types)

    def walks_of(anchor: Anchor, depth: int) -> list[Walk]:
        choices = range(len(anchor.squares))
        return [Walk(candidates, build_tables(puzzle, candidates, order[:depth], anchor, choice)) for choice in choices]

    # To compare trees takes longer than to search a small one.
    if not larger and all(walk.advance(FEW_NODES) == EXHAUSTED for walk in walks_of(best, len(order))):
        return best
    depth = 8
    while depth < len(order):
        sizes = []
        for anchor in compared:
            walks = walks_of(anchor, depth)
            if any(walk.advance(FEW_NODES) != EXHAUSTED for walk in walks):
                return best
            sizes.append(sum(int(walk.nodes[-1]) for walk in walks))
        best = compared[sizes.index(min(sizes))]
        depth += max(4, depth // 4)
    return best


class BestScore:
    """A search for the best score.

    Two searches take turns, or run in parallel.  One allows no invalid join, then one, and so on: its first board is
    the best, and it proves bounds.  The other allows as many as the slips do, then fewer than on the best board so far:
    it finds boards much earlier.  If invalid joins may be anywhere, it fills the frame first, which is then no longer
    an obstacle.  When one of them ends, both end.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._above = run.along("spiral_in") if run.anywhere and run.most_invalid and run.is_full else run
        self._best: Arrangement | None = None
        self._score = -1
        self._bound = run.puzzle.max_score
        # Whether one of the searches has ended, the progress of the first one, and that of an earlier search.
        self._concluded, self._done, self._found = False, 0.0, 0.0
        self._ended_by: str | None = None
        # One thread at a time records results.
        self._noting = threading.Lock()
        # What is left of the trees of both searches; of the first one for this number of invalid joins.
        self._least = self._from_colors()
        self._most = run.fixed_invalid.total + self._least.inner + self._least.frame
        self._bound -= self._most
        self._rest_below: Rest | None = None
        self._rest_above: Rest | None = None
        self._key = [*run.tree_key, *self._above.tree_key]
        if run.options.earlier is not None and run.starts and run.is_full:
            self._begin_with(run.options.earlier)

    def _from_colors(self) -> Least:
        """What the colours say about the invalid joins that the fixed pieces do not have."""
        run = self._run
        if not (run.options.bound and run.is_full and run.starts and run.puzzle.is_classic):
            return Least(0, 0, never_one=False)
        return least_invalid(run.puzzle, run.puzzle.fixed_board)

    def _begin_with(self, earlier: Earlier) -> None:
        """Continue an earlier search, with its best board."""
        for board in earlier.solutions():
            self._keep_better(board, self._run.checked(board).score)
        place = earlier.continue_from(*self._key)
        if place is not None:
            self._run.begin_with(place)
            self._bound, self._most = place["bound"], place["most"]
            self._done = self._found = self._most / (self._run.most_invalid + 1)
            self._rest_below, self._rest_above = place["below"], place["above"]

    def _place(self) -> dict[str, Any]:
        """The place that is reached, as JSON data for the next search."""
        with self._noting:
            return {
                "of": self._key, "bound": self._bound, "most": self._most, "below": self._rest_below,
                "above": self._rest_above, **self._run.state,
            }  # fmt: skip

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search; yield the best full board at the end."""
        run = self._run
        if run.starts and run.free > 0:
            if run.options.threads == 1:
                self._take_turns(report)
            else:
                self._go_side_by_side(run.options.threads, report)
            if self._is_settled():
                self._ended_by = None
                self._bound = self._bound if self._best is None else self._score
        elif run.starts and run.is_full:
            self._keep(run, np.zeros((1, 0), dtype=np.int64))
            self._bound = self._score
        if run.starts and not run.is_full and self._ended_by is None:
            self._ended_by = "depth"
        if self._best is not None:
            yield self._best

    def _take_turns(self, report: Report | None) -> None:
        searches = (self._from_below(1), self._from_above(1))
        while True:
            for search in searches:
                self._look_at_limits()
                if self._is_over():
                    return
                next(search, None)
                self._tell(report)

    def _go_side_by_side(self, threads: int, report: Report | None) -> None:
        for run in (self._run, self._above):
            run.walk(0)  # Kernels are compiled here, so that this counts as preparation.
        searches = (self._from_below(threads - threads // 2), self._from_above(threads // 2))

        def go_through(search: Generator[None, None, None], dropped: Callable[[], bool]) -> bool:
            with closing(search):
                return any(dropped() for _ in search)

        def must_stop() -> bool:
            self._look_at_limits()
            self._tell(report)
            return self._is_over()

        with Threads(go_through, len(searches)) as pool:
            for _ in in_order(searches, pool, must_stop):
                pass

    def _look_at_limits(self) -> None:
        if not self._is_over():
            self._ended_by = self._run.reason_to_stop()

    def _is_settled(self) -> bool:
        """Whether the best score is known."""
        return self._concluded or self._score == self._bound

    def _is_over(self) -> bool:
        """Whether both searches must end."""
        return self._ended_by is not None or self._is_settled()

    def _tell(self, report: Report | None) -> None:
        if report is not None and not self._is_settled():
            # The place comes first, so that the board is at least as good as the one with which the place was reached.
            place = self._place()
            scores = None if self._best is None else self._score, self._bound
            told = self._run.progress(int(self._best is not None), self._done, scores)
            report(replace(told, found=self._found, best=self._best, place=place))

    def _from_below(self, threads: int) -> Generator[None, None, None]:
        """Allow more and more invalid joins; yield after each slice."""
        run, most = self._run, self._most
        while most <= run.most_invalid:
            trees = run.trees(partial(run.walk, most=most), threads, int(run.is_full), rest=self._rest_below)
            continued, nodes = self._rest_below is not None, 0
            # Also yield after an exhausted walk: thousands of walks may end immediately.
            for made in trees.slices(self._is_over):
                # With `|=` what the other search concludes in the meantime would be lost.
                if self._note(run, made):
                    self._concluded = True
                if made.rest is not None:
                    self._rest_below = made.rest
                trees.ask_for_rest()
                self._done = (most + trees.done) / (run.most_invalid + 1)
                # What is left of an earlier search is many small parts, which are one turn together.
                nodes += int(made.nodes.sum())
                if not (continued and made.exhausted and nodes < FIRST_SLICE):
                    nodes = 0
                    yield
            if trees.spent:
                self._ended_by = "nodes"
            if self._concluded or not trees.exhausted:
                return
            # Of further joins, one alone may be impossible.
            most += 1 + (self._least.never_one and most == run.fixed_invalid.total)
            with self._noting:
                self._most, self._rest_below = most, None
                if run.is_full:
                    self._bound = run.puzzle.max_score - most
        self._concluded = True

    def _from_above(self, threads: int) -> Generator[None, None, None]:
        """Allow fewer invalid joins than the best board so far has; yield after each slice."""
        run = self._above

        def allow_fewer(walk: Walk) -> None:
            if self._best is not None and run.most_invalid:
                walk.allow(max(run.puzzle.max_score - self._score - 1, 0))

        trees = run.trees(run.walk, threads, int(run.is_full), allow_fewer, self._rest_above)
        for made in trees.slices(self._is_over):
            self._note(run, made)
            if made.rest is not None:
                self._rest_above = made.rest
            trees.ask_for_rest()
            yield
        if trees.spent:
            self._ended_by = "nodes"
        if trees.exhausted:
            self._concluded = True

    def _note(self, run: Run, made: Slice[LeavesFound]) -> bool:
        """Record the outcome of a slice; return whether it found a full board."""
        with self._noting:
            run.note(made)
            has_board = len(made.found.rows) > 0
            if has_board:
                self._keep(run, made.found.rows)
        return has_board

    def _keep(self, run: Run, rows: Rows) -> None:
        """Keep a full board that a run found if its score is the highest so far."""
        for board in run.tally.arrangements(rows):
            self._keep_better(board, run.checked(board).score)

    def _keep_better(self, board: Arrangement, score: int) -> None:
        if score > self._score:
            self._best, self._score = board, score
            INTERRUPTS.keep()

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the search so far."""
        complete = self._ended_by is None
        status = status_of_best(self._best, complete=complete)
        run = self._run
        board = self._best or max(
            run.fullest_board(), self._above.fullest_board(), key=lambda board: -board.count(None)
        )
        bound = None if status is Status.UNSATISFIABLE else self._bound
        return run.result(kept, status, self._ended_by, alike=run.found.regular, board=board, best_bound=bound)
