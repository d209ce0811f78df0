"""Solutions in files: boards and tilings, read and written."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeVar, cast, overload

from ..base.errors import InstanceError, UsageError, plural, shortened, told_of
from ..base.safe_files import joined, label_of, replacing, text_parts
from ..base.strict_json import collected_later, header_lines, parsed, validated
from ..puzzles.board import Arrangement, Placement
from ..puzzles.dissection import DissectionPuzzle, PuzzleTiling, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_by_names, board_of
from .file_format import PART, bundled_names, format_for, format_of, is_book, is_link
from .instances import (
    INSTANCE_FORMATS,
    MAX_BYTES,
    Puzzle,
    files_of,
    fingerprint,
    parse_puzzle,
    puzzle_source,
    read_puzzle,
)
from .streams import JsonList, is_plain, lines_of

_FORMAT = "jigsat-solution/1"
#: The work of searches, in their books.
SEARCH = "search"
# Files of solutions may be larger than puzzles.
MAX_SOLUTION_BYTES = 2**30
# Boards without a head are read at once, in a text of at most this number of characters.
_MOST_BARE = 2**19
# Links come within this number of lines.
_MOST_COMMENTS = 1000

#: A source of boards or tilings: a file or a link, one of them, or several.
Solutions = str | Path | Arrangement | Tiling | Mapping[str, Any] | Iterable[Arrangement | Tiling | None]

_Solution = TypeVar("_Solution")


@overload
def read_solutions(source: str | Path, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]: ...
@overload
def read_solutions(source: str | Path, puzzle: DissectionPuzzle) -> list[PuzzleTiling]: ...
@overload
def read_solutions(source: str | Path, puzzle: str | Path) -> list[PuzzleBoard] | list[PuzzleTiling]: ...
def read_solutions(source: str | Path, puzzle: Puzzle | str | Path) -> list[PuzzleBoard] | list[PuzzleTiling]:
    """Read boards, full or partial, or tilings.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or a viewer link.  The text may be a solution file (JSON) or, for boards, a
        table (CSV), viewer links, one per line, or what solvers print: grids of piece/rotation, and tables of row,
        column, piece and rotation.  The file of a search that is not complete, whose name ends in ``.part``, has what
        was found so far.
    puzzle
        Their puzzle, or where it is.

    Returns
    -------
    list of PuzzleBoard or of PuzzleTiling
        The contents of the file, unchecked: use `check`.

    Raises
    ------
    InstanceError
        If the file cannot be read, is for another puzzle, or a board or tiling has the wrong size.

    Examples
    --------
    >>> from jigsat import best, read, write
    >>> puzzle = read("clue3")
    >>> write(puzzle, [best(puzzle).best_board], "board.json")
    >>> [len(board) for board in read_solutions("board.json", puzzle)]
    [36]
    """
    puzzle = read_puzzle(puzzle) if isinstance(puzzle, str | Path) else puzzle
    boards = "csv" in files_of(puzzle.kind).FORMATS
    if boards and is_link(str(source)):
        return _boards([str(source)], "link", puzzle)
    label = label_of(source)
    if is_book(source):
        return _of_book(label, puzzle)

    def accept(start: str) -> None:
        if boards:
            _format_of_boards(start, label)
        elif format_of(start, label) != "json":
            raise InstanceError(f"{label}: is not JSON, the only format for tilings")

    parts = text_parts(source, MAX_SOLUTION_BYTES, accept)
    return _boards(parts, label, puzzle) if boards else listed_solutions(parts, label, puzzle)


def _format_of_boards(text: str, label: str) -> str:
    """The format of a text with boards, or of its beginning."""
    if any(is_link(line) for line in _uncommented(text.splitlines()[:_MOST_COMMENTS])):
        return "url"
    try:
        kind = format_of(text, label)
    except InstanceError:
        if not text.strip("\ufeff \t\r\n"):
            raise
        return "text"
    if kind != "csv":
        return kind
    from .board_text import is_board_header

    return "csv" if is_board_header(text) else "text"


def _boards(parts: Iterable[str], label: str, puzzle: Any) -> list[PuzzleBoard]:
    """The boards in a text in any format for boards."""
    parts = iter(parts)
    first = next(parts)
    kind, parts = _format_of_boards(first, label), chain([first], parts)
    if kind == "json":
        if '"format"' in first or len(first) > _MOST_BARE:
            return listed_solutions(parts, label, puzzle)
        return _bare_boards("".join(parts), label, puzzle)
    if kind != "url":
        from .board_text import read_board_table, read_boards

        if kind == "csv":
            found = read_board_table(lines_of(parts), puzzle, label)
        else:
            found = read_boards(joined(parts, label, MAX_BYTES), puzzle, label, partial(_numberings, puzzle))
        return [board_of(puzzle, board) for board in found]
    lines = [(number, line) for number, line in enumerate(lines_of(parts), 1) if any(_uncommented([line]))]
    places = [(line, label if len(lines) == 1 else f"{label}: line {number}") for number, line in lines]
    return [linked_board(line, place, puzzle) for line, place in places]


def _bare_boards(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]:
    """Boards as lists without the head of a solution file, or in what `jigsat solve --json` prints."""
    data = parsed(text, label)
    if isinstance(data, dict) and "engine" in data:
        found = data.get("solutions") or [data.get("best_board")]
        if not isinstance(found, list):
            raise InstanceError(f"{label}: solutions: {shortened(repr(found))} is not a list of boards")
    elif isinstance(data, list):
        found = [data] if len(data) == puzzle.rows and _is_row(data[0], puzzle.columns) else data
    else:
        return listed_solutions([text], label, puzzle)
    read = files_of(puzzle.kind).solution_reader(puzzle, label)
    return [read(rows, number, False) for number, rows in enumerate(found, start=1)]


def _is_row(data: Any, columns: int) -> bool:
    """Whether data is a list of squares, pairs of numbers or null, and not of rows."""
    is_list = isinstance(data, list) and len(data) == columns
    return is_list and all(
        one is None or (isinstance(one, list) and not any(isinstance(n, list) for n in one)) for one in data
    )


def _uncommented(lines: Iterable[str]) -> Iterator[str]:
    """The lines that are neither empty nor comments; links may begin with a ``#``, too."""
    for line in lines:
        text = line.strip("\ufeff \t")
        if text and (is_link(text) or not text.startswith(("#", "//", ";"))):
            yield line


