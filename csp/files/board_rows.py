"""Boards as rows of squares for files and records, with pieces numbered from 1."""

from collections.abc import Sequence

from ..base.errors import PuzzleError
from ..puzzles.board import Arrangement, Board, Placement


def board_rows(board: Arrangement, columns: int) -> list[list[list[int] | None]]:
    """A board in the form of files and records: rows of [piece, rotation] or null, pieces from 1."""
    squares = [None if placed is None else [placed.piece + 1, placed.rotation] for placed in board]
    return [squares[start : start + columns] for start in range(0, len(squares), columns)]


def arrangement_from_rows(rows: Sequence[Sequence[tuple[int, int] | None]], board: Board, what: str) -> Arrangement:
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        lengths = sorted({len(row) for row in rows})
        shape = f"{len(rows)} rows of {' or '.join(map(str, lengths)) or 'no'} squares"
        raise PuzzleError(f"{what}: {shape} instead of a {board.rows}x{board.columns} board")
    return tuple(None if placed is None else Placement(placed[0] - 1, placed[1]) for row in rows for placed in row)


def check_pieces(arrangement: Arrangement, board: Board, pieces: int, what: str) -> None:
    """Raise PuzzleError if a board has a piece or a rotation that does not exist."""
    for square, placed in enumerate(arrangement):
        if placed is None:
            continue
        if not 0 <= placed.piece < pieces:
            none = f"there is no piece {placed.piece + 1}; pieces are numbered 1 to {pieces}"
            raise PuzzleError(f"{what}, {board.name(square)}: {none}")
        if placed.rotation not in range(4):
            raise PuzzleError(f"{what}, {board.name(square)}: rotation {placed.rotation}; rotations are 0 to 3")


def check_full(arrangement: Arrangement, board: Board, what: str) -> None:
    """Raise PuzzleError unless an assembly has a piece on every square, and no piece twice."""
    seen: dict[int, int] = {}
    for square, placed in enumerate(arrangement):
        if placed is None:
            raise PuzzleError(f"{what}: {board.name(square)} is empty; an assembly must be a full board")
        if seen.setdefault(placed.piece, square) != square:
            places = f"{board.name(seen[placed.piece])} and on {board.name(square)}"
            raise PuzzleError(f"{what}: piece {placed.piece + 1} is used twice, on {places}")
