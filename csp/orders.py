"""Search orders: in which order the squares are filled.

An order is a tuple that holds every square of the board once, the fixed squares first.  The named orders are those of
the theory of edge-matching search.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from math import log
from pathlib import Path

from .board import BORDER, Board
from .edge_matching import EdgeMatchingPuzzle
from .errors import OrderError, PuzzleError, shortened

Order = tuple[int, ...]


def rowscan(board: Board) -> Iterator[int]:
    """Left to right, bottom row first."""
    for row in reversed(range(board.rows)):
        for column in range(board.columns):
            yield board.square(row, column)


def colscan(board: Board) -> Iterator[int]:
    """Columns from the left, each from the bottom up."""
    for column in range(board.columns):
        for row in reversed(range(board.rows)):
            yield board.square(row, column)


def rowscan2(board: Board, scanned_rows: int | None = None) -> Iterator[int]:
    """`scanned_rows` rows by rowscan (all but four if left out), then column by column from the bottom of the rest."""
    if scanned_rows is None:
        scanned_rows = max(board.rows - 4, 0)
    if not 0 <= scanned_rows <= board.rows:
        raise OrderError(f"rowscan2:{scanned_rows}: the number must lie between 0 and {board.rows}, the board's rows")
    left_over = board.rows - scanned_rows
    for square in rowscan(board):
        if square // board.columns >= left_over:
            yield square
    for column in range(board.columns):
        for row in reversed(range(left_over)):
            yield board.square(row, column)


def spiral_in(board: Board) -> Iterator[int]:
    """Clockwise from the top left, inwards."""
    top, left, bottom, right = 0, 0, board.rows - 1, board.columns - 1
    while top <= bottom and left <= right:
        yield from _ring(board, top, left, bottom, right)
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1


def _ring(board: Board, top: int, left: int, bottom: int, right: int) -> Iterator[int]:
    """The squares of a rectangle's rim, clockwise from its top left."""
    ring = [(top, column) for column in range(left, right + 1)]
    ring += [(row, right) for row in range(top + 1, bottom + 1)]
    if bottom > top:
        ring += [(bottom, column) for column in reversed(range(left, right))]
    if right > left:
        ring += [(row, left) for row in reversed(range(top + 1, bottom))]
    for row, column in ring:
        yield board.square(row, column)


