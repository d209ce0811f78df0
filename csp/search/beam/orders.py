"""The orders of beams: most of the board by rowscan, the rest column by column, with its frame before the last columns.

In this order the frame, whose joins must all match, is closed while there is still a choice, and the last squares,
where most invalid joins are, lie inside.  A board can be turned and reflected; in each of these ways a beam finds other
boards.

A fixed piece costs joins, the more the later its neighbours are placed: on Eternity II, one piece fixed in row 3, 7, 11
or 15 of the 16 rows from the first one on costs 0.1, 0.5, 1.1 or 1.6 joins.  So fixed pieces in the columns that would
be last are met before the other columns, and the orders that meet the fixed pieces late are left out.
"""

from collections.abc import Container, Iterator
from functools import cache
from itertools import product

from ...puzzles.board import Board
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import Order

# The part of the lines that is not filled by rowscan, and the part that remains when its frame is closed.
_REST, _LAST = 5 / 16, 3 / 16
# Of the columns, the last ones of this part are filled first if a fixed piece lies there.
_FAR = 1 / 4
# An order is late if it meets the fixed pieces later than the earliest one by more than this part of a line, all pieces
# together.  Late orders are left out if there are at least this number of free squares, since beams on small boards are
# often exhaustive, and only if at least the last number of orders remain.
_LATE, _LARGE, _FEW = 1 / 2, 100, 4


def beam_orders(puzzle: EdgeMatchingPuzzle) -> tuple[Order, ...]:
    """The orders along which a puzzle is searched, those first that meet its fixed pieces first, without late ones."""
    orders, board = all_beam_orders(puzzle), puzzle.board
    if len(board) - len(puzzle.fixed) < _LARGE:
        return orders
    latest = depths_of_fixed(puzzle, orders[0]) + _LATE * min(board.rows, board.columns)
    return *orders[:_FEW], *(order for order in orders[_FEW:] if depths_of_fixed(puzzle, order) <= latest)


def all_beam_orders(puzzle: EdgeMatchingPuzzle) -> tuple[Order, ...]:
    """The same with late ones; lines run along the shorter sides of the board, so that few sides are open."""
    board, fixed = puzzle.board, {fixed.square for fixed in puzzle.fixed}
    turns = [turn for turn in range(4) if _lengths(board, turn)[0] >= _lengths(board, turn)[1]]
    orders = dict.fromkeys(_order(board, fixed, turn, mirrored) for turn, mirrored in product(turns, (False, True)))
    return tuple(sorted(orders, key=lambda order: depths_of_fixed(puzzle, order)))


def depths_of_fixed(puzzle: EdgeMatchingPuzzle, order: Order) -> int:
    """The sum of the depths at which an order meets the fixed pieces."""
    depth_of = {square: depth for depth, square in enumerate(order)}
    return sum(depth_of[fixed.square] for fixed in puzzle.fixed)


def _lengths(board: Board, turn: int) -> tuple[int, int]:
    """The rows and columns of the board that becomes `board` by the given number of clockwise quarter turns."""
    return (board.rows, board.columns) if turn % 2 == 0 else (board.columns, board.rows)


@cache
def _turned(board: Board, turn: int, mirrored: bool) -> dict[tuple[int, int], int]:
    """The squares by row and column before the board is reflected and turned."""
    rows, columns = _lengths(board, turn)
    squares = {}
    for place in product(range(rows), range(columns)):
        (row, column), height, width = place, rows, columns
        column = width - 1 - column if mirrored else column
        for _ in range(turn):
            row, column, height, width = column, height - 1 - row, width, height
        squares[place] = board.square(row, column)
    return squares


def _order(board: Board, fixed: Container[int], turn: int, mirrored: bool) -> Order:
    (rows, columns), squares = _lengths(board, turn), _turned(board, turn, mirrored)
    rest, last = round(_REST * rows), max(round(_LAST * columns), 1)
    far = product(range(rest), range(columns - round(_FAR * columns), columns))
    block = min((column for row, column in far if squares[row, column] in fixed), default=columns)
    return tuple(squares[place] for place in _squares(rows, columns, rest, last, block))


def _squares(rows: int, columns: int, rest: int, last: int, block: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of the squares.

    `rest` rows are not filled by rowscan; of their columns those from `block` on are filled first, row by row, and of
    the others `last` columns only inside at the end.
    """
    for row in reversed(range(rest, rows)):
        for column in range(columns):
            yield row, column
    for row in reversed(range(rest)):
        for column in reversed(range(block, columns)):
            yield row, column
    inside = block - last
    for column in range(inside):
        for row in reversed(range(rest)):
            yield row, column
    frame = [(0, column) for column in range(inside, block)]
    if block == columns:
        frame += [(row, columns - 1) for row in range(1, rest)]
    yield from frame if rest else ()
    for column in range(inside, block):
        for row in reversed(range(rest)):
            if (row, column) not in frame:
                yield row, column
