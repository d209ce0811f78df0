"""Scrambles in closed form that are nearly as wished: where annealings of large boards start.

No closed form with two solutions is known for such boards.  From these scrambles, whose few faults lie along borders or
rows, the annealing finds good ones within seconds, also where it finds nothing from a random scramble.
"""

from ..base.errors import PuzzleError
from ..base.seeded_random import Chance
from ..puzzles.board import Arrangement, Board, Placement

# The random orders of a row among which the best is chosen, and the cost of a shared join in joins beyond the second.
DRAWS, SHARED_COST = 2000, 4


def quarter_turned(scramble: Arrangement, rows: int, columns: int) -> Arrangement:
    """The scramble of a columns x rows board that a quarter turn, clockwise, makes of one of a rows x columns board."""
    board = Board(columns, rows)

    def there(square: int) -> int:
        row, column = divmod(square, columns)
        return board.square(column, rows - 1 - row)

    turned: list[Placement | None] = [None] * len(scramble)
    for square, placed in enumerate(scramble):
        if placed is not None:
            turned[there(square)] = Placement(there(placed.piece), placed.rotation)
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
