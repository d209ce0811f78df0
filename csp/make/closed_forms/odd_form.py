"""Scrambles in closed form: second assemblies that make perfect jigsaws of odd rows and columns.

They depend on the parity of the squares' indices.  That all connector classes have two joins, and for which parameters
there is no third assembly, is proved in docs/theory/exactly_two.md.
"""

from collections.abc import Callable, Sequence
from math import gcd

from ...base.errors import PuzzleError
from ...base.seeded_random import Chance
from ...puzzles.board import Arrangement, Board, Placement


def closed_form(
    rows: int, columns: int, shift: int, reflections: Sequence[int], exchange: Sequence[int]
) -> Arrangement:
    """The scramble that shifts some rows, reflects others, and does not move every second square of every second row.

    With k = (columns - 1) / 2 and l = (rows - 1) / 2, in columns x and rows y from 0, the piece on the square goes

    - from (2i, 2j) nowhere;
    - from (2i + 1, 2j + 1) to (2 (i + shift mod k) + 1, 2j + 1);
    - from (2i + 1, 2j) to (2 (reflections[j] - i mod k) + 1, 2 (l - j)), with a half turn;
    - from (2i, 2j + 1) to (2 (k - i), 2 exchange[j] + 1), with a half turn.

    - `rows`, `columns`: the size of the board: odd, at least 5.
    - `shift`: coprime to k.
    - `reflections`: l + 1 numbers from 0 to k - 1, the same from either end.
    - `exchange`: a permutation of 0, ..., l - 1 that is its own inverse.

    Raises PuzzleError if the parameters do not meet these conditions.

    Examples
    --------
    >>> closed_form(5, 5, 1, (0, 1, 0), (0, 1))[:3]
    (Placement(piece=0, rotation=0), Placement(piece=21, rotation=2), Placement(piece=2, rotation=0))
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
    odd): by a half turn.  Its jigsaws have 2^((size - 1) / 2) solutions for the sizes 5, 7, 9, 11.

    Raises
    ------
    PuzzleError
        If the size is even or less than 5.
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
        arrangement[board.square(y, x)] = Placement(piece, turns)
    return tuple(arrangement)
