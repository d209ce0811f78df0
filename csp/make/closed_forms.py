"""Scrambles in closed form: second assemblies that make perfect jigsaws, for odd sizes and for even ones.

Those of odd rows and columns depend on the parity of the squares' indices; those of even ones on the distances of
squares from the nearer border, u in columns and v in rows (from 0), on the parity of u + v, and on the quadrant:
north-west and south-east against north-east and south-west.  That all connector classes have two joins, and when there
is no third assembly, is proved in docs/papers/exactly_two.md.
"""

from collections.abc import Callable, Sequence
from math import gcd

from ..base.errors import PuzzleError
from ..base.seeded_random import Chance
from ..puzzles.board import Arrangement, Board, Placement


def closed_form(
    rows: int, columns: int, shift: int, reflections: Sequence[int], exchange: Sequence[int]
) -> Arrangement:
    """The scramble that shifts some rows, reflects others, and does not move every second square of every second row.

    With k = (columns - 1) / 2 and l = (rows - 1) / 2, in columns x and rows y from 0, the piece on the square goes

    - from (2i, 2j) nowhere;
    - from (2i + 1, 2j + 1) to (2 (i + shift mod k) + 1, 2j + 1);
    - from (2i + 1, 2j) to (2 (reflections[j] - i mod k) + 1, 2 (l - j)), with a half turn;
    - from (2i, 2j + 1) to (2 (k - i), 2 exchange[j] + 1), with a half turn.

    Raises PuzzleError unless rows and columns are odd and at least 5, `shift` is coprime to k, `reflections` are l + 1
    numbers from 0 to k - 1, the same from either end, and `exchange` is a permutation of 0, ..., l - 1 that is its own
    inverse.
    """
    k, half_rows = _half(columns), _half(rows)
    if gcd(shift, k) != 1:
        raise PuzzleError(f"shift {shift}: must be coprime to {k}, half of the columns")
    if len(reflections) != half_rows + 1 or list(reflections) != list(reflections)[::-1]:
        raise PuzzleError(f"reflections: {half_rows + 1} numbers are needed, the same from either end")
    if not all(0 <= reflection < k for reflection in reflections):
        raise PuzzleError(f"reflections: each must lie between 0 and {k - 1}")
    own_inverse = sorted(exchange) == list(range(half_rows)) and all(exchange[exchange[j]] == j for j in exchange)
    if not own_inverse:
        raise PuzzleError(f"exchange: a permutation of 0 to {half_rows - 1} that is its own inverse is needed")

    def goes(x: int, y: int) -> tuple[int, int, int]:
        i, j = x // 2, y // 2
        if x % 2 == y % 2 == 0:
            return x, y, 0
        if x % 2 and y % 2:
            return 2 * ((i + shift) % k) + 1, y, 0
        if x % 2:
            return 2 * ((reflections[j] - i) % k) + 1, 2 * (half_rows - j), 2
        return 2 * (k - i), 2 * exchange[j] + 1, 2

    return _scramble(rows, columns, goes)


