"""`jigsat photo`: what it writes, and what it refuses."""

import numpy as np
import pytest
from PIL import Image

from command_line import run
from jigsat.csp.files.instances import read_squares, save
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.photo import photo
from solution_files import save_solutions

PUZZLE = read_squares("perfect-5x5")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pixels_of(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_a_solution_of_a_jigsaw_without_assemblies(capsys, here):
    """What lies on the table is the solution; a picture would lie nowhere."""
    bare = EdgeMatchingPuzzle(5, 5, PUZZLE.pieces, Rule.OPPOSITE, name="bare")
    save(bare, "bare.json")
    save_solutions(bare, PUZZLE.assemblies[1:], "solutions.json")
    options = ("--pixels=20", "-o", "photo.png")
    assert run(capsys, "photo", "bare.json", "solutions.json", *options) == (0, "", "")
    shown = photo(PUZZLE, cut_of(PUZZLE), PUZZLE.assemblies[1], pixels=20)
    assert (pixels_of("photo.png") == np.asarray(shown)).all()
    status, _, err = run(capsys, "photo", "bare.json", "solutions.json", *options, "--image=cup")
    assert (status, err) == (2, "jigsat: --image: bare has no assembly to place the picture on\n")
    assert "there is no assembly to lay out" in run(capsys, "photo", "bare.json", *options)[2]


@pytest.mark.parametrize(
    ("command", "file"),
    [(("photo", "--pixels=32"), "a.png"), (("cut", "--sheets=cut"), "a.svg"), (("play",), "a.html")],
)
def test_pictures_of_another_shape_are_cropped(capsys, here, command, file):
    """Catches crops to the middle where something stands out, and options that do not arrive."""
    wide = Image.new("RGB", (300, 100), "white")
    wide.paste("black", (20, 30, 60, 70))
    wide.save("wide.png")
    wide.crop((0, 0, 100, 100)).save("left.png")
    name, *options = command
    plain = (name, "perfect-5x5", *options, "-o", file)
    _, _, refusal = run(capsys, *plain, "--image=wide.png")
    assert refusal.endswith("(1); the option crop cuts it to this shape\n")
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
