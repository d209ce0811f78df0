"""What public functions share: options documented from the one table, advice for misspelt ones, and calls as data."""

from __future__ import annotations

import inspect
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, wraps
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..csp.base.errors import UsageError, misspelt, shortened
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle

if TYPE_CHECKING:
    from ..csp.files.instances import Puzzle
    from ..csp.puzzles.edge_matching import PuzzleBoard

P = ParamSpec("P")
R = TypeVar("R")

#: A puzzle, or where it is: a file, the name of a bundled puzzle, or a viewer link.
AnyPuzzle = EdgeMatchingPuzzle | DissectionPuzzle | str | Path
#: A search order: a name, ``best`` among them, a file, or all squares.
AnyOrder = str | Path | Iterable[int] | None
#: A slip array: text or depths.
AnySlips = str | Iterable[int] | None
#: A board, of which squares may be empty, or the file or link that holds it.
AnyBoard = Iterable[Any] | str | Path

_IN_WORDS = {
    "AnyOrder": "str, Path or iterable of int",
    "AnySlips": "str or iterable of int",
    "AnyBoard": "board, str or Path",
    "Report": "callable",
    "int | Literal['all']": "int or 'all'",
    "str | Iterable[str | int]": "str or iterable",
    "Mapping[str, object]": "mapping",
}
# What parameters mean that are no options of searches, and that several functions have.
_SHARED = {
    "engine_options": "options that only engines of other packages have, by name",
    "crop": "crop the picture to the shape of the board, keeping what stands out",
    "crop_at": 'crop the picture, and keep this part: top, bottom, left, right, two of these such as "top left", '
    "or parts such as 50%,30%",
    "report": "called with a `Progress` that names the current step",
}
_SECTION = re.compile(r"\n *Parameters\n *-+\n(.*?)(?=\n\n *[A-Z][A-Za-z ]*\n *---|\Z)", re.DOTALL)
_ENTRY = re.compile(r"^\*{0,2}(\w+(?:, \w+)*)(?: : .*)?$")


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Complete the docstring of a public function from the table of options, and suggest names for misspelt options.

    Options that only engines of other packages have can be given by their names, too.
    """
    parameters = inspect.signature(function).parameters
    function.__doc__ = _completed(function.__doc__ or "", parameters)
    choose = {
        name: re.findall(r"['\"]([^'\"]+)['\"]", one.annotation)
        for name, one in parameters.items()
        if str(one.annotation).startswith("Literal[")
    }

    @wraps(function)
    def called(*given: P.args, **options: P.kwargs) -> R:
        for name, choices in choose.items():
            value = options.get(name)
            if value is not None and value not in choices:
                known = ", ".join(choices)
                raise UsageError(f"unknown {misspelt(str(value), choices)}, choose from {known}", name)
        unknown = [name for name in options if name not in parameters]
        if unknown:
            options = _with_engine_options(function.__name__, parameters, unknown, options)  # pyright: ignore
        return function(*given, **options)

    return called


def _with_engine_options(name: str, parameters: Iterable[str], unknown: list[str], options: Any) -> Any:
    """The options with those of engines of other packages in `engine_options`; raises UsageError for other names."""
    from ..csp.engines.registry import own_options

    own = own_options() if "engine_options" in parameters else {}
    for option in unknown:
        if option not in own:
            raise UsageError(f"{name} has no option {misspelt(option, [*parameters, *own])}")
    others = {option: value for option, value in options.items() if option not in unknown}
    engine_options = {**(options.get("engine_options") or {}), **{option: options[option] for option in unknown}}
    return {**others, "engine_options": engine_options}


def documented(function: Callable[..., Any]) -> dict[str, str]:
    """The parameters of a function, each with its description in its docstring in one line."""
    section = _SECTION.search(inspect.getdoc(function) or "")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in (section.group(1) if section else "").splitlines():
        entry = _ENTRY.match(line)
        if entry:
            names = entry.group(1).split(", ")
        found |= {name: "" if entry else f"{found[name]} {line.strip()}".strip() for name in names}
    return found


def _completed(text: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    """The docstring with the shared parameters that it does not describe itself."""
    section = _SECTION.search(text)
    if section is None:
        return text
    margin = " " * 4
    known = set(
        re.findall(r"\w+", " ".join(re.findall(r"^    ((?:\w+, )*\w+)(?: : |$)", section.group(1), re.MULTILINE)))
    )
    missing = [one for name, one in parameters.items() if name not in known]
    added = "".join(_entry(one, margin) for one in missing)
    return text[: section.end()] + added + text[section.end() :]


def _entry(parameter: inspect.Parameter, margin: str) -> str:
    """The entry of a parameter that functions share; empty for others."""
    # To read a file takes no table, so it is loaded here.
    from ..csp.engines.request import OPTIONS

    if parameter.name not in _SHARED and parameter.name not in OPTIONS:
        return ""
    about = _SHARED.get(parameter.name) or OPTIONS[parameter.name].help
    default = "optional" if parameter.default is None else f"default {parameter.default!r}"
    text = _filled(f"{about[0].upper()}{about[1:]}.".replace(".  ", ". "), 2 * margin)
    return f"\n{margin}{parameter.name} : {_in_words(parameter.annotation)}, {default}\n{text}"


@cache  # several functions have the same parameters
def _filled(sentence: str, indent: str) -> str:
    return fill(sentence, 120, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _in_words(annotation: str) -> str:
    known = _IN_WORDS.get(annotation.removesuffix(" | None"))
    if known is not None:
        return known
    choices = re.sub(r"Literal\[(.*?)\]", lambda found: f"{{{found.group(1)}}}", annotation.removesuffix(" | None"))
    return choices.replace('"', "'").replace(" | ", " or ")


def listed(value: AnyOrder | AnySlips) -> str | tuple[int, ...] | None:
    """An order or a slip array as text or as a tuple: iterators can be read only once."""
    return value if value is None or isinstance(value, str) else str(value) if isinstance(value, Path) else tuple(value)


def search_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a search among the arguments of a public function, with those of engines of other packages."""
    from ..csp.engines.request import OPTIONS

    return {name: given[name] for name in OPTIONS if name in given} | dict(given.get("engine_options") or {})


