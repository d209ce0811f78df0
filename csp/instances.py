"""Instance and solution files: reading, writing, their schema, and the bundled puzzles.

Files number pieces from 1, everything else from 0; here the one becomes the other.
"""

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, StrictInt, StrictStr, TypeAdapter, ValidationError

from .board import MAX_LENGTH, SIDE_NAMES, Arrangement, Board, Placement
from .edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from .errors import InstanceError, PuzzleError, shortened
from .files import label_of, read_text, replacing
from .formats.piece_text import MAX_COLOR, parse_piece_text
from .formats.table import is_header, parse_board_table, parse_piece_table
from .formats.viewer import arrangement_of, is_link, parse_link, puzzle_of

BUNDLED = Path(__file__).resolve().parent.parent / "instances"
# No puzzle is larger; files of solutions may be.
MAX_BYTES, MAX_SOLUTION_BYTES = 64 * 2**20, 2**30
# Within so many characters, which are part of what is read first, a text must show which format it is in.
_START = 2**18
# No object of a file needs as many names.
_MAX_NAMES = 10_000
_Model = TypeVar("_Model", bound=BaseModel)

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


class Known(BaseModel):
    """Results that are known: the number of solutions, and whatever else there is to say."""

    model_config = ConfigDict(extra="allow")
    count: Annotated[StrictInt, Field(ge=0)] | None = None


class InstanceFile(BaseModel):
    """An instance file: one puzzle.  Sides in the order up, right, down, left; 0 is the border."""

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
    return TypeAdapter(InstanceFile | SolutionFile).json_schema()


def bundled_names() -> list[str]:
    """The names of the bundled puzzles, by kind and then in alphabetical order."""
    return [path.stem for path in _bundled_paths()]


def _bundled_paths() -> list[Path]:
    return [
        path for kind in ("edge-matching", "jigsaw", "dissection") for path in sorted((BUNDLED / kind).glob("*.json"))
    ]


def bundled_certificate(name: str) -> Path | None:
    """The page of the certificate that is bundled with a puzzle of that name; None if there is none."""
    found = BUNDLED / "jigsaw" / "certificates" / f"{name}.drat.json"
    return found if re.fullmatch("[a-z0-9-]+", name) and found.is_file() else None


def load(source: str | Path) -> EdgeMatchingPuzzle:
    """Read a puzzle.

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
    >>> load("clue1").rows
    6
    """
    return parse_puzzle(*puzzle_source(source))


def puzzle_source(source: str | Path) -> tuple[str, str]:
    """The text of a puzzle that is named as for `load`, and what errors call it."""
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


def parse_puzzle(text: str, label: str = "instance") -> EdgeMatchingPuzzle:
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


def parse_instance(text: str, label: str = "instance") -> EdgeMatchingPuzzle:
    """A puzzle from the text of an instance file; `label` names the file in errors.

    Raises
    ------
    InstanceError
        If the text is no instance.
    """
    data = _validated(InstanceFile, text, label)
    known = data.known.model_dump(exclude_unset=True)
    _refuse_halves(data.source, f"{label}: source")
    _refuse_halves(json.dumps(known, ensure_ascii=False), f"{label}: known")
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
        return _parse_solutions(str(source), "link", puzzle)
    label = label_of(source)
    text = read_text(source, MAX_SOLUTION_BYTES, lambda start: _format_of_boards(start, label))
    return _parse_solutions(text, label, puzzle)


def _format_of_boards(text: str, label: str) -> str:
    kind = format_of(text, label)
    if kind == "text":
        raise InstanceError(f"{label}: looks like piece text, which holds no boards")
    return kind


