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
    """The balanced sets of a puzzle as a CP-SAT model.

    Parameters
    ----------
    model
        Has one solution for each balanced set.
    stances
        For each piece a Boolean variable for each stance that it may have; all others are false.
    """

    model: cp_model.CpModel
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


def count_balanced(puzzle: EdgeMatchingPuzzle, *, checkerboard: bool = False, most_states: int = 4_000_000) -> int:
    """The exact number of balanced sets, for small puzzles.

    Two tables have the number of ways in which some pieces, from the start or the end of the set, add up to each vector
    of sums; they grow piece by piece until all pieces are in one of them.

    Raises
    ------
    EngineError
        If a table would have more than `most_states` entries.
    """
    # Pieces of a class together: so their sums are complete early, and states that miss them are dropped.
    pieces = sorted(range(len(puzzle.pieces)), key=lambda piece: -puzzle.pieces[piece].count(BORDER))
    possible = _possible_stances(puzzle, checkerboard)
    options = [[_vector(puzzle, piece, stance, checkerboard) for stance in possible[piece]] for piece in pieces]
    sums = _Sums(_needed(puzzle, checkerboard), options)
    tables = _Table(sums, most_states), _Table(sums, most_states)
    first, last = 0, len(options)
    while first < last:
        if len(tables[0].ways) <= len(tables[1].ways):
            tables[0].add(options[first])
            first += 1
        else:
            last -= 1
            tables[1].add(options[last])
    some, others = sorted((table.ways for table in tables), key=len)
    return sum(ways * others.get(sums.target - state, 0) for state, ways in some.items())


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

    Raises
    ------
    EngineError
        If such a square does not have exactly one piece, so that the set is not balanced.
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


def _spans(options: Sequence[Vector]) -> dict[object, tuple[int, int]]:
    """The least and the greatest amount of each quantity among the options."""
    quantities = {quantity for vector in options for quantity in vector}
    return {
        quantity: (min(vector[quantity] for vector in options), max(vector[quantity] for vector in options))
        for quantity in quantities
    }


class _Sums:
    """Vectors of sums as integers: a field of bits for each quantity, with a guard bit above that is 0.

    A field holds its sum minus the least sum of some of the pieces, so that it is never negative.

    Attributes
    ----------
    zero
        The vector of zeros.
    target
        What two vectors that together have all sums as needed add up to.
    """

    def __init__(self, needed: Vector, options: Sequence[Sequence[Vector]]) -> None:
        self.needed = needed
        self.low: Vector = Counter(dict.fromkeys(needed, 0))
        self.high: Vector = Counter(self.low)
        for vectors in options:
            for quantity, (low, high) in _spans(vectors).items():
                self.low[quantity] += min(low, 0)
                self.high[quantity] += max(high, 0)
        # Wide enough for every comparison of `bounds`, too.
        most = max((self.high[quantity] - self.low[quantity] + needed[quantity] for quantity in self.low), default=0)
        self._width = (2 * most + 1).bit_length()
        self._shift = {quantity: index * (self._width + 1) for index, quantity in enumerate(self.low)}
        self.guards = self.packed(Counter(dict.fromkeys(self.low, 1 << self._width)))
        self.zero = -self.packed(self.low)
        self.target = 2 * self.zero + self.packed(needed)

    def packed(self, vector: Vector) -> int:
        return sum(amount << self._shift[quantity] for quantity, amount in vector.items())

    def bounds(self, low: Vector, high: Vector) -> tuple[int, int]:
        """What to add to a vector so that the guards show where it misses the needed sums.

        `low` and `high` are the least and greatest remaining sums.  Where a field is too high, adding the
        first number sets its guard; unless it is too low, adding the second one does.
        """
        over: Vector = Counter()
        under: Vector = Counter()
        for quantity, least in self.low.items():
            missing = self.needed[quantity] - least
            over[quantity] = (1 << self._width) - 1 - (missing - low[quantity])
            under[quantity] = (1 << self._width) - (missing - high[quantity])
        return self.packed(over), self.packed(under)


class _Table:
    """The number of ways to get each vector of sums from which the remaining pieces can still reach the target."""

    def __init__(self, sums: _Sums, most_states: int) -> None:
        self.ways: dict[int, int] = {sums.zero: 1}
        self._sums, self._most_states = sums, most_states
        self._low, self._high = Counter(sums.low), Counter(sums.high)

    def add(self, options: Sequence[Vector]) -> None:
        """One more piece, in any of its stances."""
        for quantity, (low, high) in _spans(options).items():
            self._low[quantity] -= min(low, 0)
            self._high[quantity] -= max(high, 0)
        over, under = self._sums.bounds(self._low, self._high)
        guards = self._sums.guards
        ways: dict[int, int] = {}
        for vector in options:
            step = self._sums.packed(vector)
            for state, number in self.ways.items():
                new = state + step
                if not (new + over) & guards and (new + under) & guards == guards:
                    ways[new] = ways.get(new, 0) + number
            if len(ways) > self._most_states:
                raise EngineError(f"balanced sets: more than {self._most_states} states of the count")
        self.ways = ways
