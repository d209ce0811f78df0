"""Search orders: the order in which the squares are filled.

An order is a tuple that holds every square of the board once, the fixed squares first.  The named orders come from the
theory of edge-matching search.
"""

import operator
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from math import log
from pathlib import Path

from ..base.errors import InstanceError, OrderError, PuzzleError, misspelt, shortened
from ..base.safe_files import read_text
from .board import BORDER, PIECE_CLASSES, RIGHT, Board, border_class
from .edge_matching import EdgeMatchingPuzzle

# Names on the largest board have up to seven characters; a JSON list adds quotation marks, a comma and a space.
MAX_BYTES = 16 * 2**20

Order = tuple[int, ...]


# Orders of a full rectangle, by row and column; a board with gaps leaves out what it does not have.
Place = tuple[int, int]


def rowscan(board: Board) -> Iterator[Place]:
    """Left to right, bottom row first."""
    for row in reversed(range(board.rows)):
        for column in range(board.columns):
            yield row, column


def colscan(board: Board) -> Iterator[Place]:
    """Columns from the left, each from the bottom up."""
    for column in range(board.columns):
        for row in reversed(range(board.rows)):
            yield row, column


def rowscan2(board: Board, scanned_rows: int | None = None) -> Iterator[Place]:
    """`scanned_rows` rows by rowscan (all but four by default), then column by column from the bottom of the rest."""
    if scanned_rows is None:
        scanned_rows = max(board.rows - 4, 0)
    if not 0 <= scanned_rows <= board.rows:
        raise OrderError(f"rowscan2:{scanned_rows}: the number must lie between 0 and {board.rows}, the board's rows")
    left_over = board.rows - scanned_rows
    for row, column in rowscan(board):
        if row >= left_over:
            yield row, column
    for column in range(board.columns):
        for row in reversed(range(left_over)):
            yield row, column


def spiral_in(board: Board) -> Iterator[Place]:
    """Clockwise from the top left, inwards."""
    top, left, bottom, right = 0, 0, board.rows - 1, board.columns - 1
    while top <= bottom and left <= right:
        yield from _ring(top, left, bottom, right)
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1


def _ring(top: int, left: int, bottom: int, right: int) -> Iterator[Place]:
    """The squares of a rectangle's rim, clockwise from its top left."""
    yield from ((top, column) for column in range(left, right + 1))
    yield from ((row, right) for row in range(top + 1, bottom + 1))
    if bottom > top:
        yield from ((bottom, column) for column in reversed(range(left, right)))
    if right > left:
        yield from ((row, left) for row in reversed(range(top + 1, bottom)))