def _parse_solutions(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[Arrangement]:
    kind = _format_of_boards(text, label)
    if kind == "csv":
        return parse_board_table(text, puzzle, label)
    if kind == "url":
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        places = [(line, label if len(lines) == 1 else f"{label}: line {number}") for number, line in lines]
        return [arrangement_of(parse_link(line, place), puzzle, place) for line, place in places]
    data = _validated(SolutionFile, text, label)
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


def fingerprint(puzzle: EdgeMatchingPuzzle) -> str:
    """SHA-256 of what makes the puzzle: kind, size, pieces and fixed pieces, but not its name or layout in a file."""
    essence = {
        "kind": puzzle.kind,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "pieces": puzzle.pieces,
        "fixed": sorted((puzzle.board.name(square), piece + 1, rotation) for square, piece, rotation in puzzle.fixed),
    }
    return hashlib.sha256(json.dumps(essence, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def format_instance(puzzle: EdgeMatchingPuzzle) -> str:
    """The text of an instance file, one piece a line."""
    head: dict[str, Any] = {"format": "jigsat/1", "kind": puzzle.kind, "name": puzzle.name}
    if puzzle.source:
        head["source"] = puzzle.source
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    lines.append(f'  "rows": {puzzle.rows}, "columns": {puzzle.columns},')
    if puzzle.fixed:
        entries = [
            json.dumps(
                {"square": puzzle.board.name(fixed.square), "piece": fixed.piece + 1, "rotation": fixed.rotation}
            )
            for fixed in puzzle.fixed
        ]
        lines.append(_block("fixed", entries) + ",")
    if puzzle.known:
        lines.append(f'  "known": {json.dumps(dict(puzzle.known), ensure_ascii=False)},')
    if puzzle.assemblies:
        lines.append(
            _block("assemblies", [json.dumps(board_rows(board, puzzle.columns)) for board in puzzle.assemblies]) + ","
        )
    lines.append(_block("pieces", [json.dumps(sides) for sides in puzzle.pieces]))
    return "{\n" + "\n".join(lines) + "\n}\n"


def _block(name: str, entries: list[str]) -> str:
    return f'  "{name}": [\n' + ",\n".join(f"    {entry}" for entry in entries) + "\n  ]"


def save(puzzle: EdgeMatchingPuzzle, path: str | Path) -> None:
    """Write an instance file, whole or not at all."""
    with replacing(path) as file:
        file.write(format_instance(puzzle))


class SolutionWriter:
    """Writes a solution file, solution by solution, which appears under its name when it is closed.

    Examples
    --------
    >>> with solution_writer(puzzle, "out.json") as writer:   # doctest: +SKIP
    ...     for board in engine.solutions(puzzle):
    ...         writer.add(board)
    """

    def __init__(self, file: IO[str], puzzle: EdgeMatchingPuzzle) -> None:
        self._file, self._columns = file, puzzle.columns
        self.written = 0
        head = {"format": "jigsat-solution/1", "instance": puzzle.name, "sha256": fingerprint(puzzle)}
        lines = (f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items())
        file.write("{\n" + "\n".join(lines) + '\n  "solutions": [')

    def add(self, board: Arrangement) -> None:
        """Write one solution."""
        self._file.write("," if self.written else "")
        self._file.write("\n    " + json.dumps(board_rows(board, self._columns), separators=(",", ":")))
        self.written += 1

    def close(self) -> None:
        """Write what closes the list."""
        self._file.write("\n  ]\n}\n")


@contextmanager
def solution_writer(puzzle: EdgeMatchingPuzzle, path: str | Path) -> Iterator[SolutionWriter]:
    """Open a solution file for writing; ``-`` is standard output."""
    with replacing(path) as file:
        writer = SolutionWriter(file, puzzle)
        yield writer
        writer.close()


def save_solutions(puzzle: EdgeMatchingPuzzle, boards: Iterable[Arrangement], path: str | Path) -> None:
    """Write a solution file."""
    with solution_writer(puzzle, path) as writer:
        for board in boards:
            writer.add(board)


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


def _validated(model: type[_Model], text: str, label: str) -> _Model:
    """The text as data of that model; the first fault becomes the error."""
    data = _parsed(text, label)
    if not isinstance(data, dict):
        raise InstanceError(f"{label}: a JSON object is expected, not {type(data).__name__}")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InstanceError(f"{label}: {_place(first['loc'])}: {_cause(first)}") from error


def _parsed(text: str, label: str) -> Any:
    """The data in a JSON text that gives every name once and holds no number but finite ones."""

    def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) > _MAX_NAMES:
            raise InstanceError(f"{label}: an object of {len(found)} names, more than {_MAX_NAMES}")
        if len(found) < len(pairs):
            [(name, times)] = Counter(name for name, _ in pairs).most_common(1)
            raise InstanceError(f"{label}: {shortened(name)!r} is given {times} times in one object")
        return found

    def real(word: str) -> float:
        number = float(word)
        return number if isfinite(number) else constant(word)

    def constant(word: str) -> Any:
        place = _place_of_number(text, re.escape(word[:100]))
        raise InstanceError(f"{label}: {place}: {shortened(word)} is not a number that JSON can hold")

    try:
        return json.loads(text, object_pairs_hook=fields, parse_float=real, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise InstanceError(f"{label}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise InstanceError(f"{label}: not usable JSON: nested too deeply") from error
    except ValueError as error:  # Python reads no longer numbers
        most = sys.get_int_max_str_digits()
        place = _place_of_number(text, f"-?[0-9]{{{most + 1},}}")
        raise InstanceError(f"{label}: {place}: a number that is too long, of more than {most} digits") from error


def _place_of_number(text: str, pattern: str) -> str:
    """The line and column where a number first stands outside a string."""
    for match in re.finditer(rf'"(?:[^"\\]|\\.)*+"|({pattern})', text):
        if match[1] is not None:
            line, column = text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start())
            return f"line {line}, column {column}"
    return "somewhere"


def _refuse_halves(text: str, place: str) -> None:
    """Refuse a text that could not be written."""
    half = re.search("[\ud800-\udfff]", text)
    if half:
        raise InstanceError(f"{place}: holds {half[0]!r}, half of a character that UTF-16 writes in two parts")


def _place(path: tuple[int | str, ...]) -> str:
    """Where in a file a fault is, pieces and the like numbered from 1."""
    singular = {"pieces": "piece", "solutions": "solution", "assemblies": "assembly"}
    words: list[str] = []
    for part in path:
        if isinstance(part, str):
            # Names of union members are the schema's, not the file's.
            name = shortened(singular.get(part, part) if len(path) > 1 else part)
            words += [] if part.startswith("tuple") else [name]
        elif words and words[0] == "piece" and len(words) == 2:
            words.append(f"{SIDE_NAMES[part]} side")
        else:
            words.append(f"item {part + 1}" if len(words) != 1 else str(part + 1))
    return " ".join(words[:2]) + "".join(f", {word}" for word in words[2:])


def _cause(fault: Any) -> str:
    if fault["type"] == "missing":
        return "is missing"
    if fault["type"] == "extra_forbidden":
        return "is not a field of this format"
    if fault["type"] in ("too_short", "too_long"):
        return f"has {fault['ctx']['actual_length']} entries"
    return f"{fault['msg'].lower()}, not {shortened(repr(fault['input']), 60)}"
