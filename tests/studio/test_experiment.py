"""The tab experiment in a browser: the price, the runs, tables and figures."""

import re

import pytest

import jigsat as js
from browser import overflow
from studio_pages import PHONE, served, visited


def choose(page, field, *values):
    box = page.get_by_role("combobox", name=field)
    for value in values:
        box.fill(value)
        page.get_by_role("option", name=value, exact=True).click()
        page.locator(".q-chip").filter(has_text=value).wait_for()
    box.press("Escape")


@pytest.mark.slow
def test_engines_are_compared_and_the_results_stay(browser, studio):
    with visited(browser, studio, "?tab=experiment") as page:
        button = page.get_by_role("button", name="Compare", exact=True)
        assert button.is_disabled()
        page.get_by_role("button", name="Count", exact=True).click()
        choose(page, "Puzzles", "puzzle-a", "tetravex-3x3")
        choose(page, "Engines", "backtrack", "most-constrained")
        page.get_by_text(re.compile(r"^4 runs, about .*; at most about 4")).wait_for()
        button.click()
        page.get_by_text(re.compile("^jigsat compare puzzle-a tetravex-3x3 --engines backtrack,most")).first.wait_for()
        page.get_by_role("button", name="puzzle-a-tetravex-3x3-comparison").click(timeout=60_000)
        page.get_by_role("row", name=re.compile("^most-constrained 2 2")).wait_for()
        page.get_by_role("row", name=re.compile("^puzzle-a 160")).wait_for()
        figure = page.get_by_role("img", name="cactus.svg")
        figure.wait_for()
        page.wait_for_function("document.querySelector('studio-results img').naturalWidth > 0")
        report = page.frame_locator("iframe.report")
        assert report.locator("svg").first.bounding_box()["width"] > 100
    with visited(browser, studio, "?tab=experiment", **PHONE) as page:
        page.get_by_role("button", name="puzzle-a-tetravex-3x3-comparison").click()
        page.get_by_role("row", name=re.compile("^puzzle-a 160")).wait_for()
        assert overflow(page) <= 0


def test_choices_in_quick_succession_are_kept(browser, studio):
    with visited(browser, studio, "?tab=experiment") as page:
        page.get_by_role("combobox", name="Puzzles").click()
        page.get_by_role("option", name="clue1", exact=True).wait_for()
        page.evaluate(
            """async () => {
                for (const name of ["clue1", "clue3", "puzzle-a"]) {
                    [...document.querySelectorAll("[role=option]")].find((one) => one.textContent === name).click();
                    await new Promise((done) => requestAnimationFrame(done));
                }
            }"""
        )
        page.get_by_role("combobox", name="Puzzles").press("Escape")
        choose(page, "Engines", "backtrack")
        page.get_by_text(re.compile("^jigsat compare clue1 clue3 puzzle-a ")).first.wait_for()


@pytest.mark.slow
def test_only_puzzles_are_listed(browser, tmp_path):
    puzzle = js.read("tetravex-3x3")
    js.save(puzzle, tmp_path / "mine.json")
    js.write(puzzle, js.solve(puzzle).solutions, tmp_path / "solved.json")
    with served(tmp_path) as studio, visited(browser, studio, "?tab=experiment") as page:
        page.get_by_role("combobox", name="Puzzles").fill(".json")
        page.get_by_role("option").first.wait_for()
        assert page.get_by_role("option").all_inner_texts() == ["mine.json"]
