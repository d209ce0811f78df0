"""What commands refuse: one line, status 2, no file left behind, each message as the table has it."""

import re
from shlex import split

import pytest

from command_line import run
from messages import rows, write_files

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
