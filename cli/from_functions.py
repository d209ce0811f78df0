"""Options of the command line, made from the signatures and docstrings of public functions."""

import argparse
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..api.public import documented
from ..csp.engines.request import OPTIONS
from .parser import Parser

#: The group of an option; all others are about how the command works.
_GROUPS = {
    name: group
    for group, names in {
        "what": """all best limit goal start squares pieces_only motions slips frame_slips number pieces image
            hide_solution name rows columns boards solutions cnf frame_colors inner_colors colors rim turn flip wrap
            distribution unique asymmetric random clues clue_places max_use types no_stay disjoint vertices seams
            any_lengths jigsaw target keep_from sample loose_frame blocks sides border hole scale stretch no_flip
            experiments puzzle puzzles second_board third engines orders encodings seeds repetitions""",
        "limits": "time_limit budget node_limit depth_limit trials",
        "output": "output table proof lrat ledger plot preview to dpi solution resume overwrite thumbnails by_depth",
    }.items()
    for name in names.split()
}
#: The parameters that only Python has.
_IN_PYTHON = ("puzzle", "report", "engine_options")
#: What the help calls the values of some parameters.
_METAVARS = {
    "puzzle": "INSTANCE", "hole": "POLYGON", "target": "POLYGON", "pieces": "LIST", "no_flip": "LIST", "scale": "F",
    "stretch": "W:H", "sides": "LIST", "border": "X", "image": "PICTURE", "crop_at": "PLACE", "name": "TEXT",
    "page": "PAGE", "sheets": "LIST", "rows": "R", "boards": "A,B", "columns": "C", "curves": "SEED", "board": "BOARD",
    "solution": "SOLUTION", "solutions": "SOLUTIONS", "size": "MM", "margin": "MM", "kerf": "MM", "fit": "MM",
    "bleed": "MM", "puzzles": "PUZZLE", "first": "A", "second": "B", "third": "C", "source": "IN",
    "second_board": "JIGSAW",
    "engines": "LIST", "orders": "LIST", "encodings": "LIST", "seeds": "LIST",
    "frame_colors": "F", "inner_colors": "M", "clues": "K", "mask_a": "PICTURE", "mask_b": "PICTURE",
    "mask_c": "PICTURE", "crop_a": "PLACE", "crop_b": "PLACE", "crop_c": "PLACE", "books": "BOOK", "part": "K/N",
    "solver": "NAME", "encoding": "NAME", "method": "M", "engine": "E", "distribution": "D", "clue_places": "P",
}  # fmt: skip
#: Options that can be given several times.
_REPEATED = ("hole",)
#: Numbers that are times in seconds.
_TIMES = ("time_limit", "sample_solutions", "budget")
#: How docstrings say that the command line also takes times with units.
_SECONDS = re.compile("this many seconds[;,] on the command line also 1m30s or 2h")
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile("".join(rf"(?:(\d+(?:\.\d+)?){unit})?" for unit in _UNITS))


def describe(parser: Parser, function: Callable[..., Any], positional: Iterable[str] = ()) -> None:
    """Describe a command as the docstring of its function does."""
    text = (inspect.getdoc(function) or "").partition("\n\nParameters\n---")[0]
    names = {**inspect.signature(function).parameters, "puzzle": None}
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    parser.description = "\n\n".join(in_shell(paragraph, names, positional) for paragraph in paragraphs)


def take(
    parser: Parser,
    function: Callable[..., Any],
    names: Iterable[str] | None = None,
    *,
    without: Iterable[str] = (),
    positional: Iterable[str] = (),
    optional: Iterable[str] = (),
    texts: Mapping[str, str] | None = None,
    group: Any = None,
) -> None:
    """Add parameters of a public function, as its signature and its docstring describe them.

    - `names`: the parameters; by default all but `without` and those that only Python has.
    - `positional`: those that are arguments without an option.
    - `optional`: options that need not be given although the function has no default for them.
    - `texts`: other texts for the help of some of them.
    - `group`: where they are added; by default each in the group that is its own.
    """
    described, parameters = documented(function), inspect.signature(function).parameters
    chosen = [name for name in parameters if name not in (*_IN_PYTHON, *without)] if names is None else names
    for name in chosen:
        text = in_shell((texts or {}).get(name) or described[name], parameters, positional, in_list=True)
        own = parser.what if name in positional else getattr(parser, _GROUPS.get(name, "how"))
        _Parameter(name, parameters[name], name not in optional).add(
            group or own, text, is_positional=name in positional
        )


def option_of(name: str) -> str:
    """The option for a parameter, as users write it."""
    special = {"start": "--from", "format": "--format dimacs", "report_only": "--report"}
    return special.get(name, f"--{name.replace('_', '-')}")


