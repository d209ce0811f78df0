"""What the tests of this folder share: pages by the command line, and one browser, which starts when it is needed."""

from contextlib import ExitStack

import pytest

from browser import launched
from command_line import run

_STARTED = {}


@pytest.fixture
def chromium():
    if not _STARTED:
        stack = ExitStack()
        _STARTED["browser"] = stack.enter_context(launched())
        _STARTED["stack"] = stack
    return _STARTED["browser"]


@pytest.fixture
def written(tmp_path, capsys):
    """Writes a page by the command line."""

    def write(*arguments):
        path = tmp_path / "page.html"
        assert run(capsys, *map(str, arguments), "-o", str(path), "--quiet") == (0, "", "")
        return path

    return write


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """Close the browser when the next test is elsewhere: no test may use asyncio while Playwright's loop runs."""
    if _STARTED and (nextitem is None or nextitem.path.parent != item.path.parent):
        _STARTED.pop("stack").close()
        _STARTED.clear()
