"""The community's piece text: four numbers per line, the sides of a piece in the order bottom, left, top, right.

A first line of two numbers, rows and columns, may precede them; 0 is the border.  Text after a ``#``, and lines that
begin with ``//`` or ``;``, are comments.
"""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from ...base.errors import InstanceError, PuzzleError, shortened, told_of
from ...puzzles.board import MAX_COLOR, MAX_LENGTH, Board
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Rule, Sides, piece_class

# The largest number of lines of a table: pieces of the largest board, and some comments.
_MOST_LINES = MAX_LENGTH**2 + 2**16
# The largest number of words of a line that is looked at.
_MOST_WORDS = 9


def parse_piece_text(text: str, label: str, name: str) -> EdgeMatchingPuzzle:
    """The puzzle in a piece text; `label` names the text in errors.

    Without a header the board is the one whose corners, edges and inner squares the pieces fill exactly, with no more
    rows than columns; turned by a right angle it would be the same puzzle.

    Raises
    ------
    InstanceError
        If the text is invalid; the message names the line.

    Examples
    --------
    >>> parse_piece_text("1 2 # rows and columns\\n0 0 0 5\\n0 5 0 0", "example", "two").pieces
    ((0, 5, 0, 0), (0, 0, 0, 5))
    """
    refuse_many_lines(text, label)
    size: tuple[int, int] | None = None
    pieces: list[Sides] = []
    for number, words in _lines(text):
        values = [_color(word, number, label) for word in words]
        if len(values) == 2 and size is None and not pieces:
            size = values[0], values[1]
        elif len(values) == 4:
            bottom, left, top, right = values
            pieces.append((top, right, bottom, left))
        else:
            raise InstanceError(
                f"{label}: line {number}: {len(values)} numbers instead of 4 (bottom, left, top and right side)"
            )
    with told_of(label):
        rows, columns = size or board_size(pieces)
        return EdgeMatchingPuzzle(rows, columns, tuple(pieces), name=name)


def refuse_many_lines(text: str, label: str) -> None:
    """Raise an error if a table has more lines than the largest board has pieces.

    Raises
    ------
    InstanceError
        If it has.
    """
    if text.count("\n") > _MOST_LINES or text.count("\r") > _MOST_LINES:
        raise InstanceError(f"{label}: more than {_MOST_LINES} lines; no board has as many pieces")


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, with their numbers, as words."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        words = line.partition("#")[0].split(maxsplit=_MOST_WORDS)
        if words and not words[0].startswith(("//", ";")):
            yield number, words


def _color(word: str, line: int, label: str) -> int:
    if word.isdecimal() and word.isascii() and len(word) < 10:
        return int(word)  # the usual case, quickly decided
    shown, place = shortened(word, 20), f"{label}: line {line}"
    if not re.fullmatch(r"[0-9]+", word):
        raise InstanceError(f"{place}: {shown!r} is not a non-negative whole number")
    if len(word) > 10 or int(word) > MAX_COLOR:
        raise InstanceError(f"{place}: {shown} is larger than {MAX_COLOR}")
    return int(word)


def board_size(pieces: Sequence[Sides]) -> tuple[int, int]:
    """Rows and columns (at most as many rows as columns) of the board that pieces with these borders fill exactly.

    Raises
    ------
    PuzzleError
        If there is no such board.
    """
    classes = sorted(map(piece_class, pieces))
    for rows in range(1, isqrt(len(pieces)) + 1):
        columns, rest = divmod(len(pieces), rows)
        if rest or columns > MAX_LENGTH:
            continue
        board = Board(rows, columns)
        if classes == sorted(board.square_class(square) for square in range(len(board))):
            return rows, columns
    raise PuzzleError(
        f"the {len(pieces)} pieces do not fill a rectangle exactly; give its rows and columns in a first line"
    )


def format_piece_text(puzzle: EdgeMatchingPuzzle, label: str) -> str:
    """The piece text of a puzzle, with header.

    Raises
    ------
    InstanceError
        If the puzzle is a jigsaw or has fixed pieces, which this format cannot hold.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise InstanceError(f"{label}: piece text cannot represent connectors; write JSON or CSV")
    if puzzle.fixed:
        raise InstanceError(f"{label}: piece text cannot represent fixed pieces; write JSON or CSV, or the pieces only")
    lines = [f"{down} {left} {up} {right}" for up, right, down, left in puzzle.pieces]
    return "\n".join([f"{puzzle.rows} {puzzle.columns}", *lines, ""])
