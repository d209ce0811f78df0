"""Artwork: a picture that is printed on the pieces, encoded for other files."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....csp.files.picture_files import CROP_HINT, PLAIN_JPEG, read_image

if TYPE_CHECKING:
    from ....csp.files.picture_files import Crop


@dataclass(frozen=True)
class Artwork:
    """A picture."""

    #: The bytes of a JPEG or PNG file.
    data: bytes
    #: ``jpeg`` or ``png``.
    kind: str
    #: In pixels.
    width: int
    height: int


def load_artwork(source: str, rows: int, columns: int, crop: "Crop | None" = None) -> Artwork:
    """Read the artwork in a file, for a board of that shape; raises the errors of `read_image`."""
    picture = read_image(source, rows, columns, crop=crop, hint=CROP_HINT)
    if picture.info.get(PLAIN_JPEG) == picture.size:
        # A JPEG file is used as it is, because encoding it again would make it larger or worse.
        return Artwork(Path(source).read_bytes(), "jpeg", *picture.size)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return Artwork(file.getvalue(), "png", *picture.size)