def _numberings(puzzle: EdgeMatchingPuzzle) -> Iterator[tuple[str, list[Placement]]]:
    """The bundled puzzles with the same pieces under other numbers, and the pieces that these are."""
    for name in bundled_names("edge-matching"):
        numbering = files_of(puzzle.kind).numbering(read_puzzle(name), puzzle)
        if numbering is not None and numbering != [(piece, 0) for piece in range(len(puzzle.pieces))]:
            yield name, numbering


def listed_solutions(parts: Iterable[str], label: str, puzzle: Puzzle) -> Any:
    """Boards or tilings from the text of a solution file; each is checked before the next one is read.

    - `parts`: the text.
    - `label`: the name of the file in errors, which are those of `read_solutions`.
    """
    listed = JsonList(parts, label, "solutions", files_of(puzzle.kind).most_of_entry(puzzle))
    with collected_later():
        return list(_checked(listed.entries(), lambda: listed.fields, label, puzzle))


def _of_book(path: str, puzzle: Puzzle) -> Any:
    """The solutions in the book of a search, which may be at work."""
    from .books import read_book

    about, entries = read_book(path)
    if about.get("work") != SEARCH:
        raise InstanceError(f"{path}: is the book of other work than a search, so it has no solutions")
    fields = {name: about.get(name) for name in ("instance", "sha256")} | {"format": _FORMAT, "solutions": []}
    with collected_later():
        return list(_checked((solution_entry(entry, path) for entry in entries), lambda: fields, path, puzzle))


def solution_entry(entry: object, label: str) -> tuple[Any, bool]:
    """The data of an entry in the book of a search, a JSON text, and whether it `is_plain`."""
    try:
        return json.loads(entry), is_plain(entry)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError) as error:
        raise InstanceError(f"{label}: has an entry that is no solution") from error


def _checked(
    entries: Iterable[tuple[Any, bool]], fields: Callable[[], Mapping[str, Any]], label: str, puzzle: Puzzle
) -> Iterator[PuzzleBoard | PuzzleTiling]:
    """Solutions from the entries of a file and, as far as they have been read, its other fields."""
    read, numbering = files_of(puzzle.kind).solution_reader(puzzle, label), None
    for number, (entry, plain) in enumerate(entries, start=1):
        # Some fields may come after the solutions.
        if number == 1 and fields().keys() >= {"format", "instance", "sha256"}:
            numbering = _check_fields(fields(), label, puzzle)
        found: Any = read(entry, number, plain)
        if numbering is not None:
            from .board_text import renumbered

            found = board_of(puzzle, renumbered(found, numbering))  # pyright: ignore[reportArgumentType]
        yield found
    if numbering is None and _check_fields(fields(), label, puzzle):
        raise _of_another(fields()["instance"], label, puzzle)


def _check_fields(fields: Mapping[str, Any], label: str, puzzle: Puzzle) -> list[Placement] | None:
    """Check the fields beside the solutions.  If they are of a bundled puzzle with the same pieces, which are these?"""
    from .schemas import SOLUTIONS

    files = files_of(puzzle.kind)
    data = validated(SOLUTIONS[puzzle.kind], dict(fields), label, files.ITEM_NAMES)
    if data.sha256 == fingerprint(puzzle):
        return None
    for name in bundled_names(puzzle.kind):
        other = read_puzzle(name)
        numbering = files.numbering(other, puzzle) if fingerprint(other) == data.sha256 else None
        if numbering is not None:
            what = f"the boards are of {name}; {puzzle.name} has the same pieces, and they are found by these"
            warnings.warn(f"{label}: {what}", UserWarning, stacklevel=2)
            return numbering
    raise _of_another(data.instance, label, puzzle)


