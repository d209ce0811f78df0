"""Puzzles in files: reading and writing them, in any format.

What most files do not need, such as the formats of others, is imported where it is used.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InstanceError, UsageError, misspelt, shortened, suggestion, told_of
from ..base.safe_files import label_of, read_text, replacing
from ..base.strict_json import header_lines, parsed, refuse_halves, validated
from ..puzzles.board import Board
from ..puzzles.dissection import DissectionPuzzle
from ..puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ..puzzles.symmetry import symmetries
from . import square_files
from .file_format import (
    BUNDLED,
    KINDS,
    bundled_names,
    bundled_paths,
    format_for,
    format_of,
    is_book,
    is_link,
    is_markup,
)

if TYPE_CHECKING:
    from .sides import Reading

# A board of 1024 x 1024 squares with two assemblies takes at most 87 MiB.
MAX_BYTES = 128 * 2**20
# Such a board has fewer lists, objects, names and numbers.
_MOST_MARKS = {"[": 2**22, "{": 2**20, ":": 2**22, ",": 2**24}

# A name like an unknown one is looked for among this many files, with these endings.
_MOST_FILES, _ENDINGS = 1000, (".json", ".csv", ".txt", ".puz", ".url", ".gz")
# Names with the same ending are alike.
_LIKE_A_FILE = 0.8

#: The formats in which puzzles are saved; `convert` writes others.
INSTANCE_FORMATS = {"json": (".json",)}
#: A puzzle of any kind.
Puzzle = EdgeMatchingPuzzle | DissectionPuzzle


def files_of(kind: str) -> Any:
    """The module that reads and writes puzzles of a kind and their solutions."""
    if kind != "dissection":
        return square_files
    from . import dissection_files

    return dissection_files


def read_squares(
    source: str | Path, *, sides: str | Iterable[str] | None = None, border: str | int | None = None
) -> EdgeMatchingPuzzle:
    """Read an edge-matching puzzle or a jigsaw; parameters and errors as for `read`; a dissection is an error, too."""
    puzzle = read_puzzle(source, sides=sides, border=border)
    if isinstance(puzzle, DissectionPuzzle):
        raise InstanceError(f"{label_of(source)}: is a dissection, but an edge-matching puzzle or a jigsaw is expected")
    return puzzle


def read_dissection(source: str | Path) -> DissectionPuzzle:
    """Read a dissection; parameters and errors as for `read`; another kind is an error, too."""
    puzzle = read_puzzle(source)
    if not isinstance(puzzle, DissectionPuzzle):
        raise InstanceError(f"{label_of(source)}: is of the kind {puzzle.kind}, but a dissection is expected")
    return puzzle


def list_puzzles(*words: str, kind: str | None = None) -> list[dict[str, Any]]:
    """Return the bundled puzzles, by kind and then in alphabetical order.

    Parameters
    ----------
    *words
        Only puzzles with all of these words in their name, kind, size or description, in either case.
    kind
        Only puzzles of this kind: ``"edge-matching"``, ``"jigsaw"`` or ``"dissection"``.

    Returns
    -------
    list of dict
        For each puzzle its `name`, `kind`, `rows` and `columns` (None for dissections), the number of `pieces`, the
        number of different `solutions` if it is known, what it is `about`, and its `source`.

    Raises
    ------
    UsageError
        If there is no such kind, or none of the puzzles has the words.

    Examples
    --------
    >>> [puzzle["name"] for puzzle in list_puzzles("convex", kind="dissection")][:2]
    ['nineteen-forms-1', 'nineteen-forms-2']
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"unknown kind {misspelt(kind, KINDS)}, choose from {', '.join(KINDS)}")
    about = json.loads((BUNDLED / "about.json").read_text(encoding="utf-8"))
    found = []
    for path in bundled_paths(*filter(None, [kind])):
        puzzle = read_puzzle(path)
        facts = {**described(puzzle), "name": path.stem, "about": about.get(path.stem, puzzle.source)}
        size = f"{facts['rows']}x{facts['columns']}", f"{facts['pieces']} pieces"
        texts = path.stem, puzzle.kind, *size, facts["about"]
        if not all(any(word.lower() in text.lower() for text in texts) for word in words):
            continue
        found.append(facts)
    if not found:
        unknown = misspelt(" ".join(words), [*KINDS, *bundled_names()])
        raise UsageError(f"no bundled puzzle has {unknown} in its name, kind, size or description")
    return found


def described(puzzle: Puzzle) -> dict[str, Any]:
    """The facts of `list_puzzles` about any puzzle; what it is `about` is its source."""
    rows, columns = (None, None) if isinstance(puzzle, DissectionPuzzle) else (puzzle.rows, puzzle.columns)
    facts = {"name": puzzle.name, "kind": puzzle.kind, "rows": rows, "columns": columns}
    known = {"pieces": len(puzzle.pieces), "solutions": stated_number(puzzle)}
    return {**facts, **known, "about": puzzle.source, "source": puzzle.source}


