"""One browser for all tests of this folder, which starts when the first one needs it; pages to play."""

from contextlib import ExitStack

import pytest

from browser import launched
from command_line import run

_STARTED = {}


@pytest.fixture
def chromium():
    """The browser of this folder's tests."""
    if not _STARTED:
        stack = ExitStack()
        _STARTED["browser"] = stack.enter_context(launched())
        _STARTED["stack"] = stack
    return _STARTED["browser"]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """Close the browser when the next test is elsewhere: no test may use asyncio while Playwright's loop runs."""
    if _STARTED and (nextitem is None or nextitem.path.parent != item.path.parent):
        _STARTED.pop("stack").close()
        _STARTED.clear()


@pytest.fixture
def written(tmp_path, capsys):
    """Writes a page to play by the command line."""

    def write(*arguments):
        path = tmp_path / "page.html"
        assert run(capsys, "play", *map(str, arguments), "-o", str(path), "--quiet") == (0, "", "")
        return path

    return write
