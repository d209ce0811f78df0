import pytest

import jigsat as js
from browser import overflow
from jigsat.csp.files.viewer_links import link_of
from studio_pages import served, visited

HOSTILE = "<img src=x onerror=alert(1)>"
PIECES = "1,2,0,0\n3,0,0,2\n0,0,3,4\n0,4,1,0\n"


def drop(page, name, content):
    """Drop a file on the shelf."""
    page.locator(".puzzle").first.wait_for()
    data = page.evaluate_handle(
        """([name, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], name));
            return data;
        }""",
        [name, content],
    )
    page.dispatch_event(".shelf", "drop", {"dataTransfer": data})


def is_open(page, tab):
    page.get_by_role("tab", name=tab).and_(page.locator("[aria-selected=true]")).wait_for()


@pytest.mark.some_cases(1)
def test_a_bundled_puzzle_is_opened(browser, studio, window):
    with visited(browser, studio, **window) as page:
        page.get_by_label("Search").fill("clue 6 count")
        page.locator(".opener", has_text="clue1").click()
        is_open(page, "Board")
        page.wait_for_function("location.search.includes('puzzle=clue1')")
        assert overflow(page) <= 0


def test_the_keyboard_is_enough(browser, studio):
    with visited(browser, studio) as page:
        page.locator(".puzzle").first.wait_for()
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.className") == "opener":
                break
        page.keyboard.press("Enter")
        is_open(page, "Board")
        page.get_by_role("tab", name="Board").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        is_open(page, "Plan and run")


def test_dropped_files_are_opened_or_refused(browser, studio):
    with visited(browser, studio) as page:
        drop(page, f"{HOSTILE}.csv", PIECES)
        is_open(page, "Board")
        page.get_by_role("tab", name="Shelf").click()
        name = page.locator(".puzzle b").first
        assert "img" in name.inner_text()
        assert page.locator(".puzzle img").first.get_attribute("src").startswith("picture/")
        for wrong, content in (("notes.docx", "PK\x03\x04"), ("photo.png", "no picture"), ("empty.json", "")):
            drop(page, wrong, content)
            page.get_by_text(f"{wrong} was not taken").wait_for()
        svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H20V10H0z"/><path d="M0 10H20V20H0z"/></svg>'
        page.get_by_role("tab", name="Shelf").click()
        drop(page, "two.svg", svg)
        is_open(page, "Board")
        page.get_by_text("0 of 2 pieces lie on the target").wait_for()
        page.get_by_role("tab", name="Shelf").click()
        page.locator(".puzzle", has_text="two").first.wait_for()
        assert not page.locator(".puzzle", has_text="notes").count()


