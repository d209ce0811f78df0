"""Puzzles and boards as text in any of the formats, ours and the community's."""

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

from ..base.errors import InstanceError
from ..puzzles.board import Arrangement
from ..puzzles.dissection import DissectionPuzzle, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from .community.csv_tables import format_board_table, format_piece_table
from .community.piece_text import format_piece_text
from .community.viewer_links import format_link
from .instances import Puzzle, format_instance
from .solutions import SolutionWriter

#: The formats, with the endings of their files.
FORMATS = {"json": (".json",), "text": (".txt",), "csv": (".csv",), "url": (".url",)}


def puzzle_text(puzzle: Puzzle, kind: str, label: str, *, pieces_only: bool = False) -> str:
    """A puzzle in a format; name, source and known results are left out where there is no place for them.

    Parameters
    ----------
    puzzle
        What to write.
    kind
        One of `FORMATS`.
    label
        What errors call the puzzle.
    pieces_only
        Leave out fixed pieces and assemblies.

    Raises
    ------
    InstanceError
        If the format cannot hold the puzzle.
    """
    if isinstance(puzzle, DissectionPuzzle):
        if pieces_only:
            raise InstanceError("--pieces-only: a dissection has no fixed pieces or assemblies to leave out")
        _refuse_all_but_json(kind, label)
        return format_instance(puzzle)
    if pieces_only:
        puzzle = replace(puzzle, fixed=(), assemblies=())
    if kind == "json":
        return format_instance(puzzle)
    if puzzle.assemblies:
        raise InstanceError(f"{label}: {kind} cannot hold assemblies; write JSON, or the pieces only")
    if kind == "csv":
        return format_piece_table(puzzle)
    return format_piece_text(puzzle, label) if kind == "text" else format_link(puzzle, None, label) + "\n"


def boards_text(puzzle: EdgeMatchingPuzzle, boards: Sequence[Arrangement], kind: str, label: str) -> str:
    """Boards of a puzzle in a format; viewer links stand one a line.

    Raises
    ------
    InstanceError
        If the format cannot hold them.
    """
    if kind == "text":
        raise InstanceError(f"{label}: piece text holds pieces and no boards")
    if kind == "url":
        if not boards:
            raise InstanceError(f"{label}: a viewer link shows a board, and there is none to write")
        return "".join(format_link(puzzle, board, label) + "\n" for board in boards)
    if kind == "csv":
        if not all(map(any, boards)):
            raise InstanceError(f"{label}: a table of boards cannot hold an empty board")
        return format_board_table(puzzle, boards)
    return _solution_text(puzzle, boards)


def tilings_text(puzzle: DissectionPuzzle, tilings: Sequence[Tiling], kind: str, label: str) -> str:
    """Tilings of a dissection in a format, which must be JSON.

    Raises
    ------
    InstanceError
        If it is another one.
    """
    _refuse_all_but_json(kind, label)
    return _solution_text(puzzle, tilings)


def _solution_text(puzzle: Puzzle, solutions: Sequence[Arrangement] | Sequence[Tiling]) -> str:
    file = StringIO()
    writer = SolutionWriter(file, puzzle)
    for solution in solutions:
        writer.add(solution)
    writer.close()
    return file.getvalue()


def _refuse_all_but_json(kind: str, label: str) -> None:
    if kind != "json":
        raise InstanceError(f"{label}: {kind} is a format for squares; a dissection is written as JSON")
