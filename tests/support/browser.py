"""Opens pages in headless Chromium, where that and Playwright are installed; tests are skipped elsewhere."""

import re
import shutil
from contextlib import ExitStack, contextmanager

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
# Without a network, and without what a browser does by itself when it starts.
_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

#: The browser of this process, with what closes it.
_STARTED = []
#: The windows that were opened before and are not in use, by their options.
OPENED = {}


def shared():
    """The browser of this process, for the fixture; it starts when it is needed."""
    if not _STARTED:
        playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
        path = next(filter(None, map(shutil.which, _NAMES)), None)
        if path is None:
            pytest.skip("Chromium is not installed")
        with ExitStack() as stack:
            chromium = stack.enter_context(playwright.sync_playwright()).chromium
            browser = chromium.launch(executable_path=path, args=_ARGUMENTS)
            stack.callback(browser.close)
            _STARTED.extend((browser, stack.pop_all()))
    return _STARTED[0]


def close():
    """Close it: no test may use asyncio while Playwright's loop runs."""
    if _STARTED:
        OPENED.clear()
        _STARTED[1].close()
        _STARTED.clear()


@contextmanager
def opened(browser, path, width=1280, height=900, **options):
    """A file in a window of that size; it must say nothing to the console, raise no error and load nothing else.

    A window is used again for the same options, since a new one takes a quarter of a second.
    """
    key = tuple(sorted(options.items()))
    page = OPENED.pop(key, None) or browser.new_context(**options).new_page()
    page.set_viewport_size({"width": width, "height": height})
    problems, loaded = [], []
    listeners = {
        "console": lambda message: problems.append(f"{message.type}: {message.text}"),
        "pageerror": lambda error: problems.append(str(error)),
        "request": lambda request: loaded.append(request.url),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    page.goto(path.as_uri())
    yield page
    page.mouse.move(0, 0)
    # Pages of the same puzzle must not find each other's progress.
    page.evaluate("() => { try { localStorage.clear(); } catch { /* denied */ } }")
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    page.goto("about:blank")
    OPENED[key] = page
    assert problems == []
    assert {url for url in loaded if not url.startswith("data:")} == {path.as_uri()}


def wait_for_text(page, selector, pattern):
    """Wait until an element has a text; the page's policy keeps Playwright's `wait_for_function` from running."""
    page.locator(selector).filter(has_text=re.compile(pattern)).wait_for()


def overflow(page):
    """How many pixels of a page do not fit into the width of its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
