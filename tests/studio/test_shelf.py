from browser import overflow
from studio_pages import visited


def test_a_bundled_puzzle_is_opened(browser, studio, window):
    with visited(browser, studio, **window) as page:
        page.get_by_text("clue1", exact=True).click()
        page.get_by_role("tab", name="Board").and_(page.locator("[aria-selected=true]")).wait_for()
        assert "puzzle=clue1" in page.url
        assert overflow(page) <= 0
