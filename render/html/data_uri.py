"""A picture as text in a page, reduced to a suitable size."""

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.files.picture_files import CROP_HINT, read_image

if TYPE_CHECKING:
    from PIL.Image import Image

    from ...csp.files.picture_files import Crop

#: The longer side of a picture in a page has at most this many pixels.
LONGEST = 1600


def data_uri(source: str | Path, rows: int, columns: int, crop: "Crop | None" = None) -> str:
    """A picture for a board as a data URI, the shorter of PNG and JPEG; raises the errors of `read_image`."""
    picture = read_image(source, rows, columns, crop=crop, hint=CROP_HINT)
    picture.thumbnail((LONGEST, LONGEST))
    kind, data = min((_encoded(picture, kind) for kind in ("JPEG", "PNG")), key=lambda encoded: len(encoded[1]))
    return f"data:image/{kind.lower()};base64,{b64encode(data).decode()}"


def _encoded(picture: "Image", kind: str) -> tuple[str, bytes]:
    file = BytesIO()
    picture.save(file, kind, optimize=True, **({"quality": 85} if kind == "JPEG" else {}))
    return kind, file.getvalue()
