"""Reading pictures from files as red, green and blue, upright and opaque."""

import os
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.errors import InstanceError, need_extra, shortened, suggestion

if TYPE_CHECKING:
    from PIL.Image import Image

    #: What remains of a picture from which at most some width and height are taken: from 0, its left and its upper end,
    #: to 1; and how much of that width and height, above 0 to 1.
    Crop = Callable[[Image, tuple[int, int]], tuple[float, float, float]]

#: A picture: rows, columns, and 3 colours (red, green, blue) or 1 grey, each from 0 to 255.
Picture = NDArray[np.uint8]

BUNDLED = Path(__file__).resolve().parents[2] / "instances" / "pictures"
#: The largest number of bytes of a file.
MOST_BYTES = 2**27
#: The largest number of pixels of a picture that is used as it is; larger ones are scaled.
MOST_PIXELS = 36_000_000
#: The largest number of pixels that are scaled, and those of some formats; with them, no reader takes 600 MB.  A JPEG
#: file is decoded at a fraction of its size, but all coefficients of one with several scans are kept.
MOST_SCALED = 64_000_000
MOST_OF_FORMATS = {"JPEG": 256_000_000, "WEBP": 36_000_000, "AVIF": 60_000_000, "HEIF": 60_000_000}
#: The key of what a picture knows of a JPEG file that all programs show alike: its size.
PLAIN_JPEG = "plain JPEG"
#: A picture is stretched if its width differs from the right one by at most this part.
TOLERANCE = 1

# Formats whose readers do not call other programs.
_FORMATS = ("PNG", "JPEG", "MPO", "WEBP", "TIFF", "GIF", "BMP", "PPM", "TGA", "AVIF", "HEIF")
_ORIENTATION = 0x0112
# The rows of pixels that are made opaque at a time.
_ROWS = 64
# Files of cameras with TIFF's first bytes, of which Pillow reads a thumbnail.
_RAW = (".dng", ".nef", ".arw", ".cr2", ".pef", ".srw", ".orf", ".rw2")


def bundled_pictures() -> list[str]:
    """The names of the bundled pictures, in alphabetical order."""
    return sorted(path.stem for path in BUNDLED.glob("*.png"))


def read_image(source: str | Path, rows: int, columns: int, *, crop: "Crop | None" = None) -> "Image":
    """A picture that has the shape of a board.

    Transparent parts become white, and a photograph is turned according to its EXIF orientation.  A picture of more
    than 36 million pixels is scaled, with a warning (`UserWarning`).

    - `source`: a file, or the name of a bundled picture.
    - `rows`, `columns`: the size of the board.
    - `crop`: where to crop the picture if it does not have the shape of the board.

    Raises InstanceError if there is no such file, it cannot be read, is too large or too small, or has another shape.
    Raises JigsatError if pillow is not installed.
    """
    label = str(source)
    picture = whole_image(label)
    shown = _cropped(picture, rows, columns, crop) if crop else _shaped(picture, rows, columns, label)
    if shown.width < columns or shown.height < rows:
        least = f"a {rows}x{columns} board needs a pixel for each square"
        raise InstanceError(f"{label}: {shown.width} x {shown.height} pixels can be used, but {least}")
    return shown


