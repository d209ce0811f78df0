"""The bars on a terminal: how far a search is, what it has found, and that kernels are compiled."""

import argparse
import io
import sys

import pytest

from jigsat.cli.main import main
from jigsat.cli.progress import note_bar, progress_bar
from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.stop import COMPILING, Progress
from jigsat.csp.engines.engine import find_engine


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal_for(monkeypatch):
    """A terminal as standard error; a fixture comes before pytest's own takes its place."""
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def shown(monkeypatch, engine, *told, ends=True):
    """What stands on the terminal after some reports."""
    terminal = terminal_for(monkeypatch)
    with progress_bar(argparse.Namespace(quiet=False), find_engine(engine), ends=ends) as report:
        for progress in told:
            report(progress)
    return terminal.getvalue().replace("% |", "%|")


@pytest.mark.parametrize(
    ("engine", "done", "seen", "unseen"),
    [
        ("beam", 0.5, ("50.0%|", "score 460 of 480"), ("at most", "of about")),
        ("dive", 0.0, ("score 460 of 480",), ("%", "at most", "of about")),
        ("backtrack", 0.5, ("50.0%|", "score 460, at most 480", "1e+06 of about 2e+06 nodes"), ()),
    ],
)
def test_the_score_and_the_part_that_is_done(monkeypatch, engine, done, seen, unseen):
    """Without a limit no part of it is shown, and a search that proves nothing shows no bound."""
    progress = Progress(1_000_000, 1, done, 5.0, (460, 480), expected=2e6 if done else None)
    text = shown(monkeypatch, engine, progress, ends=done > 0)
    assert all(words in text for words in seen)
    assert not any(words in text for words in unseen)


def test_the_time_left_is_that_of_the_search_alone(monkeypatch):
    """A quarter in ten seconds: half a minute is left, however long ago the bar was begun."""
    text = shown(monkeypatch, "backtrack", Progress(1000, 0, 0.25, 10.0, note="longer than predicted"))
    assert "00:10<00:30, 1e+03 nodes, 0 M/s, count 0, longer than predicted" in text


def test_compiling_is_said_as_long_as_it_lasts(monkeypatch):
    terminal = terminal_for(monkeypatch)
    with note_bar(argparse.Namespace(quiet=False)) as report:
        assert report is not None
        report(Progress(note="planning"))
        before = terminal.getvalue()
        COMPILING.start()
        during = terminal.getvalue()[len(before) :]
        COMPILING.end()
        after = terminal.getvalue()[len(before) + len(during) :]
    assert "planning" in before
    assert "00:00 compiling the search" in during
    assert "planning" in after
    assert "compiling" not in after
    # Nothing is reported any more.
    quiet = terminal.getvalue()
    COMPILING.start()
    COMPILING.end()
    assert terminal.getvalue() == quiet


@pytest.mark.parametrize("options", [(), ("--quiet",), ("--time-limit=9",)])
def test_a_line_when_the_first_kernel_is_compiled(monkeypatch, options):
    """It is printed once, on a terminal only, and not with --quiet; the other kernels are compiled aside."""
    terminal, begun = terminal_for(monkeypatch), []
    monkeypatch.setattr(COMPILING, "announce", None)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for name in ("CI", "JIGSAT_NO_WARM_UP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("subprocess.Popen", lambda command, **others: begun.append(command[-1]))
    monkeypatch.setattr(
        "jigsat.cli.searches.read_variant", lambda name: COMPILING.start("jigsat.csp.search.some.kernel") or _fail()
    )
    for _ in range(2):
        assert main(["count", "clue1", *options]) == 2
        COMPILING.end()
    told = 0 if "--quiet" in options else 2
    then = "; the time limit counts from then on" if "--time-limit=9" in options else ""
    assert terminal.getvalue().count(f"jigsat: compiling the search, once on this computer{then}\n") == told
    monkeypatch.setenv("JIGSAT_NO_WARM_UP", "1")
    assert main(["count", "clue1", *options]) == 2
    COMPILING.end()
    assert begun == ["squares"] * told


def _fail():
    raise InstanceError("no puzzle")
