"""Balanced rotation sets: rotations of the pieces for which the sides of the whole board could pair up.

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
from typing import NamedTuple

from ortools.sat.python import cp_model

from ...csp.base.errors import EngineError
from ...csp.puzzles.board import BORDER, DOWN, LEFT, RIGHT, UP, Placement, opposite
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule, Sides

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
    model: cp_model.CpModel
    #: For each piece a Boolean variable for each stance that it may have; all others are false.
    stances: tuple[Mapping[Stance, cp_model.IntVar], ...]

    def read(self, value: Callable[[cp_model.IntVar], int]) -> BalancedSet:
        """The balanced set of a solution; `value` is that of a solver or a callback."""
        return tuple(
            next((stance for stance, variable in stances.items() if value(variable)), None) for stances in self.stances
        )


def balanced_model(puzzle: EdgeMatchingPuzzle, *, checkerboard: bool = False) -> BalancedModel:
    """The balanced sets as a model; fixed pieces have their rotation, spare pieces may be left out."""
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

    Parameters
    ----------
    chosen
        A balanced set.

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


def _contributions(
    puzzle: EdgeMatchingPuzzle, piece: int, stance: Stance, checkerboard: bool
) -> Iterator[tuple[object, int]]:
    """The contributions of a stance to the sums: 1 for squares of its kind, and its half joins with their signs."""
    yield ("squares", _mask(puzzle.shown(Placement(piece, stance.rotation))), stance.shade), 1
    for _, join, sign in _half_joins(puzzle, piece, stance, checkerboard):
        yield ("join", *join), sign


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
    vector: Vector = Counter()
    if stance is not None:
        for quantity, amount in _contributions(puzzle, piece, stance, checkerboard):
            vector[quantity] += amount
    return vector
