"""Boards as text: grids of piece and rotation, tables of row, column, piece and rotation, and jigsat's own tables.

Those have one line per square, with the columns ``solution``, ``square``, ``piece``, ``rotation``; empty squares are
omitted.  Other programs number pieces and squares from 0 or from 1, and turn clockwise or counter-clockwise.  The usual
meaning is taken unless pieces then lie with a border inside or a colour on the rim, and another meaning has no such
piece.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import cycle
from typing import NamedTuple

from ..base.errors import InstanceError, PuzzleError, shortened
from ..puzzles.board import Arrangement, Placement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .rows import column_name, names_in, refuse_many_lines, refuse_other_width, rows_of

#: Pieces of another numbering: for each the piece and the rotation in the puzzle.
Numbering = Sequence[Placement]

_CELL = re.compile(r"([0-9]{1,6})[/:@rR-]([0-9]{1,3})°?")
_EMPTY = re.compile(r"(?:-{1,6}|\.{1,6}|_{1,6}|\*|\?|[xX]|None|null|-1)(?:[/:@](?:-{1,3}|\.|-?[0-9]|\?|x))?")
_LABEL = re.compile(r"(?:[A-Za-z]{1,3}|[0-9]{1,4})[:.)|]?")
_PAIR = re.compile(r"[(\[{]\s*(-?[0-9]+)\s*[,/: ]\s*(-?[0-9]+)\s*[)\]}]")
_COLUMNS = {
    "row": "row", "y": "row", "r": "row", "line": "row", "column": "column", "col": "column", "x": "column",
    "c": "column", "piece": "piece", "tile": "piece", "id": "piece", "number": "piece", "piece_id": "piece",
    "rotation": "rotation", "rot": "rotation", "orientation": "rotation", "turn": "rotation", "turns": "rotation",
    "dir": "rotation", "square": "square", "cell": "square", "position": "square", "pos": "square",
}  # fmt: skip
# What MiniZinc prints after a solution, and after the last one.
_BETWEEN = ("-" * 10, "=" * 10)
_PLACES = (("row", "column"), ("square",))
# Of boards that are mostly empty, no table has more squares.
_MOST_EMPTY = 2**22


class _Cell(NamedTuple):
    """A piece and its rotation as a text has them; None for an empty square."""

    piece: int | None
    rotation: int = 0


class _FormError(Exception):
    """Why a text does not have a form."""


def read_boards(
    text: str, puzzle: EdgeMatchingPuzzle, label: str, known: Callable[[], Iterator[tuple[str, Numbering]]]
) -> list[Arrangement]:
    """The boards in a text.

    - `puzzle`: their puzzle.
    - `label`: the name of the text in errors and notes.
    - `known`: other numberings of the puzzle's pieces, with their names; asked for if its own one does not fit.

    Raises InstanceError if the text has no known form; the message says why, for each form.
    """
    refuse_many_lines(text, label)
    lines = list(_lines(text))
    refusals = []
    for name, form in (("a grid of piece/rotation", _grids), ("a table of row, column, piece and rotation", _table)):
        try:
            boards = form(lines, puzzle)
            return [_meant(board, puzzle, label, known) for board in boards]
        except _FormError as error:
            refusals.append(f"not {name} ({shortened(str(error), 80)})")
    others = "not JSON, CSV or viewer links"
    raise InstanceError(f"{label}: unknown format of boards: {', '.join(refusals)}, {others}")


def is_board_header(text: str) -> bool:
    """Whether the first line of a text that is no comment is the header of a table of boards."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return "square" in map(column_name, re.split("[,;\t]", next(lines, "")))


