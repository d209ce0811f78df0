import pytest

from browser import overflow
from studio_pages import visited

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


def test_a_bundled_puzzle_is_opened(browser, studio, window):
    with visited(browser, studio, **window) as page:
        page.get_by_label("Search").fill("clue 6 count")
        page.locator(".opener", has_text="clue1").click()
        is_open(page, "Board")
        assert "puzzle=clue1" in page.url
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


@pytest.mark.parametrize("kind", ["Edge matching, with a frame", "TetraVex"])
def test_a_new_puzzle_is_made(browser, studio, kind):
    with visited(browser, studio) as page:
        page.get_by_role("button", name="New puzzle").click()
        page.get_by_role("radio", name=kind).click()
        page.get_by_label("Rows").fill("3")
        page.get_by_label("Columns").fill("3")
        if "frame" in kind:
            page.get_by_label("Colours inside").fill("2")
        page.get_by_role("button", name="Make it").click()
        is_open(page, "Board")
        page.get_by_text("0 of 12 joins fit").wait_for()


def test_only_links_are_pasted(browser, studio):
    with visited(browser, studio) as page:
        for text in ("/etc/passwd", "clue1.json", "file:///etc/passwd"):
            page.get_by_role("button", name="Paste a link").click()
            page.get_by_label("Link of a viewer").fill(text)
            page.get_by_role("button", name="Open", exact=True).click()
            page.get_by_text("This is not the link of a viewer").last.wait_for()
