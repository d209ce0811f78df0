"""Regions: sets of squares, given by ranges, names, lists or a file."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...base.errors import InstanceError, PuzzleError, UsageError, shortened
from ...base.safe_files import read_text
from ...puzzles.board import Board
from ...puzzles.orders import MAX_BYTES

#: The forms of a region, for messages.
FORMS = "a square (B2), a range (A1:D4), row:N, column:N, frame, inside, or a file of these"

# A part of a text: names, ranges and lines, separated by commas or white space.
_PART = re.compile(r"[^\s,\"'\[\]]+")
_LINE = re.compile(r"(row|column):([1-9][0-9]{0,3})")
# What is no path, whether the board is that large or not.
_REGION = re.compile(rf"frame|inside|{_LINE.pattern}|[A-Z]{{1,3}}[1-9][0-9]*(:[A-Z]{{1,3}}[1-9][0-9]*)?")


def find_region(board: Board, spec: str | Iterable[str | int]) -> tuple[int, ...]:
    """The squares of a region, in ascending order.

    - `spec`: text: parts separated by commas, each a square, a range of two opposite corners (``A1:D4``), ``row:N`` or
      ``column:N`` (from 1), ``frame`` or ``inside``; or else the path of a file of such parts.  Or a list of parts, or
      of the numbers of squares (from 0).

    Raises UsageError if it is not a region of this board, or has no squares.
    """
    if not isinstance(spec, Iterable):
        raise UsageError(f"{shortened(repr(spec))} is no region; give {FORMS}", "squares")
    parts = _parts(spec) if isinstance(spec, str) else list(spec)
    squares: set[int] = set()
    for part in parts:
        squares.update(_squares(board, part))
    if not squares:
        raise UsageError(f"{shortened(str(spec))!r} has no squares; give {FORMS}", "squares")
    return tuple(sorted(squares))


def find_part(board: Board, spec: str | Iterable[str | int]) -> tuple[int, ...] | None:
    """The squares of `find_region`; None if they are the whole board."""
    region = find_region(board, spec)
    return None if len(region) == len(board) else region


def _parts(text: str) -> list[str]:
    parts = _PART.findall(text)
    if not all(map(_REGION.fullmatch, parts)) and os.path.isfile(text):
        try:
            return _PART.findall(read_text(Path(text), MAX_BYTES))
        except InstanceError as error:
            raise UsageError(str(error), "squares") from error
    return parts


def _squares(board: Board, part: str | int) -> Iterator[int]:
    if not isinstance(part, str):
        if not hasattr(part, "__index__"):
            raise UsageError(f"{shortened(repr(part))} is neither the name nor the number of a square", "squares")
        if not 0 <= part < len(board):
            raise UsageError(f"square number {part} is not on the {board.rows}x{board.columns} board", "squares")
        yield int(part)
    elif part in ("frame", "inside"):
        yield from (square for square in range(len(board)) if bool(board.border_mask(square)) == (part == "frame"))
    elif found := _LINE.fullmatch(part):
        yield from _line(board, found[1], int(found[2]))
    else:
        first, colon, last = part.partition(":")
        corners = [divmod(_square(board, name, part), board.columns) for name in (first, last if colon else first)]
        (top, bottom), (left, right) = (sorted(numbers) for numbers in zip(*corners, strict=True))
        for row in range(top, bottom + 1):
            yield from range(board.square(row, left), board.square(row, right) + 1)


def _line(board: Board, kind: str, number: int) -> Iterable[int]:
    """The squares of a row or column."""
    length = board.rows if kind == "row" else board.columns
    if number > length:
        raise UsageError(f"there is no {kind} {number}; {kind}s are numbered from 1 to {length}", "squares")
    if kind == "column":
        return range(number - 1, len(board), board.columns)
    return range(board.columns * (number - 1), board.columns * number)


def _square(board: Board, name: str, part: str) -> int:
    try:
        return board.parse(name)
    except PuzzleError as error:
        is_name = re.fullmatch(r"[A-Z]{1,3}[0-9]+", name)
        why = str(error) if is_name else f"{shortened(part)!r} is not a region or a file; give {FORMS}"
        raise UsageError(why, "squares") from error
