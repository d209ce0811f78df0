"""Pictures and pages of puzzles, made in processes aside."""

import io
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..api.cut import draw_print
from ..api.draw import draw, draw_photo
from ..api.make import make_jigsaw
from ..api.pictures import preview_pictures
from ..api.view import view
from ..csp.base.errors import NotFoundError
from ..csp.files.instances import read_squares, save
from ..csp.files.picture_files import whole_image
from .acts import Act


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its solution if one is known, its pieces otherwise."""
    return draw(source, pieces=True).svg


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html


def ways(source: str, options: Mapping[str, Any]) -> list[str]:
    """The first eight assemblies of a jigsaw, as addresses of pictures."""
    jigsaw = read_squares(source)
    pixels = max(16, min(64, 800 // max(jigsaw.rows, jigsaw.columns)))
    numbers = range(1, min(len(jigsaw.assemblies), 8) + 1)
    photos = [draw_photo(jigsaw, number=number, pixels=pixels, **options) for number in numbers]
    return [_address("png", photo._repr_png_()) for photo in photos]


def cut(source: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheets to cut: the first twelve as addresses of pictures, all sizes in mm, and what is certain of them."""
    from ..render.cut.documents import page_svg

    made = draw_print(source, sheets="cut", **options)
    pages = [_address("svg+xml", page_svg(sheet, made.name).encode()) for sheet in made.sheets[:12]]
    return {"pages": pages, "sizes": [(sheet.width, sheet.height) for sheet in made.sheets], "facts": [*made.facts]}


def jigsaw_at_once(options: Mapping[str, Any]) -> bool:
    """Make a jigsaw and save it, if that takes a few seconds at most; returns whether it is made."""
    try:
        save(make_jigsaw(**{**options, "output": None, "time_limit": 3}), options["output"])
    except NotFoundError as error:
        if error.ended_by != "time":
            raise
        return False
    return True


def photograph(source: str) -> tuple[str, str]:
    """A photograph, made small, as the address of a picture, and where that lies which matters in it."""
    from ..render.photo.files import crop_for

    picture = whole_image(source)
    picture.thumbnail((900, 900))
    crop, content = crop_for(True, None), io.BytesIO()
    picture.save(content, "JPEG", quality=85)
    at = crop(picture, (min(picture.size), min(picture.size))) if crop else (0.5, 0.5)
    return _address("jpeg", content.getvalue()), f"{100 * at[0]:.1f}%,{100 * at[1]:.1f}%"


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