def draw_closed_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble in closed form with random parameters; for half of them, `exchange` is the identity.

    Raises PuzzleError if rows or columns are even or less than 5.
    """
    k, half_rows = _half(columns), _half(rows)
    shift = chance.sample([s for s in range(1, k + 1) if gcd(s, k) == 1], 1)[0]
    half = [chance.below(k) for _ in range(half_rows // 2 + 1)]
    reflections = half + half[: half_rows + 1 - len(half)][::-1]
    exchange = list(range(half_rows))
    if chance.below(2):
        places = chance.shuffled(range(half_rows))
        for one, other in zip(places[::2], places[1::2], strict=False):
            exchange[one], exchange[other] = other, one
    return closed_form(rows, columns, shift, reflections, exchange)


def crystal(size: int) -> Arrangement:
    """The scramble that turns pieces about the centre of the board, by the parities of column and row.

    (even, even): not at all; (odd, even): by a quarter turn clockwise; (even, odd): by one counter-clockwise; (odd,
    odd): by a half turn.  Its jigsaws have 2^((size - 1) / 2) solutions, see docs/papers/crystals.md.

    Raises PuzzleError if the size is even or less than 5.
    """
    _half(size)
    board = Board(size, size)
    turns = {(0, 0): 0, (1, 0): 1, (0, 1): 3, (1, 1): 2}

    def goes(x: int, y: int) -> tuple[int, int, int]:
        turn = turns[x % 2, y % 2]
        row, column = divmod(board.turned_square(board.square(y, x), turn), size)
        return column, row, turn

    return _scramble(size, size, goes)


def _half(size: int) -> int:
    """The k of an odd length 2k + 1."""
    if size < 5 or size % 2 == 0:
        raise PuzzleError(f"{size} rows or columns: closed forms need odd numbers from 5 on")
    return size // 2


def _scramble(rows: int, columns: int, goes: Callable[[int, int], tuple[int, int, int]]) -> Arrangement:
    """The arrangement in which each piece has gone where `goes` says: column, row, and clockwise quarter turns."""
    board = Board(rows, columns)
    arrangement: list[Placement | None] = [None] * len(board)
    for piece in range(len(board)):
        row, column = divmod(piece, columns)
        x, y, turns = goes(column, row)
        arrangement[board.square(y, x)] = Placement(piece, turns % 4)
    return tuple(arrangement)


#: Column and row of a square, from 0.
Square = tuple[int, int]


def draw_even_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble of the family for even rows and columns, with random choices.

    With h the half turn of the board about its centre:

    - Where u + v is even, a piece stays or goes to h of its square with a half turn, by the parity of u plus quadrant.
    - Where it is odd, in the two middle columns and rows: C_0 of depth v is the square in row v of the left one of the
      two columns, C_1 that at depth v from the right border in the upper one of the two rows, C_2 = h(C_0) and C_3 =
      h(C_1); K_0 is in the right column, K_1 in the lower row, and so on.  The depths v > 0 are paired, and for a pair
      a, b pieces go from C_i to C_(i+1) of the same depth with a quarter turn, and from K_i to K_(i+1) of the other
      depth of the pair; or all the other way round.  An unpaired depth, and depth 0, move C and K in opposite
      directions.  Depths that only the longer middle has send C_i to K_i with a half turn, and K_i to C_(i+2).
    - Elsewhere the orbits {P, h(P)} are paired, edge with edge and inner with inner.  In a pair, P goes to Q with some
      turn k and h(P) to h(Q) with the same; Q goes to P with -k, or to h(P) with 2 - k, as the parities of u plus
      quadrant on P and Q differ by k or not.  Left-right reflection shows that the number of orbits is even, so that
      none is left over.

    Raises PuzzleError unless both sizes are at least 4, even, and differ by a multiple of 4.
    """
    if min(rows, columns) < 4 or rows % 2 or columns % 2 or (rows - columns) % 4:
        size = f"{rows}x{columns}"
        raise PuzzleError(f"{size}: this closed form needs even rows and columns from 4 on that differ by 0, 4, 8, ...")
    form = _EvenForm(rows, columns, chance)
    form.treat_even_squares()
    form.treat_middle()
    form.treat_the_rest()
    return _scramble(rows, columns, lambda x, y: (*form.goes[x, y][0], form.goes[x, y][1]))


