"""Instance and solution files: reading, writing, their schema, and the bundled puzzles.

Files number pieces from 1, everything else from 0; here the one becomes the other.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, StrictInt, StrictStr, TypeAdapter

from ..base.errors import InstanceError, PuzzleError, shortened
from ..base.safe_files import label_of, read_text, replacing
from ..base.strict_json import ItemNames, Known, block, header_lines, parsed, refuse_halves, validated
from ..puzzles.board import MAX_LENGTH, SIDE_NAMES, Arrangement, Board, Placement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from .csv_tables import is_header, parse_board_table, parse_piece_table
from .dissection_files import (
    DissectionFile,
    TilingFile,
    dissection_fingerprint,
    format_dissection,
    placed_pieces,
    tilings_of,
)
from .dissection_files import puzzle_of as dissection_of
from .piece_text import MAX_COLOR, parse_piece_text
from .viewer_links import arrangement_of, is_link, parse_link, puzzle_of

BUNDLED = Path(__file__).resolve().parents[2] / "instances"
# No puzzle is larger; files of solutions may be.
MAX_BYTES, MAX_SOLUTION_BYTES = 64 * 2**20, 2**30
# Within so many characters, which are part of what is read first, a text must show which format it is in.
_START = 2**18

#: A puzzle of any kind.
Puzzle = EdgeMatchingPuzzle | DissectionPuzzle

Length = Annotated[StrictInt, Field(ge=1, le=MAX_LENGTH)]
PieceNumber = Annotated[StrictInt, Field(ge=1, le=MAX_COLOR)]
Rotation = Annotated[StrictInt, Field(ge=0, le=3)]
Side = Annotated[StrictInt, Field(ge=-MAX_COLOR, le=MAX_COLOR)]
# Of many errors only the first is told; a million of them would fill the memory.
BoardRow = Annotated[list[tuple[PieceNumber, Rotation] | None], Field(max_length=MAX_LENGTH), FailFast()]
BoardRows = Annotated[list[BoardRow], Field(max_length=MAX_LENGTH), FailFast()]


class FixedEntry(BaseModel):
    """A fixed piece."""

    model_config = ConfigDict(extra="forbid")
    square: StrictStr
    piece: PieceNumber
    rotation: Rotation


ITEM_NAMES: ItemNames = {
    "pieces": ("piece", tuple(f"{side} side" for side in SIDE_NAMES)),
    "solutions": ("solution",),
    "assemblies": ("assembly",),
}


class Head(BaseModel):
    """What every instance file begins with."""

    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw", "dissection"]


class InstanceFile(BaseModel):
    """An instance file of squares: one puzzle.  Sides in the order up, right, down, left; 0 is the border."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw"]
    name: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    source: StrictStr = ""
    rows: Length
    columns: Length
    fixed: Annotated[list[FixedEntry], FailFast()] = []
    known: Known = Known()
    assemblies: Annotated[list[BoardRows], FailFast()] = []
    pieces: Annotated[list[Annotated[list[Side], Field(min_length=4, max_length=4)]], FailFast()]


