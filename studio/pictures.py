"""Pictures and pages of puzzles, made in processes aside."""

import io
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..api.cut import draw_print
from ..api.draw import draw
from ..api.make import make_jigsaw
from ..api.pictures import preview_pictures
from ..api.view import view
from ..csp.base.errors import NotFoundError
from ..csp.files.instances import save
from .acts import Act


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its solution if one is known, its pieces otherwise."""
    return draw(source, pieces=True).svg


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html


def assembly(source: str, number: int) -> str:
    """An assembly of a jigsaw, as the address of a picture."""
    return _address("svg+xml", draw(source, number=number, numbers=False).svg.encode())


def sheets(
    source: str, options: Mapping[str, Any], most: int
) -> tuple[list[str], list[tuple[float, float]], list[str]]:
    """The pages to cut as the addresses of pictures, up to `most`; the sizes of all in mm; and what is certain."""
    from ..render.cut.documents import page_svg

    made = draw_print(source, sheets="cut", **options)
    pages = [_address("svg+xml", page_svg(sheet, made.name).encode()) for sheet in made.sheets[:most]]
    return pages, [(sheet.width, sheet.height) for sheet in made.sheets], [*made.facts]


def jigsaw_at_once(options: Mapping[str, Any]) -> bool:
    """Make a jigsaw and save it, if that takes a few seconds only; returns whether it is made."""
    try:
        save(make_jigsaw(**{**options, "output": None, "time_limit": 3}), options["output"])
    except NotFoundError as error:
        if error.ended_by != "time":
            raise
        return False
    return True


def photograph(source: str, rows: int, columns: int) -> tuple[str, str]:
    """A photograph, small, as the address of a picture, and the part of it that is used on a board by itself."""
    from ..csp.files.picture_files import whole_image
    from ..render.photo.files import crop_for

    picture, at = whole_image(source), (0.5, 0.5)
    used = min(picture.width, picture.height * columns // rows), min(picture.height, picture.width * rows // columns)
    if (crop := crop_for(True, None)) is not None:
        at = crop(picture, used)
    picture.thumbnail((900, 900))
    content = io.BytesIO()
    picture.save(content, "JPEG", quality=85)
    return _address("jpeg", content.getvalue()), f"{100 * at[0]:.1f}%,{100 * at[1]:.1f}%"


def foreseen(first: str, second: str, options: Mapping[str, Any]) -> tuple[str, str]:
    """A preview of a jigsaw that shows two photographs, as the address of a picture, and the verdict."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "preview.png")
        verdict = preview_pictures(first, second, file, pixels=16, crop=True, **options).verdict
        return _address("png", file.read_bytes()), verdict


def written(act: Act) -> list[str]:
    """Do what writes files; returns their names."""
    made = act.function(*act.given, **act.options)
    return [file.path for file in getattr(made, "written", ())] or [act.options["output"]]


def _address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"
