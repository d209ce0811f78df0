"""What all tabs have in common: contrast, landmarks, the title, and the foot from which a command is copied."""

import pytest

from browser import overflow
from studio_pages import DESKTOP, PHONE, visited

TABS = ("shelf", "board", "plan", "workshop", "editor", "experiment")
# The texts whose contrast with what is below them is less than 4.5 to 1, but not letters on pieces.
PALE = """() => {
  const parse = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, place) => value * a + under[place] * (1 - a));
  const part = (value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pale = [];
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, words = texts.currentNode.data.trim();
    const seen = element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width;
    const isExempt = element.closest("[disabled], .disabled, .q-field--disabled, svg, .material-icons, .letters");
    if (!words || !seen || isExempt) continue;
    const around = [];
    for (let up = element; up; up = up.parentElement) around.unshift(getComputedStyle(up));
    const ground = around.reduce((under, style) => over(parse(style.backgroundColor), under), [255, 255, 255]);
    const [r, g, b, a] = parse(around.at(-1).color);
    const solid = around.reduce((product, style) => product * style.opacity, a);
    const [low, high] = [light(over([r, g, b, solid], ground)), light(ground)].sort((one, two) => one - two);
    if (high / low < 4.5) pale.push(`${words} ${(high / low).toFixed(2)}`);
  }
  return pale;
}"""
FILLED = {
    "shelf": ".opener img", "board": ".board .score", "plan": "studio-ways button", "workshop": ".sheets img",
    "editor": ".paper", "experiment": ".goals",
}  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.some_cases(1)
def test_each_tab_can_be_read(browser, studio, size, scheme):
    """Catches pale texts, what is wider than the window, second headings or landmarks, and lost names of tabs."""
    with visited(browser, studio, color_scheme=scheme, **size) as page:
        for tab in TABS:
            page.goto(f"{studio.site}?tab={tab}&puzzle=clue1")
            page.locator(FILLED[tab]).first.wait_for()
            assert page.evaluate(PALE) == [], tab
            assert overflow(page) <= 0, tab
            assert page.locator("main, [role=main]").count() == page.get_by_role("heading", level=1).count() == 1
            assert page.title() == "clue1 - jigsat studio"
            for each in page.locator(".tabs .q-tab__label").all():
                box = each.bounding_box()
                assert 20 < box["width"] <= page.viewport_size["width"] - box["x"], tab


def test_the_keyboard_skips_the_tabs(browser, studio):
    with visited(browser, studio) as page:
        page.locator(".opener").first.wait_for()
        page.keyboard.press("Tab")
        link = page.get_by_role("link", name="Skip to the content")
        assert link.bounding_box()["x"] >= 0
        assert link.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent").endswith("New puzzle")


@pytest.mark.slow
def test_the_look_is_kept(browser, studio):
    # Playwright must not set the scheme of frames.
    with visited(browser, studio, color_scheme="null") as page:
        page.goto(f"{studio.site}?tab=board&puzzle=puzzle-a")
        page.get_by_role("button", name="Light, dark, or as the system").click()
        for _ in range(2):
            page.locator("body.body--dark").wait_for()
            page.locator(".board .score").wait_for()
            frame = page.locator(".board-frame iframe").element_handle().content_frame()
            assert frame.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            page.reload()


@pytest.mark.some_cases(1)
def test_the_foot_is_copied(browser, studio, window):
    with visited(browser, studio, "?tab=plan&puzzle=puzzle-a", permissions=["clipboard-write"], **window) as page:
        page.locator(".command").filter(has_text="jigsat plan puzzle-a --goal count").wait_for()
        page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        for name, text in (
            ("Command", "jigsat plan puzzle-a"),
            ("Python", "import jigsat as js\n\nfound = js.explain("),
        ):
            page.get_by_role("button", name=f"Copy: {name}").click()
            page.get_by_role("button", name=f"Copy: {name}").filter(has_text="Copied").wait_for()
            assert page.evaluate("window.copied").startswith(text)
        page.get_by_role("button", name="The same in a shell and in Python").click()
        assert "js.explain(" in page.locator("studio-act pre").nth(1).inner_text()


@pytest.mark.slow
def test_the_icon_is_served(browser, studio):
    with visited(browser, studio) as page:
        icon = page.locator("link[rel~=icon]").get_attribute("href")
        answer = page.request.get(f"{studio.site.split('/', 3)[0]}//{studio.site.split('/', 3)[2]}{icon}")
        assert answer.ok
        assert answer.text().startswith("<svg")


@pytest.mark.slow
def test_a_run_is_opened_on_one_board(browser, studio):
    with visited(browser, studio, "?tab=plan&puzzle=perfect-3x3") as page:
        page.get_by_role("button", name="One solution").click()
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator("studio-run").get_by_role("button", name="Open on the board").click()
        page.locator(".board .ways").filter(has_text="olved").wait_for()
        assert page.locator(".board").count() == page.locator(".board-frame iframe").count() == 1
