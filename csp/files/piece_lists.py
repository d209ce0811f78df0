"""Lists and tables of pieces, in the forms in which spreadsheets, programs and people write them.

A table has a header that names its columns: ``piece``, ``up``, ``right``, ``down``, ``left`` and, for fixed pieces,
``square``, ``rotation`` and ``fixed``, their position among the fixed pieces (from 1).  Without a header, the columns
are recognised by what they hold: four sides and, before or behind them, numbers or names of the pieces, or what is the
same in every line.  Lines above the pieces may hold the numbers of rows, columns, pieces and colours.  The first line
may be a comment with further fields: ``# kind=jigsaw rows=6 columns=6 name="my puzzle"``.

JSON of other programs is read in the same way.  That of eternity2.dev has ``width``, ``height``, ``pieces`` with up,
right, down and left side, and ``hints``, fixed pieces with ``pos``, row by row from 0, ``piece``, from 0, and ``rot``.
Others have a list of lists of four sides, or of five with a number before them, or of objects whose names are those of
the columns of a table; alone, or as ``pieces`` or ``tiles`` of an object, with ``rows`` and ``columns``, ``height`` and
``width``, or ``size``.
"""

import re
import shlex
import warnings
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise
from typing import Any

from ..base.errors import InstanceError, Notice, PuzzleError, listed, plural, shortened, told_of
from ..puzzles.board import SIDE_NAMES, Board
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule, Sides
from .rows import Row, column_name, is_header, names_in, refuse_many_lines, refuse_other_width, rows_of, trimmed
from .sides import (
    CLOCKWISE,
    MOST_WORDS,
    PIECE_TEXT,
    Cell,
    Reading,
    board_size,
    cell_value,
    is_word,
    numbered_colors,
    some_colors,
)
from .square_files import note_open_rim

# The first comment is split into words in quadratic time.
_MOST_REMARKS = 10_000
# The first piece is found among this many rows.
_LOOKED_AT = 64
# More columns than any list has.
_MOST_COLUMNS = 9
# A piece and its rotation on a board.
_PLACED = re.compile(r"[0-9]+[/:][0-3]")
# A line that is no comment, with cells that are not separated by white space; looked for at the start.
_SEPARATED, _START = re.compile(r"^[ \t]*[^#/;\s][^#\r\n]*[,;|]", re.MULTILINE), 2**16
_UNKNOWN = "unknown format; JSON, piece text, CSV or a viewer link is expected"
# What other programs call the rows and the columns of the board.
_SIZES = (("rows", "columns"), ("height", "width"), ("size", "size"))


