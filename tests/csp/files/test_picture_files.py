"""Reading pictures: every kind of file becomes the same bytes, and what cannot be used is refused in one line."""

import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files import picture_files
from jigsat.csp.files.picture_files import read_image
from jigsat.render.cut.paper import load_artwork
from jigsat.render.photo.files import read_picture

pytestmark = pytest.mark.usefixtures("here")

#: Four squares of pure colours: red and green above blue and white.
COLORS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], np.uint8)
SQUARES = COLORS.repeat(8, axis=0).repeat(8, axis=1)


def middle(_picture, _used):
    return 0.5, 0.5, 1.0


def saved(picture, name="picture.png", **options):
    picture.save(name, **options)
    return name


def error(source, rows=2, columns=2, **options):
    with pytest.raises(InstanceError) as caught:
        read_picture(source, rows, columns, 8, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


#: The kind of pixels of a PNG file.
RGB = 2


def header(width, height, kind=RGB):
    """The beginning of a PNG file of that size, and nothing else."""
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)), (b"IDAT", b"x")]
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "CMYK"])
def test_pictures_of_any_mode_show_the_same(mode):
    """Would catch palette numbers or inks that are taken for colours."""
    name = saved(Image.fromarray(SQUARES).convert(mode), "picture.tiff")
    assert np.array_equal(read_picture(name, 2, 2, 8), SQUARES)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "gif"])
def test_greys_of_any_mode_show_the_same(mode):
    """Would catch tones that are cut off; of the grey with transparency, what lies below is black."""
    picture = Image.new("L", (30, 30), 255)
    picture.paste(0 if mode == "1" else 100, (0, 0, 15, 30))
    if mode == "LA":
        alpha = picture.point(lambda value: 255 if value < 200 else 0)
        picture = Image.composite(picture.convert("LA"), Image.new("LA", picture.size), alpha)
    elif mode != "gif":
        picture = picture.convert(mode)
    name = saved(picture, "picture.gif" if mode == "gif" else "picture.png")
    found = np.asarray(read_image(name, 5, 5))
    assert found[15, 2] == pytest.approx([0 if mode == "1" else 100] * 3, abs=3)
    assert found[15, 27].tolist() == [255] * 3


def test_photographs_are_turned_upright():
    """Orientation 6: the camera was held so that the picture must be turned clockwise."""
    exif = turned_exif(6)
    name = saved(Image.fromarray(SQUARES), "photo.png", exif=exif)
    assert np.array_equal(read_picture(name, 2, 2, 8), np.rot90(SQUARES, -1))
    greys = np.arange(256, dtype=np.uint16).reshape(16, 16) * 257
    name = saved(Image.fromarray(greys), "greys.png", exif=exif)
    assert np.array_equal(read_picture(name, 2, 2, 8, grey=True)[..., 0], np.rot90(greys // 257, -1))


def test_what_is_no_picture_is_refused(tmp_path):
    """Each in one line that names the file: none there, a folder, a text, a damaged one, floating-point numbers."""
    assert "nowhere.png: there is no such file, nor a bundled picture of that name (cup, cup-and-ring, ring)" in error(
        "nowhere.png"
    )
    assert error(str(tmp_path)).startswith(f"{tmp_path}: cannot be read: ")
    (tmp_path / "text.png").write_text("no picture")
    assert error("text.png") == "text.png: is not a picture in a supported format; convert it to PNG or JPEG"
    whole = (tmp_path / saved(Image.fromarray(SQUARES))).read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 2])
    assert error("half.png").startswith("half.png: cannot be read: ")
    assert "floating-point" in error(saved(Image.fromarray(np.zeros((8, 8), np.float32)), "floats.tiff"))


@pytest.mark.parametrize(("width", "refused"), [(8_000, False), (8_001, True)])
def test_huge_pictures_are_refused_before_they_are_read(width, refused, tmp_path):
    """A smaller one is read, and found to be damaged."""
    (tmp_path / "huge.png").write_bytes(header(width, 8_000))
    limits = "huge.png: has 8001 x 8000 pixels, more than the 64 million that are read of a PNG file; make it smaller"
    assert (error("huge.png") == limits) == refused


