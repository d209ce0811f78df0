"""What pages show of a puzzle: the solutions in a file, its assemblies, or the board of a link."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ..base.errors import InstanceError, JigsatError, shortened
from ..base.safe_files import joined, label_of, text_parts
from .books import read_about
from .file_format import bundled_names, format_of, is_book
from .instances import MAX_BYTES, Puzzle, files_of, fingerprint, parse_puzzle, puzzle_source, read_puzzle
from .solutions import MAX_SOLUTION_BYTES, linked_board, listed_solutions, read_solutions

_OF_SOLUTIONS = re.compile(r'"format"\s*:\s*"jigsat-solution/1"')
_HASH, _NAME = re.compile(r'"sha256"\s*:\s*"([0-9a-f]{64})"'), re.compile(r'"instance"\s*:\s*"([^"\\]*)"')


@dataclass(frozen=True)
class ToShow:
    """A puzzle, what to show of it, and the word for one of those."""

    puzzle: Puzzle
    solutions: Sequence[Any]
    word: str = "solution"
    #: Where the puzzle is, if a file of solutions was given without it.
    source: str | Path | None = None


def to_show(
    instance: str | Path,
    solutions: str | Path | None = None,
    *,
    playing: bool = False,
    among: Sequence[str | Path] = (),
) -> ToShow:
    """The puzzle and the solutions of one or two sources.

    - `instance`: the puzzle, as for `read`; alone, a solution file for a bundled puzzle, a puzzle, which may have
      assemblies, or a link.
    - `solutions`: its solutions, as for `read_solutions`.
    - `playing`: whether the puzzle will be played, which is possible without solutions.
    - `among`: files of which some are puzzles; solutions without a puzzle may also be of one of these.

    Raises InstanceError if a source cannot be read, or a file of solutions is empty.
    """
    if solutions is None:
        return _alone(instance, playing=playing, among=among)
    puzzle = read_puzzle(instance)
    found = ToShow(puzzle, read_solutions(solutions, puzzle))
    if not found.solutions and not playing:
        raise InstanceError(f"{solutions}: contains no solutions")
    return found


def own_solutions(puzzle: Puzzle) -> Sequence[Any]:
    """The assemblies of a jigsaw, or the pieces of a dissection as they lie in its file, if they tile the target."""
    return files_of(puzzle.kind).own_solutions(puzzle)


def _alone(source: str | Path, *, playing: bool, among: Sequence[str | Path]) -> ToShow:
    """The contents of a source that is given without a puzzle: solutions, assemblies, or the board of a link."""
    if str(source) == "-" or os.path.isfile(source):
        label = label_of(source)
        if is_book(source):
            about = read_about(source)
            hashes, named = [about.get("sha256")], str(about.get("instance"))
            return _of_known(hashes, named, label, lambda puzzle: read_solutions(source, puzzle), among)
        parts = text_parts(source, MAX_SOLUTION_BYTES, lambda start: format_of(start, label))
        first = next(parts)
        if format_of(first, label) == "json" and _OF_SOLUTIONS.search(first):
            hashes, name = _HASH.findall(first), _NAME.search(first)
            whole = chain([first], parts)
            read = partial(listed_solutions, whole, label)
            return _of_known(hashes, name and name[1], label, read, among)
        text, bundled = joined(chain([first], parts), label, MAX_BYTES), False
    else:
        text, label, bundled = puzzle_source(source)
    kind = format_of(text, label)
    puzzle = parse_puzzle(text, label, bundled)
    if playing:
        return ToShow(puzzle, own_solutions(puzzle), "assembly")
    if kind == "url":
        return ToShow(puzzle, [linked_board(text, label, puzzle)], "board")
    assemblies = getattr(puzzle, "assemblies", ())
    return ToShow(puzzle, assemblies, "assembly" if assemblies else "solution")


def _of_known(
    hashes: list[Any], named: str | None, label: str, read: Callable[[Any], Sequence[Any]], among: Sequence[str | Path]
) -> ToShow:
    """The solutions in a file, read once their puzzle is found among these files or the bundled ones."""
    # The one of that name comes first: usually it is the right one.
    for source in (*among, *sorted(bundled_names(), key=lambda bundled: bundled != named)):
        with suppress(JigsatError):
            puzzle = read_puzzle(source)
            if fingerprint(puzzle) in hashes:
                break
    else:
        puzzle = source = None
    if puzzle is not None:
        return ToShow(puzzle, read(puzzle), source=source)
    of = f" of {shortened(named)}" if named else ""
    raise InstanceError(
        f"{label}: solutions{of}, which is not a bundled puzzle by its sha256; give INSTANCE before the file"
    )