def read_board_table(lines: Iterable[str], puzzle: EdgeMatchingPuzzle, label: str) -> list[Arrangement]:
    """The boards in the lines of a table of boards; without a column ``solution`` there is one board.

    Raises InstanceError if it is not such a table, or names squares that are not on the puzzle's board.
    """
    where, rows = f"{label}: line", rows_of(lines, label)
    header = next(rows, None)
    if header is None:
        raise InstanceError(f"{label}: contains no table")
    names = names_in(header, ("square", "piece", "rotation"), where)
    boards: dict[int, list[Placement | None]] = {}
    first_lines: dict[int, int] = {}
    try:
        for found in rows:
            refuse_other_width(found, names, where)
            line, row = found.line, dict(zip(names, found.cells, strict=False))
            number = _whole(row.get("solution") or "1", line)
            first_lines.setdefault(number, line)
            if len(boards) * len(puzzle.board) > _MOST_EMPTY + 4 * line:
                raise _FormError(f"line {line}: {len(boards)} boards so far, with too many empty squares")
            board = boards.setdefault(number, [None] * len(puzzle.board))
            square = _place(row, line, puzzle, 0)
            if board[square] is not None:
                raise _FormError(f"line {line}: second piece on {row['square']}")
            piece, rotation = _whole(row["piece"], line), _whole(row["rotation"], line)
            if piece < 1 or rotation not in range(8 if puzzle.flip else 4):
                turns = "from 0 to 7" if puzzle.flip else "0, 1, 2 or 3"
                raise _FormError(f"line {line}: pieces are numbered from 1, rotations are {turns}")
            if piece > len(puzzle.pieces):
                none = f"there is no piece {piece}; pieces are numbered 1 to {len(puzzle.pieces)}"
                raise _FormError(f"line {line}: {none}")
            board[square] = _placement(piece - 1, rotation)
        for position, number in enumerate(sorted(boards), start=1):
            if number != position:
                expected = f"solution {number} instead of solution {position}; solutions must be numbered 1, 2, ..."
                raise _FormError(f"line {first_lines[number]}: {expected}")
    except _FormError as error:
        raise InstanceError(f"{label}: {error}") from error
    return [tuple(board) for _, board in sorted(boards.items())]


@lru_cache(maxsize=2**16)
def _placement(piece: int, rotation: int) -> Placement:
    """A placement, which boards share."""
    return Placement(piece, rotation)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments, with their numbers."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        line = line.partition("#")[0].strip().lstrip("\ufeff")
        if line and line not in _BETWEEN and not line.startswith(("//", ";", "%")):
            yield number, line


def _grids(lines: Sequence[tuple[int, str]], puzzle: EdgeMatchingPuzzle) -> list[list[_Cell]]:
    rows: list[tuple[int, list[_Cell]]] = []
    for number, line in lines:
        row = _row(line)
        if row:
            rows.append((number, row))
        elif _CELL.search(line) and len(line.split()) >= puzzle.columns > 1 and "effort" not in line:
            raise _FormError(f"line {number}: {shortened(line)!r} is not a row of squares such as 12/3 or 12:3")
    if not any(square.piece is not None for _, row in rows for square in row):
        raise _FormError("there is no line of squares such as 12/3 or 12:3")
    squares = [square for _, row in rows for square in row]
    if len(rows) != 1 and any(len(row) != 1 for _, row in rows):
        # Otherwise all squares stand on a line, or each on one of its own.
        if puzzle.squares:
            squares = _without_gaps(rows, puzzle)
        else:
            for number, row in rows:
                if len(row) != puzzle.columns:
                    raise _FormError(f"line {number}: {len(row)} squares instead of {puzzle.columns}")
    size = len(puzzle.board)
    if len(squares) % size:
        raise _FormError(f"{len(squares)} squares instead of the {size} of a {puzzle.rows}x{puzzle.columns} board")
    return [squares[start : start + size] for start in range(0, len(squares), size)]


def _without_gaps(rows: Sequence[tuple[int, list[_Cell]]], puzzle: EdgeMatchingPuzzle) -> list[_Cell]:
    """The squares of a board with gaps, which stand in its rows as empty squares or are left out."""
    squares: list[_Cell] = []
    # Rows that are only gaps are left out.
    shapes = cycle([shape for shape in puzzle.squares if "#" in shape])
    for number, row in rows:
        shape = next(shapes)
        if len(row) == puzzle.columns:
            if any(cell.piece is not None for cell, mark in zip(row, shape, strict=True) if mark == "."):
                raise _FormError(f"line {number}: a piece in a gap of the board")
            squares += [cell for cell, mark in zip(row, shape, strict=True) if mark == "#"]
        elif len(row) == shape.count("#"):
            squares += row
        else:
            raise _FormError(f"line {number}: {len(row)} squares instead of {shape.count('#')} or {puzzle.columns}")
    return squares