def spiral_out(board: Board, start: Place | None = None) -> Iterator[Place]:
    """Clockwise outwards from `start` (by default the centre), first step up."""
    row, column = (board.rows // 2, (board.columns - 1) // 2) if start is None else start
    yield row, column
    left = board.rows * board.columns - 1
    leg = 0
    while left:
        row_step, column_step = ((-1, 0), (0, 1), (1, 0), (0, -1))[leg % 4]
        for _ in range(leg // 2 + 1):
            row, column = row + row_step, column + column_step
            if 0 <= row < board.rows and 0 <= column < board.columns:
                yield row, column
                left -= 1
        leg += 1


def frame_first(board: Board) -> Iterator[Place]:
    """The frame clockwise from the top left, then the inside by rowscan."""
    yield from _ring(0, 0, board.rows - 1, board.columns - 1)
    for row, column in rowscan(board):
        if 0 < row < board.rows - 1 and 0 < column < board.columns - 1:
            yield row, column


def zig_zag(board: Board) -> Iterator[Place]:
    """Anti-diagonals from the bottom left, the first upwards, alternating."""
    for diagonal in range(board.rows + board.columns - 1):
        places = [
            (board.rows - 1 - height, diagonal - height)
            for height in range(board.rows)
            if 0 <= diagonal - height < board.columns
        ]
        yield from places if diagonal % 2 == 0 else reversed(places)


NAMED_ORDERS: dict[str, Callable[..., Iterator[Place]]] = {
    "rowscan": rowscan,
    "colscan": colscan,
    "rowscan2": rowscan2,
    "spiral_in": spiral_in,
    "spiral_out": spiral_out,
    "frame_first": frame_first,
    "zig_zag": zig_zag,
}


def named_order(puzzle: EdgeMatchingPuzzle, name: str) -> Order:
    """The order of that name for a puzzle: one of `NAMED_ORDERS`, or ``rowscan2:R`` for R scanned rows.

    Raises OrderError if the name is unknown.
    """
    base, _, argument = name.partition(":")
    if base not in NAMED_ORDERS or (argument and base != "rowscan2"):
        known = f"choose from {', '.join(NAMED_ORDERS)}, rowscan2:ROWS, best, or give a file"
        raise OrderError(f"unknown search order {misspelt(name, NAMED_ORDERS)}, {known}")
    if argument:
        if not re.fullmatch(r"[0-9]{1,6}", argument):
            raise OrderError(f"search order {shortened(name)!r}: {shortened(argument)!r} is not a number of rows")
        places = rowscan2(puzzle.board, int(argument))
    elif base == "spiral_out" and puzzle.fixed:
        places = spiral_out(puzzle.board, puzzle.board.place(puzzle.fixed[0].square))
    else:
        places = NAMED_ORDERS[base](puzzle.board)
    squares = (puzzle.board.square_at(*place) for place in places)
    return fixed_first(puzzle, (square for square in squares if square is not None))


def fixed_first(puzzle: EdgeMatchingPuzzle, squares: Iterable[int]) -> Order:
    """The fixed squares of a puzzle, then the other ones in the given order."""
    fixed = dict.fromkeys(fixed.square for fixed in puzzle.fixed)
    return (*fixed, *(square for square in squares if square not in fixed))


def checked_order(puzzle: EdgeMatchingPuzzle, squares: Iterable[int], source: str = "search order") -> Order:
    """A user's order, completed by the fixed squares if it omits them.

    Raises OrderError if a square is missing, named twice or off the board, or a fixed square comes after a free one.
    """
    try:
        board, order = puzzle.board, tuple(map(operator.index, squares))
    except TypeError:
        raise OrderError(f"{source}: {shortened(repr(squares))} is not a list of squares by their numbers") from None
    fixed = {fixed.square for fixed in puzzle.fixed}
    seen: set[int] = set()
    others = 0
    for depth, square in enumerate(order, start=1):
        if not 0 <= square < len(board):
            raise OrderError(f"{source}: square number {square} is not on the {board.text}")
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

    Raises OrderError if the file cannot be read or is not an order for this puzzle.
    """
    source = f"search order {path}"
    try:
        text = read_text(path, MAX_BYTES)
    except InstanceError as error:
        raise OrderError(f"search order {error}") from error
    names = (match[0] for match in re.finditer(r"[^\s,\"'\[\]]+", text))
    try:
        # One name too many is enough to show that one is repeated.
        squares = [puzzle.board.parse(name) for name in islice(names, len(puzzle.board) + 1)]
    except PuzzleError as error:
        raise OrderError(f"{source}: {error}") from error
    return checked_order(puzzle, squares, source)


def find_order(puzzle: EdgeMatchingPuzzle, spec: str | Iterable[int] | None) -> tuple[str, Order]:
    """The order that a user chose by a name, a file, squares, or None for the default; and its name.

    Raises OrderError if it is not one of these.
    """
    if spec is None:
        return default_order(puzzle)
    if not isinstance(spec, str):
        return "given", checked_order(puzzle, spec)
    if spec.partition(":")[0] not in NAMED_ORDERS and os.path.exists(spec):
        return spec, read_order(puzzle, Path(spec))
    return spec, named_order(puzzle, spec)


def default_order(puzzle: EdgeMatchingPuzzle) -> tuple[str, Order]:
    """The named order with the fewest expected nodes (the first of them), and its name.

    The estimate is the simple one of the theory: joins are independent, each valid with the probability that two random
    sides of the frame, or of the inside, match.  It is rough; so an order other than the two scans must promise three
    times fewer nodes.  `spiral_out` is used for puzzles with fixed pieces only: without any the search fixes a corner,
    which that order reaches last.  `research/orders.py` measures the quality of the choice.
    """
    orders = {name: named_order(puzzle, name) for name in NAMED_ORDERS if name != "spiral_out" or puzzle.fixed}
    handicap: dict[str, float] = {"rowscan": 0.0, "colscan": 0.0}
    nodes = _log_nodes(puzzle, orders)
    # Rounded, so that the first of several orders is chosen that differ by rounding errors only.
    name = min(orders, key=lambda name: round(nodes[name] + handicap.get(name, log(3)), 9))
    return name, orders[name]


def _log_nodes(puzzle: EdgeMatchingPuzzle, orders: Mapping[str, Order]) -> dict[str, float]:
    """For each order, the logarithm of the largest expected number of nodes at a depth, assuming independent joins."""
    # Imported here: it takes longer than all that `jigsat info` and `check` import otherwise.
    import numpy as np

    board = puzzle.board
    squares = np.arange(len(board))
    if board.is_plain:
        rows, columns = board.rows, board.columns
        row, column = np.divmod(squares, columns)
        border = (row == 0) * 1 + (column == columns - 1) * 2 + (row == rows - 1) * 4 + (column == 0) * 8
        # Joins to the right, then downwards.
        first = np.concatenate((squares[column < columns - 1], squares[row < rows - 1]))
        second = first + np.repeat((1, columns), (rows * (columns - 1), (rows - 1) * columns))
        across = np.repeat((True, False), (rows * (columns - 1), (rows - 1) * columns))
    else:
        border = np.array([board.border_mask(square) for square in range(len(board))])
        first, side, second = np.array([*board.joins()], dtype=np.int64).reshape(-1, 3).T
        across = side == RIGHT
    classes = np.array([PIECE_CLASSES.index(border_class(mask)) for mask in range(16)])[border]
    # Joins along the frame are next to a border.
    beside = border[first] & border[second] & np.where(across, 5, 10)
    if not puzzle.is_framed:
        classes, beside = np.full(len(board), PIECE_CLASSES.index("inner")), np.zeros(len(first), dtype=np.int64)
    pieces = Counter(puzzle.piece_classes)
    fixed = np.zeros(len(board), dtype=bool)
    fixed[[square for square, _, _ in puzzle.fixed]] = True
    frame, inner = (_log_chance(puzzle, counts) for counts in (puzzle.frame_sides(), puzzle.inner_sides()))
    chances = np.where(fixed[first] & fixed[second], 0.0, np.where(beside, frame, inner))
    nodes = {}
    for name, order in orders.items():
        sequence = np.array(order)
        depth = np.empty_like(sequence)
        depth[sequence] = squares
        gains = np.bincount(np.maximum(depth[first], depth[second]), chances, len(board)).astype(float)
        for index, kind in enumerate(PIECE_CLASSES):
            at = np.flatnonzero(classes[sequence] == index)
            left = np.maximum(pieces[kind] - np.arange(len(at)), 1)
            gains[at] += np.where(fixed[sequence[at]], 0.0, np.log(left * (4 if kind == "inner" else 1)))
        nodes[name] = max(0.0, float(np.cumsum(gains).max()))
    return nodes


def _log_chance(puzzle: EdgeMatchingPuzzle, counts: dict[int, int]) -> float:
    """The logarithm of the probability that two sides drawn from `counts` match."""
    total = sum(counts.values())
    matching = sum(number * counts.get(puzzle.mate(color), 0) for color, number in counts.items() if color != BORDER)
    return log(max(matching, 1) / max(total, 1) ** 2)
