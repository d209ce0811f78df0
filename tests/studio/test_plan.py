"""The tab plan and run in a browser: bars of predicted times, and runs that outlive pages and servers."""

import re

import pytest

from browser import overflow
from studio_pages import served, visited


def run_of(page, number):
    return page.get_by_role("group", name=re.compile(rf"^{number}\."))


def shows(page, number, pattern):
    run_of(page, number).locator(".state").filter(has_text=re.compile(pattern)).wait_for()


def part_done(page, number):
    shows(page, number, "% done")
    return float(re.search(r"([\d.]+) % done", run_of(page, number).locator(".state").inner_text()).group(1))


def choose(page, way):
    page.get_by_role("button", name=way, exact=True).click()
    page.get_by_role("button", name=way, exact=True).and_(page.locator("[aria-pressed=true]")).wait_for()


def start(page):
    page.get_by_role("button", name="Run", exact=True).click()


@pytest.mark.some_cases(1)
def test_the_ways_are_bars_and_a_count_is_run(browser, studio, window):
    with visited(browser, studio, "?tab=plan&puzzle=clue1", **window) as page:
        way = page.get_by_role("row").filter(has_text="backtrack, method frames")
        assert way.get_by_role("button").get_attribute("aria-pressed") == "true"
        widths = page.locator("studio-ways .median").evaluate_all("bars => bars.map(bar => bar.offsetWidth)")
        # The ways are in the order of their mean times, and the bars are medians.
        assert 0 < widths[0] == min(widths)
        assert widths[-1] == max(widths)
        [low, high] = way.locator(".interval").evaluate("one => [one.offsetLeft, one.offsetLeft + one.offsetWidth]")
        assert low < way.locator(".median").evaluate("bar => bar.offsetWidth") < high
        assert re.search(r"[\d.]+ s to [\d.]+ s", way.inner_text())
        page.get_by_text("Not possible").click()
        page.get_by_text("beam: has no goal count; it has best").wait_for()
        assert overflow(page) <= 0
        start(page)
        runs = page.locator("studio-run")
        latest = runs.first
        latest.get_by_text("exactly 18 729 107 different solutions").wait_for()
        latest.get_by_text("More").click()
        latest.get_by_text("115 071 633 408").wait_for()
        latest.get_by_role("img", name="Nodes by depth").wait_for()
        page.get_by_text(re.compile("^jigsat count clue1 --ledger clue1-count")).first.wait_for()
        with page.expect_download() as download:
            latest.get_by_role("link").click()
        assert download.value.suggested_filename.endswith(".ledger")
        assert overflow(page) <= 0
        number = runs.count()
        latest.get_by_role("button", name="Remove from the list").click()
        page.wait_for_function(f"document.querySelectorAll('studio-run').length === {number - 1}")


@pytest.mark.slow
def test_the_best_board_is_shown_as_it_changes(browser, studio):
    with visited(browser, studio, "?tab=plan&puzzle=meta10") as page:
        page.get_by_role("button", name="Best score").click()
        page.get_by_role("row").filter(has_text="beam").get_by_text("score").wait_for()
        start(page)
        run = page.locator("studio-run").first
        run.get_by_role("img", name="The best board of run").wait_for()
        page.wait_for_function("document.querySelector('studio-run img').naturalWidth > 0")
        run.get_by_role("img", name="Best score over time").wait_for()
        run.get_by_role("button", name="Stop and keep").click()
        run.get_by_text("was interrupted").or_(run.get_by_text("more may be possible")).first.wait_for()
        run.get_by_role("link", name="meta10-best.json.part").wait_for()
        run.get_by_role("button", name="Open on the board").click()
        page.get_by_role("tab", name="Board").and_(page.locator("[aria-selected=true]")).wait_for()


@pytest.mark.slow
def test_a_run_outlives_pages_and_servers(browser, tmp_path):
    address = "?tab=plan&puzzle=clue3"
    with served(tmp_path) as studio, visited(browser, studio, address) as page:
        choose(page, "backtrack, order rowscan2")
        start(page)
        shows(page, 1, "runs.*nodes.*left")
        page.reload()
        before = part_done(page, 1)
        with visited(browser, studio, address) as other:
            assert part_done(other, 1) >= before
            # Both pages show what one of them has done.
            run_of(other, 1).get_by_role("button", name="Stop and keep").click()
            shows(page, 1, "stopped")
        run_of(page, 1).get_by_role("button", name="Go on").click()
        assert part_done(page, 1) >= before
        page.goto("about:blank")
        studio.process.kill()
    with served(tmp_path) as studio, visited(browser, studio, address) as page:
        shows(page, 1, "cut off")
        assert part_done(page, 1) >= before
        run_of(page, 1).get_by_role("button", name="Go on").click()
        shows(page, 1, "runs.*nodes.*left")
        assert part_done(page, 1) >= before
        run_of(page, 1).get_by_role("button", name="Stop and keep").click()
        shows(page, 1, "stopped")


@pytest.mark.slow
def test_what_fails_is_told_in_a_line_and_ctrl_c_keeps_what_runs(browser, tmp_path):
    with served(tmp_path) as studio, visited(browser, studio, "?tab=plan&puzzle=puzzle-c") as page:
        choose(page, "backtrack, order rowscan")
        start(page)
        shows(page, 1, "runs.*nodes")
        page.get_by_text("More options").click()
        page.get_by_label("Slips (220,230)").fill("no slips")
        page.get_by_text("no slips").last.wait_for()
        assert page.get_by_role("button", name="Run", exact=True).is_disabled()
        page.goto("about:blank")
        assert "run 1 (puzzle-c) was stopped; the studio can continue it" in studio.end()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.slow
def test_nodes_are_shown_beside_the_prediction_in_both_themes(browser, studio, theme):
    with visited(browser, studio, "?tab=plan&puzzle=puzzle-a", color_scheme=theme) as page:
        choose(page, "backtrack, order rowscan")
        ink = page.locator("studio-ways tr:nth-child(3) .interval").evaluate("one => getComputedStyle(one).color")
        shade = sum(map(float, re.findall(r"[\d.]+", ink)[:3])) / 3
        assert shade > 180 if theme == "dark" else shade < 80
        start(page)
        latest = page.locator("studio-run").first
        latest.get_by_text("exactly 40 different solutions").wait_for()
        latest.locator("circle.found").nth(35).wait_for()
        assert len(latest.locator("polyline").get_attribute("points").split()) == 36
