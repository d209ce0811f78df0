"""Solutions in files: boards and tilings, read and written."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from numbers import Number
from pathlib import Path
from typing import IO, Any, TypeVar, overload

from ..base.errors import InstanceError, UsageError, shortened, told_of
from ..base.safe_files import joined, label_of, replacing, text_parts
from ..base.strict_json import ItemNames, collected_later, header_lines, parsed, validated
from ..base.words import several
from ..puzzles.board import Arrangement, Placement
from ..puzzles.dissection import DissectionPuzzle, PuzzleTiling, Tiling, exact_tiling, tiling_of
from ..puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of, exact_board
from .board_rows import arrangement_from_rows, board_rows, check_pieces
from .books import read_book
from .bundled import bundled_names
from .community.board_text import read_boards, renumbered
from .community.csv_tables import is_board_header, parse_board_table
from .community.recolor import find_numbering
from .community.sides import Reading
from .community.viewer_links import arrangement_of, is_link, parse_link
from .dissection_files import TilingFile, placed_pieces, tiling_reader
from .file_format import PART, format_for, format_of, is_book
from .instances import INSTANCE_FORMATS, MAX_BYTES, Puzzle, fingerprint, parse_puzzle, puzzle_source, read_puzzle
from .schemas import ITEM_NAMES, SolutionFile
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
# The largest numbers of characters: of a square with its indentation, of a tiling, and of blanks in an entry.
_MOST_SQUARE, _MOST_TILING, _MOST_BLANKS = 256, 2**20, 2**16

#: A source of boards or tilings: a file or a link, one of them, or several.
Solutions = str | Path | Arrangement | Tiling | Iterable[Arrangement | Tiling | None]

_Solution = TypeVar("_Solution")


@overload
def read_solutions(source: str | Path, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]: ...
@overload
def read_solutions(source: str | Path, puzzle: DissectionPuzzle) -> list[PuzzleTiling]: ...
def read_solutions(source: str | Path, puzzle: Puzzle) -> list[PuzzleBoard] | list[PuzzleTiling]:
    """Read boards, full or partial, or tilings.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or a viewer link.  The text may be a solution file (JSON) or, for boards, a
        table (CSV), viewer links, one per line, or what solvers print: grids of piece/rotation, and tables of row,
        column, piece and rotation.  The file of a search that is not complete, whose name ends in ``.part``, has what
        was found so far.
    puzzle
        Their puzzle.

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
    return load_tilings(source, puzzle) if isinstance(puzzle, DissectionPuzzle) else load_solutions(source, puzzle)


def load_solutions(source: str | Path, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]:
    """Read boards, full or partial.

    - `source`: as for `read_solutions`.
    - `puzzle`: their puzzle.

    Raises InstanceError if the file cannot be read, is for another puzzle, or a board has the wrong size.
    """
    if is_link(str(source)):
        return _boards([str(source)], "link", puzzle)
    label = label_of(source)
    if is_book(source):
        return _of_book(label, puzzle)
    parts = text_parts(source, MAX_SOLUTION_BYTES, lambda start: _format_of_boards(start, label))
    return _boards(parts, label, puzzle)


def load_tilings(source: str | Path, puzzle: DissectionPuzzle) -> list[PuzzleTiling]:
    """Read tilings from a solution file, a path or ``-`` for standard input.

    Raises InstanceError if the file cannot be read, is for another puzzle, or a tiling does not have every piece once.
    """
    label = label_of(source)
    if is_book(source):
        return _of_book(label, puzzle)

    def accept(start: str) -> None:
        if format_of(start, label) != "json":
            raise InstanceError(f"{label}: is not JSON, the only format for tilings")

    return list(listed_solutions(text_parts(source, MAX_SOLUTION_BYTES, accept), label, puzzle))