def in_shell(text: str, names: Iterable[str], positional: Iterable[str] = (), *, in_list: bool = False) -> str:
    """A text of a docstring in the words of the command line; `in_list` is the text of an option in a list."""

    def named(found: re.Match[str]) -> str:
        name = found.group(1)
        if name in positional or name == "puzzle":
            return _METAVARS.get(name, name.upper())
        return option_of(name) if name in names else f"`jigsat {_COMMANDS.get(name, name)}`"

    text = _SECONDS.sub("this time, such as 90, 1m30s or 2h", text)
    text = re.sub(r"(?<!`)`(\w+)`(?!`)", named, text.removeprefix("Whether to "))
    text = re.sub(r"`(\w+)=False`", r"--no-\1", text)
    text = re.sub(r"``(jigsat .*?)``", r"`\1`", text)
    text = re.sub(r"``\"?(.*?)\"?``", r"\1", text)
    if not in_list:
        return text
    text = text.replace("%", "%%").removesuffix(".")
    first = re.match(r"\w*", text)
    is_name = first is None or not first.group()[1:].islower()
    return text if is_name and first is not None and first.group() != "A" else text[:1].lower() + text[1:]


#: The commands whose functions have other names.
_COMMANDS = {"draw_print": "cut", "draw_photo": "photo", "best": "solve --best", "read": "info"}


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a public function."""

    name: str
    signature: inspect.Parameter
    #: Whether it must be given if it has no default.
    needed: bool = True

    @property
    def kind(self) -> str:
        """Its type without None."""
        annotation = self.signature.annotation
        kind = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        optional = re.fullmatch(r"(?:typing\.)?Optional\[(.*)\]", kind)
        return (optional.group(1) if optional else kind).removesuffix(" | None").removeprefix("typing.")

    def add(self, group: Any, text: str, *, is_positional: bool = False) -> None:
        """Add it to a group of a parser, with this help."""
        default = self.signature.default
        required = self.needed and default is inspect.Parameter.empty
        if self.kind == "bool":
            self._add_flag(group, text)
            return
        default = None if default is inspect.Parameter.empty else default
        if default not in (None, "") and "default" not in text:
            text = f"{text} (default: {default:g})" if isinstance(default, float) else f"{text} (default: {default})"
        how: dict[str, Any] = {"default": default, "help": text, "metavar": self.metavar}
        if self.kind.startswith("Literal["):
            how["choices"] = re.findall(r"['\"]([^'\"]+)['\"]", self.kind)
        else:
            how["type"] = self._converter
        if is_positional:
            several = {"nargs": "+"} if self.kind.startswith("Iterable[") else {"nargs": None if required else "?"}
            group.add_argument(self.name, **several, **how)
            return
        if self.name in _REPEATED:
            how["action"] = "append"
        flags = ("-o", "--output") if self.name == "output" else (option_of(self.name),)
        group.add_argument(*flags, dest=self.name, required=required, **how)

    def _add_flag(self, group: Any, text: str) -> None:
        """A flag; if it is true by default, its option is the negation, described after the word ``otherwise``."""
        if self.signature.default is not True:
            group.add_argument(option_of(self.name), dest=self.name, action="store_true", help=text)
            return
        text = text.rpartition("otherwise ")[2]
        group.add_argument(f"--no-{self.name}", dest=self.name, action="store_false", help=text)

    @property
    def metavar(self) -> str | None:
        """What the help calls its value; None for the list of choices."""
        if self.name in OPTIONS and OPTIONS[self.name].metavar:
            return OPTIONS[self.name].metavar
        if self.kind.startswith("Literal[") and len(self.kind) < 60:
            return None
        if self.name == "solutions" and self.kind == "int":
            return "K"
        if self.name in _METAVARS:
            return _METAVARS[self.name]
        if self.kind in ("int", "float"):
            return "TIME" if self.name in _TIMES else "N"
        return "FILE" if "Path" in self.kind else self.name.upper()

    @property
    def _converter(self) -> Callable[[str], Any]:
        if self.kind.startswith("int | Literal"):
            return threads
        if self.kind == "int | str":
            return whole_or_word
        if self.kind == "int":
            return whole
        if self.kind == "float":
            return seconds if self.name in _TIMES else number
        return str


def whole(text: str) -> int:
    """A whole number that is not negative; 1e9 is accepted."""
    try:
        number = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            number = -1
    if not (0 <= number < 2**62 and number == int(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2^62")
    return int(number)


def whole_or_word(text: str) -> int | str:
    """A whole number, or a word such as any."""
    return text if text.isalpha() else whole(text)


def number(text: str) -> float:
    """A number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def threads(text: str) -> int:
    """A number of threads; 0 stands for all processor cores."""
    return 0 if text == "all" else whole(text)


def seconds(text: str) -> float:
    """A duration in seconds, given as seconds or with units.

    Examples
    --------
    >>> seconds("90"), seconds("1m30s"), seconds("2h"), seconds("1.5d")
    (90.0, 90.0, 7200.0, 129600.0)
    """
    found = _DURATION.fullmatch(text.strip().lower()) if text.strip() else None
    try:
        if found is not None:
            return float(sum(float(part) * unit for part, unit in zip(found.groups("0"), _UNITS.values(), strict=True)))
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time; give seconds, or a time such as 1m30s or 2h")
    return number
