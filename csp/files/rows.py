"""The rows of lists and tables, as spreadsheets, solvers and people write them.

Cells are separated by white space, or else by commas, semicolons, tabs or bars; a first line ``sep=;`` may say by
which.  Brackets are omitted.  Text after a ``#``, and lines that begin with ``//`` or ``;``, are comments.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..base.errors import InstanceError, plural
from ..puzzles.board import MAX_LENGTH, SIDE_NAMES

#: No line is longer.
MOST_LINE = 10_000
# The largest number of lines of a table: pieces of the largest board, and some comments.
_MOST_LINES = MAX_LENGTH**2 + 2**16
_SEPARATOR = re.compile(r"\"?sep=(.)\"?", re.IGNORECASE)
# A bracket, or the colon after the number of a piece.
_OMITTED = re.compile(r"[][(){}]|:(?=\s)")
_BLANK = " \t,;|"

#: The columns of tables, with the names that they have elsewhere, without "side", "color" and the like.
_OTHER_NAMES = {
    **dict.fromkeys(("top", "north", "n", "t", "u", "above", "oben", "haut", "arriba"), "up"),
    **dict.fromkeys(("east", "e", "r", "rechts", "droite", "derecha"), "right"),
    **dict.fromkeys(("bottom", "south", "s", "b", "d", "below", "unten", "bas", "abajo"), "down"),
    **dict.fromkeys(("west", "w", "l", "links", "gauche", "izquierda"), "left"),
    **dict.fromkeys(("id", "number", "tile", "no", "nr", "num", "index", "#", "tileid", "pieceid", "tileno"), "piece"),
    **dict.fromkeys(("piecenumber", "piecenr", "pieceno", "tilenumber", "tilenr", "pieceindex"), "piece"),
}
_KNOWN = {"piece", *SIDE_NAMES, "square", "rotation", "fixed", "solution"}


class Row(NamedTuple):
    """The number of a line, from 1, and what its cells hold."""

    line: int
    cells: list[str]


def refuse_many_lines(text: str, label: str) -> None:
    """Raise an error if a table has more lines than the largest board has pieces.

    Raises InstanceError if it has.
    """
    if text.count("\n") > _MOST_LINES or text.count("\r") > _MOST_LINES:
        raise InstanceError(f"{label}: more than {_MOST_LINES} lines; no board has as many pieces")


def column_name(cell: str) -> str:
    """The name that a column has here.

    Examples
    --------
    >>> [column_name(cell) for cell in ("Top", "edge_east", "colour w", "Tile ID", "weight")]
    ['up', 'right', 'left', 'piece', 'weight']
    """
    name = cell.strip().lower()
    short = re.sub(r"[\W_]+|edge|side|colou?r", "", name) or name
    for known in (name, short):
        if known in _KNOWN or known in _OTHER_NAMES:
            return _OTHER_NAMES.get(known, known)
    return name


def is_header(cells: Iterable[str]) -> bool:
    """Whether cells could be the names of columns: of all four sides, or else of two columns in whole words."""
    given = [cell.strip().lower() for cell in cells]
    names = {column_name(cell) for cell in given}
    whole = {cell for cell in given if cell in _KNOWN or (len(cell) > 2 and cell in _OTHER_NAMES)}
    return names.issuperset(SIDE_NAMES) or len(whole) > 1


def trimmed(cells: list[str]) -> list[str]:
    """Cells without empty ones at the end."""
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]


def names_in(header: Row, needed: Iterable[str], label: str) -> list[str]:
    """The names of the columns of a table; raises InstanceError if one is missing, or two are the same."""
    names = [column_name(cell) for cell in trimmed(header.cells)]
    missing = [name for name in needed if name not in names]
    known = [name for name in names if name in _KNOWN]
    if missing:
        what = f"the first line must name the columns; the column {missing[0]!r} is missing"
        raise InstanceError(f"{label} {header.line}: {what}")
    if len(set(known)) < len(known):
        raise InstanceError(f"{label} {header.line}: two columns have the same name")
    return names


def refuse_other_width(row: Row, names: Sequence[str], label: str) -> None:
    """Raise InstanceError if a row of a table has not the cells of its header."""
    if len(row.cells) < len(names) or any(row.cells[len(names) :]):
        raise InstanceError(f"{label} {row.line}: {plural(len(row.cells), 'column', str)} instead of {len(names)}")


def rows_of(lines: Iterable[str], label: str) -> Iterator[Row]:
    """The rows in the lines of a list or a table, without those that have no text.

    A comment that names all sides, and nothing that is no column, is the header of what is below it.

    Raises InstanceError if a line is too long, or a quotation mark is not closed.
    """
    separator: str | None = None
    begun = False
    for number, line in enumerate(lines, start=1):
        words = line.split(separator) if begun and len(line) <= MOST_LINE else []
        if words and "".join(words).isdecimal():
            yield Row(number, words)  # the usual case, quickly decided
            continue
        text = line.strip(_BLANK + "\ufeff\r\n")
        if not text or text.startswith(("//", "#")) or line.lstrip().startswith(";"):
            names = _named_in_comment(text) if not begun and text.startswith("#") and len(text) <= MOST_LINE else []
            if names:
                begun = True
                yield Row(number, names)
            continue
        said = None if begun else _SEPARATOR.fullmatch(line.strip("\ufeff\r\n "))
        if said:
            separator = said[1]
            continue
        if len(line) > MOST_LINE:
            raise InstanceError(f"{label}: line {number}: longer than {MOST_LINE} characters")
        text = line if '"' in line else _OMITTED.sub(" ", line).partition("#")[0]
        if not text.strip(_BLANK):
            continue
        begun, separator = True, separator or _separator(text.strip())
        cells = _cells(text, separator, f"{label}: line {number}")
        if cells:  # none is in a line of control characters
            yield Row(number, cells)


def _named_in_comment(text: str) -> list[str]:
    """The names of the columns in a comment such as ``# top right bottom left`` or ``#,top,right,bottom,left``."""
    names = [column_name(cell) for cell in re.split(r"[\s,;|]+", text.lstrip("# \t,;|"))]
    if not names or not _KNOWN.issuperset(names) or not set(names).issuperset(SIDE_NAMES):
        return []
    return ["piece", *names] if text[1:2] in (",", ";", "\t", "|") else names


def _separator(text: str) -> str | None:
    """What separates the cells of a first line; None if that is white space, or not known yet."""
    if text.count("\t") > 2:
        return "\t"
    # A last one ends the line.
    return next((mark for mark in ";,|" if mark in text[:-1]), None)


def _cells(text: str, separator: str | None, place: str) -> list[str]:
    if separator != ";":
        text = text.rstrip(" \r\n").removesuffix(";")
    if not separator:
        return [word.strip("\"'") for word in text.strip().removesuffix(",").split()]
    if separator == "|":
        text = text.strip(" |")
    try:
        (cells,) = csv.reader([text.rstrip("\r\n")], delimiter=separator)
    except csv.Error as error:
        raise InstanceError(f"{place}: not CSV: {error}") from error
    return [cell.strip() for cell in cells]
