"""The files of a command: their names if none is given, and what is said of them when they are written."""

import argparse
import filecmp
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape, glob
from itertools import count
from pathlib import Path

from ..csp.base.errors import escaped, plural
from ..csp.base.safe_files import noting
from ..csp.files.file_format import is_link
from .from_functions import option_of
from .options import READING, WRITTEN
from .parser import Parser

# Endings of names that are no part of what the file is about.
_ENDINGS = re.compile(r"(\.(json|txt|csv|puz|url|svg|png|jpe?g|webp|book|gz))+$", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.-]+")
#: The endings of files that a viewer or browser shows.
_SHOWN = (".html", ".htm", ".svg", ".png", ".jpg", ".jpeg", ".pdf")
# What to do with a file that is not looked at, by the command and the ending.
_NEXT = {
    ("make", ".json"): "jigsat draw {file}, or jigsat solve {file}",
    ("make jigsaw", ".json"): "jigsat play {file}, or jigsat cut {file}",
    ("convert", ".json"): "jigsat info {file}",
    ("solve", ".json"): "jigsat view {puzzle} {file}",
    ("certify", ".json"): "jigsat check {puzzle} {file}",
    ("export", ".cnf"): "after a solver has answered: jigsat check {puzzle} ANSWER --cnf {file}",
}
# This many files are announced together, as those of a folder.
_MANY = 4
_NOTHING = "; by default nothing is written"
_SAME_NAME = "NAME is the puzzle's; a file of this name that is there stays, and the new one gets a number"


def add_open(parser: Parser) -> None:
    """Add the option that shows the result."""
    parser.output.add_argument("--open", action="store_true", help="open the file in a viewer or browser")


def default_help(text: str, name: str) -> str:
    """The help of ``-o`` where it may be left out: a name like this one is taken."""
    return f"{text.removesuffix(_NOTHING)} (default: {name}). {_SAME_NAME}"


def name_default(
    arguments: argparse.Namespace, about: str, words: Iterable[str], ending: str, *, continued: bool = False
) -> str:
    """Name the output, for which none was given, and note that; returns the name.

    A file that is there is not replaced, unless it is `continued`, also by an option, or ``--overwrite`` is given; if
    the new one has the same content, `announcing` removes it.
    """
    stem = "-".join(filter(None, (stem_of(about), *words)))
    names = (f"{stem}{'' if number == 1 else f'-{number}'}{ending}" for number in count(1))
    arguments.output, arguments.taken = next(names), []
    if not (continued or getattr(arguments, "resume", False) or getattr(arguments, "overwrite", False)):
        while _is_taken(arguments.output, arguments.command):
            arguments.taken.append(arguments.output)
            arguments.output = next(names)
    return arguments.output


def _is_taken(name: str, command: str) -> bool:
    """Whether there is such a file, or one of several sheets whose names are made from it."""
    stem, ending = os.path.splitext(name)
    return os.path.lexists(name) or (command == "cut" and bool(glob(f"{escape(stem)}-*{ending}")))


def stem_of(about: str) -> str:
    """The name of a puzzle, file or link as the beginning of a file name."""
    return "board" if is_link(about) else as_name(_ENDINGS.sub("", os.path.basename(about)))


def as_name(text: str) -> str:
    """A text as the beginning of a file name, with safe characters."""
    return _UNSAFE.sub("-", text).strip("-.")[:100] or "puzzle"


@contextmanager
def announcing(arguments: argparse.Namespace) -> Iterator[dict[str, int]]:
    """A context at whose end a line for each file that was written says where it is, and one what to do with it.

    The exit status of the command is put into what it gives, as ``status``.
    """
    ended: dict[str, int] = {}
    with noting() as noted:
        yield ended
    written = [path for path in _without_copy(arguments, noted) if os.path.exists(path)]
    if not written:
        return
    # A script that reads a record knows its files.
    if not getattr(arguments, "quiet", False) and not getattr(arguments, "json", False):
        takes_data = "-" in (getattr(arguments, name, None) for name in (*WRITTEN, "solution"))
        stream = sys.stderr if takes_data else sys.stdout
        lines = [] if _lists_files(arguments) else [*_lines(arguments, written)]
        has_next = ended.get("status") == 0 and not getattr(arguments, "lists_steps", False)
        last = _next_step(arguments, written) if has_next else ""
        with suppress(OSError):  # of a terminal that was closed
            for line in filter(None, (*lines, last)):
                print(line, file=stream)
    if getattr(arguments, "open", False):
        _open(written)