class SolutionFile(BaseModel):
    """A solution file: boards (lists of rows; a square is [piece, rotation] or null) for one puzzle."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["jigsat-solution/1"]
    instance: StrictStr
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    solutions: Annotated[list[BoardRows], FailFast()]


def json_schema() -> dict[str, Any]:
    """The JSON Schema of instance and solution files."""
    return TypeAdapter(InstanceFile | DissectionFile | SolutionFile | TilingFile).json_schema()


def bundled_names(*kinds: str) -> list[str]:
    """The names of the bundled puzzles, of all kinds or of those given, by kind and then in alphabetical order."""
    return [path.stem for path in _bundled_paths(*kinds)]


def _bundled_paths(*kinds: str) -> list[Path]:
    kinds = kinds or ("edge-matching", "jigsaw", "dissection")
    return [path for kind in kinds for path in sorted((BUNDLED / kind).glob("*.json"))]


def bundled_certificate(name: str) -> Path | None:
    """The page of the certificate that is bundled with a puzzle of that name; None if there is none."""
    found = BUNDLED / "jigsaw" / "certificates" / f"{name}.drat.json"
    return found if re.fullmatch("[a-z0-9-]+", name) and found.is_file() else None


def load(source: str | Path) -> EdgeMatchingPuzzle:
    """Read a puzzle of squares, edge matching or jigsaw; all is as for `load_puzzle`.

    Raises
    ------
    InstanceError
        If it is a dissection, too.
    """
    puzzle = load_puzzle(source)
    if isinstance(puzzle, DissectionPuzzle):
        raise InstanceError(f"{label_of(source)}: is a dissection; an edge-matching puzzle or a jigsaw is expected")
    return puzzle


def require_jigsaw(puzzle: Puzzle, has: str) -> EdgeMatchingPuzzle:
    """The puzzle, which must be a jigsaw, because only jigsaws have what is needed.

    Raises
    ------
    InstanceError
        If it is of another kind.
    """
    if not isinstance(puzzle, EdgeMatchingPuzzle) or puzzle.rule is not Rule.OPPOSITE:
        raise InstanceError(f"{puzzle.name}: is of the kind {puzzle.kind}, and only jigsaws have {has}")
    return puzzle


def load_puzzle(source: str | Path) -> Puzzle:
    """Read a puzzle of any kind.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, the name of a bundled puzzle, or a viewer link.  The text may be an instance
        file, piece text, a table of pieces (CSV), or a viewer link that shows a full board.

    Raises
    ------
    InstanceError
        If there is no such puzzle, or the file is none; the message names the file and the place.

    Examples
    --------
    >>> load_puzzle("clue1").kind, load_puzzle("ostomachion").kind
    ('edge-matching', 'dissection')
    """
    return parse_puzzle(*puzzle_source(source))


def puzzle_source(source: str | Path) -> tuple[str, str]:
    """The text of a puzzle that is named as for `load_puzzle`, and what errors call it."""
    name = str(source)
    if is_link(name):
        return _in_utf8(name), "link"
    path = Path(source)
    if name != "-" and not os.path.isfile(path):
        found = [candidate for candidate in _bundled_paths() if candidate.stem == name]
        if not found and not os.path.exists(path):
            bundled = "nor a bundled puzzle of that name (`jigsat list` shows those that are)"
            raise InstanceError(f"{shortened(name, 200)}: there is no such file, {bundled}")
        path = found[0] if found else path
    label = label_of(source)
    return read_text(path, MAX_BYTES, lambda start: format_of(start, label)), label


def format_of(text: str, label: str) -> str:
    """Which format a text, or its beginning, is in: ``json``, ``url``, ``csv`` or ``text``.

    Raises
    ------
    InstanceError
        If it looks like none of them.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        return "json"
    if is_link(text):
        return "url"
    lines = text[:_START].splitlines()
    if len(text) > _START and len(lines) > 1:
        lines.pop()  # it may be cut
    for line in lines:
        line = line.partition("#")[0]
        words = line.split()
        if not words or words[0].startswith(("//", ";")):
            continue
        if is_header(line):
            return "csv"
        if re.fullmatch(r"-?[0-9]+", words[0]):
            return "text"
        raise InstanceError(f"{label}: is neither JSON nor piece text, CSV or a viewer link")
    if not start:
        raise InstanceError(f"{label}: is empty")
    within = f" in its first {_START} characters" if len(text) > _START else ""
    raise InstanceError(f"{label}: holds nothing but comments{within}")


def parse_puzzle(text: str, label: str = "instance") -> Puzzle:
    """A puzzle from text in any format; `label` names it in errors.

    Raises
    ------
    InstanceError
        If the text is no puzzle.
    """
    kind = format_of(text, label)
    name = "puzzle" if label == label_of("-") else _in_utf8(Path(label).stem)[:200] or "puzzle"
    if kind == "url":
        return puzzle_of(parse_link(text, label), label)
    if kind == "csv":
        return parse_piece_table(text, label, name)
    return parse_piece_text(text, label, name) if kind == "text" else parse_instance(text, label)


def _in_utf8(text: str) -> str:
    """A name from the command line, which may hold bytes that are no characters."""
    return text.encode("utf-8", "replace").decode()


def parse_instance(text: str, label: str = "instance") -> Puzzle:
    """A puzzle from the text of an instance file; `label` names the file in errors.

    Raises
    ------
    InstanceError
        If the text is no instance.
    """
    data = parsed(text, label)
    if validated(Head, data, label, {}).kind == "dissection":
        return dissection_of(data, label)
    return _squares_of(data, label)


