"""Puzzles, boards and tilings as text and as files in any format, jigsat's or the community's."""

import csv
import shlex
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ..base.errors import InstanceError, PuzzleError, UsageError, told_of
from ..base.safe_files import refuse_same_file, replacing
from ..puzzles.board import SIDE_NAMES, Arrangement
from ..puzzles.dissection import PuzzleTiling, Tiling
from ..puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, Rule
from .file_format import format_for, refuse_form
from .instances import Puzzle, files_of, fingerprint, read_puzzle, readable_instance
from .solutions import SolutionWriter, read_solutions, solution_writer
from .square_files import check_pieces


def format_piece_text(puzzle: EdgeMatchingPuzzle, label: str) -> str:
    """The piece text of a puzzle, below a line with its rows and columns; 0 is the border.  `piece_lists` reads it.

    Raises InstanceError if the puzzle is a jigsaw, has fixed pieces or is of another form than a rectangle with a frame
    or a free rim, which this format cannot hold.
    """
    if puzzle.rule is not Rule.EQUAL:
        raise InstanceError(f"{label}: piece text cannot represent connectors; write JSON or CSV")
    if puzzle.fixed:
        raise InstanceError(f"{label}: piece text cannot represent fixed pieces; write JSON or CSV, or the pieces only")
    refuse_form(puzzle, "piece text", label)
    lines = [f"{down} {left} {up} {right}" for up, right, down, left in puzzle.pieces]
    return "\n".join([f"{puzzle.rows} {puzzle.columns}", *lines, ""])


# The columns of tables of pieces, and of boards.
_PIECES = ("piece", *SIDE_NAMES, "square", "rotation", "fixed")
_BOARDS = ("solution", "square", "piece", "rotation")
#: The formats, with the endings of their files.
FORMATS = {"json": (".json",), "text": (".txt",), "csv": (".csv",), "url": (".url",)}
#: The formats in which solutions are written as they are found.
SOLUTION_FORMATS = {"json": (".json",), "url": (".url",)}


def convert(
    source: Puzzle | str | Path,
    target: str | Path,
    *,
    puzzle: Puzzle | str | Path | None = None,
    to: str | None = None,
    pieces_only: bool = False,
    sides: str | Iterable[str] | None = None,
    border: str | int | None = None,
) -> None:
    """Write a puzzle, or boards or tilings of one, in another format; `api.files.convert` documents the parameters."""
    kind = to or ("json" if str(target) == "-" else format_for(target, FORMATS, None, "to"))
    if kind not in FORMATS:
        raise UsageError(f"unknown format {kind}; choose from {', '.join(FORMATS)}", "to")
    label = "standard output" if str(target) == "-" else str(target)
    if puzzle is not None or pieces_only:
        # Otherwise the same file has the same puzzle afterwards.
        refuse_same_file(target, *(one for one in (source, puzzle) if isinstance(one, str | Path)))
    if puzzle is None:
        text = puzzle_text(_puzzle(source, sides, border), kind, label, pieces_only=pieces_only)
    else:
        if not isinstance(source, str | Path):
            raise UsageError("is for a source with boards or tilings, but the source is a puzzle itself", "puzzle")
        if pieces_only:
            raise UsageError("is for a puzzle, but the source has boards or tilings of one; omit it", "pieces_only")
        of = _puzzle(puzzle, sides, border)
        text = solutions_text(of, read_solutions(source, of), kind, label)
    with replacing(target) as file:
        file.write(text)


def _puzzle(source: Puzzle | str | Path, sides: str | Iterable[str] | None, border: str | int | None) -> Puzzle:
    if isinstance(source, str | Path):
        return read_puzzle(source, sides=sides, border=border)
    for option, value in (("sides", sides), ("border", border)):
        if value is not None:
            raise UsageError("is for a puzzle in a file, but this one is in memory", option)
    return source