def _format_of_boards(text: str, label: str) -> str:
    if any(is_link(line) for line in _uncommented(text.splitlines()[:_MOST_COMMENTS])):
        return "url"
    try:
        kind = format_of(text, label)
    except InstanceError:
        if not text.strip("\ufeff \t\r\n"):
            raise
        return "text"
    return "text" if kind == "csv" and not is_board_header(text) else kind


def _boards(parts: Iterable[str], label: str, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]:
    """The boards in a text in any format for boards."""
    parts = iter(parts)
    first = next(parts)
    kind, parts = _format_of_boards(first, label), chain([first], parts)
    if kind == "json":
        if '"format"' in first or len(first) > _MOST_BARE:
            return listed_solutions(parts, label, puzzle)
        return _bare_boards("".join(parts), label, puzzle)
    if kind == "csv":
        return [board_of(puzzle, board) for board in parse_board_table(lines_of(parts), puzzle, label)]
    if kind == "text":
        text = joined(parts, label, MAX_BYTES)
        return [board_of(puzzle, board) for board in read_boards(text, puzzle, label, partial(_numberings, puzzle))]
    lines = [(number, line) for number, line in enumerate(lines_of(parts), 1) if any(_uncommented([line]))]
    places = [(line, label if len(lines) == 1 else f"{label}: line {number}") for number, line in lines]
    return [linked_board(line, place, puzzle) for line, place in places]


def _bare_boards(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]:
    """Boards as lists without the head of a solution file, or in what `jigsat solve --json` prints."""
    data = parsed(text, label)
    if isinstance(data, dict) and "engine" in data:
        found = data.get("solutions") or [data.get("best_board")]
    elif isinstance(data, list):
        found = [data] if len(data) == puzzle.rows and _is_row(data[0], puzzle.columns) else data
    else:
        return listed_solutions([text], label, puzzle)
    return [board_of(puzzle, _board(rows, puzzle, number, label)) for number, rows in enumerate(found, start=1)]


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
        other = read_puzzle(name)
        if isinstance(other, EdgeMatchingPuzzle) and other.board == puzzle.board and other.rule is puzzle.rule:
            numbering = find_numbering(other.pieces, puzzle.pieces)
            if numbering is not None and numbering != [(piece, 0) for piece in range(len(puzzle.pieces))]:
                yield name, numbering


@overload
def listed_solutions(parts: Iterable[str], label: str, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]: ...
@overload
def listed_solutions(parts: Iterable[str], label: str, puzzle: DissectionPuzzle) -> list[PuzzleTiling]: ...
def listed_solutions(parts: Iterable[str], label: str, puzzle: Puzzle) -> Any:
    """Boards or tilings from the text of a solution file; each is checked before the next one is read.

    - `parts`: the text.
    - `label`: the name of the file in errors, which are those of `load_solutions` and `load_tilings`.
    """
    listed = JsonList(parts, label, "solutions", most_of_entry(puzzle))
    with collected_later():
        return list(_checked(listed.entries(), lambda: listed.fields, label, puzzle))


def _of_book(path: str, puzzle: Puzzle) -> Any:
    """The solutions in the book of a search, which may be at work."""
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
    read, numbering = solution_reader(puzzle, label), None
    for number, (entry, plain) in enumerate(entries, start=1):
        # Some fields may come after the solutions.
        if number == 1 and fields().keys() >= {"format", "instance", "sha256"}:
            numbering = _check_fields(fields(), label, puzzle)
        found = read(entry, number, plain)
        if numbering is not None and isinstance(puzzle, EdgeMatchingPuzzle):
            found = board_of(puzzle, renumbered(found, numbering))
        yield found
    if numbering is None and _check_fields(fields(), label, puzzle):
        raise _of_another(fields()["instance"], label, puzzle)


