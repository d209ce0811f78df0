"""Sheets as files: SVG, PDF and PNG, read back by other means than they were written."""

import ctypes
import io
import re
from pathlib import Path as FilePath
from xml.etree import ElementTree as ET

import numpy as np
import pypdfium2
import pypdfium2.raw as raw
import pytest
from PIL import Image, ImageDraw

from jigsat.csp.base.errors import InstanceError, UsageError
from jigsat.csp.files.instances import read_puzzle
from jigsat.render.cut.cut_sheets import cut_sheets
from jigsat.render.cut.documents import documents, ending_of, page_png, page_svg, pages_pdf
from jigsat.render.cut.family import cut_of
from jigsat.render.cut.job import CuttingJob
from jigsat.render.cut.legend import assembly_sheets, legend_sheets
from jigsat.render.cut.paper import CUT, LAYERS, NOTES, Path, Sheet, Text, load_artwork, rectangle
from jigsat.render.cut.sizes import PAGES, Measures

SVG, INKSCAPE = "{http://www.w3.org/2000/svg}", "{http://www.inkscape.org/namespaces/inkscape}"
PUZZLE = read_puzzle("perfect-6x6")
#: The side of a square of the artwork below, in pixels.
PIXELS = 40


@pytest.fixture
def image(tmp_path):
    """Artwork of a colour for each square; the upper left quarter of a square is darker."""
    picture = Image.new("RGB", (6 * PIXELS, 6 * PIXELS))
    draw = ImageDraw.Draw(picture)
    for square in range(36):
        row, column = divmod(square, 6)
        x, y = column * PIXELS, row * PIXELS
        draw.rectangle((x, y, x + PIXELS, y + PIXELS), color_of(square))
        draw.rectangle((x, y, x + PIXELS // 2, y + PIXELS // 2), tuple(part - 40 for part in color_of(square)))
    path = tmp_path / "art.png"
    picture.save(path)
    return str(path)


def color_of(square):
    return 60 + 38 * (square % 6), 60 + 38 * (square // 6), 150


def job_of(image=None, number=0, **measures):
    artwork = None if image is None else load_artwork(image, PUZZLE.rows, PUZZLE.columns)
    return CuttingJob(PUZZLE, PUZZLE.assemblies[number], cut_of(PUZZLE), Measures(**measures), artwork=artwork)


def all_sheets(job):
    named = [(f"assembly {number}", board) for number, board in enumerate(PUZZLE.assemblies, start=1)]
    return [*cut_sheets(job), *cut_sheets(job, "back"), *legend_sheets(job), *assembly_sheets(job, named)]


def rendered(pdf, dpi):
    """The pages of a PDF as pictures, with their sizes in points."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [(page.render(scale=dpi / 72).to_pil(), page.get_size()) for page in document]
    finally:
        document.close()


def layer_and_color(item):
    """The group of optional content of an object on a page of a PDF, and the colour of its lines."""
    name, length = (ctypes.c_ushort * 64)(), ctypes.c_ulong()
    (mark,) = (raw.FPDFPageObj_GetMark(item, number) for number in range(raw.FPDFPageObj_CountMarks(item)))
    assert raw.FPDFPageObjMark_GetParamStringValue(mark, b"Name", name, 128, ctypes.byref(length))
    parts = [ctypes.c_uint() for _ in range(4)]
    assert raw.FPDFPageObj_GetStrokeColor(item, *map(ctypes.byref, parts))
    return bytes(name)[: length.value - 2].decode("utf-16-le"), "#" + "".join(f"{part.value:02x}" for part in parts[:3])


def test_a_pdf_has_a_layer_for_each_kind_of_lines():
    """Catches lines in another layer than their colour says, or in none, and layers that readers do not list."""
    sheets = all_sheets(job_of())
    pdf = pages_pdf(sheets, "name")
    layers = [layer for layer in LAYERS if any(item.layer is layer for sheet in sheets for item in sheet.items)]
    assert {layer.name for layer in layers} >= {"cut", "engrave", "notes"}
    found = {layer_and_color(item) for page in pypdfium2.PdfDocument(pdf) for item in page.get_objects()}
    assert found == {(layer.name, layer.color) for layer in layers}
    (listed,) = re.findall(rb"/ON (\[.*?\]) /Order (\[.*?\])\s*>> /OCGs (\[.*?\])", pdf)
    assert len(set(listed)) == 1
    names = names_of_groups(pdf)
    assert [names[group] for group in re.findall(rb"\d+ 0 R", listed[0])] == [layer.name for layer in layers]


def names_of_groups(pdf):
    groups = re.findall(rb"(\d+ 0) obj\s*<<\s*/Name \((\w+)\) /Type /OCG\s*>>", pdf)
    return {number + b" R": name.decode() for number, name in groups}


def test_a_layer_of_a_pdf_can_be_hidden():
    """Catches layers that are only listed: a reader that hides the cuts must show all other lines."""
    pdf = pages_pdf(cut_sheets(job_of()), "name")
    (shown,) = re.findall(rb"/ON \[[^]]*\]", pdf)
    (cuts,) = (group for group, name in names_of_groups(pdf).items() if name == CUT.name)
    hidden = pdf.replace(shown, (b"/OFF[" + cuts).ljust(len(shown) - 1) + b"]")
    reds, blues = zip(*(lines_of(rendered(file, 100)[0][0]) for file in (pdf, hidden)), strict=True)
    assert reds[0] > 1000
    assert reds[1] == 0
    assert blues[0] == blues[1] > 100


def lines_of(picture):
    """How many pixels are rather red, and how many rather blue."""
    red, _, blue = np.asarray(picture.convert("RGB")).astype(int).transpose(2, 0, 1)
    return int((red > blue + 60).sum()), int((blue > red + 60).sum())


def test_the_same_sheets_make_the_same_pdf(image):
    """Catches dates and random names."""
    job = job_of(image)
    assert pages_pdf(all_sheets(job), "name") == pages_pdf(all_sheets(job), "name")


def test_a_png_is_true_to_scale():
    """Catches a picture without its scale; a rule drawn with it is 100 mm long."""
    sheet = cut_sheets(job_of())[0]
    for dpi in (72, 150):
        with Image.open(io.BytesIO(page_png(sheet, "name", dpi))) as picture:
            assert picture.size == pytest.approx((sheet.width / 25.4 * dpi, sheet.height / 25.4 * dpi), abs=1)
            assert picture.info["dpi"] == pytest.approx((dpi, dpi), rel=1e-3)
            grey = picture.convert("L")
            rule = next(item for item in sheet.items if item.layer is NOTES and isinstance(item, Path))
            y = round((rule.points[0][1] + 1) / 25.4 * dpi)
            dark = [x for x in range(grey.width) if grey.getpixel((x, y)) < 230]
            # Ticks at either end, a pixel or two wide.
            assert (dark[-1] - dark[0]) / dpi * 25.4 == pytest.approx(100, abs=2 * 25.4 / dpi)


def colors_of_squares(picture, sheet, job):
    """For each square, what is at a spot in each of its quarters, clockwise from the upper left one."""
    scale, side = picture.width / sheet.width, job.measures.size
    left, top = (sheet.width - 6 * side) / 2, job.measures.margin
    found = []
    for square in range(36):
        row, column = divmod(square, 6)
        # Between the number and the corner, where no tab reaches.
        spots = [(column + u, row + v) for u, v in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))]
        pixels = [(int((left + x * side) * scale), int((top + y * side) * scale)) for x, y in spots]
        found.append([picture.getpixel(pixel) for pixel in pixels])
    return found


@pytest.mark.parametrize("number", [0, 1])
def test_artwork_lies_where_its_pieces_lie(image, number):
    """Catches artwork that is mirrored, turned the wrong way, or clipped by another piece; as it is seen in a PDF."""
    job = job_of(image, number)
    named = [(f"assembly {i}", board) for i, board in enumerate(PUZZLE.assemblies, start=1)]
    sheets = [*cut_sheets(job, "scissors"), *assembly_sheets(job, named)]
    homes = {placed.piece: square for square, placed in enumerate(job.board)}
    for sheet, board, (picture, _) in zip(
        sheets, (job.board, *PUZZLE.assemblies), rendered(pages_pdf(sheets, "name"), 100), strict=True
    ):
        for colors, placed in zip(colors_of_squares(picture, sheet, job), board, strict=True):
            home = homes[placed.piece]
            turn = (placed.rotation - job.board[home].rotation) % 4
            wanted = [tuple(part - 40 for part in color_of(home)), *[color_of(home)] * 3]
            assert colors == [pytest.approx(wanted[(i - turn) % 4], abs=6) for i in range(4)]


@pytest.mark.parametrize("name", ["日本 – Größe", "a\nb\x00\x1b[31m", "<&>\"'", "(\\)", "\ud800", "W" * 300, ""])
def test_names_survive(name):
    """Catches names that break a file: XML and PDF have characters of their own, and fonts few."""
    text = Text(NOTES, (10, 10), name, 4.0)
    sheet = Sheet("cut", "cut", 120, 50, (text, Path(CUT, rectangle(1, 1, 9, 9), closed=True)))
    assert ET.fromstring(page_svg(sheet, name)).find(f"{SVG}title") is not None
    document = pypdfium2.PdfDocument(pages_pdf([sheet], name))
    page = document[0]
    words = page.get_textpage()
    shown = words.get_text_bounded()
    for thing in (words, page, document):
        thing.close()
    assert "\x00" not in shown
    if name.startswith("日本"):
        assert shown == "?? – Größe"


def test_photographs_are_kept_as_they_are(tmp_path):
    """Catches JPEG files that grow, or lose, by being written again; and those that lie on their side."""
    picture = Image.linear_gradient("L").resize((100, 50))
    plain, turned = tmp_path / "plain.jpg", tmp_path / "turned.jpg"
    picture.save(plain)
    artwork = load_artwork(str(plain), 2, 4)
    assert (artwork.kind, artwork.data, artwork.width, artwork.height) == ("jpeg", plain.read_bytes(), 100, 50)
    exif = Image.Exif()
    exif[0x0112] = 6
    picture.save(turned, exif=exif)
    artwork = load_artwork(str(turned), 4, 2)
    assert (artwork.kind, artwork.width, artwork.height) == ("png", 50, 100)


def test_names_of_files():
    """Catches files that replace each other; the sheet that is cut has the name itself, if it is a single one."""
    sheets = all_sheets(job_of(page=PAGES["a6"]))
    names = [document.path for document in documents(sheets, "here/cut.v2.svg", "name", 300)]
    assert len(set(names)) == len(sheets)
    assert names[:2] == [str(FilePath("here/cut.v2-cut-1.svg")), str(FilePath("here/cut.v2-cut-2.svg"))]
    assert str(FilePath("here/cut.v2-back-6.svg")) in names
    assert names[-2:] == [str(FilePath("here/cut.v2-assembly-1.svg")), str(FilePath("here/cut.v2-assembly-2.svg"))]
    names = [document.path for document in documents(all_sheets(job_of()), "laser.svg", "name", 300)]
    assert names == [f"laser{sheet}.svg" for sheet in ("", "-back", "-legend", "-assembly-1", "-assembly-2")]
    assert [document.path for document in documents(sheets[:1], "-", "name", 300)] == ["-"]
    (pdf,) = documents(sheets, "cut.PDF", "name", 300)
    assert (pdf.path, len(pdf.sheets)) == ("cut.PDF", len(sheets))
    with pytest.raises(InstanceError, match=f"takes one sheet, and there are {len(sheets)}"):
        list(documents(sheets, "-", "name", 300))
    for path in ("cut", "cut.jpg", ".svg"):
        with pytest.raises(UsageError, match=r"must end in \.svg, \.pdf, \.png or \.dxf"):
            ending_of(path)