def _row(line: str) -> list[_Cell]:
    """The squares of a line, which may begin and end with the name of its row; none if it is something else."""
    line = re.sub(r"\s*([/:@])\s*", r"\1", _PAIR.sub(r" \1/\2 ", line))
    words = [word for word in re.split(r"[\s|;,\[\]]+", line) if word]
    if len(words) > 1 and not _is_square(words[0]) and _LABEL.fullmatch(words[0]):
        words = words[1:]
    if len(words) > 1 and not _is_square(words[-1]) and _LABEL.fullmatch(words[-1]):
        words = words[:-1]
    if not words or not all(map(_is_square, words)):
        return []
    return [_Cell(int(cell[1]), int(cell[2])) if (cell := _CELL.fullmatch(word)) else _Cell(None) for word in words]


def _is_square(word: str) -> bool:
    return bool(_CELL.fullmatch(word) or _EMPTY.fullmatch(word))


def _table(lines: Sequence[tuple[int, str]], puzzle: EdgeMatchingPuzzle) -> list[list[_Cell]]:
    if not lines:
        raise _FormError("there are no lines")
    names, rest = _columns(lines)
    rows: list[tuple[int, dict[str, str]]] = []
    for number, line in rest:
        words = _words(line)
        if len(words) != len(names):
            raise _FormError(f"line {number}: {len(words)} values instead of {len(names)}")
        rows.append((number, dict(zip(names, words, strict=True))))
    least = min(
        (int(row[name]) for _, row in rows for name in ("row", "column") if _is_number(row.get(name))), default=1
    )
    boards: list[list[_Cell]] = []
    filled: set[int] = set()
    for number, row in rows:
        square = _place(row, number, puzzle, min(least, 1))
        if square in filled:
            name = puzzle.board.name(square)
            if len(filled) != len(puzzle.board):
                raise _FormError(f"line {number}: a second piece on {name}")
            filled.clear()
        if not filled:
            boards.append([_Cell(None)] * len(puzzle.board))
        filled.add(square)
        boards[-1][square] = _Cell(_whole(row["piece"], number), _whole(row["rotation"], number))
    return boards


def _columns(lines: Sequence[tuple[int, str]]) -> tuple[list[str], Sequence[tuple[int, str]]]:
    """The names of the columns, and the lines below them; without names they are row, column, piece, rotation."""
    number, first = lines[0]
    words = [word.lower() for word in _words(first)]
    if not any(_is_number(word) for word in words):
        names = [_COLUMNS.get(word.strip("\"'"), word) for word in words]
        missing = {"piece", "rotation"} - set(names)
        if missing or not any(set(place) <= set(names) for place in _PLACES):
            raise _FormError(f"line {number}: {shortened(first)!r} does not name row, column, piece and rotation")
        if len(set(names)) < len(names):
            raise _FormError(f"line {number}: two columns have the same name")
        return names, lines[1:]
    if len(words) == 4:
        return ["row", "column", "piece", "rotation"], lines
    if len(words) == 3 and not _is_number(words[0]):
        return ["square", "piece", "rotation"], lines
    raise _FormError(f"line {number}: {shortened(first)!r} is not row, column, piece and rotation")


def _words(line: str) -> list[str]:
    line = line.strip("()[]{} ")
    mark = max(",;\t|", key=line.count)
    return [word.strip(" \"'") for word in (line.split(mark) if mark in line else line.split())]


def _is_number(word: str | None) -> bool:
    return word is not None and re.fullmatch(r"[0-9]{1,9}", word) is not None


def _whole(word: str, line: int) -> int:
    if not _is_number(word):
        raise _FormError(f"line {line}: {shortened(word)!r} is not a number")
    return int(word)


