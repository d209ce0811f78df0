"""How notebooks show puzzles and their solutions.

Pictures are made floors above; imports point down only, so those floors hand over the functions that draw.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol, cast

from .errors import escaped, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Pictures(Protocol):
    """The functions of `jigsat.render.notebook`."""

    def bundle_of(self, thing: object) -> dict[str, str]: ...

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


#: The most characters of a repr.
MOST_SHOWN = 300


def short(words: str) -> str:
    """A repr in one line, from the first line of these words."""
    line = escaped(words.partition("\n")[0]).rstrip(".:")
    return f"<{line if len(line) <= MOST_SHOWN - 2 else f'{line[: MOST_SHOWN - 5]}...'}>"


class Brief:
    """A base class of data classes with many fields: the repr has those that differ from their defaults, shortened.

    Data classes that derive from it have ``repr=False``.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        given = {item.name: getattr(self, item.name) for item in fields(cast("Any", self)) if item.repr}
        usual = {item.name: item.default for item in fields(cast("Any", self))}
        shown = (f"{name}={shortened(repr(value))}" for name, value in given.items() if value is not usual[name])
        return short(f"{type(self).__name__} {', '.join(shown)}")


class InNotebook:
    """A base class of what notebooks show as a picture: puzzles, boards and tilings.

    Data classes that derive from it have ``repr=False``.
    """

    __slots__ = ()

    def in_words(self) -> str:
        """What it is, in a line."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return short(self.in_words())

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        # Always a line of text, and a picture unless there are too many pieces for a notebook.
        return given_pictures().bundle_of(self)


class HasSummary:
    """A base class of results: `print` and notebooks show the summary, and its first line is the repr.

    Data classes that derive from it have ``repr=False``.
    """

    __slots__ = ()

    def summary(self) -> str:
        """The result in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.summary() or repr(self)

    def __repr__(self) -> str:
        return short(f"{type(self).__name__} {self.summary()}")

    def _picture(self) -> str | None:
        """The SVG that notebooks show below the summary, or None."""
        return None

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from html import escape

        text = str(self)
        return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>{self._picture() or ''}"}