@dataclass
class _Pieces:
    """What a list says: its cells, row by row, and how its columns are meant."""

    label: str
    #: What a row is.
    unit: str = "line"
    width: int = 5
    cells: list[Cell] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    lines: "array[int]" = field(default_factory=lambda: array("q"))
    #: Numbers above the pieces, with the first of their lines.
    above: list[int] = field(default_factory=list)
    above_line: int = 0
    #: The columns of the sides, and that of the number.
    sides: Sequence[int] = (1, 2, 3, 4)
    number: int | None = 0
    #: The columns of x, y and rotation of a fixed piece.
    hint: int | None = None
    #: The sides in the order of the columns, unless the user gives it.
    order: Sequence[int] = CLOCKWISE
    #: The rows of a table that fix a piece, with their positions.
    fixed: list[tuple[int, int, dict[str, str]]] = field(default_factory=list)

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Add a row, which has `width` cells."""
        self.lines.append(line)
        digits = "".join(cells)
        if digits.isdecimal() and digits.isascii() and "" not in cells and max(map(len, cells)) < 10:
            self.cells.extend(map(int, cells))  # the usual case, quickly decided
            return
        place = f"{self.label}: {self.unit} {line}"
        values = [cell_value(cell, place) for cell in cells]
        self.cells.extend(values)
        self.words.update(value for value in values if isinstance(value, str))
        if len(self.words) > MOST_WORDS:
            raise InstanceError(f"{place}: more than {MOST_WORDS} different words; no list of pieces has as many")

    def column(self, number: int) -> list[Any]:
        """The cells of a column."""
        return self.cells[number :: self.width]


def parse_pieces(text: str, label: str, name: str, told: Reading | None = None) -> EdgeMatchingPuzzle:
    """The puzzle in a list or a table of pieces; `label` names the text in errors.

    Without rows and columns the board is the one whose corners, edges and inner squares the pieces fill exactly, with
    no more rows than columns; turned by a right angle it would be the same puzzle.  Colours may have names.  A warning
    (`UserWarning`) says what was guessed.

    Raises InstanceError if the text is invalid; the message names the line.

    Examples
    --------
    >>> parse_pieces("1 2 # rows and columns\\n0 0 0 5\\n0 5 0 0", "example", "two").pieces
    ((0, 5, 0, 0), (0, 0, 0, 5))
    """
    refuse_many_lines(text, label)
    remarks = _remarks(text, label)
    found = _Pieces(label)
    if not label.lower().endswith(".puz") and not _SEPARATED.search(text, 0, _START):
        found.order = PIECE_TEXT
    _read(rows_of(re.split(r"\r\n|\r|\n", text), label), found)
    return _puzzle(found, told, remarks, name)


def parse_foreign(data: Any, label: str, name: str, told: Reading | None) -> EdgeMatchingPuzzle | None:
    """The puzzle in the data of another program's JSON; None if it has no list of pieces of such a form.

    Raises InstanceError if the pieces or the fixed pieces are invalid.
    """
    fields = data if isinstance(data, dict) else {"pieces": data}
    pieces = fields.get("pieces", fields.get("tiles"))
    if fields.keys() & {"format", "kind"} or not isinstance(pieces, list):
        return None
    if not pieces or not (isinstance(pieces[0], list | dict) or _letters(pieces[0])):
        return None
    size = next(((fields[a], fields[b]) for a, b in _SIZES if a in fields and b in fields), None)
    if size is not None and not all(isinstance(length, int) for length in size):
        raise InstanceError(f"{label}: {shortened(str(size))} are not numbers of rows and columns")
    shown = fields.get("name", fields.get("id", name))
    name = shown if isinstance(shown, str) and shown else name
    found = _Pieces(label, "piece")
    _read(_json_rows(pieces, label), found)
    puzzle = _puzzle(found, told, dict(zip(("rows", "columns"), map(str, size or ()), strict=False)), name)
    hints = fields.get("hints") or []
    if not isinstance(hints, list):
        raise InstanceError(f"{label}: hints: {shortened(repr(hints))} is not a list of fixed pieces")
    with told_of(label):
        fixed = tuple(_hint(entry, number) for number, entry in enumerate(hints, start=1))
        return replace(puzzle, fixed=fixed) if fixed else puzzle


def _json_rows(pieces: list[Any], label: str) -> Iterator[Row]:
    """The pieces as rows of a list, or below the header of a table."""
    header: list[str] = []
    for number, piece in enumerate(pieces, start=1):
        if isinstance(piece, dict):
            nested = next((piece[key] for key in ("edges", "sides", "colors") if key in piece), None)
            if isinstance(nested, list | dict):
                given = {key: value for key, value in piece.items() if column_name(key) == "piece"}
                piece = {**given, **nested} if isinstance(nested, dict) else [*given.values(), *nested]
        if isinstance(piece, dict):
            if not header:
                header = [key for key, value in piece.items() if not isinstance(value, list | dict)]
                yield Row(number, header)
            piece = [piece.get(key, "") for key in header]
        if _letters(piece):
            piece = list(piece)
        if not isinstance(piece, list) or len(piece) > 100:
            raise InstanceError(f"{label}: piece {number}: {shortened(repr(piece))} is not a list of four sides")
        yield Row(number, [_cell(value, number, label) for value in piece])


def _cell(value: Any, number: int, label: str) -> str:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InstanceError(f"{label}: piece {number}: {shortened(repr(value))} is not a colour")
    return str(value)


def _hint(entry: Any, number: int) -> Fixed:
    """A fixed piece."""
    try:
        values = entry["pos"], entry["piece"], entry["rot"]
    except (TypeError, LookupError):
        values = ()
    if not values or not all(isinstance(value, int) for value in values):
        raise PuzzleError(f"hint {number}: {shortened(repr(entry))} does not have pos, piece and rot as whole numbers")
    return Fixed(*values)


def _read(rows: Iterator[Row], found: _Pieces) -> None:
    """Collect the pieces, and find the meaning of the columns."""
    first = list(islice(rows, _LOOKED_AT))
    header = next((place for place, row in enumerate(first) if is_header(row.cells)), None)
    if header is not None:
        _above(first[:header], found)
        _read_table(first[header], chain(first[header + 1 :], rows), found)
        return
    dimacs = next((place for place, row in enumerate(first) if row.cells[:2] == ["p", "tile"]), -1) + 1
    _above(first[:dimacs], found)
    rows = (Row(line, trimmed(cells)) for line, cells in chain(first[dimacs:], rows))
    comments = ["c"] if dimacs or found.label.lower().endswith(".puz") else []
    _read_list((row for row in rows if row.cells and row.cells[:1] != comments), found)


def _read_list(rows: Iterator[Row], found: _Pieces) -> None:
    """Collect the pieces of a list without a header."""
    first = list(islice(rows, _LOOKED_AT))
    if any(_PLACED.fullmatch(cell) for row in first[:4] for cell in row.cells):
        what = "looks like a board of pieces and rotations; give the puzzle, and this file as its solution"
        raise InstanceError(f"{found.label}: {what}")
    widths = Counter(len(row.cells) for row in first if len(row.cells) > 2 or _letters(row.cells[-1]))
    width = max(widths, key=lambda width: (widths[width], -abs(width - 4)), default=0)
    start = next((place for place, row in enumerate(first) if len(row.cells) == width), 0)
    one_word = 0 < width < 3 and all(_letters(row.cells[-1]) for row in first[start:])
    if not one_word and not 4 <= width <= _MOST_COLUMNS:
        raise InstanceError(f"{found.label}: {_why_unknown(first, found.unit)}")
    _above(first[:start], found)
    found.width = width + 3 * one_word
    for line, cells in chain(first[start:], rows):
        row = [*cells[:-1], *cells[-1]] if one_word and _letters(cells[-1]) else cells
        if len(row) != found.width:
            what = "number" if all(cell[:1].isdigit() for cell in row) else "cell"
            counted = f"{plural(len(cells), what)} instead of {width}, as in {found.unit} {first[start].line}"
            raise InstanceError(f"{found.label}: {found.unit} {line}: {counted}")
        found.add(line, row)
    _tell_columns(found)


def _letters(cell: object) -> bool:
    """Whether a cell holds the four sides of a piece as letters."""
    return isinstance(cell, str) and len(cell) == 4 and cell.isalpha()


def _why_unknown(first: list[Row], unit: str) -> str:
    if not first:
        return _UNKNOWN
    row = first[-1]
    if all(cell.isdecimal() for cell in row.cells):
        return f"{unit} {row.line}: {plural(len(row.cells), 'number')} instead of 4, the sides of a piece"
    what = plural(len(row.cells), "word")
    return f"{_UNKNOWN}: {unit} {row.line} has {what}, but a piece has four sides, perhaps with a number before them"


def _above(rows: list[Row], found: _Pieces) -> None:
    """What the lines above the pieces say: numbers, or ``p tile`` as in DIMACS files."""
    for line, cells in rows:
        if cells[:1] == ["c"]:
            continue  # a comment
        if cells[:2] == ["p", "tile"]:
            found.order = CLOCKWISE
        numbers = [int(number) for number in re.findall(r"[0-9]{1,10}", " ".join(cells))]
        if not numbers:
            what = f"{shortened(' '.join(cells))!r} is neither a piece nor numbers of rows, columns or pieces"
            raise InstanceError(f"{found.label}: {found.unit} {line}: {what}; a # before it makes it a comment")
        found.above_line = found.above_line or line
        found.above.extend(numbers)
    if len(found.above) > _MOST_COLUMNS:
        raise InstanceError(f"{found.label}: {found.unit} {found.above_line}: too many numbers above the pieces")


def _read_table(header: Row, rows: Iterable[Row], found: _Pieces) -> None:
    """Collect the pieces below a header, and which of them are fixed."""
    where = f"{found.label}: {found.unit}"
    names = names_in(header, SIDE_NAMES, where)
    # In the order of the file, which the user may give.
    sides = [name for name in names if name in SIDE_NAMES]
    found.order = [SIDE_NAMES.index(name) for name in sides]
    number, side_columns = names.index("piece") if "piece" in names else None, [names.index(name) for name in sides]
    fields = [(name, names.index(name)) for name in ("square", "rotation", "fixed") if name in names]
    for row in rows:
        refuse_other_width(row, names, where)
        line, cells = row
        if not any(cells):
            continue
        used = ["" if number is None else cells[number], *[cells[column] for column in side_columns]]
        if "" in used[1:]:
            raise InstanceError(f"{where} {line}: {sides[used[1:].index('')]} is missing")
        found.add(line, used)
        given = {name: cells[column] for name, column in fields if cells[column]}
        if given and "square" not in given:
            name, value = next(iter(given.items()))
            raise InstanceError(f"{where} {line}: {name} {shortened(value)!r} without a square")
        if given:
            found.fixed.append((len(found.lines) - 1, line, given))


def _tell_columns(found: _Pieces) -> None:
    """Find which columns of a list without a header are the sides: the others hold no colours."""
    tried: list[str] = []
    for before in range(found.width - 4, -1, -1):
        hint = before + 4 if found.width - before == 7 and found.above else None
        others = [*range(before), *range(before + 4, found.width if hint is None else hint)]
        kinds = [_kind(found, column) for column in others]
        numbers = [column for column, kind in zip(others, kinds, strict=True) if kind == "number"]
        if None not in kinds:
            found.sides, found.number = range(before, before + 4), numbers[0] if numbers else None
            found.hint = hint
            return
        wrong = f"column {others[kinds.index(None)] + 1} has neither the pieces' numbers nor one value"
        tried.append(f"columns {before + 1} to {before + 4} as sides ({wrong})")
    what = f"{plural(found.width, 'cell')} instead of 4; tried {listed(tried)}; a first line may name the columns"
    raise InstanceError(f"{found.label}: {found.unit} {found.lines[0]}: {what}")


def _kind(found: _Pieces, column: int) -> str | None:
    """What a column beside the sides holds: each piece's own number or name, or nothing of interest; else None."""
    cells = found.column(column)
    values = set(cells)
    if len(values) == len(cells) and (len(cells) > 1 or cells[0] in (0, 1)):
        return "number"
    plain = len(values) == 1 or set(map(str, islice(values, 4))) <= {"+", "-", ""}
    return "nothing" if plain else None


