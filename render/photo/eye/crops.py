"""Where pictures are cropped: in words or parts, such as `top`, `bottom left`, `50%,30%`, or by what matters."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ....csp.base.errors import UsageError
from ....csp.files.picture_files import whole_image

if TYPE_CHECKING:
    from ....csp.files.picture_files import Crop

_WORDS = {"left": (0, None), "right": (1, None), "top": (None, 0), "bottom": (None, 1), "middle": (None, None)}
# The parts in which what matters is measured across and down, and sums that count as equal.
_CELLS, _NEARLY = 256, 0.002


def crop_position(text: str, option: str) -> tuple[float, float]:
    """What remains of a cropped picture: from 0, its left and its upper end, to 1.

    Raises UsageError if the text is no position; `option` names it.

    Examples
    --------
    >>> crop_position("top", "crop_a"), crop_position("50%,30%", "crop_a")
    ((0.5, 0.0), (0.5, 0.3))
    """
    parts = re.fullmatch(r"\s*(\d{1,3}(?:\.\d+)?)%\s*,\s*(\d{1,3}(?:\.\d+)?)%\s*", text, re.ASCII)
    if parts is not None and max(map(float, parts.groups())) <= 100:
        across, down = (float(part) / 100 for part in parts.groups())
        return across, down
    words = text.split()
    if 0 < len(words) <= 2 and all(word in _WORDS for word in words):
        across, down = ([_WORDS[word][i] for word in words if _WORDS[word][i] is not None] for i in range(2))
        if len(across) < 2 and len(down) < 2:
            return float(across[0] if across else 0.5), float(down[0] if down else 0.5)
    known = "top, bottom, left, right, middle, two of these such as 'top left', or parts such as 50%,30%"
    raise UsageError(f"{text!r} is no position; choose {known}", option)


def crop_for(crop: bool, place: str | None, option: str = "crop_at", mask: str | Path | None = None) -> "Crop | None":
    """How to crop a picture: to the place, or by what matters: what is bright in a mask (a file), or else stands out.

    Raises UsageError if the place is not known; `option` names it.
    """
    if place is not None:
        position = crop_position(place, option)
        return lambda _picture, _used: position
    if not crop:
        return None
    return lambda picture, used: _by_what_matters(picture, used, mask)


def _by_what_matters(picture: Image.Image, used: tuple[int, int], mask: str | Path | None) -> tuple[float, float]:
    """Where the part that holds most of what matters lies, the nearer to its middle the better."""
    from .importance import found_importance

    # A mask of another shape than the picture is stretched to it.
    judged = picture if mask is None else whole_image(str(mask))
    tones = np.asarray(judged.convert("L").resize((_CELLS, _CELLS), Image.Resampling.BOX), np.float32)
    weights = tones if mask is not None else found_importance(tones[..., None])
    across = _best_start(weights.sum(axis=0), used[0] / picture.width)
    return across, _best_start(weights.sum(axis=1), used[1] / picture.height)


def _best_start(weights: NDArray[np.float32], part: float) -> float:
    """Where the best part of a line of cells begins, from 0 to 1; in doubt, as near to the middle as can be."""
    length = min(max(1, round(part * _CELLS)), _CELLS)
    most = _CELLS - length
    if most == 0:
        return 0.5
    sums = np.convolve(weights, 1 - np.linspace(-1, 1, length) ** 2 / 2, "valid")
    best = np.flatnonzero(sums >= sums.max() * (1 - _NEARLY))
    return float(best[np.argmin(abs(best - most / 2))] / most)
