"""Calls of the public functions as data: the command and the Python that do the same."""

import inspect
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

# The commands whose functions have other names.
_COMMANDS = {
    "explain": "plan", "best": "solve", "draw_print": "cut", "draw_photo": "photo",
    "make_edge_matching": "make edge-matching",
    "make_jigsaw": "make jigsaw", "make_dissection": "make dissection", "make_polyominoes": "make polyominoes",
    "make_photo_jigsaw": "make photo-jigsaw",
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
