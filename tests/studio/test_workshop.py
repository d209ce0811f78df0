"""The workshop: jigsaws are made, looked at, proved, drawn as sheets that follow the sliders, and downloaded."""

from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from PIL import Image, ImageDraw

from browser import overflow
from studio_pages import PHONE, visited


@pytest.mark.slow
def test_a_jigsaw_from_numbers_is_made_shown_and_proved(browser, studio, window):
    with visited(browser, studio, "?tab=workshop", **window) as page:
        make = page.get_by_role("button", name="Make the jigsaw")
        # Another one for each window: a certificate is found for equal pieces.
        seed = int(window is PHONE)
        page.get_by_label("Variant").fill(str(seed))
        for rows, columns, why in (
            ("", 5, "from 1 to 1024"),
            (4, 4, "no perfect 4x4 jigsaw has 2 solutions"),
            (4, 5, ""),
        ):
            page.get_by_label("Rows").fill(str(rows))
            page.get_by_label("Columns").fill(str(columns))
            if why:
                page.get_by_text(why).wait_for()
                assert make.is_disabled()
        make.click()
        for way in (1, 2):
            shown = page.get_by_role("img", name=f"Solution {way}").first
            shown.wait_for()
            assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") > 200
        page.get_by_role("button", name="Prove").click()
        page.locator(".command", has_text=f"jigsat certify jigsaw-4x5-2-{seed}").wait_for()
        page.get_by_text("exactly 2 different solutions, proved").wait_for()
        page.reload()
        page.get_by_text("Proved: exactly 2 solutions").wait_for()
        with page.expect_download() as proof:
            page.get_by_role("button", name="Certificate (ZIP)").click()
        with ZipFile(proof.value.path()) as packed:
            names = [f"jigsaw-4x5-2-{seed}{ending}" for ending in (".json", ".drat", ".drat.cnf", ".drat.json")]
            assert packed.namelist() == [*names, "READ-ME.txt"]
            assert f"drat-trim {names[2]} {names[1]}" in packed.read("READ-ME.txt").decode()
        page.get_by_role("button", name="Present").click()
        shown = page.locator("dialog img")
        assert [one.evaluate("one => one.naturalWidth > 500 && one.checkVisibility()") for one in shown.all()] == [
            True,
            True,
        ]
        page.keyboard.press("Escape")
        shown.first.wait_for(state="hidden")
        assert overflow(page) <= 0


@pytest.mark.slow
def test_a_jigsaw_of_two_boards_is_made_shown_and_proved(browser, studio, window):
    with visited(browser, studio, "?tab=workshop", **window) as page:
        page.get_by_role("switch", name="Two boards").click()
        size = page.get_by_label("Rows and columns")
        size.fill("3")
        page.get_by_text("from 4 to 32").wait_for()
        size.fill("4")
        page.get_by_text("The same pieces fill 4 × 4 and 3 × 5").wait_for()
        # A certificate is found for equal pieces.
        page.get_by_label("Variant").fill(str(1 + (window is PHONE)))
        page.get_by_role("button", name="Make the jigsaw").click()
        page.get_by_role("img", name="Solution 2").first.wait_for()
        page.get_by_role("button", name="Prove").click()
        page.get_by_text("Proved: exactly 1 solution on each board").wait_for()
        with page.expect_download() as proof:
            page.get_by_role("button", name="Certificate (ZIP)").click()
        with ZipFile(proof.value.path()) as packed:
            assert sum("-3x5." in name for name in packed.namelist()) == 3
        page.get_by_role("tab", name="Download").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Page to play").click()
        assert b'id="board-2"' in download.value.path().read_bytes()
        assert overflow(page) <= 0


FILES = {"Test strip": b"<svg", "Cut lines (SVG)": b"<svg",
         "All sheets (PDF)": b"%pdf", "Cut lines (DXF)": b"  0\nsection", "PNG": b"\x89png",
         "on a table": b"\x89png", "Page to play": b"<!doctype html", "The puzzle": b"{"}  # fmt: skip


@pytest.mark.slow
def test_the_sheet_follows_its_controls_and_each_file_is_one_click_away(browser, studio, window, tmp_path):
    with visited(browser, studio, "?tab=workshop&puzzle=perfect-5x5", **window) as page:
        page.get_by_role("tab", name="Sheet").click()
        page.get_by_text("One sheet of 145 × 169 mm").wait_for()
        picture = page.get_by_role("img", name="Sheet")
        before = picture.get_attribute("src")
        size = page.get_by_role("slider", name="Side of a piece")
        size.press("ArrowRight")
        page.get_by_text("One sheet of 150 × 174 mm").wait_for()
        assert picture.get_attribute("src") != before
        typed = page.get_by_role("spinbutton", name="Side of a piece")
        typed.fill("26.5")
        typed.blur()
        page.get_by_text("One sheet of 152.5 × 176.5 mm").wait_for()
        typed.fill("26")
        typed.blur()
        page.get_by_role("switch", name="Each piece apart").click()
        page.get_by_role("slider", name="Width of the cut").press("ArrowRight")
        page.get_by_text("after a cut of 0.2 mm").wait_for(state="attached")
        page.get_by_label("Page", exact=True).click()
        page.get_by_role("option", name="A4").click()
        page.get_by_text("One sheet of 210 × 297 mm").wait_for()
        assert "--size 26 --margin 10 --kerf 0.2" in page.locator(".command").inner_text()
        size.press("Home")
        page.get_by_text("are too short for necks").wait_for()
        assert picture.count() == 0
        size.press("End")
        page.get_by_text("pages of 210 × 297 mm").wait_for()
        assert overflow(page) <= 0

        page.get_by_role("switch", name="Each piece apart").click()
        page.get_by_label("Page", exact=True).click()
        page.get_by_role("option", name="As large as needed").click()
        page.get_by_text("One sheet of 420 × 444 mm").wait_for()
        page.get_by_role("tab", name="Download").click()
        for name, start in FILES.items():
            with page.expect_download() as download:
                page.get_by_role("button", name=name).first.click()
            download.value.save_as(tmp_path / "file")
            content = (tmp_path / "file").read_bytes()
            assert content.lower().startswith(start), name
            if name == "Cut lines (SVG)":
                svg = ET.fromstring(content)
                assert (svg.get("width"), svg.get("height")) == ("420mm", "444mm")
        assert overflow(page) <= 0


