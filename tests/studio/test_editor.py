import re

import pytest

import jigsat as js
from studio_pages import DESKTOP, PHONE, visited


def editor(browser, studio, **window):
    return visited(browser, studio, "?tab=editor", **window)


def cleared(page):
    page.locator(".paper").wait_for()
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("0 pieces, area 0 squares").wait_for()


def drag(page, cells, touch):
    """Paint squares of the paper, each given by its column and row."""
    page.locator(".paper").scroll_into_view_if_needed()
    box = page.locator(".paper").bounding_box()
    size = min(box["width"] / (16 * 34 + 16), box["height"] / (11 * 34 + 16))
    left = box["x"] + box["width"] / 2 - 8 * 34 * size
    top = box["y"] + box["height"] / 2 - 5.5 * 34 * size
    places = [(left + (column + 0.5) * 34 * size, top + (row + 0.5) * 34 * size) for column, row in cells]
    if touch:
        for place in places:
            page.touchscreen.tap(*place)
        return
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["mouse", "touch"])
def test_pieces_are_painted_and_counted(browser, studio, window):
    with editor(browser, studio, **window) as page:
        cleared(page)
        drag(page, [(1, 1), (2, 1), (2, 2)], window is PHONE)
        page.get_by_text("1 pieces, area 3 squares").wait_for()
        page.get_by_role("radio", name="B").click()
        drag(page, [(1, 2), (1, 3), (2, 3)], window is PHONE)
        page.get_by_text("2 pieces, area 6 squares").wait_for()
        page.get_by_text("this is a puzzle").wait_for()
        page.get_by_role("button", name="Count").click()
        number = js.count(js.make_dissection("AA/BA/BB")).canonical_count
        page.locator(".verdict .words").filter(has_text=re.compile(rf"exactly {number} (different )?tiling")).wait_for()
        # A drag is one step, each tap another.
        steps = 3 if window is PHONE else 1
        for _ in range(steps):
            page.get_by_role("button", name="Undo").click()
        page.get_by_text("1 pieces, area 3 squares").wait_for()
        for _ in range(steps):
            page.get_by_role("button", name="Redo").click()
        page.get_by_text("2 pieces, area 6 squares").wait_for()
        page.reload()
        page.get_by_text("2 pieces, area 6 squares").wait_for()


def test_overlap_is_named_while_one_draws_with_the_keyboard(browser, studio):
    with editor(browser, studio) as page:
        cleared(page)
        page.get_by_text("triangles", exact=True).click()
        page.get_by_text("Click corners", exact=True).click()
        page.locator(".paper").focus()
        mark = [0, 0]

        def corner(i, j):
            for axis, keys in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
                step = (i, j)[axis] - mark[axis]
                for _ in range(abs(step)):
                    page.keyboard.press(keys[step > 0])
            mark[:] = i, j
            page.keyboard.press("Enter")

        for triangle in ([(1, 1), (4, 1), (1, 4)], [(2, 1), (5, 1), (2, 4)]):
            for point in (*triangle, triangle[0]):
                corner(*point)
        page.get_by_text("2 pieces, area 18 triangles").wait_for()
        page.locator(".warned").filter(has_text="overlap").wait_for()
        page.keyboard.press("Control+z")
        page.get_by_text("this is a puzzle").wait_for()


def test_data_that_is_no_drawing_is_refused(browser, studio):
    with editor(browser, studio) as page:
        page.locator(".paper").wait_for()
        for pieces in ([[[1e300, 0]]], [[["x", 0]]], "x", [[[0, 0]] * 20000], None):
            page.evaluate(
                """(pieces) => {
                    const drawing = { paper: "squares", pieces, target: null };
                    const element = getElement(document.querySelector(".editor").id.slice(1));
                    element.$emit("ask", { what: "save", name: "../../x", drawing, then: "save" });
                }""",
                pieces,
            )
            page.get_by_text("This drawing is too large, or is no drawing.").first.wait_for()
