"""The puzzles of an experiment: files, bundled puzzles, and generated families."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from glob import escape, has_magic, iglob
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...csp.base.errors import InstanceError, JigsatError, plural, shortened
from ...csp.base.safe_files import first_bytes, read_text
from ...csp.base.stop import Stop
from ...csp.files.file_format import bundled_names, bundled_paths, is_link
from ...csp.files.instances import Puzzle, read_puzzle
from ...csp.puzzles.board import BORDER
from ...csp.puzzles.dissection import DissectionPuzzle
from ..effort.search_effort import planted
from ..owen.complexity import hardest_inner_colors

if TYPE_CHECKING:
    from .files import EdgeMatchingFamily, Entry, InstanceFiles, JigsawFamily, NamedInstance

# How the file of a puzzle is read, by the names of the parameters of `read_puzzle`.
_READING = ("sides", "border")
# The time limit in seconds of the search for a jigsaw.
_PATIENCE = 120
# The largest number of files that a pattern may match.
_MOST_FILES = 10_000
# The beginning of a list, and the largest size of one, in bytes.
_HEAD, _LONGEST_LIST = 4096, 2**24
# The endings of the files of puzzles.
_ENDINGS = (".json", ".txt", ".csv", ".url")


@dataclass(frozen=True)
class Source:
    """The source of one puzzle."""

    #: The argument of `make_puzzle`: the puzzle's name, or all parameters of its family; JSON data.
    recipe: Mapping[str, Any]
    #: The name of the family: all puzzles that differ only in their seeds, or all files of one pattern or list.
    family: str
    #: The line of a list that names the puzzle, for errors; empty if none does.
    place: str = ""


def sources(entry: "Entry", folder: Path) -> Iterator[Source]:
    """The puzzles of an entry, the seeds outermost, so that the first runs of an experiment are a fair sample of it.

    Relative paths and patterns start at the folder.

    Raises InstanceError if no file matches a pattern.
    """
    from .files import EdgeMatchingFamily, InstanceFiles, JigsawFamily

    if isinstance(entry, EdgeMatchingFamily):
        yield from _edge_matching(entry)
    elif isinstance(entry, JigsawFamily):
        yield from _jigsaws(entry)
    elif isinstance(entry, InstanceFiles) or is_several(entry.instance, folder):
        for pattern in entry.files if isinstance(entry, InstanceFiles) else [entry.instance]:
            yield from (_in_file(entry, name, pattern, place) for place, name in named_by(pattern, folder))
    else:
        yield _in_file(entry, entry.instance, Path(entry.instance).stem)


def _in_file(entry: "NamedInstance | InstanceFiles", name: str, family: str, place: str = "") -> Source:
    return Source({"instance": name, **entry.model_dump(include={*_READING}, exclude_none=True)}, family, place)


def named_by(name: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The puzzles that a list, a folder or a pattern names, each after the line of the list, if it is one."""
    return _in_list(name, folder) if is_list(name, folder) else (("", one) for one in matching(name, folder))


def is_several(name: str, folder: Path) -> bool:
    """Whether a name stands for several puzzles: a folder, a list, or a pattern that is neither a file nor a link."""
    if os.path.isdir(folder / name):
        return name not in bundled_names()
    if is_list(name, folder):
        return True
    return has_magic(name) and not os.path.isfile(folder / name) and not is_link(name)


def matching(pattern: str, folder: Path) -> list[str]:
    """The files that match a pattern, or the files of puzzles in a folder, sorted by name.

    Raises InstanceError if nothing matches.
    """
    is_folder = os.path.isdir(folder / pattern)
    glob = os.path.join(escape(pattern), "*") if is_folder else pattern
    # No file has a null character in its name, and glob raises ValueError for some of them.
    names = [] if "\0" in pattern else sorted(islice(iglob(glob, root_dir=folder, recursive=True), _MOST_FILES + 1))
    what = f"files {shortened(pattern)!r}"
    if len(names) > _MOST_FILES:
        raise InstanceError(f"{what}: more than {_MOST_FILES} files in {folder} match")
    found = [name for name in names if (folder / name).is_file() and (not is_folder or _is_puzzle(folder / name))]
    if not found:
        empty = f"{shortened(pattern, 200)}: there is no puzzle in this folder"
        raise InstanceError(empty if is_folder else f"{what}: no file in {folder} matches")
    return found


def is_list(name: str, folder: Path) -> bool:
    """Whether a text file has names of puzzles: the first one is that of a file, a folder, or a bundled puzzle."""
    path = folder / name
    if path.suffix.lower() != ".txt" or not path.is_file():
        return False
    first = next(_lines(first_bytes(path, _HEAD).decode(errors="replace")), (0, ""))[1]
    is_name = first.lower().endswith(_ENDINGS) or first in bundled_names() or has_magic(first)
    return not is_link(first) and (is_name or (first != "" and os.path.isdir(path.parent / first)))


