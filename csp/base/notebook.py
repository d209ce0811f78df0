"""How notebooks show puzzles and their solutions.

Pictures are made floors above; imports point down only, so those floors hand over the functions that draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Pictures(Protocol):
    """The functions of `jigsat.render.notebook`."""

    def bundle_of(self, thing: object) -> dict[str, str]: ...

    def in_words(self, thing: object) -> str: ...

    def draw_forms(self, found: Any, title: str, captions: Sequence[str]) -> str: ...

    def picture_content(self, svg: str, kind: str) -> bytes: ...

    def picture_format(self, path: str | Path, others: dict[str, tuple[str, ...]]) -> str: ...


#: Set by `jigsat.render.notebook.register`, which runs when a public name is first asked for, and in the command line.
pictures: Pictures | None = None


def given_pictures() -> Pictures:
    """The functions that draw."""
    if pictures is None:
        raise RuntimeError("call jigsat.render.notebook.register first")
    return pictures


class InNotebook:
    """A base class of what notebooks show: puzzles, boards and tilings."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        # Always a line of text, and a picture unless there are too many pieces for a notebook.
        return given_pictures().bundle_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # In a list, IPython would print the full contents.
        printer.text(given_pictures().in_words(self))
