"""A picture as a page holds it: small enough, and as text."""

import warnings
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ..cut.extras import need_extra
from ..errors import InstanceError

if TYPE_CHECKING:
    from PIL.Image import Image

#: How many pixels a picture may have, and how many its longer side has in a page.
MOST_PIXELS = 100_000_000
LONGEST = 1600
# By how much a picture's shape may differ from the board's.
_TOLERANCE = 0.01


def data_uri(path: str | Path, rows: int, columns: int) -> str:
    """A picture of the shape of a board as a data URI: PNG or JPEG, whichever is shorter.

    Raises
    ------
    InstanceError
        If it cannot be read, is too large, or of another shape than the board.
    JigsatError
        If pillow is not installed.
    """
    need_extra("PIL")
    picture = _opened(path)
    if abs(picture.width * rows - picture.height * columns) > _TOLERANCE * picture.height * columns:
        size = f"{picture.width} x {picture.height} pixels"
        wanted = f"{columns}:{rows}, within 1 %, as the board has {columns} columns and {rows} rows"
        raise InstanceError(f"{path}: has {size}; its width and height must be in the ratio {wanted}")
    picture.thumbnail((LONGEST, LONGEST))
    kind, data = min((_encoded(picture, kind) for kind in ("JPEG", "PNG")), key=lambda encoded: len(encoded[1]))
    return f"data:image/{kind.lower()};base64,{b64encode(data).decode()}"


def _opened(path: str | Path) -> "Image":
    """A picture as it is meant to be seen, opaque; errors are those of `data_uri`."""
    from PIL import Image, UnidentifiedImageError
    from PIL.ImageOps import exif_transpose

    try:
        with warnings.catch_warnings(), Path(path).open("rb") as file:
            # The limit is ours, and pillow's comes with a warning.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(file) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise _too_large(path)
                return _on_white(exif_transpose(opened))
    except Image.DecompressionBombError as error:
        raise _too_large(path) from error
    except UnidentifiedImageError as error:
        raise InstanceError(f"{path}: is no picture that can be read; PNG and JPEG can") from error
    except (OSError, ValueError, SyntaxError) as error:  # pillow's words for broken files
        reason = getattr(error, "strerror", None) or "it is broken or no picture"
        raise InstanceError(f"{path}: cannot be read: {reason}") from error


def _too_large(path: str | Path) -> InstanceError:
    return InstanceError(f"{path}: has more than the {MOST_PIXELS // 1_000_000} million pixels that a picture may have")


def _on_white(picture: "Image") -> "Image":
    """A picture in colours of 8 bits each, over white where it is transparent."""
    from PIL import Image

    if picture.mode.startswith("I"):  # 16 bits: a mere conversion would take all but the darkest tones for white
        picture = picture.convert("I").point([tone // 256 for tone in range(65536)], "L")
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture.convert("RGBA"))
    return white.convert("RGB")


def _encoded(picture: "Image", kind: str) -> tuple[str, bytes]:
    file = BytesIO()
    picture.save(file, kind, optimize=True, **({"quality": 85} if kind == "JPEG" else {}))
    return kind, file.getvalue()