class _EvenForm:
    """An even form under construction: the targets and turns of the pieces."""

    def __init__(self, rows: int, columns: int, chance: Chance) -> None:
        self._rows, self._columns, self._chance = rows, columns, chance
        self._squares = [(x, y) for y in range(rows) for x in range(columns)]
        self.goes: dict[Square, tuple[Square, int]] = {}

    def treat_even_squares(self) -> None:
        """Do not move them, or turn them by half about the centre."""
        for x, y in self._squares:
            if (_depth(x, self._columns) + _depth(y, self._rows)) % 2 == 0:
                self.goes[x, y] = (self._opposite((x, y)), 2) if self._kind((x, y)) else ((x, y), 0)

    def treat_middle(self) -> None:
        """Move the others of the two middle columns and rows around the board."""
        beside_column = range(self._rows // 2 - 2, -1, -2)
        beside_row = range(self._columns // 2 - 2, -1, -2)
        depths = self._chance.shuffled(v for v in beside_column if v in beside_row and v > 0)
        while len(depths) > 1:
            a, b = depths.pop(), depths.pop()
            turn = 1 - 2 * self._chance.below(2)
            straight = self._chance.below(2) == 0
            for v, crossed in ((a, b), (b, a)):
                self._lead_round(self._around(v, beyond=straight), self._around(v, beyond=straight), turn)
                self._lead_round(self._around(v, beyond=not straight), self._around(crossed, beyond=not straight), turn)
        for v in (*depths, *([0] if 0 in beside_column else [])):
            turn = 1 - 2 * self._chance.below(2)
            for beyond in (False, True):
                self._lead_round(
                    self._around(v, beyond=beyond), self._around(v, beyond=beyond), -turn if beyond else turn
                )
        for first, longer, shorter in ((0, beside_column, beside_row), (1, beside_row, beside_column)):
            for v in set(longer) - set(shorter):
                near, far = self._around(v, beyond=False), self._around(v, beyond=True)
                for i in (first, first + 2):
                    self.goes[near[i]] = far[i], 2
                    self.goes[far[i]] = near[(i + 2) % 4], 0

    def treat_the_rest(self) -> None:
        """Exchange them in pairs, each with its opposite square's."""
        orbits: dict[bool, list[Square]] = {True: [], False: []}
        for square in self._squares:
            if square not in self.goes and square < self._opposite(square):
                orbits[self._border(square) is not None].append(square)
        for on_border, squares in orbits.items():
            free = [s if self._chance.below(2) else self._opposite(s) for s in self._chance.shuffled(squares)]
            while free:
                one, other = free.pop(), free.pop()
                turns = self._chance.below(4)
                if on_border:
                    turns = ((self._border(other) or 0) - (self._border(one) or 0)) % 4
                self._send(one, other, turns)
                if (self._kind(one) + turns - self._kind(other)) % 2 == 0:
                    self._send(other, one, -turns)
                else:
                    self._send(other, self._opposite(one), 2 - turns)

    def _around(self, depth: int, *, beyond: bool) -> list[Square]:
        """The squares C_0 to C_3 at a depth, or those beyond the middle: K_0 to K_3."""
        x, y = self._columns // 2 - 1 + beyond, self._rows // 2 - 1 + beyond
        top, right = (x, depth), (self._columns - 1 - depth, y)
        return [top, right, self._opposite(top), self._opposite(right)]

    def _lead_round(self, squares: list[Square], targets: list[Square], turn: int) -> None:
        """From each square to the next of the targets, or to the one before if the turn is -1."""
        for i, square in enumerate(squares):
            self.goes[square] = targets[(i + turn) % 4], turn

    def _send(self, one: Square, other: Square, turns: int) -> None:
        """From a square to another, and from its opposite to the other's opposite."""
        self.goes[one] = other, turns
        self.goes[self._opposite(one)] = self._opposite(other), turns

    def _opposite(self, square: Square) -> Square:
        return self._columns - 1 - square[0], self._rows - 1 - square[1]

    def _kind(self, square: Square) -> int:
        """The parity of u plus quadrant."""
        x, y = square
        return (_depth(x, self._columns) + (x >= self._columns // 2) + (y >= self._rows // 2)) % 2

    def _border(self, square: Square) -> int | None:
        """The side on the border of an edge square."""
        x, y = square
        return {y: 0, self._columns - 1 - x: 1, self._rows - 1 - y: 2, x: 3}.get(0)


def _depth(index: int, length: int) -> int:
    """The distance of a column or row from the nearer border."""
    return min(index, length - 1 - index)


# The random orders of a row among which the best is chosen, and the cost of a shared join in joins beyond the second.
DRAWS, SHARED_COST = 2000, 4


def quarter_turned(scramble: Arrangement, rows: int, columns: int) -> Arrangement:
    """The scramble of a columns x rows board that a quarter turn, clockwise, makes of one of a rows x columns board."""
    board = Board(rows, columns)
    there = [board.turned_square(square, 1) for square in range(len(board))]
    turned: list[Placement | None] = [None] * len(scramble)
    for square, placed in enumerate(scramble):
        if placed is not None:
            turned[there[square]] = Placement(there[placed.piece], placed.rotation)
    return tuple(turned)


def has_row_form(rows: int, columns: int) -> bool:
    """Whether rows + columns is odd and both are at least 3."""
    return (rows + columns) % 2 == 1 and min(rows, columns) >= 3


def draw_row_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble by rows with nearly the largest possible number of connectors, for rows + columns odd.

    Let the number of rows be odd (else the board is turned), and h be the half turn of the board about its centre.  A
    permutation of the columns that is its own inverse, leaves the first one in place and commutes with reflection
    applies to all rows.  Then every second row, from the second one on, goes to its image by h, with a half turn.  So
    all vertical joins are on connectors of two joins.  The horizontal joins of a row have connectors of their own, and
    as their number is odd, not all of them have two joins.  Among random permutations the one with the fewest joins
    beyond the second is taken.

    Raises PuzzleError if the board has no such form, see `has_row_form`.
    """
    if not has_row_form(rows, columns):
        raise PuzzleError(f"{rows}x{columns}: a row form needs three rows and columns or more, and an odd sum of both")
    board = Board(rows, columns)
    length = columns if rows % 2 else rows
    order = min((_random_order(length, chance) for _ in range(DRAWS)), key=_cost)
    if rows % 2:
        lines = [[board.square(y, x) for x in range(columns)] for y in range(rows)]
    else:
        lines = [[board.square(y, x) for y in range(rows)] for x in range(columns)]
    scramble: list[Placement | None] = [None] * len(board)
    for number, line in enumerate(lines):
        for square, x in zip(line, order, strict=True):
            if number % 2:
                scramble[len(board) - 1 - square] = Placement(line[x], 2)
            else:
                scramble[square] = Placement(line[x], 0)
    return tuple(scramble)


def _random_order(length: int, chance: Chance) -> list[int]:
    """A permutation of 0, ..., length - 1 that is its own inverse, fixes 0 and commutes with reflection."""
    left = chance.shuffled(range(1, length // 2))
    order = list(range(length))
    while left:
        one = left.pop()
        other = left.pop() if left and chance.below(5) else one
        if chance.below(2):
            other = length - 1 - other
        order[one], order[other] = other, one
        order[length - 1 - one], order[length - 1 - other] = length - 1 - other, length - 1 - one
    return order


def _cost(order: list[int]) -> int:
    """Of one row: the joins beyond the second of each connector, and the shared joins."""
    place = {piece: at for at, piece in enumerate(order)}
    cost, left = 0, set(range(len(order) - 1))
    while left:
        # The right side of a piece faces the left side of the next one, and that faces another right side.
        joins, piece = 0, left.pop()
        while True:
            joins += 1
            piece = order[place[piece + 1] - 1]
            if piece not in left:
                break
            left.remove(piece)
        cost += joins - 2 if joins > 1 else SHARED_COST
    return cost


def has_column_form(rows: int, columns: int) -> bool:
    """Whether a board has even sides of at least 4 that differ by 2, 6, 10, ..."""
    return rows % 2 == columns % 2 == 0 and (rows - columns) % 4 == 2 and min(rows, columns) >= 4


def draw_column_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble by columns, with random pairs of them.

    One side of the board is 2, 6, 10, ...; let this be the number of columns (else the board is turned).  With h the
    half turn of the board about its centre, u the distance of a column from the nearer border, and rows y from 0:

    - In columns of even u, a piece stays in the left half if y is even, and in the right half if it is odd; the others
      go to h of their squares with a half turn.
    - The columns of odd u are paired in each half.  A piece moves in the same way as its neighbours in the row, but to
      the other column of the pair.  If there is a column without a partner, its pieces are turned by half there; those
      in the first and the last row are not, and their joins are in both assemblies.

    If all columns of odd u have partners, the scramble is perfect, but it has many more than two solutions.

    Raises PuzzleError if the board has no such form, see `has_column_form`.
    """
    if not has_column_form(rows, columns):
        raise PuzzleError(f"{rows}x{columns}: a column form needs even rows and columns that differ by 2, 6, 10, ...")
    if columns % 4 == 2:
        return _by_columns(rows, columns, chance)
    return quarter_turned(_by_columns(columns, rows, chance), columns, rows)


def _by_columns(rows: int, columns: int, chance: Chance) -> Arrangement:
    board = Board(rows, columns)
    shuffled = chance.shuffled(range(1, columns // 2, 2))
    pairs = list(zip(shuffled[::2], shuffled[1::2], strict=False))
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    scramble: list[Placement | None] = [None] * len(board)
    for square in range(len(board)):
        y, x = divmod(square, columns)
        if x >= columns // 2:
            continue
        opposite = len(board) - 1 - square
        to, turns = board.square(y, partner.get(x, x)), 0
        if x % 2 and x not in partner and 0 < y < rows - 1:
            turns = 2
        if y % 2:
            to, turns = len(board) - 1 - to, turns + 2
        scramble[to] = Placement(square, turns % 4)
        scramble[len(board) - 1 - to] = Placement(opposite, turns % 4)
    return tuple(scramble)
