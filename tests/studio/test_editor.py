import json
import re

import pytest

import jigsat as js
from studio_pages import DESKTOP, PHONE, served, visited


def editor(browser, studio, **window):
    return visited(browser, studio, "?tab=editor", **window)


def cleared(page):
    page.locator(".paper").wait_for()
    page.get_by_text("squares", exact=True).click()
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
        page.mouse.move(*place)
    page.mouse.up()


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["mouse", "touch"])
@pytest.mark.some_cases(1)
def test_pieces_are_painted_and_counted(browser, studio, window):
    with editor(browser, studio, **window) as page:
        cleared(page)
        drag(page, [(1, 1), (2, 1), (2, 2)], window is PHONE)
        page.get_by_text("1 piece, area 3 squares").wait_for()
        page.get_by_role("radio", name="B", exact=True).click()
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
        page.get_by_text("1 piece, area 3 squares").wait_for()
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
        page.locator(".warned").get_by_text("A and B: overlap", exact=True).wait_for()
        page.locator(".fault").wait_for()
        # The mark stays on the paper.
        corner(-3, -1)
        assert page.locator(".paper .corner").get_attribute("cx") == "0"
        assert page.locator(".editor .unseen").text_content() == "Column 1, row 1"
        page.keyboard.press("Escape")
        page.keyboard.press("Control+z")
        page.get_by_text("this is a puzzle").wait_for()


def test_a_target_apart_and_pieces_that_are_moved_and_deleted(browser, studio):
    with editor(browser, studio) as page:
        cleared(page)
        # A line of cells in one movement of the mouse.
        drag(page, [(1, 1), (4, 1)], False)
        page.get_by_text("1 piece, area 4 squares").wait_for()
        page.get_by_role("radio", name="Target").click()
        drag(page, [(7, 7), (8, 7), (8, 8), (7, 8)], False)
        page.get_by_text("1 piece, area 4 squares; the target has 4").wait_for()
        page.get_by_text("Count says whether").wait_for()
        page.get_by_role("button", name="Count").click()
        page.locator(".verdict .words").filter(has_text="no tiling").wait_for()
        page.get_by_role("radio", name="A", exact=True).click()
        page.keyboard.press("ArrowRight")
        drag(page, [(1, 3), (2, 3)], False)
        page.locator(".warned").get_by_text("the area of the pieces is 6, but that of the target is 4").wait_for()
        page.get_by_text("Move", exact=True).click()
        cells = "element => Object.keys(getElement(element.id.slice(1)).state.cells).sort().join(' ')"
        painted = page.locator(".editor").evaluate(cells)
        # B is dragged to where A lies, and stops before it; the keys move it beside the target.
        drag(page, [(1, 3), (1, 2), (1, 1)], False)
        assert page.locator(".editor").evaluate(cells) == painted.replace("1,3", "1,2").replace("2,3", "2,2")
        page.locator(".paper").focus()
        for key in ["ArrowDown", *["ArrowRight"] * 30]:
            page.keyboard.press(key)
        assert page.locator(".editor").evaluate(cells).split()[1:3] == ["14,3,0", "15,3,0"]
        page.get_by_role("button", name="Delete piece B").click()
        page.get_by_text("1 piece, area 4 squares; the target has 4").wait_for()
        page.keyboard.press("Control+z")
        page.get_by_text("this is a puzzle").wait_for()


@pytest.mark.slow
def test_files_of_others_stay(browser, tmp_path):
    mine = {"my-puzzle.json": "{}", "my-puzzle-2-all.svg": "<svg/>", "editor.svg": "x"}
    for name, content in mine.items():
        (tmp_path / name).write_text(content)

    def save(page):
        page.get_by_text("this is a puzzle").wait_for()
        page.get_by_role("button", name="Save").click()
        page.get_by_text("it is on the shelf").wait_for()

    def made():
        return {path.name: len(json.loads(path.read_text()).get("pieces", "")) for path in tmp_path.glob("*.json")}

    with served(tmp_path) as studio, editor(browser, studio) as page:
        drag(page, [(1, 1)], False)
        save(page)
        assert made() == {"my-puzzle.json": 0, "my-puzzle-3.json": 1}
        page.reload()
        page.get_by_role("radio", name="B", exact=True).click()
        drag(page, [(2, 1), (2, 2)], False)
        save(page)
        assert made() == {"my-puzzle.json": 0, "my-puzzle-3.json": 2}
        page.get_by_role("button", name="Forms").click()
        page.locator(".verdict img").wait_for()
        assert (
            page.locator(".command").inner_text()
            == "jigsat forms my-puzzle-3.json --overwrite -o my-puzzle-3-forms.svg"
        )
        cleared(page)
        drag(page, [(2, 1), (2, 2)], False)
        save(page)
        assert made() == {"my-puzzle.json": 0, "my-puzzle-3.json": 2, "my-puzzle-4.json": 1}
    assert {name: (tmp_path / name).read_text() for name in mine} == mine
    assert (tmp_path / "my-puzzle-3-forms.svg").read_text().startswith(("<svg", "<?xml"))


