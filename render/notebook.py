"""Lets puzzles, results and forms, on floors below, show pictures of themselves in notebooks and files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from ..csp.base import notebook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..csp.tilings.tileable_forms import TileableForms


def register() -> None:
    """Hand these functions to `csp.base.notebook`; what they need is imported when something is shown."""
    notebook.pictures = cast("notebook.Pictures", sys.modules[__name__])


def bundle_of(thing: object) -> dict[str, str]:
    """For each MIME type what a notebook shows of a puzzle, board or tiling: text, and a picture if it is small."""
    from .picture import bundle_of

    return bundle_of(thing)


def draw_forms(found: TileableForms, title: str, captions: Sequence[str]) -> str:
    """An SVG sheet with one tiling of each form."""
    from dataclasses import replace

    from ..csp.puzzles.dissection import Motions
    from .svg.tiling import draw_sheet

    drawn = [
        (replace(found.puzzle, target=form.target, holes=(), motions=Motions.LATTICE), form.tiling)
        for form in found.forms
        if form.tiling is not None
    ]
    return draw_sheet(drawn, title, "form", captions=captions)


def picture_content(svg: str, kind: str) -> bytes:
    """The content of a file of a picture in one of the formats of `Picture.save`."""
    from .picture import Picture

    return Picture(svg).content(kind)


def picture_format(path: str | Path, others: dict[str, tuple[str, ...]]) -> str:
    """The format that the ending of a file decides, of a picture or another one; refuses one that cannot be made."""
    from ..csp.files.file_format import format_for
    from .picture import FORMATS, refuse_picture

    kind = format_for(path, {**FORMATS, **others}, "svg")
    return refuse_picture(path) if kind in FORMATS else kind
