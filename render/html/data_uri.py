"""A picture as a page holds it: small enough, and as text."""

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ...csp.files.picture_files import read_image

if TYPE_CHECKING:
    from PIL.Image import Image

#: How many pixels the longer side of a picture has in a page at most.
LONGEST = 1600


def data_uri(source: str | Path, rows: int, columns: int) -> str:
    """A picture of the shape of a board as a data URI: PNG or JPEG, whichever is shorter; raises as `read_image`."""
    picture = read_image(source, rows, columns)
    picture.thumbnail((LONGEST, LONGEST))
    kind, data = min((_encoded(picture, kind) for kind in ("JPEG", "PNG")), key=lambda encoded: len(encoded[1]))
    return f"data:image/{kind.lower()};base64,{b64encode(data).decode()}"


def _encoded(picture: "Image", kind: str) -> tuple[str, bytes]:
    file = BytesIO()
    picture.save(file, kind, optimize=True, **({"quality": 85} if kind == "JPEG" else {}))
    return kind, file.getvalue()