def whole_image(label: str) -> "Image":
    """The picture in a file, of any shape; raises the errors of `read_image`."""
    need_extra("PIL")
    from PIL import Image

    usual = Image.MAX_IMAGE_PIXELS
    try:
        with warnings.catch_warnings():
            # We use our own limit; that of Pillow comes with a warning.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            Image.MAX_IMAGE_PIXELS = MOST_OF_FORMATS["JPEG"]
            picture, size = _read(path_of(label), label)
    except InstanceError:
        raise
    except Image.DecompressionBombError as error:
        most = MOST_SCALED // 10**6
        raise InstanceError(f"{label}: has too many pixels, more than {most} million; make it smaller") from error
    except OSError as error:
        raise InstanceError(f"{label}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # readers of damaged files raise exceptions of all kinds
        raise InstanceError(f"{label}: cannot be read: the file is damaged") from error
    finally:
        Image.MAX_IMAGE_PIXELS = usual
    if picture.width * picture.height < size[0] * size[1]:
        now = f"is scaled to {picture.width} x {picture.height}"
        most = f"pictures are used with at most {MOST_PIXELS // 10**6} million pixels"
        warnings.warn(f"{label}: has {size[0]} x {size[1]} pixels, and {now}; {most}", UserWarning, stacklevel=3)
    return picture


def path_of(source: str) -> Path:
    """The file of a picture, which may be a bundled one; raises InstanceError if it does not exist."""
    if not os.path.isfile(source) and source in bundled_pictures():
        return BUNDLED / f"{source}.png"
    if not os.path.exists(source):
        known = suggestion(source, bundled_pictures()) or f" ({', '.join(bundled_pictures())})"
        bundled = f"nor a bundled picture of that name{known}"
        raise InstanceError(f"{shortened(source, 200)}: there is no such file, {bundled}")
    return Path(source)


def _read(path: Path, label: str) -> "tuple[Image, tuple[int, int]]":
    """The picture in a file, and the size that it has there."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.init()
    if path.stat().st_size > MOST_BYTES:
        raise InstanceError(f"{label}: larger than {MOST_BYTES // 2**20} MiB, the limit for a picture")
    _prepare(path, label)
    try:
        image = Image.open(path, formats=[name for name in _FORMATS if name in Image.OPEN])
    except UnidentifiedImageError as error:
        raise InstanceError(f"{label}: is not a picture in a supported format; convert it to PNG or JPEG") from error
    with image:
        jpeg, size = image.format in ("JPEG", "MPO"), image.size
        _refuse_large(image, "JPEG" if jpeg else str(image.format), label)
        factor = _factor(size)
        if jpeg and factor > 1:
            image.draft(None, (size[0] // factor, size[1] // factor))
        opaque = _opaque(image, label, _factor(image.size))
        turned = image.getexif().get(_ORIENTATION, 1)
        opaque.getexif()[_ORIENTATION] = turned
        if image.format == "JPEG" and image.mode in ("L", "RGB") and turned == 1:
            opaque.info[PLAIN_JPEG] = size
        if opaque is not image:
            image.close()
    ImageOps.exif_transpose(opaque, in_place=True)
    return opaque, size


def _refuse_large(image: "Image", kind: str, label: str) -> None:
    """Refuse pictures whose readers would take too much memory."""
    name = "progressive JPEG" if kind == "JPEG" and not _has_one_scan(image) else kind
    most = MOST_OF_FORMATS.get(name, MOST_SCALED)
    if image.width * image.height > most:
        size = f"has {image.width} x {image.height} pixels, more than the {most // 10**6} million that are read"
        raise InstanceError(f"{label}: {size} of a {name} file; make it smaller")


def _has_one_scan(image: Any) -> bool:
    """Whether a JPEG file that was just opened is not progressive, and its first scan has all channels."""
    length = 6 + 2 * image.layers
    here = image.fp.tell()
    image.fp.seek(here - length)
    begins = image.fp.read(3)
    image.fp.seek(here)
    return "progressive" not in image.info and begins == bytes((0, length, image.layers))


def _prepare(path: Path, label: str) -> None:
    """Make Pillow read HEIC if it can, or raise InstanceError for photographs that it does not read."""
    from PIL import Image

    if path.suffix.lower() in _RAW:
        raise InstanceError(f"{label}: is raw data of a camera; develop it, and save it as JPEG")
    with path.open("rb") as file:
        start = file.read(12)
    if start[4:8] != b"ftyp":
        return
    if start[8:12] in (b"avif", b"avis"):
        if "AVIF" not in Image.OPEN:
            raise InstanceError(f"{label}: AVIF needs Pillow 11.3 or later; install it, or convert the picture to JPEG")
    elif find_spec("pillow_heif") is None:
        how = "install it with pip install 'jigsat[heif]', or convert the picture to JPEG"
        raise InstanceError(f"{label}: HEIC needs pillow-heif: {how}")
    else:
        from pillow_heif import register_heif_opener

        register_heif_opener()


def _factor(size: tuple[int, int]) -> int:
    """The number by which width and height are divided."""
    return ceil(sqrt(size[0] * size[1] / MOST_PIXELS))


def _opaque(image: "Image", label: str, factor: int) -> "Image":
    """A picture in three colours of 8 bits, over white where it is transparent, divided by `factor`.

    It is made in parts, so that only the picture and the result are in memory.
    """
    from PIL import Image

    if image.mode == "F":
        raise InstanceError(f"{label}: grey values are floating-point numbers; only 8 or 16 bits are supported")
    image.load()
    if factor == 1 and image.mode == "RGB" and not image.has_transparency_data:
        return image
    width, height = image.size
    found = Image.new("RGB", (-(-width // factor), -(-height // factor)))
    if image.mode in ("RGB", "RGBA", "P") and "icc_profile" in image.info:
        found.info["icc_profile"] = image.info["icc_profile"]
    for top in range(0, height, _ROWS * factor):
        part = _part_opaque(image.crop((0, top, width, min(top + _ROWS * factor, height))))
        found.paste(part.reduce(factor), (0, top // factor))
    return found


def _part_opaque(image: "Image") -> "Image":
    from PIL import Image, ImageOps

    if image.mode.startswith("I"):  # greys of 16 bits, which Pillow would clip at 255
        greys = (np.clip(np.asarray(image), 0, 65535).astype(np.uint32) + 128) // 257
        return Image.fromarray(greys.astype(np.uint8)).convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    layers = image if image.mode in ("RGBA", "LA") else image.convert("RGBA")
    opaque = layers.convert("RGB")
    opaque.paste("white", mask=ImageOps.invert(layers.getchannel("A")))
    return opaque


def _cropped(picture: "Image", rows: int, columns: int, crop: "Crop") -> "Image":
    """A part of a picture, cropped to the shape of the board as closely as whole pixels allow."""
    width, height = picture.size
    used = min(width, max(1, round(height * columns / rows))), min(height, max(1, round(width * rows / columns)))
    across, down, part = crop(picture, used)
    used = max(1, round(used[0] * part)), max(1, round(used[1] * part))
    left, top = int((width - used[0]) * across), int((height - used[1]) * down)
    return picture.crop((left, top, left + used[0], top + used[1]))


def _shaped(picture: "Image", rows: int, columns: int, label: str) -> "Image":
    """The picture, if it has the shape of the board."""
    width, height = picture.size
    if abs(width * rows - height * columns) * 100 > TOLERANCE * height * columns:
        fitting = f"a {rows}x{columns} board needs a width-to-height ratio of {columns}:{rows} ({columns / rows:.3g})"
        raise InstanceError(f"{label}: has {width} x {height} pixels, but {fitting}; crop it to this shape (--crop)")
    return picture
