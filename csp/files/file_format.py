"""What a file is, by its name and its beginning: a bundled puzzle, one of the formats, a link, a book."""

import re
from collections.abc import Collection, Mapping
from itertools import islice
from pathlib import Path

from ..base.errors import InstanceError, UsageError, shortened
from ..puzzles.board import BORDER
from ..puzzles.edge_matching import ANY, EdgeMatchingPuzzle

KINDS = "edge-matching", "jigsaw", "dissection"
BUNDLED = Path(__file__).resolve().parents[2] / "instances"

# The format must be recognisable within this number of characters, which are part of what is read first.
_START = 2**18
# The number of rows that are looked at.
_LOOKED_AT = 64
#: The ending of the name of the book beside a file that is not complete.
PART = ".part"
#: The SQLite application ID of the books of long work.
BOOK_ID = b"jigb"
#: The field of a viewer link that has the letters.
EDGES = re.compile(r"board(_|%5F)edges=", re.IGNORECASE)
# An address, or its fields up to board_edges, but not a comment of a piece text that quotes one.
_LINK = re.compile(
    r"[\ufeff\s]*(https?://|(?!//|#https?:)([\w./-]*[#?])?([\w%.;-]+=[^\s&]*&)*(amp;)?" + EDGES.pattern + ")",
    re.IGNORECASE,
)


def bundled_names(*kinds: str) -> list[str]:
    """The names of the bundled puzzles, of all or of the given kinds, by kind and then in alphabetical order."""
    return [path.stem for path in bundled_paths(*kinds)]


def bundled_paths(*kinds: str) -> list[Path]:
    kinds = kinds or KINDS
    return [path for kind in kinds for path in sorted((BUNDLED / kind).glob("*.json"), key=lambda path: path.stem)]


def bundled_certificate(name: str) -> Path | None:
    """The page of the certificate that is bundled with a puzzle of that name; None if there is no certificate."""
    found = BUNDLED / "jigsaw" / "certificates" / f"{name}.drat.json"
    return found if re.fullmatch("[a-z0-9-]+", name) and found.is_file() else None


def is_link(text: str) -> bool:
    """Whether a text is meant as a viewer link, or its first line as one."""
    return _LINK.match(text) is not None


def is_markup(text: str) -> bool:
    """Whether a text is XML or HTML, such as a drawing."""
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def format_for(
    path: str | Path, formats: Mapping[str, tuple[str, ...]], default: str | None = None, *options: str
) -> str:
    """The format to write a file in, which its ending decides.

    - `path`: the file.
    - `formats`: the formats that can be written, each with its endings.
    - `default`: the format of standard output (``-``) and of files without an ending, such as devices.
    - `*options`: the options that an error names.

    Raises UsageError if the file has another ending, or has no ending and there is no default.

    Returns one of `formats`.
    """
    ending = "" if str(path) == "-" else Path(path).suffix.lower()
    for name, endings in formats.items():
        if ending in endings:
            return name
    if not ending and default is not None:
        return default
    if str(path) == "-":
        raise UsageError(f"standard output has no ending; give the format: {', '.join(formats)}", *options)
    known = [ending for endings in formats.values() for ending in endings]
    listed = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
    raise UsageError(f"{shortened(str(path), 200)}: the name must end in {listed}", *options)


def format_of(text: str, label: str) -> str:
    """The format of a text, or of its beginning: ``json``, ``url``, ``csv`` or ``text``.

    Raises InstanceError if it is in no known format.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        return "json"
    if is_link(text):
        return "url"
    from .rows import MOST_LINE, is_header, rows_of

    numbers = False
    lines = text[:_START].splitlines()
    if len(text) > _START and len(lines) > 1:
        lines.pop()  # it may be incomplete
    for _, cells in islice(rows_of((line[:MOST_LINE] for line in lines), label), _LOOKED_AT):
        if is_header(cells):
            return "csv"
        if len(cells) > 3 or (len(cells[-1]) == 4 and cells[-1].isalpha()):
            return "text"
        # Below a few numbers or a comment of DIMACS files, there may be a header.
        if cells[0] != "c" and not any(map(str.isdigit, "".join(cells))):
            raise InstanceError(f"{label}: unknown format; JSON, piece text, CSV or a viewer link is expected")
        numbers = True
    if numbers:
        return "text"
    if not start:
        raise InstanceError(f"{label}: is empty")
    within = f" in its first {_START} characters" if len(text) > _START else ""
    raise InstanceError(f"{label}: contains only comments{within}")


def refuse_form(puzzle: EdgeMatchingPuzzle, what: str, label: str, but: Collection[str] = ()) -> None:
    """Raise InstanceError if a puzzle is of a form that a format cannot represent.

    - `what`: what messages call the format.
    - `but`: the parameters of a puzzle that may be as they like.

    Of a puzzle without a side 0, every reader knows that its rim may show anything.
    """
    if puzzle.rim == ANY and not any(BORDER in sides for sides in puzzle.pieces):
        but = (*but, "rim")
    forms = [words for name, words in puzzle.forms.items() if name not in but]
    if forms:
        raise InstanceError(f"{label}: {what} cannot represent {', '.join(forms)}; write JSON")


def part_of(path: str | Path) -> Path:
    """The book that has what was found so far for a file that is not complete: its name and ``.part``.

    Examples
    --------
    >>> str(part_of("a.json"))
    'a.json.part'
    """
    path = Path(path)
    return path.parent / f"{path.name}{PART}"


def is_book(path: str | Path) -> bool:
    """Whether a file looks like the book of long work."""
    try:
        with open(path, "rb") as file:
            start = file.read(72)
    except (OSError, ValueError):  # errors are reported where it is read
        return False
    return start[:16] == b"SQLite format 3\0" and start[68:] == BOOK_ID
