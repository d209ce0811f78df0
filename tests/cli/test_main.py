"""Each command does something, and what it refuses is said in one line, with status 2, and leaves no file behind."""

import json
import re
import sys
from shlex import split

import pytest

from command_line import run
from jigsat.cli.commands import COMMANDS
from jigsat.cli.wording import print_json
from messages import rows, write_files

#: A command line for each command that takes no time; {} is a folder.
SMOKE = {
    "solve": "clue3", "improve": "made.json board.json", "count": "puzzle-a", "plan": "clue1", "estimate": "puzzle-a",
    "race": "clue1 -o {}/race --width=10 --trials=1", "certify": "perfect-5x5 --solutions=2", "info": "clue1",
    "check": "made.json board.json", "make": "edge-matching --rows=3 --columns=3 --frame-colors=2 --inner-colors=2",
    "list": "", "draw": "clue1 -o {}/a.svg", "view": "made.json board.json -o {}/a.html", "graph": "l-shape",
    "play": "perfect-3x3 -o {}/a.html", "cut": "perfect-3x3 -o {}/a.svg",
    "photo": "perfect-3x3 --pixels=16 -o {}/a.png",
    "pictures": "cup ring --jigsaw=perfect-5x5 --pixels=8 -o {}/made", "forms": "tangram --vertices=3", "schema": "",
    "convert": "clue1 {}/a.csv", "export": "clue1 -o {}/a.cnf", "compare": "smoke -o {}/out --dry-run",
    "merge": "{}/a.ledger -o {}/b.ledger",
}  # fmt: skip
#: More of them, with options that print something else.
MORE = (
    "certify perfect-5x5 --solutions=2 --by-search", "forms tangram --vertices=5 --decide", "info eternity2",
    "estimate puzzle-a --actual --depth-limit=12", "solve perfect-3x3 --best", "list --engines", "info tangram",
    "solve meta10 --best --time-limit=1 --engine=beam",
)  # fmt: skip
ESCAPED = r"\x1b" * 37
NONE = r"\b(so many|is none|tells?|told|whoever|nobody|says so|anew|argument -)\b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the commands read."""
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_command_has_a_line():
    """`warm-up`, which takes minutes, and `studio`, which serves, have tests of their own."""
    assert {*SMOKE, "studio", "warm-up"} == COMMANDS.keys()


@pytest.mark.some_cases(12)
@pytest.mark.parametrize("line", [*(f"{command} {words}" for command, words in SMOKE.items()), *MORE])
def test_each_command_does_something(line, tmp_path, capsys):
    if line.startswith("merge"):
        assert run(capsys, "count", "made.json", "--method=blocks", f"--ledger={tmp_path}/a.ledger")[0] == 0
    status, out, err = run(capsys, *split(line.replace("{}", str(tmp_path))))
    assert status == 0, err
    assert out or any(tmp_path.iterdir())


@pytest.mark.parametrize(("line", "message"), rows(), ids=[line for line, _ in rows()])
def test_messages(line, message, folder, capsys):
    """Would catch tracebacks, work done before it is refused, and words that the glossary replaces."""
    before = contents(folder)
    assert run(capsys, *split(line)) == (2, "", message.replace("\\|", "|") + "\n")
    assert contents(folder) == before
    assert not re.search(NONE, message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("count", "clue1", "--order", "x" * 5000), f"jigsat: unknown search order '{37 * 'x'}...', choose from"),
        (("cut", "perfect-5x5", "--page", "\x1b" * 99, "-o", "a.svg"), f"jigsat: page '{ESCAPED}...': must be"),
        (("make", "jigsaw", "--rows=5", "--columns=5", "--name=a\nb"), r"jigsat: --name: must be 1 to 200 printable"),
    ],
)
def test_long_and_steering_words_are_cut_and_escaped(arguments, message, capsys):
    status, out, err = run(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(message)


def test_a_closed_standard_output_is_no_error(monkeypatch):
    """As for all that is printed: `jigsat info puzzle-a --json >&-` ended with a traceback."""
    monkeypatch.setattr(sys, "stdout", None)
    print_json({"pieces": 16})


def test_json_has_no_numbers_that_json_lacks(capsys):
    print_json({"nodes": float("inf"), "parts": [float("nan"), 1.5, {"a": (2, -float("inf"))}]})
    assert json.loads(capsys.readouterr().out) == {"nodes": None, "parts": [None, 1.5, {"a": [2, None]}]}
