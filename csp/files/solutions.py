"""Solutions in files: boards and tilings, read and written."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeVar, overload

from ..base.errors import InstanceError, UsageError, shortened, told_of
from ..base.safe_files import label_of, read_text, replacing
from ..base.strict_json import header_lines, parsed, validated
from ..base.words import several
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, PuzzleTiling, Tiling, tiling_of
from ..puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from .board_rows import arrangement_from_rows, board_rows, check_pieces
from .community.csv_tables import parse_board_table
from .community.viewer_links import arrangement_of, is_link, parse_link
from .dissection_files import placed_pieces, tilings_of
from .file_format import format_for, format_of
from .growing.growing_file import PART, read_grown
from .instances import INSTANCE_FORMATS, Puzzle, fingerprint, parse_puzzle, puzzle_source
from .schemas import ITEM_NAMES, SolutionFile

# Files of solutions may be larger than puzzles.
MAX_SOLUTION_BYTES = 2**30

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
        table (CSV) or viewer links, one per line.
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

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or a viewer link.  The text may be a solution file, a table of boards (CSV),
        or viewer links, one a line.
    puzzle
        Their puzzle.

    Raises
    ------
    InstanceError
        If the file cannot be read, is for another puzzle, or a board has the wrong size.
    """
    if is_link(str(source)):
        return parse_solutions(str(source), "link", puzzle)
    label = label_of(source)
    text = read_text(source, MAX_SOLUTION_BYTES, lambda start: _format_of_boards(start, label))
    return parse_solutions(text, label, puzzle)


def load_tilings(source: str | Path, puzzle: DissectionPuzzle) -> list[PuzzleTiling]:
    """Read tilings from a solution file, a path or ``-`` for standard input.

    Raises
    ------
    InstanceError
        If the file cannot be read, is for another puzzle, or a tiling does not have every piece once.
    """
    label = label_of(source)

    def accept(start: str) -> None:
        if format_of(start, label) != "json":
            raise InstanceError(f"{label}: is not JSON, the only format for tilings")

    text = read_text(source, MAX_SOLUTION_BYTES, accept)
    return parse_tilings(_data(text, label), label, puzzle)


def _data(text: str, label: str) -> Any:
    """The data of a solution file; of a part of one, without what a write that was cut off has left."""
    try:
        return parsed(text, label)
    except InstanceError:
        grown = read_grown(label) if label.endswith(PART) else None
        if grown is None:
            raise
        return {**grown.head, "solutions": list(grown.lines())}


def parse_tilings(data: Any, label: str, puzzle: DissectionPuzzle) -> list[PuzzleTiling]:
    """Tilings from the data of a solution file; `label` names it in errors, which are those of `load_tilings`."""
    return [tiling_of(puzzle, tiling) for tiling in tilings_of(data, label, puzzle)]


def _format_of_boards(text: str, label: str) -> str:
    kind = format_of(text, label)
    if kind == "text":
        raise InstanceError(f"{label}: looks like piece text, which cannot represent boards")
    return kind


def parse_solutions(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[PuzzleBoard]:
    """Boards from text in any format for boards; `label` names it in errors, which are those of `load_solutions`."""
    return [board_of(puzzle, board) for board in _parsed_boards(text, label, puzzle)]


def _parsed_boards(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> list[Arrangement]:
    kind = _format_of_boards(text, label)
    if kind == "csv":
        return parse_board_table(text, puzzle, label)
    if kind == "url":
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        places = [(line, label if len(lines) == 1 else f"{label}: line {number}") for number, line in lines]
        return [arrangement_of(parse_link(line, place), puzzle, place) for line, place in places]
    return boards_of(_data(text, label), label, puzzle)


def boards_of(data: Any, label: str, puzzle: EdgeMatchingPuzzle) -> list[Arrangement]:
    """Boards from the data of a solution file; `label` names it in errors, which are those of `load_solutions`."""
    data = validated(SolutionFile, data, label, ITEM_NAMES)
    if data.sha256 != fingerprint(puzzle):
        raise InstanceError(
            f"{label}: sha256: the solutions are for another puzzle ({shortened(data.instance)}) than {puzzle.name}"
        )
    with told_of(label):
        boards = [
            arrangement_from_rows(rows, puzzle.board, f"solution {i}") for i, rows in enumerate(data.solutions, 1)
        ]
        for number, board in enumerate(boards, start=1):
            check_pieces(board, puzzle.board, len(puzzle.pieces), f"solution {number}")
    return boards


def read_with_board(source: str | Path) -> tuple[Puzzle, PuzzleBoard | None]:
    """A puzzle as for `read_puzzle` and, if it is a viewer link, the board that the link shows."""
    text, label = puzzle_source(source)
    puzzle = parse_puzzle(text, label)
    if isinstance(puzzle, DissectionPuzzle) or format_of(text, label) != "url":
        return puzzle, None
    return puzzle, linked_board(text, label, puzzle)


def linked_board(text: str, label: str, puzzle: EdgeMatchingPuzzle) -> PuzzleBoard:
    """The board that a viewer link shows."""
    return board_of(puzzle, arrangement_of(parse_link(text, label), puzzle, label))


def solutions_given(puzzle: Puzzle, given: Solutions) -> list[Any]:
    """Boards or tilings of a puzzle, from a file or from memory (one or several).

    Raises
    ------
    InstanceError
        As `read_solutions` does.
    UsageError
        If one of them is None, as the best board is after a search without success.
    """
    if isinstance(given, str | Path):
        return list(read_solutions(given, puzzle))
    some: list[Any] = list(given)
    if _is_one(puzzle, some):
        return [given if isinstance(given, PuzzleBoard | PuzzleTiling) else tuple(some)]
    if None in some:
        raise UsageError("there is no board: the search did not find one", "solution")
    return some


def _is_one(puzzle: Puzzle, items: list[Any]) -> bool:
    """Whether these are the squares of a board or the polygons of a tiling, and not several boards or tilings."""
    first = next((item for item in items if item is not None), None)
    if first is None:
        return not isinstance(puzzle, DissectionPuzzle) and len(items) == len(puzzle.board)
    if isinstance(puzzle, DissectionPuzzle):
        return not isinstance(first[0][0], Sequence)
    return hasattr(first[0], "__index__")


def numbered_one(solutions: Sequence[_Solution], number: int | None, source: str, word: str = "board") -> _Solution:
    """The board or tiling of the given number (by default the first one) of a source.

    Raises
    ------
    InstanceError
        If the source has fewer.
    """
    wanted = 1 if number is None else number
    if 1 <= wanted <= len(solutions):
        return solutions[wanted - 1]
    held = f"contains {several(len(solutions), word, str)}"
    raise InstanceError(f"{source}: there is no {word} {wanted}; the file {held}")


def solution_head(puzzle: Puzzle) -> dict[str, str]:
    """The first fields of a solution file."""
    return {"format": "jigsat-solution/1", "instance": puzzle.name, "sha256": fingerprint(puzzle)}


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
        self._file.write("," if self.written else "")
        self._file.write("\n    " + json.dumps(self._data_of(solution), separators=(",", ":")))
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


def save_solutions(puzzle: Puzzle, solutions: Iterable[Arrangement | Tiling], path: str | Path) -> None:
    """Write a solution file."""
    with solution_writer(puzzle, path) as writer:
        for solution in solutions:
            writer.add(solution)


def solution_data(puzzle: Puzzle) -> Callable[[Any], list[Any]]:
    """The function that converts a solution of the puzzle to the data of files and records."""
    if isinstance(puzzle, DissectionPuzzle):
        return placed_pieces
    return partial(board_rows, columns=puzzle.columns)
