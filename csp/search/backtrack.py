"""The engine `backtrack`: prepares a search, runs its walks in slices, and accounts for what they find."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ..board import Arrangement, Placement, opposite
from ..check import check
from ..edge_matching import EdgeMatchingPuzzle
from ..engine import DEFAULTS, NO_LIMITS, Goal, Limits, Options, Progress, Report, Result, Status, peak_rss_mib
from ..errors import EngineError
from ..orders import find_order
from ..symmetry import Anchor, find_anchors, single_pieces, symmetries
from .kernels import EXHAUSTED, ROWS_FULL
from .leaves import Leaves, Rows
from .tables import Candidates, build_tables, find_candidates
from .walk import Walk

# A slice lasts about so long: often enough for Ctrl-C and progress, seldom enough to cost nothing.
_SLICE_SECONDS = 0.1
_FIRST_SLICE = 20_000
_MOST_ROWS = 4096
_FEW_NODES = 2_000_000


class Backtrack:
    """Depth-first search along a fixed order of squares."""

    name = "backtrack"
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})

    def run(
        self,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits = NO_LIMITS,
        options: Options = DEFAULTS,
        *,
        report: Report | None = None,
        consume: Callable[[Arrangement], None] | None = None,
    ) -> Result:
        """Search along ``options.order`` until the goal or a limit is reached, or Ctrl-C is pressed.

        Without symmetry breaking every arrangement of numbered pieces is a solution of its own; with it, `all` yields
        one of each orbit.

        Raises
        ------
        OrderError, EngineError
            If the order or the options do not fit the puzzle.
        """
        if goal is Goal.SOLVE:
            limits = replace(limits, solutions=1 if limits.solutions is None else min(limits.solutions, 1))
        kept: list[Arrangement] = []
        take = kept.append if consume is None else consume
        search = _Search(puzzle, goal, limits, options)
        with _interrupts_noted() as interrupted:
            for solution in search.steps(report, interrupted):
                take(solution)
        return search.result(tuple(kept))

    def solutions(
        self, puzzle: EdgeMatchingPuzzle, limits: Limits = NO_LIMITS, options: Options = DEFAULTS
    ) -> Iterator[Arrangement]:
        """Yield the solutions one by one; the search goes on only when the next one is asked for."""
        yield from _Search(puzzle, Goal.ALL, limits, options).steps(None, threading.Event())


@contextmanager
def _interrupts_noted() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C only sets the event, so that a search ends in good order; the second one raises."""
    interrupted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return

    def note(signum: int, frame: object) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


