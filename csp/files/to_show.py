"""What pages show of a puzzle: the solutions in a file, its assemblies, or the board of a link."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import InstanceError, shortened
from ..base.safe_files import label_of, read_text
from ..base.strict_json import parsed
from ..puzzles.dissection import DissectionPuzzle
from .bundled import bundled_names
from .file_format import format_of
from .instances import Puzzle, fingerprint, parse_puzzle, puzzle_source, read_puzzle
from .solutions import MAX_SOLUTION_BYTES, linked_board, parse_solutions, parse_tilings, read_solutions


@dataclass(frozen=True)
class ToShow:
    """A puzzle, what to show of it, and the word for one of those."""

    puzzle: Puzzle
    solutions: Sequence[Any]
    word: str = "solution"


def to_show(instance: str | Path, solutions: str | Path | None = None, *, playing: bool = False) -> ToShow:
    """The puzzle and the solutions of one or two sources.

    Parameters
    ----------
    instance
        The puzzle, as for `read`; alone, a solution file for a bundled puzzle, a jigsaw with assemblies, or a link.
    solutions
        Its solutions, as for `read_solutions`.
    playing
        Whether the puzzle will be played, which is possible without solutions.

    Raises
    ------
    InstanceError
        If a source cannot be read, or there is nothing to show.
    """
    if solutions is None:
        found = _alone(instance, playing=playing)
    else:
        puzzle = read_puzzle(instance)
        found = ToShow(puzzle, read_solutions(solutions, puzzle))
    if not found.solutions and not playing:
        raise InstanceError(f"{instance if solutions is None else solutions}: contains no solutions")
    return found


def _alone(source: str | Path, *, playing: bool) -> ToShow:
    """The contents of a source that is given without a puzzle: solutions, assemblies, or the board of a link."""
    if str(source) == "-" or os.path.isfile(source):
        label = label_of(source)
        text = read_text(source, MAX_SOLUTION_BYTES, lambda start: format_of(start, label))
    else:
        text, label = puzzle_source(source)
    kind = format_of(text, label)
    if kind == "json":
        data = parsed(text, label)
        if isinstance(data, dict) and data.get("format") == "jigsat-solution/1":
            return _solutions_of_bundled(data, text, label)
    puzzle = parse_puzzle(text, label)
    if playing:
        return ToShow(puzzle, getattr(puzzle, "assemblies", ()), "assembly")
    if isinstance(puzzle, DissectionPuzzle) or (kind != "url" and not puzzle.assemblies):
        where = "such as a file from `jigsat solve INSTANCE -o FILE`"
        raise InstanceError(f"{label}: is a puzzle without assemblies; also give SOLUTIONS, {where}")
    if kind == "url":
        return ToShow(puzzle, [linked_board(text, label, puzzle)], "board")
    return ToShow(puzzle, puzzle.assemblies, "assembly")


def _solutions_of_bundled(data: dict[str, Any], text: str, label: str) -> ToShow:
    """The solutions in a file; their puzzle is searched among the bundled ones."""
    wanted, name = data.get("sha256"), data.get("instance")
    # The one of that name comes first: usually it is the right one.
    for bundled in sorted(bundled_names(), key=lambda bundled: bundled != name):
        puzzle = read_puzzle(bundled)
        if fingerprint(puzzle) == wanted:
            if isinstance(puzzle, DissectionPuzzle):
                return ToShow(puzzle, parse_tilings(data, label, puzzle))
            return ToShow(puzzle, parse_solutions(text, label, puzzle))
    of = f" of {shortened(name)}" if isinstance(name, str) else ""
    raise InstanceError(
        f"{label}: solutions{of}, which is not a bundled puzzle by its sha256; give INSTANCE before the file"
    )
