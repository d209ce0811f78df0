"""Pictures in pages: what is embedded is what the file shows, and what cannot be is refused in one line."""

from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from jigsat.render.html.play import data_uri


def embedded(path, rows=1, columns=1):
    """What a browser would show: the kind, and the picture."""
    head, data = data_uri(path, rows, columns).split(",")
    with Image.open(BytesIO(b64decode(data))) as picture:
        return head, np.asarray(picture)


@pytest.fixture
def saved(tmp_path):
    def save(picture, name="picture.png", **options):
        picture.save(tmp_path / name, **options)
        return tmp_path / name

    return save


def test_a_plain_picture_comes_back(saved):
    """Catches colours or pixels that are lost where none need be."""
    pixels = np.zeros((40, 60, 3), np.uint8)
    pixels[:20] = (200, 30, 60)
    pixels[5:9, 10:50] = (0, 255, 0)
    head, found = embedded(saved(Image.fromarray(pixels)), 2, 3)
    assert head == "data:image/png;base64"
    assert (found == pixels).all()


def test_the_shorter_kind_is_taken(saved):
    """Catches photographs as large PNG files."""
    noise = np.random.RandomState(0).randint(0, 255, (80, 80, 3)).astype(np.uint8)
    head, found = embedded(saved(Image.fromarray(noise)))
    assert head == "data:image/jpeg;base64"
    assert found.shape == (80, 80, 3)


def test_large_pictures_are_made_smaller(saved):
    """Catches pages of many megabytes, and pictures that are squeezed."""
    _, found = embedded(saved(Image.new("RGB", (4000, 2000), "navy")), 1, 2)
    assert found.shape == (800, 1600, 3)