def spiral_out(board: Board, start: int | None = None) -> Iterator[int]:
    """Clockwise outwards from `start` (the centre if left out), first step up."""
    if start is None:
        start = board.square(board.rows // 2, (board.columns - 1) // 2)
    row, column = divmod(start, board.columns)
    yield start
    left = len(board) - 1
    leg = 0
    while left:
        row_step, column_step = ((-1, 0), (0, 1), (1, 0), (0, -1))[leg % 4]
        for _ in range(leg // 2 + 1):
            row, column = row + row_step, column + column_step
            if 0 <= row < board.rows and 0 <= column < board.columns:
                yield board.square(row, column)
                left -= 1
        leg += 1


def frame_first(board: Board) -> Iterator[int]:
    """The frame clockwise from the top left, then the inside by rowscan."""
    yield from _ring(board, 0, 0, board.rows - 1, board.columns - 1)
    for square in rowscan(board):
        if not board.border_mask(square):
            yield square


def zig_zag(board: Board) -> Iterator[int]:
    """Anti-diagonals from the bottom left, the first upwards, alternating."""
    for diagonal in range(board.rows + board.columns - 1):
        squares = [
            board.square(board.rows - 1 - height, diagonal - height)
            for height in range(board.rows)
            if 0 <= diagonal - height < board.columns
        ]
        yield from squares if diagonal % 2 == 0 else reversed(squares)


NAMED_ORDERS: dict[str, Callable[..., Iterator[int]]] = {
    "rowscan": rowscan,
    "colscan": colscan,
    "rowscan2": rowscan2,
    "spiral_in": spiral_in,
    "spiral_out": spiral_out,
    "frame_first": frame_first,
    "zig_zag": zig_zag,
}


def named_order(puzzle: EdgeMatchingPuzzle, name: str) -> Order:
    """The order of that name for a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle; its fixed squares come first, in the order in which it lists them.
    name
        One of `NAMED_ORDERS`, ``rowscan2:R`` for R scanned rows.

    Raises
    ------
    OrderError
        If there is no order of that name.
    """
    base, _, argument = name.partition(":")
    if base not in NAMED_ORDERS or (argument and base != "rowscan2"):
        known = f"choose from {', '.join(NAMED_ORDERS)}, rowscan2:ROWS, or give a file"
        raise OrderError(f"unknown search order {shortened(name)!r}, {known}")
    if argument:
        if not re.fullmatch(r"[0-9]{1,6}", argument):
            raise OrderError(f"search order {shortened(name)!r}: {shortened(argument)!r} is not a number of rows")
        squares = rowscan2(puzzle.board, int(argument))
    elif base == "spiral_out" and puzzle.fixed:
        squares = spiral_out(puzzle.board, puzzle.fixed[0].square)
    else:
        squares = NAMED_ORDERS[base](puzzle.board)
    return fixed_first(puzzle, squares)


def fixed_first(puzzle: EdgeMatchingPuzzle, squares: Iterable[int]) -> Order:
    """The fixed squares of a puzzle, then the other ones in the order given."""
    fixed = dict.fromkeys(fixed.square for fixed in puzzle.fixed)
    return (*fixed, *(square for square in squares if square not in fixed))


def checked_order(puzzle: EdgeMatchingPuzzle, squares: Iterable[int], source: str = "search order") -> Order:
    """An order of one's own, completed by the fixed squares where it leaves them out.

    Raises
    ------
    OrderError
        If a square is missing, named twice or off the board, or a fixed square comes after one that is not.
    """
    board, order = puzzle.board, tuple(squares)
    fixed = {fixed.square for fixed in puzzle.fixed}
    seen: set[int] = set()
    others = 0
    for depth, square in enumerate(order, start=1):
        if not 0 <= square < len(board):
            raise OrderError(f"{source}: square number {square} is not on the {board.rows}x{board.columns} board")
        if square in seen:
            raise OrderError(f"{source}: square {board.name(square)} is named twice, the second time at depth {depth}")
        if square in fixed and others:
            raise OrderError(
                f"{source}: {board.name(square)} holds a fixed piece and must come before the other squares"
            )
        seen.add(square)
        others += square not in fixed
    missing = sorted(set(range(len(board))) - seen - fixed)
    if missing:
        raise OrderError(f"{source}: square {board.name(missing[0])} is missing ({len(missing)} in all)")
    return fixed_first(puzzle, order) if len(order) < len(board) else order


def read_order(puzzle: EdgeMatchingPuzzle, path: Path) -> Order:
    """An order from a file of square names, separated by white space or commas (a JSON list will do).

    Raises
    ------
    OrderError
        If the file cannot be read or is no order for this puzzle.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise OrderError(f"search order {path}: cannot be read: {reason}") from error
    names = [name for name in re.split(r"[\s,\"'\[\]]+", text) if name]
    try:
        squares = [puzzle.board.parse(name) for name in names]
    except PuzzleError as error:
        raise OrderError(f"search order {path}: {error}") from error
    return checked_order(puzzle, squares, f"search order {path}")


def find_order(puzzle: EdgeMatchingPuzzle, spec: str | Iterable[int] | None) -> tuple[str, Order]:
    """The order that a user means: a name, a file, squares, or None for the default; with its name.

    Raises
    ------
    OrderError
        If it is none of these.
    """
    if spec is None:
        return default_order(puzzle)
    if not isinstance(spec, str):
        return "given", checked_order(puzzle, spec)
    if spec.partition(":")[0] not in NAMED_ORDERS and os.path.exists(spec):
        return spec, read_order(puzzle, Path(spec))
    return spec, named_order(puzzle, spec)


def default_order(puzzle: EdgeMatchingPuzzle) -> tuple[str, Order]:
    """The named order with the fewest nodes to be expected, the first such one; with its name.

    The expectation is the simple one of the theory: all joins hold independently, with the chance that two random
    sides of the frame, or of the inside, match.  It is rough, so that an order other than the two scans has to promise
    three times fewer nodes; and `spiral_out` is left to puzzles with fixed pieces, because without any the search
    fixes a corner, of which that order hears last.  `tests/benchmarks/orders.py` measures how well the choice does.
    """
    orders = {name: named_order(puzzle, name) for name in NAMED_ORDERS if name != "spiral_out" or puzzle.fixed}
    handicap: dict[str, float] = {"rowscan": 0.0, "colscan": 0.0}
    name = min(orders, key=lambda name: _log_nodes(puzzle, orders[name]) + handicap.get(name, log(3)))
    return name, orders[name]


def _log_nodes(puzzle: EdgeMatchingPuzzle, order: Order) -> float:
    """The logarithm of the largest expected number of nodes at a depth, joins taken as independent."""
    frame, inner = (_log_chance(puzzle, counts) for counts in (puzzle.frame_sides(), puzzle.inner_sides()))
    board = puzzle.board
    left = {name: pieces for name, (pieces, _) in puzzle.class_sizes().items()}
    fixed = {fixed.square for fixed in puzzle.fixed}
    placed: set[int] = set()
    nodes, largest = 0.0, 0.0
    for square in order:
        kind = board.square_class(square)
        if square not in fixed:
            nodes += log(max(left[kind], 1)) + log(4 if kind == "inner" else 1)
        left[kind] -= 1
        for side in range(4):
            neighbour = board.neighbour(square, side)
            if neighbour in placed and not (square in fixed and neighbour in fixed):
                # A side that has a border beside it runs along the frame.
                beside = board.border_mask(square) & (1 << (side + 1) % 4 | 1 << (side + 3) % 4)
                nodes += frame if beside else inner
        placed.add(square)
        largest = max(largest, nodes)
    return largest


def _log_chance(puzzle: EdgeMatchingPuzzle, counts: dict[int, int]) -> float:
    """The logarithm of the chance that two sides drawn from `counts` match."""
    total = sum(counts.values())
    matching = sum(number * counts.get(puzzle.mate(color), 0) for color, number in counts.items() if color != BORDER)
    return log(max(matching, 1) / max(total, 1) ** 2)
