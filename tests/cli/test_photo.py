"""`jigsat photo`: what it writes, and what it refuses."""

import pytest
from PIL import Image

from command_line import run


@pytest.mark.filterwarnings("default:.* is cut off:UserWarning", "default:.*dots an inch:UserWarning")
@pytest.mark.parametrize(
    ("command", "file"),
    [(("photo", "--pixels=32"), "a.png"), (("cut", "--sheets=assemblies"), "a-assembly-1.svg"), (("play",), "a.html")],
)
def test_pictures_of_another_shape_are_cropped(capsys, here, command, file):
    """Catches crops to the middle where something stands out, and options that do not arrive."""
    wide = Image.new("RGB", (300, 100), "white")
    wide.paste("black", (20, 30, 60, 70))
    wide.save("wide.png")
    wide.crop((0, 0, 100, 100)).save("left.png")
    name, *options = command
    plain = (name, "perfect-5x5", *options, "-o", file.replace("-assembly-1", ""))
    _, _, refusal = run(capsys, *plain, "--image=wide.png")
    assert refusal.endswith("(1); crop it to this shape (--crop)\n")
    made = []
    wide = ("--image=wide.png", "--crop")
    for image in (("--image=left.png",), (*wide[:1], "--crop-at=left"), wide, (*wide[:1], "--crop-at=middle")):
        assert run(capsys, *plain, *image)[0] == 0
        made.append((here / file).read_bytes())
    assert made[0] == made[1]
    assert made[2] != made[3]
    for options, message in (
        (("--crop",), "--crop: it is for a picture; give an image, too"),
        (("--image=wide.png", "--crop-at=up"), "--crop-at: 'up' is no position; choose top"),
    ):
        assert message in run(capsys, *plain, *options)[2]
