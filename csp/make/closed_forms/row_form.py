"""Scrambles of boards with rows + columns odd that have nearly the largest possible number of connectors.

Annealings on larger boards start there, for connectors on up to three joins.
"""

from ...base.errors import PuzzleError
from ...base.seeded_random import Chance
from ...puzzles.board import Arrangement, Board, Placement

# The random orders of a row among which the best is chosen, and the cost of a shared join in joins beyond the second.
DRAWS, SHARED_COST = 2000, 4


def has_row_form(rows: int, columns: int) -> bool:
    """Whether rows + columns is odd and both are at least 3."""
    return (rows + columns) % 2 == 1 and min(rows, columns) >= 3


def draw_row_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble by rows, with random choices.

    Let the number of rows be odd (else the board is turned), and h be the half turn of the board about its centre.  A
    permutation of the columns that is its own inverse, leaves the first one in place and commutes with reflection
    applies to all rows.  Then every second row, from the second one on, goes to its image by h, with a half turn.  So
    all vertical joins are on connectors of two joins.  The horizontal joins of a row have connectors of their own, and
    as their number is odd, not all of them have two joins.  Among random permutations the one with the fewest joins
    beyond the second is taken.

    Parameters
    ----------
    rows, columns
        The size of the board: rows + columns is odd, and both are at least 3.
    chance
        The source of the random choices.

    Raises PuzzleError if the size does not meet these conditions.
    """
    if not has_row_form(rows, columns):
        raise PuzzleError(f"{rows}x{columns}: a row form needs three rows and columns or more, and an odd sum of both")
    board = Board(rows, columns)
    order = min((_random_order(min(rows, columns, key=_is_odd), chance) for _ in range(DRAWS)), key=_cost)
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


def _is_odd(number: int) -> bool:
    return number % 2 == 1


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
