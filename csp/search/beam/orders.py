"""The orders of beams: most of the board by rowscan, the rest column by column, with its frame before the last columns.

In this order the frame, whose joins must all match, is closed while there is still a choice, and the last squares,
where most invalid joins are, lie inside.  A board can be turned and reflected; in each of these ways a beam finds other
boards.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

from ...puzzles.board import Board
from ...puzzles.orders import Order

# The part of the lines that is not filled by rowscan, and the part that remains when its frame is closed.
_REST, _LAST = 5 / 16, 3 / 16


@cache
def beam_orders(board: Board) -> tuple[Order, ...]:
    """The orders for a board; lines run along its shorter sides, so that few sides are open."""
    turns = [turn for turn in range(4) if _lengths(board, turn)[0] >= _lengths(board, turn)[1]]
    orders = (tuple(_turned(board, turn, mirrored)) for turn, mirrored in product(turns, (False, True)))
    return tuple(dict.fromkeys(orders))


def _lengths(board: Board, turn: int) -> tuple[int, int]:
    """The rows and columns of the board that becomes `board` by the given number of clockwise quarter turns."""
    return (board.rows, board.columns) if turn % 2 == 0 else (board.columns, board.rows)


def _turned(board: Board, turn: int, mirrored: bool) -> Iterator[int]:
    rows, columns = _lengths(board, turn)
    for row, column in _squares(rows, columns, round(_REST * rows), max(round(_LAST * columns), 1)):
        column = columns - 1 - column if mirrored else column
        height, width = rows, columns
        for _ in range(turn):
            row, column, height, width = column, height - 1 - row, width, height
        yield board.square(row, column)


def _squares(rows: int, columns: int, rest: int, last: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of the squares; `rest` rows are not filled by rowscan, `last` columns only inside at the end."""
    for row in reversed(range(rest, rows)):
        for column in range(columns):
            yield row, column
    inside = columns - last
    for column in range(inside):
        for row in reversed(range(rest)):
            yield row, column
    frame = [(0, column) for column in range(inside, columns)] + [(row, columns - 1) for row in range(1, rest)]
    yield from frame if rest else ()
    for column in range(inside, columns):
        for row in reversed(range(rest)):
            if (row, column) not in frame:
                yield row, column
