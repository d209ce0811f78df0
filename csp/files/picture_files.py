"""Reading pictures from files as red, green and blue, upright and opaque."""

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..base.errors import InstanceError, shortened, suggestion
from ..base.extras import need_extra

if TYPE_CHECKING:
    from PIL.Image import Image

#: A picture: rows, columns, and 3 colours (red, green, blue) or 1 grey, each from 0 to 255.
Picture = NDArray[np.uint8]

BUNDLED = Path(__file__).resolve().parents[2] / "instances" / "pictures"
#: The largest number of bytes of a file.
MOST_BYTES = 2**27
#: The largest number of pixels of a simple picture, and of one with transparency or 16 bits; a pixel takes 8 and 11
#: bytes.
MOST_PIXELS, MOST_TRANSPARENT = 36_000_000, 26_000_000
#: A picture is stretched if its width differs from the right one by at most this part.
TOLERANCE = 1

# Formats whose readers do not call other programs.
_FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP", "PPM", "TGA")


def bundled_pictures() -> list[str]:
    """The names of the bundled pictures, in alphabetical order."""
    return sorted(path.stem for path in BUNDLED.glob("*.png"))


def read_image(
    source: str | Path,
    rows: int,
    columns: int,
    *,
    crop: bool = False,
    at: tuple[float, float] = (0.5, 0.5),
    hint: str = "",
) -> "Image":
    """A picture that has the shape of a board.

    Transparent parts become white, and a photograph is turned according to its EXIF orientation.

    Parameters
    ----------
    source
        A file, or the name of a bundled picture.
    rows, columns
        The size of the board.
    crop
        Whether to crop the picture at two ends if it does not have the shape of the board.
    at
        What remains of a cropped picture: from 0, its left and its upper end, to 1.
    hint
        A remark that is added to the error for pictures of another shape.

    Raises
    ------
    InstanceError
        If there is no such file, it cannot be read, is too large or too small, or has another shape.
    JigsatError
        If pillow is not installed.
    """
    need_extra("PIL")
    from PIL import Image

    label = str(source)
    try:
        with warnings.catch_warnings():
            # We use our own limit; that of Pillow comes with a warning.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = _read(_path_of(label), label)
    except InstanceError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(label) from error
    except OSError as error:
        raise InstanceError(f"{label}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # readers of damaged files raise exceptions of all kinds
        raise InstanceError(f"{label}: cannot be read: the file is damaged") from error
    shown = _cropped(picture, rows, columns, at) if crop else _shaped(picture, rows, columns, label, hint)
    if shown.width < columns or shown.height < rows:
        least = f"a {rows}x{columns} board needs a pixel for each square"
        raise InstanceError(f"{label}: {shown.width} x {shown.height} pixels can be used, but {least}")
    return shown


def _path_of(source: str) -> Path:
    if not os.path.isfile(source) and source in bundled_pictures():
        return BUNDLED / f"{source}.png"
    if not os.path.exists(source):
        known = suggestion(source, bundled_pictures()) or f" ({', '.join(bundled_pictures())})"
        bundled = f"nor a bundled picture of that name{known}"
        raise InstanceError(f"{shortened(source, 200)}: there is no such file, {bundled}")
    return Path(source)


def _read(path: Path, label: str) -> "Image":
    """The picture in a file."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.init()
    if path.stat().st_size > MOST_BYTES:
        raise InstanceError(f"{label}: larger than {MOST_BYTES // 2**20} MiB, the limit for a picture")
    try:
        image = Image.open(path, formats=[name for name in _FORMATS if name in Image.OPEN])
    except UnidentifiedImageError as error:
        raise InstanceError(f"{label}: is not a picture in a supported format, such as PNG or JPEG") from error
    with image:
        if image.width * image.height > (MOST_PIXELS if _is_simple(image) else MOST_TRANSPARENT):
            raise _too_large(label)
        ImageOps.exif_transpose(image, in_place=True)
        return _opaque(image, label)


def _is_simple(image: "Image") -> bool:
    """Whether a picture, which need not be loaded, is opaque and has 8 bits for each colour."""
    return not image.has_transparency_data and not image.mode.startswith(("I", "F"))


def _opaque(image: "Image", label: str) -> "Image":
    """A picture in three colours of 8 bits, over white where it is transparent."""
    from PIL import Image, ImageOps

    if image.mode == "F":
        raise InstanceError(f"{label}: grey values are floating-point numbers; only 8 or 16 bits are supported")
    if image.mode.startswith("I"):  # greys of 16 bits, which Pillow would clip at 255
        wide = np.asarray(image)
        greys = np.empty(wide.shape, np.uint8)
        for line, row in zip(greys, wide, strict=True):
            line[:] = (np.clip(row, 0, 65535).astype(np.uint32) + 128) // 257
        del wide
        return Image.fromarray(greys).convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    layers = image if image.mode in ("RGBA", "LA") else image.convert("RGBA")
    opaque = layers.convert("RGB")
    opaque.paste("white", mask=ImageOps.invert(layers.getchannel("A")))
    return opaque


def _cropped(picture: "Image", rows: int, columns: int, at: tuple[float, float]) -> "Image":
    """A part of a picture, cropped to the shape of the board as closely as whole pixels allow."""
    width, height = picture.size
    used = min(width, max(1, round(height * columns / rows))), min(height, max(1, round(width * rows / columns)))
    left, top = int((width - used[0]) * at[0]), int((height - used[1]) * at[1])
    return picture.crop((left, top, left + used[0], top + used[1]))


def _shaped(picture: "Image", rows: int, columns: int, label: str, hint: str) -> "Image":
    """The picture, if it has the shape of the board."""
    width, height = picture.size
    if abs(width * rows - height * columns) * 100 > TOLERANCE * height * columns:
        fitting = f"a {rows}x{columns} board needs a width-to-height ratio of {columns}:{rows} ({columns / rows:.3g})"
        raise InstanceError(f"{label}: has {width} x {height} pixels, but {fitting}{hint}")
    return picture


def _too_large(label: str) -> InstanceError:
    limits = (
        f"{MOST_PIXELS // 10**6} million pixels, or {MOST_TRANSPARENT // 10**6} million with transparency or 16 bits"
    )
    return InstanceError(f"{label}: larger than {limits}, the limit for a picture; make it smaller")
