"""Puzzles in the JSON of other programs: eternity2.dev, or any list of pieces.

eternity2.dev: ``width``, ``height``, ``pieces`` with up, right, down and left side, and ``hints``, fixed pieces with
``pos``, row by row from 0, ``piece``, from 0, and ``rot``.  Others: a list of lists of four sides, or of five with a
number before them, or of objects whose names are those of the columns of a table; alone, or as ``pieces`` or
``tiles`` of an object, with ``rows`` and ``columns``, ``height`` and ``width``, or ``size``.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...base.errors import InstanceError, PuzzleError, shortened, told_of
from ...puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from .piece_lists import parse_rows
from .rows import Row, column_name
from .sides import Reading

_SIZES = (("rows", "columns"), ("height", "width"), ("size", "size"))


def parse_foreign(data: Any, label: str, name: str, told: Reading) -> EdgeMatchingPuzzle | None:
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
    puzzle = parse_rows(_rows(pieces, label), label, name, size, told)
    hints = fields.get("hints") or []
    if not isinstance(hints, list):
        raise InstanceError(f"{label}: hints: {shortened(repr(hints))} is not a list of fixed pieces")
    with told_of(label):
        fixed = tuple(_fixed(entry, number) for number, entry in enumerate(hints, start=1))
        return replace(puzzle, fixed=fixed) if fixed else puzzle


def _rows(pieces: list[Any], label: str) -> Iterator[Row]:
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


def _letters(piece: Any) -> bool:
    """Whether a piece is four letters."""
    return isinstance(piece, str) and len(piece) == 4 and piece.isalpha()


def _cell(value: Any, number: int, label: str) -> str:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        raise InstanceError(f"{label}: piece {number}: {shortened(repr(value))} is not a colour")
    return str(value)


def _fixed(entry: Any, number: int) -> Fixed:
    """A fixed piece."""
    try:
        values = entry["pos"], entry["piece"], entry["rot"]
    except (TypeError, LookupError):
        values = ()
    if not values or not all(isinstance(value, int) for value in values):
        raise PuzzleError(f"hint {number}: {shortened(repr(entry))} does not have pos, piece and rot as whole numbers")
    return Fixed(*values)
