"""Puzzles in files: reading and writing them, in any format.

Files number pieces from 1, all other code from 0; this module converts.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..base.errors import InstanceError, UsageError, shortened, suggestion, told_of
from ..base.safe_files import label_of, read_text, replacing
from ..base.strict_json import block, header_lines, parsed, refuse_halves, validated
from ..puzzles.board import Board
from ..puzzles.dissection import DissectionPuzzle
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from .board_rows import arrangement_from_rows, board_rows, check_full, check_pieces
from .bundled import bundled_names, bundled_paths
from .community.foreign_json import parse_foreign
from .community.piece_lists import parse_pieces
from .community.sides import Reading, reading
from .community.viewer_links import is_link, parse_link, puzzle_of
from .dissection_files import dissection_fingerprint, format_dissection
from .dissection_files import puzzle_of as dissection_of
from .file_format import format_for, format_of, is_book
from .schemas import ITEM_NAMES, Head, InstanceFile

# A board of 1024 x 1024 squares with two assemblies takes at most 87 MiB.
MAX_BYTES = 128 * 2**20
# Such a board has fewer lists, objects, names and numbers.
_MOST_MARKS = {"[": 2**22, "{": 2**20, ":": 2**22, ",": 2**24}

#: The formats in which puzzles are saved; `convert` writes others.
INSTANCE_FORMATS = {"json": (".json",)}
#: A puzzle of any kind.
Puzzle = EdgeMatchingPuzzle | DissectionPuzzle


def read_squares(
    source: str | Path, *, sides: str | Iterable[str] | None = None, border: str | int | None = None
) -> EdgeMatchingPuzzle:
    """Read an edge-matching puzzle or a jigsaw; parameters and errors as for `read`.

    Raises
    ------
    InstanceError
        Also if it is a dissection.
    """
    puzzle = read_puzzle(source, sides=sides, border=border)
    if isinstance(puzzle, DissectionPuzzle):
        raise InstanceError(f"{label_of(source)}: is a dissection, but an edge-matching puzzle or a jigsaw is expected")
    return puzzle


def read_dissection(source: str | Path) -> DissectionPuzzle:
    """Read a dissection; parameters and errors as for `read`.

    Raises
    ------
    InstanceError
        Also if it is not a dissection.
    """
    puzzle = read_puzzle(source)
    if not isinstance(puzzle, DissectionPuzzle):
        raise InstanceError(f"{label_of(source)}: is of the kind {puzzle.kind}, but a dissection is expected")
    return puzzle


def list_puzzles() -> list[dict[str, Any]]:
    """Return the bundled puzzles, by kind and then in alphabetical order.

    Returns
    -------
    list of dict
        For each puzzle its `name`, `kind`, `rows` and `columns` (None for dissections), the number of `pieces`, and its
        `source`.

    Examples
    --------
    >>> [puzzle["name"] for puzzle in list_puzzles() if puzzle["kind"] == "dissection"][:2]
    ['calissons', 'decagon']
    """
    puzzles = [(path.stem, read_puzzle(path)) for path in bundled_paths()]
    return [
        {
            "name": name,
            "kind": puzzle.kind,
            "rows": getattr(puzzle, "rows", None),
            "columns": getattr(puzzle, "columns", None),
            "pieces": len(puzzle.pieces),
            "source": puzzle.source,
        }
        for name, puzzle in puzzles
    ]


def require_jigsaw(puzzle: Puzzle, has: str) -> EdgeMatchingPuzzle:
    """The puzzle, which must be a jigsaw; `has` says what only jigsaws have.

    Raises InstanceError if it is of another kind.
    """
    if not isinstance(puzzle, EdgeMatchingPuzzle) or puzzle.rule is not Rule.OPPOSITE:
        raise InstanceError(f"{puzzle.name}: is of the kind {puzzle.kind}, but only jigsaws have {has}")
    return puzzle


def read_puzzle(
    source: str | Path, *, sides: str | Iterable[str] | None = None, border: str | int | None = None
) -> Puzzle:
    """The puzzle in a file, of a bundled name or of a link; parameters and errors are those of `jigsat.read`."""
    return parse_puzzle(*puzzle_source(source), reading(sides, border))


def puzzle_source(source: str | Path) -> tuple[str, str]:
    """The text of a puzzle that is named as for `read_puzzle`, and its label for errors."""
    name = str(source)
    if is_link(name):
        return _in_utf8(name), "link"
    path = Path(source)
    if name != "-" and not os.path.isfile(path):
        found = [candidate for candidate in bundled_paths() if candidate.stem == name]
        if not found and not os.path.exists(path):
            bundled = f"nor a bundled puzzle of that name{suggestion(name, bundled_names())}; see `jigsat list`"
            raise InstanceError(f"{shortened(name, 200)}: there is no such file, {bundled}")
        path = found[0] if found else path
    label = label_of(source)
    if is_book(path):
        raise InstanceError(f"{label}: is the book of a search or other work; give the puzzle, too")
    return read_text(path, MAX_BYTES, lambda start: format_of(start, label)), label


def parse_puzzle(text: str, label: str = "instance", told: Reading | None = None) -> Puzzle:
    """A puzzle from text in any format; `label` names it in errors, and `told` says how sides and border are written.

    Raises InstanceError if the text is not a puzzle. Raises UsageError if `told` says something that dissections do not
    have.
    """
    kind = format_of(text, label)
    told = told or Reading()
    name = "puzzle" if label == label_of("-") else _in_utf8(Path(label).stem)[:200] or "puzzle"
    if kind == "url":
        return puzzle_of(parse_link(text, label, told), label)
    if kind == "json":
        return parse_instance(text, label, told, name)
    return parse_pieces(text, label, name, told)


def _in_utf8(text: str) -> str:
    """A name from the command line, which may contain bytes that are not characters."""
    return text.encode("utf-8", "replace").decode()


def parse_instance(text: str, label: str = "instance", told: Reading | None = None, name: str = "puzzle") -> Puzzle:
    """A puzzle from the text of an instance file, or of another program's JSON; `label` names the file in errors.

    Raises InstanceError if the text is not an instance. Raises UsageError if `told` says something that dissections do
    not have.
    """
    told = told or Reading()
    for mark, most in _MOST_MARKS.items():
        if text.count(mark) > most:
            raise InstanceError(f"{label}: more than {most} times {mark!r}; no puzzle has as many entries")
    try:
        data = parsed(text, label, decimals=True)
    except InstanceError as error:
        return _rows_in_brackets(text, label, told, name, error)
    foreign = parse_foreign(data, label, name, told)
    if foreign is not None:
        return foreign
    if validated(Head, data, label, {}).kind == "dissection":
        for option, value in (("sides", told.sides), ("border", told.border)):
            if value is not None:
                raise UsageError("is for square pieces with colours, but this is a dissection", option)
        return dissection_of(data, label)
    return _squares_of(data, label, told)


def _rows_in_brackets(text: str, label: str, told: Reading, name: str, error: InstanceError) -> EdgeMatchingPuzzle:
    """The puzzle in lines such as ``{0, 3, 4, 1},`` of a program, which are not JSON."""
    if not re.match(r"[\ufeff\s]*[\[{]\s*[\[{(]?\s*[\w-]+\s*[, ]", text):
        raise error
    try:
        return parse_pieces(text, label, name, told)
    except InstanceError as other:
        why = str(other).removeprefix(f"{label}: ")
        raise InstanceError(f"{error}; as lines of pieces: {why}") from error


def _squares_of(fields: Any, label: str, told: Reading) -> EdgeMatchingPuzzle:
    """An edge-matching puzzle or a jigsaw from the data of its file."""
    data = validated(InstanceFile, fields, label, ITEM_NAMES)
    known = data.known.model_dump(exclude_unset=True)
    refuse_halves(data.source, f"{label}: source")
    refuse_halves(json.dumps(known, ensure_ascii=False), f"{label}: known")
    with told_of(label):
        board = Board(data.rows, data.columns)
        assemblies = [arrangement_from_rows(rows, board, f"assembly {i}") for i, rows in enumerate(data.assemblies, 1)]
        for number, assembly in enumerate(assemblies, start=1):
            check_pieces(assembly, board, len(data.pieces), f"assembly {number}")
            check_full(assembly, board, f"assembly {number}")
        fixed = tuple(Fixed(board.parse(entry.square), entry.piece - 1, entry.rotation) for entry in data.fixed)
        return EdgeMatchingPuzzle(
            rows=data.rows,
            columns=data.columns,
            pieces=tuple(told.renumbered(data.pieces, label)),
            rule=Rule(data.kind),
            fixed=fixed,
            name=data.name,
            source=data.source,
            known=known,
            assemblies=tuple(assemblies),
        )


def fingerprint(puzzle: Puzzle) -> str:
    """SHA-256 of what defines the puzzle: kind, size, pieces and fixed pieces, but not its name or file layout.

    For a dissection: its target and pieces.
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
    """The text of an instance file, one piece per line."""
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


def readable_instance(puzzle: Puzzle, label: str) -> str:
    """The text of an instance file, after a check that it can be read; `label` names the file in errors.

    Raises InstanceError if it could not be read: a puzzle in memory may have what no file may have, such as an empty
    name.
    """
    try:
        text = format_instance(puzzle)
    except TypeError as error:
        raise InstanceError(f"{label}: name, source and known results must be texts and numbers: {error}") from error
    parse_instance(text, label)
    return text


def save(puzzle: Puzzle, path: str | Path) -> None:
    """Write a puzzle as an instance file (JSON), completely or not at all.

    Parameters
    ----------
    puzzle
        The puzzle, of any kind.
    path
        The file, which is replaced if it exists; ``-`` for standard output.

    Raises
    ------
    UsageError
        If the file has another ending than ``.json``.
    InstanceError
        If the file cannot be written, or it could not be read, because of an empty name for example.

    Examples
    --------
    >>> import jigsat as js
    >>> js.save(js.read("clue3"), "copy.json")
    >>> js.read("copy.json") == js.read("clue3")
    True
    """
    format_for(path, INSTANCE_FORMATS, "json")
    text = readable_instance(puzzle, label_of(path))
    with replacing(path) as file:
        file.write(text)
