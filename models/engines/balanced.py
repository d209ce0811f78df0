"""The engine `balanced`: first the rotations of the pieces, then their positions.

In every solution each colour is as often a right as a left side and as often up as down (for jigsaws: each connector
is as often on the right as its opposite on the left), and each kind of frame square gets its pieces.  A set of one
rotation per piece that has these properties is *balanced*; each solution belongs to exactly one.  On a checkerboard
(black squares have an even row + column) the right sides of black pieces meet the left sides of white pieces only,
so a set with a colour per piece can be balanced in a stricter sense.

Rotations are those of numbered pieces: turns that look alike, and exchanges of identical pieces, count as different.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...csp.base.errors import EngineError, shortened
from ...csp.base.stop import REPORT_SECONDS, Progress, Report, Stop, StoppedError, enforced
from ...csp.engines.engine import SQUARES, Engine, EngineRun, Search
from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.engines.result import Result, status_of_count
from ...csp.engines.tallies import Harvest, Rows, Tally, certain
from ...csp.puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP, Arrangement, Placement, opposite
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule, Sides
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import permitted_board
from ...csp.puzzles.symmetry import find_candidates, single_pieces, symmetries
from ...csp.search.ordered.run import Run
from ...csp.search.tree_run import Enumeration

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

BLACK, WHITE = 0, 1


class Stance(NamedTuple):
    """A rotation of a piece, and with a checkerboard the colour of its square; black without."""

    rotation: int
    shade: int


#: Sums by quantity: squares of a kind that are taken, halves of a join that have no other half.
Vector = Counter[object]

#: The stance of each piece; None for a spare piece that is not used.
BalancedSet = tuple[Stance | None, ...]


@dataclass(frozen=True)
class BalancedModel:
    """The balanced sets of a puzzle as a CP-SAT model."""

    #: Has one solution for each balanced set.
    model: "cp_model.CpModel"
    #: For each piece a Boolean variable for each stance that it may have; all others are false.
    stances: "tuple[Mapping[Stance, cp_model.IntVar], ...]"

    def read(self, value: "Callable[[cp_model.IntVar], int]") -> BalancedSet:
        """The balanced set of a solution; `value` is that of a solver or a callback."""
        return tuple(
            next((stance for stance, variable in stances.items() if value(variable)), None) for stances in self.stances
        )


def balanced_model(puzzle: EdgeMatchingPuzzle, *, checkerboard: bool = False) -> BalancedModel:
    """The balanced sets as a model; fixed pieces have their rotation, spare pieces may be left out."""
    # The plan of a search looks at every engine, and OR-tools takes longer to load than many searches take.
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    stances: list[dict[Stance, cp_model.IntVar]] = []
    for piece, possible in enumerate(_possible_stances(puzzle, checkerboard)):
        variables = {stance: model.new_bool_var(f"piece {piece + 1} {stance}") for stance in possible if stance}
        stances.append(variables)
        if None in possible:
            model.add_at_most_one(variables.values())
        else:
            model.add_exactly_one(variables.values())
    sums: dict[object, list[cp_model.LinearExprT]] = {}
    for piece, variables in enumerate(stances):
        for stance, variable in variables.items():
            for quantity, amount in _vector(puzzle, piece, stance, checkerboard).items():
                sums.setdefault(quantity, []).append(amount * variable)
    needed = _needed(puzzle, checkerboard)
    for quantity in {**needed, **sums}:
        model.add(cp_model.LinearExpr.sum(sums.get(quantity, [])) == needed[quantity])
    return BalancedModel(model, tuple(stances))


def with_rotations(puzzle: EdgeMatchingPuzzle, chosen: BalancedSet) -> EdgeMatchingPuzzle:
    """The puzzle in which each piece has only its given rotation, as a jigsaw that any search can solve.

    Pieces are turned as chosen and must not be turned again: their connectors include the direction as well as the
    colour, and the piece of a square that is the only one of its kind (such as a corner) is fixed. The solutions are
    those of the puzzle that have the chosen rotations.  Unused pieces are omitted; the others keep their order.
    Stances that differ in shade keep their pieces on the squares of that colour.

    - `chosen`: a balanced set.

    Raises EngineError if such a square does not have exactly one piece, so that the set is not balanced.
    """
    used = [(piece, stance) for piece, stance in enumerate(chosen) if stance is not None]
    checkerboard = any(stance.shade == WHITE for _, stance in used)
    connectors: dict[object, int] = {}

    def connector(join: tuple[int, int, int], sign: int) -> int:
        return sign * connectors.setdefault(join, len(connectors) + 1)

    pieces: list[Sides] = []
    numbers = {piece: number for number, (piece, _) in enumerate(used)}
    of_kind: dict[tuple[int, int], list[int]] = {}
    for piece, stance in used:
        sides = [BORDER] * 4
        for side, join, sign in _half_joins(puzzle, piece, stance, checkerboard):
            sides[side] = connector(join, sign)
        up, right, down, left = sides
        pieces.append((up, right, down, left))
        of_kind.setdefault((_mask(sides), stance.shade), []).append(numbers[piece])
    fixed = [Fixed(square, numbers[piece], 0) for square, piece, _ in puzzle.fixed]
    kinds = [_square_kind(puzzle, square, checkerboard) for square in range(len(puzzle.board))]
    squares = Counter(kinds)
    for square, kind in enumerate(kinds):
        if squares[kind] == 1:
            fitting = of_kind.get(kind, [])
            if len(fitting) != 1:
                raise EngineError(f"rotations: {len(fitting)} pieces for {puzzle.board.name(square)}, instead of one")
            only = Fixed(square, fitting[0], 0)
            if only not in fixed:
                fixed.append(only)
    return EdgeMatchingPuzzle(puzzle.rows, puzzle.columns, tuple(pieces), Rule.OPPOSITE, tuple(fixed), name=puzzle.name)


def _possible_stances(puzzle: EdgeMatchingPuzzle, checkerboard: bool) -> list[list[Stance | None]]:
    """The stances that each piece can have on some square; with None for pieces that may be left out."""
    squares = {_square_kind(puzzle, square, checkerboard) for square in range(len(puzzle.board))}
    fixed = {piece: (square, rotation) for square, piece, rotation in puzzle.fixed}
    spare = {name for name, (pieces, needed) in puzzle.class_sizes().items() if pieces > needed}
    possible: list[list[Stance | None]] = []
    for piece, name in enumerate(puzzle.piece_classes):
        if piece in fixed:
            square, rotation = fixed[piece]
            possible.append([Stance(rotation, _shade(puzzle, square, checkerboard))])
            continue
        stances = [Stance(rotation, shade) for rotation in range(4) for shade in (BLACK, WHITE)]
        fitting: list[Stance | None] = [
            stance
            for stance in stances
            if (_mask(puzzle.shown(Placement(piece, stance.rotation))), stance.shade) in squares
        ]
        possible.append([None, *fitting] if name in spare else fitting)
    return possible


def _needed(puzzle: EdgeMatchingPuzzle, checkerboard: bool) -> Vector:
    """The required sums; all others must be 0."""
    squares = range(len(puzzle.board))
    return Counter(("squares", *_square_kind(puzzle, square, checkerboard)) for square in squares)


def _half_joins(
    puzzle: EdgeMatchingPuzzle, piece: int, stance: Stance, checkerboard: bool
) -> Iterator[tuple[int, tuple[int, int, int], int]]:
    """The inner sides of a turned piece: the side, its join, and which half of the join it is (1 or -1).

    A join is identified by the side of its first half, right or down, with the colour and shade of the piece there.
    """
    for side, color in enumerate(puzzle.shown(Placement(piece, stance.rotation))):
        if color == BORDER:
            continue
        if side in (RIGHT, DOWN):
            yield side, (side, color, stance.shade), 1
        else:
            shade = WHITE - stance.shade if checkerboard else BLACK
            yield side, (opposite(side), puzzle.mate(color), shade), -1


def _mask(sides: Sequence[int]) -> int:
    return sum(1 << side for side in (UP, RIGHT, DOWN, LEFT) if sides[side] == BORDER)


def _shade(puzzle: EdgeMatchingPuzzle, square: int, checkerboard: bool) -> int:
    return sum(divmod(square, puzzle.columns)) % 2 if checkerboard else BLACK


def _square_kind(puzzle: EdgeMatchingPuzzle, square: int, checkerboard: bool) -> tuple[int, int]:
    return puzzle.board.border_mask(square), _shade(puzzle, square, checkerboard)


def _vector(puzzle: EdgeMatchingPuzzle, piece: int, stance: Stance | None, checkerboard: bool) -> Vector:
    """What a stance adds to the sums: 1 for squares of its kind, and its half joins with their signs."""
    vector: Vector = Counter()
    if stance is not None:
        vector["squares", _mask(puzzle.shown(Placement(piece, stance.rotation))), stance.shade] += 1
        for _, join, sign in _half_joins(puzzle, piece, stance, checkerboard):
            vector["join", *join] += sign
    return vector


class Balanced(Engine):
    """CP-SAT enumerates the balanced rotation sets, and the backtracker searches each with all rotations fixed.

    Every arrangement has exactly one such set, so counts add up.  Each search is small, but there are very many sets;
    the engine is meant for the study of small puzzles, not for speed.

    Symmetry breaking avoids the turns of the whole board in the search; `all` yields one arrangement of each symmetry
    class.  The node limit may be missed by the pieces that the rotations fix.

    - `variant`: ``checkerboard`` if the sets also have the colour of each piece's square.

    Raises EngineError if there is no such variant.
    """

    solvers = ("checkerboard",)
    kinds = SQUARES
    goals = frozenset({Goal.SOLVE, Goal.ALL, Goal.COUNT})
    takes = some_options("order")
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
        pieces = find_candidates(puzzle, single_pieces(puzzle))
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
        from ..base.cp_solving import cp_model, cp_solver, model_solutions

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
            with enforced(self.stop):
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
            pictures=found.pictures(count),
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
