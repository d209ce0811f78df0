"""A jigsaw for two photos: what is in the folder is true of the photos, and a stopped run is continued."""

import hashlib
import re
from xml.etree import ElementTree as ET

import numpy as np
import pypdfium2
import pytest
from PIL import Image

import jigsat as js
from command_line import run

SVG = "{http://www.w3.org/2000/svg}"
OPTIONS = {"rows": 5, "columns": 4, "scrambles": 1, "size": 13}


@pytest.fixture(autouse=True)
def photos(here):
    """A portrait and a landscape, in an empty folder to work in."""
    row, column = np.mgrid[:600, :480]
    tones = 128 + 60 * np.sin(row / 40) * np.cos(column / 70) + 40 * ((row - 200) ** 2 + (column - 240) ** 2 < 9000)
    Image.fromarray(tones.astype(np.uint8)).save("portrait.png")
    Image.fromarray(np.roll(tones, 90, axis=1).T.astype(np.uint8)).save("landscape.png")
    return here


def text_of(pdf):
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]
    finally:
        document.close()


@pytest.mark.filterwarnings("default")
def test_the_folder_holds_what_belongs_to_the_jigsaw(capsys, photos):
    """Of a board that is not square; the landscape is cropped, and that is said."""
    words = [f"--{name}={value}" for name, value in OPTIONS.items()]
    status, out, err = run(capsys, "make", "photo-jigsaw", "portrait.png", "landscape.png", *words)
    lines, folder = out.splitlines(), photos / "portrait-and-landscape"
    assert (status, len(lines)) == (0, 6)
    assert lines[0].startswith("5x4 jigsaw, 20 pieces: exactly 2 solutions, proved; the photos suit each other ")
    cut_off = r"36 % of its width is cut off, \d+ % at the left and \d+ % at the right"
    assert re.fullmatch(f"jigsat: warning: landscape.png: {cut_off}\n", err)
    jigsaw = js.read(folder / "jigsaw.json")
    assert (jigsaw.rows, jigsaw.columns, js.count(jigsaw).canonical_count) == (5, 4, 2)
    assert js.verify(jigsaw, folder / "certificate.drat.json").holds
    laser = ET.parse(folder / "laser.svg").getroot()
    # The board and margins of 10 mm; the ruler is wider than the board.
    assert (laser.get("width"), float(laser.get("height")[:-2])) == ("120mm", pytest.approx(65 + 44))
    assert {group.get("id") for group in laser.iter(f"{SVG}g")} == {"cut", "marks", "notes"}
    (page,) = text_of(folder / "two-solutions.pdf")
    assert page.startswith("This jigsaw has exactly two solutions 5x4 jigsaw for two pictures: 5 rows, 4 columns, 20 p")
    assert "jigsat certify jigsaw.json --verify certificate.drat.json" in page
    assert hashlib.sha256((folder / "certificate.drat").read_bytes()).hexdigest() in page
    assert len(text_of(folder / "print.pdf")) == 2
    for line in lines[1:]:
        for name in re.findall(r"[\w-]+\.(?:png|html|pdf|svg)", line):
            assert (folder / name).stat().st_size > 1000


@pytest.mark.filterwarnings("ignore:.*is cut off")
def test_a_stopped_run_is_continued(photos):
    """With the scrambles that were found; the end is the same as without a stop, and a stop in the proof costs none."""
    options = OPTIONS | {"rows": 4, "scrambles": 2}
    whole = js.make_photo_jigsaw("portrait.png", "landscape.png", "whole", **options)

    def stopping(what):
        def report(progress):
            if what in progress.note:
                raise KeyboardInterrupt

        return report

    for what in ("best of 1: squared difference", "looking for solution 3"):
        with pytest.raises(KeyboardInterrupt):
            js.make_photo_jigsaw("portrait.png", "landscape.png", "parts", **options, report=stopping(what))
        assert (photos / "parts" / "two-solutions.pdf.part").exists()
    notes = []
    made = js.make_photo_jigsaw(
        "portrait.png", "landscape.png", "parts", **options, report=lambda progress: notes.append(progress)
    )
    assert not any("annealed" in progress.note for progress in notes)
    done = [progress.done for progress in notes]
    assert done == sorted(done)
    assert (made.files, made.pictures | {"folder": "whole"}) == (whole.files, whole.pictures)
    for name in ("jigsaw.json", "artwork.png", "laser.svg", "two-solutions.pdf"):
        assert (photos / "parts" / name).read_bytes() == (photos / "whole" / name).read_bytes()
    assert {path.name for path in (photos / "parts").iterdir()} == {*made.files}