@pytest.mark.slow
def test_a_file_in_letters_has_no_notices_and_each_fault_has_a_line(browser, studio):
    shapes = "".join(f'<path d="M{x} 0h20v20h-20z"/>' for x in (0, 10, 40, 50))
    with visited(browser, studio) as page:
        drop(page, "letters.txt", "AABB\nAACB\nDDCC\nDDDC\n")
        page.get_by_text("0 of 4 pieces lie on the target").wait_for()
        page.get_by_role("tab", name="Shelf").click()
        drop(page, "bad.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{shapes}</svg>')
        problem = page.get_by_role("alert").filter(has_text="bad.svg was not taken:")
        problem.get_by_text("path 1 and path 2: overlap at (15, 10)", exact=True).wait_for()
        problem.get_by_text("path 3 and path 4: overlap at (55, 10)", exact=True).wait_for()
        assert not page.locator(".q-notification").count()
        problem.get_by_role("button", name="Open it in the editor").click()
        page.locator(".warned").get_by_text("A and B: overlap", exact=True).wait_for()
        page.get_by_text("4 pieces, area 16 squares").wait_for()


@pytest.mark.parametrize("kind", ["Edge matching, with a frame", "TetraVex"])
@pytest.mark.some_cases(1)
def test_a_new_puzzle_is_made(browser, studio, kind):
    with visited(browser, studio) as page:
        page.get_by_role("button", name="New puzzle").click()
        page.get_by_role("radio", name=kind).click()
        page.get_by_label("Rows").fill("3")
        page.get_by_label("Columns").fill("3")
        page.get_by_label("Name (may stay empty)").fill(f"For {kind[:4]}")
        if "frame" in kind:
            page.get_by_label("Colours inside").fill("2")
        page.get_by_role("button", name="Make it").click()
        is_open(page, "Board")
        page.get_by_text("0 of 12 joins fit").wait_for()
        page.locator(".head .name").get_by_text(f"For {kind[:4]}").wait_for()


def paste(page, text):
    page.get_by_role("tab", name="Shelf").click()
    page.get_by_role("button", name="Paste a link").click()
    page.get_by_label("Link of a viewer").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


@pytest.mark.slow
def test_links_and_drawings_are_pasted(browser, studio):
    puzzle = js.read("clue1")
    board = js.solve(puzzle).solutions[0]
    with visited(browser, studio) as page:
        # A link to a full board brings its pieces, others are of a puzzle that has them.
        for laid, score in ((board, "60 of 60"), ([board[0], board[1], *[None] * 34], "1 of 60")):
            paste(page, link_of(puzzle, laid))
            page.get_by_text(f"{score} joins fit").wait_for()
        paste(page, "AAB/ACB")
        page.get_by_text("0 of 3 pieces lie on the target").wait_for()
        # Each tab has its last command.
        page.get_by_role("tab", name="Shelf").click()
        page.locator(".command").filter(has_text="jigsat make dissection AAB/ACB -o drawing.json").wait_for()


@pytest.mark.slow
def test_nothing_else_is_pasted(browser, studio):
    with visited(browser, studio) as page:
        page.get_by_role("button", name="Paste a link").click()
        for text in ("/etc/passwd", "clue1.json", "file:///etc/passwd", "../AAB"):
            page.get_by_label("Link of a viewer").fill(text)
            page.get_by_text("This is not the link of a viewer").wait_for(state="hidden")
            page.get_by_role("button", name="Open", exact=True).click()
            page.get_by_text("This is not the link of a viewer").wait_for()


@pytest.mark.slow
def test_a_dropped_solution_lies_on_the_board_of_its_puzzle(browser, tmp_path):
    mine = js.make_edge_matching(rows=3, columns=3, frame_colors=2, inner_colors=2, seed=3)
    js.save(mine, tmp_path / "mine.json")
    with served(tmp_path) as studio, visited(browser, studio) as page:
        for puzzle, laid in (("clue3", "60 of 60 joins"), (mine, "12 of 12 joins"), ("tangram", "7 of 7 pieces lie")):
            puzzle = js.read(puzzle) if isinstance(puzzle, str) else puzzle
            js.write(puzzle, js.solve(puzzle).solutions, tmp_path.parent / "solved.json")
            page.get_by_role("tab", name="Shelf").click()
            drop(page, "solved.json", (tmp_path.parent / "solved.json").read_text())
            page.get_by_text(laid).wait_for()
        # A table of boards names no puzzle: it is of the one that is open.
        grid = [f"{piece + 1}/{rotation}" for piece, rotation in js.solve(mine).solutions[0]]
        for opened in ("tangram", "mine.json"):
            page.goto(f"{studio.site}?tab=shelf&puzzle={opened}")
            drop(page, "grid.txt", "\n".join(" ".join(grid[row : row + 3]) for row in (0, 3, 6)))
            if opened == "tangram":
                page.get_by_text("grid.txt was not taken").wait_for()
        page.get_by_text("12 of 12 joins fit").wait_for()
        assert not (tmp_path / "solved.json").exists()


def test_a_wrong_number_is_told_beside_its_field(browser, studio):
    with visited(browser, studio) as page:
        page.get_by_role("button", name="New puzzle").click()
        page.get_by_label("Colours inside").fill("1000")
        page.get_by_role("button", name="Make it").click()
        field = page.locator(".q-field").filter(has=page.get_by_label("Colours inside"))
        field.get_by_text("can have 1 to").wait_for()
        page.get_by_label("Colours inside").fill("4")
        page.get_by_role("button", name="Make it").click()
        is_open(page, "Board")


@pytest.mark.parametrize("name", [HOSTILE, "\u202egnp.exe", "quote\"'&amp;</b>", "a\u2066b\u200f"])
@pytest.mark.some_cases(1)
def test_names_of_files_stay_text(browser, tmp_path, name):
    js.save(js.read("tetravex-3x3"), tmp_path / "plain.json")
    (tmp_path / "plain.json").rename(tmp_path / f"{name.replace('/', '|')}.json")
    with served(tmp_path) as studio, visited(browser, studio) as page:
        page.get_by_text("Yours").wait_for()
        page.locator(".puzzle").first.get_by_role("button").first.click()
        is_open(page, "Board")
        page.get_by_text("0 of 12 joins fit").wait_for()
        assert page.evaluate("!document.querySelector('.head img, .foot img')")
        page.reload()
        page.get_by_text("0 of 12 joins fit").wait_for()
        page.get_by_role("tab", name="Experiment").click()
        page.locator(".q-chip").filter(has_text=name[:4]).wait_for()
