"""Settings that all tests share."""

import gc
import os
import re
import signal
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from pathlib import Path
from zlib import crc32

import psutil
import pytest
from hypothesis import HealthCheck, settings

from browser import close, shared
from jigsat.render.notebook import register
from property_tests import THOROUGH

# A busy machine may take any time for an example.
settings.register_profile(THOROUGH, deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("quick", settings.get_profile(THOROUGH), max_examples=25)
settings.load_profile("quick")

# Tests of the lower floors write pictures, too, and import only what they test.
register()


# The tests must neither use nor change what is known of this machine's speed.
os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir() + os.sep + "jigsat-tests-cache"
# Where a folder stands in place of the file, no process of a test can record a speed for the tests after it.
_RATES = Path(os.environ["XDG_CACHE_HOME"], "jigsat", "rates.json")
if _RATES.is_file():
    _RATES.unlink(missing_ok=True)
_RATES.mkdir(parents=True, exist_ok=True)


# Where PYTHONDONTWRITEBYTECODE is set, every worker and every program that a test starts would compile all sources.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# What the tests of this process write need not outlast a loss of power; `tests/agreement/faults.py` is about that.
os.fsync = lambda descriptor: None


if os.name == "nt":
    # Tests of signals, terminals and limits need what only POSIX systems have, and Ganak is not built for Windows.
    _POSIX = re.compile(r"\b(fcntl|pty|resource|SIG(INT|KILL|TERM|HUP|STOP)|mkfifo|symlink_to|pyganak)\b|/proc/|/dev/")
    _TESTS = Path(__file__).parent.rglob("test_*.py")
    collect_ignore = [str(path) for path in _TESTS if _POSIX.search(path.read_text(encoding="utf-8"))]


# A shell has commands in the background ignore Ctrl-C, and the programs that the tests start would, too.
for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def browser():
    """A browser, one for all tests that follow one another in a process; without Chromium they are skipped."""
    return shared()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or "browser" not in nextitem.fixturenames:
        close()


@pytest.fixture
def no_thread_is_left():
    """Fails if a thread that the test has started is still running at its end."""
    before = set(threading.enumerate())
    yield
    # Dask has one thread that stays, for the whole process.
    left = {thread for thread in set(threading.enumerate()) - before if not thread.name.startswith("Dask-Offload")}
    for thread in left:
        thread.join(10)
    assert not [thread.name for thread in left if thread.is_alive()]


@pytest.fixture
def nothing_is_left(no_thread_is_left):
    """Fails if a process that the test has started is still running at its end."""
    before = set(psutil.Process().children())
    yield
    assert psutil.wait_procs(set(psutil.Process().children()) - before, timeout=10)[1] == []


def pytest_xdist_auto_num_workers() -> int | None:
    """One more than there are processors: while a test waits for a process that it has started, another one runs."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def pytest_sessionstart() -> None:
    # What collection makes stays: looking for garbage in it takes a third of the time.
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with the mark `some_cases(n)` all cases but n are slow: always the same, but no pattern among them."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("some_cases"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_test in cases.values():
        (number,) = of_test[0].get_closest_marker("some_cases").args
        of_test.sort(key=lambda item: crc32(item.nodeid.encode()))
        for item in of_test[number:]:
            item.add_marker("slow")
    # Those with a browser come first, so that one worker has them all, then those of this folder: they take long.
    here = Path(__file__).parent
    items.sort(key=lambda item: ("browser" not in getattr(item, "fixturenames", ()), item.path.parent != here))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests were skipped: a line for each reason."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("skipped")
        for reason, number in sorted(reasons.items()):
            terminalreporter.line(f"{number} skipped: {reason}")