def _place(row: Mapping[str, str], line: int, puzzle: EdgeMatchingPuzzle, least: int) -> int:
    """The square of a line of a table."""
    board = puzzle.board
    if "square" in row:
        try:
            return board.parse(row["square"].upper())
        except PuzzleError as error:
            raise _FormError(f"line {line}: {error}") from error
    across, down = _whole(row["column"], line) - least, _whole(row["row"], line) - least
    if down >= board.rows or across >= board.columns:
        where = f"row {row['row']}, column {row['column']}"
        raise _FormError(f"line {line}: {where} is not on the {board.rows}x{board.columns} board")
    square = board.square_at(down, across)
    if square is None:
        raise _FormError(f"line {line}: row {row['row']}, column {row['column']} is a gap in the board")
    return square


def _meant(
    squares: Sequence[_Cell],
    puzzle: EdgeMatchingPuzzle,
    label: str,
    known: Callable[[], Iterator[tuple[str, Numbering]]],
) -> Arrangement:
    """The board that is most likely meant."""
    first: Arrangement | None = None
    refusal = ""
    for note, own in _turned(squares, puzzle):
        if isinstance(own, str):
            refusal = refusal or own
            continue
        first = own if first is None else first
        if not _faults(own, puzzle):
            return _noted(own, [note], label)
    for name, numbering in known():
        for note, own in _turned(squares, puzzle):
            if not isinstance(own, str):
                board = renumbered(own, numbering)
                if not _faults(board, puzzle):
                    return _noted(board, [note, f"the pieces are numbered as in {name}"], label)
    if first is None:
        raise InstanceError(f"{label}: {refusal}")
    return first


def _noted(board: Arrangement, notes: Sequence[str], label: str) -> Arrangement:
    said = "; ".join(filter(None, notes))
    if said:
        warnings.warn(f"{label}: {said}", UserWarning, stacklevel=2)
    return board


def renumbered(board: Arrangement, numbering: Numbering) -> Arrangement:
    """A board in the numbering of the puzzle."""
    return tuple(
        placed and Placement(numbering[placed.piece].piece, (placed.rotation + numbering[placed.piece].rotation) % 4)
        for placed in board
    )


def _turned(squares: Sequence[_Cell], puzzle: EdgeMatchingPuzzle) -> Iterator[tuple[str, Arrangement | str]]:
    """What the numbers may mean, the most usual first, each with a note; or why a number has no meaning."""
    turns = {square.rotation for square in squares if square.piece is not None}
    step, start = (90, 0) if max(turns, default=0) > 4 else (1, int(4 in turns and 0 not in turns))
    known = "0 to 3, 1 to 4, or 0, 90, 180 and 270"
    if puzzle.flip:
        # Only as in files of our own; no others are known.
        step, start, known = 1, 0, "0 to 7"
    most = 8 if puzzle.flip else 4
    wrong = next(
        (turn for turn in sorted(turns) if (turn - start) % step or not 0 <= (turn - start) // step < most), None
    )
    if wrong is not None:
        yield "", f"there is a rotation {wrong}; rotations are {known}"
        return
    numbers = [square.piece for square in squares if square.piece is not None]
    for least in (0, 1) if 0 in numbers and numbers.count(0) == 1 else (1,):
        greatest = len(puzzle.pieces) - 1 + least
        high = next((number for number in numbers if number > greatest), None)
        if high is not None:
            yield "", f"there is no piece {high}; pieces are numbered {least} to {greatest}"
            continue
        for sense in (1,) if puzzle.flip else (1, -1):
            placed = tuple(
                None
                if piece is None or piece < least
                else Placement(piece - least, sense * (rotation - start) // step % most)
                for piece, rotation in squares
            )
            notes = ["" if least else "pieces are numbered from 0 there", "rotations are from 1 to 4" if start else ""]
            notes.append("" if sense == 1 else "rotations are counter-clockwise")
            yield "; ".join(filter(None, notes)), placed


def _faults(board: Arrangement, puzzle: EdgeMatchingPuzzle) -> int:
    """The number of sides that do not fit the border or lie inside, and of pieces that may not be turned so."""
    return sum(
        (placed.rotation not in puzzle.rotations(placed.piece))
        + sum(
            not puzzle.side_fits(color, on_border=puzzle.board.neighbour(square, side) is None)
            for side, color in enumerate(puzzle.shown(placed))
        )
        for square, placed in enumerate(board)
        if placed is not None
    )