@pytest.mark.slow
def test_results_stay_with_their_drawing_and_each_window_has_its_own_paper(browser, tmp_path):
    with served(tmp_path) as studio, editor(browser, studio) as page, editor(browser, studio) as other:
        page.get_by_text("The buttons work as soon as a piece is drawn.").wait_for()
        drag(page, [(1, 1), (1, 3), (3, 3), (3, 1)], False)
        page.get_by_role("radio", name="B", exact=True).click()
        drag(page, [(2, 1)], False)
        page.get_by_text("The outline has a hole: is that meant?").wait_for()
        page.get_by_label("Name").fill("ring")
        page.get_by_role("button", name="All tilings").click()
        result = page.get_by_role("region", name="All tilings")
        result.get_by_text("1 tiling", exact=True).wait_for()
        page.get_by_role("button", name="Play").click()
        page.get_by_text("0 of 2 pieces lie on the target").wait_for()
        page.get_by_role("tab", name="Editor").click()
        result.get_by_role("img").wait_for()
        drag(page, [(6, 1)], False)
        result.get_by_text("(of an earlier drawing)").wait_for()
        # Another drawing has another name and no results.
        page.get_by_text("triangles", exact=True).click()
        result.wait_for(state="hidden")
        assert page.get_by_label("Name").input_value() == "my-puzzle"
        page.get_by_role("button", name="Bring it back").click()
        result.wait_for()
        assert page.get_by_label("Name").input_value() == "ring"
        other.get_by_role("button", name="Clear").click()
        other.reload()
        other.get_by_text("0 pieces, area 0 squares").wait_for()
        page.reload()
        result.get_by_role("img").wait_for()
        page.get_by_role("tab", name="Plan and run").click()
        page.get_by_role("heading", name="1. ring: All tilings").wait_for()


def test_a_puzzle_is_put_on_the_paper(browser, studio):
    with visited(browser, studio, "?tab=editor&puzzle=calissons") as page:
        page.get_by_role("button", name="Put calissons on this paper").click()
        page.get_by_text("12 pieces, area 24 triangles; the target has 24").wait_for()
        page.get_by_role("button", name="Count").click()
        page.locator(".verdict .words").filter(has_text="exactly 6").wait_for()


@pytest.mark.slow
def test_data_that_is_no_drawing_is_refused(browser, tmp_path):
    sound = {"paper": "squares", "pieces": {"A": [[0, 0], [1, 0], [0, 1]]}, "target": None, "no_flip": False}
    drawing = {**sound, "mark": "12345678"}
    no_drawing, unknown = "This drawing is too large, or is no drawing.", "something that the studio does not know"
    asked = [
        (
            {"what": "save", "name": "../../x", "then": "save", "drawing": {**drawing, "pieces": "x"}, "handout": {}},
            no_drawing,
        ),
        ({"what": "drawn", "paper": 5, "drawing": drawing}, no_drawing),
        ({"what": "save", "name": "x", "then": ["all"], "drawing": drawing, "handout": {}}, unknown),
        ({"what": "drawn", "drawing": drawing}, unknown),
        ({"what": "_run"}, unknown),
        (["what"], unknown),
        (None, unknown),
    ]
    ask = "(element, event) => getElement(element.id.slice(1)).$emit('ask', event)"
    with served(tmp_path) as studio:
        with editor(browser, studio) as page:
            page.locator(".paper").wait_for()
            for event, answer in asked:
                page.locator(".editor").evaluate(ask, event)
                page.get_by_text(answer).first.wait_for()
                page.get_by_role("button", name="Close").click()
                page.get_by_text(answer).first.wait_for(state="hidden")
        assert "Traceback" not in studio.end()