def _puzzle(found: _Pieces, told: Reading | None, remarks: dict[str, str], name: str) -> EdgeMatchingPuzzle:
    """The puzzle of the pieces collected."""
    label, told = found.label, told or Reading()
    if not found.lines:
        raise InstanceError(f"{label}: contains no pieces")
    rule = Rule(remarks.get("kind", Rule.EQUAL.value))
    _drop_counts(found)
    order = _numbered(found)
    columns = told.ordered(found.sides, found.order)
    pieces = list(zip(*map(found.column, columns), strict=True))
    pieces = pieces if order is None else [pieces[place] for place in order]
    with told_of(label):
        size = _size(remarks, label) or _size_above(found, pieces)
        if rule is Rule.EQUAL:
            try:
                pieces = numbered_colors(pieces, told, size, label)
            except PuzzleError as error:
                raise _at_its_place(found, columns, error) from error
        elif told.border is not None or any(map(is_word, chain.from_iterable(pieces))):
            raise PuzzleError("a jigsaw has connectors with numbers and signs, and 0 for straight sides; give these")
        board = Board(*(size or board_size(pieces)))
        fixed = _hints(found, board) if found.hint is not None else _fixed(found, board, order)
        puzzle = EdgeMatchingPuzzle(
            board.rows, board.columns, tuple(pieces), rule, fixed, name=(remarks.get("name") or name)[:200]
        )
        note_open_rim(puzzle, label)
        if size is None and board.rows != board.columns:
            other = "; a first line `ROWS COLUMNS` gives another size" if found.unit == "line" else ""
            warnings.warn(f"{label}: read as a {board.text}{other}", Notice, stacklevel=2)
        return puzzle