def _squares_of(fields: Any, label: str) -> EdgeMatchingPuzzle:
    """An edge-matching puzzle or a jigsaw from the data of its file."""
    data = validated(InstanceFile, fields, label, ITEM_NAMES)
    known = data.known.model_dump(exclude_unset=True)
    refuse_halves(data.source, f"{label}: source")
    refuse_halves(json.dumps(known, ensure_ascii=False), f"{label}: known")
    try:
        board = Board(data.rows, data.columns)
        assemblies = [_arrangement(rows, board, f"assembly {i}") for i, rows in enumerate(data.assemblies, 1)]
        for number, assembly in enumerate(assemblies, start=1):
            _check_pieces(assembly, board, len(data.pieces), f"assembly {number}")
            _check_full(assembly, board, f"assembly {number}")
        fixed = tuple(Fixed(board.parse(entry.square), entry.piece - 1, entry.rotation) for entry in data.fixed)
        return EdgeMatchingPuzzle(
            rows=data.rows,
            columns=data.columns,
            pieces=tuple((up, right, down, left) for up, right, down, left in data.pieces),
            rule=Rule(data.kind),
            fixed=fixed,
            name=data.name,
            source=data.source,
            known=known,
            assemblies=tuple(assemblies),
        )
    except PuzzleError as error:
        raise InstanceError(f"{label}: {error}") from error


def load_solutions(source: str | Path, puzzle: EdgeMatchingPuzzle) -> list[Arrangement]:
    """Read boards, full or partial.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or a viewer link.  The text may be a solution file, a table of boards (CSV),
        or viewer links, one a line.
    puzzle
        The puzzle that they are for.

    Raises
    ------
    InstanceError
        If the file cannot be read, is for another puzzle, or a board has another size.
    """
    if is_link(str(source)):
        return parse_solutions(str(source), "link", puzzle)
    label = label_of(source)
    text = read_text(source, MAX_SOLUTION_BYTES, lambda start: _format_of_boards(start, label))
    return parse_solutions(text, label, puzzle)


def load_tilings(source: str | Path, puzzle: DissectionPuzzle) -> list[Tiling]:
    """Read tilings from a solution file, a path or ``-`` for standard input.

    Raises
    ------
    InstanceError
        If the file cannot be read, is for another puzzle, or a tiling has not every piece once.
    """
    label = label_of(source)

    def accept(start: str) -> None:
        if format_of(start, label) != "json":
            raise InstanceError(f"{label}: is not JSON, and no other format holds tilings")

    text = read_text(source, MAX_SOLUTION_BYTES, accept)
    return tilings_of(parsed(text, label), label, puzzle)


def _format_of_boards(text: str, label: str) -> str:
    kind = format_of(text, label)
    if kind == "text":
        raise InstanceError(f"{label}: looks like piece text, which holds no boards")
    return kind


