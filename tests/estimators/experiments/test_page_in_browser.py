"""The report in a browser."""

import pytest

from browser import opened, overflow
from experiments import everything
from jigsat.estimators.experiments.figures import FORMATS
from jigsat.estimators.experiments.page import write_report
from records import record


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    more = [record(seed=seed, family="many", seconds=seed / 7, predicted_by_depth=None) for seed in range(100, 600)]
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(FORMATS, "pdf")  # which the page does not show
        patch.delitem(FORMATS, "png")
        named = {"source": "all", "name": "<i>all</i>", "about": "x" * 200}
        return write_report([*everything(), *more], folder, **named, planned=None).page


TOTAL = len(everything()) + 500


@pytest.fixture
def page(browser, report):
    with opened(browser, report) as found:
        yield found


def times(page):
    place = 1 + page.locator("#all-runs th button").all_inner_texts().index("time")
    return page.locator(f"#all-runs tbody tr:not([hidden]) td:nth-child({place})").all_inner_texts()


def number(page):
    return page.locator("#number").inner_text()


def head(page, name):
    return page.locator("#all-runs th", has=page.get_by_role("button", name=name, exact=True))


def seconds(texts):
    return [
        float(text.removesuffix(" s").replace("\u202f", "")) for text in texts if not text.startswith((">", "refused"))
    ]


@pytest.mark.some_cases(1)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(browser, report, width):
    with opened(browser, report, width) as page:
        for details in page.locator("details").all():
            details.locator("summary").click()
        assert overflow(page) <= 0


def test_times_are_sorted_as_numbers_both_ways_with_time_outs_at_their_end(page):
    head(page, "time").get_by_role("button").click()
    assert head(page, "time").get_attribute("aria-sort") == "ascending"
    rising = times(page)
    assert seconds(rising) == sorted(seconds(rising))
    head(page, "time").get_by_role("button").press("Enter")
    assert head(page, "time").get_attribute("aria-sort") == "descending"
    falling = times(page)
    ended = ["> 10 s (time)"] * 4 + ["> 10.5 s (memory)", "> 10.5 s (crash)", "refused"]
    assert sorted(falling[-7:]) == sorted(rising[-7:]) == sorted(ended)
    assert seconds(falling) == sorted(seconds(falling), reverse=True)


def test_words_choose_rows(page):
    assert number(page) == f"{TOTAL} runs"
    page.locator("#words").fill("cadical195  8x8")
    assert number(page) == f"{len(times(page))} of {TOTAL} runs"
    shown = page.locator("#all-runs tbody tr:not([hidden])").all_inner_texts()
    assert 0 < len(shown) < 50
    assert all("cadical195" in row and "8x8" in row for row in shown)