def _check_fields(fields: Mapping[str, Any], label: str, puzzle: Puzzle) -> list[Placement] | None:
    """Check the fields beside the solutions.  If they are of a bundled puzzle with the same pieces, which are these?"""
    schema = TilingFile if isinstance(puzzle, DissectionPuzzle) else SolutionFile
    data = validated(schema, dict(fields), label, ITEM_NAMES)
    if data.sha256 == fingerprint(puzzle):
        return None
    if isinstance(puzzle, EdgeMatchingPuzzle):
        for name in bundled_names(puzzle.kind):
            other = read_puzzle(name)
            if fingerprint(other) == data.sha256 and isinstance(other, EdgeMatchingPuzzle):
                numbering = find_numbering(other.pieces, puzzle.pieces) if other.board == puzzle.board else None
                if numbering is not None:
                    what = f"the boards are of {name}; {puzzle.name} has the same pieces, and they are found by these"
                    warnings.warn(f"{label}: {what}", UserWarning, stacklevel=2)
                    return numbering
    raise _of_another(data.instance, label, puzzle)


def _of_another(instance: str, label: str, puzzle: Puzzle) -> InstanceError:
    return InstanceError(
        f"{label}: sha256: the solutions are for another puzzle ({shortened(instance)}) than {puzzle.name}"
    )


def most_of_entry(puzzle: Puzzle) -> int:
    """The largest number of characters of a solution of a puzzle in a file."""
    return _MOST_BLANKS + (_MOST_TILING if isinstance(puzzle, DissectionPuzzle) else _MOST_SQUARE * len(puzzle.board))


def solution_reader(puzzle: Puzzle, label: str) -> Callable[[Any, int, bool], Any]:
    """A function that reads an entry of a solution file.

    Its parameters are the data, the number of the entry, and whether its text is known to be plain (`is_plain`).  It
    raises InstanceError if the entry is not a board or tiling of this size, or has unknown pieces.
    """
    if isinstance(puzzle, DissectionPuzzle):
        read = tiling_reader(puzzle, label)
        return lambda entry, number, plain: tiling_of(puzzle, read(entry, number))
    placements, shape = _Placements(len(puzzle.pieces)), [puzzle.columns] * puzzle.rows

    def read_board(rows: Any, number: int, plain: bool) -> PuzzleBoard:
        try:
            if plain and list(map(len, rows)) == shape:
                return PuzzleBoard(
                    [None if square is None else placements[tuple(square)] for row in rows for square in row], puzzle
                )
        except (TypeError, ValueError, KeyError):
            pass
        return board_of(puzzle, _board(rows, puzzle, number, label))

    return read_board


class _Placements(dict[Any, Placement]):
    """The placements of the pieces by what stands in files; boards share them."""

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces

    def __missing__(self, entry: Any) -> Placement:
        piece, rotation = entry
        if not (1 <= piece <= self._pieces and 0 <= rotation <= 3):
            raise KeyError(entry)
        self[entry] = Placement(piece - 1, rotation)
        return self[entry]


def _board(rows: Any, puzzle: EdgeMatchingPuzzle, number: int, label: str) -> Arrangement:
    """The board in an entry, or the error that says what is wrong."""
    what, head = f"solution {number}", {"format": _FORMAT, "instance": "", "sha256": "0" * 64}
    names: ItemNames = {**ITEM_NAMES, "solutions": ((what,),)}
    (rows,) = validated(SolutionFile, {**head, "solutions": [rows]}, label, names).solutions
    with told_of(label):
        board = arrangement_from_rows(rows, puzzle.board, what)
        check_pieces(board, puzzle.board, len(puzzle.pieces), what)
    return board


def read_with_board(source: str | Path, told: Reading | None = None) -> tuple[Puzzle, PuzzleBoard | None]:
    """A puzzle as for `read_puzzle` and, if it is a viewer link, the board that the link shows."""
    text, label = puzzle_source(source)
    puzzle = parse_puzzle(text, label, told)
    if isinstance(puzzle, DissectionPuzzle) or format_of(text, label) != "url":
        return puzzle, None
    return puzzle, linked_board(text, label, puzzle, told)