def _numbered(found: _Pieces) -> list[int] | None:
    """The positions of the pieces in the order of their numbers; None if it is that of the file."""
    count = len(found.lines)
    numbers = None if found.number is None else found.column(found.number)
    if numbers is None or all(map(is_word, numbers)):
        return None
    given = [place + 1 if number == "" else number for place, number in enumerate(numbers)]
    # Names come first, and none of them is a number.
    places = sorted(range(count), key=lambda place: (not is_word(given[place]), given[place]))
    first = 0 if not any(map(is_word, numbers)) and min(numbers) == 0 and max(numbers) == count - 1 else 1
    for position, place in enumerate(places):
        if given[place] != position + first:
            what = f"piece {given[place]} instead of piece {position + first}"
            raise InstanceError(
                f"{found.label}: {found.unit} {found.lines[place]}: {what}; every piece must be given once"
            )
    if first == 0:
        what = "pieces are numbered from 0 in this file, but from 1 here: piece 0 is piece 1"
        warnings.warn(f"{found.label}: {what}", UserWarning, stacklevel=2)
    return places


def _drop_counts(found: _Pieces) -> None:
    """Take a first row of four numbers for what it is if only the pieces below it fill a board of that size."""
    if found.above or found.width != 4 or len(found.lines) < 2 or any(map(is_word, found.cells[:4])):
        return
    first: list[Any] = found.cells[:4]
    rest = found.cells[4:]
    rows = list(zip(*[iter(found.cells)] * 4, strict=True))
    if first[0] * first[1] != len(rest) // 4 and len(rest) // 4 not in first:
        return
    try:
        board_size(rows)
    except PuzzleError:
        try:
            board_size(rows[1:])
        except PuzzleError:
            return
        found.above, found.above_line = list(first), found.lines[0]
        del found.cells[:4], found.lines[0]


