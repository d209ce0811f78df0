"""Positions of crops in words and in parts."""

import pytest

from jigsat.csp.base.errors import UsageError
from jigsat.render.photo.crops import crop_position


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("top", (0.5, 0)),
        ("right", (1, 0.5)),
        ("bottom left", (0, 1)),
        ("middle", (0.5, 0.5)),
        ("50%,30%", (0.5, 0.3)),
        ("0%, 100%", (0, 1)),
    ],
)
def test_positions(text, position):
    assert crop_position(text, "crop_a") == position


@pytest.mark.parametrize("text", ["", "up", "top bottom", "left right", "120%,0%", "50,30", "top left middle"])
def test_no_positions(text):
    with pytest.raises(UsageError, match="is no position"):
        crop_position(text, "crop_a")
