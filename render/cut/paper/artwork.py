"""Artwork: a picture that is printed on the pieces, encoded for other files."""

import io
import os
from dataclasses import dataclass
from pathlib import Path

from ....csp.files.picture_files import read_image

_ORIENTATION = 0x0112


@dataclass(frozen=True)
class Artwork:
    """A picture.

    Parameters
    ----------
    data
        The bytes of a JPEG or PNG file.
    kind
        ``jpeg`` or ``png``.
    width, height
        In pixels.
    """

    data: bytes
    kind: str
    width: int
    height: int


def load_artwork(source: str, rows: int, columns: int) -> Artwork:
    """Read the artwork in a file, for a board of that shape; raises the errors of `read_image`."""
    picture = read_image(source, rows, columns)
    if os.path.isfile(source) and _is_plain_jpeg(source):
        # A JPEG file is used as it is, because encoding it again would make it larger or worse.
        return Artwork(Path(source).read_bytes(), "jpeg", *picture.size)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return Artwork(file.getvalue(), "png", *picture.size)


def _is_plain_jpeg(source: str) -> bool:
    """Whether a readable file is a JPEG that all programs show alike."""
    from PIL import Image

    with Image.open(source) as image:
        return image.format == "JPEG" and image.mode in ("L", "RGB") and image.getexif().get(_ORIENTATION, 1) == 1
