"""Pictures as arrays of bytes, in the size that a jigsaw needs."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from ...csp.base.safe_files import replacing_bytes
from ...csp.files.picture_files import CROP_HINT, Picture, read_image

if TYPE_CHECKING:
    from ...csp.files.picture_files import Crop


def read_picture(
    source: str | Path,
    rows: int,
    columns: int,
    pixels: int,
    *,
    grey: bool = False,
    crop: "Crop | None" = None,
) -> Picture:
    """Read a picture for a board whose pieces have sides of `pixels` pixels; other parameters as for `read_image`.

    - `grey`: whether to convert it to grey.
    """
    picture = read_image(source, rows, columns, crop=crop, hint=CROP_HINT)
    sized = picture.convert("L" if grey else "RGB").resize((columns * pixels, rows * pixels), Image.Resampling.LANCZOS)
    return np.array(sized).reshape(rows * pixels, columns * pixels, -1)


def write_picture(picture: Picture, path: str | Path) -> None:
    """Write a picture as a PNG file."""
    with replacing_bytes(path) as file:
        Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture).save(file, "PNG")
