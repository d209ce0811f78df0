"""Drawings: a snapshot of each kind, and what holds for all of them.

After a change that is meant, look at the new pictures: `pytest tests/render --snapshot-update`.
"""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from jigsat.csp.files.instances import read_dissection
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.dissection import DissectionPuzzle
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.render.cut.cut_sheets import cut_sheets
from jigsat.render.cut.documents import page_svg
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.legend import assembly_sheets, legend_sheets
from jigsat.render.cut.loose_pieces import apart_sheets, flat_pieces, loose_polygons, strip_sheet, tiling_sheet
from jigsat.render.cut.paper import Artwork
from jigsat.render.cut.sizes import Measures
from jigsat.render.picture import picture_of_dissection
from jigsat.render.svg.board import draw_board, draw_pieces
from jigsat.render.svg.graph import draw_tiling_graph
from jigsat.render.svg.tiling import draw_dissection_pieces, draw_sheet, draw_tiling

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<b>&"]]> \x07\n\u202e🧩'
#: A board of 2x2 squares, and a jigsaw of one join, with names that need escapes.
SQUARES = EdgeMatchingPuzzle(
    2, 2, ((0, 1, 2, 0), (0, 0, 2, 1), (2, 1, 0, 0), (2, 0, 0, 1)), fixed=(Fixed(0, 0, 0),), name=HOSTILE
)
BOARD = tuple(Placement(piece, 0) for piece in range(4))
WRONG = (BOARD[0], Placement(1, 1), Placement(0, 0), None)
PAIR = EdgeMatchingPuzzle(1, 2, ((0, 7, 0, 0), (0, 0, 0, -7)), Rule.OPPOSITE, name=HOSTILE)
LAID = (Placement(0, 0), Placement(1, 0))
L = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
SQUARE, TRIANGLE = ((0, 0), (1, 0), (1, 1), (0, 1)), ((0, 0), (1, 0), (0, 1))
PUZZLE = DissectionPuzzle(L, (SQUARE, *(TRIANGLE,) * 4), name=HOSTILE)
TILING = (
    SQUARE,
    *(((1, 0), (2, 0), (1, 1)), ((2, 0), (2, 1), (1, 1)), ((0, 1), (1, 1), (0, 2)), ((1, 1), (1, 2), (0, 2))),
)
OUTSIDE = (SQUARE, tuple((x + 5, y) for x, y in TILING[1]), *TILING[2:])
HOLED = DissectionPuzzle(
    ((0, 0), (4, 0), (4, 4), (0, 4)), (L,) * 4, holes=(((1, 1), (3, 1), (3, 3), (1, 3)),), name="frame"
)
RING = dict.fromkeys(pairwise(range(8)), "local") | {(0, 7): "global", (0, 4): "<odd>", (8, 9): "local"}


def job_of(puzzle=PAIR, board=LAID, **options):
    return CuttingJob(puzzle, board, cut_of(puzzle), Measures(size=30.0), **options)


def tiling_cut():
    pieces, outlines = flat_pieces(PUZZLE, TILING, 40.0)
    return tiling_sheet(HOSTILE, loose_polygons(pieces, numbered=True), outlines, Measures())


def apart():
    pieces, _ = flat_pieces(PUZZLE, TILING, 40.0)
    return apart_sheets(HOSTILE, loose_polygons(pieces, numbered=True), Measures(kerf=0.2, fit=0.2))[0]


PICTURES = {
    "board": lambda: draw_board(SQUARES, BOARD, legend=True),
    "wrong-board": lambda: draw_board(SQUARES, WRONG),
    "order": lambda: draw_board(SQUARES, (None,) * 4, order=(0, 1, 3, 2), order_name="own"),
    "pieces": lambda: draw_pieces(replace(PAIR, fixed=(Fixed(0, 0, 0),)), legend=True),
    "tiling": lambda: draw_tiling(PUZZLE, TILING),
    "wrong-tiling": lambda: draw_tiling(PUZZLE, OUTSIDE),
    "dissection": lambda: draw_dissection_pieces(HOLED),
    "tilings": lambda: picture_of_dissection(PUZZLE, [TILING, OUTSIDE, TILING], sheet=True).svg,
    "forms": lambda: draw_sheet([(PUZZLE, TILING), (HOLED, HOLED.pieces)], HOSTILE, "form", captions=[HOSTILE, "b"]),
    "graph": lambda: draw_tiling_graph(RING, 10, name=HOSTILE, cycle=range(8), highlighted=[3]),
    "graph-of-tilings": lambda: draw_tiling_graph({(0, 1): "move"}, 3, thumbnails=[(PUZZLE, TILING)] * 3),
}
SHEETS = {
    "cut": lambda: cut_sheets(job_of())[0],
    "back": lambda: cut_sheets(job_of(marked=True), "back")[0],
    "legend": lambda: legend_sheets(job_of())[0],
    "assemblies": lambda: assembly_sheets(job_of(), [("assembly 1", LAID)])[0],
    "artwork": lambda: assembly_sheets(job_of(artwork=Artwork(b"bytes", "png", 2, 1)), [("assembly 1", LAID)])[0],
    "strip": lambda: strip_sheet(HOSTILE, None, Measures()),
    "cut-tiling": tiling_cut,
    "cut-apart": apart,
}
DRAWINGS = PICTURES | {name: lambda make=make: page_svg(make(), HOSTILE) for name, make in SHEETS.items()}
EVERY = pytest.mark.parametrize("name", DRAWINGS)