def _size_above(found: _Pieces, pieces: Sequence[Sides]) -> tuple[int, int] | None:
    """The board that the numbers above the pieces mean; None if they mean none."""
    above, count = found.above, len(pieces)
    if not above or (count == 1 and len(above) == 1):
        return None
    if len(above) == 2 and above[0] * above[1] <= count:
        return above[0], above[1]  # some pieces may be spare
    size = next((pair for pair in pairwise(above) if pair[0] * pair[1] == count), None)
    if count > 1:
        size = size or next(((number, number) for number in above if number * number == count), None)
        if size or count in above:
            return size
    if size or len(above) == 2:
        return size or (above[0], above[1])
    colors = some_colors(pieces)
    largest = max((color for color in colors if not is_word(color)), default=0)
    if {0, 1, len(colors), len(colors) - 1, largest}.issuperset(above):
        return None
    what = f"{listed(list(map(str, above)))} are not the number of pieces, {count}, nor those of rows and columns"
    raise PuzzleError(f"{found.unit} {found.above_line}: {what}; is the file cut short?")


def _at_its_place(found: _Pieces, columns: Sequence[int], error: PuzzleError) -> PuzzleError:
    """The error about a word, with its line and side."""
    word = re.match(r"(?:'(.*)' is not a whole number|a side is missing)", str(error))
    for line, sides in zip(found.lines, zip(*map(found.column, columns), strict=True), strict=True):
        for name, cell in zip(SIDE_NAMES, sides, strict=True):
            if word and is_word(cell) and cell == (word[1] or ""):
                return PuzzleError(f"{found.unit} {line}: {name} {error if word[1] else 'is missing'}")
    return error


def _remarks(text: str, label: str) -> dict[str, str]:
    """The ``key=value`` fields of a comment above the pieces."""
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


def _fixed(found: _Pieces, board: Board, order: Sequence[int] | None) -> tuple[Fixed, ...]:
    """The fixed pieces of a table, in their order."""
    places = range(len(found.lines)) if order is None else order
    new = {place: number for number, place in enumerate(places)} if found.fixed else {}
    fixed: list[tuple[int, Fixed]] = []
    for place, line, given in found.fixed:
        with told_of(f"{found.label}: {found.unit} {line}"):
            square = board.parse(given["square"])
            if "rotation" not in given:
                raise PuzzleError("rotation is missing")
            rotation, position = (_whole(name, given.get(name, "0")) for name in ("rotation", "fixed"))
            fixed.append((position, Fixed(square, new[place], rotation)))
    return tuple(entry for _, entry in sorted(fixed, key=lambda entry: (entry[0], entry[1].piece)))


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}(\.0*)?", text):
        raise PuzzleError(f"{name} {shortened(text)!r} is not a whole number")
    return int(text.partition(".")[0])


def _hints(found: _Pieces, board: Board) -> tuple[Fixed, ...]:
    """The fixed pieces of a list with x, y and rotation behind the sides; three zeros say that a piece is not fixed."""
    assert found.hint is not None
    columns = [found.column(found.hint + place) for place in range(3)]
    fixed = []
    for piece, (x, y, rotation) in enumerate(zip(*columns, strict=True)):
        if (x, y, rotation) != (0, 0, 0):
            if any(map(is_word, (x, y, rotation))) or not (
                0 <= x < board.columns and 0 <= y < board.rows and 0 <= rotation <= 3
            ):
                place = f"{found.unit} {found.lines[piece]}: column {x}, row {y}, rotation {rotation}"
                raise PuzzleError(f"{place} are not on a board of {board.rows} rows and {board.columns} columns")
            fixed.append(Fixed(y * board.columns + x, piece, rotation))
    return tuple(fixed)