def _in_list(name: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The puzzles of a list, each after the line that names it; paths start at the folder of the list.

    Raises InstanceError if the list cannot be read, or nothing matches a pattern.
    """
    for number, line in _lines(read_text(folder / name, _LONGEST_LIST)):
        place, beside = f"{name}, line {number}", str(Path(name).parent / line)
        try:
            several = is_several(beside, folder) and not is_link(line)
            here = beside if several or os.path.isfile(folder / beside) else line
            yield from ((place, one) for one in (matching(here, folder) if several else [here]))
        except InstanceError as error:
            raise InstanceError(f"{place}: {error}") from error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a list with their numbers, without comments."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if (content := line.strip()) and not content.startswith("#"):
            yield number, content


def _is_puzzle(path: Path) -> bool:
    if path.suffix.lower() not in _ENDINGS:
        return False
    # A file of jigsat begins with its format.
    found = re.match(rb'\s*\{\s*"format"\s*:\s*"(jigsat[\w-]*)', first_bytes(path, 200))
    return found is None or found[1] == b"jigsat"


def _sizes(entry: "EdgeMatchingFamily | JigsawFamily") -> Iterator[tuple[int, int]]:
    if entry.columns is None:
        yield from ((rows, rows) for rows in entry.rows)
    else:
        yield from product(entry.rows, entry.columns)


def _edge_matching(entry: "EdgeMatchingFamily") -> Iterator[Source]:
    shared = {"distribution": entry.distribution, "unique": entry.unique, "asymmetric": entry.asymmetric}
    for seed, (rows, columns), wished, clues in product(entry.seeds, _sizes(entry), entry.inner_colors, entry.clues):
        inner = wished
        if isinstance(wished, str):
            # A word such as "hardest+1".
            inner = round(hardest_inner_colors(rows, columns)) + int(wished.removeprefix("hardest") or 0)
        for frame in entry.frame_colors or [max(min(5, min(rows, columns) - 3), 2)]:
            recipe = {
                "family": "edge-matching", "rows": rows, "columns": columns, "frame_colors": frame,
                "inner_colors": inner, "clues": clues, **shared, "random": entry.random, "seed": seed,
            }  # fmt: skip
            words = [f"{rows}x{columns}", f"{frame}+{inner} colours"]
            words += [plural(clues, "clue", str)] * bool(clues) + ["random sets"] * entry.random
            words += [word for word in ("unique", "asymmetric") if shared[word]]
            words += ["skewed"] * (entry.distribution == "skewed")
            yield Source(recipe, ", ".join(words))


def _jigsaws(entry: "JigsawFamily") -> Iterator[Source]:
    for seed, (rows, columns), solutions in product(entry.seeds, _sizes(entry), entry.solutions):
        recipe = {
            "family": "jigsaw", "rows": rows, "columns": columns, "solutions": solutions, "max_use": entry.max_use,
            "types": entry.types, "no_stay": entry.no_stay, "method": entry.method, "seed": seed,
        }  # fmt: skip
        words = [f"{rows}x{columns} jigsaws", plural(solutions, "solution", str)]
        words += [f"connectors on up to {entry.max_use} joins"] * (entry.max_use not in (None, 2))
        words += [f"{entry.types} connectors"] * (entry.types is not None) + ["no piece stays"] * entry.no_stay
        yield Source(recipe, ", ".join(words))


@lru_cache(maxsize=4)
def _loaded(name: str, folder: Path, sides: str | None = None, border: str | int | None = None) -> Puzzle:
    if name == "-":
        raise InstanceError("instance -: a puzzle from standard input cannot be used, because each run reads it again")
    beside, bundled = os.path.join(folder, name), {path.stem: path for path in bundled_paths()}
    if not os.path.isfile(beside) and name in bundled:
        return read_puzzle(bundled[name], sides=sides, border=border)
    # Never a file of the current folder: each run must find the same one.
    source = beside if os.path.isfile(beside) or os.path.isfile(name) else name
    return read_puzzle(source, sides=sides, border=border)


def make_puzzle(recipe: Mapping[str, Any], folder: Path) -> Puzzle:
    """The puzzle of a recipe; relative paths start at `folder`.

    Raises JigsatError if the puzzle cannot be read or made.
    """
    if "instance" in recipe:
        return _loaded(recipe["instance"], folder, *map(recipe.get, _READING))
    made = {name: value for name, value in recipe.items() if name != "family"}
    if recipe["family"] == "edge-matching":
        from ...csp.make.edge_matching import deal_edge_matching

        return deal_edge_matching(**made).puzzle
    from ...csp.make.jigsaw import search_jigsaw
    from ...csp.make.jigsaw_wishes import JigsawWishes

    jigsaw = search_jigsaw(JigsawWishes(**made), must_stop=Stop(_PATIENCE))
    if jigsaw.faults:
        what = f"none was found in {_PATIENCE} s, the nearest has {' and '.join(jigsaw.faults)}"
        raise JigsatError(f"{jigsaw.puzzle.name}: {what}")
    return jigsaw.puzzle


def facts_of(puzzle: Puzzle) -> dict[str, int]:
    """The size, colours and clues of a puzzle, for reports."""
    if isinstance(puzzle, DissectionPuzzle):
        return {"pieces": len(puzzle.pieces)}
    return {
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "squares": len(puzzle.board),
        "pieces": len(puzzle.pieces),
        "frame_colors": len({abs(color) for color in puzzle.frame_sides()} - {BORDER}),
        "inner_colors": len({abs(color) for color in puzzle.inner_sides()} - {BORDER}),
        "clues": len(puzzle.fixed),
        "planted": planted(puzzle),
    }
