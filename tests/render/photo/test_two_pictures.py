"""The function that makes artwork for two pictures does what the command does."""

import json
import re

import numpy as np
import pytest

import jigsat as js
from command_line import run
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.files.instances import read_squares
from jigsat.render.photo.files import read_picture, write_picture
from jigsat.render.photo.pixels import artwork_of, shown, transfers

SMALL = {"jigsaw": "perfect-5x5", "pixels": 8}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 5, "columns": 5, "time_limit": 0}, "no jigsaw was found .the time limit"),
        ({"rows": 2, "columns": 2}, "no jigsaw was found .no candidate meets all conditions.$"),
    ],
)
def test_where_no_jigsaw_is_found_nothing_is_written(here, options, message):
    with pytest.raises(js.NotFoundError, match=message):
        js.pictures("cup", "ring", "made/here", pixels=8, **options)
    assert not (here / "made").exists()


def test_files_that_cannot_be_written_are_refused_before_the_search(here):
    (here / "made" / "artwork.png").mkdir(parents=True)
    told = []
    with pytest.raises(js.InstanceError, match=r"artwork\.png: cannot be written: Is a directory"):
        js.pictures("cup", "ring", "made", report=told.append, **SMALL)
    assert told == []


def test_three_pictures(capsys, here):
    """A jigsaw's own three views of a picture, in another order and turned, are found and shown without error."""
    puzzle = read_squares("three-perfect-7x7")
    picture = np.random.default_rng(1).integers(0, 256, (56, 56, 1), np.uint8)
    views = [picture, *(shown(picture, to) for to in transfers(puzzle, 3, 8, None))]
    wanted = [np.rot90(views[2]), views[0], np.rot90(views[1], 2)]
    for name, view in zip("abc", wanted, strict=True):
        write_picture(view, here / f"{name}.png")
    options = {"jigsaw": "three-perfect-7x7", "pixels": 8, "grey": True, "blend": "mean"}
    made = js.pictures("a.png", "b.png", "made", third="c.png", **options)
    assert made.mean_squared_errors["squares"] == (0, 0, 0)
    assert (made.solutions, made.exact, made.weight) == (3, True, 1 / 3)
    assert sorted(made.files) == sorted(path.name for path in (here / "made").iterdir())
    assert {"assembly-3.png", "uv-map-3.png"} <= set(made.files)
    header = (here / "made" / "mapping.csv").read_text().splitlines()[0]
    assert header.endswith(",square_3,row_3,column_3,rotation_3,turn,turn_3")
    words = ["--jigsaw", "three-perfect-7x7", "--pixels", "8", "--grey", "--blend", "mean"]
    status, out, err = run(capsys, "pictures", "a.png", "b.png", "c.png", *words, "-o", "made", "--json")
    assert (status, err, json.loads(out)) == (0, "", json.loads(json.dumps(made.record())))
    assert re.search(r"\(tones 0 to 255\)  A +B +C\n", made.summary(verbose=True))
    assert made.verdict.summary().startswith("these three suit each other ")


def test_files_of_an_earlier_run_do_not_stay(here):
    """Those of a third picture; what else there is stays, and a file that is also a picture is not removed."""
    there = here / "made"
    there.mkdir()
    for name in ("assembly-3.png", "uv-map-3.png", "note.png"):
        write_picture(np.zeros((40, 40, 1), np.uint8), there / name)
    with pytest.raises(InstanceError, match=r"assembly-3\.png: is also the input file"):
        js.pictures("cup", there / "assembly-3.png", there, **SMALL, blend="mean")
    made = js.pictures("cup", "ring", there, **SMALL, blend="mean")
    assert sorted((*made.files, "note.png")) == sorted(path.name for path in there.iterdir())


def test_three_pictures_lie_as_their_weights_ask(here):
    """With little weight on the cup the solutions are exchanged or turned for the other two."""
    row, column = np.mgrid[:112, :112]
    write_picture((255 * (row + column) // 222).astype(np.uint8)[..., None], here / "c.png")
    options = {"third": "c.png", "jigsaw": "three-perfect-7x7", "pixels": 8, "grey": True, "blend": "mean"}
    low, even = (js.pictures("cup", "ring", "made", **options, weight=w) for w in (0.02, None))
    wanted = [read_picture(name, 7, 7, 8, grey=True) for name in ("cup", "ring", "c.png")]

    def error(jigsaw):
        errors = artwork_of(jigsaw, wanted, (0.02, 0.49, 0.49), None).errors
        return 0.02 * errors[0] + 0.49 * (errors[1] + errors[2])

    assert (error(low.jigsaw), error(even.jigsaw)) == pytest.approx((1314.8, 1650.3), abs=0.05)
