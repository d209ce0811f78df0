"""What pages show of a puzzle: the solutions in a file, its assemblies, or the board of a link."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ..base.errors import InstanceError, shortened
from ..base.safe_files import joined, label_of, text_parts
from .books import read_about
from .file_format import bundled_names, format_of, is_book
from .instances import MAX_BYTES, Puzzle, files_of, fingerprint, parse_puzzle, puzzle_source, read_puzzle
from .sides import Reading, reading
from .solutions import MAX_SOLUTION_BYTES, linked_board, listed_solutions, read_solutions

_OF_SOLUTIONS = re.compile(r'"format"\s*:\s*"jigsat-solution/1"')
_HASH, _NAME = re.compile(r'"sha256"\s*:\s*"([0-9a-f]{64})"'), re.compile(r'"instance"\s*:\s*"([^"\\]*)"')


@dataclass(frozen=True)
class ToShow:
    """A puzzle, what to show of it, and the word for one of those."""

    puzzle: Puzzle
    solutions: Sequence[Any]
    word: str = "solution"


def to_show(
    instance: str | Path,
    solutions: str | Path | None = None,
    *,
    playing: bool = False,
    sides: str | None = None,
    border: str | None = None,
) -> ToShow:
    """The puzzle and the solutions of one or two sources.

    - `instance`: the puzzle, as for `read`; alone, a solution file for a bundled puzzle, a puzzle, which may have
      assemblies, or a link.
    - `solutions`: its solutions, as for `read_solutions`.
    - `playing`: whether the puzzle will be played, which is possible without solutions.
    - `sides`, `border`: how the puzzle's file lists the sides, and what it calls the border, as for `read`.

    Raises InstanceError if a source cannot be read, or a file of solutions is empty.
    """
    if solutions is None:
        return _alone(instance, reading(sides, border), playing=playing)
    puzzle = read_puzzle(instance, sides=sides, border=border)
    found = ToShow(puzzle, read_solutions(solutions, puzzle))
    if not found.solutions and not playing:
        raise InstanceError(f"{solutions}: contains no solutions")
    return found


def own_solutions(puzzle: Puzzle) -> Sequence[Any]:
    """The assemblies of a jigsaw, or the pieces of a dissection as they lie in its file, if they tile the target."""
    return files_of(puzzle.kind).own_solutions(puzzle)


def _alone(source: str | Path, told: Reading, *, playing: bool) -> ToShow:
    """The contents of a source that is given without a puzzle: solutions, assemblies, or the board of a link."""
    if str(source) == "-" or os.path.isfile(source):
        label = label_of(source)
        if is_book(source):
            about = read_about(source)
            hashes, named = [about.get("sha256")], str(about.get("instance"))
            return _of_bundled(hashes, named, label, lambda puzzle: read_solutions(source, puzzle))
        parts = text_parts(source, MAX_SOLUTION_BYTES, lambda start: format_of(start, label))
        first = next(parts)
        if format_of(first, label) == "json" and _OF_SOLUTIONS.search(first):
            hashes, name = _HASH.findall(first), _NAME.search(first)
            whole = chain([first], parts)
            return _of_bundled(hashes, name and name[1], label, lambda puzzle: listed_solutions(whole, label, puzzle))
        text = joined(chain([first], parts), label, MAX_BYTES)
    else:
        text, label = puzzle_source(source)
    kind = format_of(text, label)
    puzzle = parse_puzzle(text, label, told)
    if playing:
        return ToShow(puzzle, own_solutions(puzzle), "assembly")
    if kind == "url":
        return ToShow(puzzle, [linked_board(text, label, puzzle, told)], "board")
    assemblies = getattr(puzzle, "assemblies", ())
    return ToShow(puzzle, assemblies, "assembly" if assemblies else "solution")


def _of_bundled(hashes: list[Any], named: str | None, label: str, read: Callable[[Any], Sequence[Any]]) -> ToShow:
    """The solutions in a file, read once their puzzle is found among the bundled ones."""
    # The one of that name comes first: usually it is the right one.
    for bundled in sorted(bundled_names(), key=lambda bundled: bundled != named):
        puzzle = read_puzzle(bundled)
        if fingerprint(puzzle) in hashes:
            return ToShow(puzzle, read(puzzle))
    of = f" of {shortened(named)}" if named else ""
    raise InstanceError(
        f"{label}: solutions{of}, which is not a bundled puzzle by its sha256; give INSTANCE before the file"
    )