def stated_number(puzzle: Puzzle) -> int | None:
    """The number of different solutions that a puzzle's file states, perhaps by their number in all; None without."""
    different, count = puzzle.known.get("canonical_count"), puzzle.known.get("count")
    if different is None and isinstance(count, int) and isinstance(puzzle, EdgeMatchingPuzzle):
        found = symmetries(puzzle)
        different = count // found.product if found.regular and count % found.product == 0 else None
    return different if isinstance(different, int) else None


def require_jigsaw(puzzle: Puzzle, has: str) -> EdgeMatchingPuzzle:
    """The puzzle, which must be a jigsaw; `has` says what only jigsaws have.

    Raises InstanceError if it is of another kind.
    """
    if not isinstance(puzzle, EdgeMatchingPuzzle) or puzzle.rule is not Rule.OPPOSITE:
        raise InstanceError(f"{puzzle.name}: is of the kind {puzzle.kind}, but only jigsaws have {has}")
    return puzzle


def require_frame(jigsaw: EdgeMatchingPuzzle, what: str) -> EdgeMatchingPuzzle:
    """The jigsaw, which must be a rectangle with a straight rim, of pieces that are not turned over.

    - `what`: what is made for such jigsaws only.

    Raises InstanceError if it is of another form.
    """
    forms = [words for name, words in jigsaw.forms.items() if name != "turn"]
    if forms:
        only = f"{what} for rectangles with a straight rim, whose pieces are not turned over"
        raise InstanceError(f"{jigsaw.name}: {only}, but this jigsaw has {', '.join(forms)}")
    return jigsaw


def read_puzzle(
    source: str | Path, *, sides: str | Iterable[str] | None = None, border: str | int | None = None
) -> Puzzle:
    """The puzzle in a file, of a bundled name or of a link; parameters and errors are those of `jigsat.read`."""
    if sides is None and border is None:
        return parse_puzzle(*puzzle_source(source))
    from .sides import reading

    return parse_puzzle(*puzzle_source(source), reading(sides, border))


def puzzle_source(source: str | Path) -> tuple[str, str, bool]:
    """The text of a puzzle named as for `read_puzzle`, its label for errors, and whether it is bundled, thus valid."""
    name = str(source)
    if is_link(name):
        return _in_utf8(name), "link", False
    if not name:
        raise InstanceError("the name of the puzzle is empty; give that of a file or of a bundled puzzle")
    path = Path(source)
    if name != "-" and not os.path.isfile(path):
        found = [candidate for candidate in bundled_paths() if candidate.stem == name]
        if not found and not os.path.exists(path):
            bundled = f"nor a bundled puzzle of that name{_similar(name)}; see `jigsat list`"
            raise InstanceError(f"{shortened(name, 200)}: there is no such file, {bundled}")
        path = found[0] if found else path
    label = label_of(source)
    if is_book(path):
        raise InstanceError(f"{label}: is the book of a search or other work; give the puzzle, too")
    return read_text(path, MAX_BYTES, lambda start: format_of(start, label)), label, path.parent.parent == BUNDLED


def _similar(name: str) -> str:
    """The end of a message about an unknown puzzle: the bundled puzzle or file with the most similar name."""
    folder, files = Path(name).parent, list[str]()
    with suppress(OSError, ValueError):
        files = sorted(str(path) for path in islice(folder.iterdir(), _MOST_FILES) if path.suffix.lower() in _ENDINGS)
    return suggestion(name, bundled_names()) or suggestion(name, files, _LIKE_A_FILE)


def parse_puzzle(text: str, label: str = "instance", bundled: bool = False, told: "Reading | None" = None) -> Puzzle:
    """A puzzle from text in any format; `label` names it in errors, and `told` says how sides and border are written.

    Raises InstanceError if the text is not a puzzle. Raises UsageError if `told` says something that dissections do not
    have.
    """
    kind = format_of(text, label)
    if kind == "json":
        return parse_instance(text, label, bundled, told)
    if kind == "url":
        from .viewer_links import parse_link, puzzle_of

        return puzzle_of(parse_link(text, label, told), label)
    if is_markup(text):
        # Its words would be read as those of colours.
        raise InstanceError(f"{label}: is not a puzzle but XML or HTML; `jigsat make dissection` reads drawings (SVG)")
    from .piece_lists import parse_pieces

    return parse_pieces(text, label, name_of(label), told)


def name_of(label: str) -> str:
    """The name of a puzzle that has no name in its file."""
    return "puzzle" if label == label_of("-") else _in_utf8(Path(label).stem)[:200] or "puzzle"