def write(puzzle: Puzzle, solutions: Iterable[Arrangement | Tiling | None], path: str | Path) -> None:
    """Write boards or tilings of a puzzle to a file, completely or not at all.

    Parameters
    ----------
    puzzle
        The puzzle.
    solutions
        Boards, full or partial, or tilings; an iterator such as that of `solutions` will do.  Solutions that jigsat
        found or read refer to their puzzle; they are written as solutions of that one, with a warning (`UserWarning`)
        if it is not the given puzzle.
    path
        The file, which is replaced if it exists; ``-`` for standard output.  If it ends in ``.url``, boards are written
        as viewer links, one per line; otherwise as a solution file (JSON).

    Raises
    ------
    UsageError
        If one of them is None, as the best board is after a search without success, or they are of several puzzles.
    InstanceError
        If a solution does not fit the puzzle, the format cannot represent it, or the file cannot be written.

    Examples
    --------
    >>> from jigsat import read, solve
    >>> puzzle = read("clue3")
    >>> write(puzzle, [solve(puzzle).best_board], "solution.json")
    """
    rest = _present(solutions)
    first = list(islice(rest, 1))
    owner = _owner(puzzle, first[0]) if first else puzzle
    if owner is not puzzle:
        what = (
            f"the solutions are for {owner.name}, not for {puzzle.name}; they are written as solutions of {owner.name}"
        )
        warnings.warn(what, UserWarning, stacklevel=2)
    with solutions_file(owner, path) as add:
        for solution in chain(first, rest):
            if owner is not _owner(owner, solution):
                raise UsageError("are for several puzzles; a file can hold solutions of one only", "solutions")
            add(_fitting(owner, solution))


def _present(solutions: Iterable[Arrangement | Tiling | None]) -> Iterator[Arrangement | Tiling]:
    for solution in solutions:
        if solution is None:
            raise UsageError("there is no board to write", "solutions")
        yield solution


def _owner(puzzle: Puzzle, solution: Arrangement | Tiling) -> Puzzle:
    """The puzzle of a solution: the given one unless the solution refers to another one."""
    if not isinstance(solution, PuzzleBoard | PuzzleTiling) or solution.puzzle is puzzle:
        return puzzle
    return puzzle if _fingerprint(solution.puzzle) == _fingerprint(puzzle) else solution.puzzle


# Thousands of solutions may share a puzzle object that is equal to the given one but not identical.
_fingerprint = lru_cache(maxsize=4)(fingerprint)


def _fitting(puzzle: Puzzle, solution: Any) -> Any:
    """A board, which may have pairs of numbers, or a tiling; raises InstanceError if it does not fit the puzzle."""
    with told_of(puzzle.name):
        found = files_of(puzzle.kind).exact_solution(puzzle, solution)
    if isinstance(puzzle, EdgeMatchingPuzzle):
        try:
            check_pieces(found, puzzle.board, len(puzzle.pieces), puzzle.name, flips=bool(puzzle.flip))
        except PuzzleError as error:
            raise InstanceError(str(error)) from error
    return found


@contextmanager
def solutions_file(puzzle: Puzzle, path: str | Path) -> Iterator[Callable[[Any], object]]:
    """Open a file for solutions, which come one after the other; its ending decides the format, as for `write`.

    Raises UsageError if the ending is another one than ``.json`` or ``.url``. Raises InstanceError if the format cannot
    represent the puzzle.
    """
    if format_for(path, SOLUTION_FORMATS, "json") == "json":
        with solution_writer(puzzle, path) as writer:
            yield writer.add
        return
    refuse_format(puzzle, path)
    with replacing(path) as file:
        yield lambda board: print(solutions_text(puzzle, [board], "url", str(path)), end="", file=file, flush=True)


def refuse_format(puzzle: Puzzle, path: str | Path) -> None:
    """Raise InstanceError, before the search, if a file with this ending cannot have its solutions."""
    if format_for(path, SOLUTION_FORMATS, "json") == "json":
        return
    solutions_text(puzzle, [(None,) * len(getattr(puzzle, "board", ()))], "url", str(path))


