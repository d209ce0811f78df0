"""CSV: tables of pieces or of boards, for spreadsheets and data frames.

Pieces: one line each, with the columns ``piece``, ``up``, ``right``, ``down``, ``left`` and, for fixed pieces,
``square``, ``rotation`` and ``fixed``, its position among them (from 1).  The first line may be a comment with further
fields: ``# kind=jigsaw rows=6 columns=6 name="my puzzle"``.  Boards: one line per square, with the columns
``solution``, ``square``, ``piece``, ``rotation``; empty squares are omitted.
"""

import csv
import io
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter

from ...base.errors import InstanceError, PuzzleError, shortened, told_of
from ...base.words import several
from ...puzzles.board import MAX_COLOR, SIDE_NAMES, Arrangement, Board, Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule, Sides
from .piece_text import board_size, refuse_many_lines

_PIECES = ("piece", *SIDE_NAMES, "square", "rotation", "fixed")
_BOARDS = ("solution", "square", "piece", "rotation")
_OTHER_NAMES = {
    "top": "up", "north": "up", "n": "up", "east": "right", "e": "right",
    "bottom": "down", "south": "down", "s": "down", "west": "left", "w": "left",
    "id": "piece", "number": "piece", "tile": "piece",
}  # fmt: skip

# The first comment is split into words in quadratic time.
_MOST_REMARKS = 10_000
# No line of a table is longer.
_MOST_LINE = 10_000
# Of boards that are mostly empty, no table has more squares.
_MOST_EMPTY = 2**23

Row = tuple[int, dict[str, str]]


def is_header(line: str) -> bool:
    """Whether a line could be the header of a table."""
    names = {cell.strip(" \"'").lower() for cell in re.split("[,;\t]", line)}
    return len(names) > 1 and not names.isdisjoint({*_PIECES, *_BOARDS, *_OTHER_NAMES})


def is_board_header(text: str) -> bool:
    """Whether the first line of a text that is no comment is the header of a table of boards."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    cells = {cell.strip(" \"'").lower() for cell in re.split("[,;\t]", next(lines, ""))}
    return "square" in {_OTHER_NAMES.get(cell, cell) for cell in cells}


def parse_piece_table(text: str, label: str, name: str) -> EdgeMatchingPuzzle:
    """The puzzle in a table of pieces.

    Lines may come in any order if the pieces are numbered.  Other common column names (top, n, north, ..., id) and
    semicolons or tabs as separators are understood.

    Raises
    ------
    InstanceError
        If the text is not such a table; the message names the line.
    """
    refuse_many_lines(text, label)
    remarks = _remarks(text, label)
    numbered: list[tuple[int, int, Sides]] = []
    listed: list[tuple[int, int, dict[str, str]]] = []
    for position, (line, row) in enumerate(_rows(text.splitlines(), label, SIDE_NAMES), start=1):
        given = _number(row, line, "piece", label)
        number = position if given is None else given
        numbered.append((number, line, _sides(row, line, label)))
        if _is_fixed(row, line, label):
            listed.append((number, line, row))
    numbered.sort(key=itemgetter(0))
    for position, (number, line, _) in enumerate(numbered, start=1):
        if number != position:
            raise InstanceError(
                f"{label}: line {line}: piece {number} instead of piece {position}; every piece must be given once"
            )
    pieces = tuple(sides for _, _, sides in numbered)
    with told_of(label):
        board = Board(*(_size(remarks, label) or board_size(pieces)))
        listed.sort(key=itemgetter(0))
        listed.sort(key=lambda entry: _number(entry[2], entry[1], "fixed", label) or 0)
        fixed = tuple(_fixed(board, number - 1, row, line, label) for number, line, row in listed)
        rule = Rule(remarks.get("kind", Rule.EQUAL.value))
        name = remarks.get("name") or name
        return EdgeMatchingPuzzle(board.rows, board.columns, pieces, rule, fixed, name=name[:200])


def _remarks(text: str, label: str) -> dict[str, str]:
    """The ``key=value`` fields of a comment above the table."""
    match = re.match(r"\s*(#[^\r\n]*)", text)
    if match is None:
        return {}
    first = match[1]
    if not re.search(r"\b(kind|rows|columns|name)=", first):
        return {}  # a comment for people, which may be long or have an apostrophe
    if len(first) > _MOST_REMARKS:
        raise InstanceError(f"{label}: line 1: a comment of more than {_MOST_REMARKS} characters is too long")
    try:
        words = shlex.split(first[1:])
    except ValueError as error:
        raise InstanceError(f"{label}: line 1: a quotation mark is not closed") from error
    remarks = dict(word.split("=", 1) for word in words if "=" in word)
    kinds = [rule.value for rule in Rule]
    if remarks.get("kind", kinds[0]) not in kinds:
        raise InstanceError(f"{label}: line 1: kind {shortened(remarks['kind'])!r} is not one of {', '.join(kinds)}")
    return remarks


def _size(remarks: dict[str, str], label: str) -> tuple[int, int] | None:
    given = [remarks.get("rows", ""), remarks.get("columns", "")]
    if not any(given):
        return None
    for name, value in zip(("rows", "columns"), given, strict=True):
        if not re.fullmatch(r"[0-9]{1,6}", value):
            raise InstanceError(f"{label}: line 1: {name} {shortened(value)!r} is not a number of squares")
    return int(given[0]), int(given[1])


def _rows(lines: Iterable[str], label: str, needed: Iterable[str]) -> Iterator[Row]:
    """The lines below the header as dictionaries, with their numbers."""
    header: list[str] = []
    delimiter = ","
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(line) > _MOST_LINE:
            raise InstanceError(f"{label}: line {number}: longer than {_MOST_LINE} characters")
        if not header:
            delimiter = max(",;\t", key=line.count)
        try:
            (cells,) = csv.reader([line], delimiter=delimiter)
        except csv.Error as error:
            raise InstanceError(f"{label}: line {number}: not CSV: {error}") from error
        cells = [cell.strip() for cell in cells]
        if not header:
            header = _header(cells, number, label, needed)
        elif len(cells) != len(header):
            columns = several(len(cells), "column", str)
            raise InstanceError(f"{label}: line {number}: {columns} instead of {len(header)}")
        else:
            yield number, dict(zip(header, cells, strict=True))
    if not header:
        raise InstanceError(f"{label}: contains no table")


def _header(cells: list[str], line: int, label: str, needed: Iterable[str]) -> list[str]:
    names = [_OTHER_NAMES.get(cell.lower(), cell.lower()) for cell in cells]
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


def _sides(row: dict[str, str], line: int, label: str) -> Sides:
    up, right, down, left = (_needed(row, line, side, label) for side in SIDE_NAMES)
    return up, right, down, left


def _fixed(board: Board, piece: int, row: dict[str, str], line: int, label: str) -> Fixed:
    return Fixed(_square(board, row, line, label), piece, _needed(row, line, "rotation", label))


def _is_fixed(row: dict[str, str], line: int, label: str) -> bool:
    if row.get("square"):
        return True
    for column in ("rotation", "fixed"):
        if row.get(column):
            raise InstanceError(f"{label}: line {line}: {column} {shortened(row[column])!r} without a square")
    return False


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

    Raises
    ------
    InstanceError
        If it is not such a table, or names squares that are not on the puzzle's board.
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
