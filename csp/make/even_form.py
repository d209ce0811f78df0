"""Scrambles in closed form for even sizes: second assemblies that make perfect jigsaws.

They treat the squares by how far they are from the nearer border, u in columns and v in rows (from 0), by the parity of
u + v, and by quadrant: north-west and south-east against north-east and south-west.  That their connector classes all
have two joins is computed for each, not proved for all.
"""

from collections.abc import Iterable

from ..board import Arrangement, Board, Placement
from ..errors import PuzzleError
from .chance import Chance

#: Column and row of a square, from 0.
Square = tuple[int, int]


def draw_even_form(size: int, chance: Chance) -> Arrangement:
    """A scramble of the family for even sizes, its free choices made at random.

    With half turns h and quarter turns r of the board about its centre, and q = size / 2:

    - Where u + v is even, a piece stays or goes to h of its square with a half turn, by the parity of u plus quadrant.
    - Where it is odd, in the two middle columns and rows: with C_v = (q - 1, v) and K_v = (q, v), the depths v > 0 are
      paired, and for a pair a, b the pieces turn with the board by the same quarter turn, those from K_a to K_b and
      those from K_b to K_a.  A depth that is left over, and depth 0, turn C and K in opposite directions.
    - Elsewhere the orbits {P, h(P)} are paired, edge with edge and inner with inner.  In a pair, P goes to Q with some
      turn k and h(P) to h(Q) with the same; Q goes to P with -k, or to h(P) with 2 - k, as the parities of u plus
      quadrant on P and Q differ by k or not.  An inner orbit that is left over has its pieces turned by half.

    Parameters
    ----------
    size
        Rows and columns: even, at least 4.
    chance
        Where the choices come from: which depths and orbits are paired, and the turns.

    Raises
    ------
    PuzzleError
        If the size is odd or less than 4.
    """
    if size < 4 or size % 2:
        raise PuzzleError(f"size {size}: this closed form is for even sizes from 4 on")
    form = _EvenForm(size, chance)
    form.treat_even_squares()
    form.treat_middle()
    form.treat_the_rest()
    board = Board(size, size)
    arrangement: list[Placement | None] = [None] * len(board)
    for (x, y), ((to_x, to_y), turns) in form.goes.items():
        arrangement[board.square(to_y, to_x)] = Placement(board.square(y, x), turns % 4)
    return tuple(arrangement)


class _EvenForm:
    """A scramble under construction: where pieces go, and how far they turn."""

    def __init__(self, size: int, chance: Chance) -> None:
        self._last, self._half, self._chance = size - 1, size // 2, chance
        self._squares = [(x, y) for y in range(size) for x in range(size)]
        self.goes: dict[Square, tuple[Square, int]] = {}

    def treat_even_squares(self) -> None:
        """Leave them alone or turn them by half about the centre."""
        for square in self._squares:
            if (self._depth(square[0]) + self._depth(square[1])) % 2 == 0:
                self.goes[square] = (self._opposite(square), 2) if self._kind(square) else (square, 0)

    def treat_middle(self) -> None:
        """Turn the others of the two middle columns and rows by quarters about the centre."""
        right, left = self._half, self._half - 1
        depths = self._chance.shuffled(v for v in range(left - 1, 0, -2))
        while len(depths) > 1:
            a, b = depths.pop(), depths.pop()
            turn = 1 - 2 * self._chance.below(2)
            straight, crossed = (left, right) if self._chance.below(2) else (right, left)
            self._turn(((straight, a), (straight, b)), ((straight, a), (straight, b)), turn)
            self._turn(((crossed, a), (crossed, b)), ((crossed, b), (crossed, a)), turn)
        for v in (*depths, *([0] if left % 2 else [])):
            turn = 1 - 2 * self._chance.below(2)
            self._turn(((left, v),), ((left, v),), turn)
            self._turn(((right, v),), ((right, v),), -turn)

    def treat_the_rest(self) -> None:
        """Exchange them in pairs, each with its opposite square's."""
        orbits: dict[bool, list[Square]] = {True: [], False: []}
        for square in self._squares:
            if square not in self.goes and square < self._opposite(square):
                orbits[self._border(square) is not None].append(square)
        for on_border, squares in orbits.items():
            free = [s if self._chance.below(2) else self._opposite(s) for s in self._chance.shuffled(squares)]
            while len(free) > 1:
                one, other = free.pop(), free.pop()
                turns = self._chance.below(4)
                if on_border:
                    turns = ((self._border(other) or 0) - (self._border(one) or 0)) % 4
                self._exchange(one, other, turns)
            for one in free:
                self.goes[one], self.goes[self._opposite(one)] = (one, 2), (self._opposite(one), 2)

    def _exchange(self, one: Square, other: Square, turns: int) -> None:
        self._send(one, other, turns)
        if (self._kind(one) + turns - self._kind(other)) % 2 == 0:
            self._send(other, one, -turns)
        else:
            self._send(other, self._opposite(one), 2 - turns)

    def _send(self, one: Square, other: Square, turns: int) -> None:
        """From a square to another, and from its opposite to the other's opposite."""
        self.goes[one] = other, turns
        self.goes[self._opposite(one)] = self._opposite(other), turns

    def _turn(self, squares: Iterable[Square], targets: Iterable[Square], turn: int) -> None:
        """From the squares and their quarter turns to the targets, turned one further."""
        for square, target in zip(squares, targets, strict=True):
            target = self._turned(target, turn % 4)
            for _ in range(4):
                self.goes[square] = target, turn
                square, target = self._turned(square, 1), self._turned(target, 1)

    def _turned(self, square: Square, quarter_turns: int) -> Square:
        x, y = square
        for _ in range(quarter_turns):
            x, y = self._last - y, x
        return x, y

    def _opposite(self, square: Square) -> Square:
        return self._last - square[0], self._last - square[1]

    def _depth(self, index: int) -> int:
        return min(index, self._last - index)

    def _kind(self, square: Square) -> int:
        """The parity of u plus quadrant."""
        x, y = square
        return (self._depth(x) + (x >= self._half) + (y >= self._half)) % 2

    def _border(self, square: Square) -> int | None:
        """The side on the border of an edge square."""
        x, y = square
        return {y: 0, self._last - x: 1, self._last - y: 2, x: 3}.get(0)
