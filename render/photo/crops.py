"""Positions of crops in words or parts: `top`, `bottom left`, `50%,30%`."""

import re

from ...csp.base.errors import UsageError

_WORDS = {"left": (0, None), "right": (1, None), "top": (None, 0), "bottom": (None, 1), "middle": (None, None)}


def crop_position(text: str, option: str) -> tuple[float, float]:
    """What remains of a cropped picture: from 0, its left and its upper end, to 1.

    Raises
    ------
    UsageError
        If the text is no position; `option` names it.

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