@pytest.fixture
def photos(tmp_path):
    """Two pictures, one of them twice as wide as high, and a file that is not a picture."""
    for name, size, color in (("sun", (240, 120), "gold"), ("moon", (120, 120), "navy")):
        picture = Image.linear_gradient("L").resize(size).convert("RGB")
        ImageDraw.Draw(picture).ellipse((20, 20, 100, 100), fill=color)
        picture.save(tmp_path / f"{name}.png")
    (tmp_path / "notes.png").write_text("no picture")
    return tmp_path


def drag(page, frame, across, *, touch):
    """Drag an element to the right, with the mouse or a finger."""
    frame.evaluate("element => element.scrollIntoView({ block: 'center' })")
    box = frame.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if touch:
        device = page.context.new_cdp_session(page)
        spots = [("touchStart", x), ("touchMove", x + across / 2), ("touchMove", x + across), ("touchEnd", None)]
        for kind, at in spots:
            points = [] if at is None else [{"x": at, "y": y}]
            device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + across, y, steps=3)
        page.mouse.up()


@pytest.mark.slow
def test_two_photographs_become_a_jigsaw(browser, studio, window, photos):
    with visited(browser, studio, "?tab=workshop", **window) as page:
        page.get_by_role("button", name="From two photographs").click()
        for name in ("Rows", "Columns"):
            page.get_by_label(name).fill("4")
        inputs = page.locator("photo-crop input")
        inputs.nth(0).set_input_files(photos / "notes.png")
        page.get_by_text("is not a picture in a supported format").wait_for()
        assert page.locator(".q-notification").count() == 0
        page.get_by_role("button", name="Close").click()
        for number, name in enumerate(("sun.png", "moon.png")):
            inputs.nth(number).set_input_files(photos / name)
        preview = page.locator("img.seen")
        preview.wait_for()
        before = preview.get_attribute("src")
        frame = page.get_by_role("slider", name="first photograph")
        drag(page, frame, 300, touch=window is PHONE)
        assert frame.get_attribute("aria-valuenow") == "100"
        page.wait_for_function("before => document.querySelector('img.seen').src !== before", arg=before)
        frame.press("ArrowLeft")
        assert frame.get_attribute("aria-valuenow") == "98"
        corner = frame.locator(".left.bottom")
        wide = frame.bounding_box()["width"]
        drag(page, corner, wide / 2, touch=window is PHONE)
        assert frame.bounding_box()["width"] == pytest.approx(wide / 2, abs=3)
        frame.press("+")
        assert overflow(page) <= 0
        place = frame.get_attribute("aria-valuetext")
        page.reload()
        page.wait_for_function("place => document.querySelector('.crop-frame')?.ariaValueText === place", arg=place)
        assert page.get_by_label("Rows").input_value() == "4"
        if window is PHONE:
            return
        preview.wait_for()
        page.get_by_role("button", name="Make the jigsaw").click()
        page.get_by_role("img", name="Solution 2").first.wait_for(timeout=120_000)
        assert f" --crop-a {place} " in page.locator(".command").inner_text()
        page.get_by_text("Proved: exactly 2 solutions").wait_for()
        page.get_by_role("tab", name="Sheet").click()
        page.get_by_text("painted for these tabs").wait_for()
        page.get_by_role("spinbutton", name="Side of a piece").fill("28")
        page.keyboard.press("Tab")
        page.get_by_text("One sheet of 132 × 156 mm").wait_for()
        page.get_by_role("tab", name="Download").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Picture to print").click()
        assert b"/MediaBox [ 0 0 374.1732 442.2047 ]" in download.value.path().read_bytes()
        with page.expect_download() as download:
            page.get_by_role("button", name="The whole jigsaw").click()
        download.value.save_as(photos / "whole.zip")
        page.get_by_text("Everything that was made with it").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="two-solutions.pdf").click()
        assert download.value.suggested_filename == "two-solutions.pdf"
        page.get_by_role("tab", name="Shelf").click()
        own = page.get_by_role("region", name="Yours")
        own.get_by_text("sun-and-moon").first.wait_for()
        page.locator(".shelf input[type=file]").set_input_files(photos / "whole.zip")
        page.get_by_text("Proved: exactly 2 solutions").wait_for()
        page.get_by_role("tab", name="Shelf").click()
        shown = own.get_by_role("button").filter(has_text="whole/jigsaw.json").locator("img")
        page.wait_for_function("image => image.naturalWidth === 400", arg=shown.element_handle())


@pytest.mark.parametrize(("puzzle", "told"), [("tangram", "140 × 164 mm"), ("clue1", "170 × 194 mm")])
def test_what_is_no_jigsaw_has_its_sheet_only(browser, studio, puzzle, told):
    with visited(browser, studio, f"?tab=workshop&puzzle={puzzle}") as page:
        page.get_by_text(f"One sheet of {told}").wait_for()
        assert page.get_by_role("tab", name="Look").count() == 0
        assert page.get_by_role("slider", name="Shape of the tabs").count() == 0
