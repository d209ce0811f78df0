"""Pictures and pages of puzzles, made in processes aside."""

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..api.cut import draw_print
from ..api.draw import draw, draw_photo
from ..api.pictures import preview_pictures
from ..api.view import view
from .acts import Act


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its solution if one is known, its pieces otherwise."""
    return draw(source, pieces=True).svg


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html


def ways(source: str, most: int, options: Mapping[str, Any]) -> list[str]:
    """The first assemblies of a jigsaw, as addresses of pictures."""
    photos = [draw_photo(source, number=number, pixels=48, **options) for number in range(1, most + 1)]
    return [_address("png", photo._repr_png_()) for photo in photos]


def cut(source: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheets to cut: the first twelve as addresses of pictures, all sizes in mm, and what is certain of them."""
    from ..render.cut.documents import screen_svg

    made = draw_print(source, sheets="cut", **options)
    pages = [_address("svg+xml", screen_svg(sheet, made.name).encode()) for sheet in made.sheets[:12]]
    return {"pages": pages, "sizes": [(sheet.width, sheet.height) for sheet in made.sheets], "facts": made.facts}


def photograph(source: str) -> tuple[str, str]:
    """A photograph, made small, as the address of a picture, and the place in it that matters most."""
    from ..render.photo.files import small_photo

    jpeg, (across, down) = small_photo(source)
    return _address("jpeg", jpeg), f"{100 * across:.1f}%,{100 * down:.1f}%"


def foreseen(first: str, second: str, options: Mapping[str, Any]) -> tuple[str, str]:
    """A preview of a jigsaw that shows two photographs, as the address of a picture, and the verdict."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "preview.png")
        verdict = preview_pictures(first, second, file, pixels=16, **options).verdict
        return _address("png", file.read_bytes()), verdict


def written(act: Act) -> list[str]:
    """Do what writes files; returns their names."""
    made = act.function(*act.given, **act.options)
    return [file.path for file in getattr(made, "written", ())] or [act.options.get("output", act.given[-1])]


def _address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"
