"""Pictures in CIELAB, where equal distances look about equally large, and what people see of an error."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ....csp.files.picture_files import Picture

#: Lightness from 0 to 100, and for colours the two opponent channels; rows, columns, channels.
Lab = NDArray[np.float32]

#: The side of a piece, in pixels, for which errors are measured and artwork is optimised: a board as on a phone.
WORKING_PIXELS = 32
# Half of the side of a window in which pictures are compared, without the pixel in its middle.
_HALF_WINDOW = 5
# Rows of pixels that are converted at a time.
_ROWS = 256


def to_lab(picture: Picture) -> Lab:
    """A picture in CIELAB; one channel, the lightness, for a grey picture."""
    from skimage.color import rgb2lab

    channels = picture.shape[2]
    found = np.empty(picture.shape, np.float32)
    for start in range(0, len(picture), _ROWS):
        part = np.repeat(picture[start : start + _ROWS], 3 // channels, axis=2)
        found[start : start + _ROWS] = rgb2lab(part.astype(np.float32) / 255)[..., :channels]
    return found


def to_picture(lab: Lab) -> Picture:
    """The nearest picture of 8 bits; colours that no screen shows are clipped."""
    from skimage.color import lab2rgb

    channels = lab.shape[2]
    found = np.empty(lab.shape, np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for start in range(0, len(lab), _ROWS):
            part = lab[start : start + _ROWS]
            full = np.concatenate([part, np.zeros((*part.shape[:2], 3 - channels), np.float32)], axis=2)
            rgb = np.clip(lab2rgb(full), 0, 1)[..., :channels]
            found[start : start + _ROWS] = np.rint(255 * rgb)
    return found


def resized(channels: NDArray[np.float32], rows: int, columns: int) -> NDArray[np.float32]:
    """Channels in another size: means of what is made smaller, lines through what is made larger."""
    shape = channels.shape[:2]
    if shape == (rows, columns):
        return channels
    how = Image.Resampling.BOX if rows <= shape[0] else Image.Resampling.BILINEAR
    layers = [Image.fromarray(layer).resize((columns, rows), how) for layer in np.moveaxis(channels, 2, 0)]
    return np.stack([np.asarray(layer) for layer in layers], axis=2)


def seen_errors(
    one: Picture, other: Picture, rows: int, columns: int, weights: NDArray[np.float32] | None = None
) -> tuple[float, float]:
    """The mean colour difference (CIEDE2000) and the structural similarity (SSIM, 1 for equal pictures).

    Both are taken of pictures reduced to `rows` by `columns` pixels, or enlarged to a window if they are smaller.  The
    similarity is weighted by the importance of pixels, if it is given.
    """
    from skimage.color import deltaE_ciede2000
    from skimage.metrics import structural_similarity

    window = 2 * _HALF_WINDOW + 1
    size = (max(min(most, length), window) for most, length in zip((rows, columns), one.shape, strict=False))
    rows, columns = size
    pair = [resized(to_lab(picture), rows, columns) for picture in (one, other)]
    full = [np.concatenate([lab, np.zeros((*lab.shape[:2], 3 - lab.shape[2]), np.float32)], axis=2) for lab in pair]
    difference = float(np.mean(deltaE_ciede2000(full[0], full[1])))
    tones = pair[0][..., 0], pair[1][..., 0]
    local: Any = structural_similarity(*tones, data_range=100, gaussian_weights=True, full=True)[1]
    # Windows at the edges extend beyond the picture.
    edge = _HALF_WINDOW
    shares = None if weights is None else resized(weights[..., None], *local.shape)[edge:-edge, edge:-edge, 0]
    return difference, float(np.average(local[edge:-edge, edge:-edge], weights=shares))