def parse_solutions(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[Arrangement]:
    """Boards from text in any format that holds some; errors, which call it `label`, are those of `load_solutions`."""
    kind = _format_of_boards(text, label)
    if kind == "csv":
        return parse_board_table(text, puzzle, label)
    if kind == "url":
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        places = [(line, label if len(lines) == 1 else f"{label}: line {number}") for number, line in lines]
        return [arrangement_of(parse_link(line, place), puzzle, place) for line, place in places]
    data = validated(SolutionFile, parsed(text, label), label, ITEM_NAMES)
    if data.sha256 != fingerprint(puzzle):
        raise InstanceError(
            f"{label}: sha256: the solutions are for another puzzle ({shortened(data.instance)}) than {puzzle.name}"
        )
    try:
        boards = [_arrangement(rows, puzzle.board, f"solution {i}") for i, rows in enumerate(data.solutions, 1)]
        for number, board in enumerate(boards, start=1):
            _check_pieces(board, puzzle.board, len(puzzle.pieces), f"solution {number}")
    except PuzzleError as error:
        raise InstanceError(f"{label}: {error}") from error
    return boards


def fingerprint(puzzle: Puzzle) -> str:
    """SHA-256 of what makes the puzzle: kind, size, pieces and fixed pieces, but not its name or layout in a file.

    Of a dissection: its target and pieces.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return dissection_fingerprint(puzzle)
    essence = {
        "kind": puzzle.kind,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "pieces": puzzle.pieces,
        "fixed": sorted((puzzle.board.name(square), piece + 1, rotation) for square, piece, rotation in puzzle.fixed),
    }
    return hashlib.sha256(json.dumps(essence, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def format_instance(puzzle: Puzzle) -> str:
    """The text of an instance file, one piece a line."""
    if isinstance(puzzle, DissectionPuzzle):
        return format_dissection(puzzle)
    head: dict[str, Any] = {"format": "jigsat/1", "kind": puzzle.kind, "name": puzzle.name}
    if puzzle.source:
        head["source"] = puzzle.source
    lines = header_lines(head)
    lines.append(f'  "rows": {puzzle.rows}, "columns": {puzzle.columns},')
    if puzzle.fixed:
        entries = [
            json.dumps(
                {"square": puzzle.board.name(fixed.square), "piece": fixed.piece + 1, "rotation": fixed.rotation}
            )
            for fixed in puzzle.fixed
        ]
        lines.append(block("fixed", entries) + ",")
    if puzzle.known:
        lines.append(f'  "known": {json.dumps(dict(puzzle.known), ensure_ascii=False)},')
    if puzzle.assemblies:
        lines.append(
            block("assemblies", [json.dumps(board_rows(board, puzzle.columns)) for board in puzzle.assemblies]) + ","
        )
    lines.append(block("pieces", [json.dumps(sides) for sides in puzzle.pieces]))
    return "{\n" + "\n".join(lines) + "\n}\n"


def save(puzzle: Puzzle, path: str | Path) -> None:
    """Write an instance file, whole or not at all."""
    with replacing(path) as file:
        file.write(format_instance(puzzle))


class SolutionWriter:
    """Writes a solution file, solution by solution (boards or tilings), which appears under its name when closed.

    Examples
    --------
    >>> with solution_writer(puzzle, "out.json") as writer:   # doctest: +SKIP
    ...     for board in engine.solutions(puzzle):
    ...         writer.add(board)
    """

    def __init__(self, file: IO[str], puzzle: Puzzle) -> None:
        self._file, self._data_of = file, solution_data(puzzle)
        self.written = 0
        head = {"format": "jigsat-solution/1", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
        file.write("{\n" + "\n".join(header_lines(head)) + '\n  "solutions": [')

    def add(self, solution: Arrangement | Tiling) -> None:
        """Write one solution."""
        self._file.write("," if self.written else "")
        self._file.write("\n    " + json.dumps(self._data_of(solution), separators=(",", ":")))
        self.written += 1

    def close(self) -> None:
        """Write what closes the list."""
        self._file.write("\n  ]\n}\n")


@contextmanager
def solution_writer(puzzle: Puzzle, path: str | Path) -> Iterator[SolutionWriter]:
    """Open a solution file for writing; ``-`` is standard output."""
    with replacing(path) as file:
        writer = SolutionWriter(file, puzzle)
        yield writer
        writer.close()


def save_solutions(puzzle: Puzzle, solutions: Iterable[Arrangement | Tiling], path: str | Path) -> None:
    """Write a solution file."""
    with solution_writer(puzzle, path) as writer:
        for solution in solutions:
            writer.add(solution)


def solution_data(puzzle: Puzzle) -> Callable[[Any], list[Any]]:
    """What makes of a puzzle's solution the data that files and records show."""
    if isinstance(puzzle, DissectionPuzzle):
        return placed_pieces
    return partial(board_rows, columns=puzzle.columns)


def board_rows(board: Arrangement, columns: int) -> list[list[list[int] | None]]:
    """A board as files and records show it: rows of [piece, rotation] or null, pieces from 1."""
    squares = [None if placed is None else [placed.piece + 1, placed.rotation] for placed in board]
    return [squares[start : start + columns] for start in range(0, len(squares), columns)]


def _arrangement(rows: Sequence[Sequence[tuple[int, int] | None]], board: Board, what: str) -> Arrangement:
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        lengths = sorted({len(row) for row in rows})
        shape = f"{len(rows)} rows of {' or '.join(map(str, lengths)) or 'no'} squares"
        raise PuzzleError(f"{what}: {shape} for a {board.rows}x{board.columns} board")
    return tuple(None if placed is None else Placement(placed[0] - 1, placed[1]) for row in rows for placed in row)


def _check_pieces(arrangement: Arrangement, board: Board, pieces: int, what: str) -> None:
    for square, placed in enumerate(arrangement):
        if placed is not None and placed.piece >= pieces:
            none = f"there is no piece {placed.piece + 1}; pieces are numbered 1 to {pieces}"
            raise PuzzleError(f"{what}, {board.name(square)}: {none}")


def _check_full(arrangement: Arrangement, board: Board, what: str) -> None:
    """An assembly has a piece on every square, and none on two."""
    seen: dict[int, int] = {}
    for square, placed in enumerate(arrangement):
        if placed is None:
            raise PuzzleError(f"{what}: {board.name(square)} is empty; an assembly is a full board")
        if seen.setdefault(placed.piece, square) != square:
            places = f"{board.name(seen[placed.piece])} and on {board.name(square)}"
            raise PuzzleError(f"{what}: piece {placed.piece + 1} lies on {places}")