def _without_copy(arguments: argparse.Namespace, noted: Iterable[str]) -> list[str]:
    """The files that were written; if the same ones are there under an earlier name, those, and not these."""
    written, earlier_names = list(noted), getattr(arguments, "taken", ())
    # What the answer lists stays.
    keeps = not written or not earlier_names or os.path.isdir(arguments.output) or _lists_files(arguments)
    for taken in () if keeps else earlier_names:
        stems = os.path.splitext(arguments.output)[0], os.path.splitext(taken)[0]
        earlier = [path.replace(*stems, 1) for path in written]
        pairs = zip(written, earlier, strict=True)
        if all(one != other and os.path.isfile(other) and filecmp.cmp(one, other, False) for one, other in pairs):
            for path in written:
                os.unlink(path)
            return earlier
    return written


def _lists_files(arguments: argparse.Namespace) -> bool:
    """Whether the answer of the command lists its files, as that of `jigsat cut` does."""
    return getattr(arguments, "lists_files", False)


def _lines(arguments: argparse.Namespace, written: list[str]) -> Iterator[str]:
    """A line for each file, or one for a folder of them."""
    folder = getattr(arguments, "output", None)
    if folder is None and len(written) >= _MANY:
        folder = os.path.commonpath([Path(path).parent for path in written])
    if folder and os.path.isdir(folder):
        inside = [path for path in written if Path(folder) in Path(path).parents]
        if inside:
            total = sum(os.path.getsize(path) for path in inside)
            yield f"Wrote {plural(len(inside), 'file')} into {escaped(str(folder))} ({_size(total)})."
        written = [path for path in written if path not in inside]
    for path in written:
        # A proof has its formula and its statement beside it.
        beside = [other for other in written if other.startswith(f"{path}.")]
        total = sum(map(os.path.getsize, (path, *beside)))
        if not any(path.startswith(f"{other}.") for other in written):
            others = f", {', '.join(map(escaped, beside))}" if beside else ""
            yield f"Wrote {escaped(path)}{others} ({_pages(path)}{_size(total)})."


def _size(number: int) -> str:
    """A number of bytes in words."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if number >= size:
            return f"{number / size:.{0 if number >= 10 * size else 1}f} {unit}"
    return plural(number, "byte")


def _pages(path: str) -> str:
    """The number of pages of a PDF, with a comma; nothing if they cannot be counted."""
    if not path.lower().endswith(".pdf"):
        return ""
    number = len(re.findall(rb"/Type\s*/Page\b", Path(path).read_bytes()))
    return f"{plural(number, 'page')}, " if number else ""


def _next_step(arguments: argparse.Namespace, written: list[str]) -> str:
    """What to do with the files."""
    first = _first_shown(written)
    if first is not None:
        how = "" if getattr(arguments, "open", True) else " (--open does it)"
        return f"Next: open {escaped(first)}{how}"
    if arguments.command == "certify":  # its page, after the proof
        written = [path for path in written if path.endswith(".json")] or written
    ending = os.path.splitext(written[0])[1].lower()
    of_kind = f"{arguments.command} {getattr(arguments, 'kind', '')}"
    step = _NEXT.get((of_kind, ending)) or _NEXT.get((arguments.command, ending), "")
    if not step or (arguments.command == "convert" and arguments.puzzle is not None):
        return ""
    puzzle = shlex.quote(getattr(arguments, "instance", None) or "")
    changed = [] if arguments.command in ("make", "convert") else [*_changes(arguments)]
    return " ".join([f"Next: {step.format(file=shlex.quote(escaped(written[0])), puzzle=puzzle)}", *changed])


def _changes(arguments: argparse.Namespace) -> Iterator[str]:
    """The options that make another puzzle of the one that is named, as they were given."""
    for name in (*READING, *getattr(arguments, "variants", ())):
        value = getattr(arguments, name, None)
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                yield option_of(name) if one is True else f"{option_of(name)} {shlex.quote(escaped(str(one)))}"


def _first_shown(written: Iterable[str]) -> str | None:
    shown = [path for path in written if path.lower().endswith(_SHOWN)]
    # In a folder of many files: a page, or what the others are for.
    return min(shown, key=lambda path: (".html" not in path, os.path.basename(path) != "assembly-1.png"), default=None)


def _open(written: list[str]) -> None:
    """Open the first file that can be shown; a line says why it is not opened."""
    import webbrowser

    path = _first_shown(written)
    has_screen = sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if path is None or not has_screen or not webbrowser.open(Path(path).resolve().as_uri()):
        why = "nothing written can be shown" if path is None else f"no screen or browser to show {escaped(path)}"
        print(f"jigsat: --open: {why}", file=sys.stderr)
