"""The README and the pages of the site are right: their code runs, and prints and draws what they show."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pages import blocks_of, parse_block, run_block

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGES = {
    path.relative_to(ROOT).as_posix(): path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
#: Which Hamiltonian cycle this one shows differs from version to version of the solver.
VARYING = "ostomachion-graph.svg"


def pages_with(*whens):
    """The pages with a block that is run at those times."""
    return [name for name, path in PAGES.items() if any(block.when in whens for block in blocks_of(path.read_text()))]


def run_page(name, whens, capsys):
    names = {"__name__": "__main__"}
    for block in blocks_of(PAGES[name].read_text()):
        if block.when in whens:
            run_block(block, names, capsys)
        else:
            parse_block(block)
    for drawn in Path().rglob("*"):
        if (PICTURES / drawn.name).exists() and drawn.name != VARYING:
            assert_same_picture(drawn, PICTURES / drawn.name)


def assert_same_picture(drawn, shown):
    if shown.suffix == ".jpg":  # compressed a little differently from version to version
        pixels = [np.asarray(Image.open(path), float) for path in (drawn, shown)]
        assert pixels[0].shape == pixels[1].shape
        assert np.abs(pixels[0] - pixels[1]).mean() < 3
    elif shown.name.startswith("predicted"):  # Matplotlib draws a little differently from version to version
        assert drawn.read_text().count("<use ") == shown.read_text().count("<use ") > 36
    else:
        assert drawn.read_bytes() == shown.read_bytes(), shown.name


@pytest.mark.parametrize("name", pages_with(None, "slow", "not run"))
def test_code_on_pages(name, tmp_path, monkeypatch, capsys):
    """In an empty folder of its own; what is slow is only parsed."""
    monkeypatch.chdir(tmp_path)
    run_page(name, {None}, capsys)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* dots an inch in print")
@pytest.mark.parametrize("name", pages_with("slow"))
def test_slow_code_on_pages(name, tmp_path, monkeypatch, capsys):
    """All of a page, since what is slow may need what was made above it."""
    monkeypatch.chdir(tmp_path)
    run_page(name, {None, "slow"}, capsys)


def test_every_picture_is_shown_in_the_gallery_beside_its_command():
    gallery = PAGES["docs/gallery.md"].read_text()
    code = "".join(block.code for block in blocks_of(gallery))
    for picture in PICTURES.iterdir():
        assert f"](pictures/{picture.name})" in gallery
        assert picture.name in code
