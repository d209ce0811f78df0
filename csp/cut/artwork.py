"""Artwork: a picture that is printed on the pieces, read from a file, ready to be put into other files."""

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InstanceError
from .extras import need_extra

if TYPE_CHECKING:
    from PIL.Image import Image

# How much wider or narrower than the board artwork may be.
_TOLERANCE = 0.01
_MOST_BYTES, _MOST_PIXELS = 2**28, 100_000_000
# Formats whose decoders call no other program.
_FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP", "PPM")
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
    """The artwork in a file, for a board of that shape.  Transparent places become white.

    Raises
    ------
    InstanceError
        If it cannot be read, is no picture, or has another shape.
    """
    artwork = _read(source)
    ratio, wanted = artwork.width / artwork.height, columns / rows
    if abs(ratio / wanted - 1) > _TOLERANCE:
        pixels = f"{artwork.width} x {artwork.height} pixels, {ratio:.3f} times as wide as high"
        board = f"{columns} columns and {rows} rows need {wanted:.3f} times, within 1 %"
        raise InstanceError(f"{source}: has {pixels}; {board}")
    return artwork


def _read(source: str) -> Artwork:
    need_extra("PIL")
    from PIL import Image

    try:
        path = Path(source)
        if path.stat().st_size > _MOST_BYTES:
            raise InstanceError(f"{source}: larger than the {_MOST_BYTES // 2**20} MiB that a picture may have")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InstanceError(f"{source}: cannot be read: {getattr(error, 'strerror', error)}") from error
    try:
        with warnings.catch_warnings():
            # The limit is ours, and pillow's comes with a warning.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                if image.width * image.height <= _MOST_PIXELS:
                    return _as_file(image, data)
    except Image.DecompressionBombError:
        pass
    except Exception as error:  # decoders raise what they like
        raise InstanceError(f"{source}: is no picture that can be read, such as a PNG or JPEG file") from error
    raise InstanceError(f"{source}: has more than the {_MOST_PIXELS // 10**6} million pixels that a picture may have")


def _as_file(image: "Image", data: bytes) -> Artwork:
    """A picture, upright and opaque, in eight bits; `data` is what it was read from, which often will do."""
    from PIL import Image, ImageOps

    image.load()
    if image.format == "JPEG" and image.mode in ("L", "RGB") and image.getexif().get(_ORIENTATION, 1) == 1:
        return Artwork(data, "jpeg", *image.size)
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):  # greys of 16 bits, of which conversion would cut off what is above 255
        upright = upright.convert("I").point([tone // 256 for tone in range(2**16)], "L")
    ground = Image.new("RGBA", upright.size, "white")
    ground.alpha_composite(upright.convert("RGBA"))
    file = io.BytesIO()
    ground.convert("RGB").save(file, "PNG")
    return Artwork(file.getvalue(), "png", *upright.size)
