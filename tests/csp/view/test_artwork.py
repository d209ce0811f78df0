"""Pictures in pages: what is embedded is what the file shows, and what cannot be is refused in one line."""

from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from jigsat.csp.cut import extras
from jigsat.csp.errors import InstanceError, JigsatError
from jigsat.csp.view import artwork
from jigsat.csp.view.artwork import data_uri


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


def test_what_is_transparent_is_white(saved):
    picture = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    picture.putpixel((3, 4), (0, 0, 255, 255))
    _, found = embedded(saved(picture))
    assert found[4, 3].tolist() == [0, 0, 255]
    assert found[0, 0].tolist() == [255, 255, 255]


def test_16_bits_are_scaled(saved):
    """Catches greys that are cut off at 255."""
    tones = np.linspace(0, 65535, 16).astype(np.uint16)[None, :].repeat(16, 0)
    _, found = embedded(saved(Image.fromarray(tones)))
    assert found[0, :, 0].tolist() == (tones[0] // 256).tolist()


def test_the_orientation_of_cameras_is_heeded(saved):
    """Catches portraits that lie on their side: 6 says that the first row is at the right."""
    picture = Image.new("RGB", (60, 30), "black")
    picture.paste("white", (0, 0, 60, 10))
    exif = Image.Exif()
    exif[274] = 6
    _, found = embedded(saved(picture, "photo.jpg", exif=exif), 2, 1)
    assert found.shape[:2] == (60, 30)
    assert found[30, 27].min() > 200
    assert found[30, 5].max() < 50


@pytest.mark.parametrize(("width", "fits"), [(1000, True), (1010, True), (991, True), (1011, False), (989, False)])
def test_the_shape_is_the_boards_within_a_hundredth(saved, width, fits):
    path = saved(Image.new("L", (width, 1000)))
    if fits:
        assert data_uri(path, 5, 5)
        return
    with pytest.raises(InstanceError, match=rf"{width} x 1000 pixels; .* ratio 5:5"):
        data_uri(path, 5, 5)


def test_what_is_no_picture_is_refused(tmp_path, saved):
    """Catches tracebacks of the library that reads pictures."""
    path = saved(Image.effect_noise((50, 50), 80))
    broken = tmp_path / "broken.png"
    broken.write_bytes(path.read_bytes()[:700])
    text = tmp_path / "text.png"
    text.write_text("no picture")
    for file, why in (
        (text, "is no picture that can be read"),
        (broken, "cannot be read: it is broken"),
        (tmp_path, "cannot be read: Is a directory"),
        (tmp_path / "none.png", "cannot be read: No such file"),
    ):
        with pytest.raises(InstanceError, match=why) as caught:
            data_uri(file, 1, 1)
        assert "\n" not in str(caught.value)


def test_bombs_are_refused_before_they_are_unpacked(saved, monkeypatch):
    """Catches small files of very many pixels, beyond our limit and beyond the library's."""
    path = saved(Image.new("1", (3000, 3000)))
    monkeypatch.setattr(artwork, "MOST_PIXELS", 8_000_000)
    with pytest.raises(InstanceError, match="more than the 8 million pixels"):
        data_uri(path, 1, 1)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000_000)
    with pytest.raises(InstanceError, match="more than the 8 million pixels"):
        data_uri(path, 1, 1)


def test_without_pillow_there_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(JigsatError, match=r"install jigsat with the extra pictures, jigsat\[pictures\]"):
        data_uri(tmp_path / "picture.png", 1, 1)
