"""`jigsat photo`: what it writes, and what it refuses."""

import re

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


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("number", [1, 2])
def test_what_is_written_is_what_the_library_renders(capsys, here, number):
    """Catches options that do not arrive, and the other assembly."""
    Image.linear_gradient("L").convert("RGB").save("art.png")
    options = ("--image=art.png", "--loose=4", "--pixels=32", "--seed=3", "--curves=2", f"--number={number}")
    assert run(capsys, "photo", "perfect-5x5", *options, "-o", "photo.png") == (0, "", "")
    with Image.open("art.png") as artwork:
        expected = photo(
            PUZZLE, cut_of(PUZZLE, 2), PUZZLE.assemblies[number - 1], artwork, pixels=32, loose=4, seed=3
        )  # fmt: skip
    assert (pixels_of("photo.png") == np.asarray(expected)).all()
    assert run(capsys, "photo", "perfect-5x5", *options, "-o", "photo.jpg")[0] == 0
    assert np.abs(pixels_of("photo.jpg") - np.asarray(expected)).mean() < 6


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
    ("options", "message"),
    [
        ("perfect-5x5 -o x.svg", r"x\.svg: the name must end in \.png, \.jpg or \.jpeg"),
        ("perfect-5x5 --pixels 15 -o x.png", "--pixels: 15: must be from 16 to 400"),
        ("perfect-31x31 --pixels 400 -o x.png", "--pixels: 400: is too much for 961 pieces"),
        ("perfect-5x5 --loose 26 -o x.png", "--loose: 26: the jigsaw has 25 pieces"),
        ("perfect-5x5 --number 3 -o x.png", "perfect-5x5: there is no board 3; the file contains 2 boards"),
        ("perfect-5x5 --image cup.txt -o x.png", r"cup\.txt: there is no such file, nor a bundled picture"),
        ("perfect-5x7 --image cup -o x.png", "cup: has 512 x 512 pixels, but a 5x7 board needs"),
        ("clue1 -o x.png", "clue1: is of the kind edge-matching, but only jigsaws have tabs"),
    ],
)
def test_one_line_about_what_is_wrong(capsys, here, options, message):
    status, out, err = run(capsys, "photo", *options.split())
    assert (status, out) == (2, "")
    assert re.fullmatch(rf"jigsat: {message}.*\n", err)
    assert list(here.iterdir()) == []


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
