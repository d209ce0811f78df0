"""Scrambles of even boards that are nearly perfect: where the annealing starts if the sides differ by 2, 6, 10, ...

No closed form with two solutions is known for such boards.  From these scrambles, whose faults lie on two borders, the
annealing finds perfect ones within seconds, also where it finds nothing from a random scramble.
"""

from ...base.errors import PuzzleError
from ...base.seeded_random import Chance
from ...puzzles.board import Arrangement, Board, Placement
from .quarter_turn import quarter_turned


def has_column_form(rows: int, columns: int) -> bool:
    """Whether a board has even sides of at least 4 that differ by 2, 6, 10, ..."""
    return rows % 2 == columns % 2 == 0 and (rows - columns) % 4 == 2 and min(rows, columns) >= 4


def draw_column_form(rows: int, columns: int, chance: Chance) -> Arrangement:
    """A scramble by columns, with random choices.

    One side of the board is 2, 6, 10, ...; let this be the number of columns (else the board is turned).  With h the
    half turn of the board about its centre, u the distance of a column from the nearer border, and rows y from 0:

    - In columns of even u, a piece stays in the left half if y is even, and in the right half if it is odd; the others
      go to h of their squares with a half turn.
    - The columns of odd u are paired in each half.  A piece moves in the same way as its neighbours in the row, but to
      the other column of the pair.  If there is a column without a partner, its pieces are turned by half there; those
      in the first and the last row are not, and their joins are in both assemblies.

    If all columns of odd u have partners, the scramble is perfect, but it has many more than two solutions.

    Parameters
    ----------
    rows, columns
        The size of the board, see `has_column_form`.
    chance
        The source of the random choices: the pairs.

    Raises PuzzleError if the size does not meet these conditions.
    """
    if not has_column_form(rows, columns):
        raise PuzzleError(f"{rows}x{columns}: a column form needs even rows and columns that differ by 2, 6, 10, ...")
    if columns % 4 == 2:
        return _by_columns(rows, columns, chance)
    return quarter_turned(_by_columns(columns, rows, chance), columns, rows)


def _by_columns(rows: int, columns: int, chance: Chance) -> Arrangement:
    board = Board(rows, columns)
    partner = _pairs(list(range(1, columns // 2, 2)), chance)
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


def _pairs(columns: list[int], chance: Chance) -> dict[int, int]:
    """The partner of each column, except of one if their number is odd."""
    shuffled = chance.shuffled(columns)
    pairs = list(zip(shuffled[::2], shuffled[1::2], strict=False))
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}
