"""Forms from Python: the same as from the shell, stopped in good order, drawn."""

import json
from xml.etree import ElementTree as ET

import pytest

from command_line import run
from jigsat.csp.base.errors import UsageError
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.tilings.tileable_forms import forms


@pytest.mark.parametrize(
    ("vertices", "options", "words"),
    [
        (4, {}, []),
        (5, {"decide": True}, ["--decide"]),
        (4, {"seams": True}, ["--seams"]),
        (6, {"time_limit": 0}, ["--time-limit=0"]),
    ],
)
def test_the_command_says_what_the_function_finds(capsys, vertices, options, words):
    found = forms(read_puzzle("tangram"), vertices, **options)
    arguments = "forms", "tangram", f"--vertices={vertices}", *words
    _, out, _ = run(capsys, *arguments, "--json")
    # A record has tuples where JSON has lists.
    assert json.loads(json.dumps(found.record())) == json.loads(out)
    assert run(capsys, *arguments)[1] == f"{found.summary()}\n"
    assert run(capsys, *arguments, "--draw=-")[1] == found.draw()


def test_a_form_has_its_tiling():
    found = forms(read_puzzle("tangram"), 3, decide=True)
    assert (found.complete, found.candidates, found.settled, found.counted) == (True, 1, 1, False)
    assert [len(form.tiling) for form in found.forms] == [7]
    assert ET.fromstring(found._repr_svg_()).tag.endswith("svg")


def test_progress_is_told():
    told = []
    forms(read_puzzle("tangram"), 6, report=told.append)
    assert told[-1].note.endswith("candidates")
    assert 0 <= told[0].done <= told[-1].done == 1


@pytest.mark.parametrize(("puzzle", "vertices", "option"), [("clue1", 3, ()), ("tangram", 2, ("vertices",))])
def test_misuse(puzzle, vertices, option):
    with pytest.raises(UsageError) as refused:
        forms(read_puzzle(puzzle), vertices)
    assert refused.value.options == option
