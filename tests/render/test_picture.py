"""Pictures as notebooks and files take them."""

from xml.etree import ElementTree as ET

import pytest
from IPython.core.formatters import DisplayFormatter
from PIL import Image
from pypdfium2 import PdfDocument

from command_line import run
from jigsat.csp.base import errors
from jigsat.csp.base.errors import JigsatError, UsageError
from jigsat.csp.files.instances import read_dissection, read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import tiling_of
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, board_of
from jigsat.render.picture import Picture, bundle_of, picture_of_dissection, picture_of_squares, refuse_picture
from solution_files import save_solutions

CLUE, HINTS, L_SHAPE = read_squares("clue3"), read_squares("eternity2-hints"), read_dissection("l-shape")
BOARD = board_of(CLUE, (Placement(0, 1), *(None,) * 35))
SPARE = board_of(EdgeMatchingPuzzle(1, 1, ((0, 0, 0, 0),) * 2, name="1x1"), (Placement(1, 0),))
TILING = tiling_of(L_SHAPE, L_SHAPE.pieces)


@pytest.mark.parametrize(
    ("thing", "text", "picture"),
    [
        (CLUE, "<clue3: edge-matching puzzle, 6x6, 36 pieces>", picture_of_squares(CLUE, pieces=True)),
        (HINTS, "<eternity2-hints: edge-matching puzzle, 16x16, 256 pieces>", picture_of_squares(HINTS)),
        (L_SHAPE, "<l-shape: dissection puzzle, 4 pieces>", picture_of_dissection(L_SHAPE)),
        (BOARD, "<board of clue3, 1 of 36 pieces>", picture_of_squares(CLUE, BOARD)),
        (SPARE, "<board of 1x1, 1 of 1 square filled>", picture_of_squares(SPARE.puzzle, SPARE)),
        (TILING, "<tiling of l-shape, 4 pieces>", picture_of_dissection(L_SHAPE, [TILING])),
    ],
    ids=["set", "fixed pieces", "dissection", "board", "board with spare pieces", "tiling"],
)
def test_what_notebooks_show(thing, text, picture):
    """Catches puzzles that show nothing, and boards that have forgotten their puzzle."""
    data, _ = DisplayFormatter().format(thing)
    assert data == {"text/plain": text, "image/svg+xml": picture.svg} == bundle_of(thing)
    assert ET.fromstring(picture.svg).tag.endswith("svg")


def test_large_puzzles_are_told_in_a_line():
    """Catches a notebook of many megabytes."""
    large = read_squares("perfect-31x31")
    words = {"text/plain": "<perfect-31x31: jigsaw puzzle, 31x31, 961 pieces>"}
    assert DisplayFormatter().format(large)[0] == words
    board = board_of(large, large.assemblies[0])
    assert DisplayFormatter().format(board)[0] == {"text/plain": "<board of perfect-31x31, 961 of 961 pieces>"}


def test_a_picture_is_its_svg(tmp_path):
    picture = Picture("<svg/>\n")
    picture.save(tmp_path / "some.svg")
    assert str(picture) == (tmp_path / "some.svg").read_text() == picture._repr_svg_() == "<svg/>\n"
    with pytest.raises(UsageError, match=r"some\.jpg: the name must end in \.svg, \.png or \.pdf"):
        picture.save(tmp_path / "some.jpg")
    assert [path.name for path in tmp_path.iterdir()] == ["some.svg"]


def test_pictures_as_png_and_pdf(tmp_path):
    """Catches an SVG under another name, another scale, and missing shapes."""
    picture = picture_of_squares(read_squares("clue1"), pieces=True)
    for ending in ("png", "pdf"):
        picture.save(tmp_path / f"pieces.{ending}")
    root = ET.fromstring(picture.svg)
    size = int(root.get("width", 0)), int(root.get("height", 0))
    with Image.open(tmp_path / "pieces.png") as image:
        assert (image.format, image.size) == ("PNG", (2 * size[0], 2 * size[1]))
        assert len(image.convert("RGB").getcolors(10**6) or ()) > 20
    document = PdfDocument(tmp_path / "pieces.pdf")
    assert len(document) == 1
    assert document[0].get_size() == pytest.approx((size[0] * 0.75, size[1] * 0.75), abs=1)
    document.close()


def test_strokes_below_fills(tmp_path):
    """Catches numbers that are hidden by their white outlines."""
    ground = '<rect width="20" height="20" fill="#888"/>'
    square = '<g fill="#000" stroke="#fff" stroke-width="10" paint-order="stroke"><path d="M7 7h6v6h-6z"/></g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{ground}{square}</svg>'
    Picture(svg).save(tmp_path / "square.png")
    with Image.open(tmp_path / "square.png") as image:
        colours = [image.convert("RGB").getpixel((2 * place, 20)) for place in (0, 4, 8, 10)]
    assert colours == [(136,) * 3, (255,) * 3, (0,) * 3, (0,) * 3]


def test_large_pictures_fit(tmp_path):
    """Cairo draws at most 32767 pixels each way."""
    Picture('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="40000"></svg>').save(tmp_path / "high.png")
    with Image.open(tmp_path / "high.png") as image:
        assert image.size == (8, 32000)


def test_a_missing_library_is_reported_before_the_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(errors, "find_spec", lambda name: None)
    with pytest.raises(JigsatError, match=r"PNG and PDF files need cairosvg: install it with pip install"):
        refuse_picture("some.png")
    assert refuse_picture("some.svg") == "svg"


def test_the_command_draws_what_it_is_asked_for(tmp_path, capsys):
    """Catches options that show something else; what is drawn where is tested in svg/."""
    solutions, output = tmp_path / "boards.json", tmp_path / "picture.svg"
    save_solutions(CLUE, [BOARD, (None,) * 36], solutions)
    for words, shown in (
        (["clue3", solutions], "1 of 36 pieces, score 0 of 60"),
        (["clue3", solutions, "--number", "2"], "0 of 36 pieces"),
        (["clue3", "--time-limit", "0"], "36 pieces, "),
        (["eternity2-hints", "--time-limit", "0"], "5 of 256 pieces"),
        (["eternity2-hints"], "256 pieces, 22 colours"),
        (["scramble-squares"], "9 of 9 pieces, "),
        (["tangram"], "7 pieces of 5 shapes"),
        (["perfect-5x5"], "25 of 25 pieces, score 40 of 40"),
        (["perfect-5x5", "--all", "--page", "a4"], "2 boards"),
        (["perfect-5x5", "--pieces", "--legend"], "25 pieces, 20 connectors"),
        (["clue3", "--order", "spiral_in", "--no-numbers"], "search order spiral_in: from "),
    ):
        assert run(capsys, "draw", *map(str, words), "-o", str(output), "--quiet") == (0, "", "")
        assert shown in output.read_text()
        assert ("&#177;20<" in output.read_text()) == ("--legend" in words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boards.json", "picture.svg"]
    status, out, _ = run(capsys, "draw", "clue3", "--order", "spiral_in", "--no-numbers", "-o", "-")
    assert (status, out) == (0, output.read_text())
