"""The files of commands: their names, what is said of them, and what is not replaced."""

from pathlib import Path

import pytest

from ..support.command_line import run


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("draw clue1 --pieces", "clue1-pieces.svg"),
        ("view perfect-5x5", "perfect-5x5.html"),
        ("play perfect-3x3", "perfect-3x3-play.html"),
        ("play perfect-3x3 --hide-solution --name a/b", "a-b-play.html"),
        ("photo perfect-3x3 --pixels 20", "perfect-3x3-photo.png"),
        ("make polyominoes --cells 5 --target 6x10", "polyominoes-5-6x10.json"),
        ("make jigsaw --rows 5 --columns 5", "perfect-5x5.json"),
        ("export clue3 --to dlx", "clue3.dlx"),
        ("convert clue3 --to csv", "clue3.csv"),
    ],
)
def test_a_file_without_a_name_gets_one_and_is_announced(capsys, line, name):
    """Would catch names that do not say what is made, and commands that succeed without a word."""
    status, out, _ = run(capsys, *line.split())
    assert (status, [path.name for path in Path().iterdir()]) == (0, [name])
    assert f"Wrote {name} (" in out


def test_nothing_is_replaced_by_a_file_without_a_name(capsys):
    """Would catch a drawing of the user that is lost, and copies of the same picture."""
    Path("clue3-pieces.svg").write_text("my drawing")
    for options, name in (
        ((), "clue3-pieces-2"),
        ((), "clue3-pieces-2"),
        (("--legend",), "clue3-pieces-3"),
        (("--legend",), "clue3-pieces-3"),
    ):
        assert f"Wrote {name}.svg (" in run(capsys, "draw", "clue3", "--pieces", *options)[1]
    assert Path("clue3-pieces.svg").read_text() == "my drawing"
    assert len(list(Path().iterdir())) == 3


def test_data_on_standard_output_stay_alone(capsys):
    """Would catch announcements within data, and those that were refused."""
    options = "--rows 3 --columns 3 --frame-colors 2 --inner-colors 2 --solution s.json"
    status, out, err = run(capsys, "make", "edge-matching", *options.split(), "-o", "-")
    assert (status, out[0]) == (0, "{")
    assert "Wrote s.json (" in err
    assert run(capsys, *["draw", "clue3", "--pieces", "--quiet"]) == (0, "", "")
    assert "Wrote" not in run(capsys, *["export", "clue3", "--json"])[1]


def test_what_was_written_is_opened(capsys, monkeypatch):
    """Would catch a browser in a terminal, and a failure for want of a screen."""
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda link: opened.append(link) or True)
    monkeypatch.setattr("sys.platform", "linux")
    _, _, err = run(capsys, "draw", "clue3", "--pieces", "--open")
    assert err == "jigsat: --open: no screen or browser to show clue3-pieces.svg\n"
    monkeypatch.setenv("DISPLAY", ":0")
    run(capsys, "draw", "clue3", "--pieces", "--open")
    assert opened == [Path("clue3-pieces.svg").resolve().as_uri()]


def test_the_next_step_names_the_variant(capsys):
    """Would catch a next step that is refused, as it is for another puzzle."""
    _, out, _ = run(capsys, "solve", "tangram", "--target", "cat", "--no-flip", "3,7", "-o", "cat.json")
    (step,) = (line for line in out.splitlines() if line.startswith("Next: "))
    assert step == "Next: jigsat view tangram cat.json --target cat --no-flip 3,7"
    assert run(capsys, *step.split()[2:])[0] == 0
