"""The exact number of balanced rotation sets, without enumerating them."""

from collections import Counter
from collections.abc import Sequence

from jigsat.csp.base.errors import EngineError
from jigsat.csp.puzzles.board import BORDER
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.models.engines.balanced import Vector, _needed, _possible_stances, _vector


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