def _of_another(instance: str, label: str, puzzle: Puzzle) -> InstanceError:
    variant = instance.removeprefix(f"{puzzle.name} (").removesuffix(")") if instance != puzzle.name else ""
    hint = f"; give the options again that made it of this one: {shortened(variant)}" if variant != instance else ""
    return InstanceError(
        f"{label}: sha256: the solutions are for another puzzle ({shortened(instance)}) than {puzzle.name}"
        f"{hint if variant else ''}"
    )


def read_with_board(source: str | Path) -> tuple[Puzzle, PuzzleBoard | None]:
    """A puzzle as for `read_puzzle` and, if it is a viewer link, the board that the link shows."""
    text, label, bundled = puzzle_source(source)
    puzzle = parse_puzzle(text, label, bundled)
    return puzzle, linked_board(text, label, puzzle) if format_of(text, label) == "url" else None


def linked_board(text: str, label: str, puzzle: Any) -> PuzzleBoard:
    """The board that a viewer link shows."""
    from .viewer_links import arrangement_of, parse_link

    return board_of(puzzle, arrangement_of(parse_link(text, label), puzzle, label))


def solutions_given(puzzle: Puzzle, given: Solutions, option: str = "solution") -> list[Any]:
    """Boards or tilings of a puzzle, from a file or from memory (one or several), which are the value of an option.

    Raises InstanceError as `read_solutions` does, or if one in memory is not a board with a pair of numbers or None for
    each square, or a tiling with an exact polygon for each piece. Raises UsageError if one of them is None, as the best
    board is after a search without success, or it is something else.
    """
    if isinstance(given, str | Path):
        return list(read_solutions(given, puzzle))
    if given is None:
        raise UsageError("there is no board: the search did not find one", option)
    if isinstance(given, Mapping) and isinstance(puzzle, EdgeMatchingPuzzle):
        with told_of(option):
            given = board_by_names(puzzle, cast("Mapping[str, Any]", given))
    files, some = files_of(puzzle.kind), list[Any](given) if isinstance(given, Iterable) else [given]
    try:
        is_one = files.is_one(puzzle, some)
    except (LookupError, TypeError):
        why = f"{shortened(repr(given))} is neither {files.SOLUTION} nor a list of several"
        raise UsageError(why, option) from None
    if is_one:
        some = [given if isinstance(given, PuzzleBoard | PuzzleTiling) else tuple(some)]
    found = []
    for number, one in enumerate(some, start=1):
        if one is None:
            raise UsageError("there is no board: the search did not find one", option)
        with told_of(option if len(some) == 1 else f"{option} {number}"):
            found.append(files.exact_solution(puzzle, one))
    return found


def none_in(source: object, what: str) -> InstanceError:
    """The error that a file, which is named, holds none of what is needed, such as a board to check."""
    if str(source).endswith(PART):
        why = "no solution was found yet; the search that writes this part is at work, or --resume continues it"
        return InstanceError(f"{source}: {why}")
    return InstanceError(f"{source}: holds no {what}")


def numbered_one(solutions: Sequence[_Solution], number: int | None, source: str, word: str = "board") -> _Solution:
    """The board or tiling of the given number (by default the first one) of a source.

    Raises InstanceError if the source has fewer.
    """
    wanted = 1 if number is None else number
    if 1 <= wanted <= len(solutions):
        return solutions[wanted - 1]
    held = f"contains {plural(len(solutions), word, str)}"
    raise InstanceError(f"{source}: there is no {word} {wanted}; the file {held}")


def solution_head(puzzle: Puzzle) -> dict[str, str]:
    """The first fields of a solution file."""
    return {"format": _FORMAT, "instance": puzzle.name, "sha256": fingerprint(puzzle)}


class SolutionWriter:
    """Writes a solution file, one board or tiling at a time; the file appears under its name when it is closed."""

    def __init__(self, file: IO[str], puzzle: Puzzle) -> None:
        self._file, self._data_of = file, files_of(puzzle.kind).solution_data(puzzle)
        self.written = 0
        file.write("{\n" + "\n".join(header_lines(solution_head(puzzle))) + '\n  "solutions": [')

    def add(self, solution: Arrangement | Tiling) -> None:
        """Write one solution."""
        self.add_text(json.dumps(self._data_of(solution), separators=(",", ":")))

    def add_text(self, text: str) -> None:
        """Write the text of one solution."""
        self._file.write("," if self.written else "")
        self._file.write("\n    " + text)
        self.written += 1

    def close(self) -> None:
        """Write the end of the list."""
        self._file.write("\n  ]\n}\n")


@contextmanager
def solution_writer(puzzle: Puzzle, path: str | Path) -> Iterator[SolutionWriter]:
    """Open a solution file (JSON) for writing; ``-`` is standard output."""
    format_for(path, INSTANCE_FORMATS, "json")
    with replacing(path) as file:
        writer = SolutionWriter(file, puzzle)
        yield writer
        writer.close()