class Drawing(SingleFileSnapshotExtension):
    """A snapshot is an SVG file, to be looked at."""

    _write_mode = WriteMode.TEXT
    file_extension = "svg"


@EVERY
def test_drawing(name, snapshot):
    """Catches whatever looks different, to a tenth of a pixel or a hundredth of a mm; also dates and random names."""
    places = r"(?<![#\w.])-?\d+\.\d+"
    digits = 1 if name in PICTURES else 2
    rounded = re.sub(places, lambda number: f"{float(number[0]) + 0.0:.{digits}f}", DRAWINGS[name]())
    assert rounded == snapshot(extension_class=Drawing)


@EVERY
def test_names_are_harmless(name):
    """Catches names that break the XML, smuggle markup in, or turn text around; the files are ASCII."""
    text = DRAWINGS[name]()
    assert text.isascii()
    shown = [found.text for found in ET.fromstring(text).iter() if found.tag in (f"{SVG}title", f"{SVG}text")]
    if name not in ("dissection", "graph-of-tilings"):
        assert shown[0] == '<b>&"]]> \ufffd \ufffd🧩'
    assert not any(letter in "".join(shown) for letter in "\x07\n\u202e")


@EVERY
def test_nothing_comes_from_outside_and_every_name_is_defined_once(name):
    """Catches references to nothing or to other files, and definitions that are repeated."""
    root = ET.fromstring(DRAWINGS[name]())
    tags = {found.tag.removeprefix(SVG) for found in root.iter()}
    assert tags <= {
        "svg",
        "title",
        "rect",
        "defs",
        "g",
        "path",
        "use",
        "text",
        "circle",
        "ellipse",
        "polygon",
        "image",
        "clipPath",
    }
    names = [found.get("id") for found in root.iter() if found.get("id")]
    assert len(names) == len(set(names))
    links = [found.get("href") for found in root.iter() if found.get("href")]
    links += [found.get("clip-path")[4:-1] for found in root.iter() if found.get("clip-path")]
    assert all(link.startswith("data:image/") or link[1:] in names for link in links)


def test_drawings_on_one_page_do_not_mix_their_definitions():
    """Catches a shape in a notebook that is the one of that name in another picture."""
    defined = {}
    for name in DRAWINGS:
        for found in ET.fromstring(DRAWINGS[name]()).iter():
            if found.get("id") and found.tag != f"{SVG}g":
                assert defined.setdefault(found.get("id"), ET.tostring(found)) == ET.tostring(found)


@pytest.mark.parametrize("name", SHEETS)
def test_sheets_are_true_to_scale_and_nothing_leaves_them(name):
    """Catches a unit that is no millimetre, a rule of another length, and lines beyond the margin."""
    sheet = SHEETS[name]()
    root = ET.fromstring(page_svg(sheet, "name"))
    width, height = (root.get(side).removesuffix("mm") for side in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width} {height}"
    notes = [path.get("d") for path in root.find(f"{SVG}g[@id='notes']").iter(f"{SVG}path")]
    rules = [line for data in notes if (line := re.fullmatch(r"M(\S+) (\S+)L(\S+) \2", data))]
    assert max(float(rule[3]) - float(rule[1]) for rule in rules) == pytest.approx(100, abs=0.001)
    for item in sheet.items:
        for x, y in getattr(item, "points", ()):
            assert 0 < x < sheet.width
            assert 0 < y < sheet.height


def test_large_drawings_are_small_files():
    """Catches shapes that are drawn again for each piece, tiling or vertex."""
    number = 32 * 32
    large = EdgeMatchingPuzzle(32, 32, tuple((1, 2, 3, n % 96) for n in range(number)))
    assert len(draw_board(large, tuple(Placement(piece, 0) for piece in range(number)), legend=True)) < 600_000
    assert len(draw_sheet([(PUZZLE, TILING)] * 268, "many", "tiling")) < 268 * 300
    puzzle = read_dissection("ostomachion")
    assert len(draw_tiling_graph({}, 50, thumbnails=[(puzzle, puzzle.pieces)] * 50)) < 50 * 900
