"""Where pictures are cropped: in words and in parts, and by what matters."""

import numpy as np
import pytest
from PIL import Image
from skimage import data

from jigsat.csp.base.errors import UsageError
from jigsat.csp.files.picture_files import read_image
from jigsat.render.photo.files import crop_for


def face(width, height, x, y):
    """A plain background with something at a place; its half size is 20."""
    picture = Image.linear_gradient("L").resize((width, height)).point(lambda tone: 90 + tone // 8).convert("RGB")
    picture.paste("orange", (x - 20, y - 20, x + 20, y + 20))
    picture.paste("black", (x - 9, y - 9, x + 9, y + 9))
    return picture


@pytest.mark.parametrize(("x", "least", "most"), [(60, 0, 0.2), (300, 0.45, 0.55), (530, 0.8, 1)])
def test_what_stands_out_remains(x, least, most):
    """Catches crops to the middle, and x for y: wide and high pictures; what stands out is wholly within."""
    crop = crop_for(True, None)
    assert crop is not None
    for picture, used, axis in ((face(600, 200, x, 90), (200, 200), 0), (face(200, 600, 90, x), (200, 200), 1)):
        at = crop(picture, used)
        assert at[1 - axis] == 0.5
        assert least <= at[axis] <= most
        assert 400 * at[axis] <= x - 20
        assert x + 20 <= 400 * at[axis] + 200


def test_faces_remain():
    """A face at the edge of a wide photo, beside something that stands out more; and at the top of a high one."""
    photo = Image.fromarray(data.astronaut())
    wide, high = face(1500, 512, 1300, 300), photo.crop((100, 0, 356, 512))
    wide.paste(photo, (0, 0))
    crop = crop_for(True, None)
    assert crop is not None
    left, top = crop(wide, (512, 512))[0] * (1500 - 512), crop(high, (256, 256))[1] * (512 - 256)
    # The face is in columns 178 to 261 and rows 74 to 157 of the photo.
    assert 0 <= left <= 170
    assert 0 <= top <= 65


def test_a_plain_picture_keeps_its_middle_and_a_mask_decides(tmp_path):
    """A mask of another size says what matters, not what stands out."""
    mask = np.zeros((20, 60), np.uint8)
    mask[:, 50:] = 255
    Image.fromarray(mask).save(tmp_path / "mask.png")
    plain, masked = crop_for(True, None), crop_for(True, None, "crop_a", tmp_path / "mask.png")
    assert plain is not None
    assert masked is not None
    at = plain(Image.new("RGB", (600, 200), "green"), (200, 200))
    assert at == pytest.approx((0.5, 0.5, 1), abs=0.02)
    assert masked(face(600, 200, 60, 90), (200, 200))[0] > 0.9
    assert crop_for(False, None) is None


def test_a_part_may_be_smaller_than_could_be_used(tmp_path):
    Image.linear_gradient("L").resize((400, 200)).save(tmp_path / "wide.png")
    shown = read_image(tmp_path / "wide.png", 1, 1, crop=crop_for(True, "100%,0%,25%"))
    assert shown.size == (50, 50)
    assert max(np.asarray(shown)[-1].ravel()) < 70
    for place in ("50%,30%,0%", "50%,30%,101%"):
        with pytest.raises(UsageError, match="is no position"):
            crop_for(True, place)
