"""CSV: tables of pieces or of boards, for spreadsheets and data frames.

Pieces: one line each, with the columns that `piece_lists` describes, which reads them.  Boards: one line per square,
with the columns ``solution``, ``square``, ``piece``, ``rotation``; empty squares are omitted.
"""

import csv
import io
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..base.errors import InstanceError, PuzzleError, shortened
from ..base.words import several
from ..puzzles.board import MAX_COLOR, SIDE_NAMES, Arrangement, Board, Placement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .rows import column_name, rows_of

_PIECES = ("piece", *SIDE_NAMES, "square", "rotation", "fixed")
_BOARDS = ("solution", "square", "piece", "rotation")
# Of boards that are mostly empty, no table has more squares.
_MOST_EMPTY = 2**23


def is_board_header(text: str) -> bool:
    """Whether the first line of a text that is no comment is the header of a table of boards."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return "square" in map(column_name, re.split("[,;\t]", next(lines, "")))


def _rows(lines: Iterable[str], label: str, needed: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines below the header as dictionaries, with their numbers."""
    header: list[str] = []
    for number, cells in rows_of(lines, label):
        if not header:
            header = _header(cells, number, label, needed)
        elif len(cells) < len(header) or any(cells[len(header) :]):
            columns = several(len(cells), "column", str)
            raise InstanceError(f"{label}: line {number}: {columns} instead of {len(header)}")
        else:
            yield number, dict(zip(header, cells, strict=False))
    if not header:
        raise InstanceError(f"{label}: contains no table")


def _header(cells: list[str], line: int, label: str, needed: Iterable[str]) -> list[str]:
    names = [column_name(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()
    missing = [name for name in needed if name not in names]
    if missing:
        raise InstanceError(
            f"{label}: line {line}: the first line must name the columns; the column {missing[0]!r} is missing"
        )
    if len(set(names)) < len(names):
        raise InstanceError(f"{label}: line {line}: two columns have the same name")
    return names


def _number(row: dict[str, str], line: int, column: str, label: str) -> int | None:
    """The number in a column; None if there is no such column or it is empty."""
    text = row.get(column, "")
    if text.isdecimal() and text.isascii() and len(text) < 10:
        return int(text)  # the usual case, quickly decided
    if not text:
        return None
    if not re.fullmatch(r"-?[0-9]{1,10}", text) or abs(int(text)) > MAX_COLOR:
        raise InstanceError(
            f"{label}: line {line}: {column} {shortened(text)!r} is not a whole number up to {MAX_COLOR}"
        )
    return int(text)


def _needed(row: dict[str, str], line: int, column: str, label: str) -> int:
    number = _number(row, line, column, label)
    if number is None:
        raise InstanceError(f"{label}: line {line}: {column} is missing")
    return number


def _square(board: Board, row: dict[str, str], line: int, label: str) -> int:
    try:
        return board.parse(row["square"])
    except PuzzleError as error:
        raise InstanceError(f"{label}: line {line}: {error}") from error


def format_piece_table(puzzle: EdgeMatchingPuzzle) -> str:
    """The table of a puzzle's pieces."""
    name = shlex.quote(" ".join(puzzle.name.split()))
    head = f"# kind={puzzle.kind} rows={puzzle.rows} columns={puzzle.columns} name={name}\n"
    fixed = {
        piece: (puzzle.board.name(square), rotation, place)
        for place, (square, piece, rotation) in enumerate(puzzle.fixed, start=1)
    }
    columns = _PIECES if fixed else _PIECES[:5]
    rows = [
        (number, *sides, *fixed.get(number - 1, ("", "", ""))) for number, sides in enumerate(puzzle.pieces, start=1)
    ]
    return head + _written([columns, *(row[: len(columns)] for row in rows)])


def parse_board_table(lines: Iterable[str], puzzle: EdgeMatchingPuzzle, label: str) -> list[Arrangement]:
    """The boards in the lines of a table of boards; without a column ``solution`` there is one board.

    Raises InstanceError if it is not such a table, or names squares that are not on the puzzle's board.
    """
    boards: dict[int, list[Placement | None]] = {}
    first_lines: dict[int, int] = {}
    for line, row in _rows(lines, label, _BOARDS[1:]):
        number = _number(row, line, "solution", label)
        number = 1 if number is None else number
        first_lines.setdefault(number, line)
        if len(boards) * len(puzzle.board) > _MOST_EMPTY + 4 * line:
            raise InstanceError(f"{label}: line {line}: {len(boards)} boards so far, with too many empty squares")
        board = boards.setdefault(number, [None] * len(puzzle.board))
        square = _square(puzzle.board, row, line, label)
        if board[square] is not None:
            raise InstanceError(f"{label}: line {line}: second piece on {row['square']}")
        piece, rotation = _needed(row, line, "piece", label), _needed(row, line, "rotation", label)
        if piece < 1 or rotation not in range(4):
            raise InstanceError(f"{label}: line {line}: pieces are numbered from 1, rotations are 0, 1, 2 or 3")
        if piece > len(puzzle.pieces):
            none = f"there is no piece {piece}; pieces are numbered 1 to {len(puzzle.pieces)}"
            raise InstanceError(f"{label}: line {line}: {none}")
        board[square] = _placement(piece - 1, rotation)
    for position, number in enumerate(sorted(boards), start=1):
        if number != position:
            expected = f"solution {number} instead of solution {position}"
            raise InstanceError(
                f"{label}: line {first_lines[number]}: {expected}; solutions must be numbered 1, 2, ..."
            )
    return [tuple(board) for _, board in sorted(boards.items())]


@lru_cache(maxsize=2**16)
def _placement(piece: int, rotation: int) -> Placement:
    """A placement, which boards share."""
    return Placement(piece, rotation)


def format_board_table(puzzle: EdgeMatchingPuzzle, boards: Iterable[Arrangement]) -> str:
    """The table of some boards; none of them may be empty."""
    rows = [
        (number, puzzle.board.name(square), placed.piece + 1, placed.rotation)
        for number, board in enumerate(boards, start=1)
        for square, placed in enumerate(board)
        if placed is not None
    ]
    return _written([_BOARDS, *rows])


def _written(rows: Iterable[Iterable[object]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
