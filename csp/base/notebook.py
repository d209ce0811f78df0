"""How puzzles and their solutions show themselves in notebooks."""

from importlib import import_module
from types import ModuleType
from typing import Any


def bundle_of(thing: object) -> dict[str, str]:
    """A puzzle, board or tiling as notebooks take it: for each MIME type what they are to show.

    There is always a line of text; things of more pieces than a notebook has room for have no picture besides.
    """
    bundle: dict[str, str] = _render().bundle_of(thing)
    return bundle


def in_words(thing: object) -> str:
    """What a puzzle, board or tiling is, in a line."""
    line: str = _render().in_words(thing)
    return line


class InNotebook:
    """What shows itself in notebooks: puzzles, boards and tilings."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return bundle_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # In a list IPython would print all that they hold.
        printer.text(in_words(self))


def _render() -> ModuleType:
    # The pictures are two floors up, and nothing imports upward: what draws is found by its name, when a notebook asks.
    return import_module("jigsat.render.picture")
