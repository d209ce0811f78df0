"""How notebooks show puzzles and their solutions."""

from importlib import import_module
from types import ModuleType
from typing import Any


def bundle_of(thing: object) -> dict[str, str]:
    """A puzzle, board or tiling for a notebook: for each MIME type what to show.

    There is always a line of text.  There is no picture if there are too many pieces for a notebook.
    """
    bundle: dict[str, str] = _render().bundle_of(thing)
    return bundle


def in_words(thing: object) -> str:
    """A description of a puzzle, board or tiling in one line."""
    line: str = _render().in_words(thing)
    return line


class InNotebook:
    """A base class of what notebooks show: puzzles, boards and tilings."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return bundle_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # In a list, IPython would print the full contents.
        printer.text(in_words(self))


def _render() -> ModuleType:
    # Pictures are two layers up, and imports point down only; so the module is imported by name, when it is needed.
    return import_module("jigsat.render.picture")