def _in_utf8(text: str) -> str:
    """A name from the command line, which may contain bytes that are not characters."""
    return text.encode("utf-8", "replace").decode()


def parse_instance(text: str, label: str = "instance", bundled: bool = False, told: "Reading | None" = None) -> Puzzle:
    """A puzzle from the text of an instance file, or of another program's JSON; `label` names the file in errors.

    Raises InstanceError if the text is not an instance. Raises UsageError if `told` says something that dissections do
    not have.
    """
    for mark, most in _MOST_MARKS.items():
        if text.count(mark) > most:
            raise InstanceError(f"{label}: more than {most} times {mark!r}; no puzzle has as many entries")
    try:
        data = parsed(text, label, decimals=True)
    except InstanceError as error:
        return _rows_in_brackets(text, label, told, error)
    if not isinstance(data, dict) or not data.keys() & {"format", "kind"}:
        from .piece_lists import parse_foreign

        foreign = parse_foreign(data, label, name_of(label), told)
        if foreign is not None:
            return foreign
    if bundled:
        file = files_of(data["kind"]).plain(data)
    else:
        from .schemas import INSTANCES, Head

        kind = validated(Head, data, label, {}).kind
        file = validated(INSTANCES[kind], data, label, files_of(kind).item_names(data))
    file.name = file.name or name_of(label)
    known = file.known if bundled else file.known.model_dump(exclude_unset=True)
    refuse_halves(file.source, f"{label}: source")
    refuse_halves(json.dumps(known, ensure_ascii=False), f"{label}: known")
    with told_of(label):
        return files_of(file.kind).puzzle_from(file, known, label, told)


def _rows_in_brackets(text: str, label: str, told: "Reading | None", error: InstanceError) -> EdgeMatchingPuzzle:
    """The puzzle in lines such as ``{0, 3, 4, 1},`` of a program, which are not JSON."""
    if not re.match(r"[\ufeff\s]*[\[{]\s*[\[{(]?\s*[\w-]+\s*[, ]", text):
        raise error
    from .piece_lists import parse_pieces

    try:
        return parse_pieces(text, label, name_of(label), told)
    except InstanceError as other:
        why = str(other).removeprefix(f"{label}: ")
        raise InstanceError(f"{error}; as lines of pieces: {why}") from error


def fingerprint(puzzle: Puzzle) -> str:
    """SHA-256 of what defines the puzzle: kind, size, pieces and fixed pieces, but not its name or file layout.

    For a dissection: its target and pieces.
    """
    essence = files_of(puzzle.kind).essence(puzzle)
    return hashlib.sha256(json.dumps(essence, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def beside(file: str | Path, board: Board) -> Path:
    """The file of the same pieces on a second board, beside that of the first; standard output is one for both."""
    if str(file) == "-":
        raise UsageError("-: give a file; there are two boards, and each needs one", "output")
    path = Path(file)
    return path.with_name(f"{path.stem}-{board.rows}x{board.columns}{path.suffix}")


def format_instance(puzzle: Puzzle) -> str:
    """The text of an instance file, one piece per line."""
    head: dict[str, Any] = {"format": "jigsat/1", "kind": puzzle.kind, "name": puzzle.name}
    if puzzle.source:
        head["source"] = puzzle.source
    return "{\n" + "\n".join([*header_lines(head), *files_of(puzzle.kind).lines(puzzle)]) + "\n}\n"


def readable_instance(puzzle: Puzzle, label: str) -> str:
    """The text of an instance file, after a check that it can be read; `label` names the file in errors.

    Raises InstanceError if it could not be read: a puzzle in memory may have what no file may have, such as an empty
    name.
    """
    try:
        text = format_instance(puzzle)
    except TypeError as error:
        raise InstanceError(f"{label}: name, source and known results must be texts and numbers: {error}") from error
    parse_instance(text, label)
    return text


def save(puzzle: Puzzle, path: str | Path) -> None:
    """Write a puzzle as an instance file (JSON), completely or not at all.

    Parameters
    ----------
    puzzle
        The puzzle, of any kind.
    path
        The file, which is replaced if it exists; ``-`` for standard output.

    Raises
    ------
    UsageError
        If the file has another ending than ``.json``.
    InstanceError
        If the file cannot be written, or it could not be read, because of an empty name for example.

    Examples
    --------
    >>> import jigsat as js
    >>> js.save(js.read("clue3"), "copy.json")
    >>> js.read("copy.json") == js.read("clue3")
    True
    """
    format_for(path, INSTANCE_FORMATS, "json")
    text = readable_instance(puzzle, label_of(path))
    with replacing(path) as file:
        file.write(text)
