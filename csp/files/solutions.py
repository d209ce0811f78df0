"""Solutions in files: boards and tilings, read and written."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from ..base.errors import InstanceError, shortened, told_of
from ..base.safe_files import label_of, read_text, replacing
from ..base.strict_json import header_lines, parsed, validated
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .board_rows import arrangement_from_rows, board_rows, check_pieces
from .community.csv_tables import parse_board_table
from .community.viewer_links import arrangement_of, is_link, parse_link
from .dissection_files import placed_pieces, tilings_of
from .file_format import format_of
from .instances import Puzzle, fingerprint
from .schemas import ITEM_NAMES, SolutionFile

# Files of solutions may be larger than puzzles.
MAX_SOLUTION_BYTES = 2**30


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
    with told_of(label):
        boards = [
            arrangement_from_rows(rows, puzzle.board, f"solution {i}") for i, rows in enumerate(data.solutions, 1)
        ]
        for number, board in enumerate(boards, start=1):
            check_pieces(board, puzzle.board, len(puzzle.pieces), f"solution {number}")
    return boards


class SolutionWriter:
    """Writes a solution file, solution by solution (boards or tilings), which appears under its name when closed.

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
