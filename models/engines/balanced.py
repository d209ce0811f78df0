"""The engine `balanced`: first the rotations of the pieces, then their positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from ortools.sat.python import cp_model

from ...csp.base.errors import EngineError, shortened
from ...csp.base.stopping import REPORT_SECONDS, Progress, Report, Stop, StoppedError
from ...csp.engines.engine import SQUARES, Engine, EngineRun, Search
from ...csp.engines.request import Goal, Limits, Options, OrderOptions, SymmetryOptions
from ...csp.engines.result import Result, status_of_count
from ...csp.engines.tallies.board_tally import Rows, Tally
from ...csp.engines.tallies.solutions_found import Harvest, certain
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.candidates import find_candidates
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import permitted_board
from ...csp.puzzles.symmetry import single_pieces, symmetries
from ...csp.search.ordered.enumeration import Enumeration
from ...csp.search.ordered.run import Run
from ..base.cp_solving import cp_solver, model_solutions
from .balanced_model import BalancedModel, BalancedSet, balanced_model, with_rotations


@dataclass(frozen=True, kw_only=True)
class BalancedOptions(SymmetryOptions, OrderOptions):
    """The options of the search of balanced rotation sets."""


class Balanced(Engine):
    """CP-SAT enumerates the balanced rotation sets, and the backtracker searches each with all rotations fixed.

    Every arrangement has exactly one such set, so counts add up.  Each search is small, but there are very many sets;
    the engine is meant for the study of small puzzles, not for speed.

    Symmetry breaking avoids the turns of the whole board in the search; `all` yields one arrangement of each symmetry
    class.  The node limit may be missed by the pieces that the rotations fix.

    Parameters
    ----------
    variant
        ``checkerboard`` if the sets also have the colour of each piece's square.

    Raises EngineError if there is no such variant.
    """

    solvers = ("checkerboard",)
    kinds = SQUARES
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    takes = BalancedOptions
    counts_nodes = True
    libraries = ("ortools", "numba", "numpy")

    def __init__(self, variant: str | None = None) -> None:
        if variant not in (None, *self.solvers):
            raise EngineError(
                f"unknown variant {shortened(variant)!r} of the engine balanced, choose from checkerboard"
            )
        self.name = "balanced" if variant is None else f"balanced:{variant}"
        self._checkerboard = variant == "checkerboard"

    def prepared(
        self, puzzle: EdgeMatchingPuzzle, goal: Goal, limits: Limits, options: Options, stop: Stop
    ) -> Search[Arrangement]:
        return _BalancedRun(self.name, puzzle, goal, limits, options, stop, self._checkerboard)


class _BalancedRun(EngineRun[EdgeMatchingPuzzle]):
    """The searches of one run, one set after the other, and their results."""

    def __init__(
        self,
        engine: str,
        puzzle: EdgeMatchingPuzzle,
        goal: Goal,
        limits: Limits,
        options: Options,
        stop: Stop,
        checkerboard: bool,
    ) -> None:
        super().__init__(engine, puzzle, goal, limits, options, stop)
        self.method = "balanced rotations"
        self._checkerboard = checkerboard
        _, self._order = find_order(puzzle, options.order)
        self._found = symmetries(puzzle)
        self._model = balanced_model(puzzle, checkerboard=checkerboard)
        self._turns = (
            self._found.board if options.symmetry and _break_turns(puzzle, self._model, self._found.board) else 1
        )
        self._nodes = np.zeros(len(puzzle.board), dtype=np.int64)
        self._best_board = permitted_board(puzzle, self._order[: len(puzzle.fixed)])
        self._sets = self._count = 0
        pieces = find_candidates(puzzle, single_pieces(puzzle), repeat_turns=True)
        self._candidate: dict[Placement | None, int] = {
            Placement(pieces.kinds[kind].pieces[0], int(turns)): number
            for number, (kind, turns) in enumerate(zip(pieces.of_type, pieces.turns, strict=True))
        }
        tally = Tally(puzzle, self._found, pieces, puzzle.free_squares, None, by_type=False)
        self._harvest = Harvest(
            tally, goal, limits.solutions, symmetry=options.symmetry, checked=partial(certain, puzzle)
        )
        self._ended_by: str | None = None
        self._exhausted = False
        self.built()

    def steps(self, report: Report | None) -> Iterator[Arrangement]:
        """Search, and yield solutions on the way if the goal is to see them."""
        self._ended_by = self._reason_to_stop()
        if self._ended_by is not None:
            return
        solver = cp_solver(self.options, every=True, seconds=self.stop.seconds_left)
        statuses = []

        def sets() -> Iterator[BalancedSet]:
            found = model_solutions(self._model.model, solver, lambda f: self._model.read(f.value), self.stop)
            statuses.append((yield from found))

        reported = 0.0
        for chosen in sets():
            self._ended_by = self._reason_to_stop()
            if self._ended_by is None:
                yield from self._search(chosen)
            if self._ended_by is not None:
                return
            self._sets += 1
            if report is not None and self.seconds - reported >= REPORT_SECONDS:
                reported = self.seconds
                # The number of sets is unknown.
                report(Progress(int(self._nodes.sum()), self._count, 0.0, self.seconds))
        self._exhausted = statuses[0] in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
        if not self._exhausted:
            self._ended_by = self._reason_to_stop() or "time"

    def _search(self, chosen: BalancedSet) -> Iterator[Arrangement]:
        """Search one set, as far as the limits allow."""
        limits = Limits(
            nodes=None if self.limits.nodes is None else self.limits.nodes - int(self._nodes.sum()),
        )
        turned = with_rotations(self.puzzle, chosen)
        fixed = {fixed.square for fixed in turned.fixed}
        # Fixed squares come first anyway.  For counts, exchanges of identical pieces are only multiplied in.
        order = tuple(square for square in self._order if square not in fixed)
        options = Options(order=order, symmetry=self.goal is Goal.COUNT)
        try:
            with self.stop.enforced():
                search = Enumeration(Run(turned, self.goal, limits, options, self.stop))
        except StoppedError:
            self._ended_by = self.stop.ended_by
            return
        try:
            for arrangement in search.steps(None):
                yield from self._harvest.take(self._rows(_in_stances(chosen, arrangement)))
                if self._harvest.full:
                    self._ended_by = "solutions"
                    return
        finally:
            result = search.result(())
            self._nodes += np.array(result.nodes_by_depth)
            # The goal solve has no count.
            self._count += (result.count or 0) * self._turns
            self.build_seconds += result.build_seconds
            pieces = len(self._best_board) - self._best_board.count(None)
            if result.best_board is not None and (result.best_depth or 0) > pieces:
                self._best_board = _in_stances(chosen, result.best_board)
        self._ended_by = result.ended_by

    def _rows(self, board: Arrangement) -> Rows:
        """The board in all turns for which only one set is searched, as rows of candidates."""
        turned = (self.puzzle.board.turned_arrangement(board, turns) for turns in range(0, 4, 4 // self._turns))
        free = self.puzzle.free_squares
        return np.array([[self._candidate[one[square]] for square in free] for one in turned], dtype=np.int64)

    def _reason_to_stop(self) -> str | None:
        reached = self.limit_reached(int(self._nodes.sum()))
        if reached is None and self.limits.solutions == 0 and self.goal is not Goal.COUNT:
            return "solutions"
        return reached

    def result(self, kept: tuple[Arrangement, ...]) -> Result:
        """The result of the search so far."""
        goal, found = self.goal, self._found
        if goal is Goal.COUNT:
            count, complete = self._count, self._exhausted
            status = status_of_count(count, complete=complete)
            canonical = -(-count // found.product) if found.regular else None
        else:
            count, canonical = self._harvest.counts()
            status, complete = self._harvest.conclusion(count, exhausted=self._exhausted)
        return self.answer(
            kept,
            status,
            self._ended_by,
            complete=complete,
            nodes=tuple(self._nodes.tolist()),
            board=self._best_board,
            symmetry_factor=found.product if found.regular else None,
            counts=(count, canonical),
        )

    @property
    def shown_options(self) -> Mapping[str, object]:
        return {"checkerboard": self._checkerboard, "sets": self._sets, "symmetry": self.options.symmetry}


def _break_turns(puzzle: EdgeMatchingPuzzle, balanced: BalancedModel, turns: int) -> bool:
    """Keep one balanced set of each orbit under turns of the board, if some piece is in all of them.

    Turning the board turns that piece, and its rotations are all different because pieces are numbered.
    """
    sizes = puzzle.class_sizes()
    for piece, name in enumerate(puzzle.piece_classes):
        if turns > 1 and sizes[name][0] == sizes[name][1]:
            for stance, variable in balanced.stances[piece].items():
                if stance.rotation >= 4 // turns:
                    balanced.model.add(variable == 0)
            return True
    return False


def _in_stances(chosen: BalancedSet, arrangement: Arrangement) -> Arrangement:
    """The board of the puzzle for a board of turned pieces.

    On a full board they are not turned again; on a partial one, pieces that touch no fixed one may be.
    """
    used = [(piece, stance.rotation) for piece, stance in enumerate(chosen) if stance is not None]

    def placed(placement: Placement) -> Placement:
        piece, rotation = used[placement.piece]
        return Placement(piece, (rotation + placement.rotation) % 4)

    return tuple(None if placement is None else placed(placement) for placement in arrangement)