class _Search:
    """One run: its walks one after the other, what they found, and what ended them."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options) -> None:
        if options.threads != 1:
            raise EngineError(f"threads {options.threads}: the engine backtrack runs on one thread")
        self._started, self._cpu_started = time.perf_counter(), time.process_time()
        self._puzzle, self._goal, self._limits, self._options = puzzle, goal, limits, options
        self._order_name, self._order = find_order(puzzle, options.order)
        self._found = symmetries(puzzle)
        kinds = self._found.types if options.symmetry else single_pieces(puzzle)
        self._candidates = find_candidates(puzzle, kinds, repeat_turns=not options.symmetry)
        anchors = find_anchors(puzzle, self._found, self._order) if options.symmetry else ()
        self._anchor = _smallest_tree(puzzle, self._candidates, self._order, anchors) if anchors else None
        self._walks = len(self._anchor.squares) if self._anchor else 1
        fixed = len(puzzle.fixed)
        self._depth = min(len(self._order), max(len(self._order) if limits.depth is None else limits.depth, fixed))
        self._leaves = Leaves(
            puzzle, self._found, self._candidates, self._order[fixed:], self._anchor, by_type=options.symmetry
        )
        self._leaves_needed = goal is not Goal.COUNT or not self._found.regular
        self._valid_fixed = _valid_prefix(puzzle, self._order[:fixed])
        self._nodes = np.zeros(len(puzzle.board), dtype=np.int64)
        self._nodes[: self._valid_fixed] = 1
        self._deepest: Rows = np.zeros(0, dtype=np.int64)
        self._yielded = 0
        self._build_seconds = time.perf_counter() - self._started
        self._method = "none"
        self._exhausted = False
        self._ended_by: str | None = None

    def steps(self, report: Report | None, interrupted: threading.Event) -> Iterator[Arrangement]:
        """Search, and yield solutions on the way if the goal is to see them."""
        free = self._depth - len(self._puzzle.fixed)
        if self._valid_fixed < len(self._puzzle.fixed):
            self._exhausted = True
            return
        if free > 0:
            for choice in range(self._walks):
                yield from self._walk(choice, report, interrupted)
                if self._ended_by is not None:
                    return
        elif self._depth == len(self._order):
            yield from self._take(np.zeros((1, 0), dtype=np.int64))
        if self._depth < len(self._order) and (self._depth == 0 or self._nodes[self._depth - 1] > 0):
            self._ended_by = "depth"
        self._exhausted = self._ended_by is None

    def _walk(self, choice: int, report: Report | None, interrupted: threading.Event) -> Iterator[Arrangement]:
        walk = self._prepared(choice)
        budget, room = _FIRST_SLICE, 1
        fixed = len(self._puzzle.fixed)
        within = slice(fixed, self._depth)
        before = self._nodes[within].copy()
        leaves_needed = self._leaves_needed and self._depth == len(self._order)
        most_rows = max(1, min(_MOST_ROWS, 4_000_000 // max(len(self._puzzle.pieces), len(self._order))))
        while True:
            slice_started = time.perf_counter()
            self._ended_by = self._reason_to_stop(interrupted)
            if self._ended_by is not None:
                return
            if leaves_needed:
                room = min(room * 4, most_rows)
                walk.make_room(1 if self._goal is Goal.SOLVE else room)
            code = walk.advance(min(budget, self._nodes_left()))
            self._nodes[within] = before + walk.nodes.astype(np.int64)
            if len(walk.deepest()) > len(self._deepest):
                self._deepest = walk.deepest()
            if leaves_needed:
                yield from self._take(walk.solutions())
            if code == EXHAUSTED or self._ended_by is not None:
                break
            seconds = time.perf_counter() - slice_started
            if code != ROWS_FULL:
                budget = int(budget * min(max(_SLICE_SECONDS / max(seconds, 1e-6), 0.25), 4)) + 1
            if report is not None:
                done = (choice + walk.done()) / self._walks
                report(Progress(int(self._nodes.sum()), self._counts()[0], done, time.perf_counter() - self._started))

    def _prepared(self, choice: int) -> Walk:
        """The walk for a choice of the anchor's square, its kernel compiled or loaded."""
        started = time.perf_counter()
        tables = build_tables(self._puzzle, self._candidates, self._order[: self._depth], self._anchor, choice)
        walk = Walk(self._candidates, tables)
        walk.advance(0)
        self._method = walk.method
        self._build_seconds += time.perf_counter() - started
        return walk

    def _reason_to_stop(self, interrupted: threading.Event) -> str | None:
        seconds = self._limits.seconds
        if interrupted.is_set():
            return "interrupt"
        if seconds is not None and time.perf_counter() - self._started >= seconds:
            return "time"
        if self._nodes_left() <= 0:
            return "nodes"
        if self._limits.solutions == 0 and self._goal is not Goal.COUNT:
            return "solutions"
        return None

    def _nodes_left(self) -> int:
        return 1 << 62 if self._limits.nodes is None else self._limits.nodes - int(self._nodes.sum())

    def _take(self, rows: Rows) -> Iterator[Arrangement]:
        """Count some leaves and yield the solutions among them, up to the limit."""
        canonical = self._leaves.is_canonical(rows)
        # One solution is as good as another when only one is wanted.
        select = self._options.symmetry and self._goal is not Goal.SOLVE
        shown = np.flatnonzero(canonical) if select else np.arange(len(rows))
        limit = self._limits.solutions
        if limit is not None and self._goal is not Goal.COUNT and len(shown) >= limit - self._yielded:
            shown = shown[: limit - self._yielded]
            rows = rows[: shown[-1] + 1 if len(shown) else 0]
            self._ended_by = "solutions"
        self._leaves.add(rows, canonical[: len(rows)])
        if self._goal is Goal.COUNT:
            return
        for solution in self._leaves.arrangements(rows[shown]):
            verdict = check(self._puzzle, solution)
            if not verdict.is_solution:
                raise AssertionError(f"the search found what is no solution: {verdict.problems[0]}")
            self._yielded += 1
            yield solution

    def _counts(self) -> tuple[int, int]:
        """`count` and `canonical_count` so far."""
        if self._leaves_needed:
            # No orbit is larger than the product: an unfinished search may know of more orbits than it has met.
            orbits = -(-self._leaves.count // self._found.product)
            return self._leaves.count, max(self._leaves.canonical_count, orbits)
        return self._leaves.regular(int(self._nodes[-1]))

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """What the search has found by now."""
        count, canonical = self._counts()
        complete = self._exhausted or (self._goal is Goal.SOLVE and self._yielded > 0)
        status = Status.SATISFIABLE if count else Status.UNSATISFIABLE if complete else Status.UNKNOWN
        product = self._found.product
        # Where the puzzle alone does not tell that all orbits are alike, a complete count does.
        alike = self._found.regular or (self._exhausted and count == canonical * product)
        best = self._leaves.partial_board(self._deepest, self._order[: self._valid_fixed])
        counted = self._goal is not Goal.SOLVE
        return Result(
            instance=self._puzzle.name,
            kind=self._puzzle.kind,
            engine=Backtrack.name,
            method=self._method,
            goal=self._goal,
            status=status,
            complete=complete,
            count=count if counted else None,
            canonical_count=canonical if counted else None,
            symmetry_factor=product if alike else None,
            best_score=self._puzzle.score(best),
            max_score=self._puzzle.max_score,
            best_board=best,
            best_depth=self._valid_fixed + len(self._deepest),
            nodes=int(self._nodes.sum()),
            nodes_by_depth=tuple(self._nodes.tolist()),
            build_seconds=round(self._build_seconds, 6),
            seconds=round(time.perf_counter() - self._started, 6),
            cpu_seconds=round(time.process_time() - self._cpu_started, 6),
            peak_rss_mib=peak_rss_mib(),
            threads=1,
            options={"order": self._order_name, "symmetry": self._options.symmetry},
            solutions=kept,
            ended_by=None if complete else self._ended_by,
        )


def _smallest_tree(
    puzzle: EdgeMatchingPuzzle, candidates: Candidates, order: tuple[int, ...], anchors: tuple[Anchor, ...]
) -> Anchor:
    """The anchor with the fewest nodes at the greatest depth to which all trees can be searched quickly."""
    best = anchors[0]
    compared = anchors[:4]
    if len(compared) == 1 or len(order) < 25:
        return best
    for depth in range(8, len(order), 4):
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
    return best


def _valid_prefix(puzzle: EdgeMatchingPuzzle, squares: tuple[int, ...]) -> int:
    """How many of the fixed pieces on `squares` can be placed, one after the other, before two do not match."""
    shown = {fixed.square: puzzle.shown(Placement(fixed.piece, fixed.rotation)) for fixed in puzzle.fixed}
    placed: set[int] = set()
    for depth, square in enumerate(squares):
        for side in range(4):
            neighbour = puzzle.board.neighbour(square, side)
            if neighbour in placed and shown[square][side] != puzzle.mate(shown[neighbour][opposite(side)]):
                return depth
        placed.add(square)
    return len(squares)