def opened_with_board(puzzle: object) -> tuple[Puzzle, PuzzleBoard | None]:
    """The puzzle, as `opened` gives it, and the board that a viewer link shows."""
    from ..csp.files.solutions import read_with_board

    return read_with_board(puzzle) if isinstance(puzzle, str | Path) else (opened(puzzle), None)


def opened_second(puzzle: EdgeMatchingPuzzle, given: object) -> EdgeMatchingPuzzle:
    """A puzzle of the same pieces with another board; raises UsageError if it is something else."""
    second = opened(given)
    if not isinstance(second, EdgeMatchingPuzzle) or (second.pieces, second.rule) != (puzzle.pieces, puzzle.rule):
        raise UsageError(f"{second.name}: has other pieces than {puzzle.name}", "second_board")
    if second.board == puzzle.board:
        raise UsageError(f"{second.name}: has the same board; give one of another size", "second_board")
    return second


def opened(puzzle: object) -> Puzzle:
    """The puzzle; it is read if a file, a bundled name or a viewer link stands for it.

    Raises UsageError if it is something else. Raises InstanceError if it cannot be read.
    """
    if isinstance(puzzle, EdgeMatchingPuzzle | DissectionPuzzle):
        return puzzle
    if not isinstance(puzzle, str | Path):
        raise UsageError(f"{shortened(repr(puzzle))} is not a puzzle, and not a file, name or link of one", "puzzle")
    from ..csp.files.instances import read_puzzle

    return read_puzzle(puzzle)


# The commands whose functions have other names.
_COMMANDS = {
    "explain": "plan", "best": "solve", "draw_print": "cut", "draw_photo": "photo",
    "make_edge_matching": "make edge-matching",
    "make_jigsaw": "make jigsaw", "make_boards_jigsaw": "make jigsaw", "make_dissection": "make dissection",
    "make_polyominoes": "make polyominoes", "make_photo_jigsaw": "make photo-jigsaw",
}  # fmt: skip
# The options whose names are others than those of the parameters.
_OPTIONS = {"output": "-o", "start": "--from", "report_only": "--report"}


@dataclass(frozen=True)
class Act:
    """A call of a public function with JSON values.

    Parameters
    ----------
    name
        The name of the function.
    given
        Its arguments without names: puzzles and files as one would type them.
    options
        Its other arguments; those that are the default are left out.
    """

    name: str
    given: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def function(self) -> Callable[..., Any]:
        """The function."""
        return getattr(sys.modules[__name__.partition(".")[0]], self.name)

    @cached_property
    def said(self) -> dict[str, Any]:
        """The options that are not the default."""
        takes = inspect.signature(self.function).parameters
        return {name: value for name, value in self.options.items() if value != takes[name].default}

    @property
    def command(self) -> str:
        """The command line that does the same."""
        words = _COMMANDS.get(self.name, self.name).split(" ")
        said = dict(self.said)
        if self.name == "view" and said.pop("play", False):
            words = ["play"]
        for value in self.given:
            words += map(str, value if isinstance(value, list | tuple) else [value])
        words += ["--best"] if self.name == "best" else []
        for name, value in said.items():
            option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
            shown = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            if isinstance(value, bool):
                words.append(option if value else option.replace("--", "--no-"))
            else:
                words += [f"{option}={shown}"] if shown.startswith("-") else [option, shown]
        return f"jigsat {shlex.join(words)}"

    @property
    def python(self) -> str:
        """The Python that does the same."""
        values = [*map(repr, self.given), *(f"{name}={value!r}" for name, value in self.said.items())]
        text = re.sub(r"(?<![\w'])'([^'\"\\]*)'", r'"\1"', ", ".join(values))
        # What is written to a file is not printed, too.
        before, after = ("", "") if "output" in self.said else ("found = ", "\nprint(found)")
        return f"import jigsat as js\n\n{before}js.{self.name}({text}){after}"


def said(act: Act) -> str:
    """Do what answers in words, without advice for the shell; returns an empty text if the answer is a file."""
    found = act.function(*act.given, **act.options)
    lines = found.summary().split("\n") if hasattr(found, "summary") else []
    return "\n".join(line for line in lines if not re.search(r"(^|\s)--?[a-z]", line))


def written(act: Act) -> list[str]:
    """Do what writes files; returns their names."""
    made = act.function(*act.given, **act.options)
    return [file.path for file in getattr(made, "written", ())] or [act.options.get("output") or act.given[-1]]
