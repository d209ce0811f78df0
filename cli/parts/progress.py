"""Progress on stderr, and the patience of the user: time limits and Ctrl-C."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...csp.base.progress import Progress, Report
from ...csp.base.quantities import grouped
from ...csp.base.stopping import interrupts_noted
from ...csp.engines.registry import find_engine, find_tiling_engine
from ...csp.engines.request import Goal, Limits, Options
from ...csp.engines.result import Result
from ...csp.files.instances import Puzzle
from ...csp.puzzles.dissection import DissectionPuzzle
from .wording import is_solver, proves_its_best

if TYPE_CHECKING:
    import threading

    from tqdm import tqdm


@contextmanager
def bar_on_stderr(arguments: argparse.Namespace, **look: Any) -> "Iterator[tqdm | None]":
    """A bar of that look, gone at the end; None where nobody would see it."""
    if arguments.quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(leave=False, file=sys.stderr, **look) as bar:
        yield bar


@contextmanager
def progress_bar(arguments: argparse.Namespace) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on stderr that shows the part of the search tree that is done; None where nobody would see it."""
    solver, proves = is_solver(arguments.engine), proves_its_best(arguments.engine)
    # A solver does not tell how far it is, and a search that proves nothing has no end but its limits.
    endless = not proves and arguments.time_limit is None and arguments.node_limit is None
    layout = "{percentage:5.1f}% |{bar}| {elapsed}<{remaining}{postfix}"
    layout = "{elapsed} {desc}" if solver else "{elapsed}{postfix}" if endless else layout
    with bar_on_stderr(arguments, total=1.0, bar_format=layout) as bar:
        if bar is None:
            yield None
            return

        def show(progress: Progress) -> None:
            # What an earlier search has done tells nothing of how quick this one is.
            nodes_now = max(progress.nodes - progress.found_nodes, 0)
            rate = nodes_now / progress.seconds / 1e6 if progress.seconds else 0
            found = f"count {grouped(progress.solutions)}"
            if progress.scores is not None:
                best, most = progress.scores
                found = f"score {'none yet' if best is None else best}{', at most' if proves else ' of'} {most}"
            if solver:
                bar.set_description_str(found)
                return
            note = "" if progress.note is None else f", {progress.note}"
            about = f" of about {progress.nodes / progress.done:.2g}" if proves and 0 < progress.done < 1 else ""
            bar.set_postfix_str(f"{progress.nodes:.3g}{about} nodes, {rate:.0f} M/s, {found}{note}", refresh=False)
            bar.initial = progress.found
            bar.n = max(progress.done, bar.n)
            bar.refresh()

        yield show


@contextmanager
def note_bar(arguments: argparse.Namespace) -> Iterator[Report | None]:
    """A line on stderr that shows what is being done, for work that is no search; None where nobody would see it."""
    with bar_on_stderr(arguments, bar_format="{elapsed} {desc}") as bar:
        yield None if bar is None else lambda progress: bar.set_description_str(progress.note or "")


def counted(arguments: argparse.Namespace, puzzle: Puzzle, limits: Limits, options: Options) -> Result:
    """What the engine backtrack counts beside a prediction; `arguments` get its name."""
    arguments.engine = "backtrack"
    with progress_bar(arguments) as report:
        if isinstance(puzzle, DissectionPuzzle):
            return find_tiling_engine("backtrack").run(puzzle, Goal.COUNT, limits, options, report=report)
        return find_engine("backtrack").run(puzzle, Goal.COUNT, limits, options, report=report)


class Patience:
    """Tells long work that it must stop, at a time limit or Ctrl-C, and shows that it goes on.

    Attributes
    ----------
    ended_by
        What has ended the work, as `ending` knows it; None so far.
    """

    def __init__(self, limit: float | None, interrupted: "threading.Event", bar: "tqdm | None") -> None:
        self._until = None if limit is None else time.monotonic() + limit
        self._interrupted, self._bar = interrupted, bar
        self.ended_by: str | None = None

    def __call__(self) -> bool:
        if self._bar is not None:
            self._bar.refresh()
        if self._interrupted.is_set():
            self.ended_by = "interrupt"
        elif self._until is not None and time.monotonic() >= self._until:
            self.ended_by = "time"
        return self.ended_by is not None

    def is_interrupted(self) -> bool:
        """Whether Ctrl-C was pressed, whatever the time limit says."""
        if self._interrupted.is_set():
            self.ended_by = "interrupt"
        return self._interrupted.is_set()

    def tell(self, what: str) -> None:
        """Show what is being done."""
        if self._bar is not None:
            self._bar.set_description_str(what)

    def clear(self) -> None:
        """Show nothing until there is something new to show."""
        if self._bar is not None:
            self._bar.clear()


@contextmanager
def patience(arguments: argparse.Namespace) -> Iterator[Patience]:
    """The patience that the user has with a command."""
    with interrupts_noted() as interrupted, bar_on_stderr(arguments, bar_format="{elapsed} {desc}") as bar:
        yield Patience(arguments.time_limit, interrupted, bar)