def linked_board(text: str, label: str, puzzle: EdgeMatchingPuzzle, told: Reading | None = None) -> PuzzleBoard:
    """The board that a viewer link shows."""
    return board_of(puzzle, arrangement_of(parse_link(text, label, told), puzzle, label))


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
    some: list[Any] = list(given) if isinstance(given, Iterable) else [given]
    try:
        is_one = _is_one(puzzle, some)
    except (LookupError, TypeError):
        what = "a tiling" if isinstance(puzzle, DissectionPuzzle) else "a board"
        why = f"{shortened(repr(given))} is neither {what} nor a list of several"
        raise UsageError(why, option) from None
    if is_one:
        some = [given if isinstance(given, PuzzleBoard | PuzzleTiling) else tuple(some)]
    found = []
    for number, one in enumerate(some, start=1):
        if one is None:
            raise UsageError("there is no board: the search did not find one", option)
        with told_of(option if len(some) == 1 else f"{option} {number}"):
            found.append(exact_solution(puzzle, one))
    return found


def none_in(source: object, what: str) -> InstanceError:
    """The error that a file, which is named, holds none of what is needed, such as a board to check."""
    if str(source).endswith(PART):
        why = "no solution was found yet; the search that writes this part is at work, or --resume continues it"
        return InstanceError(f"{source}: {why}")
    return InstanceError(f"{source}: holds no {what}")


def exact_solution(puzzle: Puzzle, given: Any) -> Any:
    """A board or a tiling from any sequence; errors are those of `exact_board` and `exact_tiling`."""
    return exact_tiling(puzzle, given) if isinstance(puzzle, DissectionPuzzle) else exact_board(puzzle, given)


def _is_one(puzzle: Puzzle, items: list[Any]) -> bool:
    """Whether these are the squares of a board or the polygons of a tiling, and not several boards or tilings.

    Raises LookupError or TypeError if they are something else, such as texts or empty lists.
    """
    firsts = [item[0] for item in items if item is not None]
    if not firsts:
        return not isinstance(puzzle, DissectionPuzzle) and len(items) == len(puzzle.board)
    if any(isinstance(first, str) for first in firsts):
        raise TypeError
    if isinstance(puzzle, DissectionPuzzle):
        return not hasattr(firsts[0][0], "__len__")
    return isinstance(firsts[0], Number)


def numbered_one(solutions: Sequence[_Solution], number: int | None, source: str, word: str = "board") -> _Solution:
    """The board or tiling of the given number (by default the first one) of a source.

    Raises InstanceError if the source has fewer.
    """
    wanted = 1 if number is None else number
    if 1 <= wanted <= len(solutions):
        return solutions[wanted - 1]
    held = f"contains {several(len(solutions), word, str)}"
    raise InstanceError(f"{source}: there is no {word} {wanted}; the file {held}")


def solution_head(puzzle: Puzzle) -> dict[str, str]:
    """The first fields of a solution file."""
    return {"format": _FORMAT, "instance": puzzle.name, "sha256": fingerprint(puzzle)}


class SolutionWriter:
    """Writes a solution file, one board or tiling at a time; the file appears under its name when it is closed.

    Examples
    --------
    >>> from jigsat import read
    >>> from jigsat.csp.engines.registry import find_engine
    >>> puzzle = read("clue3")
    >>> with solution_writer(puzzle, "out.json") as writer:
    ...     writer.add(next(find_engine("backtrack").solutions(puzzle)))
    """

    def __init__(self, file: IO[str], puzzle: Puzzle) -> None:
        self._file, self._data_of = file, solution_data(puzzle)
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


def solution_data(puzzle: Puzzle) -> Callable[[Any], list[Any]]:
    """The function that converts a solution of the puzzle to the data of files and records."""
    if isinstance(puzzle, DissectionPuzzle):
        return placed_pieces
    return partial(board_rows, columns=puzzle.columns)
