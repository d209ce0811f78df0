"""The workshop: jigsaws are made, looked at, proved, drawn as sheets that follow the sliders, and downloaded."""

import re
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageDraw

from browser import overflow
from studio import visited


@pytest.fixture
def workshop(browser, studio, window):
    with visited(browser, studio, "?tab=workshop", **window) as page:
        page.get_by_role("button", name="Make the jigsaw").wait_for()
        yield page


@pytest.fixture
def sheet(browser, studio, window):
    """The sheet of a bundled jigsaw."""
    with visited(browser, studio, "?tab=workshop&puzzle=perfect-5x5", **window) as page:
        page.get_by_role("tab", name="Sheet").click()
        page.get_by_text("One sheet of 145 × 169 mm").wait_for()
        yield page


def test_a_jigsaw_from_numbers_is_made_shown_and_proved(workshop):
    page = workshop
    page.get_by_label("Rows").fill("5")
    page.get_by_label("Columns").fill("4")
    page.get_by_role("button", name="Make the jigsaw").click()
    for way in (1, 2):
        shown = page.get_by_role("img", name=f"Way {way}")
        shown.wait_for()
        assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") > 200
    page.get_by_role("button", name="Prove").click()
    page.get_by_text("exactly 2 different solutions, proved").wait_for()
    with page.expect_download() as proof:
        page.get_by_role("link", name="certificate").click()
    assert proof.value.suggested_filename.endswith(".drat")
    assert "jigsat certify" in page.locator(".command").inner_text()
    assert overflow(page) <= 0


def test_what_cannot_be_made_is_said_in_a_line(workshop):
    workshop.get_by_label("Rows").fill("4")
    workshop.get_by_label("Columns").fill("4")
    workshop.get_by_role("button", name="Make the jigsaw").click()
    workshop.get_by_text("no perfect 4x4 jigsaw has 2 solutions").wait_for()


def test_the_sheet_follows_its_controls(sheet):
    page, picture = sheet, sheet.get_by_role("img", name="Sheet")
    before = picture.get_attribute("src")
    page.get_by_role("slider", name="Side of a piece").press("ArrowRight")
    page.get_by_text("One sheet of 150 × 174 mm").wait_for()
    assert picture.get_attribute("src") != before
    page.get_by_role("switch", name="Each piece apart").click()
    page.get_by_text("closed lines").wait_for(state="attached")
    page.get_by_role("slider", name="Width of the cut").press("ArrowRight")
    page.get_by_text("after a cut of 0.2 mm").wait_for(state="attached")
    page.get_by_label("Page", exact=True).click()
    page.get_by_role("option", name="A4").click()
    page.get_by_text("pages of 210 × 297 mm").wait_for()
    assert "--size 26 --margin 10 --kerf 0.2" in page.locator(".command").inner_text()
    assert overflow(page) <= 0


def test_a_size_that_does_not_suit_is_refused_beside_the_picture(sheet):
    sheet.get_by_role("slider", name="Side of a piece").press("Home")
    sheet.get_by_text("are too short for necks").wait_for()
    assert sheet.get_by_role("img", name="Sheet").count() == 0


STARTS = {"Cut lines (SVG)": b"<svg", "All sheets (PDF)": b"%PDF", "Cut lines (DXF)": b"  0\nSECTION", "PNG": b"\x89PNG",
          "on a table": b"\x89PNG", "Page to play": b"<!doctype html", "The puzzle": b"{"}  # fmt: skip


def test_each_file_is_one_click_away(sheet, tmp_path):
    page, found = sheet, {}
    page.get_by_role("slider", name="Side of a piece").press("ArrowRight")
    page.get_by_role("tab", name="Download").click()
    for name, start in STARTS.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=name).first.click()
        download.value.save_as(tmp_path / "file")
        found[name] = (tmp_path / "file").read_bytes()
        assert found[name].lstrip(b"\xef\xbb\xbf").lower().startswith(start.lower()), name
    svg = ET.fromstring(found["Cut lines (SVG)"])
    assert (svg.get("width"), svg.get("height")) == ("150mm", "174mm")
    assert overflow(page) <= 0


@pytest.fixture
def photos(tmp_path):
    """Two pictures, one of them twice as wide as high."""
    made = []
    for name, size, color in (("sun", (240, 120), "gold"), ("moon", (120, 120), "navy")):
        picture = Image.linear_gradient("L").resize(size).convert("RGB")
        ImageDraw.Draw(picture).ellipse((20, 20, 100, 100), fill=color)
        picture.save(tmp_path / f"{name}.png")
        made.append(tmp_path / f"{name}.png")
    return made


def test_two_photographs_become_a_jigsaw(workshop, photos, tmp_path):
    page = workshop
    page.get_by_role("button", name="From two photographs").click()
    for name in ("Rows", "Columns"):
        page.get_by_label(name).fill("4")
    (tmp_path / "notes.png").write_text("no picture")
    inputs = page.locator("photo-crop input")
    inputs.nth(0).set_input_files(tmp_path / "notes.png")
    page.get_by_text("is not a picture in a supported format").wait_for()
    inputs.nth(0).set_input_files(photos[0])
    inputs.nth(1).set_input_files(photos[1])
    preview = page.locator("img.seen")
    preview.wait_for()
    before = preview.get_attribute("src")
    frame = page.get_by_role("slider", name="first photograph")
    box = frame.bounding_box()
    frame.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + 3 * box["width"], box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert frame.get_attribute("aria-valuenow") == "100"
    page.wait_for_function("before => document.querySelector('img.seen').src !== before", arg=before)
    frame.press("ArrowLeft")
    assert frame.get_attribute("aria-valuenow") == "98"
    page.get_by_role("button", name="Make the jigsaw").click()
    page.get_by_role("img", name="Way 2").wait_for()
    assert re.search(r"--crop-a 98%,50% ", page.locator(".command").inner_text())
    page.get_by_role("tab", name="Download").click()
    page.get_by_text("Everything that was made with it").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="two-solutions.pdf").click()
    assert download.value.suggested_filename == "two-solutions.pdf"
    assert overflow(page) <= 0
