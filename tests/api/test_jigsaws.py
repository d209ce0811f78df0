"""Cut sheets and renderings: the functions write what the command writes."""

from dataclasses import replace

import pytest

from command_line import run
from jigsat import draw_photo, draw_print, read_squares
from jigsat.csp.base.errors import UsageError

JIGSAW = read_squares("perfect-5x5")


def test_cut_sheets(here, capsys):
    """The same files with the same content, and the same words about them."""
    options = ("--size=30", "--page=a4", "--sheets=cut,assemblies", "--number=2", "--no-numbers")
    status, out, _ = run(capsys, "cut", "perfect-5x5", *options, "-o", "command.svg", "--quiet")
    assert status == 0
    notes = []
    sheets = draw_print(
        JIGSAW, size=30, page="a4", sheets=["cut", "assemblies"], number=2, numbers=False,
        report=lambda progress: notes.append(progress.note),
    )  # fmt: skip
    files = sheets.save("function.svg")
    assert replace(sheets, written=files).summary() == out.rstrip("\n").replace("command", "function")
    assert [file.path for file in files] == ["function.svg", "function-assembly-1.svg", "function-assembly-2.svg"]
    for file in files:
        assert (here / file.path).read_text() == (here / file.path.replace("function", "command")).read_text()
    assert sheets._picture() == (here / "function.svg").read_text()
    assert notes == ["curves"]
    laid = draw_print(JIGSAW, JIGSAW.assemblies[1], size=30, page="a4", sheets="cut", numbers=False)
    assert laid._picture() == sheets._picture()


def test_what_there_is_not():
    """Besides what commands can ask for."""
    with pytest.raises(UsageError, match="loose: -1: the jigsaw has 25 pieces; give from 0 to 25"):
        draw_photo(JIGSAW, loose=-1)
    with pytest.raises(UsageError, match="sheets: give at least one of cut, back, print, scissors, strip, legend, "):
        draw_print(JIGSAW, sheets=[])
    with pytest.raises(UsageError, match="dpi: 100: it is for PNG files only"):
        draw_print(JIGSAW, sheets="cut").save("cut.svg", dpi=100)
