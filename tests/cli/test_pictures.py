"""`jigsat pictures`: the files show what they should, the numbers are those of the files, and errors are one line."""

import json
import re
import threading
from contextlib import nullcontext

import numpy as np
import pytest
from PIL import Image

from command_line import interrupted, run
from jigsat import count
from jigsat.csp.base import stop
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make import two_pictures
from jigsat.csp.make.two_pictures import Solutions
from jigsat.csp.puzzles.jigsaw_algebra import quality
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.files import crop_for, read_picture
from jigsat.render.photo.pixels import shown, transfer

pytestmark = pytest.mark.usefixtures("here")

FILES = ["artwork.png", "assembly-1.png", "assembly-2.png", "jigsaw.json", "mapping.csv", "uv-map.png"]
#: The artwork with the least squared error.
PLAIN = ("--blend", "mean")
#: Two solutions, few pixels.
SMALL = ("--jigsaw", "perfect-5x5", "--pixels", "8")


def pictures(capsys, *options):
    """The record of a command that must succeed."""
    status, out, err = run(capsys, "pictures", *options, "-o", "made", "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def bytes_of(name):
    with Image.open(name) as image:
        found = np.asarray(image)
    return found if found.ndim == 3 else found[..., None]


def squared(one, other):
    return ((one.astype(float) - other.astype(float)) ** 2).mean()


@pytest.mark.some_cases(2)
@pytest.mark.parametrize(
    "options",
    [
        SMALL,
        ("--jigsaw", "perfect-5x5", "--pixels", "20", "--grey", "--weight", "0.2"),
        ("--jigsaw", "perfect-5x7", "--pixels", "8", "--crop", "--curves", "3"),
        ("--rows", "6", "--columns", "6", "--method", "scrambles", "--scrambles", "3", "--seed", "5", "--pixels", "8"),
        ("--rows", "4", "--columns", "6", "--method", "assignment", "--pixels", "8", "--crop"),
    ],
)
def test_the_files_show_the_pictures(capsys, here, options):
    """From the files alone: the jigsaw's first assembly has the artwork, its second one shows the second picture."""
    told = pictures(capsys, "cup", "ring", *options, *PLAIN)
    assert sorted(path.name for path in (here / "made").iterdir()) == sorted(told["files"]) == FILES
    puzzle = read_squares("made/jigsaw.json")
    artwork = bytes_of("made/artwork.png")
    pixels = told["pixels"]
    assert artwork.shape == (puzzle.rows * pixels, puzzle.columns * pixels, 1 if told["grey"] else 3)
    quality(puzzle)
    tabs = cut_of(puzzle, told["curves"]).tabs
    second = shown(artwork, transfer(puzzle, *puzzle.assemblies[:2], pixels, tabs))
    style = {"grey": told["grey"], "crop": crop_for(True, None)}
    wanted = [read_picture(name, puzzle.rows, puzzle.columns, pixels, **style) for name in ("cup", "ring")]
    errors = told["mean_squared_errors"]
    assert errors["as_cut"] == pytest.approx([squared(artwork, wanted[0]), squared(second, wanted[1])])
    assert told["decibels"]["as_cut"] == pytest.approx([10 * np.log10(65025 / e) for e in errors["as_cut"]])
    assert sum(errors["least"]) <= sum(errors["squares"]) + 0.3
    for name, picture in (("assembly-1", artwork), ("assembly-2", second)):
        drawn = bytes_of(f"made/{name}.png")
        unlined = (drawn == picture).all(axis=2)
        assert 0.3 < unlined.mean() < 0.99
        assert (drawn[~unlined].astype(int).sum(axis=1) < picture[~unlined].astype(int).sum(axis=1)).all()


def test_the_jigsaw_has_two_solutions_and_is_made_again(capsys, here):
    """The same seed gives the same files, another one another jigsaw; what is reported of the choice is so."""
    options = (
        *["cup", "ring", "--rows", "5", "--columns", "5", "--method", "scrambles", "--scrambles", "4", "--pixels", "8"],
        *PLAIN,
    )
    told = pictures(capsys, *options)
    before = {name: (here / "made" / name).read_bytes() for name in FILES}
    assert pictures(capsys, *options, "--seed", "0") == told
    assert before == {name: (here / "made" / name).read_bytes() for name in FILES}
    puzzle = read_squares("made/jigsaw.json")
    assert count(puzzle).canonical_count == told["canonical_count"] == 2
    assert (told["complete"], told["candidates"], told["method"]) == (True, 8, "scrambles")
    errors = told["mean_squared_errors"]
    assert sum(errors["least"]) < sum(errors["squares"]) < sum(errors["random"])
    assert pictures(capsys, *options, "--seed", "100")["chosen"] != told["chosen"]


def test_a_picture_and_its_own_scramble_are_shown_without_error(capsys):
    """Made here from the cup, for a jigsaw whose file has the assemblies in another order, one of them turned."""
    puzzle = read_squares("perfect-5x5")
    cup = read_picture("cup", 5, 5, 8)
    scrambled = shown(cup, transfer(puzzle, *puzzle.assemblies, 8, cut_of(puzzle).tabs))
    Image.fromarray(cup).save("a.png")
    Image.fromarray(np.ascontiguousarray(np.rot90(scrambled))).save("b.png")
    told = pictures(capsys, "a.png", "b.png", *SMALL, *PLAIN)
    assert told["mean_squared_errors"]["as_cut"] == [0, 0]
    assert told["decibels"]["as_cut"] == [None, None]
    assert pictures(capsys, "b.png", "a.png", *SMALL, *PLAIN)["mean_squared_errors"]["as_cut"] == [0, 0]
    status, out, _ = run(capsys, "pictures", "a.png", "b.png", *SMALL, *PLAIN, "-o", "made", "--verbose")
    assert status == 0
    assert re.search(r"as cut +none +none\n", out)


def test_a_preview_says_what_is_to_come(capsys, here):
    """One picture of both assemblies; the verdict is that of the jigsaw itself."""
    options = ("cup", "ring", "--rows=5", "--columns=5", "--pixels=8")
    status, out, err = run(capsys, "pictures", *options, "--preview", "seen.png", "--json")
    assert (status, err) == (0, "")
    assert bytes_of("seen.png").shape == (40, 80, 3)
    told = json.loads(out)
    assert {**pictures(capsys, *options, "--method=assignment")["verdict"], "better": told["better"]} == told
    for better in told["better"]:
        assert min(better["similarities"]) > min(told["similarities"])
    status, out, _ = run(capsys, "pictures", *options, "--preview", "seen.png")
    assert (status, out.count("\n")) == (0, 3)
    assert out.startswith(f"these two suit each other {told['suit']}: similarity ")


def test_ctrl_c_leaves_the_best_so_far(here):
    """The files are those of the best jigsaw so far."""
    options = ("--rows=5", "--columns=5", "--method=scrambles", "--scrambles=1000000", "--pixels=8", "-vo", "made")
    out, err = interrupted("group", "jigsat.csp.base.stop:Stop.tell:5", "pictures", "cup", "ring", *options)
    assert err == ""
    assert re.match(r".*, 25 pieces, exactly 2 solutions \(interrupted\)\n", out.replace(":", ","))
    assert re.search(r"\n  chosen +seed \d+, the best of \d+ with their mirrors\n", out)
    assert sorted(path.name for path in (here / "made").iterdir()) == FILES


def test_ctrl_c_while_solutions_are_counted(capsys, monkeypatch):
    """The choice and the drawing were not interrupted, so they are not reported as such."""
    pressed = threading.Event()
    monkeypatch.setattr(stop, "interrupts_noted", lambda: nullcontext(pressed))

    def counted(puzzle, must_stop):
        pressed.set()
        assert must_stop()
        return Solutions(2, False, "interrupt")

    monkeypatch.setattr(two_pictures, "count_solutions", counted)
    status, out, err = run(capsys, "pictures", "cup", "ring", *SMALL, *PLAIN, "-o", "made")
    assert (status, err) == (130, "")
    assert "25 pieces, at least 2 solutions (the search for others is incomplete)\nthese two suit" in out