@pytest.mark.filterwarnings("default")
def test_what_is_too_small_for_a_print_is_said(photos, capsys):
    """The board between the shapes of both photos is square; and two photos that are the same one."""
    status, _, err = run(capsys, "make", "photo-jigsaw", "portrait.png", "landscape.png", "--mask-a", "none")
    dots = "48 dots an inch in print, which look coarse below 150; give one at least 1477 pixels"
    first, second, refusal = err.splitlines()
    assert (status, first) == (2, f"jigsat: warning: portrait.png: {dots} wide, or a size of at most 8.1 mm")
    assert second == f"jigsat: warning: landscape.png: {dots} high, or a size of at most 8.1 mm"
    assert refusal.startswith("jigsat: none: there is no such file, nor a bundled picture of that name")
    with pytest.raises(js.UsageError, match=r"^cup and cup: are the same picture; give two different ones$"):
        js.make_photo_jigsaw("cup", "cup", "made")
    assert {path.name for path in photos.iterdir()} == {"portrait.png", "landscape.png"}


@pytest.mark.filterwarnings("ignore:.*is cut off")
def test_a_jigsaw_that_is_there_is_replaced_as_a_whole_or_not_at_all(photos, capsys):
    """By one with two pages for the laser; what an earlier one had more does not stay, and other files do."""
    before = {name: name.encode() for name in ("jigsaw.json", "laser.svg", "laser-cut-3.svg", "notes.txt")}
    (photos / "gift").mkdir()
    for name, content in before.items():
        (photos / "gift" / name).write_bytes(content)
    words = ("make", "photo-jigsaw", "portrait.png", "landscape.png", "--rows=4", "--columns=4", "--scrambles=1")
    words += ("--size=13", "--page=120x75", "-o", "gift")
    again = "jigsat: --output: gift holds a jigsaw (jigsaw.json); give another -o, or --overwrite to replace it\n"
    assert run(capsys, *words) == (2, "", again)

    def stopping(progress):
        if "the page about" in progress.note:
            raise KeyboardInterrupt

    options = {"rows": 4, "columns": 4, "scrambles": 1, "size": 13, "page": "120x75", "overwrite": True}
    with pytest.raises(KeyboardInterrupt):
        js.make_photo_jigsaw("portrait.png", "landscape.png", "gift", **options, report=stopping)
    there = {path.name: path.read_bytes() for path in (photos / "gift").iterdir() if path.is_file()}
    assert before.items() <= there.items()
    status, out, _ = run(capsys, *words, "--overwrite", "--verbose")
    pages = r"^gift/laser-cut-1.svg, laser-cut-2.svg +the cut lines; only these go to the laser$"
    assert (status, bool(re.search(pages, out, re.M))) == (0, True)
    names = {path.name for path in (photos / "gift").iterdir()}
    assert names == {"notes.txt", *re.findall(r"[\w-]+(?:\.(?:png|html|pdf|svg|json|csv|drat|cnf))+", out)}


@pytest.mark.parametrize("words", [("make", "photo-jigsaw"), ("pictures",), ("pictures", "--preview=seen.png")])
def test_without_the_extra_a_line_says_what_to_install(words, capsys, monkeypatch):
    monkeypatch.setattr("jigsat.csp.base.errors.find_spec", lambda name: None)
    line = "jigsat: pictures need Pillow: install it with pip install 'jigsat[pictures]'\n"
    assert run(capsys, *words, "cup", "ring", "--rows=5", "--columns=5") == (2, "", line)


@pytest.mark.filterwarnings("ignore:.*is cut off", "ignore:.*dots an inch")
def test_two_photos_on_two_boards(photos):
    """One solution is proved on each; the artwork of all pieces but one makes the second picture as well."""
    made = js.make_photo_jigsaw("portrait.png", "landscape.png", "gift", boards="4x4,3x5", scrambles=1, size=13)
    first, second = (js.read(photos / "gift" / name) for name in ("jigsaw.json", "jigsaw-3x5.json"))
    assert (made.holds, first.pieces, second.rows, second.columns) == (True, second.pieces, 3, 5)
    assert [js.count(puzzle).canonical_count for puzzle in (first, second)] == [1, 1]
    assert js.verify(second, photos / "gift" / "certificate.drat.json").holds
    (page,) = text_of(photos / "gift" / "one-on-each-board.pdf")
    assert "The 16 pieces fill the board of 4 x 4 in exactly one way" in page
    assert "jigsat certify jigsaw.json --verify certificate.drat.json" in page
    artwork, shown = (Image.open(photos / "gift" / name) for name in ("artwork.png", "assembly-2.png"))
    side = artwork.height // 4
    assert shown.size == (7 * side, 3 * side)
    middle = (slice(2 * side // 5, 3 * side // 5),) * 2
    for square, placed in enumerate(second.assemblies[0]):
        (row, column), (up, left) = divmod(square, 5), divmod(placed.piece, 4)
        there = np.asarray(shown)[row * side :, column * side :][:side, :side]
        piece = np.asarray(artwork)[up * side :, left * side :][:side, :side]
        # A cut line may pass the middle where two tabs nearly meet.
        assert (np.rot90(piece, -placed.rotation)[middle] == there[middle]).mean() > 0.95
    with pytest.raises(js.UsageError, match="there are two boards"):
        js.make_photo_jigsaw("portrait.png", "landscape.png", "other", boards="4x4,3x5", rows=4)
