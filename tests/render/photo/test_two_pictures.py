"""The function that makes artwork for two pictures does what the command does."""

import json

import pytest

import jigsat as js
from command_line import run
from jigsat.csp.base.errors import InstanceError, PuzzleError

SMALL = {"jigsaw": "perfect-5x5", "pixels": 8}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        {**SMALL, "grey": True, "weight": 0.2},
        pytest.param(
            {"rows": 5, "columns": 5, "method": "scrambles", "scrambles": 2, "pixels": 8, "seed": 3},
            marks=pytest.mark.slow,
        ),
        {"rows": 4, "columns": 6, "method": "assignment", "pixels": 8, "crop": True},
    ],
)
def test_pictures_is_the_command(capsys, here, options):
    """The same record, the same text and the same files."""
    made = js.pictures("cup", "ring", "made", **options)
    before = {path.name: path.read_bytes() for path in (here / "made").iterdir()}
    words = [f"--{key}" if value is True else f"--{key}={value}" for key, value in options.items()]
    status, out, err = run(capsys, "pictures", "cup", "ring", *words, "-o", "made", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == json.loads(json.dumps(made.record()))
    assert before == {path.name: path.read_bytes() for path in (here / "made").iterdir()}
    assert set(made.files) == before.keys()
    assert run(capsys, "pictures", "cup", "ring", *words, "-o", "made")[1] == f"{made.summary()}\n"


def test_the_jigsaw_may_be_a_puzzle(here):
    """One that was made a moment ago needs no file."""
    jigsaw = js.make_jigsaw(5, 5, seed=2)
    told = []
    made = js.pictures("cup", "ring", here / "made", jigsaw=jigsaw, pixels=8, report=told.append)
    assert (made.method, made.solutions, made.exact, made.jigsaw.pieces) == ("given", 2, True, jigsaw.pieces)
    assert told


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({}, js.UsageError, "give both, or a jigsaw"),
        ({**SMALL, "seed": 0}, js.UsageError, "^seed: it is for choosing among jigsaws"),
        ({**SMALL, "weight": 2}, js.UsageError, "^weight: must lie between 0 and 1, not 2"),
        ({**SMALL, "pixels": 7}, js.UsageError, "^pixels: must be an even number"),
        ({"rows": 5, "columns": 5, "method": "magic"}, js.UsageError, "^method: 'magic' is unknown; choose from"),
        ({"rows": 5, "columns": 5, "scrambles": 0}, js.UsageError, "^scrambles: must be 1 or more, not 0"),
        ({"rows": 0, "columns": 5}, js.UsageError, "rows must lie between"),
        ({"rows": 5, "columns": 5, "time_limit": 0}, js.NotFoundError, "no jigsaw was found .the time limit"),
        ({"jigsaw": "clue1"}, PuzzleError, "clue1: is an edge-matching puzzle"),
        ({"jigsaw": "nowhere"}, InstanceError, "nowhere: there is no such file"),
    ],
)
def test_errors(here, options, kind, message):
    with pytest.raises(kind, match=message):
        js.pictures("cup", "ring", "made", **options)
    assert not (here / "made").exists() or not list((here / "made").iterdir())


def test_a_folder_is_needed():
    with pytest.raises(js.UsageError, match="several files are written"):
        js.pictures("cup", "ring", "-", **SMALL)