def puzzle_text(puzzle: Puzzle, kind: str, label: str, *, pieces_only: bool = False) -> str:
    """A puzzle in a format; name, source and known results are omitted if the format has no place for them.

    - `kind`: one of `FORMATS`.
    - `label`: the name of the puzzle in error messages.
    - `pieces_only`: omit fixed pieces and assemblies.

    Raises InstanceError if the format cannot represent the puzzle, or something in it.
    """
    if pieces_only:
        if not isinstance(puzzle, EdgeMatchingPuzzle):
            raise UsageError("has no meaning for a dissection, which has no fixed pieces or assemblies", "pieces_only")
        puzzle = puzzle.pieces_only()
    _refuse_others(puzzle, kind, label)
    if kind == "json":
        return readable_instance(puzzle, label)
    squares: Any = puzzle
    if squares.assemblies:
        raise InstanceError(f"{label}: {kind} cannot represent assemblies; write JSON, or the pieces only")
    if kind == "text":
        return format_piece_text(squares, label)
    if kind == "url":
        from .viewer_links import format_link

        return format_link(squares, None, label) + "\n"
    refuse_form(squares, "a table of pieces", label)
    return format_piece_table(squares)


def solutions_text(puzzle: Puzzle, solutions: Sequence[Any], kind: str, label: str) -> str:
    """Boards or tilings of a puzzle in a format; viewer links are one per line.

    Raises InstanceError if the format cannot represent them.
    """
    _refuse_others(puzzle, kind, label)
    squares: Any = puzzle
    if kind == "text":
        raise InstanceError(f"{label}: piece text cannot represent boards, only pieces")
    if kind == "url":
        from .viewer_links import format_link

        if not solutions:
            raise InstanceError(f"{label}: a viewer link needs a board, but there is no board to write")
        return "".join(format_link(squares, board, label) + "\n" for board in solutions)
    if kind == "csv":
        if not all(map(any, solutions)):
            raise InstanceError(f"{label}: a table of boards cannot represent an empty board")
        return format_board_table(squares, solutions)
    file = StringIO()
    writer = SolutionWriter(file, puzzle)
    for solution in solutions:
        writer.add(solution)
    writer.close()
    return file.getvalue()


def _refuse_others(puzzle: Puzzle, kind: str, label: str) -> None:
    """Refuse a format that is not one of this kind of puzzle."""
    formats = files_of(puzzle.kind).FORMATS
    if kind not in formats:
        raise InstanceError(f"{label}: {kind} is not a format for {puzzle.kind}s; write {formats[0].upper()}")


def format_piece_table(puzzle: EdgeMatchingPuzzle) -> str:
    """The table of a puzzle's pieces."""
    name = shlex.quote(" ".join(puzzle.name.split()))
    head = f"# kind={puzzle.kind} rows={puzzle.rows} columns={puzzle.columns} name={name}\n"
    fixed = {
        piece: (puzzle.board.name(square), rotation, place)
        for place, (square, piece, rotation) in enumerate(puzzle.fixed, start=1)
    }
    columns = _PIECES if fixed else _PIECES[:5]
    rows = [
        (number, *sides, *fixed.get(number - 1, ("", "", ""))) for number, sides in enumerate(puzzle.pieces, start=1)
    ]
    return head + _written([columns, *(row[: len(columns)] for row in rows)])


def format_board_table(puzzle: EdgeMatchingPuzzle, boards: Iterable[Arrangement]) -> str:
    """The table of some boards; none of them may be empty."""
    rows = [
        (number, puzzle.board.name(square), placed.piece + 1, placed.rotation)
        for number, board in enumerate(boards, start=1)
        for square, placed in enumerate(board)
        if placed is not None
    ]
    return _written([_BOARDS, *rows])


def _written(rows: Iterable[Iterable[object]]) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