@pytest.mark.parametrize(("options", "most"), [({}, 256), ({"progressive": True}, 64), ({"scan": 1}, 64)])
def test_the_limit_of_jpeg_files_depends_on_their_scans(options, most, tmp_path):
    """With several scans all coefficients are kept, however small the result is: a file that claims 16001 x 16000."""
    saved(Image.new("RGB", (16, 16)), "huge.jpg", progressive="progressive" in options)
    data = bytearray((tmp_path / "huge.jpg").read_bytes())
    size = data.index(b"\xff\xc2" if "progressive" in options else b"\xff\xc0") + 5
    data[size : size + 4] = struct.pack(">HH", 16_001, 16_000)
    if "scan" in options:  # the first scan has one channel of three
        data = data.replace(b"\xff\xda\x00\x0c\x03", b"\xff\xda\x00\x08\x01")
    (tmp_path / "huge.jpg").write_bytes(data)
    kind = "JPEG" if most == 256 else "progressive JPEG"
    limit = f"16000 x 16001 pixels, more than the {most} million that are read of a {kind} file; make it smaller"
    assert error("huge.jpg") == f"huge.jpg: has {limit}"


@pytest.mark.parametrize("side", [10_000, 60_000])
@pytest.mark.filterwarnings("error")
def test_warnings_of_huge_pictures_are_not_shown(side, tmp_path):
    """Pillow warns of the first and refuses the second; artwork is looked at twice."""
    (tmp_path / "huge.png").write_bytes(header(side, side))
    with pytest.raises(InstanceError, match="64 million"):
        load_artwork("huge.png", 1, 1)


KINDS = [
    ("RGB", "png", {}), ("RGBA", "png", {}), ("P", "gif", {}), ("L", "png", {}), ("I;16", "png", {}),
    ("CMYK", "tiff", {}), ("RGB", "jpg", {}), ("RGB", "jpg", {"progressive": True}), ("CMYK", "jpg", {}),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "kind", "options"), KINDS)
def test_larger_pictures_are_scaled_with_a_note(mode, kind, options, monkeypatch):
    """Catches parts that are exchanged, tones that change, and large files that are decoded whole."""
    monkeypatch.setattr(picture_files, "MOST_PIXELS", 10_000)
    monkeypatch.setattr(picture_files, "_ROWS", 16)
    picture = Image.new("RGB", (301, 200), "white")
    picture.paste("black", (150, 0, 301, 200))
    picture = (
        Image.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257) if mode == "I;16" else picture.convert(mode)
    )
    exif = {} if mode != "RGB" else {"exif": turned_exif(3)}
    name = saved(picture, f"large.{kind}", **options, **exif)
    with pytest.warns(UserWarning, match="has 301 x 200 pixels, and is scaled to"):
        found = np.asarray(read_image(name, 2, 3, crop=middle))
    assert found.shape[0] * found.shape[1] <= 10_000
    assert abs(found.shape[1] * 200 / found.shape[0] - 301) < 5
    if mode == "RGB":
        found = found[::-1, ::-1]
    assert found[:, : found.shape[1] * 2 // 5].min() > 240
    assert found[:, found.shape[1] * 3 // 5 :].max() < 15


@pytest.mark.parametrize("kind", ["heic", "avif"])
def test_photos_of_phones_are_read_upright(kind):
    """HEIC and AVIF, with an orientation; their readers turn some pictures themselves."""
    from pillow_heif import register_heif_opener

    register_heif_opener()
    wide = Image.new("RGB", (256, 128), "red")
    wide.paste("blue", (128, 0, 256, 128))
    name = saved(wide, f"photo.{kind}", quality=90, exif=turned_exif(6).tobytes())
    found = np.asarray(read_image(name, 2, 1)).astype(int)
    assert found.shape == (256, 128, 3)
    assert (found[:100, :, 0] - found[:100, :, 2]).min() > 150
    assert (found[156:, :, 2] - found[156:, :, 0]).min() > 150


def test_photos_without_a_reader_say_what_to_do(monkeypatch, tmp_path):
    """HEIC without its library, AVIF with an old Pillow, and raw data, of which Pillow would show a thumbnail."""
    monkeypatch.setattr(picture_files, "find_spec", lambda name: None)
    for brand in (b"heic", b"mif1"):
        (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftyp" + brand)
        assert error("photo.heic").endswith("pip install 'jigsat[heif]', or convert the picture to JPEG")
    Image.init()
    monkeypatch.delitem(Image.OPEN, "AVIF")
    (tmp_path / "photo.avif").write_bytes(b"\0\0\0\x18ftypavif")
    assert error("photo.avif") == (
        "photo.avif: AVIF needs Pillow 11.3 or later; install it, or convert the picture to JPEG"
    )
    saved(Image.new("RGB", (16, 16)), "photo.dng", format="TIFF")
    assert "is raw data of a camera" in error("photo.dng")


def turned_exif(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif
